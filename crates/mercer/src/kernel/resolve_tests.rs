//! Tests of parameters chosen from data.

use mercer_linalg::Matrix;

use super::*;
use crate::data::{Graph, Network, Points};
use crate::kernel::testing::{records, sparse};
use crate::kernel::{Input, families};

fn table() -> Records {
    let points = Matrix::from_fn(40, 3, |i, j| ((i * 7 + j * 5) % 11) as f64 / 11.0);
    Records::from_points(Points::from(points))
}

fn resolve_text(text: &str, rows: &Records) -> (ResolvedKernel, Vec<Note>) {
    let kernel: KernelSpec = text.parse().expect("an expression");
    kernel.resolve(rows, None).expect("resolves")
}

fn number(kernel: &ResolvedKernel, name: &str) -> f64 {
    match kernel.spec() {
        KernelSpec::Base { family, settings } => {
            let index = family.parameter(name).expect("a parameter");
            settings.number(index).expect("a number")
        }
        other => panic!("{other}"),
    }
}

#[test]
fn width_is_that_of_scikit_learn() {
    // numpy: 1 / (2 * np.array([[0, 2], [4, 0]]).var()) = 1 / (2 * 2.75).
    let rows = records(&[&[0.0, 2.0], &[4.0, 0.0]]);
    for rows in [sparse(&rows), rows] {
        let (kernel, notes) = resolve_text("rbf", &rows);
        assert!((number(&kernel, "gamma") - 1.0 / 5.5).abs() < 1e-15);
        assert_eq!(
            notes,
            [Note::Choice(
                "`gamma` of rbf is 0.1818: 1/(columns × variance), as nothing was given".into()
            )]
        );
    }
}

#[test]
fn constant_rows_have_width_one() {
    let (kernel, notes) = resolve_text("rbf", &records(&[&[0.1, 0.1], &[0.1, 0.1]]));
    assert_eq!(kernel.to_string(), "rbf(gamma=1)");
    assert!(notes[0].text().contains("variance is 0"));
}

#[test]
fn given_values_are_kept_and_not_noted() {
    for text in [
        "rbf(sigma=2)",
        "rbf(gamma=[1,2,3])",
        "laplace(scale=1)",
        "linear",
    ] {
        let (kernel, notes) = resolve_text(text, &table());
        assert_eq!(kernel.to_string(), text);
        assert!(notes.is_empty());
    }
}

#[test]
fn every_family_resolves_completely() {
    for family in families() {
        let rows = match family.input {
            Input::Matrix => records(&[&[1.0]]),
            Input::Texts => Records::from_texts(["abcde", "bcdea"]),
            Input::Graphs => {
                let pair = [
                    Graph::try_new(vec![0, 1], &[]),
                    Graph::try_new(vec![1], &[]),
                ];
                Records::from_graphs(pair.map(|g| g.expect("a graph")))
            }
            Input::Nodes => {
                let names = vec!["a".to_owned(), "b".to_owned()];
                let network = Network::try_new(names, &[]).expect("a network");
                Records::from_nodes(network, vec![0, 1])
            }
            Input::Vectors | Input::Codes => table(),
        };
        let (kernel, notes) = resolve_text(family.name, &rows);
        let again: ResolvedKernel = kernel.to_string().parse().expect("complete");
        assert_eq!(again, kernel);
        let json = serde_json::to_string(&kernel).expect("text");
        assert_eq!(
            serde_json::from_str::<ResolvedKernel>(&json).expect("text"),
            kernel
        );
        assert!(notes.iter().all(|n| matches!(n, Note::Choice(_))));
        kernel.bind(&rows).expect("binds");
    }
}

#[test]
fn median_is_that_of_all_pairs() {
    let rows = records(&[&[0.0], &[1.0], &[3.0], &[7.0]]);
    // Distances 1, 2, 3, 4, 6, 7; the upper median is 4.
    let (kernel, _) = resolve_text("laplace", &rows);
    assert_eq!(number(&kernel, "scale"), 4.0);
    let (kernel, notes) = resolve_text("matern", &rows);
    assert_eq!(number(&kernel, "length"), 4.0);
    assert_eq!(notes.len(), 2);
}

#[test]
fn only_selected_columns_count() {
    let rows = records(&[&[0.0, 100.0], &[2.0, -100.0]]);
    let (kernel, _) = resolve_text("rbf@1", &rows);
    assert_eq!(kernel.to_string(), "rbf(gamma=1)@1");
    let spec: KernelSpec = "rbf(sigma=[1,2])@1".parse().expect("text");
    let error = spec.resolve(&rows, None).expect_err("two for one");
    assert_eq!(
        error.to_string(),
        "`sigma` of rbf has 2 values, one per feature; 1 expected"
    );
}

#[test]
fn open_kernels_are_not_resolved() {
    for text in [
        "rbf",
        "poly(degree=2)",
        "linear + laplace",
        "exp(matern(nu=0.5))",
    ] {
        let error = text.parse::<ResolvedKernel>().expect_err("open");
        assert!(error.to_string().contains("is not given"), "{error}");
    }
    for text in ["linear", "rbf(sigma=1)", "rbf(gamma=1)", "cosine^2"] {
        assert!(text.parse::<ResolvedKernel>().is_ok());
    }
}

#[test]
fn built_kernels_are_checked() {
    for kernel in [
        KernelSpec::rbf(-1.0),
        KernelSpec::rbf(f64::NAN),
        KernelSpec::linear().scaled(0.0),
        KernelSpec::linear().power(0),
        KernelSpec::Sum(Vec::new()),
        KernelSpec::linear().on([]),
        KernelSpec::poly(0, 1.0, 1.0),
        KernelSpec::rbf_sigma(1.0)
            .with("gamma", 2.0)
            .expect("a parameter"),
    ] {
        assert!(kernel.resolve(&table(), None).is_err(), "{kernel}");
        assert!(ResolvedKernel::try_new(kernel).is_err());
    }
}

#[test]
fn missing_values_and_columns_are_named() {
    let rows = records(&[&[1.0, 2.0], &[3.0, f64::NAN]]);
    let error = KernelSpec::rbf_auto().resolve(&rows, None);
    let text = error.expect_err("NaN").to_string();
    assert!(text.starts_with("row 2, column `x[2]`"), "{text}");
    let none = Records::from_points(Points::from(Matrix::<f64>::zeros(3, 0)));
    assert!(KernelSpec::rbf_auto().resolve(&none, None).is_err());
}

#[test]
fn definiteness_is_inherited() {
    let definite = |text: &str| text.parse::<KernelSpec>().expect("text").is_definite();
    assert!(definite("rbf + 2*linear@a"));
    assert!(definite("precomputed"));
    assert!(!definite("rbf + exp(sigmoid)"));
}

#[test]
fn two_vectors_are_compared() {
    let value = KernelSpec::poly(2, 1.0, 1.0).evaluate(&[1.0, 2.0], &[3.0, 4.0]);
    assert_eq!(value, Ok(144.0));
    let distance = KernelSpec::linear().distance(&[0.0, 0.0], &[3.0, 4.0]);
    assert_eq!(distance, Ok(5.0));
    assert!(KernelSpec::linear().evaluate(&[1.0], &[1.0, 2.0]).is_err());
}
