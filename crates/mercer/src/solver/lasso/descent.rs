//! Working sets: which columns descent looks at, and when it is done.

use mercer_linalg::{Real, dot};

use super::certificate::{Certificate, Penalty, Sums, urge};
use super::columns::{Columns, Residual};
use super::products::Products;
use super::residuals::Residuals;
use super::table::Table;
use crate::fit::{FitContext, StopReason};

/// Columns that a working set grows by at least, where there are as many candidates.
const LEAST_GROWTH: usize = 100;
/// Descent on products pays for working sets up to so many times the rows: a step on residuals reads
/// a column twice.
const PRODUCTS_PER_ROW: usize = 2;
/// Share of the wanted gap that a working set is solved to: what columns outside add to it has to fit
/// into the rest.
const INNER: f64 = 0.4;
/// Least gap of a working set, as a share of ‖y‖², that products in single precision lead to: a sum of
/// thousands of them is wrong by some 1e-7.
const SINGLE: f64 = 1e-6;
/// Share of the largest penalty below which only exact products keep the curvature of dependent columns from being negative.
const LEAST_PENALTY: f64 = 1e-5;
/// Squared lengths of columns whose products single precision holds.
const LENGTHS: std::ops::Range<f64> = 1e-25..1e30;

/// X, y and the sign of the weights.
pub(crate) struct Problem<'a> {
    /// X.
    pub(crate) columns: &'a Columns,
    /// ‖x_j‖² of every column; all above zero.
    pub(crate) squares: &'a [f64],
    /// y.
    pub(crate) targets: &'a [f64],
    /// Whether weights may not be below zero.
    pub(crate) positive: bool,
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Largest gap, as a share of ‖y‖².
    pub(crate) tolerance: f64,
    /// Most passes over the working sets of one penalty.
    pub(crate) passes: u64,
    /// Whether columns are screened out; the solution is the same.
    pub(crate) screening: bool,
}

/// How a solver ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    /// Values that enclose the optimum.
    pub(crate) certificate: Certificate,
    /// Passes or Newton steps.
    pub(crate) iterations: u64,
    /// Why it stopped.
    pub(crate) stop_reason: StopReason,
}

/// Products in single precision as long as they are enough.
enum Tables {
    Single(Table<f32>),
    Double(Table<f64>),
}

impl Tables {
    fn new(problem: &Problem<'_>, limits: Limits) -> Self {
        let width = problem.columns.len();
        let held = problem
            .squares
            .iter()
            .all(|square| LENGTHS.contains(square));
        let dense = matches!(problem.columns, Columns::Dense(_));
        if dense && held && INNER * limits.tolerance >= SINGLE {
            Self::Single(Table::new(width))
        } else {
            Self::Double(Table::new(width))
        }
    }

    fn has(&self, column: usize) -> bool {
        match self {
            Self::Single(table) => table.has(column),
            Self::Double(table) => table.has(column),
        }
    }
}

/// Coordinate descent on working sets, from penalty to penalty.
pub(crate) struct Descent<'a> {
    problem: &'a Problem<'a>,
    context: &'a FitContext,
    limits: Limits,
    /// The weights so far: the solution of the last penalty.
    pub(crate) weights: Vec<f64>,
    residual: Residual,
    /// ⟨x_j, r⟩; of screened columns those of an earlier r.
    slopes: Vec<f64>,
    /// ⟨x_j, y⟩.
    levels: Vec<f64>,
    /// ‖y‖².
    target: f64,
    table: Tables,
    /// Whether single precision was not enough for a system.
    blurred: bool,
    /// κ of the last solution.
    previous: Option<f64>,
    screened: Vec<bool>,
}

impl<'a> Descent<'a> {
    /// Prepares descent from zero.
    pub(crate) fn new(problem: &'a Problem<'a>, limits: Limits, context: &'a FitContext) -> Self {
        let width = problem.columns.len();
        let all: Vec<u32> = (0..width as u32).collect();
        let levels = problem.columns.slopes(&all, problem.targets, context);
        Self {
            problem,
            context,
            limits,
            weights: vec![0.0; width],
            residual: Residual {
                values: problem.targets.to_vec(),
                sum: 0.0,
            },
            slopes: levels.clone(),
            levels,
            target: dot(problem.targets, problem.targets),
            table: Tables::new(problem, limits),
            blurred: false,
            previous: None,
            screened: vec![false; width],
        }
    }

    /// Starts from weights that are known to be near.
    pub(crate) fn start(&mut self, weights: Vec<f64>) {
        self.weights = weights;
        if self.problem.positive {
            for weight in &mut self.weights {
                *weight = weight.max(0.0);
            }
        }
        self.screened.fill(false);
        self.refresh();
    }

    /// The least κ at which all weights are zero.
    pub(crate) fn largest(&self) -> f64 {
        let urges = self.levels.iter().map(|c| urge(*c, self.problem.positive));
        urges.fold(0.0, f64::max)
    }

    /// Minimises P for a penalty, from the weights of the last one.
    pub(crate) fn solve(&mut self, penalty: Penalty) -> Outcome {
        self.unscreen();
        let tolerance = self.limits.tolerance * self.target;
        let mut best = f64::NEG_INFINITY;
        let mut iterations = 0;
        let mut inner = INNER * tolerance;
        let mut working: Vec<u32> = self.support();
        // On a path, slopes change by little more than κ does (Tibshirani et al., Strong rules for
        // discarding predictors in lasso-type problems, 2012).
        let mut threshold = match self.previous.replace(penalty.absolute) {
            Some(previous) if previous > penalty.absolute => 2.0 * penalty.absolute - previous,
            _ => 0.0,
        };
        let mut before = f64::INFINITY;
        loop {
            let certificate = self.certificate(penalty);
            best = best.max(certificate.dual);
            // Where columns depend on each other, rounded products may lead up.
            self.blurred |= certificate.primal > before * (1.0 + 1e-9);
            before = certificate.primal;
            let done = |stop_reason| Outcome {
                certificate: Certificate {
                    dual: best,
                    ..certificate
                },
                iterations,
                stop_reason,
            };
            // The gap of the weights' own residuals over all columns, which anybody can compute from
            // them: columns that were screened out are right to have no weight, and their slopes may
            // still be too large for the dual point of these weights.
            if certificate.gap() <= tolerance {
                if !self.unscreen() {
                    return done(StopReason::Converged);
                }
                continue;
            }
            if !self.context.goes_on() {
                return done(StopReason::TimeLimit);
            }
            if iterations >= self.limits.passes {
                return done(StopReason::IterationLimit);
            }
            if self.limits.screening {
                self.screen(penalty, &certificate);
            }
            let more = self.candidates(penalty, threshold, &working);
            if more.is_empty() && iterations > 0 {
                if inner < f64::EPSILON * f64::EPSILON * self.target {
                    return done(StopReason::Stalled);
                }
                inner *= 0.1;
            }
            threshold = penalty.absolute;
            working.extend(more);
            let small =
                inner < SINGLE * self.target || penalty.absolute < LEAST_PENALTY * self.largest();
            if self.blurred || small {
                self.widen(&mut working);
            }
            let left = self.limits.passes - iterations;
            iterations += self.descend(&working, penalty, inner, left);
            self.refresh();
        }
    }

    /// Columns whose weight is not zero.
    fn support(&self) -> Vec<u32> {
        let all = 0..self.weights.len() as u32;
        all.filter(|&j| self.weights[j as usize] != 0.0).collect()
    }

    /// Brings the slopes of screened columns up to date; returns whether there were any.
    fn unscreen(&mut self) -> bool {
        let stale: Vec<u32> = (0..self.screened.len() as u32)
            .filter(|&j| self.screened[j as usize])
            .collect();
        if !stale.is_empty() {
            self.screened.fill(false);
            self.find_slopes(&stale);
        }
        !stale.is_empty()
    }

    /// Makes residuals and slopes anew.
    fn refresh(&mut self) {
        let columns = self.problem.columns;
        self.residual = columns.residual(self.problem.targets, &self.weights, self.context);
        self.residual.values = columns.centred(&self.residual);
        self.residual.sum = 0.0;
        let open: Vec<u32> = (0..self.screened.len() as u32)
            .filter(|&j| !self.screened[j as usize])
            .collect();
        self.find_slopes(&open);
    }

    fn find_slopes(&mut self, list: &[u32]) {
        let columns = self.problem.columns;
        let found = columns.slopes(list, &self.residual.values, self.context);
        for (&j, slope) in list.iter().zip(found) {
            self.slopes[j as usize] = slope;
        }
    }

    /// P and D over all columns that are not screened out.
    fn certificate(&self, penalty: Penalty) -> Certificate {
        let residual = &self.residual.values;
        let mut sums = Sums::of_rows(residual, self.problem.targets);
        for (j, &w) in self.weights.iter().enumerate() {
            if !self.screened[j] {
                sums.add(w, self.slopes[j], penalty, self.problem.positive);
            }
        }
        sums.certificate(penalty)
    }

    /// Screens out columns that have no weight at the optimum; those of the table stay, since descent
    /// on products needs their slopes.
    fn screen(&mut self, penalty: Penalty, certificate: &Certificate) {
        let radius = (2.0 * (certificate.primal - certificate.scaled).max(0.0)).sqrt();
        // Rounding of the sums must not screen a column.
        let bound = penalty.absolute * (1.0 - 1e-10);
        for (j, screened) in self.screened.iter_mut().enumerate() {
            if self.weights[j] == 0.0 && !*screened && !self.table.has(j) {
                let urge = urge(self.slopes[j], self.problem.positive);
                let length = (self.problem.squares[j] + penalty.square).sqrt();
                *screened = certificate.scale * urge + radius * length < bound;
            }
        }
    }

    /// Columns to add to a working set, the most urgent first: those whose dual constraint is
    /// nearest, relative to their length.
    fn candidates(&self, penalty: Penalty, threshold: f64, working: &[u32]) -> Vec<u32> {
        let mut is_in = vec![false; self.weights.len()];
        for &j in working {
            is_in[j as usize] = true;
        }
        let mut found: Vec<(f64, u32)> = Vec::new();
        for (j, &is_in) in is_in.iter().enumerate() {
            let urge = urge(self.slopes[j], self.problem.positive);
            if !is_in && !self.screened[j] && urge > threshold {
                let distance = (penalty.absolute - urge) / self.problem.squares[j].sqrt();
                found.push((distance, j as u32));
            }
        }
        let most = LEAST_GROWTH.max(working.len());
        if found.len() > most {
            found.select_nth_unstable_by(most, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            found.truncate(most);
        }
        let mut more: Vec<u32> = found.into_iter().map(|(_, j)| j).collect();
        more.sort_unstable();
        more
    }

    /// Solves for the weights of a working set; returns the passes made.
    fn descend(&mut self, working: &[u32], penalty: Penalty, tolerance: f64, passes: u64) -> u64 {
        let rows = self.problem.columns.rows();
        let is_dense = matches!(self.problem.columns, Columns::Dense(_));
        if is_dense && working.len() <= PRODUCTS_PER_ROW * rows {
            return self.descend_on_products(working, penalty, tolerance, passes);
        }
        let mut descent = Residuals {
            problem: self.problem,
            working,
            weights: working.iter().map(|&j| self.weights[j as usize]).collect(),
            residual: self.residual.clone(),
        };
        let made = descent.run(penalty, tolerance, passes, self.context);
        for (&j, w) in working.iter().zip(descent.weights) {
            self.weights[j as usize] = w;
        }
        made
    }

    /// Leaves products in single precision behind.
    fn widen(&mut self, working: &mut Vec<u32>) {
        if matches!(self.table, Tables::Single(_)) {
            self.table = Tables::Double(Table::new(self.weights.len()));
            // Descent moves all columns of a table, those of earlier working sets too.
            working.extend(self.support());
            working.sort_unstable();
            working.dedup();
        }
    }

    fn descend_on_products(
        &mut self,
        working: &[u32],
        penalty: Penalty,
        tolerance: f64,
        passes: u64,
    ) -> u64 {
        // The table is taken out for the time that it is changed.
        match std::mem::replace(&mut self.table, Tables::Double(Table::new(0))) {
            Tables::Single(mut table) => {
                let (made, failed) =
                    self.descend_on(&mut table, working, penalty, tolerance, passes);
                self.blurred = failed;
                self.table = Tables::Single(table);
                made
            }
            Tables::Double(mut table) => {
                let (made, _) = self.descend_on(&mut table, working, penalty, tolerance, passes);
                self.table = Tables::Double(table);
                made
            }
        }
    }

    /// Returns the passes made, and whether a system had no solution.
    fn descend_on<T: Real>(
        &mut self,
        table: &mut Table<T>,
        working: &[u32],
        penalty: Penalty,
        tolerance: f64,
        passes: u64,
    ) -> (u64, bool) {
        let rows = self.problem.columns.rows();
        let absent = |table: &Table<T>| -> Vec<u32> {
            let absent = working.iter().filter(|&&j| !table.has(j as usize));
            absent.copied().collect()
        };
        let mut more = absent(table);
        if table.len() + more.len() > PRODUCTS_PER_ROW * rows {
            let mut is_working = vec![false; self.weights.len()];
            for &j in working {
                is_working[j as usize] = true;
            }
            let kept: Vec<usize> = (0..table.len())
                .filter(|&place| is_working[table.columns[place] as usize])
                .collect();
            table.keep(&kept, rows);
            more = absent(table);
        }
        if !more.is_empty() {
            table.add(self.problem.columns, &more, self.context.par());
        }
        let pick = |values: &[f64]| -> Vec<f64> {
            let places = table.columns.iter();
            places.map(|&j| values[j as usize]).collect()
        };
        let mut descent = Products {
            table,
            positive: self.problem.positive,
            targets: self.target,
            levels: pick(&self.levels),
            weights: pick(&self.weights),
            slopes: pick(&self.slopes),
            failed: false,
        };
        let made = descent.run(penalty, tolerance, passes, self.context);
        let failed = descent.failed;
        for (&j, w) in table.columns.iter().zip(descent.weights) {
            self.weights[j as usize] = w;
        }
        (made, failed)
    }
}
