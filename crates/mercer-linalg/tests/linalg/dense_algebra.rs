//! Products, factorisations and elementary functions against references.
#![expect(clippy::unwrap_used, reason = "tests")]

use mercer_linalg::{
    Cholesky, LinalgError, Matrix, Op, Par, Real, SymmetricEigen, axpy, dot, exp_in_place, gemm,
    matvec, symmetric_eigenvalues, tanh_in_place,
};
use proptest::prelude::*;

fn random<T: Real>(rows: usize, columns: usize, seed: u64) -> Matrix<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    Matrix::from_fn(rows, columns, |_, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        T::from_f64((state >> 40) as f64 / 16_777_216.0 - 0.5)
    })
}

fn positive<T: Real>(n: usize) -> Matrix<T> {
    let x = random::<T>(n, n + 3, 7);
    let mut a = Matrix::<T>::identity(n);
    gemm(
        T::ONE,
        x.as_ref(),
        Op::None,
        x.as_ref(),
        Op::Transpose,
        T::ONE,
        a.as_mut(),
        Par::Sequential,
    );
    a
}

fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
        .install(work)
}

fn naive(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    Matrix::from_fn(a.rows(), b.columns(), |i, j| {
        (0..a.columns()).map(|k| a[(i, k)] * b[(k, j)]).sum()
    })
}

fn product<T: Real>(m: usize, k: usize, n: usize) {
    let (a, b) = (random::<T>(m, k, 1), random::<T>(k, n, 2));
    let wanted = naive(&a.cast(), &b.cast());
    let start = random::<T>(m, n, 3);
    for (x, op_a) in [(a.clone(), Op::None), (a.transposed(), Op::Transpose)] {
        for (y, op_b) in [(b.clone(), Op::None), (b.transposed(), Op::Transpose)] {
            for beta in [0.0, 1.0, 0.5] {
                let mut c = start.clone();
                gemm(
                    T::from_f64(2.0),
                    x.as_ref(),
                    op_a,
                    y.as_ref(),
                    op_b,
                    T::from_f64(beta),
                    c.as_mut(),
                    Par::Rayon,
                );
                for i in 0..m {
                    for j in 0..n {
                        let wanted = 2.0 * wanted[(i, j)] + beta * start[(i, j)].to_f64();
                        let bound = T::EPSILON.to_f64() * 4.0 * (k as f64 + 4.0);
                        assert!((c[(i, j)].to_f64() - wanted).abs() <= bound);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn products_match(m in 0usize..40, k in 0usize..40, n in 0usize..40) {
        product::<f32>(m, k, n);
        product::<f64>(m, k, n);
    }

    #[test]
    fn vectors_match(n in 0usize..400, seed in any::<u64>()) {
        let x = random::<f32>(1, n, seed);
        let y = random::<f32>(1, n, seed ^ 5);
        let wanted: f64 = x.as_slice().iter().zip(y.as_slice()).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        prop_assert!((f64::from(dot(x.as_slice(), y.as_slice())) - wanted).abs() < 1e-5);
        let mut z = y.clone();
        axpy(2.0, x.as_slice(), z.as_mut_slice());
        for i in 0..n {
            prop_assert!((z.as_slice()[i] - (y.as_slice()[i] + 2.0 * x.as_slice()[i])).abs() < 1e-6);
        }
    }

    #[test]
    fn matrix_vector_products_match(m in 0usize..60, n in 0usize..60) {
        let a = random::<f64>(m, n, 3);
        for (op, rows, columns) in [(Op::None, m, n), (Op::Transpose, n, m)] {
            let x = random::<f64>(columns, 1, 4);
            let mut y = random::<f64>(rows, 1, 5).into_vec();
            let before = y.clone();
            matvec(2.0, a.as_ref(), op, x.as_slice(), 0.5, &mut y, Par::Sequential);
            for i in 0..rows {
                let sum: f64 = (0..columns)
                    .map(|j| if op == Op::None { a[(i, j)] } else { a[(j, i)] } * x.as_slice()[j])
                    .sum();
                prop_assert!((y[i] - (2.0 * sum + 0.5 * before[i])).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn overwriting_ignores_what_was_there() {
    let a = random::<f64>(3, 3, 1);
    let mut c = Matrix::from_fn(3, 3, |_, _| f64::NAN);
    gemm(
        1.0,
        a.as_ref(),
        Op::None,
        a.as_ref(),
        Op::None,
        0.0,
        c.as_mut(),
        Par::Sequential,
    );
    let wanted = naive(&a, &a);
    for (found, wanted) in c.as_slice().iter().zip(wanted.as_slice()) {
        assert!((found - wanted).abs() < 1e-15);
    }
}

fn factor<T: Real>(n: usize) {
    let a = positive::<T>(n);
    // The upper triangle is never read.
    let lower_only = Matrix::from_fn(n, n, |i, j| if j <= i { a[(i, j)] } else { T::NAN });
    let factor = Cholesky::factor(lower_only, Par::Rayon).unwrap();
    let l = factor.lower().cast::<f64>();
    let bound = T::EPSILON.to_f64() * 20.0 * (n as f64 + 1.0);
    let back = if n > 300 {
        None
    } else {
        Some(naive(&l, &l.transposed()))
    };
    if let Some(back) = back {
        for i in 0..n {
            for j in 0..=i {
                assert!((back[(i, j)] - a[(i, j)].to_f64()).abs() < bound);
            }
        }
    }
    let solution = random::<T>(n, 3, 11);
    let mut right = Matrix::<T>::zeros(n, 3);
    gemm(
        T::ONE,
        a.as_ref(),
        Op::None,
        solution.as_ref(),
        Op::None,
        T::ZERO,
        right.as_mut(),
        Par::Sequential,
    );
    let mut column: Vec<T> = (0..n).map(|i| right[(i, 1)]).collect();
    factor.solve_in_place(&mut right, Par::Rayon);
    factor.solve_vector(&mut column, Par::Rayon);
    for i in 0..n {
        assert!((right[(i, 1)] - solution[(i, 1)]).abs().to_f64() < bound * 20.0);
        assert!((column[i] - solution[(i, 1)]).abs().to_f64() < bound * 20.0);
    }
    let log: f64 = (0..n).map(|i| l[(i, i)].ln()).sum::<f64>() * 2.0;
    assert!((factor.log_determinant() - log).abs() < 1e-9 * (1.0 + log.abs()));
}

#[test]
fn cholesky_reconstructs_and_solves() {
    for n in [0, 1, 2, 17, 255, 257, 530] {
        factor::<f32>(n);
        factor::<f64>(n);
    }
}

#[test]
fn cholesky_names_the_pivot() {
    for n in [1, 5, 300] {
        let mut a = positive::<f64>(n);
        a[(n - 1, n - 1)] = -1.0;
        assert_eq!(
            Cholesky::factor(a.clone(), Par::Sequential)
                .unwrap_err()
                .pivot,
            n - 1
        );
        a[(n - 1, n - 1)] = f64::NAN;
        assert!(Cholesky::factor(a.clone(), Par::Sequential).is_err());
        a[(n - 1, 0)] = f64::NAN;
        assert!(Cholesky::factor(a, Par::Sequential).is_err());
    }
}

#[test]
fn thread_counts_give_the_same_bytes() {
    let a = positive::<f64>(700);
    let x = random::<f64>(700, 600, 2);
    let run = |threads| {
        let (a, x) = (a.clone(), x.clone());
        with_threads(threads, move || {
            let mut c = Matrix::zeros(700, 600);
            gemm(
                1.0,
                a.as_ref(),
                Op::Transpose,
                x.as_ref(),
                Op::None,
                0.0,
                c.as_mut(),
                Par::Rayon,
            );
            let mut y = vec![0.0; 600];
            matvec(
                1.0,
                c.as_ref(),
                Op::Transpose,
                a.row(0),
                0.0,
                &mut y,
                Par::Rayon,
            );
            let factor = Cholesky::factor(a, Par::Rayon).unwrap();
            factor.solve_in_place(&mut c, Par::Rayon);
            let values = symmetric_eigenvalues(x.as_ref().submatrix(0..90, 0..90)).unwrap();
            (c, y, factor, values)
        })
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn eigenvectors_reconstruct() {
    for n in [0usize, 1, 2, 30, 150] {
        let a = positive::<f64>(n);
        let eigen = SymmetricEigen::new(a.as_ref()).unwrap();
        assert!(eigen.values.is_sorted());
        let scaled = Matrix::from_fn(n, n, |i, j| eigen.vectors[(i, j)] * eigen.values[j]);
        let back = naive(&scaled, &eigen.vectors.transposed());
        let values = symmetric_eigenvalues(a.as_ref()).unwrap();
        for i in 0..n {
            assert!((values[i] - eigen.values[i]).abs() < 1e-10 * n as f64);
            for j in 0..n {
                assert!((back[(i, j)] - a[(i, j)]).abs() < 1e-11 * n as f64);
            }
        }
    }
    let a = positive::<f32>(20);
    let single = SymmetricEigen::new(a.as_ref()).unwrap();
    assert!(single.values.is_sorted());
    let scaled = Matrix::from_fn(20, 20, |i, j| single.vectors[(i, j)] * single.values[j]);
    let back = naive(&scaled.cast(), &single.vectors.transposed().cast());
    for (found, wanted) in back.as_slice().iter().zip(a.as_slice()) {
        assert!(
            (found - f64::from(*wanted)).abs() < 2e-5,
            "{found} {wanted}"
        );
    }
}

#[test]
fn eigen_refuses_bad_input() {
    let mut a = positive::<f64>(5);
    a[(4, 2)] = f64::NAN;
    assert_eq!(
        SymmetricEigen::new(a.as_ref()),
        Err(LinalgError::NotFinite { row: 4, column: 2 })
    );
    let b = Matrix::<f64>::zeros(2, 3);
    assert_eq!(
        symmetric_eigenvalues(b.as_ref()),
        Err(LinalgError::NotSquare {
            rows: 2,
            columns: 3
        })
    );
}

fn ulps32(found: f32, wanted: f64) -> f64 {
    let rounded = wanted as f32;
    if rounded.is_infinite() || found.is_infinite() {
        return if rounded == found { 0.0 } else { f64::INFINITY };
    }
    let unit = f64::from(f32::from_bits(rounded.to_bits() + 1)) - f64::from(rounded);
    (f64::from(found) - wanted).abs() / unit
}

#[test]
fn exp_f32_is_accurate_everywhere() {
    let mut worst = 0.0f64;
    let step = 97;
    let mut bits = 0u32;
    while bits < 88.8f32.to_bits() {
        let x = f32::from_bits(bits);
        let mut values = [x, -x];
        exp_in_place(&mut values);
        worst = worst.max(ulps32(values[0], f64::from(x).exp()));
        if f64::from(-x).exp() >= f64::from(f32::MIN_POSITIVE) * 1.000_001 {
            worst = worst.max(ulps32(values[1], f64::from(-x).exp()));
        } else {
            assert!(values[1] <= f32::MIN_POSITIVE * 1.000_01);
        }
        bits += step;
    }
    assert!(worst <= 2.0, "{worst} units in the last place");
}

#[test]
fn exp_f64_is_accurate() {
    let mut values: Vec<f64> = (0..2_000_000)
        .map(|i| -708.3 + f64::from(i) * 7.09e-4)
        .collect();
    values.extend((0..100_000).map(|i| f64::from(i - 50_000) * 1e-7));
    let inputs = values.clone();
    exp_in_place(&mut values);
    for (&x, &y) in inputs.iter().zip(&values) {
        let wanted = x.exp();
        let unit = f64::from_bits(wanted.to_bits() + 1) - wanted;
        // The reference is itself off by up to one unit.
        assert!((y - wanted).abs() <= 2.0 * unit, "{x}");
    }
}

fn special<T: Real>() {
    let mut values = [
        0.0,
        -0.0,
        f64::NEG_INFINITY,
        f64::INFINITY,
        f64::NAN,
        1e30,
        -1e30,
    ]
    .map(T::from_f64);
    exp_in_place(&mut values);
    let found = values.map(T::to_f64);
    assert_eq!(found[..4], [1.0, 1.0, 0.0, f64::INFINITY]);
    assert!(found[4].is_nan());
    assert_eq!(found[5..], [f64::INFINITY, 0.0]);
    let mut values = [0.0, -0.0, f64::NEG_INFINITY, f64::INFINITY, f64::NAN].map(T::from_f64);
    tanh_in_place(&mut values);
    let found = values.map(T::to_f64);
    assert_eq!(found[..4], [0.0, 0.0, -1.0, 1.0]);
    assert!(found[1].is_sign_negative() && found[4].is_nan());
}

#[test]
fn special_values() {
    special::<f32>();
    special::<f64>();
}

#[test]
fn tanh_is_accurate() {
    let mut worst = (0.0f64, 0.0f64);
    for i in 0..400_000 {
        let x = 1e-6 * (1.0 + f64::from(i)).powf(1.3) * 0.5;
        let mut double = [x, -x];
        tanh_in_place(&mut double);
        assert_eq!(double[0], -double[1]);
        let wanted = x.tanh();
        worst.1 = worst
            .1
            .max((double[0] - wanted).abs() / (f64::from_bits(wanted.to_bits() + 1) - wanted));
        let single = x as f32;
        let mut out = [single];
        tanh_in_place(&mut out);
        worst.0 = worst.0.max(ulps32(out[0], f64::from(single).tanh()));
    }
    assert!(
        worst.0 <= 4.0 && worst.1 <= 4.0,
        "{worst:?} units in the last place"
    );
}

proptest! {
    #[test]
    fn exp_does_not_depend_on_position(values in prop::collection::vec(-100.0f32..10.0, 0..70)) {
        let mut all = values.clone();
        exp_in_place(&mut all);
        for (value, &found) in values.iter().zip(&all) {
            let mut one = [*value];
            exp_in_place(&mut one);
            prop_assert_eq!(one[0].to_bits(), found.to_bits());
        }
    }
}
