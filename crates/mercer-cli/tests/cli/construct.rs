//! `mercer construct`.

use crate::harness::Folder;

/// Parity of three bits, written as booleans and numbers.
fn parity() -> Folder {
    let folder = Folder::new();
    let mut text = String::from("a,b,c,odd\n");
    for line in [5_u32, 0, 3, 6, 7, 1, 2, 4] {
        let bit = |k: u32| (line >> k) & 1;
        let truth = if bit(0) == 1 { "yes" } else { "no" };
        let odd = if line.count_ones() % 2 == 1 {
            "odd"
        } else {
            "even"
        };
        text.push_str(&format!("{truth},{},{},{odd}\n", bit(1), bit(2)));
    }
    folder.put("p.csv", text);
    folder
}

#[test]
fn a_truth_table_becomes_a_model() {
    let folder = parity();
    let made = folder
        .run("construct truth-table p.csv --target odd -o net.mercer --json")
        .json();
    assert_eq!(made["hidden"], 4);
    assert_eq!(made["inputs"], 3);
    assert_eq!(made["wrong"], 0);
    assert_eq!(made["labels"][1], "odd");
    let score = folder.run("score net.mercer p.csv --json").json();
    assert_eq!(score["metrics"]["accuracy"]["value"], 1.0);
    let rows = folder.run("predict net.mercer p.csv --proba");
    assert!(
        rows.ok().lines().nth(1).is_some_and(|l| l.contains("even")),
        "{}",
        rows.out
    );
    let text = folder.run("construct truth-table p.csv --target odd");
    for part in ["4, one for every row of `odd`", "8 of 8 rows", "p.mercer"] {
        assert!(text.ok().contains(part), "{part}: {}", text.out);
    }
    assert!(folder.has("p.mercer"));
    folder.run("export net.mercer --to onnx -o net.onnx").ok();
    assert!(folder.run("inspect net.mercer").ok().contains("mlp"));
}

#[test]
fn what_is_no_truth_table_is_refused() {
    let folder = Folder::new();
    folder.put("few.csv", "a,b,y\n0,0,0\n0,1,1\n1,0,1\n");
    folder.put("both.csv", "a,y\n0,0\n1,1\n0,1\n");
    folder.put(
        "word.csv",
        "a,y\nred,0\nblue,1\ngreen,1\nred,0\nblue,1\ngreen,1\n",
    );
    for (file, says) in [
        ("few", "lacks 1 of its 4 lines, such as 11"),
        ("both", "rows 1 and 3"),
        ("word", "bits"),
    ] {
        let done = folder.run(&format!("construct truth-table {file}.csv --target y"));
        assert_eq!(done.code, 1, "{}", done.err);
        assert!(done.err.contains(says), "{says}: {}", done.err);
        assert!(!folder.has(&format!("{file}.mercer")));
    }
    let done = folder.run("construct truth-table few.csv --target z");
    assert!(done.code != 0 && done.err.contains('z'), "{}", done.err);
}

#[test]
fn a_staircase_keeps_its_tolerance() {
    let folder = Folder::new();
    let mut text = String::from("x,y\n");
    for i in (0..=40).rev() {
        let x = f64::from(i) / 10.0;
        text.push_str(&format!("{x},{}\n", (2.0 * x).cos()));
    }
    folder.put("c.csv", text);
    let made = folder
        .run("construct staircase c.csv --target y --tolerance 0.05 -o c.mercer --json")
        .json();
    let deviation = made["deviation"].as_f64().expect("a number");
    assert!(deviation <= 0.05 && deviation > 0.04, "{deviation}");
    // |f'| ≤ 2 on an interval of 4: 80 steps are enough.
    let hidden = made["hidden"].as_u64().expect("a number");
    assert!((60..=90).contains(&hidden), "{hidden}");
    let score = folder
        .run("score c.mercer c.csv --quantile 0.9 --json")
        .json();
    let most = score["metrics"]["max_error"]["value"]
        .as_f64()
        .expect("a number");
    assert!(most <= deviation + 1e-12, "{most}");
    let mae = score["metrics"]["mae"]["value"].as_f64().expect("a number");
    let pinball = score["metrics"]["pinball"]["value"]
        .as_f64()
        .expect("a number");
    assert!(
        pinball > 0.1 * mae && pinball < 0.9 * mae,
        "{pinball} {mae}"
    );
    assert_eq!(score["quantile"], 0.9);
    let made = folder
        .run("construct staircase c.csv --target y --steps 5 --slope 30 --json")
        .json();
    assert_eq!(made["hidden"], 5);
    assert_eq!(made["slope"], 30.0);
    assert!(made["tolerance"].is_null());
    let text = folder.run("construct staircase c.csv --target y");
    assert!(
        text.ok().contains("within the tolerance of"),
        "{}",
        text.out
    );
    let done = folder.run("construct staircase c.csv --target y --tolerance 1e-9");
    assert!(done.code == 1 && done.err.contains("4096"), "{}", done.err);
    folder.put("two.csv", "x,z,y\n0,1,2\n1,2,3\n");
    let done = folder.run("construct staircase two.csv --target y");
    assert!(done.err.contains("--drop"), "{}", done.err);
    folder
        .run("construct staircase two.csv --target y --drop z")
        .ok();
}
