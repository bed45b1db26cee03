//! Support vectors and the account of every problem.

use mercer::fit::{FitReport, ProblemReport, StopReason};
use mercer::judge::bounds::fit_bounds;
use mercer::model::Trained;
use mercer_plot::page::{Column, Section, Table, TableCell, cell, paragraph, small};
use mercer_plot::text::{percent, shorten};
use mercer_plot::{Figure, Markup, Stack, element, markup};

use super::super::text::figure;
use crate::support::{SPARSE, ShownSupport};
use crate::words::{count, plural};

/// Problems shown one by one; a hundred classes have 4,950 pairs.
const SHOWN: usize = 60;

/// Draws how many rows carry each decision; with other losses than those of a margin every row
/// does.
pub(in super::super) fn support(trained: &Trained, shown: &[ShownSupport]) -> Section {
    let report = &trained.report;
    let section = Section::new("support", "Support vectors");
    if report.solver().problems.is_empty() || !SPARSE.contains(&trained.method.as_str()) {
        return section;
    }
    let key = |class: &str, name: &str| markup![element("i").class("swatch").class(class), name];
    let mut table = Table::new([
        Column::names(""),
        Column::figure(),
        Column::number(key("c0", "free")),
        Column::number(key("c1", "bounded")),
        Column::number("of rows"),
    ])
    .class("support");
    for problem in report.solver().problems.iter().take(SHOWN) {
        let (free, bounded) = (
            problem.free_support_vectors,
            problem.bounded_support_vectors,
        );
        let strip = Stack {
            parts: vec![free, bounded],
            whole: Some(problem.rows),
        };
        table.row([
            cell(shorten(&problem.name, 40)).tip(&problem.name),
            cell(strip.to_markup()),
            cell(count(free as u64)),
            cell(count(bounded as u64)),
            cell(count(problem.rows as u64)),
        ]);
    }
    let share = report.kernel().support_vectors as f64 / report.distinct_rows.max(1) as f64;
    section
        .lead(format!(
            "{} of {} ({}) carry the answer; the others could be left out without changing it. \
             Free ones lie on the margin, bounded ones inside it or on the wrong side.",
            plural(report.kernel().support_vectors, "support vector"),
            plural(report.distinct_rows, "distinct row"),
            percent(share)
        ))
        .body(table)
        .body(rest(report))
        .body(slack(report))
        .body(promised(report))
        .body(influential(shown))
}

/// Lists the support vectors of most influence as rows: border cases worth looking at.
fn influential(shown: &[ShownSupport]) -> Markup {
    /// Longer values are cut.
    const VALUE: usize = 28;
    let Some(first) = shown.first() else {
        return Markup::new();
    };
    let names = first.cells.iter().map(|(name, _)| {
        let short: Markup = shorten(name, 18).into();
        Column::text(short).tip(name)
    });
    let classes = shown.iter().any(|row| row.class.is_some());
    let columns = std::iter::once(Column::names(""))
        .chain(classes.then(|| Column::text("class")))
        .chain([Column::number("influence")])
        .chain(names);
    let mut table = Table::new(columns).class("influence").scrolling();
    for row in shown {
        let place = match row.copies {
            1 => row.place.clone(),
            n => format!("{} and {} more", row.place, n - 1),
        };
        let class = classes.then(|| cell(shorten(row.class.as_deref().unwrap_or("–"), VALUE)));
        let cells = row.cells.iter().map(|(_, value)| match value {
            Some(value) => cell(shorten(value, VALUE)).tip(value),
            None => cell(small("missing")),
        });
        table.row(
            std::iter::once(cell(place))
                .chain(class)
                .chain([cell(figure(row.influence)).class("strong")])
                .chain(cells),
        );
    }
    let lead = "The rows of most influence. They are border cases, or rows on the wrong side: worth looking at. \
                Influence is the length of a row's coefficients times √k(x, x), the norm of its part in the decisions.";
    markup![paragraph(lead), table]
}

/// Probability with which a bound may fail.
const DELTA: f64 = 0.05;

/// How many rows are inside the margin or beyond, over all decisions.
fn slack(report: &FitReport) -> Markup {
    let problems = report.solver().problems.iter();
    let found: Vec<_> = problems.filter_map(|p| p.slack.as_ref()).collect();
    let weight: f64 = found.iter().map(|slack| slack.weight).sum();
    if found.is_empty() || !(weight > 0.0) {
        return Markup::new();
    }
    let hinge: f64 = found.iter().map(|s| s.weight * s.mean_hinge).sum();
    let inside: f64 = found.iter().map(|s| s.above_zero).sum();
    let wrong: f64 = found.iter().map(|s| s.above_one).sum();
    let text = format!(
        "{} of {} rows have slack: they are closer to the border than the margin, {} of them on \
         the wrong side. The mean hinge loss is {}, never less than the share of wrong rows.",
        count(inside.round() as u64),
        count(weight.round() as u64),
        count(wrong.round() as u64),
        figure(hinge / weight)
    );
    paragraph(text).into()
}

/// What theory makes of the margin, where it says anything at all.
fn promised(report: &FitReport) -> Markup {
    let Ok(bounds) = fit_bounds(report, DELTA) else {
        return Markup::new();
    };
    let [bound] = bounds.as_slice() else {
        return Markup::new();
    };
    let how = match bound.confidence {
        Some(_) => "By the margin alone, with probability 95 %",
        None => "By the slack of training, in the mean over draws of the rows",
    };
    let says = if bound.vacuous {
        " (vacuous: a bound above 1 says nothing)"
    } else {
        ""
    };
    let radius = if bound.assumes_radius {
        ", if no row to come is longer than the longest one of training"
    } else {
        ""
    };
    let value = figure(bound.bound);
    paragraph(format!(
        "{how}, the true error is at most {value}{says}{radius}."
    ))
    .into()
}

/// Lists what the solver did for every problem, and how it ended.
pub(in super::super) fn solver(report: &FitReport, ended: Option<Markup>) -> Section {
    let section = Section::new("solver", "How it was found");
    if report.solver().problems.is_empty() {
        return section;
    }
    let numbers = ["rows", "steps", "primal", "dual", "gap", "KKT", "margin"];
    let columns = std::iter::once(Column::names(""))
        .chain(numbers.map(Column::number))
        .chain([Column::text("stopped")]);
    let mut table = Table::new(columns).class("solver").scrolling();
    for problem in report.solver().problems.iter().take(SHOWN) {
        table.row(row(problem));
    }
    section
        .lead(format!(
            "{} in {}, with {} kernel values computed.",
            plural(report.solver().problems.len(), "problem"),
            plural(report.solver().iterations as usize, "step"),
            count(report.kernel().kernel_evaluations)
        ))
        .body(ended)
        .body(table)
        .body(rest(report))
}

fn row(problem: &ProblemReport) -> [TableCell; 9] {
    let class = if problem.stop_reason == StopReason::Converged {
        ""
    } else {
        "warn"
    };
    [
        cell(shorten(&problem.name, 32)).tip(&problem.name),
        cell(count(problem.rows as u64)),
        cell(count(problem.iterations)),
        cell(figure(problem.primal)),
        cell(figure(problem.dual)),
        cell(figure(problem.gap())),
        cell(figure(problem.kkt_violation)),
        cell(problem.margin.map_or("–".into(), figure)),
        cell(problem.stop_reason.name().replace('_', " ")).class(class),
    ]
}

fn rest(report: &FitReport) -> Markup {
    match report.solver().problems.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => {
            let text = format!("and {} more", plural(more, "problem"));
            paragraph(text).class("more").into()
        }
        _ => Markup::new(),
    }
}
