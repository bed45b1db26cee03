//! Whether probabilities come true.
//!
//! Predictions are sorted into bins of equal width. In a calibrated bin the share of rows in
//! which the class happened is the mean of the probabilities.

use serde::{Deserialize, Serialize};

use super::record::Account;

/// The predictions within a bin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "(u64, f64, u64)", into = "(u64, f64, u64)")]
pub(crate) struct Bin {
    /// How many there are.
    pub(crate) rows: u64,
    /// The sum of their probabilities.
    pub(crate) sum: f64,
    /// In how many of them the class happened.
    pub(crate) happened: u64,
}

impl From<(u64, f64, u64)> for Bin {
    fn from((rows, sum, happened): (u64, f64, u64)) -> Self {
        Self {
            rows,
            sum,
            happened,
        }
    }
}

impl From<Bin> for (u64, f64, u64) {
    fn from(bin: Bin) -> Self {
        (bin.rows, bin.sum, bin.happened)
    }
}

impl Bin {
    /// The mean probability; none of an empty bin.
    pub(crate) fn predicted(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.sum / self.rows as f64)
    }

    /// The share of rows in which the class happened; none of an empty bin.
    pub(crate) fn observed(&self) -> Option<f64> {
        (self.rows > 0).then(|| self.happened as f64 / self.rows as f64)
    }

    /// The standard error of that share, √(p (1 − p) / n). Successes and failures are taken one
    /// more each (Laplace's rule), so that a bin where all happened is not certain.
    pub(crate) fn error(&self) -> f64 {
        let share = (self.happened as f64 + 1.0) / (self.rows as f64 + 2.0);
        (share * (1.0 - share) / (self.rows as f64 + 2.0)).sqrt()
    }
}

/// The bins of mercer and of a peer over all sets of two classes, common splits only.
pub(crate) fn pooled(records: &Account, peer: &str) -> (Vec<Bin>, Vec<Bin>) {
    let (mut own, mut theirs) = (Vec::new(), Vec::new());
    for set in records.sets(true) {
        for (ours, other) in records.pairs(set, peer) {
            if let (Some(left), Some(right)) = (&ours.bins, &other.bins) {
                add(&mut own, left);
                add(&mut theirs, right);
            }
        }
    }
    (own, theirs)
}

fn add(total: &mut Vec<Bin>, more: &[Bin]) {
    if total.len() < more.len() {
        total.resize(more.len(), Bin::default());
    }
    for (bin, part) in total.iter_mut().zip(more) {
        bin.rows += part.rows;
        bin.sum += part.sum;
        bin.happened += part.happened;
    }
}

/// The expected calibration error: Σ n_b |observed_b − predicted_b| / n; none of nothing.
pub(crate) fn calibration_error(bins: &[Bin]) -> Option<f64> {
    let rows: u64 = bins.iter().map(|bin| bin.rows).sum();
    let gaps: f64 = bins
        .iter()
        .map(|bin| (bin.happened as f64 - bin.sum).abs())
        .sum();
    (rows > 0).then(|| gaps / rows as f64)
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::example;
    use super::*;

    #[test]
    fn shares_and_means() {
        let bin = Bin::from((4, 1.0, 3));
        assert_eq!(bin.predicted(), Some(0.25));
        assert_eq!(bin.observed(), Some(0.75));
        let empty = Bin::default();
        assert_eq!((empty.predicted(), empty.observed()), (None, None));
        // Of 98 rows all: 99/100, √(0.99 · 0.01 / 100).
        let all = Bin::from((98, 97.0, 98));
        assert!((all.error() - 0.0099_f64.sqrt() / 10.0).abs() < 1e-15);
    }

    #[test]
    fn the_error_weighs_bins_by_rows() {
        let bins = [Bin::from((60, 12.0, 15)), Bin::from((40, 32.0, 30))];
        // Gaps of 3 and 2 rows in 100.
        assert!((calibration_error(&bins).unwrap() - 0.05).abs() < 1e-15);
        assert_eq!(calibration_error(&[]), None);
        assert_eq!(calibration_error(&[Bin::default()]), None);
    }

    #[test]
    fn pools_have_common_splits_only() {
        let (own, theirs) = pooled(&example(), "grid_svc");
        assert_eq!(own[0], Bin::from((120, 24.0, 30)));
        assert_eq!(own, theirs);
        assert!(pooled(&example(), "gpr").0.is_empty());
    }
}
