//! `mercer cluster`.

use std::path::Path;

use mercer::data::{Encoding, Task};
use mercer::learn::Method;
use mercer::model::{Answers, Trained};
use mercer_io::CsvWriter;
use serde_json::{Map, Value, json};

use super::{describe, wish};
use crate::args::{ClusterArgs, ColumnArgs};
use crate::data::read;
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::{count, number};

/// Features of a centre that are printed.
const SHOWN: usize = 8;

/// Sorts the rows of a table into clusters.
pub(in super::super) fn run(args: &ClusterArgs, session: &Session) -> Result<()> {
    let mut flags = args.model.clone();
    if let Some(task) = flags.task.filter(|task| *task != Task::Cluster) {
        return Err(Failure::usage(
            format!("`mercer cluster` is for the task `cluster`, not `{task}`"),
            "leave out `--task`, or use `mercer fit`",
        ));
    }
    flags.task = Some(Task::Cluster);
    wish::check(&flags)?;
    Files::default()
        .data(&args.data, &args.reading)
        .write(
            args.output
                .as_deref()
                .filter(|path| *path != Path::new("-")),
        )
        .write(args.save.as_deref())
        .check()?;
    let columns = ColumnArgs {
        weights: args.weights.clone(),
        id: args.id.clone(),
        drop: args.drop.clone(),
        used: args.used.clone(),
        encode: args.encode.clone(),
        ..ColumnArgs::default()
    };
    let table = read(&args.data, &args.reading, session)?;
    let names = match &args.id {
        Some(id) => {
            let column = table.column(id)?;
            let text = |row| column.values.text(row).unwrap_or_default();
            Some((0..table.rows()).map(text).collect::<Vec<_>>())
        }
        None => None,
    };
    let recipe = wish::recipe(&columns, &flags, false, None, &table)?;
    let mut opened = recipe.open(table)?;
    wish::check_auto(&flags, opened.task)?;
    let notes = std::mem::take(&mut opened.notes);
    let features = opened.features.clone();
    let context = session.context(&args.running);
    let mut trained = super::fit(opened, &context)?;
    session.check()?;
    trained.report.notes.splice(0..0, notes);
    let Answers::Clusters { codes, .. } = trained.answers(&features, &context)?.answers else {
        return Err(Failure::usage(
            format!("`{}` makes no clusters", trained.method),
            "choose a model for the task `cluster`; see `mercer models`",
        ));
    };
    if let Some(path) = &args.save {
        models::save(path, &trained, session)?;
    }
    if let Some(path) = &args.output {
        session.write_with(path, |out| {
            let mut csv = CsvWriter::new(out, path.display().to_string());
            let mut header: Vec<String> = args.id.iter().cloned().collect();
            header.push("cluster".to_owned());
            csv.write_row(header)?;
            for (row, code) in codes.iter().enumerate() {
                let mut fields: Vec<String> = names.iter().map(|n| n[row].clone()).collect();
                fields.push(code.to_string());
                csv.write_row(fields)?;
            }
            Ok(())
        })?;
    }
    session.meter.finish();
    let sizes = sizes(&codes, trained.form.width());
    tell(args, session, &trained, &sizes)
}

fn sizes(codes: &[u32], clusters: usize) -> Vec<usize> {
    let mut sizes = vec![0; clusters];
    for code in codes {
        sizes[*code as usize] += 1;
    }
    sizes
}

/// The centres in terms of features, by name.
fn centres(trained: &Trained) -> Vec<Vec<(String, f64)>> {
    let Some(prototypes) = trained.form.prototypes() else {
        return Vec::new();
    };
    let features = &prototypes.rows.features;
    let centres = prototypes.centres();
    let centre = |k: usize| {
        let values = centres.row(k).iter().enumerate();
        values.map(|(j, v)| (features.name(j), *v)).collect()
    };
    (0..centres.rows()).map(centre).collect()
}

/// Whether words of texts are among the features.
fn has_words(trained: &Trained) -> bool {
    let mut columns = trained.encoder.columns().iter();
    columns.any(|column| matches!(column.encoding, Encoding::Words(_)))
}

fn tell(args: &ClusterArgs, session: &Session, trained: &Trained, sizes: &[usize]) -> Result<()> {
    let output = session.output;
    let centres = centres(trained);
    if output.json {
        let clusters: Vec<Value> = sizes
            .iter()
            .enumerate()
            .map(|(k, rows)| {
                let centre = centres[k].iter().map(|(n, v)| (n.clone(), json!(v)));
                json!({ "cluster": k, "rows": rows, "centre": centre.collect::<Map<_, _>>() })
            })
            .collect();
        return output.object(&json!({
            "model": Method::shown_name(&trained.method),
            "task": trained.task,
            "clusters": clusters,
            "report": trained.report,
            "file": args.save,
            "output": args.output,
        }));
    }
    if args.output.as_deref() == Some(Path::new("-")) {
        return Ok(());
    }
    let mut page = Page::new(output.paint);
    describe(&mut page, trained);
    page.heading(
        "Clusters",
        "rows, and the centre in features as they were learnt from",
    );
    for (k, rows) in sizes.iter().enumerate() {
        let mut features: Vec<&(String, f64)> = centres[k].iter().collect();
        if has_words(trained) {
            // Of thousands of words, those that make the cluster.
            features.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        }
        let shown: Vec<String> = features
            .iter()
            .take(SHOWN)
            .map(|(name, value)| format!("{name} {}", number(*value)))
            .collect();
        let more = if centres[k].len() > SHOWN {
            ", …"
        } else {
            ""
        };
        let text = format!("{:>7}  {}", count(*rows as u64), shown.join(", "));
        page.item(&k.to_string(), &format!("{text}{more}"));
    }
    if !trained.report.notes.is_empty() {
        page.heading("Notes", "").notes(&trained.report.notes);
    }
    let files = [("clusters", &args.output), ("model", &args.save)];
    if files.iter().any(|(_, file)| file.is_some()) {
        page.heading("Files", "");
    }
    for (name, file) in files {
        if let Some(file) = file {
            page.item(name, &file.display().to_string());
        }
    }
    output.text(&page.finish())
}
