//! The parameters of C4.5.

use serde::{Deserialize, Serialize};

use super::Estimate;
use crate::learn::Settings;
use crate::{Error, Result};

/// What happens to rows whose tested value is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingValues {
    /// They take every branch, in parts: as large as the shares of the rows that have a value.
    #[default]
    Fractional,
    /// They have a branch of their own, in columns where training rows lack values.
    Branch,
}

/// Which trees rules are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleMaking {
    /// Those of at most 50 leaves.
    #[default]
    Auto,
    /// All, whatever it takes.
    All,
    /// None.
    None,
}

/// C4.5: a tree of tests, each the one of largest gain ratio for the rows that come to it.
///
/// Greedily grown, then pruned by the errors that are expected on new rows. Use it where the
/// prediction must be read and checked by people, with numbers, categories and missing values mixed;
/// columns need no scaling. With n rows and d columns every level of the tree takes time in n d,
/// after sorting once. By default trees equal those of J48, the C4.5 of Weka.
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::tree::C45;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(6, 1, vec![1.0, 2.0, 3.0, 7.0, 8.0, 9.0]);
/// let y = ClassTargets::from_labels(&["a", "a", "a", "b", "b", "b"]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y))?;
/// let fitted = C45::default().fit(&data, &FitContext::default())?;
/// assert_eq!(fitted.model.nodes.leaves(), 2);
/// assert_eq!(fitted.model.nodes.thresholds[0], 3.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Quinlan, C4.5: Programs for Machine Learning, 1993; Quinlan, Improved use of continuous
/// attributes in C4.5, 1996.
#[expect(
    clippy::struct_excessive_bools,
    reason = "every switch is a setting of its own"
)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct C45 {
    /// Confidence factor of pruning, at most 0.5: smaller ones prune more.
    #[setting(share, search(smaller, Log(0.02, 0.4, 5)))]
    pub confidence: f64,
    /// Weight of rows that at least two branches of a test must have.
    #[setting(count)]
    pub min_rows: usize,
    /// Most tests below each other.
    #[serde(default)]
    #[setting(count)]
    pub max_depth: Option<usize>,
    /// Whether the tree is pruned by expected errors.
    #[setting(switch, off = "no-prune")]
    pub prune: bool,
    /// Whether the largest branch may stand for its parent where that is expected to err less.
    #[setting(switch, off = "no-raising")]
    pub raising: bool,
    /// How expected errors are computed: normal approximation (C4.5, J48) or exact binomial.
    #[serde(default)]
    #[setting(words("normal", "exact"))]
    pub estimate: Estimate,
    /// Whether thresholds are charged for being chosen among many, and need sides that are not tiny.
    #[setting(switch, off = "no-correction")]
    pub correction: bool,
    /// Rows with a missing value: in parts down every branch, or down a branch of their own.
    #[serde(default)]
    #[setting(words("fractional", "branch"), flag = "missing-values")]
    pub missing: MissingValues,
    /// Whether one row is added to every class of a leaf, as J48 does on request; one row in all where it is not.
    #[serde(default)]
    #[setting(switch)]
    pub laplace: bool,
    /// Which trees rules are made of: those with at most 50 leaves, all, or none.
    #[serde(default)]
    #[setting(words("auto", "all", "none"))]
    pub rules: RuleMaking,
}

impl Default for C45 {
    fn default() -> Self {
        Self {
            confidence: 0.25,
            min_rows: 2,
            max_depth: None,
            prune: true,
            raising: true,
            estimate: Estimate::Normal,
            correction: true,
            missing: MissingValues::Fractional,
            laplace: false,
            rules: RuleMaking::Auto,
        }
    }
}

impl C45 {
    /// Checks every setting.
    pub(super) fn check_all(&self) -> Result<()> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        if self.confidence > 0.5 && errors.is_empty() {
            let rule = "above 0 and at most 0.5";
            errors.push(Error::setting("confidence", self.confidence, rule));
        }
        Error::collect(errors)
    }
}
