//! `mercer update`.

use crate::harness::{Folder, clouds};

/// A folder with the first and the other rows of [`clouds`], and models of some and of all.
fn folder() -> Folder {
    let folder = Folder::new();
    let all = clouds(60);
    let lines: Vec<&str> = all.lines().collect();
    let part = |rows: &[&str]| format!("{}\n{}\n", lines[0], rows.join("\n"));
    folder.put("all.csv", &all);
    folder.put("first.csv", part(&lines[1..41]));
    folder.put("rest.csv", part(&lines[41..]));
    let fit = "--target kind --model knn --neighbours 3 --scale none";
    folder.run(&format!("fit all.csv {fit} -o all.mercer")).ok();
    folder
        .run(&format!("fit first.csv {fit} -o first.mercer"))
        .ok();
    folder
}

fn predicted(folder: &Folder, model: &str) -> String {
    let done = folder.run(&format!("predict {model} all.csv --proba"));
    done.ok().to_owned()
}

#[test]
fn rows_come_and_go() {
    let folder = folder();
    let before = predicted(&folder, "first.mercer");
    let added = folder
        .run("update first.mercer rest.csv -o more.mercer --json")
        .json();
    assert_eq!((&added["added"], &added["rows"]), (&20.into(), &60.into()));
    assert_eq!(
        predicted(&folder, "more.mercer"),
        predicted(&folder, "all.mercer")
    );
    assert_eq!(predicted(&folder, "first.mercer"), before);
    // The rows that were added are known as such.
    let score = folder.run("score more.mercer rest.csv");
    score.ok();
    assert!(score.err.contains("learnt"), "{}", score.err);
    let text = folder.run("update more.mercer rest.csv --remove");
    assert!(text.ok().contains("40 rows"), "{}", text.out);
    assert_eq!(predicted(&folder, "more.mercer"), before);
    // They are gone: there is nothing left to take away, and the file stays as it was.
    let bytes = std::fs::read(folder.path("more.mercer")).expect("readable");
    let again = folder.run("update more.mercer rest.csv --remove");
    assert_eq!(again.code, 1);
    assert!(
        again.err.contains("keeps none of these rows"),
        "{}",
        again.err
    );
    assert_eq!(
        bytes,
        std::fs::read(folder.path("more.mercer")).expect("readable")
    );
    let some = folder.run("update all.mercer all.csv --remove -o none.mercer");
    assert!(
        some.code == 1 && some.err.contains("no row would be left"),
        "{}",
        some.err
    );
    assert!(!folder.has("none.mercer"));
}

#[test]
fn rows_that_are_not_kept_are_named() {
    let folder = folder();
    let done = folder.run("update first.mercer all.csv --remove --json -o few.mercer");
    // All 40 rows would go.
    assert!(done.code == 1, "{}", done.out);
    let first = folder.get("first.csv");
    let lines: Vec<&str> = first.lines().take(3).collect();
    let (head, rows) = (lines[0], &lines[1..]);
    folder.put(
        "two.csv",
        format!("{head}\n{}\n77,77,inner\n", rows.join("\n")),
    );
    let done = folder.run("update first.mercer two.csv --remove --json -o few.mercer");
    let found = done.json();
    assert_eq!(
        (&found["removed"], &found["not_kept"]),
        (&2.into(), &1.into())
    );
    assert!(done.err.contains("line 4"), "{}", done.err);
}

#[test]
fn new_classes_are_told_and_other_models_refused() {
    let folder = folder();
    folder.put("new.csv", "a,b,kind\n50,50,zebra\n");
    let done = folder.run("update first.mercer new.csv --json");
    assert_eq!(done.json()["new_classes"][0], "zebra");
    assert!(done.err.contains("zebra"), "{}", done.err);
    folder.put("near.csv", "a,b\n50,50\n");
    folder.run("predict first.mercer near.csv").ok();
    folder.put("bad.csv", "a,b,kind\n50,inf,zebra\n");
    assert_eq!(folder.run("update first.mercer bad.csv").code, 1);
    folder
        .run("fit all.csv --target kind --model svc -o svc.mercer")
        .ok();
    let done = folder.run("update svc.mercer new.csv");
    assert!(done.code != 0 && done.err.contains("`svc`"), "{}", done.err);
    let done = folder.run("update first.mercer first.csv -o first.csv");
    assert_eq!(done.code, 2, "{}", done.err);
}
