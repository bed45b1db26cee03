//! Solves quadratic problems on one bound kernel: storage, precision, escalation.
//!
//! Cheap kernels are computed where they are used; rows of dear ones are kept within the
//! budget. Single precision comes first, unless bounds on its errors say that it is hopeless.
//! When it has converged, residuals of a spread sample of rows are recomputed in double
//! precision. If violation and error together exceed the tolerance, the solver goes on with a
//! smaller one or, where the error leaves no room, with double-precision values.

use std::ops::Range;

use mercer_linalg::{Matrix, Par, Precision};

use super::settings::SolverSettings;
use crate::data::{Records, each};
use crate::fit::{FitContext, StopReason};
use crate::gram::{Gram, KernelSource, StoredGram, StreamedGram, TileElement};
use crate::kernel::BoundKernel;
use crate::solver::smo::{
    DualProblem, Monitor, SmoOptions, Solution, list_bytes, solve, working_bytes,
};
use crate::{Error, Result};

/// Rows whose residuals are recomputed in double precision.
const CHECKED_ROWS: usize = 256;
/// Share of the tolerance at which single precision aims first, and the least it tries: the
/// rest is for errors at either end of a violation.
const FIRST_AIM: f64 = 0.8;
const LAST_AIM: f64 = 0.25;
/// Factor on the error of a sample, for rows that are not part of it.
const SAFETY: f64 = 1.25;
/// Entries that may be wrong by more than this share of the diagonal are not worth trying in
/// f32. The bound is a worst case over all rows; the check of residuals has the last word.
const HOPELESS: f64 = 1e-2;
/// Support vectors of largest weight whose residuals are recomputed as well.
const CHECKED_SUPPORT: usize = 64;
/// Entries whose error in single precision is measured.
const SAMPLED_ROWS: usize = 16;
const SAMPLED_COLUMNS: usize = 32;
/// Products per kernel value up to which computing is as fast as reading from memory.
const CHEAP: f64 = 64.0;
/// How far rounding may exceed all targets before double precision is given up, too: such a solution says
/// nothing of the rows.
const BEYOND_TARGETS: f64 = 1e3;

/// A bound kernel with the budgets under which problems are solved on it.
pub(super) struct SharedWorkspace<'a> {
    kernel: &'a dyn BoundKernel,
    offset: f64,
    context: &'a FitContext,
    memory: u64,
    par: Par,
    /// Whether kernel rows are kept.
    keep: bool,
    first_precision: Precision,
}

impl<'a> SharedWorkspace<'a> {
    pub(super) fn new(
        kernel: &'a dyn BoundKernel,
        records: &Records,
        offset: f64,
        solver: &SolverSettings,
        context: &'a FitContext,
    ) -> Self {
        let first_precision = if solver.verify || kernel.rounding_error() > HOPELESS {
            Precision::F64
        } else {
            Precision::F32
        };
        Self {
            kernel,
            offset,
            context,
            memory: context.memory_limit,
            par: context.par(),
            keep: !is_cheap(records),
            first_precision,
        }
    }

    /// Prepares for several problems of at most `largest` rows; returns how many of them run
    /// at a time, each on one thread.
    ///
    /// A few problems run one after the other, each on all threads.
    pub(super) fn divide(&mut self, problems: usize, largest: usize) -> usize {
        let threads = self.context.thread_count();
        if problems < 2 * threads {
            return 1;
        }
        let least = working_bytes(largest, size_of::<f64>())
            + list_bytes(largest, largest)
            + KernelSource::summing_bytes::<f64>(largest, Par::Sequential);
        let affordable = usize::try_from(self.memory / least).unwrap_or(usize::MAX);
        let at_once = threads.min(affordable).max(1);
        if at_once > 1 {
            self.memory /= at_once as u64;
            self.par = Par::Sequential;
        }
        at_once
    }

    /// Opens a subset of the rows, given as runs in the order the problem wants them.
    pub(super) fn workspace(&self, spans: Vec<Range<usize>>) -> Workspace<'_> {
        Workspace {
            shared: self,
            spans,
            precision: self.first_precision,
            single: None,
            double: None,
            working: 0,
            allowed: self.context.clone(),
            context: self.context.clone(),
        }
    }

    fn source(&self, spans: &[Range<usize>]) -> KernelSource<'a> {
        KernelSource::new(self.kernel, spans.to_vec(), self.offset)
    }

    fn gram<T: TileElement>(
        &self,
        spans: &[Range<usize>],
        variables: usize,
    ) -> Result<Box<dyn Gram<T> + 'a>> {
        let source = self.source(spans);
        let least = working_bytes(variables, size_of::<T>())
            + list_bytes(variables, source.len())
            + KernelSource::summing_bytes::<T>(source.len(), self.par);
        if least > self.memory {
            return Err(Error::Memory {
                what: format!(
                    "a working set, with the solver's lists of {} rows,",
                    source.len()
                ),
                needed: least,
                limit: self.memory,
            });
        }
        if self.keep {
            let stored = StoredGram::try_new(source, self.memory - least, self.par);
            if let Some(gram) = stored {
                return Ok(Box::new(gram));
            }
        }
        Ok(Box::new(StreamedGram::new(self.source(spans), self.par)))
    }
}

/// Returns whether kernel values of these rows are computed as fast as they are read from memory.
pub(in crate::learn) fn is_cheap(records: &Records) -> bool {
    products(records) <= CHEAP
}

/// Products that one kernel value takes, as far as the records tell.
fn products(records: &Records) -> f64 {
    if !records.codes.is_empty() || !records.texts.is_empty() {
        return f64::INFINITY;
    }
    let stored = each!(&records.features.points, block => block.values().len());
    stored as f64 / records.len().max(1) as f64
}

/// A subset of rows on which problems are solved one after the other, sharing kernel rows.
pub(super) struct Workspace<'a> {
    shared: &'a SharedWorkspace<'a>,
    spans: Vec<Range<usize>>,
    precision: Precision,
    single: Option<Box<dyn Gram<f32> + 'a>>,
    double: Option<Box<dyn Gram<f64> + 'a>>,
    /// Largest number of bytes that working sets and the lists of their problems took.
    working: u64,
    /// What all problems on these rows may take, and what the next one may.
    allowed: FitContext,
    context: FitContext,
}

impl Workspace<'_> {
    /// Precision of the kernel values the last solution came from.
    pub(super) fn precision(&self) -> Precision {
        self.precision
    }

    /// The circumstances of the next problem.
    pub(super) fn context(&self) -> FitContext {
        self.context.clone()
    }

    /// Gives all problems on these rows a share of the time that is left.
    pub(super) fn allow(&mut self, share: f64) {
        self.allowed = self.shared.context.share(share);
        self.context = self.allowed.clone();
    }

    /// Numbers of the kernel that were fitted to these rows.
    pub(super) fn fitted_numbers(&self) -> usize {
        self.context.fitted_numbers
    }

    /// Gives the next problem a share of the time that is left for these rows.
    pub(super) fn share(&mut self, share: f64) {
        self.context = self.allowed.share(share);
    }

    /// Uses double precision from now on.
    pub(super) fn insist_on_double(&mut self) {
        self.precision = Precision::F64;
        self.single = None;
    }

    /// Kernel values computed and the largest number of bytes held.
    pub(super) fn cost(&self) -> (u64, u64) {
        let single = self
            .single
            .as_ref()
            .map_or((0, 0), |g| (g.evaluations(), g.peak_bytes()));
        let double = self
            .double
            .as_ref()
            .map_or((0, 0), |g| (g.evaluations(), g.peak_bytes()));
        (single.0 + double.0, single.1.max(double.1) + self.working)
    }

    /// Returns the matrix in double precision, for problems of so many variables.
    pub(super) fn double(&mut self, variables: usize) -> Result<&dyn Gram<f64>> {
        if self.double.is_none() {
            self.double = Some(self.shared.gram(&self.spans, variables)?);
        }
        self.working = self.working_bytes::<f64>(variables);
        Ok(self.double.as_deref().expect("stored above"))
    }

    /// Returns the diagonal in the precision of the last solution, and the unit of its rounding.
    pub(super) fn diagonal(&mut self, variables: usize) -> Result<(&[f64], f64)> {
        match self.precision {
            Precision::F32 => {
                let unit = f64::from(f32::EPSILON);
                Ok((self.single(variables)?.diagonal(), unit))
            }
            Precision::F64 => Ok((self.double(variables)?.diagonal(), f64::EPSILON)),
        }
    }

    /// Bytes that a problem takes beside the kernel values that are kept.
    fn working_bytes<T>(&self, variables: usize) -> u64 {
        let rows = self.spans.iter().map(ExactSizeIterator::len).sum();
        working_bytes(variables, size_of::<T>()) + list_bytes(variables, rows)
    }

    fn single(&mut self, variables: usize) -> Result<&dyn Gram<f32>> {
        if self.single.is_none() {
            self.single = Some(self.shared.gram(&self.spans, variables)?);
        }
        self.working = self.working_bytes::<f32>(variables);
        Ok(self.single.as_deref().expect("stored above"))
    }

    /// Solves a problem over these rows from a feasible start.
    pub(super) fn solve(
        &mut self,
        problem: &DualProblem,
        start: Vec<f64>,
        options: &SmoOptions,
        stage: &str,
        span: Range<f64>,
    ) -> Result<Solution> {
        let context = self.context.clone();
        let monitor = Monitor {
            context: &context,
            stage: stage.to_owned(),
            span,
        };
        if self.precision == Precision::F64 {
            let fine = self.fine(problem, options)?;
            return solve(self.double(problem.len())?, problem, start, &fine, &monitor);
        }
        let (mut start, mut aim, mut taken) = (start, FIRST_AIM * options.tolerance, 0);
        loop {
            let coarse = self.coarse(aim, options, taken);
            let gram = self.single(problem.len())?;
            let mut first = solve(gram, problem, start, &coarse, &monitor)?;
            first.iterations += taken;
            taken = first.iterations;
            match first.stop_reason {
                StopReason::Converged => {
                    let error = self.single_precision_error(problem, &first)?;
                    if first.violation + 2.0 * error <= options.tolerance {
                        return Ok(first);
                    }
                    // Twice the error again, because another solution has other errors.
                    let rest = options.tolerance - 2.0 * SAFETY * error;
                    if rest < LAST_AIM * options.tolerance || rest >= aim {
                        start = first.alpha;
                        break;
                    }
                    aim = rest;
                    start = first.alpha;
                }
                StopReason::Stalled => {
                    start = first.alpha;
                    break;
                }
                _ => return Ok(first),
            }
        }
        self.insist_on_double();
        let rest = SmoOptions {
            max_iterations: options.max_iterations.saturating_sub(taken),
            ..self.fine(problem, options)?
        };
        let gram = self.double(problem.len())?;
        let mut second = solve(gram, problem, start, &rest, &monitor)?;
        second.iterations += taken;
        Ok(second)
    }

    /// Options of double precision.
    ///
    /// Where the rounding of kernel values, times the multipliers, is far beyond every target, such as under a
    /// polynomial of rows around 10⁸, pairs push that rounding about without end: the solver stops as
    /// stalled.
    fn fine(&mut self, problem: &DualProblem, options: &SmoOptions) -> Result<SmoOptions> {
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let target = largest(&problem.centres);
        // Hulls have no targets: their distance is evaluated by its own rounding.
        if target == 0.0 {
            return Ok(options.clone());
        }
        let top = largest(self.double(problem.len())?.diagonal());
        let rounding = (f64::EPSILON * top).max(f64::MIN_POSITIVE);
        Ok(SmoOptions {
            largest_norm: BEYOND_TARGETS * target.max(options.tolerance) / rounding,
            ..options.clone()
        })
    }

    /// Options under which single precision may try.
    ///
    /// Errors of entries that are independent add up like squares: beyond a norm of the
    /// multipliers they exceed the tolerance, and single precision is given up.
    fn coarse(&self, tolerance: f64, options: &SmoOptions, taken: u64) -> SmoOptions {
        SmoOptions {
            tolerance,
            largest_norm: options.tolerance / self.usual_error(),
            max_iterations: options.max_iterations.saturating_sub(taken),
            ..options.clone()
        }
    }

    /// Root mean square error of single-precision entries, from a spread sample of them.
    fn usual_error(&self) -> f64 {
        let source = self.shared.source(&self.spans);
        let spread = |count: usize| -> Vec<u32> {
            let stride = source.len().div_ceil(count).max(1);
            (0..source.len() as u32).step_by(stride).collect()
        };
        let (rows, columns) = (spread(SAMPLED_ROWS), spread(SAMPLED_COLUMNS));
        let mut single = Matrix::<f32>::zeros(rows.len(), columns.len());
        let mut double = Matrix::<f64>::zeros(rows.len(), columns.len());
        source.block(&rows, &columns, single.as_mut(), Par::Sequential);
        source.block(&rows, &columns, double.as_mut(), Par::Sequential);
        let pairs = single.as_slice().iter().zip(double.as_slice());
        let squares: f64 = pairs.map(|(a, b)| (f64::from(*a) - b).powi(2)).sum();
        (squares / single.as_slice().len().max(1) as f64).sqrt()
    }

    /// Compares residuals of a spread sample of rows, and of the heaviest support vectors, with
    /// their double-precision values; returns the largest difference.
    fn single_precision_error(&self, problem: &DualProblem, solution: &Solution) -> Result<f64> {
        let n = problem.rows;
        let beta = problem.coefficients(&solution.alpha);
        let support: Vec<u32> = (0..n as u32).filter(|&i| beta[i as usize] != 0.0).collect();
        let stride = n.div_ceil(CHECKED_ROWS).max(1);
        let mut rows: Vec<u32> = (0..n as u32).step_by(stride).collect();
        let mut heaviest = support.clone();
        heaviest.sort_by(|a, b| beta[*b as usize].abs().total_cmp(&beta[*a as usize].abs()));
        rows.extend(heaviest.into_iter().take(CHECKED_SUPPORT));
        let source = self.shared.source(&self.spans);
        let weights: Vec<f64> = support.iter().map(|&i| beta[i as usize]).collect();
        let mut exact = vec![0.0; rows.len()];
        let cancel = &self.context.cancel;
        let proceed = || !cancel.is_cancelled();
        let (columns, par) = (Some(&rows[..]), self.shared.par);
        if !source.add_rows::<f64>(&support, &weights, columns, &mut exact, par, &proceed) {
            return Err(Error::Cancelled);
        }
        let used = |r: u32| problem.centres[r as usize] - solution.residuals[r as usize];
        let differences = rows.iter().zip(&exact);
        Ok(differences
            .map(|(&r, exact)| (exact - used(r)).abs())
            .fold(0.0, f64::max))
    }
}
