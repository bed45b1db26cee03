//! Frequencies that are never written out: W = s·H D₁ H D₂ H D₃, H the Walsh–Hadamard matrix, D random signs.
//!
//! Rows of a block are orthogonal, and their coordinates nearly normal; s gives them lengths of normal vectors. Products with a
//! block of d frequencies take d log d additions instead of d² multiplications (Le, Sarlós and Smola,
//! Fastfood, 2013; Yu et al., Orthogonal random features, 2016).

use mercer_linalg::{Matrix, Real};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::draw::student;
use super::law::{SpectralLaw, Spectrum};
use crate::data::random::normal;
use crate::{Error, Result};

/// Signs and lengths of structured frequencies.
#[derive(Debug, Clone, PartialEq)]
pub struct Structured {
    /// Three rows of signs ±1 for every block; their number of columns is a power of two.
    pub signs: Matrix<f64>,
    /// The length of every frequency over √(columns of `signs`)³.
    pub lengths: Vec<f64>,
}

impl Structured {
    pub(super) fn draw(law: &SpectralLaw, count: usize, seed: u64) -> Result<Self> {
        let spectrum = match &law.parts[..] {
            [part] if part.spectrum != Spectrum::Cauchy => part.spectrum,
            _ => {
                return Err(Error::Unsupported {
                    what: "structured frequencies are for one Gaussian (RBF) or Matérn kernel"
                        .to_owned(),
                    cure: "draw orthogonal frequencies".into(),
                });
            }
        };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let width = law.parts[0].rates.len().next_power_of_two();
        let blocks = count.div_ceil(width);
        let sign = |rng: &mut ChaCha8Rng| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
        let signs = Matrix::from_fn(3 * blocks, width, |_, _| sign(&mut rng));
        let lengths = (0..count).map(|_| {
            let squares: f64 = (0..width).map(|_| normal(&mut rng).powi(2)).sum();
            let factor = match spectrum {
                Spectrum::Student { degrees } => student(degrees, &mut rng),
                Spectrum::Normal | Spectrum::Cauchy => 1.0,
            };
            // Three transforms multiply lengths by √width each.
            squares.sqrt() * factor / (width as f64).powf(1.5)
        });
        Ok(Self {
            lengths: lengths.collect(),
            signs,
        })
    }

    /// Number of frequencies.
    pub(super) fn count(&self) -> usize {
        self.lengths.len()
    }
}

/// Signs and lengths in the precision of the rows.
pub(super) struct Transform<T> {
    signs: Matrix<T>,
    lengths: Vec<T>,
}

impl<T: Real> Transform<T> {
    pub(super) fn new(from: &Structured) -> Self {
        Self {
            signs: from.signs.cast(),
            lengths: from.lengths.iter().map(|v| T::from_f64(*v)).collect(),
        }
    }

    /// Writes ⟨w_j, x⟩ for all frequencies; `work` is scratch.
    pub(super) fn angles(&self, row: &[T], work: &mut Vec<T>, out: &mut [T]) {
        let width = self.signs.columns();
        for (block, out) in out.chunks_mut(width).enumerate() {
            work.clear();
            work.extend_from_slice(row);
            work.resize(width, T::ZERO);
            for turn in 0..3 {
                let signs = self.signs.row(3 * block + 2 - turn);
                for (value, sign) in work.iter_mut().zip(signs) {
                    *value *= *sign;
                }
                hadamard(work);
            }
            let lengths = &self.lengths[block * width..];
            for ((out, value), length) in out.iter_mut().zip(work.iter()).zip(lengths) {
                *out = *value * *length;
            }
        }
    }
}

/// Multiplies by the Walsh–Hadamard matrix of signs, in place; the length is a power of two.
fn hadamard<T: Real>(values: &mut [T]) {
    let mut half = 1;
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                let (sum, difference) = (*a + *b, *a - *b);
                *a = sum;
                *b = difference;
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transform_is_its_own_inverse_up_to_the_length() {
        let mut values: Vec<f64> = (0..8).map(|i| f64::from(i * i)).collect();
        hadamard(&mut values);
        assert_eq!(values[0], 140.0);
        hadamard(&mut values);
        let wanted: Vec<f64> = (0..8).map(|i| f64::from(8 * i * i)).collect();
        assert_eq!(values, wanted);
    }
}
