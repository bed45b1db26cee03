//! `mercer explain`.

use mercer::data::Table;
use mercer::explain::{Explanation, Part};
use mercer::model::Trained;
use serde_json::json;

use crate::args::ExplainArgs;
use crate::data::{blame_data, keep_inputs, read_for};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::report::render_explanation;
use crate::session::Session;

pub(super) fn run(args: &ExplainArgs, session: &Session) -> Result<()> {
    Files::default()
        .data(&args.data, &args.reading)
        .read("the model", [args.model.as_path()])
        .write(args.output.as_deref())
        .check()?;
    let trained = models::load(&args.model)?;
    let mut table = read_for(&trained, &args.data, &args.reading, session)?;
    keep_inputs(&trained, &mut table)?;
    if args.row == 0 || args.row > table.rows() {
        return Err(Failure::usage(
            format!("there is no row {}", args.row),
            format!("rows are counted from 1; the data have {}", table.rows()),
        ));
    }
    let context = session.context(&args.running);
    let found = blame_data(trained.explain(&table, args.row - 1, &context))?;
    let row = table.select(&[args.row - 1]);
    if let Some(path) = &args.output {
        let title = format!("row {}", args.row);
        let page = render_explanation(&title, &trained, &row, &found);
        session.write(path, page.as_bytes())?;
    }
    session.meter.finish();
    session.output.notes(&found.notes);
    if session.output.json {
        return tell_json(args, session, &row, &found);
    }
    let mut page = Page::new(session.output.paint);
    page.heading(&answer(&trained, &found), &format!("row {}", args.row));
    page.item("decision", &format!("{:.4}", found.score));
    page.heading(
        "What carries it",
        "what the decision loses without the part",
    );
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

/// The prediction that is explained, in words.
fn answer(trained: &Trained, found: &Explanation) -> String {
    let target = trained.target().unwrap_or("the prediction");
    match &found.class {
        Some(class) => format!("{target} is {class}"),
        None => target.to_owned(),
    }
}

fn tell_json(
    args: &ExplainArgs,
    session: &Session,
    row: &Table,
    found: &Explanation,
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
        "parts": parts,
        "file": args.output,
    }))
}
