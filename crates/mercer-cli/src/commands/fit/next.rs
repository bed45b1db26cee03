//! What to do after a fit: commands that work as they are printed.

use std::path::Path;

use mercer::data::Task;
use mercer::judge::Scores;
use mercer::model::Trained;

use super::title;
use crate::args::FitArgs;
use crate::display::FEWEST_EVALUATED;
use crate::style::quoted;
use crate::wording::bare;
use mercer_report::Evaluation;

/// A class is rare below this share of the rows, and lost below this share found.
const RARE: f64 = 0.2;
const LOST: f64 = 0.5;

/// Returns one or two commands, the most useful first.
pub(super) fn commands(
    args: &FitArgs,
    trained: &Trained,
    evaluated: Option<&Evaluation>,
    file: &Path,
) -> Vec<String> {
    let again = |more: &str| {
        let words = std::env::args_os().skip(1);
        let words: Vec<String> = words.map(|w| quoted(&w.to_string_lossy())).collect();
        format!("mercer {} {more}", words.join(" "))
    };
    let mut commands = Vec::new();
    // Standard input cannot be read again.
    if args.data != Path::new("-") {
        let mut given = args.model.settings.0.iter();
        let weighted = given.any(|g| g.name == "class_weights");
        let lost = evaluated.is_some_and(|j| !weighted && loses_a_class(&j.scores));
        if lost && args.model.model == "auto" {
            commands.push(again("--class-weight balanced"));
        } else if let Some(evaluated) = evaluated.filter(|j| j.rows.flatters()) {
            commands.push(again(&bare(&evaluated.unbiased())));
        } else if evaluated.is_none() && args.warm_start.is_none() && evaluable(trained) {
            commands.push(again("--folds 5"));
        } else if args.report.is_none() {
            let page = quoted(&format!("{}.html", title(&args.data)));
            commands.push(again(&format!("--report {page}")));
        }
    }
    let probabilities = if trained.form.readout().has_probabilities() {
        " --proba"
    } else {
        ""
    };
    let file = quoted(&file.to_string_lossy());
    if let Some(series) = &trained.series {
        let data = quoted(&args.data.to_string_lossy());
        let steps = match series.horizon() {
            1 => " --steps 12",
            _ => "",
        };
        commands.push(format!(
            "mercer forecast {file} {data}{steps} --plot next.svg"
        ));
        return commands;
    }
    commands.push(format!("mercer predict {file} NEW.csv{probabilities}"));
    commands
}

/// Whether folds can tell how good a model is.
fn evaluable(trained: &Trained) -> bool {
    let predicts = matches!(trained.task, Task::Classify | Task::Regress);
    predicts && trained.report.rows >= FEWEST_EVALUATED
}

/// Whether a rare class is mostly taken for another one.
fn loses_a_class(scores: &Scores) -> bool {
    let Some(confusion) = &scores.confusion else {
        return false;
    };
    let total = confusion.total();
    (0..confusion.labels().len()).any(|class| {
        let share = confusion.truths(class) / total;
        share > 0.0 && share < RARE && confusion.recall(class).is_some_and(|r| r < LOST)
    })
}
