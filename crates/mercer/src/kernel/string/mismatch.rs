//! The mismatch kernel: words of one length that two texts nearly share.

use super::blanked::{self, Mismatch, Refused};
use super::counting::{self, Dictionary, Learnt};
use super::counts::Counts;
use super::reading::{LOWER, OVER, Reading, texts};
use crate::kernel::{
    Allowed, Chosen, Definiteness, Fallback, Family, Input, Parameter, Rule, Sample, Settings,
};
use crate::{Error, Result};

const LENGTH_AT: usize = 0;
const MISMATCHES_AT: usize = 1;
/// Where `over` and `lower` stand among the parameters.
const READING: (usize, usize) = (2, 3);
const ALPHABET_AT: usize = 4;

/// The mismatch family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "mismatch",
    summary: "words of one length that two sequences share up to a few symbols",
    formula: "Σ over words u of `length` symbols: near(u in x)·near(u in z)",
    parameters: &[
        Parameter {
            name: "length",
            meaning: "symbols of a word",
            allowed: Allowed::Number(Rule::Count(16)),
            fallback: Fallback::Number(4.0),
            default: "4",
            instead_of: None,
        },
        Parameter {
            name: "mismatches",
            meaning: "symbols that may differ",
            allowed: Allowed::Number(Rule::Steps(4)),
            fallback: Fallback::Number(1.0),
            default: "1",
            instead_of: None,
        },
        OVER,
        LOWER,
        Parameter {
            name: "alphabet",
            meaning: "how many symbols there are",
            allowed: Allowed::Number(Rule::Count(1_000_000)),
            fallback: Fallback::Data(alphabet),
            default: "those that occur",
            instead_of: None,
        },
    ],
    parameter_kind: "parameter of `mismatch`",
    input: Input::Texts,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |settings, records| {
        texts("mismatch", records)?;
        let (length, mismatches) = sizes(settings);
        if 2 * mismatches <= length {
            return Ok(());
        }
        Err(Error::Kernel {
            kernel: "mismatch".to_owned(),
            problem: format!("words of {length} symbols may not differ in {mismatches}"),
            cure: "allow at most half as many mismatches as a word has symbols".into(),
        })
    },
    bind: |settings, records| {
        let (length, mismatches) = sizes(settings);
        let alphabet = settings.number(ALPHABET_AT).unwrap_or(2.0) as usize;
        let all = texts("mismatch", records)?;
        let reading = Reading::learn(settings, READING, all);
        let learn = |sequences: &[&[u32]]| {
            let shape = Mismatch {
                length,
                mismatches,
                alphabet,
            };
            let learnt = blanked::Dictionary::learn(sequences, shape);
            let (dictionary, occurrences) = learnt.map_err(refused)?;
            Ok(Learnt {
                weights: dictionary.weights.clone(),
                dictionary: Box::new(dictionary),
                occurrences,
            })
        };
        counting::bind("mismatch", reading, learn, records)
    },
};

fn sizes(settings: &Settings) -> (usize, usize) {
    let number = |at: usize, usual: f64| settings.number(at).unwrap_or(usual) as usize;
    (number(LENGTH_AT, 4.0), number(MISMATCHES_AT, 1.0))
}

/// The number of symbols that occur, two at least.
fn alphabet(settings: &Settings, sample: &Sample<'_>) -> Result<Chosen> {
    let texts = texts("mismatch", sample.records)?;
    let sequences = Reading::learn(settings, READING, texts).read(texts);
    let mut symbols: Vec<u32> = sequences.slices().concat();
    symbols.sort_unstable();
    symbols.dedup();
    Ok(Chosen {
        number: symbols.len().max(2) as f64,
        why: "as many symbols occur".to_owned(),
    })
}

/// Says why sequences cannot be compared.
fn refused(why: Refused) -> Error {
    let (problem, cure) = match why {
        Refused::Alphabet { symbols } => (
            format!(
                "there are {symbols} different symbols, more than `alphabet` has or words can hold"
            ),
            "leave `alphabet` out, shorten the words, or use `spectrum`",
        ),
        Refused::Word { .. } | Refused::Patterns | Refused::Parameters => (
            "words of this length over this alphabet are too many".to_owned(),
            "shorten the words or allow fewer mismatches",
        ),
    };
    Error::Kernel {
        kernel: "mismatch".to_owned(),
        problem,
        cure: cure.into(),
    }
}

impl Dictionary for blanked::Dictionary {
    fn apply(&self, sequences: &[&[u32]]) -> Result<(Counts, Vec<f64>)> {
        Self::apply(self, sequences).map_err(refused)
    }
}
