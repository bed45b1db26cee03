//! Conjugate gradients and estimates against direct solutions.

use mercer_linalg::{Matrix, Par, Precision};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::data::Records;
use crate::data::random::normal;
use crate::fit::{FitContext, StopReason};
use crate::gram::{GramProduct, KernelSource};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::solver::least_squares::ratio::best_ratio;
use crate::solver::least_squares::{Problem, Spectrum};
use crate::{Error, Result};

/// Rows, their kernel and targets.
struct Case {
    records: Records,
    kernel: ResolvedKernel,
    targets: Matrix<f64>,
    weights: Option<Vec<f64>>,
    offset: f64,
}

impl Case {
    fn new(kernel: &KernelSpec, points: Matrix<f64>, outputs: usize, weighted: bool) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let n = points.rows();
        let targets = Matrix::from_fn(outputs, n, |k, i| {
            (points[(i, 0)] * (k + 1) as f64).sin() + 0.3 * normal(&mut rng) + 2.0
        });
        let weights = weighted.then(|| (0..n).map(|i| 1.0 + (i % 3) as f64).collect());
        let records = Records::from_points(points);
        let (kernel, _) = kernel.resolve(&records, None).unwrap();
        Self {
            records,
            kernel,
            targets,
            weights,
            offset: 0.0,
        }
    }

    fn gram(&self) -> Matrix<f64> {
        let mut gram = self.kernel.gram(&self.records, Par::Sequential).unwrap();
        let offset = self.offset;
        gram.as_mut_slice().iter_mut().for_each(|v| *v += offset);
        gram
    }

    /// Works on the system with a preconditioner of some rank.
    fn within<R: Send>(
        &self,
        intercept: bool,
        rank: usize,
        context: &FitContext,
        work: impl FnOnce(&System<'_>, &Preconditioner) -> R + Send,
    ) -> R {
        let bound = self.kernel.bind(&self.records).unwrap();
        context
            .install(|| {
                let product = GramProduct::new(KernelSource::whole(&*bound, self.offset));
                let weights = self.weights.as_deref();
                let system =
                    System::new(product, &self.targets, weights, intercept, context).unwrap();
                let preconditioner = Preconditioner::new(&system, rank, 0.0, context).unwrap();
                work(&system, &preconditioner)
            })
            .unwrap()
    }

    fn solve(
        &self,
        intercept: bool,
        rank: usize,
        ratio: f64,
        context: &FitContext,
    ) -> Result<Iterated> {
        self.within(intercept, rank, context, |system, preconditioner| {
            system.solve(preconditioner, ratio, 1e-9, 2000, context)
        })
    }
}

fn points(n: usize, d: usize, seed: u64) -> Matrix<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Matrix::from_fn(n, d, |_, _| normal(&mut rng))
}

/// The largest difference from the direct solution, relative to its largest coefficient.
fn difference(case: &Case, found: &Iterated, intercept: bool, ratio: f64) -> f64 {
    let gram = case.gram();
    let problem = Problem {
        gram: gram.as_ref(),
        targets: &case.targets,
        weights: case.weights.as_deref(),
        intercept,
    };
    let exact = problem.solve(ratio, Par::Sequential).unwrap();
    let size = exact
        .coefficients()
        .as_slice()
        .iter()
        .fold(0.0_f64, |m, v| m.max(v.abs()));
    let pairs = found.coefficients.as_slice().iter();
    let alphas = pairs
        .zip(exact.coefficients().as_slice())
        .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    let biases = found
        .biases
        .iter()
        .zip(exact.biases())
        .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    (alphas / size).max(biases)
}

#[test]
fn answers_are_those_of_the_direct_solution() {
    let context = FitContext::default();
    for intercept in [false, true] {
        for weighted in [false, true] {
            for rank in [0, 20] {
                let mut case = Case::new(&KernelSpec::rbf(0.5), points(400, 3, 1), 3, weighted);
                // A regularised constant is one more feature of the kernel.
                case.offset = if intercept { 0.0 } else { 1.0 };
                let found = case.solve(intercept, rank, 10.0, &context).unwrap();
                assert_eq!(found.stop_reason, StopReason::Converged);
                assert!(found.residual <= 1e-9 && found.iterations > 2);
                let off = difference(&case, &found, intercept, 10.0);
                assert!(off < 1e-7, "{intercept} {weighted} {rank}: {off}");
            }
        }
    }
}

#[test]
fn weights_are_copies() {
    let context = FitContext::default();
    let some = Case::new(&KernelSpec::rbf(0.5), points(60, 2, 2), 1, true);
    let weights = some.weights.clone().unwrap();
    let ids: Vec<usize> = (0..60)
        .flat_map(|i| std::iter::repeat_n(i, weights[i] as usize))
        .collect();
    let copied = Case {
        records: some.records.select(&ids),
        kernel: some.kernel.clone(),
        targets: Matrix::from_fn(1, ids.len(), |_, k| some.targets[(0, ids[k])]),
        weights: None,
        offset: 0.0,
    };
    let one = some.solve(true, 10, 5.0, &context).unwrap();
    let two = copied.solve(true, 10, 5.0, &context).unwrap();
    assert!((one.biases[0] - two.biases[0]).abs() < 1e-7);
    let mut sums = vec![0.0; 60];
    for (k, &i) in ids.iter().enumerate() {
        sums[i] += two.coefficients[(0, k)];
    }
    for (a, b) in one.coefficients.row(0).iter().zip(&sums) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn the_preconditioner_saves_iterations() {
    let context = FitContext::default();
    let case = Case::new(&KernelSpec::rbf(0.2), points(600, 2, 3), 1, false);
    let plain = case.solve(true, 0, 1e3, &context).unwrap();
    let ahead = case.solve(true, 100, 1e3, &context).unwrap();
    assert!(
        3 * ahead.iterations < plain.iterations,
        "{} {}",
        ahead.iterations,
        plain.iterations
    );
}

#[test]
fn singular_matrices_copies_and_two_rows_are_solved() {
    let context = FitContext::default();
    // Rank three, every row five times, and the least that can be centred.
    let some = points(40, 2, 4);
    let copies = Matrix::from_fn(200, 2, |i, j| some[(i % 40, j)]);
    let cases = [
        Case::new(&KernelSpec::linear(), points(150, 3, 5), 2, false),
        Case::new(&KernelSpec::rbf(1.0), copies, 1, false),
        Case::new(&KernelSpec::rbf(1.0), points(2, 1, 6), 1, false),
        Case::new(&KernelSpec::rbf(1.0), points(1, 1, 6), 1, false),
    ];
    for case in &cases {
        for intercept in [false, true] {
            let found = case.solve(intercept, 8, 3.0, &context).unwrap();
            assert_eq!(found.stop_reason, StopReason::Converged);
            if case.records.len() > 1 {
                let off = difference(case, &found, intercept, 3.0);
                assert!(off < 1e-7, "{off}");
            } else if intercept {
                // One row is its own mean.
                assert!(found.coefficients[(0, 0)].abs() < 1e-12);
                assert!((found.biases[0] - case.targets[(0, 0)]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn a_tiny_penalty_takes_iterations_and_says_what_it_reached() {
    let context = FitContext::default();
    let case = Case::new(&KernelSpec::rbf(0.5), points(500, 3, 7), 1, false);
    let easy = case.solve(true, 30, 1.0, &context).unwrap();
    let hard = case.solve(true, 30, 1e8, &context).unwrap();
    // How many more depends on the preconditioner.
    assert_eq!(easy.stop_reason, StopReason::Converged);
    assert!(
        hard.iterations > easy.iterations,
        "{} {}",
        hard.iterations,
        easy.iterations
    );
    assert_eq!(hard.precision, Precision::F64);
    // Whatever the reason, the residual is that of the coefficients.
    let gram = case.gram();
    let (mut miss, mut size) = (0.0_f64, 0.0_f64);
    let mean = case.targets.row(0).iter().sum::<f64>() / 500.0;
    for i in 0..500 {
        let value = mercer_linalg::dot(gram.row(i), hard.coefficients.row(0));
        let own = hard.coefficients[(0, i)] / 1e8;
        miss += (case.targets[(0, i)] - value - own - hard.biases[0]).powi(2);
        size += (case.targets[(0, i)] - mean).powi(2);
    }
    let residual = (miss / size).sqrt();
    assert!(
        (residual - hard.residual).abs() <= 0.1 * residual + 1e-12,
        "{residual} {}",
        hard.residual
    );
    assert_eq!(
        hard.stop_reason == StopReason::Converged,
        hard.residual <= 1e-9
    );
    let few = case.within(true, 30, &context, |system, preconditioner| {
        system.solve(preconditioner, 1e8, 1e-9, 5, &context)
    });
    let few = few.unwrap();
    assert_eq!(few.stop_reason, StopReason::IterationLimit);
    assert!(few.residual > 1e-9);
}

#[test]
fn a_kernel_that_is_not_semidefinite_is_named() {
    let context = FitContext::default();
    let kernel: KernelSpec = "sigmoid(scale=1, offset=-1)".parse().unwrap();
    let case = Case::new(&kernel, points(80, 2, 8), 1, false);
    let found = case.solve(false, 0, 1e3, &context);
    assert!(matches!(found, Err(Error::Unsupported { .. })), "{found:?}");
}

#[test]
fn targets_that_do_not_vary_are_the_constant() {
    let context = FitContext::default();
    let mut case = Case::new(&KernelSpec::rbf(0.5), points(50, 2, 9), 1, false);
    case.targets = Matrix::from_fn(1, 50, |_, _| 3.0);
    let found = case.solve(true, 10, 1.0, &context).unwrap();
    assert!(found.coefficients.as_slice().iter().all(|a| a.abs() < 1e-9));
    assert!((found.biases[0] - 3.0).abs() < 1e-9);
    let estimate = case.within(true, 10, &context, |system, preconditioner| {
        system.estimate(preconditioner, Criterion::Evidence, &context)
    });
    assert_eq!(estimate.unwrap(), None);
}

#[test]
fn threads_and_what_is_kept_change_no_bit() {
    let case = Case::new(&KernelSpec::rbf(0.3), points(900, 3, 10), 2, true);
    let bound = case.kernel.bind(&case.records).unwrap();
    let run = |threads: usize, kept: bool| {
        let context = FitContext::default().threads(threads);
        context
            .install(|| {
                let product = GramProduct::new(KernelSource::whole(&*bound, 0.0));
                let weights = case.weights.as_deref();
                let mut system =
                    System::new(product, &case.targets, weights, true, &context).unwrap();
                if kept {
                    system.keep(Precision::F32, 1 << 30, &context).unwrap();
                }
                let preconditioner = Preconditioner::new(&system, 40, 0.0, &context).unwrap();
                let estimate = system
                    .estimate(&preconditioner, Criterion::Evidence, &context)
                    .unwrap()
                    .unwrap();
                let found = system
                    .solve(&preconditioner, estimate.ratio, 1e-7, 500, &context)
                    .unwrap();
                (estimate, found.coefficients)
            })
            .unwrap()
    };
    let first = run(1, false);
    assert_eq!(first, run(2, false));
    assert_eq!(first, run(2, true));
}

#[test]
fn the_time_limit_and_cancelling_end_an_iteration() {
    let case = Case::new(&KernelSpec::rbf(0.5), points(300, 3, 11), 1, false);
    let free = FitContext::default();
    let late = FitContext::default().time_limit(Some(std::time::Duration::ZERO));
    let found = case.within(true, 10, &free, |system, preconditioner| {
        system.solve(preconditioner, 10.0, 1e-9, 500, &late)
    });
    assert_eq!(found.unwrap().stop_reason, StopReason::TimeLimit);
    let gone = FitContext::default();
    gone.cancel.cancel();
    let found = case.within(true, 10, &free, |system, preconditioner| {
        system.solve(preconditioner, 10.0, 1e-9, 500, &gone)
    });
    assert!(matches!(found, Err(Error::Cancelled)));
}

#[test]
fn the_estimated_evidence_is_within_its_error_of_the_exact_one() {
    let context = FitContext::default();
    for intercept in [false, true] {
        for weighted in [false, true] {
            for rank in [0, 40] {
                let case = Case::new(&KernelSpec::rbf(0.5), points(500, 2, 12), 1, weighted);
                let gram = case.gram();
                let problem = Problem {
                    gram: gram.as_ref(),
                    targets: &case.targets,
                    weights: case.weights.as_deref(),
                    intercept,
                };
                let exact = Spectrum::new(&problem).unwrap();
                let best = exact.best_ratio().unwrap();
                for criterion in [Criterion::Evidence, Criterion::Gcv] {
                    let found = case
                        .within(intercept, rank, &context, |system, preconditioner| {
                            system.estimate(preconditioner, criterion, &context)
                        })
                        .unwrap()
                        .unwrap();
                    // Four standard errors, and what the search leaves.
                    let cost = exact.cost(found.ratio);
                    assert!(
                        (found.cost - cost).abs() < 4.0 * found.cost_error + 0.05,
                        "{intercept} {weighted} {rank}: {found:?} {cost}"
                    );
                    let effective =
                        exact.effective_parameters(found.ratio) + f64::from(u8::from(intercept));
                    assert!(
                        (found.effective_parameters - effective).abs()
                            < 4.0 * found.effective_error + 0.05,
                        "{intercept} {weighted} {rank}: {found:?} {effective}"
                    );
                    let (low, high) = found.searched;
                    assert!(low <= found.ratio && found.ratio <= 1.001 * high);
                    let converged = found.stop_reason == StopReason::Converged;
                    assert!(converged || found.stop_reason == StopReason::IterationLimit);
                    if criterion == Criterion::Gcv {
                        // Copies share their noise, which makes the score flat, with several least values: the best
                        // among those that were searched, but for the standard error of the score.
                        let least = best_ratio((low, high), |ratio| exact.gcv(ratio));
                        let loss = exact.gcv(found.ratio) / exact.gcv(least) - 1.0;
                        let copies: f64 = case.weights.as_ref().map_or(500.0, |w| w.iter().sum());
                        let error = 2.0 * found.effective_error / (copies - effective);
                        assert!(
                            loss < 1e-2 + error,
                            "{intercept} {weighted} {rank}: {found:?} {loss}"
                        );
                    } else if converged || found.ratio_error.is_finite() {
                        let off = (found.ratio / best).ln().abs();
                        assert!(
                            found.ratio_error.is_finite() && off < 4.0 * found.ratio_error + 0.02,
                            "{intercept} {weighted} {rank}: {found:?} {best}"
                        );
                    } else {
                        // Not found, and said so: then it is near or beyond the end of what was searched.
                        assert!(
                            4.0 * best > high,
                            "{intercept} {weighted} {rank}: {found:?} {best}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_control_variate_takes_the_error_down() {
    let context = FitContext::default();
    let case = Case::new(&KernelSpec::rbf(0.1), points(600, 2, 13), 1, false);
    let error = |rank: usize| {
        case.within(true, rank, &context, |system, preconditioner| {
            system.estimate(preconditioner, Criterion::Evidence, &context)
        })
        .unwrap()
        .unwrap()
        .cost_error
    };
    assert!(error(60) < 0.2 * error(0));
}
