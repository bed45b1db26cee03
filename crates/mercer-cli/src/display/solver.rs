//! What a fit reports about its solver.

use mercer::data::Task;
use mercer::fit::{
    EvidenceReport, FeatureReport, FitReport, NeighbourReport, StopReason, TreeReport,
};
use mercer::learn::METHODS;
use mercer::model::Trained;

use super::Page;
use crate::style::{bytes, count, duration, number, plural, short_numbers};
use mercer_report::{left_out, noise_text, objective_formula};

impl Page {
    /// Adds what the squared loss knows of itself.
    fn evidence(&mut self, evidence: &EvidenceReport, task: Task) -> &mut Self {
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
        );
        // Where the kernel matrix was not factored no row was left out.
        if !evidence.leave_one_out.is_nan() {
            let (name, value) = left_out(evidence, task);
            self.item(name, &paint.bold(&value));
        }
        self
    }

    /// Adds what a fit reports about itself.
    pub(crate) fn fit(&mut self, trained: &Trained) -> &mut Self {
        let report = &trained.report;
        if let Some(evidence) = &report.evidence {
            self.evidence(evidence, trained.task);
        }
        if let Some(features) = &report.features {
            self.features(features);
        }
        if let Some(linear) = &report.linear {
            self.linear(linear);
        }
        if let Some(bayes) = &report.bayes {
            self.bayes(bayes);
        }
        if let Some(tree) = &report.tree {
            self.tree(tree);
        }
        if let Some(neighbours) = &report.neighbours {
            self.neighbours(neighbours);
        }
        let solver = report.solver();
        if let Some(kernel) = &report.kernel {
            self.support(report, kernel.support_vectors);
        }
        self.slack(report);
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
        if let Some(told) = &report.projection {
            let aside = self.paint.dim("of the largest eigenvalue, at most");
            self.item("residual", &format!("{}  {aside}", number(told.residual)));
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

    /// Adds what least squares on features knows of itself.
    fn features(&mut self, told: &FeatureReport) -> &mut Self {
        let paint = self.paint;
        let found = told.found_by.as_deref();
        let found = found.map_or_else(|| "given".to_owned(), |rule| format!("by the {rule}"));
        self.item(
            "lambda",
            &format!("{}  {}", number(told.lambda), paint.dim(&found)),
        );
        let aside = format!(
            "that the data determine, of {} in {}",
            plural(told.directions, "direction"),
            plural(told.components, "feature")
        );
        let effective = told.effective_parameters;
        self.item(
            "parameters",
            &format!("{effective:.1}  {}", paint.dim(&aside)),
        );
        if let Some(error) = told.held_out_error {
            let aside = format!(
                "root mean square over {} folds that are left out",
                told.folds
            );
            let value = paint.bold(&number(error));
            self.item("held-out error", &format!("{value}  {}", paint.dim(&aside)));
        }
        if let Some(wrong) = told.held_out_wrong {
            let value = paint.bold(&format!("{:.2} %", 100.0 * wrong));
            self.item(
                "wrong classes",
                &format!("{value}  {}", paint.dim("of rows that are left out")),
            );
        }
        self
    }

    /// Adds which rows are kept, and how they are compared.
    fn neighbours(&mut self, told: &NeighbourReport) -> &mut Self {
        let paint = self.paint;
        let given = paint.dim(&format!("of {}", plural(told.rows_given, "row")));
        let kept = paint.bold(&count(told.rows_kept as u64));
        self.item("rows kept", &format!("{kept}  {given}"));
        let scaling = match told.scaling.as_deref() {
            Some("none") => ", numbers as they are",
            Some("range") => ", numbers scaled to a range",
            Some("standard") => ", numbers standardised",
            Some("whiten") => ", numbers whitened",
            _ => "",
        };
        let how = paint.dim(&format!("by {}{scaling}", told.distance));
        self.item("neighbours", &format!("{}  {how}", told.neighbours));
        if let Some([equal, learnt]) = told.left_out_losses {
            let aside = paint.dim(&format!("{} with equal weights", number(equal)));
            self.item("left-out loss", &format!("{}  {aside}", number(learnt)));
            let mut weights = told.column_weights.clone();
            weights.sort_by(|a, b| b.1.total_cmp(&a.1));
            let shown: Vec<String> = weights
                .iter()
                .filter(|(_, weight)| *weight > 0.0)
                .take(8)
                .map(|(name, weight)| format!("{name} {}", number(*weight)))
                .collect();
            let silent = weights.iter().filter(|(_, weight)| *weight == 0.0).count();
            let silent = paint.dim(&format!("{} without a say", plural(silent, "column")));
            self.item("column weights", &format!("{}  {silent}", shown.join(", ")));
        }
        self
    }

    /// Adds how large a tree is, what it gets wrong, and whether one test would do.
    fn tree(&mut self, tree: &TreeReport) -> &mut Self {
        let paint = self.paint;
        let depth = paint.dim(&format!(
            "at most {} below each other",
            plural(tree.depth, "test")
        ));
        let noun = if tree.leaves == 1 { "leaf" } else { "leaves" };
        let leaves = paint.bold(&format!("{} {noun}", count(tree.leaves as u64)));
        self.item("tree", &format!("{leaves}  {depth}"));
        let share = |errors: f64| format!("{:.1} %", 100.0 * errors / tree.weight);
        let stump = match tree.stump_errors {
            Some(errors) => format!("the best single test {}", share(errors)),
            None => "no single test is of use".to_owned(),
        };
        self.item(
            "training error",
            &format!("{}  {}", share(tree.training_errors), paint.dim(&stump)),
        );
        let bits = tree.tree_bits + tree.class_bits;
        let without = format!("{:.0} without a tree", tree.bits_without_tree);
        self.item(
            "description",
            &format!("{bits:.0} bits  {}", paint.dim(&without)),
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
        // Rows on which mistakes were made have no bound.
        let kinds = if report.mistakes.is_some() || problems.is_empty() {
            String::new()
        } else {
            format!("{free} free, {bounded} bounded{over}")
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
                self.paint.dim(&kinds),
            ),
        )
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
        (Task::Cluster, _) => format!(
            "sorts rows into {}",
            plural(trained.form.width(), "cluster")
        ),
        (Task::Embed, _) if trained.form.memory().is_some() => {
            format!("recalls patterns of {} columns", trained.form.width())
        }
        (Task::Embed, _) => format!("gives rows {}", plural(trained.form.width(), "coordinate")),
        _ => "tells rows that are unlike the training rows".to_owned(),
    }
}

/// A model in a few words: `lssvm, rbf(gamma=0.0333)`.
pub(crate) fn model_text(trained: &Trained) -> String {
    let method = METHODS.iter().find(|m| m.name == trained.method);
    let name = method.map_or(trained.method.as_str(), |m| m.shown());
    match trained.kernel_text() {
        Some(kernel) => format!("{name}, {}", short_numbers(&kernel)),
        None => name.to_owned(),
    }
}
