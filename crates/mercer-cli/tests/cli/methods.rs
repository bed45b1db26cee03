//! The table of methods as the command shows it, and methods without a kernel.

use crate::harness::Folder;

/// y = 1 + 2a − b and z = a + b, exactly.
fn plane() -> Folder {
    let folder = Folder::new();
    let mut text = String::from("a,b,y,z\n");
    for row in 0..24 {
        let (a, b) = (f64::from(row % 6), f64::from(row / 6));
        text += &format!("{a},{b},{},{}\n", 1.0 + 2.0 * a - b, a + b);
    }
    folder.put("plane.csv", &text);
    folder
}

#[test]
fn models_lists_the_table() {
    let folder = Folder::new();
    let listed = folder.run("models");
    for word in [
        "svc",
        "lssvm, gp",
        "ridge",
        "kmeans",
        "kernel ridge regression",
    ] {
        assert!(listed.ok().contains(word), "{word}: {}", listed.out);
    }
    let one = folder.run("models ridge");
    for word in [
        "--lambda",
        "default 1",
        "Σ(y − f)² + λ‖w‖²",
        "several targets",
    ] {
        assert!(one.ok().contains(word), "{word}: {}", one.out);
    }
    let object = folder.run("models --json").json();
    let models = object["models"].as_array().expect("a list");
    let svc = models.iter().find(|m| m["name"] == "svc").expect("svc");
    let settings = svc["settings"].as_array().expect("a list");
    let c = settings.iter().find(|s| s["name"] == "c").expect("C");
    assert_eq!((&c["flag"], &c["default"]), (&"--c".into(), &1.0.into()));
    folder
        .run("models rigde")
        .fails(2, &["did you mean `ridge`?"]);
}

#[test]
fn any_setting_is_reached_by_name() {
    let folder = plane();
    let object = folder
        .run("fit plane.csv -t y --drop z --model svr --set epsilon=0.25 --set c=3 -o m.mercer --json")
        .json();
    assert_eq!(object["model"], "svr");
    let same = folder
        .run("fit plane.csv -t y --drop z --model svr --epsilon 0.25 --c 3 -o n.mercer --json")
        .json();
    assert_eq!(object["report"]["objective"], same["report"]["objective"]);
    let basis = "fit plane.csv -t y --drop z --model krr --kernel rbf --set basis=true -o b.mercer";
    folder.run(basis).ok();
    folder
        .run("fit plane.csv -t y --drop z --model svr --set epsilom=1")
        .fails(
            2,
            &["there is no setting `epsilom`", "did you mean `epsilon`?"],
        );
    folder
        .run("fit plane.csv -t y --drop z --model svr --set epsilon=wide")
        .fails(2, &["`epsilon` is `wide`", "a number"]);
    folder
        .run("fit plane.csv -t y --drop z --model svr --epsilon 1 --set epsilon=2")
        .fails(2, &["`epsilon` is set twice"]);
    folder
        .run("fit plane.csv -t y --drop z --model svr --c 1 --set lambda=2")
        .fails(2, &["`c`", "`lambda`"]);
    folder
        .run("fit plane.csv -t y --drop z --model risk --loss hinge --set delta=1")
        .fails(2, &["`delta`"]);
}

#[test]
fn several_targets_have_one_model() {
    let folder = plane();
    for model in ["ols", "ridge", "krr"] {
        let line = format!("fit plane.csv -t y,z --model {model} -o m.mercer --folds 4 --json");
        let object = folder.run(&line).json();
        assert_eq!(
            object["scores"]["outputs"].as_array().map(Vec::len),
            Some(2)
        );
        let answers = folder.run("predict m.mercer plane.csv");
        let mut lines = answers.ok().lines();
        assert_eq!(lines.next(), Some("prediction_y,prediction_z"));
        assert_eq!(lines.count(), 24);
        let scores = folder.run("score m.mercer plane.csv --json").json();
        let value = |v: &serde_json::Value| v["mse"]["value"].as_f64().expect("a number");
        let outputs = scores["outputs"].as_array().expect("two outputs");
        let sum: f64 = outputs.iter().map(|o| value(&o["metrics"])).sum();
        assert!((sum - value(&scores["metrics"])).abs() < 1e-12);
        assert_eq!(
            (&outputs[0]["name"], &outputs[1]["name"]),
            (&"y".into(), &"z".into())
        );
        if model == "ols" {
            assert!(value(&scores["metrics"]) < 1e-20);
        }
    }
    folder
        .run("fit plane.csv -t y,z --model svr")
        .fails(2, &["`svr` predicts one target", "`ridge`"]);
    folder
        .run("fit plane.csv -t y,z")
        .fails(2, &["`auto` predicts one target"]);
}

#[test]
fn linear_models_are_tuned_inspected_and_exported() {
    let folder = plane();
    let line = "tune plane.csv -t y --drop z --model ridge -o m.mercer --json";
    let best = folder.run(line).json();
    assert!(best["best"]["params"]["lambda"].as_f64().expect("a number") < 1.0);
    let found = folder.run("inspect m.mercer --json").json();
    assert_eq!(
        (&found["form"], &found["kernel"]),
        (&"linear".into(), &serde_json::Value::Null)
    );
    folder.run("export m.mercer --to onnx -o m.onnx").ok();
    folder.run("export m.mercer --to json -o m.json").ok();
    folder
        .run("export m.mercer --to libsvm -o m.model")
        .fails(2, &["functions of a kernel"]);
    folder
        .run("fit plane.csv -t y --drop z --model ridge --kernel rbf")
        .fails(2, &["`--kernel` is no setting of `ridge`"]);
    folder
        .run("fit plane.csv -t y --drop z --model ridge --lambda -1")
        .fails(2, &["`lambda` is `-1`"]);
}

#[test]
fn clusters_are_found_and_new_rows_sorted() {
    let folder = Folder::new();
    let mut text = String::from("name,x,y\n");
    for row in 0..30 {
        let group = f64::from(row % 3) * 10.0;
        let step = f64::from(row) / 30.0;
        text += &format!("r{row},{},{}\n", group + step, group - step);
    }
    folder.put("groups.csv", &text);
    let line = "cluster groups.csv --id name --clusters 3 -o c.csv --save c.mercer --json";
    let object = folder.run(line).json();
    let sizes = object["clusters"].as_array().expect("clusters");
    assert!(sizes.iter().all(|c| c["rows"] == 10), "{object}");
    let table = folder.get("c.csv");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("name,cluster"));
    let codes: Vec<&str> = lines.filter_map(|l| l.split(',').nth(1)).collect();
    assert!((0..30).all(|row| codes[row] == codes[row % 3]));
    let again = folder.run("predict c.mercer groups.csv");
    let again: Vec<&str> = again.ok().lines().skip(1).collect();
    assert!(again.iter().zip(&codes).all(|(a, c)| a.ends_with(c)));
    folder
        .run("cluster groups.csv --drop name --clusters 31")
        .fails(
            2,
            &["`clusters` is `31`; it must be at most 30, the number of rows"],
        );
    folder
        .run("cluster groups.csv --model svc")
        .fails(2, &["`svc` is for the task `classify`"]);
}
