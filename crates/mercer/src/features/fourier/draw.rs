//! How frequencies are drawn.
//!
//! Rows of a matrix G are standard normal vectors; the laws of [`SpectralLaw`] are mixtures of them. *Independent* rows are
//! the plain way. *Orthogonal* ones (Yu et al., Orthogonal random features, 2016) are, in blocks of as many rows as columns, a
//! random rotation whose rows get the lengths of normal vectors: every row is as before, so that the mean of k̂ is k, but rows of a
//! block do not repeat each other and the variance falls. *Quasi-random* ones are points of Halton's
//! sequence, its digits permuted and the whole shifted at random, through the inverse of the distribution function: even coverage of few columns.

use mercer_linalg::{Matrix, axpy, dot};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::law::{SpectralLaw, Spectrum};
use crate::data::random::{normal, shuffle, unit};
use crate::special::normal_quantile;
use crate::{Error, Result};

/// How frequencies of random features are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrequencyDraw {
    /// In blocks of orthogonal directions.
    #[default]
    Orthogonal,
    /// Each by itself.
    Independent,
    /// Orthogonal by random signs between fast Walsh–Hadamard transforms; for many columns.
    Structured,
    /// By a sequence that covers evenly; for few columns.
    Quasi,
}

impl FrequencyDraw {
    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Orthogonal => "orthogonal",
            Self::Independent => "independent",
            Self::Structured => "structured",
            Self::Quasi => "quasi",
        }
    }
}

/// Bases of Halton's sequence; beyond so many coordinates it covers no better than chance.
const PRIMES: [u64; 20] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71,
];

/// Draws frequencies as rows, in units of the largest rate of every column, and returns these units.
pub(super) fn frequencies(
    law: &SpectralLaw,
    draw: FrequencyDraw,
    count: usize,
    seed: u64,
) -> Result<(Matrix<f64>, Vec<f64>)> {
    let width = law.parts.first().map_or(0, |part| part.rates.len());
    let units = units(law);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut all = Matrix::zeros(count, width);
    let mut sequence = match draw {
        FrequencyDraw::Quasi => Some(Halton::try_new(law, &mut rng)?),
        _ => None,
    };
    for part in &law.parts {
        let read: Vec<usize> = (0..width).filter(|&c| part.rates[c] > 0.0).collect();
        let directions = if let Some(sequence) = &mut sequence {
            sequence.directions(part.spectrum, read.len(), count)
        } else {
            let mut rows = if draw == FrequencyDraw::Independent {
                Matrix::from_fn(count, read.len(), |_, _| normal(&mut rng))
            } else {
                orthogonal(count, read.len(), &mut rng)
            };
            mix(part.spectrum, &mut rows, &mut rng);
            rows
        };
        for row in 0..count {
            let line = all.row_mut(row);
            for (&column, value) in read.iter().zip(directions.row(row)) {
                line[column] += value * (part.rates[column] / units[column]);
            }
        }
    }
    Ok((all, units))
}

/// What rows are multiplied by before they meet frequencies: the largest rate of every column, 0 for columns without one.
pub(super) fn units(law: &SpectralLaw) -> Vec<f64> {
    let width = law.parts.first().map_or(0, |part| part.rates.len());
    let largest = |c: usize| law.parts.iter().map(|p| p.rates[c]).fold(0.0, f64::max);
    (0..width).map(largest).collect()
}

/// Normal vectors as rows, orthogonal in blocks of as many as there are columns.
fn orthogonal(count: usize, width: usize, rng: &mut ChaCha8Rng) -> Matrix<f64> {
    let mut rows = Matrix::from_fn(count, width, |_, _| normal(rng));
    for start in (0..count).step_by(width.max(1)) {
        let end = (start + width).min(count);
        for row in start..end {
            let length = dot(rows.row(row), rows.row(row)).sqrt();
            let mut own = rows.row(row).to_vec();
            // Twice is enough (Kahan and Parlett); what is left of a Gaussian vector is a rotation's next row.
            for _ in 0..2 {
                for earlier in start..row {
                    let along =
                        dot(rows.row(earlier), &own) / dot(rows.row(earlier), rows.row(earlier));
                    axpy(-along, rows.row(earlier), &mut own);
                }
            }
            let left = dot(&own, &own).sqrt();
            if left > 0.0 {
                // The length of another normal vector: it has no say in the direction, and so none in what is orthogonal.
                let factor = length / left;
                own.iter_mut().for_each(|v| *v *= factor);
                rows.row_mut(row).copy_from_slice(&own);
            }
        }
    }
    rows
}

/// Turns normal rows into rows of another law.
fn mix(spectrum: Spectrum, rows: &mut Matrix<f64>, rng: &mut ChaCha8Rng) {
    match spectrum {
        Spectrum::Normal => {}
        Spectrum::Cauchy => {
            for value in rows.as_mut_slice() {
                *value /= away_from_zero(normal(rng).abs());
            }
        }
        Spectrum::Student { degrees } => {
            for row in 0..rows.rows() {
                let factor = student(degrees, rng);
                rows.row_mut(row).iter_mut().for_each(|v| *v *= factor);
            }
        }
    }
}

/// √(degrees/χ²).
pub(super) fn student(degrees: u8, rng: &mut ChaCha8Rng) -> f64 {
    let squares: f64 = (0..degrees).map(|_| normal(rng).powi(2)).sum();
    (f64::from(degrees) / away_from_zero(squares)).sqrt()
}

/// A normal number may be so small that its inverse is none.
fn away_from_zero(value: f64) -> f64 {
    value.max(1e-30)
}

/// Halton's sequence, scrambled.
struct Halton {
    /// One coordinate each: base, permuted digits, shift.
    coordinates: Vec<(u64, Vec<u64>, f64)>,
    /// Coordinates that are in use.
    used: usize,
}

impl Halton {
    fn try_new(law: &SpectralLaw, rng: &mut ChaCha8Rng) -> Result<Self> {
        let parts = law.parts.iter();
        let count: usize = parts
            .map(|part| {
                let read = part.rates.iter().filter(|rate| **rate > 0.0).count();
                match part.spectrum {
                    Spectrum::Normal | Spectrum::Cauchy => read,
                    Spectrum::Student { degrees } => read + usize::from(degrees),
                }
            })
            .sum();
        if count > PRIMES.len() {
            return Err(Error::Unsupported {
                what: format!(
                    "quasi-random frequencies of {count} coordinates cover no better than chance; they are for {} at most",
                    PRIMES.len()
                ),
                cure: "draw orthogonal frequencies".into(),
            });
        }
        let coordinate = |base: u64| {
            let mut digits: Vec<u64> = (0..base).collect();
            shuffle(rng, &mut digits);
            (base, digits, unit(rng))
        };
        Ok(Self {
            coordinates: PRIMES[..count].iter().copied().map(coordinate).collect(),
            used: 0,
        })
    }

    /// The next coordinates of all points, each inside of (0, 1).
    fn take(&mut self, coordinates: usize, points: usize) -> Matrix<f64> {
        let own = &self.coordinates[self.used..self.used + coordinates];
        self.used += coordinates;
        Matrix::from_fn(points, coordinates, |point, c| {
            let (base, digits, shift) = &own[c];
            let value = (radical(point as u64, *base, digits) + shift).fract();
            value.clamp(1e-12, 1.0 - 1e-12)
        })
    }

    fn directions(&mut self, spectrum: Spectrum, width: usize, count: usize) -> Matrix<f64> {
        let mut rows = self.take(width, count);
        match spectrum {
            Spectrum::Normal => through(&mut rows, normal_quantile),
            Spectrum::Cauchy => through(&mut rows, |u| (std::f64::consts::PI * (u - 0.5)).tan()),
            Spectrum::Student { degrees } => {
                through(&mut rows, normal_quantile);
                let mut normals = self.take(usize::from(degrees), count);
                through(&mut normals, normal_quantile);
                for row in 0..count {
                    let squares = dot(normals.row(row), normals.row(row));
                    let factor = (f64::from(degrees) / away_from_zero(squares)).sqrt();
                    rows.row_mut(row).iter_mut().for_each(|v| *v *= factor);
                }
            }
        }
        rows
    }
}

fn through(rows: &mut Matrix<f64>, map: impl Fn(f64) -> f64) {
    rows.as_mut_slice().iter_mut().for_each(|v| *v = map(*v));
}

/// The digits of a number, permuted and mirrored at the point; zeros behind the last digit are permuted, too.
fn radical(mut number: u64, base: u64, digits: &[u64]) -> f64 {
    let (mut value, mut place) = (0.0, 1.0 / base as f64);
    // 2⁻⁵³: further digits are rounding.
    while place > 1.1e-16 {
        value += digits[(number % base) as usize] as f64 * place;
        number /= base;
        place /= base as f64;
    }
    value
}
