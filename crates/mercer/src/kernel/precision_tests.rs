//! Single precision stays within the error it states, whatever the size of the data.

use mercer_linalg::{Matrix, Par, Rows};
use proptest::prelude::*;

use super::TileMut;
use super::testing::{bound, sparse, squared};
use crate::data::{Block, Points, Records};

fn table() -> impl Strategy<Value = Records> {
    let shape = (2_usize..10, 1_usize..60, -6_i32..7, -1e3..1e3_f64);
    shape.prop_flat_map(|(n, d, exponent, offset)| {
        let value = prop_oneof![1 => Just(0.0), 4 => -1.0..1.0_f64];
        prop::collection::vec(value, n * d).prop_map(move |values| {
            let size = 10.0_f64.powi(exponent);
            let values = values.iter().map(|v| (v + offset) * size).collect();
            Records::from_points(Points::from(Matrix::from_vec(n, d, values)))
        })
    })
}

fn kernels() -> impl Strategy<Value = String> {
    let width = (-9.0..9.0_f64).prop_map(|e| 10.0_f64.powf(e));
    prop_oneof![
        width.clone().prop_map(|w| format!("rbf(gamma={w:e})")),
        width.clone().prop_map(|w| format!("laplace({w:e})")),
        width.clone().prop_map(|w| format!("matern(0.5, {w:e})")),
        width.clone().prop_map(|w| format!("matern(2.5, {w:e})")),
        width.clone().prop_map(|w| format!("rq(2, {w:e})")),
        width
            .clone()
            .prop_map(|w| format!("{w:e}*linear + rbf(sigma={w:e})")),
        width
            .clone()
            .prop_map(|w| format!("normalise(poly(2, {w:e}, 1))*cosine")),
        width.prop_map(|w| format!("sigmoid({w:e}, 0.5)")),
        Just("linear".to_owned()),
        Just("linear^2".to_owned()),
        Just("cosine".to_owned()),
        Just("exp(cosine)".to_owned()),
    ]
}

proptest! {
    #[test]
    fn single_precision_keeps_its_promise(dense in table(), text in kernels()) {
        let n = dense.len();
        for rows in [sparse(&dense), dense] {
            let kernel = bound(&text, &rows);
            let all = || Rows::Range(0..n);
            let mut double = Matrix::<f64>::zeros(n, n);
            kernel.tile(all(), all(), TileMut::F64(double.as_mut()), Par::Sequential);
            let mut single = Matrix::<f32>::zeros(n, n);
            kernel.tile(all(), all(), TileMut::F32(single.as_mut()), Par::Sequential);
            let top = (0..n).map(|i| double[(i, i)].abs()).fold(0.0, f64::max);
            let allowed = kernel.rounding_error() * top;
            prop_assert!(!allowed.is_nan() || top == 0.0);
            if allowed.is_infinite() {
                // No promise: solvers take double precision then.
                continue;
            }
            for (k64, k32) in double.as_slice().iter().zip(single.as_slice()) {
                prop_assert!(k64.is_finite(), "{text}");
                let error = (k64 - f64::from(*k32)).abs();
                prop_assert!(!k32.is_nan() && (error <= allowed || top == 0.0),
                    "{text}: {k64} and {k32} differ by more than {allowed}");
            }
        }
    }

    #[test]
    fn double_precision_is_right_for_any_width(dense in table(), e in -9.0..9.0_f64) {
        let gamma = 10.0_f64.powf(e);
        let Block::Dense(values) = dense.features.points.widened() else {
            unreachable!("the table is dense")
        };
        // Dense rows are centred first. Sparse ones are not: a thousand times farther from zero than
        // from each other they lose six digits of d², twice.
        for (rows, tolerance) in [(sparse(&dense), 3e-6), (dense, 1e-10)] {
            let k = super::testing::gram(&format!("rbf(gamma={gamma:e})"), &rows);
            for i in 0..rows.len() {
                for j in 0..rows.len() {
                    let expected = (-gamma * squared(values.row(i), values.row(j))).exp();
                    prop_assert!((k[(i, j)] - expected).abs() < tolerance, "{} {expected}", k[(i, j)]);
                }
            }
        }
    }
}

#[test]
fn a_sample_in_double_precision_has_the_entries_of_all_rows() {
    let dense = Matrix::from_fn(5000, 3, |r, c| 40.0 + ((r * (7 + c)) as f64).sin());
    let dense = Records::from_points(Points::from(dense));
    let (rows, columns) = ([4999_u32, 0, 17, 17], [3_u32, 4998, 17]);
    for records in [sparse(&dense), dense] {
        for text in ["rbf(gamma=0.3)", "linear", "poly(2, 0.1, 1)", "cosine"] {
            let bound = bound(text, &records);
            let block = || {
                let mut out = Matrix::<f64>::zeros(rows.len(), columns.len());
                let (rows, columns) = (Rows::Ids(&rows), Rows::Ids(&columns));
                bound.tile(rows, columns, TileMut::F64(out.as_mut()), Par::Sequential);
                out
            };
            let alone = block();
            // A whole row makes all rows ready.
            let mut row = Matrix::<f64>::zeros(1, 5000);
            let whole = TileMut::F64(row.as_mut());
            bound.tile(
                Rows::Ids(&rows[..1]),
                Rows::Range(0..5000),
                whole,
                Par::Sequential,
            );
            assert_eq!(alone, block(), "{text}");
            assert_eq!(alone[(0, 1)], row[(0, 4998)], "{text}");
        }
    }
}
