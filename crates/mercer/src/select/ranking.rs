//! The ranking: evidence of every candidate, and how probable that makes each.

use std::time::Duration;

use mercer_linalg::{LinalgError, Par};

use super::climb::{Climbed, Effort, Part, Rows, climb};
use super::occam::peak;
use super::sample::fair_order;
use super::{Candidate, Outputs};
use crate::data::{Dataset, Targets};
use crate::evidence::{Problem, RATIO_RANGE, Reduced, left_out_mistakes, left_out_spread};
use crate::fit::{FitContext, Note, StopReason};
use crate::kernel::ResolvedKernel;
use crate::{Error, Result};

/// Rows up to which level 3 is integrated over all ratios.
const INTEGRATED_ROWS: usize = 300;
/// Rows of the ranking that is made first where there is a time limit.
const QUICK_ROWS: usize = 400;
/// Rows on which the curvature of fitted numbers is measured.
const CURVATURE_ROWS: usize = 200;

/// A candidate with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// What the candidate was called.
    pub name: String,
    /// The kernel with its numbers fitted.
    pub kernel: ResolvedKernel,
    /// The ratio γ of noise to prior precision.
    pub ratio: f64,
    /// log p(D | K) up to a constant that all candidates share.
    pub log_evidence: f64,
    /// Probability of the kernel among the candidates.
    pub posterior: f64,
    /// Effective number of parameters, the constant counted.
    pub effective_parameters: f64,
    /// Leave-one-out error: share of wrong classes, or root mean square in the target's unit.
    pub leave_one_out: f64,
    /// Numbers that were fitted.
    pub fitted_numbers: usize,
    /// Seconds it took; differs between runs.
    pub seconds: f64,
}

/// Candidates in the order of their evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The best first.
    pub ranked: Vec<Ranked>,
    /// Rows that were used.
    pub rows: usize,
    /// Whether the time limit cut the ranking short.
    pub stop_reason: StopReason,
    /// What could not take part, and what was approximated.
    pub notes: Vec<Note>,
}

/// Ranks kernels by their evidence.
///
/// Where there is a time limit, a quick ranking on few rows comes first; it is the answer when
/// the time is up before every kernel was weighed on all rows.
///
/// # Errors
/// Rows without a usable target, fewer than three rows, no candidate that can compare the
/// rows, cancellation, and a time limit that ends before any kernel was weighed.
pub fn select(candidates: &[Candidate], data: &Dataset, context: &FitContext) -> Result<Selection> {
    let context = context.restarted();
    let ranked = |effort| select_within(candidates, data, effort, &context);
    context.install(|| {
        if context.time_left().is_none() || data.len() <= QUICK_ROWS {
            return ranked(Effort::THOROUGH);
        }
        let quick = ranked(Effort::quick(QUICK_ROWS))?;
        match ranked(Effort::THOROUGH) {
            Ok(all) if all.ranked.len() >= quick.ranked.len() => Ok(all),
            Ok(_) | Err(Error::OutOfTime) => Ok(quick.cut_short()),
            Err(error) => Err(error),
        }
    })?
}

impl Selection {
    /// Says that the time limit ended the ranking.
    fn cut_short(mut self) -> Self {
        self.stop_reason = StopReason::TimeLimit;
        self.notes.push(Note::Alert(
            "the time limit ended the ranking (time_limit): another run may give another one"
                .to_owned(),
        ));
        self
    }
}

/// Ranks kernels with an effort, in the caller's thread pool.
pub(crate) fn select_within(
    candidates: &[Candidate],
    data: &Dataset,
    effort: Effort,
    context: &FitContext,
) -> Result<Selection> {
    let outputs = Outputs::of(data)?;
    if data.len() < 3 {
        return Err(Error::rows(
            format!("{} rows are too few to weigh kernels", data.len()),
            "give at least three rows, or name a kernel and its settings",
        ));
    }
    let mut notes = Vec::new();
    let mut order = fair_order(data, context.seed);
    let most = effort.rows;
    if order.len() > most {
        notes.push(Note::Choice(format!(
            "kernels were weighed on {most} of {} rows, drawn at random with classes in proportion",
            order.len()
        )));
        order.truncate(most);
    }
    let rows = Rows {
        data,
        outputs: &outputs,
        order: &order,
    };
    let all = rows.first(usize::MAX);
    // Kernels side by side use cores better than cores inside one kernel.
    let par = if candidates.len() > 1 {
        Par::Sequential
    } else {
        context.par()
    };
    let ranking = Ranking {
        rows: &rows,
        all: &all,
        effort,
        par,
        context,
    };
    let mut entries: Vec<Entry> = Vec::new();
    let mut is_cut = false;
    let climbed = context.map(candidates, |candidate| ranking.enter(candidate));
    for (candidate, entry) in candidates.iter().zip(climbed) {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(Error::OutOfTime) => {
                is_cut = true;
                notes.push(Note::Alert(format!(
                    "`{}` did not take part: the time limit came first",
                    candidate.name
                )));
            }
            Err(error) if matches!(error, Error::Cancelled) || candidates.len() == 1 => {
                return Err(error);
            }
            Err(error) => notes.push(Note::Alert(format!(
                "`{}` did not take part: {error}",
                candidate.name
            ))),
        }
    }
    if entries.is_empty() && is_cut {
        return Err(Error::OutOfTime);
    }
    if entries.is_empty() {
        return Err(Error::rows(
            "no kernel could be weighed on these rows",
            notes.iter().map(Note::text).collect::<Vec<_>>().join("; "),
        ));
    }
    match ranking.finish(&mut entries) {
        // What was fitted on fewer rows is still in order.
        Err(Error::OutOfTime) => is_cut = true,
        other => other?,
    }
    let top = entries[0].log_posterior();
    let shares: Vec<f64> = entries
        .iter()
        .map(|e| (e.log_posterior() - top).exp())
        .collect();
    let total: f64 = shares.iter().sum();
    let ranked = entries
        .into_iter()
        .zip(shares)
        .map(|(entry, share)| Ranked {
            posterior: share / total,
            ..entry.ranked
        })
        .collect();
    let selection = Selection {
        ranked,
        rows: order.len(),
        stop_reason: StopReason::Converged,
        notes,
    };
    Ok(if is_cut {
        selection.cut_short()
    } else {
        selection
    })
}

/// The rows and means of one ranking.
struct Ranking<'a> {
    rows: &'a Rows<'a>,
    all: &'a Part,
    effort: Effort,
    par: Par,
    context: &'a FitContext,
}

/// A candidate on its way through the ranking.
struct Entry {
    climbed: Climbed,
    log_prior: f64,
    ranked: Ranked,
    /// Whether its numbers are fitted on all rows.
    is_polished: bool,
}

impl Entry {
    fn log_posterior(&self) -> f64 {
        self.ranked.log_evidence + self.log_prior
    }
}

impl Ranking<'_> {
    /// Fits the numbers of a candidate on some rows and weighs it on all.
    fn enter(&self, candidate: &Candidate) -> Result<Entry> {
        let started = self.context.elapsed();
        let data = self.rows.data;
        let (kernel, _) = candidate
            .kernel
            .resolve(&data.records, data.weights.as_deref())?;
        let dials = candidate.dials(&kernel);
        let climbed = climb(
            kernel,
            dials,
            self.rows,
            &self.effort,
            self.par,
            self.context,
        )?;
        let few = self.all.records.len() <= self.effort.climbed_rows();
        let mut entry = Entry {
            ranked: Ranked {
                name: candidate.name.clone(),
                kernel: climbed.fitted_kernel()?,
                ratio: climbed.ratio(),
                log_evidence: f64::NEG_INFINITY,
                posterior: 0.0,
                effective_parameters: 0.0,
                leave_one_out: f64::NAN,
                fitted_numbers: climbed.dials.len(),
                seconds: 0.0,
            },
            is_polished: few || climbed.dials.is_empty(),
            climbed,
            log_prior: candidate.prior.ln(),
        };
        self.weigh(&mut entry)?;
        self.add_time(&mut entry, started);
        Ok(entry)
    }

    /// Fits the kernels that can win on all rows, and puts all in order.
    fn finish(&self, entries: &mut [Entry]) -> Result<()> {
        let by_evidence = |a: &Entry, b: &Entry| b.log_posterior().total_cmp(&a.log_posterior());
        entries.sort_by(by_evidence);
        let polished = self.effort.polished;
        // A kernel that overtakes by its last steps is not overtaken unfitted.
        while entries.iter().take(polished).any(|e| !e.is_polished) {
            let top = entries.len().min(polished);
            let open = entries[..top].iter_mut().filter(|e| !e.is_polished);
            let polished = self.context.map(open.collect::<Vec<_>>(), |entry| {
                let started = self.context.elapsed();
                entry.climbed.polish(self.all, self.par, self.context);
                entry.is_polished = true;
                self.weigh(entry)?;
                self.add_time(entry, started);
                Ok(())
            });
            polished.into_iter().collect::<Result<()>>()?;
            entries.sort_by(by_evidence);
        }
        Ok(())
    }

    fn add_time(&self, entry: &mut Entry, started: Duration) {
        let elapsed = self.context.elapsed().saturating_sub(started);
        entry.ranked.seconds += elapsed.as_secs_f64();
    }

    /// Evidence, effective parameters and leave-one-out error at the fitted numbers.
    fn weigh(&self, entry: &mut Entry) -> Result<()> {
        let Self { rows, all, par, .. } = *self;
        let context = self.context;
        let proceed = || context.goes_on();
        let climbed = &entry.climbed;
        let objective = climbed.objective(all, par, context);
        let kernel = climbed.fitted_kernel()?;
        let gram = kernel.gram_within(&all.records, par, context)?;
        let problem = objective.problem(&gram);
        let reduced = reduced(&problem)?;
        let mut at = climbed.at.clone();
        let place = at.len() - 1;
        if let Some(best) = reduced.as_ref().and_then(Reduced::best_ratio) {
            at[place] = best.ln();
        }
        let few = rows.first(CURVATURE_ROWS);
        let scale = rows.order.len() as f64 / few.records.len() as f64;
        let peak = peak(&climbed.objective(&few, par, context), &at, scale);
        let mut ratio = at[place].exp();
        let solved = loop {
            match problem.solve_while(ratio, par, &proceed) {
                Ok(solved) => break solved,
                Err(LinalgError::Stopped) => {
                    return Err(context.check().err().unwrap_or(Error::OutOfTime));
                }
                // Targets without any noise drive the ratio to where the matrix is singular.
                Err(_) if ratio > f64::MIN_POSITIVE => ratio /= 10.0,
                Err(_) => return Err(not_positive(&kernel)),
            }
        };
        let level_three = match reduced.map(|r| r.log_evidence()) {
            Some(exact) => exact.unwrap_or(f64::NEG_INFINITY),
            None => peak_evidence(&problem, ratio, solved.cost(), peak.ratio),
        };
        let diagonal = solved
            .diagonal_while(par, &proceed)
            .map_err(|_| context.check().err().unwrap_or(Error::OutOfTime))?;
        let residuals = diagonal.leave_one_out();
        let weights = all.weights.as_deref();
        let leave_one_out = match &rows.data.targets {
            Targets::Classes(_) => left_out_mistakes(&residuals, &all.targets, weights),
            _ => rows.outputs.unit * left_out_spread(&residuals, weights),
        };
        let ranked = &mut entry.ranked;
        ranked.log_evidence = level_three - objective.penalty(&at) - peak.occam;
        ranked.effective_parameters = diagonal.effective_parameters();
        ranked.leave_one_out = leave_one_out;
        ranked.ratio = ratio;
        ranked.kernel = kernel;
        context.check()
    }
}

fn not_positive(kernel: &ResolvedKernel) -> Error {
    Error::Kernel {
        kernel: kernel.to_string(),
        problem: "its matrix is not positive semidefinite".to_owned(),
        cure: "choose a kernel that is, or repair the matrix with `mercer gram`".to_owned(),
    }
}

/// The tridiagonal form, where there are few enough rows.
fn reduced(problem: &Problem<'_>) -> Result<Option<Reduced>> {
    if problem.rows() > INTEGRATED_ROWS {
        return Ok(None);
    }
    let reduced = Reduced::new(problem)
        .map_err(|e| Error::rows(e.to_string(), "check the kernel and the rows"))?;
    Ok(Some(reduced))
}

/// Laplace's form of the integral around its peak, plus the plateau at small ratios.
///
/// Beyond a few hundred rows the peak is a Gauss curve to three digits. A kernel that explains
/// nothing has no peak: its cost is that of the constant for all small ratios.
fn peak_evidence(problem: &Problem<'_>, ratio: f64, centre: f64, curvature: f64) -> f64 {
    let length = (RATIO_RANGE.1 / RATIO_RANGE.0).ln();
    let lowest = (RATIO_RANGE.0 / problem.mean_eigenvalue()).ln();
    let plateau = {
        let below = (ratio.ln() - lowest).clamp(0.0, length);
        (below / length).ln() - constant_cost(problem)
    };
    let widest = length * length / std::f64::consts::TAU;
    let width = 0.5 * (std::f64::consts::TAU * (1.0 / curvature.max(0.0)).min(widest)).ln();
    let peak = width - length.ln() - centre;
    let top = peak.max(plateau);
    top + ((peak - top).exp() + (plateau - top).exp()).ln()
}

/// J of the constant alone: the limit of small ratios.
fn constant_cost(problem: &Problem<'_>) -> f64 {
    let n = problem.rows();
    let weight = |i: usize| 1.0 / problem.noise(i);
    let total: f64 = (0..n).map(weight).sum();
    let outputs = problem.targets;
    let one = |k: usize| {
        let row = outputs.row(k);
        let mean = (0..n).map(|i| weight(i) * row[i]).sum::<f64>() / total;
        let square: f64 = (0..n).map(|i| weight(i) * (row[i] - mean).powi(2)).sum();
        0.5 * problem.freedom() * (square / 2.0).ln()
    };
    (0..outputs.rows()).map(one).sum()
}
