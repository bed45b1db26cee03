//! What is to be learnt from a table.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::print::number_text;
use super::{Column, Values};
use crate::Error;
use crate::fit::Note;

/// Classes a numeric target may have before it is taken for a quantity.
const MOST_CLASSES: usize = 20;
/// Rows every value of a numeric target must have to be taken for a class.
///
/// Counts and measures thin out towards their ends, where values occur once or twice; the
/// smallest class of the usual data sets has more (zoo: 4 of 101, glass: 9 of 214).
const FEWEST_ROWS: usize = 3;

/// What is to be learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// A class per row.
    Classify,
    /// A number per row.
    Regress,
    /// Whether a row is unlike the rest.
    Novelty,
    /// Groups of rows.
    Cluster,
    /// Coordinates for rows.
    Embed,
}

impl Task {
    /// All tasks, in the order of the documentation.
    pub const ALL: [Self; 5] = [
        Self::Classify,
        Self::Regress,
        Self::Novelty,
        Self::Cluster,
        Self::Embed,
    ];

    /// Returns the task's name as the user writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Classify => "classify",
            Self::Regress => "regress",
            Self::Novelty => "novelty",
            Self::Cluster => "cluster",
            Self::Embed => "embed",
        }
    }

    /// Returns whether the task learns from a target.
    pub fn needs_target(self) -> bool {
        matches!(self, Self::Classify | Self::Regress)
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Task {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|task| task.name() == text)
            .ok_or_else(|| Error::Unknown {
                kind: "task",
                name: text.to_owned(),
                known: Self::ALL.map(|t| t.name().to_owned()).to_vec(),
            })
    }
}

/// Chooses between classification and regression from the target's values.
///
/// Names, booleans and texts are classes. Numbers are classes when all are whole and
/// either there are two of them, or at most 20 with at least three rows each; otherwise they
/// are quantities. So 0/1 is a class on any number of rows, the codes 0, 1, 2 of 150 irises
/// are, and a count such as 0, 1, 2, … 9 with rare large values is not. The note says what
/// was chosen and how to choose otherwise.
///
/// Dates and vectors are no targets; they count as regression here, and making targets of
/// them is refused.
pub fn infer_task(target: &Column) -> (Task, Note) {
    let name = &target.name;
    match &target.values {
        Values::Numeric(values) => {
            let (task, why) = infer_numeric(values);
            let other = if task == Task::Classify {
                Task::Regress
            } else {
                Task::Classify
            };
            let text = format!(
                "task `{task}`: target `{name}` {why} (choose the task `{other}` to change)"
            );
            (task, Note::Choice(text))
        }
        Values::Boolean(_) | Values::Categorical(_) | Values::Text(_) => {
            let rows = target.values.len();
            let mut counts: HashMap<String, usize> = HashMap::new();
            let known = (0..rows).filter_map(|row| target.values.text(row));
            for text in known {
                *counts.entry(text).or_default() += 1;
            }
            let labelled: usize = counts.values().sum();
            if has_single_rows(counts.len(), labelled) {
                let text = format!(
                    "task `classify`: target `{name}` has {} classes in {labelled} rows; most classes have a single row",
                    counts.len()
                );
                return (Task::Classify, Note::Alert(text));
            }
            let text = format!(
                "task `classify`: target `{name}` is {} with {} classes",
                target.kind(),
                counts.len()
            );
            (Task::Classify, Note::Choice(text))
        }
        _ => {
            let text = format!("task `regress`: target `{name}` is {}", target.kind());
            (Task::Regress, Note::Alert(text))
        }
    }
}

/// Whether so many classes in so many rows are no classes: most have a single row.
pub(crate) fn has_single_rows(classes: usize, rows: usize) -> bool {
    classes > MOST_CLASSES && 2 * classes > rows
}

fn infer_numeric(values: &[f64]) -> (Task, String) {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for &value in values.iter().filter(|v| !v.is_nan()) {
        if value.fract() != 0.0 || value.is_infinite() {
            let why = format!("has fractions such as `{}`", number_text(value));
            return (Task::Regress, why);
        }
        // Adding zero gives both zeros the same bits.
        *counts.entry((value + 0.0).to_bits()).or_default() += 1;
        if counts.len() > MOST_CLASSES {
            let why = format!("has more than {MOST_CLASSES} whole numbers");
            return (Task::Regress, why);
        }
    }
    let distinct = counts.len();
    let fewest = counts.values().min().copied().unwrap_or(0);
    if distinct == 2 || (distinct > 2 && fewest >= FEWEST_ROWS) {
        let why = format!("holds {distinct} whole numbers");
        (Task::Classify, why)
    } else if distinct > 2 {
        let why =
            format!("holds whole numbers of which some occur in fewer than {FEWEST_ROWS} rows");
        (Task::Regress, why)
    } else {
        (Task::Regress, "has a single value".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Categories;

    fn numeric(values: Vec<f64>) -> Task {
        infer_task(&Column::new("y", Values::Numeric(values))).0
    }

    #[test]
    fn numbers_are_classes_when_few_and_whole() {
        let iris: Vec<f64> = (0..150).map(|i| f64::from(i / 50)).collect();
        assert_eq!(numeric(iris), Task::Classify);
        let toy = vec![0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0];
        assert_eq!(numeric(toy), Task::Classify);
        assert_eq!(numeric(vec![-1.0, 1.0, f64::NAN]), Task::Classify);
        assert_eq!(numeric((0..10).map(f64::from).collect()), Task::Regress);
        assert_eq!(numeric(vec![1.5, 2.0, 1.5, 2.0]), Task::Regress);
        assert_eq!(numeric(vec![3.0; 9]), Task::Regress);
        assert_eq!(numeric(vec![0.0, -0.0, 1.0, 1.0]), Task::Classify);
        assert_eq!(numeric(vec![]), Task::Regress);
    }

    #[test]
    fn counts_with_a_thin_tail_are_quantities() {
        // 200 rows of a Poisson-like count: 0..5, the last value once.
        let mut counts: Vec<f64> = Vec::new();
        for (value, rows) in [(0, 60), (1, 70), (2, 40), (3, 20), (4, 9), (5, 1)] {
            counts.extend(std::iter::repeat_n(f64::from(value), rows));
        }
        assert_eq!(numeric(counts), Task::Regress);
    }

    #[test]
    fn names_are_classes() {
        let values = Values::Categorical(Categories {
            codes: vec![0, 1, 0],
            levels: vec!["a".into(), "b".into()],
        });
        let (task, note) = infer_task(&Column::new("y", values));
        assert_eq!(task, Task::Classify);
        assert!(note.text().contains("categorical with 2 classes"));
    }

    #[test]
    fn text_with_a_class_per_row_is_alerted() {
        let texts = (0..60).map(|i| Some(format!("t{i}"))).collect();
        let (_, note) = infer_task(&Column::new("y", Values::Text(texts)));
        assert!(matches!(note, Note::Alert(_)));
    }

    #[test]
    fn names_round_trip() {
        for task in Task::ALL {
            assert_eq!(task.to_string().parse::<Task>().unwrap(), task);
            let json = serde_json::to_string(&task).unwrap();
            assert_eq!(json, format!("\"{task}\""));
        }
        let error = "clasify".parse::<Task>().unwrap_err();
        assert_eq!(error.hints(), ["did you mean `classify`?"]);
    }
}
