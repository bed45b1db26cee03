//! What the tests of all families share.

use mercer_linalg::{Csr, Matrix, Par, Precision, Rows, symmetric_eigenvalues};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{BoundKernel, KernelSpec, TileMut};
use crate::data::{Block, Points, Records};

pub(super) fn dot(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(x, z)| x * z).sum()
}

pub(super) fn squared(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(x, z)| (x - z).powi(2)).sum()
}

pub(super) fn records(rows: &[&[f64]]) -> Records {
    let width = rows.first().map_or(0, |r| r.len());
    let points = Matrix::from_vec(rows.len(), width, rows.concat());
    Records::from_points(Points::from(points))
}

pub(super) fn sparse(records: &Records) -> Records {
    let Block::Dense(dense) = records.features.points.widened() else {
        return records.clone();
    };
    let mut sparse = records.clone();
    sparse.features.points = Points::from(Csr::from_dense(dense.as_ref()));
    sparse
}

pub(super) fn bound(text: &str, rows: &Records) -> Box<dyn BoundKernel> {
    let kernel: KernelSpec = text.parse().expect("an expression");
    let (resolved, _) = kernel.resolve(rows, None).expect("resolves");
    resolved.bind(rows).expect("binds")
}

pub(super) fn gram(text: &str, rows: &Records) -> Matrix<f64> {
    tile64(bound(text, rows).as_ref(), 0..rows.len(), 0..rows.len())
}

fn tile64(
    kernel: &dyn BoundKernel,
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
) -> Matrix<f64> {
    let mut out = Matrix::zeros(rows.len(), columns.len());
    let tile = TileMut::F64(out.as_mut());
    kernel.tile(Rows::Range(rows), Rows::Range(columns), tile, Par::Rayon);
    out
}

fn tile32(
    kernel: &dyn BoundKernel,
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
) -> Matrix<f32> {
    let mut out = Matrix::zeros(rows.len(), columns.len());
    let tile = TileMut::F32(out.as_mut());
    kernel.tile(
        Rows::Range(rows),
        Rows::Range(columns),
        tile,
        Par::Sequential,
    );
    out
}

/// Rows of three features: some zeros, some equal rows, some far away.
fn rows(value: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = Matrix<f64>> {
    let row = prop::collection::vec(prop_oneof![1 => Just(0.0), 3 => value], 3);
    let table = prop::collection::vec(row, 1..12);
    (table, any::<prop::sample::Index>()).prop_map(|(mut table, copy)| {
        let again = copy.get(&table).clone();
        table.push(again);
        Matrix::from_vec(table.len(), 3, table.concat())
    })
}

/// Checks values, symmetry, positive semidefiniteness, both precisions, tiles and queries.
pub(super) fn check_family(text: &str, naive: impl Fn(&[f64], &[f64]) -> f64) {
    check(text, 1e-11, true, rows(-3.0..3.0), naive);
}

/// As [`check_family`], for functions that are not positive semidefinite.
pub(super) fn check_values(text: &str, naive: impl Fn(&[f64], &[f64]) -> f64) {
    check(text, 1e-11, false, rows(-3.0..3.0), naive);
}

/// As [`check_family`], on values that are not negative.
pub(super) fn check_non_negative(text: &str, naive: impl Fn(&[f64], &[f64]) -> f64) {
    check(text, 1e-11, true, rows(0.0..5.0), naive);
}

/// As [`check_family`], on values from 0 to 1.
pub(super) fn check_unit_interval(
    text: &str,
    tolerance: f64,
    naive: impl Fn(&[f64], &[f64]) -> f64,
) {
    check(text, tolerance, true, rows(0.0..1.0), naive);
}

fn check(
    text: &str,
    tolerance: f64,
    definite: bool,
    tables: impl Strategy<Value = Matrix<f64>>,
    naive: impl Fn(&[f64], &[f64]) -> f64,
) {
    let config = Config {
        cases: 40,
        failure_persistence: None,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(&tables, |table| {
        let dense = Records::from_points(Points::from(table.clone()));
        for records in [sparse(&dense), dense] {
            check_rows(text, tolerance, definite, &table, &records, &naive)?;
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{text}: {error}");
    }
}

fn check_rows(
    text: &str,
    tolerance: f64,
    definite: bool,
    table: &Matrix<f64>,
    records: &Records,
    naive: &impl Fn(&[f64], &[f64]) -> f64,
) -> Result<(), TestCaseError> {
    let n = table.rows();
    let kernel = bound(text, records);
    let k = tile64(kernel.as_ref(), 0..n, 0..n);
    let single = tile32(kernel.as_ref(), 0..n, 0..n);
    let mut diagonal = vec![0.0; n];
    kernel.diagonal(Precision::F64, &mut diagonal);
    let top = diagonal.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for i in 0..n {
        for j in 0..n {
            let expected = naive(table.row(i), table.row(j));
            let found = k[(i, j)];
            prop_assert!(
                (found - expected).abs() <= tolerance * (1.0 + expected.abs() + top),
                "({i}, {j}): {found} instead of {expected}"
            );
            prop_assert_eq!(found.to_bits(), k[(j, i)].to_bits());
            prop_assert_eq!(single[(i, j)].to_bits(), single[(j, i)].to_bits());
            let error = (f64::from(single[(i, j)]) - expected).abs();
            let allowed = kernel.rounding_error() * top + tolerance * (1.0 + top);
            prop_assert!(
                error <= allowed || allowed.is_nan(),
                "f32: {error} > {allowed}"
            );
        }
        prop_assert_eq!(diagonal[i].to_bits(), k[(i, i)].to_bits());
    }
    kernel.diagonal(Precision::F32, &mut diagonal);
    for i in 0..n {
        prop_assert_eq!(diagonal[i], f64::from(single[(i, i)]));
    }
    check_tiles(kernel.as_ref(), records, &k, &single)?;
    if definite {
        let eigenvalues = symmetric_eigenvalues(k.as_ref()).expect("finite");
        let largest = eigenvalues.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        // Rounded entries move eigenvalues by up to n·error; fused distances are the worst.
        let allowed = n as f64 * 1e-13 * largest.max(top);
        prop_assert!(eigenvalues[0] >= -allowed, "eigenvalue {}", eigenvalues[0]);
    }
    Ok(())
}

/// Entries depend on neither the shape of the tile nor the way they are asked for.
fn check_tiles(
    kernel: &dyn BoundKernel,
    records: &Records,
    k: &Matrix<f64>,
    single: &Matrix<f32>,
) -> Result<(), TestCaseError> {
    let n = records.len();
    let part = tile64(kernel, n / 2..n, 0..n / 3 + 1);
    let narrow = tile32(kernel, n / 2..n, 0..n / 3 + 1);
    for i in 0..part.rows() {
        for j in 0..part.columns() {
            prop_assert_eq!(part[(i, j)].to_bits(), k[(n / 2 + i, j)].to_bits());
            prop_assert_eq!(narrow[(i, j)].to_bits(), single[(n / 2 + i, j)].to_bits());
        }
    }
    let query = kernel.query(records).expect("the same rows");
    let ids: Vec<u32> = (0..n as u32).rev().collect();
    let mut out = Matrix::zeros(n, n);
    let tile = TileMut::F64(out.as_mut());
    query.tile(Rows::Range(0..n), Rows::Ids(&ids), tile, Par::Sequential);
    let mut own = vec![0.0; n];
    query.diagonal(Precision::F64, &mut own);
    for i in 0..n {
        for j in 0..n {
            prop_assert_eq!(out[(i, j)].to_bits(), k[(i, n - 1 - j)].to_bits());
        }
        prop_assert_eq!(own[i].to_bits(), k[(i, i)].to_bits());
    }
    Ok(())
}
