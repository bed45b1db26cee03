//! Support vector machines with C and width by cross-validation.

use super::plan::{Plan, fit_work};
use super::trial::Tried;
use crate::data::{self, Dataset, Folds, Targets};
use crate::fit::{FitContext, Note, StopReason};
use crate::judge::Metric;
use crate::kernel::KernelSpec;
use crate::learn::margin::{Softness, Svc, Svr};
use crate::learn::{AnyEstimator, ClassWeights};
use crate::model::Predictor;
use crate::select::folds;
use crate::select::grid::{Axis, FoldRule, Status, Tuning};
use crate::select::kernels::{Ranked, fair_order, numbered};
use crate::{Error, Result};
use mercer_linalg::Precision;

/// The highest C of a support vector machine that is tried: beyond, the margin is hard.
const HIGHEST_PRICE: f64 = 1e4;

/// What decides which rows are held out together.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Bond {
    /// Chance.
    None,
    /// The group of every row.
    Groups(Vec<u32>),
    /// The order of time, with a gap between training and test rows.
    Chain(usize),
}

/// The rows on which trials are evaluated.
pub(super) struct Part {
    pub(super) data: Dataset,
    /// Their numbers among all rows; `None` means all.
    rows: Option<Vec<usize>>,
    /// How many rows there are in all.
    pub(super) all: usize,
    /// Which rows are held out together.
    bond: Bond,
    /// Every trial sees the same folds.
    pub(super) folds: Folds,
}

/// Folds in the order of time: fewer where few rows leave no more beside the gap, and at last a smaller
/// gap, since trials that look ahead a little still tell more than none.
fn in_time(rows: usize, most: usize, gap: usize) -> Result<data::Folds> {
    let mut plans = (0..=gap)
        .rev()
        .flat_map(|gap| (1..=most).rev().map(move |k| (k, gap)));
    let found = plans.find_map(|(k, gap)| data::forward_chain(rows, k, gap).ok());
    found.map_or_else(|| data::forward_chain(rows, most, gap), Ok)
}

impl Part {
    /// Takes so many rows, classes in proportion; rows of one group stay in one fold.
    ///
    /// # Errors
    /// Rows that cannot be dealt to folds.
    pub(super) fn of(
        data: &Dataset,
        bond: Bond,
        count: usize,
        fold_count: usize,
        seed: u64,
    ) -> Result<Self> {
        let rows = (count < data.len()).then(|| {
            let mut rows = fair_order(data, seed);
            rows.truncate(count);
            rows.sort_unstable();
            rows
        });
        let part = rows
            .as_ref()
            .map_or_else(|| data.clone(), |rows| data.select(rows));
        let bond = match (bond, &rows) {
            (Bond::Groups(groups), Some(rows)) => {
                Bond::Groups(rows.iter().map(|&row| groups[row]).collect())
            }
            (bond, _) => bond,
        };
        let deal = |k: usize, groups: Option<&[u32]>| {
            data::folds(part.len(), &part.targets, k, seed, groups)
        };
        let (folds, bond) = match bond {
            Bond::None => (deal(fold_count, None)?, bond),
            Bond::Groups(ref groups) => {
                let most = fold_count.min(distinct(groups)?);
                (deal(most, Some(groups))?, bond)
            }
            Bond::Chain(gap) => {
                let folds = in_time(part.len(), fold_count, gap)?;
                let gap = folds.gap.unwrap_or(0);
                (folds, Bond::Chain(gap))
            }
        };
        Ok(Self {
            folds,
            data: part,
            rows,
            bond,
            all: data.len(),
        })
    }

    /// Takes the same rows and folds of the same data with other weights.
    pub(super) fn weighing(&self, data: &Dataset) -> Self {
        let part = self.rows.as_ref();
        Self {
            bond: self.bond.clone(),
            data: part.map_or_else(|| data.clone(), |rows| data.select(rows)),
            rows: self.rows.clone(),
            all: self.all,
            folds: self.folds.clone(),
        }
    }

    /// The group of every row, where there are groups.
    fn groups(&self) -> Option<Vec<u32>> {
        match &self.bond {
            Bond::Groups(groups) => Some(groups.clone()),
            Bond::None | Bond::Chain(_) => None,
        }
    }

    /// The groups of some of these rows, numbered anew; `None` where there are none to tell apart.
    pub(super) fn groups_of(&self, rows: &[usize]) -> Option<Vec<u32>> {
        match &self.bond {
            Bond::Groups(groups) => numbered(rows.iter().map(|&row| groups[row])),
            Bond::None | Bond::Chain(_) => None,
        }
    }

    /// The gap between training and test rows, where they are in the order of time.
    pub(super) fn chain(&self) -> Option<usize> {
        match self.bond {
            Bond::Chain(gap) => Some(gap),
            Bond::None | Bond::Groups(_) => None,
        }
    }

    /// Spreads values of these rows over all rows; the others are no number.
    pub(super) fn spread(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut all = vec![f64::NAN; self.all];
        for (place, value) in values.enumerate() {
            all[self.row(place)] = value;
        }
        all
    }

    /// The number of a row among all rows.
    pub(super) fn row(&self, place: usize) -> usize {
        self.rows.as_ref().map_or(place, |rows| rows[place])
    }
}

/// How many groups there are; one group cannot be held out.
fn distinct(groups: &[u32]) -> Result<usize> {
    let count = groups
        .iter()
        .collect::<std::collections::HashSet<_>>()
        .len();
    if count < 2 {
        return Err(Error::rows(
            "all rows belong to one group, so that none can be held out",
            "leave the groups out, or give at least two",
        ));
    }
    Ok(count)
}

/// A trial, and what of it was cut short.
pub(super) struct Searched {
    pub(super) tried: Tried,
    /// Whether the time limit ended the search.
    pub(super) is_cut: bool,
    pub(super) notes: Vec<Note>,
}

/// A support vector machine on a Gaussian (RBF) kernel, C and width by the folds. `begin` is the context
/// of a search, by how many came before it.
pub(super) fn on_gauss(
    plan: &Plan,
    part: &Part,
    begin: &dyn Fn(usize) -> FitContext,
) -> Result<Searched> {
    let unit = target_unit(&part.data.targets);
    let scaled = |axis: &Axis| {
        let mut axis = axis.clone();
        if axis.name == "C" || axis.name == "epsilon" {
            axis.values.iter_mut().for_each(|v| *v *= unit);
        }
        axis
    };
    let axes: Vec<Axis> = plan.axes.iter().map(scaled).collect();
    let kernel = KernelSpec::rbf_auto;
    let on = "a Gaussian (RBF) kernel";
    let mut best = search(axes.clone(), plan.refine, kernel(), on, part, &begin(0))?;
    if matches!(part.data.targets, Targets::Real(_)) {
        return Ok(best);
    }
    // High values of C take long and pay seldom: each is tried where the one below is the best.
    let total = |s: &Searched| s.tried.losses.iter().filter(|l| !l.is_nan()).sum::<f64>();
    let mut higher = axes;
    let mut repeats = 0;
    while let Some(&top) = higher[0].values.last()
        && top < HIGHEST_PRICE
        && price(&best.tried.estimator) == Some(top)
        && !best.is_cut
    {
        higher[0].values = vec![10.0 * top];
        repeats += 1;
        let context = &begin(repeats);
        let next = match search(higher.clone(), plan.refine, kernel(), on, part, context) {
            Err(Error::OutOfTime) => {
                best.is_cut = true;
                break;
            }
            next => next?,
        };
        if next.is_cut || total(&next) >= total(&best) {
            best.is_cut |= next.is_cut;
            best.notes.extend(next.notes);
            break;
        }
        best = next;
    }
    Ok(best)
}

/// C of a support vector machine.
fn price(estimator: &AnyEstimator) -> Option<f64> {
    let softness = match estimator {
        AnyEstimator::Svc(machine) => machine.softness,
        AnyEstimator::Svr(machine) => machine.softness,
        _ => return None,
    };
    match softness {
        Softness::C(c) => Some(c),
        Softness::Lambda(_) | Softness::Hard => None,
    }
}

/// A support vector machine on the kernel of largest evidence, C by the folds.
pub(super) fn on_evident(best: &Ranked, part: &Part, context: &FitContext) -> Result<Searched> {
    let unit = target_unit(&part.data.targets);
    let prices = match &part.data.targets {
        Targets::Real(_) => format!("C={}", 10.0 * unit),
        _ => "C=1..100:3".to_owned(),
    };
    let name = format!("{} by evidence", best.name);
    let kernel = best.kernel.spec().clone();
    let mut searched = search(vec![prices.parse()?], 0, kernel, &name, part, context)?;
    searched.tried.fitted_numbers += best.fitted_numbers;
    Ok(searched)
}

fn search(
    axes: Vec<Axis>,
    refine: usize,
    kernel: KernelSpec,
    on: &str,
    part: &Part,
    context: &FitContext,
) -> Result<Searched> {
    let data = &part.data;
    let searched = axes.len();
    let (machine, metric) = if let Targets::Classes(_) = &data.targets {
        let machine = Svc::default().kernel(kernel);
        (AnyEstimator::Svc(machine), Metric::Accuracy)
    } else {
        // All that is measured like the targets goes with their spread, the tolerance too: the
        // same targets in another unit get the same model.
        let unit = target_unit(&data.targets);
        let mut machine = Svr::default().kernel(kernel).epsilon(0.1 * unit);
        machine.solver.tolerance *= unit;
        (AnyEstimator::Svr(machine), Metric::Mse)
    };
    let mut tuning = Tuning::default()
        .folds(FoldRule::Count(part.folds.test.len()))
        .refine(refine)
        .metric(metric)
        .groups(part.groups())
        .chain(part.chain())
        .work_limit(Some(fit_work(data)));
    for axis in axes {
        tuning = tuning.axis(axis);
    }
    let tuned = tuning.run(&machine, data, context)?;
    // The search counts a row as often as its weight says; here each counts once.
    let weight = |row: usize| data.weights.as_ref().map_or(1.0, |w| w[row]);
    let own = |(row, loss): (usize, &f32)| {
        let once = f64::from(*loss) / weight(row);
        match data.targets {
            // Right or wrong: weights are rounded, and what is left of a mistake would be no count.
            Targets::Classes(_) => once.round(),
            _ => once,
        }
    };
    let losses = part.spread(tuned.losses.iter().flatten().enumerate().map(own));
    let name = format!("a support vector machine on {on}");
    let cut = tuned.points.iter().filter(|p| p.status == Status::Cut);
    let mut notes = Vec::new();
    match cut.count() {
        0 => {}
        count => notes.push(Note::Choice(format!(
            "{name}: {count} of {} settings took more than their share of the work and were cut",
            tuned.points.len()
        ))),
    }
    Ok(Searched {
        tried: Tried {
            deviations: None,
            name,
            estimator: tuned.estimator,
            losses,
            measured: None,
            class_weights: ClassWeights::Equal,
            nonconformity: None,
            // C, and a width where it is searched for, are chosen by the rows too.
            fitted_numbers: searched,
            is_steady: false,
        },
        is_cut: tuned.stop_reason == StopReason::TimeLimit,
        notes,
    })
}

/// The nonconformity score of every row's true class under a model learnt without its fold.
pub(super) fn nonconformity(
    estimator: &AnyEstimator,
    part: &Part,
    context: &FitContext,
) -> Result<Vec<f64>> {
    let data = &part.data;
    let Targets::Classes(classes) = &data.targets else {
        return Ok(Vec::new());
    };
    let mut scores = vec![f64::NAN; data.len()];
    folds::each(data, &part.folds, |fold| {
        context.check()?;
        let turn = context.turn("scoring", fold.number, part.folds.test.len());
        let fitted = match fold.suited(estimator).fit(&fold.train, &turn, None) {
            Ok(fitted) => fitted,
            Err(error @ (Error::Cancelled | Error::OutOfTime)) => return Err(error),
            // One class may be left alone; the rows of the fold then say nothing.
            Err(_) => return Ok(()),
        };
        context.check()?;
        let predictor = Predictor::of_form(&fitted.model, Precision::F64)?;
        let decisions = predictor.decisions(&data.records.select(fold.rows), context)?;
        let Some(readout) = fitted.model.readout().classes() else {
            return Ok(());
        };
        for (place, &row) in fold.rows.iter().enumerate() {
            // Nor does a row whose class is missing outside the fold.
            if let Some(class) = fold.place(classes.codes[row]) {
                scores[row] = readout.nonconformity(decisions.row(place), class as usize);
            }
        }
        Ok(())
    })?;
    Ok(scores)
}

/// The standard deviation of a numeric target; 1 for classes.
fn target_unit(targets: &Targets) -> f64 {
    let Targets::Real(values) = targets else {
        return 1.0;
    };
    let n = values.len().max(1) as f64;
    let mean = values.iter().map(|v| v / n).sum::<f64>();
    let square = values.iter().map(|v| (v - mean).powi(2) / n).sum::<f64>();
    if square > 0.0 { square.sqrt() } else { 1.0 }
}
