//! The map itself: frequencies with what rows meet them in.

use mercer_linalg::{Matrix, Real};

use super::draw::{FrequencyDraw, frequencies, units};
use super::hadamard::Structured;
use super::law::SpectralLaw;
use crate::data::{Block, Features, Points, each};
use crate::kernel::ResolvedKernel;
use crate::{Error, Result};

/// Frequencies, one by one or as a product of transforms.
#[derive(Debug, Clone, PartialEq)]
pub enum Frequencies {
    /// One per row, a column per numeric column of the rows.
    Dense(Matrix<f64>),
    /// Never written out.
    Structured(Structured),
}

/// Random Fourier features of a kernel.
///
/// Rows are taken as (x − shift)·units; a shift changes no difference of rows, and keeps angles small.
#[derive(Debug, Clone, PartialEq)]
pub struct FourierMap {
    /// The kernel that is approximated.
    pub kernel: ResolvedKernel,
    /// What is taken from every numeric column.
    pub shift: Vec<f64>,
    /// What every column is multiplied by afterwards; 0 where the kernel does not read it.
    pub units: Vec<f64>,
    /// The frequencies, in these units.
    pub frequencies: Frequencies,
    /// Offsets b of features cos(⟨w, x⟩ + b), one for each frequency; without them there are pairs of cosines and sines.
    pub offsets: Option<Vec<f64>>,
    /// What cosines and sines are multiplied by.
    pub amplitude: f64,
}

impl FourierMap {
    /// Draws D frequencies for pairs (cos, sin).
    ///
    /// # Errors
    /// A kernel without a known spectral law; a way to draw that is not for this kernel.
    pub fn draw(
        kernel: &ResolvedKernel,
        features: &Features,
        pairs: usize,
        draw: FrequencyDraw,
        seed: u64,
    ) -> Result<Self> {
        if pairs == 0 {
            return Err(Error::setting("components", 0, "at least 1"));
        }
        let law = SpectralLaw::of(kernel.spec(), features)?;
        let (frequencies, units) = if draw == FrequencyDraw::Structured {
            let structured = Structured::draw(&law, pairs, seed)?;
            (Frequencies::Structured(structured), units(&law))
        } else {
            let (dense, units) = frequencies(&law, draw, pairs, seed)?;
            (Frequencies::Dense(dense), units)
        };
        Ok(Self {
            kernel: kernel.clone(),
            shift: means(&features.points),
            units,
            frequencies,
            offsets: None,
            amplitude: (law.factor / pairs as f64).sqrt(),
        })
    }

    /// Takes frequencies that are given, a row each: features are `amplitude` times cos(⟨w, x⟩ + b).
    ///
    /// # Errors
    /// Numbers of frequencies, offsets and columns that do not fit together.
    pub fn given(
        kernel: &ResolvedKernel,
        features: &Features,
        frequencies: Matrix<f64>,
        offsets: Vec<f64>,
        amplitude: f64,
    ) -> Result<Self> {
        let columns = features.points.columns();
        let length = |what: &str, found, expected, unit| Error::Length {
            what: what.to_owned(),
            found,
            expected,
            unit,
        };
        if frequencies.columns() != columns {
            return Err(length(
                "a frequency",
                frequencies.columns(),
                columns,
                "columns",
            ));
        }
        if offsets.len() != frequencies.rows() {
            return Err(length(
                "the list of offsets",
                offsets.len(),
                frequencies.rows(),
                "numbers",
            ));
        }
        let shift = means(&features.points);
        // cos(⟨w, x⟩ + b) = cos(⟨w, x − m⟩ + b + ⟨w, m⟩).
        let turned = |(row, b): (usize, f64)| {
            let along = mercer_linalg::dot(frequencies.row(row), &shift);
            (b + along % std::f64::consts::TAU) % std::f64::consts::TAU
        };
        let offsets = offsets.into_iter().enumerate().map(turned).collect();
        Ok(Self {
            kernel: kernel.clone(),
            units: vec![1.0; columns],
            shift,
            frequencies: Frequencies::Dense(frequencies),
            offsets: Some(offsets),
            amplitude,
        })
    }

    /// Returns the number of frequencies D.
    pub fn count(&self) -> usize {
        match &self.frequencies {
            Frequencies::Dense(rows) => rows.rows(),
            Frequencies::Structured(structured) => structured.count(),
        }
    }

    /// Returns the number of features.
    pub fn width(&self) -> usize {
        match self.offsets {
            Some(_) => self.count(),
            None => 2 * self.count(),
        }
    }

    /// Checks every rule that ties the fields together.
    ///
    /// # Errors
    /// [`Error::Model`] naming the broken rule.
    pub fn check(&self) -> Result<()> {
        let columns = self.shift.len();
        let fits = match &self.frequencies {
            Frequencies::Dense(rows) => rows.columns() == columns,
            Frequencies::Structured(structured) => {
                let width = structured.signs.columns();
                width.is_power_of_two()
                    && width >= columns
                    && structured.signs.rows() == 3 * structured.count().div_ceil(width)
            }
        };
        let offsets = self.offsets.as_ref();
        if !fits
            || self.count() == 0
            || columns == 0
            || self.units.len() != columns
            || offsets.is_some_and(|b| b.len() != self.count())
        {
            return Err(Error::model(
                "frequencies, offsets and columns of random features do not fit together",
            ));
        }
        let frequencies = match &self.frequencies {
            Frequencies::Dense(rows) => [rows.as_slice(), &[]],
            Frequencies::Structured(own) => [own.signs.as_slice(), &own.lengths[..]],
        };
        let lists = [&self.shift[..], &self.units[..], &[self.amplitude]];
        let lists = lists.into_iter().chain(frequencies);
        let numbers = lists.chain(offsets.map(|b| &b[..])).flatten();
        if numbers.into_iter().any(|v| !v.is_finite()) {
            return Err(Error::model("a frequency is not finite"));
        }
        Ok(())
    }
}

/// Means of dense columns; zeros stay zeros in sparse ones.
fn means(points: &Points) -> Vec<f64> {
    fn of<T: Real>(block: &Block<T>) -> Vec<f64> {
        let mut sums = vec![0.0; block.columns()];
        if let Block::Dense(rows) = block {
            for row in 0..rows.rows() {
                // Divided first: sums of large values would leave f64.
                let values = sums.iter_mut().zip(rows.row(row));
                values.for_each(|(sum, x)| *sum += x.to_f64() / rows.rows() as f64);
            }
        }
        sums
    }
    each!(points, block => of(block))
}
