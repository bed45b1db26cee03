//! `mercer curve`, and what `mercer cv` has beyond one dealing of folds.

use crate::harness::{Folder, clouds, line};

#[test]
fn a_learning_curve_says_whether_rows_would_help() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(240));
    let run = "curve d.csv --target kind --model lssvm --plot c.svg";
    let object = folder.run(&format!("{run} --json")).json();
    let points = object["points"].as_array().expect("points");
    let rows: Vec<u64> = points.iter().filter_map(|p| p["rows"].as_u64()).collect();
    assert_eq!(rows, [12, 24, 48, 96, 192]);
    assert_eq!(object["metric"], "accuracy");
    assert_eq!(
        points[0]["held_out"]["scores"]
            .as_array()
            .expect("scores")
            .len(),
        5
    );
    let verdict = object["verdict"]["more_rows"].as_str().expect("a verdict");
    assert!(["help", "do_not_help", "unclear"].contains(&verdict));
    let screen = folder.run(run);
    assert!(screen.ok().contains("Verdict"), "{}", screen.out);
    assert!(
        screen.out.lines().all(|l| l.chars().count() <= 80),
        "{}",
        screen.out
    );
    assert!(folder.get("c.svg").starts_with("<svg"));
}

#[test]
fn very_large_targets_have_a_spread() {
    let folder = Folder::new();
    let row = |i: usize| format!("{i},{}e298\n", i * (1 + i % 3));
    let rows: String = (0..60).map(row).collect();
    folder.put("d.csv", format!("x,y\n{rows}"));
    let told = folder.run("curve d.csv --target y --task regress --model krr");
    assert!(!told.ok().contains('∞'), "{}", told.out);
}

#[test]
fn values_of_a_setting_underfit_and_overfit() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(120));
    let run = "curve d.csv --target kind --model svc --kernel rbf --over gamma=1e-6,1,1e4";
    let object = folder.run(&format!("{run} --json")).json();
    let values = &object["verdict"]["values"];
    assert_eq!(values[2], "overfits", "{object}");
    assert_eq!(object["points"][2]["value"], "10000");
    let words = "curve d.csv --target kind --model svc --over kernel=linear,rbf --plot k.png";
    folder.run(words).ok();
    assert!(
        std::fs::read(folder.path("k.png"))
            .expect("a picture")
            .starts_with(b"\x89PNG")
    );
}

#[test]
fn what_cannot_be_traced_is_refused() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(60));
    for (flags, word) in [
        ("--model svc --over epsiln=1,2", "epsiln"),
        ("--over C=1,2", "name a model"),
        ("--model svc --over C=0,1", "positive"),
        ("--model svc --metric rmse", "rmse"),
        ("--model svc --plot c.jpg", ".svg"),
        ("--model svc --sizes 5000", "48"),
        ("--model svc --folds 1", "at least 2"),
    ] {
        let run = folder.run(&format!("curve d.csv --target kind {flags}"));
        assert_ne!(run.code, 0, "{flags}");
        assert!(run.err.contains(word), "{flags}: {}", run.err);
    }
}

#[test]
fn folds_are_dealt_again_and_settings_searched_inside() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(90));
    let object = folder
        .run("cv d.csv --target kind --model svc --folds 3 --repeats 4 --json")
        .json();
    assert_eq!(object["fold_metrics"].as_array().expect("folds").len(), 12);
    let accuracy = &object["repeated"]["accuracy"];
    let number = |key: &str| accuracy[key].as_f64().expect("a number");
    assert!(number("low") <= number("mean") && number("mean") <= number("high"));
    let nested = folder.run("cv d.csv --target kind --model svc --folds 3 --search");
    assert!(nested.ok().contains("fold"), "{}", nested.out);
    let auto = folder.run("cv d.csv --target kind --search");
    assert!(auto.err.contains("name a model"), "{}", auto.err);
}

#[test]
fn shuffled_targets_tell_chance() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(60));
    let run = "cv d.csv --target kind --model lssvm --folds 3 --permutations 19 --plot p.svg";
    let object = folder.run(&format!("{run} --json")).json();
    assert_eq!(object["chance"]["p_value"], 0.05);
    assert_eq!(
        object["chance"]["shuffled"]
            .as_array()
            .expect("scores")
            .len(),
        19
    );
    let screen = folder.run(run);
    assert!(
        screen.ok().contains("Could it be chance?"),
        "{}",
        screen.out
    );
    assert!(folder.get("p.svg").contains("shuffled"));
}

#[test]
fn rows_are_left_out_in_closed_form() {
    let folder = Folder::new();
    folder.put("d.csv", line(40));
    let closed = folder.run("cv d.csv --target y --model ols --folds loo --json");
    assert!(closed.err.contains("closed form"), "{}", closed.err);
    let by_fits = folder
        .run("cv d.csv --target y --model ols --folds 40 --json")
        .json();
    let closed = closed.json();
    let rmse = |object: &serde_json::Value| object["metrics"]["rmse"]["value"].as_f64().unwrap();
    assert!((rmse(&closed) - rmse(&by_fits)).abs() < 1e-9 * rmse(&by_fits));
    assert_eq!(closed["rows"], 40);
}
