//! What a target column holds, counted part by part.

use std::collections::BTreeMap;

use crate::data::{Categories, Column, Kind, Truths, Values};
use crate::{Error, Result};

/// Different values that are counted: as many classes are no classes any more.
const MOST: usize = 10_000;

/// The values of a target, each with the rows that have it.
#[derive(Debug, Clone)]
pub(super) struct TargetSums {
    name: String,
    values: Counted,
}

#[derive(Debug, Clone)]
enum Counted {
    /// By their bits; beyond [`MOST`] the rest are not counted.
    Numbers {
        counts: BTreeMap<u64, u64>,
        fraction: Option<f64>,
    },
    Truths {
        words: [String; 2],
        counts: [u64; 2],
    },
    Names {
        counts: BTreeMap<String, u64>,
        kind: Kind,
    },
}

impl TargetSums {
    pub(super) fn new(column: &Column) -> Result<Self> {
        let values = match &column.values {
            Values::Numeric(_) => Counted::Numbers {
                counts: BTreeMap::new(),
                fraction: None,
            },
            Values::Boolean(truths) => Counted::Truths {
                words: truths.words.clone(),
                counts: [0; 2],
            },
            Values::Categorical(_) | Values::Text(_) => Counted::Names {
                counts: BTreeMap::new(),
                kind: column.kind(),
            },
            other => {
                return Err(Error::ColumnKind {
                    column: column.name.clone(),
                    found: other.kind().to_string(),
                    expected: "a target of numbers or classes".to_owned(),
                });
            }
        };
        Ok(Self {
            name: column.name.clone(),
            values,
        })
    }

    /// Counts the values of some rows, none of which is missing.
    pub(super) fn add(&mut self, column: &Column) -> Result<()> {
        match (&mut self.values, &column.values) {
            (Counted::Numbers { counts, fraction }, Values::Numeric(values)) => {
                for &value in values {
                    if value.fract() != 0.0 {
                        fraction.get_or_insert(value);
                    }
                    // Adding zero gives both zeros the same bits.
                    let bits = (value + 0.0).to_bits();
                    if let Some(count) = counts.get_mut(&bits) {
                        *count += 1;
                    } else if counts.len() <= MOST {
                        counts.insert(bits, 1);
                    }
                }
            }
            (Counted::Truths { counts, .. }, Values::Boolean(truths)) => {
                for value in truths.values.iter().flatten() {
                    counts[usize::from(*value)] += 1;
                }
            }
            (Counted::Names { counts, .. }, values) => {
                for row in 0..values.len() {
                    let Some(text) = values.text(row) else {
                        continue;
                    };
                    *counts.entry(text).or_default() += 1;
                    if counts.len() > MOST {
                        return Err(Error::rows(
                            format!("target `{}` has more than {MOST} classes", self.name),
                            "name another target, or read amounts as numbers",
                        ));
                    }
                }
            }
            (_, other) => {
                return Err(Error::ColumnKind {
                    column: self.name.clone(),
                    found: other.kind().to_string(),
                    expected: "the kind of the rows before".to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Whether there are more different numbers than were counted.
    pub(super) fn is_cut(&self) -> bool {
        matches!(&self.values, Counted::Numbers { counts, .. } if counts.len() > MOST)
    }

    /// A column of few rows from which the same follows about task and classes as from all: every
    /// value, so many times that it counts as rare or not.
    pub(super) fn likeness(&self) -> Column {
        // Three rows make a class of a number; twice as many rows as classes make classes of names.
        const ENOUGH: u64 = 3;
        fn repeated<T: Clone>(counts: &[(T, u64)]) -> Vec<T> {
            let shown = |count: u64| count.min(ENOUGH) as usize;
            let mut all: Vec<T> = counts
                .iter()
                .flat_map(|(value, count)| std::iter::repeat_n(value.clone(), shown(*count)))
                .collect();
            let rows: u64 = counts.iter().map(|(_, count)| count).sum();
            let wanted = rows.min(2 * counts.len() as u64) as usize;
            if let Some((most, _)) = counts.iter().max_by_key(|(_, count)| *count) {
                while all.len() < wanted {
                    all.push(most.clone());
                }
            }
            all
        }
        let values = match &self.values {
            Counted::Numbers { counts, fraction } => {
                let counts: Vec<(f64, u64)> = counts
                    .iter()
                    .map(|(bits, count)| (f64::from_bits(*bits), *count))
                    .collect();
                let mut numbers = repeated(&counts);
                // A number with a fraction says it first.
                numbers.splice(0..0, *fraction);
                Values::Numeric(numbers)
            }
            Counted::Truths { words, counts } => {
                let counts = [(Some(false), counts[0]), (Some(true), counts[1])];
                Values::Boolean(Truths {
                    values: repeated(&counts),
                    words: words.clone(),
                })
            }
            Counted::Names { counts, kind } => {
                let counts: Vec<(String, u64)> = counts.clone().into_iter().collect();
                let names = repeated(&counts).into_iter().map(Some);
                match kind {
                    Kind::Text => Values::Text(names.collect()),
                    _ => Values::Categorical(Categories::from_names(names)),
                }
            }
        };
        Column::new(self.name.clone(), values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Task, infer_task};

    fn counted(values: &Values, part: usize) -> TargetSums {
        let whole = Column::new("y", values.clone());
        let mut sums = TargetSums::new(&whole).unwrap();
        for start in (0..values.len()).step_by(part) {
            let rows: Vec<usize> = (start..(start + part).min(values.len())).collect();
            sums.add(&Column::new("y", values.select(&rows))).unwrap();
        }
        sums
    }

    #[test]
    fn the_task_is_that_of_all_rows() {
        let numbers = |f: fn(u32) -> f64, n: u32| Values::Numeric((0..n).map(f).collect());
        let names = |f: fn(u32) -> String, n: u32| {
            Values::Categorical(Categories::from_names((0..n).map(|i| Some(f(i)))))
        };
        let cases = [
            (numbers(|i| f64::from(i % 2), 9000), Task::Classify),
            (numbers(|i| f64::from(i % 7), 9000), Task::Classify),
            (
                numbers(|i| if i == 8999 { 0.5 } else { f64::from(i % 2) }, 9000),
                Task::Regress,
            ),
            (
                numbers(|i| if i == 8999 { 77.0 } else { f64::from(i % 3) }, 9000),
                Task::Regress,
            ),
            (numbers(f64::from, 30_000), Task::Regress),
            (numbers(|_| 4.0, 9000), Task::Regress),
            (names(|i| format!("c{}", i % 40), 9000), Task::Classify),
        ];
        for (values, expected) in cases {
            let whole = Column::new("y", values.clone());
            assert_eq!(infer_task(&whole).0, expected);
            let likeness = counted(&values, 4096).likeness();
            let (task, note) = infer_task(&likeness);
            assert_eq!(task, expected);
            assert_eq!(note.text(), infer_task(&whole).1.text());
        }
    }

    #[test]
    fn names_of_rows_are_no_classes_in_either() {
        let single = |n: u32, repeats: u32| {
            let all = (0..n).map(|i| format!("n{}", i.max(repeats)));
            Values::Categorical(Categories::from_names(all.map(Some)))
        };
        for (rows, repeats) in [(200, 0), (200, 90), (200, 101), (200, 150)] {
            let values = single(rows, repeats);
            let whole = infer_task(&Column::new("y", values.clone())).1;
            let like = infer_task(&counted(&values, 64).likeness()).1;
            assert_eq!(whole.is_alert(), like.is_alert(), "{repeats}");
        }
    }
}
