//! `--model lasso` and `--model elastic_net`.

use crate::harness::Folder;

/// The rows of the worked example; the functions of (1, 0) and (0, 1) are its weights.
const ROWS: &str = "a,b,y\n1,0,1\n0,1,2\n1,1,3\n";
const UNITS: &str = "a,b\n1,0\n0,1\n";

fn answers(folder: &Folder, settings: &str) -> (Vec<f64>, serde_json::Value) {
    let line = format!(
        "fit r.csv -t y --task regress --bias none --scale none --set tolerance=1e-13 -o r.mercer \
         --json {settings}"
    );
    let report = folder.run(&line).json()["report"].clone();
    let told = folder.run("predict r.mercer at.csv");
    let lines = told.ok().lines().skip(1);
    let first = |line: &str| line.split(',').next().and_then(|cell| cell.parse().ok());
    (lines.filter_map(first).collect(), report)
}

#[test]
fn the_worked_example_has_its_numbers() {
    let folder = Folder::new();
    folder.put("r.csv", ROWS).put("at.csv", UNITS);
    for settings in [
        "--model lasso --lambda 4",
        "--model lasso --set sigma=1 --set tau=0.5",
        "--model lasso --lambda 4 --set solver=newton",
        "--model elastic_net --lambda 4 --set l1_ratio=1",
    ] {
        let (weights, report) = answers(&folder, settings);
        assert!(
            (weights[0] - 1.0 / 3.0).abs() < 1e-6,
            "{settings}: {weights:?}"
        );
        assert!(
            (weights[1] - 4.0 / 3.0).abs() < 1e-6,
            "{settings}: {weights:?}"
        );
        assert_eq!(report["penalty"]["nonzero_weights"], 2);
        assert_eq!(report["penalty"]["lambda"], 4.0);
        assert!(report["dual_gap"].as_f64().expect("a number") < 1e-11);
    }
    let (weights, report) = answers(&folder, "--model lasso --lambda 8");
    assert_eq!((weights[0], weights[1]), (0.0, 0.5));
    assert_eq!(report["penalty"]["nonzero_weights"], 1);
    let (weights, report) = answers(&folder, "--model lasso --lambda 10");
    assert_eq!(weights, [0.0, 0.0]);
    assert_eq!(report["penalty"]["largest_lambda"], 10.0);
}

#[test]
fn settings_that_say_the_same_are_not_given_twice() {
    let folder = Folder::new();
    folder.put("r.csv", ROWS);
    let twice = folder
        .run("fit r.csv -t y --task regress --model lasso --lambda 1 --set alpha=1 -o r.mercer");
    assert_ne!(twice.code, 0);
}
