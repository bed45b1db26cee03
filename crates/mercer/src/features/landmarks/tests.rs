//! Landmarks against the worked numbers, and their choices against each other.

use mercer_linalg::{Matrix, Par, Precision, dot};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::Result;
use crate::data::random::normal;
use crate::data::{Edge, Graph, Records};
use crate::features::FeatureMap;
use crate::fit::FitContext;
use crate::kernel::{KernelSpec, ResolvedKernel};

const RULES: [LandmarkRule; 4] = [
    LandmarkRule::Pivoted,
    LandmarkRule::Uniform,
    LandmarkRule::SquaredDiagonal,
    LandmarkRule::Kmeans,
];

fn resolved(text: &str, records: &Records) -> ResolvedKernel {
    let spec: KernelSpec = text.parse().unwrap();
    spec.resolve(records, None).unwrap().0
}

fn course() -> (Records, ResolvedKernel) {
    let records = Records::from_points(Matrix::from_vec(4, 1, vec![0.0, 1.0, 2.0, 3.0]));
    let kernel = resolved("rbf(gamma=0.5)", &records);
    (records, kernel)
}

fn map_of(kernel: &ResolvedKernel, records: &Records, rows: &[usize]) -> LandmarkMap {
    let context = FitContext::default().threads(1);
    let landmarks = Landmarks::of_rows(records, rows.to_vec()).unwrap();
    LandmarkMap::try_new(kernel.clone(), landmarks, Precision::F64, &context).unwrap()
}

fn choose(
    rule: LandmarkRule,
    kernel: &ResolvedKernel,
    records: &Records,
    weights: Option<&[f64]>,
    count: usize,
    context: &FitContext,
) -> Result<Landmarks> {
    context.install(|| rule.choose(kernel, records, weights, count, context))?
}

fn trace(map: &LandmarkMap, records: &Records) -> f64 {
    let context = FitContext::default().threads(1);
    map.residuals(records, &context).unwrap().iter().sum()
}

#[test]
fn the_landmarks_of_the_course() {
    let (records, kernel) = course();
    let context = FitContext::default().threads(1);
    let map = map_of(&kernel, &records, &[0, 3]);
    map.check().unwrap();
    let residuals = map.residuals(&records, &context).unwrap();
    assert!((residuals.iter().sum::<f64>() - 1.231_162_49).abs() < 5e-9);
    assert!((residuals[1] - 0.615_581_24).abs() < 5e-9);
    assert!(residuals[0] < 1e-12);
    let bound = FeatureMap::from(map).bind(Precision::F64).unwrap();
    let features = bound.features(&records, &context).unwrap();
    assert!((dot(features.row(1), features.row(2)) - 0.159_899_49).abs() < 5e-9);
    let all = map_of(&kernel, &records, &[0, 1, 2, 3]);
    assert!(trace(&all, &records) < 1e-12);
    // As `judge::bounds` has it from a whole matrix.
    let gram = kernel.gram(&records, Par::Sequential).unwrap();
    let other = crate::judge::bounds::features::landmark_error(&gram, &[0, 3]).unwrap();
    for (a, b) in residuals.iter().zip(&other.residuals) {
        assert!((a - b).abs() < 1e-12);
    }
}

#[test]
fn sums_of_raw_features_are_finished_afterwards() {
    let (records, kernel) = course();
    let map = FeatureMap::from(map_of(&kernel, &records, &[1, 3, 0]));
    let bound = map.bind(Precision::F32).unwrap();
    let mut raw = vec![0.0; 12];
    bound
        .fill(&records, 0..4, &mut raw, Par::Sequential)
        .unwrap();
    for (i, line) in raw.chunks_exact(3).enumerate() {
        for (value, landmark) in line.iter().zip([1.0, 3.0, 0.0]) {
            let wanted = (-0.5 * (i as f64 - landmark).powi(2)).exp();
            assert!((f64::from(*value) - wanted).abs() < 1e-6);
        }
    }
    // Tᵀ (Σ k kᵀ) T = Σ φ φᵀ.
    let context = FitContext::default().threads(1);
    let phi = bound.features(&records, &context).unwrap();
    let t = &map.finish().unwrap().transform;
    for a in 0..3 {
        for b in 0..3 {
            let sums = |k: usize, l: usize| {
                (0..4)
                    .map(|i| f64::from(raw[3 * i + k] * raw[3 * i + l]))
                    .sum::<f64>()
            };
            let mut finished = 0.0;
            for k in 0..3 {
                for l in 0..3 {
                    finished += t[(k, a)] * sums(k, l) * t[(l, b)];
                }
            }
            let wanted: f64 = (0..4).map(|i| phi[(i, a)] * phi[(i, b)]).sum();
            assert!((finished - wanted).abs() < 1e-5);
        }
    }
}

#[test]
fn copies_of_landmarks_change_nothing() {
    let (records, kernel) = course();
    let map = map_of(&kernel, &records, &[0, 3]);
    let twice = map_of(&kernel, &records, &[0, 3, 0, 0, 3]);
    let whitening = twice.whitening.as_ref().unwrap();
    assert_eq!((whitening.rank, twice.width()), (2, 5));
    assert!((trace(&map, &records) - trace(&twice, &records)).abs() < 1e-9);
    // Of a polynomial only as many as it has features.
    let poly = resolved("poly(degree=2, offset=1, scale=1)", &records);
    let map = map_of(&poly, &records, &[0, 1, 2, 3]);
    assert_eq!(map.whitening.as_ref().unwrap().rank, 3);
    assert!(trace(&map, &records) < 1e-9);
}

/// Single precision blows up what is below its own rounding, so that less of the spectrum counts.
#[test]
fn single_precision_keeps_fewer_directions() {
    let points = Matrix::from_fn(60, 1, |i, _| i as f64 / 60.0);
    let records = Records::from_points(points);
    let kernel = resolved("rbf(gamma=1)", &records);
    let context = FitContext::default().threads(1);
    let rank = |precision| {
        let landmarks = Landmarks::of_rows(&records, (0..60).collect()).unwrap();
        let map = LandmarkMap::try_new(kernel.clone(), landmarks, precision, &context).unwrap();
        map.whitening.unwrap().rank
    };
    let (single, double) = (rank(Precision::F32), rank(Precision::F64));
    assert!(single < double && double < 60, "{single} {double}");
}

/// Rows in tight groups of very different sizes.
fn groups(n: usize, seed: u64) -> Records {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let points = Matrix::from_fn(n, 3, |i, c| {
        let group = if i % 10 < 8 { 0 } else { 1 + i % 37 };
        let centre = ((group * (c + 3)) % 23) as f64;
        centre + 0.3 * normal(&mut rng)
    });
    Records::from_points(points)
}

#[test]
fn pivots_leave_less_than_a_uniform_draw() {
    let mut better = 0;
    for seed in 0..10 {
        let records = groups(1500, seed);
        let kernel = resolved("rbf(gamma=0.5)", &records);
        let context = FitContext::default().seed(seed);
        let left = |rule| {
            let landmarks = choose(rule, &kernel, &records, None, 40, &context).unwrap();
            let map = context
                .install(|| {
                    LandmarkMap::try_new(kernel.clone(), landmarks, Precision::F64, &context)
                })
                .unwrap()
                .unwrap();
            trace(&map, &records)
        };
        better += usize::from(left(LandmarkRule::Pivoted) < 0.8 * left(LandmarkRule::Uniform));
    }
    assert!(better >= 9, "{better} of 10");
}

#[test]
fn choices_hang_on_the_seed_and_not_on_threads() {
    let records = groups(900, 1);
    let kernel = resolved("rbf(gamma=0.5)", &records);
    for rule in RULES {
        let of = |threads, seed| {
            let context = FitContext::default().threads(threads).seed(seed);
            choose(rule, &kernel, &records, None, 30, &context).unwrap()
        };
        let (one, two, other) = (of(1, 3), of(2, 3), of(1, 4));
        assert_eq!(one, two, "{rule:?}");
        assert_ne!(one.records, other.records, "{rule:?}");
        assert_eq!(one.records.len(), 30);
        if let Some(mut rows) = one.rows {
            rows.sort_unstable();
            rows.dedup();
            assert_eq!(rows.len(), 30);
        }
    }
}

#[test]
fn rows_without_weight_are_no_landmarks() {
    let records = groups(200, 2);
    let kernel = resolved("rbf(gamma=0.5)", &records);
    let weights: Vec<f64> = (0..200).map(|i| f64::from(u8::from(i % 3 == 0))).collect();
    let context = FitContext::default();
    for rule in RULES {
        let found = choose(rule, &kernel, &records, Some(&weights), 150, &context).unwrap();
        assert!(found.records.len() <= 67, "{rule:?}");
        assert!(
            found
                .notes
                .iter()
                .any(|note| note.text().contains("landmarks instead of 150"))
        );
        assert!(
            found
                .rows
                .is_none_or(|rows| rows.iter().all(|row| row % 3 == 0))
        );
    }
    let none = vec![0.0; 200];
    assert!(
        choose(
            LandmarkRule::Uniform,
            &kernel,
            &records,
            Some(&none),
            5,
            &context
        )
        .is_err()
    );
}

#[test]
fn the_smallest_cases() {
    let context = FitContext::default();
    let one = Records::from_points(Matrix::from_vec(1, 2, vec![1.0, 2.0]));
    let equal = Records::from_points(Matrix::from_vec(4, 1, vec![2.0; 4]));
    for rule in RULES {
        let kernel = resolved("rbf(gamma=1)", &one);
        let found = choose(rule, &kernel, &one, None, 7, &context).unwrap();
        assert_eq!(found.records.len(), 1, "{rule:?}");
        let found = choose(rule, &kernel, &equal, None, 1, &context).unwrap();
        assert_eq!(found.records.len(), 1, "{rule:?}");
        let found = choose(rule, &kernel, &equal, None, 3, &context).unwrap();
        let map = LandmarkMap::try_new(kernel, found, Precision::F64, &context).unwrap();
        assert_eq!(map.whitening.as_ref().unwrap().rank, 1, "{rule:?}");
        assert!(trace(&map, &equal) < 1e-12);
    }
    // Rows that are nothing under the kernel.
    let zeros = Records::from_points(Matrix::<f64>::zeros(3, 2));
    let linear = resolved("linear", &zeros);
    assert!(choose(LandmarkRule::Pivoted, &linear, &zeros, None, 2, &context).is_err());
    let drawn = choose(LandmarkRule::Uniform, &linear, &zeros, None, 2, &context).unwrap();
    assert!(LandmarkMap::try_new(linear, drawn, Precision::F64, &context).is_err());
    assert!(Landmarks::of_rows(&zeros, vec![3]).is_err());
    assert!(Landmarks::of_rows(&zeros, Vec::new()).is_err());
}

#[test]
fn texts_and_graphs_have_landmarks() {
    let words = [
        "anna", "hanna", "banana", "ananas", "kernel", "colonel", "kern", "fern",
    ];
    let texts = Records::from_texts(words);
    let path = |labels: &[u32]| {
        let edges: Vec<Edge> = (1..labels.len() as u32)
            .map(|v| Edge {
                from: v - 1,
                to: v,
                label: 0,
            })
            .collect();
        Graph::try_new(labels.to_vec(), &edges).unwrap()
    };
    let graphs = Records::from_graphs([
        path(&[0, 0, 1]),
        path(&[0, 1, 0]),
        path(&[1, 1, 1, 0]),
        path(&[2, 0]),
        path(&[0]),
        path(&[0, 0, 1]),
    ]);
    for (records, text) in [
        (texts, "normalise(spectrum(length=2))"),
        (graphs, "wl(iterations=2)"),
    ] {
        let kernel = resolved(text, &records);
        let context = FitContext::default();
        for rule in [
            LandmarkRule::Pivoted,
            LandmarkRule::Uniform,
            LandmarkRule::SquaredDiagonal,
        ] {
            let n = records.len();
            let found = choose(rule, &kernel, &records, None, n, &context).unwrap();
            let map =
                LandmarkMap::try_new(kernel.clone(), found, Precision::F64, &context).unwrap();
            let top: f64 = FeatureMap::from(map.clone())
                .bind(Precision::F64)
                .unwrap()
                .diagonal(&records)
                .unwrap()
                .iter()
                .sum();
            assert!(trace(&map, &records) < 1e-8 * top, "{text} {rule:?}");
        }
        let error = choose(LandmarkRule::Kmeans, &kernel, &records, None, 2, &context);
        assert!(error.unwrap_err().to_string().contains("kmeans"));
    }
}

#[test]
fn blocks_of_rows_change_no_bit() {
    let records = groups(400, 4);
    let kernel = resolved("matern(1.5, 2)", &records);
    let map = FeatureMap::from(map_of(&kernel, &records, &(0..50).collect::<Vec<_>>()));
    let bound = map.bind(Precision::F32).unwrap();
    let mut whole = vec![0.0; 400 * 50];
    bound
        .fill(&records, 0..400, &mut whole, Par::Rayon)
        .unwrap();
    for (start, end) in [(0, 1), (1, 130), (130, 131), (131, 400)] {
        let mut part = vec![0.0; (end - start) * 50];
        bound
            .fill(&records, start..end, &mut part, Par::Sequential)
            .unwrap();
        assert_eq!(part, whole[start * 50..end * 50]);
    }
}

#[test]
fn triangular_roots_are_those_of_matrices_far_from_singular() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let records = Records::from_points(Matrix::from_fn(60, 8, |_, _| normal(&mut rng)));
    let gram = |text: &str| {
        let kernel = resolved(text, &records);
        kernel.gram(&records, Par::Sequential).unwrap()
    };
    let near = gram("rbf(gamma=0.5)");
    let root = Whitening::triangular(&near, Par::Sequential).unwrap();
    let m = near.rows();
    assert_eq!(root.rank, m);
    for i in 0..m {
        assert!(root.transform.row(i)[..i].iter().all(|v| *v == 0.0));
        for j in 0..m {
            // TTᵀK = 1.
            let inverse = |k: usize| dot(root.transform.row(i), root.transform.row(k));
            let found: f64 = (0..m).map(|k| inverse(k) * near[(k, j)]).sum();
            let expected = f64::from(u8::from(i == j));
            assert!((found - expected).abs() < 1e-12, "{i} {j}: {found}");
        }
    }
    let values = mercer_linalg::symmetric_eigenvalues(near.as_ref()).unwrap();
    assert!(values[0] > root.floor && values[m - 1] <= root.largest);
    // The least eigenvalue is below the share that is asked for, or below zero, or all are zero.
    let smooth = gram("rbf(gamma=0.01)");
    let least = mercer_linalg::symmetric_eigenvalues(smooth.as_ref()).unwrap()[0];
    assert!(least < 2e-2);
    for poor in [
        smooth,
        gram("sigmoid(scale=1, offset=-1)"),
        Matrix::zeros(3, 3),
    ] {
        assert!(Whitening::triangular(&poor, Par::Sequential).is_none());
    }
}
