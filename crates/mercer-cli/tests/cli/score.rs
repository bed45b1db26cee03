//! `mercer score` and `mercer inspect`.

use crate::harness::{Folder, bundled, clouds, fitted, line};

#[test]
fn metrics_have_intervals() {
    let folder = fitted("--model lssvm");
    let object = folder.run("score m.mercer d.csv --json").json();
    for name in [
        "accuracy",
        "balanced_accuracy",
        "macro_f1",
        "mcc",
        "log_loss",
        "roc_auc",
    ] {
        let metric = &object["metrics"][name];
        let [low, value, high] = ["low", "value", "high"].map(|k| metric[k].as_f64().expect(name));
        assert!(low <= value && value <= high, "{name}: {metric}");
    }
    assert!(
        object["metrics"]["roc_auc"]["value"]
            .as_f64()
            .expect("number")
            > 0.8
    );
    let human = folder.run("score m.mercer d.csv");
    assert!(
        human.ok().contains("95 % confidence interval") && human.out.contains("true \\ predicted"),
        "{}",
        human.out
    );
}

#[test]
fn confidence_widens_the_interval() {
    let folder = fitted("--model svc");
    let low = |flags: &str| {
        let object = folder
            .run(&format!("score m.mercer d.csv --json {flags}"))
            .json();
        object["metrics"]["accuracy"]["low"]
            .as_f64()
            .expect("number")
    };
    assert!(low("--confidence 0.999") < low("--confidence 0.8"));
}

#[test]
fn the_target_can_be_named() {
    let folder = fitted("--model svc");
    folder.put("t.csv", clouds(50).replace("kind", "truth"));
    folder.run("score m.mercer t.csv --target truth").ok();
    folder.run("score m.mercer t.csv").fails(1, &["`kind`"]);
    folder
        .run("score m.mercer t.csv --target trth")
        .fails(2, &["did you mean `truth`?"]);
}

#[test]
fn unknown_labels_are_named() {
    let folder = fitted("--model svc");
    folder.put("t.csv", "a,b,kind\n0,0,inner\n1,1,middle\n");
    folder
        .run("score m.mercer t.csv")
        .fails(1, &["middle", "inner"]);
}

#[test]
fn rows_without_truth_can_be_left_out() {
    let folder = fitted("--model svc");
    folder.put("t.csv", "a,b,kind\n0,0,inner\n1,1,\n2,2,outer\n");
    folder
        .run("score m.mercer t.csv")
        .fails(1, &["line 3", "missing"]);
    let object = folder
        .run("score m.mercer t.csv --drop-unlabelled --json")
        .json();
    assert_eq!(object["rows"], 2);
}

#[test]
fn regression_and_novelty_are_scored() {
    let folder = fitted("--model svc");
    folder
        .put("line.csv", line(60))
        .run("fit line.csv --target y --model lssvm -o l.mercer")
        .ok();
    let object = folder.run("score l.mercer line.csv --json").json();
    assert!(object["metrics"]["r2"]["value"].as_f64().expect("number") > 0.9);
    folder
        .run("fit d.csv --drop kind --task novelty -o n.mercer")
        .ok();
    folder.put("n.csv", "a,b,mark\n0,0,known\n90,90,novel\n");
    let object = folder
        .run("score n.mercer n.csv --target mark --json")
        .json();
    assert_eq!(object["metrics"]["detection_rate"]["value"], 1.0);
    folder.run("score n.mercer n.csv").fails(2, &["--target"]);
    folder.put("n.csv", "a,b,mark\n0,0,known\n90,90,perhaps\n");
    folder.run("score n.mercer n.csv --target mark").fails(
        1,
        &["row 2", "`perhaps` says neither novel nor known", "anomaly"],
    );
    folder.put("n.csv", "a,b,mark\n0,0,false\n90,90,\n");
    folder
        .run("score n.mercer n.csv --target mark")
        .fails(1, &["mark", "hint:"]);
    folder
        .run("cluster d.csv --drop kind --clusters 2 --save c.mercer")
        .ok();
    folder
        .run("score c.mercer d.csv --target kind")
        .fails(2, &["no truth to be scored by"]);
}

#[test]
fn inspect_tells_what_is_inside() {
    let folder = fitted("--model svc");
    let human = folder.run("inspect m.mercer");
    for part in [
        "svc",
        "rbf(",
        "inner",
        "checksum",
        "support vectors",
        "numeric",
    ] {
        assert!(human.ok().contains(part), "{part}: {}", human.out);
    }
    let object = folder.run("inspect m.mercer --json").json();
    assert_eq!(object["target"], "kind");
    let mut bytes = std::fs::read(folder.path("m.mercer")).expect("readable");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    folder.put("bent.mercer", bytes);
    folder
        .run("predict bent.mercer d.csv")
        .fails(1, &["bent.mercer", "hint:"]);
    folder.run("inspect d.csv").fails(1, &["d.csv"]);
}

#[test]
fn rows_that_differ_from_the_sign_are_counted() {
    let folder = fitted("--model lssvm --kernel rbf(gamma=0.1) --gamma 0.1");
    let done = folder.run("score m.mercer d.csv");
    done.ok();
    let answers = folder.run("predict m.mercer d.csv --decision");
    let differ = |line: &&str| {
        let (label, decision) = line.split_once(',').expect("two");
        (label == "inner") != (decision.parse::<f64>().expect("a number") > 0.0)
    };
    let count = answers.ok().lines().skip(1).filter(differ).count();
    assert!(count > 0, "the set has lost its point");
    let told = format!("{count} of 120 rows get another class");
    assert!(done.err.contains(&told), "{}", done.err);
}

/// The settings that were chosen and the model that was made of them name one scheme.
#[test]
fn schemes_agree_between_fit_and_inspect() {
    let folder = Folder::new();
    folder.put("two.csv", clouds(120));
    let iris = bundled("iris.csv");
    for (data, target) in [(folder.path("two.csv"), "kind"), (iris.clone(), "class")] {
        for flags in [&["--model", "auto"][..], &["--model", "svc"]] {
            let data = data.to_string_lossy();
            let mut line = vec![
                "fit", &data, "--target", target, "--json", "-o", "m.mercer", "--force",
            ];
            line.extend(flags);
            let fit = folder.run_args(line).json();
            let found = folder.run("inspect m.mercer --json").json();
            let scheme = &found["scheme"];
            assert!(scheme.is_string(), "{found}");
            let chosen = &fit["report"]["chosen"]["scheme"];
            if !chosen.is_null() {
                assert_eq!(chosen, scheme, "{target} {flags:?}");
            }
        }
    }
}

#[test]
fn closed_forms_are_inspected_without_gaps() {
    let folder = Folder::new();
    folder.put("d.csv", line(60));
    folder
        .run("fit d.csv --target y --model ols -o m.mercer")
        .ok();
    let text = folder.run("inspect m.mercer");
    let empty = text
        .ok()
        .lines()
        .find(|line| line.trim_end().ends_with(" -"));
    assert_eq!(empty, None, "{}", text.out);
}
