//! Metrics against scikit-learn's; `tests/data/oracle/metrics.py` makes the results.

use mercer::data::{ClassTargets, Targets};
use mercer::judge::{Metric, Truth, measure, metrics};
use mercer::model::{Answers, Predictions};
use mercer_linalg::Matrix;
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().into_iter().flatten();
    list.map(|v| v.as_f64().expect("a number")).collect()
}

fn codes(value: &Value) -> Vec<u32> {
    numbers(value).into_iter().map(|v| v as u32).collect()
}

fn predicted(case: &Value) -> (Predictions, Truth) {
    if case["kind"] == "numbers" {
        let said = numbers(&case["said"]);
        let predictions = Predictions {
            decisions: Matrix::zeros(said.len(), 1),
            answers: Answers::Values(said),
            notes: Vec::new(),
        };
        return (
            predictions,
            Truth::Targets(Targets::Real(numbers(&case["truth"]))),
        );
    }
    let chance = case["chance"].as_array().expect("probabilities");
    let chance: Vec<Vec<f64>> = chance.iter().map(numbers).collect();
    let labels: Vec<String> = (0..chance[0].len()).map(|k| k.to_string()).collect();
    // A positive decision speaks for the first class.
    let decisions: Vec<f64> = numbers(&case["decision"]).iter().map(|d| -d).collect();
    let width = usize::from(!decisions.is_empty());
    let predictions = Predictions {
        decisions: Matrix::from_vec(chance.len(), width, decisions),
        answers: Answers::Classes {
            labels: labels.clone(),
            codes: codes(&case["said"]),
            probabilities: Some(chance),
        },
        notes: Vec::new(),
    };
    let truth = ClassTargets {
        codes: codes(&case["truth"]),
        labels,
    };
    (predictions, Truth::Targets(Targets::Classes(truth)))
}

#[test]
fn metrics_are_scikit_learns() {
    let text = include_str!("../../../../tests/data/oracle/metrics.json");
    let all: Value = serde_json::from_str(text).expect("answers");
    let mut count = 0;
    for case in all["cases"].as_array().expect("cases") {
        let (predictions, truth) = predicted(case);
        let weights = case["weights"]
            .is_array()
            .then(|| numbers(&case["weights"]));
        for (name, expected) in case["metrics"].as_object().expect("metrics") {
            let expected = expected.as_f64().expect("a number");
            let found = if name == "pinball_0.9" {
                let said = numbers(&case["said"]);
                metrics::pinball(&numbers(&case["truth"]), &said, 0.9, None)
            } else {
                let metric: Metric = name.parse().expect("a metric");
                measure(metric, &predictions, &truth, weights.as_deref()).expect("alike")
            };
            let near = (found - expected).abs() < 1e-9 * (1.0 + expected.abs());
            assert!(near, "{} {name}: {found}, not {expected}", case["kind"]);
            count += 1;
        }
    }
    assert_eq!(count, 44);
}
