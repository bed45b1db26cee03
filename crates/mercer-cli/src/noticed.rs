//! What was noticed while columns were read, for people and for programs.

use mercer::data::recognise::{Doubt, Reading};
use mercer::data::{Column, Table};
use serde_json::{Value, json};

use crate::wording::Flags;

/// What was noticed about the columns of a table.
pub(crate) struct Noticed {
    /// What can be said to have them read otherwise.
    pub(crate) hints: Vec<String>,
    /// An object for each column that there is something to tell of.
    pub(crate) objects: Vec<Value>,
}

impl Noticed {
    /// Looks at all columns but those that are left out.
    pub(crate) fn of(table: &Table, dropped: &[String]) -> Self {
        let dropped = crate::named::columns(dropped, table);
        let columns = table.columns().iter();
        let columns = columns.filter(|column| !dropped.contains(&column.name));
        let read: Vec<(&Column, &Reading)> = columns
            .filter_map(|column| Some((column, column.reading.as_deref()?)))
            .collect();
        let hints = read.iter().flat_map(|(c, reading)| reading.hints(&c.name));
        Self {
            hints: hints.map(|hint| hint.text(&Flags)).collect(),
            objects: read.iter().map(|(c, r)| object(c, r)).collect(),
        }
    }
}

/// A reading as one object.
fn object(column: &Column, reading: &Reading) -> Value {
    let odd = reading.odd.iter();
    let odd: Vec<Value> = odd
        .map(|odd| json!({"row": odd.row + 1, "line": odd.line, "text": odd.text}))
        .collect();
    json!({
        "column": column.name,
        "kind": column.kind(),
        "values": reading.known,
        "number": reading.spelling.number,
        "date": reading.spelling.date,
        "odd": odd,
        "odd_count": reading.odd_count,
        "doubt": reading.doubt.as_ref().map(doubt),
    })
}

fn doubt(doubt: &Doubt) -> Value {
    match doubt {
        Doubt::Decimal {
            example,
            taken,
            other,
            ..
        } => json!({"about": "decimal", "example": example, "taken": taken, "other": other}),
        Doubt::DayOrMonth {
            example,
            taken,
            other,
        } => json!({"about": "day_or_month", "example": example, "taken": taken, "other": other}),
        Doubt::Codes { example } => json!({"about": "codes", "example": example}),
    }
}
