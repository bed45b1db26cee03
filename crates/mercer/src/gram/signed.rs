//! A kernel matrix multiplied by labels on both sides.

use std::sync::Arc;

use mercer_linalg::Real;

use super::{Gram, GramRow};
use crate::Result;

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

    fn row(&self, i: usize) -> GramRow<'_, T> {
        let row = self.gram.row(i);
        let sign = self.signs[i];
        let signed = row
            .iter()
            .zip(self.signs)
            .map(|(&k, &s)| k * T::from_f64(s * sign))
            .collect();
        GramRow::Shared(Arc::new(signed))
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

    fn apply(&self, v: &[f64]) -> Result<Vec<f64>> {
        let signed: Vec<f64> = v.iter().zip(self.signs).map(|(v, s)| v * s).collect();
        let mut out = self.gram.apply(&signed)?;
        for (o, s) in out.iter_mut().zip(self.signs) {
            *o *= s;
        }
        Ok(out)
    }
}
