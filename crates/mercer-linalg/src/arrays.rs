//! Matrices from and to arrays of the crate `ndarray`.

use ndarray::{Array2, ArrayView2};

use crate::Matrix;

/// Takes the values over; they are copied only where rows do not follow each other in memory.
impl<T: Clone> From<Array2<T>> for Matrix<T> {
    fn from(array: Array2<T>) -> Self {
        let (rows, columns) = array.dim();
        // What is left of a larger array keeps the memory of all of it.
        if !array.is_standard_layout() {
            return array.view().into();
        }
        match array.into_raw_vec_and_offset() {
            (values, None | Some(0)) if values.len() == rows * columns => {
                Self::from_vec(rows, columns, values)
            }
            (values, start) => {
                let start = start.unwrap_or(0);
                let kept = &values[start..start + rows * columns];
                Self::from_vec(rows, columns, kept.to_vec())
            }
        }
    }
}

/// Copies the values, row by row.
impl<T: Clone> From<ArrayView2<'_, T>> for Matrix<T> {
    fn from(view: ArrayView2<'_, T>) -> Self {
        let (rows, columns) = view.dim();
        Self::from_vec(rows, columns, view.iter().cloned().collect())
    }
}

/// Takes the values over without a copy.
impl<T> From<Matrix<T>> for Array2<T> {
    fn from(matrix: Matrix<T>) -> Self {
        let shape = (matrix.rows(), matrix.columns());
        let array = Self::from_shape_vec(shape, matrix.into_vec());
        array.expect("a matrix has rows times columns values")
    }
}

/// Borrows the values.
impl<'a, T> From<&'a Matrix<T>> for ArrayView2<'a, T> {
    fn from(matrix: &'a Matrix<T>) -> Self {
        let shape = (matrix.rows(), matrix.columns());
        let view = Self::from_shape(shape, matrix.as_slice());
        view.expect("a matrix has rows times columns values")
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, ArrayView2, array, s};

    use crate::Matrix;

    #[test]
    fn arrays_come_and_go_without_a_copy() {
        let given = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let place = given.as_ptr();
        let matrix = Matrix::from(given.clone());
        assert_eq!(
            matrix,
            Matrix::from_vec(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
        );
        let matrix = Matrix::from(given);
        assert_eq!(matrix.as_slice().as_ptr(), place);
        assert_eq!(ArrayView2::from(&matrix).as_ptr(), place);
        let back = Array2::from(matrix);
        assert_eq!(back.as_ptr(), place);
        assert_eq!(back[[1, 2]], 6.0);
    }

    #[test]
    fn any_layout_gives_the_same_rows() {
        let all = Array2::from_shape_fn((4, 5), |(i, j)| (10 * i + j) as f32);
        let matrix = |array: &Array2<f32>| Matrix::from(array.clone());
        assert_eq!(Matrix::from(all.t()), matrix(&all).transposed());
        assert_eq!(Matrix::from(all.t().to_owned()), matrix(&all).transposed());
        assert_eq!(
            Matrix::from(all.clone().reversed_axes()),
            matrix(&all).transposed()
        );
        let expected = Matrix::from_vec(2, 2, vec![34.0_f32, 32.0, 14.0, 12.0]);
        assert_eq!(
            Matrix::from(all.slice(s![1..;2, 2..;2]).slice(s![..;-1, ..;-1])),
            expected
        );
        // Rows 2 and 3 of the memory of all four.
        let rest = all.clone().slice_move(s![2.., ..]);
        assert_eq!(Matrix::from(rest), matrix(&all).select_rows(&[2, 3]));
        for shape in [(0, 3), (3, 0), (0, 0)] {
            let empty = Matrix::from(Array2::<f64>::zeros(shape));
            assert_eq!((empty.rows(), empty.columns()), shape);
            assert_eq!(Array2::from(empty).dim(), shape);
        }
    }
}
