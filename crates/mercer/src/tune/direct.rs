//! Scores a point by fitting it as a user would, each C starting from the one before.

use mercer_linalg::Precision;

use super::{Evaluator, FoldAnswers, Held, Lane};
use crate::data::{ClassTargets, Dataset, Folds, Targets};
use crate::fit::{FitContext, StopReason};
use crate::kernel::ResolvedKernel;
use crate::learn::expansion::{KernelExpansion, Machine};
use crate::model::{AnyEstimator, AnyModel};
use crate::{Error, Result};

/// Fits every machine on every fold; serves all machines, kernels and sizes.
#[derive(Debug)]
pub struct Direct<'d> {
    data: &'d Dataset,
    folds: &'d Folds,
    work_limit: Option<f64>,
}

impl<'d> Direct<'d> {
    /// Scores on these folds of these rows.
    pub fn new(data: &'d Dataset, folds: &'d Folds) -> Self {
        Self {
            data,
            folds,
            work_limit: None,
        }
    }

    /// Sets how many multiplications a fit may take, beside its kernel values.
    pub fn work_limit(mut self, multiplications: Option<f64>) -> Self {
        self.work_limit = multiplications;
        self
    }
}

/// Multiplications of a step of a solver: a working set of some hundred variables is looked
/// through twice.
const STEP_WORK: f64 = 1000.0;

/// Sets the largest number of steps, where the user has set none; returns whether it did.
fn bound_steps(machine: &mut AnyEstimator, work: f64) -> bool {
    let solver = match machine {
        AnyEstimator::Svc(m) => &mut m.solver,
        AnyEstimator::NuSvc(m) => &mut m.solver,
        AnyEstimator::Svr(m) => &mut m.solver,
        AnyEstimator::NuSvr(m) => &mut m.solver,
        AnyEstimator::OneClass(m) => &mut m.solver,
        _ => return false,
    };
    let is_open = solver.max_iterations.is_none();
    if is_open {
        solver.max_iterations = Some((work / STEP_WORK).ceil() as u64);
    }
    is_open
}

impl Evaluator for Direct<'_> {
    fn lane<'a>(
        &'a self,
        _kernel: &ResolvedKernel,
        machines: Vec<AnyEstimator>,
    ) -> Result<Box<dyn Lane + 'a>> {
        Ok(Box::new(DirectLane {
            data: self.data,
            folds: self.folds,
            machines,
            work_limit: self.work_limit,
        }))
    }
}

struct DirectLane<'d> {
    data: &'d Dataset,
    folds: &'d Folds,
    machines: Vec<AnyEstimator>,
    work_limit: Option<f64>,
}

impl Lane for DirectLane<'_> {
    fn fold(
        &mut self,
        fold: usize,
        wanted: &[bool],
        context: &FitContext,
    ) -> Result<Vec<Option<Held>>> {
        let (train, place) = without_absent_classes(self.data.select(&self.folds.train(fold)));
        let test = self.data.select(&self.folds.test[fold]);
        let mut earlier: Option<(usize, AnyModel)> = None;
        let mut answers = vec![None; self.machines.len()];
        for (k, machine) in self.machines.iter().enumerate() {
            if !wanted[k] {
                continue;
            }
            if context.out_of_time() {
                break;
            }
            let start = earlier
                .as_ref()
                .filter(|(last, _)| continues(&self.machines[*last], machine))
                .map(|(_, model)| model);
            let mut inner = context.clone().threads(1);
            inner.progress = None;
            let mut machine = machine.clone();
            let is_bounded = self
                .work_limit
                .is_some_and(|work| bound_steps(&mut machine, work));
            let fitted = match machine.fit(&train, &inner, start) {
                Err(Error::OutOfTime) => break,
                fitted => fitted?,
            };
            if context.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if context.out_of_time() {
                break;
            }
            if is_bounded && fitted.report.stop_reason == StopReason::IterationLimit {
                answers[k] = Some(Held::Cut);
                continue;
            }
            let answered = answer(&fitted.model, &test, &place, &inner)?;
            answers[k] = Some(Held::Answered(answered));
            earlier = Some((k, fitted.model));
        }
        Ok(answers)
    }
}

/// Removes classes that a training part does not have; returns the code each one left had.
pub(super) fn without_absent_classes(mut data: Dataset) -> (Dataset, Vec<u32>) {
    let Targets::Classes(classes) = &data.targets else {
        return (data, Vec::new());
    };
    let weight = |r: usize| data.weights.as_ref().map_or(1.0, |w| w[r]);
    let mut present = vec![false; classes.labels.len()];
    for (row, &code) in classes.codes.iter().enumerate() {
        present[code as usize] |= weight(row) > 0.0;
    }
    let kept: Vec<u32> = (0..present.len() as u32)
        .filter(|&c| present[c as usize])
        .collect();
    if kept.len() == present.len() {
        return (data, kept);
    }
    let place = |code: u32| kept.iter().position(|k| *k == code);
    let rows: Vec<usize> = (0..classes.codes.len())
        .filter(|&r| place(classes.codes[r]).is_some())
        .collect();
    let targets = ClassTargets {
        codes: rows
            .iter()
            .filter_map(|&r| place(classes.codes[r]).map(|p| p as u32))
            .collect(),
        labels: kept
            .iter()
            .map(|&c| classes.labels[c as usize].clone())
            .collect(),
    };
    data = data.select(&rows);
    data.targets = Targets::Classes(targets);
    (data, kept)
}

/// Returns whether a machine differs from the one before in nothing but C.
pub(super) fn continues(before: &AnyEstimator, machine: &AnyEstimator) -> bool {
    match (before, machine) {
        (AnyEstimator::Svc(a), AnyEstimator::Svc(b)) => {
            let mut a = a.clone();
            a.softness = b.softness;
            a == *b
        }
        (AnyEstimator::Svr(a), AnyEstimator::Svr(b)) => a.clone().c(b.c) == *b,
        _ => false,
    }
}

fn answer(
    model: &AnyModel,
    test: &Dataset,
    place: &[u32],
    context: &FitContext,
) -> Result<FoldAnswers> {
    let AnyModel::Expansion(margin) = model;
    let KernelExpansion { machine, .. } = margin;
    let predictor = margin.predictor(Precision::F64)?;
    let decisions = predictor.decisions(&test.records, context.par(), &context.cancel)?;
    let rows = 0..test.len();
    Ok(match machine {
        Machine::Classifier { labels, .. } => FoldAnswers::Classes {
            codes: rows
                .clone()
                .map(|r| place[machine.class(decisions.row(r)).unwrap_or(0) as usize])
                .collect(),
            decisions: (labels.len() == 2).then(|| rows.map(|r| decisions[(r, 0)]).collect()),
        },
        Machine::Regressor { .. } => FoldAnswers::Values(rows.map(|r| decisions[(r, 0)]).collect()),
        Machine::Novelty { .. } => FoldAnswers::Novelty(rows.map(|r| decisions[(r, 0)]).collect()),
    })
}
