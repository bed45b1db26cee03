//! `mercer explain --support` and support vectors in reports.

use crate::harness::{Folder, fitted};

#[test]
fn the_rows_that_carry_a_machine_are_listed() {
    let folder = Folder::new();
    // Of these the hard plane is carried by rows 2 and 3 alone.
    folder.put("d.csv", "x,kind\n0,a\n1,a\n3,b\n4,b\n9,b\n");
    folder
        .run("fit d.csv --target kind --model svc --kernel linear --c 1000 -o m.mercer --report r.html")
        .ok();
    let found = folder
        .run("explain m.mercer d.csv --support 5 --json")
        .json();
    let rows = found["support"].as_array().expect("a list");
    assert_eq!(found["support_vectors"], 2);
    assert_eq!(rows.len(), 2);
    // Both have the coefficient ±1/2: influences are 3/2 and 1/2.
    assert_eq!(
        (&rows[0]["row"], &rows[0]["class"]),
        (&3.into(), &"b".into())
    );
    assert_eq!(
        (&rows[1]["row"], &rows[1]["class"]),
        (&2.into(), &"a".into())
    );
    for (row, expected) in rows.iter().zip([1.5, 0.5]) {
        let influence = row["influence"].as_f64().expect("a number");
        assert!((influence - expected).abs() < 1e-3, "{influence}");
    }
    let text = folder.run("explain m.mercer d.csv --support 1");
    for part in ["line 4", "x=3", "1 of 2 support vectors"] {
        assert!(text.ok().contains(part), "{part}: {}", text.out);
    }
    assert!(!text.out.contains("line 3"), "{}", text.out);
    let page = folder.get("r.html");
    assert!(page.contains("The rows of most influence") && page.contains("line 4"));
    folder.put("others.csv", "x\n100\n");
    let none = folder.run("explain m.mercer others.csv --support 3");
    assert_eq!(none.code, 1);
    assert!(none.err.contains("none of these rows"), "{}", none.err);
}

#[test]
fn models_without_support_vectors_say_so() {
    let folder = fitted("--model c45");
    let done = folder.run("explain m.mercer d.csv --support 3");
    assert!(
        done.code != 0 && done.err.contains("no support vectors"),
        "{}",
        done.err
    );
    let done = folder.run("explain m.mercer d.csv --support 3 --row 2");
    assert_eq!(done.code, 2);
}
