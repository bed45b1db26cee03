//! `--lags` and `mercer forecast`.

use crate::harness::Folder;

/// Months with a wave of twelve and a little noise.
fn visitors(months: usize) -> String {
    let mut text = "month,visitors,price\n".to_owned();
    for k in 0..months {
        let wave = (k as f64 / 12.0 * std::f64::consts::TAU).sin();
        let noise = ((k * 7919 + 13) % 101) as f64 / 101.0;
        let value = 200.0 + 40.0 * wave + 5.0 * noise;
        text += &format!(
            "{}-{:02}-01,{value:.3},{}\n",
            2010 + k / 12,
            k % 12 + 1,
            k % 5
        );
    }
    text
}

#[test]
fn a_series_is_learnt_and_goes_on() {
    let folder = Folder::new();
    folder.put("v.csv", visitors(120));
    let object = folder
        .run("fit v.csv --target visitors --time month --lags 12 --horizon 6 --model ridge --json")
        .json();
    assert_eq!(object["task"], "regress");
    let text = object["evaluated"]["text"].as_str().expect("how");
    assert!(text.contains("earlier ones"), "{text}");
    let told = object["report"]["notes"].to_string();
    assert!(told.contains("1 month"), "{told}");
    let run = "forecast v.mercer v.csv -o next.csv --plot next.svg --json";
    let object = folder.run(run).json();
    assert_eq!(object["way"], "direct");
    let steps = object["forecast"].as_array().expect("steps");
    assert_eq!(steps.len(), 6);
    assert_eq!(steps[0]["time"], "2020-01-01");
    let number = |step: usize, key: &str| steps[step][key].as_f64().expect("a number");
    for step in 0..6 {
        assert!(number(step, "lower") < number(step, "value"));
        assert!(number(step, "value") < number(step, "upper"));
    }
    let csv = folder.get("next.csv");
    assert!(
        csv.starts_with("step,month,forecast,lower,upper\n1,2020-01-01,"),
        "{csv}"
    );
    let svg = folder.get("next.svg");
    assert!(
        svg.contains("visitors") && svg.contains("90 % interval"),
        "{svg}"
    );
    let more = folder.run("forecast v.mercer v.csv --steps 24 --level 0.5");
    assert_eq!(more.ok().lines().count(), 25);
    let refused = folder.run("forecast v.mercer v.csv --steps 24 --way direct");
    refused.fails(1, &["6 steps"]);
}

#[test]
fn all_commands_take_lags() {
    let folder = Folder::new();
    folder.put("v.csv", visitors(90));
    let lags = "--target visitors --time month --lags visitors=1..12,price=1,2";
    let cv = folder
        .run(&format!("cv v.csv {lags} --model ridge --json"))
        .json();
    // Of 78 windows five folds test 13 each.
    assert_eq!(cv["rows"], 65);
    let folds = folder
        .run(&format!("fit v.csv {lags} --model ridge --folds 3 --json"))
        .json();
    assert_eq!(folds["scores"]["rows"], 57);
    let held = folder.run(&format!(
        "fit v.csv {lags} --model ridge --holdout 0.5 --force --json"
    ));
    assert_eq!(held.json()["scores"]["rows"], 39);
    let run = format!("compare v.csv {lags} --models ridge,ols --folds 4 --as-is --json");
    assert_eq!(folder.run(&run).json()["folds_done"], 4);
    let run = format!("tune v.csv {lags} --model svr --grid C=1,10 --json --force");
    folder.run(&run).json();
    let run = format!("cv v.csv {lags} --model ridge --folds loo");
    folder.run(&run).fails(2, &["order of time"]);
}

#[test]
fn new_rows_are_windows() {
    let folder = Folder::new();
    folder
        .put("v.csv", visitors(60))
        .put("new.csv", visitors(20));
    folder
        .run("fit v.csv --target visitors --lags 12 --model ridge")
        .ok();
    let found = folder
        .run("predict v.mercer new.csv --id month --json")
        .json();
    let rows = found["predictions"].as_array().expect("predictions");
    assert_eq!(rows.len(), 20);
    assert!(rows[11].is_null() && rows[12].is_f64(), "{found}");
    let scores = folder.run("score v.mercer new.csv --json").json();
    assert_eq!(scores["rows"], 8);
    let shown = folder.run("inspect v.mercer");
    assert!(shown.ok().contains("12 lags"), "{}", shown.out);
}

#[test]
fn bad_series_are_told_of() {
    let folder = Folder::new();
    let rows = visitors(40);
    let mut lines: Vec<&str> = rows.lines().collect();
    lines.swap(5, 9);
    folder.put("unsorted.csv", lines.join("\n"));
    let told =
        folder.run("fit unsorted.csv --target visitors --time month --lags 3 --model ridge -v");
    assert!(told.ok().contains("sorted by"), "{}", told.out);
    let mut lines: Vec<&str> = rows.lines().collect();
    lines.remove(20);
    lines.remove(20);
    folder.put("gap.csv", lines.join("\n"));
    let told = folder.run("fit gap.csv --target visitors --time month --lags 3 --model ridge");
    assert!(told.ok().contains("gap.csv, line 21: 2 of"), "{}", told.out);
    let holes = rows.replace(",3\n", ",\n");
    folder.put("price.csv", holes);
    let run = "fit price.csv --target visitors --lags visitors=1,price=1 --model ridge";
    assert!(folder.run(run).ok().contains("missing"), "a note");
    folder.put("constant.csv", "t,y\n1,5\n2,5\n3,5\n4,5\n5,5\n");
    folder
        .run("fit constant.csv --target y --lags 1")
        .fails(1, &["constant series"]);
    folder.put("short.csv", "y\n1\n2\n4\n");
    folder
        .run("fit short.csv --target y --lags 12")
        .fails(1, &["at least 14", "fewer lags"]);
    folder.put("twice.csv", "t,y\n1,1\n2,2\n2,3\n3,4\n");
    folder
        .run("fit twice.csv --target y --lags 1 --time t")
        .fails(1, &["line 4", "there before"]);
    folder
        .run("fit short.csv --target y --lags 0")
        .fails(2, &["number of lags"]);
    folder
        .run("fit short.csv --target y --horizon 3")
        .fails(2, &["--lags"]);
}

#[test]
fn powers_of_two_go_on() {
    let folder = Folder::new();
    folder.put("p.csv", "y\n1\n2\n4\n8\n16\n");
    folder
        .run("fit p.csv --target y --lags 2 --model ols --set bias=none")
        .ok();
    let found = folder.run("forecast p.mercer p.csv --json").json();
    let next = found["forecast"][0]["value"].as_f64().expect("a number");
    assert!((next - 32.0).abs() < 1e-9, "{found}");
}

#[test]
fn earlier_values_carry_a_prediction() {
    let folder = Folder::new();
    folder.put("v.csv", visitors(60));
    folder
        .run("fit v.csv --target visitors --time month --lags 3 --model ridge -o m.mercer")
        .ok();
    let object = folder.run("explain m.mercer v.csv --row 20 --json").json();
    let parts = object["parts"].as_array().expect("parts");
    let mut columns: Vec<&str> = parts.iter().filter_map(|p| p["column"].as_str()).collect();
    columns.sort_unstable();
    let lags = ["visitors(t-1)", "visitors(t-2)", "visitors(t-3)"];
    assert_eq!(columns, lags);
    // The window of a row is that of its place in time, wherever it stands in the file.
    let text = visitors(60);
    let (head, rows) = text.split_once('\n').expect("a head");
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.reverse();
    folder.put("back.csv", format!("{head}\n{}\n", rows.join("\n")));
    let back = folder
        .run("explain m.mercer back.csv --row 41 --json")
        .json();
    assert_eq!(back["prediction"], object["prediction"]);
    let early = folder.run("explain m.mercer v.csv --row 2");
    early.fails(1, &["row 2", "row 60"]);
}
