//! Cost, slopes, evidence and left-out residuals.

use mercer::data::Records;
use mercer::kernel::ResolvedKernel;
use mercer::solver::least_squares::{Problem, Reduced, Spectrum, kernel_slopes};
use mercer_linalg::{Matrix, Par};

use super::plain::{bordered, generator, gram, normal, restricted_cost, rows, uniform};

fn targets(x: &Matrix<f64>, seed: u64) -> Matrix<f64> {
    let mut rng = generator(seed);
    Matrix::from_fn(1, x.rows(), |_, i| x[(i, 0)].sin() + 0.3 * normal(&mut rng))
}

fn problem<'a>(
    gram: &'a Matrix<f64>,
    targets: &'a Matrix<f64>,
    weights: Option<&'a [f64]>,
) -> Problem<'a> {
    Problem {
        gram: gram.as_ref(),
        targets,
        weights,
        intercept: true,
    }
}

/// Step of a difference.
const H: f64 = 1e-5;

#[test]
fn the_cost_is_the_restricted_likelihood() {
    for (seed, kernel) in [
        (1, "rbf(gamma=0.5)"),
        (2, "linear"),
        (3, "matern(nu=1.5,length=1)"),
    ] {
        let x = rows(14, 3, &mut generator(seed));
        let y = targets(&x, seed);
        let k = gram(kernel, &x);
        let problem = problem(&k, &y, None);
        let spectrum = Spectrum::new(&problem).expect("finite");
        let reduced = Reduced::new(&problem).expect("finite");
        for ratio in [1e-3, 0.7, 20.0, 1e4] {
            let expected = restricted_cost(&k, y.row(0), ratio);
            let solved = problem.solve(ratio, Par::Sequential).expect("positive");
            assert!((solved.cost() - expected).abs() < 1e-8, "{kernel} {ratio}");
            for cost in [spectrum.cost(ratio), reduced.cost(ratio)] {
                assert!((cost - expected).abs() < 1e-7, "{kernel} {ratio}");
            }
        }
    }
}

#[test]
fn coefficients_solve_the_bordered_system() {
    let x = rows(20, 2, &mut generator(4));
    let y = targets(&x, 4);
    let k = gram("rbf(gamma=1)", &x);
    for ratio in [0.01, 1.0, 300.0] {
        let (alpha, bias) = bordered(&k, y.row(0), ratio);
        let solved = problem(&k, &y, None)
            .solve(ratio, Par::Sequential)
            .expect("positive");
        assert!((solved.biases()[0] - bias).abs() < 1e-9);
        for (a, b) in solved.coefficients().row(0).iter().zip(&alpha) {
            assert!((a - b).abs() < 1e-8 * ratio.max(1.0), "{a} {b}");
        }
    }
}

#[test]
fn weights_are_copies_in_cost_slope_and_left_out_rows() {
    let x = rows(8, 2, &mut generator(5));
    let y = targets(&x, 5);
    let copies = [1usize, 3, 1, 2, 1, 1, 4, 1];
    let ids: Vec<usize> = (0..8)
        .flat_map(|i| std::iter::repeat_n(i, copies[i]))
        .collect();
    let weights: Vec<f64> = copies.iter().map(|&c| c as f64).collect();
    let wide = Matrix::from_fn(ids.len(), 2, |i, c| x[(ids[i], c)]);
    let wide_y = Matrix::from_fn(1, ids.len(), |_, i| y[(0, ids[i])]);
    let (k, wide_k) = (gram("rbf(gamma=0.3)", &x), gram("rbf(gamma=0.3)", &wide));
    let (few, many) = (
        problem(&k, &y, Some(&weights)),
        problem(&wide_k, &wide_y, None),
    );
    let (spectrum, wide_spectrum) = (
        Spectrum::new(&few).expect("finite"),
        Spectrum::new(&many).expect("finite"),
    );
    for ratio in [0.1, 5.0, 200.0] {
        let (a, b) = (
            few.solve(ratio, Par::Sequential).expect("positive"),
            many.solve(ratio, Par::Sequential).expect("positive"),
        );
        assert!(
            (a.cost() - b.cost()).abs() < 1e-8,
            "{} {}",
            a.cost(),
            b.cost()
        );
        assert!((spectrum.cost(ratio) - b.cost()).abs() < 1e-7);
        let (p, q) = (a.diagonal(Par::Sequential), b.diagonal(Par::Sequential));
        assert!((p.ratio_slope() - q.ratio_slope()).abs() < 1e-7);
        assert!((p.effective_parameters() - q.effective_parameters()).abs() < 1e-8);
        let (left, right) = (p.leave_one_out(), q.leave_one_out());
        for (i, &id) in ids.iter().enumerate() {
            assert!((left[(0, id)] - right[(0, i)]).abs() < 1e-7, "{ratio} {i}");
        }
        let total: f64 = right.row(0).iter().map(|r| r * r).sum();
        assert!((spectrum.leave_one_out(ratio) / total - 1.0).abs() < 1e-7);
        assert!((wide_spectrum.leave_one_out(ratio) / total - 1.0).abs() < 1e-7);
        assert!((spectrum.gcv(ratio) / wide_spectrum.gcv(ratio) - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_tridiagonal_form_says_what_the_spectrum_says() {
    let x = rows(90, 3, &mut generator(21));
    // Two outputs share kernel and ratio; copies count.
    let y = Matrix::from_fn(2, 90, |o, i| x[(i, o)].sin() + 0.1 * (i % 7) as f64);
    let weights: Vec<f64> = (0..90).map(|i| 0.5 + f64::from(i % 4)).collect();
    for kernel in ["rbf(gamma=0.7)", "linear", "laplace(scale=2)"] {
        let k = gram(kernel, &x);
        for weights in [None, Some(weights.as_slice())] {
            for intercept in [true, false] {
                let problem = Problem {
                    gram: k.as_ref(),
                    targets: &y,
                    weights,
                    intercept,
                };
                let spectrum = Spectrum::new(&problem).expect("finite");
                let reduced = Reduced::new(&problem).expect("finite");
                assert!(reduced.is_semidefinite());
                let (low, high) = spectrum.range().expect("not zero");
                for step in 0..9 {
                    let share = f64::from(step) / 8.0;
                    let ratio = low * (high / low).powf(share);
                    let (a, b) = (reduced.cost(ratio), spectrum.cost(ratio));
                    assert!(
                        (a - b).abs() < 1e-6 * b.abs().max(1.0),
                        "{kernel} {ratio}: {a} {b}"
                    );
                    // What is left of n − γ_eff at the far end is rounding.
                    if ratio < 1e-3 * high {
                        let (a, b) = (reduced.gcv(ratio), spectrum.gcv(ratio));
                        assert!((a / b - 1.0).abs() < 1e-6, "{kernel} {ratio}: {a} {b}");
                    }
                }
                // Where the cost is flat the places may differ, its value may not.
                let (a, b) = (reduced.best_ratio(), spectrum.best_ratio());
                let [a, b] = [a, b].map(|r| spectrum.cost(r.expect("not zero")));
                assert!((a - b).abs() < 1e-6, "{kernel}: {a} {b}");
                let (a, b) = (reduced.log_evidence(), spectrum.log_evidence());
                let (a, b) = (a.expect("not zero"), b.expect("not zero"));
                assert!((a - b).abs() < 1e-6, "{kernel}: {a} {b}");
            }
        }
    }
}

#[test]
fn a_tridiagonal_form_knows_what_is_no_kernel() {
    let x = rows(30, 2, &mut generator(22));
    let y = targets(&x, 22);
    let mut k = gram("rbf(gamma=0.5)", &x);
    k[(3, 3)] = -1.0;
    let reduced = Reduced::new(&problem(&k, &y, None)).expect("finite");
    assert!(!reduced.is_semidefinite());
    assert_eq!(reduced.cost(1e6), f64::INFINITY);
    let zeros = Matrix::zeros(30, 30);
    let reduced = Reduced::new(&problem(&zeros, &y, None)).expect("finite");
    assert!(reduced.is_semidefinite());
    assert_eq!(reduced.best_ratio(), None);
}

#[test]
fn left_out_rows_are_those_of_refits() {
    let x = rows(15, 2, &mut generator(6));
    let y = targets(&x, 6);
    let ratio = 12.0;
    let k = gram("rbf(gamma=0.8)", &x);
    let solved = problem(&k, &y, None)
        .solve(ratio, Par::Sequential)
        .expect("positive");
    let operator = solved.operator(Par::Sequential);
    let folds: Vec<u32> = (0..15).map(|i| i % 4).collect();
    let by_fold = operator
        .leave_folds_out(&folds, Par::Sequential)
        .expect("positive");
    let alone = operator.diagonal().leave_one_out();
    let cheaper = solved.diagonal(Par::Sequential).leave_one_out();
    assert!((0..15).all(|i| (alone[(0, i)] - cheaper[(0, i)]).abs() < 1e-9));
    let refit = |out: &dyn Fn(usize) -> bool, row: usize| {
        let kept: Vec<usize> = (0..15).filter(|&i| !out(i)).collect();
        let part = Matrix::from_fn(kept.len(), kept.len(), |i, j| k[(kept[i], kept[j])]);
        let values: Vec<f64> = kept.iter().map(|&i| y[(0, i)]).collect();
        let (alpha, bias) = bordered(&part, &values, ratio);
        let f: f64 = kept.iter().zip(&alpha).map(|(&i, a)| a * k[(row, i)]).sum();
        y[(0, row)] - f - bias
    };
    for row in 0..15 {
        assert!((alone[(0, row)] - refit(&|i| i == row, row)).abs() < 1e-9);
        let same = |i: usize| folds[i] == folds[row];
        assert!((by_fold[(0, row)] - refit(&same, row)).abs() < 1e-9);
    }
}

#[test]
fn slopes_are_those_of_the_cost() {
    let x = rows(18, 3, &mut generator(7));
    let records = Records::from_points(x.clone());
    let mut rng = generator(8);
    // Two outputs share kernel and ratio.
    let y = Matrix::from_fn(2, 18, |o, i| x[(i, o)].sin() + 0.2 * uniform(&mut rng));
    let kernels = [
        "rbf(gamma=0.4)",
        "rbf(sigma=1.3)",
        "rbf(gamma=[0.4,0.1,1])",
        "rbf(sigma=[1,2,0.7])",
        "laplace(scale=1.5)",
        "matern(nu=2.5,length=1.2)",
        "poly(degree=2,offset=1,scale=0.3)",
        "rbf(gamma=0.4) + 0.7*linear",
        "matern(nu=0.5,length=0.9)",
        "linear + 0.5*laplace(scale=2) + 3*rbf(sigma=0.8)",
        "rbf(gamma=[0.4,0.1,1]) + 2*poly(degree=2,offset=1,scale=0.3)",
        "rbf(gamma=0.4)*laplace(scale=3)",
    ];
    let weights: Vec<f64> = (0..18).map(|i| 1.0 + f64::from(i % 3)).collect();
    for text in kernels {
        let kernel: ResolvedKernel = text.parse().expect("a kernel");
        let hyperparameters = kernel.hyperparameters();
        let start: Vec<f64> = hyperparameters
            .iter()
            .map(|d| kernel.hyperparameter_value(d).ln())
            .collect();
        for weights in [None, Some(weights.as_slice())] {
            let cost = |logs: &[f64], log_ratio: f64| {
                let values: Vec<f64> = logs.iter().map(|t| t.exp()).collect();
                let turned = kernel.turned(&hyperparameters, &values).expect("positive");
                let gram = turned.gram(&records, Par::Sequential).expect("a matrix");
                let problem = Problem {
                    gram: gram.as_ref(),
                    targets: &y,
                    weights,
                    intercept: true,
                };
                let solved = problem.solve(log_ratio.exp(), Par::Sequential);
                solved.expect("positive").cost()
            };
            let gram = kernel.gram(&records, Par::Sequential).expect("a matrix");
            let problem = Problem {
                gram: gram.as_ref(),
                targets: &y,
                weights,
                intercept: true,
            };
            let solved = problem
                .solve(2.0_f64.exp(), Par::Sequential)
                .expect("positive");
            let operator = solved.operator(Par::Sequential);
            let difference = (cost(&start, 2.0 + H) - cost(&start, 2.0 - H)) / (2.0 * H);
            let slope = operator.diagonal().ratio_slope();
            assert!(
                (slope - difference).abs() < 1e-5,
                "{text}: {slope} {difference}"
            );
            let g = operator.into_kernel_slope();
            let slopes = kernel_slopes(
                &kernel,
                &hyperparameters,
                &records,
                &gram,
                &g,
                Par::Sequential,
            )
            .expect("a matrix");
            assert_eq!(slopes.len(), hyperparameters.len());
            assert!(!hyperparameters.is_empty(), "{text}");
            for (d, slope) in slopes.iter().enumerate() {
                let moved = |side: f64| {
                    let mut logs = start.clone();
                    logs[d] += side * H;
                    cost(&logs, 2.0)
                };
                let difference = (moved(1.0) - moved(-1.0)) / (2.0 * H);
                assert!(
                    (slope - difference).abs() < 1e-5,
                    "{text} {d}: {slope} {difference}"
                );
            }
        }
    }
}

#[test]
fn the_best_ratio_is_where_the_seeds_say() {
    // At the optimum 2μE_W = γ_eff − 1 and 2ζE_D = n − γ_eff.
    let x = rows(40, 2, &mut generator(9));
    let y = targets(&x, 9);
    let k = gram("rbf(gamma=0.5)", &x);
    let problem = problem(&k, &y, None);
    let spectrum = Spectrum::new(&problem).expect("finite");
    let ratio = spectrum.best_ratio().expect("not zero");
    let solved = problem.solve(ratio, Par::Sequential).expect("positive");
    let effective = solved.diagonal(Par::Sequential).effective_parameters();
    let levels = solved.levels()[0];
    let alpha = solved.coefficients().row(0);
    let mut weight_energy = 0.0;
    for i in 0..40 {
        for j in 0..40 {
            weight_energy += 0.5 * alpha[i] * k[(i, j)] * alpha[j];
        }
    }
    let error_energy: f64 = solved.residuals().row(0).iter().map(|e| 0.5 * e * e).sum();
    let (left, right) = (2.0 * levels.prior * weight_energy, effective - 1.0);
    assert!((left - right).abs() < 1e-4 * right, "{left} {right}");
    let (left, right) = (2.0 * levels.noise * error_energy, 40.0 - effective);
    assert!((left - right).abs() < 1e-4 * right, "{left} {right}");
    assert!((spectrum.effective_parameters(ratio) + 1.0 - effective).abs() < 1e-6);
}

#[test]
fn level_three_is_the_integral() {
    for (seed, kernel) in [
        (10, "rbf(gamma=0.5)"),
        (11, "linear"),
        (12, "rbf(gamma=30)"),
    ] {
        let x = rows(25, 2, &mut generator(seed));
        let y = targets(&x, seed);
        let k = gram(kernel, &x);
        let spectrum = Spectrum::new(&problem(&k, &y, None)).expect("finite");
        let (low, high) = spectrum.range().expect("not zero");
        let (low, high) = (low.ln(), high.ln());
        let points = 200_000;
        let step = (high - low) / f64::from(points);
        let values: Vec<f64> = (0..points)
            .map(|k| -spectrum.cost((low + (f64::from(k) + 0.5) * step).exp()))
            .collect();
        let top = values.iter().fold(f64::NEG_INFINITY, |m, v| m.max(*v));
        let mean = values.iter().map(|v| (v - top).exp()).sum::<f64>() / f64::from(points);
        let expected = top + mean.ln();
        let found = spectrum.log_evidence().expect("not zero");
        assert!(
            (found - expected).abs() < 1e-5,
            "{kernel}: {found} {expected}"
        );
    }
}
