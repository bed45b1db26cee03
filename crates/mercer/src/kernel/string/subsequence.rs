//! The subsequence kernel: everything that can be read in both texts by leaving symbols out.

use mercer_linalg::Rows;

use super::embeddings;
use super::reading::{LOWER, OVER, Reading, Sequences, texts};
use super::scaled::Scaled;
use crate::Result;
use crate::data::Records;
use crate::kernel::pairwise::{Compare, Pairwise};
use crate::kernel::{Definiteness, Family, Input, Settings};

/// Where `over` and `lower` stand among the parameters.
pub(super) const READING: (usize, usize) = (0, 1);

/// The subsequence family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "subsequence",
    summary: "all sequences that can be read in two texts by leaving symbols out",
    formula: "number of pairs of places where x and z read the same, none included",
    parameters: &[OVER, LOWER],
    parameter_kind: "parameter of `subsequence`",
    input: Input::Texts,
    definiteness: Definiteness::Always,
    normalised: Some(|settings, records| {
        let compare = Subsequences::<true>::new(settings, records)?;
        Ok(Box::new(Pairwise::try_new(compare, records)?))
    }),
    admit: |_, records| texts("subsequence", records).map(|_| ()),
    bind: |settings, records| {
        let compare = Subsequences::<false>::new(settings, records)?;
        Ok(Box::new(Pairwise::try_new(compare, records)?))
    },
};

/// The comparison; normalised, it never leaves scaled numbers.
struct Subsequences<const NORMALISED: bool> {
    reading: Reading,
}

struct Texts {
    sequences: Sequences,
    /// k(x, x) of every text.
    own: Vec<Scaled>,
}

impl<const NORMALISED: bool> Subsequences<NORMALISED> {
    fn new(settings: &Settings, records: &Records) -> Result<Self> {
        let texts = texts("subsequence", records)?;
        Ok(Self {
            reading: Reading::learn(settings, READING, texts),
        })
    }
}

impl<const NORMALISED: bool> Compare for Subsequences<NORMALISED> {
    type Rows = Texts;

    fn take(&self, records: &Records) -> Result<Texts> {
        let sequences = self.reading.read(texts("subsequence", records)?);
        let all = sequences.slices();
        let pairs: Vec<(&[u32], &[u32])> = all.iter().map(|x| (*x, *x)).collect();
        let mut own = vec![Scaled::default(); pairs.len()];
        embeddings::pairs(&pairs, &mut own);
        Ok(Texts { sequences, own })
    }

    fn matches(&self, _bound: &Texts, _new: &Texts) -> Result<()> {
        Ok(())
    }

    fn value(&self, left: &Texts, i: usize, right: &Texts, j: usize) -> f64 {
        let mut value = [0.0];
        self.row(left, i, right, &Rows::Range(j..j + 1), &mut value);
        value[0]
    }

    fn row(&self, left: &Texts, i: usize, right: &Texts, columns: &Rows<'_>, out: &mut [f64]) {
        let x = left.sequences.get(i);
        let others: Vec<&[u32]> = columns.iter().map(|j| right.sequences.get(j)).collect();
        let mut values = vec![Scaled::default(); out.len()];
        embeddings::block(x, &others, &mut values);
        for ((out, value), j) in out.iter_mut().zip(values).zip(columns.iter()) {
            *out = if NORMALISED {
                Scaled::ratio(value, left.own[i], right.own[j])
            } else {
                value.to_f64()
            };
        }
    }

    fn diagonal(&self, rows: &Texts, count: usize) -> Vec<f64> {
        (0..count).map(|i| self.own(rows, i)).collect()
    }

    fn own(&self, rows: &Texts, i: usize) -> f64 {
        let own = rows.own[i];
        if NORMALISED {
            Scaled::ratio(own, own, own)
        } else {
            own.to_f64()
        }
    }

    fn cost(&self, rows: &Texts) -> usize {
        rows.sequences.typical_table()
    }
}
