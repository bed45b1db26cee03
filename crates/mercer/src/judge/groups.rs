//! Scores of groups of rows: where a model is good, and where it is not.

use std::collections::BTreeMap;

use serde::Serialize;

use super::scores::same_length;
use super::{Metrics, Truth, score};
use crate::Result;
use crate::fit::FitContext;
use crate::model::Predictions;

/// What the predictions of one group of rows are worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupScores {
    /// What the rows have in common.
    pub group: String,
    /// How many they are.
    pub rows: usize,
    /// The metrics with their intervals; those that the rows do not define are left out.
    pub metrics: Metrics,
}

/// Scores the rows of every group by themselves, the largest group first.
///
/// # Errors
/// As [`score`]; lengths that differ.
pub fn score_groups(
    predictions: &Predictions,
    truth: &Truth,
    weights: Option<&[f64]>,
    groups: &[String],
    confidence: f64,
    context: &FitContext,
) -> Result<Vec<GroupScores>> {
    same_length("the list of groups", groups.len(), predictions.len())?;
    let mut rows_of: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (row, group) in groups.iter().enumerate() {
        rows_of.entry(group).or_default().push(row);
    }
    let mut found = Vec::with_capacity(rows_of.len());
    for (group, rows) in rows_of {
        context.check()?;
        let own: Option<Vec<f64>> = weights.map(|w| rows.iter().map(|&row| w[row]).collect());
        // Rows without weight have no score.
        if own.as_ref().is_some_and(|w| w.iter().all(|w| *w == 0.0)) {
            continue;
        }
        let part = match truth {
            Truth::Targets(targets) => Truth::Targets(targets.select(&rows)),
            Truth::Novel(novel) => Truth::Novel(rows.iter().map(|&row| novel[row]).collect()),
        };
        let scores = score(
            &predictions.select(&rows),
            &part,
            &[],
            own.as_deref(),
            confidence,
            context,
        )?;
        found.push(GroupScores {
            group: group.to_owned(),
            rows: rows.len(),
            metrics: scores.metrics,
        });
    }
    found.sort_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.group.cmp(&b.group)));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;
    use crate::data::Targets;
    use crate::judge::Metric;
    use crate::model::Answers;

    #[test]
    fn every_group_is_scored_by_its_own_rows() {
        let predictions = Predictions {
            answers: Answers::Values(vec![1.0, 2.0, 3.0, 4.0, 9.0]),
            decisions: Matrix::zeros(5, 1),
            notes: Vec::new(),
        };
        let truth = Truth::Targets(Targets::Real(vec![1.0, 2.0, 3.0, 5.0, 5.0]));
        let groups = ["a", "a", "a", "b", "b"].map(str::to_owned);
        let context = FitContext::default();
        let found = score_groups(&predictions, &truth, None, &groups, 0.95, &context).unwrap();
        assert_eq!((found[0].group.as_str(), found[0].rows), ("a", 3));
        assert_eq!(found[0].metrics.of(Metric::Mae).unwrap().value, 0.0);
        assert_eq!(found[1].metrics.of(Metric::Mae).unwrap().value, 2.5);
        let few = &groups[..4];
        assert!(score_groups(&predictions, &truth, None, few, 0.95, &context).is_err());
    }
}
