//! The ranking: evidence of every candidate, and how probable that makes each.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mercer_linalg::{LinalgError, Par};
use rayon::prelude::*;

use super::climb::{Climbed, Effort, Part, Rows, climb};
use super::occam::{Peak, peak};
use super::sample::{fair_order, numbered};
use super::{Candidate, Outputs};
use crate::data::{Dataset, Targets};
use crate::fit::{FitContext, Note, Progress, StopReason};
use crate::hint::{Act, Hint, Word};
use crate::kernel::ResolvedKernel;
use crate::solver::least_squares::{
    Problem, RATIO_RANGE, Reduced, Sampled, left_out_mistakes, left_out_spread,
};
use crate::{Error, Result};

/// A kernel so far behind in log evidence cannot win by what an approximation is wrong by.
const BEYOND_DOUBT: f64 = 25.0;

/// Matrices that are there at a time: the kernel's and one more of a part of it, the factor and
/// its inverse, the inverse, and the slopes in every value with their products.
const MATRICES: u64 = 7;

/// Rows of the ranking that is made first where there is a time limit.
const QUICK_ROWS: usize = 400;

/// A candidate with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// What the candidate was called.
    pub name: String,
    /// The kernel with its hyperparameters fitted.
    pub kernel: ResolvedKernel,
    /// The ratio γ of noise to prior precision.
    pub ratio: f64,
    /// log p(D | K) up to a constant that all candidates share.
    pub log_evidence: f64,
    /// Probability of the kernel among the candidates.
    pub posterior: f64,
    /// Effective number of parameters, the constant counted.
    pub effective_parameters: f64,
    /// Leave-one-out error: share of wrong classes, or root mean square in the target's unit. Where rows
    /// come in groups, that of rows whose group is left out.
    pub leave_one_out: f64,
    /// How many hyperparameters were fitted.
    pub fitted_numbers: usize,
    /// Whether level 3 is the integral over all ratios, and γ its optimum; otherwise both follow
    /// from the peak on some rows.
    pub is_integral: bool,
    /// What an extrapolated Occam factor may be wrong by; `None` where it was measured on all
    /// rows.
    pub occam_error: Option<f64>,
    /// The closed form of Van Gestel et al. (2002) in place of the integral; `None` where it does
    /// not hold: it needs γ_eff − 1 ≥ 1, n − γ_eff ≥ 1 and an optimum inside the range.
    pub closed_form: Option<f64>,
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
    /// Groups that were left out one by one, where the ranking is by them.
    pub groups: Option<usize>,
    /// Whether the time limit cut the ranking short.
    pub stop_reason: StopReason,
    /// What could not take part, and what was approximated.
    pub notes: Vec<Note>,
}

/// Ranks kernels by their evidence.
///
/// Where there is a time limit, a quick ranking on few rows comes first; it is the result when
/// the time is up before every kernel was weighed on all rows.
///
/// # Errors
/// Rows without a usable target, fewer than three rows, no candidate that can compare the
/// rows, cancellation, and a time limit that ends before any kernel was weighed.
pub fn select(candidates: &[Candidate], data: &Dataset, context: &FitContext) -> Result<Selection> {
    select_grouped(candidates, data, None, context)
}

/// Ranks kernels for rows that may come in groups, as repeated measurements of one thing do: by the error on
/// groups that are left out as a whole.
///
/// The evidence takes the rows of a group for independent, and so prefers kernels that know a group again to
/// those that tell of new ones. It fits the hyperparameters of every kernel and is told with its posterior; the
/// order is that of the left-out groups.
///
/// # Errors
/// As [`select`], and groups for another number of rows, or one for all of them.
pub fn select_grouped(
    candidates: &[Candidate],
    data: &Dataset,
    groups: Option<&[u32]>,
    context: &FitContext,
) -> Result<Selection> {
    if let Some(groups) = groups {
        check_groups(groups, data)?;
    }
    let context = context.restarted();
    let ranked = |effort| select_within(candidates, data, groups, effort, &context);
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

/// Refuses groups that say nothing of these rows.
fn check_groups(groups: &[u32], data: &Dataset) -> Result<()> {
    if groups.len() != data.len() {
        return Err(Error::Length {
            what: "the group column".to_owned(),
            found: groups.len(),
            expected: data.len(),
            unit: "rows",
        });
    }
    if groups.iter().all(|group| *group == groups[0]) {
        return Err(Error::rows(
            "all rows belong to one group, so that none can be held out",
            "leave the groups out, or give at least two",
        ));
    }
    Ok(())
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
    groups: Option<&[u32]>,
    effort: Effort,
    context: &FitContext,
) -> Result<Selection> {
    let outputs = Outputs::of(data)?;
    if data.len() < 3 {
        return Err(Error::rows(
            format!("{} rows are too few to compare kernels", data.len()),
            "give at least three rows, or name a kernel and its settings",
        ));
    }
    let mut notes = Vec::new();
    let mut order = fair_order(data, context.seed);
    let most = effort.rows;
    let affordable = affordable_rows(context.most_memory());
    if order.len().min(most) > affordable {
        notes.push(Note::Alert(format!(
            "kernels were compared on {affordable} of {} rows: {} has no room for more",
            order.len(),
            context.memory_holder()
        )));
        order.truncate(affordable);
    } else if order.len() > most {
        let how = match data.targets.classes() {
            Some(_) => " with classes in proportion",
            None => "",
        };
        notes.push(Note::Choice(format!(
            "kernels were compared on {most} of {} rows, drawn at random{how}",
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
    let groups = groups.and_then(|groups| {
        let mut chosen = order.clone();
        chosen.sort_unstable();
        numbered(chosen.into_iter().map(|row| groups[row]))
    });
    // Kernels side by side use cores better than cores inside one kernel, where they fit.
    let at_once = candidates.len().min(context.thread_count());
    let together = at_once > 1 && context.at_once(weighing_bytes(order.len())) >= at_once;
    let par = if together {
        Par::Sequential
    } else {
        context.par()
    };
    let ranking = Ranking {
        rows: &rows,
        all: &all,
        groups: groups.as_deref(),
        effort,
        par,
        together,
        context,
        weighed: AtomicUsize::new(0),
        candidates: candidates.len(),
    };
    let mut entries: Vec<Entry> = Vec::new();
    let mut is_cut = false;
    let climbed = ranking.each(candidates, |candidate| ranking.enter(candidate));
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
            "no kernel could be compared on these rows",
            notes.iter().map(Note::text).collect::<Vec<_>>().join("; "),
        ));
    }
    match ranking.finish(&mut entries) {
        // What was fitted on fewer rows is still in order.
        Err(Error::OutOfTime) => is_cut = true,
        other => other?,
    }
    notes.extend(ranking.approximations(&entries));
    let top = entries[0].log_posterior();
    let count = groups
        .as_deref()
        .map(|groups| groups.iter().max().map_or(0, |last| 1 + *last as usize));
    if let Some(count) = count {
        let error = |entry: &Entry| entry.ranked.leave_one_out;
        // What could not be left out comes last.
        entries.sort_by(|a, b| {
            let known = error(a).is_nan().cmp(&error(b).is_nan());
            known.then(error(a).total_cmp(&error(b)))
        });
        notes.push(Note::Choice(format!(
            "kernels are ranked by the error on {count} groups, each left out as a whole; the evidence takes \
             the rows of a group for independent"
        )));
    }
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
        groups: count,
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
    /// The group of every one of them, where rows come in groups.
    groups: Option<&'a [u32]>,
    effort: Effort,
    par: Par,
    /// Whether candidates are worked on side by side.
    together: bool,
    context: &'a FitContext,
    /// Candidates that were weighed, of how many.
    weighed: AtomicUsize,
    candidates: usize,
}

/// A candidate on its way through the ranking.
struct Entry {
    climbed: Climbed,
    log_prior: f64,
    ranked: Ranked,
    /// Whether its numbers are fitted on all rows.
    is_polished: bool,
    /// Whether level 3 is wanted as an integral, whatever it costs.
    is_contender: bool,
}

impl Entry {
    fn log_posterior(&self) -> f64 {
        self.ranked.log_evidence + self.log_prior
    }
}

impl Ranking<'_> {
    /// Works on candidates, side by side where that is allowed.
    fn each<T: Send, R: Send>(
        &self,
        items: impl IntoParallelIterator<Item = T, Iter: IndexedParallelIterator>
        + IntoIterator<Item = T>,
        work: impl Fn(T) -> R + Sync + Send,
    ) -> Vec<R> {
        if self.together {
            self.context.map(items, work)
        } else {
            items.into_iter().map(work).collect()
        }
    }

    /// Fits the hyperparameters of a candidate on some rows and weighs it on all.
    fn enter(&self, candidate: &Candidate) -> Result<Entry> {
        let started = self.context.elapsed();
        let data = self.rows.data;
        let (kernel, _) = candidate
            .kernel
            .resolve(&data.records, data.weights.as_deref())?;
        let hyperparameters = candidate.hyperparameters(&kernel);
        let climbed = climb(
            kernel,
            hyperparameters,
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
                fitted_numbers: climbed.hyperparameters.len(),
                is_integral: false,
                occam_error: None,
                closed_form: None,
                seconds: 0.0,
            },
            is_polished: few || climbed.hyperparameters.is_empty(),
            is_contender: false,
            climbed,
            log_prior: candidate.prior.ln(),
        };
        self.weigh(&mut entry)?;
        self.add_time(&mut entry, started);
        self.tell();
        Ok(entry)
    }

    /// Tells that one more candidate was weighed; the best are fitted on all rows afterwards, which
    /// takes about as long again.
    fn tell(&self) {
        let weighed = self.weighed.fetch_add(1, Ordering::Relaxed) + 1;
        self.context.tell(|| Progress {
            stage: "choosing kernels".to_owned(),
            share: Some(0.5 * weighed as f64 / self.candidates as f64),
            ..Progress::default()
        });
    }

    /// Fits the kernels that can win on all rows, integrates where that can decide, and puts all
    /// in order.
    fn finish(&self, entries: &mut [Entry]) -> Result<()> {
        let by_evidence = |a: &Entry, b: &Entry| b.log_posterior().total_cmp(&a.log_posterior());
        entries.sort_by(by_evidence);
        // A kernel that overtakes by its last steps is not overtaken unfitted.
        loop {
            let least = entries[0].log_posterior() - BEYOND_DOUBT;
            let open = entries.iter_mut().enumerate().filter(|(place, entry)| {
                let unfitted = *place < self.effort.polished && !entry.is_polished;
                let sampled = self.effort.precision.sampled.is_some();
                let can_win = sampled && entry.log_posterior() >= least;
                unfitted || (can_win && !entry.ranked.is_integral && !entry.is_contender)
            });
            let open: Vec<_> = open.collect();
            if open.is_empty() {
                return Ok(());
            }
            let done = self.each(open, |(place, entry)| {
                let started = self.context.elapsed();
                if place < self.effort.polished && !entry.is_polished {
                    entry.climbed.polish(self.all, self.par, self.context);
                    entry.is_polished = true;
                }
                entry.is_contender = true;
                self.weigh(entry)?;
                self.add_time(entry, started);
                Ok(())
            });
            done.into_iter().collect::<Result<()>>()?;
            entries.sort_by(by_evidence);
        }
    }

    /// What of the table is no integral over all rows, and by how much it may be wrong.
    fn approximations(&self, entries: &[Entry]) -> Vec<Note> {
        if self.effort.precision.sampled.is_none() {
            return Vec::new();
        }
        let mut notes = Vec::new();
        let names = |chosen: &dyn Fn(&Ranked) -> bool| -> Vec<String> {
            let chosen = entries.iter().filter(|e| chosen(&e.ranked));
            chosen.map(|e| format!("`{}`", e.ranked.name)).collect()
        };
        let peaks = names(&|r| !r.is_integral);
        if !peaks.is_empty() {
            notes.push(Note::Choice(format!(
                "the evidence of {} is that of its peak, with γ from {} rows: wrong by some nats, \
                 and more than {BEYOND_DOUBT} behind",
                peaks.join(", "),
                self.effort.climbed_rows(),
            )));
        }
        for entry in entries {
            let ranked = &entry.ranked;
            if let Some(error) = ranked.occam_error {
                let rows = (self.effort.precision.curvature)(ranked.fitted_numbers);
                notes.push(Note::Choice(format!(
                    "what the fitted hyperparameters of `{}` cost is extrapolated from {rows} of {} rows; \
                     its evidence may be wrong by {error:.1}",
                    ranked.name,
                    self.rows.order.len(),
                )));
            }
        }
        notes
    }

    fn add_time(&self, entry: &mut Entry, started: Duration) {
        let elapsed = self.context.elapsed().saturating_sub(started);
        entry.ranked.seconds += elapsed.as_secs_f64();
    }

    /// Evidence, effective parameters and leave-one-out error at the fitted hyperparameters.
    fn weigh(&self, entry: &mut Entry) -> Result<()> {
        let Self { rows, all, par, .. } = *self;
        let context = self.context;
        let proceed = || context.goes_on();
        let climbed = &entry.climbed;
        let objective = climbed.objective(all, par, context);
        let kernel = climbed.fitted_kernel()?;
        let gram = kernel.gram_within(&all.records, par, context)?;
        let problem = objective.problem(&gram);
        let mut at = climbed.at.clone();
        let place = at.len() - 1;
        let integral = self.integral(&problem, at[place].exp(), entry.is_contender)?;
        if let Some(integral) = &integral {
            at[place] = integral.ratio.ln();
        }
        let numbers = climbed.hyperparameters.len();
        let (peak, occam_error) = if numbers == 0 && integral.is_some() {
            (Peak::default(), None)
        } else {
            self.peak(climbed, &at)
        };
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
        let level_three = match &integral {
            Some(integral) => integral.log_evidence,
            None => peak_evidence(&problem, ratio, solved.cost(), peak.ratio),
        };
        let fitted = objective.penalty(&at) + peak.occam;
        let stopped = |_: LinalgError| context.check().err().unwrap_or(Error::OutOfTime);
        let (effective, residuals) = if let Some(groups) = self.groups {
            let operator = solved.operator_while(par, &proceed).map_err(stopped)?;
            let residuals = operator.leave_folds_out(groups, par).ok();
            (operator.diagonal().effective_parameters(), residuals)
        } else {
            let diagonal = solved.diagonal_while(par, &proceed).map_err(stopped)?;
            let residuals = diagonal.leave_one_out();
            (diagonal.effective_parameters(), Some(residuals))
        };
        let weights = all.weights.as_deref();
        // Without some group the rest may not determine a function.
        let leave_one_out = residuals.map_or(f64::NAN, |residuals| match &rows.data.targets {
            Targets::Classes(_) => left_out_mistakes(&residuals, &all.targets, weights),
            _ => rows.outputs.unit * left_out_spread(&residuals, weights),
        });
        let closed = closed_form(&problem, ratio, solved.cost(), effective);
        let ranked = &mut entry.ranked;
        ranked.log_evidence = level_three - fitted;
        ranked.is_integral = integral.is_some();
        ranked.occam_error = occam_error;
        ranked.closed_form = closed.map(|value| value - fitted);
        ranked.effective_parameters = effective;
        ranked.leave_one_out = leave_one_out;
        ranked.ratio = ratio;
        ranked.kernel = kernel;
        context.check()
    }
}

impl Ranking<'_> {
    /// Level 3 as an integral with its best ratio, where the effort allows it.
    fn integral(
        &self,
        problem: &Problem<'_>,
        guess: f64,
        is_contender: bool,
    ) -> Result<Option<Sampled>> {
        let precision = self.effort.precision;
        if problem.rows() <= precision.reduced {
            let reduced = Reduced::new(problem)
                .map_err(|e| Error::rows(e.to_string(), "check the kernel and the rows"))?;
            return Ok(reduced.best_ratio().map(|ratio| Sampled {
                ratio,
                log_evidence: reduced.log_evidence().unwrap_or(f64::NEG_INFINITY),
                evaluations: 0,
            }));
        }
        let wanted = precision.sampled.is_some_and(|most| problem.rows() <= most);
        if !(wanted || is_contender) {
            return Ok(None);
        }
        Ok(problem.sampled(guess, self.par, &|| self.context.goes_on()))
    }

    /// How sharply the evidence is peaked, from as many rows as the effort allows, and what the
    /// Occam factor may be wrong by where that is not all of them.
    fn peak(&self, climbed: &Climbed, at: &[f64]) -> (Peak, Option<f64>) {
        let Self { rows, par, .. } = *self;
        let numbers = climbed.hyperparameters.len();
        let measured = |count: usize| {
            let few = rows.first(count);
            let scale = rows.order.len() as f64 / few.records.len() as f64;
            peak(&climbed.objective(&few, par, self.context), at, scale)
        };
        let most = (self.effort.precision.curvature)(numbers);
        let found = measured(most);
        let is_partial = most < rows.order.len() && numbers > 0;
        // Twice as far extrapolated, the factor shows what extrapolating does to it.
        let error = (is_partial && self.effort.precision.sampled.is_some())
            .then(|| (found.occam - measured(most / 2).occam).abs());
        (found, error)
    }
}

/// Theorem 18 of the lecture notes (Van Gestel et al., Neural Computation 14, 2002): Laplace's form
/// in both precisions,
///
/// ```text
/// −J(γ) − ½ log[(γ_eff − 1)(n − γ_eff)] + ½ log[4π(n − 1)] − log R,
/// ```
///
/// R the length of the range of log γ, on the scale of the integral it approximates. It grows
/// without bound as γ → 0, so it is told only where the data determine a parameter and leave one.
fn closed_form(problem: &Problem<'_>, ratio: f64, cost: f64, effective: f64) -> Option<f64> {
    let (signal, noise) = (effective - 1.0, problem.copies() - effective);
    let position = ratio * problem.mean_eigenvalue();
    let is_inside = position > 2.0 * RATIO_RANGE.0 && position < 0.5 * RATIO_RANGE.1;
    (problem.targets.rows() == 1 && is_inside && signal >= 1.0 && noise >= 1.0).then(|| {
        let width = 2.0 * std::f64::consts::TAU * problem.freedom() / (signal * noise);
        0.5 * width.ln() - cost - (RATIO_RANGE.1 / RATIO_RANGE.0).ln().ln()
    })
}

/// Bytes that a kernel takes to be fitted and weighed on so many rows.
fn weighing_bytes(rows: usize) -> u64 {
    MATRICES * (rows as u64).pow(2) * size_of::<f64>() as u64
}

/// Rows on which a kernel can be weighed in so many bytes.
fn affordable_rows(memory: u64) -> usize {
    let cells = memory / (MATRICES * size_of::<f64>() as u64);
    (cells as f64).sqrt() as usize
}

fn not_positive(kernel: &ResolvedKernel) -> Error {
    Error::Kernel {
        kernel: kernel.to_string(),
        problem: "its matrix is not positive semidefinite".to_owned(),
        cure: Hint::from("choose a kernel that is, or ").word(Word::Act(Act::RepairMatrix)),
    }
}

/// Laplace's form of the integral around its peak, plus the plateau at small ratios.
///
/// Beyond a few hundred rows the peak is a Gaussian curve to three digits. A kernel that explains
/// nothing has no peak: its cost is that of the constant for all small ratios.
fn peak_evidence(problem: &Problem<'_>, ratio: f64, centre: f64, curvature: f64) -> f64 {
    let length = (RATIO_RANGE.1 / RATIO_RANGE.0).ln();
    let lowest = (RATIO_RANGE.0 / problem.mean_eigenvalue()).ln();
    let plateau = {
        let below = (ratio.ln() - lowest).clamp(0.0, length);
        (below / length).ln() - problem.constant_cost()
    };
    let widest = length * length / std::f64::consts::TAU;
    let width = 0.5 * (std::f64::consts::TAU * (1.0 / curvature.max(0.0)).min(widest)).ln();
    let peak = width - length.ln() - centre;
    let top = peak.max(plateau);
    top + ((peak - top).exp() + (plateau - top).exp()).ln()
}
