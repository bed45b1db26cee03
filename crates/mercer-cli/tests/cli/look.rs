//! `mercer look`.

use std::path::Path;
use std::time::Instant;

use crate::harness::{Folder, bundled, clouds};

#[test]
fn a_table_is_shown_within_80_columns() {
    let folder = Folder::new();
    folder.put("d.csv", format!("Clouds of points\n\n{}", clouds(200)));
    let done = folder.run("look d.csv --target kind");
    let text = done.ok();
    for part in [
        "d.csv: 200 rows × 3 columns",
        "csv, delimiter comma, UTF-8, with names, 2 lines above the table",
        "categorical",
        "inner ",
        "What single columns tell of `kind`",
        "the table begins in line 3",
        "`--kind`",
        "`--drop`",
    ] {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    assert!(done.err.is_empty(), "{}", done.err);
}

#[test]
fn programs_get_the_same_as_data() {
    let folder = Folder::new();
    folder.put(
        "d.csv",
        "id,size,day,same\n1,1.5,2024-01-01,x\n2,,2024-01-02,x\n",
    );
    let look = folder.run("look d.csv --json").json();
    assert_eq!(look["rows"], 2);
    assert_eq!(look["layout"]["delimiter"], "comma");
    let columns = look["columns"].as_array().expect("columns");
    assert_eq!(columns[1]["missing"], 1);
    assert_eq!(columns[1]["numbers"]["mean"], 1.5);
    assert_eq!(columns[2]["kind"], "date");
    assert_eq!(columns[3]["standing"], "constant");
    folder
        .run("look d.csv --target sice")
        .fails(2, &["there is no column `sice`", "did you mean `size`?"]);
    folder.run("look gone.csv").fails(1, &["there is no file"]);
}

#[test]
fn all_formats_can_be_looked_at() {
    let folder = Folder::new();
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tables");
    for (name, words) in [
        ("book.xlsx", "excel, `May`"),
        ("book.zip", "csv, in zip"),
        ("lines.jsonl", "json, UTF-8"),
    ] {
        let done = folder.run_args(["look".as_ref(), tables.join(name).as_os_str()]);
        let text = done.ok();
        assert!(text.contains("30 rows × 6 columns"), "{text}");
        assert!(text.contains(words), "{text}");
    }
    let iris = bundled("iris.csv");
    let parts = folder.path("parts");
    std::fs::create_dir(&parts).expect("made");
    std::fs::copy(&iris, parts.join("a.csv")).expect("copied");
    std::fs::copy(&iris, parts.join("b.csv")).expect("copied");
    let done = folder.run("look parts");
    assert!(done.ok().contains("300 rows × 5 columns"), "{}", done.out);
    let fitted = folder.run("fit parts --target class --model svc -o m.mercer --json");
    assert_eq!(fitted.json()["report"]["rows"], 300);
}

#[test]
fn wide_tables_are_cut() {
    let folder = Folder::new();
    let row = |cell: &dyn Fn(usize) -> String| (0..5000).map(cell).collect::<Vec<_>>().join(",");
    let text = format!(
        "{}\n{}\n{}\n",
        row(&|i| format!("c{i}")),
        row(&|i| format!("{i}.5")),
        row(&|i| format!("-{i}"))
    );
    folder.put("d.csv", text);
    let started = Instant::now();
    let done = folder.run("look d.csv");
    assert!(
        done.ok().contains("and 4,960 more: 4,960 numeric"),
        "{}",
        done.out
    );
    assert!(done.out.lines().count() < 60);
    assert!(started.elapsed().as_secs() < 10);
}

/// What `look` calls names of rows is what automatic models leave out.
#[test]
fn identifiers_are_those_that_fits_leave_out() {
    let folder = Folder::new();
    let mut text = "visit,id,code,dose,y\n".to_owned();
    for i in 0..60 {
        let dose = (i * 37) % 60;
        text.push_str(&format!(
            "{},{},c{},{dose},{}\n",
            i + 1,
            1000 + 7 * (i / 2),
            i * 13 % 60,
            dose * 2 + i % 3
        ));
    }
    folder.put("d.csv", text);
    let look = folder.run("look d.csv --target y --json").json();
    let columns = look["columns"].as_array().expect("columns").iter();
    let mut named: Vec<&str> = columns
        .filter(|c| c["standing"] == "identifier")
        .filter_map(|c| c["name"].as_str())
        .collect();
    let fit = folder.run("fit d.csv --target y --json").json();
    let warnings = fit["warnings"].as_array().expect("warnings").iter();
    let mut left_out: Vec<&str> = warnings
        .filter(|w| w["code"] == "left_out")
        .flat_map(|w| w["columns"].as_array().expect("columns"))
        .filter_map(|name| name.as_str())
        .collect();
    named.sort_unstable();
    left_out.sort_unstable();
    assert!(!named.is_empty());
    assert_eq!(named, left_out, "{}", fit["warnings"]);
}
