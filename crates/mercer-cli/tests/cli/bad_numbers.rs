//! Numbers of all sizes: the fit converges all the same.

use serde_json::Value;

use crate::harness::{Folder, clouds};

/// Fits within the bound of the harness and returns the JSON object.
fn fit(text: &str, flags: &[&str]) -> Value {
    let folder = Folder::new();
    folder.put("d.csv", text);
    let base = [
        "fit", "d.csv", "--target", "kind", "--json", "-o", "m.mercer",
    ];
    let object = folder.run_args(base.iter().chain(flags)).json();
    assert_eq!(object["report"]["stop_reason"], "converged", "{flags:?}");
    folder.run("predict m.mercer d.csv -o p.csv").ok();
    object
}

fn scaled(factors: [f64; 2]) -> String {
    let mut text = String::from("a,b,kind\n");
    for row in clouds(100).lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let value = |k: usize| fields[k].parse::<f64>().expect("number") * factors[k];
        text += &format!("{:e},{:e},{}\n", value(0), value(1), fields[2]);
    }
    text
}

#[test]
fn unscaled_columns_are_standardised_by_auto() {
    let object = fit(&scaled([1e9, 1e-9]), &["--folds", "4"]);
    let accuracy = object["scores"]["metrics"]["accuracy"]["value"]
        .as_f64()
        .expect("number");
    assert!(accuracy > 0.75, "{accuracy}");
}

#[test]
fn unscaled_columns_as_they_are() {
    fit(&scaled([1e9, 1e-9]), &["--model", "svc"]);
    fit(
        &scaled([1e150, 1e-150]),
        &["--model", "svc", "--kernel", "rbf"],
    );
}

#[test]
fn a_huge_price() {
    let object = fit(&clouds(100), &["--model", "svc", "--c", "1e12"]);
    // The largest multiplier decides how far the gap can be closed: not a share of C = 1e12.
    let gap = object["report"]["dual_gap"].as_f64().expect("number");
    assert!((0.0..1e8).contains(&gap), "{gap}");
}

#[test]
fn a_tiny_price() {
    fit(&clouds(100), &["--model", "svc", "--c", "1e-12"]);
}

#[test]
fn widths_of_any_size() {
    for kernel in [
        "rbf(gamma=1e-300)",
        "rbf(gamma=1e300)",
        "rbf(sigma=1e-150)",
        "laplace(scale=1e200)",
    ] {
        fit(&clouds(60), &["--model", "svc", "--kernel", kernel]);
    }
}

#[test]
fn a_kernel_that_overflows_is_refused_with_a_cure() {
    let folder = Folder::new();
    folder.put("d.csv", scaled([1e200, 1.0]));
    for kernel in ["linear", "poly(degree=9)"] {
        folder
            .run(&format!(
                "fit d.csv --target kind --model svc --kernel {kernel}"
            ))
            .fails(1, &["overflow", "hint: scale the columns"]);
    }
    assert_eq!(folder.names(), ["d.csv"]);
}

#[test]
fn a_sigmoid_that_is_no_kernel() {
    let object = fit(
        &clouds(80),
        &["--model", "svc", "--kernel", "sigmoid(scale=1,offset=-1)"],
    );
    let notes = object["report"]["notes"].as_array().expect("list");
    let told = notes.iter().any(|n| n["kind"] == "alert");
    assert!(told, "{notes:?}");
}

#[test]
fn equal_rows() {
    let mut text = String::from("a,b,kind\n");
    for i in 0..50 {
        text += &format!("1,1,{}\n", if i % 2 == 0 { "p" } else { "q" });
    }
    let object = fit(&text, &["--model", "svc"]);
    assert_eq!(object["report"]["distinct_rows"], 2);
}

#[test]
fn whole_weights_are_copies() {
    let rows = ["0,0,p,2", "1,1,q,1", "0,1,p,3", "1,0,q,1", "0.4,0.6,q,2"];
    let (mut weighted, mut copied) = (String::from("a,b,kind,w\n"), String::from("a,b,kind\n"));
    for row in rows {
        weighted += &format!("{row}\n");
        let (fields, copies) = row.rsplit_once(',').expect("weight");
        copied += &format!("{fields}\n").repeat(copies.parse().expect("count"));
    }
    let objective = |text: &str, flags: &[&str]| {
        fit(text, flags)["report"]["objective"]
            .as_f64()
            .expect("number")
    };
    let machine = ["--model", "svc", "--kernel", "rbf(gamma=1)"];
    let with: Vec<&str> = machine.iter().copied().chain(["--weights", "w"]).collect();
    let (a, b) = (objective(&weighted, &with), objective(&copied, &machine));
    assert!((a - b).abs() < 1e-9 * a.abs(), "{a} {b}");
}

/// Thirty rows whose target is 2a − b, up to a little.
fn line(offset: f64, unit: f64) -> String {
    let mut text = String::from("a,b,y\n");
    for i in 0..30_u32 {
        let (a, b) = (f64::from(i * 37 % 61) / 16.0, f64::from(i * 17 % 53) / 16.0);
        let y = unit * (2.0 * a - b + 0.1 * f64::from(i).sin());
        text += &format!("{},{},{y:e}\n", offset + a, offset + b);
    }
    text
}

#[test]
fn a_model_file_keeps_the_digits_of_columns_far_from_zero() {
    let folder = Folder::new();
    folder.put("d.csv", line(1e8, 1.0));
    let truth: Vec<f64> = line(1e8, 1.0)
        .lines()
        .skip(1)
        .map(|row| row.rsplit(',').next().expect("y").parse().expect("number"))
        .collect();
    for model in ["svr", "gp"] {
        folder
            .run(&format!(
                "fit d.csv --target y --model {model} --kernel linear --scale none -o m.mercer"
            ))
            .ok();
        let done = folder.run("predict m.mercer d.csv");
        let found: Vec<f64> = done.ok().lines().filter_map(|l| l.parse().ok()).collect();
        assert_eq!(found.len(), truth.len(), "{model}");
        for (f, y) in found.iter().zip(&truth) {
            assert!((f - y).abs() < 0.5, "{model}: {f} {y}");
        }
    }
}

#[test]
fn scores_of_huge_and_tiny_targets_are_numbers() {
    for unit in [1e-200, 1e153, 1e154, 1e300] {
        let folder = Folder::new();
        folder.put("d.csv", line(0.0, unit));
        for model in ["--model ols", "--model gp", ""] {
            let object = folder
                .run(&format!(
                    "fit d.csv --target y --task regress {model} --folds 3 --json -o m.mercer"
                ))
                .json();
            let metrics = &object["scores"]["metrics"];
            let r2 = metrics["r2"]["value"].as_f64().expect("a number");
            let rmse = metrics["rmse"]["value"].as_f64().expect("a number");
            assert!(r2 > 0.9, "{model} {unit}: {r2}");
            assert!(rmse > 0.0 && rmse < unit, "{model} {unit}: {rmse}");
        }
    }
}

#[test]
fn a_number_whose_square_is_none_is_named_by_its_cell() {
    let folder = Folder::new();
    folder.put("d.csv", scaled([1e300, 1.0]));
    folder
        .run("fit d.csv --target kind --model perceptron -o m.mercer")
        .fails(1, &["column `a`", "divide the column by a power of ten"]);
    folder
        .run("fit d.csv --drop kind --model pca -o m.mercer")
        .fails(1, &["column `a`", "divide the column by a power of ten"]);
    assert_eq!(folder.names(), ["d.csv"]);
}
