//! The commute kernel: how soon a walk between two nodes comes back (Fouss and others, 2007).

use super::laplacian::function;
use super::members::{bind, column};
use crate::kernel::{Definiteness, Family, Input};

/// The family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "commute",
    summary: "how near two nodes are to a random walk along edges",
    formula: "pseudo-inverse of L",
    parameters: &[],
    parameter_kind: "parameter of `commute`",
    input: Input::Nodes,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| column("commute", records).map(|_| ()),
    bind: |_, records| {
        let inverse = |value: f64, is_zero: bool| if is_zero { 0.0 } else { 1.0 / value };
        bind("commute", records, |network| function(network, inverse))
    },
};
