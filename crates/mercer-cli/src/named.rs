//! Lists of columns on the command line.

use mercer::data::Table;

/// The columns that a list names. Commas part names, unless a column has them in its own; blanks
/// around a name are not part of it, unless a column has them. What names no column is left for the
/// error to tell.
pub(crate) fn columns(given: &[String], table: &Table) -> Vec<String> {
    let is_known = |name: &str| table.find(name).is_some();
    let mut names = Vec::new();
    let mut rest = given;
    while let [first, ..] = rest {
        // The longest name wins: `a,b` is one column where there is such a column.
        let found = (1..=rest.len()).rev().find_map(|count| {
            let joined = rest[..count].join(",");
            let plain = joined.trim();
            let name = [joined.as_str(), plain]
                .into_iter()
                .find(|name| is_known(name))?;
            Some((name.to_owned(), count))
        });
        let (name, count) = found.unwrap_or_else(|| (first.trim().to_owned(), 1));
        names.push(name);
        rest = &rest[count..];
    }
    names
}

#[cfg(test)]
mod tests {
    use mercer::data::{Column, Origin, Values};

    use super::*;

    fn named(given: &str, columns_of_table: &[&str]) -> Vec<String> {
        let one = |name: &&str| Column::new(*name, Values::Numeric(vec![1.0]));
        let list = columns_of_table.iter().map(one).collect();
        let table = Table::try_new(list, Origin::default()).expect("a table");
        let given: Vec<String> = given.split(',').map(str::to_owned).collect();
        columns(&given, &table)
    }

    #[test]
    fn commas_part_names_unless_a_column_has_them() {
        assert_eq!(named("a,b", &["a", "b", "c"]), ["a", "b"]);
        assert_eq!(named("a, b ", &["a", "b"]), ["a", "b"]);
        assert_eq!(named("a,c,d,b", &["a", "b", "c,d"]), ["a", "c,d", "b"]);
        assert_eq!(named("c, d", &["a", "c, d"]), ["c, d"]);
        assert_eq!(named(" a", &["a", " a"]), [" a"]);
        assert_eq!(named("a, x", &["a"]), ["a", "x"]);
    }
}
