//! The part of a kernel that reads one column alone.
//!
//! k(x, z) = k_j(x_j, z_j) + k_rest(x, z), where the rest does not read column j: then
//! f = f_j(x_j) + f_rest(x), and f_j = Σ c_i k_j(x_ij, ·) is the column's own part of f, exactly.

use crate::data::{ColumnRef, Encoder};
use crate::kernel::KernelSpec;
use crate::model::expansion::columns_read;

/// Returns the terms of a sum that read a column; `None` where one of them reads others as well, and where none
/// reads it.
pub(super) fn part_of(kernel: &KernelSpec, encoder: &Encoder, column: &str) -> Option<KernelSpec> {
    let mut own = Vec::new();
    for term in terms(kernel) {
        let read = columns_read(&term, encoder);
        if !read.contains(column) {
            continue;
        }
        own.push(if read.len() == 1 {
            term
        } else {
            narrowed(&term, column)?
        });
    }
    match own.len() {
        0 | 1 => own.pop(),
        _ => Some(KernelSpec::Sum(own)),
    }
}

/// The terms of a sum, factors and columns that stand before it multiplied out.
fn terms(kernel: &KernelSpec) -> Vec<KernelSpec> {
    match kernel {
        KernelSpec::Sum(parts) => parts.iter().flat_map(terms).collect(),
        KernelSpec::Scaled { factor, kernel } => {
            let scaled = |kernel| KernelSpec::Scaled {
                factor: *factor,
                kernel: Box::new(kernel),
            };
            terms(kernel).into_iter().map(scaled).collect()
        }
        KernelSpec::On { columns, kernel } => {
            let on = |kernel| KernelSpec::On {
                columns: columns.clone(),
                kernel: Box::new(kernel),
            };
            terms(kernel).into_iter().map(on).collect()
        }
        other => vec![other.clone()],
    }
}

/// A dot product is a sum over columns by itself.
fn narrowed(kernel: &KernelSpec, column: &str) -> Option<KernelSpec> {
    match kernel {
        KernelSpec::Base { family, .. } if family.name == "linear" => Some(KernelSpec::On {
            columns: vec![ColumnRef::Name(column.to_owned())],
            kernel: Box::new(kernel.clone()),
        }),
        KernelSpec::Scaled { factor, kernel } => Some(KernelSpec::Scaled {
            factor: *factor,
            kernel: Box::new(narrowed(kernel, column)?),
        }),
        KernelSpec::On { columns, kernel } => Some(KernelSpec::On {
            columns: columns.clone(),
            kernel: Box::new(narrowed(kernel, column)?),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, EncodeOptions, Origin, Table, Values};

    fn encoder() -> Encoder {
        let column =
            |name: &str, values: [f64; 3]| Column::new(name, Values::Numeric(values.to_vec()));
        let columns = vec![column("a", [1.0, 2.0, 4.0]), column("b", [3.0, 1.0, 2.0])];
        let table = Table::try_new(columns, Origin::default()).expect("two columns");
        let fitted = Encoder::fit(&table, &EncodeOptions::default());
        fitted.expect("numbers").0
    }

    #[test]
    fn sums_over_columns_come_apart() {
        let encoder = encoder();
        for (kernel, expected) in [
            ("rbf(gamma=1)@a + rbf(gamma=2)@b", Some("rbf(gamma=1)@a")),
            ("rbf(gamma=1)@a + rbf(gamma=2)", None),
            ("linear + rbf(gamma=1)@b", Some("linear@a")),
            ("rbf(gamma=1)@a * rbf(gamma=2)@b", None),
            ("rbf(gamma=2)@b", None),
            (
                "2*(linear@a + rbf(gamma=1)@a) + linear@b",
                Some("2*linear@a + 2*rbf(gamma=1)@a"),
            ),
        ] {
            let kernel: KernelSpec = kernel.parse().expect("a kernel");
            let expected = expected.map(|text| text.parse::<KernelSpec>().expect("a kernel"));
            let found = part_of(&kernel, &encoder, "a");
            assert_eq!(found, expected, "{kernel}");
        }
    }
}
