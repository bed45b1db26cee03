//! mercer and a peer on the splits that both have.

use super::record::{Account, Record};
use super::statistics::Estimate;
use crate::numbers::thousands;

/// The common splits of mercer and a peer on a set.
pub(crate) struct Comparison<'a> {
    /// The set.
    pub(crate) set: &'a str,
    /// mercer's record and the peer's, a pair per split; at least one.
    pub(crate) pairs: Vec<(&'a Record, &'a Record)>,
    cores: f64,
}

/// One measure of both programs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Compared {
    /// mercer's.
    pub(crate) own: Estimate,
    /// The peer's.
    pub(crate) theirs: Estimate,
    /// Split by split, mercer's minus the peer's.
    pub(crate) difference: Estimate,
}

impl<'a> Comparison<'a> {
    /// The sets, of classes or of numbers, on which both have finished a split.
    pub(crate) fn all(records: &'a Account, classify: bool, peer: &str) -> Vec<Self> {
        records
            .sets(classify)
            .into_iter()
            .map(|set| Self {
                set,
                pairs: records.pairs(set, peer),
                cores: records.machine.cores.max(1) as f64,
            })
            .filter(|comparison| !comparison.pairs.is_empty())
            .collect()
    }

    /// A measure of both; none when either lacks it.
    pub(crate) fn compared(&self, measure: &str) -> Option<Compared> {
        let values: Vec<(f64, f64)> = self
            .pairs
            .iter()
            .filter_map(|(own, theirs)| Some((own.measure(measure)?, theirs.measure(measure)?)))
            .collect();
        let of = |part: fn(&(f64, f64)) -> f64| {
            Estimate::of(&values.iter().map(part).collect::<Vec<_>>())
        };
        Some(Compared {
            own: of(|pair| pair.0)?,
            theirs: of(|pair| pair.1)?,
            difference: of(|pair| pair.0 - pair.1)?,
        })
    }

    /// Mean seconds of mercer's fit.
    pub(crate) fn own_seconds(&self) -> f64 {
        let total: f64 = self
            .pairs
            .iter()
            .map(|(own, _)| own.time("fit").seconds)
            .sum();
        total / self.pairs.len() as f64
    }

    /// Mean seconds of a part of the peer's work, on all cores.
    pub(crate) fn their_seconds(&self, part: &str) -> f64 {
        let total: f64 = self
            .pairs
            .iter()
            .map(|(_, theirs)| theirs.time(part).processor)
            .sum();
        total / self.cores / self.pairs.len() as f64
    }

    /// Name, rows, columns and classes of the set.
    pub(crate) fn title(&self) -> String {
        let about = self.pairs[0].0;
        let classes = match about.classes {
            0 => String::new(),
            some => format!(", {some} classes"),
        };
        let rows = thousands(about.rows);
        format!("{}: {rows} × {}{classes}", self.set, about.columns)
    }
}

/// The mean of a measure over sets, each with the same weight.
pub(crate) fn over_sets(comparisons: &[Comparison<'_>], measure: &str) -> Option<Compared> {
    let found: Vec<Compared> = comparisons
        .iter()
        .filter_map(|comparison| comparison.compared(measure))
        .collect();
    let average = |part: fn(&Compared) -> Estimate| {
        Estimate::average(&found.iter().map(part).collect::<Vec<_>>())
    };
    Some(Compared {
        own: average(|one| one.own)?,
        theirs: average(|one| one.theirs)?,
        difference: average(|one| one.difference)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::{example, record};
    use super::*;

    #[test]
    fn sets_have_equal_weights() {
        let mut records = example();
        records.merge(vec![
            record("glass", 0, "mercer", &[("accuracy", 0.7)]),
            record("glass", 0, "grid_svc", &[("accuracy", 0.8)]),
        ]);
        let comparisons = Comparison::all(&records, true, "grid_svc");
        let mean = over_sets(&comparisons, "accuracy").unwrap();
        assert!((mean.own.mean - f64::midpoint(0.7, 0.915)).abs() < 1e-12);
        assert!((mean.difference.mean - f64::midpoint(-0.1, 0.01)).abs() < 1e-12);
        // One split says nothing of its error, nor does a mean with it.
        assert_eq!(mean.difference.error, None);
        assert_eq!(
            over_sets(&comparisons, "nrmse").map(|one| one.own.mean),
            None
        );
    }

    #[test]
    fn peers_are_granted_all_cores() {
        let account = example();
        let comparisons = Comparison::all(&account, true, "grid_svc");
        let cores = account.machine.cores as f64;
        assert_eq!(comparisons[0].own_seconds(), 0.5);
        assert_eq!(comparisons[0].their_seconds("fit"), 10.0 / cores);
        assert_eq!(comparisons[0].their_seconds("platt"), 1.0 / cores);
        assert_eq!(comparisons[0].title(), "sonar: 300 × 4, 2 classes");
    }
}
