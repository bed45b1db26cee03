//! Named tensors and a JSON document: a model without its container.

use std::collections::BTreeMap;

use mercer_linalg::Matrix;

use crate::{Error, Result};

/// A shaped array of numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum Tensor {
    /// Double precision.
    F64 {
        /// Extent of every axis.
        shape: Vec<usize>,
        /// Values, last axis fastest.
        values: Vec<f64>,
    },
    /// Single precision.
    F32 {
        /// Extent of every axis.
        shape: Vec<usize>,
        /// Values, last axis fastest.
        values: Vec<f32>,
    },
    /// Unsigned 32-bit integers.
    U32 {
        /// Extent of every axis.
        shape: Vec<usize>,
        /// Values, last axis fastest.
        values: Vec<u32>,
    },
    /// Unsigned 64-bit integers.
    U64 {
        /// Extent of every axis.
        shape: Vec<usize>,
        /// Values, last axis fastest.
        values: Vec<u64>,
    },
    /// Bytes.
    U8 {
        /// Extent of every axis.
        shape: Vec<usize>,
        /// Values, last axis fastest.
        values: Vec<u8>,
    },
}

impl Tensor {
    /// Returns the extent of every axis.
    pub fn shape(&self) -> &[usize] {
        match self {
            Self::F64 { shape, .. }
            | Self::F32 { shape, .. }
            | Self::U32 { shape, .. }
            | Self::U64 { shape, .. }
            | Self::U8 { shape, .. } => shape,
        }
    }
}

/// Tensors by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tensors(pub BTreeMap<String, Tensor>);

impl Tensors {
    /// Adds a list of numbers.
    pub(crate) fn add_f64(&mut self, name: &str, values: Vec<f64>) {
        let shape = vec![values.len()];
        self.0
            .insert(name.to_owned(), Tensor::F64 { shape, values });
    }

    /// Adds a matrix.
    pub(crate) fn add_matrix(&mut self, name: &str, matrix: &Matrix<f64>) {
        let shape = vec![matrix.rows(), matrix.columns()];
        let values = matrix.as_slice().to_vec();
        self.0
            .insert(name.to_owned(), Tensor::F64 { shape, values });
    }

    /// Adds a list of 32-bit integers.
    pub(crate) fn add_u32(&mut self, name: &str, values: Vec<u32>) {
        let shape = vec![values.len()];
        self.0
            .insert(name.to_owned(), Tensor::U32 { shape, values });
    }

    /// Adds a list of 64-bit integers.
    pub(crate) fn add_u64(&mut self, name: &str, values: Vec<u64>) {
        let shape = vec![values.len()];
        self.0
            .insert(name.to_owned(), Tensor::U64 { shape, values });
    }

    /// Adds bytes.
    pub(crate) fn add_u8(&mut self, name: &str, values: Vec<u8>) {
        let shape = vec![values.len()];
        self.0.insert(name.to_owned(), Tensor::U8 { shape, values });
    }

    /// Takes a list of numbers.
    ///
    /// # Errors
    /// [`Error::Model`] when it is absent or of another type or shape.
    pub(crate) fn take_f64(&mut self, name: &str) -> Result<Vec<f64>> {
        match self.take(name)? {
            Tensor::F64 { shape, values } if shape.len() == 1 => Ok(values),
            other => Err(wrong(name, &other, "a list of f64")),
        }
    }

    /// Takes a matrix.
    ///
    /// # Errors
    /// [`Error::Model`] when it is absent or of another type or shape.
    pub(crate) fn take_matrix(&mut self, name: &str) -> Result<Matrix<f64>> {
        match self.take(name)? {
            Tensor::F64 { shape, values } if shape.len() == 2 => {
                Matrix::try_from_vec(shape[0], shape[1], values)
                    .map_err(|_| Error::model(format!("tensor `{name}` does not fill its shape")))
            }
            other => Err(wrong(name, &other, "a matrix of f64")),
        }
    }

    /// Takes a list of 32-bit integers.
    ///
    /// # Errors
    /// [`Error::Model`] when it is absent or of another type or shape.
    pub(crate) fn take_u32(&mut self, name: &str) -> Result<Vec<u32>> {
        match self.take(name)? {
            Tensor::U32 { shape, values } if shape.len() == 1 => Ok(values),
            other => Err(wrong(name, &other, "a list of u32")),
        }
    }

    /// Takes a list of 64-bit integers.
    ///
    /// # Errors
    /// [`Error::Model`] when it is absent or of another type or shape.
    pub(crate) fn take_u64(&mut self, name: &str) -> Result<Vec<u64>> {
        match self.take(name)? {
            Tensor::U64 { shape, values } if shape.len() == 1 => Ok(values),
            other => Err(wrong(name, &other, "a list of u64")),
        }
    }

    /// Takes bytes.
    ///
    /// # Errors
    /// [`Error::Model`] when they are absent or of another type or shape.
    pub(crate) fn take_u8(&mut self, name: &str) -> Result<Vec<u8>> {
        match self.take(name)? {
            Tensor::U8 { shape, values } if shape.len() == 1 => Ok(values),
            other => Err(wrong(name, &other, "a list of bytes")),
        }
    }

    pub(super) fn take(&mut self, name: &str) -> Result<Tensor> {
        self.0
            .remove(name)
            .ok_or_else(|| Error::model(format!("tensor `{name}` is missing")))
    }
}

pub(super) fn wrong(name: &str, tensor: &Tensor, expected: &str) -> Error {
    Error::model(format!(
        "tensor `{name}` of shape {:?} is not {expected}",
        tensor.shape()
    ))
}

/// A model as one JSON document and named tensors.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// Everything that is not a large array.
    pub metadata: String,
    /// The large arrays.
    pub tensors: Tensors,
}
