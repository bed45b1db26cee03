//! From solutions to models and their accounts.

use mercer_linalg::{Matrix, Precision};

use super::input::Input;
use super::told::{Kept, counts};
use crate::data::Dataset;
use crate::fit::{FitContext, FitReport, Fitted, Note, ProblemReport, SolverReport, StopReason};
use crate::model::LinearModel;
use crate::model::readout::Readout;
use crate::solver::linear_loss::Solution;

/// One problem of a fit.
pub(super) struct Answer {
    /// What was solved.
    pub(super) name: String,
    /// What was found, for one or several outputs.
    pub(super) solution: Solution,
    /// Outputs of the solution.
    pub(super) outputs: usize,
}

/// How the numbers of solutions become those of the model.
pub(super) struct Units {
    /// What objectives are multiplied by.
    pub(super) objective: f64,
    /// The value of the appended feature.
    pub(super) constant: f64,
    /// Whether 1/‖w‖ is a margin.
    pub(super) has_margin: bool,
    /// What keeps weights small.
    pub(super) kept: Kept,
}

/// The model with the account of its fit.
pub(super) fn fitted(
    answers: &[Answer],
    readout: Readout,
    units: &Units,
    data: &Dataset,
    input: &Input,
    context: &FitContext,
) -> Fitted<LinearModel> {
    let outputs: usize = answers.iter().map(|answer| answer.outputs).sum();
    let mut weights = Matrix::zeros(outputs, input.features());
    let mut biases = Vec::with_capacity(outputs);
    let mut problems = Vec::with_capacity(answers.len());
    let mut stop_reason = StopReason::Converged;
    let mut solver = SolverReport {
        objective: 0.0,
        dual_gap: 0.0,
        kkt_violation: 0.0,
        iterations: 0,
        problems: Vec::new(),
    };
    let mut ways: Vec<&str> = Vec::new();
    for answer in answers {
        let Solution {
            weights: found,
            primal,
            gap,
            violation,
            iterations,
            ..
        } = &answer.solution;
        let count = answer.outputs;
        let last = found.len() - count;
        for output in 0..count {
            let own = found[..last].iter().skip(output).step_by(count);
            let row = weights.row_mut(biases.len());
            input.spread(own.copied(), row);
            biases.push(input.constant(units.constant * found[last + output], row));
        }
        let norm = found[..last].iter().map(|w| w * w).sum::<f64>().sqrt();
        // Files hold no infinity.
        let [primal, violation] =
            [primal, violation].map(|value| (value * units.objective).min(f64::MAX));
        // Without a bound there is no gap to tell of.
        let gap = Some(gap * units.objective).filter(|gap| gap.is_finite());
        let gap = gap.unwrap_or(f64::NAN);
        stop_reason = stop_reason.worse(answer.solution.stop_reason);
        solver.objective += primal;
        solver.dual_gap += gap;
        solver.kkt_violation = solver.kkt_violation.max(violation);
        solver.iterations += iterations;
        if !ways.contains(&answer.solution.way) {
            ways.push(answer.solution.way);
        }
        problems.push(ProblemReport {
            name: answer.name.clone(),
            rows: input.rows.rows(),
            primal,
            dual: if gap.is_nan() { primal } else { primal - gap },
            kkt_violation: violation,
            norm,
            margin: (units.has_margin && norm > 0.0).then(|| norm.recip()),
            bias: biases[biases.len() - 1],
            free_support_vectors: 0,
            bounded_support_vectors: 0,
            on_margin_without_weight: 0,
            iterations: *iterations,
            kernel_evaluations: 0,
            stop_reason: answer.solution.stop_reason,
            precision: Precision::F64,
            slack: None,
        });
    }
    let mut notes = vec![Note::Choice(format!("solved by {}", ways.join(" and ")))];
    notes.extend(counts(
        &weights,
        data.len(),
        units.constant != 0.0,
        units.kept,
    ));
    if answers.iter().any(|answer| answer.solution.unbounded) {
        notes.push(Note::Alert(
            "a linear function separates the classes: without a penalty weights grow without end \
             and probabilities go to 0 and 1; these are the weights at which every row was on its \
             side; a penalty gives an answer"
                .to_owned(),
        ));
    } else {
        notes.extend(stop_reason.notes_of_gap(solver.objective, solver.dual_gap));
    }
    notes.extend(input.alert.clone());
    solver.problems = problems;
    let report = FitReport {
        stop_reason,
        distinct_rows: input.rows.rows(),
        solver: Some(solver),
        ..FitReport::of_rows(data.len(), notes, context)
    };
    let model = LinearModel {
        weights,
        biases,
        features: data.records.features.groups.clone(),
        readout,
        spread: None,
    };
    Fitted { model, report }
}
