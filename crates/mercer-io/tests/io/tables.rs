//! Spreadsheets, JSON and archives hold the values that pandas reads from them, and hostile ones are refused.

use std::path::{Path, PathBuf};

use mercer::data::{Table, Values};
use mercer_io::{ReadOptions, Source, read, stream};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/tables")
        .join(name)
}

fn table(name: &str) -> Table {
    let source = Source::Path(path(name));
    read(&source, &ReadOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Values as text; words for truth are those of every file.
fn cells(table: &Table, column: &str) -> Vec<Option<String>> {
    let values = &table.column(column).expect("a column").values;
    (0..table.rows())
        .map(|row| match values {
            _ if values.is_missing(row) => None,
            Values::Boolean(truths) => truths.values[row].map(|v| v.to_string()),
            Values::Date(v) => Some(format!("{:?}", v[row])),
            other => other.text(row),
        })
        .collect()
}

#[test]
fn values_are_those_of_pandas() {
    let expected = table("book.csv");
    assert_eq!(expected.rows(), 30);
    let files = [
        "book.xlsx",
        "book.xls",
        "book.ods",
        "book.zip",
        "records.json",
        "lines.jsonl",
        "columns.json",
        "split.json",
        "lists.json",
    ];
    for file in files {
        let found = table(file);
        assert_eq!(found.names(), expected.names(), "{file}");
        for column in expected.columns() {
            let own = found.column(&column.name).expect("a column");
            assert_eq!(own.kind(), column.kind(), "{file}, {}", column.name);
            let (found, expected) = (cells(&found, &column.name), cells(&expected, &column.name));
            assert_eq!(found, expected, "{file}, {}", column.name);
        }
    }
}

#[test]
fn rows_keep_their_places() {
    // The title of the sheet stands in row 2, the names in row 4.
    let book = table("book.xlsx");
    assert_eq!(book.origin().lines[..2], [5, 6]);
    assert_eq!(book.layout().part.as_deref(), Some("May"));
    let notes: Vec<&str> = book
        .layout()
        .notes
        .iter()
        .map(mercer::fit::Note::text)
        .collect();
    assert_eq!(
        notes,
        [
            "the table begins in row 4; what stands above it is passed over",
            "the first of 2 sheets is read, `May`; others are `June`"
        ]
    );
    let june = ReadOptions::default().sheet("June");
    let june = read(&Source::Path(path("book.xlsx")), &june).expect("another sheet");
    assert_eq!(
        (june.names(), june.rows()),
        (vec!["a".into(), "b".into()], 1)
    );
    let error = read(
        &Source::Path(path("book.xlsx")),
        &ReadOptions::default().sheet("Mai"),
    );
    let error = error.expect_err("no such sheet");
    assert_eq!(error.to_string(), "there is no sheet `Mai`");
    assert_eq!(table("lines.jsonl").origin().lines[..2], [1, 2]);
}

#[test]
fn lines_of_json_come_in_chunks() {
    let source = Source::Path(path("lines.jsonl"));
    let chunks = stream(&source, &ReadOptions::default(), 7).expect("opened");
    let rows: Vec<usize> = chunks.map(|t| t.expect("readable").rows()).collect();
    assert_eq!(rows, [7, 7, 7, 7, 2]);
}

#[test]
fn a_path_leads_into_an_archive() {
    let inner = Source::Path(path("book.zip").join("in/book.csv"));
    let found = read(&inner, &ReadOptions::default()).expect("a member");
    assert_eq!(found.rows(), 30);
    let error = read(
        &Source::Path(path("book.zip").join("in/other.csv")),
        &ReadOptions::default(),
    );
    assert!(
        error
            .expect_err("none")
            .to_string()
            .contains("in/other.csv")
    );
}

fn refused(name: &str, data: Vec<u8>, options: &ReadOptions) -> String {
    let error = read(&Source::bytes(name, data), options).expect_err("refused");
    error.to_string()
}

#[test]
fn json_is_refused_where_it_is_no_table() {
    let plain = ReadOptions::default();
    let no = |text: &str| refused("a.json", text.as_bytes().to_vec(), &plain);
    assert_eq!(no("[{\"a\":[1]}]"), "a.json: `a` holds a list");
    assert_eq!(
        no("[{\"a\":1},[2]]"),
        "a.json: row 2 is a list among objects"
    );
    assert_eq!(no("[1,2]"), "a.json: row 1 is a single value");
    assert_eq!(
        no("[[1,2],[3]]"),
        "a.json, line 2: the row has 1 field; 2 expected"
    );
    assert_eq!(no("[]"), "a.json: there are no rows");
    assert_eq!(no("{\"a\":1,\"b\":[2]}"), "a.json: the object is no table");
    assert!(no("[{\"a\":NaN}]").contains("the JSON cannot be read"));
    assert!(no("[{\"a\":1").contains("a.json, line 1"));
    assert!(no("{\"a\":1}\n{\"a\":}\n").starts_with("a.json, line 2, column 6"));
    let deep = "[".repeat(100_000);
    assert!(no(&deep).contains("the JSON cannot be read"));
    let deep = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    assert!(no(&deep).contains("the JSON cannot be read"));
    let nested = "[{\"a\":{\"b\":1,\"c\":\"x\"}},{\"a\":{\"b\":2},\"d\":true}]";
    let nested = Source::bytes("a.json", nested.as_bytes());
    let nested = read(&nested, &plain).expect("dots");
    assert_eq!(nested.names(), ["a.b", "a.c", "d"]);
    // One line that is longer than what is looked at: columns, not rows.
    let cells: Vec<String> = (0..10_000).map(|i| format!("\"{i}\":{i}")).collect();
    let long = format!("{{\"a\":{{{0}}},\"b\":{{{0}}}}}", cells.join(","));
    let long = read(&Source::bytes("a.json", long.into_bytes()), &plain).expect("columns");
    assert_eq!((long.rows(), long.columns().len()), (10_000, 2));
    let many = format!("[{}]", vec!["{\"a\":\"xxxxxxxx\"}"; 100_000].join(","));
    let small = ReadOptions::default().limit(1 << 20);
    assert!(refused("a.json", many.into_bytes(), &small).contains("as much as may be read"));
}

#[test]
fn damaged_workbooks_are_refused() {
    for name in ["book.xlsx", "book.xls", "book.ods"] {
        let whole = std::fs::read(path(name)).expect("a file");
        let plain = ReadOptions::default();
        for share in 1..8 {
            let cut = whole[..whole.len() * share / 8].to_vec();
            let text = refused(name, cut, &plain);
            assert!(text.starts_with(name), "{text}");
        }
        // A changed byte gives other values or an error, never a panic.
        for at in (0..whole.len()).step_by(37) {
            let mut changed = whole.clone();
            changed[at] ^= 0x41;
            let _ = read(&Source::bytes(name, changed), &plain);
        }
    }
}

#[test]
fn large_workbooks_are_counted_before_they_are_read() {
    let whole = std::fs::read(path("book.xlsx")).expect("a file");
    let small = ReadOptions::default().limit(9_000);
    assert!(refused("book.xlsx", whole, &small).contains("as much as may be read"));
}
