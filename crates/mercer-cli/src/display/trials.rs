//! What was tried, in lines that fit a terminal.

use mercer::data::Task;
use mercer::fit::{FitReport, Trial};
use mercer_plot::text::shorten;

use super::{Page, WIDTH};
use mercer_report::{compared_by, loss};

/// Longer names are cut.
const NAME: usize = 28;

impl Page {
    /// Adds the trials, the chosen one first; at most so many lines.
    pub(crate) fn trials(&mut self, report: &FitReport, task: Task, most: usize) -> &mut Self {
        let trials = report.trials();
        if trials.is_empty() || most < 2 {
            return self;
        }
        let shown = if trials.len() < most {
            trials.len()
        } else {
            most - 2
        };
        let (what, task) = compared_by(report, task);
        let aside = format!("{what} on held-out rows, difference ± standard error");
        let title = self.paint.bold("Tried");
        let aside = self.paint.dim(&aside);
        self.line(&format!("{title}  {aside}"));
        let names: Vec<String> = trials[..shown].iter().map(short_name).collect();
        let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
        for (place, (trial, name)) in trials.iter().zip(&names).enumerate() {
            let value = format!("{:>8}", loss(trial.loss, task));
            let behind = if place == 0 {
                self.paint.green("chosen")
            } else {
                let room = WIDTH - 2 - width - 2 - value.chars().count() - 2;
                self.paint.dim(&shorten(&difference(trial, task), room))
            };
            self.line(&format!("  {name:<width$}  {value}  {behind}"));
        }
        if shown < trials.len() {
            let more = format!("  and {} more", trials.len() - shown);
            let more = self.paint.dim(&more);
            self.line(&more);
        }
        self
    }
}

/// How far a trial is from the chosen one: `+0.35 ± 0.41 %`.
fn difference(trial: &Trial, task: Task) -> String {
    let sign = if trial.behind < 0.0 { "−" } else { "+" };
    let clear = if trial.is_clearly_behind() {
        "clearly worse"
    } else if trial.behind < 0.0 {
        "not clearly better"
    } else {
        "not clearly worse"
    };
    let [by, error] = [trial.behind.abs(), trial.behind_error].map(|v| loss(v, task));
    let by = by.trim_end_matches(" %");
    format!("{sign}{by} ± {error}  {clear}")
}

/// A trial's name without how its settings were found.
fn short_name(trial: &Trial) -> String {
    let name = trial
        .name
        .trim_end_matches(" by evidence")
        .trim_end_matches(" by held-out rows");
    let name = name.replace("a support vector machine on ", "SVM, ");
    let name = name.replace("a Gaussian (RBF) kernel", "rbf");
    shorten(&name, NAME)
}
