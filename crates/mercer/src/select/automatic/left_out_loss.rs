//! What predictions of held-out rows cost: the loss by which contenders are screened.

use mercer_linalg::Matrix;

use crate::data::ClassTargets;
use crate::model::readout::{Origin, Sigmoid};

/// Class factors, and what they make of rows.
pub(super) struct Weighting<'a> {
    /// Row weights with class factors; `None` means 1 each.
    pub(super) weights: Option<&'a [f64]>,
    /// The factor of each class; `None` means 1 each.
    pub(super) factors: Option<&'a [f64]>,
}

impl Weighting<'_> {
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[row])
    }

    fn factor(&self, class: usize) -> f64 {
        self.factors.map_or(1.0, |f| f[class])
    }

    /// The class factor of every row, where there are any.
    pub(super) fn of_rows(&self, classes: &ClassTargets) -> Option<Vec<f64>> {
        let factors = self.factors?;
        let codes = classes.codes.iter();
        Some(codes.map(|code| factors[*code as usize]).collect())
    }

    /// Row weights without class factors.
    fn copies(&self, classes: &ClassTargets) -> Vec<f64> {
        let codes = classes.codes.iter().enumerate();
        codes
            .map(|(row, code)| self.weight(row) / self.factor(*code as usize))
            .collect()
    }
}

/// Returns the mean of squared residuals.
pub(super) fn mean_square(residuals: &[f64], weighting: &Weighting<'_>) -> f64 {
    let rows = residuals.iter().enumerate();
    let square = |(row, r): (usize, &f64)| weighting.weight(row) * r * r;
    let total: f64 = (0..residuals.len()).map(|row| weighting.weight(row)).sum();
    rows.map(square).sum::<f64>() / total
}

/// Returns the mean of −log P(true class), and 1 more for a wrong class.
///
/// `decisions` are those of held-out rows ([`crate::solver::least_squares::Diagonal::held_out`]), one row per
/// output. Sigmoids are fitted to them as for a model: a slope of free sign would reward a kernel
/// without any signal, whose held-out decisions all point the wrong way. With class factors P is
/// that of the weighted classes, c P/Σ c P, as the loss counts them.
pub(super) fn class_loss(
    decisions: &Matrix<f64>,
    classes: &ClassTargets,
    weighting: &Weighting<'_>,
) -> f64 {
    let (outputs, n) = (decisions.rows(), decisions.columns());
    let copies = weighting.copies(classes);
    let sigmoids: Vec<Sigmoid> = (0..outputs)
        .map(|o| {
            let codes = classes.codes.iter();
            let positive: Vec<bool> = codes.map(|code| *code as usize == o).collect();
            Sigmoid::fit(decisions.row(o), &positive, &copies, &Origin::default())
        })
        .collect();
    let row = |i: usize| {
        let given = |o: usize| sigmoids[o].probability(decisions[(o, i)]);
        let mut shares: Vec<f64> = if outputs == 1 {
            vec![given(0), 1.0 - given(0)]
        } else {
            (0..outputs).map(given).collect()
        };
        for (class, share) in shares.iter_mut().enumerate() {
            *share *= weighting.factor(class);
        }
        let code = classes.codes[i] as usize;
        let own = shares[code];
        let sum = shares.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let others = (0..shares.len()).filter(|&k| k != code);
        let best = others.map(|k| shares[k]).fold(0.0, f64::max);
        // A tie is as good as a coin.
        let wrong = 0.5 * f64::from(u8::from(best >= own) + u8::from(best > own));
        weighting.weight(i) * (wrong - (own / sum).max(1e-12).ln())
    };
    let total: f64 = (0..n).map(|i| weighting.weight(i)).sum();
    (0..n).map(row).sum::<f64>() / total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_that_point_the_wrong_way_earn_nothing() {
        let labels: Vec<&str> = (0..40)
            .map(|i| if i % 4 == 0 { "a" } else { "b" })
            .collect();
        let classes = ClassTargets::from_labels(&labels);
        let first = classes.codes[0];
        let loss = |toward: f64| {
            let decisions = Matrix::from_fn(1, 40, |_, i| {
                let own = if classes.codes[i] == 0 { 1.0 } else { -1.0 };
                -0.5 + toward * own + 1e-3 * (i % 7) as f64
            });
            let weighting = Weighting {
                weights: None,
                factors: None,
            };
            class_loss(&decisions, &classes, &weighting)
        };
        assert_eq!(first, 0);
        // The entropy of 1 in 4 is 0.562, and a quarter of the rows is told wrongly.
        assert!(loss(-1e-2) > 0.8, "{}", loss(-1e-2));
        assert!(loss(1e-2) < 0.3, "{}", loss(1e-2));
    }

    #[test]
    fn class_factors_count_as_weights_of_the_classes() {
        let labels: Vec<&str> = (0..40)
            .map(|i| if i % 4 == 0 { "a" } else { "b" })
            .collect();
        let classes = ClassTargets::from_labels(&labels);
        let decisions = Matrix::from_fn(1, 40, |_, _| 0.0);
        let factors = [3.0, 1.0];
        let weights: Vec<f64> = (0..40)
            .map(|i| if i % 4 == 0 { 3.0 } else { 1.0 })
            .collect();
        let weighting = Weighting {
            weights: Some(&weights),
            factors: Some(&factors),
        };
        // Weighted classes are even: about log 2, and half of the weight is told wrongly.
        let loss = class_loss(&decisions, &classes, &weighting);
        assert!((loss - 0.693 - 0.5).abs() < 0.01, "{loss}");
    }
}
