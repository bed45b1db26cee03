//! Lloyd's steps, one by one.

use mercer::fit::FitContext;
use mercer::learn::cluster::KMeans;
use mercer_linalg::Matrix;

use super::{groups, records};

/// Σ of squared distances of rows from the centres that they are told to belong to.
fn cost(x: &Matrix<f64>, centres: &Matrix<f64>, labels: &[u32]) -> f64 {
    let rows = labels.iter().enumerate();
    rows.map(|(i, &label)| {
        let pairs = x.row(i).iter().zip(centres.row(label as usize));
        pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>()
    })
    .sum()
}

#[test]
fn the_worked_steps_of_the_course() {
    let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 10.0, 11.0]);
    let start = Matrix::from_vec(2, 1, vec![0.0, 1.0]);
    let after = |steps: u64| {
        let method = KMeans::default().clusters(2).max_iterations(steps);
        let found = method.solve(&records(&x), None, Some(&start), &FitContext::default());
        found.expect("clusters")
    };
    let first = after(1);
    // 0 stays alone; 1, 10 and 11 are nearest to the centre 1.
    assert!((first.centres[(0, 0)] - 0.0).abs() < 1e-12);
    assert!((first.centres[(1, 0)] - 22.0 / 3.0).abs() < 1e-12);
    assert!((cost(&x, &first.centres, &[0, 1, 1, 1]) - 60.667).abs() < 5e-4);
    let last = after(300);
    assert_eq!(last.centres.as_slice(), [0.5, 10.5]);
    assert_eq!(last.labels, [0, 0, 1, 1]);
    assert!((last.inertia - 1.0).abs() < 1e-12);
}

#[test]
fn the_objective_never_rises() {
    // Few columns go by bounds, many by products.
    for columns in [2, 40] {
        let x = groups(400, columns, 9, 5);
        let start = Matrix::from_fn(7, columns, |i, j| x[(i, j)]);
        let mut last = f64::INFINITY;
        for steps in 1..15 {
            let method = KMeans::default()
                .clusters(7)
                .tolerance(0.0)
                .max_iterations(steps);
            let found = method
                .solve(&records(&x), None, Some(&start), &FitContext::default())
                .expect("clusters");
            assert!(
                found.inertia <= last * (1.0 + 1e-12),
                "{columns} columns: {} after {last}",
                found.inertia
            );
            assert!((cost(&x, &found.centres, &found.labels) / found.inertia - 1.0).abs() < 1e-9);
            last = found.inertia;
        }
    }
}
