//! Puts the sections together.

use mercer::data::Task;
use mercer::fit::StopReason;
use mercer::learn::METHODS;
use mercer::model::Trained;
use mercer_plot::page::{Document, Section, emphasis, heading};
use mercer_plot::{Markup, markup};

use super::input::{Data, Input};
use super::section;

/// What only these pages have.
const STYLE: &str = include_str!("style.css");

/// Renders one self-contained page.
pub fn render(input: &Input<'_>) -> String {
    let trained = input.trained;
    let report = &trained.report;
    // Without facts about the table, the model still knows its columns.
    let known = Data {
        rows: report.rows,
        columns: trained
            .encoder
            .input_columns()
            .into_iter()
            .map(|(name, kind)| (name, kind.name().to_owned()))
            .collect(),
        classes: Vec::new(),
    };
    let data = input.data.unwrap_or(&known);
    let expansion = trained.form.expansion();
    let definite = expansion.is_none_or(|model| model.kernel.is_definite());
    let [alerts, choices] = section::notes(report, input.wording);
    let converged = report.stop_reason == StopReason::Converged;
    let formula = objective_formula(&trained.method);
    let convergence = section::convergence(report, definite, formula);
    let quality = section::quality(input);
    let told = quality.is_some();
    let mut page = document(input.title)
        .top(header(input))
        .top(quality)
        .top((!told || !converged).then(|| convergence.clone()))
        .top(section::tiles(input))
        .top(
            input
                .evaluation
                .map(|found| section::origin(found, input.wording)),
        )
        .section(alerts)
        .section(section::drift(input.more.drift));
    if let Some(evaluation) = input.evaluation {
        let confusion = evaluation.scores.confusion.as_ref();
        let evidence = evaluation.evidence.as_ref();
        let baseline = evaluation.baseline.as_ref();
        page = page
            .section(evaluation.importance.as_ref().and_then(section::importance))
            .section(section::help(input))
            .section(section::drawn_shapes(input.more.shapes, trained.target()))
            .section(evidence.and_then(section::calibration))
            .section(evaluation.coverage.as_ref().map(section::coverage));
        let (residuals, others): (Vec<Section>, Vec<Section>) = evidence
            .map(section::answers)
            .unwrap_or_default()
            .into_iter()
            .partition(|section| section.id() == "scatter");
        for section in residuals {
            page = page.section(section);
        }
        page = page
            .section(section::worst(
                &evaluation.worst,
                trained.task == Task::Classify,
            ))
            .section(section::scores(
                &evaluation.scores,
                baseline,
                &evaluation.how,
            ))
            .section(confusion.and_then(section::confusion))
            .section(section::bounds(input, evaluation));
        for section in others {
            page = page.section(section);
        }
    } else {
        page = page.section(section::help(input));
    }
    let page = page
        .section(input.search.map(section::search))
        .section(section::trials(report, trained.task))
        .section(section::data(data, &trained.targets))
        .section(section::usage(&input.usage))
        .section(input.more.made.and_then(section::reproduce))
        .section(choices)
        .section(section::tree(trained))
        .section(section::projection(report))
        .section(section::neighbours(trained))
        .section(section::map(trained))
        .section(section::kernel(trained))
        .section(section::evidence(report, trained.task))
        .section(section::weights(report))
        .section(section::bayes(report))
        .section(section::support(trained, input.more.support))
        .section(section::solver(
            report,
            (told && converged).then_some(convergence),
        ));
    let glossary = section::glossary(&page);
    page.section(glossary).to_html()
}

/// What a method minimises, where that has a formula.
pub fn objective_formula(method: &str) -> Option<&'static str> {
    let method = METHODS.iter().find(|m| m.name == method)?;
    Some(method.objective).filter(|formula| !formula.is_empty())
}

/// An empty page.
pub(super) fn document(title: &str) -> Document {
    let footer = format!("mercer {}", env!("CARGO_PKG_VERSION"));
    Document::new(format!("{title} · mercer report"), footer).style(STYLE)
}

fn header(input: &Input<'_>) -> Markup {
    let eyebrow = match input.when {
        Some(when) => format!("mercer report · {when}"),
        None => "mercer report".to_owned(),
    };
    heading(&eyebrow, input.title, what(input.trained))
}

/// What was learnt, in one sentence.
fn what(trained: &Trained) -> Markup {
    let target = (!trained.targets.is_empty())
        .then(|| Markup::join(trained.targets.iter().map(emphasis), ", "));
    let learnt = match (trained.task, target, trained.labels()) {
        (Task::Classify, target, Some(labels)) => markup![
            format!("Tells the {} classes", labels.len()),
            target.map(|t| markup![" of ", t]),
            " apart"
        ],
        (Task::Regress, Some(target), _) => {
            markup!["Predicts the number ", target]
        }
        (Task::Regress, None, _) => "Predicts a number".into(),
        (Task::Cluster, ..) => format!("Sorts rows into {} clusters", trained.form.width()).into(),
        (Task::Novelty, ..) => "Tells inliers from outliers".into(),
        (Task::Embed, ..) if trained.form.memory().is_some() => {
            "Recalls the pattern that a row is most like".into()
        }
        (Task::Embed, ..) => format!("Gives rows {} coordinates", trained.form.width()).into(),
        _ => "A model".into(),
    };
    let title = METHODS.iter().find(|m| m.name == trained.method);
    let title = title.map_or(trained.method.as_str(), |method| method.title);
    let method = match (trained.method.as_str(), trained.task) {
        ("krr", Task::Classify) => format!("the sign of {title}"),
        _ => title.to_owned(),
    };
    markup![learnt, format!(" by {method}.")]
}
