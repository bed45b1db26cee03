//! Support vectors and the account of every problem.

use std::fmt::Write as _;

use mercer::fit::{FitReport, ProblemReport};

use super::super::chart;
use super::super::text::{escape, figure, percent, shorten};
use super::wrap;
use crate::style::{count, plural};

/// Problems shown one by one; a hundred classes have 4,950 pairs.
const SHOWN: usize = 60;

/// Draws how many rows carry each decision.
pub(in super::super) fn support(report: &FitReport) -> String {
    if report.problems.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for problem in report.problems.iter().take(SHOWN) {
        let (free, bounded) = (
            problem.free_support_vectors,
            problem.bounded_support_vectors,
        );
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\" title=\"{}\">{}</th><td class=\"bar\">{}</td>\
             <td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td></tr>",
            escape(&problem.name),
            escape(&shorten(&problem.name, 40)),
            chart::stacked(&[free, bounded], problem.rows, 0),
            count(free as u64),
            count(bounded as u64),
            count(problem.rows as u64)
        );
    }
    let table = format!(
        "<table class=\"support\"><thead><tr><th></th><th></th><th class=\"num\"><i class=\"swatch c0\"></i>free</th>\
         <th class=\"num\"><i class=\"swatch c1\"></i>bounded</th><th class=\"num\">of rows</th></tr></thead>\n<tbody>{rows}</tbody></table>\n{}",
        rest(report)
    );
    let share = report.support_vectors as f64 / report.distinct_rows.max(1) as f64;
    let lead = format!(
        "{} of {} ({}) carry the answer; the others could be left out without changing it. \
         Free ones lie on the margin, bounded ones inside it or on the wrong side.",
        plural(report.support_vectors, "support vector"),
        plural(report.distinct_rows, "distinct row"),
        percent(share)
    );
    wrap("support", "Support vectors", &lead, &table)
}

/// Lists what the solver did for every problem.
pub(in super::super) fn solver(report: &FitReport) -> String {
    if report.problems.is_empty() {
        return String::new();
    }
    let rows: String = report.problems.iter().take(SHOWN).map(problem).collect();
    let table = format!(
        "<div class=\"scroll\"><table class=\"solver\"><thead><tr><th></th><th class=\"num\">rows</th>\
         <th class=\"num\">steps</th><th class=\"num\">primal</th><th class=\"num\">dual</th>\
         <th class=\"num\">gap</th><th class=\"num\">KKT</th><th class=\"num\">margin</th><th>stopped</th></tr></thead>\n\
         <tbody>{rows}</tbody></table></div>\n{}",
        rest(report)
    );
    let lead = format!(
        "{} in {}, with {} kernel values computed.",
        plural(report.problems.len(), "problem"),
        plural(report.iterations as usize, "step"),
        count(report.kernel_evaluations)
    );
    wrap("solver", "How it was found", &lead, &table)
}

fn problem(problem: &ProblemReport) -> String {
    let class = if problem.stop_reason == mercer::fit::StopReason::Converged {
        ""
    } else {
        " class=\"warn\""
    };
    format!(
        "<tr><th scope=\"row\" title=\"{}\">{}</th><td class=\"num\">{}</td><td class=\"num\">{}</td>\
         <td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td>\
         <td class=\"num\">{}</td><td{class}>{}</td></tr>\n",
        escape(&problem.name),
        escape(&shorten(&problem.name, 32)),
        count(problem.rows as u64),
        count(problem.iterations),
        figure(problem.primal),
        figure(problem.dual),
        figure(problem.gap()),
        figure(problem.kkt_violation),
        problem.margin.map_or("–".to_owned(), figure),
        problem.stop_reason.name().replace('_', " ")
    )
}

fn rest(report: &FitReport) -> String {
    match report.problems.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!(
            "<p class=\"more\">and {} more</p>\n",
            plural(more, "problem")
        ),
        _ => String::new(),
    }
}
