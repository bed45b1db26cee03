//! `mercer cluster`.

use std::ops::RangeInclusive;
use std::path::Path;

use mercer::data::{Encoding, Task};
use mercer::fit::MapReport;
use mercer::learn::cluster::{ClusterChoice, KMeans, choose_clusters};
use mercer::learn::{AnyEstimator, Method};
use mercer::model::{Answers, Trained};
use mercer::recipe::Recipe;
use mercer_io::CsvWriter;
use serde_json::{Map, Value, json};

use super::{cluster_picture, describe, wish};
use crate::args::settings::{CLUSTERS, STARTS};
use crate::args::{ClusterArgs, ModelArgs, parse};
use crate::data::{read, row_names};
use crate::display::{Page, WIDTH};
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::{count, number, wrap};

/// Features of a centre that are printed.
const SHOWN: usize = 8;
/// Where they begin in their line: after the number of the cluster and that of its rows.
const CENTRES: usize = 29;

/// Sorts the rows of a table into clusters.
pub(in super::super) fn run(args: &ClusterArgs, session: &Session) -> Result<()> {
    let mut flags = args.model.clone();
    wish::refuse_other_task(&flags, Task::Cluster)?;
    flags.task = Some(Task::Cluster);
    let mut counts = counts(&mut flags)?;
    wish::check_task(&flags, Task::Cluster, "makes clusters")?;
    wish::check(&flags)?;
    crate::figure::check(args.plot.as_deref())?;
    Files::default()
        .data(&args.data, &args.reading)
        .write(
            args.output
                .as_deref()
                .filter(|path| *path != Path::new("-")),
        )
        .write(args.save.as_deref())
        .write(args.plot.as_deref())
        .check()?;
    let columns = args.columns.to_columns();
    let table = read(&args.data, &args.reading, session)?;
    let names = row_names(&table, columns.id.as_deref())?;
    let context = session.context(&args.running);
    let mut recipe = wish::recipe(&columns, &flags, false, None, &table)?;
    let named = recipe.settings.iter().any(|(name, _)| name == CLUSTERS);
    let chooses = ["auto", "kmeans"].contains(&flags.model.as_str());
    if counts.is_none() && !named && chooses && table.rows() < KMeans::default().clusters {
        // The usual number is nobody's wish, and cannot be.
        counts = Some(1..=table.rows().max(1));
    }
    let choice = match counts {
        Some(counts) => {
            let data = recipe.open(table.clone())?.prepare()?.data;
            let found = choose_clusters(&method(&recipe)?, &data, counts, &context.share(0.8))?;
            let chosen = Value::from(found.chosen);
            recipe.settings.push((CLUSTERS.to_owned(), chosen));
            // The model is the line of the table, not another search for as many clusters.
            recipe.settings.retain(|(name, _)| name != STARTS);
            let starts = Value::from(found.starts);
            recipe.settings.push((STARTS.to_owned(), starts));
            Some(found)
        }
        None => None,
    };
    let mut opened = recipe.open(table)?;
    wish::check_auto(&flags, opened.task)?;
    let mut notes = std::mem::take(&mut opened.notes);
    notes.extend(choice.iter().flat_map(|choice| choice.notes.clone()));
    let features = opened.features.clone();
    let weights = opened.weights.clone();
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
    if let Some(path) = &args.plot {
        let records = trained.encode(&features)?.records;
        let title = super::title(&args.data);
        let rows = (&records, weights.as_deref(), &codes[..]);
        let picture = cluster_picture::draw(&trained, &title, rows, &context)?;
        crate::figure::write(path, picture.as_ref(), session)?;
    }
    if let Some(path) = &args.output {
        session.write_with(path, |out| {
            let mut csv = CsvWriter::new(out, path.display().to_string());
            let mut header: Vec<String> = columns.id.iter().cloned().collect();
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
    tell(args, session, &trained, &sizes, choice.as_ref())
}

/// Takes the numbers of clusters to try out of the flags, where they are not one number.
fn counts(flags: &mut ModelArgs) -> Result<Option<RangeInclusive<usize>>> {
    let given = &mut flags.settings.0;
    let place = (given.iter()).position(|g| g.flag == CLUSTERS && g.value.is_string());
    let Some(place) = place else {
        return Ok(None);
    };
    let text = given.remove(place).value;
    if !["auto", "kmeans"].contains(&flags.model.as_str()) {
        return Err(Failure::usage(
            format!(
                "the number of clusters is chosen for `kmeans`, not `{}`",
                flags.model
            ),
            "give one number with `--clusters`, or leave out `--model`",
        ));
    }
    Ok(text.as_str().and_then(parse::count_range))
}

/// k-means with the settings of a recipe.
fn method(recipe: &Recipe) -> Result<KMeans> {
    let mut method = AnyEstimator::named("kmeans")?;
    for (name, value) in &recipe.settings {
        method.set(name, value)?;
    }
    match method {
        AnyEstimator::KMeans(method) => Ok(method),
        _ => unreachable!("a method of that name"),
    }
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

fn tell(
    args: &ClusterArgs,
    session: &Session,
    trained: &Trained,
    sizes: &[usize],
    choice: Option<&ClusterChoice>,
) -> Result<()> {
    let output = session.output;
    let centres = centres(trained);
    if output.json {
        let clusters: Vec<Value> = sizes
            .iter()
            .enumerate()
            .map(|(k, rows)| {
                let centre = centres.get(k).into_iter().flatten();
                let centre = centre.map(|(n, v)| (n.clone(), json!(v)));
                json!({ "cluster": k, "rows": rows, "centre": centre.collect::<Map<_, _>>() })
            })
            .collect();
        return output.object(&json!({
            "model": Method::shown_name(&trained.method),
            "task": trained.task,
            "clusters": clusters,
            "choice": choice,
            "report": trained.report,
            "file": args.save,
            "output": args.output,
            "plot": args.plot,
        }));
    }
    if args.output.as_deref() == Some(Path::new("-")) {
        return Ok(());
    }
    let mut page = Page::new(output.paint);
    describe(&mut page, trained);
    if let Some(map) = &trained.report.map {
        tell_map(&mut page, map);
    } else {
        tell_clusters(&mut page, trained, &centres, sizes);
    }
    if let Some(choice) = choice {
        tell_choice(&mut page, choice);
    }
    if !trained.report.notes.is_empty() {
        page.heading("Notes", "").notes(&trained.report.notes);
    }
    let files = [
        ("clusters", &args.output),
        ("model", &args.save),
        ("picture", &args.plot),
    ];
    page.files(&files);
    output.text(&page.finish())
}

fn tell_clusters(
    page: &mut Page,
    trained: &Trained,
    centres: &[Vec<(String, f64)>],
    sizes: &[usize],
) {
    let aside = if centres.is_empty() {
        "rows"
    } else {
        "rows, and the centre in features as they were learnt from"
    };
    page.heading("Clusters", aside);
    for (k, rows) in sizes.iter().enumerate() {
        let all = centres.get(k).map_or(&[][..], Vec::as_slice);
        let mut features: Vec<&(String, f64)> = all.iter().collect();
        if has_words(trained) {
            // Of thousands of words, those that make the cluster.
            features.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        }
        let shown: Vec<String> = features
            .iter()
            .take(SHOWN)
            .map(|(name, value)| format!("{name}\u{a0}{}", number(*value)))
            .collect();
        let more = if all.len() > SHOWN { ", …" } else { "" };
        let mut lines = wrap(&format!("{}{more}", shown.join(", ")), WIDTH - CENTRES);
        if lines.is_empty() {
            // Clusters without a centre have their rows.
            lines.push(String::new());
        }
        for (place, line) in lines.iter().enumerate() {
            let (name, rows) = match place {
                0 => (k.to_string(), count(*rows as u64)),
                _ => (String::new(), String::new()),
            };
            // A name and its value stay in one line.
            let line = line.replace('\u{a0}', " ");
            page.item(&name, format!("{rows:>7}  {line}").trim_end());
        }
    }
}

/// A map has too many units to be listed.
fn tell_map(page: &mut Page, map: &MapReport) {
    page.heading("Map", "");
    let units = map.rows * map.columns;
    let text = format!("{} by {}, {}", map.rows, map.columns, map.lattice);
    page.item("units", &format!("{} ({text})", count(units as u64)));
    let empty = map.hits.iter().filter(|hits| **hits == 0.0).count();
    page.item("without rows", &count(empty as u64));
    page.item(
        "quantisation",
        &format!(
            "{}: mean distance of a row from its unit",
            number(map.quantisation_error)
        ),
    );
    page.item(
        "topographic",
        &format!(
            "{}: share of rows whose two nearest units are no neighbours",
            number(map.topographic_error)
        ),
    );
}

fn tell_choice(page: &mut Page, choice: &ClusterChoice) {
    let aside = match choice.sampled {
        Some(rows) => format!("silhouettes of {} rows", count(rows as u64)),
        None => String::new(),
    };
    page.heading("Number of clusters", &aside);
    let cell = |value: Option<f64>| value.map_or("–".to_owned(), number);
    let line = |k: &str, values: [&str; 4]| {
        format!(
            "{k:>8}  {:>12}  {:>10}  {:>18}  {:>8}\n",
            values[0], values[1], values[2], values[3]
        )
    };
    let names = ["inertia", "silhouette", "Caliński–Harabasz", "gap"];
    let mut text = line("clusters", names);
    for tried in &choice.table {
        let mark = if tried.clusters == choice.chosen {
            "→ "
        } else {
            ""
        };
        let values = [
            number(tried.inertia),
            cell(tried.silhouette),
            cell(tried.calinski_harabasz),
            cell(tried.gap),
        ];
        text.push_str(&line(
            &format!("{mark}{}", tried.clusters),
            [&values[0], &values[1], &values[2], &values[3]],
        ));
    }
    page.block(&text);
    let reason = wrap(&format!("{}.", choice.reason), WIDTH - 2).join("\n");
    page.gap().block(&reason);
}
