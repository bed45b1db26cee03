//! The test of a kernel matrix, told.

use mercer::kernel::{GramCheck, ResolvedKernel, Witness};
use serde_json::{Value, json};

use crate::display::Page;
use crate::style::{Paint, number};

/// Entries of a witness that are shown: those of the largest weight.
const SHOWN: usize = 5;

/// Rows, counted from 1, and weights of the largest entries of a witness.
fn largest(witness: &Witness) -> Vec<(usize, f64)> {
    let mut entries: Vec<(usize, f64)> = (1..).zip(witness.vector.iter().copied()).collect();
    entries.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    entries.truncate(SHOWN);
    entries
}

/// Returns the findings as programs read them.
pub(super) fn to_json(check: &GramCheck) -> Value {
    json!({
        "verdict": check.verdict.name(),
        "positive_semidefinite": check.verdict.is_kernel(),
        "symmetry_error": check.symmetric_error,
        "smallest_eigenvalue": check.smallest_eigenvalue,
        "largest_eigenvalue": check.largest_eigenvalue,
        "tolerance": check.tolerance,
        "rank": check.rank,
        "witness": check.witness.as_ref().map(|w| json!({ "value": w.value, "vector": w.vector })),
        "alignment": check.alignment,
    })
}

/// Returns the findings as text.
pub(super) fn page(
    check: &GramCheck,
    kernel: &ResolvedKernel,
    rows: usize,
    paint: Paint,
) -> String {
    let mut page = Page::new(paint);
    page.heading(
        &format!("Gram matrix of {kernel}"),
        &crate::style::plural(rows, "row"),
    );
    let name = check.verdict.name();
    let verdict = if check.verdict.is_kernel() {
        paint.green(&format!("{name}: a kernel on these rows"))
    } else {
        paint.yellow(&format!("{name}: not a kernel on these rows"))
    };
    page.item("verdict", &verdict)
        .item("symmetry error", &number(check.symmetric_error))
        .item(
            "eigenvalues",
            &format!(
                "{} to {}  {}",
                number(check.smallest_eigenvalue),
                number(check.largest_eigenvalue),
                paint.dim(&format!(
                    "within {} of 0 counts as 0",
                    number(check.tolerance)
                ))
            ),
        )
        .item("rank", &format!("{} of {rows}", check.rank));
    if let Some(alignment) = check.alignment {
        let aside = paint.dim("1 is a perfect kernel for the target");
        page.item("alignment", &format!("{alignment:.4}  {aside}"));
    }
    if let Some(witness) = &check.witness {
        let terms: Vec<String> = largest(witness)
            .into_iter()
            .map(|(row, weight)| format!("{} on row {row}", number(weight)))
            .collect();
        page.item(
            "witness",
            &format!("uᵀKu = {} with u =", number(witness.value)),
        )
        .item("", &format!("{}, …", terms.join(", ")));
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mercer::data::Targets;
    use mercer::kernel::check_gram;
    use mercer_linalg::Matrix;

    #[test]
    fn a_witness_shows_its_largest_rows() {
        let matrix = Matrix::from_vec(2, 2, vec![1.0, 2.0, 2.0, 1.0]);
        let check = check_gram(&matrix, &Targets::None).unwrap();
        let object = to_json(&check);
        assert_eq!(object["positive_semidefinite"], false);
        let witness = check.witness.unwrap();
        assert!(witness.value < 0.0);
        assert_eq!(largest(&witness).len(), 2);
    }
}
