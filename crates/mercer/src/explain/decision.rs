//! The number that an explanation divides among parts.

use crate::model::readout::{Readout, Scheme, pairs};

/// Which prediction is explained.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decided {
    /// A class against the others.
    Class(usize),
    /// A number, or how familiar a row is.
    Value,
}

impl Decided {
    /// What a model decides for a row with these decision values.
    pub(super) fn of(readout: &Readout, decisions: &[f64]) -> Self {
        match readout.class(decisions) {
            Some(class) => Self::Class(class as usize),
            None => Self::Value,
        }
    }

    /// How much decision values speak for it: of two classes the decision itself, of several
    /// the mean over the others.
    pub(super) fn score(&self, readout: &Readout, decisions: &[f64]) -> f64 {
        let (Self::Class(class), Some(classes)) = (self, readout.classes()) else {
            return decisions[0];
        };
        if decisions.len() == 1 {
            return if *class == 0 {
                decisions[0]
            } else {
                -decisions[0]
            };
        }
        if classes.scheme != Scheme::OneVsOne {
            return decisions[*class];
        }
        let count = classes.labels.len();
        let for_class = pairs(count).zip(decisions).filter_map(|((a, b), value)| {
            if a == *class {
                Some(*value)
            } else if b == *class {
                Some(-value)
            } else {
                None
            }
        });
        for_class.sum::<f64>() / (count - 1) as f64
    }
}
