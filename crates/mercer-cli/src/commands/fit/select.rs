//! `mercer select`.

use mercer::data::{Dataset, Task};
use mercer::fit::Note;
use mercer::select::kernels::{
    Candidate, Ranked, Selection, default_candidates, landscape, parse_priors, select_grouped,
    set_priors,
};
use mercer_plot::text::shorten;
use serde_json::json;

use super::wish;
use crate::args::{ModelArgs, ScaleArg, SelectArgs};
use crate::data::{named, read};
use crate::display::Page;
use crate::failure::Result;
use crate::outputs::Files;
use crate::session::Session;
use crate::style::plural;
use mercer_report::{evidence_figure, render_selection};

/// Ranks kernels by their evidence.
pub(in super::super) fn run(args: &SelectArgs, session: &Session) -> Result<()> {
    let flags = ModelArgs {
        model: "auto".to_owned(),
        scale: args.scale,
        ..ModelArgs::default()
    };
    crate::figure::check(args.plot.as_deref())?;
    Files::default()
        .data(&args.data, &args.reading)
        .write(args.report.as_deref())
        .write(args.plot.as_deref())
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
    let groups = prepared.groups.as_deref();
    let mut selection = select_grouped(&candidates, &prepared.data, groups, &context)?;
    let found = |n: &&Note| matches!(n, Note::Warning(_));
    let warnings: Vec<Note> = prepared.notes.iter().filter(found).cloned().collect();
    selection.notes.splice(0..0, warnings);
    if args.report.is_some() || args.plot.is_some() {
        match landscape(&selection.ranked[0], &prepared.data, &context) {
            Err(mercer::Error::OutOfTime) => selection.notes.push(Note::Alert(
                "the time limit left no time for pictures of the evidence (time_limit)".to_owned(),
            )),
            around => {
                let around = around?;
                if let Some(path) = &args.report {
                    let title = super::title(&args.data);
                    let page = render_selection(&title, task, &selection, &around);
                    session.write(path, page.as_bytes())?;
                }
                if let Some(path) = &args.plot {
                    crate::figure::write(path, evidence_figure(&around).as_ref(), session)?;
                }
            }
        }
    }
    session.meter.finish();
    selection.notes.extend(conflict(&selection, task));
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
            "groups": selection.groups,
            "stop_reason": selection.stop_reason,
            "kernels": kernels,
            "notes": selection.notes,
        }));
    }
    let mut page = Page::new(output.paint);
    let aside = format!("{} of {}", plural(selection.rows, "row"), named(&args.data));
    let by = match selection.groups {
        Some(_) => "Kernels by the error on left-out groups",
        None => "Kernels by evidence (log marginal likelihood)",
    };
    page.heading(by, &aside).block(&table(selection, task));
    let best = &selection.ranked[0];
    page.heading("Best", "")
        .item("log evidence", &absolute(best))
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

/// The evidence itself, and its closed form where that holds.
fn absolute(best: &Ranked) -> String {
    let closed = best.closed_form.map(|v| format!(", closed form {v:.1}"));
    format!("{:.1}{}", best.log_evidence, closed.unwrap_or_default())
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

/// One line per kernel, the best first: evidence as differences to it.
fn table(selection: &Selection, task: Task) -> String {
    const NAME: usize = 24;
    let name = |ranked: &Ranked| shorten(&ranked.name, NAME);
    let width = selection.ranked.iter().map(|r| name(r).chars().count());
    let width = width.chain([6]).max().unwrap_or(6);
    let error = match (task, selection.groups) {
        (Task::Classify, None) => "LOO errors",
        (_, None) => "LOO RMSE",
        (Task::Classify, Some(_)) => "LGO errors",
        (_, Some(_)) => "LGO RMSE",
    };
    let mut lines = vec![format!(
        "{:>2}  {:<width$}  {:>9}  {:>9}  {:>6}  {:>5}  {:>10}",
        "", "kernel", "evidence", "posterior", "fitted", "γ_eff", error
    )];
    let top = selection.ranked[0].log_evidence;
    for (place, ranked) in selection.ranked.iter().enumerate() {
        let about = if ranked.is_integral { "" } else { "≈ " };
        let behind = match place {
            0 => "0".to_owned(),
            _ => format!("{:+.1}", ranked.log_evidence - top).replace('-', "−"),
        };
        lines.push(format!(
            "{:>2}  {:<width$}  {:>9}  {:>9.4}  {:>6}  {:>5.1}  {:>10}",
            place + 1,
            name(ranked),
            format!("{about}{behind}"),
            ranked.posterior,
            ranked.fitted_numbers,
            ranked.effective_parameters,
            left_out(ranked, task),
        ));
    }
    lines.join("\n")
}

fn left_out(ranked: &Ranked, task: Task) -> String {
    match task {
        Task::Classify => format!("{:.2} %", 100.0 * ranked.leave_one_out),
        _ => crate::style::number(ranked.leave_one_out),
    }
}

/// Says so where leave-one-out prefers another kernel than the evidence.
fn conflict(selection: &Selection, task: Task) -> Option<Note> {
    let best = selection.ranked.first()?;
    // Groups that are left out have decided.
    if selection.groups.is_some() {
        return None;
    }
    let rival = selection
        .ranked
        .iter()
        .filter(|r| r.leave_one_out.is_finite())
        .min_by(|a, b| a.leave_one_out.total_cmp(&b.leave_one_out))?;
    let rows = selection.rows as f64;
    let [own, other] = [best, rival].map(|r| r.leave_one_out);
    let (apart, clear) = match task {
        // By two rows at least; clearly, by more than two standard errors of their number.
        Task::Classify => {
            let more = (own - other) * rows;
            (more >= 1.5, more > 2.0 * ((own + other) * rows).sqrt())
        }
        _ => (own > 1.02 * other, own > 1.2 * other),
    };
    let clear = if clear { "" } else { ", not clearly" };
    (apart && rival.name != best.name).then(|| {
        Note::Alert(format!(
            "evidence and leave-one-out disagree: `{}` has the larger evidence, `{}` the smaller \
             leave-one-out error{clear} ({} against {}); compare both by cross-validation",
            best.name,
            rival.name,
            left_out(rival, task),
            left_out(best, task)
        ))
    })
}

/// How clear the decision is, in words.
fn verdict(selection: &Selection) -> String {
    let [best, rest @ ..] = &selection.ranked[..] else {
        return String::new();
    };
    let Some(second) = rest.first() else {
        return "the only candidate".to_owned();
    };
    if selection.groups.is_some() {
        let evident = |a: &&Ranked, b: &&Ranked| a.posterior.total_cmp(&b.posterior);
        let other = selection.ranked.iter().max_by(evident);
        let other = other.filter(|other| other.name != best.name);
        let other = other.map(|other| format!("; the evidence prefers {}", other.name));
        return format!(
            "least error on left-out groups{}",
            other.unwrap_or_default()
        );
    }
    // Prior weights count: the posterior says which is more probable.
    let ratio = best.posterior / second.posterior.max(f64::MIN_POSITIVE);
    match ratio {
        o if o >= 150.0 => format!("decisive over {}", second.name),
        o if o >= 20.0 => format!("strong: {o:.0} times as probable as {}", second.name),
        o if o >= 3.0 => format!("some evidence: {o:.1} times as probable as {}", second.name),
        _ => format!("open: {} is nearly as probable", second.name),
    }
}
