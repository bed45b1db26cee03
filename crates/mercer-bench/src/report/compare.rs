//! Ratios of a peer's time to mercer's.

use crate::case::Group;
use crate::numbers::geometric_mean;
use crate::record::{CaseResult, Outcome, Results, Run};
use crate::verdict::worse;

/// What is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Fitting, or searching.
    Fit,
    /// Predicting.
    Predict,
}

impl Work {
    /// Median seconds of a run.
    pub(crate) fn seconds(self, run: &Run) -> Option<f64> {
        match self {
            Work::Fit => run.fit_seconds(),
            Work::Predict => run.predict_seconds(),
        }
    }
}

/// A peer's time as a multiple of mercer's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ratio {
    /// The multiple.
    pub(crate) value: f64,
    /// Whether the peer was stopped, so that the true ratio is larger.
    pub(crate) at_least: bool,
}

/// The ratio of a peer on a case, when both were measured.
pub(crate) fn ratio(case: &CaseResult, peer: &str, threads: usize, work: Work) -> Option<Ratio> {
    let own = work.seconds(case.run("mercer", threads)?)?;
    let run = case.run(peer, threads)?;
    match (work.seconds(run), &run.outcome, work) {
        (Some(theirs), _, _) => Some(Ratio {
            value: theirs / own,
            at_least: false,
        }),
        (None, Outcome::TimeLimit(limit), Work::Fit) => Some(Ratio {
            value: limit / own,
            at_least: true,
        }),
        _ => None,
    }
}

/// The geometric mean of a peer's ratios over the cases of some groups, and their number. A
/// peer that was stopped counts with the time at which it was.
pub(crate) fn mean(
    results: &Results,
    groups: &[Group],
    peer: &str,
    threads: usize,
    work: Work,
) -> Option<(Ratio, usize)> {
    let ratios: Vec<Ratio> = results
        .cases
        .iter()
        .filter(|case| groups.contains(&case.case.group))
        .filter_map(|case| ratio(case, peer, threads, work))
        .collect();
    let values: Vec<f64> = ratios.iter().map(|ratio| ratio.value).collect();
    let mean = Ratio {
        value: geometric_mean(&values)?,
        at_least: ratios.iter().any(|ratio| ratio.at_least),
    };
    Some((mean, values.len()))
}

/// Why mercer's result is worse than a peer's, if it is.
pub(crate) fn mercer_worse(case: &CaseResult, peer: &str, threads: usize) -> Option<String> {
    let own = case.run("mercer", threads)?.quality.as_ref()?;
    worse(own, case.run(peer, threads)?.quality.as_ref()?)
}

/// Why a peer's result is worse than mercer's, if it is.
pub(crate) fn peer_worse(case: &CaseResult, peer: &str, threads: usize) -> Option<String> {
    let own = case.run("mercer", threads)?.quality.as_ref()?;
    worse(case.run(peer, threads)?.quality.as_ref()?, own)
}

/// The peers with at least one run, in their usual order, without mercer.
pub(crate) fn present(results: &Results) -> Vec<&'static str> {
    let known = crate::peer::PEERS.iter().filter(|peer| !peer.is_mercer());
    known
        .map(|peer| peer.name)
        .filter(|name| {
            let mut runs = results.cases.iter().flat_map(|case| &case.runs);
            runs.any(|run| run.peer == *name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::example;

    #[test]
    fn ratios_are_of_medians() {
        let results = example();
        let a9a = &results.cases[0];
        let fit = ratio(a9a, "libsvm", 2, Work::Fit).unwrap();
        assert_eq!((fit.value, fit.at_least), (20.0, false));
        assert_eq!(ratio(a9a, "libsvm", 1, Work::Fit).unwrap().value, 10.0);
        assert_eq!(ratio(a9a, "libsvm", 2, Work::Predict).unwrap().value, 10.0);
        let stopped = ratio(a9a, "linfa", 2, Work::Fit).unwrap();
        assert_eq!((stopped.value, stopped.at_least), (300.0, true));
        assert_eq!(ratio(a9a, "linfa", 2, Work::Predict), None);
        assert_eq!(ratio(a9a, "intelex", 2, Work::Fit), None);
    }

    #[test]
    fn means_over_groups() {
        let results = example();
        let groups = [Group::Large, Group::Small];
        let (mean, count) = mean(&results, &groups, "libsvm", 2, Work::Fit).unwrap();
        assert_eq!(count, 2);
        assert!((mean.value - 40_f64.sqrt()).abs() < 1e-12);
        assert_eq!(present(&results), ["libsvm", "linfa"]);
    }

    #[test]
    fn equal_answers_are_not_worse() {
        let results = example();
        assert_eq!(mercer_worse(&results.cases[0], "libsvm", 2), None);
        assert_eq!(peer_worse(&results.cases[0], "linfa", 2), None);
    }
}
