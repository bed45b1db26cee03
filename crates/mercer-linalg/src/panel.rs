//! A panel of finished columns, its rows interleaved, and what it takes from the columns right of it.
//!
//! Rows are packed in lines: `[line][column][row of the line]`, a line being 64 bytes of rows. One form serves both sides of
//! a product: on the left its numbers fill a register one by one, on the right they are loaded side by side.

#![expect(
    unsafe_code,
    reason = "vector registers over packed lines, and blocks of one matrix written by several tasks"
)]

use crate::raw::RawMatrix;
use crate::real::Real;
use crate::simd::{Kernel, Simd, Vector, prefetch};
use crate::tile::interleave;

/// Rows packed together: three registers of any instruction set divide them.
pub(crate) const STRIP: usize = 48;

/// Columns of a panel, in whole strips: a line of rows has 15 KiB, which stay in the first-level cache, and a square of
/// them 450 KiB, which stay in the second.
pub(crate) const WIDTH: usize = 5 * STRIP;

/// Registers on the right of a product.
const VECTORS: usize = 3;

/// Most rows on the left of a product: with three registers each they fill 24 of 32.
const MOST_ROWS: usize = 8;

/// Rows of a line.
#[inline(always)]
const fn line<T>() -> usize {
    64 / size_of::<T>()
}

/// Where column 0 of a packed row is; its columns are a line apart.
#[inline(always)]
fn place<T>(row: usize) -> usize {
    let line = line::<T>();
    row / line * line * WIDTH + row % line
}

/// The packed rows from `row` on that [`VECTORS`] registers hold.
///
/// # Safety
///
/// They are inside the packed memory.
#[inline(always)]
unsafe fn registers<T: Real, V: Vector<T>>(packed: *const T, row: usize) -> [*const T; VECTORS] {
    let mut found = [packed; VECTORS];
    for v in 0..VECTORS {
        // SAFETY: promised by the caller.
        found[v] = unsafe { packed.add(place::<T>(row + v * V::LANES)) };
    }
    found
}

/// `sums[i][v] + Σ_k left[k][i] right[v][k]`.
///
/// # Safety
///
/// The lines have `depth` columns, and the instruction set is present.
#[inline(always)]
unsafe fn products<T: Real, V: Vector<T>, const ROWS: usize>(
    depth: usize,
    left: *const T,
    right: [*const T; VECTORS],
    mut sums: [[V; VECTORS]; ROWS],
) -> [[V; VECTORS]; ROWS] {
    for k in 0..depth {
        // SAFETY: promised by the caller.
        unsafe {
            let mut z = [V::zero(); VECTORS];
            for v in 0..VECTORS {
                z[v] = V::load(right[v].add(k * line::<T>()));
            }
            for i in 0..ROWS {
                let x = V::splat(*left.add(k * line::<T>() + i));
                for v in 0..VECTORS {
                    sums[i][v] = x.mul_add(z[v], sums[i][v]);
                }
            }
        }
    }
    sums
}

/// Packs the factor of a diagonal block for [`Solve`]: negated, on the diagonal the reciprocal, which is finite because
/// the square root of a positive number is not tiny.
pub(crate) fn pack_diagonal<T: Real>(entry: impl Fn(usize, usize) -> T, packed: &mut [T]) {
    for i in 0..WIDTH {
        for k in 0..i {
            packed[place::<T>(i) + k * line::<T>()] = -entry(i, k);
        }
        packed[place::<T>(i) + i * line::<T>()] = T::ONE / entry(i, i);
    }
}

/// Replaces some rows `x` of a panel by the solution `y` of `y Lᵀ = x`, and keeps them packed too.
///
/// With rows in the lanes of registers, substitution is a product and a few more steps in the same registers.
pub(crate) struct Solve<'a, T> {
    /// The panel from the first of the rows on, which belong to this call alone.
    pub(crate) panel: RawMatrix<'a, T>,
    /// How many rows there are, at most [`STRIP`].
    pub(crate) rows: usize,
    /// The diagonal block of [`pack_diagonal`].
    pub(crate) diagonal: &'a [T],
    /// Where the rows are kept: [`STRIP`] by [`WIDTH`].
    pub(crate) packed: &'a mut [T],
}

impl<T: Real> Kernel for Solve<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self) {
        self.pack();
        for row in (0..STRIP).step_by(VECTORS * T::Vector::<S>::LANES) {
            // SAFETY: the rows are packed, and `S` is present because `dispatch` chose it.
            unsafe {
                if T::Vector::<S>::REGISTERS == 32 {
                    self.solve::<T::Vector<S>, MOST_ROWS>(row);
                } else {
                    self.solve::<T::Vector<S>, { MOST_ROWS / 2 }>(row);
                }
            }
        }
        self.unpack();
    }
}

impl<T: Real> Solve<'_, T> {
    #[inline(always)]
    fn pack(&mut self) {
        if self.rows < STRIP {
            self.packed.fill(T::ZERO);
        }
        let line = line::<T>();
        for (block, first) in self
            .packed
            .chunks_exact_mut(line * WIDTH)
            .zip((0..self.rows).step_by(line))
        {
            let mut views: [&[T]; 16] = [&[]; 16];
            let count = line.min(self.rows - first);
            for i in 0..count {
                // SAFETY: the row is inside the matrix and belongs to this call alone.
                views[i] =
                    unsafe { std::slice::from_raw_parts(self.panel.at(first + i, 0), WIDTH) };
            }
            interleave(&views[..count], block, line);
        }
    }

    #[inline(always)]
    fn unpack(&mut self) {
        for i in 0..self.rows {
            // SAFETY: as in `pack`, whose views are gone.
            let row = unsafe { std::slice::from_raw_parts_mut(self.panel.at(i, 0), WIDTH) };
            let column = self.packed[place::<T>(i)..].iter().step_by(line::<T>());
            for (to, from) in row.iter_mut().zip(column) {
                *to = *from;
            }
        }
    }

    /// Solves for the rows in [`VECTORS`] registers, `COLUMNS` columns at a time.
    #[inline(always)]
    unsafe fn solve<V: Vector<T>, const COLUMNS: usize>(&mut self, row: usize) {
        let packed = self.packed.as_mut_ptr();
        // SAFETY: the rows and columns are inside the packed memory, and the instruction set is promised by the caller.
        unsafe {
            let x = registers::<T, V>(packed, row);
            for j in (0..WIDTH).step_by(COLUMNS) {
                let factor = self.diagonal.as_ptr().add(place::<T>(j));
                let mut sums = [[V::zero(); VECTORS]; COLUMNS];
                for i in 0..COLUMNS {
                    for v in 0..VECTORS {
                        sums[i][v] = V::load(x[v].add((j + i) * line::<T>()));
                    }
                }
                let mut sums = products(j, factor, x, sums);
                for i in 0..COLUMNS {
                    let column = factor.add((j + i) * line::<T>());
                    let scale = V::splat(*column.add(i));
                    for v in 0..VECTORS {
                        sums[i][v] = sums[i][v].mul_add(scale, V::zero());
                        sums[i][v].store(x[v].add((j + i) * line::<T>()).cast_mut());
                    }
                    for below in i + 1..COLUMNS {
                        let entry = V::splat(*column.add(below));
                        for v in 0..VECTORS {
                            sums[below][v] = sums[i][v].mul_add(entry, sums[below][v]);
                        }
                    }
                }
            }
        }
    }
}

/// Subtracts the products of packed rows from a rectangle of the matrix, where it meets the lower triangle.
pub(crate) struct Subtract<'a, T> {
    /// The matrix right of and below the panel's diagonal block.
    pub(crate) rest: RawMatrix<'a, T>,
    /// All packed rows, in strips of [`STRIP`].
    pub(crate) packed: &'a [T],
    /// Rows of the rectangle, from a multiple of [`STRIP`] on.
    pub(crate) rows: std::ops::Range<usize>,
    /// Columns of the rectangle, from a multiple of [`STRIP`] on.
    pub(crate) columns: std::ops::Range<usize>,
}

impl<T: Real> Kernel for Subtract<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        // SAFETY: `S` is present because `dispatch` chose it.
        unsafe {
            if T::Vector::<S>::REGISTERS == 32 {
                self.subtract::<T::Vector<S>, MOST_ROWS>();
            } else {
                self.subtract::<T::Vector<S>, { MOST_ROWS / 2 }>();
            }
        }
    }
}

impl<T: Real> Subtract<'_, T> {
    #[inline(always)]
    unsafe fn subtract<V: Vector<T>, const ROWS: usize>(self) {
        let across = VECTORS * V::LANES;
        let minus = -T::ONE;
        for i in self.rows.clone().step_by(ROWS) {
            // SAFETY: strips are whole, so that the packed rows exist; the rest is checked below.
            let left = unsafe { self.packed.as_ptr().add(place::<T>(i)) };
            for j in self.columns.clone().step_by(across) {
                if j >= i + ROWS {
                    break;
                }
                let rows = ROWS.min(self.rows.end - i);
                let columns = across.min(self.columns.end - j);
                for r in 0..rows {
                    for c in (0..across).step_by(line::<T>()) {
                        prefetch(self.rest.at(i + r, j + c));
                    }
                }
                // SAFETY: as above; the task owns the rectangle, and what is written is inside it.
                unsafe {
                    let right = registers::<T, V>(self.packed.as_ptr(), j);
                    let zero = [[V::zero(); VECTORS]; ROWS];
                    let sums = products(WIDTH, left, right, zero);
                    if rows == ROWS && columns == across {
                        for r in 0..ROWS {
                            for v in 0..VECTORS {
                                let to = self.rest.at(i + r, j + v * V::LANES);
                                sums[r][v].mul_add(V::splat(minus), V::load(to)).store(to);
                            }
                        }
                    } else {
                        let mut edge = [T::ZERO; MOST_ROWS * STRIP];
                        for r in 0..ROWS {
                            for v in 0..VECTORS {
                                sums[r][v].store(edge.as_mut_ptr().add(r * STRIP + v * V::LANES));
                            }
                        }
                        for r in 0..rows {
                            for c in 0..columns {
                                *self.rest.at(i + r, j + c) -= edge[r * STRIP + c];
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cholesky::Cholesky;
    use crate::matrix::Matrix;
    use crate::par::Par;
    use crate::real::Real;
    use crate::simd::tests::on_every_isa;

    /// Three panels, the last strip and the last columns of which are not whole.
    fn check<T: Real>(set: impl std::fmt::Debug) {
        let n = 2 * super::WIDTH + 101;
        let a = Matrix::<T>::from_fn(n, n, |i, j| {
            let ridge = if i == j { 0.1 } else { 0.0 };
            let distance = (i as f64 - j as f64) / 40.0;
            T::from_f64((-distance * distance).exp() + ridge)
        });
        let factor = Cholesky::factor(a.clone(), Par::Sequential).unwrap();
        for i in 0..n {
            for j in 0..=i {
                let (left, right) = (factor.lower().row(i), factor.lower().row(j));
                let back: f64 = left[..=j]
                    .iter()
                    .zip(right)
                    .map(|(x, z)| x.to_f64() * z.to_f64())
                    .sum();
                // Rows of the factor have unit norm; errors add over the columns like a walk.
                let error = (back - a[(i, j)].to_f64()).abs();
                assert!(
                    error < 20.0 * T::EPSILON.to_f64(),
                    "{set:?} {i} {j} {error}"
                );
            }
            assert!(factor.lower().row(i)[i + 1..].iter().all(|&x| x == T::ZERO));
        }
    }

    #[test]
    fn every_instruction_set_factors() {
        on_every_isa(|set| {
            check::<f32>(set);
            check::<f64>(set);
        });
    }
}
