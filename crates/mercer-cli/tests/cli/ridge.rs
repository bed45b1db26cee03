//! `--model krr`, and the constant of every model that has one.

use crate::harness::{Done, Folder, clouds};

const TWO_ROWS: &str = "x,y\n1,1.0\n2,2.0\n";

/// The numbers of a column of results.
fn numbers(done: &Done, column: usize) -> Vec<f64> {
    let lines = done.ok().lines().skip(1);
    let cell = |line: &str| {
        let text = line.split(',').nth(column).expect("a cell");
        text.parse().expect("a number")
    };
    lines.map(cell).collect()
}

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-4, "{found:?} is not {expected:?}");
    }
}

#[test]
fn krr_is_linear_with_lambda_one_and_no_constant() {
    let folder = Folder::new();
    folder.put("r.csv", TWO_ROWS).put("at.csv", "x\n0\n1\n");
    let object = folder
        .run("fit r.csv -t y --task regress --model krr -o r.mercer --json")
        .json();
    assert_eq!(object["kernel"], "linear");
    // Σ(y − f)² + λ‖f‖² at w = 5/6.
    let cost = object["report"]["objective"].as_f64().expect("a number");
    assert!((cost - 5.0 / 6.0).abs() < 1e-9, "{cost}");
    close(
        &numbers(&folder.run("predict r.mercer at.csv"), 0),
        &[0.0, 0.8333],
    );
    let told = folder.run("fit r.csv -t y --task regress --model krr -o r.mercer -v");
    assert!(told.ok().contains("Σ(y − f)² + λ‖f‖²"), "{}", told.out);
    let help = folder
        .run("models krr")
        .ok()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for word in ["default linear", "default none", "Σ(y − f)² + λ‖f‖²"] {
        assert!(help.contains(word), "{word}");
    }
}

#[test]
fn every_constant_is_what_its_name_says() {
    let folder = Folder::new();
    folder.put("r.csv", TWO_ROWS).put("at.csv", "x\n0\n1\n");
    let models = ["krr --lambda 1", "gp --gamma 1", "lssvm --gamma 1"];
    for model in models {
        for (bias, expected) in [
            ("none", [0.0, 0.8333]),
            ("free", [1.0, 1.3333]),
            ("regularised", [0.3333, 1.0]),
        ] {
            let line = format!(
                "fit r.csv -t y --task regress --model {model} --kernel linear --bias {bias} --scale none -o r.mercer"
            );
            folder.run(&line).ok();
            close(
                &numbers(&folder.run("predict r.mercer at.csv"), 0),
                &expected,
            );
        }
    }
    // Three constants, three models.
    folder.put("two.csv", clouds(30));
    for model in ["lssvm", "klr", "krr"] {
        let found: Vec<Vec<f64>> = ["none", "free", "regularised"]
            .iter()
            .map(|bias| {
                let line = format!(
                    "fit two.csv -t kind --model {model} --kernel linear --bias {bias} -o m.mercer"
                );
                folder.run(&line).ok();
                numbers(&folder.run("predict m.mercer two.csv --decision"), 1)
            })
            .collect();
        assert!(
            found[0] != found[1] && found[1] != found[2] && found[0] != found[2],
            "{model}"
        );
    }
    // The others have one constant only, and say so.
    for model in ["nu_svc", "nu_svr", "one_class"] {
        let line = format!("fit two.csv -t kind --model {model} --bias regularised");
        folder
            .run(&line)
            .fails(2, &["`--bias` is no setting of", model, "krr"]);
    }
}

#[test]
fn krr_tells_classes_apart_by_its_sign() {
    let folder = Folder::new();
    folder.put("xor.csv", "x,z,y\n0,0,a\n1,1,a\n0,1,b\n1,0,b\n");
    let object = folder
        .run("fit xor.csv -t y --model krr --kernel rbf(gamma=1) --lambda 0.1 -o x.mercer --json")
        .json();
    assert_eq!(
        (&object["model"], &object["task"]),
        (&"krr".into(), &"classify".into())
    );
    let answers = folder.run("predict x.mercer xor.csv --decision");
    close(&numbers(&answers, 1), &[0.7998, 0.7998, -0.7998, -0.7998]);
    let labels: Vec<&str> = answers
        .ok()
        .lines()
        .skip(1)
        .filter_map(|l| l.split(',').next())
        .collect();
    assert_eq!(labels, ["a", "a", "b", "b"]);
    // No probabilities were learnt, and none are made up.
    folder
        .run("predict x.mercer xor.csv --proba")
        .fails(1, &["probabilities"]);
    folder
        .run("fit xor.csv -t y --model krr --proba")
        .fails(2, &["`--proba`", "krr"]);

    let iris = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/sets/iris.csv"),
    );
    folder.put("iris.csv", iris.expect("a bundled set"));
    folder
        .run(
            "fit iris.csv -t class --model krr --kernel rbf(gamma=0.5) -o i.mercer --report i.html",
        )
        .ok();
    let object = folder.run("score i.mercer iris.csv --json").json();
    assert!(object["metrics"]["accuracy"]["value"].as_f64() > Some(0.95));
    folder.run("inspect i.mercer").ok();
    let object = folder
        .run("tune iris.csv -t class --model krr --kernel rbf(gamma=0.5) --grid lambda=0.1,1 --folds 3 -o i.mercer --json")
        .json();
    assert_eq!(object["metric"], "accuracy");
    folder
        .run("cv iris.csv -t class --model krr --folds 3")
        .ok();
    folder
        .run("fit iris.csv -t class --model krr --task novelty")
        .fails(2, &["krr", "classify", "regress"]);
}

/// Numbers are numbers, however few there are; `--task classify` makes classes of them.
#[test]
fn numbers_are_regressed_unless_classes_are_asked_for() {
    let folder = Folder::new();
    folder.put("d.csv", "x,y\n1,0\n2,0\n3,1\n4,1\n");
    let object = folder.run("fit d.csv -t y --model krr --json").json();
    assert_eq!(object["task"], "regress");
    let object = folder
        .run("fit d.csv -t y --model krr --task classify --json")
        .json();
    assert_eq!(object["task"], "classify");
}

/// Scores of all rows together have no standard error, and none is printed.
#[test]
fn nothing_is_not_a_number() {
    let folder = Folder::new();
    let line: Vec<String> = (0..12)
        .map(|i| format!("{i},{}\n", 2 * i + i % 3))
        .collect();
    folder
        .put("line.csv", format!("x,y\n{}", line.concat()))
        .put("two.csv", clouds(16));
    let tuned = folder.run(
        "tune line.csv -t y --task regress --model krr --folds loo --report t.html --table t.csv",
    );
    assert!(tuned.ok().contains("  r2  "), "{}", tuned.out);
    for name in ["t.html", "t.csv"] {
        assert!(!folder.get(name).contains("NaN"), "{name}");
    }
    // A score that folds of one row do not have is refused for that reason.
    folder
        .run("tune line.csv -t y --task regress --model krr --folds 12 --metric r2")
        .fails(1, &["`r2` has no value on any fold", "fewer folds"]);
    for command in [
        "tune line.csv -t y --task regress --model krr --folds loo",
        "tune line.csv -t y --task regress --model krr --folds loo --json",
        "tune two.csv -t kind --model svc --grid C=1,10 --metric roc_auc --folds loo",
        "cv line.csv -t y --task regress --model krr --folds loo",
        "cv two.csv -t kind --model svc --proba --folds loo",
        "cv two.csv -t kind --model svc --folds loo --json",
        "fit two.csv -t kind --model svc --folds 4",
    ] {
        let done = folder.run(command);
        let text = done.ok();
        let bad = ["NaN", "nan", " inf"]
            .iter()
            .find(|word| text.contains(**word));
        assert_eq!(bad, None, "{command}\n{text}");
    }
}

/// What does not load is not described.
#[test]
fn inspect_refuses_what_predict_refuses() {
    let folder = Folder::new();
    folder.put("r.csv", TWO_ROWS);
    folder
        .run("fit r.csv -t y --task regress --model krr -o r.mercer")
        .ok();
    let mut bytes = std::fs::read(folder.path("r.mercer")).expect("a model");
    *bytes.last_mut().expect("not empty") ^= 1;
    folder.put("r.mercer", &bytes);
    for command in ["predict r.mercer r.csv", "inspect r.mercer"] {
        folder.run(command).fails(1, &["checksum does not match"]);
    }
    let told = folder.run("inspect r.mercer --json");
    assert_eq!(told.code, 1, "{}", told.out);
    assert!(told.out.contains("checksum does not match"), "{}", told.out);
}
