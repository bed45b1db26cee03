//! Rows whose class by probabilities is another than by decisions alone.
//!
//! A sigmoid's border, P = ½, need not lie at f = 0: where classes are of unequal size or the
//! function is unsure of itself, a row with f > 0 may still belong to the other class more
//! probably. Both answers have their reasons; the report counts rows on which they differ.

use mercer_linalg::Matrix;

use super::Readout;
use crate::fit::Note;

impl Readout {
    /// Returns whether probabilities name another class for a row of decisions than their sign,
    /// the largest of them, or their votes; never so without probabilities.
    fn differs(&self, decisions: &[f64]) -> bool {
        self.classes().is_some_and(|classes| {
            classes.sigmoids.is_some()
                && classes.class(decisions) != classes.class_by_decisions(decisions)
        })
    }

    /// Tells of rows that `differs` holds for; `decisions` has a row for each of them.
    ///
    /// `what` names the rows, and `copies` how many each stands for.
    pub fn note_differing(
        &self,
        decisions: &Matrix<f64>,
        copies: Option<&[f64]>,
        what: &str,
    ) -> Option<Note> {
        let copies = |row: usize| copies.map_or(1.0, |m| m[row]);
        let rows = 0..decisions.rows();
        let differing: f64 = rows
            .clone()
            .filter(|&row| self.differs(decisions.row(row)))
            .map(copies)
            .sum();
        let total: f64 = rows.map(copies).sum();
        let brief = |number: f64| (number * 100.0).round() / 100.0;
        (differing > 0.0).then(|| {
            Note::Choice(format!(
                "{} of {} {what} get another class by their probabilities than by the sign or votes of their decisions",
                brief(differing),
                brief(total)
            ))
        })
    }
}
