//! Rows whose class by probabilities is another than by decisions alone.
//!
//! A sigmoid's border, P = ½, need not lie at f = 0: where classes are of unequal size or the
//! function is unsure of itself, a row with f > 0 may still belong to the other class more
//! probably. Both predictions have their reasons; the report counts rows on which they differ.

use mercer_linalg::Matrix;

use super::Readout;
use crate::fit::Note;

impl Readout {
    /// Returns how many rows have another class by their probabilities than by the sign of their
    /// decisions, the largest of them, or their votes; `None` without probabilities that could tell
    /// otherwise.
    ///
    /// `decisions` has a row for each, and `copies` says how many it stands for.
    pub fn differing(&self, decisions: &Matrix<f64>, copies: Option<&[f64]>) -> Option<f64> {
        let classes = self.classes().filter(|c| c.sigmoids.is_some())?;
        let differs = |row: &usize| {
            let own = decisions.row(*row);
            classes.class(own) != classes.class_by_decisions(own)
        };
        let rows = (0..decisions.rows()).filter(differs);
        Some(rows.map(|row| copies.map_or(1.0, |m| m[row])).sum())
    }

    /// The same of rows whose classes are known by their codes.
    pub fn differing_codes(&self, codes: &[u32], decisions: &Matrix<f64>) -> Option<usize> {
        let classes = self.classes().filter(|c| c.sigmoids.is_some())?;
        let rows = codes.iter().enumerate();
        let differs =
            |(row, code): &(usize, &u32)| classes.class_by_decisions(decisions.row(*row)) != **code;
        Some(rows.filter(differs).count())
    }
}

impl Note {
    /// Tells of rows that [`Readout::differing`] counts, `of` so many; `what` names them. Nothing where
    /// there are none.
    pub fn of_differing(differing: f64, of: f64, what: &str) -> Option<Self> {
        let brief = |number: f64| (number * 100.0).round() / 100.0;
        (differing > 0.0).then(|| {
            Self::Choice(format!(
                "{} of {} {what} get another class by their probabilities than by the sign or votes of their decisions",
                brief(differing),
                brief(of)
            ))
        })
    }
}
