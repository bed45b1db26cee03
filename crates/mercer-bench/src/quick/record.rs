//! The comparison in numbers.

use serde::Serialize;

use super::answer::Answer;
use super::case::Case;
use super::child::Trouble;
use super::race::Entry;
use super::sample::{Ratio, Times};
use super::stage::Heard;
use super::verdict::{Limits, Verdict};
use super::{Both, Side};

/// How a case went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "outcome", content = "reason")]
pub(crate) enum Outcome {
    /// Both programs ran.
    Measured,
    /// There is nothing to compare with: no data, no time, or the old program failed.
    LeftOut(String),
    /// The new program failed where the old one did not.
    Broken(String),
}

/// A case with everything that was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct CaseResult {
    /// Its name.
    pub(crate) name: String,
    /// What was timed.
    pub(crate) command: String,
    /// How it went.
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
    /// Seconds of all runs.
    pub(crate) seconds: Both<Times>,
    /// The new program's time as a multiple of the old one's.
    pub(crate) ratio: Option<Ratio>,
    /// The first difference between the results, or between those of two runs of one program.
    pub(crate) differ: Option<String>,
    /// The results.
    pub(crate) answers: Both<Option<Answer>>,
}

/// The whole comparison.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Record {
    /// When it ended.
    pub(crate) date: String,
    /// The programs.
    pub(crate) programs: Both<String>,
    /// Share of the time in which something waited for a core; none where the system does not
    /// tell.
    pub(crate) contention: Option<f64>,
    /// Cores this process may use.
    pub(crate) cores: usize,
    /// Seconds it took.
    pub(crate) seconds: f64,
    /// By how much the new program may be slower.
    pub(crate) limits: Limits,
    /// The cases.
    pub(crate) cases: Vec<CaseResult>,
    /// The sum of it.
    pub(crate) verdict: Option<Verdict>,
}

impl CaseResult {
    /// A case that nothing was measured of.
    pub(crate) fn left_out(case: &Case, reason: String) -> Self {
        Self {
            name: case.name.to_owned(),
            command: case.command.to_owned(),
            outcome: Outcome::LeftOut(reason),
            seconds: Both::default(),
            ratio: None,
            differ: None,
            answers: Both::default(),
        }
    }

    /// A case that was raced.
    pub(crate) fn of(case: &Case, entry: Entry, heard: &Both<Heard>) -> Self {
        let ratio = entry.ratio();
        let outcome = match entry.trouble {
            None => Outcome::Measured,
            Some((_, Trouble::NoTime)) if ratio.is_some() => Outcome::Measured,
            Some((_, Trouble::NoTime)) => Outcome::LeftOut(Trouble::NoTime.text()),
            Some((Side::Old, trouble)) => {
                Outcome::LeftOut(format!("the old program {}", trouble.text()))
            }
            Some((Side::New, trouble)) => Outcome::Broken(trouble.text()),
        };
        let answers = Both {
            old: heard.old.whole(),
            new: heard.new.whole(),
        };
        let unsteady = Side::BOTH.iter().find_map(|&side| {
            let change = heard.of(side).change.as_ref()?;
            Some(format!(
                "from run to run of the {} one: {change}",
                side.name()
            ))
        });
        let differ = match (&answers.old, &answers.new) {
            (Some(old), Some(new)) => unsteady.or_else(|| old.difference(new)),
            _ => None,
        };
        Self {
            outcome,
            seconds: entry.times,
            ratio,
            differ,
            answers,
            ..Self::left_out(case, String::new())
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A case with this ratio.
    pub(crate) fn measured(name: &'static str, value: f64) -> CaseResult {
        let seconds = Both {
            old: Times(vec![1.0, 1.1, 1.02, 1.03]),
            new: Times([1.01, 1.0, 1.2, 1.05].map(|time| time * value).to_vec()),
        };
        CaseResult {
            outcome: Outcome::Measured,
            ratio: Ratio::of(&seconds),
            seconds,
            ..left_out(name)
        }
    }

    /// A case without data.
    pub(crate) fn left_out(name: &'static str) -> CaseResult {
        CaseResult::left_out(&Case::new(name, "fit set:x.csv"), "no data".to_owned())
    }

    /// A case that the new program fails on.
    pub(crate) fn broken(name: &'static str) -> CaseResult {
        CaseResult {
            outcome: Outcome::Broken("failed: why".to_owned()),
            ..left_out(name)
        }
    }

    #[test]
    fn troubles_are_laid_at_the_right_door() {
        let case = Case::new("x", "fit set:x.csv");
        let outcome = |trouble, times: Both<Times>| {
            let mut entry = Entry::default();
            entry.times = times;
            entry.trouble = trouble;
            CaseResult::of(&case, entry, &Both::default()).outcome
        };
        let some = || Both {
            old: Times(vec![1.0]),
            new: Times(vec![1.0]),
        };
        assert_eq!(outcome(None, some()), Outcome::Measured);
        let over = Some((Side::New, Trouble::NoTime));
        assert_eq!(outcome(over.clone(), some()), Outcome::Measured);
        assert!(matches!(
            outcome(over, Both::default()),
            Outcome::LeftOut(_)
        ));
        let slow = |side| Some((side, Trouble::Slow(3.0)));
        let old = outcome(slow(Side::Old), some());
        let text = "the old program stopped after 3.0 s".to_owned();
        assert_eq!(old, Outcome::LeftOut(text));
        let new = outcome(slow(Side::New), some());
        assert_eq!(new, Outcome::Broken("stopped after 3.0 s".to_owned()));
    }

    #[test]
    fn the_record_is_flat() {
        let json = serde_json::to_value(measured("a", 1.5)).unwrap();
        assert_eq!(json["outcome"], "measured");
        assert_eq!(json["seconds"]["old"][0], 1.0);
        assert_eq!(json["ratio"]["value"], 1.5);
        let json = serde_json::to_value(left_out("a")).unwrap();
        assert_eq!(
            (&json["outcome"], &json["reason"]),
            (&"left_out".into(), &"no data".into())
        );
    }
}
