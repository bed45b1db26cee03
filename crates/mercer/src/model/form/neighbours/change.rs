//! Rows that come and go without another fit.

use std::collections::{HashMap, VecDeque};

use mercer_linalg::Matrix;

use super::{NeighbourModel, NeighbourRule, NeighbourTargets};
use crate::data::{Records, RowKey, Targets};
use crate::{Error, Result};

impl NeighbourModel {
    /// Adds rows, encoded as those of the fit were; scales and weights of columns stay as they are.
    ///
    /// A class that is new comes after the known ones. Each row counts once.
    ///
    /// # Errors
    /// Rows of another shape, targets of another kind or length, infinite or missing numbers to
    /// predict.
    pub fn add(&mut self, rows: &Records, targets: &Targets) -> Result<()> {
        if let Some((row, column)) = rows.features.points.first_infinite() {
            return Err(Error::Cell {
                place: format!("row {}", row + 1),
                column: rows.features.name(column),
                problem: "the value is infinite".to_owned(),
                cure: "replace or remove it".into(),
            });
        }
        if targets.len() != Some(rows.len()) {
            return Err(Error::Length {
                what: "the target".to_owned(),
                found: targets.len().unwrap_or(0),
                expected: rows.len(),
                unit: "rows",
            });
        }
        let mut readout = self.readout.clone();
        let targets = match (&self.targets, targets) {
            (NeighbourTargets::Classes(own), Targets::Classes(classes)) => {
                let mut labels = self.readout.labels().unwrap_or_default().to_vec();
                let known = labels.len();
                let place = |label: &String| {
                    let found = labels.iter().position(|other| other == label);
                    found.unwrap_or_else(|| {
                        labels.push(label.clone());
                        labels.len() - 1
                    })
                };
                let places: Vec<usize> = classes.labels.iter().map(place).collect();
                if labels.len() > known {
                    readout = Self::read_shares(labels);
                }
                let new = classes
                    .codes
                    .iter()
                    .map(|code| places[*code as usize] as u32);
                NeighbourTargets::Classes(own.iter().copied().chain(new).collect())
            }
            (NeighbourTargets::Values(own), Targets::Real(values)) if own.rows() == 1 => {
                let new = Matrix::from_vec(1, values.len(), values.clone());
                NeighbourTargets::Values(beside(own, &new)?)
            }
            (NeighbourTargets::Values(own), Targets::Several(values))
                if own.rows() == values.rows() =>
            {
                NeighbourTargets::Values(beside(own, values)?)
            }
            _ => {
                return Err(Error::rows(
                    "the targets of the new rows are of another kind than those of the model",
                    "give classes to a model of classes, and as many numbers as it predicts",
                ));
            }
        };
        let weights = self.weights.clone().map(|mut weights| {
            weights.resize(weights.len() + rows.len(), 1.0);
            weights
        });
        let rows = self.rows.and(rows)?;
        // Rows that cannot be compared are refused before anything is changed.
        let changed = Self {
            rows,
            targets,
            weights,
            readout,
            ..self.clone()
        };
        if changed.rule == NeighbourRule::Nearest {
            changed.searcher()?;
        }
        *self = changed;
        Ok(())
    }

    /// Returns where the model keeps each of some rows, `None` where it does not: equal in what the encoder made of
    /// them, and in their targets where those are given. Of equal rows that are kept each is found once.
    pub fn places(&self, rows: &Records, targets: Option<&Targets>) -> Vec<Option<usize>> {
        let mut kept: HashMap<RowKey, VecDeque<usize>> = HashMap::new();
        for (place, key) in self.rows.row_keys(rows).into_iter().enumerate() {
            kept.entry(key).or_default().push_back(place);
        }
        let labels = self.readout.labels().unwrap_or_default();
        let answers = |place: usize, row: usize| match (&self.targets, targets) {
            (_, None) => true,
            (NeighbourTargets::Classes(codes), Some(Targets::Classes(classes))) => {
                labels.get(codes[place] as usize) == classes.labels.get(classes.codes[row] as usize)
            }
            (NeighbourTargets::Values(values), Some(Targets::Real(numbers))) => {
                values.rows() == 1 && values[(0, place)] == numbers[row]
            }
            (NeighbourTargets::Values(values), Some(Targets::Several(numbers))) => {
                values.rows() == numbers.rows()
                    && (0..values.rows()).all(|k| values[(k, place)] == numbers[(k, row)])
            }
            _ => false,
        };
        let find = |(row, key): (usize, RowKey)| {
            let equal = kept.get_mut(&key)?;
            let at = equal.iter().position(|place| answers(*place, row))?;
            equal.remove(at)
        };
        let asked = rows.row_keys(&self.rows).into_iter();
        asked.enumerate().map(find).collect()
    }

    /// Removes rows by their place among those that are kept.
    ///
    /// # Errors
    /// A place where no row is; a removal that leaves none.
    pub fn remove(&mut self, rows: &[usize]) -> Result<()> {
        let count = self.rows.len();
        if let Some(row) = rows.iter().find(|row| **row >= count) {
            return Err(Error::rows(
                format!("there is no row {row}: the model keeps {count}, counted from 0"),
                "give places of rows that are kept",
            ));
        }
        let mut goes = vec![false; count];
        for &row in rows {
            goes[row] = true;
        }
        let left: Vec<usize> = (0..count).filter(|&row| !goes[row]).collect();
        if left.is_empty() {
            return Err(Error::rows(
                "no row would be left",
                "keep at least one row, or learn anew",
            ));
        }
        self.rows = self.rows.select(&left);
        if let Some(weights) = &mut self.weights {
            *weights = left.iter().map(|&row| weights[row]).collect();
        }
        self.targets = match &self.targets {
            NeighbourTargets::Classes(codes) => {
                NeighbourTargets::Classes(left.iter().map(|&row| codes[row]).collect())
            }
            NeighbourTargets::Values(values) => {
                let kept = Matrix::from_fn(values.rows(), left.len(), |k, i| values[(k, left[i])]);
                NeighbourTargets::Values(kept)
            }
        };
        Ok(())
    }
}

/// Values beside values, line by line.
fn beside(own: &Matrix<f64>, new: &Matrix<f64>) -> Result<Matrix<f64>> {
    if !new.as_slice().iter().all(|value| value.is_finite()) {
        return Err(Error::rows(
            "a number to predict is missing or infinite",
            "replace it or leave its row out",
        ));
    }
    let first = own.columns();
    Ok(Matrix::from_fn(
        own.rows(),
        first + new.columns(),
        |k, i| {
            if i < first {
                own[(k, i)]
            } else {
                new[(k, i - first)]
            }
        },
    ))
}
