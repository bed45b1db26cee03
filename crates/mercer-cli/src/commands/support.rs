//! `mercer explain --support`: the rows that carry a model.

use mercer::explain::SupportRow;
use mercer_report::cells_of;
use serde_json::{Value, json};

use crate::args::ExplainArgs;
use crate::data::{blame_data, keep_inputs, name_by_place, read_for};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::{count, number, plural};

pub(super) fn run(args: &ExplainArgs, most: usize, session: &Session) -> Result<()> {
    Files::default()
        .data(&args.data, &args.reading)
        .read("the model", [args.model.as_path()])
        .check()?;
    let trained = models::load_for(&args.model, &args.data)?;
    let table = read_for(&trained, &args.data, &args.reading, session)?;
    let mut table = name_by_place(&trained, &args.reading, table, &[])?;
    keep_inputs(&trained, &mut table)?;
    let found = blame_data(trained.support_rows(&table, most))?;
    let all = trained.form.expansion().map_or(0, |m| m.support.len());
    session.meter.finish();
    if found.is_empty() {
        return Err(Failure::data(
            "no_support",
            "none of these rows is a support vector of the model",
            "give the rows that it learnt from",
        ));
    }
    if session.output.json {
        let of = |row: &SupportRow| -> Value {
            let rows: Vec<usize> = row.rows.iter().map(|r| r + 1).collect();
            json!({"row": rows[0], "rows": rows, "influence": row.influence,
                "coefficients": row.coefficients, "class": row.class})
        };
        let rows: Vec<Value> = found.iter().map(of).collect();
        return session
            .output
            .object(&json!({"support": rows, "support_vectors": all}));
    }
    let paint = session.output.paint;
    let mut page = Page::new(paint);
    page.heading(
        "Support vectors of most influence",
        &format!(
            "{} of {}",
            count(found.len() as u64),
            plural(all, "support vector")
        ),
    );
    for row in &found {
        let first = row.rows[0];
        let cells = cells_of(&table, first, None);
        let shown = cells.into_iter().map(|(name, value)| {
            format!("{name}={}", value.unwrap_or_else(|| "missing".to_owned()))
        });
        let shown: Vec<String> = shown.collect();
        let class = row
            .class
            .as_ref()
            .map(|c| format!("{c}  "))
            .unwrap_or_default();
        let more = match row.rows.len() {
            1 => String::new(),
            n => format!("  ({n} equal rows)"),
        };
        let text = format!(
            "{:<10}  {class}{}{more}",
            number(row.influence),
            paint.dim(&shown.join(", "))
        );
        page.item(&table.place(first), &text);
    }
    page.block("Influence is the length of a row's coefficients times √k(x,x): the norm of its part in the decisions.");
    session.output.text(&page.finish())
}
