//! Solves quadratic problems on one bound kernel: storage, precision, escalation.
//!
//! Small problems and class pairs work on a stored matrix, large ones on cached rows.
//! Single precision comes first. When it has converged, residuals of a spread sample of
//! rows are recomputed in double precision; if they differ by a noticeable part of the
//! tolerance, the solver goes on from there with double-precision rows.

use std::ops::Range;

use mercer_linalg::{Matrix, Par, Precision};

use super::settings::SolverSettings;
use crate::fit::{FitContext, StopReason};
use crate::gram::{CachedGram, DenseGram, Gram, KernelSource, TileElement};
use crate::kernel::BoundKernel;
use crate::solver::smo::{DualProblem, Monitor, SmoOptions, Solution, solve};
use crate::{Error, Result};

/// Rows up to which the whole matrix is stored: 64 MiB of f32, computed in milliseconds.
const STORE_WHOLE: usize = 4096;
/// Rows whose residuals are recomputed in double precision.
const CHECKED_ROWS: usize = 256;
/// Share of the tolerance by which single-precision residuals may be wrong.
const ALLOWED_SHARE: f64 = 0.25;
/// Entries that may be wrong by more than this share of the diagonal are not worth trying in
/// f32. The bound is a worst case over all rows; the check of residuals has the last word.
const HOPELESS: f64 = 1e-2;
/// Support vectors of largest weight whose residuals are recomputed as well.
const CHECKED_SUPPORT: usize = 64;

/// A bound kernel with the budgets under which problems are solved on it.
pub(super) struct Arena<'a> {
    kernel: &'a dyn BoundKernel,
    offset: f64,
    context: &'a FitContext,
    memory: u64,
    par: Par,
    shared: Option<DenseGram<f32>>,
    first_precision: Precision,
}

impl<'a> Arena<'a> {
    pub(super) fn new(
        kernel: &'a dyn BoundKernel,
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
            shared: None,
            first_precision,
        }
    }

    /// Prepares for problems on subsets of the rows, several at a time.
    ///
    /// The matrix is stored once for all when it fits beside the copies that the pairs
    /// under way hold; otherwise each of them gets its part of the budget.
    pub(super) fn share(&mut self, largest_subset: usize, at_once: usize) -> Result<()> {
        let n = self.kernel.len();
        let copies = DenseGram::<f32>::bytes(largest_subset) * at_once as u64;
        let whole = DenseGram::<f32>::bytes(n);
        if self.first_precision == Precision::F32 && whole + copies <= self.memory {
            let source = KernelSource::whole(self.kernel, self.offset);
            self.shared = Some(DenseGram::try_new(&source, self.par, &self.context.cancel)?);
            self.memory -= whole;
        }
        self.memory /= at_once.max(1) as u64;
        if at_once > 1 {
            self.par = Par::Sequential;
        }
        Ok(())
    }

    /// Kernel values computed for, and bytes held by, the shared matrix.
    pub(super) fn shared_cost(&self) -> (u64, u64) {
        self.shared
            .as_ref()
            .map_or((0, 0), |g| (g.evaluations(), g.peak_bytes()))
    }

    /// Opens a subset of the rows, given as runs in the order the problem wants them.
    pub(super) fn bench(&self, spans: Vec<Range<usize>>) -> Bench<'_> {
        Bench {
            arena: self,
            spans,
            precision: self.first_precision,
            single: None,
            double: None,
        }
    }

    fn source(&self, spans: &[Range<usize>]) -> KernelSource<'a> {
        KernelSource::new(self.kernel, spans.to_vec(), self.offset)
    }

    fn gram<T: TileElement>(&self, spans: &[Range<usize>]) -> Result<Box<dyn Gram<T> + 'a>> {
        let source = self.source(spans);
        let n = source.len();
        if n <= STORE_WHOLE && DenseGram::<T>::bytes(n) <= self.memory {
            let gram = DenseGram::try_new(&source, self.par, &self.context.cancel)?;
            return Ok(Box::new(gram));
        }
        let cancel = self.context.cancel.clone();
        Ok(Box::new(CachedGram::try_new(
            source,
            self.memory,
            self.par,
            cancel,
        )?))
    }
}

/// A subset of rows on which problems are solved one after the other, sharing kernel rows.
pub(super) struct Bench<'a> {
    arena: &'a Arena<'a>,
    spans: Vec<Range<usize>>,
    precision: Precision,
    single: Option<Box<dyn Gram<f32> + 'a>>,
    double: Option<Box<dyn Gram<f64> + 'a>>,
}

impl<'a> Bench<'a> {
    /// Precision of the kernel values the last answer came from.
    pub(super) fn precision(&self) -> Precision {
        self.precision
    }

    /// The circumstances of the fit.
    pub(super) fn context(&self) -> &'a FitContext {
        self.arena.context
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
        (single.0 + double.0, single.1.max(double.1))
    }

    /// Returns the matrix in double precision.
    pub(super) fn double(&mut self) -> Result<&dyn Gram<f64>> {
        if self.double.is_none() {
            self.double = Some(self.arena.gram(&self.spans)?);
        }
        Ok(self.double.as_deref().expect("stored above"))
    }

    fn single(&mut self) -> Result<&dyn Gram<f32>> {
        if self.single.is_none() {
            let gram: Box<dyn Gram<f32> + 'a> = match &self.arena.shared {
                Some(shared) => Box::new(shared.subset(&self.spans, self.arena.par)),
                None => self.arena.gram(&self.spans)?,
            };
            self.single = Some(gram);
        }
        Ok(self.single.as_deref().expect("stored above"))
    }

    /// Solves a problem over these rows from a feasible start.
    pub(super) fn solve(
        &mut self,
        problem: &DualProblem,
        start: Vec<f64>,
        options: &SmoOptions,
        stage: &str,
        share: Option<f64>,
    ) -> Result<Solution> {
        let monitor = Monitor {
            context: self.arena.context,
            stage: stage.to_owned(),
            share,
        };
        if self.precision == Precision::F64 {
            return solve(self.double()?, problem, start, options, &monitor);
        }
        let first = solve(self.single()?, problem, start, options, &monitor)?;
        let settled = matches!(
            first.stop_reason,
            StopReason::Converged | StopReason::Stalled
        );
        if !settled || self.single_precision_suffices(problem, &first, options)? {
            return Ok(first);
        }
        self.insist_on_double();
        let mut rest = options.clone();
        rest.max_iterations = options.max_iterations.saturating_sub(first.iterations);
        let mut second = solve(self.double()?, problem, first.alpha, &rest, &monitor)?;
        second.iterations += first.iterations;
        Ok(second)
    }

    /// Compares residuals of a spread sample of rows, and of the heaviest support vectors, with
    /// their double-precision values.
    fn single_precision_suffices(
        &self,
        problem: &DualProblem,
        solution: &Solution,
        options: &SmoOptions,
    ) -> Result<bool> {
        if solution.stop_reason == StopReason::Stalled {
            return Ok(false);
        }
        let n = problem.rows;
        let beta = problem.coefficients(&solution.alpha);
        let support: Vec<u32> = (0..n as u32).filter(|&i| beta[i as usize] != 0.0).collect();
        let stride = n.div_ceil(CHECKED_ROWS).max(1);
        let mut rows: Vec<u32> = (0..n as u32).step_by(stride).collect();
        let mut heaviest = support.clone();
        heaviest.sort_by(|a, b| beta[*b as usize].abs().total_cmp(&beta[*a as usize].abs()));
        rows.extend(heaviest.into_iter().take(CHECKED_SUPPORT));
        let source = self.arena.source(&self.spans);
        let mut tile = Matrix::<f64>::zeros(rows.len(), support.len().max(1));
        source.scattered(&rows, &support, &mut tile, self.arena.par);
        if self.arena.context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let worst = rows
            .iter()
            .enumerate()
            .map(|(k, &r)| {
                let exact: f64 = support
                    .iter()
                    .zip(tile.row(k))
                    .map(|(&i, value)| beta[i as usize] * value)
                    .sum();
                let used = problem.centres[r as usize] - solution.residuals[r as usize];
                (exact - used).abs()
            })
            .fold(0.0, f64::max);
        Ok(worst <= ALLOWED_SHARE * options.tolerance)
    }
}
