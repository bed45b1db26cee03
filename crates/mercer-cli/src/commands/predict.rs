//! `mercer predict`.

use std::io::{Read, Write};
use std::path::Path;

use mercer::data::Table;
use mercer::data::series::Windows;
use mercer::fit::{FitContext, Note};
use mercer::learn::{METHODS, Method};
use mercer::model::readout::Scheme;
use mercer::model::{Answers, Bands, Outputs, Predictions, Predictor, Trained};
use mercer_io::{CsvWriter, format_number};
use serde_json::{Value, json};

use super::fit::coordinate_names;
use crate::args::{OnError, PredictArgs};
use crate::data::{Skipped, blame_data, keep_inputs, name_by_place, read, stream_for};
use crate::failure::{Failure, Result};
use crate::models;
use crate::notes::NoteCounter;
use crate::outputs::Files;
use crate::session::Session;

/// Rows read and predicted at a time: enough for full kernel blocks, little memory.
const CHUNK: usize = 8192;

pub(super) fn run(args: &PredictArgs, session: &Session) -> Result<()> {
    Files::default()
        .data(&args.data, &args.reading)
        .read("the model", [args.model.as_path()])
        .write(args.output.as_deref())
        .check()?;
    let trained = models::load_for(&args.model, &args.data)?;
    check_wishes(args, &trained)?;
    let context = session.context(&args.running);
    let bands = args
        .interval
        .then(|| {
            let bands = trained.bands(args.level, context.par())?;
            if args.per_class {
                bands.per_class()
            } else {
                Ok(bands)
            }
        })
        .transpose()?;
    let norms = args
        .distance
        .then(|| trained.border_norms(&context))
        .transpose()?;
    let job = Job {
        args,
        norms,
        named: args.id.is_some(),
        id: args.id.as_ref().or(trained.id.as_ref()),
        trained: &trained,
        predictor: &trained.predictor(trained.usual_precision())?,
        bands: bands.as_ref(),
        context: &context,
        session,
    };
    if session.output.json {
        return job.to_json();
    }
    let file = args.output.as_deref().unwrap_or(Path::new("-"));
    let rows = session.write_with(file, |out| job.to_csv(out, &file.display().to_string()))?;
    if args.output.is_some() {
        session.meter.finish();
        session.output.wrote(file);
    }
    session.check()?;
    debug_assert!(rows > 0, "a stream without rows is an error");
    Ok(())
}

/// Refuses predictions the model cannot give before any row is read.
fn check_wishes(args: &PredictArgs, trained: &Trained) -> Result<()> {
    if args.interval && matches!(trained.form.outputs(), Outputs::Values { count } if count > 1) {
        return Err(Failure::unavailable(
            format!(
                "this model predicts {} numbers at once",
                trained.form.width()
            ),
            "leave out `--interval`, or fit a model for each target",
        ));
    }
    if args.proba && !trained.form.readout().has_probabilities() {
        let named = || METHODS.iter().find(|method| method.name == trained.method);
        let (message, hint) = if trained.labels().is_none() {
            (
                "only models that tell classes apart give probabilities".to_owned(),
                "leave out `--proba`",
            )
        } else if named().is_none_or(|method| method.setting("probability").is_some()) {
            (
                "this model was learnt without probabilities".to_owned(),
                "fit it again with `mercer fit ... --proba`",
            )
        } else {
            (
                format!(
                    "`{}` gives no probabilities",
                    Method::shown_name(&trained.method)
                ),
                "fit a model that has them: `--model lssvm` or `klr`",
            )
        };
        return Err(Failure {
            fault: crate::failure::Fault::Data,
            ..Failure::unavailable(message, hint)
        });
    }
    Ok(())
}

struct Job<'a> {
    args: &'a PredictArgs,
    /// ‖w‖ of every decision, where distances were asked for.
    norms: Option<Vec<f64>>,
    /// The column to copy: the one named here, or when the model was learnt.
    id: Option<&'a String>,
    /// Whether it was named here, so that the rows must have it.
    named: bool,
    trained: &'a Trained,
    predictor: &'a Predictor,
    /// The intervals or sets around predictions, where that was asked for.
    bands: Option<&'a Bands<'a>>,
    context: &'a FitContext,
    session: &'a Session,
}

/// Predictions of one chunk of rows.
struct Answered {
    ids: Option<Vec<String>>,
    /// Where the prediction of every row is; `None` for rows that were skipped.
    places: Vec<Option<usize>>,
    predictions: Predictions,
    /// Standard deviations of new targets, where the model knows them.
    spreads: Option<Vec<f64>>,
}

impl Job<'_> {
    /// Streams the rows through the model; notes are told once at the end.
    fn each(&self, mut take: impl FnMut(Answered) -> Result<()>) -> Result<usize> {
        let args = self.args;
        if let Some(series) = &self.trained.series {
            return self.windows(&series.windows, take);
        }
        let chunks = stream_for(self.trained, &args.data, &args.reading, self.session, CHUNK)?;
        let mut notes = NoteCounter::default();
        let mut differing = 0;
        let mut skipped = Skipped::default();
        let others: Vec<&str> = self.id.into_iter().map(String::as_str).collect();
        let mut rows = 0;
        let all = about_rows(&args.data);
        // Rows times decisions stays small, however many pairs of classes there are.
        let at_once = self.predictor.rows_at_once();
        for chunk in chunks {
            let chunk = name_by_place(self.trained, &args.reading, chunk?, &others)?;
            for start in (0..chunk.rows()).step_by(at_once) {
                self.session.check()?;
                self.context.check()?;
                let end = (start + at_once).min(chunk.rows());
                let mut table = if end - start == chunk.rows() {
                    chunk.clone()
                } else {
                    chunk.select(&(start..end).collect::<Vec<_>>())
                };
                rows += table.rows();
                let ids = self.ids(&table)?;
                keep_inputs(self.trained, &mut table)?;
                let mut places: Vec<Option<usize>> = (0..table.rows()).map(Some).collect();
                if args.on_error == OnError::Skip {
                    let (readable, kept) = skipped.leave_out(self.trained, table)?;
                    table = readable;
                    places.fill(None);
                    for (place, row) in kept.into_iter().enumerate() {
                        places[row] = Some(place);
                    }
                }
                let mut predictions = blame_data(self.predictor.predict(&table, self.context))?;
                notes.add(&std::mem::take(&mut predictions.notes));
                differing += self.differing(&predictions).unwrap_or(0);
                let spreads = self.spreads(&table)?;
                self.session.meter.answered(rows, all);
                take(Answered {
                    ids,
                    places,
                    predictions,
                    spreads,
                })?;
            }
        }
        self.session.meter.finish();
        self.session.output.notes(&notes.into_notes());
        let told = Note::of_differing(differing as f64, rows as f64, "rows");
        self.session.output.notes(told.as_slice());
        let note = skipped.note("without a prediction");
        self.session.output.notes(note.as_slice());
        Ok(rows)
    }

    /// How many rows have another class by their probabilities than by their decisions; `None` without
    /// such probabilities.
    fn differing(&self, predictions: &Predictions) -> Option<usize> {
        let Answers::Classes { codes, .. } = &predictions.answers else {
            return None;
        };
        let readout = self.predictor.readout();
        readout.differing_codes(codes, &predictions.decisions)
    }

    /// Predicts the rows of a series whose earlier values are known; the others have no prediction.
    fn windows(
        &self,
        windows: &Windows,
        mut take: impl FnMut(Answered) -> Result<()>,
    ) -> Result<usize> {
        let args = self.args;
        let table = read(&args.data, &args.reading, self.session)?;
        let ids = self.ids(&table)?;
        let (series, mut notes) = blame_data(windows.series(&table))?;
        let made = windows.made(&series);
        let mut places = vec![None; table.rows()];
        for (place, &row) in made.at.iter().enumerate() {
            places[series.order[row]] = Some(place);
        }
        let made = match blame_data(windows.in_place(&table))? {
            Some(made) => made,
            None => table,
        };
        let predictions = blame_data(self.predictor.predict(&made, self.context))?;
        let spreads = self.spreads(&made)?;
        let without = places.iter().filter(|place| place.is_none()).count();
        if without > 0 {
            notes.push(Note::Choice(format!(
                "{} without a prediction: not all of the {} values before are known",
                crate::style::plural(without, "row"),
                windows.longest()
            )));
        }
        let rows = places.len();
        take(Answered {
            ids,
            places,
            predictions,
            spreads,
        })?;
        self.session.meter.finish();
        self.session.output.notes(&notes);
        Ok(rows)
    }

    fn spreads(&self, table: &Table) -> Result<Option<Vec<f64>>> {
        let Some(bands) = self.bands else {
            return Ok(None);
        };
        if self.trained.labels().is_some() {
            return Ok(None);
        }
        let records = self.trained.encode(table)?.records;
        Ok(bands.spreads(&records, self.context.par())?)
    }

    /// The interval or the set of a row, as fields.
    fn band(&self, answered: &Answered, row: usize) -> Vec<Value> {
        let Some(bands) = self.bands else {
            return Vec::new();
        };
        match &answered.predictions.answers {
            Answers::Values(values) => {
                let spread = answered.spreads.as_ref().map(|s| s[row]);
                let (low, high) = bands.interval(values[row], spread);
                let mut fields = vec![json!(low), json!(high)];
                fields.extend(spread.map(|s| json!(s)));
                fields
            }
            Answers::Classes { labels, .. } => {
                let classes = bands.classes(answered.predictions.decisions.row(row));
                let names = classes.iter().map(|c| labels[*c as usize].as_str());
                vec![json!(names.collect::<Vec<_>>())]
            }
            Answers::Several(_) | Answers::Novelty { .. } | Answers::Clusters { .. } => Vec::new(),
        }
    }

    /// Names of the fields of [`Self::band`].
    fn band_names(&self) -> Vec<String> {
        let names: &[&str] = match (self.bands, self.trained.labels()) {
            (None, _) => &[],
            (Some(_), Some(_)) => &["classes"],
            (Some(bands), None) if bands.knows_spreads() => &["lower", "upper", "std"],
            (Some(_), None) => &["lower", "upper"],
        };
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    fn ids(&self, table: &Table) -> Result<Option<Vec<String>>> {
        let Some(name) = self.id else {
            return Ok(None);
        };
        let column = match table.find(name) {
            Some(column) => column,
            None if self.named => table.column(name)?,
            None => return Ok(Some(vec![String::new(); table.rows()])),
        };
        let text = |row| column.values.text(row).unwrap_or_default();
        Ok(Some((0..table.rows()).map(text).collect()))
    }

    fn to_csv(&self, out: &mut dyn Write, file: &str) -> Result<usize> {
        let mut csv = CsvWriter::new(out, file);
        // A header that no row follows would pass for a table without rows.
        let mut header = Some(self.header());
        let width = self.header().len();
        self.each(|answered| {
            if let Some(names) = header.take() {
                csv.write_row(names)?;
            }
            for (row, place) in answered.places.iter().enumerate() {
                let mut fields: Vec<String> = Vec::with_capacity(width);
                fields.extend(answered.ids.iter().map(|ids| ids[row].clone()));
                match place {
                    Some(place) => fields.extend(self.row(&answered, *place)),
                    None => fields.resize(width, String::new()),
                }
                csv.write_row(fields)?;
            }
            Ok(())
        })
    }

    fn header(&self) -> Vec<String> {
        let mut names: Vec<String> = self.id.into_iter().cloned().collect();
        match self.trained.form.outputs() {
            Outputs::Values { count } if count > 1 => {
                names.extend((0..count).map(|k| match self.trained.targets.get(k) {
                    Some(target) => format!("prediction_{target}"),
                    None => format!("prediction_{}", k + 1),
                }));
            }
            Outputs::Coordinates { width } => names.extend(coordinate_names(width)),
            _ => names.push("prediction".to_owned()),
        }
        names.extend(self.band_names());
        if self.args.proba {
            let labels = self.trained.labels().unwrap_or_default();
            names.extend(labels.iter().map(|l| format!("probability_{l}")));
        }
        if self.args.decision {
            names.extend(decision_names(self.trained));
        }
        if self.norms.is_some() {
            let distances = decision_names(self.trained).into_iter();
            names.extend(distances.map(|name| name.replacen("decision", "distance", 1)));
        }
        names
    }

    /// How far a row is from the border of every decision.
    fn distances(&self, decisions: &[f64]) -> Vec<f64> {
        let norms = self.norms.iter().flatten();
        norms.zip(decisions).map(|(w, f)| f.abs() / w).collect()
    }

    /// The fields of a prediction, but for the name of its row.
    fn row(&self, answered: &Answered, row: usize) -> Vec<String> {
        let predictions = &answered.predictions;
        let mut fields: Vec<String> = Vec::new();
        match &predictions.answers {
            Answers::Classes { labels, codes, .. } => {
                fields.push(labels[codes[row] as usize].clone());
            }
            Answers::Values(values) => fields.push(format_number(values[row])),
            Answers::Several(values) => {
                fields.extend(values.row(row).iter().map(|v| format_number(*v)));
            }
            Answers::Novelty { novel } => fields.push(novelty(novel[row]).to_owned()),
            Answers::Clusters { codes, .. } => fields.push(codes[row].to_string()),
        }
        fields.extend(
            self.band(answered, row)
                .into_iter()
                .map(|value| match value {
                    // Classes of a set stand in one field.
                    Value::Array(classes) => {
                        let names = classes.iter().filter_map(Value::as_str);
                        names.collect::<Vec<_>>().join("|")
                    }
                    number => number.as_f64().map_or(String::new(), format_number),
                }),
        );
        if self.args.proba
            && let Answers::Classes {
                probabilities: Some(shares),
                ..
            } = &predictions.answers
        {
            fields.extend(shares[row].iter().map(|p| format_number(*p)));
        }
        if self.args.decision {
            let decisions = predictions.decisions.row(row);
            fields.extend(decisions.iter().map(|d| format_number(*d)));
        }
        let distances = self.distances(predictions.decisions.row(row));
        fields.extend(distances.into_iter().map(format_number));
        fields
    }

    fn to_json(&self) -> Result<()> {
        let (mut answers, mut shares, mut decisions, mut ids) = (vec![], vec![], vec![], vec![]);
        let (mut bands, mut distances) = (vec![], vec![]);
        let (mut skipped, mut differing) = (0, None);
        let rows = self.each(|answered| {
            let predictions = &answered.predictions;
            if let Some(own) = self.differing(predictions) {
                differing = Some(differing.unwrap_or(0) + own);
            }
            for place in &answered.places {
                let Some(row) = *place else {
                    answers.push(Value::Null);
                    skipped += 1;
                    for (list, wanted) in [
                        (&mut shares, self.predictor.readout().has_probabilities()),
                        (&mut bands, self.bands.is_some()),
                        (&mut decisions, self.args.decision),
                        (&mut distances, self.norms.is_some()),
                    ] {
                        if wanted {
                            list.push(Value::Null);
                        }
                    }
                    continue;
                };
                answers.push(match &predictions.answers {
                    Answers::Classes { labels, codes, .. } => json!(labels[codes[row] as usize]),
                    Answers::Values(values) => json!(values[row]),
                    Answers::Several(values) => json!(values.row(row)),
                    Answers::Novelty { novel } => json!(novelty(novel[row])),
                    Answers::Clusters { codes, .. } => json!(codes[row]),
                });
                if let Answers::Classes {
                    labels,
                    probabilities: Some(all),
                    ..
                } = &predictions.answers
                {
                    let pairs = labels
                        .iter()
                        .cloned()
                        .zip(all[row].iter().map(|p| json!(p)));
                    shares.push(Value::Object(pairs.collect()));
                }
                if self.bands.is_some() {
                    let names = self.band_names().into_iter();
                    bands.push(Value::Object(
                        names.zip(self.band(&answered, row)).collect(),
                    ));
                }
                if self.args.decision {
                    decisions.push(json!(predictions.decisions.row(row)));
                }
                if self.norms.is_some() {
                    distances.push(json!(self.distances(predictions.decisions.row(row))));
                }
            }
            ids.extend(answered.ids.unwrap_or_default());
            Ok(())
        })?;
        let mut object = json!({ "predictions": answers });
        if self.args.on_error == OnError::Skip {
            object["skipped"] = json!(skipped);
        }
        if let Some(differing) = differing {
            object["differing"] = json!(differing);
        }
        if shares.len() == rows {
            object["probabilities"] = Value::Array(shares);
        }
        if self.bands.is_some() {
            object["intervals"] = Value::Array(bands);
        }
        if self.args.decision {
            object["decisions"] = Value::Array(decisions);
        }
        if self.norms.is_some() {
            object["distances"] = Value::Array(distances);
        }
        if self.id.is_some() {
            object["ids"] = json!(ids);
        }
        let Some(file) = &self.args.output else {
            return self.session.output.object(&object);
        };
        let text = format!("{object}\n");
        self.session.write(file, text.as_bytes())?;
        self.session
            .output
            .object(&json!({ "rows": rows, "file": file }))
    }
}

/// About how many rows a file of text has, by the length of its first lines; `None` for standard
/// input and what is no plain text.
fn about_rows(path: &Path) -> Option<f64> {
    const LOOK: u64 = 1 << 16;
    let size = std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)?
        .len();
    let mut first = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(LOOK).read_to_end(&mut first).ok()?;
    let lines = first.split(|byte| *byte == b'\n').count() - 1;
    (lines > 1 && std::str::from_utf8(&first[..first.len() / 2]).is_ok())
        .then(|| size as f64 * lines as f64 / first.len() as f64)
}

fn novelty(novel: bool) -> &'static str {
    if novel { "novel" } else { "known" }
}

/// One name per decision value; a positive value speaks for the class named first.
fn decision_names(trained: &Trained) -> Vec<String> {
    let Some(classes) = trained.form.readout().classes() else {
        return match trained.form.width() {
            1 => vec!["decision".to_owned()],
            several => (1..=several).map(|k| format!("decision_{k}")).collect(),
        };
    };
    let labels = &classes.labels;
    match classes.scheme {
        Scheme::OneVsRest | Scheme::Softmax => {
            labels.iter().map(|l| format!("decision_{l}")).collect()
        }
        Scheme::OneVsOne if labels.len() == 2 => vec!["decision".to_owned()],
        Scheme::OneVsOne => (0..labels.len())
            .flat_map(|a| (a + 1..labels.len()).map(move |b| (a, b)))
            .map(|(a, b)| format!("decision_{}_vs_{}", labels[a], labels[b]))
            .collect(),
    }
}
