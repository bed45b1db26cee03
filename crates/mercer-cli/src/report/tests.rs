//! The page as a whole, on models of the bundled data.

use mercer::data::{Roles, Table, Task};
use mercer::fit::{FitContext, Note, StopReason};
use mercer::judge::Scores;
use mercer::model::{AnyEstimator, Recipe, Trained};
use mercer_io::{ReadOptions, Source};

use super::{Data, Evidence, Input, render};
use crate::scoring::{CONFIDENCE, Truth, score};

struct Case {
    trained: Trained,
    scores: Scores,
    data: Data,
    evidence: Option<Evidence>,
}

/// Fits two thirds of a bundled set and judges the rest.
fn case(file: &str, target: &str) -> Case {
    let path = format!(
        "{}/../../tests/data/sets/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    let table =
        mercer_io::read(&Source::from_argument(path), &ReadOptions::default()).expect("a set");
    fit(&table, target)
}

fn fit(table: &Table, target: &str) -> Case {
    let context = FitContext::default();
    let roles = Roles {
        target: Some(target.to_owned()),
        ..Roles::default()
    };
    let mut recipe = Recipe::new(roles.clone());
    let assigned = roles.assign(table.clone()).expect("roles");
    let task = recipe
        .decide_task(&assigned, &mut Vec::new())
        .expect("a task");
    let targets = recipe.targets(&assigned, task).expect("targets");
    // The page is the subject, not the trials of the automatic model.
    let method = match task {
        Task::Classify => "ls_svc",
        _ => "ls_svr",
    };
    recipe.estimator = Some(AnyEstimator::named(method).expect("a method"));
    let rows = table.rows();
    let split = mercer::data::holdout(rows, &targets, 0.34, 0, None).expect("a split");
    let trained = recipe
        .fit(table.select(&split.train), &context)
        .expect("a fit")
        .model;
    let test = table.select(&split.test);
    let predictions = trained.predict(&test, &context).expect("answers");
    let truth = Truth::of(&trained, test.column(target).expect("target")).expect("truth");
    let Truth::Targets(known) = &truth else {
        panic!("targets expected")
    };
    Case {
        scores: score(&predictions, &truth, None, CONFIDENCE).expect("scores"),
        data: Data::of(table, &targets),
        evidence: Evidence::of(&predictions, known),
        trained,
    }
}

impl Case {
    fn page(&self, title: &str) -> String {
        render(&Input {
            title,
            trained: &self.trained,
            scores: Some(&self.scores),
            judged: Some("rows held out of learning"),
            data: Some(&self.data),
            evidence: self.evidence.as_ref(),
            search: None,
            model_file: Some("model.mercer"),
            when: None,
        })
    }
}

/// Tags that are opened and closed must balance.
fn assert_balanced(page: &str) {
    for tag in [
        "section", "table", "tr", "td", "th", "svg", "ul", "li", "dl", "div", "p", "main",
        "details", "text",
    ] {
        let open =
            page.matches(&format!("<{tag} ")).count() + page.matches(&format!("<{tag}>")).count();
        assert_eq!(open, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

fn assert_self_contained(page: &str) {
    for word in ["http", "src=", "<script", "@import", "url(", "<link"] {
        assert!(!page.contains(word), "{word}");
    }
}

/// Keeps a page for looking at it, where a folder is named.
fn keep(name: &str, page: &str) {
    if let Some(folder) = std::env::var_os("MERCER_REPORT_DIR") {
        let path = std::path::Path::new(&folder).join(format!("{name}.html"));
        std::fs::write(path, page).expect("the folder takes files");
    }
}

#[test]
fn two_classes() {
    let case = case("breast_cancer_wdbc.csv", "class");
    let page = case.page("breast_cancer_wdbc");
    keep("binary", &page);
    assert_balanced(&page);
    assert_self_contained(&page);
    for id in [
        "scores",
        "confusion",
        "decisions",
        "roc",
        "data",
        "kernel",
        "support",
        "solver",
        "usage",
        "glossary",
    ] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    assert!(page.contains("<strong>Converged.</strong>"));
    assert!(page.contains("mercer predict model.mercer NEW.csv"));
    assert!(page.contains("malignant") && page.contains("area under ROC"));
    assert!(page.contains(&super::text::escape(&case.trained.kernel_text())));
}

#[test]
fn several_classes() {
    let page = case("wine.csv", "class").page("wine");
    keep("several", &page);
    assert_balanced(&page);
    assert_self_contained(&page);
    assert!(page.contains("3 problems") && page.contains("macro F1"));
    assert!(page.contains("<section id=\"sureness\">"));
}

#[test]
fn numbers() {
    let case = case("diabetes_efron.csv", "target");
    let page = case.page("diabetes_efron");
    keep("numbers", &page);
    assert_balanced(&page);
    assert_self_contained(&page);
    assert!(page.contains("Predicted against true values") && page.contains("R²"));
    assert!(!page.contains("<section id=\"confusion\">"));
}

#[test]
fn same_input_same_bytes() {
    let mut first = case("iris.csv", "class");
    let mut second = case("iris.csv", "class");
    // Times differ from run to run; the page must not show them.
    first.trained.report.seconds = 1.0;
    second.trained.report.seconds = 2.0;
    assert_eq!(first.page("iris"), second.page("iris"));
}

#[test]
fn hostile_names_stay_text() {
    let hostile = "<script>alert('x')</script>\"&";
    let csv: String = std::iter::once(format!("\"{}\",y\n", hostile.replace('"', "\"\"")))
        .chain(
            (0..30).map(|i| format!("{},\"{}\"\n", i, if i < 15 { "<i>low</i>" } else { "a&b" })),
        )
        .collect();
    let source = Source::bytes("a.csv", csv.as_bytes());
    let table = mercer_io::read(&source, &ReadOptions::default()).expect("readable");
    let mut case = fit(&table, "y");
    case.trained
        .report
        .notes
        .push(Note::Alert(hostile.to_owned()));
    let page = render(&Input {
        title: hostile,
        trained: &case.trained,
        scores: Some(&case.scores),
        judged: Some(hostile),
        data: Some(&case.data),
        evidence: case.evidence.as_ref(),
        search: None,
        model_file: Some(hostile),
        when: Some(hostile),
    });
    assert!(!page.contains("<script") && !page.contains("<i>low"));
    assert!(page.contains("&lt;script&gt;") && page.contains("a&amp;b"));
    assert_balanced(&page);
}

#[test]
fn trouble_is_told() {
    let mut case = case("iris.csv", "class");
    case.trained.report.stop_reason = StopReason::IterationLimit;
    let page = render(&Input {
        title: "iris",
        trained: &case.trained,
        scores: None,
        judged: None,
        data: None,
        evidence: None,
        search: None,
        model_file: None,
        when: Some("2026-01-02"),
    });
    assert!(page.contains("Not converged: the iteration budget was used up."));
    assert!(page.contains("2026-01-02"));
    assert!(!page.contains("<section id=\"scores\">"));
    case.trained.report.problems.clear();
    assert!(case.page("iris").contains("Nothing is known of the fit."));
}
