//! Tests of combined kernels.

use mercer_linalg::{Matrix, Par, Precision, Rows};

use crate::Error;
use crate::data::{CodeColumn, FeatureGroup, Parts, Points, Records};
use crate::kernel::testing::{bound, check_family, check_values, dot, gram, records, squared};
use crate::kernel::{KernelSpec, TileMut};

fn rbf(x: &[f64], z: &[f64]) -> f64 {
    (-0.5 * squared(x, z)).exp()
}

#[test]
fn closure_rules_hold() {
    check_family("rbf(gamma=0.5) + linear", |x, z| rbf(x, z) + dot(x, z));
    check_family("rbf(gamma=0.5)*linear*cosine^2", |x, z| {
        let norms = (dot(x, x) * dot(z, z)).sqrt();
        let cosine = if norms == 0.0 { 0.0 } else { dot(x, z) / norms };
        rbf(x, z) * dot(x, z) * cosine.powi(2)
    });
    check_family("2.5*rbf(gamma=0.5)", |x, z| 2.5 * rbf(x, z));
    check_family("linear^3", |x, z| dot(x, z).powi(3));
    check_family("exp(0.1*linear)", |x, z| (0.1 * dot(x, z)).exp());
    check_family("normalise(poly(2, 1, 1))", |x, z| {
        let poly = |x: &[f64], z: &[f64]| (dot(x, z) + 1.0).powi(2);
        poly(x, z) / (poly(x, x) * poly(z, z)).sqrt()
    });
    check_family("rbf(gamma=0.5)@2 + linear@[1,3]", |x, z| {
        rbf(&x[1..2], &z[1..2]) + x[0] * z[0] + x[2] * z[2]
    });
    check_values("normalise(sigmoid(1, -1))", |x, z| {
        let k = |x: &[f64], z: &[f64]| (dot(x, z) - 1.0).tanh();
        let (left, right) = (k(x, x), k(z, z));
        if left > 0.0 && right > 0.0 {
            k(x, z) / (left * right).sqrt()
        } else {
            0.0
        }
    });
}

#[test]
fn normalised_diagonals_are_exactly_one_or_zero() {
    let rows = records(&[&[0.1, 0.2], &[1e-8, 3.0], &[0.0, 0.0], &[1e100, 7.0]]);
    let k = gram("normalise(linear)", &rows);
    let diagonal: Vec<f64> = (0..4).map(|i| k[(i, i)]).collect();
    assert_eq!(diagonal, [1.0, 1.0, 0.0, 1.0]);
    assert!(k.as_slice().iter().all(|v| v.is_finite()));
    assert_eq!(k.row(2), [0.0; 4]);
}

fn table(n: usize) -> Records {
    let points = Matrix::from_fn(n, 7, |i, j| ((i * 31 + j * 17) % 23) as f64 / 7.0 - 1.5);
    Records::from_points(Points::from(points))
}

#[test]
fn threads_and_tiles_change_nothing() {
    let n = 600;
    let rows = table(n);
    let kernel = bound("normalise(rbf + 0.5*linear*laplace)^2 + exp(cosine)", &rows);
    let mut whole = Matrix::<f32>::zeros(n, n);
    let all = || Rows::Range(0..n);
    kernel.tile(all(), all(), TileMut::F32(whole.as_mut()), Par::Rayon);
    let mut again = Matrix::<f32>::zeros(n, n);
    kernel.tile(all(), all(), TileMut::F32(again.as_mut()), Par::Sequential);
    assert_eq!(whole, again);
    let ids = [599, 3, 3, 77];
    let mut few = Matrix::<f32>::zeros(4, n);
    kernel.tile(
        Rows::Ids(&ids),
        all(),
        TileMut::F32(few.as_mut()),
        Par::Rayon,
    );
    for (k, &id) in ids.iter().enumerate() {
        assert_eq!(few.row(k), whole.row(id as usize));
    }
    let mut diagonal = vec![0.0; n];
    kernel.diagonal(Precision::F32, &mut diagonal);
    assert!((0..n).all(|i| diagonal[i] == f64::from(whole[(i, i)])));
    assert!(
        kernel.rounding_error() < 1e-3,
        "{}",
        kernel.rounding_error()
    );
}

#[test]
fn columns_select_whole_categories() {
    let mut rows = records(&[&[1.0, 1.0, 0.0], &[1.0, 0.0, 1.0]]);
    rows.features.groups = vec![
        FeatureGroup {
            source: "age".into(),
            parts: Parts::Whole,
        },
        FeatureGroup {
            source: "eye colour".into(),
            parts: Parts::Named(vec!["blue".into(), "brown".into()]),
        },
    ];
    rows.codes = vec![CodeColumn {
        source: "eye colour".into(),
        codes: vec![0, 1],
    }];
    assert_eq!(
        gram("linear@\"eye colour\"", &rows).as_slice(),
        [1.0, 0.0, 0.0, 1.0]
    );
    assert_eq!(
        gram("overlap@\"eye colour\"", &rows).as_slice(),
        [1.0, 0.0, 0.0, 1.0]
    );
}

#[test]
fn overflow_is_an_error_that_names_the_row() {
    let rows = records(&[&[1.0], &[1e200]]);
    for text in ["linear", "poly(3, 1, 1)", "exp(linear)", "linear^3"] {
        let kernel: KernelSpec = text.parse().expect("text");
        let error = kernel.gram(&rows, Par::Sequential).expect_err(text);
        assert!(matches!(error, Error::Kernel { .. }), "{error}");
        assert!(error.to_string().contains("row 2"), "{error}");
    }
    let rows = records(&[&[1.0], &[40.0]]);
    let kernel: KernelSpec = "exp(linear)".parse().expect("text");
    assert!(kernel.gram(&rows, Par::Sequential).is_err());
}

#[test]
fn far_new_rows_are_far() {
    let rows = table(20);
    for text in [
        "rbf",
        "laplace",
        "matern(0.5)",
        "matern(2.5)",
        "rq",
        "rbf(sigma=[1,1,1,1,1,1,1])",
    ] {
        let kernel = bound(text, &rows);
        for value in [1e10, 1e30, 1e200, f64::MAX, -f64::MAX] {
            let query = kernel.query(&records(&[&[value; 7]])).expect("finite");
            let mut out = Matrix::<f32>::zeros(1, 20);
            let (one, all) = (Rows::Range(0..1), Rows::Range(0..20));
            query.tile(one, all, TileMut::F32(out.as_mut()), Par::Sequential);
            assert!(
                out.as_slice().iter().all(|v| (0.0..1e-12).contains(v)),
                "{text}"
            );
        }
    }
    let kernel = bound("linear", &rows);
    assert!(kernel.query(&records(&[&[1e200; 7]])).is_err());
    assert!(kernel.query(&records(&[&[f64::NAN; 7]])).is_err());
    assert!(kernel.query(&records(&[&[1.0; 6]])).is_err());
}

#[test]
fn factors_beyond_single_precision_make_no_nan() {
    let rows = records(&[&[0.0, 1.0], &[1.0, 0.0]]);
    let kernel = bound("1e300*linear", &rows);
    assert_eq!(kernel.rounding_error(), f64::INFINITY);
    let mut out = Matrix::<f32>::zeros(2, 2);
    let all = || Rows::Range(0..2);
    kernel.tile(all(), all(), TileMut::F32(out.as_mut()), Par::Sequential);
    assert!(out.as_slice().iter().all(|v| !v.is_nan()));
}

#[test]
fn cancellation_is_owned_up_to() {
    let near = records(&[&[1e4, 0.0], &[1e4 + 1e-3, 0.0], &[-1e4, 1.0]]);
    let kernel = bound("rbf(gamma=1)", &near);
    assert!(kernel.rounding_error() > 0.5);
    let kernel = bound("rbf(gamma=1e-9)", &near);
    assert!(kernel.rounding_error() < 1e-3);
}

#[test]
fn a_given_matrix_has_no_diagonal_for_new_rows() {
    let rows = records(&[&[2.0, 1.0], &[1.0, 2.0]]);
    let kernel = bound("normalise(precomputed)", &rows);
    let error = kernel.query(&rows).err().expect("no k(x, x)");
    assert!(matches!(error, Error::Unsupported { .. }));
}

#[test]
fn no_rows_bind() {
    let rows = Records::from_points(Points::from(Matrix::<f64>::zeros(0, 2)));
    for text in [
        "rbf",
        "linear",
        "matern",
        "chi2",
        "normalise(poly)",
        "laplace + cosine",
    ] {
        let kernel: KernelSpec = text.parse().expect("text");
        let (resolved, _) = kernel.resolve(&rows, None).expect(text);
        let bound = resolved.bind(&rows).expect(text);
        assert!(bound.is_empty());
        assert!(bound.rounding_error() >= 0.0, "{text}");
    }
}
