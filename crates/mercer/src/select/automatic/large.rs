//! Tables of more rows than a kernel method on pairs of rows is worth waiting for.
//!
//! Trials choose a kernel on a sample of the rows, and a model learns from the sample. The squared loss on Nyström features
//! of that kernel then learns from all rows, whose number costs it time and no memory. Which of the two predicts better is not
//! known beforehand: a rough function needs more support vectors than there are landmarks, a smooth one gains by rows. So rows
//! beside the sample, which neither has seen, are asked; if features win, their sums take these rows in as well.

use mercer_linalg::Precision;

use super::compare::{constant, mean, verdict};
use super::machine::{Automatic, TRIALS_SHARE, with_weights};
use super::plan::{EXACT_ROWS, KEPT_BACK, MOST_WORK, PER_SECOND};
use super::trial::Tried;
use crate::data::{Dataset, Targets, Task, sample};
use crate::fit::{FitContext, Fitted, Note, Phase, SelectionReport, StopReason, Trial};
use crate::kernel::KernelSpec;
use crate::learn::features::Nystroem;
use crate::learn::{AnyEstimator, ClassWeights};
use crate::model::readout::Readout;
use crate::model::{Form, Predictor};
use crate::{Error, Result};

/// Landmarks that all rows may be learnt with, the most first.
const LANDMARKS: [usize; 4] = [2000, 1500, 1000, 500];
/// Rows for every landmark among which landmarks are looked for.
const POOL: u64 = 20;
/// Multiplications for every row beside those that any table may take: a long table is read for about as long.
const WORK_PER_ROW: f64 = 1.2e6;
/// Share of a time limit for trials and the model of the sample.
const SAMPLE_SHARE: f64 = 0.5;

/// All rows of a table whose trials see a sample of them.
#[derive(Debug, Clone)]
pub struct Whole {
    /// The rows.
    pub data: Dataset,
    /// Numbers of rows beside the sample, ascending, by which models are compared.
    pub asked: Vec<usize>,
}

/// Returns how many landmarks rows are learnt with where nobody says so; `None` where memory or a time limit has no room
/// for the fewest.
pub fn landmarks_for(
    rows: usize,
    columns: usize,
    outputs: usize,
    context: &FitContext,
) -> Option<usize> {
    let memory = context.most_memory();
    let fits_memory = |m: &&usize| {
        let (m, side) = (**m as u64, (**m + outputs + 1) as u64);
        // The factor by which landmarks are found, and sums with their solution.
        8 * POOL * m * m + 80 * side * side <= memory
    };
    let n = rows as f64;
    let work = |m: usize| {
        let m = m as f64;
        m * m * (n.min(POOL as f64 * m) + 10.0 * m) + n * m * (columns as f64 + m)
    };
    let most = 2.0 * MOST_WORK + WORK_PER_ROW * n;
    let fewest = LANDMARKS[LANDMARKS.len() - 1];
    let has_pool = |m: &&usize| **m == fewest || **m as u64 * POOL <= rows as u64;
    let affordable: Vec<usize> = LANDMARKS
        .iter()
        .filter(fits_memory)
        .filter(has_pool)
        .copied()
        .collect();
    let within = |most: f64| affordable.iter().copied().find(|m| work(*m) <= most);
    match context.time_left() {
        Some(left) => within(most.min(KEPT_BACK * left.as_secs_f64() * PER_SECOND)),
        // Work alone refuses nothing: the fewest are left.
        None => within(most).or_else(|| affordable.last().copied()),
    }
}

impl Automatic {
    /// Returns whether features of all rows may take the place of a model of a sample: not where rows are weighed by class,
    /// compared by another metric or in the order of time, of which sums over rows know nothing.
    pub fn takes_all(&self) -> bool {
        self.metric.is_none()
            && self.class_weights == ClassWeights::Equal
            && self.chain.is_none()
            && matches!(self.task, Task::Classify | Task::Regress)
    }

    /// Learns from a sample, and from all rows with the kernel that was chosen; returns the model that rows beside the sample
    /// prefer, and whether it is that of all rows.
    ///
    /// # Errors
    /// As [`Automatic::fit`] of the sample; what features of all rows fail for is told in the report.
    pub fn fit_large(
        &self,
        sample: &Dataset,
        whole: &Whole,
        context: &FitContext,
    ) -> Result<(Fitted<Form>, bool)> {
        let context = context.restarted();
        let mut machine = self.fit(sample, &context.share(SAMPLE_SHARE))?;
        let found = context.install(|| all_rows(&machine, sample.len(), whole, &context))?;
        let note = match found {
            Ok(Outcome::Better(found)) => return Ok((*found, true)),
            Ok(Outcome::Worse(note)) => note,
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(Error::OutOfTime) => {
                let report = &mut machine.report;
                report.stop_reason = report.stop_reason.worse(StopReason::TimeLimit);
                Note::Alert(
                    "the time limit left no time to learn from all rows (time_limit)".to_owned(),
                )
            }
            Err(error) => Note::Alert(format!("features of all rows did not take part: {error}")),
        };
        machine.report.notes.push(note);
        machine.report.seconds = context.elapsed().as_secs_f64();
        Ok((machine, false))
    }

    /// Chooses a kernel by trials on some of the rows; returns it with what was said on the way.
    ///
    /// # Errors
    /// Rows that cannot be learnt from; cancellation.
    pub fn choose_kernel(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<(KernelSpec, Vec<Note>)> {
        let counted = with_weights(data);
        let rows = sample(counted.len(), &counted.targets, EXACT_ROWS, context.seed);
        let some = counted.select(&rows);
        let trials = context.share(TRIALS_SHARE);
        let chosen = context.install(|| self.choose(&some, None, &[], &trials))??;
        let kernel = chosen.estimator.kernel().cloned();
        let kernel = kernel.unwrap_or_else(KernelSpec::rbf_auto);
        let mut notes = chosen.notes;
        notes.push(Note::Choice(format!(
            "the kernel was chosen by trials on {} rows",
            some.len()
        )));
        Ok((kernel, notes))
    }
}

/// What became of features of all rows.
enum Outcome {
    /// They predict at least as well.
    Better(Box<Fitted<Form>>),
    /// They do not, which is told.
    Worse(Note),
}

/// Learns from all rows on features of the model's kernel, and compares.
fn all_rows(
    machine: &Fitted<Form>,
    learnt: usize,
    whole: &Whole,
    context: &FitContext,
) -> Result<Outcome> {
    let data = &whole.data;
    let Some(expansion) = machine.model.expansion() else {
        return Err(Error::model("what was chosen has no kernel"));
    };
    let columns = data.records.features.points.columns();
    let outputs = data.targets.classes().map_or(1, |c| c.labels.len());
    let count = landmarks_for(data.len(), columns, outputs, context);
    let count = count.ok_or_else(|| no_room(context))?;
    let method = Nystroem {
        kernel: expansion.kernel.spec().clone(),
        components: Some(count),
        ..Nystroem::default()
    };
    let estimator = AnyEstimator::Nystroem(method.clone());
    let context = &context.phase(Phase {
        name: "fitting".to_owned(),
        rows: data.len(),
        before: context.elapsed().as_secs_f64(),
        seconds: estimator.work(data) / PER_SECOND,
        after: 0.0,
        share: None,
    });
    let mut learning = method.plan(data, context)?.begin(context)?;
    let mut is_asked = vec![false; data.len()];
    for &row in &whole.asked {
        is_asked[row] = true;
    }
    let rest: Vec<usize> = (0..data.len()).filter(|&row| !is_asked[row]).collect();
    learning.add(data, &rest, context)?;
    let part = learning.solve(context)?;
    let asked = data.select(&whole.asked);
    let own = losses(&part.model, Precision::F64, &asked, context)?;
    let other = losses(&machine.model, Precision::F32, &asked, context)?;
    let weights = asked.weights.as_deref();
    let (own_mean, own_error) = mean(&own, weights);
    let (other_mean, other_error) = mean(&other, weights);
    let said = compared(&asked, [own_mean, other_mean], [data.len(), learnt]);
    if !own_mean.is_finite() || own_mean > other_mean {
        return Ok(Outcome::Worse(Note::Choice(format!(
            "{count} Nyström features of all rows are no better: {said}"
        ))));
    }
    learning.add(data, &whole.asked, context)?;
    let mut found = learning.solve(context)?;
    let behind: Vec<f64> = other.iter().zip(&own).map(|(a, b)| a - b).collect();
    let (behind, behind_error) = mean(&behind, weights);
    let earlier = machine.report.selection.as_ref();
    let first = earlier.and_then(|selection| selection.trials.first());
    let named = |of: fn(&Trial) -> &String| first.map(of).cloned().unwrap_or_default();
    let name = format!("least squares on {count} Nyström features of all rows");
    let trials = vec![
        Trial {
            name: name.clone(),
            method: estimator.name().to_owned(),
            kernel: estimator.kernel_text(),
            loss: own_mean,
            standard_error: own_error,
            behind: 0.0,
            behind_error: 0.0,
        },
        Trial {
            name: format!("{}, from {learnt} rows", named(|trial| &trial.name)),
            method: named(|trial| &trial.method),
            kernel: expansion.kernel.to_string(),
            loss: other_mean,
            standard_error: other_error,
            behind,
            behind_error,
        },
    ];
    let mut notes = search_notes(machine);
    notes.push(Note::Choice(format!(
        "learns from all {} rows on {count} Nyström features of the kernel that trials on {learnt} of them chose: {said}",
        data.len()
    )));
    let tried = Tried {
        name,
        estimator,
        losses: own,
        measured: None,
        class_weights: ClassWeights::Equal,
        deviations: None,
        nonconformity: None,
        fitted_numbers: 0,
        is_steady: true,
    };
    let report = &mut found.report;
    report.notes.splice(0..0, notes);
    if machine.report.stop_reason == StopReason::TimeLimit {
        report.stop_reason = report.stop_reason.worse(StopReason::TimeLimit);
    }
    report.selection = Some(SelectionReport {
        metric: None,
        trials,
        chosen: tried.estimator.chosen(),
        baseline: constant(&tried, &asked.targets, weights),
        simple: None,
    });
    report.seconds = context.elapsed().as_secs_f64();
    Ok(Outcome::Better(Box::new(found)))
}

/// Why there is no number of landmarks.
fn no_room(context: &FitContext) -> Error {
    let fewest = LANDMARKS[LANDMARKS.len() - 1] as u64;
    let limit = context.most_memory();
    let needed = 8 * POOL * fewest * fewest;
    if needed > limit {
        return Error::Memory {
            what: format!("{fewest} Nyström features"),
            needed,
            limit,
        };
    }
    Error::OutOfTime
}

/// What is said of the trials; what the model of the sample had to say of itself is not of this model.
fn search_notes(machine: &Fitted<Form>) -> Vec<Note> {
    let notes = &machine.report.notes;
    let trials = machine.report.trials();
    if trials.is_empty() {
        return Vec::new();
    }
    let last = verdict(trials);
    let place = notes.iter().position(|note| note.text() == last.text());
    place.map_or_else(Vec::new, |place| notes[..=place].to_vec())
}

/// The loss of every row: 1 for a wrong class, the square of an error.
fn losses(
    model: &Form,
    precision: Precision,
    asked: &Dataset,
    context: &FitContext,
) -> Result<Vec<f64>> {
    context.check()?;
    let decisions = Predictor::of_form(model, precision)?.decisions(&asked.records, context)?;
    let readout = model.readout();
    let loss = |row: usize| match (&asked.targets, readout) {
        (Targets::Classes(classes), Readout::Classes(known)) => {
            let found = &known.labels[known.class(decisions.row(row)) as usize];
            let truth = &classes.labels[classes.codes[row] as usize];
            f64::from(u8::from(found != truth))
        }
        (Targets::Real(values), _) => (values[row] - decisions[(row, 0)]).powi(2),
        _ => f64::NAN,
    };
    Ok((0..asked.len()).map(loss).collect())
}

/// Two mean losses on the rows that were asked, in words.
fn compared(asked: &Dataset, means: [f64; 2], rows: [usize; 2]) -> String {
    let shown = |loss: f64| match asked.targets {
        Targets::Classes(_) => format!("{:.2} % wrong", 100.0 * loss),
        _ => format!("root mean squared error {:.6}", loss.sqrt()),
    };
    format!(
        "{} on {} rows that were not learnt from by then, and {} by the model of {} of {} rows",
        shown(means[0]),
        asked.len(),
        shown(means[1]),
        rows[1],
        rows[0]
    )
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::{ClassTargets, Records};

    /// A smooth function with noise that few rows cannot average out.
    fn wave(rows: usize, classes: bool) -> Dataset {
        let at = |i: usize, step: usize| ((i * step) % 9973) as f64 / 9973.0;
        let x = Matrix::from_fn(rows, 2, |i, j| 4.0 * at(i, [7919, 104_729][j]));
        let noise = |i: usize| at(i, 15_485_863) - 0.5;
        let value = |i: usize| (2.0 * x[(i, 0)]).sin() + x[(i, 1)].cos() + 3.0 * noise(i);
        let targets = if classes {
            let labels: Vec<&str> = (0..rows)
                .map(|i| if value(i) > 0.0 { "up" } else { "down" })
                .collect();
            Targets::Classes(ClassTargets::from_labels(&labels))
        } else {
            Targets::Real((0..rows).map(value).collect())
        };
        Dataset::try_new(Records::from_points(x), targets).expect("rows")
    }

    #[test]
    fn all_rows_win_where_a_sample_is_noisy() {
        for classes in [false, true] {
            let data = wave(3000, classes);
            let task = if classes {
                Task::Classify
            } else {
                Task::Regress
            };
            let few: Vec<usize> = (0..40).map(|i| i * 75).collect();
            let asked: Vec<usize> = (0..300).map(|i| i * 10 + 3).collect();
            let mut auto = Automatic::new(task);
            auto.budget = Some(0.05);
            let whole = Whole {
                data: data.clone(),
                asked,
            };
            let context = FitContext::default();
            let learn = || auto.fit_large(&data.select(&few), &whole, &context);
            let (fitted, is_whole) = learn().expect("a model");
            assert!(is_whole, "{:?}", fitted.report.notes);
            assert_eq!(fitted.report.rows, 3000);
            let selection = fitted.report.selection.as_ref().expect("a choice");
            assert_eq!(selection.chosen.model, "nystroem");
            assert_eq!(selection.trials.len(), 2);
            assert!(selection.trials[0].loss <= selection.trials[1].loss);
            assert_eq!(selection.baseline.as_ref().expect("a constant").rows, 300);
            let said = |text: &str| fitted.report.notes.iter().any(|n| n.text().contains(text));
            assert!(
                said("learns from all 3000 rows"),
                "{:?}",
                fitted.report.notes
            );
            // The kernel is that of the trials.
            let own = fitted
                .model
                .expansion()
                .expect("landmarks")
                .kernel
                .to_string();
            assert_eq!(own, selection.trials[1].kernel);
            assert!(learn().expect("a model").0.model == fitted.model);
        }
    }

    #[test]
    fn a_machine_that_answers_better_is_kept() {
        let data = wave(1000, false);
        let few: Vec<usize> = (0..100).map(|i| i * 10 + 1).collect();
        let asked: Vec<usize> = (0..200).map(|i| i * 5).collect();
        // Of all rows those that are asked alone have the targets of the sample.
        let Targets::Real(truth) = &data.targets else {
            panic!("numbers")
        };
        let values = (0..1000).map(|i| if i % 5 == 0 { truth[i] } else { 100.0 });
        let whole = Whole {
            data: Dataset {
                targets: Targets::Real(values.collect()),
                ..data.clone()
            },
            asked,
        };
        let mut auto = Automatic::new(Task::Regress);
        auto.budget = Some(0.05);
        let (fitted, is_whole) = auto
            .fit_large(&data.select(&few), &whole, &FitContext::default())
            .expect("a model");
        assert!(!is_whole);
        let said = |text: &str| fitted.report.notes.iter().any(|n| n.text().contains(text));
        assert!(said("no better"), "{:?}", fitted.report.notes);
    }

    #[test]
    fn landmarks_go_by_rows_memory_and_time() {
        let context = FitContext::default().memory_limit(64 << 30);
        let count = |rows: usize| landmarks_for(rows, 20, 1, &context).expect("some");
        let counts = [50_000, 200_000, 1_000_000, 100_000_000].map(count);
        assert!(
            counts.windows(2).all(|pair| pair[0] >= pair[1]),
            "{counts:?}"
        );
        assert!(counts[0] >= 1000 && counts[3] >= 500, "{counts:?}");
        assert_eq!(count(3000), 500);
        let small = FitContext::default().memory_limit(100 << 20);
        assert_eq!(landmarks_for(50_000, 20, 1, &small), Some(500));
        let none = FitContext::default().memory_limit(1 << 20);
        assert_eq!(landmarks_for(50_000, 20, 1, &none), None);
        let hurried = FitContext::default().time_limit(Some(std::time::Duration::from_millis(1)));
        assert_eq!(landmarks_for(50_000, 20, 1, &hurried), None);
    }

    #[test]
    fn kernels_are_chosen_without_a_model() {
        let data = wave(300, true);
        let mut auto = Automatic::new(Task::Classify);
        auto.budget = Some(0.05);
        let (kernel, notes) = auto
            .choose_kernel(&data, &FitContext::default())
            .expect("a kernel");
        assert!(!kernel.to_string().is_empty());
        assert!(notes.iter().any(|n| n.text().contains("300 rows")));
    }
}
