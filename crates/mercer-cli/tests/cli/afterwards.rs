//! What comes after a fit: models of all rows, rows that cannot be read, advice that works.

use serde_json::Value;

use crate::harness::{Folder, clouds, line};

/// Customers with a column of every kind that a table usually has.
fn customers(rows: usize) -> String {
    let mut text = String::from("income,active,signup,country,churn\n");
    for i in 0..rows {
        let income = 20_000 + (i * 7919) % 60_000;
        let active = if i % 3 == 0 { "yes" } else { "no" };
        let country = ["Spain", "Italy", "Norway"][i % 3];
        let churn = if income < 45_000 { "stay" } else { "leave" };
        text += &format!(
            "{income},{active},2023-{:02}-{:02},{country},{churn}\n",
            1 + i % 12,
            1 + i % 28
        );
    }
    text
}

/// A folder with `d.csv` and a model of it in `m.mercer`.
fn learnt(flags: &str) -> Folder {
    let folder = Folder::new();
    folder.put("d.csv", customers(120));
    folder
        .run(&format!("fit d.csv --target churn -o m.mercer {flags}"))
        .ok();
    folder
}

const NAMED: &str = "--model svc --scale standard";

/// The fields of a column of a CSV text.
fn column(text: &str, name: &str) -> Vec<String> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("header").split(',').collect();
    let place = header.iter().position(|h| *h == name).expect("column");
    lines
        .map(|l| l.split(',').nth(place).expect("field").to_owned())
        .collect()
}

#[test]
fn a_held_out_part_is_learnt_from_in_the_end() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(120));
    let fit = |flags: &str, file: &str| {
        folder
            .run(&format!(
                "fit d.csv --target kind --model svc --json -o {file} {flags}"
            ))
            .json()
    };
    let plain = fit("", "plain.mercer");
    let refitted = fit("--holdout 0.25", "all.mercer");
    let kept = fit("--holdout 0.25 --no-refit", "part.mercer");
    assert_eq!(refitted["refitted"], true);
    assert_eq!(kept["refitted"], false);
    assert!(plain.get("refitted").is_none());
    assert_eq!(refitted["scores"], kept["scores"]);
    assert_eq!(refitted["scores"]["rows"], 30);
    assert_eq!(refitted["report"]["rows"], 120);
    assert_eq!(kept["report"]["rows"], 90);
    let read = |name: &str| std::fs::read(folder.path(name)).expect("readable");
    assert!(read("plain.mercer") == read("all.mercer"), "another model");
    let human = folder.run("fit d.csv --target kind --model svc --holdout 0.25 -o h.mercer");
    let told = human.ok().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("learnt from all 120 rows"), "{}", human.out);
    folder
        .run("fit d.csv --target kind --model svc --no-refit")
        .fails(2, &["--holdout"]);
}

#[test]
fn rows_that_cannot_be_read_are_skipped_when_told() {
    let folder = learnt(NAMED);
    let good = "50000,yes,2023-04-01,Spain\n";
    let bad = [
        ("lots,yes,2023-04-01,Spain", "`lots` is not a number"),
        ("50000,perhaps,2023-04-01,Spain", "neither `no` nor `yes`"),
        ("50000,yes,soon,Spain", "`soon` is not a date"),
        ("inf,yes,2023-04-01,Spain", "the value is `inf`"),
    ];
    for (row, problem) in bad {
        folder.put(
            "new.csv",
            format!("income,active,signup,country\n{good}{row}\n{good}"),
        );
        let stopped = folder.run("predict m.mercer new.csv");
        stopped.fails(1, &["line 3", problem, "--on-error skip"]);
        // A header without rows would pass for a table.
        assert_eq!(stopped.out, "");
        let skipped = folder.run("predict m.mercer new.csv --on-error skip --decision");
        let answers = column(skipped.ok(), "prediction");
        assert_eq!(answers.len(), 3);
        assert_eq!((answers[1].as_str(), &answers[0]), ("", &answers[2]));
        assert!(!answers[0].is_empty());
        assert_eq!(skipped.out.lines().nth(2), Some(","));
        for part in ["1 row without a prediction", "line 3", problem] {
            assert!(skipped.err.contains(part), "{part}: {}", skipped.err);
        }
        let object = folder
            .run("predict m.mercer new.csv --on-error skip --json --decision")
            .json();
        assert_eq!(object["skipped"], 1);
        assert_eq!(object["predictions"][1], Value::Null);
        assert_eq!(object["decisions"][1], Value::Null);
        assert!(object["decisions"][2].is_array());
    }
    // All rows, and rows that score.
    folder.put(
        "none.csv",
        "income,active,signup,country\nx,yes,2023-04-01,Spain\n",
    );
    let none = folder.run("predict m.mercer none.csv --on-error skip");
    assert_eq!(
        none.ok(),
        "prediction\n\n".replace("\n\n", "\n\"\"\n"),
        "{}",
        none.out
    );
    let mut marked = customers(40);
    marked += "lots,yes,2023-04-01,Spain,leave\n";
    folder.put("marked.csv", marked);
    folder
        .run("score m.mercer marked.csv")
        .fails(1, &["line 42", "--on-error skip"]);
    let scored = folder.run("score m.mercer marked.csv --on-error skip --json");
    assert_eq!(scored.json()["rows"], 40);
    assert!(scored.err.contains("1 row left out"), "{}", scored.err);
}

#[test]
fn a_bad_molecule_costs_its_own_row() {
    let folder = Folder::new();
    let mut text = String::from("smiles,y\n");
    for (i, tail) in ["C", "CC", "CCC", "O", "CO", "N", "CN", "CCO"]
        .iter()
        .cycle()
        .take(40)
        .enumerate()
    {
        text += &format!("CC{}{tail},{}\n", "C".repeat(i % 5), tail.len() + i % 5);
    }
    folder
        .put("d.csv", text)
        .run("fit d.csv --target y --model gp --kernel wl --kind smiles=molecule -o m.mercer")
        .ok();
    folder.put("new.csv", "smiles\nCCO\nC1CC\nCCN\n");
    folder
        .run("predict m.mercer new.csv")
        .fails(1, &["line 3", "SMILES", "--on-error skip"]);
    let done = folder.run("predict m.mercer new.csv --interval --on-error skip");
    let answers = column(done.ok(), "prediction");
    assert!(answers[1].is_empty() && !answers[0].is_empty() && !answers[2].is_empty());
    assert_eq!(done.out.lines().nth(2), Some(",,,"));
}

#[test]
fn values_far_from_training_are_told() {
    let folder = learnt(NAMED);
    folder.put(
        "new.csv",
        "income,active,signup,country\n1e300,yes,2023-04-01,Spain\n50000,yes,1923-04-01,Spain\n50000,yes,2023-04-01,Spain\n139000,no,2023-04-01,Spain\n",
    );
    let done = folder.run("predict m.mercer new.csv");
    let told = "2 rows have values far outside the range of the training rows";
    assert!(
        done.ok().lines().count() == 5 && done.err.contains(told),
        "{}",
        done.err
    );
    assert!(done.err.contains("`income`, `signup`"), "{}", done.err);
    let own = folder.run("predict m.mercer d.csv");
    assert!(!own.err.contains("far outside"), "{}", own.err);
}

#[test]
fn missing_columns_are_told_once_and_the_advice_works() {
    let folder = learnt(NAMED);
    let rows = customers(5);
    let renamed = rows.replacen(
        "income,active,signup,country",
        "INCOME,Active,SIGNUP,Country",
        1,
    );
    folder.put("case.csv", renamed);
    let done = folder.run("predict m.mercer case.csv");
    let text = done.fails(1, &["4 columns", "in case only", "`INCOME` for `income`"]);
    assert_eq!(
        text.matches("error:").count() + text.matches("hint:").count(),
        2,
        "{text}"
    );
    // Without a header, and without the target: what the hint says works.
    let bare: Vec<String> = rows
        .lines()
        .skip(1)
        .map(|l| l.rsplit_once(',').expect("five fields").0.to_owned())
        .collect();
    folder.put("bare.csv", bare.join("\n") + "\n");
    let done = folder.run("predict m.mercer bare.csv");
    let text = done.fails(1, &["no header", "--no-header"]);
    assert_eq!(text.matches("hint:").count(), 1, "{text}");
    let by_place = folder.run("predict m.mercer bare.csv --no-header");
    folder.put("named.csv", &rows);
    assert_eq!(by_place.ok(), folder.run("predict m.mercer named.csv").ok());
    // With one column more no place is known: the hint asks for names.
    folder.put(
        "more.csv",
        rows.lines().skip(1).collect::<Vec<_>>().join("\n"),
    );
    folder
        .run("predict m.mercer more.csv")
        .fails(1, &["put one on top", "`income`"]);
    let scored = folder.run("score m.mercer more.csv --no-header --target column_5 --json");
    assert_eq!(scored.json()["rows"], 5);
}

#[test]
fn a_missing_target_names_the_flag_that_helps() {
    let folder = Folder::new();
    let text = clouds(60);
    let holes = text.replacen(",inner\n", ",\n", 2);
    folder.put("d.csv", holes);
    let fit = "fit d.csv --target kind --model svc";
    folder
        .run(fit)
        .fails(1, &["(and in 1 more row)", "`--drop-unlabelled`"]);
    let done = folder.run(&format!("{fit} --drop-unlabelled"));
    assert!(done.ok().contains("2 of 60 rows"), "{}", done.out);
}

#[test]
fn usage_errors_are_whole_in_json() {
    let folder = Folder::new();
    let done = folder.run("predict --json");
    assert_eq!(done.code, 2);
    let message = done.object()["error"]["message"].to_string();
    for part in ["<MODEL>", "<DATA>"] {
        assert!(message.contains(part), "{message}");
    }
    let done = folder.run("fit d.csv --scale big --json");
    let message = done.object()["error"]["message"].to_string();
    assert!(message.contains("standard"), "{message}");
    // Advice for a terminal is no part of the message.
    let done = folder.run("fit d.csv --json --target");
    let message = done.object()["error"]["message"].to_string();
    assert!(message.ends_with("none was supplied\""), "{message}");
}

#[test]
fn edges_that_are_not_taken_apart_name_the_delimiter() {
    let folder = Folder::new();
    folder.put("ties.csv", "from to\nann bob\nbob carl\ncarl dora\n");
    folder.put("people.csv", "name,club\nann,x\nbob,x\ncarl,y\ndora,y\n");
    folder
        .run("fit ties.csv --nodes people.csv --target club")
        .fails(1, &["two columns", "`--delimiter", "space`"]);
}

#[test]
fn what_libsvm_cannot_express_has_the_name_of_the_flag() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(60));
    folder
        .run("fit d.csv --target kind --model lssvm -o m.mercer")
        .ok();
    folder
        .run("export m.mercer --to libsvm")
        .fails(2, &["the method `lssvm`"]);
}

#[test]
fn gamma_of_a_kernel_is_told_apart() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(60));
    let fit = "fit d.csv --target kind --model svc";
    folder
        .run(&format!("{fit} --gamma 0.1"))
        .fails(2, &["`--kernel 'rbf(gamma=0.1)'`"]);
    folder.run(&format!("{fit} --kernel rbf(gamma=0.1)")).ok();
}

#[test]
fn names_that_people_know_are_read_and_one_is_printed() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(60));
    for name in ["gauss", "gaussian(gamma=0.5)"] {
        let object = folder
            .run(&format!(
                "fit d.csv --target kind --model svc --kernel {name} --json"
            ))
            .json();
        assert!(
            object["kernel"].to_string().contains("rbf(gamma="),
            "{object}"
        );
    }
    let object = folder
        .run("fit d.csv --target kind --model ls_svc -o l.mercer --json")
        .json();
    assert_eq!(object["model"], "lssvm");
    let human = folder.run("fit d.csv --target kind --model lssvm -o l.mercer");
    assert!(!human.ok().contains("ls_svc"), "{}", human.out);
    let shown = folder.run("inspect l.mercer");
    assert!(
        shown.ok().contains("lssvm") && !shown.out.contains("ls_svc"),
        "{}",
        shown.out
    );
    assert_eq!(
        folder.run("inspect l.mercer --json").json()["method"],
        "lssvm"
    );
}

#[test]
fn long_names_of_columns_stand_apart_from_kinds() {
    let folder = Folder::new();
    let text = clouds(40).replacen("a,b,kind", "rectal_temperature_in_degrees,b,kind", 1);
    folder.put("d.csv", text);
    folder.run("fit d.csv --target kind --model svc").ok();
    let shown = folder.run("inspect d.mercer");
    assert!(
        shown
            .ok()
            .contains("rectal_temperature_in_degrees  numeric")
            || shown.out.contains("rectal_temperature_in_degrees numeric"),
        "{}",
        shown.out
    );
}

#[test]
fn a_node_has_no_parts() {
    let folder = Folder::new();
    let mut ties = String::from("from,to\n");
    for i in 0..10 {
        ties += &format!("a{i},a{}\nb{i},b{}\n", (i + 1) % 10, (i + 3) % 10);
    }
    let mut people = String::from("name,club\n");
    for i in 0..10 {
        let known = i < 3;
        people += &format!(
            "a{i},{}\nb{i},{}\n",
            if known { "x" } else { "" },
            if known { "z" } else { "" }
        );
    }
    folder.put("ties.csv", ties).put("people.csv", people);
    folder
        .run("fit ties.csv --nodes people.csv --target club -o m.mercer")
        .ok();
    folder
        .run("explain m.mercer people.csv --row 1")
        .fails(1, &["no parts"]);
}

#[test]
fn a_model_of_another_table_is_not_overwritten() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(60));
    let fit = "fit d.csv --target kind --model svc";
    folder.run(fit).ok();
    // The same table again, with more rows.
    folder.put("d.csv", clouds(80));
    folder.run(fit).ok();
    let before = std::fs::read(folder.path("d.mercer")).expect("readable");
    folder.run("fit d.csv --target a --model svr").ok();
    folder.run(fit).ok();
    folder.put("d.csv", line(40).replace("x,y", "p,kind"));
    let other = "fit d.csv --target kind --model svr";
    folder.run(other).fails(
        1,
        &["`d.mercer`", "no column `a`", "-o FILE.mercer", "--force"],
    );
    folder
        .run("tune d.csv --target kind --grid C=1,10")
        .fails(1, &["`d.mercer`"]);
    assert_eq!(
        std::fs::read(folder.path("d.mercer")).expect("readable"),
        before
    );
    folder.run(&format!("{other} -o e.mercer")).ok();
    folder.run(&format!("{other} -o d.mercer")).ok();
    folder.run(&format!("{other} --force")).ok();
    folder.put("d.mercer", "notes");
    folder.run(other).fails(1, &["is no model"]);
    assert_eq!(folder.get("d.mercer"), "notes");
}

/// Words of a line as a shell reads them.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("a word").push(c),
        }
    }
    words
}

#[test]
fn the_line_of_a_search_gives_its_score_and_its_model() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(150)).put("line.csv", line(60));
    for search in [
        "tune d.csv --target kind --grid C=1,10 --grid gamma=0.1,1 --seed 3",
        "tune d.csv -t kind --model lssvm --kernel rbf --grid gamma=0.3,3 --folds 4",
        "tune line.csv -t y --model svr --scale none --grid C=1,30 --metric rmse",
    ] {
        let found = folder.run(&format!("{search} -o t.mercer --json")).json();
        let line = found["command"].as_str().expect("a line").to_owned();
        let shown = folder.run(&format!("{search} -o t.mercer"));
        assert!(shown.ok().contains(&line), "{line}: {}", shown.out);
        let mut pasted = words(&line);
        assert_eq!(pasted.remove(0), "mercer");
        pasted.extend(["-o", "p.mercer", "--json"].map(str::to_owned));
        let again = folder.run_args(&pasted).json();
        let metric = found["metric"].as_str().expect("a name");
        let score = again["scores"]["metrics"][metric]["value"]
            .as_f64()
            .expect("a score");
        let best = found["best"]["score"].as_f64().expect("a score");
        // Folds are scaled one by one where they are evaluated, and their predictions pooled.
        assert!(
            (score - best).abs() < 0.02 * best.abs(),
            "{line}: {score}, {best}"
        );
        let data = &pasted[1];
        let own = folder.run(&format!("predict t.mercer {data} --decision"));
        assert_eq!(
            own.ok(),
            folder
                .run(&format!("predict p.mercer {data} --decision"))
                .ok()
        );
    }
}

#[test]
fn columns_of_other_sizes_and_rows_that_are_all_kept_are_told() {
    let folder = Folder::new();
    let mut text = String::from("small,large,kind\n");
    for i in 0..60 {
        let (x, z) = (f64::from(i % 10) / 10.0, f64::from(i * 37 % 60) * 10.0);
        text += &format!("{x},{z},{}\n", if x > 0.45 { "p" } else { "q" });
    }
    folder.put("d.csv", text);
    let fit = "fit d.csv --target kind --model svc -o m.mercer --kernel rbf(gamma=5)";
    let done = folder.run(fit);
    for part in [
        "columns are not scaled: `small`",
        "all 60 rows are support vectors",
    ] {
        assert!(done.ok().contains(part), "{part}: {}", done.out);
    }
    assert!(done.out.contains("`--scale standard`"), "{}", done.out);
    let done = folder.run(&format!("{fit} --scale standard"));
    assert!(!done.ok().contains("are not scaled"), "{}", done.out);
    // The folds of a fit say it once, with the model of all rows.
    let done = folder.run(&format!("{fit} --folds 3"));
    assert_eq!(
        done.ok().matches("are not scaled").count(),
        1,
        "{}",
        done.out
    );
    let cv = "cv d.csv --target kind --model svc --kernel rbf(gamma=5) --folds 3";
    let done = folder.run(cv);
    done.ok();
    assert_eq!(
        done.err.matches("are not scaled").count(),
        1,
        "{}",
        done.err
    );
    assert!(done.err.contains("`--scale standard`"), "{}", done.err);
    let done = folder.run(&format!("{cv} --scale standard"));
    assert!(!done.err.contains("are not scaled"), "{}", done.err);
}

#[test]
fn scores_on_rows_that_were_learnt_from_say_so() {
    let folder = learnt(NAMED);
    let told = "the model has learnt from these rows";
    let own = folder.run("score m.mercer d.csv");
    assert!(
        own.ok().contains("accuracy") && own.err.contains(told),
        "{}",
        own.err
    );
    let all = customers(300);
    let mut new: Vec<&str> = all.lines().collect();
    new.drain(1..121);
    folder.put("new.csv", new.join("\n"));
    let fresh = folder.run("score m.mercer new.csv");
    assert!(
        fresh.ok().contains("accuracy") && !fresh.err.contains("learnt from"),
        "{}",
        fresh.err
    );
}

#[test]
fn intervals_are_wide_where_rows_are_unlike_all_others() {
    let folder = Folder::new();
    let mut text = String::from("x,y\n");
    for i in 0..120 {
        let x = f64::from(i) / 20.0;
        text += &format!("{x},{}\n", x.sin() + 0.1 * f64::from(i * 7 % 11 - 5) / 5.0);
    }
    folder
        .put("d.csv", text)
        .put("new.csv", "x\n3\n3.01\n9\n40\n");
    for flags in ["", "--model gp --kernel rbf"] {
        folder
            .run(&format!("fit d.csv --target y -o m.mercer {flags}"))
            .ok();
        let done = folder.run("predict m.mercer new.csv --interval");
        let [low, high] = ["lower", "upper"].map(|name| -> Vec<f64> {
            let fields = column(done.ok(), name);
            fields
                .iter()
                .map(|f| f.parse().expect("a number"))
                .collect()
        });
        let width: Vec<f64> = low.iter().zip(&high).map(|(l, h)| h - l).collect();
        assert!((width[0] - width[1]).abs() < 0.02 * width[0], "{width:?}");
        assert!(
            width[2] > 1.5 * width[0] && width[3] > 1.5 * width[0],
            "{width:?}"
        );
        let own = folder.run("predict m.mercer d.csv --interval");
        let truth = column(&folder.get("d.csv"), "y");
        let inside = (0..120).filter(|&r| {
            let number = |name: &str| column(own.ok(), name)[r].parse::<f64>().expect("a number");
            let y: f64 = truth[r].parse().expect("a number");
            (number("lower")..=number("upper")).contains(&y)
        });
        assert!(inside.count() >= 105, "{flags}");
    }
}
