//! Tiles against naive references, and the invariants of every entry.

use mercer_linalg::{
    Csr, CsrBuilder, DenseRows, Epilogue, Matrix, Par, Real, Rows, SparseRows, gram, pairwise_tile,
    sparse_gram, sparse_tile, tile,
};
use proptest::prelude::*;

const ALL: [Epilogue; 15] = [
    Epilogue::Dot,
    Epilogue::SquaredDistance,
    Epilogue::Distance,
    Epilogue::Rbf { gamma: 0.3 },
    Epilogue::Poly {
        scale: 0.5,
        offset: 1.0,
        degree: 3.0,
    },
    Epilogue::Poly {
        scale: 0.5,
        offset: 1.0,
        degree: 6.0,
    },
    Epilogue::Poly {
        scale: 0.1,
        offset: 9.0,
        degree: 1.5,
    },
    Epilogue::Sigmoid {
        scale: 0.2,
        offset: -0.1,
    },
    Epilogue::Matern {
        nu_twice: 1,
        length: 1.5,
    },
    Epilogue::Matern {
        nu_twice: 3,
        length: 1.5,
    },
    Epilogue::Matern {
        nu_twice: 5,
        length: 1.5,
    },
    Epilogue::RationalQuadratic {
        alpha: 1.5,
        length: 2.0,
    },
    Epilogue::Cosine,
    Epilogue::L1Distance,
    Epilogue::Laplace { gamma: 0.2 },
];

fn reference(epilogue: &Epilogue, x: &[f64], z: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let d2: f64 = x.iter().zip(z).map(|(a, b)| (a - b) * (a - b)).sum();
    let l1: f64 = x.iter().zip(z).map(|(a, b)| (a - b).abs()).sum();
    let d = d2.sqrt();
    match *epilogue {
        Epilogue::Dot => dot(x, z),
        Epilogue::SquaredDistance => d2,
        Epilogue::Distance => d,
        Epilogue::Rbf { gamma } => (-gamma * d2).exp(),
        Epilogue::Poly {
            scale,
            offset,
            degree,
        } => (scale * dot(x, z) + offset).powf(degree),
        Epilogue::Sigmoid { scale, offset } => (scale * dot(x, z) + offset).tanh(),
        Epilogue::Matern { nu_twice, length } => {
            let s = f64::from(nu_twice).sqrt() * d / length;
            let polynomial = match nu_twice {
                1 => 1.0,
                3 => 1.0 + s,
                _ => 1.0 + s + s * s / 3.0,
            };
            polynomial * (-s).exp()
        }
        Epilogue::RationalQuadratic { alpha, length } => {
            (1.0 + d2 / (2.0 * alpha * length * length)).powf(-alpha)
        }
        Epilogue::Cosine => {
            let norm = (dot(x, x) * dot(z, z)).sqrt();
            if norm == 0.0 { 0.0 } else { dot(x, z) / norm }
        }
        Epilogue::L1Distance => l1,
        Epilogue::Laplace { gamma } => (-gamma * l1).exp(),
    }
}

fn random(rows: usize, columns: usize, seed: u64) -> Matrix<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    Matrix::from_fn(rows, columns, |_, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Exactly representable in `f32`, so that references see the same data.
        f64::from((state >> 40) as f32 / 16_777_216.0 - 0.5)
    })
}

fn sparsify(matrix: &Matrix<f64>, keep: f64) -> Matrix<f64> {
    Matrix::from_fn(matrix.rows(), matrix.columns(), |i, j| {
        let value = matrix[(i, j)];
        if (value * 1000.0).fract().abs() < keep {
            value
        } else {
            0.0
        }
    })
}

fn bits<T: Real>(matrix: &Matrix<T>) -> Vec<u64> {
    matrix
        .as_slice()
        .iter()
        .map(|v| v.to_f64().to_bits())
        .collect()
}

/// Tolerance of distances: the cancellation of `‖x‖² + ‖z‖² - 2⟨x,z⟩`, then its square root: an
/// error e of d² is one of e/d in d, and at most √e near zero.
fn close<T: Real>(epilogue: &Epilogue, found: T, x: &[f64], z: &[f64]) -> bool {
    let wanted = reference(epilogue, x, z);
    let error = (found.to_f64() - wanted).abs();
    // Entries lie between -1/2 and 1/2: their squares have a mean of 1/12.
    let unit = T::EPSILON.to_f64() * (1.0 + x.len() as f64 / 12.0) * 16.0;
    match epilogue {
        Epilogue::Distance | Epilogue::Matern { .. } => {
            let distance = reference(&Epilogue::Distance, x, z);
            let unit = unit * (1.0 + distance * distance);
            error <= unit / distance.max(unit.sqrt())
        }
        Epilogue::Poly { .. } => error <= unit * 64.0 * (1.0 + wanted.abs()),
        _ => error <= unit * (1.0 + wanted.abs()),
    }
}

fn dense_matches<T: Real>() {
    for (m, n, d) in [
        (1, 1, 1),
        (0, 3, 2),
        (3, 0, 2),
        (2, 3, 0),
        (1, 65, 7),
        (13, 33, 50),
        (97, 40, 19),
        (7, 100, 256),
        (25, 70, 257),
        (5, 31, 600),
        (110, 300, 3),
    ] {
        let (x, z) = (random(m, d, 1), random(n, d, 2));
        let left = DenseRows::<T>::new(x.as_ref(), None, None);
        let right = DenseRows::<T>::new(z.as_ref(), None, None);
        for epilogue in &ALL {
            let mut out = Matrix::<T>::zeros(m, n);
            tile(
                &left,
                Rows::Range(0..m),
                &right,
                Rows::Range(0..n),
                epilogue,
                out.as_mut(),
                Par::Sequential,
            );
            for i in 0..m {
                for j in 0..n {
                    assert!(
                        close(epilogue, out[(i, j)], x.row(i), z.row(j)),
                        "{epilogue:?} {m}x{n}x{d} at {i},{j}: {} for {}",
                        out[(i, j)],
                        reference(epilogue, x.row(i), z.row(j))
                    );
                }
            }
        }
    }
}

#[test]
fn dense_tiles_match_the_reference() {
    dense_matches::<f32>();
    dense_matches::<f64>();
}

fn sparse_matches<T: Real>() {
    for (m, n, d, keep) in [
        (1, 40, 30, 0.3),
        (2, 33, 100, 0.1),
        (17, 65, 123, 0.1),
        (70, 40, 9000, 0.01),
        (5, 7, 5, 0.0),
        (40, 3, 1, 1.0),
        (3, 5, 0, 1.0),
    ] {
        let (x, z) = (
            sparsify(&random(m, d, 3), keep),
            sparsify(&random(n, d, 4), keep),
        );
        let left = SparseRows::<T>::from_dense(x.as_ref(), None);
        let right = SparseRows::<T>::from_dense(z.as_ref(), None);
        for epilogue in &ALL {
            let mut out = Matrix::<T>::zeros(m, n);
            sparse_tile(
                &left,
                Rows::Range(0..m),
                &right,
                Rows::Range(0..n),
                epilogue,
                out.as_mut(),
                Par::Sequential,
            );
            for i in 0..m {
                for j in 0..n {
                    assert!(
                        close(epilogue, out[(i, j)], x.row(i), z.row(j)),
                        "{epilogue:?} {m}x{n}x{d} at {i},{j}: {} for {}",
                        out[(i, j)],
                        reference(epilogue, x.row(i), z.row(j))
                    );
                }
            }
        }
    }
}

#[test]
fn sparse_tiles_match_the_reference() {
    sparse_matches::<f32>();
    sparse_matches::<f64>();
}

/// Either kind of rows, for the invariants.
enum Points<T> {
    Dense(DenseRows<T>),
    Sparse(SparseRows<T>),
}

impl<T: Real> Points<T> {
    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, epilogue: &Epilogue, par: Par) -> Matrix<T> {
        // A stride larger than the width: nothing may be written between rows.
        let (m, n) = (rows.len(), columns.len());
        let mut wide = Matrix::<T>::from_fn(m, n + 3, |_, _| T::from_f64(7.0));
        let out = wide.as_mut().submatrix(0..m, 1..n + 1);
        match self {
            Self::Dense(x) => tile(x, rows, x, columns, epilogue, out, par),
            Self::Sparse(x) => sparse_tile(x, rows, x, columns, epilogue, out, par),
        }
        for i in 0..m {
            assert_eq!(wide[(i, 0)].to_f64(), 7.0);
            assert_eq!(wide[(i, n + 1)].to_f64(), 7.0);
        }
        wide.as_ref().submatrix(0..m, 1..n + 1).to_owned()
    }

    fn gram(&self, n: usize, epilogue: &Epilogue, par: Par) -> Matrix<T> {
        let mut out = Matrix::zeros(n, n);
        match self {
            Self::Dense(x) => gram(x, epilogue, out.as_mut(), par),
            Self::Sparse(x) => sparse_gram(x, epilogue, out.as_mut(), par),
        }
        out
    }

    fn diagonal(&self, n: usize, epilogue: &Epilogue) -> Vec<T> {
        let mut out = vec![T::ZERO; n];
        match self {
            Self::Dense(x) => x.diagonal(epilogue, &mut out),
            Self::Sparse(x) => x.diagonal(epilogue, &mut out),
        }
        out
    }
}

fn invariants<T: Real>(points: &Points<T>, n: usize, epilogue: &Epilogue, seed: u64) {
    let whole = points.tile(
        Rows::Range(0..n),
        Rows::Range(0..n),
        epilogue,
        Par::Sequential,
    );
    assert_eq!(
        bits(&whole),
        bits(&points.gram(n, epilogue, Par::Sequential)),
        "gram {epilogue:?}"
    );
    assert_eq!(
        bits(&whole),
        bits(&whole.transposed()),
        "symmetry {epilogue:?}"
    );
    let diagonal = points.diagonal(n, epilogue);
    for i in 0..n {
        assert_eq!(
            whole[(i, i)].to_f64().to_bits(),
            diagonal[i].to_f64().to_bits(),
            "diagonal {epilogue:?}"
        );
        if matches!(
            epilogue,
            Epilogue::Rbf { .. } | Epilogue::Laplace { .. } | Epilogue::Matern { .. }
        ) {
            assert_eq!(whole[(i, i)], T::ONE);
        }
    }
    let mut state = seed | 1;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below
    };
    for _ in 0..3 {
        let rows: Vec<u32> = (0..=next(20)).map(|_| next(n) as u32).collect();
        let columns: Vec<u32> = (0..=next(90)).map(|_| next(n) as u32).collect();
        let scattered = points.tile(Rows::Ids(&rows), Rows::Ids(&columns), epilogue, Par::Rayon);
        for (r, &i) in rows.iter().enumerate() {
            for (c, &j) in columns.iter().enumerate() {
                assert_eq!(
                    scattered[(r, c)].to_f64().to_bits(),
                    whole[(i as usize, j as usize)].to_f64().to_bits(),
                    "{epilogue:?} ids"
                );
            }
        }
        let (a, b) = (next(n), next(n));
        let (a, b) = (a.min(b), a.max(b) + 1);
        let part = points.tile(
            Rows::Ids(&rows),
            Rows::Range(a..b),
            epilogue,
            Par::Sequential,
        );
        for (r, &i) in rows.iter().enumerate() {
            for j in a..b {
                assert_eq!(
                    part[(r, j - a)].to_f64().to_bits(),
                    whole[(i as usize, j)].to_f64().to_bits(),
                    "{epilogue:?} range"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn entries_depend_on_their_rows_alone(n in 1usize..120, d in 0usize..320, seed in any::<u64>(), kind in 0..ALL.len()) {
        let x = random(n, d, seed);
        let epilogue = &ALL[kind];
        invariants(&Points::Dense(DenseRows::<f32>::new(x.as_ref(), None, None)), n, epilogue, seed);
        invariants(&Points::Dense(DenseRows::<f64>::new(x.as_ref(), None, None)), n, epilogue, seed);
        let x = sparsify(&x, 0.15);
        invariants(&Points::Sparse(SparseRows::<f32>::from_dense(x.as_ref(), None)), n, epilogue, seed);
        invariants(&Points::Sparse(SparseRows::<f64>::from_dense(x.as_ref(), None)), n, epilogue, seed);
    }
}

#[test]
fn wide_sparse_rows_keep_the_invariants() {
    let x = sparsify(&random(90, 12_000, 9), 0.01);
    for epilogue in [Epilogue::Dot, Epilogue::Rbf { gamma: 0.1 }] {
        invariants(
            &Points::Sparse(SparseRows::<f32>::from_dense(x.as_ref(), None)),
            90,
            &epilogue,
            5,
        );
        invariants(
            &Points::Sparse(SparseRows::<f64>::from_dense(x.as_ref(), None)),
            90,
            &epilogue,
            5,
        );
    }
}

#[test]
fn thread_counts_give_the_same_bytes() {
    let x = random(700, 40, 5);
    let dense = Points::Dense(DenseRows::<f32>::new(x.as_ref(), None, None));
    let sparse = Points::Sparse(SparseRows::<f32>::from_dense(
        sparsify(&x, 0.2).as_ref(),
        None,
    ));
    let ids: Vec<u32> = (0..700).rev().collect();
    let rbf = Epilogue::Rbf { gamma: 0.2 };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut all = Vec::new();
            for points in [&dense, &sparse] {
                all.push(bits(&points.gram(700, &rbf, Par::Rayon)));
                all.push(bits(&points.tile(
                    Rows::Range(3..650),
                    Rows::Range(1..699),
                    &rbf,
                    Par::Rayon,
                )));
                all.push(bits(&points.tile(
                    Rows::Ids(&ids),
                    Rows::Ids(&ids),
                    &rbf,
                    Par::Rayon,
                )));
                all.push(bits(&points.tile(
                    Rows::Range(3..4),
                    Rows::Range(0..700),
                    &rbf,
                    Par::Rayon,
                )));
            }
            all
        })
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn not_a_number_spreads_to_its_entries_only() {
    let mut x = random(40, 20, 8);
    x[(3, 5)] = f64::NAN;
    x[(7, 1)] = f64::INFINITY;
    for points in [
        Points::Dense(DenseRows::<f32>::new(x.as_ref(), None, None)),
        Points::Sparse(SparseRows::<f32>::from_dense(x.as_ref(), None)),
    ] {
        for epilogue in &ALL {
            let whole = points.gram(40, epilogue, Par::Sequential);
            assert_eq!(bits(&whole).len(), 1600);
            for j in 0..40 {
                assert!(
                    whole[(3, j)].is_nan() && whole[(j, 3)].is_nan(),
                    "{epilogue:?} {j}"
                );
                for i in (0..40).filter(|i| ![3, 7].contains(i) && ![3, 7].contains(&j)) {
                    assert!(!whole[(i, j)].is_nan(), "{epilogue:?} {i} {j}");
                }
            }
        }
    }
}

#[test]
fn shift_and_scale_round_once() {
    let x = random(3, 4, 1);
    let (shift, scale) = ([0.1, 0.2, 0.3, 0.4], [3.0, 1.0 / 3.0, 7.0, 0.1]);
    let rows = DenseRows::<f32>::new(x.as_ref(), Some(&shift), Some(&scale));
    for i in 0..3 {
        for j in 0..4 {
            assert_eq!(rows.row(i)[j], ((x[(i, j)] - shift[j]) * scale[j]) as f32);
        }
    }
    let csr = Csr::from_dense(x.as_ref());
    let rows = SparseRows::<f32>::new(&csr, Some(&scale));
    assert_eq!(rows.row(1).1[2], (x[(1, 2)] * scale[2]) as f32);
}

#[test]
fn distances_serve_every_width() {
    let x = DenseRows::<f32>::new(random(50, 30, 6).as_ref(), None, None);
    let mut distances = Matrix::zeros(50, 50);
    gram(
        &x,
        &Epilogue::SquaredDistance,
        distances.as_mut(),
        Par::Sequential,
    );
    for epilogue in [
        Epilogue::Rbf { gamma: 0.7 },
        Epilogue::Matern {
            nu_twice: 5,
            length: 2.0,
        },
        Epilogue::RationalQuadratic {
            alpha: 2.0,
            length: 1.0,
        },
        Epilogue::Distance,
    ] {
        let mut direct = Matrix::zeros(50, 50);
        gram(&x, &epilogue, direct.as_mut(), Par::Sequential);
        let mut copy = distances.clone();
        epilogue.apply_to_distances(copy.as_mut_slice());
        assert_eq!(bits(&copy), bits(&direct));
    }
}

#[test]
fn any_function_of_two_rows() {
    let x = DenseRows::<f64>::new(random(9, 5, 6).as_ref(), None, None);
    let largest = |a: &[f64], b: &[f64]| {
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max)
    };
    let mut out = Matrix::zeros(2, 3);
    pairwise_tile(
        &x,
        Rows::Ids(&[4, 1]),
        &x,
        Rows::Range(2..5),
        largest,
        out.as_mut(),
        Par::Rayon,
    );
    assert_eq!(out[(1, 2)], largest(x.row(1), x.row(4)));
    assert_eq!(out[(0, 2)], 0.0);
}

#[test]
fn empty_sparse_rows() {
    let mut builder = CsrBuilder::<f32>::new(4);
    builder.push_row(&[]).unwrap();
    builder.push_row(&[(2, 2.0)]).unwrap();
    let rows = SparseRows::from_csr(builder.finish());
    let mut out = Matrix::zeros(2, 2);
    sparse_gram(
        &rows,
        &Epilogue::SquaredDistance,
        out.as_mut(),
        Par::Sequential,
    );
    assert_eq!(out.as_slice(), &[0.0, 4.0, 4.0, 0.0]);
}
