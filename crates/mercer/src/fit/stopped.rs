//! What to tell of a solver that ended before its solution was the best.

use super::note::Note;
use super::stop_reason::StopReason;

/// Rounding ends a solver at about this share of the objective; what is left then changes no prediction.
/// It is the tolerance that linear methods have unless another is given.
const ROUNDING: f64 = 1e-6;

impl StopReason {
    /// Returns what brings a solver further that ended like this, as an imperative.
    pub fn advice(self) -> Option<&'static str> {
        match self {
            Self::Converged | Self::Cancelled => None,
            Self::IterationLimit => {
                Some("allow more iterations, or scale the columns to like size around zero")
            }
            Self::TimeLimit => Some("allow more time, or scale the columns"),
            Self::MemoryLimit => Some("allow more memory"),
            Self::Stalled => Some(
                "scale the columns to like size around zero: rounding hides every further step",
            ),
            Self::NotSeparable => Some("give a finite C"),
            Self::Diverged => Some("take shorter steps"),
        }
    }

    /// Returns the alerts of a solver that ended like this: none where it converged. `what` is what
    /// may be wrong with the solution.
    pub(crate) fn alerts(self, what: &str) -> Vec<Note> {
        if self == Self::Converged {
            return Vec::new();
        }
        let advice = self.advice().map(|advice| format!("; {advice}"));
        let mut notes = vec![Note::Alert(format!(
            "not converged ({self}): {what}{}",
            advice.unwrap_or_default()
        ))];
        if self == Self::TimeLimit {
            notes.push(Note::Alert(
                "the time limit decided when to stop: another run may give another result"
                    .to_owned(),
            ));
        }
        notes
    }

    /// The same for a solver that knows how far its objective may be above the least value. One that
    /// rounding ended next to it is no reason for care, and says so.
    pub(crate) fn notes_of_gap(self, objective: f64, gap: f64) -> Vec<Note> {
        let share = gap / objective;
        if self == Self::Stalled && share <= ROUNDING {
            return vec![Note::Choice(format!(
                "no step improves the answer at this precision: the objective is at most {share:.1e} of \
                 itself above its least value"
            ))];
        }
        // Without a bound there is no share to tell of; a gap of several objectives tells nothing.
        if share.is_finite() && share < 1.0 {
            self.alerts(&format!(
                "the objective may be {:.2} % above its least value",
                100.0 * share
            ))
        } else {
            self.alerts("the solution may be far from the optimum")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ended_early_is_told_with_what_to_do() {
        assert!(StopReason::Converged.alerts("x").is_empty());
        let told = StopReason::IterationLimit.alerts("the weights may be off");
        let [Note::Alert(text)] = &told[..] else {
            panic!("{told:?}")
        };
        assert!(text.starts_with("not converged (iteration_limit): the weights may be off; "));
        assert!(text.contains("more iterations"));
        assert_eq!(StopReason::TimeLimit.alerts("x").len(), 2);
    }

    #[test]
    fn rounding_next_to_the_optimum_is_no_reason_for_care() {
        let near = StopReason::Stalled.notes_of_gap(10.0, 1e-9);
        assert!(!near.is_empty() && near.iter().all(|note| !note.is_alert()));
        for (objective, gap) in [(10.0, 1.0), (10.0, f64::NAN), (0.0, 1.0), (1.0, 5.0)] {
            let far = StopReason::Stalled.notes_of_gap(objective, gap);
            assert!(far.iter().any(Note::is_alert), "{objective} {gap}");
        }
        let limited = StopReason::IterationLimit.notes_of_gap(10.0, 1e-9);
        assert!(limited.iter().any(Note::is_alert));
        assert!(StopReason::Converged.notes_of_gap(10.0, 1e-9).is_empty());
    }
}
