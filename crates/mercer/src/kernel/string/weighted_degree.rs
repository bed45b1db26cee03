//! The weighted-degree kernel: words that two aligned sequences share at the same place.

use super::reading::{LOWER, OVER, Reading, Sequences, texts};
use super::runs::WeightedDegree;
use crate::Result;
use crate::data::Records;
use crate::kernel::pairwise::{Compare, Pairwise};
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule};

const LENGTH_AT: usize = 0;
/// Where `over` and `lower` stand among the parameters.
const READING: (usize, usize) = (1, 2);

/// The weighted-degree family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "weighted_degree",
    summary: "words that two aligned sequences share at the same place",
    formula: "Σ over k ≤ length: 2(length−k+1)/(length(length+1))·places where k symbols agree",
    parameters: &[
        Parameter {
            name: "length",
            meaning: "symbols of the longest word",
            allowed: Allowed::Number(Rule::Count(1000)),
            fallback: Fallback::Number(6.0),
            default: "6",
            instead_of: None,
        },
        OVER,
        LOWER,
    ],
    parameter_kind: "parameter of `weighted_degree`",
    input: Input::Texts,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| texts("weighted_degree", records).map(|_| ()),
    bind: |settings, records| {
        let all = texts("weighted_degree", records)?;
        let compare = Aligned {
            reading: Reading::learn(settings, READING, all),
            weights: WeightedDegree::new(settings.number(LENGTH_AT).unwrap_or(6.0) as usize),
        };
        Ok(Box::new(Pairwise::try_new(compare, records)?))
    },
};

struct Aligned {
    reading: Reading,
    weights: WeightedDegree,
}

impl Compare for Aligned {
    type Rows = Sequences;

    fn take(&self, records: &Records) -> Result<Sequences> {
        Ok(self.reading.read(texts("weighted_degree", records)?))
    }

    fn matches(&self, _bound: &Sequences, _new: &Sequences) -> Result<()> {
        Ok(())
    }

    fn value(&self, left: &Sequences, i: usize, right: &Sequences, j: usize) -> f64 {
        self.weights.value(left.get(i), right.get(j))
    }

    fn cost(&self, _rows: &Sequences) -> usize {
        // About as long as a product of fifty numbers.
        50
    }
}
