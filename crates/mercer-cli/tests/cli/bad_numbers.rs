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
