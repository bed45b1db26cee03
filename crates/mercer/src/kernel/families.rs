//! The list of all kernel families.

use super::Family;
use super::graph::{graphlet, random_walk, shortest_path, wl};
use super::node::{commute, diffusion, neighbourhood, regularised_laplacian};
use super::string::{gap, mismatch, spectrum, subsequence, substring, weighted_degree};
use super::vector::{chi2, cosine, laplace, linear, matern, overlap, poly, precomputed};
use super::vector::{rational_quadratic, rbf, sigmoid, spline};
use crate::{Error, Result};

/// Every family, in the order of help.
static FAMILIES: [&Family; 26] = [
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
    &subsequence::FAMILY,
    &substring::FAMILY,
    &gap::FAMILY,
    &spectrum::FAMILY,
    &mismatch::FAMILY,
    &weighted_degree::FAMILY,
    &wl::FAMILY,
    &shortest_path::FAMILY,
    &random_walk::FAMILY,
    &graphlet::FAMILY,
    &diffusion::FAMILY,
    &regularised_laplacian::FAMILY,
    &commute::FAMILY,
    &neighbourhood::FAMILY,
    &precomputed::FAMILY,
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
