//! Tables at the edge: no noise, one value, one row, more clusters than rows, little room.

use crate::harness::{Folder, bundled, clouds};

/// y = ab + c to five decimals: no noise beside rounding.
fn without_noise(rows: usize, seed: u64) -> String {
    let mut state = seed;
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut text = String::from("a,b,c,d,y\n");
    for _ in 0..rows {
        let x: Vec<f64> = (0..4)
            .map(|_| (0..6).map(|_| uniform()).sum::<f64>() * 2.0 - 6.0)
            .map(|v| (v * 1e4).round() / 1e4)
            .collect();
        let y = x[0] * x[1] + x[2];
        text += &format!("{},{},{},{},{y:.5}\n", x[0], x[1], x[2], x[3]);
    }
    text
}

#[test]
fn targets_without_noise_are_learnt() {
    let folder = Folder::new();
    // Evidence asks for a γ of some 1e14, at which the matrix is singular to rounding.
    for seed in [1, 2] {
        folder.put("d.csv", without_noise(400, seed));
        let found = folder.run("fit d.csv -t y --json -o m.mercer").json();
        assert_eq!(found["model"], "lssvm", "{found}");
        let r2 = found["scores"]["metrics"]["r2"]["value"].as_f64();
        assert!(r2.expect("a score") > 0.9999, "{r2:?}");
        let notes = found["report"]["notes"].to_string();
        assert!(!notes.contains("did not take part"), "{notes}");
        // The model predicts as well as its trials did.
        let scored = folder.run("score m.mercer d.csv -t y --json").json();
        let r2 = scored["metrics"]["r2"]["value"].as_f64();
        assert!(r2.expect("a score") > 0.9999, "{scored}");
    }
}

#[test]
fn one_value_leaves_nothing_to_learn() {
    let folder = Folder::new();
    let mut text = String::from("x,y\n");
    for i in 0..40 {
        text += &format!("{},0.1\n", (i * 7) % 41);
    }
    folder.put("d.csv", &text);
    for model in ["auto", "lssvm", "gp", "svr", "ridge"] {
        let done = folder.run(&format!(
            "fit d.csv -t y --task regress --model {model} -o m.mercer"
        ));
        let out = done.ok().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            out.contains("Nothing to learn. `y` is the same in all rows"),
            "{model}: {out}"
        );
        assert!(
            !out.contains("NaN") && !out.contains("Worse"),
            "{model}: {out}"
        );
        let line = format!("fit d.csv -t y --task regress --model {model} --json -o m.mercer");
        let found = folder.run(&line).json();
        assert_eq!(found["baseline"]["verdict"], "nothing_to_learn", "{model}");
        assert!(found["scores"]["metrics"]["r2"].is_null(), "{model}");
    }
}

/// `clouds` with so many rows of one class.
fn few_inner(rows: usize, inner: usize) -> String {
    let (mut text, mut seen) = (String::new(), 0);
    for line in clouds(rows).lines() {
        seen += usize::from(line.ends_with("inner"));
        if !line.ends_with("inner") || seen <= inner {
            text += &format!("{line}\n");
        }
    }
    text
}

#[test]
fn scores_count_rows_whatever_classes_weigh() {
    let folder = Folder::new();
    folder.put("d.csv", few_inner(400, 9));
    let rows = folder.get("d.csv").lines().count() - 1;
    let most = 1.0 - 9.0 / rows as f64;
    for weights in ["inner=5", "balanced"] {
        let line = format!("fit d.csv -t kind --class-weight {weights} -o m.mercer");
        let found = folder.run(&format!("{line} --json")).json();
        assert_eq!(found["baseline"]["prediction"], "outer", "{weights}");
        let always = found["baseline"]["metrics"]["accuracy"].as_f64();
        assert!((always.expect("a share") - most).abs() < 1e-9, "{found}");
        let accuracy = found["scores"]["metrics"]["accuracy"]["value"].as_f64();
        let right = accuracy.expect("a score") * rows as f64;
        assert!((right - right.round()).abs() < 1e-6, "{weights}: {right}");
        let out = folder.run(&line);
        let out = out.ok();
        assert!(out.contains("score "), "{out}");
        assert!(!out.contains("--class-weight balanced`"), "{out}");
        assert!(out.contains("accuracy says little"), "{out}");
        assert!(out.contains("weighted error rate"), "{out}");
    }
    let out = folder.run("fit d.csv -t kind -o m.mercer");
    assert!(out.ok().contains("--class-weight balanced"), "{}", out.out);
    assert!(!out.ok().contains("weighted error rate"), "{}", out.out);
}

#[test]
fn refusals_name_what_can_be_set() {
    let folder = Folder::new();
    folder.put("few.csv", few_inner(120, 3));
    folder
        .run("fit few.csv -t kind --model nu_svc")
        .fails(2, &["twice the share of the smaller class", "--nu", "svc"]);
    folder.put("same.csv", "x,y\n1,a\n1,b\n1,a\n1,b\n");
    let done = folder.run("fit same.csv -t y --model nu_svc --nu 1");
    let err = done.fails(1, &["no `nu` works for", "largest there is"]);
    assert!(!err.contains("must be larger"), "{err}");
    folder.put("two.csv", "a,b\n1,2\n3,4\n");
    folder
        .run("fit two.csv --model kmeans")
        .fails(2, &["at most 2, the number of rows", "--clusters"]);
    folder.put("one.csv", "a,y\n1,2\n");
    for model in ["lssvm", "gp"] {
        let done = folder.run(&format!("fit one.csv -t y --model {model}"));
        let err = done.fails(1, &["there is one row", "at least two rows"]);
        assert!(!err.contains("weights"), "{err}");
    }
    let mut squares = String::from("x,y\n");
    for x in -10..=10_i32 {
        squares += &format!("{x},{}\n", if x * x > 6 { "p" } else { "q" });
    }
    folder.put("squares.csv", &squares);
    let line = "fit squares.csv -t y --model svc --kernel poly(degree=2,offset=0) --hard --bias none --scale none";
    let done = folder.run(line);
    let err = done.fails(
        1,
        &[
            "row 11 of the second lies at the origin",
            "never on the right side",
        ],
    );
    assert!(!err.contains("0.0e0"), "{err}");
}

#[test]
fn regularised_risk_has_a_loss_for_numbers() {
    let folder = Folder::new();
    folder.put("d.csv", crate::harness::line(40));
    for flags in ["", "--task regress"] {
        let line = format!("fit d.csv -t y --model risk {flags} --json -o m.mercer");
        let found = folder.run(&line).json();
        assert_eq!(found["task"], "regress", "{flags}");
        let r2 = found["scores"]["metrics"]["r2"]["value"].as_f64();
        assert!(r2.expect("a score") > 0.9, "{found}");
    }
    folder
        .run("fit d.csv -t y --model risk --task regress --loss hinge")
        .fails(
            2,
            &["the loss `hinge` is for the task `classify`", "--loss"],
        );
}

#[cfg(target_os = "linux")]
#[test]
fn little_address_space_is_enough_for_little_data() {
    let folder = Folder::new();
    let iris = bundled("iris.csv");
    let iris = iris.display();
    for line in [
        format!("fit {iris} -t class -o m.mercer"),
        format!("fit {iris} -t class --model lssvm -o m.mercer"),
        format!("fit {iris} -t class --model klr -o m.mercer"),
        format!("select {iris} -t class"),
    ] {
        let (done, _) = crate::limits::within(&folder, 500_000, &line);
        assert!(done.code == 0, "{line}: {}\n{}", done.code, done.err);
    }
}
