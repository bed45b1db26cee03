//! Models without settings, kernels by evidence, intervals.

use crate::harness::{Folder, clouds};

/// A wave with some noise: a number in, a number out, and a column of categories.
fn wave(rows: usize) -> String {
    let mut text = "x,group,y\n".to_owned();
    for i in 0..rows {
        let x = i as f64 * 6.0 / rows as f64;
        let noise = ((i * 7919) % 101) as f64 / 101.0 - 0.5;
        let (group, step) = if i % 3 == 0 { ("a", 1.0) } else { ("b", 0.0) };
        text.push_str(&format!("{x},{group},{}\n", x.sin() + step + 0.3 * noise));
    }
    text
}

#[test]
fn a_fit_without_settings_tells_what_was_tried() {
    let folder = Folder::new();
    let done = folder
        .put("d.csv", clouds(80))
        .run("fit d.csv --target kind --report r.html");
    for word in ["Tried", "least squares", "SVM", "chosen"] {
        assert!(done.ok().contains(word), "{word}: {}", done.out);
    }
    let page = folder.get("r.html");
    assert!(page.contains("What was tried"));
    let object = folder.run("fit d.csv --target kind --json").json();
    let trials = object["report"]["trials"].as_array().expect("trials");
    assert!(trials.len() >= 2);
    assert_eq!(object["model"], trials[0]["method"]);
    assert!(object["report"]["chosen"]["model"].is_string());
}

#[test]
fn numbers_get_intervals_and_deviations() {
    let folder = Folder::new();
    folder.put("d.csv", wave(120));
    folder.run("fit d.csv --target y -o m.mercer").ok();
    let done = folder.run("predict m.mercer d.csv --interval --level 0.8");
    let mut lines = done.ok().lines();
    let header = lines.next().expect("names");
    assert!(header.starts_with("prediction,lower,upper"), "{header}");
    let width = |line: &str| {
        let fields: Vec<f64> = line.split(',').filter_map(|f| f.parse().ok()).collect();
        assert!(fields[1] < fields[0] && fields[0] < fields[2], "{line}");
        fields[2] - fields[1]
    };
    let wide = folder.run("predict m.mercer d.csv --interval --level 0.99");
    let pairs = lines.zip(wide.ok().lines().skip(1));
    assert!(pairs.clone().count() == 120);
    for (narrow, wide) in pairs {
        assert!(width(narrow) < width(wide));
    }
    let object = folder
        .run("predict m.mercer d.csv --interval --json")
        .json();
    assert!(object["intervals"][0]["lower"].is_number());
    folder
        .run("predict m.mercer d.csv --interval --level 1.5")
        .fails(2, &["level", "between 0 and 1"]);
}

#[test]
fn classes_get_sets() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(80));
    folder.run("fit d.csv --target kind -o m.mercer").ok();
    let done = folder.run("predict m.mercer d.csv --interval");
    let mut lines = done.ok().lines();
    assert_eq!(lines.next(), Some("prediction,classes"));
    assert_eq!(lines.clone().count(), 80);
    for line in lines {
        let (answer, set) = line.split_once(',').expect("two fields");
        let expected = ["", answer, "\"inner|outer\""];
        assert!(expected.contains(&set), "{line}");
    }
    folder
        .run("fit d.csv --target kind --model svc -o s.mercer")
        .ok();
    folder
        .run("predict s.mercer d.csv --interval")
        .fails(2, &["svc", "auto"]);
}

#[test]
fn a_gaussian_process_knows_its_deviation() {
    let folder = Folder::new();
    folder.put("d.csv", wave(60));
    let done = folder.run("fit d.csv --target y --model gp --kernel rbf -o m.mercer --verbose");
    for word in ["gamma", "parameters", "leave-one-out rmse"] {
        assert!(done.ok().contains(word), "{word}: {}", done.out);
    }
    let done = folder.run("predict m.mercer d.csv --interval");
    let mut lines = done.ok().lines();
    assert_eq!(lines.next(), Some("prediction,lower,upper,std"));
    assert_eq!(lines.clone().count(), 60);
    let mut widths = Vec::new();
    for line in lines {
        let numbers: Vec<f64> = line
            .split(',')
            .map(|f| f.parse().expect("number"))
            .collect();
        let [answer, low, high, deviation] = numbers[..] else {
            panic!("four numbers in {line}");
        };
        // The noise of the wave has a deviation of 0.09.
        assert!(low < answer && answer < high, "{line}");
        assert!((0.05..1.0).contains(&deviation), "{line}");
        widths.push((high - answer) / deviation);
    }
    // Nine of ten lie within 1.645 deviations of a Gaussian; held-out rows say so of these.
    assert!((1.3..2.1).contains(&widths[0]), "{widths:?}");
    assert!(
        widths.iter().all(|w| (w - widths[0]).abs() < 1e-6),
        "{widths:?}"
    );
}

#[test]
fn kernels_are_ranked_with_a_picture() {
    let folder = Folder::new();
    folder.put("d.csv", wave(90));
    let done = folder.run("select d.csv --target y --report k.html");
    for word in [
        "Kernels by evidence",
        "posterior",
        "rbf",
        "linear",
        "verdict",
    ] {
        assert!(done.ok().contains(word), "{word}: {}", done.out);
    }
    let page = folder.get("k.html");
    for word in ["Evidence over γ", "<svg", "posterior"] {
        assert!(page.contains(word), "{word}");
    }
    let object = folder
        .run("select d.csv --target y --candidate linear --candidate rbf(gamma=0.5) --json")
        .json();
    let kernels = object["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.len(), 2);
    let total: f64 = kernels.iter().filter_map(|k| k["posterior"].as_f64()).sum();
    assert!((total - 1.0).abs() < 1e-9);
    // A number that is given stays as it is.
    assert!(
        kernels.iter().any(|k| k["kernel"] == "rbf(gamma=0.5)"),
        "{object}"
    );
}

#[test]
fn hopeless_selections_are_refused() {
    let folder = Folder::new();
    folder.put("c.csv", "x,y\n1,5.5\n2,5.5\n3,5.5\n4,5.5\n");
    folder
        .run("select c.csv --target y")
        .fails(1, &["same for all rows"]);
    folder.put("d.csv", wave(20));
    folder
        .run("select d.csv --target y --candidate nonsense")
        .fails(2, &["nonsense"]);
}

#[test]
fn a_budget_is_for_trials() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(60));
    folder.run("fit d.csv --target kind --budget 0.1").ok();
    folder
        .run("fit d.csv --target kind --budget 1 --c 3")
        .fails(2, &["--budget", "--c"]);
    folder
        .run("fit d.csv --target kind --model svc --budget 1")
        .fails(2, &["--budget", "auto"]);
}

#[test]
fn every_new_model_is_saved_and_answers() {
    let folder = Folder::new();
    folder.put("n.csv", wave(60)).put("c.csv", clouds(60));
    for (data, target, model) in [
        ("n.csv", "y", "krr --lambda 0.1"),
        ("n.csv", "y", "lssvm"),
        ("n.csv", "y", "gp --gamma 20"),
        ("n.csv", "y", "lssvm --keep 0.5"),
        ("c.csv", "kind", "lssvm"),
        ("c.csv", "kind", "lssvm --multiclass one_vs_one"),
        ("c.csv", "kind", "klr --c 2"),
    ] {
        folder
            .run(&format!(
                "fit {data} --target {target} --model {model} -o m.mercer"
            ))
            .ok();
        let rows = folder.run(&format!("predict m.mercer {data}"));
        assert_eq!(rows.ok().lines().count(), 61, "{model}");
        folder.run("inspect m.mercer").ok();
    }
}

#[test]
fn a_sample_is_told_and_judged_by_the_other_rows() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(300));
    let line = "fit d.csv --target kind --budget 0.05 --sample 80 --json";
    let fitted = folder.run(line).json();
    assert_eq!(fitted["report"]["rows"], 80);
    let all = folder
        .run("fit d.csv --target kind --budget 0.05 --sample all -o all.mercer --json")
        .json();
    let rows = all["report"]["rows"].as_u64().expect("a number");
    assert_eq!(fitted["report"]["drawn_from"], rows);
    assert_eq!(all["report"]["drawn_from"], serde_json::Value::Null);
    assert_eq!(all["scores"]["rows"], rows);
    assert_eq!(fitted["scores"]["rows"], rows - 80);
    let shown = folder.run("fit d.csv --target kind --budget 0.05 --sample 80");
    assert!(shown.ok().contains("learnt from 80 of"), "{}", shown.out);
    // Equal seeds draw equal rows.
    let first = std::fs::read(folder.path("d.mercer")).expect("a model");
    folder.run(line).json();
    let second = std::fs::read(folder.path("d.mercer")).expect("a model");
    assert!(first == second);
    folder
        .run("cv d.csv --target kind --model svc --sample 60 --folds 3")
        .ok();
    folder
        .run("fit d.csv --target kind --sample 3")
        .fails(2, &["sample", "10"]);
    folder
        .run("fit d.csv --target kind --sample half")
        .fails(2, &["sample", "all"]);
}
