//! Sigmoids of older files that reverse the order of decisions.
//!
//! Models written before the slope of a sigmoid was bound to its sign may hold a > 0: the larger
//! the decision for a class, the smaller its probability. Such a sigmoid was fitted to left-out
//! decisions without signal, and all that it knows is how frequent the classes are. It is
//! read as a constant probability:
//!
//! * least-squares support vector machines keep their rows, so the shares of the classes among them are known;
//! * of others only support vectors are left, whose shares say little. Their decisions lie
//!   around 0, so the sigmoid's own value there serves. (Least-squares decisions need not: where γ
//!   is tiny all lie close to the mean of the labels, with slopes beyond 100, and at 0 the sigmoid
//!   says 0 or 1.)

use crate::fit::Note;
use crate::model::expansion::KernelExpansion;
use crate::model::readout::{Scheme, Sigmoid, pairs};

/// Replaces reversed sigmoids, and tells of it.
pub(super) fn set_upright(model: &mut KernelExpansion, method: &str) -> Option<Note> {
    let class_sizes = &model.class_sizes;
    let classes = model.readout.classes_mut()?;
    let (labels, scheme) = (&classes.labels, classes.scheme);
    let sigmoids = classes.sigmoids.as_mut()?;
    if sigmoids.iter().all(|s| s.a <= 0.0) {
        return None;
    }
    let posterior = model.posterior.as_ref();
    let weights = posterior.and_then(|p| p.weights.as_deref());
    let totals = (method == "ls_svc").then(|| totals(class_sizes, weights));
    let pairs: Vec<(usize, usize)> = pairs(labels.len()).collect();
    for (d, sigmoid) in sigmoids.iter_mut().enumerate().filter(|(_, s)| s.a > 0.0) {
        let share = totals.as_ref().map(|totals| match scheme {
            Scheme::OneVsOne => {
                let (a, b) = pairs[d];
                totals[a] / (totals[a] + totals[b])
            }
            Scheme::OneVsRest | Scheme::Softmax => totals[d] / totals.iter().sum::<f64>(),
        });
        let share = share.unwrap_or_else(|| sigmoid.probability(0.0));
        *sigmoid = Sigmoid::constant(share);
    }
    Some(Note::Alert(
        "the file is of a version whose probabilities could run against the decisions, and here they do: the shares of the classes are used instead; fit again for better ones".to_owned(),
    ))
}

/// The weight of the rows of each class.
fn totals(class_sizes: &[usize], weights: Option<&[f64]>) -> Vec<f64> {
    let mut start = 0;
    let mut total = |size: &usize| {
        let rows = start..start + size;
        start = rows.end;
        rows.map(|row| weights.map_or(1.0, |w| w[row])).sum()
    };
    class_sizes.iter().map(&mut total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Records;
    use crate::model::readout::Readout;
    use mercer_linalg::Matrix;

    fn reversed(class_sizes: &[usize], scheme: Scheme, sigmoid: Sigmoid) -> KernelExpansion {
        let k = class_sizes.len();
        let labels: Vec<String> = (0..k).map(|k| k.to_string()).collect();
        let mut readout = Readout::of_classes(&labels, scheme);
        if let Some(classes) = readout.classes_mut() {
            classes.sigmoids = Some(vec![sigmoid; scheme.decisions(k)]);
        }
        let rows = class_sizes.iter().sum();
        let support = Records::from_points(Matrix::<f64>::zeros(rows, 1));
        let coefficients = Matrix::zeros(1, rows);
        let biases = vec![0.0; scheme.decisions(k)];
        let kernel = "linear".parse().expect("a kernel");
        KernelExpansion::new(kernel, support, coefficients, biases, readout)
            .sorted_by_class(class_sizes.to_vec())
    }

    const STEEP: Sigmoid = Sigmoid { a: 900.0, b: 300.0 };

    #[test]
    fn rows_of_least_squares_tell_the_shares() {
        let mut two = reversed(&[3, 7], Scheme::OneVsOne, STEEP);
        assert!(set_upright(&mut two, "ls_svc").is_some());
        let found = two.readout.probabilities(&[-0.4]).expect("sigmoids");
        assert!((found[0] - 0.3).abs() < 1e-12, "{found:?}");
        let mut rest = reversed(&[1, 3, 6], Scheme::OneVsRest, STEEP);
        set_upright(&mut rest, "ls_svc");
        let found = rest
            .readout
            .probabilities(&[5.0, -5.0, 0.0])
            .expect("sigmoids");
        for (p, share) in found.iter().zip([0.1, 0.3, 0.6]) {
            assert!((p - share).abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn others_have_the_value_between_the_classes() {
        let mut machine = reversed(&[2, 2], Scheme::OneVsOne, Sigmoid { a: 2.0, b: 0.5 });
        set_upright(&mut machine, "svc");
        let found = machine.readout.probabilities(&[3.0]).expect("sigmoids");
        assert!((found[0] - 1.0 / (1.0 + 0.5_f64.exp())).abs() < 1e-12);
        assert_eq!(set_upright(&mut machine, "svc"), None);
    }
}
