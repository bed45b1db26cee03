//! The model files cover what a model can be, and none of them vanishes.

use std::collections::BTreeSet;
use std::path::Path;

use mercer::data::{Encoding, Task};
use mercer::kernel::KernelSpec;
use mercer_io::model::{inspect, load};
use serde_json::Value;

use super::{model_files, recorded};

/// The fewest model files.
const FEWEST: usize = 35;

/// Files of the first version, by name. Settings that a file does not tell, such as a hard
/// margin, can only vanish with their file.
const FIRST_VERSION: &[&str] = &[
    "auto_classes",
    "auto_dates",
    "auto_given_kernel",
    "auto_molecules",
    "auto_numbers",
    "auto_texts",
    "auto_two_classes",
    "classifier_probabilities",
    "gp",
    "graph_numbers",
    "graph_subtrees",
    "graph_walks",
    "imported_libsvm",
    "kernel_histograms",
    "kernel_normalise",
    "kernel_per_column",
    "kernel_precomputed",
    "kernel_product",
    "kernel_spline",
    "kernel_sum",
    "klr_one_vs_rest",
    "klr_two_classes",
    "krr",
    "krr_basis",
    "krr_linear",
    "krr_primal",
    "krr_several",
    "krr_sparse",
    "left_out_classes",
    "left_out_numbers",
    "lssvm_numbers",
    "lssvm_numbers_pruned",
    "lssvm_one_vs_one",
    "lssvm_one_vs_rest",
    "lssvm_pruned",
    "lssvm_row_weights",
    "lssvm_sparse",
    "lssvm_two_classes",
    "lssvm_weighted_copies",
    "molecule_paths",
    "molecule_subtrees",
    "network_circles",
    "network_commute",
    "network_diffusion",
    "network_laplacian",
    "network_novelty",
    "nu_svc_one_vs_one",
    "nu_svc_two_classes",
    "nu_svr",
    "one_class",
    "one_class_sparse",
    "one_vs_rest",
    "regressor",
    "risk_huber",
    "risk_squared_hinge",
    "single_dense",
    "single_sparse",
    "sparse",
    "svc_categories",
    "svc_class_weights",
    "svc_copies",
    "svc_dates",
    "svc_hard_margin",
    "svc_no_bias",
    "svc_one_vs_one",
    "svc_platt",
    "svc_regularised_bias",
    "svc_row_weights",
    "svc_sparse_scaled",
    "svc_two_classes",
    "svc_warm_start",
    "svc_weighted_copies",
    "svr_dates",
    "svr_no_bias",
    "svr_row_weights",
    "text_gaps",
    "text_mismatches",
    "text_numbers",
    "text_subsequences",
    "text_substrings",
    "text_words",
];

/// What the files must show between them, as [`facts`] words it.
const NEEDED: &[&str] = &[
    "form expansion",
    "form layers",
    "form linear",
    "form neighbours",
    "form prototypes",
    "form tree",
    // Methods; `lssvm` and `gp` are `ls_svc` and `ls_svr` in files.
    "method svc",
    "method svr",
    "method nu_svc",
    "method nu_svr",
    "method one_class",
    "method krr",
    "method mlp",
    "method rbf_net",
    "method ls_svc",
    "method ls_svr",
    "method klr",
    "method risk",
    "method c45",
    "method knn",
    "method ib2",
    "method memorise",
    "chosen automatically: classify",
    "chosen automatically: regress",
    "predicts several numbers",
    // Classes.
    "two classes by svc",
    "two classes by nu_svc",
    "two classes by ls_svc",
    "two classes by klr",
    "several classes by svc, one_vs_one",
    "several classes by svc, one_vs_rest",
    "several classes by nu_svc, one_vs_one",
    "several classes by ls_svc, one_vs_one",
    "several classes by ls_svc, one_vs_rest",
    "several classes by klr, one_vs_rest",
    // Columns.
    "kind numeric",
    "kind boolean",
    "kind categorical",
    "kind text",
    "kind date",
    "kind vectors",
    "kind molecule",
    "kind graph",
    "kind node",
    "missing values",
    "several kinds of columns",
    "words for booleans",
    "a column of one value",
    // Rows.
    "rows that are one support vector, svc",
    "rows that are one support vector, ls_svc",
    "factors of classes, svc",
    "factors of classes, ls_svc",
    // Storage of support vectors.
    "storage dense F64",
    "storage dense F32",
    "storage sparse F64",
    "storage sparse F32",
    // How sure predictions are.
    "tells probabilities",
    "tells variances",
    "tells moderated",
    "tells std",
    "tells intervals",
    "tells sets",
    "an interval without ends",
    "intervals of held-out rows",
    "intervals of a posterior",
    // Expressions.
    "kernel with +",
    "kernel with *",
    "kernel with ^",
    "kernel with @",
    "kernel with [",
    "kernel with normalise(",
    "kernel with exp(",
    // Families.
    "family linear",
    "family poly",
    "family rbf",
    "family laplace",
    "family matern",
    "family rq",
    "family sigmoid",
    "family spline",
    "family cosine",
    "family chi2",
    "family overlap",
    "family subsequence",
    "family substring",
    "family gap",
    "family spectrum",
    "family mismatch",
    "family weighted_degree",
    "family wl",
    "family shortest_path",
    "family random_walk",
    "family graphlet",
    "family diffusion",
    "family regularised_laplacian",
    "family commute",
    "family neighbourhood",
    "family precomputed",
];

/// Names what a model file shows.
fn facts(path: &Path) -> BTreeSet<String> {
    let seen = inspect(path).expect("described");
    let model = load(path).expect("a model");
    let answers = recorded(path);
    let mut facts = BTreeSet::from([format!("method {}", seen.method)]);
    if model.report.selection.is_some() {
        facts.insert(format!("chosen automatically: {}", seen.task));
    }
    if let (Some(labels), Some(scheme)) = (&seen.labels, &seen.scheme) {
        facts.insert(match labels.len() {
            2 => format!("two classes by {}", seen.method),
            _ => format!("several classes by {}, {scheme}", seen.method),
        });
    }
    let decisions = answers["decisions"][0].as_array().map_or(0, Vec::len);
    if seen.task == Task::Regress && decisions > 1 {
        facts.insert("predicts several numbers".to_owned());
    }
    let kinds: BTreeSet<String> = seen.columns.iter().map(|c| c.kind.to_string()).collect();
    if kinds.len() > 1 {
        facts.insert("several kinds of columns".to_owned());
    }
    facts.extend(kinds.into_iter().map(|kind| format!("kind {kind}")));
    if model
        .encoder
        .feature_names()
        .iter()
        .any(|n| n.ends_with("=(missing)"))
    {
        facts.insert("missing values".to_owned());
    }
    for column in model.encoder.columns() {
        if column.constant {
            facts.insert("a column of one value".to_owned());
        }
        if let Encoding::Boolean { words: Some(_), .. } = column.encoding {
            facts.insert("words for booleans".to_owned());
        }
    }
    facts.insert(format!("form {}", seen.form));
    let copies = model.form.expansion().and_then(|m| m.copies.as_ref());
    if copies.is_some() {
        facts.insert(format!("rows that are one support vector, {}", seen.method));
    }
    let classes = model.form.readout().classes();
    if classes.is_some_and(|classes| classes.factors.is_some()) {
        facts.insert(format!("factors of classes, {}", seen.method));
    }
    for (tensor, storage) in [("support.dense", "dense"), ("support.values", "sparse")] {
        let found = seen.tensors.iter().find(|t| t.name == tensor);
        // Texts and graphs come with a block of no columns.
        if let Some(found) = found.filter(|_| seen.features > 0) {
            facts.insert(format!("storage {storage} {}", found.dtype));
        }
    }
    for part in super::PARTS {
        if !answers[part].is_null() {
            facts.insert(format!("tells {part}"));
        }
    }
    if let Value::Array(rows) = &answers["intervals"] {
        let left_out = seen.tensors.iter().any(|t| t.name == "left_out");
        let source = if left_out {
            "held-out rows"
        } else {
            "a posterior"
        };
        facts.insert(format!("intervals of {source}"));
        if rows.iter().any(|row| row.to_string().contains("inf")) {
            facts.insert("an interval without ends".to_owned());
        }
    }
    for sign in ["+", "*", "^", "@", "[", "normalise(", "exp("] {
        if seen
            .kernel
            .as_ref()
            .is_some_and(|kernel| kernel.contains(sign))
        {
            facts.insert(format!("kernel with {sign}"));
        }
    }
    let kernel = KernelSpec::parse(seen.kernel.as_deref().unwrap_or("linear")).expect("a kernel");
    facts.extend(
        kernel
            .families()
            .iter()
            .map(|f| format!("family {}", f.name)),
    );
    facts
}

#[test]
fn no_model_file_vanishes() {
    let files = model_files();
    assert!(files.len() >= FEWEST, "{} model files", files.len());
    let of_first = |path: &&std::path::PathBuf| path.parent().is_some_and(|p| p.ends_with("v1"));
    let names: BTreeSet<String> = files
        .iter()
        .filter(of_first)
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    let expected: BTreeSet<String> = FIRST_VERSION.iter().map(|&n| n.to_owned()).collect();
    let gone: Vec<_> = expected.difference(&names).collect();
    let unlisted: Vec<_> = names.difference(&expected).collect();
    assert!(gone.is_empty(), "model files are gone: {gone:?}");
    assert!(
        unlisted.is_empty(),
        "model files that nobody would miss, as they are not listed here: {unlisted:?}"
    );
}

#[test]
fn model_files_cover_what_a_model_can_be() {
    let shown: BTreeSet<String> = model_files().iter().flat_map(|path| facts(path)).collect();
    let lacking: Vec<&&str> = NEEDED.iter().filter(|f| !shown.contains(**f)).collect();
    assert!(lacking.is_empty(), "no model file shows {lacking:?}");
}
