//! `mercer report`: an old model on new rows.

use crate::harness::{Folder, clouds, fitted, line};

#[test]
fn an_old_model_gets_a_page_on_new_rows() {
    let folder = fitted("--model lssvm");
    folder.put("new.csv", clouds(260));
    let scores = folder.run("score m.mercer new.csv --json").json();
    let done = folder.run("report m.mercer new.csv");
    assert!(
        done.ok().contains("260 rows of new.csv") && done.out.contains("new-report.html"),
        "{}",
        done.out
    );
    let page = folder.get("new-report.html");
    let accuracy = scores["metrics"]["accuracy"]["value"]
        .as_f64()
        .expect("a number");
    let shown = format!("{:.1}\u{202f}%", 100.0 * accuracy);
    let plain = page.replace([' ', '\u{a0}', '\u{202f}'], "");
    let wanted = shown.replace('\u{202f}', "");
    assert!(plain.contains(&wanted), "{wanted} is not in the page");
    for part in [
        "From 260 rows of new.csv",
        "<section id=\"importance\">",
        "<section id=\"worst\">",
        "mercer predict m.mercer NEW.csv",
    ] {
        assert!(page.contains(part), "`{part}`");
    }
    let object = folder
        .run("report m.mercer new.csv -o p.html --json")
        .json();
    assert_eq!(object["file"], "p.html");
    // `score` tells some that a page has no room for.
    let metrics = object["scores"]["metrics"].as_object().expect("metrics");
    assert!(metrics.len() > 3, "{object}");
    for (name, value) in metrics {
        assert_eq!(*value, scores["metrics"][name.as_str()], "{name}");
    }
    assert!(object["baseline"].is_object());
    assert_eq!(folder.get("p.html"), page);
}

#[test]
fn rows_that_were_learnt_from_are_told() {
    let folder = fitted("--model lssvm");
    let done = folder.run("report m.mercer d.csv");
    done.ok();
    let told = "the model has learnt from these rows: expect lower scores on new ones";
    assert!(done.err.contains(told), "{}", done.err);
    assert!(folder.get("d-report.html").contains(told));
}

#[test]
fn numbers_and_wrong_calls() {
    let folder = Folder::new();
    folder.put("d.csv", line(60)).put("new.csv", line(45));
    folder
        .run("fit d.csv --target y --model krr --kernel linear -o m.mercer")
        .ok();
    folder.run("report m.mercer new.csv -o r.html").ok();
    assert!(
        folder
            .get("r.html")
            .contains("Predicted against true values")
    );
    folder
        .run("report m.mercer new.csv -o m.mercer")
        .fails(2, &["is the model and would be overwritten"]);
    folder
        .run("report m.mercer new.csv -o new.csv")
        .fails(2, &["is the data and would be overwritten"]);
    folder
        .run("report m.mercer gone.csv")
        .fails(1, &["there is no file"]);
    folder.put("no.csv", "x\n1\n2\n");
    folder.run("report m.mercer no.csv").fails(1, &["`y`"]);
}

#[test]
fn the_first_words_of_a_page_say_why() {
    let folder = Folder::new();
    folder.put("d.csv", clouds(200));
    folder
        .run("fit d.csv --target kind -o m.mercer --report r.html")
        .ok();
    let page = folder.get("r.html");
    let at = |part: &str| page.find(part).unwrap_or_else(|| panic!("no `{part}`"));
    // Is it good, why, what next: in one box, before any section.
    let [verdict, why, next] = ["class=\"verdict", "Why: ", "Next: "].map(at);
    assert!(
        verdict < why && why < next && next < at("<section"),
        "{why}"
    );
    let box_ = &page[why..next];
    assert!(
        box_.contains("<code>a</code>") || box_.contains("<code>b</code>"),
        "{box_}"
    );
    assert!(at("<section id=\"importance\"") < at("<section id=\"help\""));
}
