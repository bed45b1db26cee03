//! Slopes against differences, and the solvers against each other.

use mercer_linalg::{LinearRows, Matrix};

use super::*;
use crate::fit::FitContext;

/// Numbers in (−1, 1) without a pattern.
fn value(i: usize, j: usize) -> f64 {
    let mixed = (i as u64 + 3).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (j as u64 + 11).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / 2.0_f64.powi(52) - 1.0
}

fn rows(n: usize, d: usize) -> LinearRows {
    let matrix = Matrix::from_fn(n, d, value);
    LinearRows::double(matrix.into(), (0..n as u32).collect())
}

/// Rows of many columns with ten values each.
fn texts(n: usize, d: usize) -> LinearRows {
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..n {
        let columns: std::collections::BTreeSet<u32> = (0..10)
            .map(|k| (f64::midpoint(value(i, k), 1.0) * d as f64) as u32)
            .collect();
        values.extend(columns.iter().map(|&j| 1.0 + value(i, j as usize)));
        indices.extend(columns);
        starts.push(indices.len());
    }
    LinearRows::sparse(d, starts, indices, values)
}

fn signs(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| (value(i, 0) + 0.8 * value(i, 77)).signum())
        .collect()
}

fn prices(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 + (i % 3) as f64).collect()
}

fn limits(tolerance: f64) -> Limits {
    Limits {
        tolerance,
        iterations: 100_000,
        seed: 0,
    }
}

fn space(rows: &LinearRows, constant: f64, constant_penalty: f64) -> Space<'_> {
    Space {
        rows,
        constant,
        penalty: 1.0,
        constant_penalty,
    }
}

fn check_slopes(loss: &impl Smooth, n: usize) {
    let outputs = loss.outputs();
    let at: Vec<f64> = (0..n * outputs).map(|k| 2.0 * value(k, 5)).collect();
    let (mut slopes, mut place) = (at.clone(), at.clone());
    loss.expand(0..n, &at, &mut slopes, &mut place);
    let step = 1e-6;
    for row in 0..n {
        let run = row..row + 1;
        let own = &at[row * outputs..(row + 1) * outputs];
        for output in 0..outputs {
            let moved = |by: f64| {
                let mut moved = own.to_vec();
                moved[output] += by;
                moved
            };
            let (up, down) = (moved(step), moved(-step));
            let rise = loss.value(run.clone(), &up) - loss.value(run.clone(), &down);
            let found = slopes[row * outputs + output];
            assert!((rise / (2.0 * step) - found).abs() < 1e-6, "{rise} {found}");
            // The change of all slopes along this output is its column of the curvature.
            let slope_at = |decisions: &[f64]| {
                let (mut slopes, mut place) = (vec![0.0; outputs], vec![0.0; outputs]);
                loss.expand(run.clone(), decisions, &mut slopes, &mut place);
                slopes
            };
            let mut bent = vec![0.0; outputs];
            bent[output] = 1.0;
            let own_place = &place[row * outputs..(row + 1) * outputs];
            loss.curve(run.clone(), own_place, &mut bent);
            for (k, (up, down)) in slope_at(&up).iter().zip(slope_at(&down)).enumerate() {
                assert!(((up - down) / (2.0 * step) - bent[k]).abs() < 1e-5);
            }
            let mut alone = [0.0];
            loss.curvature(run.clone(), own_place, output, &mut alone);
            assert!((alone[0] - bent[output]).abs() < 1e-12);
        }
    }
}

#[test]
fn slopes_and_curvatures_are_those_of_the_losses() {
    let n = 40;
    let (signs, prices) = (signs(n), prices(n));
    let (signs, prices) = (&signs[..], &prices[..]);
    check_slopes(&Logistic { signs, prices }, n);
    check_slopes(&SquaredHinge { signs, prices }, n);
    let targets: Vec<f64> = (0..n).map(|i| value(i, 9)).collect();
    let targets = &targets[..];
    check_slopes(
        &SquaredTube {
            targets,
            epsilon: 0.1,
            prices,
        },
        n,
    );
    let codes: Vec<u32> = (0..n as u32).map(|i| i % 3).collect();
    check_slopes(
        &Softmax {
            codes: &codes,
            prices,
            classes: 3,
        },
        n,
    );
}

#[test]
fn extreme_decisions_stay_numbers() {
    let (signs, prices) = (&[1.0, -1.0][..], &[1.0, 1.0][..]);
    let at = [1e300, 1e300];
    let (mut slopes, mut place) = ([0.0; 2], [0.0; 2]);
    let loss = Logistic { signs, prices };
    assert_eq!(loss.value(0..2, &at), 1e300);
    loss.expand(0..2, &at, &mut slopes, &mut place);
    assert_eq!((slopes, place), ([0.0, 1.0], [0.0, 0.0]));
    let loss = Softmax {
        codes: &[0],
        prices,
        classes: 2,
    };
    assert_eq!(loss.value(0..1, &[-1e300, 1e300]), 2e300);
}

#[test]
fn interior_point_and_coordinate_descent_agree() {
    let context = FitContext::default().threads(1);
    for (rows, constant, free) in [
        (rows(200, 3), 0.0, false),
        (rows(200, 3), 2.0, false),
        (rows(200, 3), 1.0, true),
        (texts(60, 300), 1.0, false),
        (texts(60, 300), 1.0, true),
    ] {
        let n = rows.rows();
        let space = space(&rows, constant, if free { 0.0 } else { 1.0 });
        for two_sided in [false, true] {
            let edges = if two_sided {
                let y: Vec<f64> = (0..n).map(|i| 2.0 * value(i, 1) + value(i, 33)).collect();
                Edges {
                    signs: [vec![1.0; n], vec![-1.0; n]].concat(),
                    targets: y
                        .iter()
                        .map(|y| y - 0.1)
                        .chain(y.iter().map(|y| -y - 0.1))
                        .collect(),
                    prices: [prices(n), prices(n)].concat(),
                    squared: false,
                }
            } else {
                Edges {
                    signs: signs(n),
                    targets: vec![1.0; n],
                    prices: prices(n),
                    squared: false,
                }
            };
            let one = interior_point(&space, &edges, limits(1e-9), &context);
            let other = descend(&space, &edges, limits(1e-7), &context);
            for solution in [&one, &other] {
                assert_eq!(solution.stop_reason, StopReason::Converged, "{solution:?}");
            }
            let off = (one.primal - other.primal).abs() / one.primal;
            assert!(off < 1e-5, "{} {} {off:e}", one.primal, other.primal);
            assert!(one.primal <= other.primal * (1.0 + 1e-8));
        }
    }
}

#[test]
fn newton_and_coordinate_descent_agree_on_the_squared_hinge() {
    let context = FitContext::default().threads(1);
    for (rows, narrow) in [(rows(200, 4), true), (texts(80, 4500), false)] {
        let n = rows.rows();
        let (signs, prices) = (signs(n), prices(n));
        let space = space(&rows, 1.0, 1.0);
        assert_eq!(space.is_narrow(1), narrow);
        let loss = SquaredHinge {
            signs: &signs,
            prices: &prices,
        };
        let one = newton(&space, &loss, limits(1e-12), None, &context);
        let edges = Edges {
            signs: signs.clone(),
            targets: vec![1.0; n],
            prices: prices.clone(),
            squared: true,
        };
        let other = descend(&space, &edges, limits(1e-10), &context);
        assert_eq!(one.stop_reason, StopReason::Converged);
        assert_eq!(other.stop_reason, StopReason::Converged);
        assert!((one.primal - other.primal).abs() < 1e-9 * one.primal);
        for (a, b) in one.weights.iter().zip(&other.weights) {
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
        assert!(one.violation < 1e-4);
    }
}
