//! Tables for models whose rows had no names for their parts: arrays of NumPy, LIBSVM files.

use std::sync::Arc;

use mercer::data::{Column, Encoding, Kind, Points, Table, Values};
use mercer::model::Trained;

use crate::failure::{Failure, Result};

/// Puts columns of numbers side by side, in their order, where a model learnt from vectors and the table
/// has none. `others` and the model's targets are no part of them, unless the number only fits with targets.
pub(crate) fn gathered(trained: &Trained, table: Table, others: &[&str]) -> Result<Table> {
    let [column] = trained.encoder.columns() else {
        return Ok(table);
    };
    let Encoding::Vectors { width, .. } = &column.encoding else {
        return Ok(table);
    };
    if table.columns().iter().any(|c| c.kind() == Kind::Vectors) {
        return Ok(table);
    }
    let is_free = |c: &&Column| !others.contains(&c.name.as_str());
    let is_target = |c: &Column| trained.targets.contains(&c.name);
    let free: Vec<&Column> = table.columns().iter().filter(is_free).collect();
    let inputs: Vec<&Column> = free.iter().copied().filter(|c| !is_target(c)).collect();
    let Some(parts) = [inputs, free].into_iter().find(|p| p.len() == *width) else {
        let count = table.columns().iter().filter(is_free).count();
        return Err(Failure::data(
            "unknown_name",
            format!(
                "the model learnt from rows of {width} numbers without names; the data have {count} columns"
            ),
            format!(
                "give a table of those {width} columns, in the order in which the model learnt them"
            ),
        ));
    };
    let mut lists: Vec<&[f64]> = Vec::with_capacity(*width);
    for part in &parts {
        let Values::Numeric(values) = &part.values else {
            return Err(mercer::Error::ColumnKind {
                column: part.name.clone(),
                found: part.kind().to_string(),
                expected: format!("one of the {width} numbers that the model learnt from"),
            }
            .into());
        };
        lists.push(values);
    }
    let rows = table.rows();
    let values: Vec<f64> = (0..rows)
        .flat_map(|row| lists.iter().map(move |list| list[row]))
        .collect();
    let points = Points::dense_shared::<f64>(rows, *width, Arc::new(values))
        .expect("a number for every row and column");
    let is_part = |c: &Column| parts.iter().any(|part| part.name == c.name);
    let mut columns: Vec<Column> = table
        .columns()
        .iter()
        .filter(|c| !is_part(c))
        .cloned()
        .collect();
    columns.push(Column::new(column.name.clone(), Values::Vectors(points)));
    let mut whole = Table::try_new(columns, table.origin().clone())?;
    whole.set_layout(table.layout().clone());
    whole.set_before(table.before());
    Ok(whole)
}
