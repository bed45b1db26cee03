//! Results as text for humans.

use mercer::data::Task;
use mercer::fit::{EvidenceReport, FitReport, Note, StopReason};
use mercer::judge::{ConfusionMatrix, Metric, Scores};
use mercer::learn::METHODS;
use mercer::model::Trained;

use crate::report::{compared_by, left_out, loss, noise_text};
use crate::style::{Paint, bytes, count, duration, number, plural, wrap};
use crate::wording::told;

/// Width of the column of names.
const NAMES: usize = 18;
/// Classes of which a table still fits on a screen.
const MOST_CLASSES: usize = 16;
/// Confusions listed when there are more classes.
const MOST_PAIRS: usize = 8;
/// Width to which notes are broken.
const WIDTH: usize = 88;

/// Collects lines under headings.
pub(crate) struct Page {
    paint: Paint,
    text: String,
}

impl Page {
    pub(crate) fn new(paint: Paint) -> Self {
        Self {
            paint,
            text: String::new(),
        }
    }

    /// Starts a section.
    pub(crate) fn heading(&mut self, title: &str, aside: &str) -> &mut Self {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let aside = if aside.is_empty() {
            String::new()
        } else {
            format!("  {}", self.paint.dim(aside))
        };
        self.line(&format!("{}{aside}", self.paint.bold(title)))
    }

    /// Adds a name and its value.
    pub(crate) fn item(&mut self, name: &str, value: &str) -> &mut Self {
        let name = format!("{name:<NAMES$}");
        self.line(&format!("  {}{value}", self.paint.cyan(&name)))
    }

    /// Adds a text, line by line.
    pub(crate) fn block(&mut self, text: &str) -> &mut Self {
        for line in text.lines() {
            self.line(format!("  {line}").trim_end());
        }
        self
    }

    /// Adds an empty line.
    pub(crate) fn gap(&mut self) -> &mut Self {
        self.line("")
    }

    fn line(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self.text.push('\n');
        self
    }

    /// Adds notes, those that call for care first.
    pub(crate) fn notes(&mut self, notes: &[Note]) -> &mut Self {
        let alerts = notes.iter().filter(|n| n.is_alert());
        let choices = notes.iter().filter(|n| matches!(n, Note::Choice(_)));
        for note in alerts.chain(choices) {
            let alert = note.is_alert();
            let mark = if alert {
                self.paint.yellow("! ")
            } else {
                self.paint.dim("- ")
            };
            for (i, line) in wrap(&told(note), WIDTH).iter().enumerate() {
                let line = if alert {
                    self.paint.yellow(line)
                } else {
                    line.clone()
                };
                let lead = if i == 0 { mark.as_str() } else { "  " };
                self.line(&format!("  {lead}{line}"));
            }
        }
        self
    }

    /// Adds what to do about notes.
    pub(crate) fn hints(&mut self, hints: &[String]) -> &mut Self {
        for hint in hints {
            for (i, line) in wrap(hint, WIDTH).iter().enumerate() {
                let lead = if i == 0 { "> " } else { "  " };
                self.line(&format!("  {}{line}", self.paint.cyan(lead)));
            }
        }
        self
    }

    /// Adds metrics with their intervals and the confusion matrix.
    pub(crate) fn scores(&mut self, scores: &Scores) -> &mut Self {
        let percent = format!("{}%", number_short(100.0 * scores.confidence));
        for (place, (metric, score)) in scores.metrics.iter().enumerate() {
            let value = format!("{:>9}", metric_text(score.value));
            let value = if place == 0 {
                self.paint.bold(&value)
            } else {
                value
            };
            let label = if place == 0 {
                format!("   {percent} sure: ")
            } else {
                " ".repeat(11 + percent.len())
            };
            let range = format!(
                "{label}{} to {}",
                metric_text(score.low),
                metric_text(score.high)
            );
            let line = format!("{value}{}", self.paint.dim(&range));
            self.item(metric.entry().short, &line);
        }
        for output in &scores.outputs {
            let text = |metric: Metric| {
                let score = output.metrics.of(metric)?;
                Some(format!(
                    "{} {}",
                    metric.entry().short,
                    metric_text(score.value)
                ))
            };
            let wanted = [Metric::Rmse, Metric::Mae, Metric::R2];
            let known: Vec<String> = wanted.into_iter().filter_map(text).collect();
            self.item(&output.name, &known.join(", "));
        }
        if let Some(confusion) = &scores.confusion {
            self.gap();
            let table = if confusion.labels().len() <= MOST_CLASSES {
                confusion_table(confusion, self.paint)
            } else {
                confusion_list(confusion)
            };
            self.block(&table);
        }
        self
    }

    /// Adds what was tried before, the best first.
    pub(crate) fn trials(&mut self, report: &FitReport, task: Task) -> &mut Self {
        if report.trials().is_empty() {
            return self;
        }
        let (what, task) = compared_by(report, task);
        self.heading("Tried", &format!("{what} on held-out rows"));
        let width = report.trials().iter().map(|t| t.name.chars().count()).max();
        let width = width.unwrap_or(0);
        for (place, trial) in report.trials().iter().enumerate() {
            let value = format!("{:>9}", loss(trial.loss, task));
            let behind = if place == 0 {
                self.paint.green("chosen")
            } else if trial.behind < 0.0 {
                self.paint.dim(&format!(
                    "ahead by {} ± {}, may be chance",
                    loss(-trial.behind, task),
                    loss(trial.behind_error, task)
                ))
            } else {
                let chance = if trial.is_clearly_behind() {
                    ""
                } else {
                    ", may be chance"
                };
                self.paint.dim(&format!(
                    "behind by {} ± {}{chance}",
                    loss(trial.behind, task),
                    loss(trial.behind_error, task)
                ))
            };
            self.line(&format!("  {:<width$}  {value}  {behind}", trial.name));
        }
        self
    }

    /// Adds what the squared loss knows of itself.
    fn evidence(&mut self, evidence: &EvidenceReport, task: Task) -> &mut Self {
        let (name, value) = left_out(evidence, task);
        let paint = self.paint;
        self.item(
            "gamma",
            &format!(
                "{}  {}",
                number(evidence.ratio),
                paint.dim(&format!(
                    "noise standard deviation {}",
                    noise_text(evidence)
                ))
            ),
        )
        .item(
            "parameters",
            &format!(
                "{:.1}  {}",
                evidence.effective_parameters,
                paint.dim("that the data determine")
            ),
        )
        .item(name, &paint.bold(&value))
    }

    /// Adds what a fit reports about itself.
    pub(crate) fn fit(&mut self, trained: &Trained) -> &mut Self {
        let report = &trained.report;
        if let Some(evidence) = &report.evidence {
            self.evidence(evidence, trained.task);
        }
        let solver = report.solver();
        if let Some(kernel) = &report.kernel {
            self.support(report, kernel.support_vectors);
        }
        let formula = objective_formula(&trained.method).map(|f| format!("{f}, "));
        let formula = formula.unwrap_or_default();
        let gap = if solver.dual_gap.is_nan() {
            formula.trim_end_matches(", ").to_owned()
        } else {
            format!("{formula}duality gap {}", number(solver.dual_gap))
        };
        if report.solver.is_some() {
            let value = number(solver.objective);
            self.item("objective", &format!("{value}  {}", self.paint.dim(&gap)));
        }
        if !solver.kkt_violation.is_nan() {
            let precision = solver.problems.first().map(|p| match p.precision {
                mercer_linalg::Precision::F32 => "kernel values in single precision",
                mercer_linalg::Precision::F64 => "kernel values in double precision",
            });
            let aside = precision.filter(|_| report.kernel.is_some());
            let aside = self.paint.dim(aside.unwrap_or("of the normal equations"));
            let value = number(solver.kkt_violation);
            self.item("KKT violation", &format!("{value}  {aside}"));
        }
        let stop = match report.stop_reason {
            StopReason::Converged => self.paint.green("converged"),
            other => self.paint.yellow(&other.name().replace('_', " ")),
        };
        let cost = report.kernel.as_ref().map(|kernel| {
            format!(
                "{} kernel values, {} held",
                count(kernel.kernel_evaluations),
                bytes(kernel.kernel_bytes)
            )
        });
        self.item(
            "stopped",
            &format!(
                "{stop} after {} in {}  {}",
                plural(solver.iterations as usize, "step"),
                duration(report.seconds),
                self.paint.dim(&cost.unwrap_or_default())
            ),
        )
    }

    /// Adds how many rows carry the model.
    fn support(&mut self, report: &FitReport, support_vectors: usize) -> &mut Self {
        let problems = &report.solver().problems;
        let sum =
            |f: fn(&mercer::fit::ProblemReport) -> usize| -> usize { problems.iter().map(f).sum() };
        let free = sum(|p| p.free_support_vectors);
        let bounded = sum(|p| p.bounded_support_vectors);
        let over = if problems.len() > 1 {
            format!(" over {} decisions", problems.len())
        } else {
            String::new()
        };
        let rows = if report.distinct_rows == report.rows {
            plural(report.rows, "row")
        } else {
            format!("{} distinct rows", count(report.distinct_rows as u64))
        };
        self.item(
            "support vectors",
            &format!(
                "{} of {rows}  {}",
                self.paint.bold(&count(support_vectors as u64)),
                self.paint
                    .dim(&format!("{free} free, {bounded} bounded{over}")),
            ),
        )
    }

    /// Returns the text.
    pub(crate) fn finish(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

/// Says in one line what a model does: `svc on 150 rows, 3 classes of species`.
pub(crate) fn what(trained: &Trained) -> String {
    let target = trained.target().unwrap_or("the target");
    match (trained.task, trained.labels()) {
        (Task::Classify, Some(labels)) => {
            let shown: Vec<&str> = labels.iter().take(6).map(String::as_str).collect();
            let more = if labels.len() > 6 { ", …" } else { "" };
            format!(
                "tells {} classes of `{target}` apart: {}{more}",
                labels.len(),
                shown.join(", ")
            )
        }
        (Task::Regress, _) if trained.targets.len() > 1 => {
            format!("predicts the numbers `{}`", trained.targets.join("`, `"))
        }
        (Task::Regress, _) => format!("predicts the number `{target}`"),
        (Task::Cluster, _) => format!("sorts rows into {} clusters", trained.form.width()),
        _ => "tells rows that are unlike the training rows".to_owned(),
    }
}

/// What a method minimises, summed over its outputs or decisions, where it has one form.
pub(crate) fn objective_formula(method: &str) -> Option<&'static str> {
    let method = METHODS.iter().find(|m| m.name == method)?;
    Some(method.objective).filter(|formula| !formula.is_empty())
}

/// A score or one end of its interval; `-` where there is none.
pub(crate) fn metric_text(value: f64) -> String {
    if value.is_nan() {
        return "-".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 {
            "∞".to_owned()
        } else {
            "−∞".to_owned()
        };
    }
    if value.abs() <= 1.0 {
        format!("{value:.4}")
    } else {
        number(value)
    }
}

fn number_short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A confusion matrix with right predictions in green and wrong ones in red.
fn confusion_table(confusion: &ConfusionMatrix, paint: Paint) -> String {
    let labels = confusion.labels();
    let cell = |value: f64| {
        if value.fract() == 0.0 {
            count(value as u64)
        } else {
            format!("{value:.2}")
        }
    };
    let share = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{:.1}%", 100.0 * v));
    let corner = "true \\ predicted";
    let first = labels
        .iter()
        .map(|l| l.chars().count())
        .chain([corner.len()])
        .max()
        .unwrap_or(0);
    let widths: Vec<usize> = (0..labels.len())
        .map(|p| {
            let cells = (0..labels.len()).map(|t| cell(confusion.count(t, p)).len());
            cells.chain([labels[p].chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let mut header = vec![paint.dim(&format!("{corner:<first$}"))];
    let names = labels.iter().zip(&widths);
    header.extend(names.map(|(label, width)| format!("{label:>width$}")));
    header.push(paint.dim(&format!("{:>7}  {:>9}", "recall", "precision")));
    let mut lines = vec![header.join("  ")];
    for (t, label) in labels.iter().enumerate() {
        let mut line = vec![format!("{label:<first$}")];
        for (p, width) in widths.iter().enumerate() {
            let value = confusion.count(t, p);
            let padded = format!("{:>width$}", cell(value));
            line.push(match (t == p, value > 0.0) {
                (true, true) => paint.green(&padded),
                (false, true) => paint.red(&padded),
                _ => paint.dim(&padded),
            });
        }
        let shares = (share(confusion.recall(t)), share(confusion.precision(t)));
        line.push(paint.dim(&format!("{:>7}  {:>9}", shares.0, shares.1)));
        lines.push(line.join("  "));
    }
    lines.join("\n")
}

/// The most frequent confusions, for more classes than a table can show.
fn confusion_list(confusion: &ConfusionMatrix) -> String {
    let labels = confusion.labels();
    let mut pairs: Vec<(f64, usize, usize)> = (0..labels.len())
        .flat_map(|t| (0..labels.len()).map(move |p| (t, p)))
        .filter(|(t, p)| t != p)
        .map(|(t, p)| (confusion.count(t, p), t, p))
        .filter(|(count, _, _)| *count > 0.0)
        .collect();
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shown = pairs.iter().take(MOST_PAIRS);
    let lines = shown.map(|(n, t, p)| format!("{n} × {} taken for {}", labels[*t], labels[*p]));
    lines.collect::<Vec<_>>().join("\n")
}
