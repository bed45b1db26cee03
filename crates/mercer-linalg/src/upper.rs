//! Upper triangular matrices.

use crate::eigen::symmetric_eigenvalues;
use crate::matrix::Matrix;
use crate::par::Par;
use crate::real::Real;
use crate::vector::{axpy, dot};

/// An upper triangular matrix R, packed by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Upper<T> {
    order: usize,
    values: Vec<T>,
}

/// Most steps of the estimate of a condition number, each two products or solutions: the ends of a spectrum are then known
/// to a hundredth or better.
const STEPS: usize = 40;
/// Steps after which an estimate is looked at, and its relative growth in them at which it is good enough.
const LOOK: usize = 4;
const CLOSE: f64 = 1e-3;

impl<T: Real> Upper<T> {
    /// Makes a matrix from its entries; those below the diagonal are not asked for.
    pub fn from_fn(order: usize, mut value: impl FnMut(usize, usize) -> T) -> Self {
        let mut values = Vec::with_capacity(order * (order + 1) / 2);
        for i in 0..order {
            values.extend((i..order).map(|j| value(i, j)));
        }
        Self { order, values }
    }

    /// Number of rows and columns.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Row `i` from its diagonal on.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, i: usize) -> &[T] {
        assert!(i < self.order, "row {i} of {}", self.order);
        let start = i * self.order - i * i.saturating_sub(1) / 2;
        &self.values[start..start + self.order - i]
    }

    /// The leading part of some order.
    ///
    /// # Panics
    ///
    /// When it is larger than the whole.
    pub fn leading(&self, order: usize) -> Self {
        assert!(order <= self.order, "order {order} of {}", self.order);
        Self::from_fn(order, |i, j| self.row(i)[j - i])
    }

    /// Replaces `x` by R x.
    pub fn multiply(&self, x: &mut [T]) {
        for i in 0..self.order {
            x[i] = dot(self.row(i), &x[i..]);
        }
    }

    /// Replaces `x` by Rᵀ x.
    pub fn multiply_transposed(&self, x: &mut [T]) {
        for i in (0..self.order).rev() {
            let value = x[i];
            x[i] = T::ZERO;
            axpy(value, self.row(i), &mut x[i..]);
        }
    }

    /// Replaces `x` by R⁻¹ x.
    pub fn solve_vector(&self, x: &mut [T]) {
        for i in (0..self.order).rev() {
            let row = self.row(i);
            x[i] = (x[i] - dot(&row[1..], &x[i + 1..])) / row[0];
        }
    }

    /// Replaces `x` by R⁻ᵀ x.
    pub fn solve_transposed_vector(&self, x: &mut [T]) {
        for i in 0..self.order {
            let row = self.row(i);
            x[i] /= row[0];
            let value = -x[i];
            axpy(value, &row[1..], &mut x[i + 1..]);
        }
    }

    /// Replaces every row x of `rows` by R⁻¹ x.
    ///
    /// # Panics
    ///
    /// When their length is not the order.
    pub fn solve(&self, rows: &mut Matrix<T>) {
        assert_eq!(rows.columns(), self.order, "length of the sides");
        for k in 0..rows.rows() {
            self.solve_vector(rows.row_mut(k));
        }
    }

    /// Replaces every row x of `rows` by R⁻ᵀ x.
    ///
    /// # Panics
    ///
    /// When their length is not the order.
    pub fn solve_transposed(&self, rows: &mut Matrix<T>) {
        assert_eq!(rows.columns(), self.order, "length of the sides");
        for k in 0..rows.rows() {
            self.solve_transposed_vector(rows.row_mut(k));
        }
    }

    /// An estimate of the condition number, the ratio of the largest to the smallest singular value.
    ///
    /// Steps of Lanczos with RᵀR and its inverse, which approach it from below; infinite where R is singular, 1 for order 0. No
    /// product RᵀR is formed and nothing is squared on the way but norms, so that condition numbers up to 1/ε are told apart.
    pub fn condition(&self) -> f64 {
        self.condition_with(Par::Sequential)
    }

    /// The estimate of [`Upper::condition`], both ends side by side where threads may share the work.
    pub fn condition_with(&self, par: Par) -> f64 {
        let (smallest, largest) = self.range(par);
        if self.order == 0 {
            1.0
        } else if smallest > 0.0 {
            (largest / smallest).max(1.0)
        } else {
            f64::INFINITY
        }
    }

    /// Estimates of the smallest and the largest singular value; see [`Upper::condition`].
    pub fn singular_range(&self) -> (f64, f64) {
        self.range(Par::Sequential)
    }

    fn range(&self, par: Par) -> (f64, f64) {
        if self.order == 0 {
            return (0.0, 0.0);
        }
        let largest = || {
            self.growth(|x| {
                self.multiply(x);
                self.multiply_transposed(x);
            })
        };
        let inverse = || {
            self.growth(|x| {
                self.solve_transposed_vector(x);
                self.solve_vector(x);
            })
        };
        let work = 8.0 * (self.order as f64).powi(2);
        let (largest, inverse) = match par.if_worth(work) {
            Par::Sequential => (largest(), inverse()),
            Par::Rayon => rayon::join(largest, inverse),
        };
        (inverse.sqrt().recip(), largest.sqrt())
    }

    /// The largest eigenvalue of a symmetric positive map, by steps of Lanczos; infinite where the map is.
    ///
    /// Vectors lose their orthogonality after some steps, which repeats eigenvalues but does not move the largest.
    fn growth(&self, map: impl Fn(&mut [T])) -> f64 {
        let n = self.order;
        // Entries of unlike size and sign are unlikely to be orthogonal to the vector that is looked for.
        let mut x: Vec<T> = (0..n)
            .map(|i| T::from_f64(((i * 7919 + 13) % 1009) as f64 / 504.5 - 0.999))
            .collect();
        let mut before = vec![T::ZERO; n];
        let (mut diagonal, mut beside) = (Vec::<f64>::new(), Vec::<f64>::new());
        let mut size = dot(&x, &x).to_f64().sqrt();
        let mut seen = f64::NAN;
        for _ in 0..STEPS.min(n) {
            let scale = T::from_f64(size.recip());
            for x in &mut x {
                *x *= scale;
            }
            let mut next = x.clone();
            map(&mut next);
            let along = dot(&next, &x);
            axpy(-along, &x, &mut next);
            if let Some(&last) = beside.last() {
                axpy(T::from_f64(-last), &before, &mut next);
            }
            diagonal.push(along.to_f64());
            size = dot(&next, &next).to_f64().sqrt();
            if !(along.is_finite() && size.is_finite()) {
                return f64::INFINITY;
            }
            if size <= T::EPSILON.to_f64() * along.to_f64() {
                break;
            }
            beside.push(size);
            before = std::mem::replace(&mut x, next);
            if diagonal.len() % LOOK == 0 {
                let found = largest_of(&diagonal, &beside);
                if (found - seen).abs() <= CLOSE * found {
                    return found;
                }
                seen = found;
            }
        }
        largest_of(&diagonal, &beside)
    }

    /// The squared length of every row of R⁻¹: the diagonal of (RᵀR)⁻¹. Time `n³/3` operations.
    pub fn inverse_squares(&self) -> Vec<T> {
        let mut sums = vec![T::ZERO; self.order];
        let mut column = Vec::with_capacity(self.order);
        for j in 0..self.order {
            // Column j of R⁻¹ ends at its diagonal.
            column.clear();
            column.resize(j + 1, T::ZERO);
            column[j] = T::ONE / self.row(j)[0];
            for i in (0..j).rev() {
                let row = self.row(i);
                let sum = dot(&row[1..=j - i], &column[i + 1..]);
                column[i] = -sum / row[0];
            }
            for (sum, value) in sums.iter_mut().zip(&column) {
                *sum += *value * *value;
            }
        }
        sums
    }
}

/// The largest eigenvalue of a tridiagonal matrix.
fn largest_of(diagonal: &[f64], beside: &[f64]) -> f64 {
    let steps = diagonal.len();
    let tridiagonal = Matrix::from_fn(steps, steps, |i, j| match i.abs_diff(j) {
        0 => diagonal[i],
        1 => beside[i.min(j)],
        _ => 0.0,
    });
    let values = symmetric_eigenvalues(tridiagonal.as_ref());
    let values = values.unwrap_or_else(|_| vec![f64::INFINITY]);
    values.last().copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(order: usize) -> Upper<f64> {
        Upper::from_fn(order, |i, j| {
            if i == j {
                1.0 + i as f64
            } else {
                ((i * 5 + j * 3) % 7) as f64 / 7.0 - 0.4
            }
        })
    }

    #[test]
    fn products_and_solutions_undo_each_other() {
        for order in [0, 1, 2, 5, 40] {
            let upper = example(order);
            let start: Vec<f64> = (0..order).map(|i| (i as f64 * 0.7).sin() + 0.1).collect();
            let near = |x: &[f64]| {
                let pairs = x.iter().zip(&start);
                pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) < 1e-11
            };
            let mut x = start.clone();
            upper.multiply(&mut x);
            upper.solve_vector(&mut x);
            assert!(near(&x), "{order}");
            upper.multiply_transposed(&mut x);
            upper.solve_transposed_vector(&mut x);
            assert!(near(&x), "{order}");
        }
    }

    #[test]
    fn condition_numbers_of_diagonal_matrices_are_found() {
        for spread in [1.0, 1e3, 1e12] {
            let upper = Upper::from_fn(30, |i, j| match (i == j, i) {
                (true, 17) => spread,
                (true, _) => 1.0,
                _ => 0.0,
            });
            let found: f64 = upper.condition();
            assert!((found / spread - 1.0).abs() < 0.05, "{spread}: {found}");
        }
        // The Cholesky factor of second differences, whose eigenvalues are 2 − 2 cos(kπ/(n + 1)).
        let n = 60;
        let root = |i: usize| ((i + 2) as f64 / (i + 1) as f64).sqrt();
        let upper = Upper::from_fn(n, |i, j| match j - i {
            0 => root(i),
            1 => -1.0 / root(i),
            _ => 0.0,
        });
        let angle = std::f64::consts::PI / (n + 1) as f64;
        let expected = ((2.0 + 2.0 * angle.cos()) / (2.0 - 2.0 * angle.cos())).sqrt();
        assert!((upper.condition() / expected - 1.0).abs() < 0.01);
        let singular = Upper::from_fn(3, |i, j| if i == 1 && j == 1 { 0.0 } else { 1.0_f64 });
        assert_eq!(singular.condition(), f64::INFINITY);
        assert_eq!(example(0).condition(), 1.0);
    }

    #[test]
    fn squares_of_the_inverse_are_its_rows() {
        let upper = example(12);
        let squares = upper.inverse_squares();
        for (i, square) in squares.iter().enumerate() {
            let mut row = vec![0.0; 12];
            row[i] = 1.0;
            upper.solve_transposed_vector(&mut row);
            assert!((dot(&row, &row) - square).abs() < 1e-14);
        }
        assert_eq!(upper.leading(2).row(1), &upper.row(1)[..1]);
    }
}
