//! `mercer compare`.

use crate::harness::{Folder, clouds, line};

#[test]
fn models_share_folds_and_the_best_comes_first() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(120));
    let run = "compare d.csv --target kind --models krr,svc,lssvm --folds 4 --as-is";
    let object = folder.run(&format!("{run} --json")).json();
    assert_eq!(object["metric"], "accuracy");
    assert_eq!(
        (&object["folds"], &object["rows"]),
        (&4.into(), &120.into())
    );
    let models = object["models"].as_array().expect("models");
    let mean = |k: usize| models[k]["mean"].as_f64().expect("a mean");
    assert!(mean(0) >= mean(1) && mean(1) >= mean(2), "{object}");
    assert!(models[0]["against_best"].is_null());
    for other in &models[1..] {
        assert_eq!(other["scores"].as_array().expect("scores").len(), 4);
        let told = &other["against_best"];
        let share = |key: &str| told[key].as_f64().expect("a probability");
        let sum = share("better") + share("equal") + share("worse");
        assert!((sum - 1.0).abs() < 1e-9, "{told}");
        assert!(other["p_adjusted"].as_f64() >= told["p_value"].as_f64());
    }
    let screen = folder.run(run);
    assert!(screen.ok().contains("Verdict"), "{}", screen.out);
    assert!(
        screen.out.lines().all(|l| l.chars().count() <= 80),
        "{}",
        screen.out
    );
    for word in [" accuracy ", "fit", "predict", "size", "SVs"] {
        assert!(screen.out.contains(word), "{word}: {}", screen.out);
    }
}

#[test]
fn a_time_limit_leaves_what_is_done() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(400));
    let run = "compare d.csv --target kind --models svc,logistic --repeats 50 --max-seconds 2";
    let found = folder.run(&format!("{run} --json"));
    let object = found.json();
    let done = object["folds_done"].as_u64().expect("a count");
    assert!((1..500).contains(&done), "{object}");
    for model in object["models"].as_array().expect("models") {
        let scores = model["scores"].as_array().expect("scores");
        assert_eq!(scores.len() as u64, done);
    }
    assert!(found.err.contains("time_limit"), "{}", found.err);
}

#[test]
fn a_search_stays_inside_the_training_parts() {
    let folder = Folder::new();
    folder.put("line.csv", line(60));
    let object = folder
        .run("compare line.csv --target y --models ols,ridge --folds 3 --json")
        .json();
    assert_eq!(object["metric"], "rmse");
    assert_eq!(object["searched"], true);
    assert!(object["margin"].as_f64().expect("a margin") > 0.0);
    assert!(object["models"][0]["size"]["weights"].as_f64().is_some());
}

#[test]
fn what_cannot_be_compared_is_named() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(40)).put("line.csv", line(20));
    let refused = |line: &str, code: i32, words: &[&str]| {
        folder.run(line).fails(code, words);
    };
    refused(
        "compare d.csv --target kind --models svc",
        2,
        &["at least two"],
    );
    refused(
        "compare d.csv --target kind --models svc,svc",
        2,
        &["twice"],
    );
    refused("compare d.csv --target kind --models svc,scv", 2, &["svc"]);
    refused(
        "compare d.csv --target kind --models svc,krr --folds 1",
        2,
        &["2 folds"],
    );
    refused("compare d.csv --target kind --models svc,svr", 2, &["svr"]);
    refused(
        "compare d.csv --target kind --models svc,krr --metric rmse --as-is",
        2,
        &["rmse"],
    );
}
