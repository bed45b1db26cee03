//! `mercer plot`.

use crate::harness::{Folder, clouds, fitted, line};

/// Two clouds, one around the other, with a third column and a name for each row.
fn folder() -> Folder {
    let folder = Folder::new();
    let text = clouds(90);
    let mut lines = text.lines();
    let mut wide = format!("{},size,colour\n", lines.next().expect("names"));
    for (k, row) in lines.enumerate() {
        wide += &format!("{row},{},{}\n", k % 7, ["red", "red", "blue"][k % 3]);
    }
    folder.put("d.csv", text).put("wide.csv", wide);
    folder
        .run("fit d.csv --target kind --model svc --kernel rbf(gamma=1) --c 4 -o m.mercer")
        .ok();
    folder
}

#[test]
fn a_boundary_has_regions_margins_and_support_vectors() {
    let folder = folder();
    let told = folder
        .run("plot boundary m.mercer d.csv -o b.svg --json")
        .json();
    assert_eq!(told["axes"], serde_json::json!(["a", "b"]));
    assert_eq!(told["rows"], 90);
    let svg = folder.get("b.svg");
    for text in [
        "inner",
        "outer",
        "margin, f = ±1",
        "border",
        "support vector",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    // All support vectors are among the rows that were learnt from, and each has a ring.
    let model = folder.run("inspect m.mercer --json").json();
    let support = told["support_vectors"].as_u64().expect("a number");
    assert!((3..=90).contains(&support), "{support}");
    assert_eq!(svg.matches("r=\"6.8\"").count() as u64, support + 1);
    assert!(
        told["note"]
            .as_str()
            .expect("text")
            .contains(&format!("{support} support vectors")),
        "{told} {model}"
    );
    // Twice the same bytes.
    folder.run("plot boundary m.mercer d.csv -o again.svg").ok();
    assert_eq!(svg, folder.get("again.svg"));
}

#[test]
fn rows_without_classes_are_drawn_as_predicted() {
    let folder = folder();
    let bare: String = clouds(30)
        .lines()
        .map(|row| row.rsplit_once(',').expect("three columns").0.to_owned() + "\n")
        .collect();
    folder.put("bare.csv", bare);
    let told = folder
        .run("plot boundary m.mercer bare.csv -o b.svg --json")
        .json();
    assert!(told["wrong"].is_null());
    assert!(!folder.get("b.svg").contains("predicted wrongly"));
}

#[test]
fn other_columns_are_held() {
    let folder = folder();
    folder
        .run("fit wide.csv --target kind --model lssvm --kernel rbf --c 4 -o w.mercer")
        .ok();
    let told = folder
        .run("plot boundary w.mercer wide.csv --columns b,size -o b.svg --json")
        .json();
    assert_eq!(told["axes"], serde_json::json!(["b", "size"]));
    let note = told["note"].as_str().expect("text");
    assert!(
        note.contains("colour = red") && note.contains("a = "),
        "{note}"
    );
    // Every model that tells classes apart has a border.
    folder
        .run("fit wide.csv --target kind --model c45 -o t.mercer")
        .ok();
    folder.run("plot boundary t.mercer wide.csv -o t.svg").ok();
    assert!(folder.get("t.svg").contains("border"));
}

#[test]
fn projections_take_many_columns() {
    let folder = folder();
    let told = folder
        .run("plot boundary m.mercer d.csv --projections -o b.svg --json")
        .json();
    let first = told["axes"][0].as_str().expect("text");
    assert!(first.starts_with("first principal component"), "{first}");
}

#[test]
fn planes_that_are_not_there_are_refused() {
    let folder = folder();
    folder.put("line.csv", line(30));
    folder
        .run("fit line.csv --target y --model krr --kernel rbf -o r.mercer")
        .ok();
    for (line, parts) in [
        (
            "plot boundary m.mercer d.csv --columns a -o b.svg",
            "two axes",
        ),
        (
            "plot boundary m.mercer d.csv --columns a,a -o b.svg",
            "both axes",
        ),
        ("plot boundary m.mercer d.csv --columns a,c -o b.svg", "`c`"),
        ("plot boundary r.mercer line.csv -o b.svg", "no border"),
        ("plot boundary m.mercer d.csv -o b.gif", ".svg"),
        ("plot boundary m.mercer d.csv -o m.mercer", ".svg"),
        (
            "plot boundary m.mercer d.csv --target nothing -o b.svg",
            "nothing",
        ),
    ] {
        let done = folder.run(line);
        assert_ne!(done.code, 0, "{line}");
        assert!(done.err.contains(parts), "{line}: {}", done.err);
    }
    assert!(!folder.has("b.svg"));
}

#[test]
fn a_kernel_matrix_is_sorted_by_class() {
    let folder = folder();
    let told = folder
        .run("plot kernel m.mercer d.csv -o k.svg --json")
        .json();
    assert_eq!(told["rows"], 90);
    let svg = folder.get("k.svg");
    for text in ["inner", "outer", "sorted by kind"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.len() < 400_000, "{}", svg.len());
    // Many rows are drawn from.
    folder.put("many.csv", clouds(700));
    let told = folder
        .run("plot kernel m.mercer many.csv -o k.svg --json")
        .json();
    assert_eq!(told["rows"], 240);
    assert!(
        told["note"]
            .as_str()
            .expect("text")
            .starts_with("240 of 700 rows")
    );
}

#[test]
fn a_spectrum_has_an_effective_dimension() {
    let folder = folder();
    let told = folder
        .run("plot spectrum m.mercer d.csv --lambda 0.5 -o s.svg --json")
        .json();
    let values: Vec<f64> = told["eigenvalues"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|v| v.as_f64().expect("a number"))
        .collect();
    // The diagonal of a Gaussian kernel is 1.
    assert!((values.iter().sum::<f64>() - 90.0).abs() < 1e-6);
    assert!(values.windows(2).all(|pair| pair[0] >= pair[1]));
    let wanted: f64 = values.iter().map(|s| s / (s + 0.5)).sum();
    let found = told["effective_dimension"].as_f64().expect("a number");
    assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
    let refused = folder.run("plot spectrum m.mercer d.csv --lambda 0 -o s.svg");
    assert_eq!(refused.code, 2, "{}", refused.err);
}

#[test]
fn models_without_a_kernel_have_no_matrix() {
    let folder = folder();
    folder
        .run("fit d.csv --target kind --model logistic -o l.mercer")
        .ok();
    for figure in ["kernel", "spectrum"] {
        let done = folder.run(&format!("plot {figure} l.mercer d.csv -o k.svg"));
        assert_ne!(done.code, 0);
        assert!(done.err.contains("kernel"), "{}", done.err);
    }
}

#[test]
fn paths_of_penalties_are_drawn() {
    let folder = folder();
    let mut text = String::from("a,b,c,y\n");
    for k in 0..60 {
        let [a, b, c] = [k * 7 % 13, k * 11 % 17, k * 5 % 11].map(f64::from);
        text += &format!("{a},{b},{c},{}\n", 3.0 * a - b);
    }
    folder.put("n.csv", text);
    for model in ["lasso", "ridge", "elastic_net"] {
        let told = folder
            .run(&format!(
                "plot path n.csv --target y --model {model} -o p.svg --json"
            ))
            .json();
        let ends = |name: &str| {
            let values = told["coefficients"][name].as_array().expect("a list");
            [&values[0], &values[values.len() - 1]].map(|v| v.as_f64().expect("a number").abs())
        };
        let [first, last] = ends("a");
        assert!(first < 0.05 && last > 3.0, "{model}: {first} {last}");
        assert!(ends("c")[1] < 0.5, "{model}");
        let svg = folder.get("p.svg");
        assert!(svg.contains("coefficient") && svg.contains('λ'));
    }
    let done = folder.run("plot path n.csv --target y --l1-ratio 0.3 -o p.svg");
    assert_eq!(done.code, 2);
    let done = folder.run("plot path d.csv --target kind -o p.svg");
    assert_ne!(done.code, 0);
}

#[test]
fn the_evidence_around_a_kernel_is_drawn() {
    let folder = folder();
    folder
        .run("select d.csv --target kind --candidate rbf --plot e.svg")
        .ok();
    let svg = folder.get("e.svg");
    assert!(svg.contains("factor on the kernel"), "{svg}");
    folder
        .run("select d.csv --target kind --candidate rbf --plot e.txt")
        .fails(2, &["e.txt"]);
}

#[test]
fn functions_of_a_kernel_are_drawn() {
    let folder = Folder::new();
    let prior = folder
        .run("plot draws rbf(sigma=0.2) -o prior.svg --json")
        .json();
    assert_eq!(prior["functions"].as_array().map(Vec::len), Some(5));
    let line = "plot draws rbf(sigma=1) --from -2 --to 2 --given 0=5,-1=4 --count 3 -o posterior.svg --json";
    let posterior = folder.run(line).json();
    for function in posterior["functions"].as_array().expect("functions") {
        let middle = function[100].as_f64().expect("a number");
        assert!((middle - 5.0).abs() < 1e-3, "{middle}");
    }
    let found = folder
        .run("plot eigenfunctions rbf(sigma=0.3) --terms 3 -o functions.svg --json")
        .json();
    let values = found["eigenvalues"].as_array().expect("eigenvalues");
    assert_eq!(values.len(), 3);
    assert!(values[0].as_f64() > values[1].as_f64());
    assert_eq!(
        folder.names(),
        ["functions.svg", "posterior.svg", "prior.svg"]
    );
    folder
        .run("plot draws rbf(sigma=1) --from 1 --to 1 -o x.svg")
        .fails(2, &["finite and above 1"]);
    folder
        .run("plot draws rbf(sigma=1) --given 3 -o x.svg")
        .fails(2, &["0.5=2"]);
    folder.run("plot draws wl -o x.svg").fails(1, &["wl"]);
}

#[test]
fn models_are_called_as_the_flag_calls_them_and_columns_are_asked_for_by_theirs() {
    let folder = fitted("--model lssvm");
    let done = folder.run("plot boundary m.mercer d.csv -o b.svg");
    assert!(done.ok().contains("Where lssvm decides"), "{}", done.out);
    let mut text = String::from("a,b,kind\n");
    for i in 0..30 {
        let row = ["low,u,p\n", "high,v,q\n", "high,u,p\n"][i % 3];
        text += row;
    }
    folder.put("words.csv", text);
    folder
        .run("fit words.csv --target kind --model svc -o w.mercer")
        .ok();
    folder
        .run("plot boundary w.mercer words.csv -o b.svg")
        .fails(1, &["name two numeric columns with `--columns`"]);
}
