//! Matrix products in full double precision.
//!
//! A runtime may join a product with a neighbouring factor of one entry, and onnxruntime up
//! to 1.31 then keeps that factor in single precision. Such a factor has one entry where it
//! meets one feature, one support vector or one decision: products of these shapes are
//! written as elementwise ones here, and other factors have an entry per column.

use mercer_linalg::Matrix;

use super::graph::{Builder, Wire};
use super::sides::matrix;

/// Multiplies rows, \[N, width\], with a constant, \[width, columns\].
pub(super) fn product(graph: &mut Builder, rows: &Wire, by: &Matrix<f64>) -> Wire {
    if by.rows() == 1 {
        let by = matrix(graph, by);
        return graph.step("Mul", [rows, &by]);
    }
    if by.columns() == 1 {
        let by = matrix(graph, &by.transposed());
        let terms = graph.step("Mul", [rows, &by]);
        return graph.sum(&terms, 1, true);
    }
    let by = matrix(graph, by);
    graph.step("MatMul", [rows, &by])
}

/// Multiplies a block of some columns with one number.
pub(super) fn scale(graph: &mut Builder, block: &Wire, factor: f64, columns: usize) -> Wire {
    if factor == 1.0 {
        return block.clone();
    }
    let factor = graph.row(vec![factor; columns]);
    graph.step("Mul", [block, &factor])
}
