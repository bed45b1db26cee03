//! Verdicts, labels and probabilities of small, empty and uneven tables.

use crate::harness::Folder;

/// Ten rows, three of them `p`, that a line nearly separates.
const TEN: &str = "a,b,c,y\n\
    -0.526,-2.086,2.374,q\n0.251,0.147,-0.308,q\n0.626,-1.695,1.017,q\n2.464,-0.719,0.826,p\n\
    -0.87,-1.259,-0.018,q\n-0.807,-0.541,0.055,q\n-0.18,1.148,0.827,p\n0.418,0.25,-0.576,p\n\
    -0.252,0.112,-0.036,q\n-0.458,0.687,1.504,q\n";

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn few_rows_do_not_give_one_class_to_everybody() {
    let folder = Folder::new();
    folder.put("d.csv", TEN);
    folder.run("fit d.csv -t y -o m.mercer").ok();
    // A grid around the rows: both classes are given, and labels follow probabilities.
    let mut grid = "a,b,c\n".to_owned();
    for i in 0..9 {
        for j in 0..9 {
            grid += &format!(
                "{},{},0.5\n",
                f64::from(i - 4) / 2.0,
                f64::from(j - 4) / 2.0
            );
        }
    }
    folder.put("new.csv", grid);
    let found = folder.run("predict m.mercer new.csv --proba --decision --json");
    let found = found.json();
    let labels = found["predictions"].as_array().expect("labels");
    let of_p = labels.iter().filter(|l| *l == "p").count();
    assert!((8..=73).contains(&of_p), "{of_p} of 81");
    for (label, probabilities) in labels
        .iter()
        .zip(found["probabilities"].as_array().expect("probabilities"))
    {
        let p = probabilities["p"].as_f64().expect("a number");
        let expected = if p > 0.5 { "p" } else { "q" };
        assert!(p == 0.5 || *label == expected, "{label} {p}");
    }
    assert_eq!(found["differing"], 0);
}

#[test]
fn labels_that_differ_from_the_sign_are_counted() {
    let folder = Folder::new();
    // One in five, and hardly a signal: P stays below one half, f does not stay below 0.
    let mut text = "x,z,y\n".to_owned();
    for i in 0..100_u32 {
        let (x, z) = (
            f64::from(i * 37 % 100) / 100.0,
            f64::from(i * 61 % 97) / 97.0,
        );
        let word = if (i * 7) % 10 < 2 { "yes" } else { "no" };
        text += &format!("{x},{z},{word}\n");
    }
    folder.put("d.csv", &text);
    let line = "fit d.csv -t y --model lssvm --kernel rbf(gamma=60) --c 1000 -o m.mercer";
    let fitted = folder.run(&format!("{line} --json")).json();
    let differing = fitted["report"]["differing"].as_f64().expect("a count");
    assert!(differing > 0.0, "{fitted}");
    let out = folder.run(line);
    assert!(out.ok().contains("\nlabels "), "{}", out.out);
    let told = folder.run("predict m.mercer d.csv --json");
    let told = told.json();
    assert_eq!(told["differing"].as_f64(), Some(differing));
    let scored = folder.run("score m.mercer d.csv --json").json();
    assert_eq!(scored["differing"].as_f64(), Some(differing));
    let plain = folder.run("predict m.mercer d.csv");
    let expected = format!("{differing} of 100 rows get another class");
    assert!(plain.err.contains(&expected), "{}", plain.err);
}

#[test]
fn constant_columns_tell_nothing_and_nobody_says_otherwise() {
    let folder = Folder::new();
    let rows = |target: &dyn Fn(usize) -> String| {
        let lines = (0..20).map(|i| format!("1,k,{}\n", target(i)));
        format!("a,b,y\n{}", lines.collect::<String>())
    };
    folder.put(
        "c.csv",
        rows(&|i| if i % 2 == 0 { "p" } else { "q" }.to_owned()),
    );
    folder.put("n.csv", rows(&|i| format!("{}", (i * 7) % 11)));
    for line in [
        "fit c.csv -t y --model lssvm -o m.mercer",
        "fit n.csv -t y --model gp -o m.mercer",
    ] {
        let done = folder.run(line);
        let says = "the kernel is the same for all pairs of rows";
        let err = done.fails(1, &[says, "columns that vary"]);
        assert!(!err.contains("semidefinite"), "{line}: {err}");
    }
    let done = folder.run("fit c.csv -t y -o m.mercer");
    let text = one_line(done.ok());
    assert!(!text.contains("tell something"), "{text}");
    assert!(text.starts_with("No better than always saying"), "{text}");
}

#[test]
fn a_model_that_was_asked_to_be_balanced_is_judged_so() {
    let folder = Folder::new();
    // One in twenty is rare; x tells where it is frequent, not where it is.
    let mut text = "x,z,y\n".to_owned();
    for i in 0..400_u32 {
        let rare = i % 20 == 0;
        let x = f64::from(i * 37 % 100) / 100.0 + if rare { 0.8 } else { 0.0 };
        let z = f64::from(i * 61 % 97) / 97.0;
        text += &format!("{x},{z},{}\n", if rare { "yes" } else { "no" });
    }
    folder.put("d.csv", &text);
    for (flags, rows) in [
        ("--class-weight balanced", "--holdout 0.3"),
        ("--class-weight balanced", ""),
        ("--metric balanced_accuracy", "--holdout 0.3"),
        ("--model svc --class-weight balanced", "--folds 4"),
    ] {
        let line = format!("fit d.csv -t y {flags} {rows} -o m.mercer");
        let object = folder.run(&format!("{line} --json")).json();
        let baseline = &object["baseline"];
        assert_eq!(baseline["judged_by"], "balanced_accuracy", "{flags} {rows}");
        assert_eq!(baseline["metrics"]["balanced_accuracy"], 0.5, "{flags}");
        let own = object["scores"]["metrics"]["balanced_accuracy"]["value"].as_f64();
        assert!(own.expect("a score") > 0.7, "{flags} {rows}: {own:?}");
        assert_ne!(baseline["verdict"], "worse", "{flags} {rows}");
        let done = folder.run(&line);
        let text = one_line(done.ok());
        assert!(text.contains("score balanced accuracy"), "{text}");
        assert!(text.contains("baseline balanced accuracy 50.0 %"), "{text}");
    }
    let plain = folder.run("fit d.csv -t y --holdout 0.3 -o m.mercer --json");
    assert_eq!(plain.json()["baseline"]["judged_by"], "accuracy");
}

#[test]
fn verdicts_follow_from_the_interval_of_the_gain() {
    let folder = Folder::new();
    folder.put("d.csv", TEN);
    for flags in ["", "--holdout 0.4", "--folds 3"] {
        let line = format!("fit d.csv -t y {flags} --json -o m.mercer");
        let found = folder.run(&line).json();
        let gain = &found["baseline"]["gains"]["error"];
        let ends = [&gain["low"], &gain["high"]].map(|end| end.as_f64().expect("a number"));
        let verdict = found["baseline"]["verdict"].as_str().expect("a verdict");
        match verdict {
            "better" => assert!(ends[0] > 0.0, "{found}"),
            "worse" => assert!(ends[1] < 0.0, "{found}"),
            "probabilities_only" => assert!(ends[0] <= 0.0, "{found}"),
            _ => assert!(ends[0] <= 0.0 && ends[1] >= 0.0, "{found}"),
        }
    }
}

#[test]
fn a_row_alone_has_no_interval() {
    let folder = Folder::new();
    folder.put("d.csv", "x,z,y\n0,0,0.5\n1,1,0.5\n0,1,1.5\n1,0,1.5\n");
    let done = folder.run("fit d.csv -t y --holdout 0.3 -o m.mercer");
    let text = one_line(done.ok());
    assert!(!text.contains("inf"), "{text}");
    assert!(text.contains("too few rows for an interval"), "{text}");
}

#[test]
fn names_end_before_their_values() {
    let folder = Folder::new();
    folder.put("d.csv", TEN);
    let done = folder.run("fit d.csv -t y --model lssvm --kernel linear -v -o m.mercer");
    assert!(
        one_line(done.ok()).contains("leave-one-out errors "),
        "{}",
        done.out
    );
}
