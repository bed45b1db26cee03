//! `mercer forecast`.

use std::path::Path;

use mercer::model::{Forecast, Forecasting, Trained};
use mercer_io::{CsvWriter, format_number};
use serde_json::{Value, json};

use crate::args::ForecastArgs;
use crate::data::{blame_data, read};
use crate::failure::{Failure, Fault, Result};
use crate::models;
use crate::outputs::Files;
use crate::session::Session;

/// Forecasts what comes after the last known value of a series.
pub(super) fn run(args: &ForecastArgs, session: &Session) -> Result<()> {
    Files::default()
        .data(&args.data, &args.reading)
        .read("the model", [args.model.as_path()])
        .write(args.output.as_deref())
        .write(args.plot.as_deref())
        .check()?;
    crate::figure::check(args.plot.as_deref())?;
    let trained = models::load_for(&args.model, &args.data)?;
    let Some(series) = &trained.series else {
        return Err(Failure {
            fault: Fault::Data,
            ..Failure::unavailable(
                "the model is not of a series",
                "learn it with `mercer fit ... --lags 12`",
            )
        });
    };
    let table = read(&args.data, &args.reading, session)?;
    let context = session.context(&args.running);
    let how = Forecasting {
        steps: args.steps.unwrap_or_else(|| series.horizon()),
        way: args.way,
        level: args.level,
        ..Forecasting::default()
    };
    let found = blame_data(trained.forecast(&table, &how, &context))?;
    session.check()?;
    session.meter.finish();
    session.output.notes(&found.notes);
    if let Some(path) = &args.plot {
        let picture = picture(&trained, &found, args.level);
        crate::figure::write(path, &picture, session)?;
    }
    if session.output.json {
        let object = json!({
            "way": found.way.name(),
            "level": args.level,
            "forecast": (0..found.values.len()).map(|step| line(&found, step)).collect::<Vec<_>>(),
            "plot": args.plot,
            "output": args.output,
        });
        if let Some(path) = &args.output {
            session.write_with(path, |out| to_csv(&found, out, &path.display().to_string()))?;
        }
        return session.output.object(&object);
    }
    let file = args.output.as_deref().unwrap_or(Path::new("-"));
    session.write_with(file, |out| to_csv(&found, out, &file.display().to_string()))?;
    for path in [&args.output, &args.plot].into_iter().flatten() {
        session.output.wrote(path);
    }
    Ok(())
}

/// The time of a step, as the series writes it.
fn time(found: &Forecast, step: usize) -> Option<String> {
    let time = *found.times.as_ref()?.get(step)?;
    Some(found.clock.as_ref()?.text(time))
}

fn line(found: &Forecast, step: usize) -> Value {
    let mut object = json!({ "step": step + 1, "value": found.values[step] });
    if let Some(time) = time(found, step) {
        object["time"] = json!(time);
    }
    if let Some(intervals) = &found.intervals {
        let [lower, upper] = intervals[step];
        object["lower"] = json!(lower);
        object["upper"] = json!(upper);
    }
    object
}

fn to_csv(found: &Forecast, out: &mut dyn std::io::Write, file: &str) -> Result<()> {
    let mut csv = CsvWriter::new(out, file);
    let mut names = vec!["step".to_owned()];
    if let (Some(clock), Some(_)) = (&found.clock, &found.times) {
        names.push(clock.column.clone());
    }
    names.push("forecast".to_owned());
    if found.intervals.is_some() {
        names.extend(["lower".to_owned(), "upper".to_owned()]);
    }
    csv.write_row(names)?;
    for (step, value) in found.values.iter().enumerate() {
        let mut fields = vec![(step + 1).to_string()];
        fields.extend(time(found, step));
        fields.push(format_number(*value));
        if let Some(intervals) = &found.intervals {
            fields.extend(intervals[step].map(format_number));
        }
        csv.write_row(fields)?;
    }
    Ok(())
}

/// The series, the forecast and the errors on windows that were held out.
fn picture(trained: &Trained, found: &Forecast, level: f64) -> mercer_plot::Forecast {
    let last = found.history_times.as_ref().and_then(|times| times.last());
    let from = match (last, &found.clock) {
        (Some(time), Some(clock)) => clock.text(*time),
        _ => "the last known value".to_owned(),
    };
    let target = trained.target().unwrap_or("the series");
    let errors = trained.series.as_ref().map(|s| s.residuals[0].clone());
    mercer_plot::Forecast {
        title: format!("{target}: {} forecast", found.way),
        x_name: format!("steps from {from}"),
        y_name: target.to_owned(),
        history: found.history.clone(),
        values: found.values.clone(),
        band: found.intervals.clone().unwrap_or_default(),
        band_name: format!(
            "{} % interval",
            format_number((1000.0 * level).round() / 10.0)
        ),
        errors: errors.unwrap_or_default(),
    }
}
