//! Equal rows are one support vector inside, and rows of their own to whoever looks.

use mercer::data::Points;
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::{NuSvr, OneClass, Svc, Svr};
use mercer::model::expansion::{Counted, KernelExpansion};
use mercer_linalg::{Matrix, Precision};
use proptest::prelude::*;

use super::generate::{classification, dense, regression, rows, two_classes};

const PRICE: f64 = 0.3;

fn decisions(model: &KernelExpansion, rows: &[Vec<f64>]) -> Matrix<f64> {
    let predictor = model.predictor(Precision::F64).expect("a sound model");
    let context = FitContext::default();
    predictor
        .decisions(&dense(rows), context.par(), &context.cancel)
        .expect("rows of the same kind")
}

/// Holds a model against its copies: bounds, sums and decisions.
fn check(model: &KernelExpansion, given: &[Vec<f64>], weights: &[f64], price: f64) {
    let Some(apart) = model.unmerged() else {
        assert_eq!(model.support.len(), model.with_copies_apart().support.len());
        return;
    };
    let mut sums = vec![0.0; model.support.len()];
    for (column, (&row, &vector)) in apart.rows.iter().zip(&apart.vectors).enumerate() {
        let coefficient = apart.coefficients[(0, column)];
        let most = price * weights[row as usize];
        assert!(coefficient != 0.0 && coefficient.abs() <= most * (1.0 + 1e-15));
        sums[vector] += coefficient;
    }
    for (vector, sum) in sums.iter().enumerate() {
        let merged = model.coefficients[(0, vector)];
        assert!(
            (sum - merged).abs() <= 1e-14 * merged.abs(),
            "{sum} {merged}"
        );
    }
    let sizes: usize = apart.class_sizes.iter().sum();
    let counted: usize = apart.counts.iter().map(|lines| lines[0].support).sum();
    assert_eq!((sizes, counted), (apart.rows.len(), apart.rows.len()));
    let whole = model.with_copies_apart();
    whole.check().expect("a sound model");
    let support = Matrix::from_fn(whole.support.len(), given[0].len(), |i, j| {
        given[whole.support.ids[i] as usize][j]
    });
    assert_eq!(whole.support.features.points, Points::from(support));
    let (own, other) = (decisions(model, given), decisions(&whole, given));
    for (a, b) in own.as_slice().iter().zip(other.as_slice()) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + a.abs()), "{a} {b}");
    }
}

/// Every row again as often as asked, with a weight of its own.
fn repeat(rows: &[Vec<f64>], times: &[usize]) -> (Vec<usize>, Vec<f64>) {
    let source: Vec<usize> = (0..rows.len())
        .flat_map(|i| std::iter::repeat_n(i, times[i % times.len()]))
        .collect();
    let weights = (0..source.len()).map(|i| [1.0, 0.4, 2.5][i % 3]).collect();
    (source, weights)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn classes((rows, labels) in two_classes(), times in prop::collection::vec(1usize..4, 5)) {
        let (source, weights) = repeat(&rows, &times);
        let given: Vec<Vec<f64>> = source.iter().map(|&i| rows[i].clone()).collect();
        let labels: Vec<bool> = source.iter().map(|&i| labels[i]).collect();
        let data = classification(&given, &labels).with_weights(weights.clone()).expect("weights");
        let machine = Svc::default().kernel(KernelSpec::rbf(0.4)).c(PRICE);
        let fitted = machine.fit(&data, &FitContext::default()).expect("sound");
        check(&fitted.model, &given, &weights, PRICE);
    }

    #[test]
    fn numbers(rows in rows(3..20, 2), times in prop::collection::vec(1usize..4, 5)) {
        let (source, weights) = repeat(&rows, &times);
        let given: Vec<Vec<f64>> = source.iter().map(|&i| rows[i].clone()).collect();
        let y: Vec<f64> = given.iter().map(|r| r[0] - 2.0 * r[1].abs()).collect();
        let data = regression(&given, &y).with_weights(weights.clone()).expect("weights");
        let context = FitContext::default();
        let kernel = KernelSpec::rbf(0.4);
        let svr = Svr::default().kernel(kernel.clone()).c(PRICE).fit(&data, &context).expect("sound");
        check(&svr.model, &given, &weights, PRICE);
        let nu = NuSvr::default().kernel(kernel.clone()).c(PRICE).fit(&data, &context).expect("sound");
        check(&nu.model, &given, &weights, PRICE);
        let one = OneClass::default().kernel(kernel).nu(0.3).fit(&data, &context).expect("sound");
        check(&one.model, &given, &weights, 1.0);
    }
}

#[test]
fn a_share_of_copies_are_support_vectors() {
    let rows: Vec<Vec<f64>> = (0..120).map(|i| vec![f64::from(i % 20) / 5.0]).collect();
    let data = regression(&rows, &[0.0; 120]);
    let machine = OneClass::default().kernel(KernelSpec::rbf(1.0)).nu(0.3);
    let fitted = machine.fit(&data, &FitContext::default()).expect("sound");
    let apart = fitted
        .model
        .unmerged()
        .expect("every row is there six times");
    assert!(fitted.model.support.len() < 36 && apart.rows.len() >= 36);
    let Counted { support, bounded } = apart.counts[0][0];
    assert!(bounded <= 36 && support >= 36, "{bounded} {support}");
}
