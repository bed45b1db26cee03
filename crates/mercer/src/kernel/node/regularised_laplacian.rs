//! The regularised Laplacian: influence that fades with every edge (Smola and Kondor, COLT 2003).

use super::laplacian::function;
use super::members::{BETA, bind, column};
use crate::kernel::{Definiteness, Family, Input};

/// The family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "regularised_laplacian",
    summary: "influence of one node on another that fades along edges",
    formula: "(I + beta·L)⁻¹",
    parameters: &[BETA],
    parameter_kind: "parameter of `regularised_laplacian`",
    input: Input::Nodes,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| column("regularised_laplacian", records).map(|_| ()),
    bind: |settings, records| {
        let beta = settings.number(0).unwrap_or(1.0);
        bind("regularised_laplacian", records, |network| {
            function(network, |value, _| 1.0 / (1.0 + beta * value))
        })
    },
};
