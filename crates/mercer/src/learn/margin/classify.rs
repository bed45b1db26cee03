//! Soft- and hard-margin classification.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mercer_linalg::{Matrix, Precision};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::binary::{Binary, Outcome, Rule};
use super::dual::{Subproblem, subproblems};
use super::platt::calibrate;
use super::settings::{
    Bias, ClassWeights, Softness, SolverSettings, softness_setters, solver_setters,
};
use super::share::largest_nu;
use super::warm::{balance, match_rows};
use super::workspace::SharedWorkspace;
use crate::data::{ClassTargets, Dataset};
use crate::fit::{Cancel, FitContext, Fitted, Note, ProblemReport, Radius, StopReason};
use crate::kernel::{BoundKernel, KernelSpec, ResolvedKernel};
use crate::learn::canonical::{Canonical, Found, no_classes};
use crate::learn::{Estimator, Settings};
use crate::model::expansion::KernelExpansion;
use crate::model::readout::{ClassReadout, Readout, Scheme, Sigmoid};
use crate::{Error, Result};

/// Share of a time limit, and of the work, for the decision itself where probabilities follow; folds
/// start from its solution and take as long together.
const SOLVER_SHARE: f64 = 0.5;

/// Support vector classification.
///
/// Minimises ½‖w‖² + C Σ w_i ξ_i subject to y_i(⟨w,φ(x_i)⟩ + b) ≥ 1 − ξ_i, ξ ≥ 0, for every
/// pair of classes (or every class against the rest); with [`Softness::Hard`] no slack is
/// allowed.
///
/// Use it for up to some 100,000 rows, when the boundary is not linear and rows are few
/// enough that each counts. Time grows between n² and n³, memory with the kernel rows kept.
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Points, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::kernel::KernelSpec;
/// use mercer::learn::{Estimator, margin::Svc};
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![-2.0, -1.0, 1.0, 2.0]);
/// let y = ClassTargets::from_labels(&["low", "low", "high", "high"]);
/// let data = Dataset::try_new(Records::from_points(Points::from(x)), Targets::Classes(y))?;
/// let fitted = Svc::default()
///     .kernel(KernelSpec::linear())
///     .c(10.0)
///     .fit(&data, &FitContext::default())?;
/// assert!((fitted.report.solver().problems[0].margin.unwrap() - 1.0).abs() < 1e-3);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Cortes and Vapnik, Machine Learning 20, 1995.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Svc {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// The weight of margin errors.
    #[setting(group)]
    pub softness: Softness,
    /// The constant term of the decision.
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// How several classes are told apart.
    #[setting(words("one_vs_one", "one_vs_rest"), flag = "multiclass")]
    pub scheme: Scheme,
    /// Factors on C by class: `balanced`, or a factor for a class, repeatable.
    #[setting(class_weights, flag = "class-weight", python = "class_weight")]
    pub class_weights: ClassWeights,
    /// Also learn probabilities.
    ///
    /// A sigmoid is fitted; labels are then those of largest class factor times probability,
    /// otherwise those of the decisions.
    #[setting(switch, flag = "proba")]
    pub probability: bool,
    /// How the quadratic problems are solved.
    #[setting(group)]
    pub solver: SolverSettings,
}

impl Default for Svc {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            softness: Softness::default(),
            bias: Bias::default(),
            scheme: Scheme::default(),
            class_weights: ClassWeights::default(),
            probability: false,
            solver: SolverSettings::default(),
        }
    }
}

impl Svc {
    solver_setters!();
    softness_setters!();

    /// Asks for the hard margin.
    #[must_use]
    pub fn hard(self) -> Self {
        self.softness(Softness::Hard)
    }

    /// Learns from data, starting from the multipliers of an earlier model.
    ///
    /// # Errors
    /// As [`Estimator::fit`].
    pub fn fit_from(
        &self,
        data: &Dataset,
        context: &FitContext,
        earlier: Option<&KernelExpansion>,
    ) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let job = Classification {
            kernel: &self.kernel,
            scheme: self.scheme,
            class_weights: &self.class_weights,
            probability: self.probability,
            solver: &self.solver,
            bias: self.bias,
        };
        let (softness, bias) = (self.softness, self.bias);
        job.fit(data, context, earlier, |n| match softness.c(n) {
            Some(c) => Rule::Soft { c, bias },
            None => Rule::Hard { bias },
        })
    }
}

impl Estimator for Svc {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        self.fit_from(data, context, None)
    }
}

/// What soft, hard and ν classification have in common.
pub(super) struct Classification<'a> {
    pub(super) kernel: &'a KernelSpec,
    pub(super) scheme: Scheme,
    pub(super) class_weights: &'a ClassWeights,
    pub(super) probability: bool,
    pub(super) solver: &'a SolverSettings,
    pub(super) bias: Bias,
}

/// A solved decision in terms of canonical rows.
struct Verdict {
    /// Canonical rows in the order of the problem.
    rows: Vec<usize>,
    outcome: Outcome,
    sigmoid: Option<Sigmoid>,
    report: ProblemReport,
    kernel_bytes: u64,
}

impl Subproblem {
    /// Tells of a share ν that had to be lowered for this pair.
    fn lowered(&self, rule: Rule, weights: &[f64], classes: &ClassTargets) -> Option<Note> {
        let (Rule::Nu { nu, lower: true }, Some(negative)) = (rule, self.negative) else {
            return None;
        };
        let most = largest_nu(&[weights[self.positive], weights[negative]], 1);
        let (first, second) = (&classes.labels[self.positive], &classes.labels[negative]);
        (nu > most).then(|| {
            Note::Alert(format!(
                "`nu` is {most:.4} instead of {nu} for {first} against {second}: twice the share of the smaller class is the most it can be"
            ))
        })
    }
}

impl Classification<'_> {
    /// Fits all decisions; `rule` gets the total weight of the rows.
    pub(super) fn fit(
        &self,
        data: &Dataset,
        context: &FitContext,
        earlier: Option<&KernelExpansion>,
        rule: impl Fn(f64) -> Rule + Sync,
    ) -> Result<Fitted<KernelExpansion>> {
        let context = context.restarted();
        context.install(|| self.fit_installed(data, &context, earlier, &rule))?
    }

    fn fit_installed(
        &self,
        data: &Dataset,
        context: &FitContext,
        earlier: Option<&KernelExpansion>,
        rule: &(dyn Fn(f64) -> Rule + Sync),
    ) -> Result<Fitted<KernelExpansion>> {
        if data.targets.classes().is_none() {
            return Err(no_classes());
        }
        let mut rows = Canonical::try_new(data, self.kernel)?;
        let (kernel, mut notes) = rows.resolve(self.kernel, self.bias)?;
        notes.extend(self.solver.fine_note());
        let classes = rows.targets.classes().ok_or_else(no_classes)?;
        check_classes(classes, &rows)?;
        let totals = rows.span_weights();
        let rule = rule(totals.iter().sum());
        let factors = self.class_weights.factors(classes, &totals)?;
        let all: Vec<usize> = (0..rows.spans.len()).collect();
        let subproblems = subproblems(self.scheme, &all);
        notes.extend(
            subproblems
                .iter()
                .filter_map(|d| d.lowered(rule, &totals, classes)),
        );
        let bound = kernel.bind(rows.seen())?;
        let radius = match rows.centred() {
            None => radius(bound.as_ref()),
            // Rows are as long as they were given.
            Some(_) => radius(kernel.bind(&rows.records)?.as_ref()),
        };
        let (records, offset) = (&rows.records, self.bias.kernel_offset());
        let mut shared =
            SharedWorkspace::new(bound.as_ref(), records, offset, self.solver, context);
        let largest = subproblems.iter().map(|d| d.size(&rows)).max().unwrap_or(0);
        let at_once = shared.divide(subproblems.len(), largest);
        let warm = earlier.map(|model| (model, match_rows(&rows, model)));
        let begun = AtomicUsize::new(0);
        let solve = |subproblem: &Subproblem| -> Result<Verdict> {
            let share = 1.0 / subproblems.len() as f64;
            // In the order in which they are begun: threads do not take them one after the other.
            let place = begun.fetch_add(1, Ordering::Relaxed);
            let span = place as f64 * share..(place + 1) as f64 * share;
            let mut binary = subproblem.set_up(rule, &rows, classes, &factors, &shared, span);
            // Those to come get as much of the time that is left, if there is a limit.
            let left = subproblems.len() - place;
            binary
                .workspace
                .allow((at_once as f64 / left as f64).min(1.0));
            let start = warm.as_ref().map(|(model, matched)| {
                warm_start(subproblem, &binary, &rows, model, matched, rule)
            });
            self.judge(rule, &mut binary, subproblem, &rows, radius, start, context)
        };
        let verdicts: Result<Vec<Verdict>> = if at_once > 1 {
            subproblems.par_iter().with_max_len(1).map(solve).collect()
        } else {
            subproblems.iter().map(solve).collect()
        };
        let verdicts = verdicts?;
        self.assemble(
            kernel,
            &rows,
            classes,
            &factors,
            &subproblems,
            verdicts,
            notes,
            at_once,
            context,
        )
    }

    #[expect(clippy::too_many_arguments, reason = "all that one decision needs")]
    fn judge(
        &self,
        rule: Rule,
        binary: &mut Binary<'_>,
        subproblem: &Subproblem,
        rows: &Canonical,
        radius: Radius,
        start: Option<Vec<f64>>,
        context: &FitContext,
    ) -> Result<Verdict> {
        let weights = binary.weights.clone();
        let name = binary.name();
        let whole = binary.span.clone();
        if self.probability {
            binary.workspace.share(SOLVER_SHARE);
            binary.span.end = whole.start + SOLVER_SHARE * (whole.end - whole.start);
        }
        let outcome = rule.solve(binary, &weights, start, self.solver, &name)?;
        let precision = binary.workspace.precision();
        let mut steps = 0;
        let sigmoid = if self.probability && outcome.stop_reason != StopReason::Cancelled {
            binary.span = binary.span.end..whole.end;
            let (sigmoid, taken) = calibrate(rule, binary, &outcome, self.solver, context.seed)?;
            steps = taken;
            Some(sigmoid)
        } else {
            None
        };
        let (evaluations, kernel_bytes) = binary.workspace.cost();
        let tolerance = self.solver.tolerance;
        let mut report = outcome.report(name, tolerance, evaluations, precision);
        report.slack = Some(outcome.slack(rule, binary, radius, tolerance));
        if sigmoid.is_some() && binary.workspace.context().out_of_time() {
            report.stop_reason = report.stop_reason.worse(StopReason::TimeLimit);
        }
        report.iterations += steps;
        Ok(Verdict {
            rows: subproblem.spans(rows).into_iter().flatten().collect(),
            outcome,
            sigmoid,
            report,
            kernel_bytes,
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the last step joins everything")]
    fn assemble(
        &self,
        kernel: ResolvedKernel,
        rows: &Canonical,
        classes: &ClassTargets,
        factors: &[f64],
        subproblems: &[Subproblem],
        verdicts: Vec<Verdict>,
        mut notes: Vec<Note>,
        at_once: usize,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        let mut used = vec![false; rows.len()];
        for verdict in &verdicts {
            for (&row, beta) in verdict.rows.iter().zip(&verdict.outcome.beta) {
                used[row] |= *beta != 0.0;
            }
        }
        let support: Vec<usize> = (0..rows.len()).filter(|&r| used[r]).collect();
        let mut column = vec![usize::MAX; rows.len()];
        for (k, &row) in support.iter().enumerate() {
            column[row] = k;
        }
        let k = classes.labels.len();
        let height = match self.scheme {
            Scheme::OneVsOne => k - 1,
            Scheme::OneVsRest | Scheme::Softmax => k,
        };
        let mut coefficients = Matrix::zeros(height, support.len());
        for (d, (subproblem, verdict)) in subproblems.iter().zip(&verdicts).enumerate() {
            for (&row, &beta) in verdict.rows.iter().zip(&verdict.outcome.beta) {
                if beta == 0.0 {
                    continue;
                }
                let line = match subproblem.negative {
                    Some(b) if rows.spans[subproblem.positive].contains(&row) => b - 1,
                    Some(_) => subproblem.positive,
                    None => d,
                };
                coefficients[(line, column[row])] = beta;
            }
        }
        let sigmoids: Option<Vec<Sigmoid>> = verdicts.iter().map(|v| v.sigmoid).collect();
        let model = rows.expansion(Found {
            kernel,
            support,
            coefficients,
            biases: verdicts.iter().map(|v| v.outcome.bias).collect(),
            readout: Readout::Classes(ClassReadout {
                labels: classes.labels.clone(),
                scheme: self.scheme,
                sigmoids,
                factors: factors.iter().any(|f| *f != 1.0).then(|| factors.to_vec()),
            }),
            prices: prices(subproblems, &verdicts, factors, height),
        });
        let mut differing = None;
        if model.readout.has_probabilities() {
            let decisions = training_decisions(&model, rows, &verdicts, context)?;
            let copies = Some(&rows.weights[..]);
            differing = model.readout.differing(&decisions, copies);
            let all = rows.weights.iter().sum();
            notes.extend(differing.and_then(|d| Note::of_differing(d, all, "training rows")));
        }
        let largest = verdicts.iter().map(|v| v.kernel_bytes).max().unwrap_or(0);
        let problems = verdicts.into_iter().map(|v| v.report).collect();
        let bytes = largest * at_once as u64;
        let mut fitted = rows.finish(model, problems, notes, bytes, context);
        fitted.report.differing = differing;
        Ok(fitted)
    }
}

/// How long rows are in the space of a kernel.
fn radius(bound: &dyn BoundKernel) -> Radius {
    let mut squares = vec![0.0; bound.len()];
    // Seven digits do for a bound, and rows in double precision would be kept beside the others.
    bound.diagonal(Precision::F32, &mut squares);
    if squares.iter().any(|square| !square.is_finite()) {
        bound.diagonal(Precision::F64, &mut squares);
    }
    Radius::of_squares(&squares)
}

/// The largest coefficient of a row of weight 1, for every class and line of coefficients.
fn prices(
    subproblems: &[Subproblem],
    verdicts: &[Verdict],
    factors: &[f64],
    lines: usize,
) -> Vec<f64> {
    let mut prices = vec![0.0; factors.len() * lines];
    for (d, (subproblem, verdict)) in subproblems.iter().zip(verdicts).enumerate() {
        let mut set = |class: usize, line: usize| {
            prices[class * lines + line] = verdict.outcome.price * factors[class];
        };
        match subproblem.negative {
            Some(negative) => {
                set(subproblem.positive, negative - 1);
                set(negative, subproblem.positive);
            }
            None => (0..factors.len()).for_each(|class| set(class, d)),
        }
    }
    prices
}

/// The decisions about the training rows, a row for each: those of the solver where every decision
/// is about all rows, computed anew where pairs of classes know their own rows only.
fn training_decisions(
    model: &KernelExpansion,
    rows: &Canonical,
    verdicts: &[Verdict],
    context: &FitContext,
) -> Result<Matrix<f64>> {
    if verdicts.iter().any(|v| v.rows.len() < rows.len()) {
        let predictor = model.predictor(Precision::F32)?;
        return predictor.decisions(&rows.records, context.par(), &Cancel::default());
    }
    let mut decisions = Matrix::zeros(rows.len(), verdicts.len());
    for (d, verdict) in verdicts.iter().enumerate() {
        for (&row, value) in verdict.rows.iter().zip(&verdict.outcome.decision) {
            decisions[(row, d)] = *value;
        }
    }
    Ok(decisions)
}

impl Subproblem {
    /// Runs of canonical rows, the positive class first.
    fn spans(&self, rows: &Canonical) -> Vec<std::ops::Range<usize>> {
        let mut spans = vec![rows.spans[self.positive].clone()];
        if let Some(negative) = self.negative {
            spans.push(rows.spans[negative].clone());
        } else {
            spans.push(0..rows.spans[self.positive].start);
            spans.push(rows.spans[self.positive].end..rows.len());
            spans.retain(|s| !s.is_empty());
        }
        spans
    }

    fn size(&self, rows: &Canonical) -> usize {
        self.spans(rows).iter().map(ExactSizeIterator::len).sum()
    }

    fn set_up<'a>(
        &self,
        rule: Rule,
        rows: &Canonical,
        classes: &ClassTargets,
        factors: &[f64],
        shared: &'a SharedWorkspace<'_>,
        span: Range<f64>,
    ) -> Binary<'a> {
        let spans = self.spans(rows);
        let order = || spans.iter().cloned().flatten();
        let code = |row: usize| classes.codes[row] as usize;
        let copies: Arc<[f64]> = if order().eq(0..rows.len()) {
            rows.weights.clone()
        } else {
            order().map(|r| rows.weights[r]).collect()
        };
        let plain = factors.iter().all(|f| *f == 1.0);
        let rest = || "the rest".to_owned();
        Binary {
            positives: rows.spans[self.positive].len(),
            weights: if plain {
                copies.clone()
            } else {
                order()
                    .map(|r| rows.weights[r] * factors[code(r)])
                    .collect()
            },
            copies,
            factors: if plain {
                Vec::new()
            } else {
                order().map(|r| factors[code(r)]).collect()
            },
            names: [
                classes.labels[self.positive].clone(),
                self.negative
                    .map_or_else(rest, |b| classes.labels[b].clone()),
            ],
            row_numbers: if matches!(rule, Rule::Hard { .. }) {
                order().map(|r| rows.sources[r] + 1).collect()
            } else {
                Vec::new()
            },
            span,
            workspace: shared.workspace(spans),
        }
    }
}

/// Multipliers of an earlier model for the rows of a problem, made feasible.
fn warm_start(
    subproblem: &Subproblem,
    binary: &Binary<'_>,
    rows: &Canonical,
    model: &KernelExpansion,
    matched: &[Option<usize>],
    rule: Rule,
) -> Vec<f64> {
    let Some(scheme) = model.readout.classes().map(|c| c.scheme) else {
        return vec![0.0; binary.weights.len()];
    };
    let coefficients = &model.coefficients;
    let Rule::Soft { c, bias } = rule else {
        return vec![0.0; binary.weights.len()];
    };
    let order: Vec<usize> = subproblem.spans(rows).into_iter().flatten().collect();
    let mut start: Vec<f64> = order
        .iter()
        .enumerate()
        .map(|(i, &row)| {
            let Some(vector) = matched[row] else {
                return 0.0;
            };
            let line = match (scheme, subproblem.negative) {
                (Scheme::OneVsOne, Some(b)) if i < binary.positives => b - 1,
                (Scheme::OneVsOne, Some(_)) | (Scheme::OneVsRest, None) => subproblem.positive,
                _ => return 0.0,
            };
            if line >= coefficients.rows() {
                return 0.0;
            }
            let sign = if i < binary.positives { 1.0 } else { -1.0 };
            (sign * coefficients[(line, vector)]).clamp(0.0, c * binary.weights[i])
        })
        .collect();
    if bias == Bias::Free {
        balance(&mut start, binary.positives);
    }
    start
}

fn check_classes(classes: &ClassTargets, rows: &Canonical) -> Result<()> {
    let absent: Vec<&String> = classes
        .labels
        .iter()
        .zip(&rows.spans)
        .filter(|(_, span)| span.is_empty())
        .map(|(label, _)| label)
        .collect();
    if classes.labels.len() - absent.len() < 2 {
        let only = classes
            .labels
            .iter()
            .zip(&rows.spans)
            .find(|(_, span)| !span.is_empty())
            .map_or("?", |(label, _)| label.as_str());
        return Err(Error::rows(
            format!("all rows belong to the class `{only}`"),
            "classification needs rows of at least two classes; to learn what is usual, use novelty detection",
        ));
    }
    if let Some(label) = absent.first() {
        return Err(Error::rows(
            format!("no row with a positive weight belongs to the class `{label}`"),
            "leave the class out, or give its rows a weight",
        ));
    }
    Ok(())
}
