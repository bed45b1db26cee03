//! Which columns of a table a kernel reads.

use std::collections::HashSet;

use crate::data::{ColumnEncoder, ColumnRef, Encoder, Encoding};
use crate::kernel::{Input, KernelSpec};

/// Returns the names of the encoded columns that have a say in the kernel's values.
pub(crate) fn columns_read<'a>(kernel: &KernelSpec, encoder: &'a Encoder) -> HashSet<&'a str> {
    let all: Vec<&ColumnEncoder> = encoder.columns().iter().collect();
    let mut read = HashSet::new();
    add(kernel, &all, &mut read);
    read
}

/// Adds the columns that a part of an expression reads, of those it is given.
fn add<'a>(kernel: &KernelSpec, given: &[&'a ColumnEncoder], read: &mut HashSet<&'a str>) {
    match kernel {
        KernelSpec::Base { family, .. } => {
            let coded = given.iter().any(|c| reads(Input::Codes, &c.encoding));
            let input = match family.input {
                // Rows without categories are compared by their numbers.
                Input::Codes if !coded => Input::Vectors,
                input => input,
            };
            let columns = given.iter().filter(|c| reads(input, &c.encoding));
            read.extend(columns.map(|c| c.name.as_str()));
        }
        KernelSpec::Sum(parts) | KernelSpec::Product(parts) => {
            for part in parts {
                add(part, given, read);
            }
        }
        KernelSpec::Scaled { kernel, .. }
        | KernelSpec::Power { kernel, .. }
        | KernelSpec::Exp(kernel)
        | KernelSpec::Normalise(kernel) => add(kernel, given, read),
        KernelSpec::On { columns, kernel } => {
            let named = columns.iter().filter_map(|column| find(column, given));
            add(kernel, &named.collect::<Vec<_>>(), read);
        }
    }
}

/// Whether a family that reads such input looks at columns of such an encoding.
fn reads(input: Input, encoding: &Encoding) -> bool {
    match input {
        Input::Vectors | Input::Matrix => !matches!(
            encoding,
            Encoding::Text | Encoding::Graph { .. } | Encoding::Node { .. }
        ),
        Input::Codes => matches!(
            encoding,
            Encoding::Categorical { .. } | Encoding::Boolean { .. }
        ),
        Input::Texts => matches!(encoding, Encoding::Text),
        Input::Graphs => matches!(encoding, Encoding::Graph { .. }),
        Input::Nodes => matches!(encoding, Encoding::Node { .. }),
    }
}

/// The column that a name or the position of a feature stands for.
fn find<'a>(column: &ColumnRef, given: &[&'a ColumnEncoder]) -> Option<&'a ColumnEncoder> {
    match column {
        ColumnRef::Name(name) => given.iter().find(|c| c.name == *name).copied(),
        ColumnRef::Position(position) => {
            let mut end = 0;
            let mut columns = given.iter().copied();
            columns.find(|c| {
                end += c.group().map_or(0, |g| g.width());
                *position <= end && *position > 0
            })
        }
    }
}
