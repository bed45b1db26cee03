//! A tridiagonal matrix with several multiples of the identity added, side by side.

use crate::matrix::MatrixRef;
use crate::simd::{Kernel, Simd, dispatch};
use crate::tridiagonal::Tridiagonal;

/// Shifts that share a register.
const LANES: usize = 8;
/// Rows that are taken together: chains of their own hide the time of a step.
const ROWS: usize = 4;

/// The factors L D Lᵀ of T + λI for every λ of a list.
#[derive(Clone, Debug)]
pub struct ShiftedTridiagonal {
    order: usize,
    count: usize,
    /// Shifts with those that fill the last register.
    padded: usize,
    /// The number below the diagonal in every column of L: `[column][shift]`.
    below: Vec<f64>,
    /// 1/D: `[column][shift]`.
    reciprocals: Vec<f64>,
    /// Traces of the inverses.
    traces: Vec<f64>,
}

impl ShiftedTridiagonal {
    /// Factors T + λI for every shift λ; `None` where one of them is not positive definite.
    ///
    /// # Examples
    ///
    /// ```
    /// use mercer_linalg::{Matrix, ShiftedTridiagonal, Tridiagonal};
    ///
    /// let t = Tridiagonal { diagonal: vec![1.0, 1.0], beside: vec![0.0] };
    /// let shifted = ShiftedTridiagonal::new(&t, &[1.0, 3.0]).expect("positive");
    /// assert_eq!(shifted.traces(), [1.0, 0.5]);
    /// let mut forms = vec![0.0; 2];
    /// shifted.forms(Matrix::from_vec(1, 2, vec![2.0, 0.0]).as_ref(), &mut forms);
    /// assert_eq!(forms, [2.0, 1.0]);
    /// ```
    pub fn new(t: &Tridiagonal<f64>, shifts: &[f64]) -> Option<Self> {
        let (order, count) = (t.diagonal.len(), shifts.len());
        let padded = count.next_multiple_of(LANES);
        let mut below = vec![0.0; order * padded];
        let mut reciprocals = vec![0.0; order * padded];
        let mut traces = Vec::with_capacity(count);
        for (l, shift) in shifts.iter().enumerate() {
            let mut before = 0.0;
            for j in 0..order {
                let pivot = t.diagonal[j] + shift - before;
                if !(pivot > 0.0 && pivot.is_finite()) {
                    return None;
                }
                reciprocals[j * padded + l] = 1.0 / pivot;
                if let Some(beside) = t.beside.get(j) {
                    below[j * padded + l] = beside / pivot;
                    before = beside * beside / pivot;
                }
            }
            // Entry j of the inverse's diagonal is 1/(d_j + e_j − t_j), e_j the pivots from the end.
            let (mut trace, mut after) = (0.0, 0.0);
            for j in (0..order).rev() {
                let pivot = 1.0 / reciprocals[j * padded + l];
                let entry = pivot - after;
                if !(entry > 0.0) {
                    return None;
                }
                trace += 1.0 / entry;
                if j > 0 {
                    let end = t.diagonal[j] + shift - after;
                    after = t.beside[j - 1] * t.beside[j - 1] / end;
                }
            }
            traces.push(trace);
        }
        Some(Self {
            order,
            count,
            padded,
            below,
            reciprocals,
            traces,
        })
    }

    /// The trace of (T + λI)⁻¹ for every shift.
    pub fn traces(&self) -> &[f64] {
        &self.traces
    }

    /// Replaces x by (T + λI)⁻¹x, λ the shift of that number.
    ///
    /// # Panics
    ///
    /// When there is no such shift, or x has another length.
    pub fn solve(&self, shift: usize, x: &mut [f64]) {
        assert!(shift < self.count, "a shift");
        assert_eq!(x.len(), self.order, "a number per row");
        let at = |j: usize| j * self.padded + shift;
        for j in 1..self.order {
            x[j] -= self.below[at(j - 1)] * x[j - 1];
        }
        for j in (0..self.order).rev() {
            x[j] *= self.reciprocals[at(j)];
            if j + 1 < self.order {
                x[j] -= self.below[at(j)] * x[j + 1];
            }
        }
    }

    /// Writes xᵀ(T + λI)⁻¹x for every row x and every shift, row by row.
    ///
    /// A number depends on its row and its shift alone.
    ///
    /// # Panics
    ///
    /// When rows or `out` have another length.
    pub fn forms(&self, rows: MatrixRef<'_, f64>, out: &mut [f64]) {
        assert_eq!(rows.columns(), self.order, "rows as long as the matrix");
        assert_eq!(
            out.len(),
            rows.rows() * self.count,
            "a number per row and shift"
        );
        dispatch(Forms {
            factors: self,
            rows,
            out,
        });
    }
}

struct Forms<'a> {
    factors: &'a ShiftedTridiagonal,
    rows: MatrixRef<'a, f64>,
    out: &'a mut [f64],
}

impl Kernel for Forms<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self) {
        let rows = self.rows.rows();
        let whole = rows - rows % ROWS;
        for row in (0..whole).step_by(ROWS) {
            self.block::<S, ROWS>(row);
        }
        for row in whole..rows {
            self.block::<S, 1>(row);
        }
    }
}

impl Forms<'_> {
    /// With u = L⁻¹x the form is Σ u_j²/d_j, and u_j = x_j − l_{j−1} u_{j−1}.
    #[inline(always)]
    fn block<S: Simd, const HEIGHT: usize>(&mut self, row: usize) {
        let factors = self.factors;
        let mut lines: [&[f64]; HEIGHT] = [&[]; HEIGHT];
        for (i, line) in lines.iter_mut().enumerate() {
            *line = &self.rows.row(row + i)[..factors.order];
        }
        for first in (0..factors.padded).step_by(LANES) {
            let mut sums = [[0.0; LANES]; HEIGHT];
            let mut carried = [[0.0; LANES]; HEIGHT];
            for j in 0..factors.order {
                let at = j * factors.padded + first;
                let below: &[f64; LANES] = lanes(&factors.below[at..]);
                let reciprocals: &[f64; LANES] = lanes(&factors.reciprocals[at..]);
                for i in 0..HEIGHT {
                    let x = lines[i][j];
                    for l in 0..LANES {
                        let u = x - carried[i][l];
                        sums[i][l] = S::mul_add(u * reciprocals[l], u, sums[i][l]);
                        carried[i][l] = below[l] * u;
                    }
                }
            }
            let used = LANES.min(factors.count - first.min(factors.count));
            for (i, sums) in sums.iter().enumerate() {
                let to = (row + i) * factors.count + first;
                self.out[to..to + used].copy_from_slice(&sums[..used]);
            }
        }
    }
}

#[inline(always)]
fn lanes(values: &[f64]) -> &[f64; LANES] {
    values.first_chunk().expect("whole registers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::simd::tests::on_every_isa;

    #[test]
    fn forms_and_traces_are_those_of_solutions() {
        let order = 37;
        let t = Tridiagonal {
            diagonal: (0..order).map(|j| 2.0 + (j as f64).sin()).collect(),
            beside: (1..order).map(|j| 0.4 * (j as f64).cos()).collect(),
        };
        let shifts: Vec<f64> = (0..11).map(|l| 0.1 * f64::from(l)).collect();
        on_every_isa(|set| {
            let shifted = ShiftedTridiagonal::new(&t, &shifts).expect("positive");
            let rows = Matrix::from_fn(6, order, |i, j| ((i * 7 + j * 3) as f64).sin());
            let mut found = vec![0.0; 6 * 11];
            shifted.forms(rows.as_ref(), &mut found);
            for (l, shift) in shifts.iter().enumerate() {
                let mut trace = 0.0;
                for j in 0..order {
                    let mut unit = vec![0.0; order];
                    unit[j] = 1.0;
                    shifted.solve(l, &mut unit);
                    trace += unit[j];
                }
                assert!(
                    (trace - shifted.traces()[l]).abs() < 1e-12 * trace,
                    "{set:?}"
                );
                for i in 0..6 {
                    let mut x = rows.row(i).to_vec();
                    shifted.solve(l, &mut x);
                    let form: f64 = x.iter().zip(rows.row(i)).map(|(a, b)| a * b).sum();
                    assert!((form - found[i * 11 + l]).abs() < 1e-12 * form, "{set:?}");
                    // The solution solves.
                    for j in 0..order {
                        let mut sum = (t.diagonal[j] + shift) * x[j];
                        if j > 0 {
                            sum += t.beside[j - 1] * x[j - 1];
                        }
                        if j + 1 < order {
                            sum += t.beside[j] * x[j + 1];
                        }
                        assert!((sum - rows[(i, j)]).abs() < 1e-12);
                    }
                }
            }
        });
        let negative = Tridiagonal {
            diagonal: vec![1.0, -2.0],
            beside: vec![0.5],
        };
        assert!(ShiftedTridiagonal::new(&negative, &[1.0]).is_none());
    }
}
