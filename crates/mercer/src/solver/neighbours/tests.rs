//! Every way to search finds what a plain loop finds, bit for bit.

use mercer_linalg::{Matrix, Par};
use proptest::prelude::*;

use super::best::{Found, Wanted};
use super::index::{Index, IndexChoice};
use super::metric::DistanceMetric;
use crate::fit::Cancel;

/// The neighbours of rows by a plain loop and a sort.
fn plain(
    points: &Matrix<f64>,
    queries: &Matrix<f64>,
    metric: DistanceMetric,
    wanted: Wanted,
) -> Found {
    let mut found = Found {
        starts: vec![0],
        ..Found::default()
    };
    for query in 0..queries.rows() {
        let mut all: Vec<(f64, u32)> = (0..points.rows())
            .map(|row| (metric.pair(queries.row(query), points.row(row)), row as u32))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        match wanted {
            Wanted::Nearest(k) => all.truncate(k),
            Wanted::Within(radius) => all.retain(|near| near.0 <= metric.of_distance(radius)),
        }
        for (reduced, row) in all {
            found.rows.push(row);
            found.distances.push(metric.distance(reduced));
        }
        found.starts.push(found.rows.len());
    }
    found
}

fn compare(points: &Matrix<f64>, queries: &Matrix<f64>, metric: DistanceMetric, wanted: Wanted) {
    let expected = plain(points, queries, metric, wanted);
    for choice in [IndexChoice::Auto, IndexChoice::Tree, IndexChoice::Brute] {
        for par in [Par::Sequential, Par::Rayon] {
            let index = Index::new(points.clone(), metric, choice);
            let found = index.search(queries, wanted, par, &Cancel::default());
            // Not `assert_eq`: lists of thousands of rows help nobody.
            assert!(
                found.unwrap() == expected,
                "{metric:?} {choice:?} {wanted:?} {} rows of {}",
                points.rows(),
                points.columns()
            );
        }
    }
}

/// Rows with as many repeated values as `steps` are few.
fn rows(state: &mut u64, n: usize, d: usize, steps: u64, offset: f64) -> Matrix<f64> {
    Matrix::from_fn(n, d, |_, _| {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        offset + ((*state >> 33) % steps) as f64 / 7.0
    })
}

const METRICS: [DistanceMetric; 4] = [
    DistanceMetric::Euclidean,
    DistanceMetric::Manhattan,
    DistanceMetric::Chebyshev,
    DistanceMetric::Minkowski(3.0),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn all_ways_find_the_same(
        seed in 0_u64..1 << 40,
        n in 1_usize..400,
        d in 0_usize..12,
        k in 1_usize..20,
        steps in prop_oneof![Just(2_u64), Just(5), Just(1 << 30)],
        offset in prop_oneof![Just(0.0), Just(1e7), Just(-3.0)],
    ) {
        let mut state = seed;
        let points = rows(&mut state, n, d, steps, offset);
        let mut queries = rows(&mut state, 9, d, steps, offset);
        // Some of the rows themselves, and one far away.
        for row in 0..n.min(4) {
            queries.row_mut(row).copy_from_slice(points.row(row * n / 4));
        }
        queries.row_mut(8).fill(1e12);
        for metric in METRICS {
            compare(&points, &queries, metric, Wanted::Nearest(k));
            compare(&points, &queries, metric, Wanted::Within(1.0));
        }
    }
}

#[test]
fn many_rows_and_columns() {
    let mut state = 5;
    for (n, d) in [(3000, 3), (2500, 70), (400, 300)] {
        for steps in [2, 3, 1 << 30] {
            let points = rows(&mut state, n, d, steps, 0.0);
            let queries = rows(&mut state, 100, d, steps, 0.0);
            compare(
                &points,
                &queries,
                DistanceMetric::Euclidean,
                Wanted::Nearest(5),
            );
        }
    }
}

#[test]
fn equal_rows_and_extreme_numbers() {
    let ones = Matrix::from_vec(500, 2, vec![1.0; 1000]);
    compare(&ones, &ones, DistanceMetric::Euclidean, Wanted::Nearest(3));
    for size in [1e-300, 1e-30, 1e30, 1e150] {
        let mut state = 9;
        let points = rows(&mut state, 300, 4, 1 << 30, 0.0);
        let points = Matrix::from_fn(300, 4, |i, j| size * points[(i, j)]);
        compare(
            &points,
            &points,
            DistanceMetric::Euclidean,
            Wanted::Nearest(4),
        );
    }
}

#[test]
fn angles_are_compared() {
    // Rows of length one, and one of length zero.
    let points = Matrix::from_vec(3, 2, vec![1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let queries = Matrix::from_vec(1, 2, vec![0.6, 0.8]);
    compare(
        &points,
        &queries,
        DistanceMetric::Cosine,
        Wanted::Nearest(3),
    );
    let index = Index::new(points, DistanceMetric::Cosine, IndexChoice::Auto);
    let found = index.search(
        &queries,
        Wanted::Nearest(3),
        Par::Sequential,
        &Cancel::default(),
    );
    let found = found.unwrap();
    assert_eq!(found.rows, [1, 0, 2]);
    assert!((found.distances[0] - 0.2).abs() < 1e-15);
    assert_eq!(found.distances[2], 1.0);
}

#[test]
fn a_search_stops() {
    let points = Matrix::<f64>::zeros(10, 2);
    let cancel = Cancel::default();
    cancel.cancel();
    let index = Index::new(points.clone(), DistanceMetric::Euclidean, IndexChoice::Auto);
    let found = index.search(&points, Wanted::Nearest(1), Par::Sequential, &cancel);
    assert_eq!(found, Err(crate::Error::Cancelled));
}
