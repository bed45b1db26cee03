//! Version 1 of the decisions and of what is known about them; frozen: a field is never renamed
//! or removed here.
//!
//! Their numbers are tensors:
//!
//! | tensor | type | shape |
//! |---|---|---|
//! | `coefficients` | f64 | lines × support vectors |
//! | `biases` | f64 | decisions |
//! | `sigmoids` | f64 | decisions × 2 (slope, offset), where there are `probabilities` |
//! | `left_out` | f64 | scores of held-out rows, where they are known (#5) |

use serde::Deserialize;

/// Names of the tensors.
pub(super) const COEFFICIENTS: &str = "coefficients";
pub(super) const BIASES: &str = "biases";
pub(super) const SIGMOIDS: &str = "sigmoids";
pub(super) const LEFT_OUT: &str = "left_out";

/// The kind of prediction.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Machine {
    Classifier {
        labels: Vec<String>,
        scheme: Scheme,
        class_sizes: Vec<usize>,
        probabilities: bool,
        /// Factors of the classes (#15).
        #[serde(default)]
        class_factors: Option<Vec<f64>>,
    },
    Regressor,
    Novelty,
}

/// How several classes are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(rename_all = "snake_case")]
pub(super) enum Scheme {
    OneVsOne,
    OneVsRest,
}

/// How sure a function learnt by the squared loss is of itself (#5).
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Posterior {
    /// γ = ζ/μ.
    pub(super) ratio: f64,
    pub(super) levels: Vec<Levels>,
    /// Weight of every support vector; `null` means 1 each.
    pub(super) weights: Option<Vec<f64>>,
    pub(super) intercept: bool,
}

/// μ and ζ of a decision.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Levels {
    pub(super) prior: f64,
    pub(super) noise: f64,
}

/// The training rows that each support vector stands for (#15).
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Copies {
    pub(super) counts: Vec<u32>,
    pub(super) rows: Vec<u32>,
    #[serde(default)]
    pub(super) weights: Option<Vec<f64>>,
    #[serde(default)]
    pub(super) prices: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::v1::kept::parsed;

    #[test]
    fn classifiers_tell_classes() {
        let first: Machine = parsed(
            r#"{"kind":"classifier","labels":["iris","lily"],"scheme":"one_vs_one",
            "class_sizes":[14,8],"probabilities":true}"#,
        );
        let labels = || vec!["iris".to_owned(), "lily".to_owned()];
        let expected = Machine::Classifier {
            labels: labels(),
            scheme: Scheme::OneVsOne,
            class_sizes: vec![14, 8],
            probabilities: true,
            class_factors: None,
        };
        assert_eq!(first, expected);
        let weighted: Machine = parsed(
            r#"{"kind":"classifier","labels":["iris","lily"],"scheme":"one_vs_rest",
            "class_sizes":[14,8],"probabilities":false,"class_factors":[1.0,3.5]}"#,
        );
        let expected = Machine::Classifier {
            labels: labels(),
            scheme: Scheme::OneVsRest,
            class_sizes: vec![14, 8],
            probabilities: false,
            class_factors: Some(vec![1.0, 3.5]),
        };
        assert_eq!(weighted, expected);
    }

    #[test]
    fn others_have_a_kind_only() {
        let found: [Machine; 2] = parsed(r#"[{"kind":"regressor"},{"kind":"novelty"}]"#);
        assert_eq!(found, [Machine::Regressor, Machine::Novelty]);
    }

    #[test]
    fn a_posterior_has_levels() {
        let found: Posterior = parsed(
            r#"{"ratio":25.5,"levels":[{"prior":0.5,"noise":12.75}],"weights":[1.0,2.0],
            "intercept":true}"#,
        );
        let expected = Posterior {
            ratio: 25.5,
            levels: vec![Levels {
                prior: 0.5,
                noise: 12.75,
            }],
            weights: Some(vec![1.0, 2.0]),
            intercept: true,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn copies_may_have_weights_and_prices() {
        let plain: Copies = parsed(r#"{"counts":[2,1],"rows":[4,0,3]}"#);
        let expected = Copies {
            counts: vec![2, 1],
            rows: vec![4, 0, 3],
            weights: None,
            prices: Vec::new(),
        };
        assert_eq!(plain, expected);
        let full: Copies =
            parsed(r#"{"counts":[2],"rows":[4,0],"weights":[1.0,0.5],"prices":[10.0]}"#);
        let expected = Copies {
            counts: vec![2],
            rows: vec![4, 0],
            weights: Some(vec![1.0, 0.5]),
            prices: vec![10.0],
        };
        assert_eq!(full, expected);
    }

    #[test]
    fn tensors_have_their_names() {
        let names = [COEFFICIENTS, BIASES, SIGMOIDS, LEFT_OUT];
        let expected = ["coefficients", "biases", "sigmoids", "left_out"];
        assert_eq!(names, expected);
    }
}
