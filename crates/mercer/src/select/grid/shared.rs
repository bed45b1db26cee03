//! Scores points on one stored kernel matrix: no kernel value is computed twice.

use std::collections::BTreeSet;

use mercer_linalg::{Epilogue, Matrix};

use super::direct::{Direct, continues};
use super::{Evaluator, FoldAnswers, Held, KernelGroup};
use crate::data::{Dataset, Folds, Targets};
use crate::fit::FitContext;
use crate::gram::{Distance, Distances, KernelRows, radial, whole};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::learn::AnyEstimator;
use crate::learn::first_equals;
use crate::learn::margin::{Bias, Softness, Subproblem, subproblems};
use crate::model::readout::{ClassReadout, Scheme};
use crate::solver::smo::DualProblem;
use crate::solver::stored::{
    self, Carried, Ending, State, StoredProblem, Workspace, carry, stretch, transfer,
};
use crate::{Error, Result};

/// Rows up to which the matrix is stored.
const MOST_ROWS: usize = 10_000;

/// How many times its tolerance a method's conditions may be violated during the search: predictions
/// change in the third digit of a decision value, and the refit knows nothing of it.
const LENIENCE: f64 = 5.0;
/// The finest tolerance of a regression, as a share of the spread of its targets.
const FINEST: f64 = 2e-5;

/// Solves every fold on index sets of one matrix in memory.
///
/// Kernels of a distance with one width share the distances; every other kernel is computed
/// once. Solutions are carried from one C to the next and from one fold to the next, in an order
/// that threads do not change. Methods it does not serve, and problems single precision cannot
/// solve, go to [`Direct`].
pub struct SharedGram<'d> {
    data: &'d Dataset,
    folds: &'d Folds,
    direct: Direct<'d>,
    distances: Vec<Distances>,
    /// Whether there is room for one matrix per kernel.
    keep: bool,
    work_limit: Option<f64>,
    /// Power of two near the spread of numeric targets: problems are solved in this unit.
    unit: f64,
}

/// Bytes of a matrix in single precision.
fn bytes(rows: usize) -> u64 {
    (rows as u64).pow(2) * size_of::<f32>() as u64
}

/// The rows of a search: all of them, and the most that a fold learns from.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// All rows.
    pub rows: usize,
    /// The most that a fold learns from.
    pub trained: usize,
}

impl Extent {
    /// Bytes of one kernel at work: its values, those between the variables of a solver, which are
    /// all of them at worst, and a system in double precision over the free ones, half of them or
    /// fewer.
    fn lane_bytes(self, machine: &AnyEstimator) -> u64 {
        // Regression has two variables a row, of which one at most is free.
        let variables = match machine {
            AnyEstimator::Svr(_) => 2 * self.trained,
            _ => self.trained,
        };
        bytes(self.rows) + bytes(variables) + 2 * bytes(self.trained / 2)
    }
}

impl<'d> SharedGram<'d> {
    /// Returns whether this method is solved on matrices of this many rows: it is one of those
    /// that are, and there is room for the distances and one kernel. Threads and the usual memory
    /// limit have no say.
    pub fn fits(machine: &AnyEstimator, extent: Extent, context: &FitContext) -> bool {
        let needed = bytes(extent.rows) + extent.lane_bytes(machine);
        Self::serves(machine) && extent.rows <= MOST_ROWS && needed <= context.most_memory()
    }

    /// Returns how many kernels have room beside the distances.
    pub(super) fn at_once(machine: &AnyEstimator, extent: Extent, context: &FitContext) -> usize {
        let left = context.memory_limit.saturating_sub(bytes(extent.rows));
        let each = extent.lane_bytes(machine).max(1);
        let affordable = usize::try_from(left / each).unwrap_or(usize::MAX);
        affordable.clamp(1, context.thread_count())
    }

    /// Computes the distances that these kernels share.
    pub fn new(
        data: &'d Dataset,
        folds: &'d Folds,
        kernels: &[KernelSpec],
        context: &FitContext,
    ) -> Self {
        let mut distances: Vec<Distances> = Vec::new();
        for kind in [Distance::Squared, Distance::Absolute] {
            let used = kernels.iter().filter_map(radial).any(|(d, _)| d == kind);
            if used {
                distances.extend(Distances::new(kind, &data.records.features.points, context));
            }
        }
        Self {
            data,
            folds,
            direct: Direct::new(data, folds),
            distances,
            keep: {
                // Up to four kernel groups may work on one kernel, each with a part of its own.
                let copies = 8 + 2 * kernels.len() as u64;
                bytes(data.len()).saturating_mul(copies) <= context.memory_limit / 2
            },
            work_limit: None,
            unit: data.targets.unit(),
        }
    }

    /// Sets how many multiplications a fit may take, beside its kernel values.
    pub fn work_limit(mut self, multiplications: Option<f64>) -> Self {
        self.work_limit = multiplications;
        self.direct = self.direct.work_limit(multiplications);
        self
    }

    /// Returns whether a method can be solved this way.
    pub(super) fn serves(machine: &AnyEstimator) -> bool {
        let plain =
            |s: &crate::learn::margin::SolverSettings| s.max_iterations.is_none() && !s.verify;
        match machine {
            AnyEstimator::Svc(m) => {
                m.bias == Bias::Free && m.softness != Softness::Hard && plain(&m.solver)
            }
            AnyEstimator::Svr(m) => m.bias == Bias::Free && plain(&m.solver),
            AnyEstimator::OneClass(m) => plain(&m.solver),
            _ => false,
        }
    }
}

impl Evaluator for SharedGram<'_> {
    fn kernel_group<'a>(
        &'a self,
        kernel: Option<&ResolvedKernel>,
        machines: Vec<AnyEstimator>,
    ) -> Result<Box<dyn KernelGroup + 'a>> {
        let direct = self.direct.kernel_group(kernel, machines.clone())?;
        let served = machines.iter().all(Self::serves);
        let Some(kernel) = kernel.filter(|kernel| served && kernel.is_definite()) else {
            return Ok(direct);
        };
        let source = radial(kernel.spec()).and_then(|(kind, epilogue)| {
            let distances = self.distances.iter().find(|d| d.kind == kind)?;
            Some(Source::Distances(distances, epilogue))
        });
        let source = source.unwrap_or_else(|| Source::Whole(kernel.clone(), None));
        let carried = vec![None; machines.len()];
        Ok(Box::new(SharedGroup {
            data: self.data,
            folds: self.folds,
            machines,
            source,
            direct,
            carried,
            before: None,
            keep: self.keep,
            unit: self.unit,
            first: first_equals(self.data, kernel.spec()),
            space: Workspace::bounded(self.work_limit.unwrap_or(f64::INFINITY)),
        }))
    }
}

/// Where a kernel group gets its kernel rows from.
enum Source<'a> {
    Distances(&'a Distances, Epilogue),
    /// Computed on first use; kept where there is room.
    Whole(ResolvedKernel, Option<Matrix<f32>>),
}

struct SharedGroup<'a> {
    data: &'a Dataset,
    folds: &'a Folds,
    machines: Vec<AnyEstimator>,
    source: Source<'a>,
    direct: Box<dyn KernelGroup + 'a>,
    /// For every method, the coefficients of its decisions on the fold before.
    carried: Vec<Option<Vec<Carried>>>,
    /// The fold before.
    before: Option<usize>,
    keep: bool,
    unit: f64,
    /// For every row, the first one equal to it: copies share a variable.
    first: Vec<u32>,
    space: Workspace,
}

/// One decision of a model on a training part.
struct Decided {
    /// The classes it tells apart.
    subproblem: Subproblem,
    /// Its rows, those of the positive class first.
    rows: Vec<u32>,
    positives: usize,
}

/// What a model left behind on this fold.
struct Last {
    machine: usize,
    c: f64,
    states: Vec<State>,
}

impl KernelGroup for SharedGroup<'_> {
    fn fold(
        &mut self,
        fold: usize,
        wanted: &[bool],
        context: &FitContext,
    ) -> Result<Vec<Option<Held>>> {
        if let Source::Whole(kernel, matrix) = &mut self.source
            && matrix.is_none()
        {
            *matrix = Some(whole(kernel, &self.data.records, context)?);
        }
        let mut kernel = match &mut self.source {
            Source::Distances(distances, epilogue) => {
                KernelRows::from_distances(distances, *epilogue)
            }
            Source::Whole(_, matrix) => {
                KernelRows::from_matrix(matrix.take().expect("computed above"))
            }
        };
        let answers = self.answer(&mut kernel, fold, wanted, context);
        if let (Some(matrix), Source::Whole(_, place)) = (kernel.release(), &mut self.source)
            && self.keep
        {
            *place = Some(matrix);
        }
        if !self.keep {
            self.space.release();
        }
        answers
    }
}

impl SharedGroup<'_> {
    fn answer(
        &mut self,
        kernel: &mut KernelRows<'_>,
        fold: usize,
        wanted: &[bool],
        context: &FitContext,
    ) -> Result<Vec<Option<Held>>> {
        // Copies of a row are one variable in the place of the first, held out or not: their
        // kernel values are the same.
        let mut weights = vec![0.0; self.data.len()];
        for row in self.folds.train(fold) {
            let weight = self.data.weights.as_ref().map_or(1.0, |w| w[row]);
            weights[self.first[row] as usize] += weight;
        }
        let train: Vec<u32> = (0..weights.len() as u32)
            .filter(|&r| weights[r as usize] > 0.0)
            .collect();
        if let Some(class) = self.only_class(&train) {
            let rows = &self.folds.test[fold];
            return Ok(FoldAnswers::constant(class, self.data, rows).for_all(wanted));
        }
        let total: f64 = weights.iter().sum();
        // The rows held out last time are the ones that enter now.
        let mut entering = self.entering(fold);
        entering.sort_unstable();
        entering.dedup();
        self.before = Some(fold);
        let mut answers = vec![None; self.machines.len()];
        let mut last: Option<Last> = None;
        for k in 0..self.machines.len() {
            if !wanted[k] {
                continue;
            }
            let machine = self.machines[k].clone();
            let c = price(&machine, total) / self.unit;
            let decided = decisions(&machine, &self.data.targets, &train);
            let part = Part::of(&machine, &self.data.targets, &weights, self.unit)?;
            self.space.work = 0.0;
            let mut states = Vec::with_capacity(decided.len());
            let mut levels = Vec::with_capacity(decided.len());
            let before = last
                .take()
                .filter(|l| continues(&self.machines[l.machine], &machine));
            let mut earlier = before.map(|l| (l.c, l.states.into_iter()));
            let mut given_up = None;
            for (d, decision) in decided.iter().enumerate() {
                let dual = part.dual(&machine, decision, c)?;
                let problem = StoredProblem::of(&dual, &decision.rows);
                let along_c = earlier
                    .as_mut()
                    .and_then(|(old, states)| Some(stretch(states.next()?, &problem, c / *old)));
                let along_folds = self.carried[k].as_ref().and_then(|subproblems| {
                    let carried = subproblems.get(d)?;
                    (!matches!(machine, AnyEstimator::OneClass(_)))
                        .then(|| transfer(carried, &entering, &problem, kernel))
                });
                let mut state = match (along_c, along_folds) {
                    (Some(a), Some(b)) => {
                        if problem.objective(&a) <= problem.objective(&b) {
                            a
                        } else {
                            b
                        }
                    }
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => start(&machine, &dual, &problem, kernel),
                };
                let tolerance = self.tolerance(&machine);
                let ending = stored::solve(
                    kernel,
                    &problem,
                    &mut state,
                    tolerance,
                    &mut self.space,
                    context,
                )?;
                match ending {
                    Ending::Solved { level } => levels.push(level),
                    Ending::OutOfTime => return Ok(answers),
                    Ending::Stalled | Ending::Cut => {
                        given_up = Some(ending);
                        break;
                    }
                }
                states.push((problem, state));
            }
            if let Some(ending) = given_up {
                answers[k] = if ending == Ending::Cut {
                    Some(Held::Cut)
                } else {
                    let only: Vec<bool> = (0..wanted.len()).map(|j| j == k).collect();
                    self.direct.fold(fold, &only, context)?.swap_remove(k)
                };
                self.carried[k] = None;
                continue;
            }
            let n = self.data.len();
            self.carried[k] = Some(states.iter().map(|(p, s)| carry(p, s, n)).collect());
            let test = &self.folds.test[fold];
            let answered = self.read(&machine, &decided, &states, &levels, test);
            answers[k] = Some(Held::Answered(answered));
            last = Some(Last {
                machine: k,
                c,
                states: states.into_iter().map(|(_, s)| s).collect(),
            });
        }
        Ok(answers)
    }

    /// The rows of a training part that the fold before did not learn from.
    fn entering(&self, fold: usize) -> Vec<u32> {
        let Some(before) = self.before else {
            return Vec::new();
        };
        let first = |row: &usize| self.first[*row];
        if self.folds.gap.is_none() {
            return self.folds.test[before].iter().map(first).collect();
        }
        let known = self.folds.train(before).len();
        let rows = self.folds.train(fold);
        rows.get(known..)
            .unwrap_or_default()
            .iter()
            .map(first)
            .collect()
    }

    /// The class of all rows of a training part, where they have one only.
    fn only_class(&self, train: &[u32]) -> Option<u32> {
        let (AnyEstimator::Svc(_), Targets::Classes(classes)) =
            (self.machines.first()?, &self.data.targets)
        else {
            return None;
        };
        let mut codes = train.iter().map(|&row| classes.codes[row as usize]);
        let first = codes.next()?;
        codes.all(|code| code == first).then_some(first)
    }

    /// Reads the predictions for held-out rows from the decision values.
    fn read(
        &self,
        machine: &AnyEstimator,
        decided: &[Decided],
        states: &[(StoredProblem, State)],
        levels: &[f64],
        test: &[usize],
    ) -> FoldAnswers {
        let value = |d: usize, row: usize| self.unit * (states[d].1.decision[row] + levels[d]);
        match machine {
            AnyEstimator::Svr(_) => {
                FoldAnswers::Values(test.iter().map(|&r| value(0, r)).collect())
            }
            AnyEstimator::OneClass(_) => {
                FoldAnswers::Novelty(test.iter().map(|&r| value(0, r)).collect())
            }
            _ => {
                let labels = self.data.targets.classes().map_or(&[][..], |c| &c.labels);
                let present = present_classes(decided);
                let readout = ClassReadout {
                    labels: present.iter().map(|&c| labels[c].clone()).collect(),
                    scheme: match machine {
                        AnyEstimator::Svc(svc) => svc.scheme,
                        _ => Scheme::default(),
                    },
                    sigmoids: None,
                    factors: None,
                };
                let code = |row: usize| {
                    let values: Vec<f64> = (0..decided.len()).map(|d| value(d, row)).collect();
                    present[readout.class_by_decisions(&values) as usize] as u32
                };
                let is_first = decided.first().is_some_and(|d| d.subproblem.positive == 0);
                FoldAnswers::Classes {
                    codes: test.iter().map(|&r| code(r)).collect(),
                    decisions: (labels.len() == 2 && is_first)
                        .then(|| test.iter().map(|&r| value(0, r)).collect()),
                }
            }
        }
    }
}

/// The classes that decisions tell apart, ascending.
fn present_classes(decided: &[Decided]) -> Vec<usize> {
    let sides = decided.iter().map(|d| d.subproblem);
    let sides = sides
        .flat_map(|subproblem| std::iter::once(subproblem.positive).chain(subproblem.negative));
    sides.collect::<BTreeSet<usize>>().into_iter().collect()
}

impl SharedGroup<'_> {
    /// The violation that a search may leave, in units of the targets.
    fn tolerance(&self, machine: &AnyEstimator) -> f64 {
        let own = match machine {
            AnyEstimator::Svc(m) => m.solver.tolerance,
            // What is far below the spread of the targets decides nothing.
            AnyEstimator::Svr(m) => (m.solver.tolerance / self.unit).max(FINEST),
            AnyEstimator::OneClass(m) => m.solver.tolerance,
            // Nothing else is solved here.
            _ => crate::learn::margin::SolverSettings::default().tolerance,
        };
        LENIENCE * own
    }
}

/// C for a total weight of training rows.
fn price(machine: &AnyEstimator, total: f64) -> f64 {
    let c = match machine {
        AnyEstimator::Svc(m) => m.softness.c(total),
        AnyEstimator::Svr(m) => m.softness.c(total),
        _ => Some(1.0),
    };
    c.unwrap_or(f64::INFINITY)
}

/// The decisions of a model on some training rows.
fn decisions(machine: &AnyEstimator, targets: &Targets, train: &[u32]) -> Vec<Decided> {
    let (AnyEstimator::Svc(svc), Targets::Classes(classes)) = (machine, targets) else {
        return vec![Decided {
            subproblem: Subproblem {
                positive: 0,
                negative: None,
            },
            rows: train.to_vec(),
            positives: train.len(),
        }];
    };
    let mut by_class: Vec<Vec<u32>> = vec![Vec::new(); classes.labels.len()];
    for &row in train {
        by_class[classes.codes[row as usize] as usize].push(row);
    }
    let present = (0..by_class.len()).filter(|&class| !by_class[class].is_empty());
    let subproblems = subproblems(svc.scheme, &present.collect::<Vec<_>>());
    let decided = subproblems.into_iter().map(|subproblem| {
        let mut rows = by_class[subproblem.positive].clone();
        let positives = rows.len();
        if let Some(negative) = subproblem.negative {
            rows.extend(&by_class[negative]);
        } else {
            let code = |row: &&u32| classes.codes[**row as usize] as usize;
            rows.extend(train.iter().filter(|row| code(row) != subproblem.positive));
        }
        Decided {
            subproblem,
            rows,
            positives,
        }
    });
    decided.collect()
}

/// What a fold learns from.
struct Part<'a> {
    targets: &'a Targets,
    /// Copies of every row outside the fold.
    weights: &'a [f64],
    /// Factors on C by class, as a fit on these rows would have them.
    factors: Vec<f64>,
    unit: f64,
}

impl<'a> Part<'a> {
    fn of(
        machine: &AnyEstimator,
        targets: &'a Targets,
        weights: &'a [f64],
        unit: f64,
    ) -> Result<Self> {
        let factors = match (machine, targets) {
            (AnyEstimator::Svc(svc), Targets::Classes(classes)) => {
                let mut totals = vec![0.0; classes.labels.len()];
                for (code, weight) in classes.codes.iter().zip(weights) {
                    totals[*code as usize] += weight;
                }
                svc.class_weights.factors(classes, &totals)?
            }
            _ => Vec::new(),
        };
        Ok(Self {
            targets,
            weights,
            factors,
            unit,
        })
    }

    /// The problem of a decision; `c` and numeric targets are in the unit of the rows.
    fn dual(&self, machine: &AnyEstimator, decided: &Decided, c: f64) -> Result<DualProblem> {
        let rows = || decided.rows.iter().map(|&row| row as usize);
        let weights = || rows().map(|row| self.weights[row]);
        match (machine, self.targets) {
            (AnyEstimator::Svc(svc), Targets::Classes(classes)) => {
                let factors = rows().map(|row| self.factors[classes.codes[row] as usize]);
                let weights: Vec<f64> = weights().zip(factors).map(|(w, f)| w * f).collect();
                Ok(svc.dual(c, decided.positives, &weights))
            }
            (AnyEstimator::Svr(svr), Targets::Real(y)) => {
                let y: Vec<f64> = rows().map(|row| y[row] / self.unit).collect();
                let in_unit = svr.clone().epsilon(svr.epsilon / self.unit);
                Ok(in_unit.dual(c, &y, &weights().collect::<Vec<_>>()))
            }
            (AnyEstimator::OneClass(one), _) => Ok(one.dual(&weights().collect::<Vec<_>>())),
            _ => Err(Error::rows(
                format!("the target does not fit `{}`", machine.name()),
                "give classes to a classifier and numbers to a regression",
            )),
        }
    }
}

/// A start from nothing; one class has to spread its share first.
fn start(
    machine: &AnyEstimator,
    dual: &DualProblem,
    problem: &StoredProblem,
    kernel: &mut KernelRows<'_>,
) -> State {
    let beta = match machine {
        AnyEstimator::OneClass(one) => one.start(dual),
        _ => vec![0.0; dual.len()],
    };
    State::at(problem, beta, kernel)
}
