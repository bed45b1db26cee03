//! Fits a case and compares the result with the recorded one.

use std::collections::BTreeMap;

use mercer::data::{ClassTargets, Dataset, Targets};
use mercer::fit::{FitContext, Fitted, StopReason};
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::{ClassWeights, NuSvc, NuSvr, OneClass, Svc, Svr};
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Scheme;
use mercer::model::{Answers, Form};
use mercer_linalg::Matrix;
use serde_json::Value;

use super::case::{Case, Problem};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tightness {
    /// Tolerance 1e-3, objective within 1e-4.
    Loose,
    /// Tolerance 1e-6, objective within 1e-6.
    Tight,
}

/// How many labels were compared and agreed.
#[derive(Default)]
pub(crate) struct LabelCount {
    compared: usize,
    equal: usize,
}

impl LabelCount {
    /// The share that agreed; `None` where nothing was compared.
    pub(crate) fn agreement(&self) -> Option<f64> {
        (self.compared > 0).then(|| self.equal as f64 / self.compared as f64)
    }
}

fn labels_order(case: &Case) -> Vec<String> {
    let order = case.0["labels_order"].as_array();
    order
        .into_iter()
        .flatten()
        .map(|l| label_text(l.as_f64().expect("labels are numbers")))
        .collect()
}

fn label_text(label: f64) -> String {
    format!("{label}")
}

fn dataset(case: &Case, problem: &Problem) -> Dataset {
    let targets = match case.machine() {
        "epsilon_svr" | "nu_svr" => Targets::Real(problem.train_targets.clone()),
        "one_class" => Targets::None,
        _ => {
            let labels = labels_order(case);
            let code = |y: &f64| {
                let position = labels.iter().position(|l| *l == label_text(*y));
                position.expect("every label is listed") as u32
            };
            Targets::Classes(ClassTargets {
                codes: problem.train_targets.iter().map(code).collect(),
                labels,
            })
        }
    };
    let data = Dataset::try_new(problem.train.clone(), targets).expect("lengths agree");
    match &problem.weights {
        Some(weights) => data
            .with_weights(weights.clone())
            .expect("weights are good"),
        None => data,
    }
}

fn fit(
    case: &Case,
    problem: &Problem,
    tolerance: f64,
    probability: bool,
) -> Fitted<KernelExpansion> {
    let kernel: KernelSpec = problem.kernel.parse().expect("an expression");
    let data = dataset(case, problem);
    let context = FitContext::default();
    let class_weights = match case.0["class_weight"].as_object() {
        Some(weights) => ClassWeights::Given(
            weights
                .iter()
                .map(|(label, w)| {
                    let label: f64 = label.parse().expect("labels are numbers");
                    (label_text(label), w.as_f64().expect("a weight"))
                })
                .collect::<BTreeMap<_, _>>(),
        ),
        None => ClassWeights::Equal,
    };
    let svc = || {
        Svc::default()
            .kernel(kernel.clone())
            .c(case.number("C"))
            .class_weights(class_weights.clone())
            .probability(probability)
            .tolerance(tolerance)
    };
    match case.machine() {
        "c_svc" | "probability" => svc().fit(&data, &context),
        "one_vs_rest" => svc().scheme(Scheme::OneVsRest).fit(&data, &context),
        "nu_svc" => NuSvc::default()
            .kernel(kernel)
            .nu(case.number("nu"))
            .tolerance(tolerance)
            .fit(&data, &context),
        "one_class" => OneClass::default()
            .kernel(kernel)
            .nu(case.number("nu"))
            .tolerance(tolerance)
            .fit(&data, &context),
        "epsilon_svr" => Svr::default()
            .kernel(kernel)
            .c(case.number("C"))
            .epsilon(case.number("epsilon"))
            .tolerance(tolerance)
            .fit(&data, &context),
        "nu_svr" => NuSvr::default()
            .kernel(kernel)
            .c(case.number("C"))
            .nu(case.number("nu"))
            .tolerance(tolerance)
            .fit(&data, &context),
        other => panic!("unknown method {other}"),
    }
    .unwrap_or_else(|e| panic!("{}: {e}", case.id()))
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        Value::Number(n) => vec![n.as_f64().expect("a double")],
        _ => Vec::new(),
    }
}

/// Fits and compares; the message says what differs.
pub(crate) fn run(
    case: &Case,
    problem: &Problem,
    tightness: Tightness,
    labels: &mut LabelCount,
) -> Result<(), String> {
    let (tolerance, relative) = match tightness {
        Tightness::Loose => (1e-3, 1e-4),
        Tightness::Tight => (1e-6, 1e-6),
    };
    let fitted = fit(case, problem, tolerance, false);
    let report = &fitted.report;
    let indefinite = case.0["psd"] == "no";
    if report.stop_reason != StopReason::Converged {
        return Err(format!("stopped: {}", report.stop_reason));
    }
    if report.solver().kkt_violation > tolerance * 1.0001 && case.machine() != "nu_svc" {
        return Err(format!("violation {}", report.solver().kkt_violation));
    }
    let reference = &case.0["reference"];
    let expected = numbers(&reference["objective"]);
    let gaps = numbers(&reference["gap"]);
    let errors = numbers(&reference["objective_error"]);
    let scales = numbers(&reference["r"]);
    let unique: Vec<bool> = reference["rho_unique"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|u| u == true)
        .collect();
    if report.solver().problems.len() != expected.len() || expected.is_empty() {
        return Err(format!(
            "{} problems solved, {} recorded",
            report.solver().problems.len(),
            expected.len()
        ));
    }
    for (d, p) in report.solver().problems.iter().enumerate() {
        let found = match case.machine() {
            // The recorded value is that of the model rescaled to C = 1/r.
            "nu_svc" | "one_class" => 0.5 * p.norm * p.norm,
            _ => -p.dual,
        };
        // The objective of a ν-support vector machine is rescaled by 1/r², and r is known to the tolerance
        // only: a small r loses digits that the inner problem has.
        let rescaled = match scales.get(d) {
            Some(r) => 4.0 * tolerance / r,
            None => 0.0,
        };
        // A non-definite kernel has many stationary points; the reference may be beaten.
        let allowed = if indefinite {
            0.02
        } else {
            relative + rescaled
        };
        let known = errors.get(d).copied().unwrap_or(0.0);
        let slack =
            allowed * expected[d].abs() + known + gaps[d].min(1e-6 * expected[d].abs()) + 1e-12;
        if (case.machine() != "nu_svc" || unique[d]) && (found - expected[d]).abs() > slack {
            return Err(format!(
                "problem {d}: objective {found}, recorded {}",
                expected[d]
            ));
        }
        if !indefinite && p.gap() > 10.0 * tolerance * (1.0 + p.primal.abs()) * p.rows as f64 {
            return Err(format!(
                "problem {d}: gap {} at primal {}",
                p.gap(),
                p.primal
            ));
        }
    }
    if indefinite {
        return Ok(());
    }
    let model = Form::Expansion(fitted.model);
    let predictions = model
        .predict(&problem.test, &FitContext::default())
        .expect("the rows fit");
    if tightness == Tightness::Tight {
        compare_decisions(case, reference, &predictions.decisions, &unique)?;
    }
    compare_labels(case, reference, &predictions.answers, labels);
    Ok(())
}

fn compare_decisions(
    case: &Case,
    reference: &Value,
    decisions: &Matrix<f64>,
    unique: &[bool],
) -> Result<(), String> {
    let rows = numbers(&case.0["decision_rows"]);
    let recorded = reference["decision"].as_array().expect("decision values");
    let errors = numbers(&reference["decision_error"]);
    if rows.len() != recorded.len() || rows.is_empty() {
        return Err(format!(
            "{} rows chosen, {} recorded",
            rows.len(),
            recorded.len()
        ));
    }
    for (row, expected) in rows.iter().zip(recorded) {
        let expected = numbers(expected);
        if expected.len() != decisions.columns() {
            return Err(format!("{} decisions recorded", expected.len()));
        }
        for (d, expected) in expected.iter().enumerate() {
            if !unique[d] {
                continue;
            }
            let found = decisions[(*row as usize, d)];
            // 1e-4: what a violation of 1e-6 can do to a decision through many multipliers.
            let allowed = 4.0 * errors[d] + 1e-4 * (1.0 + expected.abs());
            if (found - expected).abs() > allowed {
                return Err(format!(
                    "row {row}, decision {d}: {found}, recorded {expected}"
                ));
            }
        }
    }
    Ok(())
}

fn compare_labels(case: &Case, reference: &Value, answers: &Answers, count: &mut LabelCount) {
    let Answers::Classes { labels, codes, .. } = answers else {
        return;
    };
    let recorded = numbers(&reference["labels"]);
    let ties: Vec<f64> = numbers(&reference["near_tie_rows"]);
    for (row, (code, expected)) in codes.iter().zip(&recorded).enumerate() {
        if ties.contains(&(row as f64)) {
            continue;
        }
        count.compared += 1;
        count.equal += usize::from(labels[*code as usize] == label_text(*expected));
    }
    assert_eq!(codes.len(), recorded.len(), "{}", case.id());
}

/// Share of test rows that a fit at the usual tolerance gets right.
pub(crate) fn accuracy(case: &Case, problem: &Problem) -> f64 {
    let model = Form::Expansion(fit(case, problem, 1e-3, false).model);
    let predictions = model
        .predict(&problem.test, &FitContext::default())
        .expect("the rows fit");
    let Answers::Classes { labels, codes, .. } = predictions.answers else {
        panic!("a classifier names classes");
    };
    let right = codes
        .iter()
        .zip(&problem.test_targets)
        .filter(|(code, y)| labels[**code as usize] == label_text(**y))
        .count();
    right as f64 / codes.len() as f64
}

/// Log-loss on held-out rows is no worse than LIBSVM's by more than its own scatter.
pub(crate) fn probability(case: &Case, problem: &Problem) {
    let model = Form::Expansion(fit(case, problem, case.number("tolerance"), true).model);
    let predictions = model
        .predict(&problem.test, &FitContext::default())
        .expect("the rows fit");
    let Answers::Classes {
        labels,
        codes,
        probabilities: Some(probabilities),
    } = predictions.answers
    else {
        panic!("probabilities were asked for");
    };
    let mut loss = 0.0;
    for ((p, code), y) in probabilities.iter().zip(&codes).zip(&problem.test_targets) {
        let truth = labels
            .iter()
            .position(|l| *l == label_text(*y))
            .expect("a known label");
        loss -= p[truth].ln();
        let largest = p.iter().copied().fold(0.0, f64::max);
        assert!(
            p[*code as usize] >= largest,
            "the label contradicts its probability"
        );
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    let loss = loss / codes.len() as f64;
    let recorded = case.number("log_loss_mean");
    assert!(
        loss <= recorded + 0.02,
        "{}: {loss}, recorded {recorded}",
        case.id()
    );
}
