//! Scores: values of metrics, each with its confidence interval.

use serde::{Serialize, Serializer};

use super::resample::bootstrap;
use super::{ConfusionMatrix, Interval, Metric};
use crate::fit::FitContext;
use crate::{Error, Result};

/// The value of a metric with the range that holds the true one.
///
/// An end that nothing bounds is infinite; JSON writes it as `null`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// The value on the rows at hand.
    pub value: f64,
    /// Lower end of the confidence interval.
    pub low: f64,
    /// Upper end of the confidence interval.
    pub high: f64,
}

impl Score {
    fn new(value: f64, interval: Interval) -> Self {
        Self {
            value,
            low: interval.low,
            high: interval.high,
        }
    }
}

/// Metrics with their scores, most important first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metrics(Vec<(Metric, Score)>);

impl Metrics {
    /// Returns the score by a metric.
    pub fn of(&self, metric: Metric) -> Option<&Score> {
        let mut scores = self.0.iter();
        scores.find(|(m, _)| *m == metric).map(|(_, score)| score)
    }

    /// Returns the score by a metric's name.
    pub fn get(&self, name: &str) -> Option<&Score> {
        self.of(name.parse().ok()?)
    }

    /// Returns metrics and scores in order.
    pub fn iter(&self) -> impl Iterator<Item = (Metric, &Score)> {
        self.0.iter().map(|(metric, score)| (*metric, score))
    }

    /// Adds a score unless its value is undefined.
    /// Returns these metrics with others behind them.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    pub(super) fn push(&mut self, metric: Metric, value: f64, interval: Interval) {
        if !value.is_nan() {
            self.0.push((metric, Score::new(value, interval)));
        }
    }
}

impl Serialize for Metrics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(metric, score)| (metric.name(), score)))
    }
}

/// What a set of predictions is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// The metrics with their intervals.
    pub metrics: Metrics,
    /// The probability with which each interval holds its true value.
    pub confidence: f64,
    /// Rows scored.
    pub rows: usize,
    /// Which class was taken for which, where there are classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confusion: Option<ConfusionMatrix>,
    /// Every output by itself, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<OutputScores>,
}

/// What the predictions of one of several outputs are worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutputScores {
    /// The output's name.
    pub name: String,
    /// The metrics with their intervals.
    pub metrics: Metrics,
}

/// Adds metrics whose intervals are bootstrapped; one row bounds nothing but the range.
pub(super) fn push_bootstrapped(
    found: &mut Metrics,
    metrics: &[(Metric, Interval)],
    weights: Option<&[f64]>,
    rows: usize,
    confidence: f64,
    context: &FitContext,
    statistic: impl Fn(&[f64]) -> Vec<f64> + Sync,
) -> Result<()> {
    let base = weights.map_or_else(|| vec![1.0; rows], <[f64]>::to_vec);
    let estimates = statistic(&base);
    if estimates.is_empty() {
        return Ok(());
    }
    let ends = if base.iter().filter(|&&w| w > 0.0).count() < 2 {
        metrics.iter().map(|(_, range)| *range).collect()
    } else {
        bootstrap(rows, &estimates, confidence, context, |counts| {
            let product: Vec<f64> = counts.iter().zip(&base).map(|(c, w)| c * w).collect();
            statistic(&product)
        })?
    };
    for (((metric, range), &value), end) in metrics.iter().zip(&estimates).zip(ends) {
        let cut = Interval {
            low: end.low.max(range.low),
            high: end.high.min(range.high),
        };
        found.push(*metric, value, cut);
    }
    Ok(())
}

pub(super) fn check(rows: usize, weights: Option<&[f64]>, confidence: f64) -> Result<()> {
    if !(confidence > 0.0 && confidence < 1.0) {
        let rule = "between 0 and 1, both excluded";
        return Err(Error::setting("confidence", confidence, rule));
    }
    if rows == 0 {
        return Err(Error::rows(
            "there are no rows to score",
            "give rows whose target is known",
        ));
    }
    let Some(weights) = weights else {
        return Ok(());
    };
    same_length("the weight column", weights.len(), rows)?;
    if let Some(row) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
        return Err(Error::rows(
            format!("row {} has weight `{}`", row + 1, weights[row]),
            "weights must be finite and not negative",
        ));
    }
    if weights.iter().all(|&w| w == 0.0) {
        return Err(Error::rows(
            "every row has weight 0",
            "give at least one row a positive weight",
        ));
    }
    Ok(())
}

pub(super) fn same_length(what: &str, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::Length {
        what: what.to_owned(),
        found,
        expected,
        unit: "rows",
    })
}

pub(super) fn finite(
    what: &str,
    mut values: impl Iterator<Item = f64>,
    per_row: usize,
) -> Result<()> {
    match values.position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(index) => Err(Error::rows(
            format!(
                "{what} of row {} is not a finite number",
                index / per_row.max(1) + 1
            ),
            "drop the row or correct its value",
        )),
    }
}
