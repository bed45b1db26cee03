//! Version 1 of the JSON document; frozen: a field is never renamed or removed here.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::encoder::Encoder;
use super::machine::{Copies, Machine, Posterior};
use super::records::Support;
use super::report::Report;

/// The document of a model.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Document {
    /// 1.
    pub(super) format_version: u32,
    /// Program and version.
    pub(super) written_by: String,
    /// What the model is for.
    pub(super) task: Task,
    /// Name of the method.
    pub(super) method: String,
    /// Name of the predicted column; the key may be absent.
    pub(super) target: Option<String>,
    /// Name of the column that names rows.
    #[serde(default)]
    pub(super) id: Option<String>,
    /// From raw columns to records.
    pub(super) encoder: Encoder,
    /// The kernel as an expression with every parameter fixed.
    pub(super) kernel: String,
    /// Texts of the program that made the model (#3).
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, String>,
    /// The decisions without their numbers.
    pub(super) machine: Machine,
    /// The support vectors without their numbers.
    pub(super) support: Support,
    /// How sure the model is of itself (#5).
    #[serde(default)]
    pub(super) posterior: Option<Posterior>,
    /// The training rows behind support vectors (#15).
    #[serde(default)]
    pub(super) copies: Option<Copies>,
    /// How the fit went.
    pub(super) report: Report,
}

/// What a model is for; no file has one of the last two.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(rename_all = "snake_case")]
pub(super) enum Task {
    Classify,
    Regress,
    Novelty,
    Cluster,
    Embed,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::v1::kept::parsed;

    const FIRST: &str = r#"{"format_version":1,"written_by":"mercer 0.1.0","task":"regress",
        "method":"svr","target":"height","encoder":{"columns":[],"storage":"dense"},
        "kernel":"rbf(gamma=0.3)","machine":{"kind":"regressor"},
        "support":{"rows":0,"columns":0,"sparse":false,"groups":[],"codes":[],"texts":[]},
        "report":{"objective":0.0,"dual_gap":0.0,"kkt_violation":0.0,"stop_reason":"converged",
        "rows":0,"distinct_rows":0,"support_vectors":0,"iterations":0,"kernel_evaluations":0,
        "seconds":0.0,"kernel_bytes":0,"problems":[],"notes":[]}}"#;

    #[test]
    fn first_documents_have_no_later_field() {
        let found: Document = parsed(FIRST);
        assert_eq!(found.format_version, 1);
        assert_eq!(found.written_by, "mercer 0.1.0");
        assert_eq!(found.task, Task::Regress);
        assert_eq!(found.method, "svr");
        assert_eq!(found.target.as_deref(), Some("height"));
        assert_eq!(found.kernel, "rbf(gamma=0.3)");
        assert_eq!(found.machine, Machine::Regressor);
        assert_eq!((&found.id, &found.posterior), (&None, &None));
        assert_eq!((&found.copies, found.attributes.len()), (&None, 0));
    }

    #[test]
    fn later_fields_are_read() {
        let mut document: serde_json::Value = parsed(FIRST);
        document["target"] = json!(null);
        document["id"] = json!("name");
        document["attributes"] = json!({ "fixture.language": "none" });
        document["posterior"] = json!({
            "ratio": 2.0, "levels": [{ "prior": 1.0, "noise": 2.0 }], "weights": null,
            "intercept": true,
        });
        document["copies"] = json!({ "counts": [2], "rows": [4, 0] });
        let found: Document = parsed(&document.to_string());
        assert_eq!(found.target, None);
        assert_eq!(found.id.as_deref(), Some("name"));
        assert_eq!(found.attributes["fixture.language"], "none");
        assert_eq!(found.posterior.expect("a posterior").ratio, 2.0);
        assert_eq!(found.copies.expect("copies").rows, [4, 0]);
    }

    #[test]
    fn tasks_have_their_names() {
        let names = r#"["classify","regress","novelty","cluster","embed"]"#;
        let tasks: [Task; 5] = parsed(names);
        let expected = [
            Task::Classify,
            Task::Regress,
            Task::Novelty,
            Task::Cluster,
            Task::Embed,
        ];
        assert_eq!(tasks, expected);
    }
}
