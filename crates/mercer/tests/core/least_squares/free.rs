//! Columns without a penalty, and the smoothing spline.

use mercer::data::{Dataset, Records, Targets};
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{KernelRidge, Strength, Unpenalised};
use mercer::learn::linear::Ols;
use mercer::model::{Form, Predictor};
use mercer_linalg::{Matrix, Precision};

/// The fifteen points of the validation curve.
fn points() -> (Matrix<f64>, Vec<f64>) {
    let x = Matrix::from_fn(15, 1, |i, _| i as f64 / 14.0);
    let y = (0..15).map(|i| {
        let wave = (std::f64::consts::TAU * x[(i, 0)]).sin();
        wave + 0.05 * (((7 * i) % 11) as f64 - 5.0)
    });
    let y = y.collect();
    (x, y)
}

fn data(x: &Matrix<f64>, y: &[f64]) -> Dataset {
    let records = Records::from_points(x.clone());
    Dataset::try_new(records, Targets::Real(y.to_vec())).expect("lengths agree")
}

fn at(ridge: &KernelRidge, data: &Dataset, places: &[f64]) -> Vec<f64> {
    let fitted = ridge.fit(data, &FitContext::default()).expect("a fit");
    let predictor = Predictor::of_form(&Form::Expansion(fitted.model), Precision::F64);
    let columns = data.records.features.points.columns();
    let rows = Matrix::from_vec(places.len() / columns, columns, places.to_vec());
    let found = predictor
        .expect("bound")
        .decisions(&Records::from_points(rows), &FitContext::default());
    found.expect("answers").into_vec()
}

fn spline(lambda: f64) -> KernelRidge {
    KernelRidge::default()
        .kernel(KernelSpec::bent_spline())
        .strength(Strength::Lambda(lambda))
        .unpenalised(Unpenalised::Columns)
}

#[test]
fn free_constant_and_slope_make_the_smoothing_spline() {
    let (x, y) = points();
    // scipy.interpolate.make_smoothing_spline(x, y, lam=0.001)(0.25).
    let found = at(&spline(0.001), &data(&x, &y), &[0.25]);
    assert!((found[0] - 0.961_755_44).abs() < 5e-9, "{found:?}");
    let penalised = KernelRidge::default()
        .kernel(KernelSpec::spline())
        .strength(Strength::Lambda(0.001));
    let found = at(&penalised, &data(&x, &y), &[0.25]);
    assert!((found[0] - 0.954_176_73).abs() < 5e-9, "{found:?}");
}

#[test]
fn a_strong_penalty_leaves_the_least_squares_line() {
    let (x, y) = points();
    let found = at(&spline(1e9), &data(&x, &y), &[0.0, 0.4, 1.0]);
    let targets = Matrix::from_vec(1, 15, y);
    let line = Ols::default().solve(
        &Records::from_points(x),
        &targets,
        None,
        &FitContext::default(),
    );
    let line = line.expect("a line");
    for (f, place) in found.iter().zip([0.0, 0.4, 1.0]) {
        let expected = line.biases[0] + line.weights[(0, 0)] * place;
        assert!((f - expected).abs() < 1e-7, "{f} {expected}");
    }
}

#[test]
fn a_slope_of_any_size_changes_nothing_else() {
    let (x, y) = points();
    let places = [0.1, 0.5, 0.77];
    let plain = at(&spline(0.01), &data(&x, &y), &places);
    let tilted: Vec<f64> = (0..15).map(|i| y[i] + 300.0 * x[(i, 0)] - 70.0).collect();
    let found = at(&spline(0.01), &data(&x, &tilted), &places);
    for ((a, b), place) in found.iter().zip(&plain).zip(places) {
        assert!((a - b - 300.0 * place + 70.0).abs() < 1e-9, "{a} {b}");
    }
    // Weights of rows are copies.
    let weights: Vec<f64> = (0..15).map(|i| 1.0 + (i % 3) as f64).collect();
    let copies: Vec<usize> = (0..15)
        .flat_map(|i| std::iter::repeat_n(i, weights[i] as usize))
        .collect();
    let many: Vec<f64> = copies.iter().map(|&i| y[i]).collect();
    let one = data(&x, &y).with_weights(weights).expect("weights");
    let found = at(&spline(0.01), &one, &places);
    let expected = at(
        &spline(0.01),
        &data(&x.select_rows(&copies), &many),
        &places,
    );
    for (a, b) in found.iter().zip(&expected) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn what_cannot_be_free_is_refused() {
    let (x, y) = points();
    let context = FitContext::default();
    let twice = Matrix::from_fn(15, 2, |i, _| x[(i, 0)]);
    let error = spline(0.1).fit(&data(&twice, &y), &context);
    assert!(
        error
            .expect_err("dependent")
            .to_string()
            .contains("combinations")
    );
    let error = spline(0.1).fit(&data(&x.select_rows(&[3]), &y[3..4]), &context);
    assert!(error.expect_err("one row").to_string().contains("rows"));
    let open = spline(0.1).strength(Strength::Evidence);
    assert!(open.fit(&data(&x, &y), &context).is_err());
    let both = spline(0.1).bias(mercer::learn::margin::Bias::Regularised);
    assert!(both.fit(&data(&x, &y), &context).is_err());
}
