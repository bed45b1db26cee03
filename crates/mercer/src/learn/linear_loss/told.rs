//! What the shape of rows and weights gives reason to tell.

use mercer_linalg::Matrix;

use crate::fit::Note;

/// What keeps weights small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Squares.
    Squares,
    /// Absolute values, which make weights zero.
    AbsoluteValues,
    /// Nothing.
    Nothing,
}

/// Counts weights that are not zero where a penalty makes others so, and parameters where rows are fewer.
pub(super) fn counts(weights: &Matrix<f64>, rows: usize, constant: bool, kept: Kept) -> Vec<Note> {
    let mut notes = Vec::new();
    let all = weights.as_slice();
    if kept == Kept::AbsoluteValues {
        let nonzero = all.iter().filter(|w| **w != 0.0).count();
        notes.push(Note::Choice(format!(
            "{nonzero} of {} weights are not zero",
            all.len()
        )));
    }
    let parameters = weights.columns() + usize::from(constant);
    if rows < parameters {
        let few = format!("there are {rows} rows for {parameters} parameters");
        notes.push(match kept {
            Kept::Nothing => Note::Alert(format!(
                "{few}: many weights are right about all of them; a penalty or fewer columns would help"
            )),
            _ => Note::Choice(format!(
                "{few}: the penalty decides among many weights that fit"
            )),
        });
    }
    notes
}
