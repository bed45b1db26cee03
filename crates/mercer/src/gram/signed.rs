//! A kernel matrix multiplied by labels on both sides.

use mercer_linalg::{MatrixMut, Real};

use super::{Gram, Proceed};

/// Q with Q_ij = s_i s_j K_ij.
pub struct SignedGram<'a, T> {
    gram: &'a dyn Gram<T>,
    signs: &'a [f64],
}

impl<'a, T: Real> SignedGram<'a, T> {
    /// Multiplies a kernel matrix by signs of +1 and −1.
    pub fn new(gram: &'a dyn Gram<T>, signs: &'a [f64]) -> Self {
        debug_assert_eq!(gram.len(), signs.len());
        Self { gram, signs }
    }
}

impl<T: Real> Gram<T> for SignedGram<'_, T> {
    fn len(&self) -> usize {
        self.gram.len()
    }

    fn block(&self, rows: &[u32], columns: &[u32], mut out: MatrixMut<'_, T>) {
        self.gram.block(rows, columns, out.reborrow());
        for (k, &row) in rows.iter().enumerate() {
            let sign = self.signs[row as usize];
            for (value, &column) in out.row_mut(k).iter_mut().zip(columns) {
                *value *= T::from_f64(sign * self.signs[column as usize]);
            }
        }
    }

    fn add_rows(
        &self,
        rows: &[u32],
        coefficients: &[f64],
        columns: Option<&[u32]>,
        out: &mut [f64],
        proceed: Proceed<'_>,
    ) -> bool {
        let pairs = rows.iter().zip(coefficients);
        let signed: Vec<f64> = pairs.map(|(&r, c)| c * self.signs[r as usize]).collect();
        let mut sums = vec![0.0; out.len()];
        let done = self
            .gram
            .add_rows(rows, &signed, columns, &mut sums, proceed);
        let sign = |k: usize| self.signs[columns.map_or(k, |c| c[k] as usize)];
        for (k, (o, sum)) in out.iter_mut().zip(sums).enumerate() {
            *o += sign(k) * sum;
        }
        done
    }

    fn diagonal(&self) -> &[f64] {
        self.gram.diagonal()
    }

    fn evaluations(&self) -> u64 {
        self.gram.evaluations()
    }

    fn peak_bytes(&self) -> u64 {
        self.gram.peak_bytes()
    }
}
