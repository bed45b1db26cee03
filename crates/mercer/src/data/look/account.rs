//! The account of a table, as data.

use std::collections::HashSet;

use serde::Serialize;

use super::association::association;
use super::numbers::NumberLook;
use crate::Result;
use crate::data::warnings::identities;
use crate::data::{Column, Kind, Layout, MISSING_CODE, Table, Values};
use crate::fit::Note;
use crate::hint::{Hint, Word};

/// Names of categories that are listed.
const LEVELS: usize = 12;

/// What is in a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableLook {
    /// Where the rows came from.
    pub source: String,
    /// How many rows there are.
    pub rows: usize,
    /// How the file was read.
    pub layout: Layout,
    /// What is in each column.
    pub columns: Vec<ColumnLook>,
    /// What is to be predicted, where it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetLook>,
}

/// What is to be predicted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TargetLook {
    /// The column's name.
    pub name: String,
    /// Columns that tell of the target by themselves, with the share of its variance that ten
    /// groups of the column, or its categories, explain; the largest first.
    pub associations: Vec<(String, f64)>,
}

/// What a column is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It can be learnt from.
    Feature,
    /// All values are missing.
    Empty,
    /// All values are the same.
    Constant,
    /// Values count or name rows.
    Identifier,
}

/// A category and the rows that have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Level {
    /// The category.
    pub name: String,
    /// How many rows have it.
    pub rows: usize,
}

/// Texts of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TextLook {
    /// Letters of the shortest text.
    pub shortest: usize,
    /// Letters of the longest text.
    pub longest: usize,
    /// Letters on average.
    pub mean_length: f64,
    /// The first text.
    pub example: String,
}

/// What is in a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnLook {
    /// The name.
    pub name: String,
    /// The kind of its values.
    pub kind: Kind,
    /// Rows without a value.
    pub missing: usize,
    /// Different values.
    pub distinct: usize,
    /// What the column is good for.
    pub standing: Standing,
    /// Numbers, or dates as seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumberLook>,
    /// The commonest categories or booleans.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Level>,
    /// Texts or molecules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texts: Option<TextLook>,
    /// Numbers in every vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<usize>,
    /// What was noticed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What can be said to have it otherwise.
    #[serde(skip)]
    pub hints: Vec<Hint>,
}

impl TableLook {
    /// Looks at a table, and at how its columns tell of a target.
    ///
    /// # Errors
    /// A target that is no column.
    pub fn of(table: &Table, target: Option<&str>) -> Result<Self> {
        let target = target.map(|name| table.column(name)).transpose()?;
        // The rule by which automatic models leave columns out; a target is none of them.
        let identities = identities(table);
        let is_identity = |column: &Column| {
            let is_target = target.is_some_and(|target| target.name == column.name);
            !is_target && identities.iter().any(|(name, _)| *name == column.name)
        };
        let columns = table.columns().iter();
        let columns = columns.map(|column| ColumnLook::of(column, is_identity(column)));
        let columns = columns.collect();
        let target = target.map(|target| {
            let others = table.columns().iter().filter(|c| c.name != target.name);
            let mut associations: Vec<(String, f64)> = others
                .filter_map(|c| Some((c.name.clone(), association(&c.values, &target.values)?)))
                .collect();
            associations.sort_by(|a, b| b.1.total_cmp(&a.1));
            TargetLook {
                name: target.name.clone(),
                associations,
            }
        });
        Ok(Self {
            source: table.origin().name.clone(),
            rows: table.rows(),
            layout: table.layout().clone(),
            columns,
            target,
        })
    }
}

impl ColumnLook {
    /// Looks at one column; `is_identity` says whether it numbers or names rows.
    fn of(column: &Column, is_identity: bool) -> Self {
        let values = &column.values;
        let rows = values.len();
        let missing = (0..rows).filter(|&row| values.is_missing(row)).count();
        let mut look = Self {
            name: column.name.clone(),
            kind: column.kind(),
            missing,
            distinct: 0,
            standing: Standing::Feature,
            numbers: None,
            levels: Vec::new(),
            texts: None,
            width: None,
            notes: Vec::new(),
            hints: Vec::new(),
        };
        match values {
            Values::Numeric(v) | Values::Date(v) => {
                look.numbers = NumberLook::of(v);
                look.distinct = look.numbers.as_ref().map_or(0, |n| n.distinct);
            }
            Values::Boolean(truths) => {
                let counts = [false, true]
                    .map(|word| truths.values.iter().filter(|v| **v == Some(word)).count());
                look.count(truths.words.clone().into_iter().zip(counts));
            }
            Values::Categorical(categories) => {
                let mut counts = vec![0; categories.levels.len()];
                for &code in categories.codes.iter().filter(|&&c| c != MISSING_CODE) {
                    counts[code as usize] += 1;
                }
                look.count(categories.levels.iter().cloned().zip(counts));
            }
            Values::Text(texts) | Values::Molecules(texts) => look.texts(texts),
            Values::Vectors(points) => {
                look.width = Some(points.columns());
                look.distinct = rows;
            }
            Values::Graphs(_) | Values::Nodes(_) => look.distinct = rows - missing,
        }
        look.standing = look.judge(rows, is_identity);
        look.tell();
        if let Some(reading) = &column.reading {
            look.notes.extend(reading.notes(&column.name, look.kind));
            look.hints.extend(reading.hints(&column.name));
        }
        look
    }

    /// Keeps the commonest of some names.
    fn count(&mut self, names: impl IntoIterator<Item = (String, usize)>) {
        let names = names.into_iter().filter(|(_, rows)| *rows > 0);
        let mut levels: Vec<Level> = names.map(|(name, rows)| Level { name, rows }).collect();
        self.distinct = levels.len();
        levels.sort_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.name.cmp(&b.name)));
        levels.truncate(LEVELS);
        self.levels = levels;
    }

    fn texts(&mut self, texts: &[Option<String>]) {
        let mut different: HashSet<&str> = HashSet::new();
        let (mut shortest, mut longest, mut sum) = (usize::MAX, 0, 0);
        for text in texts.iter().flatten() {
            let length = text.chars().count();
            (shortest, longest, sum) = (shortest.min(length), longest.max(length), sum + length);
            different.insert(text);
        }
        self.distinct = different.len();
        self.texts = texts.iter().flatten().next().map(|first| TextLook {
            shortest,
            longest,
            mean_length: sum as f64 / (texts.len() - self.missing).max(1) as f64,
            example: first.chars().take(80).collect(),
        });
    }

    fn judge(&self, rows: usize, is_identity: bool) -> Standing {
        let known = rows - self.missing;
        if matches!(self.kind, Kind::Vectors | Kind::Graph | Kind::Node) {
            return Standing::Feature;
        }
        if known == 0 {
            return Standing::Empty;
        }
        if self.distinct == 1 {
            return Standing::Constant;
        }
        if is_identity {
            return Standing::Identifier;
        }
        Standing::Feature
    }

    fn tell(&mut self) {
        let drop = || Hint::from("leave it out: ").word(Word::Role("drop"));
        let (text, hint) = match self.standing {
            Standing::Feature => return,
            Standing::Empty => ("has no values", drop()),
            Standing::Constant => ("has one value in all rows", drop()),
            Standing::Identifier => (
                "numbers or names the rows",
                Hint::from("name it as what it is: ").word(Word::Role("id")),
            ),
        };
        self.notes
            .push(Note::Choice(format!("column `{}` {text}", self.name)));
        self.hints.push(hint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Categories, Origin};

    fn table() -> Table {
        let id = Values::Numeric((0..30).map(f64::from).collect());
        let words: Vec<String> = (0..30).map(|i| format!("w{}", i % 3)).collect();
        let words = Values::Categorical(Categories::from_names(words.iter().map(Some)));
        let flat = Values::Numeric(vec![2.0; 30]);
        let gaps = Values::Text(vec![None; 30]);
        let columns = [("id", id), ("word", words), ("flat", flat), ("gaps", gaps)];
        let columns = columns.map(|(name, values)| Column::new(name, values));
        Table::try_new(columns.to_vec(), Origin::default()).expect("a table")
    }

    #[test]
    fn standings_are_told() {
        let look = TableLook::of(&table(), None).expect("a look");
        let standings: Vec<Standing> = look.columns.iter().map(|c| c.standing).collect();
        assert_eq!(
            standings,
            [
                Standing::Identifier,
                Standing::Feature,
                Standing::Constant,
                Standing::Empty
            ]
        );
        assert_eq!(look.columns[1].levels.len(), 3);
        assert_eq!(look.columns[1].levels[0].rows, 10);
        assert_eq!(look.columns[3].missing, 30);
    }

    #[test]
    fn targets_are_columns() {
        let look = TableLook::of(&table(), Some("word")).expect("a look");
        assert_eq!(look.target.expect("a target").name, "word");
        assert!(TableLook::of(&table(), Some("wort")).is_err());
    }
}
