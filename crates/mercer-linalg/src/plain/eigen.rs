//! Eigenvalues and eigenvectors of symmetric matrices.

#![expect(unsafe_code, reason = "operands are raw parts")]

use super::MOST_PASSES;
use super::panel::{Panel, norm, rotate};
use super::reflect::reduce;
use crate::backend::Raw;
use crate::error::LinalgError;
use crate::real::Real;

/// # Safety
/// As [`crate::backend::Backend::eigen`].
///
/// The tridiagonal form is rotated to a diagonal one by implicit steps with Wilkinson's shift
/// (Golub and Van Loan, Matrix Computations, 4th edition, section 8.3).
pub(crate) unsafe fn eigen<T: Real>(
    a: Raw<*const T>,
    values: &mut [T],
    vectors: Option<Raw<*mut T>>,
) -> Result<(), LinalgError> {
    let n = a.rows;
    // SAFETY: promised by the caller.
    let mut matrix = unsafe { Panel::read(a) };
    let width = if vectors.is_some() { n } else { 0 };
    let mut sides = Panel::zeros(n, width);
    for j in 0..width {
        sides.column_mut(j)[j] = T::ONE;
    }
    reduce(&mut matrix, &mut sides);
    let mut frame = sides.transposed();
    let mut diagonal: Vec<T> = (0..n).map(|i| matrix.at(i, i)).collect();
    let mut beside: Vec<T> = (1..n).map(|i| matrix.at(i, i - 1)).collect();
    let is_small =
        |d: &[T], e: &[T], i: usize| e[i].abs() <= T::EPSILON * (d[i].abs() + d[i + 1].abs());
    let (mut last, mut steps) = (n.saturating_sub(1), 0);
    while last > 0 {
        if is_small(&diagonal, &beside, last - 1) {
            beside[last - 1] = T::ZERO;
            (last, steps) = (last - 1, 0);
            continue;
        }
        steps += 1;
        if steps > MOST_PASSES {
            return Err(LinalgError::NoConvergence);
        }
        let mut first = last - 1;
        while first > 0 && !is_small(&diagonal, &beside, first - 1) {
            first -= 1;
        }
        chase(&mut diagonal, &mut beside, first..last, &mut frame);
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| diagonal[i].to_f64().total_cmp(&diagonal[j].to_f64()));
    for (value, &i) in values.iter_mut().zip(&order) {
        *value = diagonal[i];
    }
    if let Some(raw) = vectors {
        let mut sorted = Panel::zeros(n, n);
        for (place, &i) in order.iter().enumerate() {
            sorted.column_mut(place).copy_from_slice(frame.column(i));
        }
        // SAFETY: promised by the caller.
        unsafe { sorted.write(raw) };
    }
    Ok(())
}

/// One implicit step on the rows from the start of a range to its end, both included.
fn chase<T: Real>(d: &mut [T], e: &mut [T], rows: std::ops::Range<usize>, frame: &mut Panel<T>) {
    let (first, last) = (rows.start, rows.end);
    let half = T::from_f64(0.5) * (d[last - 1] - d[last]);
    let off = e[last - 1];
    let size = half.abs() + norm(&[half, off]);
    let towards = off * (off / size);
    let shift = d[last] - if half < T::ZERO { -towards } else { towards };
    let (mut x, mut bulge) = (d[first] - shift, e[first]);
    for k in first..last {
        let r = norm(&[x, bulge]);
        let (c, s) = if r == T::ZERO {
            (T::ONE, T::ZERO)
        } else {
            (x / r, bulge / r)
        };
        if k > first {
            e[k - 1] = r;
        }
        let (here, between, next) = (d[k], e[k], d[k + 1]);
        let cross = c * s * (between + between);
        d[k] = c * c * here + cross + s * s * next;
        d[k + 1] = s * s * here - cross + c * c * next;
        e[k] = c * s * (next - here) + (c * c - s * s) * between;
        if k + 1 < last {
            x = e[k];
            bulge = s * e[k + 1];
            e[k + 1] = c * e[k + 1];
        }
        if frame.columns > 0 {
            let (one, other) = frame.pair(k, k + 1);
            rotate(one, other, c, s);
        }
    }
}
