//! The threshold of a novelty detector, by rows that are marked.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::{Error, Result};

/// What a threshold is chosen by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ThresholdRule {
    /// The largest balanced accuracy; of equal ones the fewest false alarms.
    Balanced,
    /// The most novel rows found with no more than this share of known rows called novel.
    FalseAlarms(f64),
}

impl FromStr for ThresholdRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "balanced" {
            return Ok(Self::Balanced);
        }
        match text.parse::<f64>() {
            Ok(rate) if (0.0..1.0).contains(&rate) => Ok(Self::FalseAlarms(rate)),
            _ => Err(Error::setting(
                "threshold",
                text,
                "`balanced`, or a false alarm rate from 0 and below 1",
            )),
        }
    }
}

impl fmt::Display for ThresholdRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Balanced => f.write_str("balanced accuracy"),
            Self::FalseAlarms(rate) => write!(f, "a false alarm rate of at most {rate}"),
        }
    }
}

/// A threshold, and what it does to the rows that it was chosen by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ChosenThreshold {
    /// What decisions have to reach, beside 0 before.
    pub shift: f64,
    /// Share of novel rows that are found.
    pub detection_rate: f64,
    /// Share of known rows that are called novel.
    pub false_alarm_rate: f64,
}

/// Chooses the threshold of decisions, which are negative for novel rows, by marked rows.
///
/// Between two decisions any threshold does the same: it is set halfway.
///
/// # Errors
/// Rows of one kind only, lengths that differ, decisions that are not finite.
pub fn choose_threshold(
    decisions: &[f64],
    novel: &[bool],
    rule: ThresholdRule,
) -> Result<ChosenThreshold> {
    if decisions.len() != novel.len() {
        return Err(Error::Length {
            what: "the list of marks".to_owned(),
            found: novel.len(),
            expected: decisions.len(),
            unit: "rows",
        });
    }
    let count = |is: bool| novel.iter().filter(|n| **n == is).count();
    let (all_novel, all_known) = (count(true), count(false));
    if all_novel == 0 || all_known == 0 || decisions.iter().any(|d| !d.is_finite()) {
        return Err(Error::rows(
            "a threshold needs novel and known rows with finite decisions",
            "mark rows of both kinds",
        ));
    }
    let mut order: Vec<usize> = (0..decisions.len()).collect();
    order.sort_by(|&a, &b| decisions[a].total_cmp(&decisions[b]));
    let at = |place: usize| decisions[order[place]];
    // Nothing is novel below the smallest decision.
    let mut best = ChosenThreshold {
        shift: at(0),
        detection_rate: 0.0,
        false_alarm_rate: 0.0,
    };
    let (mut found, mut alarms) = (0, 0);
    for place in 0..order.len() {
        if novel[order[place]] {
            found += 1;
        } else {
            alarms += 1;
        }
        let next = (place + 1 < order.len()).then(|| at(place + 1));
        if next == Some(at(place)) {
            continue;
        }
        let candidate = ChosenThreshold {
            shift: match next {
                Some(next) => at(place) + (next - at(place)) / 2.0,
                // All are novel.
                None => at(place) + at(place).abs().max(1.0) * 1e-6,
            },
            detection_rate: found as f64 / all_novel as f64,
            false_alarm_rate: alarms as f64 / all_known as f64,
        };
        let gain = |t: &ChosenThreshold| t.detection_rate - t.false_alarm_rate;
        let is_better = match rule {
            ThresholdRule::Balanced => gain(&candidate) > gain(&best),
            ThresholdRule::FalseAlarms(rate) => {
                candidate.false_alarm_rate <= rate && candidate.detection_rate > best.detection_rate
            }
        };
        if is_better {
            best = candidate;
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECISIONS: [f64; 7] = [-3.0, -2.0, -1.0, 0.5, 1.0, 2.0, 2.0];
    const NOVEL: [bool; 7] = [true, true, false, true, false, false, false];

    #[test]
    fn thresholds_by_hand() {
        let chosen = choose_threshold(&DECISIONS, &NOVEL, ThresholdRule::Balanced).unwrap();
        assert_eq!((chosen.shift, chosen.detection_rate), (0.75, 1.0));
        assert_eq!(chosen.false_alarm_rate, 0.25);
        let strict = ThresholdRule::FalseAlarms(0.1);
        let chosen = choose_threshold(&DECISIONS, &NOVEL, strict).unwrap();
        assert_eq!((chosen.shift, chosen.false_alarm_rate), (-1.5, 0.0));
        let lenient = ThresholdRule::FalseAlarms(0.25);
        assert_eq!(
            choose_threshold(&DECISIONS, &NOVEL, lenient).unwrap().shift,
            0.75
        );
    }

    #[test]
    fn ties_stay_together_and_one_kind_is_refused() {
        let novel = [true, false, true, false];
        let tied = [1.0, 1.0, 1.0, 2.0];
        let chosen = choose_threshold(&tied, &novel, ThresholdRule::Balanced).unwrap();
        assert_eq!((chosen.shift, chosen.false_alarm_rate), (1.5, 0.5));
        assert!(choose_threshold(&tied, &[false; 4], ThresholdRule::Balanced).is_err());
        assert!(choose_threshold(&tied, &novel[..3], ThresholdRule::Balanced).is_err());
    }

    #[test]
    fn rules_are_read() {
        assert_eq!(
            "balanced".parse::<ThresholdRule>().unwrap(),
            ThresholdRule::Balanced
        );
        let rate = "0.05".parse::<ThresholdRule>().unwrap();
        assert_eq!(rate, ThresholdRule::FalseAlarms(0.05));
        assert!("1".parse::<ThresholdRule>().is_err() && "x".parse::<ThresholdRule>().is_err());
    }
}
