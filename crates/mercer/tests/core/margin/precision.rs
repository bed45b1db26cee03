//! Single-precision points mean exactly their double-precision widening.

use mercer::data::{Block, Dataset, Points, Records, Targets};
use mercer::fit::{Cancel, FitContext};
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::{Svc, Svr};
use mercer::model::expansion::KernelExpansion;
use mercer_linalg::{Csr, Matrix, Par, Precision};

use super::generate::{classes, classification};

fn values() -> Matrix<f32> {
    // A third of the values are zero, and two rows are equal.
    let value = |i: usize, j: usize| match (7 * i + 3 * j + i * j) % 11 {
        0 | 4 | 8 => 0.0,
        k => (k as f32 - 5.0) / 3.0 + (i as f32 * 0.7 + j as f32).sin(),
    };
    Matrix::from_fn(60, 5, |i, j| value(if i == 59 { 0 } else { i }, j))
}

fn forms() -> [(Points, Points); 2] {
    let narrow = values();
    let wide = narrow.cast::<f64>();
    [
        (
            Csr::from_dense(narrow.as_ref()).into(),
            Csr::from_dense(wide.as_ref()).into(),
        ),
        (narrow.into(), wide.into()),
    ]
}

fn classify(points: &Points, kernel: &str) -> KernelExpansion {
    let labels: Vec<bool> = (0..60).map(|i| i % 7 < 3).collect();
    let data = Dataset::try_new(Records::from_points(points.clone()), classes(&labels));
    let kernel: KernelSpec = kernel.parse().expect("a kernel");
    let svc = Svc::default().kernel(kernel);
    let fitted = svc.fit(&data.expect("60 rows"), &FitContext::default());
    fitted.expect("a fit").model
}

fn decisions(model: &KernelExpansion, points: &Points, precision: Precision) -> Matrix<f64> {
    let predictor = model.predictor(precision).expect("a bound kernel");
    let records = Records::from_points(points.clone());
    let decisions = predictor.decisions(&records, Par::Sequential, &Cancel::default());
    decisions.expect("rows of the same width")
}

#[test]
fn fits_are_equal_bit_for_bit() {
    let kernels = [
        "rbf",
        "poly(degree=3)",
        "linear",
        "laplace",
        "cosine",
        "matern(nu=1.5) + overlap",
    ];
    for kernel in kernels {
        for (narrow, wide) in forms() {
            let (a, b) = (classify(&narrow, kernel), classify(&wide, kernel));
            assert_eq!(a.coefficients, b.coefficients, "{kernel}");
            assert_eq!(a.biases, b.biases, "{kernel}");
            assert_eq!(a.kernel, b.kernel, "{kernel}");
            assert_eq!(
                a.support.features.points.widened(),
                b.support.features.points.widened()
            );
            assert!(matches!(a.support.features.points, Points::Single(_)));
            for precision in [Precision::F32, Precision::F64] {
                let expected = decisions(&b, &wide, precision);
                assert_eq!(decisions(&a, &narrow, precision), expected, "{kernel}");
                assert_eq!(decisions(&a, &wide, precision), expected, "{kernel}");
                assert_eq!(decisions(&b, &narrow, precision), expected, "{kernel}");
            }
        }
    }
}

#[test]
fn a_regression_is_equal_bit_for_bit() {
    let [_, (narrow, wide)] = forms();
    let fit = |points: Points| {
        let y = (0..60).map(|i| f64::from(i).sqrt()).collect();
        let data = Dataset::try_new(Records::from_points(points), Targets::Real(y));
        let fitted = Svr::default().fit(&data.expect("60 rows"), &FitContext::default());
        fitted.expect("a fit").model
    };
    assert_eq!(fit(narrow).coefficients, fit(wide).coefficients);
}

#[test]
fn a_model_keeps_no_borrowed_memory() {
    // Whoever lends an array may change it after the fit.
    let block = Block::Dense(Matrix::from_vec(2, 1, vec![1.0, 2.0]).into());
    let data = classification(&[vec![1.0], vec![2.0]], &[true, false]);
    let data = Dataset {
        records: Records::from_points(block.clone()),
        ..data
    };
    let fitted = Svc::default().fit(&data, &FitContext::default());
    let kept = fitted
        .expect("a fit")
        .model
        .support
        .features
        .points
        .widened();
    assert_eq!(kept, block);
    assert_ne!(kept.values().as_ptr(), block.values().as_ptr());
}
