//! The account of one quadratic problem.

use mercer_linalg::Precision;
use serde::{Deserialize, Serialize};

use super::slack::SlackReport;
use super::stop_reason::StopReason;

/// One quadratic problem of a fit: a class pair, a class against the rest, a regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProblemReport {
    /// What was solved, such as `setosa against versicolor`.
    pub name: String,
    /// Rows in the problem, after equal rows were merged.
    pub rows: usize,
    /// Value of the primal objective at the solution.
    pub primal: f64,
    /// Value of the dual objective; the optimum lies between it and the primal.
    pub dual: f64,
    /// Largest KKT violation over all rows, from the exact gradient.
    pub kkt_violation: f64,
    /// Norm of the weight vector in feature space.
    pub norm: f64,
    /// Geometric margin 1/‖w‖ (for classification).
    pub margin: Option<f64>,
    /// The constant added to the decision.
    pub bias: f64,
    /// Support vectors strictly inside their box: they lie on the margin.
    pub free_support_vectors: usize,
    /// Support vectors at their bound: they lie inside the margin or beyond.
    pub bounded_support_vectors: usize,
    /// Rows on the margin whose multiplier is zero.
    pub on_margin_without_weight: usize,
    /// Solver steps.
    pub iterations: u64,
    /// Kernel values computed.
    pub kernel_evaluations: u64,
    /// Why the solver stopped.
    pub stop_reason: StopReason,
    /// Precision of the kernel values.
    #[serde(with = "precision_name")]
    pub precision: Precision,
    /// How the rows lie about the margin, for classification with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slack: Option<SlackReport>,
}

impl ProblemReport {
    /// Returns primal minus dual objective: how far the solution can be from the optimum.
    pub fn gap(&self) -> f64 {
        (self.primal - self.dual).max(0.0)
    }
}

mod precision_name {
    //! Stores a precision by its name.

    use mercer_linalg::Precision;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    pub(super) fn serialize<S: Serializer>(p: &Precision, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(match p {
            Precision::F32 => "f32",
            Precision::F64 => "f64",
        })
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Precision, D::Error> {
        match String::deserialize(d)?.as_str() {
            "f32" => Ok(Precision::F32),
            "f64" => Ok(Precision::F64),
            other => Err(serde::de::Error::unknown_variant(other, &["f32", "f64"])),
        }
    }
}
