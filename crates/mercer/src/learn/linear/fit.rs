//! From data sets to linear models.

use mercer_linalg::Matrix;

use super::{LinearSolution, Ols, Ridge};
use crate::data::{Dataset, Targets};
use crate::fit::{FitContext, FitReport, Fitted, LinearReport, SolverReport};
use crate::learn::Estimator;
use crate::model::LinearModel;
use crate::model::readout::Readout;
use crate::{Error, Result};

impl Estimator for Ols {
    type Model = LinearModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<LinearModel>> {
        let context = context.restarted();
        let targets = outputs(data)?;
        let weights = data.weights.as_deref();
        let solution = self.solve(&data.records, &targets, weights, &context)?;
        Ok(solution.fitted(data, &context))
    }
}

impl Estimator for Ridge {
    type Model = LinearModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<LinearModel>> {
        let context = context.restarted();
        let targets = outputs(data)?;
        let weights = data.weights.as_deref();
        let solution = self.solve(&data.records, &targets, weights, &context)?;
        Ok(solution.fitted(data, &context))
    }
}

/// The numbers to predict, a row for each output.
pub(super) fn outputs(data: &Dataset) -> Result<Matrix<f64>> {
    match &data.targets {
        Targets::Real(values) => Ok(Matrix::from_vec(1, values.len(), values.clone())),
        Targets::Several(values) => Ok(values.clone()),
        Targets::None | Targets::Classes(_) => Err(Error::rows(
            "regression needs a number for every row",
            "give a numeric target column, or use classification",
        )),
    }
}

impl LinearSolution {
    /// The model with the account of its fit.
    fn fitted(self, data: &Dataset, context: &FitContext) -> Fitted<LinearModel> {
        let report = FitReport {
            solver: Some(SolverReport {
                objective: self.objective.iter().sum(),
                dual_gap: f64::NAN,
                kkt_violation: self.violation,
                iterations: 1,
                problems: Vec::new(),
            }),
            linear: Some(LinearReport {
                rank: self.rank,
                condition: self.condition,
                degrees_of_freedom: self.degrees_of_freedom,
            }),
            ..FitReport::of_rows(data.len(), self.notes, context)
        };
        let model = LinearModel {
            weights: self.weights,
            biases: self.biases,
            features: data.records.features.groups.clone(),
            readout: Readout::Values,
        };
        Fitted { model, report }
    }
}
