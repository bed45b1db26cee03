//! Rules that were made of a tree.

use serde::{Deserialize, Serialize};

/// What a condition asks of a value; a missing value meets none but the last.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleTest {
    /// A number up to this one.
    AtMost(f64),
    /// A number above this one.
    Above(f64),
    /// A category, by code.
    Is(u32),
    /// No value.
    Missing,
}

/// One condition of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RuleCondition {
    /// The column of the tree that is looked at.
    pub column: usize,
    /// What is asked.
    pub test: RuleTest,
}

/// If all conditions hold, the class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeRule {
    /// The class that is concluded.
    pub class: u32,
    /// What must hold; nothing for the rule that takes what is left.
    pub conditions: Vec<RuleCondition>,
    /// Weight of the training rows that meet all conditions.
    pub covered: f64,
    /// Weight of those that are of another class.
    pub errors: f64,
    /// Estimated share of errors on new rows.
    pub estimate: f64,
}
