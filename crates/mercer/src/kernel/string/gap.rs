//! The gap kernel: words of one length, read with gaps that cost.

use mercer_linalg::Rows;

use super::gapped::{self, Gap};
use super::reading::{LOWER, OVER, Reading, Sequences, texts};
use crate::Result;
use crate::data::Records;
use crate::kernel::pairwise::{Compare, Pairwise};
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule, Settings};

const LENGTH_AT: usize = 0;
const DECAY_AT: usize = 1;
/// Where `over` and `lower` stand among the parameters.
pub(super) const READING: (usize, usize) = (2, 3);

/// The gap family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "gap",
    summary: "words of one length that two texts share with gaps, wide ones for less",
    formula: "Σ over words u of `length` symbols and their places: decay^(spans in x and z)",
    parameters: &[
        Parameter {
            name: "length",
            meaning: "symbols of a word",
            allowed: Allowed::Number(Rule::Count(64)),
            fallback: Fallback::Number(4.0),
            default: "4",
            instead_of: None,
        },
        Parameter {
            name: "decay",
            meaning: "what one more symbol of span counts",
            allowed: Allowed::Number(Rule::Share),
            fallback: Fallback::Number(0.5),
            default: "0.5",
            instead_of: None,
        },
        OVER,
        LOWER,
    ],
    parameter_kind: "parameter of `gap`",
    input: Input::Texts,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| texts("gap", records).map(|_| ()),
    bind: |settings, records| {
        let compare = Gapped {
            reading: Reading::learn(settings, READING, texts("gap", records)?),
            gap: shape(settings),
        };
        Ok(Box::new(Pairwise::try_new(compare, records)?))
    },
};

pub(super) fn shape(settings: &Settings) -> Gap {
    Gap {
        length: settings.number(LENGTH_AT).unwrap_or(4.0) as usize,
        decay: settings.number(DECAY_AT).unwrap_or(0.5),
    }
}

struct Gapped {
    reading: Reading,
    gap: Gap,
}

impl Compare for Gapped {
    type Rows = Sequences;

    fn take(&self, records: &Records) -> Result<Sequences> {
        Ok(self.reading.read(texts("gap", records)?))
    }

    fn matches(&self, _bound: &Sequences, _new: &Sequences) -> Result<()> {
        Ok(())
    }

    fn value(&self, left: &Sequences, i: usize, right: &Sequences, j: usize) -> f64 {
        gapped::value(left.get(i), right.get(j), &self.gap)
    }

    fn row(
        &self,
        left: &Sequences,
        i: usize,
        right: &Sequences,
        columns: &Rows<'_>,
        out: &mut [f64],
    ) {
        let others: Vec<&[u32]> = columns.iter().map(|j| right.get(j)).collect();
        gapped::block(left.get(i), &others, &self.gap, out);
    }

    fn diagonal(&self, rows: &Sequences, count: usize) -> Vec<f64> {
        let pair = |i: usize| (rows.get(i), rows.get(i));
        let pairs: Vec<(&[u32], &[u32])> = (0..count).map(pair).collect();
        let mut own = vec![0.0; count];
        gapped::pairs(&pairs, &self.gap, &mut own);
        own
    }

    fn cost(&self, rows: &Sequences) -> usize {
        self.gap.length * rows.typical_table()
    }
}
