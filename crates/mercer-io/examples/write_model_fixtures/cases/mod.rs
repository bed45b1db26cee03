//! The models to be written, by subject.

mod automatic;
mod columns;
mod copies;
mod direct;
mod expressions;
mod first;
mod margin;
mod neighbours;
mod projections;
mod risk;
mod squared;
mod structured;

use mercer::kernel::KernelSpec;
use mercer_io::Result;

use crate::case::Case;

/// Returns every case.
pub(crate) fn all() -> Result<Vec<Case>> {
    let subjects = [
        first::cases(),
        margin::cases()?,
        squared::cases()?,
        risk::cases()?,
        columns::cases(),
        neighbours::cases()?,
        projections::cases()?,
        copies::cases(),
        automatic::cases(),
        expressions::cases()?,
        structured::cases()?,
        direct::cases(),
    ];
    Ok(subjects.into_iter().flatten().collect())
}

/// Reads a kernel expression.
fn kernel(text: &str) -> Result<KernelSpec> {
    Ok(KernelSpec::parse(text)?)
}
