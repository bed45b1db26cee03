//! Scores points on one stored kernel matrix: no kernel value is computed twice.

use mercer_linalg::{Epilogue, Matrix, axpy_wide};

use super::direct::{Direct, continues};
use super::rows::{Distance, Distances, KernelRows, radial, whole};
use super::seed::{Carried, carry, cold, stretch, transfer};
use super::solve::{BoxProblem, Ending, State, Workspace, solve_on_gram};
use super::{Evaluator, FoldAnswers, Held, Lane};
use crate::data::{Dataset, Folds, Targets};
use crate::fit::FitContext;
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::learn::expansion::Scheme;
use crate::learn::first_equals;
use crate::learn::margin::{Bias, ClassWeights, Softness, Svc};
use crate::model::AnyEstimator;
use crate::{Error, Result};

/// Rows up to which the matrix is stored.
const MOST_ROWS: usize = 10_000;

/// How many times its tolerance a machine's conditions may be violated during the search: answers
/// change in the third digit of a decision value, and the refit knows nothing of it.
const LENIENCE: f64 = 5.0;
/// The finest tolerance of a regression, as a share of the spread of its targets.
const FINEST: f64 = 2e-5;

/// Solves every fold on index sets of one matrix in memory.
///
/// Kernels of a distance with one width share the distances; every other kernel is computed
/// once. Solutions are carried from one C to the next and from one fold to the next, in an order
/// that threads do not change. Machines it does not serve, and problems single precision cannot
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
    /// Returns whether this machine is solved on matrices of this many rows: it is one of those
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
                // Up to four lanes may work on one kernel, each with a part of its own.
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

    /// Returns whether a machine can be solved this way.
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
    fn lane<'a>(
        &'a self,
        kernel: &ResolvedKernel,
        machines: Vec<AnyEstimator>,
    ) -> Result<Box<dyn Lane + 'a>> {
        let direct = self.direct.lane(kernel, machines.clone())?;
        if !machines.iter().all(Self::serves) || !kernel.is_definite() {
            return Ok(direct);
        }
        let source = radial(kernel.spec()).and_then(|(kind, epilogue)| {
            let distances = self.distances.iter().find(|d| d.kind == kind)?;
            Some(Source::Distances(distances, epilogue))
        });
        let source = source.unwrap_or_else(|| Source::Whole(kernel.clone(), None));
        let carried = vec![None; machines.len()];
        Ok(Box::new(SharedLane {
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

/// Where a lane gets its kernel rows from.
enum Source<'a> {
    Distances(&'a Distances, Epilogue),
    /// Computed on first use; kept where there is room.
    Whole(ResolvedKernel, Option<Matrix<f32>>),
}

struct SharedLane<'a> {
    data: &'a Dataset,
    folds: &'a Folds,
    machines: Vec<AnyEstimator>,
    source: Source<'a>,
    direct: Box<dyn Lane + 'a>,
    /// For every machine, the coefficients of its decisions on the fold before.
    carried: Vec<Option<Vec<Carried>>>,
    /// The fold before.
    before: Option<usize>,
    keep: bool,
    unit: f64,
    /// For every row, the first one equal to it: copies share a variable.
    first: Vec<u32>,
    space: Workspace,
}

/// One decision of a machine: rows of either side.
struct Duel {
    positive: Vec<u32>,
    negative: Vec<u32>,
    /// The class that a positive value speaks for, and the other one of a pair.
    classes: (u32, Option<u32>),
}

/// What a machine left behind on this fold.
struct Last {
    machine: usize,
    c: f64,
    states: Vec<State>,
}

impl Lane for SharedLane<'_> {
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

impl SharedLane<'_> {
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
        let total: f64 = weights.iter().sum();
        // The rows held out last time are the ones that enter now.
        let held = self.before.map_or(&[][..], |f| &self.folds.test[f]);
        let mut entering: Vec<u32> = held.iter().map(|&row| self.first[row]).collect();
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
            let duels = duels(&machine, &self.data.targets, &train)?;
            let factors = factors(&machine, &self.data.targets, &weights)?;
            self.space.work = 0.0;
            let mut states = Vec::with_capacity(duels.len());
            let mut levels = Vec::with_capacity(duels.len());
            let before = last
                .take()
                .filter(|l| continues(&self.machines[l.machine], &machine));
            let mut earlier = before.map(|l| (l.c, l.states.into_iter()));
            let mut given_up = None;
            for (d, duel) in duels.iter().enumerate() {
                let rows = Rows {
                    targets: &self.data.targets,
                    weights: &weights,
                    unit: self.unit,
                };
                let problem = pose(&machine, duel, &rows, c, &factors)?;
                let along_c = earlier
                    .as_mut()
                    .and_then(|(old, states)| Some(stretch(states.next()?, &problem, c / *old)));
                let along_folds = self.carried[k].as_ref().and_then(|duels| {
                    let carried = duels.get(d)?;
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
                    (None, None) => start(&machine, &problem, kernel, total),
                };
                let tolerance = self.tolerance(&machine);
                let ending = solve_on_gram(
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
            let answered = self.read(&machine, &duels, &states, &levels, test);
            answers[k] = Some(Held::Answered(answered));
            last = Some(Last {
                machine: k,
                c,
                states: states.into_iter().map(|(_, s)| s).collect(),
            });
        }
        Ok(answers)
    }

    /// Reads the answers for held-out rows from the decision values.
    fn read(
        &self,
        machine: &AnyEstimator,
        duels: &[Duel],
        states: &[(BoxProblem, State)],
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
                let labels = match &self.data.targets {
                    Targets::Classes(classes) => classes.labels.len(),
                    _ => 0,
                };
                let code = |row: usize| {
                    let mut votes = vec![f64::NEG_INFINITY; labels];
                    for (d, duel) in duels.iter().enumerate() {
                        let value = value(d, row);
                        let (first, second) = duel.classes;
                        match second {
                            Some(second) => {
                                let winner = if value > 0.0 { first } else { second };
                                for class in [first, second] {
                                    let votes = &mut votes[class as usize];
                                    *votes = votes.max(0.0) + f64::from(u8::from(class == winner));
                                }
                            }
                            None => votes[first as usize] = value,
                        }
                    }
                    first_largest(&votes)
                };
                FoldAnswers::Classes {
                    codes: test.iter().map(|&r| code(r)).collect(),
                    decisions: (labels == 2 && duels.first().is_some_and(|d| d.classes.0 == 0))
                        .then(|| test.iter().map(|&r| value(0, r)).collect()),
                }
            }
        }
    }
}

fn first_largest(values: &[f64]) -> u32 {
    let mut best = 0;
    for (k, v) in values.iter().enumerate() {
        if *v > values[best] {
            best = k;
        }
    }
    best as u32
}

impl SharedLane<'_> {
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
    match machine {
        AnyEstimator::Svc(Svc {
            softness: Softness::C(c),
            ..
        }) => *c,
        AnyEstimator::Svc(Svc {
            softness: Softness::Lambda(lambda),
            ..
        }) => 1.0 / (2.0 * lambda * total),
        AnyEstimator::Svr(m) => m.c,
        _ => 1.0,
    }
}

/// The decisions of a machine on some training rows.
fn duels(machine: &AnyEstimator, targets: &Targets, train: &[u32]) -> Result<Vec<Duel>> {
    let (AnyEstimator::Svc(svc), Targets::Classes(classes)) = (machine, targets) else {
        return Ok(vec![Duel {
            positive: train.to_vec(),
            negative: Vec::new(),
            classes: (0, None),
        }]);
    };
    let code = |r: u32| classes.codes[r as usize];
    let of = |class: u32| train.iter().copied().filter(move |&r| code(r) == class);
    let present: Vec<u32> = (0..classes.labels.len() as u32)
        .filter(|&c| of(c).next().is_some())
        .collect();
    if present.len() < 2 {
        return Err(Error::rows(
            "a training part has rows of one class only",
            "use fewer folds, or leave rare classes out",
        ));
    }
    let mut duels = Vec::new();
    match svc.scheme {
        Scheme::OneVsOne => {
            for (i, &a) in present.iter().enumerate() {
                for &b in &present[i + 1..] {
                    duels.push(Duel {
                        positive: of(a).collect(),
                        negative: of(b).collect(),
                        classes: (a, Some(b)),
                    });
                }
            }
        }
        Scheme::OneVsRest => {
            for &a in &present {
                duels.push(Duel {
                    positive: of(a).collect(),
                    negative: train.iter().copied().filter(|&r| code(r) != a).collect(),
                    classes: (a, None),
                });
            }
        }
    }
    Ok(duels)
}

/// Factors on C by class, as a fit on these rows would have them.
fn factors(machine: &AnyEstimator, targets: &Targets, weights: &[f64]) -> Result<Vec<f64>> {
    let (AnyEstimator::Svc(svc), Targets::Classes(classes)) = (machine, targets) else {
        return Ok(Vec::new());
    };
    let k = classes.labels.len();
    match &svc.class_weights {
        ClassWeights::Equal => Ok(vec![1.0; k]),
        ClassWeights::Balanced => {
            let mut totals = vec![0.0; k];
            for (code, weight) in classes.codes.iter().zip(weights) {
                totals[*code as usize] += weight;
            }
            let present = totals.iter().filter(|t| **t > 0.0).count() as f64;
            let sum: f64 = totals.iter().sum();
            Ok(totals.iter().map(|t| sum / (present * t)).collect())
        }
        ClassWeights::Given(weights) => {
            let mut factors = vec![1.0; k];
            for (label, &weight) in weights {
                let Some(code) = classes.labels.iter().position(|l| l == label) else {
                    return Err(Error::Unknown {
                        kind: "class",
                        name: label.clone(),
                        known: classes.labels.clone(),
                    });
                };
                if !(weight.is_finite() && weight >= 0.0) {
                    let name = format!("weight of class `{label}`");
                    return Err(Error::setting(&name, weight, "finite and not negative"));
                }
                factors[code] = weight;
            }
            Ok(factors)
        }
    }
}

/// What a fold learns from.
struct Rows<'a> {
    targets: &'a Targets,
    /// Copies of every row outside the fold.
    weights: &'a [f64],
    unit: f64,
}

/// Writes a decision down as a problem over rows of the matrix; `c` and numeric targets are in
/// the unit of the rows.
fn pose(
    machine: &AnyEstimator,
    duel: &Duel,
    rows: &Rows<'_>,
    c: f64,
    factors: &[f64],
) -> Result<BoxProblem> {
    let weight = |r: u32| rows.weights[r as usize];
    let all = || duel.positive.iter().chain(&duel.negative).copied();
    match (machine, rows.targets) {
        (AnyEstimator::Svc(_), Targets::Classes(classes)) => {
            let upper = |r: u32| c * weight(r) * factors[classes.codes[r as usize] as usize];
            let (p, n) = (duel.positive.len(), duel.negative.len());
            Ok(BoxProblem {
                rows: all().collect(),
                centres: [vec![1.0; p], vec![-1.0; n]].concat(),
                low: [
                    vec![0.0; p],
                    duel.negative.iter().map(|&r| -upper(r)).collect(),
                ]
                .concat(),
                high: [
                    duel.positive.iter().map(|&r| upper(r)).collect(),
                    vec![0.0; n],
                ]
                .concat(),
            })
        }
        (AnyEstimator::Svr(svr), Targets::Real(y)) => {
            let n = duel.positive.len();
            let upper: Vec<f64> = all().map(|r| c * weight(r)).collect();
            let up = all().map(|r| (y[r as usize] - svr.epsilon) / rows.unit);
            let down = all().map(|r| (y[r as usize] + svr.epsilon) / rows.unit);
            Ok(BoxProblem {
                rows: all().chain(all()).collect(),
                centres: up.chain(down).collect(),
                low: [vec![0.0; n], upper.iter().map(|u| -u).collect()].concat(),
                high: [upper, vec![0.0; n]].concat(),
            })
        }
        (AnyEstimator::OneClass(_), _) => Ok(BoxProblem {
            rows: all().collect(),
            centres: vec![0.0; duel.positive.len()],
            low: vec![0.0; duel.positive.len()],
            high: all().map(weight).collect(),
        }),
        _ => Err(Error::rows(
            format!("the target does not fit `{}`", machine.name()),
            "give classes to a classifier and numbers to a regression",
        )),
    }
}

/// A start from nothing; one class has to spread its share first.
fn start(
    machine: &AnyEstimator,
    problem: &BoxProblem,
    kernel: &mut KernelRows<'_>,
    total: f64,
) -> State {
    let mut state = cold(problem, kernel.len());
    let AnyEstimator::OneClass(one) = machine else {
        return state;
    };
    let mut left = one.nu * total;
    for (t, &row) in problem.rows.iter().enumerate() {
        let part = left.min(problem.high[t]);
        if part <= 0.0 {
            break;
        }
        left -= part;
        state.beta[t] = part;
        kernel.prepare([row]);
        axpy_wide(part, kernel.row(row), &mut state.decision);
    }
    state
}
