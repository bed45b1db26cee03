//! Few rows, all partitions: with enough starts the best one is found.

use mercer::fit::FitContext;
use mercer::learn::cluster::{Init, KMeans};
use mercer_linalg::Matrix;

use super::{groups, records};

/// Σ w d² of a partition around the means of its parts.
fn cost(x: &Matrix<f64>, weights: &[f64], parts: &[usize], k: usize) -> f64 {
    let mut cost = 0.0;
    for part in 0..k {
        let members: Vec<usize> = (0..x.rows()).filter(|&i| parts[i] == part).collect();
        let total: f64 = members.iter().map(|&i| weights[i]).sum();
        for j in 0..x.columns() {
            let sum: f64 = members.iter().map(|&i| weights[i] * x[(i, j)]).sum();
            let mean = sum / total;
            let squares = members
                .iter()
                .map(|&i| weights[i] * (x[(i, j)] - mean).powi(2));
            cost += squares.sum::<f64>();
        }
    }
    cost
}

/// The least cost of all partitions into k parts that have rows.
fn least(x: &Matrix<f64>, weights: &[f64], k: usize) -> f64 {
    let n = x.rows();
    let mut best = f64::INFINITY;
    for code in 0..k.pow(n as u32) {
        let parts: Vec<usize> = (0..n).map(|i| code / k.pow(i as u32) % k).collect();
        if (0..k).all(|part| parts.contains(&part)) {
            best = best.min(cost(x, weights, &parts, k));
        }
    }
    best
}

#[test]
fn enough_starts_find_the_best_partition() {
    for (case, &(n, k)) in [(5, 2), (7, 2), (9, 2), (6, 3), (8, 3), (9, 3)]
        .iter()
        .enumerate()
    {
        for init in [Init::KMeansPlusPlus, Init::Random] {
            let x = groups(n, 2, n, 40 + case as u64);
            let weights: Vec<f64> = (0..n).map(|i| [1.0, 2.0, 0.5][i % 3]).collect();
            for weights in [vec![1.0; n], weights] {
                let found = KMeans::default()
                    .clusters(k)
                    .init(init)
                    .starts(Some(60))
                    .tolerance(0.0)
                    .solve(&records(&x), Some(&weights), None, &FitContext::default())
                    .expect("rows");
                let best = least(&x, &weights, k);
                assert!(
                    (found.inertia - best).abs() <= 1e-10 * best,
                    "{n} rows, {k} clusters, {init:?}: {} instead of {best}",
                    found.inertia
                );
            }
        }
    }
}

#[test]
fn a_run_never_beats_the_best_partition_and_ends_at_means() {
    let x = groups(9, 2, 3, 5);
    let best = least(&x, &[1.0; 9], 3);
    for seed in 0..20 {
        let found = KMeans::default()
            .clusters(3)
            .init(Init::Random)
            .starts(Some(1))
            .tolerance(0.0)
            .solve(&records(&x), None, None, &FitContext::default().seed(seed))
            .expect("rows");
        assert!(found.inertia >= best * (1.0 - 1e-12), "seed {seed}");
        let parts: Vec<usize> = found.labels.iter().map(|&l| l as usize).collect();
        let own = cost(&x, &[1.0; 9], &parts, 3);
        assert!((found.inertia - own).abs() <= 1e-10 * own, "seed {seed}");
    }
}
