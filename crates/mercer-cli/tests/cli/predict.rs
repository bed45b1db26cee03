//! `mercer predict`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::harness::{BOUND, Folder, clouds, finish, fitted, line};

/// The fields of one column of a CSV text.
fn column(text: &str, name: &str) -> Vec<String> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("header").split(',').collect();
    let place = header.iter().position(|h| *h == name).expect("column");
    lines
        .map(|l| l.split(',').nth(place).expect("field").to_owned())
        .collect()
}

#[test]
fn answers_are_csv() {
    let folder = fitted("--model svc");
    let done = folder.run("predict m.mercer d.csv");
    let answers = column(done.ok(), "prediction");
    assert_eq!(answers.len(), 120);
    assert!(answers.iter().all(|a| a == "inner" || a == "outer"));
    let truth = column(&folder.get("d.csv"), "kind");
    let right = truth.iter().zip(&answers).filter(|(t, a)| t == a).count();
    assert!(right > 95, "{right}");
}

#[test]
fn probabilities_and_decisions_are_columns() {
    let folder = fitted("--model lssvm");
    let done = folder.run("predict m.mercer d.csv --proba --decision");
    let header = done.ok().lines().next().expect("header");
    assert_eq!(
        header,
        "prediction,probability_inner,probability_outer,decision"
    );
    let inner = column(&done.out, "probability_inner");
    let outer = column(&done.out, "probability_outer");
    assert_eq!((inner.len(), outer.len()), (120, 120));
    for (a, b) in inner.iter().zip(&outer) {
        let sum: f64 = a.parse::<f64>().expect("number") + b.parse::<f64>().expect("number");
        assert!((sum - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_model_without_probabilities_names_the_cure() {
    let folder = fitted("--model svc");
    folder
        .run("predict m.mercer d.csv --proba")
        .fails(1, &["without probabilities", "--proba"]);
    folder
        .run("predict m.mercer d.csv --interval")
        .fails(2, &["how wrong", "auto"]);
    folder
        .put("line.csv", line(40))
        .run("fit line.csv --target y --model svr -o l.mercer")
        .ok();
    folder
        .run("predict l.mercer line.csv --proba")
        .fails(1, &["classes"]);
}

#[test]
fn columns_are_matched_by_name() {
    let folder = fitted("--model svc");
    let straight = folder.run("predict m.mercer d.csv --decision");
    let mut turned = String::from("extra,b,a\n");
    for row in folder.get("d.csv").lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        turned += &format!("z,{},{}\n", fields[1], fields[0]);
    }
    folder.put("turned.csv", turned);
    assert_eq!(
        folder.run("predict m.mercer turned.csv --decision").ok(),
        straight.ok()
    );
}

#[test]
fn a_missing_column_is_named() {
    let folder = fitted("--model svc");
    folder.put("short.csv", "a,bb\n1,2\n");
    folder
        .run("predict m.mercer short.csv")
        .fails(1, &["`b`", "did you mean `bb`?"]);
}

#[test]
fn standard_input_is_read() {
    let folder = fitted("--model svc");
    let done = folder.run_with_stdin("predict m.mercer -", b"b,a\n0,0\n2,2\n");
    assert_eq!(done.ok(), "prediction\ninner\nouter\n");
}

#[test]
fn json_holds_predictions_and_probabilities() {
    let folder = fitted("--model lssvm");
    let object = folder
        .run_with_stdin("predict m.mercer - --json", b"a,b\n0,0\n")
        .json();
    assert_eq!(object["predictions"].as_array().expect("list").len(), 1);
    let shares = &object["probabilities"][0];
    let sum = shares["inner"].as_f64().expect("number") + shares["outer"].as_f64().expect("number");
    assert!((sum - 1.0).abs() < 1e-9);
    let plain = fitted("--model svc");
    let object = plain.run("predict m.mercer d.csv --json --decision").json();
    assert!(object["probabilities"].is_null());
    assert_eq!(object["decisions"].as_array().expect("list").len(), 120);
    folder
        .put("line.csv", line(40))
        .run("fit line.csv --target y --model svr -o l.mercer")
        .ok();
    let object = folder.run("predict l.mercer line.csv --json").json();
    assert!(object["predictions"][3].is_f64());
}

#[test]
fn files_are_written_whole() {
    let folder = fitted("--model svc");
    let done = folder.run("predict m.mercer d.csv -o p.csv");
    assert!(done.ok().is_empty() && done.err.contains("p.csv"));
    assert_eq!(folder.get("p.csv").lines().count(), 121);
    // A failure half-way leaves the old file.
    let mut broken = String::from("a,b\n");
    for i in 0..20_000 {
        broken += &format!("{i},1\n");
    }
    broken += "1,x\n";
    folder.put("broken.csv", broken).put("p.csv", "old");
    folder
        .run("predict m.mercer broken.csv -o p.csv")
        .fails(1, &["line 20002", "`x`"]);
    assert_eq!(folder.get("p.csv"), "old");
    assert!(
        folder.names().iter().all(|n| !n.contains("tmp")),
        "{:?}",
        folder.names()
    );
}

#[test]
fn identifiers_are_copied() {
    let folder = fitted("--model svc");
    folder.put("new.csv", "name,a,b\nx7,0,0\n\"y,8\",1,1\n");
    let done = folder.run("predict m.mercer new.csv --id name");
    assert!(
        done.ok().starts_with("name,prediction\nx7,"),
        "{}",
        done.out
    );
    assert!(done.out.contains("\"y,8\","));
    folder
        .run("predict m.mercer new.csv --id nam")
        .fails(2, &["did you mean `name`?"]);
}

#[test]
fn unseen_categories_are_noted_once() {
    let folder = Folder::new();
    let mut text = String::from("colour,size,kind\n");
    for i in 0..60 {
        let colour = ["red", "green", "blue"][i % 3];
        text += &format!(
            "{colour},{},{}\n",
            i % 7,
            if i % 3 == 0 { "yes_class" } else { "no_class" }
        );
    }
    folder
        .put("d.csv", text)
        .run("fit d.csv --target kind --model svc -o m.mercer")
        .ok();
    folder.put("new.csv", "colour,size\nmauve,1\nred,2\nmauve,3\n");
    let done = folder.run("predict m.mercer new.csv");
    assert_eq!(done.ok().lines().count(), 4);
    assert!(done.err.contains("colour"), "{}", done.err);
    assert_eq!(done.err.matches("mauve").count(), 1, "{}", done.err);
}

#[test]
fn the_first_answers_come_before_the_last_rows() {
    let folder = fitted("--model svc");
    let mut rows = String::from("a,b\n");
    for i in 0..25_000 {
        rows += &format!(
            "{},{}\n",
            f64::from(i % 40) / 10.0 - 2.0,
            f64::from(i % 31) / 8.0 - 2.0
        );
    }
    let mut command = folder.command(["predict", "m.mercer", "-"]);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("started");
    let mut input = child.stdin.take().expect("a pipe");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let (sender, lines) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in output.lines() {
            sender.send(line.expect("text")).expect("somebody counts");
        }
    });
    input.write_all(rows.as_bytes()).expect("read");
    // Standard input stays open: there may be more rows.
    for _ in 0..5000 {
        lines.recv_timeout(BOUND).expect("a result");
    }
    drop(input);
    assert_eq!(finish(child, None).code, 0);
    reader.join().expect("read");
    assert_eq!(5000 + lines.iter().count(), 25_001);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = fitted("--model svc");
    let mut big = String::from("a,b\n");
    for _ in 0..100_000 {
        big += "0.5,0.5\n";
    }
    folder.put("big.csv", big);
    let mut child = folder
        .command(["predict", "m.mercer", "big.csv"])
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    let done = finish(child, None);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.is_empty(), "{}", done.err);
    let mut child = folder.command(["--help"]).spawn().expect("started");
    drop(child.stdout.take());
    assert!(!finish(child, None).err.contains("panicked"));
}

#[test]
fn novelty_and_many_classes_are_answered() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(100));
    folder
        .run("fit d.csv --drop kind --task novelty -o n.mercer")
        .ok();
    folder.put("far.csv", "a,b\n0,0\n50,50\n");
    assert_eq!(
        column(folder.run("predict n.mercer far.csv").ok(), "prediction")[1],
        "novel"
    );
    let mut three = String::from("x,kind\n");
    for i in 0..60 {
        three += &format!(
            "{},{}\n",
            f64::from(i % 20) / 10.0 + 5.0 * f64::from(i / 20),
            ["p", "q", "r"][i as usize / 20]
        );
    }
    folder
        .put("three.csv", three)
        .run("fit three.csv --target kind --model svc -o t.mercer")
        .ok();
    let done = folder.run("predict t.mercer three.csv --decision");
    let header = done.ok().lines().next().expect("header");
    assert_eq!(
        header,
        "prediction,decision_p_vs_q,decision_p_vs_r,decision_q_vs_r"
    );
}

#[test]
fn what_is_no_model_is_refused() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(20)).put("empty.mercer", "");
    folder.run("predict d.csv d.csv").fails(1, &["d.csv"]);
    folder
        .run("predict empty.mercer d.csv")
        .fails(1, &["empty.mercer"]);
    folder
        .run("predict none.mercer d.csv")
        .fails(1, &["there is no file"]);
}

/// Corners of a square, opposite ones alike.
const SQUARE: &str = "x,z,y\n0,0,a\n1,1,a\n0,1,b\n1,0,b\n";

#[test]
fn opposite_corners_get_their_own_class_with_and_without_probabilities() {
    let folder = Folder::new();
    folder.put("s.csv", SQUARE);
    let machines = [
        "lssvm --kernel rbf(gamma=1) --gamma 10",
        "svc --kernel rbf(gamma=1) --c 10 --proba",
    ];
    for (machine, expected) in machines.iter().zip([0.547_301, 0.5758]) {
        let line = format!("fit s.csv -t y --model {machine} --scale none -o s.mercer");
        folder.run(&line).ok();
        let alone = folder.run("predict s.mercer s.csv");
        let beside = folder.run("predict s.mercer s.csv --proba --decision");
        for done in [&alone, &beside] {
            assert_eq!(column(done.ok(), "prediction"), ["a", "a", "b", "b"]);
        }
        let number = |text: &String| text.parse::<f64>().expect("a number");
        let sure: Vec<f64> = column(&beside.out, "probability_a")
            .iter()
            .map(number)
            .collect();
        let decided: Vec<f64> = column(&beside.out, "decision").iter().map(number).collect();
        for (row, (p, f)) in sure.iter().zip(&decided).enumerate() {
            let own = if row < 2 { expected } else { 1.0 - expected };
            assert!((p - own).abs() < 2e-4, "{machine}: {p}");
            assert_eq!(*f > 0.0, row < 2, "{machine}: {f}");
        }
    }
}

/// Advice that the next command refuses would go in a circle.
#[test]
fn methods_without_probabilities_are_not_to_be_fitted_again() {
    for model in ["linear_svc", "perceptron", "krr", "lvq"] {
        let folder = fitted(&format!("--model {model} --task classify"));
        let told = folder.run("predict m.mercer d.csv --proba");
        let err = told.fails(1, &[&format!("`{model}` gives no probabilities"), "klr"]);
        assert!(!err.contains("mercer fit"), "{err}");
    }
}
