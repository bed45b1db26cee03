//! The substring kernel: all words that two texts share.

use std::sync::Arc;

use super::counting::rows;
use super::lengths::Lengths;
use super::reading::{LOWER, OVER, Reading, texts};
use super::shared::{SharedWords, shared};
use crate::Result;
use crate::data::Records;
use crate::kernel::counted::{self, Counting, Counts, Found, Known};
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule, Settings};

const DECAY_AT: usize = 0;
const MIN_AT: usize = 1;
const MAX_AT: usize = 2;
/// Where `over` and `lower` stand among the parameters.
pub(super) const READING: (usize, usize) = (3, 4);

/// What the empty word adds.
const EMPTY_WORD: f64 = 1.0;

/// The substring family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "substring",
    summary: "all words that two texts share, in linear time",
    formula: "1 + Σ over words u: decay^|u|·count(u in x)·count(u in z)",
    parameters: &[
        Parameter {
            name: "decay",
            meaning: "what one more symbol counts",
            allowed: Allowed::Number(Rule::Share),
            fallback: Fallback::Number(1.0),
            default: "1",
            instead_of: None,
        },
        Parameter {
            name: "min",
            meaning: "symbols of the shortest word",
            allowed: Allowed::Number(Rule::Count(u32::MAX)),
            fallback: Fallback::Number(1.0),
            default: "1",
            instead_of: None,
        },
        Parameter {
            name: "max",
            meaning: "symbols of the longest word",
            allowed: Allowed::Number(Rule::Count(u32::MAX)),
            fallback: Fallback::Absent,
            default: "any",
            instead_of: None,
        },
        OVER,
        LOWER,
    ],
    parameter_kind: "parameter of `substring`",
    input: Input::Texts,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| texts("substring", records).map(|_| ()),
    bind: |settings, records| {
        let texts = texts("substring", records)?;
        let counting = Substrings {
            reading: Reading::learn(settings, READING, texts),
            lengths: lengths(settings),
            bound: texts.to_vec(),
        };
        let sequences = counting.reading.read(texts);
        let (known, _) = divide(shared(&sequences.slices(), &counting.lengths), texts.len());
        Ok(counted::bind(counting, &known, EMPTY_WORD))
    },
};

pub(super) fn lengths(settings: &Settings) -> Lengths {
    let count = |at: usize| settings.number(at).map(|n| n as usize);
    Lengths {
        decay: settings.number(DECAY_AT).unwrap_or(1.0),
        minimum: count(MIN_AT).unwrap_or(1),
        maximum: count(MAX_AT).unwrap_or(usize::MAX),
    }
}

/// Divides the rows of words that texts share into those of the first texts and the others.
fn divide(shared: SharedWords, bound: usize) -> (Known, Counts) {
    let mut all = rows(&shared.counts);
    let mut own = shared.own;
    let new = Counts {
        rows: all.split_off(bound),
        own: own.split_off(bound),
    };
    let known = Known {
        counts: Counts { rows: all, own },
        weights: shared.weights,
    };
    (known, new)
}

struct Substrings {
    reading: Reading,
    lengths: Lengths,
    bound: Vec<Arc<str>>,
}

impl Counting for Substrings {
    /// Words are numbered anew: which of them tell texts apart depends on all texts.
    fn count(&self, records: &Records) -> Result<Found> {
        let new = texts("substring", records)?;
        let all: Vec<Arc<str>> = self.bound.iter().chain(new).cloned().collect();
        let sequences = self.reading.read(&all);
        let words = shared(&sequences.slices(), &self.lengths);
        let (known, counts) = divide(words, self.bound.len());
        Ok(Found {
            counts,
            bound: Some(known),
        })
    }
}
