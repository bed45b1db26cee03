//! Random Fourier features against their law, their bound and the worked numbers.

use mercer_linalg::{Csr, Matrix, Par, Precision, dot};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::data::random::normal;
use crate::data::{Points, Records};
use crate::features::FeatureMap;
use crate::fit::FitContext;
use crate::kernel::{KernelSpec, ResolvedKernel};

fn rows(n: usize, d: usize, seed: u64) -> Matrix<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Matrix::from_fn(n, d, |_, _| normal(&mut rng))
}

fn resolved(text: &str, records: &Records) -> ResolvedKernel {
    let spec: KernelSpec = text.parse().unwrap();
    spec.resolve(records, None).unwrap().0
}

/// k̂ of the first two rows.
fn value(map: &FourierMap, records: &Records) -> f64 {
    let bound = FeatureMap::from(map.clone()).bind(Precision::F64).unwrap();
    let features = bound
        .features(records, &FitContext::default().threads(1))
        .unwrap();
    dot(features.row(0), features.row(1))
}

/// Mean and standard deviation of k̂ over draws.
fn over_draws(
    text: &str,
    records: &Records,
    pairs: usize,
    draw: FrequencyDraw,
    draws: u64,
) -> (f64, f64) {
    let kernel = resolved(text, records);
    let values: Vec<f64> = (0..draws)
        .map(|seed| {
            let map = FourierMap::draw(&kernel, &records.features, pairs, draw, seed).unwrap();
            map.check().unwrap();
            value(&map, records)
        })
        .collect();
    let mean = values.iter().sum::<f64>() / draws as f64;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (mean, (squares / (draws - 1) as f64).sqrt())
}

#[test]
fn the_map_of_the_course() {
    let records = Records::from_points(Matrix::from_vec(2, 1, vec![0.5, -0.25]));
    let map = FourierMap {
        kernel: resolved("rbf(gamma=1)", &records),
        shift: vec![0.0],
        units: vec![1.0],
        frequencies: Frequencies::Dense(Matrix::from_vec(3, 1, vec![0.3, -1.1, 2.0])),
        offsets: None,
        amplitude: 3.0_f64.powf(-0.5),
    };
    assert!((value(&map, &records) - 0.574_696_091_453).abs() < 5e-13);
    let twice = records.select(&[0, 0]);
    assert!((value(&map, &twice) - 1.0).abs() < 1e-15);
    // What all rows are shifted by changes no difference.
    let shifted = FourierMap {
        shift: vec![17.25],
        ..map
    };
    assert!((value(&shifted, &records) - 0.574_696_091_453).abs() < 5e-13);
}

/// σ = 2 at distance 1: mean k, variance [(1 + k(2δ))/2 − k(δ)²]/D.
#[test]
fn independent_draws_have_mean_and_variance_of_the_law() {
    let records = Records::from_points(Matrix::from_vec(2, 1, vec![0.0, 1.0]));
    let k = |distance: f64| (-distance * distance / 8.0).exp();
    let wanted = ((0.5 * (1.0 + k(2.0)) - k(1.0).powi(2)) / 1000.0).sqrt();
    assert!((k(1.0) - 0.882_496_90).abs() < 5e-9 && (wanted - 0.004_946_2).abs() < 5e-8);
    let draws = 600;
    let (mean, spread) = over_draws(
        "rbf(sigma=2)",
        &records,
        1000,
        FrequencyDraw::Independent,
        draws,
    );
    // Four standard errors of the mean; a standard deviation of 600 draws is known to 3 %.
    assert!(
        (mean - k(1.0)).abs() < 4.0 * wanted / (draws as f64).sqrt(),
        "{mean}"
    );
    assert!((spread / wanted - 1.0).abs() < 0.12, "{spread} {wanted}");
}

#[test]
fn every_draw_of_every_law_has_the_kernel_as_its_mean() {
    let records = Records::from_points(Matrix::from_vec(2, 3, vec![0.1, -0.4, 1.0, 0.7, 0.2, 0.3]));
    let kernels = [
        "rbf(gamma=0.7)",
        "rbf(sigma=[1,0.5,2])",
        "laplace(1.5)",
        "laplace([1,2,3])",
        "matern(0.5, 1.2)",
        "matern(1.5, [1,2,0.7])",
        "2.5*matern(2.5, 0.8)",
        "rbf(sigma=1)@1 * laplace(2)@[2,3]",
        "rbf(sigma=2)^3",
    ];
    use FrequencyDraw::{Independent, Orthogonal, Quasi, Structured};
    for text in kernels {
        let exact = resolved(text, &records)
            .gram(&records, Par::Sequential)
            .unwrap()[(0, 1)];
        for draw in [Independent, Orthogonal, Structured, Quasi] {
            let plain = !text.contains("laplace");
            if draw == Structured && !plain {
                let kernel = resolved(text, &records);
                assert!(FourierMap::draw(&kernel, &records.features, 8, draw, 0).is_err());
                continue;
            }
            let (mean, spread) = over_draws(text, &records, 24, draw, 500);
            let error = 4.5 * spread / 500_f64.sqrt();
            // Signs and transforms of four coordinates are not quite normal.
            let bias = if draw == Structured { 0.05 } else { 0.0 };
            assert!(
                (mean - exact).abs() < error + bias,
                "{text} {draw:?}: {mean} {exact} {error}"
            );
        }
    }
}

#[test]
fn orthogonal_and_quasi_random_frequencies_vary_less() {
    let wide = Records::from_points(rows(2, 16, 3));
    let spread = |records: &Records, draw| over_draws("rbf(sigma=4)", records, 32, draw, 300).1;
    let plain = spread(&wide, FrequencyDraw::Independent);
    let orthogonal = spread(&wide, FrequencyDraw::Orthogonal);
    assert!(orthogonal < 0.75 * plain, "{orthogonal} {plain}");
    let structured = spread(&wide, FrequencyDraw::Structured);
    assert!(structured < 0.85 * plain, "{structured} {plain}");
    let narrow = Records::from_points(rows(2, 2, 4));
    let even = over_draws("rbf(sigma=1)", &narrow, 256, FrequencyDraw::Quasi, 100).1;
    let plain = over_draws(
        "rbf(sigma=1)",
        &narrow,
        256,
        FrequencyDraw::Independent,
        100,
    )
    .1;
    assert!(even < 0.4 * plain, "{even} {plain}");
}

/// The bound of the course asks 5536 pairs for an error below 0.2 with probability 0.95.
#[test]
fn the_bound_holds() {
    let grid: Vec<f64> = (0..15)
        .map(|i| f64::from(i) / 14.0 * 2.0_f64.sqrt())
        .collect();
    let points = Matrix::from_fn(225, 2, |i, c| grid[if c == 0 { i % 15 } else { i / 15 }]);
    let records = Records::from_points(points);
    let kernel = resolved("rbf(sigma=1)", &records);
    for seed in 0..5 {
        let draw = FrequencyDraw::Independent;
        let map = FourierMap::draw(&kernel, &records.features, 5536, draw, seed).unwrap();
        let context = FitContext::default();
        let found = context
            .install(|| FeatureMap::from(map).measured_error(&records, &context))
            .unwrap()
            .unwrap();
        assert!(found.largest < 0.2, "{found:?}");
        // And far from tight: an error is some 1/√(2D).
        assert!(found.root_mean_square < 0.02, "{found:?}");
    }
}

fn features(map: &FourierMap, records: &Records, par: Par) -> Vec<f32> {
    let bound = FeatureMap::from(map.clone()).bind(Precision::F32).unwrap();
    let mut out = vec![0.0; records.len() * bound.width()];
    bound
        .fill(records, 0..records.len(), &mut out, par)
        .unwrap();
    out
}

#[test]
fn neither_threads_nor_blocks_change_a_bit() {
    let dense = rows(700, 20, 5);
    let sparse = Csr::from_dense(
        Matrix::from_fn(
            300,
            20,
            |i, j| if (i + j) % 4 == 0 { dense[(i, j)] } else { 0.0 },
        )
        .as_ref(),
    );
    for points in [Points::from(dense), Points::from(sparse)] {
        let records = Records::from_points(points);
        let kernel = resolved("rbf", &records);
        for draw in [FrequencyDraw::Orthogonal, FrequencyDraw::Structured] {
            let map = FourierMap::draw(&kernel, &records.features, 75, draw, 1).unwrap();
            let whole = features(&map, &records, Par::Sequential);
            assert_eq!(whole, features(&map, &records, Par::Rayon));
            let bound = FeatureMap::from(map.clone()).bind(Precision::F32).unwrap();
            let mut start = 0;
            for step in [1, 2, 95, 7, 120].into_iter().cycle() {
                let end = (start + step).min(records.len());
                let mut part = vec![0.0; (end - start) * 150];
                bound
                    .fill(&records, start..end, &mut part, Par::Sequential)
                    .unwrap();
                assert_eq!(part, whole[start * 150..end * 150], "{draw:?} {start}");
                start = end;
                if start == records.len() {
                    break;
                }
            }
            // Single precision differs from double by rounding.
            let mut double = vec![0.0; records.len() * 150];
            bound
                .fill_double(&records, 0..records.len(), &mut double, Par::Sequential)
                .unwrap();
            let worst = whole
                .iter()
                .zip(&double)
                .map(|(a, b)| (f64::from(*a) - b).abs());
            assert!(worst.fold(0.0, f64::max) < 2e-6);
        }
    }
}

#[test]
fn zeros_that_are_stored_are_zeros() {
    let dense = Matrix::from_fn(40, 6, |i, j| {
        if (i * j) % 3 == 0 {
            0.0
        } else {
            (i + j) as f64 / 9.0
        }
    });
    let sparse = Records::from_points(Csr::from_dense(dense.as_ref()));
    let dense = Records::from_points(dense);
    let kernel = resolved("rbf(gamma=0.3)", &dense);
    for draw in [FrequencyDraw::Orthogonal, FrequencyDraw::Structured] {
        // Fitted to either form, with and without a shift.
        for fitted in [&dense, &sparse] {
            let map = FourierMap::draw(&kernel, &fitted.features, 50, draw, 2).unwrap();
            let (a, b) = (
                features(&map, &dense, Par::Sequential),
                features(&map, &sparse, Par::Sequential),
            );
            let worst = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
            assert!(worst.fold(0.0, f32::max) < 1e-6, "{draw:?}");
        }
    }
}

#[test]
fn rows_far_away_have_finite_features() {
    let records = Records::from_points(Matrix::from_vec(3, 1, vec![1e9, 1e9 + 1.0, 1e300]));
    let kernel = resolved("rbf(gamma=0.5)", &records);
    for draw in [FrequencyDraw::Orthogonal, FrequencyDraw::Quasi] {
        let near = records.select(&[0, 1]);
        let map = FourierMap::draw(&kernel, &near.features, 4000, draw, 0).unwrap();
        let all = features(&map, &records, Par::Sequential);
        assert!(all.iter().all(|v| v.is_finite() && v.abs() <= 1.0));
        // Far from zero, but near each other.
        assert!((value(&map, &near) - (-0.5_f64).exp()).abs() < 0.05);
    }
}

#[test]
fn given_frequencies_are_scikit_learns_form() {
    let records = Records::from_points(Matrix::from_vec(2, 2, vec![0.5, 2.0, -1.0, 3.0]));
    let kernel = resolved("rbf(gamma=1)", &records);
    let weights = Matrix::from_vec(3, 2, vec![0.3, -1.0, 2.0, 0.7, 40.0, -9.0]);
    let offsets = vec![0.1, 6.0, 3.0];
    let amplitude = (2.0_f64 / 3.0).sqrt();
    let map = FourierMap::given(
        &kernel,
        &records.features,
        weights.clone(),
        offsets.clone(),
        amplitude,
    );
    let map = FeatureMap::from(map.unwrap());
    let context = FitContext::default().threads(1);
    let found = map
        .bind(Precision::F64)
        .unwrap()
        .features(&records, &context)
        .unwrap();
    let Points::Double(crate::data::Block::Dense(x)) = &records.features.points else {
        unreachable!("dense rows");
    };
    for i in 0..2 {
        for j in 0..3 {
            let wanted = amplitude * (dot(weights.row(j), x.row(i)) + offsets[j]).cos();
            assert!((found[(i, j)] - wanted).abs() < 1e-14);
        }
    }
    let wrong = FourierMap::given(&kernel, &records.features, weights, vec![0.0; 2], 1.0);
    assert!(wrong.is_err());
}

#[test]
fn many_columns_are_no_place_for_even_coverage() {
    let records = Records::from_points(rows(2, 30, 0));
    let kernel = resolved("rbf", &records);
    let error = FourierMap::draw(&kernel, &records.features, 10, FrequencyDraw::Quasi, 0);
    assert!(error.unwrap_err().to_string().contains("quasi-random"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Errors of independent draws are within what their variance allows.
    #[test]
    fn errors_are_within_the_law(seed in 0_u64..1000, gamma in 0.05..2.0_f64, d in 1_usize..5) {
        let records = Records::from_points(rows(2, d, seed));
        let kernel = resolved(&format!("rbf(gamma={gamma})"), &records);
        let exact = kernel.gram(&records, Par::Sequential).unwrap()[(0, 1)];
        let pairs = 2000;
        let draw = FrequencyDraw::Independent;
        let map = FourierMap::draw(&kernel, &records.features, pairs, draw, seed).unwrap();
        // k(2δ) of a Gaussian is k(δ)⁴.
        let spread = ((0.5 * (1.0 + exact.powi(4)) - exact * exact) / pairs as f64).max(0.0).sqrt();
        prop_assert!((value(&map, &records) - exact).abs() <= 5.0 * spread + 1e-12);
    }
}
