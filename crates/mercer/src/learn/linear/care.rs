//! Reasons for care that lie in the rows: dependent columns, too few rows.

use super::LinearSolution;
use crate::data::Records;
use crate::fit::{Note, Warning, WarningCode, listed};

/// Relations between columns that are written out.
const SHOWN: usize = 3;

impl LinearSolution {
    /// Puts in front of the notes what the rows give reason to warn of; `parameters` are weights
    /// and constants, `rows` those of positive weight.
    pub(super) fn warn(&mut self, records: &Records, rows: usize, parameters: usize) {
        let mut notes = Vec::new();
        let features = records.features.points.columns();
        if let Some(rank) = self.rank.filter(|rank| *rank < features) {
            notes.push(Note::Warning(
                self.dependent_columns(records, features, rank),
            ));
        }
        let steps = self.conjugate_steps.is_some() && self.lambda.is_none();
        if rows < parameters && (self.rank.is_some() || steps) {
            let text = format!(
                "{} for {parameters} parameters: the residuals say nothing \
                 about new rows; a penalty (ridge) or fewer columns would help",
                there_are(rows)
            );
            notes.push(Note::Warning(
                Warning::new(WarningCode::FewRows, text).rows(rows),
            ));
        } else if rows < parameters && self.lambda.is_some() {
            let text = format!(
                "{} for {parameters} parameters: the penalty decides among \
                 many weights that fit",
                there_are(rows)
            );
            notes.push(Note::Choice(text));
        }
        if !self.inflated.is_empty() {
            let names = names(records, &self.inflated);
            let text = format!(
                "columns {} are nearly combinations of each other (condition number {:.1e}): \
                 weights change much with little changes of the data",
                listed(&names),
                self.condition
            );
            let warning = Warning::new(WarningCode::Collinear, text);
            notes.push(Note::Warning(warning.columns(names)));
        }
        notes.append(&mut self.notes);
        self.notes = notes;
    }

    fn dependent_columns(&self, records: &Records, features: usize, rank: usize) -> Warning {
        let name = |j: &usize| records.features.name(*j);
        let told = self.dependences.iter().take(SHOWN).map(|dependence| {
            let column = name(&dependence.column);
            if dependence.combines.is_empty() {
                format!("`{column}` is constant")
            } else {
                let others = names(records, &dependence.combines);
                format!("`{column}` follows from {}", listed(&others))
            }
        });
        let told = told.collect::<Vec<_>>().join("; ");
        let more = if self.dependences.len() > SHOWN {
            "; …"
        } else {
            ""
        };
        let shown = if told.is_empty() {
            String::new()
        } else {
            format!(" ({told}{more})")
        };
        let text = format!(
            "{} of {features} columns are constant or combinations of the others{shown}: the \
             weights are those of least norm among many that fit equally well",
            features - rank
        );
        let mut columns: Vec<usize> = Vec::new();
        for dependence in &self.dependences {
            columns.push(dependence.column);
            columns.extend(&dependence.combines);
        }
        columns.sort_unstable();
        columns.dedup();
        Warning::new(WarningCode::Collinear, text).columns(names(records, &columns))
    }
}

/// The beginning of a sentence about too few rows.
pub(super) fn there_are(rows: usize) -> String {
    if rows == 1 {
        "there is one row".to_owned()
    } else {
        format!("there are {rows} rows")
    }
}

fn names(records: &Records, columns: &[usize]) -> Vec<String> {
    columns.iter().map(|&j| records.features.name(j)).collect()
}
