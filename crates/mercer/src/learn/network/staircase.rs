//! A network of sigmoids for any continuous function of one variable.

use mercer_linalg::Matrix;

use crate::data::Records;
use crate::model::readout::Readout;
use crate::model::{Activation, Layer, Layers};
use crate::{Error, Result};

/// Returns a network of one hidden layer that follows a function on an interval.
///
/// With m steps of width h = (high − low)/m and knots t_j = low + jh it is
///
/// ```text
/// f(low) + Σ_j (f(t_j) − f(t_{j−1})) σ(slope · (x − t_j + h/2))
/// ```
///
/// As the slope grows this is a staircase that has the value f(t_j) within h/2 of t_j. Where f
/// changes by at most ω over a distance of h/2, the error is at most ω, but for the sigmoids'
/// width: so one hidden layer of sigmoids approximates every continuous function on a compact set
/// of the line as well as one likes (Cybenko, Approximation by superpositions of a sigmoidal
/// function, 1989, for any dimension).
///
/// # Errors
/// An empty interval, no step, a slope that is not positive, a function that is not finite at a
/// knot.
///
/// # Examples
/// ```
/// use mercer::learn::network::staircase;
/// use mercer_linalg::Matrix;
///
/// let square = staircase(|x| x * x, (0.0, 1.0), 20, 2000.0)?;
/// let x = Matrix::from_vec(1, 1, vec![0.5]);
/// assert!((square.outputs(x.as_ref())?[(0, 0)] - 0.25).abs() < 1e-9);
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn staircase(
    f: impl Fn(f64) -> f64,
    (low, high): (f64, f64),
    steps: usize,
    slope: f64,
) -> Result<Layers> {
    let mut errors = Vec::new();
    if !(low.is_finite() && high.is_finite() && low < high) {
        let rule = "two finite numbers, the first below the second";
        errors.push(Error::setting("interval", format!("{low} to {high}"), rule));
    }
    if steps == 0 {
        errors.push(Error::setting("steps", steps, "at least 1"));
    }
    if !(slope.is_finite() && slope > 0.0) {
        errors.push(Error::setting("slope", slope, "positive and finite"));
    }
    Error::collect(errors)?;
    let width = (high - low) / steps as f64;
    let knot = |j: usize| low + j as f64 * width;
    let heights: Vec<f64> = (0..=steps).map(|j| f(knot(j))).collect();
    if let Some(j) = heights.iter().position(|h| !h.is_finite()) {
        return Err(Error::rows(
            format!("the function is not finite at {}", knot(j)),
            "choose an interval on which it is continuous",
        ));
    }
    let middle = |j: usize| slope * (0.5 * width - knot(j));
    Ok(Layers {
        layers: vec![
            Layer {
                weights: Matrix::from_fn(1, steps, |_, _| slope),
                biases: (1..=steps).map(middle).collect(),
                activation: Activation::Sigmoid,
            },
            Layer {
                weights: Matrix::from_fn(steps, 1, |j, _| heights[j + 1] - heights[j]),
                biases: vec![heights[0]],
                activation: Activation::Linear,
            },
        ],
        features: Records::from_points(Matrix::<f64>::zeros(0, 1))
            .features
            .groups,
        readout: Readout::Values,
    })
}
