//! From data sets to models.

use mercer_linalg::Matrix;

use super::super::fit::outputs;
use super::job::{Job, LassoSolution};
use super::{ElasticNet, Lasso};
use crate::data::Dataset;
use crate::fit::{FitContext, FitReport, Fitted, PenaltyReport, SolverReport};
use crate::learn::Estimator;
use crate::model::readout::Readout;
use crate::model::{Form, LinearModel};
use crate::{Error, Result};

impl Estimator for Lasso {
    type Model = LinearModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<LinearModel>> {
        self.job().fit(data, None, context)
    }
}

impl Estimator for ElasticNet {
    type Model = LinearModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<LinearModel>> {
        self.job().fit(data, None, context)
    }
}

impl Job<'_> {
    /// Fits a model, from the weights of an earlier one where there is one.
    pub(super) fn fit(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<LinearModel>> {
        let context = context.restarted();
        let targets = outputs(data)?;
        let start = self.start(data, &targets, earlier)?;
        let weights = data.weights.as_deref();
        let solution = self.solve(&data.records, &targets, weights, start, &context)?;
        Ok(solution.fitted(data, &context))
    }

    fn start<'a>(
        &self,
        data: &Dataset,
        targets: &Matrix<f64>,
        earlier: Option<&'a Form>,
    ) -> Result<Option<&'a Matrix<f64>>> {
        let Some(earlier) = earlier else {
            return Ok(None);
        };
        let shape = (targets.rows(), data.records.features.points.columns());
        let fits = |weights: &&Matrix<f64>| (weights.rows(), weights.columns()) == shape;
        let weights = earlier.linear().map(|model| &model.weights).filter(fits);
        weights.map(Some).ok_or_else(|| Error::Unsupported {
            what: "the earlier model has no weights for these columns to start from".to_owned(),
            cure: format!(
                "give a model of `{}` with the same columns and targets",
                self.name
            )
            .into(),
        })
    }
}

impl LassoSolution {
    /// The model with the account of its fit.
    fn fitted(self, data: &Dataset, context: &FitContext) -> Fitted<LinearModel> {
        let nonzero_weights = self.nonzero();
        let report = FitReport {
            stop_reason: self.stop_reason,
            solver: Some(SolverReport {
                objective: self.objective.iter().sum(),
                dual_gap: self.gaps.iter().sum(),
                kkt_violation: f64::NAN,
                iterations: self.iterations.iter().sum(),
                problems: Vec::new(),
            }),
            penalty: Some(PenaltyReport {
                lambda: self.lambda,
                copies: self.copies,
                largest_lambda: Some(self.largest_lambda).filter(|l| l.is_finite()),
                nonzero_weights,
                gaps: self.gaps,
                iterations: self.iterations,
            }),
            ..FitReport::of_rows(data.len(), self.notes, context)
        };
        let model = LinearModel {
            weights: self.weights,
            biases: self.biases,
            features: data.records.features.groups.clone(),
            readout: Readout::Values,
            spread: None,
        };
        Fitted { model, report }
    }
}
