//! Points and targets from arrays of the crate `ndarray`.
//!
//! ```
//! use mercer::data::{Dataset, Records, Targets};
//! use mercer::fit::FitContext;
//! use mercer::learn::Estimator;
//! use mercer::learn::linear::Ols;
//! use mercer::model::Form;
//! use ndarray::array;
//!
//! let x = array![[0.0], [1.0], [2.0], [3.0]];
//! let y = array![1.0, 3.0, 5.0, 7.0];
//! let data = Dataset::try_new(Records::from_points(x), Targets::from(y))?;
//! let context = FitContext::default();
//! let model = Form::from(Ols::default().fit(&data, &context)?.model);
//!
//! let new = Records::from_points(array![[10.0]].view());
//! let values = model.predict(&new, &context)?.answers.to_values();
//! assert!((values.expect("numbers")[[0, 0]] - 21.0).abs() < 1e-9);
//! # Ok::<(), mercer::Error>(())
//! ```

use mercer_linalg::{Matrix, Real};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

use super::{Block, Points, Targets};

/// A row is a data point. The values are taken over without a copy where rows follow each other in
/// memory.
impl<T: Real> From<Array2<T>> for Points
where
    Self: From<Block<T>>,
{
    fn from(array: Array2<T>) -> Self {
        Matrix::from(array).into()
    }
}

/// A row is a data point. The values are copied.
impl<T: Real> From<ArrayView2<'_, T>> for Points
where
    Self: From<Block<T>>,
{
    fn from(view: ArrayView2<'_, T>) -> Self {
        Matrix::from(view).into()
    }
}

/// A number per row.
impl From<Array1<f64>> for Targets {
    fn from(array: Array1<f64>) -> Self {
        array.view().into()
    }
}

/// A number per row.
impl From<ArrayView1<'_, f64>> for Targets {
    fn from(view: ArrayView1<'_, f64>) -> Self {
        Self::Real(view.to_vec())
    }
}

/// Several numbers per row: a column of the array for each of them.
impl From<ArrayView2<'_, f64>> for Targets {
    fn from(view: ArrayView2<'_, f64>) -> Self {
        Self::Several(Matrix::from(view.reversed_axes()))
    }
}
