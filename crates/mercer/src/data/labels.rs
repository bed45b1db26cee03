//! From a target column to targets.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use super::print::number_text;
use super::recognise::truth_value;
use super::{ClassTargets, Column, Targets, Task, Values};
use crate::hint::{Act, Hint, Word};
use crate::{Error, Result};

/// Makes targets of a column.
///
/// Classification takes the printed form of each value as its label (`1.0` is `1`). With
/// fixed labels, those of a model, codes follow that list and other labels are refused;
/// without, labels are ordered by value where all are numbers and by name otherwise, and
/// there must be two at least. Tasks without a target give [`Targets::None`].
///
/// # Errors
/// A missing or infinite value, a kind the task cannot use, a single class, a label outside
/// the fixed ones.
pub fn make_targets(target: &Column, task: Task, labels: Option<&[String]>) -> Result<Targets> {
    match task {
        Task::Novelty | Task::Cluster | Task::Embed => Ok(Targets::None),
        Task::Regress => make_numbers(target).map(Targets::Real),
        Task::Classify => {
            let printed = printed(target)?;
            match labels {
                Some(labels) => match_labels(target, printed, labels),
                None => learn_labels(target, printed),
            }
            .map(Targets::Classes)
        }
    }
}

fn cell(target: &Column, row: usize, problem: String, cure: impl Into<Hint>) -> Error {
    Error::Cell {
        place: format!("row {}", row + 1),
        column: target.name.clone(),
        problem,
        cure: cure.into(),
    }
}

fn missing(target: &Column, row: usize) -> Error {
    let cure = Hint::from("fill in what is missing, or leave such rows out: ")
        .word(Word::Act(Act::DropUnlabelled));
    cell(target, row, "the target is missing".to_owned(), cure)
}

fn make_numbers(target: &Column) -> Result<Vec<f64>> {
    let values = match &target.values {
        Values::Numeric(values) => values.clone(),
        Values::Boolean(truths) => truths
            .values
            .iter()
            .map(|v| v.map_or(f64::NAN, |b| f64::from(u8::from(b))))
            .collect(),
        _ => {
            return Err(Error::ColumnKind {
                column: target.name.clone(),
                found: target.kind().to_string(),
                expected: "a numeric target for the task `regress`".to_owned(),
            });
        }
    };
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(values),
        Some(row) if values[row].is_nan() => Err(missing(target, row)),
        Some(row) => Err(cell(
            target,
            row,
            format!("the target is `{}`", values[row]),
            "drop the row or give it a finite value",
        )),
    }
}

/// The printed values of a target: each of them once, and which one a row has. A text of its own
/// for every row would take more memory than the table.
struct Printed {
    rows: Vec<u32>,
    texts: Vec<String>,
}

fn printed(target: &Column) -> Result<Printed> {
    let values = &target.values;
    match values {
        Values::Date(_) | Values::Vectors(_) | Values::Graphs(_) => Err(Error::ColumnKind {
            column: target.name.clone(),
            found: target.kind().to_string(),
            expected: "a target of classes for the task `classify`".to_owned(),
        }),
        // Adding zero gives both zeros the same bits; they print alike.
        Values::Numeric(v) => numbered(target, |row| Some((v[row] + 0.0).to_bits())),
        Values::Boolean(t) => numbered(target, |row| t.values[row]),
        Values::Categorical(c) => numbered(target, |row| Some(c.codes[row])),
        Values::Text(v) | Values::Molecules(v) => numbered(target, |row| v[row].as_deref()),
        Values::Nodes(n) => numbered(target, |row| n.nodes[row]),
    }
}

/// Numbers values in the order in which they first appear; rows of equal keys print alike.
fn numbered<K: Eq + Hash>(target: &Column, key: impl Fn(usize) -> Option<K>) -> Result<Printed> {
    let mut known: HashMap<K, u32> = HashMap::new();
    let mut texts = Vec::new();
    let mut number = |row: usize| {
        let absent = || missing(target, row);
        if target.values.is_missing(row) {
            return Err(absent());
        }
        Ok(match known.entry(key(row).ok_or_else(absent)?) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(place) => {
                texts.push(target.values.text(row).ok_or_else(absent)?);
                *place.insert(texts.len() as u32 - 1)
            }
        })
    };
    let rows: Result<Vec<u32>> = (0..target.values.len()).map(&mut number).collect();
    Ok(Printed { rows: rows?, texts })
}

fn learn_labels(target: &Column, printed: Printed) -> Result<ClassTargets> {
    let ClassTargets {
        codes: by_text,
        labels,
    } = ClassTargets::from_labels(&printed.texts);
    match labels.as_slice() {
        [] => Err(Error::rows(
            format!("target `{}` has no rows", target.name),
            "give rows to learn from",
        )),
        [only] => Err(Error::rows(
            format!("target `{}` has one class only, `{only}`", target.name),
            Hint::from("add rows of another class, or use ")
                .word(Word::Task(Task::Novelty.name()))
                .then(" to learn from one class"),
        )),
        _ => {
            let mut codes = printed.rows;
            for code in &mut codes {
                *code = by_text[*code as usize];
            }
            Ok(ClassTargets { codes, labels })
        }
    }
}

fn match_labels(target: &Column, printed: Printed, labels: &[String]) -> Result<ClassTargets> {
    let by_name: HashMap<&str, u32> = labels.iter().map(String::as_str).zip(0..).collect();
    // `1.0` in a file whose other labels are words still means the label `1`.
    let canonical = |text: &str| text.parse::<f64>().ok().map(number_text);
    let by_number: HashMap<String, u32> = labels
        .iter()
        .zip(0..)
        .filter_map(|(l, code)| Some((canonical(l)?, code)))
        .collect();
    // `yes` in a file of booleans means the label `true` of an older model.
    let truths = matches!(target.values, Values::Boolean(_));
    let same_truth = |text: &str| {
        let value = truth_value(text).filter(|_| truths)?;
        let code = labels.iter().position(|l| truth_value(l) == Some(value))?;
        Some(code as u32)
    };
    let code_of = |text: &String| {
        by_name
            .get(text.as_str())
            .or_else(|| by_number.get(&canonical(text)?))
            .copied()
            .or_else(|| same_truth(text))
    };
    let by_text: Vec<Option<u32>> = printed.texts.iter().map(code_of).collect();
    let mut codes = printed.rows;
    for (row, code) in codes.iter_mut().enumerate() {
        let text = *code as usize;
        *code = by_text[text].ok_or_else(|| {
            let text = &printed.texts[text];
            let problem = format!("`{text}` is not one of the classes {}", list(labels));
            cell(target, row, problem, "correct the label or drop the row")
        })?;
    }
    Ok(ClassTargets {
        codes,
        labels: labels.to_vec(),
    })
}

/// The first ten names in backticks.
pub(super) fn list(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(10).map(|n| format!("`{n}`")).collect();
    let more = if names.len() > 10 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

impl ClassTargets {
    /// Puts a label last, so that it has code 1 in a problem of two classes.
    ///
    /// # Errors
    /// An unknown label, and more than two classes.
    pub fn with_positive(mut self, label: &str) -> Result<Self> {
        let Some(code) = self.labels.iter().position(|l| l == label) else {
            return Err(Error::Unknown {
                kind: "label",
                name: label.to_owned(),
                known: self.labels,
            });
        };
        if self.labels.len() != 2 {
            return Err(Error::Conflict {
                what: format!(
                    "`{label}` as the positive class needs two classes; the target has {}",
                    self.labels.len()
                ),
                cure: Hint::from("leave ")
                    .word(Word::Setting("positive"))
                    .then(" out"),
            });
        }
        if code == 0 {
            self.labels.swap(0, 1);
            for code in &mut self.codes {
                *code = 1 - *code;
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Categories, MISSING_CODE, Truths};

    fn numeric(values: &[f64]) -> Column {
        Column::new("y", Values::Numeric(values.to_vec()))
    }

    fn classes(target: &Column, labels: Option<&[String]>) -> Result<ClassTargets> {
        match make_targets(target, Task::Classify, labels)? {
            Targets::Classes(c) => Ok(c),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn numeric_labels_print_canonically() {
        let found = classes(&numeric(&[1.0, -1.0, 2.5, 1.0]), None).unwrap();
        assert_eq!(found.labels, ["-1", "1", "2.5"]);
        assert_eq!(found.codes, [1, 0, 2, 1]);
    }

    #[test]
    fn one_class_names_itself_and_the_cure() {
        let error = classes(&numeric(&[3.0, 3.0]), None).unwrap_err();
        assert_eq!(error.to_string(), "target `y` has one class only, `3`");
        assert!(error.hints()[0].to_string().contains("use `novelty`"));
        assert!(classes(&numeric(&[]), None).is_err());
    }

    #[test]
    fn fixed_labels_keep_their_codes() {
        let labels = ["b".to_owned(), "a".to_owned()];
        let values = Values::Text(vec![Some("a".into()), Some("b".into())]);
        let found = classes(&Column::new("y", values), Some(&labels)).unwrap();
        assert_eq!(found.codes, [1, 0]);
        let numbers = ["1.0".to_owned(), "2".to_owned()];
        assert_eq!(
            classes(&numeric(&[1.0]), Some(&numbers)).unwrap().codes,
            [0]
        );
        let error = classes(&numeric(&[1.0, 7.0]), Some(&numbers)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 2, column `y`: `7` is not one of the classes `1.0`, `2`"
        );
    }

    #[test]
    fn positive_label_gets_code_one() {
        let swapped = ClassTargets::from_labels(&["a", "b", "a"])
            .with_positive("a")
            .unwrap();
        assert_eq!(swapped.labels, ["b", "a"]);
        assert_eq!(swapped.codes, [1, 0, 1]);
        let kept = ClassTargets::from_labels(&["a", "b"])
            .with_positive("b")
            .unwrap();
        assert_eq!(kept.codes, [0, 1]);
        assert!(
            ClassTargets::from_labels(&["a", "b"])
                .with_positive("z")
                .is_err()
        );
        assert!(
            ClassTargets::from_labels(&["a", "b", "c"])
                .with_positive("a")
                .is_err()
        );
    }

    #[test]
    fn regression_refuses_what_is_not_a_number() {
        let target = numeric(&[1.0, f64::NAN]);
        let error = make_targets(&target, Task::Regress, None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 2, column `y`: the target is missing"
        );
        let target = numeric(&[f64::INFINITY]);
        assert!(make_targets(&target, Task::Regress, None).is_err());
        let names = Values::Categorical(Categories {
            codes: vec![MISSING_CODE],
            levels: vec![],
        });
        let target = Column::new("y", names);
        assert!(matches!(
            make_targets(&target, Task::Regress, None),
            Err(Error::ColumnKind { .. })
        ));
        assert!(make_targets(&target, Task::Classify, None).is_err());
        assert_eq!(
            make_targets(&target, Task::Cluster, None),
            Ok(Targets::None)
        );
    }

    #[test]
    fn truth_values_are_classes_and_numbers() {
        let truths = Truths::from(vec![Some(true), Some(false)]);
        let target = Column::new("y", Values::Boolean(truths.clone()));
        assert_eq!(classes(&target, None).unwrap().labels, ["false", "true"]);
        let numbers = make_targets(&target, Task::Regress, None).unwrap();
        assert_eq!(numbers, Targets::Real(vec![1.0, 0.0]));
        let words = ["no", "yes"].map(str::to_owned);
        let spelt = Truths { words, ..truths };
        let target = Column::new("y", Values::Boolean(spelt));
        assert_eq!(classes(&target, None).unwrap().labels, ["no", "yes"]);
        let older = ["false", "true"].map(str::to_owned);
        assert_eq!(classes(&target, Some(&older)).unwrap().codes, [1, 0]);
    }
}
