//! The page as a whole, on models of the bundled data.

use mercer::data::{Roles, Table};
use mercer::explain::{Permutation, importance};
use mercer::fit::{FitContext, Note, StopReason};
use mercer::hint::{Word, Wording};
use mercer::judge::{CONFIDENCE, Constant, Truth, compare, score};
use mercer::model::Trained;
use mercer::recipe::{Recipe, Wish};
use mercer_io::{ReadOptions, Source};
use mercer_plot::Figure;

use super::{Data, Evidence, Input, More, render};
use crate::evaluation::{Evaluation, Rows, Worst};
use crate::told::Told;

/// Words of no front end.
struct Plain;

impl Wording for Plain {
    fn word(&self, word: &Word) -> String {
        format!("{word:?}")
    }
}

struct Case {
    trained: Trained,
    evaluation: Evaluation,
    data: Data,
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
        targets: vec![target.to_owned()],
        ..Roles::default()
    };
    let mut recipe = Recipe::new(roles);
    // The page is the subject, not the trials of the automatic model.
    recipe.wish = Wish::Named("lssvm".to_owned());
    let opened = recipe.open(table.clone()).expect("roles");
    let rows = opened.rows();
    let split = mercer::data::holdout(rows, &opened.targets, 0.34, 0, None).expect("a split");
    let train = opened.part(&split.train).prepare().expect("rows");
    let trained = train.fit(&context).expect("a fit").model;
    let test = opened.part(&split.test);
    let predictions = trained.predict(&test.features, &context).expect("answers");
    let truth = Truth::Targets(test.targets.clone());
    let training = opened.part(&split.train).targets;
    let naive = Constant::of(&training, None).expect("a constant");
    let settings = Permutation::default().repeats(2);
    let features = &test.features;
    let worth = importance(&trained, features, &truth, None, &settings, &context).expect("columns");
    Case {
        evaluation: Evaluation {
            scores: score(&predictions, &truth, &[], None, CONFIDENCE, &context).expect("scores"),
            rows: Rows::HeldOut,
            how: "rows held out of learning".to_owned(),
            baseline: compare(&predictions, &truth, &naive, None, CONFIDENCE).expect("alike"),
            notes: Vec::new(),
            evidence: Evidence::of(&predictions, &test.targets),
            each: Vec::new(),
            models: Vec::new(),
            worst: Worst::of(&predictions, &test.targets, features, Some(&worth)),
            importance: Some(worth),
            coverage: None,
        },
        data: Data::of(&opened),
        trained,
    }
}

impl Case {
    fn page(&self, title: &str) -> String {
        render(&Input {
            title,
            trained: &self.trained,
            evaluation: Some(&self.evaluation),
            data: Some(&self.data),
            search: None,
            usage: vec![("use model.mercer".to_owned(), "it predicts")],
            wording: &Plain,
            next: vec!["mercer predict model.mercer NEW.csv".to_owned()],
            when: None,
            more: More::default(),
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
        let mut path = std::path::Path::new(&folder).join(name);
        if path.extension().is_none() {
            path.set_extension("html");
        }
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
    // In the order in which they are read.
    let mut from = 0;
    for id in [
        "importance",
        "calibration",
        "worst",
        "scores",
        "confusion",
        "decisions",
        "roc",
        "data",
        "usage",
        "kernel",
        "solver",
        "glossary",
    ] {
        let place = page[from..].find(&format!("<section id=\"{id}\">"));
        from += place.unwrap_or_else(|| panic!("{id}"));
    }
    // Every row of least squares has a weight; there is nothing to say of the others.
    assert!(!page.contains("<section id=\"support\">"));
    let verdict = page.find("class=\"verdict good\"").expect("a verdict");
    assert!(verdict < page.find("<section").expect("sections"));
    assert!(page.contains("<strong>Converged.</strong>"));
    assert!(page.contains("use model.mercer"));
    assert!(page.contains("malignant") && page.contains("area under ROC"));
    let kernel = mercer_plot::Markup::from(case.trained.kernel_text().expect("a kernel"));
    assert!(page.contains(kernel.as_str()));
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
    assert!(page.contains("of the variance of <code>target</code> is explained"));
    assert!(!page.contains("<section id=\"confusion\">"));
}

/// Acids with a ring among other molecules; enough for a model that sees the difference.
const MOLECULES: &str = "smiles,acid\n\
    CC(=O)Oc1ccccc1C(=O)O,yes\nCCO,no\nCCCO,no\nOc1ccccc1C(=O)O,yes\nCCN,no\nCCCCO,no\n\
    c1ccccc1C(=O)O,yes\nCCOCC,no\nCC(C)O,no\nNc1ccccc1C(=O)O,yes\nCc1ccccc1C(=O)O,yes\n\
    CCCN,no\nClc1ccccc1C(=O)O,yes\nCOC,no\nOC(=O)c1ccncc1,yes\nCCCCCC,no\n";

#[test]
fn an_explained_molecule() {
    let source = Source::bytes("molecules.csv", MOLECULES.as_bytes());
    let table = mercer_io::read(&source, &ReadOptions::default()).expect("readable");
    let trained = fit(&table, "acid").trained;
    let found = trained
        .explain(&table, 0, &FitContext::default())
        .expect("an explanation");
    let row = table.select(&[0]);
    let told = Told {
        answer: "acid is yes".to_owned(),
        class: true,
        probability: Some(0.75),
        value: None,
    };
    let page = super::render_explanation("row 1", &trained, &row, &found, &told);
    assert!(page.contains("probability 75.0 %"));
    keep("explained", &page);
    assert_balanced(&page);
    assert_self_contained(&page);
    assert!(page.contains("<section id=\"graph\">") && page.contains("<section id=\"parts\">"));
    let mut picture = super::explanation::picture("smiles", &row, &found).expect("a molecule");
    picture.title = "Aspirin: what the decision loses without an atom".to_owned();
    // Atoms, and the influences of the parts are the same numbers.
    let sum = |values: &[f64]| values.iter().sum::<f64>();
    let weights: Vec<f64> = picture.atoms.iter().filter_map(|a| a.weight).collect();
    let influences: Vec<f64> = found.influences.iter().map(|i| i.value).collect();
    assert_eq!(weights.len(), 13);
    assert!((sum(&weights) - sum(&influences)).abs() < 1e-9);
    keep("explained-molecule.svg", &picture.to_svg());
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
    case.evaluation.how = hostile.to_owned();
    let page = render(&Input {
        title: hostile,
        trained: &case.trained,
        evaluation: Some(&case.evaluation),
        data: Some(&case.data),
        search: None,
        usage: vec![(hostile.to_owned(), "hostile")],
        wording: &Plain,
        next: vec![hostile.to_owned()],
        when: Some(hostile),
        more: More::default(),
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
        evaluation: None,
        data: None,
        search: None,
        usage: Vec::new(),
        wording: &Plain,
        next: Vec::new(),
        when: Some("2026-01-02"),
        more: More::default(),
    });
    assert!(page.contains("Not converged: the iteration budget was used up."));
    assert!(page.contains("2026-01-02"));
    assert!(!page.contains("<section id=\"scores\">"));
    case.trained.report.rows = 0;
    if let Some(solver) = &mut case.trained.report.solver {
        solver.problems.clear();
    }
    let page = render(&Input {
        title: "iris",
        trained: &case.trained,
        evaluation: None,
        data: None,
        search: None,
        usage: Vec::new(),
        wording: &Plain,
        next: Vec::new(),
        when: None,
        more: More::default(),
    });
    assert!(page.contains("Nothing is known of the fit."));
}
