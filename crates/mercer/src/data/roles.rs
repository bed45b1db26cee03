//! Which column is the target, which the weights, and which are features.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{Column, Table, Values};
use crate::fit::{Note, Warning, WarningCode};
use crate::hint::{Act, Hint, Word};
use crate::{Error, Result};

/// The columns with a part of their own; all others are features.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Roles {
    /// What is to be predicted.
    pub targets: Vec<String>,
    /// How many copies each row stands for.
    pub weights: Option<String>,
    /// Rows of one group never stand on both sides of a split.
    pub groups: Option<String>,
    /// Names rows in the output.
    pub id: Option<String>,
    /// Columns to leave out.
    pub drop: Vec<String>,
    /// Columns to learn from even where they seem to number or name rows.
    pub used: Vec<String>,
    /// Leaves out rows whose target is missing, instead of refusing them.
    pub drop_unlabelled: bool,
}

/// A table taken apart by role.
#[derive(Debug, Clone, PartialEq)]
pub struct Assigned {
    /// The feature columns.
    pub features: Table,
    /// The target columns.
    pub targets: Vec<Column>,
    /// The weight of each row; finite and not negative.
    pub weights: Option<Vec<f64>>,
    /// The group number of each row, counted in order of first appearance.
    pub groups: Option<Vec<u32>>,
    /// The printed identifier of each row; empty where missing.
    pub ids: Option<Vec<String>>,
    /// Numbers, in the table given, of the rows that were kept.
    pub rows: Vec<usize>,
    /// What was left out.
    pub notes: Vec<Note>,
}

impl Roles {
    /// Takes a table apart.
    ///
    /// # Errors
    /// An unknown column, a column with two roles, a target that is missing or infinite, a
    /// weight that is missing, negative or infinite, a missing group, no rows, more rows than
    /// there is room for.
    pub fn assign(&self, table: Table) -> Result<Assigned> {
        self.assign_rows(table, true)
    }

    /// Takes a part of a table apart, of which no row need count: none may be left, and all weights may be 0.
    ///
    /// # Errors
    /// Those of [`Roles::assign`] but for these.
    pub fn assign_part(&self, table: Table) -> Result<Assigned> {
        self.assign_rows(table, false)
    }

    fn assign_rows(&self, mut table: Table, is_whole: bool) -> Result<Assigned> {
        self.check(&table)?;
        table.check_room(self.targets.first().map(String::as_str))?;
        let mut notes = Vec::new();
        let mut rows: Vec<usize> = (0..table.rows()).collect();
        for name in &self.targets {
            let target = &table.column(name)?.values;
            let unlabelled = (0..table.rows()).filter(|&r| target.is_missing(r)).count();
            if unlabelled > 0 {
                if unlabelled == table.rows() && (is_whole || !self.drop_unlabelled) {
                    return Err(Error::rows(
                        format!("target `{name}` is missing in every row"),
                        Hint::from("name another column with ").word(Word::Role("target")),
                    ));
                }
                if !self.drop_unlabelled {
                    return Err(first_unlabelled(&table, name, unlabelled));
                }
                let text = format!(
                    "{unlabelled} of {} rows are left out: their target `{name}` is missing",
                    table.rows()
                );
                let warning = Warning::new(WarningCode::Unlabelled, text);
                notes.push(warning.columns([name]).rows(unlabelled).into());
                let labelled = |row: &usize| !target.is_missing(*row);
                let labelled: Vec<usize> = (0..table.rows()).filter(labelled).collect();
                rows = labelled.iter().map(|&r| rows[r]).collect();
                table = table.select(&labelled);
            }
        }
        let targets = self
            .targets
            .iter()
            .map(|name| take_target(&mut table, name));
        let targets = targets.collect::<Result<Vec<_>>>()?;
        let weights = match &self.weights {
            Some(name) => Some(take_weights(&mut table, name, is_whole)?),
            None => None,
        };
        let groups = match &self.groups {
            Some(name) => Some(take_groups(&mut table, name)?),
            None => None,
        };
        let ids = match &self.id {
            Some(name) => {
                let column = table.take(name)?;
                let text = |row| column.values.text(row).unwrap_or_default();
                Some((0..table.rows()).map(text).collect())
            }
            None => None,
        };
        for name in &self.drop {
            // A name given twice is dropped once.
            if table.find(name).is_some() {
                table.take(name)?;
            }
        }
        Ok(Assigned {
            features: table,
            targets,
            weights,
            groups,
            ids,
            rows,
            notes,
        })
    }

    /// The columns with a role, each with its role.
    fn named(&self) -> Vec<(&'static str, &String)> {
        let single = [
            ("weights", &self.weights),
            ("groups", &self.groups),
            ("id", &self.id),
        ];
        let mut named: Vec<_> = single
            .into_iter()
            .filter_map(|(role, name)| Some((role, name.as_ref()?)))
            .collect();
        named.splice(0..0, self.targets.iter().map(|name| ("target", name)));
        named.extend(self.drop.iter().map(|name| ("drop", name)));
        named.extend(self.used.iter().map(|name| ("use", name)));
        named
    }

    /// Checks that the columns are there, each with one role.
    ///
    /// # Errors
    /// Every column that is not there, or has two roles.
    pub fn check(&self, table: &Table) -> Result<()> {
        let mut errors = Vec::new();
        let mut roles: HashMap<&str, &str> = HashMap::new();
        for (role, name) in self.named() {
            if let Err(error) = table.column(name) {
                errors.push(error);
            }
            match roles.insert(name, role) {
                Some(earlier) if earlier != role => errors.push(Error::Conflict {
                    what: format!("column `{name}` is given two roles, `{earlier}` and `{role}`"),
                    cure: "give every column one role".into(),
                }),
                _ => {}
            }
        }
        Error::collect(errors)
    }
}

fn first_unlabelled(table: &Table, name: &str, unlabelled: usize) -> Error {
    let values = table.find(name).map(|c| &c.values);
    let row = (0..table.rows())
        .find(|&r| values.is_some_and(|v| v.is_missing(r)))
        .unwrap_or(0);
    let problem = match unlabelled {
        1 => "the target is missing".to_owned(),
        2 => "the target is missing (and in 1 more row)".to_owned(),
        more => format!("the target is missing (and in {} more rows)", more - 1),
    };
    Error::Cell {
        place: table.place(row),
        column: name.to_owned(),
        problem,
        cure: Hint::from("fill in what is missing, or leave such rows out: ")
            .word(Word::Act(Act::DropUnlabelled)),
    }
}

fn take_target(table: &mut Table, name: &str) -> Result<Column> {
    let column = table.take(name)?;
    if let Values::Numeric(values) = &column.values
        && let Some(row) = values.iter().position(|v| v.is_infinite())
    {
        return Err(Error::Cell {
            place: table.place(row),
            column: name.to_owned(),
            problem: format!("the target is `{}`", values[row]),
            cure: "drop the row or give it a finite value".into(),
        });
    }
    Ok(column)
}

fn take_weights(table: &mut Table, name: &str, is_whole: bool) -> Result<Vec<f64>> {
    let column = table.take(name)?;
    let Values::Numeric(weights) = column.values else {
        return Err(Error::ColumnKind {
            column: name.to_owned(),
            found: column.kind().to_string(),
            expected: "a numeric column of weights".to_owned(),
        });
    };
    if let Some(row) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
        let problem = if weights[row].is_nan() {
            "the weight is missing".to_owned()
        } else {
            format!("the weight is `{}`", weights[row])
        };
        return Err(Error::Cell {
            place: table.place(row),
            column: name.to_owned(),
            problem,
            cure: "weights must be finite and not negative; use 0 to leave a row out".into(),
        });
    }
    if is_whole && !weights.is_empty() && weights.iter().all(|&w| w == 0.0) {
        return Err(Error::rows(
            format!("column `{name}` gives every row weight 0"),
            "give at least one row a positive weight",
        ));
    }
    Ok(weights)
}

fn take_groups(table: &mut Table, name: &str) -> Result<Vec<u32>> {
    let column = table.take(name)?;
    if let Values::Vectors(_) | Values::Graphs(_) = column.values {
        return Err(Error::ColumnKind {
            column: name.to_owned(),
            found: column.kind().to_string(),
            expected: "a column of group names".to_owned(),
        });
    }
    let mut numbers: HashMap<String, u32> = HashMap::new();
    (0..table.rows())
        .map(|row| {
            let text = column.values.text(row).ok_or_else(|| Error::Cell {
                place: table.place(row),
                column: name.to_owned(),
                problem: "the group is missing".to_owned(),
                cure: "name the row's group, or give it one of its own".into(),
            })?;
            let next = numbers.len() as u32;
            Ok(*numbers.entry(text).or_insert(next))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Origin;

    fn table() -> Table {
        let text = |v: &[&str]| Values::Text(v.iter().map(|s| Some((*s).to_owned())).collect());
        Table::try_new(
            vec![
                Column::new("x", Values::Numeric(vec![1.0, 2.0, 3.0])),
                Column::new("y", Values::Numeric(vec![0.0, f64::NAN, 1.0])),
                Column::new("w", Values::Numeric(vec![1.0, -2.0, 0.5])),
                Column::new("g", text(&["b", "a", "b"])),
                Column::new("name", text(&["one", "two", "three"])),
            ],
            Origin {
                name: "t.csv".into(),
                lines: vec![2, 3, 5],
            },
        )
        .unwrap()
    }

    fn name(name: &str) -> String {
        name.to_owned()
    }

    #[test]
    fn roles_take_the_table_apart() {
        let roles = Roles {
            targets: vec![name("y")],
            weights: Some(name("w")),
            groups: Some(name("g")),
            id: Some(name("name")),
            drop_unlabelled: true,
            ..Roles::default()
        };
        let found = roles.assign(table()).unwrap();
        assert_eq!(found.features.names(), ["x"]);
        assert_eq!(found.rows, [0, 2]);
        assert_eq!(found.weights, Some(vec![1.0, 0.5]));
        assert_eq!(found.groups, Some(vec![0, 0]));
        assert_eq!(found.ids, Some(vec!["one".into(), "three".into()]));
        assert!(
            found.notes[0]
                .text()
                .starts_with("1 of 3 rows are left out")
        );
    }

    #[test]
    fn a_missing_target_names_its_place() {
        let roles = Roles {
            targets: vec![name("y")],
            ..Roles::default()
        };
        let error = roles.assign(table()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "t.csv, line 3, column `y`: the target is missing"
        );
        assert!(error.hints()[0].to_string().contains("leave such rows out"));
    }

    #[test]
    fn bad_weights_name_their_place() {
        let roles = Roles {
            weights: Some(name("w")),
            ..Roles::default()
        };
        let error = roles.assign(table()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "t.csv, line 3, column `w`: the weight is `-2`"
        );
        let roles = Roles {
            weights: Some(name("y")),
            ..Roles::default()
        };
        let error = roles.assign(table()).unwrap_err();
        assert!(error.to_string().ends_with("the weight is missing"));
        let roles = Roles {
            weights: Some(name("g")),
            ..Roles::default()
        };
        assert!(matches!(
            roles.assign(table()),
            Err(Error::ColumnKind { .. })
        ));
    }

    #[test]
    fn unknown_and_doubled_columns_are_reported_together() {
        let roles = Roles {
            targets: vec![name("yy")],
            weights: Some(name("w")),
            drop: vec!["w".into()],
            ..Roles::default()
        };
        let error = roles.assign(table()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("there is no column `yy`"), "{text}");
        assert!(
            text.contains("`w` is given two roles, `weights` and `drop`"),
            "{text}"
        );
        assert!(error.hints().contains(&"did you mean `y`?".into()));
    }

    #[test]
    fn dropping_twice_is_dropping_once() {
        let roles = Roles {
            drop: vec!["x".into(), "x".into(), "y".into()],
            ..Roles::default()
        };
        assert_eq!(
            roles.assign(table()).unwrap().features.names(),
            ["w", "g", "name"]
        );
    }
}
