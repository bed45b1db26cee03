//! Version 1 of the account of a fit; frozen: a field is never renamed or removed here.

use serde::Deserialize;

/// The account of a fit.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Report {
    pub(super) objective: f64,
    pub(super) dual_gap: f64,
    pub(super) kkt_violation: f64,
    pub(super) stop_reason: StopReason,
    /// Rows given; 0 for models of other programs.
    pub(super) rows: usize,
    pub(super) distinct_rows: usize,
    pub(super) support_vectors: usize,
    pub(super) iterations: u64,
    /// 0 in all but the first files, as are the next two.
    pub(super) kernel_evaluations: u64,
    pub(super) seconds: f64,
    pub(super) kernel_bytes: u64,
    pub(super) problems: Vec<Problem>,
    pub(super) notes: Vec<Note>,
    /// #5.
    #[serde(default)]
    pub(super) evidence: Option<Evidence>,
    /// The best first (#5).
    #[serde(default)]
    pub(super) trials: Vec<Trial>,
    /// The method with its settings, where it was chosen; not interpreted here (#5).
    #[serde(default)]
    pub(super) chosen: Option<serde_json::Value>,
}

/// Why a solver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(rename_all = "snake_case")]
pub(super) enum StopReason {
    Converged,
    IterationLimit,
    TimeLimit,
    MemoryLimit,
    Cancelled,
    Stalled,
    NotSeparable,
}

/// One optimisation problem of a fit.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Problem {
    pub(super) name: String,
    pub(super) rows: usize,
    pub(super) primal: f64,
    pub(super) dual: f64,
    pub(super) kkt_violation: f64,
    pub(super) norm: f64,
    pub(super) margin: Option<f64>,
    pub(super) bias: f64,
    pub(super) free_support_vectors: usize,
    pub(super) bounded_support_vectors: usize,
    pub(super) on_margin_without_weight: usize,
    pub(super) iterations: u64,
    /// 0 in all but the first files.
    pub(super) kernel_evaluations: u64,
    pub(super) stop_reason: StopReason,
    pub(super) precision: Precision,
}

/// Precision of kernel values.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(rename_all = "lowercase")]
pub(super) enum Precision {
    F32,
    F64,
}

/// Something a user should know.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(tag = "kind", content = "text", rename_all = "snake_case")]
pub(super) enum Note {
    Choice(String),
    Alert(String),
}

/// What the squared loss tells beside its solution (#5).
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Evidence {
    pub(super) ratio: f64,
    pub(super) prior: Vec<f64>,
    pub(super) noise: Vec<f64>,
    pub(super) effective_parameters: f64,
    pub(super) leave_one_out: f64,
}

/// A method that was tried (#5).
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Trial {
    pub(super) name: String,
    pub(super) method: String,
    pub(super) kernel: String,
    pub(super) loss: f64,
    pub(super) standard_error: f64,
    pub(super) behind: f64,
    pub(super) behind_error: f64,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::v1::kept::parsed;

    const FIRST: &str = r#"{"objective":77.5,"dual_gap":0.25,"kkt_violation":0.125,
        "stop_reason":"time_limit","rows":36,"distinct_rows":35,"support_vectors":34,
        "iterations":33,"kernel_evaluations":32,"seconds":31.5,"kernel_bytes":30,
        "problems":[],"notes":[]}"#;

    fn expected() -> Report {
        Report {
            objective: 77.5,
            dual_gap: 0.25,
            kkt_violation: 0.125,
            stop_reason: StopReason::TimeLimit,
            rows: 36,
            distinct_rows: 35,
            support_vectors: 34,
            iterations: 33,
            kernel_evaluations: 32,
            seconds: 31.5,
            kernel_bytes: 30,
            problems: Vec::new(),
            notes: Vec::new(),
            evidence: None,
            trials: Vec::new(),
            chosen: None,
        }
    }

    #[test]
    fn first_reports_know_neither_evidence_nor_trials() {
        assert_eq!(parsed::<Report>(FIRST), expected());
    }

    #[test]
    fn later_reports_tell_evidence_trials_and_choice() {
        let text = FIRST.replace(
            r#""notes":[]"#,
            r#""notes":[{"kind":"choice","text":"a"},{"kind":"alert","text":"b"}],
            "evidence":{"ratio":2.5,"prior":[0.5],"noise":[1.25],"effective_parameters":35.5,
            "leave_one_out":0.0625},"trials":[{"name":"least squares","method":"ls_svc",
            "kernel":"laplace(scale=8.5)","loss":0.5,"standard_error":0.25,"behind":-0.125,
            "behind_error":0.0625}],"chosen":{"model":"ls_svc","strength":{"gamma":2.5}}"#,
        );
        let later = Report {
            notes: vec![Note::Choice("a".to_owned()), Note::Alert("b".to_owned())],
            evidence: Some(Evidence {
                ratio: 2.5,
                prior: vec![0.5],
                noise: vec![1.25],
                effective_parameters: 35.5,
                leave_one_out: 0.0625,
            }),
            trials: vec![Trial {
                name: "least squares".to_owned(),
                method: "ls_svc".to_owned(),
                kernel: "laplace(scale=8.5)".to_owned(),
                loss: 0.5,
                standard_error: 0.25,
                behind: -0.125,
                behind_error: 0.0625,
            }],
            chosen: Some(json!({ "model": "ls_svc", "strength": { "gamma": 2.5 } })),
            ..expected()
        };
        assert_eq!(parsed::<Report>(&text), later);
    }

    #[test]
    fn problems_tell_their_solution() {
        let text = |margin: &str, precision: &str| {
            format!(
                r#"{{"name":"iris against the rest","rows":36,"primal":35.5,"dual":35.25,
                "kkt_violation":0.125,"norm":8.5,"margin":{margin},"bias":-0.5,
                "free_support_vectors":35,"bounded_support_vectors":34,
                "on_margin_without_weight":33,"iterations":32,"kernel_evaluations":31,
                "stop_reason":"converged","precision":"{precision}"}}"#
            )
        };
        let expected = |margin, precision| Problem {
            name: "iris against the rest".to_owned(),
            rows: 36,
            primal: 35.5,
            dual: 35.25,
            kkt_violation: 0.125,
            norm: 8.5,
            margin,
            bias: -0.5,
            free_support_vectors: 35,
            bounded_support_vectors: 34,
            on_margin_without_weight: 33,
            iterations: 32,
            kernel_evaluations: 31,
            stop_reason: StopReason::Converged,
            precision,
        };
        let double: Problem = parsed(&text("null", "f64"));
        assert_eq!(double, expected(None, Precision::F64));
        let single: Problem = parsed(&text("0.125", "f32"));
        assert_eq!(single, expected(Some(0.125), Precision::F32));
    }

    #[test]
    fn stop_reasons_have_their_names() {
        let names = r#"["converged","iteration_limit","time_limit","memory_limit","cancelled",
            "stalled","not_separable"]"#;
        let found: [StopReason; 7] = parsed(names);
        let expected = [
            StopReason::Converged,
            StopReason::IterationLimit,
            StopReason::TimeLimit,
            StopReason::MemoryLimit,
            StopReason::Cancelled,
            StopReason::Stalled,
            StopReason::NotSeparable,
        ];
        assert_eq!(found, expected);
    }
}
