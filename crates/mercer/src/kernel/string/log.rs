//! Logarithms of values that leave the range of f64 long before their ratios do.

use super::embeddings;
use super::reading::{Reading, texts};
use super::subsequence::{FAMILY, READING};
use crate::Result;
use crate::data::Records;
use crate::kernel::KernelSpec;

impl KernelSpec {
    /// Returns the logarithm of a value of `subsequence`, which has one at any length of texts;
    /// nothing for other kernels.
    ///
    /// # Errors
    /// Records without texts.
    pub fn log_of_subsequences(
        &self,
        records: &Records,
        i: usize,
        j: usize,
    ) -> Result<Option<f64>> {
        let Self::Base { family, settings } = self else {
            return Ok(None);
        };
        if **family != FAMILY {
            return Ok(None);
        }
        let texts = texts(FAMILY.name, records)?;
        let read = Reading::learn(settings, READING, texts).read(texts);
        Ok(Some(embeddings::value(read.get(i), read.get(j)).log()))
    }
}
