//! `mercer select`.

use mercer::data::{Dataset, Task};
use mercer::fit::Note;
use mercer::select::kernels::{
    Candidate, Ranked, Selection, default_candidates, landscape, parse_priors, select, set_priors,
};
use serde_json::json;

use super::wish;
use crate::args::{ModelArgs, ScaleArg, SelectArgs};
use crate::data::read;
use crate::display::Page;
use crate::failure::Result;
use crate::outputs::Files;
use crate::report::render_selection;
use crate::session::Session;
use crate::style::{duration, plural};

/// Ranks kernels by their evidence.
pub(in super::super) fn run(args: &SelectArgs, session: &Session) -> Result<()> {
    let flags = ModelArgs {
        model: "auto".to_owned(),
        scale: args.scale,
        ..ModelArgs::default()
    };
    Files::default()
        .data(&args.data, &args.reading)
        .write(args.report.as_deref())
        .check()?;
    let table = read(&args.data, &args.reading, session)?;
    let labels = args.reading.labels.is_some();
    let recipe = wish::recipe(&args.columns, &flags, labels, None, &table)?;
    let opened = recipe.open(table)?;
    let task = opened.task;
    let prepared = opened.prepare()?;
    let candidates = candidates(args, &prepared.data)?;
    session.meter.stage("choosing kernels", None);
    let context = session.context(&args.running);
    let mut selection = select(&candidates, &prepared.data, &context)?;
    if let Some(path) = &args.report {
        match landscape(&selection.ranked[0], &prepared.data, &context) {
            Err(mercer::Error::OutOfTime) => selection.notes.push(Note::Alert(
                "the time limit left no time for the report (time_limit)".to_owned(),
            )),
            around => {
                let title = super::title(&args.data);
                let page = render_selection(&title, task, &selection, &around?);
                session.write(path, page.as_bytes())?;
            }
        }
    }
    session.meter.finish();
    if args.scale != ScaleArg::None && prepared.encoder.width() > 0 {
        selection.notes.push(Note::Choice(
            "numeric columns are standardised: mean 0, standard deviation 1".to_owned(),
        ));
    }
    tell(args, session, task, &selection)
}

fn candidates(args: &SelectArgs, data: &Dataset) -> Result<Vec<Candidate>> {
    let parse = |text: &String| Candidate::parse(text, &data.records);
    let mut candidates = if args.candidate.is_empty() {
        default_candidates(&data.records)?
    } else {
        let parsed: mercer::Result<Vec<_>> = args.candidate.iter().map(parse).collect();
        parsed?
    };
    if let Some(text) = &args.prior {
        set_priors(&mut candidates, &parse_priors(text)?)?;
    }
    Ok(candidates)
}

fn tell(args: &SelectArgs, session: &Session, task: Task, selection: &Selection) -> Result<()> {
    let output = session.output;
    if output.json {
        let kernels: Vec<_> = selection.ranked.iter().map(ranked_json).collect();
        return output.object(&json!({
            "task": task,
            "rows": selection.rows,
            "stop_reason": selection.stop_reason,
            "kernels": kernels,
            "notes": selection.notes,
        }));
    }
    let mut page = Page::new(output.paint);
    let aside = format!(
        "{} of {}",
        plural(selection.rows, "row"),
        args.data.display()
    );
    page.heading("Kernels by evidence", &aside)
        .block(&table(selection, task));
    let best = &selection.ranked[0];
    page.heading("Best", "")
        .item(
            "kernel",
            &output
                .paint
                .bold(&crate::style::short_numbers(&best.kernel.to_string())),
        )
        .item("gamma", &format!("{:.4}", best.ratio))
        .item("verdict", &verdict(selection));
    if !selection.notes.is_empty() {
        page.heading("Notes", "").notes(&selection.notes);
    }
    output.text(&page.finish())
}

fn ranked_json(ranked: &Ranked) -> serde_json::Value {
    json!({
        "name": ranked.name,
        "kernel": ranked.kernel.to_string(),
        "log_evidence": ranked.log_evidence,
        "posterior": ranked.posterior,
        "gamma": ranked.ratio,
        "effective_parameters": ranked.effective_parameters,
        "leave_one_out": ranked.leave_one_out,
        "fitted_numbers": ranked.fitted_numbers,
        "is_integral": ranked.is_integral,
        "occam_error": ranked.occam_error,
        "closed_form": ranked.closed_form,
        "seconds": ranked.seconds,
    })
}

/// One line per kernel, the best first.
fn table(selection: &Selection, task: Task) -> String {
    let width = selection.ranked.iter().map(|r| r.name.chars().count());
    let width = width.chain([6]).max().unwrap_or(6);
    let error = match task {
        Task::Classify => "leave-one-out errors",
        _ => "leave-one-out rmse",
    };
    let mut lines = vec![format!(
        "{:>4}  {:<width$}  {:>12}  {:>11}  {:>9}  {:>7}  {:>6}  {:>20}  {:>8}",
        "rank", "kernel", "evidence", "closed form", "posterior", "fitted", "γ_eff", error, "time"
    )];
    let top = selection.ranked[0].log_evidence;
    for (place, ranked) in selection.ranked.iter().enumerate() {
        let left_out = match task {
            Task::Classify => format!("{:.2} %", 100.0 * ranked.leave_one_out),
            _ => format!("{:.5}", ranked.leave_one_out),
        };
        let beside_top = |value: f64| match place {
            0 => format!("{value:.1}"),
            _ => format!("{:+.1}", value - top),
        };
        let about = if ranked.is_integral { "" } else { "≈ " };
        let evidence = format!("{about}{}", beside_top(ranked.log_evidence));
        let closed = ranked.closed_form.map_or("–".to_owned(), beside_top);
        lines.push(format!(
            "{:>4}  {:<width$}  {:>12}  {:>11}  {:>9.4}  {:>7}  {:>6.1}  {:>20}  {:>8}",
            place + 1,
            ranked.name,
            evidence,
            closed,
            ranked.posterior,
            ranked.fitted_numbers,
            ranked.effective_parameters,
            left_out,
            duration(ranked.seconds),
        ));
    }
    lines.join("\n")
}

/// How clear the decision is, in words.
fn verdict(selection: &Selection) -> String {
    let [best, rest @ ..] = &selection.ranked[..] else {
        return String::new();
    };
    let Some(second) = rest.first() else {
        return "the only candidate".to_owned();
    };
    // Prior weights count: the posterior says which is more probable.
    let odds = best.posterior / second.posterior.max(f64::MIN_POSITIVE);
    match odds {
        o if o >= 150.0 => format!("decisive: {} is out of the race", second.name),
        o if o >= 20.0 => format!("strong: {o:.0} times as probable as {}", second.name),
        o if o >= 3.0 => format!("some evidence: {o:.1} times as probable as {}", second.name),
        _ => format!("open: {} is nearly as probable", second.name),
    }
}
