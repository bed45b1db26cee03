//! Bounds, planes and the reject option: numbers in, numbers out.

use mercer::judge::bounds::features::{
    FeatureSetting, feature_count, feature_failure, landmark_error,
};
use mercer::judge::bounds::{self, Interval, MarginSetting, Sides};
use mercer::judge::{Description, description_lengths, plane_margins, prior_entropy, reject_curve};
use mercer_linalg::Matrix;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::raise;

type Ends = (f64, f64);

fn unknown(law: &str) -> PyErr {
    PyValueError::new_err(format!("there is no law `{law}`"))
}

/// Ends of an interval for an error rate.
#[pyfunction]
pub(crate) fn bound_interval(
    law: &str,
    errors: usize,
    n: usize,
    delta: f64,
    sided: usize,
) -> PyResult<Ends> {
    let find = |sides: Sides| -> Option<mercer::Result<Interval>> {
        Some(match law {
            "binomial" => bounds::binomial_interval(errors, n, delta, sides),
            "chernoff" => bounds::chernoff_interval(errors, n, delta, sides),
            "chebyshev" => bounds::chebyshev_interval(errors, n, delta, sides),
            _ => return None,
        })
    };
    let sides = Sides::of(sided).map_err(|e| raise(&e))?;
    let found = find(sides).ok_or_else(|| unknown(law))?;
    found.map(|i| (i.low, i.high)).map_err(|e| raise(&e))
}

/// Rows that a test set needs.
#[pyfunction]
pub(crate) fn bound_size(
    law: &str,
    epsilon: f64,
    delta: f64,
    rate: f64,
    sided: usize,
) -> PyResult<u64> {
    let sides = Sides::of(sided).map_err(|e| raise(&e))?;
    let found = match law {
        "binomial" => bounds::binomial_sample_size(epsilon, delta, rate, sides),
        "chernoff" => bounds::chernoff_sample_size(epsilon, delta, sides),
        "chebyshev" => bounds::chebyshev_sample_size(epsilon, delta, sides),
        _ => return Err(unknown(law)),
    };
    found.map_err(|e| raise(&e))
}

/// Probability of exactly that many errors.
#[pyfunction]
pub(crate) fn bound_probability(errors: usize, n: usize, rate: f64) -> PyResult<f64> {
    bounds::binomial_probability(errors, n, rate).map_err(|e| raise(&e))
}

/// Mean and variance of a number of errors.
#[pyfunction]
pub(crate) fn bound_count(n: usize, rate: f64) -> PyResult<Ends> {
    let found = bounds::error_count(n, rate).map_err(|e| raise(&e))?;
    Ok((found.mean, found.variance))
}

/// Rows of uniform convergence, guaranteed or by the rule of thumb.
#[pyfunction]
pub(crate) fn bound_vc_size(vc: u64, epsilon: f64, delta: f64, guaranteed: bool) -> PyResult<u64> {
    let found = if guaranteed {
        bounds::vc_sample_size(vc, epsilon, delta)
    } else {
        bounds::vc_heuristic_sample_size(vc, epsilon, delta)
    };
    found.map_err(|e| raise(&e))
}

/// How far training and true error may differ.
#[pyfunction]
pub(crate) fn bound_deviation(n: usize, vc: u64, delta: f64) -> PyResult<f64> {
    bounds::uniform_deviation(n, vc, delta).map_err(|e| raise(&e))
}

/// VC dimension of a finite class, at most.
#[pyfunction]
pub(crate) fn bound_finite_class(functions: u64) -> PyResult<u64> {
    bounds::finite_class_dimension(functions).map_err(|e| raise(&e))
}

/// Bits of hypotheses and of labels given them, posteriors, and the entropy of the prior.
type Lengths = (Vec<f64>, Vec<f64>, Vec<f64>, f64);

/// Description lengths of labels, from priors that sum to 1 and logarithms of likelihoods.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn bound_description(prior: Vec<f64>, log_likelihood: Vec<f64>) -> PyResult<Lengths> {
    let entropy = prior_entropy(&prior).map_err(|e| raise(&e))?;
    let pairs: Vec<(f64, f64)> = prior.iter().map(|p| p.ln()).zip(log_likelihood).collect();
    let found = description_lengths(&pairs).map_err(|e| raise(&e))?;
    let of = |part: fn(&Description) -> f64| found.iter().map(part).collect();
    Ok((
        of(|d| d.hypothesis_bits),
        of(|d| d.label_bits),
        of(|d| d.posterior),
        entropy,
    ))
}

/// The growth function: a whole number where 128 bits hold it, and its logarithm.
#[pyfunction]
pub(crate) fn bound_growth(points: u64, vc: u64) -> PyResult<(Option<u128>, f64)> {
    let found = bounds::growth_function(points, vc).map_err(|e| raise(&e))?;
    Ok((found.exact, found.ln))
}

/// Error of a plane with a margin.
#[pyfunction]
pub(crate) fn bound_margin(
    n: usize,
    radius: f64,
    margin: f64,
    delta: f64,
    measured: bool,
    bias: &str,
) -> PyResult<f64> {
    let setting = MarginSetting {
        rows: n,
        radius,
        margin,
        delta,
        constant: bounds::constant_called(bias).map_err(|e| raise(&e))?,
    };
    let found = if measured {
        bounds::measured_margin_bound(&setting)
    } else {
        bounds::margin_bound(&setting)
    };
    found.map_err(|e| raise(&e))
}

/// Penalty and excess error of the soft margin.
#[pyfunction]
pub(crate) fn bound_soft_margin(n: usize, radius: f64, norm: f64) -> PyResult<Ends> {
    let found = bounds::soft_margin_bound(n, radius, norm).map_err(|e| raise(&e))?;
    Ok((found.lambda, found.excess))
}

/// What the error may be above the hinge loss of training.
#[pyfunction]
pub(crate) fn bound_stability(n: usize, radius: f64, lambda_: f64) -> PyResult<f64> {
    bounds::stability_bound(n, radius, lambda_).map_err(|e| raise(&e))
}

/// Pairs of random features that keep within epsilon.
#[pyfunction]
pub(crate) fn bound_feature_count(
    columns: usize,
    spread: f64,
    diameter: f64,
    epsilon: f64,
    delta: f64,
) -> PyResult<u64> {
    let setting = FeatureSetting {
        columns,
        spread,
        diameter,
        epsilon,
    };
    feature_count(&setting, delta).map_err(|e| raise(&e))
}

/// Probability that random features do not.
#[pyfunction]
pub(crate) fn bound_feature_failure(
    columns: usize,
    spread: f64,
    diameter: f64,
    epsilon: f64,
    pairs: u64,
) -> PyResult<f64> {
    let setting = FeatureSetting {
        columns,
        spread,
        diameter,
        epsilon,
    };
    feature_failure(&setting, pairs).map_err(|e| raise(&e))
}

fn matrix(values: &PyReadonlyArray2<'_, f64>) -> PyResult<Matrix<f64>> {
    let (rows, columns) = (values.shape()[0], values.shape()[1]);
    Ok(Matrix::from_vec(rows, columns, values.as_slice()?.to_vec()))
}

/// Residuals that landmarks leave of a kernel matrix.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn bound_landmarks(
    kernel: PyReadonlyArray2<'_, f64>,
    landmarks: Vec<usize>,
) -> PyResult<Vec<f64>> {
    let found = landmark_error(&matrix(&kernel)?, &landmarks).map_err(|e| raise(&e))?;
    Ok(found.residuals)
}

/// Which labellings of points half-spaces make.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
#[expect(
    clippy::type_complexity,
    reason = "a tuple that one Python function takes apart"
)]
pub(crate) fn bound_shatters(
    py: Python<'_>,
    points: PyReadonlyArray2<'_, f64>,
    homogeneous: bool,
) -> PyResult<(bool, u64, u64, Option<Vec<bool>>, bool)> {
    let points = matrix(&points)?;
    let found = py.detach(|| bounds::shatter(&points, !homogeneous));
    let found = found.map_err(|e| raise(&e))?;
    Ok((
        found.shattered,
        found.reached,
        found.all,
        found.witness,
        found.exact,
    ))
}

/// How rows lie about a plane, as JSON.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn plane(
    x: PyReadonlyArray2<'_, f64>,
    positive: PyReadonlyArray1<'_, bool>,
    weights: PyReadonlyArray1<'_, f64>,
    bias: f64,
) -> PyResult<String> {
    let found = plane_margins(
        &matrix(&x)?,
        positive.as_slice()?,
        weights.as_slice()?,
        bias,
    );
    let found = found.map_err(|e| raise(&e))?;
    serde_json::to_string(&found).map_err(|e| PyValueError::new_err(e.to_string()))
}

/// Points of an error–reject curve: rejected, wrong, error, threshold.
type Curve = (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>);

/// Traces errors against rejections; NaN stands for what is not defined.
#[pyfunction]
#[pyo3(signature = (confidence, right, weights=None))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn rejected(
    confidence: PyReadonlyArray1<'_, f64>,
    right: PyReadonlyArray1<'_, bool>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<Curve> {
    let weights = weights.as_ref().map(|w| w.as_slice()).transpose()?;
    let points = reject_curve(confidence.as_slice()?, right.as_slice()?, weights);
    let points = points.map_err(|e| raise(&e))?;
    let list = |of: fn(&mercer::judge::RejectPoint) -> f64| points.iter().map(of).collect();
    Ok((
        list(|p| p.rejected),
        list(|p| p.wrong),
        list(|p| p.error.unwrap_or(f64::NAN)),
        list(|p| p.threshold.unwrap_or(f64::NAN)),
    ))
}
