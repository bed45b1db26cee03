//! `mercer curve`.

use mercer::fit::Note;
use mercer::judge::{Metric, MoreRows, ValueVerdict};
use mercer::recipe::{
    LearningCurve, Opened, Spread, Tracing, ValidationCurve, learning_curve, validation_curve,
};
use mercer_plot::text::shorten;
use mercer_plot::{Scale, Trace, TracePoint, Traces};
use serde_json::{Value, json};

use super::{judge, wish};
use crate::args::CurveArgs;
use crate::data::{named, read};
use crate::display::{Page, metric_text};
use crate::failure::Result;
use crate::figure;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::{plural, wrap};

/// Longest value of a setting in the table.
const VALUE: usize = 24;

/// Traces a learning curve or a validation curve.
pub(in super::super) fn run(args: &CurveArgs, session: &Session) -> Result<()> {
    wish::check(&args.model)?;
    figure::check(args.plot.as_deref())?;
    Files::default()
        .data(&args.data, &args.reading)
        .write(args.plot.as_deref())
        .check()?;
    session.meter.advise(super::SHORTENS);
    let table = read(&args.data, &args.reading, session)?;
    let labels = args.reading.labels.is_some();
    let recipe = wish::recipe(&args.columns, &args.model, labels, None, &table)?;
    let opened = recipe.open(table)?;
    wish::check_auto(&args.model, opened.task)?;
    judge::check_task(opened.task, "mercer curve")?;
    let how = Tracing {
        folds: args.folds,
        repeats: args.repeats,
        metric: args.metric,
        method: None,
    };
    let context = session.context(&args.running);
    let found = match &args.over {
        Some(over) => Found::Validation(validation_curve(&opened, over, &how, &context)?),
        None => Found::Learning(learning_curve(&opened, &args.sizes, &how, &context)?),
    };
    session.check()?;
    session.meter.finish();
    if let Some(path) = &args.plot {
        figure::write(path, &found.picture(), session)?;
    }
    let output = session.output;
    output.notes(&opened.notes);
    output.notes(&found.cut());
    if output.json {
        let mut object = found.object();
        object["model"] = json!(args.model.model);
        object["task"] = json!(opened.task);
        object["plot"] = json!(args.plot);
        return output.object(&object);
    }
    if let Some(path) = &args.plot {
        output.wrote(path);
    }
    output.text(&found.text(args, &opened, session))
}

enum Found {
    Learning(LearningCurve),
    Validation(ValidationCurve),
}

/// One line of the table: its name, both spreads, and what it is.
type Line<'a> = (String, &'a Spread, &'a Spread, f64, &'static str);

impl Found {
    fn metric(&self) -> Metric {
        match self {
            Self::Learning(curve) => curve.metric,
            Self::Validation(curve) => curve.metric,
        }
    }

    /// Folds that count, and those that were dealt.
    fn folds(&self) -> [usize; 2] {
        match self {
            Self::Learning(curve) => [curve.folds_done, curve.folds],
            Self::Validation(curve) => [curve.folds_done, curve.folds],
        }
    }

    fn object(&self) -> Value {
        match self {
            Self::Learning(curve) => json!(curve),
            Self::Validation(curve) => json!(curve),
        }
    }

    /// What the time limit cut short.
    fn cut(&self) -> Vec<Note> {
        let [done, all] = self.folds();
        let is_cut = match self {
            Self::Learning(curve) => curve.cut,
            Self::Validation(curve) => curve.cut,
        };
        let mut notes = Vec::new();
        if done < all {
            notes.push(Note::Alert(format!(
                "the time limit ended the curve: {done} of {} count (time_limit)",
                plural(all, "fold")
            )));
        }
        if is_cut {
            notes.push(Note::Alert(
                "the time limit cut fits short (time_limit): more time may give better scores"
                    .to_owned(),
            ));
        }
        notes
    }

    fn lines(&self) -> Vec<Line<'_>> {
        match self {
            Self::Learning(curve) => {
                let points = curve.points.iter();
                let line = |p: &'_ mercer::recipe::LearningPoint| p.rows.to_string();
                points
                    .map(|p| (line(p), &p.training, &p.held_out, p.fit_seconds, ""))
                    .collect()
            }
            Self::Validation(curve) => {
                let points = curve.points.iter().zip(&curve.verdict.values);
                points
                    .map(|(p, verdict)| {
                        let word = match verdict {
                            ValueVerdict::Underfits => "underfits",
                            ValueVerdict::Best => "best",
                            ValueVerdict::AsGood => "as good",
                            ValueVerdict::Overfits => "overfits",
                            ValueVerdict::Unknown => "no score",
                        };
                        let name = shorten(&p.value, VALUE);
                        (name, &p.training, &p.held_out, p.fit_seconds, word)
                    })
                    .collect()
            }
        }
    }

    fn text(&self, args: &CurveArgs, opened: &Opened<'_>, session: &Session) -> String {
        let paint = session.output.paint;
        let mut page = Page::new(paint);
        let [done, _] = self.folds();
        let aside = format!(
            "{} of {}, {} of {}",
            plural(opened.rows(), "row"),
            named(&args.data),
            plural(done, "fold"),
            args.model.model
        );
        let title = match self {
            Self::Learning(_) => format!("{} over rows", capital(self.metric().title())),
            Self::Validation(curve) => {
                format!("{} over {}", capital(self.metric().title()), curve.setting)
            }
        };
        page.heading(&title, &aside);
        let first = match self {
            Self::Learning(_) => "rows",
            Self::Validation(curve) => &curve.setting,
        };
        let lines = self.lines();
        let names = lines.iter().map(|line| line.0.chars().count());
        let width = names.chain([first.chars().count()]).max().unwrap_or(0);
        page.block(&format!(
            "{first:>width$}  {:>9} {:>9}  {:>9} {:>9}  {:>8}",
            "held-out", "±", "training", "±", "fit"
        ));
        for (name, training, held_out, seconds, word) in &lines {
            let row = format!(
                "{name:>width$}  {:>9} {:>9}  {:>9} {:>9}  {:>8}  {word}",
                metric_text(held_out.mean),
                metric_text(held_out.deviation),
                metric_text(training.mean),
                metric_text(training.deviation),
                super::compare::brief(*seconds)
            );
            page.block(row.trim_end());
        }
        page.heading("Verdict", "");
        for line in wrap(&self.verdict(), 76) {
            page.block(&paint.bold(&line));
        }
        page.finish()
    }

    fn verdict(&self) -> String {
        match self {
            Self::Learning(curve) => {
                let head = match curve.verdict.more_rows {
                    MoreRows::Help => "More rows would help",
                    MoreRows::DoNotHelp => "More rows would not help",
                    MoreRows::Unclear => "Whether more rows would help is not clear",
                };
                format!("{head}: {}.", curve.verdict.reason)
            }
            Self::Validation(curve) => format!("{}.", capital(&curve.verdict.reason)),
        }
    }

    fn picture(&self) -> Traces {
        let metric = self.metric().title().to_owned();
        match self {
            Self::Learning(curve) => mercer_report::learning_traces(curve),
            Self::Validation(curve) => {
                let place = |k: usize| curve.points[k].number.unwrap_or(k as f64);
                let of = |name: &str, spread: fn(&mercer::recipe::ValidationPoint) -> &Spread| {
                    let points = curve.points.iter().enumerate();
                    Trace {
                        name: name.to_owned(),
                        points: points.map(|(k, p)| point(place(k), spread(p))).collect(),
                    }
                };
                let best = curve.verdict.best;
                let is_number = curve.points.iter().all(|p| p.number.is_some());
                Traces {
                    title: format!("{} over {}", capital(&metric), curve.setting),
                    note: "Bands are the standard deviation over the folds.".to_owned(),
                    x_name: curve.setting.clone(),
                    y_name: metric,
                    scale: if curve.log { Scale::Log } else { Scale::Linear },
                    names: if is_number {
                        Vec::new()
                    } else {
                        curve.points.iter().map(|p| p.value.clone()).collect()
                    },
                    lines: vec![
                        of("training rows", |p| &p.training),
                        of("held-out rows", |p| &p.held_out),
                    ],
                    best: Some([place(best), curve.points[best].held_out.mean]),
                    expected: None,
                }
            }
        }
    }
}

fn point(x: f64, spread: &Spread) -> TracePoint {
    TracePoint {
        x,
        y: spread.mean,
        deviation: spread.deviation,
    }
}

/// A text with a capital, unless it begins with code.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().collect::<String>() + letters.as_str(),
        None => String::new(),
    }
}
