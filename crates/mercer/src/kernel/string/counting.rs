//! Kernels that count words: sparse rows under a dictionary of the bound texts.

use super::counts::Counts as Occurrences;
use super::reading::{Reading, texts};
use crate::Result;
use crate::data::Records;
use crate::kernel::BoundKernel;
use crate::kernel::counted::{self, Counting, Counts, Found, Known};

/// Numbers of the words that bound texts have.
pub(super) trait Dictionary: Send + Sync {
    /// Counts the words of sequences; what words that are not in the dictionary add to k(x, x).
    ///
    /// # Errors
    /// Sequences that the kernel cannot read.
    fn apply(&self, sequences: &[&[u32]]) -> Result<(Occurrences, Vec<f64>)>;
}

/// What a dictionary learnt from bound texts.
pub(super) struct Learnt {
    pub(super) dictionary: Box<dyn Dictionary>,
    pub(super) occurrences: Occurrences,
    /// The weight of every word.
    pub(super) weights: Vec<f64>,
}

/// Binds the rows that a dictionary was learnt from.
pub(super) fn bind(
    kernel: &'static str,
    reading: Reading,
    learn: impl FnOnce(&[&[u32]]) -> Result<Learnt>,
    records: &Records,
) -> Result<Box<dyn BoundKernel>> {
    let learnt = learn(&reading.read(texts(kernel, records)?).slices())?;
    let known = Known {
        counts: Counts {
            rows: rows(&learnt.occurrences),
            own: Vec::new(),
        },
        weights: learnt.weights,
    };
    let counting = WordCounting {
        kernel,
        reading,
        dictionary: learnt.dictionary,
    };
    Ok(counted::bind(counting, &known, 0.0))
}

/// Occurrences as rows of numbers.
pub(super) fn rows(occurrences: &Occurrences) -> Vec<Vec<(u32, f64)>> {
    let row = |row: usize| {
        let (features, counts) = occurrences.row(row);
        let pairs = features.iter().zip(counts);
        pairs.map(|(&f, &count)| (f, f64::from(count))).collect()
    };
    (0..occurrences.rows()).map(row).collect()
}

struct WordCounting {
    kernel: &'static str,
    reading: Reading,
    dictionary: Box<dyn Dictionary>,
}

impl Counting for WordCounting {
    fn count(&self, records: &Records) -> Result<Found> {
        let sequences = self.reading.read(texts(self.kernel, records)?);
        let (occurrences, own) = self.dictionary.apply(&sequences.slices())?;
        Ok(Found {
            counts: Counts {
                rows: rows(&occurrences),
                own,
            },
            bound: None,
        })
    }
}
