//! `mercer explain`.

use mercer::data::Table;
use mercer::explain::{Explanation, Part};
use serde_json::json;

use super::{dependence, support};
use crate::args::ExplainArgs;
use crate::data::{blame_data, keep_inputs, name_by_place, read_for};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use mercer_report::verdict::percent;
use mercer_report::{Told, render_explanation};

pub(super) fn run(args: &ExplainArgs, session: &Session) -> Result<()> {
    dependence::check_unasked(args)?;
    if let Some(most) = args.support {
        return support::run(args, most as usize, session);
    }
    if args.dependence.is_asked() {
        return dependence::run(args, session);
    }
    Files::default()
        .data(&args.data, &args.reading)
        .read("the model", [args.model.as_path()])
        .write(args.output.as_deref())
        .check()?;
    let trained = models::load_for(&args.model, &args.data)?;
    let table = read_for(&trained, &args.data, &args.reading, session)?;
    let mut table = name_by_place(&trained, &args.reading, table, &[])?;
    keep_inputs(&trained, &mut table)?;
    if args.row == 0 || args.row > table.rows() {
        return Err(Failure::usage(
            format!("there is no row {}", args.row),
            format!("rows are counted from 1; the data have {}", table.rows()),
        ));
    }
    let context = session.context(&args.running);
    let found = blame_data(trained.explain(&table, args.row - 1, &context))?;
    let row = trained.row_of(&table, args.row - 1)?;
    let told = Told::of(&trained, &found, &trained.answers(&row, &context)?.answers);
    if let Some(path) = &args.output {
        let title = format!("row {}", args.row);
        let page = render_explanation(&title, &trained, &row, &found, &told);
        session.write(path, page.as_bytes())?;
    }
    session.meter.finish();
    session.output.notes(&found.notes);
    if session.output.json {
        return tell_json(args, session, &row, &found, &told);
    }
    let mut page = Page::new(session.output.paint);
    page.heading(&told.answer, &format!("row {}", args.row));
    if let Some(probability) = told.probability {
        page.item("probability", &percent(probability));
    }
    if told.class {
        page.item("decision", &format!("{:.4}", found.score));
    }
    page.heading("What carries it", told.aside());
    for influence in found.strongest(args.top) {
        let text = format!("{:+.4}", influence.value);
        page.item(&text, &influence.part.words(&row));
    }
    if let Some(path) = &args.output {
        page.heading("Files", "")
            .item("page", &path.display().to_string());
    }
    session.output.text(&page.finish())
}

fn tell_json(
    args: &ExplainArgs,
    session: &Session,
    row: &Table,
    found: &Explanation,
    told: &Told,
) -> Result<()> {
    let parts: Vec<_> = found
        .influences
        .iter()
        .map(|influence| {
            let mut object = json!({
                "column": influence.part.column(),
                "part": influence.part.words(row),
                "influence": influence.value,
            });
            match &influence.part {
                Part::Column { .. } => {}
                Part::Word { range, .. }
                | Part::Letter { range, .. }
                | Part::Piece { range, .. } => object["bytes"] = json!([range.start, range.end]),
                Part::Vertex { vertex, .. } => object["vertex"] = json!(vertex),
            }
            object
        })
        .collect();
    session.output.object(&json!({
        "row": args.row,
        "class": found.class,
        "decision": found.score,
        "probability": told.probability,
        "prediction": told.value,
        "parts": parts,
        "file": args.output,
    }))
}
