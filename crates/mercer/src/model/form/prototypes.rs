//! Rows that stand for others: the nearest one names the prediction.

use std::collections::HashSet;

use mercer_linalg::{Matrix, Par, Precision, squared_distance};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decide, Function, read_shape};
use crate::data::{Block, Encoder, FeatureGroup, Records};
use crate::fit::Cancel;
use crate::model::Tensors;
use crate::model::readout::{Readout, ReadoutShape, Scheme};
use crate::model::records_parts::{RecordsShape, from_tensors, to_tensors};
use crate::solver::kmeans::{distances, nearest};
use crate::solver::som::MapGrid;
use crate::{Error, Result};

/// Multiplications below which threads cost more than they save.
const WORTH_THREADS: f64 = 1e7;
/// Rows whose distances are held at one time.
const RUN: usize = 1 << 14;

/// Prototypes. Of clusters and maps a decision is the distance from one of them; of classes it is
/// the distance from the nearest prototype of all other classes minus that from the own ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Prototypes {
    /// The prototypes.
    pub rows: Records,
    /// Where they lie on a map, row by row, where they do.
    pub grid: Option<MapGrid>,
    /// The class of each, where they stand for classes.
    pub classes: Option<Vec<u32>>,
    /// What the nearest one stands for.
    pub readout: Readout,
}

impl Prototypes {
    /// Prototypes that each stand for a cluster.
    pub fn of_clusters(rows: Records) -> Self {
        Self {
            rows,
            grid: None,
            classes: None,
            readout: Readout::Clusters,
        }
    }

    /// Units of a map.
    pub fn of_map(rows: Records, grid: MapGrid) -> Self {
        Self {
            grid: Some(grid),
            ..Self::of_clusters(rows)
        }
    }

    /// Prototypes that stand for classes, of which each has one at least.
    pub fn of_classes(rows: Records, classes: Vec<u32>, labels: &[String]) -> Self {
        let scheme = Scheme::one_or_rest(labels.len());
        Self {
            rows,
            grid: None,
            classes: Some(classes),
            readout: Readout::of_classes(labels, scheme),
        }
    }

    /// Returns the numbers of the prototypes, a row for each.
    pub fn centres(&self) -> Matrix<f64> {
        match self.rows.features.points.widened() {
            Block::Dense(rows) => {
                Matrix::from_fn(rows.rows(), rows.columns(), |i, j| rows.row(i)[j])
            }
            Block::Sparse(rows) => rows.to_dense(),
        }
    }

    /// Returns the number of the nearest prototype of every row; of prototypes at one distance the first is the nearest.
    ///
    /// # Errors
    /// Rows of another width, values that are not finite, cancellation.
    pub fn nearest(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Vec<u32>> {
        Ok(nearest(&self.centres(), records, par, cancel)?.0)
    }

    /// Returns the mean distance of every unit from its neighbours on the map (the U-matrix); `None`
    /// for prototypes without a map. A unit alone has distance 0.
    pub fn unit_distances(&self) -> Option<Vec<f64>> {
        let grid = self.grid?;
        let centres = self.centres();
        let mean = |unit: usize| {
            let neighbours = grid.neighbours(unit);
            let apart = neighbours
                .iter()
                .map(|&other| squared_distance(centres.row(unit), centres.row(other)).sqrt());
            apart.sum::<f64>() / neighbours.len().max(1) as f64
        };
        Some((0..grid.len()).map(mean).collect())
    }
}

#[derive(Serialize, Deserialize)]
struct Shape {
    rows: RecordsShape,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grid: Option<MapGrid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    classes: Option<Vec<u32>>,
    readout: ReadoutShape,
}

impl Function for Prototypes {
    const KIND: &'static str = "prototypes";

    fn readout(&self) -> &Readout {
        &self.readout
    }

    fn width(&self) -> usize {
        match self.readout.classes() {
            Some(classes) => classes.scheme.decisions(classes.labels.len()),
            None => self.rows.len(),
        }
    }

    fn decider(&self, _precision: Precision) -> Result<Box<dyn Decide>> {
        let classes = self.readout.classes().zip(self.classes.clone());
        Ok(Box::new(Distances {
            prototypes: self.centres(),
            classes: classes.map(|(readout, codes)| (readout.labels.len(), codes)),
        }))
    }

    fn features(&self) -> &[FeatureGroup] {
        &self.rows.features.groups
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        let columns = encoder.columns().iter();
        let read = columns.filter(|column| column.group().is_some());
        read.map(|column| column.name.as_str()).collect()
    }

    fn check(&self) -> Result<()> {
        if self.rows.is_empty() {
            return Err(Error::model("there is no prototype"));
        }
        if let Some(grid) = &self.grid
            && grid.rows.checked_mul(grid.columns) != Some(self.rows.len())
        {
            return Err(Error::model(format!(
                "a map of {} by {} units has {} prototypes",
                grid.rows,
                grid.columns,
                self.rows.len()
            )));
        }
        match (&self.classes, &self.readout) {
            (None, Readout::Clusters) => {}
            (Some(codes), Readout::Classes(classes)) => {
                if codes.len() != self.rows.len() {
                    return Err(Error::model("not every prototype has a class"));
                }
                let mut has = vec![false; classes.labels.len()];
                for code in codes {
                    let place = has.get_mut(*code as usize);
                    *place.ok_or_else(|| Error::model("a prototype is of an unknown class"))? =
                        true;
                }
                if has.contains(&false) {
                    return Err(Error::model("a class has no prototype"));
                }
            }
            _ => return Err(Error::model("prototypes stand for clusters or for classes")),
        }
        self.readout.check(self.width())?;
        if self.rows.features.points.first_not_finite().is_some() {
            return Err(Error::model("a prototype is not finite"));
        }
        Ok(())
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        let shape = Shape {
            rows: to_tensors(&self.rows, "rows", tensors),
            grid: self.grid,
            classes: self.classes.clone(),
            readout: self.readout.store(tensors),
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let model = Self {
            rows: from_tensors(&shape.rows, encoder, "rows", tensors)?,
            grid: shape.grid,
            classes: shape.classes,
            readout: Readout::load(shape.readout, tensors)?,
        };
        model.check()?;
        Ok(model)
    }
}

/// Computes the distances.
#[derive(Debug)]
struct Distances {
    prototypes: Matrix<f64>,
    /// How many classes there are, and that of each prototype, where they stand for some.
    classes: Option<(usize, Vec<u32>)>,
}

impl Decide for Distances {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let Some((count, codes)) = &self.classes else {
            return distances(&self.prototypes, records, par, cancel);
        };
        let n = records.len();
        let width = Scheme::one_or_rest(*count).decisions(*count);
        let mut out = Matrix::zeros(n, width);
        for start in (0..n).step_by(RUN) {
            let part = records.slice(start..(start + RUN).min(n));
            let all = distances(&self.prototypes, &part, par, cancel)?;
            for row in 0..all.rows() {
                leads(all.row(row), codes, *count, out.row_mut(start + row));
            }
        }
        Ok(out)
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        (rows * self.prototypes.as_slice().len()) as f64 >= WORTH_THREADS
    }
}

/// By how much each class is nearer than all others; of two classes the first alone.
fn leads(distances: &[f64], codes: &[u32], count: usize, out: &mut [f64]) {
    let mut nearest = vec![f64::INFINITY; count];
    for (distance, &code) in distances.iter().zip(codes) {
        let least = &mut nearest[code as usize];
        *least = least.min(*distance);
    }
    for (class, out) in out.iter_mut().enumerate() {
        let others = (0..count).filter(|&other| other != class);
        let least = others.map(|c| nearest[c]).fold(f64::INFINITY, f64::min);
        *out = least - nearest[class];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::FitContext;
    use crate::model::{Answers, Form};
    use crate::solver::som::Lattice;

    fn labels(count: usize) -> Vec<String> {
        (0..count).map(|k| format!("c{k}")).collect()
    }

    #[test]
    fn the_nearest_is_the_one_of_least_distance() {
        let centres = Matrix::from_vec(3, 1, vec![0.0, 4.0, 4.0]);
        let model = Prototypes::of_clusters(Records::from_points(centres));
        let rows = Records::from_points(Matrix::from_vec(4, 1, vec![-1.0, 1.5, 2.5, 9.0]));
        let context = FitContext::default();
        let found = model
            .nearest(&rows, context.par(), &context.cancel)
            .unwrap();
        // The last rows are as far from two.
        assert_eq!(found, [0, 0, 1, 1]);
        let wide = Records::from_points(Matrix::<f64>::zeros(1, 2));
        assert!(
            model
                .nearest(&wide, context.par(), &context.cancel)
                .is_err()
        );
    }

    #[test]
    fn the_class_of_the_nearest_prototype() {
        let x = Matrix::from_vec(4, 1, vec![0.0, 4.0, 10.0, 1.0]);
        for (count, codes) in [(3, vec![2, 0, 1, 2]), (2, vec![1, 0, 1, 1])] {
            let model =
                Prototypes::of_classes(Records::from_points(x.clone()), codes, &labels(count));
            model.check().expect("a model");
            let new = Matrix::from_vec(4, 1, vec![0.4, 3.0, 8.0, -5.0]);
            let answers = Form::from(model)
                .predict(&Records::from_points(new), &FitContext::default())
                .expect("answers");
            let Answers::Classes { codes, .. } = answers.answers else {
                panic!("classes");
            };
            let expected = if count == 3 {
                [2, 0, 1, 2]
            } else {
                [1, 0, 1, 1]
            };
            assert_eq!(codes, expected);
            assert_eq!(answers.decisions.columns(), if count == 3 { 3 } else { 1 });
        }
    }

    #[test]
    fn broken_rules_are_named() {
        let rows = || Records::from_points(Matrix::from_fn(6, 2, |i, j| (i * 2 + j) as f64));
        let grid = |rows, columns| MapGrid {
            rows,
            columns,
            lattice: Lattice::Hexagonal,
        };
        assert!(Prototypes::of_map(rows(), grid(2, 3)).check().is_ok());
        assert!(Prototypes::of_map(rows(), grid(3, 3)).check().is_err());
        assert!(
            Prototypes::of_map(rows(), grid(usize::MAX, 2))
                .check()
                .is_err()
        );
        let classes = |codes: Vec<u32>| Prototypes::of_classes(rows(), codes, &labels(3)).check();
        assert!(classes(vec![0, 1, 2, 0, 1, 2]).is_ok());
        assert!(classes(vec![0, 1, 2, 0, 1, 3]).is_err());
        assert!(classes(vec![0, 1, 1, 0, 1, 1]).is_err());
        assert!(classes(vec![0, 1, 2]).is_err());
        let mut mixed = Prototypes::of_clusters(rows());
        mixed.classes = Some(vec![0; 6]);
        assert!(mixed.check().is_err());
    }

    #[test]
    fn the_u_matrix_by_hand() {
        let rows = Records::from_points(Matrix::from_vec(3, 1, vec![0.0, 1.0, 5.0]));
        let grid = MapGrid {
            rows: 1,
            columns: 3,
            lattice: Lattice::Rectangular,
        };
        let model = Prototypes::of_map(rows, grid);
        assert_eq!(model.unit_distances(), Some(vec![1.0, 2.5, 4.0]));
    }
}
