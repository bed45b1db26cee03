//! A case: one method with its parameters on one data set.

use serde::{Deserialize, Serialize};

/// What the programs are asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Task {
    /// Soft-margin classification.
    Classify,
    /// Regression with a tube.
    Regress,
    /// Novelty detection.
    Novelty,
    /// A grid of parameters with cross-validation.
    Tune,
    /// Predictions one row at a time.
    Latency,
}

impl Task {
    /// The name that workers use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Task::Classify => "classify",
            Task::Regress => "regress",
            Task::Novelty => "novelty",
            Task::Tune => "tune",
            Task::Latency => "latency",
        }
    }
}

/// Cases that belong together in tables and means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Group {
    /// Classification of thousands of rows.
    Large,
    /// Regression.
    Regression,
    /// Novelty detection.
    Novelty,
    /// A hundred to two thousand rows, where overheads show.
    Small,
    /// A search over parameters.
    Tuning,
    /// One set at doubling sizes.
    Growth,
    /// Single-row predictions.
    Latency,
}

impl Group {
    /// All groups in the order of the report.
    pub(crate) const ALL: [Group; 7] = [
        Group::Large,
        Group::Regression,
        Group::Novelty,
        Group::Small,
        Group::Tuning,
        Group::Growth,
        Group::Latency,
    ];

    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Group::Large => "large",
            Group::Regression => "regression",
            Group::Novelty => "novelty",
            Group::Small => "small",
            Group::Tuning => "tuning",
            Group::Growth => "growth",
            Group::Latency => "latency",
        }
    }

    /// The heading in the report.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Group::Large => "Classification",
            Group::Regression => "Regression",
            Group::Novelty => "Novelty detection",
            Group::Small => "Small sets",
            Group::Tuning => "Tuning",
            Group::Growth => "Growth",
            Group::Latency => "Latency",
        }
    }
}

/// Method, parameters and data of one comparison.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Case {
    /// Name on the command line and in tables.
    pub(crate) name: String,
    /// Group it belongs to.
    pub(crate) group: Group,
    /// What is asked for.
    pub(crate) task: Task,
    /// Prepared data set.
    pub(crate) set: String,
    /// Training rows to use; all of them when absent.
    pub(crate) rows: Option<usize>,
    /// Regularisation parameter C.
    pub(crate) c: f64,
    /// Coefficient of the Gaussian kernel.
    pub(crate) gamma: f64,
    /// Half-width of the tube.
    pub(crate) epsilon: f64,
    /// Share of new rows.
    pub(crate) nu: f64,
}

impl Case {
    /// The parameters that matter, as text.
    pub(crate) fn parameters(&self) -> String {
        let gamma = match self.gamma.recip().round() {
            // Fractions such as 1/123 are clearer than their digits.
            whole if whole > 10.0 && (self.gamma * whole - 1.0).abs() < 1e-12 => {
                format!("1/{whole}")
            }
            _ => format!("{}", self.gamma),
        };
        match self.task {
            Task::Classify | Task::Latency => format!("C = {}, γ = {gamma}", self.c),
            Task::Regress => format!("C = {}, γ = {gamma}, ε = {}", self.c, self.epsilon),
            Task::Novelty => format!("ν = {}, γ = {gamma}", self.nu),
            Task::Tune => "10 × 10 values of C and γ, 5 folds".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cases;

    #[test]
    fn parameters_are_written_as_people_do() {
        let all = cases::all();
        let of = |name: &str| {
            all.iter()
                .find(|case| case.name == name)
                .unwrap()
                .parameters()
        };
        assert_eq!(of("a9a"), "C = 1, γ = 1/123");
        assert_eq!(of("ijcnn1"), "C = 16, γ = 1");
        assert_eq!(of("kin8nm"), "C = 10, γ = 0.1, ε = 0.1");
    }
}
