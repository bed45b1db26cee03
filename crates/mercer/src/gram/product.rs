//! Products of a kernel matrix with a block of columns, one pass over the matrix for all of them.
//!
//! Values are computed in tiles, or kept where they fit, and one side of the diagonal serves both: a tile K(I, J) adds K(I, J) x(J)
//! to the rows I and K(I, J)ᵀ x(I) to the rows J. Values are single or double precision, sums always double. Panels of rows are
//! dealt out to a fixed number of strips with sums of their own, added up in the order of the strips, so that neither threads
//! nor what is kept can change a bit.

use std::ops::Range;
use std::sync::Mutex;

use mercer_linalg::{Matrix, MatrixMut, MatrixRef, Op, Par, Precision, gemm};

use super::source::{KernelSource, TileElement, with_tile};
use crate::Result;
use crate::fit::FitContext;

/// Rows and columns of a tile: 512 KiB in double precision.
const PANEL: usize = 256;
/// Sums that are kept side by side, whatever the number of threads.
const STRIPS: usize = 16;

/// A kernel matrix that blocks of columns are multiplied by.
pub struct GramProduct<'a> {
    source: KernelSource<'a>,
    stored: Stored,
}

/// What is kept of the matrix: panels of rows, each up to the diagonal.
enum Stored {
    Single(Vec<Matrix<f32>>),
    Double(Vec<Matrix<f64>>),
    Nothing,
}

impl<'a> GramProduct<'a> {
    /// Takes a kernel of which nothing is kept.
    pub fn new(source: KernelSource<'a>) -> Self {
        Self {
            source,
            stored: Stored::Nothing,
        }
    }

    /// Computes and keeps all values of a precision, where they fit into so many bytes.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub fn keep(&mut self, precision: Precision, bytes: u64, context: &FitContext) -> Result<()> {
        if Self::stored_bytes(self.len(), precision) > bytes {
            return Ok(());
        }
        let kept = match precision {
            Precision::F32 => self.panels(context)?.map(Stored::Single),
            Precision::F64 => self.panels(context)?.map(Stored::Double),
        };
        if let Some(kept) = kept {
            self.stored = kept;
        }
        Ok(())
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    /// Returns the kernel behind it.
    pub fn source(&self) -> &KernelSource<'a> {
        &self.source
    }

    /// Returns whether values are kept.
    pub fn is_stored(&self) -> bool {
        !matches!(self.stored, Stored::Nothing)
    }

    /// Returns the bytes of the values of so many rows.
    pub fn stored_bytes(rows: usize, precision: Precision) -> u64 {
        let size = match precision {
            Precision::F32 => 4,
            Precision::F64 => 8,
        };
        (rows as u64)
            .saturating_mul(rows as u64 + PANEL as u64)
            .saturating_mul(size)
            / 2
    }

    /// Returns the bytes that a product of so many rows with a block of columns holds beside its result.
    pub fn working_bytes(rows: usize, columns: usize, threads: usize) -> u64 {
        let strips = STRIPS.min(rows.div_ceil(PANEL)) as u64;
        let tiles = 3 * (PANEL * PANEL * size_of::<f64>()) as u64 * threads as u64;
        strips * rows as u64 * columns as u64 * size_of::<f64>() as u64 + tiles
    }

    /// The rows of a panel.
    fn rows(&self, panel: usize) -> Range<usize> {
        panel * PANEL..((panel + 1) * PANEL).min(self.len())
    }

    fn panels<T: TileElement>(&self, context: &FitContext) -> Result<Option<Vec<Matrix<T>>>> {
        let all: Vec<usize> = (0..self.len().div_ceil(PANEL)).collect();
        let made = context.map(all, |k| {
            let rows = self.rows(k);
            let mut panel = Matrix::<T>::try_zeros(rows.len(), rows.end)?;
            let ids: Vec<u32> = rows.clone().map(|r| r as u32).collect();
            let bound = self.source.bound_rows(&ids);
            for j in 0..=k {
                if !context.goes_on() {
                    break;
                }
                let columns = self.rows(j);
                let part = panel.as_mut().submatrix(0..rows.len(), columns.clone());
                self.source.run(&bound, columns, part);
            }
            Some(panel)
        });
        context.check()?;
        Ok(made.into_iter().collect())
    }

    /// Returns K x for the columns of x, with values of a precision.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    ///
    /// # Panics
    /// A block with another number of rows.
    pub fn multiply(
        &self,
        x: &Matrix<f64>,
        precision: Precision,
        context: &FitContext,
    ) -> Result<Matrix<f64>> {
        assert_eq!(x.rows(), self.len(), "as many rows as the matrix has");
        let (n, width) = (x.rows(), x.columns());
        let mut out = Matrix::zeros(n, width);
        if n == 0 || width == 0 {
            return Ok(out);
        }
        let count = n.div_ceil(PANEL);
        let strips = STRIPS.min(count);
        let sums: Vec<Mutex<Vec<f64>>> = (0..strips).map(|_| Mutex::new(Vec::new())).collect();
        context.par().for_each(strips, |strip| {
            let mut sum = vec![0.0; n * width];
            for panel in strip_panels(strip, strips, count) {
                match (&self.stored, precision) {
                    (Stored::Single(kept), Precision::F32) => {
                        self.add_panel(panel, Some(kept), x, &mut sum, context);
                    }
                    (Stored::Double(kept), Precision::F64) => {
                        self.add_panel(panel, Some(kept), x, &mut sum, context);
                    }
                    (_, Precision::F32) => {
                        self.add_panel::<f32>(panel, None, x, &mut sum, context);
                    }
                    (_, Precision::F64) => {
                        self.add_panel::<f64>(panel, None, x, &mut sum, context);
                    }
                }
            }
            if let Ok(mut place) = sums[strip].lock() {
                *place = sum;
            }
        });
        context.check()?;
        for sum in sums {
            if let Ok(sum) = sum.into_inner() {
                for (out, value) in out.as_mut_slice().iter_mut().zip(sum) {
                    *out += value;
                }
            }
        }
        Ok(out)
    }

    /// Adds what the tiles of a panel, up to the diagonal, contribute.
    fn add_panel<T: TileElement>(
        &self,
        k: usize,
        kept: Option<&Vec<Matrix<T>>>,
        x: &Matrix<f64>,
        sum: &mut [f64],
        context: &FitContext,
    ) {
        let (rows, width) = (self.rows(k), x.columns());
        let ids: Vec<u32> = rows.clone().map(|r| r as u32).collect();
        let bound = if kept.is_none() {
            self.source.bound_rows(&ids)
        } else {
            Vec::new()
        };
        let mut wide = vec![0.0; rows.len() * PANEL];
        for j in 0..=k {
            if !context.goes_on() {
                return;
            }
            let columns = self.rows(j);
            let entries = rows.len() * columns.len();
            match kept {
                Some(kept) => {
                    for (r, to) in wide[..entries].chunks_mut(columns.len()).enumerate() {
                        let from = &kept[k].row(r)[columns.clone()];
                        to.iter_mut().zip(from).for_each(|(to, v)| *to = v.to_f64());
                    }
                }
                None => with_tile(entries, |values: &mut [T]| {
                    let tile = MatrixMut::from_slice(rows.len(), columns.len(), values);
                    self.source.run(&bound, columns.clone(), tile);
                    for (to, value) in wide[..entries].iter_mut().zip(values.iter()) {
                        *to = value.to_f64();
                    }
                }),
            }
            let tile = MatrixRef::from_slice(rows.len(), columns.len(), &wide[..entries]);
            let own = x.as_ref().submatrix(columns.clone(), 0..width);
            let out = &mut sum[rows.start * width..rows.end * width];
            let out = MatrixMut::from_slice(rows.len(), width, out);
            add_product(tile, Op::None, own, out);
            if j < k {
                let across = x.as_ref().submatrix(rows.clone(), 0..width);
                let out = &mut sum[columns.start * width..columns.end * width];
                let out = MatrixMut::from_slice(columns.len(), width, out);
                add_product(tile, Op::Transpose, across, out);
            }
        }
    }
}

/// out += op(tile) x.
fn add_product(tile: MatrixRef<'_, f64>, op: Op, x: MatrixRef<'_, f64>, out: MatrixMut<'_, f64>) {
    gemm(1.0, tile, op, x, Op::None, 1.0, out, Par::Sequential);
}

/// The panels of a strip: there and back, so that all strips have as many tiles.
fn strip_panels(strip: usize, strips: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count.div_ceil(strips)).filter_map(move |round| {
        let place = if round % 2 == 0 {
            strip
        } else {
            strips - 1 - strip
        };
        let panel = round * strips + place;
        (panel < count).then_some(panel)
    })
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::data::Records;
    use crate::data::random::normal;
    use crate::kernel::KernelSpec;

    #[test]
    fn every_panel_has_one_strip() {
        for count in [1, 15, 16, 17, 47, 200] {
            let strips = STRIPS.min(count);
            let mut all: Vec<usize> = (0..strips)
                .flat_map(|s| strip_panels(s, strips, count))
                .collect();
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn products_are_those_of_the_whole_matrix_whatever_is_kept() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let n = 700;
        let records = Records::from_points(Matrix::from_fn(n, 3, |_, _| normal(&mut rng)));
        let (kernel, _) = KernelSpec::rbf(0.4).resolve(&records, None).unwrap();
        let bound = kernel.bind(&records).unwrap();
        let mut gram = kernel.gram(&records, Par::Sequential).unwrap();
        gram.as_mut_slice().iter_mut().for_each(|v| *v += 1.0);
        let x = Matrix::from_fn(n, 3, |_, _| normal(&mut rng));
        let run = |threads: usize, kept: bool, precision: Precision| {
            let context = FitContext::default().threads(threads);
            let mut product = GramProduct::new(KernelSource::whole(&*bound, 1.0));
            context
                .install(|| {
                    if kept {
                        product.keep(precision, 1 << 30, &context).unwrap();
                    }
                    assert_eq!(product.is_stored(), kept);
                    product.multiply(&x, precision, &context).unwrap()
                })
                .unwrap()
        };
        let sizes = [(Precision::F32, 1e-4), (Precision::F64, 1e-11)];
        for (precision, close) in sizes {
            let first = run(1, false, precision);
            for i in 0..n {
                for k in 0..3 {
                    let exact: f64 = (0..n).map(|j| gram[(i, j)] * x[(j, k)]).sum();
                    assert!((first[(i, k)] - exact).abs() < close);
                }
            }
            assert_eq!(first, run(2, false, precision));
            assert_eq!(first, run(2, true, precision));
        }
    }

    #[test]
    fn runs_of_rows_are_a_matrix_of_their_own() {
        let records = Records::from_points(Matrix::from_fn(40, 1, |i, _| i as f64 * 0.3));
        let (kernel, _) = KernelSpec::rbf(1.0).resolve(&records, None).unwrap();
        let bound = kernel.bind(&records).unwrap();
        let gram = kernel.gram(&records, Par::Sequential).unwrap();
        let spans = vec![3..10, 25..40];
        let ids: Vec<usize> = spans.iter().cloned().flatten().collect();
        let product = GramProduct::new(KernelSource::new(&*bound, spans, 0.0));
        let x = Matrix::from_fn(ids.len(), 1, |i, _| 1.0 + i as f64);
        let context = FitContext::default().threads(1);
        let found = product.multiply(&x, Precision::F64, &context).unwrap();
        for (i, &row) in ids.iter().enumerate() {
            let exact: f64 = ids
                .iter()
                .enumerate()
                .map(|(j, &c)| gram[(row, c)] * x[(j, 0)])
                .sum();
            assert!((found[(i, 0)] - exact).abs() < 1e-12);
        }
    }
}
