//! The spectrum kernel: words of one length that two texts share.

use super::counting::{self, Dictionary, Learnt};
use super::counts::Counts;
use super::grams;
use super::reading::{LOWER, OVER, Reading, texts};
use crate::Result;
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule};

const LENGTH_AT: usize = 0;
/// Where `over` and `lower` stand among the parameters.
const READING: (usize, usize) = (1, 2);

/// The spectrum family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "spectrum",
    summary: "words of one length that two texts share",
    formula: "Σ over words u of `length` symbols: count(u in x)·count(u in z)",
    parameters: &[
        Parameter {
            name: "length",
            meaning: "symbols of a word",
            allowed: Allowed::Number(Rule::Count(1000)),
            fallback: Fallback::Number(3.0),
            default: "3",
            instead_of: None,
        },
        OVER,
        LOWER,
    ],
    parameter_kind: "parameter of `spectrum`",
    input: Input::Texts,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| texts("spectrum", records).map(|_| ()),
    bind: |settings, records| {
        let length = settings.number(LENGTH_AT).unwrap_or(3.0) as usize;
        let all = texts("spectrum", records)?;
        let reading = Reading::learn(settings, READING, all);
        let learn = |sequences: &[&[u32]]| {
            let (dictionary, occurrences) = grams::Dictionary::learn(sequences, length);
            Ok(Learnt {
                weights: vec![1.0; dictionary.features()],
                dictionary: Box::new(dictionary),
                occurrences,
            })
        };
        counting::bind("spectrum", reading, learn, records)
    },
};

impl Dictionary for grams::Dictionary {
    fn apply(&self, sequences: &[&[u32]]) -> Result<(Counts, Vec<f64>)> {
        Ok(Self::apply(self, sequences))
    }
}
