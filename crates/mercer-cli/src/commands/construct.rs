//! `mercer construct`: networks that are written down.

use std::path::PathBuf;

use mercer::Error;
use mercer::data::{Column, EncodeOptions, Encoder, Scaling, Table, Targets, Task, make_targets};
use mercer::fit::{FitContext, Note};
use mercer::learn::network::{Fineness, constructed, of_function, of_truth_table};
use mercer::model::{Answers, Trained};
use serde_json::{Value, json};

use super::fit::{check_outputs, default_output};
use super::numbers::numbers;
use crate::args::{
    ConstructArgs, ConstructCommand, ConstructionArgs, StaircaseArgs, TruthTableArgs,
};
use crate::data::{blame_data, read};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::{number, plural};

pub(super) fn run(args: &ConstructArgs, session: &Session) -> Result<()> {
    match &args.what {
        ConstructCommand::TruthTable(args) => truth_table(args, session),
        ConstructCommand::Staircase(args) => staircase(args, session),
    }
}

/// The inputs and the values of a function, and where its network goes.
struct Given {
    inputs: Table,
    values: Column,
    file: PathBuf,
}

impl Given {
    fn of(args: &ConstructionArgs, session: &Session) -> Result<Self> {
        let file = args.output.clone();
        let file = file.unwrap_or_else(|| default_output(&args.data));
        let files = Files::default().data(&args.data, &args.reading);
        check_outputs(&files.write([file.as_path()]), &file)?;
        let mut inputs = read(&args.data, &args.reading, session)?;
        for name in crate::named::columns(&args.drop, &inputs) {
            blame_data(inputs.take(&name))?;
        }
        let values = blame_data(inputs.take(&args.target))?;
        if inputs.columns().is_empty() {
            return Err(Failure::data(
                "empty",
                "no column is left for the inputs",
                format!("give columns beside `{}`", args.target),
            ));
        }
        Ok(Self {
            inputs,
            values,
            file,
        })
    }

    /// What makes numbers of the inputs, as they are.
    fn encoder(&self) -> Result<(Encoder, Vec<Note>)> {
        let options = EncodeOptions::default().scaling(Scaling::None);
        Ok(Encoder::fit(&self.inputs, &options)?)
    }

    fn save(&self, mut trained: Trained, session: &Session) -> Result<Trained> {
        trained.targets = vec![self.values.name.clone()];
        models::save(&self.file, &trained, session)?;
        session.meter.finish();
        session.output.notes(&trained.report.notes);
        Ok(trained)
    }

    fn tell(
        &self,
        title: &str,
        items: &[(&str, String)],
        object: &Value,
        session: &Session,
    ) -> Result<()> {
        if session.output.json {
            return session.output.object(object);
        }
        let mut page = Page::new(session.output.paint);
        page.heading(title, &format!("of `{}`", self.values.name));
        for (name, value) in items {
            page.item(name, value);
        }
        page.item("file", &self.file.display().to_string());
        let next = format!("mercer predict {} NEW.csv", self.file.display());
        page.item("next", &next);
        session.output.text(&page.finish())
    }
}

fn truth_table(args: &TruthTableArgs, session: &Session) -> Result<()> {
    let given = Given::of(&args.from, session)?;
    let (encoder, notes) = given.encoder()?;
    let Targets::Classes(classes) = blame_data(make_targets(&given.values, Task::Classify, None))?
    else {
        return Err(Failure::data(
            "targets",
            "the values are no classes",
            "give a target with two values",
        ));
    };
    if encoder.width() != given.inputs.columns().len() {
        return Err(no_bits(&given.inputs));
    }
    let records = blame_data(encoder.transform(&given.inputs))?.records;
    let layers = blame_data(of_truth_table(&records, &classes))?;
    let hidden = match layers.layers.as_slice() {
        [first, _, ..] => first.biases.len(),
        _ => 0,
    };
    let rows = records.len();
    let trained = constructed(layers, encoder, rows, notes)?;
    let answers = trained
        .predict_records(&records, &FitContext::default())?
        .answers;
    let wrong = match &answers {
        Answers::Classes { codes, .. } => {
            let pairs = codes.iter().zip(&classes.codes);
            pairs.filter(|(own, truth)| own != truth).count()
        }
        _ => rows,
    };
    let trained = given.save(trained, session)?;
    let inputs = records.features.points.columns();
    let object = json!({
        "model": trained.method, "construction": "truth_table", "inputs": inputs, "hidden": hidden,
        "labels": classes.labels, "rows": rows, "wrong": wrong, "file": given.file,
    });
    let items = [
        ("inputs", plural(inputs, "bit")),
        (
            "hidden gates",
            format!("{hidden}, one for every row of `{}`", classes.labels[1]),
        ),
        (
            "right",
            format!("{} of {}", rows - wrong, plural(rows, "row")),
        ),
    ];
    given.tell("Network of thresholds", &items, &object, session)
}

/// Names the first column that is no bit.
fn no_bits(inputs: &Table) -> Failure {
    let is_wide = |column: &&Column| {
        let alone = Table::try_new(vec![(*column).clone()], inputs.origin().clone());
        let options = EncodeOptions::default().scaling(Scaling::None);
        let encoder = alone.and_then(|table| Encoder::fit(&table, &options));
        encoder.is_ok_and(|(encoder, _)| encoder.width() != 1)
    };
    let found = inputs.columns().iter().find(is_wide);
    let column = found.unwrap_or(&inputs.columns()[0]);
    let error = Error::ColumnKind {
        column: column.name.clone(),
        found: column.kind().name().to_owned(),
        expected: "bits".to_owned(),
    };
    Failure::from(error).of_data()
}

fn staircase(args: &StaircaseArgs, session: &Session) -> Result<()> {
    let given = Given::of(&args.from, session)?;
    let [_] = given.inputs.columns() else {
        return Err(Failure::data(
            "columns",
            format!(
                "a staircase is a function of one variable, and there are {}",
                plural(given.inputs.columns().len(), "column")
            ),
            "leave the others out with `--drop`",
        ));
    };
    let places = numbers(given.inputs.clone(), &[])?;
    let Targets::Real(values) = blame_data(make_targets(&given.values, Task::Regress, None))?
    else {
        return Err(Failure::data(
            "targets",
            "the values are no numbers",
            "give a target of numbers",
        ));
    };
    let column = places.values.as_slice().iter().copied();
    let points: Vec<(f64, f64)> = column.zip(values.iter().copied()).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let usual = match (most - least) / 100.0 {
        range if range > 0.0 => range,
        _ => 0.01,
    };
    let tolerance = args.tolerance.unwrap_or(usual);
    let fineness = match args.steps {
        Some(steps) => Fineness::Steps(steps),
        None => Fineness::Within(tolerance),
    };
    let found = blame_data(of_function(&points, fineness, args.slope))?;
    let (encoder, notes) = given.encoder()?;
    let rows = points.len();
    let trained = constructed(found.layers, encoder, rows, notes)?;
    let trained = given.save(trained, session)?;
    let ends = points.iter().map(|(x, _)| *x);
    let low = ends.clone().fold(f64::INFINITY, f64::min);
    let high = ends.fold(f64::NEG_INFINITY, f64::max);
    let asked = args.steps.is_none().then_some(tolerance);
    let object = json!({
        "model": trained.method, "construction": "staircase", "hidden": found.steps,
        "slope": found.slope, "tolerance": asked, "deviation": found.deviation,
        "interval": [low, high], "rows": rows, "file": given.file,
    });
    let deviation = match asked {
        Some(tolerance) => format!(
            "{} at most, within the tolerance of {}",
            number(found.deviation),
            number(tolerance)
        ),
        None => format!("{} at most", number(found.deviation)),
    };
    let items = [
        ("interval", format!("{} to {}", number(low), number(high))),
        (
            "hidden gates",
            format!("{}, one for every step", found.steps),
        ),
        ("slope", number(found.slope)),
        ("deviation", deviation),
    ];
    given.tell("Staircase of sigmoids", &items, &object, session)
}
