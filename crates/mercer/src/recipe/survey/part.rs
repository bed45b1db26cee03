//! Rows that count, in blocks of a fixed number.

use crate::data::{Assigned, Column, Roles, Table, Targets, Task, make_targets};
use crate::{Error, Result};

/// Rows that follow each other, taken apart by role.
#[derive(Debug, Clone)]
pub struct Part {
    /// The feature columns.
    pub features: Table,
    /// The target columns.
    pub targets: Vec<Column>,
    /// How many copies each row stands for, above zero; `None` means one each.
    pub weights: Option<Vec<f64>>,
    /// Number of the first row, among those that count.
    pub first: u64,
    /// Number of every row, among those that count, where they do not follow each other.
    pub numbers: Option<Vec<u64>>,
}

impl Part {
    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.features.rows()
    }

    /// Returns some of the rows, in that order.
    #[must_use]
    pub(super) fn select(&self, rows: &[usize]) -> Self {
        let number = |&row: &usize| match &self.numbers {
            Some(numbers) => numbers[row],
            None => self.first + row as u64,
        };
        let target = |column: &Column| Column {
            name: column.name.clone(),
            values: column.values.select(rows),
            reading: column.reading.clone(),
        };
        Self {
            features: self.features.select(rows),
            targets: self.targets.iter().map(target).collect(),
            weights: self
                .weights
                .as_ref()
                .map(|weights| rows.iter().map(|&row| weights[row]).collect()),
            first: self.first,
            numbers: Some(rows.iter().map(number).collect()),
        }
    }

    /// Makes the targets; classes get the codes of their labels.
    ///
    /// # Errors
    /// A label that is not among them, numbers that are none.
    pub fn make_targets(&self, task: Task, labels: &[String]) -> Result<Targets> {
        let labels = (!labels.is_empty()).then_some(labels);
        match &self.targets[..] {
            [] => Ok(Targets::None),
            [target] => make_targets(target, task, labels),
            several => {
                let mut all = Vec::with_capacity(several.len() * self.rows());
                for column in several {
                    if let Targets::Real(values) = make_targets(column, task, None)? {
                        all.extend(values);
                    }
                }
                let all = mercer_linalg::Matrix::from_vec(several.len(), self.rows(), all);
                Ok(Targets::Several(all))
            }
        }
    }
}

/// Cuts the rows that count into blocks: those of weight 0 do not, nor do those without a target where
/// they may be left out.
///
/// Blocks are as long as asked for but for the last one, so that their sums are the same however the rows came.
#[derive(Debug)]
pub struct Parts {
    roles: Roles,
    block: usize,
    /// Rows that make no whole block yet.
    rest: Option<Table>,
    /// Rows that were given, and rows that count.
    seen: u64,
    kept: u64,
}

impl Parts {
    /// Begins before the first row.
    pub fn new(roles: Roles, block: usize) -> Self {
        Self {
            roles,
            block: block.max(1),
            rest: None,
            seen: 0,
            kept: 0,
        }
    }

    /// Goes on after rows of which so many count.
    #[must_use]
    pub fn after(mut self, seen: u64, kept: u64) -> Self {
        (self.seen, self.kept) = (seen, kept);
        self
    }

    /// Returns how many rows were given.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Returns how many rows have been handed out.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// Returns whether no row waits for others.
    pub fn is_even(&self) -> bool {
        self.rest.is_none()
    }

    /// Takes rows and returns the blocks that are full.
    ///
    /// # Errors
    /// What is wrong with a row or a column, with its place.
    pub fn add(&mut self, table: Table) -> Result<Vec<Part>> {
        self.seen += table.rows() as u64;
        let counting = counting(&self.roles, &table)?;
        let table = if counting.len() == table.rows() {
            table
        } else {
            table.select(&counting)
        };
        let mut table = match self.rest.take() {
            Some(rest) => Table::concat(&[rest, table])?,
            None => table,
        };
        let mut parts = Vec::new();
        while table.rows() >= self.block {
            if table.rows() == self.block {
                parts.push(self.part(std::mem::take(&mut table))?);
                return Ok(parts);
            }
            let (now, later): (Vec<usize>, Vec<usize>) =
                (0..table.rows()).partition(|row| *row < self.block);
            parts.push(self.part(table.select(&now))?);
            table = table.select(&later);
        }
        self.rest = (table.rows() > 0).then_some(table);
        Ok(parts)
    }

    /// Returns the rows that are left at the end.
    ///
    /// # Errors
    /// As [`Parts::add`].
    pub fn end(&mut self) -> Result<Option<Part>> {
        match self.rest.take() {
            Some(rest) => self.part(rest).map(Some),
            None => Ok(None),
        }
    }

    fn part(&mut self, table: Table) -> Result<Part> {
        let first = self.kept;
        self.kept += table.rows() as u64;
        let assigned = self.roles.assign(table)?;
        Ok(Part {
            features: assigned.features,
            targets: assigned.targets,
            weights: assigned.weights,
            first,
            numbers: None,
        })
    }
}

/// The rows that count, in order.
///
/// What is wrong with targets and weights is said here, by the rule of the second pass: rows that were picked or put after others
/// no longer know where they stand.
fn counting(roles: &Roles, table: &Table) -> Result<Vec<usize>> {
    let roles = Roles {
        targets: roles.targets.clone(),
        weights: roles.weights.clone(),
        drop_unlabelled: roles.drop_unlabelled,
        ..Roles::default()
    };
    let is_asked = |column: &&Column| {
        roles.targets.contains(&column.name) || roles.weights.as_ref() == Some(&column.name)
    };
    let columns: Vec<Column> = table.columns().iter().filter(is_asked).cloned().collect();
    if roles.targets.is_empty() && roles.weights.is_none() {
        return Ok((0..table.rows()).collect());
    }
    let mut asked = Table::try_new(columns, table.origin().clone())?;
    asked.set_before(table.before());
    let Assigned { rows, weights, .. } = roles.assign_part(asked)?;
    Ok(match weights {
        Some(weights) => {
            let pairs = rows.into_iter().zip(weights);
            pairs.filter(|(_, w)| *w > 0.0).map(|(r, _)| r).collect()
        }
        None => rows,
    })
}

/// Refuses roles that need all rows at once.
pub(super) fn check(roles: &Roles) -> Result<()> {
    if let Some(name) = &roles.groups {
        return Err(Error::Conflict {
            what: format!("rows are read in parts, and column `{name}` gives groups of them"),
            cure: "leave out the groups, or learn from rows that fit into memory".into(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Origin, Values};

    fn table(rows: std::ops::Range<u32>) -> Table {
        let x = rows.clone().map(f64::from).collect();
        let y = rows
            .clone()
            .map(|i| if i % 5 == 3 { f64::NAN } else { f64::from(i) });
        let w = rows.map(|i| f64::from(i % 3));
        let columns = vec![
            Column::new("x", Values::Numeric(x)),
            Column::new("y", Values::Numeric(y.collect())),
            Column::new("w", Values::Numeric(w.collect())),
        ];
        Table::try_new(columns, Origin::default()).unwrap()
    }

    #[test]
    fn blocks_do_not_hang_on_how_rows_come() {
        let roles = Roles {
            targets: vec!["y".to_owned()],
            weights: Some("w".to_owned()),
            drop_unlabelled: true,
            ..Roles::default()
        };
        let blocks = |size: u32| {
            let mut parts = Parts::new(roles.clone(), 16);
            let mut all = Vec::new();
            for start in (0..200).step_by(size as usize) {
                all.extend(parts.add(table(start..(start + size).min(200))).unwrap());
            }
            all.extend(parts.end().unwrap());
            assert_eq!(parts.seen(), 200);
            assert_eq!(
                parts.kept(),
                all.iter().map(|p| p.rows() as u64).sum::<u64>()
            );
            all.iter()
                .map(|p| {
                    (
                        p.first,
                        p.features.columns()[0].values.clone(),
                        p.weights.clone(),
                    )
                })
                .collect::<Vec<_>>()
        };
        let whole = blocks(200);
        assert!(
            whole[..whole.len() - 1]
                .iter()
                .all(|(_, x, _)| x.len() == 16)
        );
        assert_eq!(whole[1].0, 16);
        for size in [1, 7, 16, 64] {
            assert_eq!(blocks(size), whole, "{size}");
        }
        let refused = Roles {
            drop_unlabelled: false,
            ..roles
        };
        // At once, with its place in the table: not when a block is full.
        let refusal = |rows: std::ops::Range<u32>| {
            let mut later = table(rows.clone());
            later.set_before(rows.start as usize);
            let mut parts = Parts::new(refused.clone(), 16);
            parts.add(table(0..3)).unwrap();
            parts.add(later).unwrap_err().to_string()
        };
        let error = refusal(6..12);
        assert!(
            error.starts_with("row 9, column `y`: the target is missing"),
            "{error}"
        );
        // Of a row of weight 0 as well, as in the second pass and in a table that is read at once.
        let error = refusal(15..20);
        assert!(error.starts_with("row 19, column `y`"), "{error}");
    }
}
