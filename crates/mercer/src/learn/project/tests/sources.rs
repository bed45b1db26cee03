//! Independent components.

use mercer_linalg::Matrix;

use super::{coordinates, data, matrix, near, numbers, oracle};
use crate::fit::{FitContext, StopReason};
use crate::learn::Estimator;
use crate::learn::project::{Algorithm, Contrast, Ica, Pca, SourceVariance};

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let (ma, mb) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let sum = |f: &dyn Fn(usize) -> f64| (0..a.len()).map(f).sum::<f64>();
    let ab = sum(&|i| (a[i] - ma) * (b[i] - mb));
    let (aa, bb) = (sum(&|i| (a[i] - ma).powi(2)), sum(&|i| (b[i] - mb).powi(2)));
    ab / (aa * bb).sqrt()
}

#[test]
fn the_worked_example_of_independent_components() {
    let source = |t: usize, k: usize| {
        if k == 0 {
            // The sign of 0 is 0, as at t = 0.
            let wave = (std::f64::consts::TAU * t as f64 / 97.0).sin();
            if wave == 0.0 { 0.0 } else { wave.signum() }
        } else {
            (t % 61) as f64 / 30.5 - 1.0
        }
    };
    let mixing = [[1.0, 1.0], [0.5, 2.0]];
    let rows = Matrix::from_fn(2000, 2, |t, j| {
        mixing[j][0] * source(t, 0) + mixing[j][1] * source(t, 1)
    });
    let context = FitContext::default();
    let best = |places: &Matrix<f64>, k: usize| {
        let own: Vec<f64> = (0..2000).map(|t| source(t, k)).collect();
        (0..2)
            .map(|j| {
                correlation(&own, &(0..2000).map(|t| places[(t, j)]).collect::<Vec<_>>()).abs()
            })
            .fold(0.0, f64::max)
    };
    for algorithm in [Algorithm::Symmetric, Algorithm::Deflation] {
        for contrast in [Contrast::LogCosh, Contrast::Exp, Contrast::Cube] {
            let ica = Ica::default().algorithm(algorithm).contrast(contrast);
            let fitted = ica.fit(&data(rows.clone()), &context).unwrap();
            assert_eq!(fitted.report.stop_reason, StopReason::Converged);
            let places = coordinates(&fitted.model, rows.clone());
            for k in 0..2 {
                let found = best(&places, k);
                assert!(found > 0.9999, "{algorithm:?} {contrast:?} {k}: {found}");
            }
        }
    }
    let pca = Pca::default().fit(&data(rows.clone()), &context).unwrap();
    let places = coordinates(&pca.model, rows);
    let least = best(&places, 0).min(best(&places, 1));
    assert!((least - 0.766).abs() < 0.001, "{least}");
}

#[test]
fn sources_are_those_of_scikit_learn() {
    let document = oracle();
    let rows = matrix(&document["ica"]["rows"]);
    let start = matrix(&document["ica"]["start"]);
    let cases = document["ica"]["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 12);
    for case in cases {
        let id = case["id"].as_str().unwrap();
        let setting = |name: &str| case[name].clone();
        let ica = Ica {
            algorithm: serde_json::from_value(setting("algorithm")).unwrap(),
            contrast: serde_json::from_value(setting("contrast")).unwrap(),
            variance: serde_json::from_value(setting("variance")).unwrap(),
            steepness: case["steepness"].as_f64().unwrap(),
            max_iterations: 400,
            tolerance: 1e-10,
            ..Ica::default()
        };
        let found = ica.fit_from(&data(rows.clone()), Some(&start), &FitContext::default());
        let found = found.expect(id);
        let model = &found.model;
        let whitening = model.whitening.as_ref().unwrap();
        near(
            whitening.as_slice(),
            matrix(&case["whitening"]).as_slice(),
            1e-9,
            id,
        );
        near(&model.mean, &numbers(&case["mean"]), 1e-12, id);
        near(
            model.components.as_slice(),
            matrix(&case["components"]).as_slice(),
            1e-7,
            id,
        );
        let mixing = matrix(&case["mixing"]).transposed();
        near(model.way_back().as_slice(), mixing.as_slice(), 1e-7, id);
        let steps = found
            .report
            .solver()
            .iterations
            .abs_diff(case["iterations"].as_u64().unwrap());
        assert!(steps <= 2, "{id}: {steps} steps more or less");
    }
    let white = Ica {
        variance: SourceVariance::Arbitrary,
        ..Ica::default()
    };
    assert!(
        white
            .clone()
            .steepness(3.0)
            .fit(&data(rows.clone()), &FitContext::default())
            .is_err()
    );
    let wrong = Matrix::zeros(2, 2);
    assert!(
        white
            .fit_from(&data(rows), Some(&wrong), &FitContext::default())
            .is_err()
    );
}
