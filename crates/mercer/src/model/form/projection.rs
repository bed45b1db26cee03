//! Coordinates along axes: z_j = s_j ⟨c_j, x − m⟩.

use std::collections::HashSet;

use mercer_linalg::{Matrix, MatrixMut, MatrixRef, Op, Par, Precision, dot, gemm};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::in_blocks::in_blocks;
use super::{Decide, Function, LinearModel, read_shape};
use crate::data::{Block, Encoder, FeatureGroup, Records};
use crate::fit::Cancel;
use crate::model::Tensors;
use crate::model::readout::{Readout, ReadoutShape};
use crate::{Error, Result};

/// Records of one task: some hundred kilobytes of dense rows.
const BLOCK: usize = 256;
/// Multiplications below which threads cost more than they save.
const WORTH_THREADS: f64 = 1e7;

/// A linear map of rows to fewer coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    /// What is taken from every row.
    pub mean: Vec<f64>,
    /// One component per row, one column per feature.
    pub components: Matrix<f64>,
    /// What every coordinate is multiplied by.
    pub scales: Vec<f64>,
    /// The way back, x ≈ m + Σ z_j b_j, one b per row; `None` where components are orthonormal, and b_j is c_j / s_j.
    pub back: Option<Matrix<f64>>,
    /// What makes rows white before components are looked for, one row per white coordinate, where
    /// that was a step of its own.
    pub whitening: Option<Matrix<f64>>,
    /// The features that the columns are for.
    pub features: Vec<FeatureGroup>,
    /// What the coordinates stand for.
    pub readout: Readout,
}

impl Projection {
    /// Returns the way back: one row per coordinate, x ≈ m + Σ z_j b_j.
    pub fn way_back(&self) -> Matrix<f64> {
        if let Some(back) = &self.back {
            return back.clone();
        }
        let (count, width) = (self.components.rows(), self.mean.len());
        Matrix::from_fn(count, width, |k, j| {
            self.components[(k, j)] / self.scales[k]
        })
    }

    /// Returns the same map as weights and constants.
    pub fn as_linear(&self) -> LinearModel {
        let (count, width) = (self.components.rows(), self.mean.len());
        let weight = |k: usize, j: usize| self.components[(k, j)] * self.scales[k];
        let weights = Matrix::from_fn(count, width, weight);
        let bias = |k: usize| -dot(weights.row(k), &self.mean);
        LinearModel {
            biases: (0..count).map(bias).collect(),
            weights,
            features: self.features.clone(),
            readout: self.readout.clone(),
            spread: None,
        }
    }

    /// Returns rows from their coordinates, as near as these tell.
    ///
    /// # Errors
    /// Another number of coordinates.
    pub fn restore(&self, coordinates: &Matrix<f64>) -> Result<Matrix<f64>> {
        let count = self.components.rows();
        if coordinates.columns() != count {
            return Err(Error::Length {
                what: "a row".to_owned(),
                found: coordinates.columns(),
                expected: count,
                unit: "coordinates",
            });
        }
        let width = self.mean.len();
        let mut out = Matrix::from_fn(coordinates.rows(), width, |_, j| self.mean[j]);
        let back = self.way_back();
        let (z, back) = (coordinates.as_ref(), back.as_ref());
        gemm(
            1.0,
            z,
            Op::None,
            back,
            Op::None,
            1.0,
            out.as_mut(),
            Par::Sequential,
        );
        Ok(out)
    }
}

#[derive(Serialize, Deserialize)]
struct Shape {
    features: Vec<FeatureGroup>,
    readout: ReadoutShape,
    back: bool,
    whitening: bool,
}

impl Function for Projection {
    const KIND: &'static str = "projection";

    fn readout(&self) -> &Readout {
        &self.readout
    }

    fn width(&self) -> usize {
        self.scales.len()
    }

    fn decider(&self, _precision: Precision) -> Result<Box<dyn Decide>> {
        let mut weights = self.components.clone();
        for (k, scale) in self.scales.iter().enumerate() {
            weights.row_mut(k).iter_mut().for_each(|w| *w *= scale);
        }
        Ok(Box::new(Coordinates {
            mean: self.mean.clone(),
            weights,
        }))
    }

    fn features(&self) -> &[FeatureGroup] {
        &self.features
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        let columns = encoder.columns().iter();
        let read = columns.filter(|column| column.group().is_some());
        read.map(|column| column.name.as_str()).collect()
    }

    fn check(&self) -> Result<()> {
        let width: usize = self.features.iter().map(FeatureGroup::width).sum();
        let count = self.scales.len();
        let shape = |matrix: &Matrix<f64>| (matrix.rows(), matrix.columns());
        let others = self.back.iter().chain(&self.whitening);
        if count == 0
            || self.mean.len() != width
            || shape(&self.components) != (count, width)
            || others.clone().any(|m| shape(m) != (count, width))
        {
            return Err(Error::model(format!(
                "{} by {} components for {count} coordinates and {width} features",
                self.components.rows(),
                self.components.columns()
            )));
        }
        self.readout.check(count)?;
        let lists = [&self.mean[..], self.components.as_slice(), &self.scales[..]];
        let numbers = lists.into_iter().chain(others.map(Matrix::as_slice));
        if numbers.flatten().any(|v| !v.is_finite()) {
            return Err(Error::model("a component is not finite"));
        }
        Ok(())
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        tensors.add_f64("mean", self.mean.clone());
        tensors.add_matrix("components", &self.components);
        tensors.add_f64("scales", self.scales.clone());
        if let Some(back) = &self.back {
            tensors.add_matrix("back", back);
        }
        if let Some(whitening) = &self.whitening {
            tensors.add_matrix("whitening", whitening);
        }
        let shape = Shape {
            features: self.features.clone(),
            readout: self.readout.store(tensors),
            back: self.back.is_some(),
            whitening: self.whitening.is_some(),
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let mut take = |is: bool, name: &str| is.then(|| tensors.take_matrix(name)).transpose();
        let (back, whitening) = (
            take(shape.back, "back")?,
            take(shape.whitening, "whitening")?,
        );
        let model = Self {
            mean: tensors.take_f64("mean")?,
            components: tensors.take_matrix("components")?,
            scales: tensors.take_f64("scales")?,
            back,
            whitening,
            features: encoder.with_words(shape.features),
            readout: Readout::load(shape.readout, tensors)?,
        };
        model.check()?;
        Ok(model)
    }
}

/// Computes the coordinates.
#[derive(Debug)]
struct Coordinates {
    mean: Vec<f64>,
    /// Components times scales.
    weights: Matrix<f64>,
}

impl Coordinates {
    /// Writes the coordinates of a block of rows.
    fn block(&self, points: &Block<f64>, start: usize, out: &mut [f64]) {
        let (count, width) = (self.weights.rows(), self.mean.len());
        let rows = out.len() / count;
        let mut near = vec![0.0; rows * width];
        for (k, line) in near.chunks_exact_mut(width).enumerate() {
            match points {
                Block::Dense(all) => {
                    let row = all.row(start + k);
                    for ((out, x), mean) in line.iter_mut().zip(row).zip(&self.mean) {
                        *out = x - mean;
                    }
                }
                Block::Sparse(all) => {
                    for (out, mean) in line.iter_mut().zip(&self.mean) {
                        *out = -mean;
                    }
                    let (indices, values) = all.row(start + k);
                    for (&j, x) in indices.iter().zip(values) {
                        line[j as usize] = x - self.mean[j as usize];
                    }
                }
            }
        }
        gemm(
            1.0,
            MatrixRef::from_slice(rows, width, &near),
            Op::None,
            self.weights.as_ref(),
            Op::Transpose,
            0.0,
            MatrixMut::from_slice(rows, count, out),
            Par::Sequential,
        );
    }
}

impl Decide for Coordinates {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let points = records.features.points.widened();
        if points.columns() != self.mean.len() {
            return Err(Error::Length {
                what: "a row".to_owned(),
                found: points.columns(),
                expected: self.mean.len(),
                unit: "features",
            });
        }
        let count = self.weights.rows();
        let shape = [records.len(), count];
        in_blocks(shape, BLOCK, par, cancel, |first, out| {
            self.block(&points, first, out);
        })
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        rows > BLOCK && (rows * self.weights.as_slice().len()) as f64 >= WORTH_THREADS
    }
}
