//! From rows to the solver and back.

use mercer_linalg::Matrix;

use super::super::care::there_are;
use super::super::design::{Design, Scaling};
use super::super::input::Input;
use super::super::{LinearSolution, Ridge};
use super::choose::cross_validated;
use super::{LassoSolver, Shrinkage};
use crate::data::{Records, brief_number};
use crate::fit::{FitContext, Note, StopReason};
use crate::learn::Settings;
use crate::learn::least_squares::times_power;
use crate::learn::margin::Bias;
use crate::solver::lasso::{
    Columns, Descent, Limits, Outcome, Penalty, Problem, SparseColumns, newton,
};
use crate::{Error, Result};

/// Columns that are filled in together.
const BAND: usize = 64;

/// Linear functions with exact zeros, one per output, with what is known of the solution.
#[derive(Debug, Clone, PartialEq)]
pub struct LassoSolution {
    /// One row per output, one weight per feature.
    pub weights: Matrix<f64>,
    /// The constant of every output; 0 where there is none.
    pub biases: Vec<f64>,
    /// λ.
    pub lambda: f64,
    /// Sum of the row weights n: scikit-learn's `alpha` is λ/(2n).
    pub copies: f64,
    /// The least λ at which all weights are zero; infinite without absolute values in the penalty.
    pub largest_lambda: f64,
    /// Σ w_i (y_i − f(x_i))² + λ(ρ‖w‖₁ + ½(1 − ρ)‖w‖²) of every output.
    pub objective: Vec<f64>,
    /// How far each objective can be from its optimum.
    pub gaps: Vec<f64>,
    /// Passes over working sets, or Newton's steps, of every output.
    pub iterations: Vec<u64>,
    /// The most serious reason for stopping.
    pub stop_reason: StopReason,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
}

impl LassoSolution {
    /// Weights that are not zero, over all outputs.
    pub fn nonzero(&self) -> usize {
        let weights = self.weights.as_slice();
        weights.iter().filter(|w| **w != 0.0).count()
    }
}

/// The settings of either method.
pub(super) struct Job<'a> {
    /// The settings, to be checked.
    pub(super) settings: &'a (dyn Settings + Sync),
    /// The name of the method.
    pub(super) name: &'static str,
    pub(super) shrinkage: Shrinkage,
    /// ρ.
    pub(super) share: f64,
    pub(super) bias: Bias,
    pub(super) positive: bool,
    pub(super) tolerance: f64,
    pub(super) passes: u64,
    pub(super) solver: LassoSolver,
}

/// Rows in the units of the solver.
pub(super) struct Prepared {
    pub(super) input: Input,
    design: Design,
    columns: Columns,
    squares: Vec<f64>,
}

impl Job<'_> {
    /// Collects what is wrong with the settings.
    pub(super) fn check(&self) -> Result<()> {
        let mut errors = Vec::new();
        self.settings.check(&mut errors);
        if self.share > 1.0 {
            errors.push(Error::setting("l1_ratio", self.share, "from 0 to 1"));
        }
        if self.bias.is_regularised() {
            errors.push(Error::setting("bias", "regularised", "one of free, none"));
        }
        Error::collect(errors)
    }

    /// Solves for every output, from given weights where there are some.
    pub(super) fn solve(
        &self,
        records: &Records,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<LassoSolution> {
        self.check()?;
        let input = Input::try_new(records, targets, weights)?;
        context.install(|| {
            let mut notes = Vec::new();
            let copies = input.copies();
            let lambda = if let Some(lambda) = self.shrinkage.lambda_of(copies) {
                lambda
            } else {
                let found = cross_validated(self, records, targets, weights, context)?;
                let lambda = 2.0 * copies * found.alpha;
                notes.extend(found.notes(lambda));
                lambda
            };
            let free = usize::from(self.bias.is_free());
            let parameters = input.points.columns() + free;
            if input.rows() < parameters {
                notes.push(Note::Alert(format!(
                    "{} for {parameters} parameters: which columns have a weight may \
                     change with few rows",
                    there_are(input.rows())
                )));
            }
            let mut solution = if lambda == 0.0 || (self.share == 0.0 && !self.positive) {
                self.without_zeros(records, targets, weights, lambda, context)?
            } else {
                self.solve_input(input, lambda, start, context)?
            };
            notes.append(&mut solution.notes);
            solution.notes = notes;
            Ok(solution)
        })?
    }

    /// Without absolute values in the penalty the solution has a closed form.
    fn without_zeros(
        &self,
        records: &Records,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
        lambda: f64,
        context: &FitContext,
    ) -> Result<LassoSolution> {
        if self.positive {
            return Err(Error::Conflict {
                what: "weights without a sign need a penalty, and λ is 0".to_owned(),
                cure: "give a positive λ, or allow negative weights".into(),
            });
        }
        let ridge = Ridge::default()
            .lambda(0.5 * lambda * (1.0 - self.share))
            .bias(self.bias);
        let copies = weights.map_or(records.len() as f64, |weights| weights.iter().sum());
        let LinearSolution {
            weights,
            biases,
            objective,
            notes,
            ..
        } = ridge.solve(records, targets, weights, context)?;
        let outputs = biases.len();
        let mut all = vec![Note::Choice(
            "the penalty has no absolute values: solved in closed form, and no weight is exactly zero"
                .to_owned(),
        )];
        all.extend(notes);
        Ok(LassoSolution {
            weights,
            biases,
            lambda,
            copies,
            largest_lambda: f64::INFINITY,
            objective,
            gaps: vec![0.0; outputs],
            iterations: vec![1; outputs],
            stop_reason: StopReason::Converged,
            notes: all,
        })
    }

    fn solve_input(
        &self,
        input: Input,
        lambda: f64,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<LassoSolution> {
        let outputs = input.targets.rows();
        let features = input.points.columns();
        let prepared = Prepared::try_new(input, self.bias, context)?;
        let mut solution = LassoSolution {
            weights: Matrix::zeros(outputs, features),
            biases: vec![0.0; outputs],
            lambda,
            copies: prepared.input.copies(),
            largest_lambda: 0.0,
            objective: Vec::new(),
            gaps: Vec::new(),
            iterations: Vec::new(),
            stop_reason: StopReason::Converged,
            notes: Vec::new(),
        };
        for output in 0..outputs {
            let problem = prepared.problem(output, self.positive);
            let mut descent = Descent::new(&problem, self.limits(), context);
            let largest = prepared.lambda(descent.largest(), output) / self.share;
            solution.largest_lambda = solution.largest_lambda.max(largest);
            let penalty = prepared.penalty(lambda, self.share, output);
            if let Some(start) = start {
                descent.start(prepared.start(start.row(output), output));
            }
            let (weights, outcome) = self.one(&problem, descent, penalty, context)?;
            let (row, bias) = prepared.in_data_units(&weights, output)?;
            solution.weights.row_mut(output).copy_from_slice(&row);
            solution.biases[output] = bias;
            let unit = prepared.cost_exponent(output);
            let certificate = outcome.certificate;
            let doubled = |value: f64| times_power(2.0 * value, unit);
            solution.objective.push(doubled(certificate.primal));
            solution.gaps.push(doubled(certificate.gap()));
            solution.iterations.push(outcome.iterations.max(1));
            solution.stop_reason = solution.stop_reason.worse(outcome.stop_reason);
        }
        solution.tell();
        Ok(solution)
    }

    /// Solves one output.
    fn one(
        &self,
        problem: &Problem<'_>,
        mut descent: Descent<'_>,
        penalty: Penalty,
        context: &FitContext,
    ) -> Result<(Vec<f64>, Outcome)> {
        let (weights, outcome) = match self.solver {
            LassoSolver::Descent => {
                let outcome = descent.solve(penalty);
                (descent.weights, outcome)
            }
            LassoSolver::Newton => {
                newton(problem, penalty, self.limits(), descent.weights, context)
            }
        };
        checked(context)?;
        Ok((weights, outcome))
    }

    pub(super) fn limits(&self) -> Limits {
        Limits {
            tolerance: self.tolerance,
            passes: self.passes,
            screening: true,
        }
    }
}

impl LassoSolution {
    /// Says what the numbers mean.
    fn tell(&mut self) {
        let all = self.weights.as_slice().len();
        let nonzero = self.nonzero();
        self.notes.push(Note::Choice(format!(
            "{nonzero} of {all} weights are not zero at λ = {} (alpha = {}); all are zero from \
             λ = {} on",
            brief_number(self.lambda),
            brief_number(self.lambda / (2.0 * self.copies)),
            brief_number(self.largest_lambda)
        )));
        if nonzero == 0 && self.largest_lambda > 0.0 {
            self.notes.push(Note::Alert(format!(
                "all weights are zero, and the prediction is the same for all rows: λ is not below \
                 {}",
                brief_number(self.largest_lambda)
            )));
        }
        if self.stop_reason != StopReason::Converged {
            let gap: f64 = self.gaps.iter().sum();
            let share = gap / self.objective.iter().sum::<f64>();
            self.notes.push(Note::Alert(format!(
                "the solver stopped early ({}): the objective is up to {:.2} % above its least value; \
                 allow more iterations, or a larger tolerance",
                self.stop_reason,
                100.0 * share
            )));
        }
    }
}

/// Cancellation is an error; a time limit leaves weights that can be used.
pub(super) fn checked(context: &FitContext) -> Result<()> {
    match context.check() {
        Err(Error::OutOfTime) | Ok(()) => Ok(()),
        Err(other) => Err(other),
    }
}

impl Prepared {
    /// Centres and weighs the rows, and sorts them by column.
    ///
    /// # Errors
    /// [`Error::Memory`] where dense columns do not fit; cancellation and the time limit.
    pub(super) fn try_new(input: Input, bias: Bias, context: &FitContext) -> Result<Self> {
        let design = Design::try_new(&input, bias, Scaling::Common, context)?;
        let columns = match design.sparse() {
            Some(_) => Columns::Sparse(sparse_columns(&design)),
            None => Columns::Dense(dense_columns(&design, context)?),
        };
        let squares = design.norms().iter().map(|norm| norm * norm).collect();
        Ok(Self {
            input,
            design,
            columns,
            squares,
        })
    }

    /// The problem of an output.
    pub(super) fn problem(&self, output: usize, positive: bool) -> Problem<'_> {
        Problem {
            columns: &self.columns,
            squares: &self.squares,
            targets: self.design.targets.row(output),
            positive,
        }
    }

    /// The penalty of a λ in the units of the solver, whose loss has half the squares.
    pub(super) fn penalty(&self, lambda: f64, share: f64, output: usize) -> Penalty {
        let unit = self.design.unit();
        let half = 0.5 * self.input.penalty(lambda);
        let exponent = self.input.target_exponents[output];
        Penalty {
            absolute: times_power(half * share * unit, -exponent),
            square: half * (1.0 - share) * unit * unit,
        }
    }

    /// λρ of a penalty on absolute values.
    pub(super) fn lambda(&self, absolute: f64, output: usize) -> f64 {
        let exponent = self.input.target_exponents[output] + 2 * self.input.weight_exponent;
        times_power(2.0 * absolute / self.design.unit(), exponent)
    }

    /// The power of two of an objective.
    pub(super) fn cost_exponent(&self, output: usize) -> i32 {
        2 * (self.input.target_exponents[output] + self.input.weight_exponent)
    }

    /// Weights of the data in the units of the solver.
    fn start(&self, weights: &[f64], output: usize) -> Vec<f64> {
        let exponent = self.input.target_exponents[output];
        let kept = self.design.kept().iter();
        kept.map(|&j| times_power(weights[j] / self.design.unit(), -exponent))
            .collect()
    }

    /// Weights and constant of the data.
    ///
    /// # Errors
    /// Numbers beyond the range.
    pub(super) fn in_data_units(&self, weights: &[f64], output: usize) -> Result<(Vec<f64>, f64)> {
        let exponent = self.input.target_exponents[output];
        let mut row = vec![0.0; self.input.points.columns()];
        let (each, bias) = self.design.in_data_units(weights, output);
        for (to, (value, power)) in each {
            row[to] = times_power(value, power + exponent);
        }
        let bias = times_power(bias, exponent);
        if !(bias.is_finite() && row.iter().all(|w| w.is_finite())) {
            return Err(Error::rows(
                "the weights of these targets are beyond the range of numbers",
                "divide the targets by a power of ten before fitting, or multiply the columns by one",
            ));
        }
        Ok((row, bias))
    }
}

fn dense_columns(design: &Design, context: &FitContext) -> Result<Matrix<f64>> {
    let (rows, width) = (design.rows(), design.width());
    let needed = 8 * rows as u64 * width as u64;
    if needed > context.most_memory() {
        return Err(Error::Memory {
            what: format!("{rows} rows of {width} columns, sorted by column"),
            needed,
            limit: context.most_memory(),
        });
    }
    let mut columns = vec![0.0; rows * width];
    let bands: Vec<(usize, &mut [f64])> = columns
        .chunks_mut((rows * BAND).max(1))
        .enumerate()
        .collect();
    context.map(bands, |(number, out)| {
        if context.goes_on() {
            let band = number * BAND..((number + 1) * BAND).min(width);
            let mut block = vec![0.0; out.len()];
            design.fill(0..rows, band.clone(), &mut block);
            let block = Matrix::from_vec(rows, band.len(), block);
            out.copy_from_slice(block.transposed().as_slice());
        }
    });
    context.check()?;
    Ok(Matrix::from_vec(width, rows, columns))
}

fn sparse_columns(design: &Design) -> SparseColumns {
    let (csr, shifts) = design.sparse().expect("sparse rows");
    let (rows, width) = (design.rows(), design.width());
    let mut starts = vec![0; width + 1];
    for &j in csr.indices() {
        starts[j as usize + 1] += 1;
    }
    for j in 0..width {
        starts[j + 1] += starts[j];
    }
    let mut next = starts.clone();
    let (mut places, mut values) = (vec![0; csr.nnz()], vec![0.0; csr.nnz()]);
    for i in 0..rows {
        let root = design.root(i);
        let (indices, row) = csr.row(i);
        for (&j, value) in indices.iter().zip(row) {
            let at = next[j as usize];
            places[at] = i as u32;
            values[at] = root * value;
            next[j as usize] += 1;
        }
    }
    SparseColumns {
        starts,
        rows: places,
        values,
        shifts: shifts.to_vec(),
        roots: (0..rows).map(|i| design.root(i)).collect(),
        total: design.total(),
    }
}
