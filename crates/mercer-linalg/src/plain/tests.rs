//! Against the other backend, and against the matrices themselves.

#![expect(unsafe_code, reason = "operands are raw parts")]

use super::panel::{Panel, inner};
use super::room::{address_space, cache_bytes};
use super::*;
use crate::backend::{Backend, Raw};

fn filled(rows: usize, columns: usize) -> Panel<f64> {
    let value = |k: usize| ((k * 37 + k * k * 11) % 101) as f64 / 50.0 - 1.0;
    Panel {
        rows,
        columns,
        values: (0..rows * columns).map(value).collect(),
    }
}

fn symmetric(n: usize) -> Panel<f64> {
    let half = filled(n, n);
    let other = half.transposed();
    let values = half.values.iter().zip(&other.values);
    Panel {
        rows: n,
        columns: n,
        values: values.map(|(a, b)| a + b).collect(),
    }
}

fn raw(columns: &Panel<f64>) -> Raw<*const f64> {
    Raw {
        pointer: columns.values.as_ptr(),
        rows: columns.rows,
        columns: columns.columns,
        row_stride: 1,
        column_stride: columns.rows as isize,
    }
}

fn raw_mut(columns: &mut Panel<f64>) -> Raw<*mut f64> {
    Raw {
        pointer: columns.values.as_mut_ptr(),
        rows: columns.rows,
        columns: columns.columns,
        row_stride: 1,
        column_stride: columns.rows as isize,
    }
}

fn close(one: &[f64], other: &[f64]) {
    assert_eq!(one.len(), other.len());
    for (a, b) in one.iter().zip(other) {
        assert!((a - b).abs() < 1e-11, "{a} {b}");
    }
}

fn product(a: &Panel<f64>, b: &Panel<f64>) -> Panel<f64> {
    let mut c = Panel::zeros(a.rows, b.columns);
    // SAFETY: the parts are those of matrices of these shapes.
    unsafe { matmul(raw_mut(&mut c), raw(a), raw(b), 1.0, true) };
    c
}

#[test]
fn products_and_factors_are_those_of_the_other_backend() {
    let (a, b) = (filled(7, 5), filled(5, 6));
    let (mut one, mut other) = (filled(7, 6), filled(7, 6));
    // SAFETY: the parts are those of matrices of these shapes.
    unsafe {
        matmul(raw_mut(&mut one), raw(&a), raw(&b), -0.5, false);
        f64::matmul(raw_mut(&mut other), raw(&a), raw(&b), -0.5, false);
    }
    close(&one.values, &other.values);
    let mut square = Panel::zeros(7, 7);
    for i in 0..7 {
        square.column_mut(i)[i] = 9.0;
    }
    // SAFETY: as above.
    unsafe { add_square(raw_mut(&mut square), raw(&a)) };
    assert_eq!(square.at(0, 3), 0.0);
    let mut same = Panel {
        values: square.values.clone(),
        ..square
    };
    // SAFETY: as above.
    unsafe {
        assert_eq!(cholesky(raw_mut(&mut square)), Ok(()));
        assert_eq!(f64::cholesky(raw_mut(&mut same)), Ok(()));
    }
    // What is above the diagonal means nothing.
    for j in 0..7 {
        close(&square.column(j)[j..], &same.column(j)[j..]);
    }
    let (mut x, mut y) = (filled(7, 3), filled(7, 3));
    let upper = square.transposed();
    // SAFETY: as above.
    unsafe {
        solve_lower(raw(&square), raw_mut(&mut x));
        solve_upper(raw(&upper), raw_mut(&mut x));
        f64::solve_lower(raw(&square), raw_mut(&mut y));
        f64::solve_upper(raw(&upper), raw_mut(&mut y));
    }
    close(&x.values, &y.values);
    let mut indefinite = symmetric(4);
    indefinite.column_mut(2)[2] = -50.0;
    // SAFETY: as above.
    assert!(unsafe { cholesky(raw_mut(&mut indefinite)) }.is_err());
}

#[test]
fn reflections_are_undone() {
    let whole = filled(9, 4);
    let mut panel = filled(9, 4);
    let mut coefficients = Panel::zeros(4, 4);
    // SAFETY: the parts are those of matrices of these shapes.
    unsafe { reflections(raw_mut(&mut panel), raw_mut(&mut coefficients)) };
    let mut upper = Panel::zeros(9, 4);
    for j in 0..4 {
        upper.column_mut(j)[..=j].copy_from_slice(&panel.column(j)[..=j]);
    }
    let reflected = |sides: &mut Panel<f64>, transposed: bool| {
        // SAFETY: as above.
        unsafe { reflect(raw(&panel), raw(&coefficients), raw_mut(sides), transposed) };
    };
    reflected(&mut upper, false);
    close(&upper.values, &whole.values);
    let mut sides = filled(9, 2);
    reflected(&mut sides, true);
    reflected(&mut sides, false);
    close(&sides.values, &filled(9, 2).values);
}

#[test]
fn eigenvectors_and_singular_vectors_rebuild_the_matrix() {
    for n in [1, 2, 3, 12, 30] {
        let a = symmetric(n);
        let (mut values, mut other) = (vec![0.0; n], vec![0.0; n]);
        let mut vectors = Panel::zeros(n, n);
        // SAFETY: the parts are those of matrices of these shapes.
        unsafe {
            eigen(raw(&a), &mut values, Some(raw_mut(&mut vectors))).unwrap();
            f64::eigen(raw(&a), &mut other, None).unwrap();
        }
        close(&values, &other);
        let mut scaled = Panel {
            values: vectors.values.clone(),
            ..vectors
        };
        for (j, value) in values.iter().enumerate() {
            scaled.column_mut(j).iter_mut().for_each(|v| *v *= value);
        }
        close(&product(&scaled, &vectors.transposed()).values, &a.values);
    }
    for (rows, columns) in [(8, 3), (3, 8), (5, 5), (1, 4)] {
        let mut a = filled(rows, columns);
        // Rank two at most, so that vectors of zero values are made as well.
        for j in 2..columns {
            let copy = a.column(j % 2).to_vec();
            a.column_mut(j).copy_from_slice(&copy);
        }
        let size = rows.min(columns);
        let (mut values, mut other) = (vec![0.0; size], vec![0.0; size]);
        let (mut v, mut w) = (Panel::zeros(columns, size), Panel::zeros(columns, size));
        // SAFETY: as above.
        unsafe {
            right_svd(raw(&a), &mut values, raw_mut(&mut v)).unwrap();
            f64::right_svd(raw(&a), &mut other, raw_mut(&mut w)).unwrap();
        }
        close(&values, &other);
        let gram = product(&v.transposed(), &v);
        let mut unit = Panel::zeros(size, size);
        for i in 0..size {
            unit.column_mut(i)[i] = 1.0;
        }
        close(&gram.values, &unit.values);
    }
}

#[test]
fn tridiagonal_forms_have_the_same_eigenvalues() {
    let mut a = symmetric(9);
    let mut other = symmetric(9);
    let (mut sides, mut turned) = (filled(9, 2), filled(9, 2));
    // SAFETY: the parts are those of matrices of these shapes.
    unsafe {
        tridiagonalise(raw_mut(&mut a), raw_mut(&mut sides));
        f64::tridiagonalise(raw_mut(&mut other), raw_mut(&mut turned));
    }
    // Panel of either may have the other sign: what both know is without it.
    for i in 0..8 {
        assert!((a.at(i + 1, i).abs() - other.at(i + 1, i).abs()).abs() < 1e-11);
        assert!((a.at(i, i) - other.at(i, i)).abs() < 1e-11);
    }
    let size = |columns: &Panel<f64>| inner(columns.column(0), columns.column(0));
    assert!((size(&sides) - size(&turned)).abs() < 1e-11);
}

#[test]
fn limits_and_caches_are_read_as_the_system_writes_them() {
    let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
                  Max address space         512000000            unlimited            bytes\n";
    assert_eq!(address_space(limits), Some(512_000_000));
    assert_eq!(
        address_space(&limits.replace("512000000", "unlimited")),
        None
    );
    assert_eq!(cache_bytes("266240K"), Some(260 << 20));
    assert_eq!(cache_bytes("32M"), Some(32 << 20));
    assert_eq!(cache_bytes("odd"), None);
}
