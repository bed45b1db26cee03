//! What theory promises of a support vector machine, from the account of its fit.

use serde::Serialize;

use super::margin::{
    MarginSetting, is_vacuous, measured_margin_bound, stability_bound, whole_radius,
};
use crate::fit::{ConstantTerm, FitReport, ProblemReport, SlackReport, StopReason};
use crate::{Error, Result};

/// A bound on the error of one decision of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FitBound {
    /// What is told apart, such as `setosa against versicolor`.
    pub name: String,
    /// Which bound it is: `hard_margin` or `soft_margin`.
    pub kind: &'static str,
    /// The largest error rate.
    pub bound: f64,
    /// Whether that says nothing: 1 or more.
    pub vacuous: bool,
    /// Probability with which it holds over the draw of the rows; `None` for a bound on the mean.
    pub confidence: Option<f64>,
    /// Length of the longest training row, the feature of a penalised constant counted.
    pub radius: f64,
    /// Whether the bound takes it for granted that no row is longer.
    pub assumes_radius: bool,
}

/// Bounds the error of every decision of a fit that has a margin, with probability 1 − δ; an empty
/// list where none holds.
///
/// The hard margin has the bound for a measured margin. The soft margin has a bound on the mean over
/// draws of the rows, for planes without a free constant: the mean hinge of training stands for its
/// expectation.
///
/// # Errors
/// δ outside (0, 1).
pub fn fit_bounds(report: &FitReport, delta: f64) -> Result<Vec<FitBound>> {
    super::arguments::check_open_unit("delta", delta)?;
    let mut found = Vec::new();
    for problem in &report.solver().problems {
        let Some(slack) = &problem.slack else {
            continue;
        };
        // Before the optimum neither margin nor slack is that of the rule.
        if problem.stop_reason != StopReason::Converged || slack.weight < 1.0 {
            continue;
        }
        let bound = if slack.hard {
            hard(problem, slack, delta)
        } else {
            soft(slack)
        };
        let (kind, confidence) = if slack.hard {
            ("hard_margin", Some(1.0 - delta))
        } else {
            ("soft_margin", None)
        };
        match bound {
            Ok(Some(bound)) => found.push(FitBound {
                name: problem.name.clone(),
                kind,
                bound,
                vacuous: is_vacuous(bound),
                confidence,
                radius: whole_radius(slack.radius, slack.constant),
                assumes_radius: slack.radius_varies,
            }),
            // Numbers that no bound is defined for, such as rows of length 0.
            Ok(None) | Err(Error::Setting { .. } | Error::Settings { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

fn hard(problem: &ProblemReport, slack: &SlackReport, delta: f64) -> Result<Option<f64>> {
    // A penalised constant is one more weight of the plane.
    let norm = match slack.constant {
        ConstantTerm::Regularised => problem.norm.hypot(problem.bias),
        ConstantTerm::None | ConstantTerm::Free => problem.norm,
    };
    let setting = MarginSetting {
        rows: slack.weight as usize,
        radius: slack.radius,
        margin: 1.0 / norm,
        delta,
        constant: slack.constant,
    };
    measured_margin_bound(&setting).map(Some)
}

fn soft(slack: &SlackReport) -> Result<Option<f64>> {
    let Some(lambda) = slack.lambda else {
        return Ok(None);
    };
    if slack.constant == ConstantTerm::Free {
        return Ok(None);
    }
    let radius = whole_radius(slack.radius, slack.constant);
    let stability = stability_bound(slack.weight as usize, radius, lambda)?;
    Ok(Some(slack.mean_hinge + stability))
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::{ClassTargets, Dataset, Records, Targets};
    use crate::fit::FitContext;
    use crate::kernel::KernelSpec;
    use crate::learn::Estimator;
    use crate::learn::linear_loss::{HingeLoss, LinearSvc};
    use crate::learn::margin::{Bias, Svc};

    fn data() -> Dataset {
        let points = Matrix::from_vec(4, 1, vec![-3.0, -1.0, 1.0, 2.0]);
        let labels = ClassTargets::from_labels(&["low", "low", "high", "high"]);
        Dataset::try_new(Records::from_points(points), Targets::Classes(labels)).unwrap()
    }

    fn linear() -> Svc {
        Svc::default().kernel(KernelSpec::linear()).tolerance(1e-9)
    }

    #[test]
    fn hard_machines_have_the_bound_of_their_margin() {
        let report = linear()
            .hard()
            .fit(&data(), &FitContext::default())
            .unwrap()
            .report;
        let slack = report.solver().problems[0].slack.clone().unwrap();
        assert!(slack.hard && slack.radius_varies);
        assert_eq!(
            (slack.radius, slack.weight, slack.above_one),
            (3.0, 4.0, 0.0)
        );
        let found = &fit_bounds(&report, 0.05).unwrap()[0];
        // γ = 1, ρ = 3, n = 4, free constant: j = 2.
        let expected = 8.0 * 3.0 / 2.0 + (6.0_f64 / 0.05).ln().sqrt() / 8_f64.sqrt();
        assert!((found.bound - expected).abs() < 1e-6, "{found:?}");
        assert!(found.vacuous && found.assumes_radius);
        assert_eq!((found.kind, found.confidence), ("hard_margin", Some(0.95)));
        assert!(fit_bounds(&report, 0.0).is_err());
    }

    #[test]
    fn soft_machines_have_a_bound_on_the_mean_unless_the_constant_is_free() {
        let context = FitContext::default();
        let free = linear().c(0.01).fit(&data(), &context).unwrap().report;
        assert!(fit_bounds(&free, 0.05).unwrap().is_empty());
        let soft = linear()
            .c(0.01)
            .bias(Bias::None)
            .fit(&data(), &context)
            .unwrap()
            .report;
        let slack = soft.solver().problems[0].slack.clone().unwrap();
        // w = C Σ y x = −0.01·(−3 − 1 − 1 − 2) = 0.07 in size: all rows are inside the margin.
        assert!(
            (slack.mean_hinge - (1.0 - 0.07 * 7.0 / 4.0)).abs() < 1e-6,
            "{slack:?}"
        );
        assert_eq!((slack.above_zero, slack.above_one), (4.0, 0.0));
        let found = &fit_bounds(&soft, 0.05).unwrap()[0];
        // 2ρ²/(λn) = 4ρ²C.
        let expected = slack.mean_hinge + 4.0 * 9.0 * 0.01;
        assert!((found.bound - expected).abs() < 1e-9 && found.confidence.is_none());
    }

    #[test]
    fn linear_machines_say_the_same_as_those_with_a_linear_kernel() {
        let context = FitContext::default();
        let kernel = linear().c(0.5).bias(Bias::Regularised);
        let kernel = kernel.fit(&data(), &context).unwrap().report;
        let plain = LinearSvc {
            loss: HingeLoss::Hinge,
            c: 0.5,
            bias: Bias::Regularised,
            bias_scale: 1.0,
            tolerance: 1e-10,
            ..LinearSvc::default()
        };
        let plain = plain.fit(&data(), &context).unwrap().report;
        let [a, b] = [&kernel, &plain].map(|r| r.solver().problems[0].slack.clone().unwrap());
        assert!((a.mean_hinge - b.mean_hinge).abs() < 1e-5, "{a:?} {b:?}");
        assert_eq!(
            (a.radius, a.lambda, a.constant),
            (b.radius, b.lambda, b.constant)
        );
        let [a, b] = [&kernel, &plain].map(|r| fit_bounds(r, 0.05).unwrap()[0].bound);
        assert!((a - b).abs() < 1e-5, "{a} {b}");
        let squared = LinearSvc::default().fit(&data(), &context).unwrap().report;
        assert!(fit_bounds(&squared, 0.05).unwrap().is_empty());
        assert!(squared.solver().problems[0].slack.is_some());
    }

    #[test]
    fn rows_inside_the_margin_are_counted_with_their_copies() {
        let points = Matrix::from_vec(5, 1, vec![-2.0, -1.0, 1.0, 2.0, 1.5]);
        let labels = ClassTargets::from_labels(&["low", "low", "high", "high", "low"]);
        let data = Dataset::try_new(Records::from_points(points), Targets::Classes(labels));
        let data = data
            .unwrap()
            .with_weights(vec![1.0, 1.0, 1.0, 1.0, 3.0])
            .unwrap();
        let report = linear().fit(&data, &FitContext::default()).unwrap().report;
        let slack = report.solver().problems[0].slack.clone().unwrap();
        assert_eq!(slack.weight, 7.0);
        let problem = &report.solver().problems[0];
        // ½‖w‖² + C Σξ is the primal: the slack counts copies as it does.
        let primal = 0.5 * problem.norm.powi(2) + slack.mean_hinge * slack.weight;
        assert!((primal - problem.primal).abs() < 1e-6, "{problem:?}");
        assert!(slack.above_one >= 1.0 && slack.above_zero >= slack.above_one);
    }
}
