//! The diffusion kernel: heat that flows along edges (Kondor and Lafferty, ICML 2002).

use super::laplacian::function;
use super::members::{BETA, bind, column};
use crate::kernel::{Definiteness, Family, Input};

/// The family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "diffusion",
    summary: "heat that flows from one node to another along edges",
    formula: "exp(−beta·L)",
    parameters: &[BETA],
    parameter_kind: "parameter of `diffusion`",
    input: Input::Nodes,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| column("diffusion", records).map(|_| ()),
    bind: |settings, records| {
        let beta = settings.number(0).unwrap_or(1.0);
        bind("diffusion", records, |network| {
            function(network, |value, _| (-beta * value).exp())
        })
    },
};
