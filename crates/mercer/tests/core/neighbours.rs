//! Results that scikit-learn's neighbours and Weka's IBk gave on the same rows.

use std::path::PathBuf;

use mercer::data::{ClassTargets, CodeColumn, Dataset, MISSING_CODE, Records, Targets};
use mercer::fit::{Cancel, FitContext};
use mercer::learn::Estimator;
use mercer::learn::neighbours::{Distance, IndexChoice, Knn, Scaling, Votes};
use mercer::model::{Answers, Form, Wanted};
use mercer_linalg::{Matrix, Par};
use serde_json::Value;

fn read(name: &str) -> Value {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle").join(name);
    let text = std::fs::read_to_string(path).expect("the results are bundled");
    serde_json::from_str(&text).expect("JSON")
}

fn matrix(value: &Value) -> Matrix<f64> {
    let rows = value.as_array().expect("rows");
    let width = rows[0].as_array().expect("a row").len();
    Matrix::from_fn(rows.len(), width, |i, j| {
        rows[i][j].as_f64().expect("a number")
    })
}

fn numbers(value: &Value) -> Vec<f64> {
    let numbers = value.as_array().expect("numbers").iter();
    numbers.map(|v| v.as_f64().expect("a number")).collect()
}

fn close(found: f64, expected: f64) -> bool {
    // Products of matrices, which scikit-learn uses, leave 1e-6 of a distance far from zero.
    (found - expected).abs() <= 1e-6 * expected.abs().max(1.0)
}

#[test]
fn all_settings_answer_as_scikit_learn() {
    let document = read("neighbours.json");
    let context = FitContext::default();
    let mut compared = 0;
    for table in document["tables"].as_array().expect("tables") {
        let rows = Records::from_points(matrix(&table["rows"]));
        let new = Records::from_points(matrix(&table["new"]));
        let labels: Vec<String> = numbers(&table["classes"])
            .iter()
            .map(std::string::ToString::to_string)
            .collect();
        let classes = Targets::Classes(ClassTargets::from_labels(&labels));
        let classes = Dataset::try_new(rows.clone(), classes).expect("rows");
        let values = Targets::Real(numbers(&table["numbers"]));
        let values = Dataset::try_new(rows, values).expect("rows");
        for case in table["cases"].as_array().expect("cases") {
            let metric = case["metric"].as_str().expect("a name");
            let name = format!("{} {metric} {}", table["id"], case["neighbours"]);
            let knn = Knn {
                neighbours: case["neighbours"].as_u64().expect("a count") as usize,
                votes: match case["votes"].as_str() {
                    Some("uniform") => Votes::Uniform,
                    _ => Votes::Distance,
                },
                scaling: Scaling::None,
                distance: match metric {
                    "euclidean" => Distance::Euclidean,
                    "manhattan" => Distance::Manhattan,
                    "chebyshev" => Distance::Chebyshev,
                    "minkowski" => Distance::Minkowski,
                    _ => Distance::Cosine,
                },
                exponent: case["exponent"].as_f64().unwrap_or(2.0),
                ..Knn::default()
            };
            for index in [IndexChoice::Auto, IndexChoice::Tree, IndexChoice::Brute] {
                let knn = knn.clone().index(index);
                let model = knn.fit(&classes, &context).expect("rows").model;
                let searcher = model.searcher().expect("rows");
                let wanted = Wanted::Nearest(model.neighbours);
                let found = searcher.search(&new, wanted, Par::Sequential, &Cancel::default());
                let found = found.expect("rows");
                let one_more = Wanted::Nearest(model.neighbours + 1);
                let beyond = searcher.search(&new, one_more, Par::Sequential, &Cancel::default());
                let beyond = beyond.expect("rows");
                for (row, expected) in case["distances"]
                    .as_array()
                    .expect("rows")
                    .iter()
                    .enumerate()
                {
                    for (a, b) in found.of(row).1.iter().zip(numbers(expected)) {
                        assert!(close(*a, b), "{name}: {a} {b}");
                    }
                }
                let Answers::Classes {
                    labels,
                    codes,
                    probabilities,
                } = Form::from(model)
                    .predict(&new, &context)
                    .expect("rows")
                    .answers
                else {
                    panic!("classes")
                };
                let probabilities = probabilities.expect("shares");
                // Who of equally far rows is the last neighbour is not defined there.
                let is_clear = |row: usize| {
                    let far = beyond.of(row).1;
                    far[far.len() - 1] > far[far.len() - 2]
                };
                for row in (0..new.len()).filter(|&row| is_clear(row)) {
                    let expected = numbers(&case["shares"][row]);
                    for (a, b) in probabilities[row].iter().zip(&expected) {
                        assert!(close(*a, *b), "{name}: {a} {b}");
                    }
                    let label = case["labels"][row].as_f64().expect("a label").to_string();
                    assert_eq!(labels[codes[row] as usize], label, "{name} row {row}");
                }
                let model = Form::from(knn.fit(&values, &context).expect("rows").model);
                let Answers::Values(means) = model.predict(&new, &context).expect("rows").answers
                else {
                    panic!("numbers")
                };
                for (row, (a, b)) in means.iter().zip(numbers(&case["means"])).enumerate() {
                    assert!(!is_clear(row) || close(*a, b), "{name}: {a} {b}");
                }
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 3 * 78);
}

/// Numbers and categories of Weka's table.
fn mixed(rows: &Value) -> (Records, Vec<String>) {
    let rows = rows.as_array().expect("rows");
    let cell = |i: usize, j: usize| rows[i][j].as_str();
    let numbers = Matrix::from_fn(rows.len(), 3, |i, j| {
        cell(i, j).map_or(f64::NAN, |text| text.parse().expect("a number"))
    });
    let mut records = Records::from_points(numbers);
    let levels = [&["blue", "red", "yellow"][..], &["flat", "round"]];
    for (k, names) in levels.iter().enumerate() {
        let code = |text: &str| names.iter().position(|n| *n == text).expect("a level") as u32;
        records.codes.push(CodeColumn {
            source: format!("word{k}"),
            codes: (0..rows.len())
                .map(|i| cell(i, 3 + k).map_or(MISSING_CODE, code))
                .collect(),
        });
    }
    let labels = (0..rows.len()).map(|i| cell(i, 5).expect("a class").to_owned());
    (records, labels.collect())
}

#[test]
fn mixed_columns_are_as_far_apart_as_in_weka() {
    let document = read("ibk.json");
    let (rows, labels) = mixed(&document["rows"]);
    let (asked, _) = mixed(&document["asked"]);
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    let data = Dataset::try_new(rows, targets).expect("rows");
    let context = FitContext::default();
    for k in [1, 3, 5] {
        let model = Knn::default()
            .neighbours(k)
            .fit(&data, &context)
            .expect("rows")
            .model;
        let searcher = model.searcher().expect("rows");
        let wanted = Wanted::Nearest(data.len());
        let found = searcher.search(&asked, wanted, Par::Sequential, &Cancel::default());
        let found = found.expect("rows");
        for row in 0..asked.len() {
            let expected = numbers(&document["distances"][row]);
            let (near, distances) = found.of(row);
            for (other, distance) in near.iter().zip(distances) {
                let theirs = expected[*other as usize];
                assert!(
                    (distance - theirs).abs() < 1e-12,
                    "{row} {other}: {distance} {theirs}"
                );
            }
        }
        let Answers::Classes { labels, codes, .. } = Form::from(model)
            .predict(&asked, &context)
            .expect("rows")
            .answers
        else {
            panic!("classes")
        };
        let answers = document["answers"][k.to_string()]
            .as_array()
            .expect("labels");
        let differ = |row: &usize| labels[codes[*row] as usize] != answers[*row];
        // IBk also asks rows that tie with the last of the k.
        let wrong: Vec<usize> = (0..asked.len()).filter(differ).collect();
        let tied = |row: &usize| {
            let distances = found.of(*row).1;
            distances[k] - distances[k - 1] < 1e-12
        };
        assert!(wrong.iter().all(tied), "{k}: {wrong:?}");
    }
}
