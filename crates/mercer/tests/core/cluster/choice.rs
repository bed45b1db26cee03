//! Silhouettes against scikit-learn, and how many clusters.

use mercer::data::{Dataset, Records, Targets};
use mercer::fit::FitContext;
use mercer::learn::cluster::{KMeans, choose_clusters, silhouette};
use mercer_linalg::{Csr, Matrix};
use serde_json::Value;

use super::{groups, records};

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list").iter();
    list.map(|v| v.as_f64().expect("a number")).collect()
}

#[test]
fn silhouettes_and_indices_are_those_of_scikit_learn() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/oracle/maps.json"
    );
    let text = std::fs::read_to_string(path).expect("recorded results");
    let recorded: Value = serde_json::from_str(&text).expect("JSON");
    let cases = recorded["silhouettes"].as_array().expect("cases");
    assert!(cases.len() >= 5);
    for case in cases {
        let rows: Vec<Vec<f64>> = case["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .map(numbers)
            .collect();
        let x = Matrix::from_vec(rows.len(), rows[0].len(), rows.concat());
        let labels: Vec<u32> = numbers(&case["labels"]).iter().map(|l| *l as u32).collect();
        let expected = numbers(&case["samples"]);
        let sparse = Records::from_points(Csr::from_dense(x.as_ref()));
        for rows in [records(&x), sparse] {
            for threads in [1, 2] {
                let context = FitContext::default().threads(threads);
                let found = silhouette(&rows, &labels, None, &context).expect("silhouettes");
                for (found, expected) in found.iter().zip(&expected) {
                    // Distances are good to ten digits.
                    assert!(
                        (found - expected).abs() < 1e-9,
                        "{}: {found} {expected}",
                        case["id"]
                    );
                }
            }
        }
    }
}

#[test]
fn weights_are_copies_and_one_cluster_is_refused() {
    let x = groups(90, 3, 3, 4);
    let labels: Vec<u32> = (0..90).map(|i| (i % 3) as u32).collect();
    let weights: Vec<f64> = (0..90).map(|i| (i % 4) as f64).collect();
    let context = FitContext::default();
    let found = silhouette(&records(&x), &labels, Some(&weights), &context).expect("values");
    let copied: Vec<usize> = (0..90)
        .flat_map(|i| std::iter::repeat_n(i, i % 4))
        .collect();
    let copies: Vec<u32> = copied.iter().map(|&i| labels[i]).collect();
    let expected = silhouette(&records(&x.select_rows(&copied)), &copies, None, &context);
    for (&row, expected) in copied.iter().zip(expected.expect("values")) {
        assert!((found[row] - expected).abs() < 1e-12);
    }
    assert!(
        found.iter().step_by(4).all(|s| *s == 0.0),
        "rows of weight 0"
    );
    assert!(silhouette(&records(&x), &[0; 90], None, &context).is_err());
    assert!(silhouette(&records(&x), &[0; 9], None, &context).is_err());
    let alone = silhouette(&records(&x), &(0..90).collect::<Vec<u32>>(), None, &context);
    assert!(alone.expect("values").iter().all(|s| *s == 0.0));
}

#[test]
fn the_number_of_groups_is_found_with_a_reason() {
    let context = FitContext::default();
    let choose = |x: &Matrix<f64>, counts| {
        let data = Dataset::try_new(records(x), Targets::None).expect("rows");
        choose_clusters(&KMeans::default(), &data, counts, &context)
    };
    // The corners of a square: gap(2) − gap(1) is about log(5/4), that of 3 and 2 the same or more, three errors and more.
    // Groups in other places may have a gap that hardly grows at first, where the rule stops.
    let one = groups(200, 2, 1, 3);
    let apart = Matrix::from_fn(200, 2, |i, j| {
        let corner = [i % 2, i / 2 % 2][j];
        one[(i, j)] + 40.0 * corner as f64
    });
    let found = choose(&apart, 1..=8).expect("a choice");
    assert_eq!(found.chosen, 4, "{}", found.reason);
    assert!(
        found
            .reason
            .starts_with("4 clusters: their mean silhouette"),
        "{}",
        found.reason
    );
    assert_eq!(found.table.len(), 8);
    assert!(
        found
            .table
            .windows(2)
            .all(|pair| pair[1].inertia <= pair[0].inertia * (1.0 + 1e-9))
    );
    assert!(found.table[0].silhouette.is_none() && found.table[1].silhouette.is_some());
    let total = found.table[0].inertia;
    let line = &found.table[3];
    let index = ((total - line.inertia) / 3.0) / (line.inertia / 196.0);
    assert!((line.calinski_harabasz.expect("an index") - index).abs() < 1e-9 * index);
    assert!(
        found.reason.contains("by the gap statistic 4"),
        "{}",
        found.reason
    );
    // Nothing parts the points of a ball of many dimensions.
    let ball = groups(150, 12, 1, 9);
    let found = choose(&ball, 1..=6).expect("a choice");
    assert_eq!(found.chosen, 1, "{}", found.reason);
    assert!(
        found.reason.contains("by the gap statistic 1"),
        "{}",
        found.reason
    );
    let found = choose(&ball, 2..=6).expect("a choice");
    assert!(
        found.chosen > 1 && found.reason.contains("hardly part"),
        "{}",
        found.reason
    );
    let few = Matrix::from_fn(30, 1, |i, _| (i % 3) as f64);
    let found = choose(&few, 2..=10).expect("a choice");
    assert_eq!((found.chosen, found.table.len()), (3, 2));
    assert!(found.notes[0].text().contains("no more distinct rows"));
    assert!(choose(&few, 4..=10).is_err());
    assert!(choose(&few, 0..=2).is_err());
    let one = choose(&few, 1..=1).expect("a choice");
    assert_eq!(one.chosen, 1);
}
