//! What flags are told that cannot be meant: what was wrong, and what to do.

use crate::harness::{Folder, clouds, line};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("d.csv", clouds(60));
    folder.put("n.csv", line(30));
    folder.put("four.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n");
    folder
}

#[test]
fn numbers_are_refused_by_the_rule_of_their_flag() {
    let folder = folder();
    for (flags, parts) in [
        ("--max-seconds -1", ["--max-seconds", "positive number"]),
        ("--memory -1", ["--memory", "a size such as"]),
        ("--holdout -0.5", ["--holdout", "between 0 and 1"]),
        ("--model svc --c inf", ["positive and finite", "`--hard`"]),
        (
            "--model svc --c nan",
            ["`c` is `NaN`", "positive and finite"],
        ),
        ("--model lssvm --c inf", ["positive and finite", "1e6"]),
        (
            "--model logistic --c inf",
            ["positive and finite", "`--penalty none`"],
        ),
        (
            "--model knn --proba",
            ["no setting of `knn`", "has probabilities without it"],
        ),
        (
            "--model knn --c inf",
            ["no setting of `knn`", "used by svc"],
        ),
    ] {
        let done = folder.run(&format!("fit d.csv --target kind {flags} -o m.mercer"));
        let err = done.fails(2, &parts);
        assert!(!err.contains("another kind"), "{err}");
        assert!(!err.contains("unexpected argument"), "{err}");
    }
    assert!(!folder.has("m.mercer"));
}

#[test]
fn a_level_belongs_to_intervals() {
    let folder = folder();
    folder
        .run("fit n.csv --target y --model gp -o m.mercer")
        .ok();
    folder
        .run("predict m.mercer n.csv --level 0.8")
        .fails(2, &["--interval"]);
    folder
        .run("predict m.mercer n.csv --interval --level 0.8")
        .ok();
    folder.run("predict m.mercer n.csv --interval").ok();
}

#[test]
fn folds_beyond_the_rows_come_with_advice() {
    let folder = folder();
    for command in [
        "cv four.csv --target y --model svc",
        "compare four.csv --target y --models svc,klr --as-is",
        "curve four.csv --target y --model svc",
        "tune four.csv --target y --model svc",
    ] {
        let done = folder.run(command);
        done.fails(2, &["at most the number of rows, 4", "hint:", "`--folds`"]);
    }
    folder
        .run("cv four.csv --target y --model svc --folds 2")
        .ok();
}

#[test]
fn a_list_of_columns_may_name_one_with_a_comma() {
    let folder = Folder::new();
    let mut text = String::from("a,b,\"c,d\",kind\n");
    for i in 0..30 {
        text += &format!("{},{},{},{}\n", i % 7, i % 5, i % 3, ["x", "y"][i % 2]);
    }
    folder.put("d.csv", text);
    let used = |drop: &str| {
        let line = "fit d.csv --target kind --model svc -o m.mercer --drop";
        let mut args: Vec<&str> = line.split(' ').collect();
        args.push(drop);
        folder.run_args(args).ok();
        let told = folder.run("inspect m.mercer --json").json().to_string();
        ["a", "b", "c,d"].map(|name| told.contains(&format!("\"name\":\"{name}\"")))
    };
    assert_eq!(used("a,b"), [false, false, true]);
    assert_eq!(used("a, b"), [false, false, true]);
    assert_eq!(used("c,d"), [true, true, false]);
    assert_eq!(used("a,c,d"), [false, true, false]);
}

#[test]
fn limits_hold_for_whatever_reads_data() {
    let folder = Folder::new();
    let rows = "1,0\n".repeat(2_000_000);
    folder.put("big.csv", format!("x,y\n{rows}"));
    for command in [
        "look big.csv",
        "margin big.csv --target y --weights 1",
        "bounds shatter big.csv",
    ] {
        folder.run(&format!("{command} --max-seconds 0.001")).fails(
            1,
            &["the time limit was reached while reading", "--max-seconds"],
        );
        folder
            .run(&format!("{command} --memory 1kB"))
            .fails(2, &["16MB"]);
    }
    folder.put("few.csv", "x,y\n1,0\n2,1\n");
    folder
        .run("look few.csv --memory 100MB --max-seconds 60")
        .ok();
}

#[test]
fn the_longest_field_can_be_raised() {
    let folder = Folder::new();
    let long = "word ".repeat(400);
    folder.put("d.csv", format!("t,y\n{long},1\nshort,0\n"));
    folder
        .run("look d.csv --max-field 1kB")
        .fails(1, &["longer than 1000 bytes", "`--max-field`"]);
    folder.run("look d.csv --max-field 4kB").ok();
    folder.run("look d.csv").ok();
    folder
        .run("look d.csv --max-field 3GB")
        .fails(2, &["below `2GiB`"]);
}

#[test]
fn planes_need_columns() {
    let folder = Folder::new();
    folder
        .put("none.csv", "y\na\nb\n")
        .put("one.csv", "x,y\n1,a\n2,b\n");
    folder
        .run("margin none.csv --target y --weights 1")
        .fails(1, &["no column is left", "beside y"]);
    folder
        .run("margin one.csv --target y --weights 1,2")
        .fails(2, &["the plane has 2 weights, the table 1 column"]);
    folder
        .run("bounds shatter one.csv --drop x,y")
        .fails(1, &["no column is left"]);
}
