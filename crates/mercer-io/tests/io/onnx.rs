//! ONNX files, read back by a small decoder. Whether runtimes agree with mercer is checked
//! by `tests/data/oracle/onnx_check.py`.

use mercer::data::{Column, Origin, Roles, Table, Values};
use mercer::fit::FitContext;
use mercer::learn::AnyEstimator;
use mercer::learn::cluster::KMeans;
use mercer::learn::margin::{OneClass, Svc, Svr};
use mercer::learn::neighbours::Knn;
use mercer::learn::project::Pca;
use mercer::learn::tree::C45;
use mercer::model::Trained;
use mercer::model::readout::Scheme;
use mercer::recipe::{Recipe, Wish};
use mercer_io::onnx::{self, Style};
use mercer_io::{ReadOptions, Source, read};
use mercer_linalg::Matrix;

const TABLE: &str = "size,kind,label,day,y\n\
    1,a,0.5,2024-01-01,rose\n2,b,0.1,2024-02-03,lily\n3,a,0.7,2024-05-06,rose\n\
    4,b,0.2,2023-01-01,lily\n5,c,0.9,2022-12-24,rose\n2.5,b,,2024-07-01,lily\n";

/// The fields of a message with a number, as bytes; numbers as their bytes.
fn fields(mut message: &[u8], wanted: u64) -> Vec<&[u8]> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let (first, rest) = bytes.split_first().expect("a whole number");
            *bytes = rest;
            number |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                return number;
            }
        }
        unreachable!("numbers end")
    }
    let mut found = Vec::new();
    while !message.is_empty() {
        let tag = varint(&mut message);
        let before = message;
        let length = match tag & 7 {
            0 => {
                varint(&mut message);
                let length = before.len() - message.len();
                message = before;
                length
            }
            2 => varint(&mut message) as usize,
            5 => 4,
            kind => panic!("kind {kind} of a field"),
        };
        let (value, rest) = message.split_at(length);
        if tag >> 3 == wanted {
            found.push(value);
        }
        message = rest;
    }
    found
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn one(message: &[u8], field: u64) -> &[u8] {
    let found = fields(message, field);
    assert_eq!(found.len(), 1, "field {field}");
    found[0]
}

/// What the tests want to know of a file.
struct File {
    operators: Vec<String>,
    /// Name and kind of entries.
    inputs: Vec<(String, u8)>,
    outputs: Vec<(String, u8)>,
    domains: Vec<String>,
    metadata: Vec<(String, String)>,
}

const FLOAT: u8 = 1;
const INT64: u8 = 7;
const TEXT: u8 = 8;
const DOUBLE: u8 = 11;

impl File {
    fn of(bytes: &[u8]) -> Self {
        assert_eq!(text(one(bytes, 2)), "mercer");
        let graph = one(bytes, 7);
        let ports = |field: u64| {
            let ports = fields(graph, field).into_iter();
            ports
                .map(|p| (text(one(p, 1)), one(one(one(p, 2), 1), 1)[0]))
                .collect()
        };
        let nodes = fields(graph, 1);
        Self {
            operators: nodes.iter().map(|n| text(one(n, 4))).collect(),
            inputs: ports(11),
            outputs: ports(12),
            domains: fields(bytes, 8).iter().map(|o| text(one(o, 1))).collect(),
            metadata: fields(bytes, 14)
                .iter()
                .map(|e| (text(one(e, 1)), text(one(e, 2))))
                .collect(),
        }
    }

    fn metadata(&self, key: &str) -> &str {
        let found = self.metadata.iter().find(|(k, _)| k == key);
        &found.expect("a key").1
    }
}

fn named(list: &[(&str, u8)]) -> Vec<(String, u8)> {
    list.iter().map(|(n, k)| ((*n).to_owned(), *k)).collect()
}

fn fitted(table: Table, target: Option<&str>, estimator: AnyEstimator) -> Trained {
    let mut recipe = Recipe::new(Roles {
        targets: target.map(str::to_owned).into_iter().collect(),
        ..Roles::default()
    });
    recipe.task = Some(estimator.task());
    recipe.wish = Wish::Given(estimator);
    let context = FitContext::default();
    recipe.fit(table, &context).expect("learnt").model
}

fn flowers(estimator: AnyEstimator) -> Trained {
    let source = Source::bytes("flowers.csv", TABLE.as_bytes());
    let table = read(&source, &ReadOptions::default()).expect("a table");
    fitted(table, Some("y"), estimator)
}

fn sign(i: usize) -> f64 {
    if i.is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// Two clouds of bare vectors with the labels 1 and −1.
fn vectors(estimator: AnyEstimator) -> Trained {
    labelled(estimator, sign)
}

fn labelled(estimator: AnyEstimator, label: fn(usize) -> f64) -> Trained {
    let points = Matrix::from_fn(12, 3, |i, j| {
        sign(i) * (j + 1) as f64 + (i * j) as f64 / 9.0
    });
    let columns = vec![
        Column::new("x", Values::Vectors(points.into())),
        Column::new("y", Values::Numeric((0..12).map(label).collect())),
    ];
    let table = Table::try_new(columns, Origin::default()).expect("two columns");
    fitted(table, Some("y"), estimator)
}

fn svc(kernel: &str) -> Svc {
    Svc::default().kernel(kernel.parse().expect("a kernel"))
}

fn exported(trained: &Trained, style: Style) -> File {
    let bytes = onnx::to_bytes_as(trained, style).expect("expressible");
    let again = onnx::to_bytes_as(trained, style).expect("expressible");
    assert!(bytes == again, "the same model gives the same bytes");
    File::of(&bytes)
}

#[test]
fn columns_become_inputs() {
    let trained = flowers(AnyEstimator::Svc(svc("laplace(2)").probability(true)));
    let file = exported(&trained, Style::Auto);
    // `label` is an output, so the column makes way.
    let inputs = [
        ("size", DOUBLE),
        ("kind", TEXT),
        ("label_", DOUBLE),
        ("day", DOUBLE),
    ];
    assert_eq!(file.inputs, named(&inputs));
    let outputs = [
        ("label", TEXT),
        ("probabilities", DOUBLE),
        ("decision", DOUBLE),
    ];
    assert_eq!(file.outputs, named(&outputs));
    assert_eq!(file.domains, ["", "ai.onnx.ml"]);
    assert_eq!(file.metadata("mercer_labels"), r#"["lily","rose"]"#);
    assert_eq!(file.metadata("mercer_kernel"), "laplace(scale=2)");
    assert_eq!(file.metadata("mercer_form"), "plain");
    assert_eq!(file.metadata("mercer_target"), "y");
}

#[test]
fn operators_are_taken_where_they_suffice() {
    let trained = vectors(AnyEstimator::Svc(svc("rbf(gamma=0.1)")));
    let file = exported(&trained, Style::Auto);
    assert_eq!(file.metadata("mercer_form"), "operators");
    assert!(file.operators.iter().any(|o| o == "SVMClassifier"));
    assert_eq!(file.inputs, named(&[("X", FLOAT)]));
    assert_eq!(
        file.outputs,
        named(&[("label", INT64), ("decision", FLOAT)])
    );
    let plain = exported(&trained, Style::Plain);
    assert_eq!(plain.inputs, named(&[("X", DOUBLE)]));
    assert_eq!(
        plain.outputs,
        named(&[("label", INT64), ("decision", DOUBLE)])
    );
    assert_eq!(plain.domains, [""]);
    // With probabilities the operator's label could contradict them.
    let likely = vectors(AnyEstimator::Svc(svc("rbf(gamma=0.1)").probability(true)));
    assert_eq!(
        exported(&likely, Style::Auto).metadata("mercer_form"),
        "plain"
    );
    // Labels that no smooth function follows drive the coefficients up to C.
    let steep = AnyEstimator::Svc(svc("rbf(gamma=0.001)").c(1e6));
    let steep = labelled(steep, |i| sign(i * 7 % 5));
    assert_eq!(
        exported(&steep, Style::Auto).metadata("mercer_form"),
        "plain"
    );
}

#[test]
fn every_machine_has_its_outputs() {
    let kernel = || "rbf(gamma=0.1)".parse().expect("a kernel");
    let regression = vectors(AnyEstimator::Svr(Svr::default().kernel(kernel())));
    let novelty = vectors(AnyEstimator::OneClass(OneClass::default().kernel(kernel())));
    for (form, kind) in [(Style::Plain, DOUBLE), (Style::Operators, FLOAT)] {
        let outputs = exported(&regression, form).outputs;
        assert_eq!(outputs, named(&[("prediction", kind)]));
        let outputs = exported(&novelty, form).outputs;
        assert_eq!(outputs, named(&[("label", INT64), ("decision", kind)]));
    }
}

#[test]
fn what_no_graph_expresses_is_named() {
    let refused = |trained: &Trained, style: Style| {
        let error = onnx::to_bytes_as(trained, style).expect_err("not expressible");
        assert!(!error.hints().is_empty());
        error.to_string()
    };
    let laplace = vectors(AnyEstimator::Svc(svc("laplace(1)")));
    let message = refused(&laplace, Style::Operators);
    assert!(
        message.contains("the kernel `laplace(scale=1)` by its operators"),
        "{message}"
    );
    let rest = Svc {
        scheme: Scheme::OneVsRest,
        ..svc("linear")
    };
    let message = refused(&vectors(AnyEstimator::Svc(rest)), Style::Operators);
    assert!(message.contains("per class against the rest"), "{message}");
    let gram = Matrix::from_fn(6, 6, |i, j| f64::from(u8::from(i % 2 == j % 2)) + 0.1);
    let columns = vec![
        Column::new("x", Values::Vectors(gram.into())),
        Column::new(
            "y",
            Values::Numeric((0..6).map(|i| f64::from(i % 2)).collect()),
        ),
    ];
    let table = Table::try_new(columns, Origin::default()).expect("two columns");
    let given = fitted(table, Some("y"), AnyEstimator::Svc(svc("precomputed")));
    assert!(refused(&given, Style::Auto).contains("the kernel `precomputed`"));
}

#[test]
fn files_are_saved_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.onnx");
    let trained = vectors(AnyEstimator::Svc(svc("linear")));
    onnx::save(&trained, &path).expect("written");
    let bytes = std::fs::read(&path).expect("readable");
    assert_eq!(bytes, onnx::to_bytes(&trained).expect("expressible"));
    let other = vectors(AnyEstimator::Svc(svc("rbf(gamma=1)")));
    onnx::save(&other, &path).expect("replaced");
    assert_ne!(bytes, std::fs::read(&path).expect("readable"));
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1
    );
}

#[test]
fn trees_follow_all_branches_unless_operators_are_asked_for() {
    let tree = flowers(AnyEstimator::C45(C45 {
        min_rows: 1,
        prune: false,
        ..C45::default()
    }));
    let has = |file: &File, operator: &str| file.operators.iter().any(|o| o == operator);
    let chosen = exported(&tree, Style::Auto);
    assert_eq!(chosen.metadata("mercer_form"), "plain");
    assert!(!has(&chosen, "TreeEnsembleRegressor"));
    let inputs = [
        ("size", DOUBLE),
        ("kind", TEXT),
        ("label_", DOUBLE),
        ("day", DOUBLE),
    ];
    assert_eq!(chosen.inputs, named(&inputs));
    let fast = exported(&tree, Style::Operators);
    assert_eq!(fast.metadata("mercer_form"), "operators");
    assert!(has(&fast, "TreeEnsembleRegressor"));
    // Leaves are numbers, and decisions come from a table: both forms have the same outputs.
    assert_eq!(fast.outputs, chosen.outputs);
}

#[test]
fn neighbours_and_prototypes_are_distances() {
    let nearest = vectors(AnyEstimator::Knn(Knn::default().neighbours(3)));
    let file = exported(&nearest, Style::Auto);
    assert!(file.operators.iter().any(|o| o == "TopK"));
    assert_eq!(file.inputs, named(&[("X", DOUBLE)]));
    let error = onnx::to_bytes_as(&nearest, Style::Operators).expect_err("no such operator");
    assert!(error.to_string().contains("`neighbours`"), "{error}");
    let clusters = AnyEstimator::KMeans(KMeans::default().clusters(2));
    let points = Matrix::from_fn(12, 3, |i, j| sign(i) * (j + 1) as f64 + i as f64 / 9.0);
    let columns = vec![Column::new("x", Values::Vectors(points.into()))];
    let table = Table::try_new(columns, Origin::default()).expect("a column");
    let file = exported(&fitted(table, None, clusters), Style::Auto);
    assert!(file.operators.iter().any(|o| o == "ArgMin"));
    let outputs = [("label", INT64), ("decision", DOUBLE)];
    assert_eq!(file.outputs, named(&outputs));
}

#[test]
fn a_chain_is_one_graph() {
    let source = Source::bytes("flowers.csv", TABLE.as_bytes());
    let table = read(&source, &ReadOptions::default()).expect("a table");
    let mut recipe = Recipe::new(Roles {
        targets: vec!["y".to_owned()],
        ..Roles::default()
    });
    recipe.project = Some(AnyEstimator::Pca(Pca {
        components: Some(2),
        ..Pca::default()
    }));
    recipe.wish = Wish::Given(AnyEstimator::Svc(svc("rbf(gamma=0.1)")));
    let trained = recipe
        .fit(table, &FitContext::default())
        .expect("learnt")
        .model;
    let plain = exported(&trained, Style::Plain);
    assert!(plain.operators.iter().any(|o| o == "MatMul"));
    assert_eq!(plain.inputs.len(), 4);
    // Coordinates are in double precision, whatever the model after them is.
    let fast = exported(&trained, Style::Operators);
    assert_eq!(fast.inputs, plain.inputs);
    assert!(fast.operators.iter().any(|o| o == "SVMClassifier"));
}
