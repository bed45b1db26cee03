//! The cosine kernel k(x, z) = ⟨x, z⟩/(‖x‖·‖z‖), 0 where a row is 0.

use mercer_linalg::Epilogue;

use crate::kernel::pairwise::UNIT;
use crate::kernel::resolve::admit_vectors;
use crate::kernel::tiled::{Plan, Tiled, roundings};
use crate::kernel::{Definiteness, Family, Input};

/// The cosine family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "cosine",
    summary: "the angle between rows, whatever their length",
    formula: "⟨x,z⟩/(‖x‖·‖z‖)",
    parameters: &[],
    parameter_kind: "parameter of `cosine`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| admit_vectors("cosine", records),
    bind: |_, records| {
        let plan = Plan {
            name: "cosine",
            shift: None,
            scale: None,
            epilogue: Epilogue::Cosine,
            single: true,
            rounding: (2.0 * roundings(&records.features.points) + 8.0) * UNIT,
            norm_limit: None,
            level: true,
        };
        Ok(Box::new(Tiled::new(plan, records)))
    },
};

#[cfg(test)]
mod tests {
    use crate::kernel::testing::{check_family, dot, gram, records};

    #[test]
    fn agrees_with_the_formula() {
        check_family("cosine", |x, z| {
            let norms = (dot(x, x) * dot(z, z)).sqrt();
            if norms == 0.0 { 0.0 } else { dot(x, z) / norms }
        });
    }

    #[test]
    fn tiny_huge_and_zero_rows_have_angles() {
        let rows = records(&[
            &[1e-300, 0.0],
            &[1e300, 0.0],
            &[0.0, 0.0],
            &[5e-324, 5e-324],
        ]);
        let k = gram("cosine", &rows);
        assert_eq!(k.row(0)[..3], [1.0, 1.0, 0.0]);
        assert_eq!(k[(2, 2)], 0.0);
        assert!((k[(0, 3)] - 0.5_f64.sqrt()).abs() < 1e-15);
    }
}
