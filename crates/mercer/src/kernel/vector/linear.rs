//! The linear kernel k(x, z) = ⟨x, z⟩.

use mercer_linalg::Epilogue;

use crate::kernel::product::{Reach, bind};
use crate::kernel::resolve::admit_vectors;
use crate::kernel::{Definiteness, Family, Input};

/// The linear family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "linear",
    summary: "the dot product: straight lines and planes",
    formula: "⟨x,z⟩",
    parameters: &[],
    parameter_kind: "parameter of `linear`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| admit_vectors("linear", records),
    bind: |_, records| {
        bind("linear", Epilogue::Dot, records, |square, error| Reach {
            largest: square,
            rounding: error,
        })
    },
};

#[cfg(test)]
mod tests {
    use crate::kernel::testing::{check_family, dot};

    #[test]
    fn agrees_with_the_formula() {
        check_family("linear", dot);
    }
}
