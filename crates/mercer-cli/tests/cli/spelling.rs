//! Labels as the file spells them, and columns that may be absent.

use crate::harness::Folder;

/// A table of customers: `active` and the target have two words each, `const` has one value,
/// `note` is text.
fn table(yes: &str, no: &str, rows: usize) -> String {
    let mut text = String::from("income,active,const,note,churn\n");
    for i in 0..rows {
        let income = (i * 37) % 101;
        let active = if i % 3 == 0 { yes } else { no };
        let churn = if income > 50 { yes } else { no };
        text += &format!("{income},{active},A,word{i} and some more of them {i},{churn}\n");
    }
    text
}

#[test]
fn classes_are_called_as_in_the_file() {
    for (yes, no) in [("yes", "no"), ("YES", "NO"), ("True", "False"), ("T", "F")] {
        let folder = Folder::new();
        folder.put("d.csv", table(yes, no, 80));
        let fit = "fit d.csv --target churn --drop note -o m.mercer --holdout 0.3 --json";
        let found = folder.run(fit).json();
        let labels = &found["scores"]["confusion"]["labels"];
        assert_eq!(labels, &serde_json::json!([no, yes]), "{found}");
        let answers = folder.run("predict m.mercer d.csv --proba").ok().to_owned();
        let mut lines = answers.lines();
        let header = format!("prediction,probability_{no},probability_{yes}");
        assert_eq!(lines.next(), Some(header.as_str()));
        let known = |line: &str| {
            line.starts_with(&format!("{yes},")) || line.starts_with(&format!("{no},"))
        };
        assert!(lines.all(known), "{answers}");
        folder.run("score m.mercer d.csv").ok();
        let line = format!(
            "fit d.csv --target churn --drop note --model svc --positive {no} --class-weight {yes}=5 -o p.mercer"
        );
        folder.run(&line).ok();
        let shown = folder.run("inspect p.mercer --json").json();
        assert_eq!(shown["labels"], serde_json::json!([yes, no]));
        folder.run("export p.mercer --to onnx -o p.onnx").ok();
        let onnx = std::fs::read(folder.path("p.onnx")).expect("a file");
        let listed = format!("[\"{yes}\",\"{no}\"]");
        assert!(onnx.windows(listed.len()).any(|w| w == listed.as_bytes()));
    }
}

/// Booleans are one feature, however they are spelt.
#[test]
fn a_table_spelt_otherwise_has_the_same_model() {
    let decisions = |yes: &str, no: &str| {
        let folder = Folder::new();
        folder.put("d.csv", table(yes, no, 60));
        let fit = "fit d.csv --target churn --drop note --model lssvm --scale standard -o m.mercer";
        folder.run(fit).ok();
        let answers = folder.run("predict m.mercer d.csv --decision");
        let cells = answers.ok().lines().skip(1);
        let cells = cells.map(|line| line.rsplit(',').next().expect("a cell").to_owned());
        cells.collect::<Vec<String>>()
    };
    let first = decisions("True", "False");
    for (yes, no) in [
        ("yes", "no"),
        ("Y", "N"),
        ("y", "n"),
        ("on", "off"),
        ("T", "F"),
    ] {
        assert_eq!(decisions(yes, no), first, "{yes} {no}");
    }
}

#[test]
fn truth_values_of_another_spelling_are_understood() {
    let folder = Folder::new();
    folder.put("d.csv", table("yes", "no", 60));
    folder.put("e.csv", table("true", "false", 60));
    let fit = "fit d.csv --target churn --drop note --model svc -o m.mercer";
    folder.run(fit).ok();
    let own = folder.run("predict m.mercer d.csv").ok().to_owned();
    assert_eq!(folder.run("predict m.mercer e.csv").ok(), own);
    folder.run("score m.mercer e.csv").ok();
}

#[test]
fn columns_without_a_say_may_be_absent() {
    let folder = Folder::new();
    folder.put("d.csv", table("yes", "no", 60));
    let fit = "fit d.csv --target churn --model svc --kernel rbf@[income,active,const] -o m.mercer";
    folder.run(fit).ok();
    let all = folder
        .run("predict m.mercer d.csv --decision")
        .ok()
        .to_owned();
    let narrow = |columns: &[usize]| {
        let cut = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            columns
                .iter()
                .map(|c| cells[*c])
                .collect::<Vec<_>>()
                .join(",")
        };
        let text = table("yes", "no", 60);
        text.lines()
            .map(|line| cut(line) + "\n")
            .collect::<String>()
    };
    // Neither the constant column nor the text is needed.
    folder.put("few.csv", narrow(&[1, 0]));
    let few = folder
        .run("predict m.mercer few.csv --decision")
        .ok()
        .to_owned();
    assert_eq!(few, all);
    folder.put("less.csv", narrow(&[0, 2]));
    folder
        .run("predict m.mercer less.csv")
        .fails(1, &["there is no column needed by the model: `active`"]);
    // One column of many.
    folder
        .run("fit d.csv --target churn --model svc --kernel rbf@income -o one.mercer")
        .ok();
    let all = folder.run("predict one.mercer d.csv").ok().to_owned();
    folder.put("one.csv", narrow(&[0]));
    assert_eq!(folder.run("predict one.mercer one.csv").ok(), all);
    folder.run("explain one.mercer one.csv --row 2").ok();
}

#[test]
fn string_kernels_are_not_damage() {
    let folder = Folder::new();
    folder.put("d.csv", table("yes", "no", 40));
    let fit = "fit d.csv --target churn --model svc --kernel rbf@income+spectrum@note -o m.mercer --kind note=text";
    folder.run(fit).ok();
    let err = folder.run("export m.mercer --to onnx -o m.onnx");
    err.fails(2, &["ONNX cannot express string kernels"]);
}
