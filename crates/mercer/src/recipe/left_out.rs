//! Columns that number or name rows: out of models that are chosen, told of in those that are
//! named.

use crate::Result;
use crate::data::warnings::{self, Identity, identities};
use crate::data::{Table, Targets};
use crate::fit::{Note, Warning, WarningCode, listed};

/// Looks at columns that are to be learnt from by a model that is chosen: takes those out that
/// number or name rows, but for those `used`, and tells what else gives reason to.
///
/// # Errors
/// A column to be used that is not there.
pub fn look(features: &mut Table, targets: &Targets, used: &[String]) -> Result<Vec<Note>> {
    for name in used {
        features.column(name)?;
    }
    let mut found = leave_out(features, used)?;
    found.extend(warnings::look(features, targets, None));
    Ok(found.into_iter().map(Note::from).collect())
}

/// Takes columns that number or name rows out of a table, but for those that are to be used.
///
/// # Errors
/// None that a table can give rise to.
pub(super) fn leave_out(features: &mut Table, used: &[String]) -> Result<Vec<Warning>> {
    let found = found(features, used);
    // What is left must be something to learn from.
    if found.len() == features.columns().len() {
        return Ok(told(&found, WarningCode::Identifier));
    }
    for (name, _) in &found {
        features.take(name)?;
    }
    Ok(told(&found, WarningCode::LeftOut))
}

/// Tells of columns that number or name rows and are learnt from.
pub(super) fn tell_of(features: &Table, used: &[String]) -> Vec<Warning> {
    told(&found(features, used), WarningCode::Identifier)
}

fn found(features: &Table, used: &[String]) -> Vec<(String, Identity)> {
    let mut found = identities(features);
    found.retain(|(name, _)| !used.contains(name));
    found
}

fn told(found: &[(String, Identity)], code: WarningCode) -> Vec<Warning> {
    let end = if code == WarningCode::LeftOut {
        "left out"
    } else {
        "nothing is learnt from that about other rows"
    };
    let verbs = [
        (Identity::RowNumber, "counts rows", "count rows"),
        (Identity::Identifier, "names rows", "name rows"),
    ];
    let warnings = verbs.into_iter().filter_map(|(identity, one, several)| {
        let of = found.iter().filter(|(_, i)| *i == identity);
        let names: Vec<&str> = of.map(|(name, _)| name.as_str()).collect();
        let text = match &names[..] {
            [] => return None,
            [name] => format!("column `{name}` {one}: {end}"),
            names => format!("columns {} {several}: {end}", listed(names)),
        };
        Some(Warning::new(code, text).columns(names))
    });
    warnings.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Origin, Values};

    fn table(names: &[&str]) -> Table {
        let column = |name: &&str| {
            let values = (0..40).map(|i| match *name {
                "id" | "row_no" => f64::from(i),
                _ => f64::from(i * i % 37) + 0.5,
            });
            Column::new(*name, Values::Numeric(values.collect()))
        };
        Table::try_new(names.iter().map(column).collect(), Origin::default()).unwrap()
    }

    #[test]
    fn counters_leave_unless_they_are_used() {
        let mut features = table(&["id", "row_no", "size"]);
        let told = leave_out(&mut features, &[]).unwrap();
        assert_eq!(features.names(), ["size"]);
        assert_eq!(told.len(), 1);
        assert_eq!(
            told[0].text,
            "columns `id` and `row_no` count rows: left out"
        );
        assert_eq!(told[0].hint().unwrap(), "keep them: `use` = `id,row_no`");
        let mut features = table(&["id", "row_no", "size"]);
        let told = leave_out(&mut features, &["id".to_owned()]).unwrap();
        assert_eq!(features.names(), ["id", "size"]);
        assert_eq!(told[0].columns, ["row_no"]);
    }

    #[test]
    fn a_table_of_nothing_else_keeps_them() {
        let mut features = table(&["id"]);
        let told = leave_out(&mut features, &[]).unwrap();
        assert_eq!(features.names(), ["id"]);
        assert_eq!(told[0].code, WarningCode::Identifier);
        assert_eq!(told[0].hint().unwrap(), "leave it out: `drop` = `id`");
        let mut nothing = table(&[]);
        assert_eq!(leave_out(&mut nothing, &[]).unwrap(), []);
    }
}
