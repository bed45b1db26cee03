//! Coefficients of linear models along their penalty.

use mercer::data::{Block, Records};
use mercer::fit::FitContext;
use mercer::learn::linear::{ElasticNet, PathGrid, Ridge};
use mercer::{Error, Result};
use mercer_linalg::Matrix;
use mercer_plot::CoefficientPath;
use mercer_plot::text::short;

use crate::words::plural;

/// Values of λ on a path.
const POINTS: usize = 80;
/// The smallest λ of a path with a penalty on absolute values, as a share of the one that makes all weights zero.
const SHARE: f64 = 1e-3;
/// How far λ of ridge goes to both sides of the mean square of the columns, as a power of ten.
const DECADES: f64 = 4.0;

/// A linear model with a penalty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PathModel {
    /// λ times the squares of the weights.
    Ridge,
    /// λ times the absolute values (a share of 1), or these with squares.
    ElasticNet {
        /// Share of the absolute values in the penalty, above 0 and up to 1.
        l1_ratio: f64,
    },
}

impl PathModel {
    fn title(self) -> String {
        match self {
            Self::Ridge => "Coefficients of ridge regression over λ".to_owned(),
            Self::ElasticNet { l1_ratio: 1.0 } => "Coefficients of the LASSO over λ".to_owned(),
            Self::ElasticNet { l1_ratio } => format!(
                "Coefficients of the elastic net over λ, {} of it on absolute values",
                short(l1_ratio)
            ),
        }
    }
}

/// Draws every coefficient over λ. `marked` is a λ to mark; without one it is, for ridge, the λ of least
/// leave-one-out error.
///
/// # Errors
/// Rows that linear models cannot read, targets that are not finite or of another length, settings outside their range;
/// cancellation.
pub fn coefficient_path(
    model: PathModel,
    records: &Records,
    targets: &[f64],
    marked: Option<f64>,
    context: &FitContext,
) -> Result<CoefficientPath> {
    if let Some(lambda) = marked.filter(|l| !(*l > 0.0 && l.is_finite())) {
        return Err(Error::setting("lambda", lambda, "positive and finite"));
    }
    let width = records.features.points.columns();
    if width == 0 {
        return Err(Error::rows(
            "there are no columns with a coefficient",
            "give numeric or categorical columns",
        ));
    }
    let mut note = Vec::new();
    let mut chosen = marked;
    // A row for every λ.
    let (at, weights): (Vec<f64>, Vec<Vec<f64>>) = match model {
        PathModel::Ridge => {
            let lambdas = around(mean_square(records));
            let targets = Matrix::from_vec(1, targets.len(), targets.to_vec());
            let points = Ridge::default().path(records, &targets, None, &lambdas, context)?;
            let best = points
                .iter()
                .filter(|p| p.leave_one_out.is_finite())
                .min_by(|a, b| a.leave_one_out.total_cmp(&b.leave_one_out));
            if let (None, Some(best)) = (marked, best) {
                chosen = Some(best.lambda);
                note.push(format!(
                    "Upright: λ = {}, of least leave-one-out error.",
                    short(best.lambda)
                ));
            }
            let each = points.iter().map(|p| (p.lambda, p.weights.row(0).to_vec()));
            each.unzip()
        }
        PathModel::ElasticNet { l1_ratio } => {
            let net = ElasticNet {
                l1_ratio,
                ..ElasticNet::default()
            };
            let grid = PathGrid::Ratios {
                count: POINTS,
                share: SHARE,
            };
            let path = net.path(records, targets, None, &grid, context)?;
            if path.points.len() < POINTS {
                note.push("The time limit ended the path early.".to_owned());
            }
            if let Some(last) = path.points.last() {
                let used = last.weights.iter().filter(|w| **w != 0.0).count();
                note.push(format!(
                    "At the smallest λ, {used} of {} are not zero.",
                    plural(width, "coefficient")
                ));
            }
            path.points
                .into_iter()
                .map(|p| (p.lambda, p.weights))
                .unzip()
        }
    };
    if let Some(marked) = marked {
        note.push(format!("Upright: λ = {}.", short(marked)));
    }
    let line = |feature: usize| {
        let values = weights.iter().map(|row| row[feature]).collect();
        (records.features.name(feature), values)
    };
    Ok(CoefficientPath {
        title: model.title(),
        note: note.join(" "),
        x_name: "λ".to_owned(),
        y_name: "coefficient".to_owned(),
        lines: (0..width).map(line).collect(),
        chosen,
        at,
    })
}

/// Values of λ around a size, in equal ratios.
fn around(size: f64) -> Vec<f64> {
    let step = 2.0 * DECADES / (POINTS - 1) as f64;
    let size = if size > 0.0 && size.is_finite() {
        size
    } else {
        1.0
    };
    let all = (0..POINTS).map(|k| size * 10_f64.powf(DECADES - step * k as f64));
    all.filter(|l| *l > 0.0 && l.is_finite()).collect()
}

/// The mean over the columns of their sums of squares around their means: what λ is compared with.
fn mean_square(records: &Records) -> f64 {
    let points = records.features.points.widened();
    let (rows, width) = (points.rows(), points.columns());
    let mut sums = vec![[0.0, 0.0]; width];
    for row in 0..rows {
        match &points {
            Block::Dense(all) => {
                for (sum, x) in sums.iter_mut().zip(all.row(row)) {
                    *sum = [sum[0] + x, sum[1] + x * x];
                }
            }
            Block::Sparse(all) => {
                let (places, values) = all.row(row);
                for (&place, x) in places.iter().zip(values) {
                    let sum = &mut sums[place as usize];
                    *sum = [sum[0] + x, sum[1] + x * x];
                }
            }
        }
    }
    let square = |[sum, squares]: &[f64; 2]| (squares - sum * sum / rows as f64).max(0.0);
    sums.iter().map(square).sum::<f64>() / width.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y = 3 x₀ − x₁, and x₂ has no say.
    fn rows() -> (Records, Vec<f64>) {
        let x = Matrix::from_fn(60, 3, |i, j| ((i * (7 + 4 * j) + j) % 13) as f64 - 6.0);
        let y = (0..60).map(|i| 3.0 * x[(i, 0)] - x[(i, 1)]).collect();
        (Records::from_points(x), y)
    }

    #[test]
    fn the_lasso_begins_at_zero_and_ends_near_least_squares() {
        let (records, y) = rows();
        let model = PathModel::ElasticNet { l1_ratio: 1.0 };
        let found = coefficient_path(model, &records, &y, None, &FitContext::default()).unwrap();
        assert_eq!((found.at.len(), found.lines.len()), (POINTS, 3));
        assert!(found.lines.iter().all(|(_, values)| values[0].abs() < 1e-9));
        let last: Vec<f64> = found.lines.iter().map(|(_, v)| v[POINTS - 1]).collect();
        for (found, wanted) in last.iter().zip([3.0, -1.0, 0.0]) {
            assert!((found - wanted).abs() < 0.1, "{last:?}");
        }
        assert!(found.title.contains("LASSO"));
    }

    #[test]
    fn ridge_goes_from_next_to_nothing_to_least_squares() {
        let (records, y) = rows();
        let found =
            coefficient_path(PathModel::Ridge, &records, &y, None, &FitContext::default()).unwrap();
        let (_, first) = &found.lines[0];
        assert!(first[0].abs() < 0.01, "{}", first[0]);
        assert!((first[POINTS - 1] - 3.0).abs() < 0.01, "{first:?}");
        // Without noise the smallest λ is the best.
        let chosen = found.chosen.unwrap();
        assert!(chosen <= found.at[POINTS - 1] * 1.01, "{chosen}");
    }

    #[test]
    fn settings_outside_their_range_are_refused() {
        let (records, y) = rows();
        let context = FitContext::default();
        let none = PathModel::ElasticNet { l1_ratio: 0.0 };
        assert!(coefficient_path(none, &records, &y, None, &context).is_err());
        assert!(coefficient_path(PathModel::Ridge, &records, &y, Some(0.0), &context).is_err());
        assert!(coefficient_path(PathModel::Ridge, &records, &y[1..], None, &context).is_err());
    }
}
