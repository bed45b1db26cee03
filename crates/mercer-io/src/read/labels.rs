//! Labels from a file of their own.

use mercer::data::{Column, Table};

use crate::{Error, Result};

/// Joins a table and its labels, such as the two files of MNIST.
///
/// The labels must be a table of one column and as many rows; the column comes first, under
/// its own name.
///
/// # Errors
/// More than one label column, lengths that differ, and a name that occurs on both sides.
pub fn join_labels(table: &Table, labels: &Table) -> Result<Table> {
    let [column] = labels.columns() else {
        return Err(mercer::Error::Length {
            what: format!("the label file `{}`", labels.origin().name),
            found: labels.columns().len(),
            expected: 1,
            unit: "columns",
        }
        .into());
    };
    if labels.rows() != table.rows() {
        return Err(mercer::Error::Length {
            what: format!("the label file `{}`", labels.origin().name),
            found: labels.rows(),
            expected: table.rows(),
            unit: "rows",
        }
        .into());
    }
    let columns: Vec<Column> = std::iter::once(column)
        .chain(table.columns())
        .cloned()
        .collect();
    Table::try_new(columns, table.origin().clone()).map_err(Error::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{ReadOptions, Source, read};

    fn table(name: &str, text: &str) -> Table {
        read(
            &Source::bytes(name, text.as_bytes()),
            &ReadOptions::default(),
        )
        .expect("readable")
    }

    #[test]
    fn labels_come_first() {
        let joined = join_labels(&table("x.csv", "a,b\n1,2\n"), &table("y.csv", "y\n7\n"));
        assert_eq!(joined.expect("joined").names(), ["y", "a", "b"]);
    }

    #[test]
    fn misfits_are_named() {
        let x = table("x.csv", "a,b\n1,2\n");
        let message = |text: &str| {
            join_labels(&x, &table("y.csv", text))
                .expect_err("misfit")
                .to_string()
        };
        assert_eq!(
            message("y\n7\n8\n"),
            "the label file `y.csv` has 2 rows; 1 expected"
        );
        assert_eq!(
            message("y,z\n7,8\n"),
            "the label file `y.csv` has 2 columns; 1 expected"
        );
        assert_eq!(message("a\n7\n"), "two columns are named `a`");
    }
}
