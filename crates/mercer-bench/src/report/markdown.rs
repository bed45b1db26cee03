//! The page of tables.

use std::fmt::Write as _;

use super::compare::{Ratio, Work, mean, mercer_worse, peer_worse, present, ratio};
use super::table::Table;
use crate::case::{Group, Task};
use crate::numbers::{median, megabytes, seconds, thousands, three_digits, times};
use crate::peer::label;
use crate::record::{CaseResult, Outcome, Results, Run};

/// Groups whose ratios are averaged together, with what they are called.
const MEANS: [(&str, &[Group]); 2] = [
    (
        "geometric mean, thousands of rows",
        &[Group::Large, Group::Regression, Group::Novelty],
    ),
    ("geometric mean, small sets", &[Group::Small]),
];

const FITTED: [Group; 4] = [
    Group::Large,
    Group::Regression,
    Group::Novelty,
    Group::Small,
];

/// The whole page.
pub(crate) fn page(results: &Results) -> String {
    let mut out = String::from("# mercer beside other programs\n\n");
    out.push_str(&circumstances(results));
    out.push_str("\n![Times of the peers as multiples of mercer's](ratios.svg)\n");
    for threads in results.threads() {
        let plural = if threads == 1 { "" } else { "s" };
        for (title, work) in [("Fit", Work::Fit), ("Predict the test rows", Work::Predict)] {
            let text = times_table(results, threads, work);
            if !text.is_empty() {
                let _ = write!(out, "\n## {title}, {threads} thread{plural}\n\n{text}");
            }
        }
    }
    for (title, text) in [
        ("Tuning", tuning(results)),
        ("Growth with the number of rows", growth(results)),
        ("One row at a time", latency(results)),
        ("Memory", memory(results)),
        ("Quality", answers(results)),
        ("What is missing", missing(results)),
    ] {
        if !text.is_empty() {
            let _ = write!(out, "\n## {title}\n\n{text}");
        }
    }
    out.push_str(METHOD);
    out
}

const METHOD: &str = "
## How it was measured

Every program runs in a process of its own, with its data in memory and its libraries warm.
Rounds go over all programs in rotating order; a cell is the median of the rounds, and work
shorter than 0.2 s is repeated within a round. All programs have a tolerance of 1e-3; LIBSVM
has scikit-learn's 200 MB of cache. LIBSVM, scikit-learn and the Rust libraries use one thread
whatever the table says. LIBSVM's times are those of the calls into C, without conversion of
rows from Python. A peer is stopped at 50 times mercer's time (not before a minute): its ratio
is then a lower bound, marked with ≥, and counts as such in the means.

Objectives and violations are recomputed in double precision from support vectors,
coefficients and intercepts over all training rows. ⚠ marks a peer whose result is better than
mercer's: by more than 1e-4 of the objective, or with mercer's violation above 1e-3 and above
the peer's. † marks a peer whose result is worse than mercer's by the same rule.

`cargo run --release -p mercer-bench -- run` repeats everything; `results.json` has every time.
";

fn circumstances(results: &Results) -> String {
    let machine = &results.machine;
    let mut out = format!(
        "{}, {} cores, {}, {} of memory; {}, {}, {}, {}.\n",
        machine.processor,
        machine.cores,
        machine.vectors,
        megabytes(machine.memory),
        machine.system,
        machine.rustc,
        machine.python,
        machine.numpy,
    );
    let programs: Vec<String> = results
        .programs
        .iter()
        .filter_map(|program| {
            let version = program.version.as_ref()?;
            Some(format!("{} {version}", label(&program.peer)))
        })
        .collect();
    let _ = writeln!(out, "{}.", programs.join(", "));
    let mut when: Vec<&str> = results
        .cases
        .iter()
        .map(|case| case.date.as_str())
        .collect();
    when.sort_unstable();
    let mut revisions: Vec<&str> = results
        .cases
        .iter()
        .map(|case| case.revision.as_str())
        .collect();
    revisions.sort_unstable();
    revisions.dedup();
    if let (Some(first), Some(last)) = (when.first(), when.last()) {
        let _ = writeln!(
            out,
            "Measured from {first} to {last}, mercer at {}.",
            revisions.join(", ")
        );
    }
    if let Some(share) = undisturbed(results)
        && share < QUIET
    {
        let _ = writeln!(
            out,
            "\n**The machine was not quiet**: programs with one thread had {:.0} % of a core.",
            100.0 * share
        );
    }
    out
}

/// Below this share of a core, something else was running.
const QUIET: f64 = 0.95;

/// The share of a core that fits of some length with one thread had, by the median.
fn undisturbed(results: &Results) -> Option<f64> {
    let runs = results.cases.iter().flat_map(|case| &case.runs);
    let shares: Vec<f64> = runs
        .filter(|run| run.threads == 1)
        .flat_map(|run| run.fit.iter().zip(&run.busy))
        .filter(|(time, _)| **time > 0.2)
        .map(|(_, busy)| *busy)
        .collect();
    median(&shares)
}

fn describe(case: &CaseResult) -> String {
    let Some(shape) = &case.shape else {
        return case.case.name.clone();
    };
    let classes = match (case.case.task, shape.classes) {
        (Task::Classify, classes) if classes > 2 => format!(", {classes} classes"),
        _ => String::new(),
    };
    let sparse = if shape.sparse { " sparse" } else { "" };
    format!(
        "{}: {} × {}{sparse}{classes}; {}",
        case.case.name,
        thousands(shape.rows),
        shape.columns,
        case.case.parameters()
    )
}

fn ratio_text(ratio: Ratio) -> String {
    let sign = if ratio.at_least { "≥ " } else { "" };
    format!("{sign}{}", times(ratio.value))
}

/// A peer's cell: its time, its ratio, and a mark for a better or worse result.
fn cell(case: &CaseResult, peer: &str, threads: usize, work: Work) -> String {
    let Some(run) = case.run(peer, threads) else {
        return "–".to_owned();
    };
    let mark = match (
        mercer_worse(case, peer, threads),
        peer_worse(case, peer, threads),
    ) {
        (Some(_), _) => " ⚠",
        (None, Some(_)) => " †",
        (None, None) => "",
    };
    match (work.seconds(run), ratio(case, peer, threads, work)) {
        (Some(time), Some(ratio)) => {
            format!("{} · **{}**{mark}", seconds(time), ratio_text(ratio))
        }
        (Some(time), None) => seconds(time),
        (None, ratio) => stopped(run, ratio),
    }
}

fn stopped(run: &Run, ratio: Option<Ratio>) -> String {
    match (&run.outcome, ratio) {
        (Outcome::TimeLimit(limit), Some(ratio)) => {
            format!("> {} · **{}**", seconds(*limit), ratio_text(ratio))
        }
        (Outcome::TimeLimit(_), None) => "too slow".to_owned(),
        (Outcome::MemoryLimit(_), _) => "too much memory".to_owned(),
        (Outcome::Failed(_), _) => "failed".to_owned(),
        (Outcome::Done, _) => "–".to_owned(),
    }
}

fn heads(results: &Results, first: &[&str]) -> Vec<String> {
    let own = first.iter().map(|&name| name.to_owned());
    let others = present(results)
        .into_iter()
        .map(|peer| label(peer).to_owned());
    own.chain(others).collect()
}

fn times_table(results: &Results, threads: usize, work: Work) -> String {
    let peers = present(results);
    let mut table = Table::new(heads(results, &["case", "mercer"]));
    for case in &results.cases {
        let own = case.run("mercer", threads);
        if !FITTED.contains(&case.case.group) || own.is_none() {
            continue;
        }
        let mut row = vec![describe(case)];
        row.push(own.map_or_else(String::new, |run| {
            work.seconds(run)
                .map_or_else(|| stopped(run, None), seconds)
        }));
        row.extend(peers.iter().map(|peer| cell(case, peer, threads, work)));
        table.push(row);
    }
    if table.is_empty() {
        return String::new();
    }
    for (name, groups) in MEANS {
        let means: Vec<String> = peers
            .iter()
            .map(|peer| match mean(results, groups, peer, threads, work) {
                Some((ratio, count)) => format!("**{}** ({count})", ratio_text(ratio)),
                None => "–".to_owned(),
            })
            .collect();
        if means.iter().any(|mean| mean != "–") {
            let start = [format!("*{name}* (cases)"), String::new()];
            table.push(start.into_iter().chain(means));
        }
    }
    table.text()
}

fn of_group(results: &Results, group: Group) -> impl Iterator<Item = &CaseResult> {
    results
        .cases
        .iter()
        .filter(move |case| case.case.group == group && !case.runs.is_empty())
}

fn tuning(results: &Results) -> String {
    let mut table = Table::new([
        "search",
        "threads",
        "time",
        "ratio",
        "best score",
        "best parameters",
    ]);
    for case in of_group(results, Group::Tuning) {
        for run in &case.runs {
            let best = run.tuned.as_ref();
            let parameters = best.map_or_else(String::new, |best| {
                let each = best.parameters.iter();
                let each = each.map(|(name, value)| format!("{name} = {}", three_digits(*value)));
                each.collect::<Vec<_>>().join(", ")
            });
            let ratio = ratio(case, &run.peer, run.threads, Work::Fit);
            table.push([
                format!("{}, {}", case.case.name, label(&run.peer)),
                run.threads.to_string(),
                run.fit_seconds()
                    .map_or_else(|| stopped(run, None), seconds),
                ratio.map(ratio_text).unwrap_or_default(),
                best.map_or_else(String::new, |best| format!("{:.4}", best.score)),
                parameters,
            ]);
        }
    }
    if table.is_empty() {
        String::new()
    } else {
        table.text()
    }
}

fn growth(results: &Results) -> String {
    let cases: Vec<&CaseResult> = of_group(results, Group::Growth).collect();
    let (Some(first), Some(&threads)) = (cases.first(), results.threads().first()) else {
        return String::new();
    };
    let mut names = vec!["mercer"];
    names.extend(present(results));
    let head = ["rows".to_owned()].into_iter();
    let mut table = Table::new(head.chain(names.iter().map(|name| label(name).to_owned())));
    for case in &cases {
        let rows = case.shape.as_ref().map_or(0, |shape| shape.rows);
        let cells = names.iter().map(|name| match case.run(name, threads) {
            Some(run) => run
                .fit_seconds()
                .map_or_else(|| stopped(run, None), seconds),
            None => "–".to_owned(),
        });
        table.push([thousands(rows)].into_iter().chain(cells));
    }
    let exponents = names.iter().map(|name| {
        exponent(&cases, name, threads)
            .map_or_else(|| "–".to_owned(), |power| format!("n^{power:.2}"))
    });
    table.push(["*growth*".to_owned()].into_iter().chain(exponents));
    format!(
        "Fits of `{}` ({}) with {threads} threads for mercer and oneDAL.\n\n{}",
        first.case.set,
        first.case.parameters(),
        table.text()
    )
}

/// The power of n with which a program's time grows: the slope of a line through the
/// logarithms.
fn exponent(cases: &[&CaseResult], peer: &str, threads: usize) -> Option<f64> {
    let points: Vec<(f64, f64)> = cases
        .iter()
        .filter_map(|case| {
            let rows = case.shape.as_ref()?.rows as f64;
            let time = case.run(peer, threads)?.fit_seconds()?;
            Some((rows.ln(), time.ln()))
        })
        .collect();
    if points.len() < 2 {
        return None;
    }
    let n = points.len() as f64;
    let x = points.iter().map(|point| point.0).sum::<f64>() / n;
    let y = points.iter().map(|point| point.1).sum::<f64>() / n;
    let cross: f64 = points
        .iter()
        .map(|point| (point.0 - x) * (point.1 - y))
        .sum();
    let square: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    Some(cross / square)
}

fn latency(results: &Results) -> String {
    let mut out = String::new();
    for case in of_group(results, Group::Latency) {
        let mut table = Table::new(["program", "threads", "one row", "support vectors"]);
        for run in &case.runs {
            table.push([
                label(&run.peer).to_owned(),
                run.threads.to_string(),
                run.predict_seconds()
                    .map_or_else(|| stopped(run, None), seconds),
                run.quality
                    .as_ref()
                    .map_or_else(String::new, |quality| thousands(quality.support_vectors)),
            ]);
        }
        out.push_str(&table.text());
    }
    out
}

fn memory(results: &Results) -> String {
    let Some(&threads) = results.threads().first() else {
        return String::new();
    };
    let peers = present(results);
    let mut table = Table::new(heads(results, &["case", "mercer"]));
    for case in &results.cases {
        if case.runs.is_empty() || !FITTED.contains(&case.case.group) {
            continue;
        }
        let mut names = vec!["mercer"];
        names.extend(&peers);
        let cells = names.iter().map(|name| match case.run(name, threads) {
            Some(run) if run.peak_bytes > 0 => {
                megabytes(run.peak_bytes - run.base_bytes.min(run.peak_bytes))
            }
            _ => "–".to_owned(),
        });
        table.push([case.case.name.clone()].into_iter().chain(cells));
    }
    if table.is_empty() {
        return String::new();
    }
    format!(
        "Largest resident memory above that of the process with its data loaded.\n\n{}",
        table.text()
    )
}

fn answers(results: &Results) -> String {
    let Some(&threads) = results.threads().first() else {
        return String::new();
    };
    let mut table = Table::new([
        "case, program",
        "dual objective",
        "gap",
        "violation",
        "support vectors",
        "score",
        "remark",
    ]);
    for case in &results.cases {
        let mut names = vec!["mercer"];
        names.extend(present(results));
        for name in names {
            let Some((run, quality)) = case
                .run(name, threads)
                .and_then(|run| Some((run, run.quality.as_ref()?)))
            else {
                continue;
            };
            let remarks = [
                mercer_worse(case, name, threads).map(|why| format!("⚠ mercer's {why}")),
                peer_worse(case, name, threads).map(|why| format!("† {why}")),
                (quality.infeasible > 1e-6)
                    .then(|| format!("outside the constraints by {:.0e}", quality.infeasible)),
                run.note.clone(),
            ];
            let gap = (quality.primal - quality.dual) / quality.primal.abs();
            table.push([
                format!("{}, {}", case.case.name, label(name)),
                format!("{:.6e}", quality.dual),
                format!("{gap:.1e}"),
                format!("{:.2e}", quality.violation),
                thousands(quality.support_vectors),
                format!("{:.4}", quality.score),
                remarks.into_iter().flatten().collect::<Vec<_>>().join("; "),
            ]);
        }
    }
    if table.is_empty() {
        return String::new();
    }
    format!(
        "The gap is that between primal and dual objective, relative to the primal. The score is\n\
         the accuracy on the test rows; for regression the root mean squared error\n\
         in standard deviations of the target.\n\n{}",
        table.text()
    )
}

fn missing(results: &Results) -> String {
    let mut out = String::new();
    for program in &results.programs {
        if let Some(reason) = &program.missing {
            let _ = writeln!(out, "* {}: {reason}", label(&program.peer));
        }
    }
    for case in &results.cases {
        if let Some(reason) = &case.skipped {
            let _ = writeln!(out, "* {}: {reason}", case.case.name);
        }
        for run in &case.runs {
            if let Outcome::Failed(reason) = &run.outcome {
                let name = label(&run.peer);
                let _ = writeln!(out, "* {}, {name}: {reason}", case.case.name);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::example;

    #[test]
    fn the_page_has_times_ratios_and_means() {
        let page = page(&example());
        for text in [
            "Example 3000, 2 cores",
            "## Fit, 2 threads",
            "| a9a: 1,000 × 10; C = 1, γ = 1/123 | 2.00 s | 40.0 s · **20.0 ×** |",
            "> 600 s · **≥ 300 ×**",
            "*geometric mean, thousands of rows* (cases) |  | **20.0 ×** (1) |",
            "## Predict the test rows, 1 thread\n",
            "| a9a, LIBSVM | 1.000000e1 | 1.0e-4 | 5.00e-4 | 321 | 0.9000 |  |",
            "| a9a | 200 MB | 200 MB |",
            "* ThunderSVM: OSError",
        ] {
            assert!(page.contains(text), "{text}\n{page}");
        }
        assert!(!page.contains("⚠ mercer's"));
    }

    #[test]
    fn worse_answers_are_marked() {
        let mut results = example();
        let quality = results.cases[0].runs[0].quality.as_mut().unwrap();
        quality.dual = 9.9;
        let text = page(&results);
        assert!(text.contains("**20.0 ×** ⚠"), "{text}");
        assert!(
            text.contains("⚠ mercer's objective worse by 1.0e-2"),
            "{text}"
        );
        results.cases[0].runs[0].quality.as_mut().unwrap().dual = 10.5;
        assert!(page(&results).contains("**20.0 ×** †"));
    }

    #[test]
    fn a_disturbed_machine_is_told_of() {
        let mut results = example();
        results.cases[0].runs[1].busy = vec![1.0];
        assert!(!page(&results).contains("not quiet"));
        results.cases[0].runs[1].busy = vec![0.5];
        assert!(page(&results).contains("had 50 % of a core"));
    }

    #[test]
    fn growth_is_a_slope() {
        let mut results = example();
        for (name, rows, time) in [("susy-1750", 1750, 1.0), ("susy-3500", 3500, 4.0)] {
            let mut case = results.cases[0].clone();
            case.case = crate::cases::choose(&[name.to_owned()]).unwrap().remove(0);
            case.shape.as_mut().unwrap().rows = rows;
            case.runs[0].fit = vec![time];
            results.put(case);
        }
        assert!(growth(&results).contains("| *growth* | n^2.00 | n^0.00 | – |"));
    }

    #[test]
    fn nothing_measured_is_no_table() {
        let mut results = example();
        results.cases.clear();
        assert!(page(&results).contains("# mercer beside other programs"));
    }
}
