//! PageRank against NetworkX.

use mercer::data::{Link, pagerank};
use serde_json::Value;

#[test]
fn ranks_are_those_of_networkx() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/oracle/maps.json"
    );
    let text = std::fs::read_to_string(path).expect("recorded results");
    let all: Value = serde_json::from_str(&text).expect("JSON");
    let cases = all["ranks"].as_array().expect("cases");
    assert!(cases.len() >= 6);
    for case in cases {
        let links = case["edges"]
            .as_array()
            .expect("edges")
            .iter()
            .map(|edge| Link {
                from: edge[0].as_u64().expect("a node") as u32,
                to: edge[1].as_u64().expect("a node") as u32,
                weight: edge[2].as_f64().expect("a weight"),
            });
        let links: Vec<Link> = links.collect();
        let nodes = case["nodes"].as_u64().expect("a count") as usize;
        let damping = case["damping"].as_f64().expect("a number");
        let found = pagerank(nodes, &links, damping, || true).expect("ranks");
        let expected = case["scores"].as_array().expect("ranks");
        for (found, expected) in found.scores.iter().zip(expected) {
            let expected = expected.as_f64().expect("a number");
            assert!((found - expected).abs() < 1e-12, "{}: {found}", case["id"]);
        }
    }
}
