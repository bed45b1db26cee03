//! The list of all kernel families.

use super::Family;
use super::vector::{chi2, cosine, laplace, linear, matern, overlap, poly, precomputed};
use super::vector::{rational_quadratic, rbf, sigmoid, spline};
use crate::{Error, Result};

/// Every family, in the order of help.
static FAMILIES: [&Family; 12] = [
    &linear::FAMILY,
    &poly::FAMILY,
    &rbf::FAMILY,
    &laplace::FAMILY,
    &matern::FAMILY,
    &rational_quadratic::FAMILY,
    &sigmoid::FAMILY,
    &spline::FAMILY,
    &cosine::FAMILY,
    &chi2::FAMILY,
    &overlap::FAMILY,
    &precomputed::FAMILY,
];

/// Names that belong to the language but have no family in this version.
const PLANNED: [&str; 14] = [
    "subsequence",
    "substring",
    "gap",
    "spectrum",
    "mismatch",
    "weighted_degree",
    "wl",
    "shortest_path",
    "random_walk",
    "graphlet",
    "diffusion",
    "regularised_laplacian",
    "neighbourhood",
    "commute",
];

/// Functions of a kernel, which are no families.
const FUNCTIONS: [&str; 2] = ["exp", "normalise"];

/// Returns every kernel family, in the order of help.
pub fn families() -> &'static [&'static Family] {
    &FAMILIES
}

/// Returns a family by name.
pub(super) fn find(name: &str) -> Result<&'static Family> {
    if let Some(family) = FAMILIES.iter().find(|f| f.name == name) {
        return Ok(family);
    }
    if PLANNED.contains(&name) {
        return Err(Error::Unsupported {
            what: format!("kernel `{name}` is not available in this version"),
            cure: format!("kernels of this version: {}", names().join(", ")),
        });
    }
    Err(Error::Unknown {
        kind: "kernel",
        name: name.to_owned(),
        known: names(),
    })
}

fn names() -> Vec<String> {
    let families = FAMILIES.iter().map(|f| f.name);
    families.chain(FUNCTIONS).map(str::to_owned).collect()
}
