//! Graph kernels: values of `GraKeL`, properties on random graphs.

use mercer::data::{Edge, Graph, Records, Targets};
use mercer::kernel::{KernelSpec, check_gram};
use mercer_linalg::{Matrix, Par};
use proptest::prelude::*;
use serde_json::Value;

use super::oracle::{assert_near, entry, gram, read};

fn graph(value: &Value) -> Graph {
    let number = |v: &Value| v.as_u64().expect("a number") as u32;
    let list = |v: &Value| v.as_array().expect("a list").clone();
    let labels = list(&value["labels"]).iter().map(number).collect();
    let edges: Vec<Edge> = list(&value["edges"])
        .iter()
        .map(|e| Edge {
            from: number(&e[0]),
            to: number(&e[1]),
            label: 0,
        })
        .collect();
    Graph::try_new(labels, &edges).expect("a graph")
}

fn compare(answers: &Value, id: &str, found: &Matrix<f64>, change: impl Fn(usize, usize) -> f64) {
    let cases = answers["cases"].as_array().expect("a list");
    let case = cases.iter().find(|c| c["id"] == id).expect("a case");
    assert!(found.rows() > 1);
    for i in 0..found.rows() {
        for j in i..found.rows() {
            let expected = entry(&case["value"], i, j) + change(i, j);
            assert_near(found[(i, j)], expected, 1e-10, &format!("{id} {i} {j}"));
        }
    }
}

#[test]
fn values_are_those_of_grakel() {
    let answers = read("graphs_grakel.json");
    let graphs: Vec<Graph> = answers["graphs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(graph)
        .collect();
    let sizes: Vec<f64> = graphs.iter().map(|g| g.len() as f64).collect();
    let records = Records::from_graphs(graphs);
    let none = |_: usize, _: usize| 0.0;
    for h in 0..=3 {
        let found = gram(&format!("wl(iterations={h})"), &records);
        compare(&answers, &format!("wl-{h}"), &found, none);
    }
    compare(
        &answers,
        "shortest_path-labels",
        &gram("shortest_path", &records),
        none,
    );
    let plain = gram("shortest_path(labels=false)", &records);
    compare(&answers, "shortest_path-plain", &plain, none);
    let same = gram("wl(iterations=0)", &records);
    for decay in ["0.05", "0.1"] {
        let found = gram(
            &format!("random_walk(decay={decay}, labels=false)"),
            &records,
        );
        compare(
            &answers,
            &format!("random_walk-plain-{decay}"),
            &found,
            none,
        );
        let found = gram(&format!("random_walk(decay={decay})"), &records);
        // GraKeL lets walks of no step start anywhere, mercer at equal labels only.
        let start = |i: usize, j: usize| same[(i, j)] - sizes[i] * sizes[j];
        compare(
            &answers,
            &format!("random_walk-labels-{decay}"),
            &found,
            start,
        );
    }
}

/// Counts of connected shapes, which the results hold by their sorted degrees.
#[test]
fn graphlets_are_counted_like_by_enumeration() {
    let answers = read("graphs_grakel.json");
    let graphs: Vec<Graph> = answers["graphs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(graph)
        .collect();
    let count = graphs.len();
    let records = Records::from_graphs(graphs);
    for size in [3, 4] {
        let cases = answers["cases"].as_array().expect("a list");
        let case = cases.iter().find(|c| c["id"] == format!("graphlet-{size}"));
        let case = case.expect("a case");
        let shapes: Vec<&Value> = case["connected"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|shape| &case["counts"][shape.as_str().expect("degrees")])
            .collect();
        assert!(!shapes.is_empty());
        let found = gram(&format!("graphlet(size={size})"), &records);
        for i in 0..count {
            for j in 0..count {
                let product = |shape: &&Value| {
                    let at = |k: usize| shape[k].as_f64().expect("a count");
                    at(i) * at(j)
                };
                let expected: f64 = shapes.iter().map(product).sum();
                assert_eq!(found[(i, j)], expected, "{size}: {i} {j}");
            }
        }
    }
}

fn any_graph() -> impl Strategy<Value = Graph> {
    (0_u32..7).prop_flat_map(|n| {
        let labels = prop::collection::vec(0_u32..3, n as usize);
        let ends = (0..n.max(1), 0..n.max(1), 0_u32..2);
        let edges = prop::collection::vec(ends, 0..if n == 0 { 1 } else { 10 });
        (labels, edges).prop_map(move |(labels, edges)| {
            let edges = edges.into_iter().filter(|_| n > 0);
            let edges: Vec<Edge> = edges
                .map(|(from, to, label)| Edge { from, to, label })
                .collect();
            Graph::try_new(labels, &edges).expect("a graph")
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn matrices_are_symmetric_and_semidefinite(graphs in prop::collection::vec(any_graph(), 2..8)) {
        let records = Records::from_graphs(graphs);
        for kernel in [
            "wl", "wl(edges=false)", "shortest_path", "graphlet", "graphlet(size=3)", "random_walk",
            "normalise(wl)",
        ] {
            let matrix = gram(kernel, &records);
            for i in 0..records.len() {
                for j in 0..i {
                    prop_assert_eq!(matrix[(i, j)].to_bits(), matrix[(j, i)].to_bits(), "{}", kernel);
                }
            }
            let check = check_gram(&matrix, &Targets::None).expect("finite values");
            prop_assert!(check.verdict.is_kernel(), "{}: {:?}", kernel, check);
        }
    }
}

#[test]
fn walks_without_a_finite_sum_are_refused() {
    let edges: Vec<Edge> = (1..6)
        .map(|to| Edge {
            from: 0,
            to,
            label: 0,
        })
        .collect();
    let star = Graph::try_new(vec![0; 6], &edges).expect("a star");
    let records = Records::from_graphs([star]);
    let spec: KernelSpec = "random_walk(decay=0.5)".parse().expect("a kernel");
    let error = spec.gram(&records, Par::Sequential).expect_err("diverges");
    assert!(error.to_string().contains("row 1"), "{error}");
    assert!(gram("random_walk", &records)[(0, 0)].is_finite());
}
