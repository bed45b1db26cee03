//! `mercer cv` and `mercer tune`.

use crate::harness::{Folder, clouds, line};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("d.csv", clouds(120)).put("line.csv", line(60));
    folder
}

#[test]
fn cross_validation_has_metrics_per_fold_and_overall() {
    let folder = folder();
    let object = folder
        .run("cv d.csv --target kind --model svc --folds 4 --json")
        .json();
    assert_eq!(object["folds"], 4);
    assert_eq!(object["fold_metrics"].as_array().expect("list").len(), 4);
    let metric = &object["metrics"]["accuracy"];
    let [low, value, high] = ["low", "value", "high"].map(|k| metric[k].as_f64().expect(k));
    assert!(low <= value && value <= high && value > 0.7, "{metric}");
    let human = folder.run("cv d.csv --target kind --model svc");
    assert!(
        human.ok().contains("Single folds") && human.out.contains("95 % confidence interval"),
        "{}",
        human.out
    );
    let object = folder
        .run("cv line.csv --target y --model svr --c 10 --folds loo --json")
        .json();
    assert!(object["metrics"]["r2"]["value"].as_f64().expect("number") > 0.8);
    folder
        .run("cv d.csv --target kind --folds 1")
        .fails(2, &["loo"]);
    folder
        .run("cv d.csv --drop kind --task novelty")
        .fails(2, &["mercer cv"]);
}

#[test]
fn a_class_with_few_rows_is_learnt_without() {
    let folder = folder();
    let mut rows = clouds(60);
    rows.push_str("0.5,9,rare\n");
    folder.put("rare.csv", &rows);
    for rest in [
        "--folds loo",
        "--folds 4",
        "--folds 4 --class-weight rare=5",
    ] {
        let done = folder.run(&format!(
            "cv rare.csv --target kind --model svc {rest} --json"
        ));
        let object = done.json();
        assert_eq!(object["rows"], 61);
        // A class that no training part has is never the result.
        let confusion = &object["confusion"];
        let labels = confusion["labels"].as_array().expect("labels");
        let rare = labels.iter().position(|l| l == "rare").expect("listed");
        for line in confusion["counts"].as_array().expect("lines") {
            assert_eq!(line[rare], 0.0, "{confusion}");
        }
    }
    folder
        .run("cv rare.csv --target kind --model svc --folds 4 --class-weight raer=5")
        .fails(2, &["raer"]);
}

#[test]
fn a_search_ranks_points_and_writes_everything() {
    let folder = folder();
    let human = folder.run(
        "tune d.csv --target kind --grid C=1..100:3 --grid gamma=0.01..10:4 --refine 1 -o m.mercer --report r.html --table t.csv",
    );
    for part in [
        "Search by accuracy",
        "rank",
        "gamma",
        "C = ",
        "m.mercer",
        "converged",
    ] {
        assert!(human.ok().contains(part), "{part}: {}", human.out);
    }
    folder.run("predict m.mercer d.csv").ok();
    let page = folder.get("r.html");
    // A map with a number and a tip in every cell, and a ring around the best one.
    assert!(page.contains("accuracy over C and gamma"), "{page}");
    assert!(page.contains("<title>C = 10, gamma = 0.1: "));
    assert_eq!(
        page.matches("<g fill=\"none\" stroke-width=\"2.6\"")
            .count(),
        1
    );
    let table = folder.get("t.csv");
    assert!(
        table.starts_with("C,gamma,score,standard_error,status,round,fold1"),
        "{table}"
    );
    assert!(table.lines().count() > 13);
}

#[test]
fn the_object_has_the_documented_shape() {
    let folder = folder();
    let object = folder
        .run("tune line.csv --target y --model svr --kernel rbf --grid C=1,10 --metric rmse --json")
        .json();
    assert_eq!(object["metric"], "rmse");
    assert_eq!(object["points"].as_array().expect("list").len(), 2);
    let best = &object["best"];
    assert!(
        best["params"]["C"].is_f64() && best["score"].is_f64() && best["standard_error"].is_f64()
    );
    assert_eq!(best["fold_scores"].as_array().expect("list").len(), 5);
    assert_eq!(best["status"], "complete");
    assert!(object["report"]["objective"].is_f64() && object["file"].is_string());
}

#[test]
fn one_setting_is_drawn_as_a_curve() {
    let folder = folder();
    folder
        .run("tune d.csv --target kind --kernel linear --grid C=0.1..10:3 --report r.html")
        .ok();
    assert!(folder.get("r.html").contains("accuracy over C</title>"));
}

#[test]
fn equal_searches_give_equal_models() {
    let folder = folder();
    for (file, threads) in [("a.mercer", 1), ("b.mercer", 2)] {
        folder
            .run(&format!(
                "tune d.csv --target kind --grid C=1,10 --grid gamma=0.1,1 --threads {threads} -o {file}"
            ))
            .ok();
    }
    let read = |name: &str| std::fs::read(folder.path(name)).expect("readable");
    assert!(read("a.mercer") == read("b.mercer"), "the files differ");
}

#[test]
fn wrong_settings_are_named() {
    let folder = folder();
    folder
        .run("tune d.csv --target kind --grid gama=1,2")
        .fails(2, &["gama", "did you mean `gamma`?"]);
    folder
        .run("tune d.csv --target kind --grid C=5..1:3")
        .fails(2, &["the smaller one first"]);
    folder
        .run("tune d.csv --target kind --metric acuracy")
        .fails(2, &["accuracy"]);
    folder
        .run("tune d.csv --target kind --metric r2")
        .fails(2, &["r2", "classify"]);
    assert!(!folder.has("d.mercer"));
}
