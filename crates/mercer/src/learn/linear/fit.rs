//! From data sets to linear models.

use mercer_linalg::Matrix;

use super::{LinearSolution, Ols, Ridge};
use crate::data::{Dataset, Targets};
use crate::fit::{
    BayesReport, FitContext, FitReport, Fitted, LinearReport, SolverReport, WeightReport,
};
use crate::learn::Estimator;
use crate::model::LinearModel;
use crate::model::readout::Readout;
use crate::{Error, Result};

/// Probability of the intervals in reports.
const LEVEL: f64 = 0.95;

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
        let epochs = self.gradient.as_ref().map(|g| g.epochs);
        let iterations = epochs.or(self.conjugate_steps).unwrap_or(1);
        let bayes = self.lambda.filter(|_| {
            let usable = |noise: &f64| noise.is_finite() && *noise > 0.0;
            !self.noise.is_empty() && self.noise.iter().all(usable)
        });
        let report = FitReport {
            stop_reason: self.stop_reason,
            solver: Some(SolverReport {
                objective: self.objective.iter().sum(),
                dual_gap: f64::NAN,
                kkt_violation: self.violation,
                iterations,
                problems: Vec::new(),
            }),
            bayes: bayes.map(|lambda| BayesReport::of_weights(lambda, self.noise.clone())),
            linear: Some(LinearReport {
                rank: self.rank,
                condition: Some(self.condition).filter(|c| c.is_finite()),
                degrees_of_freedom: self.degrees_of_freedom,
                lambda: self.lambda,
                noise_variance: self.noise_variances(),
                weights: self.weight_reports(data),
                bias_variance: self.bias_variance,
                gradient: self.gradient,
            }),
            ..FitReport::of_rows(data.len(), self.notes, context)
        };
        let model = LinearModel {
            weights: self.weights,
            biases: self.biases,
            features: data.records.features.groups.clone(),
            readout: Readout::Values,
            spread: self.spread,
        };
        Fitted { model, report }
    }

    fn noise_variances(&self) -> Vec<f64> {
        self.spread
            .as_ref()
            .map(|s| s.noise.clone())
            .unwrap_or_default()
    }

    /// Every weight with its interval, the constant of an output after its weights.
    fn weight_reports(&self, data: &Dataset) -> Vec<WeightReport> {
        let Some(spread) = &self.spread else {
            return Vec::new();
        };
        let deviations = spread.deviations(LEVEL);
        let mut all = Vec::new();
        let mut add = |name: String, weight: f64, error: f64| {
            all.push(WeightReport {
                name,
                weight,
                standard_error: error,
                lower: weight - deviations * error,
                upper: weight + deviations * error,
            });
        };
        let features = &data.records.features;
        for k in 0..self.weights.rows() {
            for (j, weight) in self.weights.row(k).iter().enumerate() {
                add(features.name(j), *weight, spread.weight(k, j));
            }
            let error = spread.bias(k);
            if self.biases[k] != 0.0 || error > 0.0 {
                add("constant".to_owned(), self.biases[k], error);
            }
        }
        all
    }
}
