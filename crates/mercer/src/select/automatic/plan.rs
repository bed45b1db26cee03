//! What is tried, by the size of the data and the budget.
//!
//! Evidence fits the hyperparameters of kernels on a sample; which of them serves is then asked of
//! held-out rows. The cost of a trial is counted in multiplications, and a second stands for
//! [`PER_SECOND`] of them: no clock is read, so that equal data get an equal result on any day
//! and any computer. Only a time limit makes the plan smaller: what could not end is not begun.

use crate::data::{Dataset, Targets};
use crate::fit::FitContext;
use crate::kernel::KernelSpec;
use crate::learn::least_squares::matrix_bytes;
use crate::learn::work::{exact_work, learning_work, per_pair};
use crate::select::grid::Axis;
use crate::select::kernels::{Candidate, structured};
use crate::{Error, Result};

/// Multiplications in a second of the budget: about what two cores do.
pub(super) const PER_SECOND: f64 = 2e10;
/// Seconds where no budget is named, and more for every row: a large table takes long anyway.
const USUAL_SECONDS: f64 = 1.0;
const SECONDS_PER_ROW: f64 = 1e-4;
/// Share of a time limit that is planned for: machines are busy, and counts are estimates.
pub(super) const KEPT_BACK: f64 = 0.5;
/// Rows up to which the squared loss can learn from all of them: n² memory, n³ time.
pub(super) const EXACT_ROWS: usize = 8000;
/// Rows on which kernels may be weighed, the most first.
const WEIGHED: [usize; 2] = [400, 300];
/// Rows on which trials may be evaluated, the most first.
const EVALUATED: [usize; 6] = [20_000, 10_000, 5000, 2000, 1000, 500];
/// Columns up to which a width per column is fitted.
const COLUMN_WIDTHS: usize = 40;
/// Columns up to which distances of absolute values are added up: no matrix product helps there.
const LAPLACE_COLUMNS: usize = 100;
/// Rows per column that a width per column needs, for numbers and for classes: a label tells
/// less than a number.
const ROWS_PER_WIDTH: [usize; 2] = [6, 10];
/// Rows up to which trials run side by side: a matrix takes 200 MB there.
const TOGETHER: usize = 5000;
/// Points of a margin search with its refinement, times folds.
const MARGIN_FITS: f64 = 23.0 * 5.0;
/// Multiplications that learning may take before a sample of the rows stands for all.
pub(super) const MOST_WORK: f64 = 15.0 * PER_SECOND;
/// Rows that a sample may have, the most first, for numbers and for classes: least squares can still
/// take part with numbers, and both keep some 8,000 support vectors, which new rows are compared with.
const LEARNT: [&[usize]; 2] = [&[EXACT_ROWS, 5000, 2000], &[20_000, 10_000, 5000, 2000]];

/// The trials of one fit.
#[derive(Debug)]
pub(super) struct Plan {
    /// Kernels to be weighed.
    pub(super) kernels: Vec<Candidate>,
    /// Rows on which they are weighed.
    pub(super) weighed_rows: usize,
    /// Rows on which trials are evaluated.
    pub(super) judged_rows: usize,
    /// Whether the squared loss can take part.
    pub(super) squared: bool,
    /// Bytes that it would need, where the memory has no room for them.
    pub(super) lacking: Option<u64>,
    /// Grid of the support vector machine on a Gaussian kernel.
    pub(super) axes: Vec<Axis>,
    /// Rounds of refinement.
    pub(super) refine: usize,
    /// Whether a time limit makes it smaller.
    pub(super) is_limited: bool,
}

impl Plan {
    /// Plans for the rows at hand, within the time and memory that were asked for.
    ///
    /// # Errors
    /// Rows without a target, a kernel that is no expression.
    pub(super) fn of(
        data: &Dataset,
        kernel: Option<&KernelSpec>,
        budget: Option<f64>,
        context: &FitContext,
    ) -> Result<Self> {
        let n = data.len();
        let usual = USUAL_SECONDS + SECONDS_PER_ROW * n as f64;
        let work = budget.unwrap_or(usual) * PER_SECOND;
        let memory = context.most_memory();
        let squared = n <= EXACT_ROWS && matrix_bytes(n) <= memory;
        let whole = Self::within(data, kernel, work, squared, memory)?;
        let Some(left) = context.time_left() else {
            return Ok(whole);
        };
        let allowed = KEPT_BACK * left.as_secs_f64() * PER_SECOND;
        let ends = exact_work(n) <= allowed;
        let plan = Self::within(data, kernel, work.min(allowed), squared && ends, memory)?;
        let size = |p: &Self| (p.kernels.len(), p.weighed_rows, p.judged_rows, p.squared);
        let is_limited = size(&plan) != size(&whole);
        Ok(Self { is_limited, ..plan })
    }

    /// Plans for so many multiplications.
    fn within(
        data: &Dataset,
        kernel: Option<&KernelSpec>,
        work: f64,
        squared: bool,
        memory: u64,
    ) -> Result<Self> {
        let n = data.len();
        let d = data.records.features.points.columns();
        let per_pair = per_pair(&data.targets);
        let fits = |m: &usize| {
            let m = (*m).min(n);
            let room = !squared || judging_bytes(m) <= memory;
            room && judging_work(m, d, per_pair, squared) <= 0.5 * work
        };
        let judged_rows = largest(&EVALUATED, fits).min(n);
        let left = work - judging_work(judged_rows, d, per_pair, squared);
        let mut texts = wanted(data, kernel, n, d);
        // Fewer rows come before fewer kernels: a sample ranks them nearly as well.
        let weighed_rows = loop {
            let fits = |m: &usize| weighing_work((*m).min(n), texts.len()) <= left;
            if let Some(m) = WEIGHED.into_iter().find(fits) {
                break m.min(n);
            }
            if texts.len() <= 1 {
                break WEIGHED[WEIGHED.len() - 1].min(n);
            }
            texts.pop();
        };
        let kernels = match kernel {
            Some(kernel) => vec![Candidate::new(&kernel.to_string(), kernel.clone())],
            None => texts
                .iter()
                .map(|text| Candidate::parse(text, &data.records))
                .collect::<Result<_>>()?,
        };
        Ok(Self {
            kernels,
            weighed_rows,
            judged_rows,
            squared,
            lacking: (n <= EXACT_ROWS && matrix_bytes(n) > memory).then(|| matrix_bytes(n)),
            axes: axes(&data.targets, d)?,
            refine: 1,
            is_limited: false,
        })
    }

    /// Returns the multiplications that are planned for the trials.
    pub(super) fn work(&self, data: &Dataset) -> f64 {
        let columns = data.records.features.points.columns();
        let pairs = per_pair(&data.targets);
        judging_work(self.judged_rows, columns, pairs, self.squared)
            + weighing_work(self.weighed_rows, self.kernels.len())
    }

    /// Returns whether trials may hold their matrices at the same time, each within half of the
    /// memory.
    pub(super) fn is_light(&self, memory: u64) -> bool {
        self.judged_rows <= TOGETHER && judging_bytes(self.judged_rows) <= memory / 2
    }
}

/// Bytes that least squares takes to be evaluated on so many rows: the kernel matrix, its factor,
/// the factor's inverse and the inverse.
pub(super) fn judging_bytes(rows: usize) -> u64 {
    4 * (rows as u64).pow(2) * size_of::<f64>() as u64
}

/// The largest step that fits, or the smallest of all.
fn largest(ladder: &[usize], fits: impl Fn(&usize) -> bool) -> usize {
    let step = ladder.iter().copied().find(fits);
    step.unwrap_or(ladder[ladder.len() - 1])
}

/// Kernels worth weighing, the most useful first.
fn wanted(data: &Dataset, kernel: Option<&KernelSpec>, n: usize, d: usize) -> Vec<String> {
    if kernel.is_some() {
        return vec!["rbf".to_owned()];
    }
    let structured = structured(&data.records);
    if structured.is_empty() {
        return for_numbers(data, n, d);
    }
    let alone = structured.iter().map(ToString::to_string);
    if d == 0 {
        return alone.collect();
    }
    // What the numbers add to the rest, and what they tell alone.
    let mut texts: Vec<String> = alone
        .clone()
        .map(|kernel| format!("rbf + {kernel}"))
        .collect();
    texts.insert(1, "rbf".to_owned());
    texts.extend(alone.take(1));
    texts
}

/// Kernels of tables of numbers.
fn for_numbers(data: &Dataset, n: usize, d: usize) -> Vec<String> {
    let mut texts = vec!["rbf"];
    let dense = !data.records.features.points.is_sparse();
    let rows_per_width = match data.targets {
        Targets::Classes(_) => ROWS_PER_WIDTH[1],
        _ => ROWS_PER_WIDTH[0],
    };
    if dense && d > 1 && d <= COLUMN_WIDTHS && n >= rows_per_width * d {
        texts.push("rbf(columns)");
    }
    texts.extend(["linear", "matern(nu=1.5)", "rbf + linear"]);
    if dense && d <= LAPLACE_COLUMNS {
        texts.push("laplace");
    }
    texts.into_iter().map(str::to_owned).collect()
}

/// Multiplications to weigh so many kernels on so many rows.
pub(super) fn weighing_work(rows: usize, kernels: usize) -> f64 {
    let cube = |m: usize| (rows.min(m) as f64).powi(3);
    let all = cube(usize::MAX);
    // Small matrices run at a third of the speed of large ones; few rows get a whole spectrum.
    let spectrum = if rows <= 300 { 10.0 } else { 0.0 };
    let each = 100.0 * cube(200) + 10.0 * cube(400) + (1.0 + spectrum) * all;
    kernels as f64 * each
}

/// Multiplications that one fit of a margin search may take: what the plan counts on, and as much
/// again for fits that are harder than most.
pub(super) fn fit_work(data: &Dataset) -> f64 {
    /// Some fits of a search take thirty times what most do, and win.
    const HARDER: f64 = 30.0;
    /// A hundredth of a second is little for any fit.
    const LEAST: f64 = 0.01 * PER_SECOND;
    let n = data.len() as f64;
    (HARDER * per_pair(&data.targets) * n * n).max(LEAST)
}

/// Rows that an automatic model learns from where nobody says how many.
pub(super) fn learnt_rows(data: &Dataset) -> usize {
    let columns = data.records.features.points.columns();
    let fits = |m: &usize| learning_work(*m, columns, per_pair(&data.targets)) <= MOST_WORK;
    if fits(&data.len()) {
        return data.len();
    }
    let steps = LEARNT[usize::from(matches!(data.targets, Targets::Classes(_)))];
    largest(steps, fits).min(data.len())
}

/// Multiplications to evaluate the trials on so many rows.
pub(super) fn judging_work(rows: usize, columns: usize, per_pair: f64, squared: bool) -> f64 {
    let n = rows as f64;
    let margin = n * n * (columns as f64 + MARGIN_FITS * per_pair);
    let least_squares = if squared { 0.5 * n.powi(3) } else { 0.0 };
    margin + least_squares
}

/// Values of C and widths of the Gaussian kernel, on standardised columns.
fn axes(targets: &Targets, d: usize) -> Result<Vec<Axis>> {
    let width = 1.0 / d.max(1) as f64;
    let gamma = format!("gamma={}..{}:5", width / 100.0, width * 6.0);
    let texts = match targets {
        Targets::Classes(_) => vec!["C=1..100:3".to_owned(), gamma],
        // High values of C take an ε-insensitive loss very long, and least squares is there.
        Targets::Real(_) => vec!["C=1,10".to_owned(), gamma],
        Targets::None | Targets::Several(_) => {
            return Err(Error::rows(
                "there is no one target to predict",
                "name a target column",
            ));
        }
    };
    texts.iter().map(|text| text.parse()).collect()
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::Records;

    fn plan(rows: usize, budget: Option<f64>) -> Plan {
        plan_within(rows, budget, u64::MAX)
    }

    fn plan_within(rows: usize, budget: Option<f64>, memory: u64) -> Plan {
        let x = Matrix::from_fn(rows, 3, |i, j| ((i * (j + 3)) % 17) as f64);
        let y = (0..rows).map(|i| (i % 5) as f64).collect();
        let data = Dataset::try_new(Records::from_points(x), Targets::Real(y)).expect("rows");
        let context = FitContext::default().memory_limit(memory);
        Plan::of(&data, None, budget, &context).expect("a plan")
    }

    #[test]
    fn small_tables_get_everything() {
        let plan = plan(300, None);
        assert_eq!(plan.kernels.len(), 6);
        assert_eq!(plan.weighed_rows, 300);
        assert_eq!(plan.judged_rows, 300);
        assert!(plan.squared);
    }

    #[test]
    fn large_tables_are_learnt_from_a_sample() {
        let rows = |n: usize, classes: bool| {
            let x = Matrix::<f64>::zeros(n, 14);
            let targets = if classes {
                let labels: Vec<&str> = (0..n).map(|i| ["a", "b"][i % 2]).collect();
                Targets::Classes(crate::data::ClassTargets::from_labels(&labels))
            } else {
                Targets::Real(vec![0.0; n])
            };
            let data = Dataset::try_new(Records::from_points(x), targets).expect("rows");
            learnt_rows(&data)
        };
        assert_eq!([rows(40_000, true), rows(20_000, false)], [40_000, 20_000]);
        assert_eq!([rows(200_000, true), rows(200_000, false)], [20_000, 8000]);
    }

    #[test]
    fn what_does_not_fit_into_memory_is_not_tried() {
        assert!(plan_within(300, None, 3 << 20).squared);
        assert!(!plan_within(300, None, 1 << 20).squared);
    }

    #[test]
    fn a_time_limit_makes_the_plan_smaller() {
        let x = Matrix::from_fn(6000, 3, |i, j| ((i * (j + 3)) % 17) as f64);
        let y = (0..6000).map(|i| (i % 5) as f64).collect();
        let data = Dataset::try_new(Records::from_points(x), Targets::Real(y)).expect("rows");
        let limited = |seconds: u64| {
            let limit = Some(std::time::Duration::from_secs(seconds));
            let context = FitContext::default().time_limit(limit);
            Plan::of(&data, None, None, &context).expect("a plan")
        };
        assert!(!limited(1).squared && limited(60).squared);
        assert!(limited(1).judged_rows < limited(60).judged_rows);
    }

    #[test]
    fn a_larger_budget_never_uses_less() {
        let plans = [0.5, 2.0, 8.0, 32.0].map(|seconds| plan(5000, Some(seconds)));
        for pair in plans.windows(2) {
            assert!(pair[0].kernels.len() <= pair[1].kernels.len());
            assert!(pair[0].judged_rows <= pair[1].judged_rows);
        }
        assert!(plans[0].weighed_rows < 5000);
    }
}
