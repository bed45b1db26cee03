//! The search itself: rounds of folds over kernel groups of estimators, races, refinements.

use super::outcome::{Point, Status, Tuned};
use super::plan::{Engine, FoldRule, Tuning};
use super::points::{self, Grid};
use super::{Direct, Evaluator, Extent, FoldAnswers, Held, KernelGroup, SharedGram, race};
use crate::data::{Dataset, Folds, Task, folds, forward_chain};
use crate::fit::{FitContext, Note, Progress, StopReason};
use crate::judge::{Metric, mean_and_deviation};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::learn::AnyEstimator;
use crate::learn::project::projected;
use crate::{Error, Result};

/// Kernel groups that work side by side at least: a kernel alone is split over its folds. Fixed, because
/// the split decides which fold starts from which.
const LEAST_GROUPS: usize = 4;

/// The share of its time that a race has taken is the share of its points to this power: those that are
/// given up first are cheap, and what is refined at last is dear. Measured over fifteen tables.
const EFFORT: f64 = 1.67;

/// The setting that costs folds of its own, unless it is on by default.
const PROBABILITY: &str = "probability";

/// One point with what is known of it.
struct Entry {
    values: Vec<f64>,
    machine: AnyEstimator,
    round: usize,
    /// NaN before a fold is done, and where its rows do not define the metric.
    scores: Vec<f64>,
    /// Whether each fold is done.
    done: Vec<bool>,
    /// What each row lost; NaN before it was held out.
    losses: Option<Vec<f32>>,
    /// Predictions and decisions by row, for leave-one-out.
    pooled: Vec<(f64, f64)>,
    dropped: bool,
    /// Whether it is dropped because a fit took more than its share of the work.
    cut: bool,
}

/// The circumstances of a search.
struct Search<'a> {
    data: &'a Dataset,
    folds: &'a Folds,
    metric: Metric,
    pool: bool,
    race: bool,
    work_limit: Option<f64>,
    project: Option<&'a AnyEstimator>,
    /// Rounds that refine the grid, and its axes.
    refine: usize,
    axes: u32,
    context: &'a FitContext,
}

pub(super) fn run(
    tuning: &Tuning,
    estimator: &AnyEstimator,
    data: &Dataset,
    context: &FitContext,
) -> Result<Tuned> {
    let metric = tuning
        .metric
        .unwrap_or_else(|| Metric::of(estimator.task_on(&data.targets)));
    metric.check(&data.targets, estimator.task_on(&data.targets))?;
    check_classes(data)?;
    let mut notes = Vec::new();
    // Open parameters are chosen from all rows, in the coordinates that are learnt from.
    let whole = match &tuning.project {
        Some(project) => Some(projected(project, data, context)?.data),
        None => None,
    };
    let base = resolved(estimator, whole.as_ref().unwrap_or(data), &mut notes)?;
    let axes = if tuning.axes.is_empty() {
        points::automatic(estimator, &base, &data.targets)?
    } else {
        tuning.axes.clone()
    };
    let mut grid = Grid::try_new(axes, base)?;
    // What the data gave a parameter on the grid is never used.
    let varied = grid.parameters();
    notes.retain(|note: &Note| !varied.iter().any(|p| note.text().starts_with(p.as_str())));
    let count = match tuning.folds {
        FoldRule::Count(k) => k,
        FoldRule::LeaveOneOut => data.len(),
    };
    let groups = match tuning.folds {
        FoldRule::Count(_) => tuning.groups.as_deref(),
        FoldRule::LeaveOneOut => None,
    };
    let split = match (tuning.chain, tuning.folds) {
        (Some(_), FoldRule::LeaveOneOut) => {
            return Err(Error::Conflict {
                what: "rows in the order of time cannot be left out one by one: later ones would be learnt from".to_owned(),
                cure: "use a number of folds".into(),
            });
        }
        (Some(gap), FoldRule::Count(k)) => forward_chain(data.len(), k, gap)?,
        (None, _) => folds(data.len(), &data.targets, count, context.seed, groups)?,
    };
    notes.extend(split.notes.iter().cloned());
    let search = Search {
        data,
        folds: &split,
        metric,
        pool: tuning.folds == FoldRule::LeaveOneOut,
        race: tuning.race,
        work_limit: tuning.work_limit,
        project: tuning.project.as_ref(),
        refine: tuning.refine,
        axes: grid.axes.len() as u32,
        context,
    };
    let mut entries: Vec<Entry> = Vec::new();
    search.add(&mut entries, &grid, grid.points(), 0)?;
    search.score(&mut entries, &grid, tuning.engine, 0)?;
    for round in 1..=tuning.refine {
        let Some(best) = search.best(&entries, &grid) else {
            break;
        };
        if context.out_of_time() {
            break;
        }
        let around = grid.refine(&entries[best].values.clone());
        let first = entries.len();
        search.add(&mut entries, &grid, around, round)?;
        if entries.len() == first {
            break;
        }
        search.score(&mut entries, &grid, tuning.engine, first)?;
    }
    let Some(best) = search.best(&entries, &grid) else {
        context.check()?;
        if !entries.iter().any(|entry| entry.cut) {
            return Err(Error::rows(
                format!(
                    "`{metric}` has no value on any fold: rows held out together are too few or all alike"
                ),
                "use fewer folds, leave-one-out, which scores all rows together, or another metric",
            ));
        }
        return Err(Error::OutOfWork);
    };
    let points: Vec<Point> = entries.iter().map(|e| search.point(e)).collect();
    let unfinished = points.iter().filter(|p| p.status == Status::NotRun).count();
    if unfinished > 0 {
        notes.push(Note::Alert(format!(
            "the time limit ended the search (time_limit): {unfinished} of {} points are not scored on every fold, and another run may choose another one",
            points.len()
        )));
    }
    notes.extend(undefined(metric, &entries[best]));
    notes.extend(at_the_edge(&grid, &entries[best].values));
    let mut best_machine = entries[best].machine.clone();
    if let Some(asked) = estimator.get(PROBABILITY) {
        best_machine.set(PROBABILITY, &asked)?;
    }
    Ok(Tuned {
        axes: grid.axes,
        metric,
        points,
        best,
        estimator: best_machine,
        folds: count,
        losses: entries[best].losses.clone(),
        stop_reason: if unfinished > 0 {
            StopReason::TimeLimit
        } else {
            StopReason::Converged
        },
        seconds: context.elapsed().as_secs_f64(),
        notes,
    })
}

/// Refuses rows of one class: a training part that has no other is no fault of the rows, all of
/// them together are.
fn check_classes(data: &Dataset) -> Result<()> {
    let Some(classes) = data.targets.classes() else {
        return Ok(());
    };
    let weight = |row: usize| data.weights.as_ref().map_or(1.0, |w| w[row]);
    let rows = (0..data.len()).filter(|&row| weight(row) > 0.0);
    let mut codes = rows.map(|row| classes.codes[row]);
    let Some(first) = codes.next() else {
        return Err(Error::rows(
            "there are no rows to learn from",
            "give at least one row with a positive weight",
        ));
    };
    if codes.all(|code| code == first) {
        return Err(Error::rows(
            format!(
                "all rows belong to the class `{}`",
                classes.labels[first as usize]
            ),
            "classification needs rows of at least two classes; to learn what is usual, use novelty detection",
        ));
    }
    Ok(())
}

/// Fixes open kernel parameters from all rows, and leaves probabilities out of the search.
fn resolved(
    estimator: &AnyEstimator,
    data: &Dataset,
    notes: &mut Vec<Note>,
) -> Result<AnyEstimator> {
    let mut machine = estimator.clone();
    // Where probabilities come with every fit, labels follow them, and so does the search.
    let costs_folds = (machine.method().default)(PROBABILITY) == Some(false.into());
    if costs_folds {
        machine.set(PROBABILITY, &false.into())?;
    }
    // Nothing of the plain linear kernel is open, and methods that compare columns by themselves have it as a sign
    // of that: their rows may be categories alone.
    let open = |kernel: &&KernelSpec| **kernel != KernelSpec::linear();
    if let Some(kernel) = estimator.kernel().filter(open) {
        let (kernel, chosen) = kernel.resolve(&data.records, data.weights.as_deref())?;
        notes.extend(chosen);
        machine.set_kernel(kernel.spec().clone());
    }
    Ok(machine)
}

/// Says when the rows of some folds do not define the metric.
fn undefined(metric: Metric, best: &Entry) -> Option<Note> {
    let folds = best.scores.iter().zip(&best.done);
    let count = folds
        .filter(|(score, done)| **done && score.is_nan())
        .count();
    (count > 0).then(|| {
        Note::Alert(format!(
            "`{metric}` has no value on {count} of {} folds, whose rows are too few or all alike: means are over the others",
            best.scores.len()
        ))
    })
}

/// Says when the best value is the first or last of its axis.
fn at_the_edge(grid: &Grid, best: &[f64]) -> Option<Note> {
    let edges: Vec<String> = grid
        .axes
        .iter()
        .zip(best)
        .filter(|(axis, value)| {
            let ends = [axis.values.first(), axis.values.last()];
            axis.values.len() > 1 && ends.contains(&Some(value))
        })
        .map(|(axis, value)| format!("`{}` = {value}", axis.name))
        .collect();
    (!edges.is_empty()).then(|| {
        Note::Choice(format!(
            "the best point lies at the edge of the grid ({}); a wider grid may do better",
            edges.join(", ")
        ))
    })
}

/// A fold and what its points predicted; `None` for points left out.
type FoldStep = (usize, Vec<Option<Held>>);

/// A kernel group at work: estimators of one kernel on some of the folds.
struct Work<'e> {
    kernel_group: Box<dyn KernelGroup + 'e>,
    /// The entries of the estimators, in the kernel group's order.
    entries: Vec<usize>,
    /// The folds still to do, last first.
    folds: Vec<usize>,
}

impl Search<'_> {
    /// How many rows matrices are made of.
    fn extent(&self) -> Extent {
        let (rows, tests) = (self.data.len(), self.folds.test.iter());
        Extent {
            rows,
            trained: rows - tests.map(Vec::len).min().unwrap_or(0),
        }
    }

    fn add(
        &self,
        entries: &mut Vec<Entry>,
        grid: &Grid,
        points: Vec<Vec<f64>>,
        round: usize,
    ) -> Result<()> {
        for values in points {
            if entries.iter().any(|e| e.values == values) {
                continue;
            }
            let pooled = if self.pool { self.data.len() } else { 0 };
            entries.push(Entry {
                machine: grid.machine(&values)?,
                values,
                round,
                scores: vec![f64::NAN; self.folds.test.len()],
                done: vec![false; self.folds.test.len()],
                losses: None,
                pooled: vec![(f64::NAN, f64::NAN); pooled],
                dropped: false,
                cut: false,
            });
        }
        Ok(())
    }

    /// Scores the entries from `first` on.
    fn score(
        &self,
        entries: &mut [Entry],
        grid: &Grid,
        engine: Engine,
        first: usize,
    ) -> Result<()> {
        let kernel_groups = kernel_groups(entries, grid, first);
        let kernel = |kernel_group: &Vec<usize>| entries[kernel_group[0]].machine.kernel().cloned();
        let kernels: Vec<Option<KernelSpec>> = kernel_groups.iter().map(kernel).collect();
        let extent = self.extent();
        let machines = || entries[first..].iter().map(|e| &e.machine);
        // Every fold has coordinates of its own, and so a kernel matrix of its own.
        let shared = engine == Engine::Auto
            && self.project.is_none()
            && machines().any(|m| SharedGram::fits(m, extent, self.context));
        let evaluator: Box<dyn Evaluator + '_> = if shared {
            let known: Vec<KernelSpec> = kernels.iter().flatten().cloned().collect();
            let gram = SharedGram::new(self.data, self.folds, &known, self.context);
            Box::new(gram.work_limit(self.work_limit))
        } else {
            let direct = Direct::new(self.data, self.folds).work_limit(self.work_limit);
            Box::new(direct.project(self.project.cloned()))
        };
        let at_once = machines().map(|machine| {
            if shared && SharedGram::serves(machine) {
                SharedGram::at_once(machine, extent, self.context)
            } else {
                self.context.at_once(machine.least_bytes(extent.trained))
            }
        });
        let at_once = at_once.min().unwrap_or(1);
        let own = &self.context.shared_by(at_once);
        let k = self.folds.test.len();
        let chains = LEAST_GROUPS.div_ceil(kernel_groups.len().max(1)).min(k);
        let mut work: Vec<Work<'_>> = Vec::new();
        for (kernel_group, kernel) in kernel_groups.iter().zip(&kernels) {
            // Parameters that stand for another one stay open; everything else is fixed.
            let kernel = kernel.clone().map(ResolvedKernel::try_new).transpose()?;
            let machines: Vec<AnyEstimator> = kernel_group
                .iter()
                .map(|&e| entries[e].machine.clone())
                .collect();
            for chain in 0..chains {
                work.push(Work {
                    kernel_group: evaluator.kernel_group(kernel.as_ref(), machines.clone())?,
                    entries: kernel_group.clone(),
                    folds: (chain..k).step_by(chains).rev().collect(),
                });
            }
        }
        let mut rounds = 0_usize;
        loop {
            if self.context.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if self.context.out_of_time() || work.iter().all(|w| w.folds.is_empty()) {
                return Ok(());
            }
            self.tell(entries, first);
            let frozen: &[Entry] = entries;
            let step = |w: &mut Work<'_>| -> Result<Option<FoldStep>> {
                let Some(fold) = w.folds.pop() else {
                    return Ok(None);
                };
                let wanted: Vec<bool> = w.entries.iter().map(|&e| !frozen[e].dropped).collect();
                if !wanted.contains(&true) {
                    return Ok(None);
                }
                match w.kernel_group.fold(fold, &wanted, own) {
                    Err(Error::OutOfTime) => Ok(None),
                    answers => Ok(Some((fold, answers?))),
                }
            };
            let done: Vec<Result<Option<FoldStep>>> = if at_once >= self.context.thread_count() {
                self.context.map(&mut work[..], &step)
            } else {
                let parts = work.chunks_mut(at_once);
                parts
                    .flat_map(|part| self.context.map(part, &step))
                    .collect()
            };
            for (w, done) in work.iter().zip(done) {
                let Some((fold, answers)) = done? else {
                    continue;
                };
                for (&e, held) in w.entries.iter().zip(answers) {
                    match held {
                        Some(Held::Answered(answers)) => {
                            self.note(&mut entries[e], fold, &answers);
                        }
                        Some(Held::Cut) => (entries[e].dropped, entries[e].cut) = (true, true),
                        None => {}
                    }
                }
            }
            rounds += 1;
            // Many folds are compared after 1, 2, 4, 8, … rounds: looks cost time too.
            if self.race && (rounds <= 8 || rounds.is_power_of_two()) {
                Self::race(entries);
            }
        }
    }

    /// Takes down the predictions of a fold.
    fn note(&self, entry: &mut Entry, fold: usize, answers: &FoldAnswers) {
        let rows = &self.folds.test[fold];
        let nu = match &entry.machine {
            AnyEstimator::OneClass(m) => m.nu,
            _ => 0.0,
        };
        entry.done[fold] = true;
        entry.scores[fold] = self.metric.score(answers, rows, self.data, nu);
        if entry.scores[fold].is_nan() && self.pool {
            // One row alone has no such score; leave-one-out is scored as a whole.
            entry.scores[fold] = 0.0;
        }
        if let Some(losses) = self.metric.losses(answers, rows, self.data) {
            let n = self.data.len();
            let known = entry.losses.get_or_insert_with(|| vec![f32::NAN; n]);
            for (&row, loss) in rows.iter().zip(losses) {
                known[row] = loss as f32;
            }
        }
        if self.pool {
            for (k, &row) in rows.iter().enumerate() {
                entry.pooled[row] = match answers {
                    FoldAnswers::Classes { codes, decisions } => {
                        let decision = decisions.as_ref().map_or(f64::NAN, |d| d[k]);
                        (f64::from(codes[k]), decision)
                    }
                    FoldAnswers::Values(values) | FoldAnswers::Novelty(values) => {
                        (values[k], values[k])
                    }
                };
            }
        }
    }

    /// Drops what cannot win any more.
    fn race(entries: &mut [Entry]) {
        let losses: Vec<Option<&[f32]>> = entries
            .iter()
            .map(|e| e.losses.as_deref().filter(|_| !e.dropped))
            .collect();
        let Some(leader) = race::leader(&losses) else {
            return;
        };
        let Some(best) = entries[leader].losses.clone() else {
            return;
        };
        for (k, entry) in entries.iter_mut().enumerate() {
            let open = k != leader && !entry.dropped && entry.done.contains(&false);
            if open
                && let Some(losses) = &entry.losses
                && race::is_hopeless(losses, &best)
            {
                entry.dropped = true;
            }
        }
    }

    /// Tells how much of the work is done, by how many points are scored; rounds that refine the grid are counted beforehand, as
    /// points on either side of the best one on every axis.
    fn tell(&self, entries: &[Entry], first: usize) {
        let k = self.folds.test.len();
        let done = |e: &Entry| {
            if e.dropped {
                k
            } else {
                e.done.iter().filter(|done| **done).count()
            }
        };
        let fresh = &entries[first..];
        let rounds = self.refine - entries.last().map_or(0, |e| e.round).min(self.refine);
        let expected = entries.len() + rounds * (3_usize.pow(self.axes.min(8)) - 1);
        let all: usize = entries.iter().map(done).sum();
        let scored: usize = fresh.iter().map(done).sum();
        let effort = if self.race { EFFORT } else { 1.0 };
        self.context.tell(|| Progress {
            stage: if scored > 0 {
                let open = fresh.iter().filter(|e| !e.dropped).count();
                format!("{open} of {} points left", fresh.len())
            } else {
                format!("{} points on {k} folds", fresh.len())
            },
            share: Some((all as f64 / (k * expected).max(1) as f64).powf(effort)),
            ..Progress::default()
        });
    }

    /// Sums an entry up.
    fn point(&self, entry: &Entry) -> Point {
        let known: Vec<f64> = entry
            .scores
            .iter()
            .copied()
            .filter(|s| !s.is_nan())
            .collect();
        let n = known.len() as f64;
        let complete = !entry.done.contains(&false);
        let (mean, standard_error) = if self.pool {
            self.pooled(entry)
        } else {
            let (mean, deviation) = mean_and_deviation(&known);
            (mean, deviation / n.sqrt())
        };
        Point {
            values: entry.values.clone(),
            mean,
            standard_error,
            folds: if self.pool {
                Vec::new()
            } else {
                entry.scores.clone()
            },
            status: match (entry.dropped, complete) {
                (true, false) if entry.cut => Status::Cut,
                (true, false) => Status::Dropped,
                (_, true) => Status::Complete,
                (false, false) => Status::NotRun,
            },
            round: entry.round,
        }
    }

    /// The score of all predictions of a leave-one-out together, with the standard error of the
    /// mean loss where the metric is one.
    fn pooled(&self, entry: &Entry) -> (f64, f64) {
        let rows: Vec<usize> = (0..entry.pooled.len())
            .filter(|&r| !entry.pooled[r].0.is_nan())
            .collect();
        if rows.is_empty() {
            return (f64::NAN, f64::NAN);
        }
        let first = || rows.iter().map(|&r| entry.pooled[r].0);
        let answers = match entry.machine.task_on(&self.data.targets) {
            Task::Classify => FoldAnswers::Classes {
                codes: first().map(|code| code as u32).collect(),
                decisions: Some(rows.iter().map(|&r| entry.pooled[r].1).collect()),
            },
            Task::Novelty => FoldAnswers::Novelty(first().collect()),
            _ => FoldAnswers::Values(first().collect()),
        };
        let nu = match &entry.machine {
            AnyEstimator::OneClass(m) => m.nu,
            _ => 0.0,
        };
        let mean = self.metric.score(&answers, &rows, self.data, nu);
        let direct = matches!(self.metric, Metric::Accuracy | Metric::Mse | Metric::Mae);
        let error = entry
            .losses
            .as_ref()
            .filter(|_| direct)
            .map_or(f64::NAN, |losses| {
                let known: Vec<f64> = rows.iter().map(|&r| f64::from(losses[r])).collect();
                let n = known.len() as f64;
                let mean = known.iter().sum::<f64>() / n;
                let spread: f64 = known.iter().map(|l| (l - mean).powi(2)).sum();
                (spread / (n - 1.0).max(1.0) / n).sqrt()
            });
        (mean, error)
    }

    /// The best entry: complete ones first, then those with most folds.
    fn best(&self, entries: &[Entry], grid: &Grid) -> Option<usize> {
        let most = entries
            .iter()
            .filter(|e| !e.dropped)
            .map(|e| e.scores.iter().filter(|s| !s.is_nan()).count())
            .max()
            .filter(|most| *most > 0)?;
        let rank = |k: usize| {
            let mean = self.point(&entries[k]).mean;
            (
                self.metric.utility(mean),
                grid.roughness(&entries[k].values),
            )
        };
        let mut best: Option<(usize, (f64, Vec<f64>))> = None;
        for (k, entry) in entries.iter().enumerate() {
            let done = entry.scores.iter().filter(|s| !s.is_nan()).count();
            if entry.dropped || done < most {
                continue;
            }
            let (utility, rough) = rank(k);
            let better = best.as_ref().is_none_or(|(_, (u, r))| {
                // Means of equal folds may differ in the last digit.
                let tie = (utility - u).abs() <= 1e-12 * u.abs().max(1.0);
                (!tie && utility > *u) || (tie && rough < *r)
            });
            if better {
                best = Some((k, (utility, rough)));
            }
        }
        best.map(|(k, _)| k)
    }
}

/// Groups entries by kernel, in the order in which kernels first appear; inside, estimators that
/// differ in C only stand next to each other, C ascending.
fn kernel_groups(entries: &[Entry], grid: &Grid, first: usize) -> Vec<Vec<usize>> {
    let mut kernel_groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (k, entry) in entries.iter().enumerate().skip(first) {
        let kernel = entry.machine.kernel_text();
        match kernel_groups.iter_mut().find(|(text, _)| *text == kernel) {
            Some((_, kernel_group)) => kernel_group.push(k),
            None => kernel_groups.push((kernel, vec![k])),
        }
    }
    kernel_groups
        .into_iter()
        .map(|(_, mut kernel_group)| {
            let key = |k: usize| grid.order(&entries[k].values);
            kernel_group.sort_by(|&a, &b| {
                let (x, y) = (key(a), key(b));
                x.partial_cmp(&y).unwrap_or(std::cmp::Ordering::Equal)
            });
            kernel_group
        })
        .collect()
}
