//! Whether the new program is slower.

use super::record::{CaseResult, Outcome};
use crate::numbers::geometric_mean;

/// By how much the new program may be slower.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub(crate) struct Limits {
    /// In the geometric mean.
    pub(crate) mean: f64,
    /// On the worst case.
    pub(crate) worst: f64,
}

/// The sum of all cases.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub(crate) struct Verdict {
    /// Cases with a ratio.
    pub(crate) measured: usize,
    /// The geometric mean of their ratios.
    pub(crate) mean: f64,
    /// The case with the largest ratio, and the ratio.
    pub(crate) worst: (String, f64),
    /// Cases with a ratio beyond the limit.
    pub(crate) slower: Vec<String>,
    /// Cases that only the old program got through.
    pub(crate) broken: Vec<String>,
    /// Cases with other results.
    pub(crate) differing: Vec<String>,
    /// Whether the new program is fast enough: every case done, the mean and the worst ratio
    /// within their limits.
    pub(crate) fast_enough: bool,
}

impl Verdict {
    /// Sums up; none when nothing was measured and nothing broke.
    pub(crate) fn of(cases: &[CaseResult], limits: Limits) -> Option<Self> {
        let names = |wanted: &dyn Fn(&CaseResult) -> bool| -> Vec<String> {
            let cases = cases.iter().filter(|case| wanted(case));
            cases.map(|case| case.name.clone()).collect()
        };
        let value = |case: &CaseResult| case.ratio.map(|ratio| ratio.value);
        let broken = names(&|case| matches!(case.outcome, Outcome::Broken(_)));
        let ratios: Vec<f64> = cases.iter().filter_map(value).collect();
        if ratios.is_empty() && broken.is_empty() {
            return None;
        }
        let mean = geometric_mean(&ratios).unwrap_or(f64::NAN);
        let worst = cases
            .iter()
            .filter_map(|case| Some((case.name.clone(), value(case)?)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or_else(|| ("none".to_owned(), f64::NAN));
        let fast_enough =
            broken.is_empty() && mean <= 1.0 + limits.mean && worst.1 <= 1.0 + limits.worst;
        Some(Self {
            measured: ratios.len(),
            mean,
            slower: names(&|case| value(case).is_some_and(|value| value > 1.0 + limits.worst)),
            worst,
            broken,
            differing: names(&|case| case.differ.is_some()),
            fast_enough,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quick::record::tests::{broken, left_out, measured};

    const LIMITS: Limits = Limits {
        mean: 0.05,
        worst: 0.10,
    };

    fn verdict(ratios: &[f64]) -> Verdict {
        let cases = ratios.iter().map(|&ratio| measured("case", ratio));
        Verdict::of(&cases.collect::<Vec<_>>(), LIMITS).unwrap()
    }

    #[test]
    fn the_mean_and_the_worst_case_have_limits() {
        assert!(verdict(&[1.0, 1.05, 0.97]).fast_enough);
        assert!(verdict(&[1.09, 1.0]).fast_enough);
        assert!(!verdict(&[1.06, 1.06]).fast_enough);
        // Many faster cases do not pay for one that is much slower.
        let one = verdict(&[1.11, 0.5, 0.5]);
        assert!(!one.fast_enough);
        assert_eq!((one.worst.1, one.slower.len()), (1.11, 1));
        assert!((one.mean - (1.11_f64 * 0.25).cbrt()).abs() < 1e-12);
        assert!(verdict(&[0.5]).fast_enough);
    }

    #[test]
    fn limits_can_be_moved() {
        let cases = [measured("a", 1.15), measured("b", 1.0)];
        let loose = Limits {
            mean: 0.10,
            worst: 0.20,
        };
        assert!(!Verdict::of(&cases, LIMITS).unwrap().fast_enough);
        assert!(Verdict::of(&cases, loose).unwrap().fast_enough);
    }

    #[test]
    fn what_broke_counts_and_what_was_left_out_does_not() {
        let cases = [measured("a", 1.0), left_out("b"), broken("c")];
        let verdict = Verdict::of(&cases, LIMITS).unwrap();
        assert_eq!((verdict.measured, verdict.fast_enough), (1, false));
        assert_eq!(verdict.broken, ["c"]);
        assert!(Verdict::of(&cases[..2], LIMITS).unwrap().fast_enough);
        assert_eq!(Verdict::of(&cases[1..2], LIMITS), None);
        assert!(!Verdict::of(&cases[2..], LIMITS).unwrap().fast_enough);
    }

    #[test]
    fn other_answers_are_told_of() {
        let mut other = measured("a", 0.5);
        other.differ = Some("kernel".to_owned());
        let verdict = Verdict::of(&[other], LIMITS).unwrap();
        assert_eq!((verdict.differing.len(), verdict.fast_enough), (1, true));
    }
}
