//! What to search, and how.

use super::{Axis, Tuned, search};
use crate::Result;
use crate::data::Dataset;
use crate::fit::FitContext;
use crate::judge::Metric;
use crate::learn::AnyEstimator;

/// How rows are dealt to folds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldRule {
    /// This many, stratified.
    Count(usize),
    /// Every row is a fold of its own.
    LeaveOneOut,
}

/// How points are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Engine {
    /// On a shared matrix where rows and memory allow it.
    #[default]
    Auto,
    /// Each point by fits of its own.
    Direct,
}

/// A search over settings by cross-validation.
///
/// Every point of the grid is scored on the same folds; the best mean wins, and ties go to the
/// smaller C, then to the smoother kernel. Parameters of the kernel that are neither on the grid
/// nor given are chosen from all rows once. Probabilities are left out of the search; the refit
/// has them if the estimator asks for them.
///
/// An axis is named after a setting of the estimator (`C`, `epsilon`, `nu`), a parameter of the
/// kernel expression (`gamma`; `poly.degree` where several families have one; `rbf2.gamma` for
/// the second `rbf` of the text), or the factor of a term of a sum (`weight1`, `weight2`, …).
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::AnyEstimator;
/// use mercer::learn::margin::Svc;
/// use mercer::select::grid::Tuning;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_fn(40, 1, |i, _| i as f64 / 10.0);
/// let inside: Vec<&str> = (0..40).map(|i| if (10..30).contains(&i) { "in" } else { "out" }).collect();
/// let y = Targets::Classes(ClassTargets::from_labels(&inside));
/// let data = Dataset::try_new(Records::from_points(x), y)?;
/// let tuning = Tuning::default().axis("C=1..100:3".parse()?).axis("gamma=0.1..10:3".parse()?);
/// let tuned = tuning.run(&AnyEstimator::Svc(Svc::default()), &data, &FitContext::default())?;
/// assert!(tuned.best_point().mean > 0.9);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    /// The axes; none means a grid for what the estimator leaves open.
    pub axes: Vec<Axis>,
    /// How rows are dealt to folds.
    pub folds: FoldRule,
    /// What decides; `None` means accuracy, R² or acceptance, by task.
    pub metric: Option<Metric>,
    /// Rounds of a finer grid around the best point.
    pub refine: usize,
    /// Whether points that cannot win any more are dropped; see the module `race` for the rule.
    pub race: bool,
    /// How points are scored.
    pub engine: Engine,
    /// A group per row; rows of one group stay in one fold.
    pub groups: Option<Vec<u32>>,
    /// Rows are in the order of time, and folds learn from earlier ones only: so many rows before
    /// the test rows are left out.
    pub chain: Option<usize>,
    /// Multiplications that the fit of a point on a fold may take, beside its kernel values; a
    /// point that takes more is cut. `None` sets no bound.
    pub work_limit: Option<f64>,
    /// A projection whose coordinates are learnt from, fitted to the training part of every fold.
    pub project: Option<AnyEstimator>,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            axes: Vec::new(),
            folds: FoldRule::Count(5),
            metric: None,
            refine: 0,
            race: true,
            engine: Engine::default(),
            groups: None,
            chain: None,
            work_limit: None,
            project: None,
        }
    }
}

impl Tuning {
    /// Adds an axis.
    pub fn axis(mut self, axis: Axis) -> Self {
        self.axes.push(axis);
        self
    }

    /// Sets how rows are dealt to folds.
    pub fn folds(mut self, folds: FoldRule) -> Self {
        self.folds = folds;
        self
    }

    /// Sets what decides.
    pub fn metric(mut self, metric: Metric) -> Self {
        self.metric = Some(metric);
        self
    }

    /// Sets the rounds of refinement.
    pub fn refine(mut self, rounds: usize) -> Self {
        self.refine = rounds;
        self
    }

    /// Sets whether hopeless points are dropped.
    pub fn race(mut self, race: bool) -> Self {
        self.race = race;
        self
    }

    /// Sets how points are scored.
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Sets a group per row.
    pub fn groups(mut self, groups: Option<Vec<u32>>) -> Self {
        self.groups = groups;
        self
    }

    /// Sets that rows are in the order of time, with so many between training and test rows.
    pub fn chain(mut self, gap: Option<usize>) -> Self {
        self.chain = gap;
        self
    }

    /// Sets how many multiplications the fit of a point on a fold may take.
    pub fn work_limit(mut self, multiplications: Option<f64>) -> Self {
        self.work_limit = multiplications;
        self
    }

    /// Searches.
    ///
    /// The context's time limit ends the search cleanly: points not scored by then say so, and a
    /// note tells. Threads and memory never change the result.
    ///
    /// # Errors
    /// Axes the estimator does not have, metrics the targets do not have, rows that cannot be
    /// learnt from, cancellation, and a time limit that ends before any point has a score.
    pub fn run(
        &self,
        estimator: &AnyEstimator,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Tuned> {
        let context = context.restarted();
        context.install(|| search::run(self, estimator, data, &context))?
    }
}
