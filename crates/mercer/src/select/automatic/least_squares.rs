//! The squared loss: kernels with hyperparameters by evidence, the best of them by held-out rows.
//!
//! The evidence fits the hyperparameters of every kernel and the regularisation. Which kernel then
//! serves best is asked of held-out rows, in closed form, by a loss that sees how sure a prediction
//! is and not only whether it is right: few rows tell more that way.

use mercer_linalg::{LinalgError, Matrix, Par};

use super::left_out_loss::{Weighting, class_loss, mean_square};
use super::margin::Part;
use super::plan::judging_bytes;
use super::trial::Tried;
use crate::data::{Folds, Targets, forward_chain};
use crate::fit::FitContext;
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::learn::least_squares::{LsSvc, LsSvr, Strength};
use crate::learn::{AnyEstimator, ClassWeights};
use crate::model::readout::Scheme;
use crate::select::kernels::{Outputs, Ranked, fair_order};
use crate::solver::least_squares::{Problem, Reduced};
use crate::{Error, Result};

/// Rows on which contenders are screened.
const SCREENED_ROWS: usize = 400;
/// Contenders that go on to the folds where the screening saw some of the rows only.
const FINALISTS: usize = 2;
/// Rows up to which they are evaluated side by side: the matrices of each take 100 MB there.
const TOGETHER: usize = 2000;
/// Widths of the Gaussian kernel beside the one by evidence: as multiples of one over the columns.
pub(super) const WIDTHS: [f64; 6] = [0.003, 0.02, 0.1, 0.4, 1.5, 6.0];

/// A kernel with the regularisation that suits it.
#[derive(Clone)]
struct Contender {
    name: String,
    kernel: ResolvedKernel,
    ratio: f64,
    fitted_numbers: usize,
}

/// A kernel that takes part in the screening.
struct Entrant {
    name: String,
    kernel: ResolvedKernel,
    /// The regularisation, where it is known.
    ratio: Option<f64>,
    fitted_numbers: usize,
}

/// Finds the kernels that serve least squares best, and judges them by the folds.
///
/// `widths` says whether widths of the Gaussian kernel beside those by evidence take part;
/// `factors` are the class factors that row weights hold.
///
/// # Errors
/// Kernel matrices that are singular to rounding, all of them; cancellation.
pub(super) fn try_squared(
    ranked: &[Ranked],
    widths: bool,
    part: &Part,
    factors: Option<&[f64]>,
    context: &FitContext,
) -> Result<Vec<Tried>> {
    let mut screened = screen(ranked, widths, part, factors, context)?;
    screened.sort_by(|a, b| a.0.total_cmp(&b.0));
    let saw_all = part.data.len() <= SCREENED_ROWS;
    screened.truncate(if saw_all { 1 } else { FINALISTS });
    let at_once = context.at_once(judging_bytes(part.data.len()));
    if part.data.len() > TOGETHER || screened.len() == 1 || at_once < screened.len() {
        let evaluated = screened.iter();
        let evaluated =
            evaluated.map(|(_, contender)| judge(contender, part, context.par(), context));
        return defined(evaluated.collect());
    }
    // Matrices side by side use cores better than cores inside one matrix.
    let evaluated = context.map(screened, |(_, contender)| {
        judge(&contender, part, Par::Sequential, context)
    });
    defined(evaluated)
}

/// The trials that could be made; why none could where there is none.
fn defined(evaluated: Vec<Result<Tried>>) -> Result<Vec<Tried>> {
    let (mut tried, mut failure) = (Vec::new(), None);
    for one in evaluated {
        match one {
            Ok(one) => tried.push(one),
            Err(error @ (Error::Cancelled | Error::OutOfTime)) => return Err(error),
            Err(error) => failure = Some(error),
        }
    }
    match failure {
        Some(error) if tried.is_empty() => Err(error),
        _ => Ok(tried),
    }
}

/// The loss of every contender on held-out rows of a sample.
fn screen(
    ranked: &[Ranked],
    widths: bool,
    part: &Part,
    factors: Option<&[f64]>,
    context: &FitContext,
) -> Result<Vec<(f64, Contender)>> {
    let data = &part.data;
    let mut rows = fair_order(data, context.seed);
    rows.truncate(SCREENED_ROWS);
    rows.sort_unstable();
    let few = data.select(&rows);
    let groups = part.groups_of(&rows);
    let outputs = Outputs::of(&few)?;
    let mut kernels: Vec<Entrant> = ranked
        .iter()
        .map(|r| Entrant {
            name: format!("{} by evidence", r.name),
            kernel: r.kernel.clone(),
            ratio: Some(r.ratio),
            fitted_numbers: r.fitted_numbers,
        })
        .collect();
    if widths {
        let unit = 1.0 / data.records.features.points.columns().max(1) as f64;
        for factor in WIDTHS {
            let spec = KernelSpec::rbf(factor * unit);
            let (kernel, _) = spec.resolve(&few.records, few.weights.as_deref())?;
            kernels.push(Entrant {
                name: format!("rbf(gamma={}) by held-out rows", brief(factor * unit)),
                kernel,
                ratio: None,
                fitted_numbers: 1,
            });
        }
    }
    // Rows in the order of time are not left out one by one: later ones would be learnt from.
    let chain = match part.chain() {
        Some(gap) => Some(forward_chain(few.len(), part.folds.test.len(), gap)?),
        None => None,
    };
    let weighting = Weighting {
        weights: few.weights.as_deref(),
        factors,
    };
    let losses = context.map(kernels, |entrant| {
        let Entrant { name, kernel, .. } = entrant;
        let gram = kernel
            .gram_within(&few.records, Par::Sequential, context)
            .ok()?;
        let problem = Problem {
            gram: gram.as_ref(),
            targets: &outputs.values,
            weights: few.weights.as_deref(),
            intercept: true,
        };
        let ratio = match entrant.ratio {
            Some(ratio) => ratio,
            None => Reduced::new(&problem).ok()?.best_ratio()?,
        };
        let classes = few.targets.classes();
        let ratio = if classes.is_some() {
            problem.raised(ratio)
        } else {
            ratio
        };
        let ratio = ratio.min(problem.largest_ratio());
        let proceed = || context.goes_on();
        let solved = problem
            .solve_defined(ratio, Par::Sequential, &proceed)
            .ok()?;
        let ratio = solved.ratio();
        let diagonal = solved.diagonal(Par::Sequential);
        let loss = if let Some(chain) = &chain {
            let proceed = || context.goes_on();
            let held = chained(&problem, ratio, chain, Par::Sequential, &proceed).ok()?;
            let tested = chain.tested();
            let own: Vec<f64> = tested.iter().map(|&r| held.residuals[(0, r)]).collect();
            let weights = weighting.weights;
            let weights: Option<Vec<f64>> = weights.map(|w| tested.iter().map(|&r| w[r]).collect());
            let weighting = Weighting {
                weights: weights.as_deref(),
                factors,
            };
            mean_square(&own, &weighting)
        } else if let Some(groups) = &groups {
            // Rows of one group go together: what one of them tells of the others is not known of new groups.
            let operator = solved.operator_while(Par::Sequential, &proceed).ok()?;
            let residuals = operator.leave_folds_out(groups, Par::Sequential).ok()?;
            match classes {
                Some(classes) => {
                    let (k, n) = (outputs.values.rows(), few.len());
                    let held =
                        |o: usize, row: usize| outputs.values[(o, row)] - residuals[(o, row)];
                    class_loss(&Matrix::from_fn(k, n, held), classes, &weighting)
                }
                None => mean_square(residuals.row(0), &weighting),
            }
        } else if let Some(classes) = classes {
            let of_rows = weighting.of_rows(classes);
            let decisions = diagonal.held_out(&outputs.values, of_rows.as_deref());
            class_loss(&decisions, classes, &weighting)
        } else {
            mean_square(diagonal.leave_one_out().row(0), &weighting)
        };
        let share = entrant.fitted_numbers as f64 / few.len() as f64;
        let loss = honest(loss, share, &few.targets);
        let contender = Contender {
            name,
            kernel,
            ratio,
            fitted_numbers: entrant.fitted_numbers,
        };
        loss.is_finite().then_some((loss, contender))
    });
    context.check()?;
    let found: Vec<_> = losses.into_iter().flatten().collect();
    if found.is_empty() {
        return Err(singular());
    }
    Ok(found)
}

/// A number to three digits.
fn brief(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

/// A loss without the flattery of numbers that were fitted to the same rows: by Akaike's
/// criterion a mean of −log p loses one over n a number, by Mallows' a mean square two shares.
fn honest(loss: f64, share: f64, targets: &Targets) -> f64 {
    match targets {
        Targets::Classes(_) => loss + share,
        _ => loss * (1.0 + 2.0 * share),
    }
}

/// Judges a contender by the folds.
fn judge(contender: &Contender, part: &Part, par: Par, context: &FitContext) -> Result<Tried> {
    let data = &part.data;
    let outputs = Outputs::of(data)?;
    let HeldOut {
        ratio,
        residuals,
        variances,
    } = left_out_residuals(contender, &outputs, part, par, context)?;
    let kernel = contender.kernel.spec().clone();
    let strength = Strength::Gamma(ratio);
    let name = format!("least squares, {}", contender.name);
    let decision = |k: usize, row: usize| outputs.values[(k, row)] - residuals[(k, row)];
    let Targets::Classes(classes) = &data.targets else {
        let unit = outputs.unit * outputs.unit;
        return Ok(Tried {
            name,
            estimator: AnyEstimator::LsSvr(LsSvr::default().kernel(kernel).strength(strength)),
            losses: part.spread(residuals.row(0).iter().map(|r| r * r * unit)),
            measured: None,
            class_weights: ClassWeights::Equal,
            deviations: Some(part.spread(variances.iter().map(|v| v.sqrt()))),
            nonconformity: None,
            // The regularisation is fitted as well.
            fitted_numbers: contender.fitted_numbers + 1,
            is_steady: true,
        });
    };
    // How far the true class is behind the strongest of the others.
    let behind = |row: usize| {
        let code = classes.codes[row] as usize;
        if outputs.values.rows() == 1 {
            return if code == 0 { -1.0 } else { 1.0 } * decision(0, row);
        }
        let others = (0..outputs.values.rows()).filter(|&k| k != code);
        others
            .map(|k| decision(k, row) - decision(code, row))
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let nonconformity: Vec<f64> = (0..data.len()).map(behind).collect();
    Ok(Tried {
        name,
        estimator: AnyEstimator::LsSvc(LsSvc {
            // As the model will say it: two classes are told apart by one decision.
            scheme: Scheme::one_or_rest(classes.labels.len()),
            ..LsSvc::default().kernel(kernel).strength(strength)
        }),
        deviations: None,
        losses: part.spread(nonconformity.iter().map(|s| f64::from(u8::from(*s >= 0.0)))),
        measured: None,
        class_weights: ClassWeights::Equal,
        nonconformity: Some(nonconformity),
        // The regularisation is fitted as well.
        fitted_numbers: contender.fitted_numbers + 1,
        is_steady: true,
    })
}

/// What rows are told when their fold is held out.
struct HeldOut {
    /// The regularisation that all rows can be learnt with.
    ratio: f64,
    /// Residuals, one row per output.
    residuals: Matrix<f64>,
    /// μ Var y, the same for all outputs; empty for classes.
    variances: Vec<f64>,
}

fn left_out_residuals(
    contender: &Contender,
    outputs: &Outputs,
    part: &Part,
    par: Par,
    context: &FitContext,
) -> Result<HeldOut> {
    let (data, folds, all) = (&part.data, &part.folds, part.all);
    let gram = contender.kernel.gram_within(&data.records, par, context)?;
    let problem = Problem {
        gram: gram.as_ref(),
        targets: &outputs.values,
        weights: data.weights.as_deref(),
        intercept: true,
    };
    let mut fold_of = vec![0; data.len()];
    for (fold, rows) in folds.test.iter().enumerate() {
        for &row in rows {
            fold_of[row] = fold as u32;
        }
    }
    let proceed = || context.goes_on();
    let left_out = |ratio: f64| -> Result<HeldOut, LinalgError> {
        if folds.gap.is_some() {
            return chained(&problem, ratio, folds, par, &proceed);
        }
        let solved = problem.solve_defined(ratio, par, &proceed)?;
        let operator = solved.operator_while(par, &proceed)?;
        Ok(HeldOut {
            ratio: solved.ratio(),
            residuals: operator.leave_folds_out(&fold_of, par)?,
            variances: match data.targets {
                Targets::Classes(_) => Vec::new(),
                _ => operator.fold_variances(&fold_of, par)?,
            },
        })
    };
    // The trace grows with the rows, and all of them are learnt from at last.
    let most = problem.largest_ratio() * data.len() as f64 / all as f64;
    let ratio = contender.ratio.min(most);
    let found = left_out(ratio).or_else(|_| left_out(ratio / 100.0));
    found.map_err(|_| context.check().err().unwrap_or_else(singular))
}

/// What rows are told by functions of the rows before their fold; NaN for rows that no fold tests.
///
/// Of a problem on the rows that a fold learns from and tests, the test rows are left out: what is
/// left is the function of the training part.
fn chained(
    problem: &Problem<'_>,
    ratio: f64,
    folds: &Folds,
    par: Par,
    proceed: mercer_linalg::Proceed<'_>,
) -> std::result::Result<HeldOut, LinalgError> {
    let outputs = problem.targets.rows();
    let n = problem.rows();
    let mut found = HeldOut {
        ratio,
        residuals: Matrix::from_fn(outputs, n, |_, _| f64::NAN),
        variances: vec![f64::NAN; n],
    };
    for (fold, test) in folds.test.iter().enumerate() {
        let mut rows = folds.train(fold);
        let learnt = rows.len();
        rows.extend(test);
        let gram = Matrix::from_fn(rows.len(), rows.len(), |i, j| {
            problem.gram[(rows[i], rows[j])]
        });
        let targets = Matrix::from_fn(outputs, rows.len(), |k, i| problem.targets[(k, rows[i])]);
        let weights: Option<Vec<f64>> = problem
            .weights
            .map(|w| rows.iter().map(|&row| w[row]).collect());
        let own = Problem {
            gram: gram.as_ref(),
            targets: &targets,
            weights: weights.as_deref(),
            intercept: problem.intercept,
        };
        // Where all rows together determine a function to rounding, a part of them may not.
        let solved = own.solve_defined(ratio, par, proceed)?;
        let operator = solved.operator_while(par, proceed)?;
        // Rows of the training part are folds of one row each, which cost next to nothing.
        let fold_of: Vec<u32> = (0..rows.len()).map(|i| i.min(learnt) as u32).collect();
        let residuals = operator.leave_folds_out(&fold_of, par)?;
        let variances = operator.fold_variances(&fold_of, par)?;
        for (place, &row) in rows.iter().enumerate().skip(learnt) {
            for k in 0..outputs {
                found.residuals[(k, row)] = residuals[(k, place)];
            }
            found.variances[row] = variances[place];
        }
    }
    Ok(found)
}

fn singular() -> Error {
    Error::rows(
        "the kernel matrix is singular to rounding",
        "remove rows that repeat each other, or choose a kernel",
    )
}
