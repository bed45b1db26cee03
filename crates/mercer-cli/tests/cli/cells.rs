//! Cells as people write them, from the fit to the rows that are predicted later.

use crate::harness::Folder;

/// Rows whose target is a sum of their columns, each cell written by a function.
fn table(rows: usize, income: fn(f64) -> String, day: fn(usize) -> String) -> String {
    let mut text = String::from("income;day;spend\n");
    for i in 0..rows {
        let amount = 900.5 + 137.25 * ((i * 29) % 83) as f64;
        let spend = 0.01 * amount + (i % 28) as f64;
        text += &format!("{};{};{spend:.2}\n", income(amount), day(i % 28 + 1));
    }
    text
}

fn plain(amount: f64) -> String {
    format!("{amount}")
}

/// 1.234,50 €
fn euros(amount: f64) -> String {
    let cents = (100.0 * amount).round() as u64;
    let (whole, rest) = (cents / 100, cents % 100);
    if whole < 1000 {
        format!("{whole},{rest:02} €")
    } else {
        format!("{}.{:03},{rest:02} €", whole / 1000, whole % 1000)
    }
}

fn iso(day: usize) -> String {
    format!("2024-03-{day:02}")
}

fn british(day: usize) -> String {
    format!("{day:02}/03/2024")
}

const FIT: &str = "fit d.csv --target spend --model ridge --holdout 0.3 -o m.mercer --json";

#[test]
fn spelling_does_not_change_the_answer() {
    let folder = Folder::new();
    folder.put("d.csv", table(90, plain, iso));
    let clean = folder.run(FIT).json();
    folder.put("d.csv", table(90, euros, british));
    let found = folder.run(FIT).json();
    assert_eq!(found["scores"]["metrics"], clean["scores"]["metrics"]);
    let reading = &found["reading"];
    assert_eq!(reading[0]["number"]["suffix"], "€", "{reading}");
    assert_eq!(reading[1]["date"], "%d/%m/%Y", "{reading}");
    // These rows alone would be 1.234 euros on the fourth of March, or the third of April.
    folder.put("new.csv", "income;day\n1.234 €;04/03/2024\n");
    let answer = folder.run("predict m.mercer new.csv").ok().to_owned();
    folder.put("same.csv", "income;day\n1234,00 €;2024-03-04\n");
    assert_eq!(folder.run("predict m.mercer same.csv").ok(), answer);
    folder.put("bad.csv", "income;day\n1.234 €;x\n");
    folder
        .run("predict m.mercer bad.csv")
        .fails(1, &["bad.csv, line 2, column `day`: `x` is not a date"]);
}

#[test]
fn odd_cells_are_told_and_the_hints_work() {
    let folder = Folder::new();
    let odd = table(90, plain, iso).replacen("\n900.5;", "\nunknown;", 1);
    folder.put("d.csv", &odd);
    let page = folder
        .run("fit d.csv --target spend --model ridge -o m.mercer")
        .ok()
        .to_owned();
    let flat = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let told =
        "column `income`: 89 of 90 values are numbers; line 2 holds `unknown`: read as missing";
    assert!(flat.contains(told), "{page}");
    assert!(flat.contains("`--missing default,unknown`"), "{page}");
    assert!(flat.contains("`--kind income=categorical`"), "{page}");
    let settled = folder
        .run(&format!("{FIT} --missing default,unknown"))
        .json();
    assert_eq!(settled["reading"], serde_json::json!([]));
    let kept = folder
        .run(&format!("{FIT} --kind income=categorical"))
        .json();
    assert_eq!(kept["reading"], serde_json::json!([]));
    // The model knows the text from training, and no other.
    folder.run(FIT).ok();
    folder.put("new.csv", "income;day\nunknown;2024-03-04\n-;2024-03-04\n");
    folder.run("predict m.mercer new.csv").ok();
    folder.put("new.csv", "income;day\ntbd;2024-03-04\n");
    folder.run("predict m.mercer new.csv").fails(
        1,
        &[
            "line 2, column `income`: `tbd` is not a number",
            "--on-error skip",
        ],
    );
}

#[test]
fn what_is_open_is_settled_by_flags() {
    let folder = Folder::new();
    let mut text = String::from("size,day,y\n");
    for i in 1..=12 {
        text += &format!("\"{i},{:03}\",{i:02}/05/2024,{}\n", 37 * i, i * i);
    }
    folder.put("d.csv", text);
    let fit = "fit d.csv --target y --task regress --model ridge -o m.mercer";
    let page = folder.run(fit).ok().to_owned();
    assert!(page.contains("`--decimal comma`"), "{page}");
    assert!(page.contains("`--date-format 'day=%d/%m/%Y'`"), "{page}");
    let told = format!("{fit} --json --decimal comma --date-format day=%d/%m/%Y");
    let reading = &folder.run(&told).json()["reading"];
    for column in reading.as_array().expect("a list") {
        assert!(column["doubt"].is_null(), "{reading}");
    }
    folder
        .run(&format!("{fit} --date-format dd/mm"))
        .fails(2, &["`dd/mm` is no format of dates"]);
    folder
        .run(&format!("{fit} --date-format when=%d/%m/%Y"))
        .fails(2, &["there is no column `when`"]);
}

#[test]
fn a_class_per_row_is_refused_before_learning() {
    let folder = Folder::new();
    let mut text = String::from("x,y\n");
    for i in 0..60 {
        text += &format!("{i},item {i}a\n");
    }
    folder.put("d.csv", text);
    folder.run("fit d.csv --target y").fails(
        1,
        &[
            "target `y` has 60 classes in 60 rows",
            "--kind y=numeric",
            "--task classify",
        ],
    );
}
