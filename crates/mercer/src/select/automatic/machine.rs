//! The method that chooses a method.

use serde::{Deserialize, Serialize};

use super::agenda::{Agenda, Step};
use super::chosen::{Chosen, is_of_method};
use super::compare::{compare, constant, verdict};
use super::least_squares::{WIDTHS, try_squared};
use super::margin::{Bond, Part, nonconformity, on_evident, on_gauss};
use super::measure;
use super::plan::{Plan, learnt_rows};
use super::simple;
use super::trials::Trials;
use crate::data::{ColumnRef, Dataset, Records, Targets, Task};
use crate::fit::{ConstantPrediction, FitContext, Fitted, Note, SelectionReport, StopReason};
use crate::judge::Metric;
use crate::kernel::KernelSpec;
use crate::learn::AnyEstimator;
use crate::learn::margin::ClassWeights;
use crate::model::Form;
use crate::model::readout::LeftOut;
use crate::select::kernels::{Effort, Ranked, Selection, select_within, usual_kernel};
use crate::{Error, Result};

/// Folds on which trials are compared.
const FOLDS: usize = 5;
/// Kernels on which a support vector machine is not tried a second time.
const PLAIN: [&str; 2] = ["rbf", "linear"];
/// Share of the time limit that trials may take; the rest is for the model itself.
pub(super) const TRIALS_SHARE: f64 = 0.5;
/// Rows below which nothing can be compared.
const FEWEST: usize = 10;

/// Tries what can win, compares, and learns with the best.
///
/// # Examples
/// ```
/// use mercer::select::automatic::Automatic;
/// use mercer::data::{ClassTargets, Dataset, Records, Targets, Task};
/// use mercer::fit::FitContext;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_fn(60, 1, |i, _| i as f64 / 10.0);
/// let names: Vec<&str> = (0..60).map(|i| if (20..40).contains(&i) { "in" } else { "out" }).collect();
/// let y = Targets::Classes(ClassTargets::from_labels(&names));
/// let data = Dataset::try_new(Records::from_points(x), y)?;
/// let fitted = Automatic::new(Task::Classify).fit(&data, &FitContext::default())?;
/// assert!(fitted.report.selection.expect("a choice").trials[0].loss < 0.1);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Automatic {
    /// What is to be learnt.
    pub task: Task,
    /// The kernel, where it is not to be chosen; its free hyperparameters are.
    #[serde(default)]
    pub kernel: Option<KernelSpec>,
    /// Factors on the weights of classes.
    #[serde(default)]
    pub class_weights: ClassWeights,
    /// What trials are compared by; `None` is accuracy, or the mean squared error.
    ///
    /// Balanced accuracy balances the class weights, where none are given; F1 and macro F1 try
    /// both.
    #[serde(default)]
    pub metric: Option<Metric>,
    /// Seconds of work that the trials may take on a typical computer: a measure of work, not of
    /// time, so that equal data get an equal result anywhere.
    #[serde(default)]
    pub budget: Option<f64>,
    /// Rows are in the order of time, and folds learn from earlier ones only: so many rows before
    /// the test rows are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<usize>,
    /// Probabilities are wanted even of rows that are too few for trials, which end in them always.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub probability: bool,
}

impl Automatic {
    /// Chooses everything.
    pub fn new(task: Task) -> Self {
        Self {
            task,
            kernel: None,
            class_weights: ClassWeights::Equal,
            metric: None,
            budget: None,
            chain: None,
            probability: false,
        }
    }

    /// Sets the kernel; its free hyperparameters are still chosen.
    pub fn kernel(mut self, kernel: KernelSpec) -> Self {
        self.kernel = Some(kernel);
        self
    }

    /// Sets what trials are compared by.
    pub fn metric(mut self, metric: Metric) -> Self {
        self.metric = Some(metric);
        self
    }

    /// Returns how many of the rows are worth learning from: all, unless learning from them takes
    /// more multiplications than a user waits for.
    pub fn learnt_rows(&self, data: &Dataset) -> usize {
        learnt_rows(data)
    }

    /// Learns from all rows given.
    ///
    /// # Errors
    /// Rows that cannot be learnt from; cancellation.
    pub fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Form>> {
        self.fit_grouped(data, None, context)
    }

    /// Learns from rows that may come in groups: those of one group are held out together, so
    /// that trials are compared on groups that they have not seen.
    ///
    /// # Errors
    /// Rows that cannot be learnt from; fewer than two groups, or one for another number of
    /// rows; cancellation.
    pub fn fit_grouped(
        &self,
        data: &Dataset,
        groups: Option<&[u32]>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        if let Some(budget) = self.budget
            && !(budget.is_finite() && budget > 0.0)
        {
            return Err(Error::setting("budget", budget, "positive and finite"));
        }
        if let Some(metric) = self.metric {
            measure::check(metric, &data.targets)?;
        }
        let context = context.restarted();
        let groups = groups.map(|groups| with_group(data, groups)).transpose()?;
        let counted = &with_weights(data);
        let trials = context.share(TRIALS_SHARE);
        let groups = groups.as_deref();
        let mut failed = Vec::new();
        let (chosen, mut fitted) = loop {
            let choose = || self.choose(counted, groups, &failed, &trials);
            let mut chosen = context.install(choose)??;
            match chosen.learn(counted, &context) {
                Ok(fitted) => break (chosen, fitted),
                // What held-out rows preferred may be beyond what all rows allow.
                Err(error) if is_of_method(&error) && !chosen.trials.is_empty() => {
                    failed.push((chosen.trials.swap_remove(0).name, error));
                }
                Err(error) => return Err(error),
            }
        };
        if let Some(model) = fitted.model.expansion_mut() {
            let prior = model.posterior.as_ref().map(|p| p.levels[0].prior);
            let deviations = chosen.deviations.zip(prior);
            let deviations = deviations
                .map(|(all, prior)| -> Vec<f64> { all.iter().map(|d| d / prior.sqrt()).collect() });
            model.left_out = if let Targets::Classes(classes) = &counted.targets {
                LeftOut::with_classes(&chosen.scores, &classes.codes)
            } else {
                let scores = unflattered(chosen.scores, chosen.fitted_numbers);
                LeftOut::with_deviations(scores, deviations.as_deref())
            };
        }
        let report = &mut fitted.report;
        report.notes.splice(0..0, chosen.notes);
        if chosen.is_cut {
            report.stop_reason = report.stop_reason.worse(StopReason::TimeLimit);
        }
        report.selection = Some(SelectionReport {
            metric: self.metric.map(|metric| metric.name().to_owned()),
            trials: chosen.trials,
            chosen: chosen.estimator.chosen(),
            baseline: chosen.baseline,
            simple: chosen.simple,
        });
        report.seconds = context.elapsed().as_secs_f64();
        Ok(fitted)
    }

    /// The class weights to try.
    fn weightings(&self) -> Vec<ClassWeights> {
        let given = self.class_weights.clone();
        match self.metric {
            _ if given != ClassWeights::Equal => vec![given],
            Some(Metric::BalancedAccuracy) => vec![ClassWeights::Balanced],
            Some(Metric::F1 | Metric::MacroF1) => vec![given, ClassWeights::Balanced],
            _ => vec![given],
        }
    }

    /// Tries and compares, with every way to weigh classes; trials that could not learn from all
    /// rows are left out.
    pub(super) fn choose(
        &self,
        counted: &Dataset,
        groups: Option<&[u32]>,
        failed: &[(String, Error)],
        context: &FitContext,
    ) -> Result<Chosen> {
        let weightings = self.weightings();
        let mut sides: Vec<Side> = Vec::new();
        for (place, class_weights) in weightings.iter().enumerate() {
            let factors = factors(class_weights, counted)?;
            let data = &weighted(counted, factors.as_deref())?;
            if data.targets == Targets::None || data.len() < FEWEST {
                return Ok(self.untried(data, class_weights));
            }
            let own = &context.share(1.0 / (weightings.len() - place) as f64);
            let mut side = self.side(data, groups, factors.as_deref(), own)?;
            self.measure(&mut side, counted, class_weights, own)?;
            for tried in &mut side.trials.tried {
                tried.class_weights.clone_from(class_weights);
                if place > 0 {
                    tried.name.push_str(", classes balanced");
                }
            }
            for (name, error) in failed {
                side.trials.leave_out(name, error);
            }
            // What was too large or too long for a trial says nothing against the rows.
            let was_too_much = matches!(
                side.trials.failure,
                Some(Error::Memory { .. } | Error::OutOfWork)
            );
            if side.trials.tried.is_empty() && (side.trials.is_cut || was_too_much) {
                let mut chosen = self.untried(data, class_weights);
                chosen.is_cut = side.trials.is_cut;
                chosen.notes.splice(0..0, side.trials.notes);
                return Ok(chosen);
            }
            sides.push(side);
        }
        decide(sides, self.metric, counted, context)
    }

    /// Measures trials by the metric that was asked for, where they do not bring it along.
    fn measure(
        &self,
        side: &mut Side,
        counted: &Dataset,
        class_weights: &ClassWeights,
        context: &FitContext,
    ) -> Result<()> {
        let Some(metric) = self.metric.filter(|m| !measure::is_usual(Some(*m))) else {
            return Ok(());
        };
        let counted = Dataset {
            targets: side.data.targets.clone(),
            ..counted.clone()
        };
        let part = side.part.weighing(&counted);
        for mut tried in std::mem::take(&mut side.trials.tried) {
            let losses = measure::losses(metric, &tried.estimator, class_weights, &part, context);
            match losses {
                Ok(losses) => {
                    tried.measured = Some(losses);
                    side.trials.tried.push(tried);
                }
                Err(error) => side.trials.missing(&tried.name, error)?,
            }
        }
        Ok(())
    }

    /// Tries with one way to weigh classes; `data` has its factors in the weights of rows.
    fn side(
        &self,
        data: &Dataset,
        groups: Option<&[u32]>,
        factors: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<Side> {
        let unit = data.targets.unit();
        let data = &Dataset {
            targets: data.targets.in_unit(unit),
            ..data.clone()
        };
        let plan = Plan::of(data, self.kernel.as_ref(), self.budget, context)?;
        let part = Part::of(
            data,
            match self.chain {
                Some(gap) => Bond::Chain(gap),
                None => groups.map_or(Bond::None, |groups| Bond::Groups(groups.to_vec())),
            },
            plan.judged_rows,
            FOLDS,
            context.seed,
        )?;
        let numbers = data.records.features.points.columns() > 0;
        let mut trials = Trials::default();
        if plan.is_limited {
            trials.is_cut = true;
            trials.notes.push(Note::Alert(
                "the time limit leaves room for fewer trials than usual (time_limit)".to_owned(),
            ));
        }
        let chooses_kernel = self.kernel.is_none() && numbers;
        let widths = if chooses_kernel { WIDTHS.len() } else { 0 };
        trials.kernels = plan.kernels.len() + widths;
        let together = plan.is_light(context.memory_limit);
        let own = &context.shared_by(if together { 2 } else { 1 });
        let agenda = Agenda::of(&plan, data, together, chooses_kernel);
        let by_evidence = || {
            let mut own = agenda.begin(Step::Choose, own);
            if together {
                // The search, which takes longer, tells how far both are.
                own.progress = None;
            }
            let own = &own;
            let ranked = weigh(&plan, data, own);
            let tried = match &ranked {
                Ok(selection) if plan.squared => {
                    try_squared(&selection.ranked, chooses_kernel, &part, factors, own)
                }
                _ => Ok(Vec::new()),
            };
            (ranked, tried)
        };
        let by_folds =
            || chooses_kernel.then(|| on_gauss(&plan, &part, &|times| agenda.search(times, own)));
        let ((weighed, squared), gauss) = context.both(together, by_evidence, by_folds);
        let ranked = match weighed {
            Ok(selection) => {
                trials.is_cut |= selection.stop_reason == StopReason::TimeLimit;
                trials.notes.extend(selection.notes);
                selection.ranked
            }
            Err(error) => trials.missing("evidence", error).map(|()| Vec::new())?,
        };
        trials.add_all("least squares", squared)?;
        if let Some(bytes) = plan.lacking {
            trials.notes.push(Note::Alert(format!(
                "least squares did not take part: its matrices need {} MB, and {} is {} MB",
                bytes.div_ceil(1_000_000),
                context.memory_holder(),
                context.most_memory() / 1_000_000
            )));
        }
        if part.data.len() < data.len() {
            trials.notes.push(Note::Choice(format!(
                "trials were evaluated on {} of {} rows; a larger budget allows more",
                part.data.len(),
                data.len()
            )));
        }
        if let Some(searched) = gauss {
            trials.add_searched("the support vector machine", searched)?;
        }
        // Least squares does as well on a linear kernel, and in a fraction of the time.
        let other = |best: &&Ranked| self.kernel.is_some() || !PLAIN.contains(&best.name.as_str());
        if let Some(best) = ranked.first().filter(other) {
            let what = "the support vector machine on the kernel of largest evidence";
            trials.add_searched(
                what,
                on_evident(best, &part, &agenda.begin(Step::SearchEvident, context)),
            )?;
        }
        Ok(Side {
            data: data.clone(),
            unit,
            planned: plan.work(data),
            part,
            trials,
            agenda,
        })
    }

    /// The result where nothing can be compared.
    fn untried(&self, data: &Dataset, class_weights: &ClassWeights) -> Chosen {
        let (mut estimator, note) = AnyEstimator::usual(&data.targets, data.len());
        let mut notes = vec![note];
        if let AnyEstimator::Svc(machine) = &mut estimator
            && self.probability
            && !machine.probability
        {
            machine.probability = true;
            notes.push(Note::Choice(
                "probabilities were asked for: rows so few or so many have none otherwise"
                    .to_owned(),
            ));
        }
        let kernel = self.kernel.clone();
        estimator.set_kernel(kernel.unwrap_or_else(|| kernel_for_few(&data.records)));
        Chosen {
            estimator,
            trials: Vec::new(),
            class_weights: class_weights.clone(),
            baseline: None,
            simple: None,
            scores: Vec::new(),
            deviations: None,
            fitted_numbers: 0,
            is_cut: false,
            notes,
            agenda: None,
        }
    }
}

/// Trials with one way to weigh classes, and what they were made on.
struct Side {
    data: Dataset,
    unit: f64,
    /// Multiplications that were planned.
    planned: f64,
    part: Part,
    trials: Trials,
    agenda: Agenda,
}

/// The factor of every class, where not all are 1.
fn factors(class_weights: &ClassWeights, data: &Dataset) -> Result<Option<Vec<f64>>> {
    let Some(classes) = data.targets.classes() else {
        return Ok(None);
    };
    if *class_weights == ClassWeights::Equal {
        return Ok(None);
    }
    let weight = |row: usize| data.weights.as_ref().map_or(1.0, |w| w[row]);
    let mut totals = vec![0.0; classes.labels.len()];
    for (row, code) in classes.codes.iter().enumerate() {
        totals[*code as usize] += weight(row);
    }
    class_weights.factors(classes, &totals).map(Some)
}

/// The kernel where too few rows are labelled for a choice.
///
/// On nodes it is a normalised one. Otherwise a labelled node with many neighbours is near to all
/// others, and its class gets them: with three labels for each side of Zachary's karate club, drawn
/// 300 times, 81 % of the other members are told right by the regularised Laplacian, 92 % by the
/// same normalised, and 95 % by the normalised commute-time kernel.
fn kernel_for_few(records: &Records) -> KernelSpec {
    let [node] = &records.nodes[..] else {
        return usual_kernel(records);
    };
    let others = records.features.points.columns() + records.texts.len() + records.graphs.len();
    if others > 0 {
        return usual_kernel(records);
    }
    let kernel = KernelSpec::parse("normalise(commute)").expect("a kernel");
    kernel.on([ColumnRef::Name(node.source.clone())])
}

/// The data without rows of weight 0.
pub(super) fn with_weights(data: &Dataset) -> Dataset {
    match &data.weights {
        Some(weights) if weights.contains(&0.0) => {
            let counts = |row: &usize| weights[*row] > 0.0;
            data.select(&(0..data.len()).filter(counts).collect::<Vec<_>>())
        }
        _ => data.clone(),
    }
}

/// The groups of the rows that have a weight.
fn with_group(data: &Dataset, groups: &[u32]) -> Result<Vec<u32>> {
    if groups.len() != data.len() {
        return Err(Error::Length {
            what: "the group column".to_owned(),
            found: groups.len(),
            expected: data.len(),
            unit: "rows",
        });
    }
    let counts = |row: usize| data.weights.as_ref().is_none_or(|w| w[row] > 0.0);
    let kept = (0..groups.len()).filter(|&row| counts(row));
    Ok(kept.map(|row| groups[row]).collect())
}

/// Absolute errors as rows will have them that no setting was fitted to.
///
/// Folds are held out of the solution, not of the choice of its settings: kernel, hyperparameters and
/// regularisation are those that suit all rows. Numbers fitted to n rows flatter the mean square of
/// their errors by two shares of n each (Mallows' C_p, Akaike's criterion for the squared loss), as the
/// screening charges them. Without that factor 90 % intervals held 87.8 to 89.5 % on tables of 66 to
/// 253 rows; widened by it they would have held 89.5 to 91.3 % (forty splits each).
fn unflattered(mut scores: Vec<f64>, fitted_numbers: usize) -> Vec<f64> {
    let known = scores.iter().filter(|score| score.is_finite()).count();
    let factor = (1.0 + 2.0 * fitted_numbers as f64 / known.max(1) as f64).sqrt();
    for score in &mut scores {
        *score *= factor;
    }
    scores
}

/// The data with class factors in the weights of their rows: what trials learn from.
fn weighted(data: &Dataset, factors: Option<&[f64]>) -> Result<Dataset> {
    let (Some(classes), Some(factors)) = (data.targets.classes(), factors) else {
        return Ok(data.clone());
    };
    let weight = |row: usize| data.weights.as_ref().map_or(1.0, |w| w[row]);
    let codes = classes.codes.iter().enumerate();
    let weights = codes.map(|(row, code)| weight(row) * factors[*code as usize]);
    let weights = weights.collect();
    data.clone().with_weights(weights)
}

/// Weighs kernels.
fn weigh(plan: &Plan, data: &Dataset, context: &FitContext) -> Result<Selection> {
    let effort = Effort::quick(plan.weighed_rows);
    select_within(&plan.kernels, data, None, effort, context)
}

/// Compares; the trials were made with targets in a unit, the choice is for all units.
fn decide(
    sides: Vec<Side>,
    metric: Option<Metric>,
    counted: &Dataset,
    context: &FitContext,
) -> Result<Chosen> {
    let mut all = Trials::default();
    let mut rows: Vec<(Dataset, f64, Part, Agenda, f64)> = Vec::new();
    for (place, side) in sides.into_iter().enumerate() {
        all.absorb(side.trials, place);
        rows.push((side.data, side.unit, side.part, side.agenda, side.planned));
    }
    if all.tried.is_empty() {
        return Err(all.failure.unwrap_or_else(|| {
            Error::rows("nothing could be tried on these rows", "give more rows")
        }));
    }
    let balanced = match metric {
        Some(Metric::BalancedAccuracy) => {
            let factors = factors(&ClassWeights::Balanced, counted)?;
            Some(weighted(counted, factors.as_deref())?)
        }
        _ => None,
    };
    let weights = match metric {
        None => rows[0].0.weights.as_deref(),
        Some(metric) if !measure::is_mean(metric) => None,
        Some(_) => balanced.as_ref().unwrap_or(counted).weights.as_deref(),
    };
    let (best, mut trials) = compare(&all.tried, weights);
    let (data, unit, part, agenda, planned) = &rows[all.sides[best]];
    let context = &agenda.begin(Step::Score, context);
    // A constant has no loss by a metric that looks at all rows together.
    let mut baseline = match metric {
        None => constant(&all.tried[best], &data.targets, counted.weights.as_deref()),
        Some(_) => None,
    };
    if let Targets::Real(_) = data.targets {
        let is_absolute = metric == Some(Metric::Mae);
        let mut square = unit * unit;
        let fits = |loss: f64| loss == 0.0 || (loss * square).is_normal();
        if !trials.iter().all(|t| fits(t.loss)) {
            // Squares of such targets are no numbers.
            all.notes.push(Note::Choice(format!(
                "mean squared errors of the trials are for targets divided by {unit:e}"
            )));
            (square, baseline) = (1.0, None);
        }
        for trial in &mut trials {
            trial.scale(if is_absolute { *unit } else { square });
        }
        if let Some(baseline) = &mut baseline {
            baseline.scale(square);
            if let ConstantPrediction::Value(value) = &mut baseline.prediction {
                *value *= unit;
            }
        }
    }
    all.notes.push(verdict(&trials));
    let best = all.tried.swap_remove(best);
    let mut simple = simple::rival(&best, part, *planned, context)?;
    if let (Some(simple), Targets::Real(_)) = (&mut simple, &data.targets) {
        simple.loss *= unit;
        simple.chosen_loss *= unit;
    }
    let scores = match (&data.targets, best.nonconformity) {
        (Targets::Classes(_), Some(scores)) => scores,
        (Targets::Classes(_), None) => match nonconformity(&best.estimator, part, context) {
            Err(Error::OutOfTime) => {
                all.is_cut = true;
                all.notes.push(Note::Alert(
                    "the time limit left no time for nonconformity scores of held-out rows (time_limit): there are no prediction sets"
                        .to_owned(),
                ));
                Vec::new()
            }
            scores => scores?,
        },
        _ => best.losses.iter().map(|loss| unit * loss.sqrt()).collect(),
    };
    let mut estimator = best.estimator;
    match &mut estimator {
        AnyEstimator::Svc(machine) => machine.probability = true,
        AnyEstimator::Svr(machine) => {
            machine.softness = machine.softness.scaled(*unit);
            machine.epsilon *= unit;
            machine.solver.tolerance *= unit;
        }
        _ => {}
    }
    Ok(Chosen {
        estimator,
        class_weights: best.class_weights,
        trials,
        baseline,
        simple,
        scores,
        deviations: best.deviations,
        fitted_numbers: best.fitted_numbers + all.luck(),
        is_cut: all.is_cut,
        notes: all.notes,
        agenda: Some(agenda.clone()),
    })
}
