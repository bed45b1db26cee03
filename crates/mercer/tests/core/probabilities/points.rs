//! Points that any program can write down, and models on them.

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::{FitContext, Fitted};
use mercer::learn::Estimator;
use mercer::learn::least_squares::{LsSvc, Strength};
use mercer::learn::margin::ClassWeights;
use mercer::model::expansion::KernelExpansion;
use mercer_linalg::{Matrix, Par, Precision};

/// Points i = first, …, last of frac(i/ρ, i/ρ²), ρ³ = ρ + 1: even, and without any structure.
pub(crate) fn even(first: usize, last: usize) -> Matrix<f64> {
    let rho: f64 = 1.324_717_957_244_746;
    Matrix::from_fn(last + 1 - first, 2, |r, c| {
        ((first + r) as f64 / rho.powi(c as i32 + 1)).fract()
    })
}

/// Noise: three of ten rows are positive, whatever their place.
pub(crate) fn noise(n: usize) -> (Matrix<f64>, Vec<bool>) {
    let positive = (0..n).map(|i| (7 * i) % 10 < 3).collect();
    (even(1, n), positive)
}

/// The corners of a square, opposite ones alike.
pub(crate) fn square() -> (Matrix<f64>, Vec<bool>) {
    let x = Matrix::from_vec(4, 2, vec![0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    (x, vec![true, true, false, false])
}

/// Positive rows are of the class `a`, which comes first and has positive decisions.
pub(crate) fn dataset(x: &Matrix<f64>, positive: &[bool]) -> Dataset {
    let labels: Vec<&str> = positive
        .iter()
        .map(|p| if *p { "a" } else { "b" })
        .collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    Dataset::try_new(Records::from_points(x.clone()), targets).expect("lengths agree")
}

pub(crate) fn least_squares(kernel: &str, strength: Strength) -> LsSvc {
    LsSvc::default()
        .kernel(kernel.parse().expect("a kernel"))
        .strength(strength)
}

pub(crate) fn fit(
    machine: &impl Estimator<Model = KernelExpansion>,
    x: &Matrix<f64>,
    positive: &[bool],
) -> Fitted<KernelExpansion> {
    machine
        .fit(&dataset(x, positive), &FitContext::default())
        .expect("fits")
}

pub(crate) fn decisions(model: &KernelExpansion, x: &Matrix<f64>) -> Matrix<f64> {
    let predictor = model.predictor(Precision::F64).expect("bound");
    let records = Records::from_points(x.clone());
    predictor
        .decisions(&records, Par::Sequential, &FitContext::default().cancel)
        .expect("answers")
}

/// P(a) of every row.
pub(crate) fn probabilities(model: &KernelExpansion, x: &Matrix<f64>) -> Vec<f64> {
    let decisions = decisions(model, x);
    (0..x.rows())
        .map(|r| {
            model
                .readout
                .probabilities(decisions.row(r))
                .expect("sigmoids")[0]
        })
        .collect()
}

/// A factor on the class `a`.
pub(crate) fn factor(on_a: f64) -> ClassWeights {
    ClassWeights::Given([("a".to_owned(), on_a)].into())
}

/// The area under the ROC curve, ties counted half.
pub(crate) fn area(values: &[f64], positive: &[bool]) -> f64 {
    let side = |of: bool| values.iter().zip(positive).filter(move |(_, p)| **p == of);
    let mut won = 0.0;
    for (high, _) in side(true) {
        for (low, _) in side(false) {
            won += f64::from(u8::from(high > low)) + 0.5 * f64::from(u8::from(high == low));
        }
    }
    won / (side(true).count() * side(false).count()) as f64
}

pub(crate) fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

pub(crate) fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[track_caller]
pub(crate) fn close(found: f64, expected: f64, within: f64) {
    assert!(
        (found - expected).abs() <= within,
        "{found} instead of {expected}"
    );
}
