//! What rows are predicted without themselves: copies, class factors, the pull of the constant.

use mercer::data::Records;
use mercer::kernel::KernelSpec;
use mercer::solver::least_squares::{Problem, Spectrum};
use mercer_linalg::{Matrix, Par};

use super::points::{close, noise, square};

fn gram(kernel: &str, x: &Matrix<f64>) -> Matrix<f64> {
    let kernel: KernelSpec = kernel.parse().expect("a kernel");
    let records = Records::from_points(x.clone());
    kernel.gram(&records, Par::Sequential).expect("a matrix")
}

fn signs(positive: &[bool]) -> Matrix<f64> {
    let values = positive.iter().map(|p| if *p { 1.0 } else { -1.0 });
    Matrix::from_vec(1, positive.len(), values.collect())
}

struct Left {
    /// y − r.
    plain: Vec<f64>,
    /// g.
    held: Vec<f64>,
}

fn left_out(
    gram: &Matrix<f64>,
    targets: &Matrix<f64>,
    ratio: f64,
    weights: Option<&[f64]>,
    factors: Option<&[f64]>,
    intercept: bool,
) -> Left {
    let problem = Problem {
        gram: gram.as_ref(),
        targets,
        weights,
        intercept,
    };
    let solved = problem.solve(ratio, Par::Sequential).expect("definite");
    let diagonal = solved.diagonal(Par::Sequential);
    let residuals = diagonal.leave_copies_out(factors);
    let plain = targets.row(0).iter().zip(residuals.row(0));
    Left {
        plain: plain.map(|(y, r)| y - r).collect(),
        held: diagonal.held_out(targets, factors).row(0).to_vec(),
    }
}

#[test]
fn the_corners_of_a_square() {
    let (x, positive) = square();
    let found = left_out(
        &gram("rbf(gamma=1)", &x),
        &signs(&positive),
        10.0,
        None,
        None,
        true,
    );
    for (i, p) in positive.iter().enumerate() {
        let sign = if *p { 1.0 } else { -1.0 };
        close(found.plain[i], -0.964_876 * sign, 5e-7);
        close(found.held[i], -0.473_657 * sign, 5e-7);
    }
}

#[test]
fn without_a_constant_nothing_pulls() {
    let (x, positive) = noise(20);
    let matrix = gram("rbf(gamma=5)", &x);
    let found = left_out(&matrix, &signs(&positive), 3.0, None, None, false);
    assert_eq!(found.plain, found.held);
}

#[test]
fn copies_and_class_factors_leave_as_a_whole() {
    let (x, positive) = noise(20);
    let matrix = gram("rbf(gamma=5)", &x);
    let targets = signs(&positive);
    let copies: Vec<f64> = (0..20).map(|i| [1.0, 3.0, 0.5, 2.0][i % 4]).collect();
    let factors: Vec<f64> = positive
        .iter()
        .map(|p| if *p { 10.0 } else { 0.3 })
        .collect();
    let weights: Vec<f64> = copies.iter().zip(&factors).map(|(m, c)| m * c).collect();
    let ratio = 4.0;
    let found = left_out(
        &matrix,
        &targets,
        ratio,
        Some(&weights),
        Some(&factors),
        true,
    );
    let total: f64 = weights.iter().sum();
    let mut squares = 0.0;
    for i in 0..20 {
        // The model that is learnt without the copy; a weight of almost 0 is no row at all.
        let copy = factors[i] * copies[i].min(1.0);
        let mut rest = weights.clone();
        rest[i] = (rest[i] - copy).max(1e-12);
        let problem = Problem {
            gram: matrix.as_ref(),
            targets: &targets,
            weights: Some(&rest),
            intercept: true,
        };
        let solved = problem.solve(ratio, Par::Sequential).expect("definite");
        let alpha = solved.coefficients().row(0);
        let f: f64 = alpha
            .iter()
            .zip(matrix.row(i))
            .map(|(a, k)| a * k)
            .sum::<f64>()
            + solved.biases()[0];
        close(found.plain[i], f, 1e-9);
        let y = targets[(0, i)];
        close(found.held[i], y - (1.0 - copy / total) * (y - f), 1e-9);
        squares += weights[i] * (y - f).powi(2);
    }
    // The criterion from the spectrum is about the same rows.
    let problem = Problem {
        gram: matrix.as_ref(),
        targets: &targets,
        weights: Some(&weights),
        intercept: true,
    };
    let spectrum = Spectrum::new(&problem).expect("finite");
    close(
        spectrum.leave_copies_out(ratio, Some(&factors)) / squares,
        1.0,
        1e-9,
    );
}

#[test]
fn a_row_of_weight_three_is_three_rows() {
    let (x, positive) = noise(12);
    let copies: Vec<f64> = (0..12)
        .map(|i| if i % 3 == 0 { 3.0 } else { 1.0 })
        .collect();
    let rows: Vec<usize> = (0..12)
        .flat_map(|i| std::iter::repeat_n(i, copies[i] as usize))
        .collect();
    let all = Matrix::from_fn(rows.len(), 2, |r, c| x[(rows[r], c)]);
    let alike: Vec<bool> = rows.iter().map(|&r| positive[r]).collect();
    let (kernel, ratio) = ("rbf(gamma=5)", 2.0);
    let weighted = left_out(
        &gram(kernel, &x),
        &signs(&positive),
        ratio,
        Some(&copies),
        None,
        true,
    );
    let repeated = left_out(&gram(kernel, &all), &signs(&alike), ratio, None, None, true);
    for (place, &row) in rows.iter().enumerate() {
        close(weighted.held[row], repeated.held[place], 1e-11);
    }
}

#[test]
fn a_constant_added_to_the_kernel_changes_nothing() {
    let (x, positive) = noise(60);
    let targets = signs(&positive);
    let matrix = gram("rbf(gamma=1)", &x);
    let moved = Matrix::from_fn(60, 60, |i, j| matrix[(i, j)] + 7.0);
    for ratio in [0.1, 1.0, 100.0] {
        let one = left_out(&matrix, &targets, ratio, None, None, true);
        let other = left_out(&moved, &targets, ratio, None, None, true);
        for (a, b) in one.held.iter().zip(&other.held) {
            close(*a, *b, 1e-11);
        }
    }
}

#[test]
fn over_permutations_the_labels_say_nothing() {
    // Σ(y − ȳ) g has mean 0 over permutations of the labels; Σ(y − ȳ)(y − r) has not.
    let (x, positive) = noise(60);
    let matrix = gram("rbf(gamma=1)", &x);
    for ratio in [1e-6, 0.1, 10.0] {
        let (mut plain, mut held) = (Vec::new(), Vec::new());
        // Multiplication by a unit modulo 61 permutes 1, …, 60.
        for unit in 1..61 {
            let mixed: Vec<bool> = (1..61).map(|i| positive[i * unit % 61 - 1]).collect();
            let targets = signs(&mixed);
            let found = left_out(&matrix, &targets, ratio, None, None, true);
            let middle: f64 = targets.row(0).iter().sum::<f64>() / 60.0;
            let along = |g: &[f64]| -> f64 {
                g.iter()
                    .zip(targets.row(0))
                    .map(|(g, y)| (y - middle) * g)
                    .sum()
            };
            plain.push(along(&found.plain));
            held.push(along(&found.held));
        }
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        let spread = held.iter().map(|v| v * v).sum::<f64>().sqrt() / 60.0;
        assert!(
            mean(&held).abs() < 4.0 * spread + 1e-9,
            "{ratio}: {}",
            mean(&held)
        );
        if ratio < 1e-3 {
            // The variance of ±1 with a share of 0.3 is 0.84.
            close(mean(&plain), -0.84 * 60.0 / 59.0, 1e-4);
        }
    }
}

#[test]
fn a_ratio_that_was_found_is_raised_to_where_it_can_be_told() {
    let (x, positive) = noise(60);
    let matrix = gram("rbf(gamma=1)", &x);
    let targets = signs(&positive);
    let problem = Problem {
        gram: matrix.as_ref(),
        targets: &targets,
        weights: None,
        intercept: true,
    };
    let raised = problem.raised(1e-8);
    close(raised * problem.mean_eigenvalue(), 1e-3, 1e-12);
    assert_eq!(problem.raised(5.0), 5.0);
    // A kernel without any variation has nothing to be measured by.
    let flat = Matrix::from_fn(60, 60, |_, _| 1.0);
    let problem = Problem {
        gram: flat.as_ref(),
        ..problem
    };
    assert_eq!(problem.raised(1e-8), 1e-8);
}
