//! `--model perceptron`: mistakes, their bound, and every command with its models.

use crate::harness::{Folder, clouds};

const AND: &str = "x,z,y\n0,0,0\n0,1,0\n1,0,0\n1,1,1\n";
const XOR: &str = "x,z,y\n0,0,a\n0,1,b\n1,0,b\n1,1,a\n";

#[test]
fn and_takes_eleven_mistakes_of_at_most_fifty_one() {
    let folder = Folder::new();
    folder.put("and.csv", AND);
    let line = "fit and.csv -t y --task classify --model perceptron --scale none --no-shuffle \
                --at-zero second --set tolerance=none -o a.mercer";
    let object = folder.run(&format!("{line} --json")).json();
    let told = &object["report"]["mistakes"][0];
    assert_eq!(
        (&told["mistakes"], &told["passes"]),
        (&11.into(), &6.into())
    );
    let bound = told["bound"].as_f64().expect("a number");
    assert!((bound - 51.0).abs() < 1e-3, "{bound}");
    assert_eq!(told["margin_source"], "hard_margin");
    assert_eq!(object["report"]["stop_reason"], "converged");
    let told = folder.run(&format!("{line} -v"));
    assert!(
        told.ok().contains("11 mistakes in 6 passes"),
        "{}",
        told.out
    );
    let exported = folder.run("export a.mercer --to json").json();
    let numbers = |value: &serde_json::Value| value.to_string();
    // f is positive for the first class in files: (−3, 2, 1) turned round.
    assert_eq!(numbers(&exported["decision"]["biases"]), "[3.0]");
    assert_eq!(numbers(&exported["decision"]["weights"]), "[[-2.0,-1.0]]");
    let answers = folder.run("predict a.mercer and.csv");
    let labels: Vec<&str> = answers.ok().lines().skip(1).collect();
    assert_eq!(labels, ["0", "0", "0", "1"]);
}

#[test]
fn a_kernel_separates_xor() {
    let folder = Folder::new();
    folder.put("xor.csv", XOR);
    let line = "fit xor.csv -t y --model perceptron --scale none -o x.mercer --json";
    let object = folder.run(line).json();
    assert_eq!(object["report"]["stop_reason"], "stalled");
    let object = folder.run(&format!("{line} --kernel rbf(gamma=1)")).json();
    assert_eq!(object["report"]["stop_reason"], "converged");
    let score = folder.run("score x.mercer xor.csv --json").json();
    assert_eq!(score["metrics"]["accuracy"]["value"], 1.0);
    for model in ["pocket", "averaged"] {
        folder.run(&format!("{line} --variant {model}")).ok();
    }
    folder
        .run("fit xor.csv -t y --model perceptron --variant round")
        .fails(2, &["plain", "pocket", "averaged"]);
    folder
        .run("fit xor.csv -t y --model perceptron --kernel rbf --penalty l1")
        .fails(2, &["penalty"]);
    folder
        .run("fit xor.csv -t y --model perceptron --proba")
        .fails(2, &["`--proba`", "perceptron"]);
    folder
        .run("fit xor.csv -t x --task regress --model perceptron")
        .fails(2, &["perceptron", "classify"]);
}

#[test]
fn every_command_takes_it() {
    let folder = Folder::new();
    folder.put("two.csv", clouds(40));
    folder
        .run(
            "fit two.csv -t kind --model perceptron --variant averaged -o m.mercer --report r.html",
        )
        .ok();
    let page = folder.get("r.html");
    assert!(page.contains("mistakes in"), "the report tells of mistakes");
    folder.run("inspect m.mercer").ok();
    folder.run("export m.mercer --to onnx -o m.onnx").ok();
    folder
        .run("cv two.csv -t kind --model perceptron --folds 3")
        .ok();
    let line = "tune two.csv -t kind --model perceptron --penalty l2 --grid lambda=0.001,0.1 \
                --folds 3 -o m.mercer --json";
    assert_eq!(folder.run(line).json()["metric"], "accuracy");
    assert!(folder.run("models perceptron").ok().contains("(R/γ)²"));
    // The same bytes, whatever the threads.
    let fit = |threads: usize| {
        let line = format!("fit two.csv -t kind --model perceptron --threads {threads} --json");
        folder.run(&line).json()["report"]["mistakes"].clone()
    };
    assert_eq!(fit(1), fit(2));
}
