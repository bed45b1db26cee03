//! Scores a point by fitting it as a user would, each C starting from the one before.

use std::sync::{Arc, Mutex};

use mercer_linalg::Precision;

use super::{Evaluator, FoldAnswers, Held, KernelGroup};
use crate::data::{Dataset, Folds, Records, Task};
use crate::fit::{FitContext, StopReason};
use crate::kernel::ResolvedKernel;
use crate::learn::AnyEstimator;
use crate::learn::project::{coordinates, projected};
use crate::model::Form;
use crate::model::readout::Readout;
use crate::select::folds::Fold;
use crate::{Error, Result};

/// Fits every estimator on every fold; serves all estimators, kernels and sizes.
#[derive(Debug)]
pub struct Direct<'d> {
    data: &'d Dataset,
    folds: &'d Folds,
    work_limit: Option<f64>,
    projection: Option<Projection>,
}

/// A projection before every fit, fitted once to the training part of every fold.
#[derive(Debug)]
struct Projection {
    estimator: AnyEstimator,
    folds: Vec<Mutex<Option<Arc<Parts>>>>,
}

/// Training rows and rows to predict of a fold.
#[derive(Debug)]
struct Parts {
    train: Dataset,
    test: Records,
}

impl Projection {
    /// The coordinates of a fold's rows.
    fn parts(&self, fold: &Fold<'_, Dataset>, context: &FitContext) -> Result<Arc<Parts>> {
        let mut place = match self.folds[fold.number].lock() {
            Ok(place) => place,
            Err(poisoned) => poisoned.into_inner(),
        };
        if let Some(parts) = &*place {
            return Ok(Arc::clone(parts));
        }
        let first = projected(&self.estimator, &fold.train, context)?;
        let test = coordinates(&first.form, &fold.test().records, context)?;
        let parts = Arc::new(Parts {
            train: first.data,
            test,
        });
        *place = Some(Arc::clone(&parts));
        Ok(parts)
    }
}

impl<'d> Direct<'d> {
    /// Scores on these folds of these rows.
    pub fn new(data: &'d Dataset, folds: &'d Folds) -> Self {
        Self {
            data,
            folds,
            work_limit: None,
            projection: None,
        }
    }

    /// Sets how many multiplications a fit may take, beside its kernel values.
    pub fn work_limit(mut self, multiplications: Option<f64>) -> Self {
        self.work_limit = multiplications;
        self
    }

    /// Sets a projection whose coordinates are learnt from.
    pub fn project(mut self, estimator: Option<AnyEstimator>) -> Self {
        self.projection = estimator.map(|estimator| Projection {
            estimator,
            folds: self.folds.test.iter().map(|_| Mutex::default()).collect(),
        });
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
    fn kernel_group<'a>(
        &'a self,
        _kernel: Option<&ResolvedKernel>,
        machines: Vec<AnyEstimator>,
    ) -> Result<Box<dyn KernelGroup + 'a>> {
        Ok(Box::new(DirectGroup {
            data: self.data,
            folds: self.folds,
            machines,
            work_limit: self.work_limit,
            projection: self.projection.as_ref(),
        }))
    }
}

struct DirectGroup<'d> {
    data: &'d Dataset,
    folds: &'d Folds,
    machines: Vec<AnyEstimator>,
    work_limit: Option<f64>,
    projection: Option<&'d Projection>,
}

impl KernelGroup for DirectGroup<'_> {
    fn fold(
        &mut self,
        fold: usize,
        wanted: &[bool],
        context: &FitContext,
    ) -> Result<Vec<Option<Held>>> {
        let fold = Fold::of(self.data, self.folds, fold);
        let machines = || self.machines.iter();
        let classify = machines().all(|m| m.task_on(&self.data.targets) == Task::Classify);
        if let Some(class) = fold.only_class().filter(|_| classify) {
            return Ok(FoldAnswers::constant(class, self.data, fold.rows).for_all(wanted));
        }
        let mut alone = context.clone().threads(1);
        alone.progress = None;
        let projected = match self.projection.map(|p| p.parts(&fold, &alone)) {
            Some(Err(Error::OutOfTime)) => return Ok(vec![None; self.machines.len()]),
            parts => parts.transpose()?,
        };
        let (train, test) = match &projected {
            Some(parts) => (&parts.train, parts.test.clone()),
            None => (&fold.train, fold.test().records),
        };
        let mut earlier: Option<(usize, Form)> = None;
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
            let mut machine = fold.suited(machine);
            let is_bounded = self
                .work_limit
                .is_some_and(|work| bound_steps(&mut machine, work));
            let fitted = match machine.fit(train, &inner, start) {
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
            let answered = answer(&fitted.model, &test, &fold, &inner)?;
            answers[k] = Some(Held::Answered(answered));
            earlier = Some((k, fitted.model));
        }
        Ok(answers)
    }
}

/// Returns whether an estimator differs from the one before in nothing but C.
pub(super) fn continues(before: &AnyEstimator, machine: &AnyEstimator) -> bool {
    match (before, machine) {
        (AnyEstimator::Svc(a), AnyEstimator::Svc(b)) => {
            let mut a = a.clone();
            a.softness = b.softness;
            a == *b
        }
        (AnyEstimator::Svr(a), AnyEstimator::Svr(b)) => {
            let mut a = a.clone();
            a.softness = b.softness;
            a == *b
        }
        _ => false,
    }
}

fn answer(
    model: &Form,
    test: &Records,
    fold: &Fold<'_, Dataset>,
    context: &FitContext,
) -> Result<FoldAnswers> {
    let predictor = model.decider(Precision::F64)?;
    let decisions = predictor.decisions(test, context.par(), &context.cancel)?;
    let rows = 0..test.len();
    let first = |r: usize| decisions[(r, 0)];
    Ok(match model.readout() {
        Readout::Classes(classes) => FoldAnswers::Classes {
            codes: rows
                .clone()
                .map(|r| fold.code(classes.class(decisions.row(r))))
                .collect(),
            decisions: (classes.labels.len() == 2).then(|| rows.map(first).collect()),
        },
        Readout::Values => FoldAnswers::Values(rows.map(first).collect()),
        Readout::Novelty => FoldAnswers::Novelty(rows.map(first).collect()),
        Readout::Clusters | Readout::Coordinates => {
            return Err(Error::Unsupported {
                what: "clusters and coordinates have no target to be scored by".to_owned(),
                cure: "search settings of methods that predict".into(),
            });
        }
    })
}
