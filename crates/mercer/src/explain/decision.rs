//! The number that an explanation divides among parts.

use crate::learn::expansion::{Machine, Scheme};

/// Which answer is explained.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decided {
    /// A class against the others.
    Class(usize),
    /// A number, or how familiar a row is.
    Value,
}

impl Decided {
    /// What a machine decides for a row with these decision values.
    pub(super) fn of(machine: &Machine, decisions: &[f64]) -> Self {
        let known = machine.probabilities(decisions);
        match machine.class_given(decisions, known.as_deref()) {
            Some(class) => Self::Class(class as usize),
            None => Self::Value,
        }
    }

    /// How much decision values speak for it: of two classes the decision itself, of several
    /// the mean over the others.
    pub(super) fn score(&self, machine: &Machine, decisions: &[f64]) -> f64 {
        let (Self::Class(class), Machine::Classifier { labels, scheme, .. }) = (self, machine)
        else {
            return decisions[0];
        };
        if decisions.len() == 1 {
            return if *class == 0 {
                decisions[0]
            } else {
                -decisions[0]
            };
        }
        if *scheme == Scheme::OneVsRest {
            return decisions[*class];
        }
        let pairs = (0..labels.len()).flat_map(|a| (a + 1..labels.len()).map(move |b| (a, b)));
        let for_class = pairs.zip(decisions).filter_map(|((a, b), value)| {
            if a == *class {
                Some(*value)
            } else if b == *class {
                Some(-value)
            } else {
                None
            }
        });
        for_class.sum::<f64>() / (labels.len() - 1) as f64
    }
}
