//! From data sets to models.

use mercer_linalg::Matrix;

use super::super::fit::outputs;
use super::job::{Job, LassoSolution};
use super::{ElasticNet, Lasso, Shrinkage};
use crate::data::Dataset;
use crate::fit::{BayesReport, FitContext, FitReport, Fitted, PenaltyReport, SolverReport};
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
        let noise = self.noise(&solution);
        let bayes =
            noise.map(|noise| BayesReport::of_absolute_weights(solution.lambda, self.share, noise));
        let mut fitted = solution.fitted(data, &context);
        fitted.report.bayes = bayes;
        Ok(fitted)
    }

    /// The variance of the noise as λ was made of it, or else that of the residuals; as many parameters are
    /// fitted as weights are not zero (Zou, Hastie and Tibshirani, On the degrees of freedom of the LASSO, 2007).
    fn noise(&self, solution: &LassoSolution) -> Option<Vec<f64>> {
        let outputs = solution.biases.len();
        if self.share == 0.0 || solution.lambda <= 0.0 {
            return None;
        }
        if let Shrinkage::Prior { sigma, .. } = self.shrinkage {
            return Some(vec![sigma * sigma; outputs]);
        }
        let constant = f64::from(u8::from(self.bias.is_free()));
        let of_output = |output: usize| {
            let weights = solution.weights.row(output);
            let sizes: f64 = weights.iter().map(|w| w.abs()).sum();
            let squares: f64 = weights.iter().map(|w| w * w).sum();
            let penalty = self.share * sizes + 0.5 * (1.0 - self.share) * squares;
            let residual = solution.objective[output] - solution.lambda * penalty;
            let fitted = weights.iter().filter(|w| **w != 0.0).count() as f64;
            let left = solution.copies - fitted - constant;
            (left > 0.0 && residual > 0.0).then(|| residual / left)
        };
        let noise: Option<Vec<f64>> = (0..outputs).map(of_output).collect();
        noise.filter(|noise| noise.iter().all(|v| v.is_finite()))
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
