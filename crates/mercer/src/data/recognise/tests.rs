//! Columns as people have them.

use std::sync::LazyLock;

use super::*;
use crate::data::{Kind, Values};
use crate::fit::Note;

fn read(cells: &[&str]) -> Recognised {
    read_with(cells, |_| {}).expect("readable")
}

fn read_with<'a>(
    cells: &[&str],
    change: impl FnOnce(&mut Recognise<'a>),
) -> Result<Recognised, Unread> {
    static USUAL: LazyLock<MissingTexts> = LazyLock::new(MissingTexts::default);
    let mut recognise = Recognise::new(&USUAL);
    change(&mut recognise);
    recognise.column(&cells.iter().map(|cell| Some(cell.as_bytes())))
}

fn numbers(found: &Recognised) -> &[f64] {
    match &found.values {
        Values::Numeric(values) | Values::Date(values) => values,
        other => panic!("{other:?}"),
    }
}

/// So many different numbers, with other cells after them.
fn with_others(count: usize, others: &[&'static str]) -> Vec<String> {
    let numbers = (0..count).map(|i| format!("{}.5", 37 * i));
    numbers
        .chain(others.iter().map(|o| (*o).to_owned()))
        .collect()
}

fn kind(cells: &[String]) -> Kind {
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    read(&cells).values.kind()
}

#[test]
fn a_few_odd_cells_are_missing_and_told() {
    let mut cells = with_others(419, &["unknown"]);
    cells.swap(8, 419);
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    let found = read(&cells);
    assert!(numbers(&found)[8].is_nan());
    assert_eq!(numbers(&found).iter().filter(|v| v.is_nan()).count(), 1);
    let mut reading = found.reading.expect("noticed");
    assert_eq!((reading.known, reading.odd_count), (420, 1));
    assert_eq!(reading.spelling.missing, ["unknown"]);
    let lines: Vec<u32> = (2..500).collect();
    reading.set_lines(&lines);
    assert_eq!(
        reading.notes("income", Kind::Numeric),
        [Note::Alert(
            "column `income`: 419 of 420 values are numbers; line 10 holds `unknown`: read as missing"
                .to_owned()
        )]
    );
    assert!(
        reading.hints("income")[0]
            .to_string()
            .contains("`income` as `categorical`")
    );
}

#[test]
fn names_stay_names() {
    // Too few numbers, too many odd cells, too many spellings.
    assert_eq!(kind(&with_others(9, &["unknown"])), Kind::Categorical);
    assert_eq!(kind(&with_others(10, &["unknown"])), Kind::Numeric);
    assert_eq!(
        kind(&with_others(30, &["unknown", "unknown"])),
        Kind::Categorical
    );
    assert_eq!(
        kind(&with_others(38, &["unknown", "unknown"])),
        Kind::Numeric
    );
    assert_eq!(kind(&with_others(400, &["a", "b", "c"])), Kind::Numeric);
    assert_eq!(
        kind(&with_others(400, &["a", "b", "c", "d"])),
        Kind::Categorical
    );
    assert_eq!(
        kind(&with_others(400, &["<1", "<2", "<3", ">900", "> 1e3"])),
        Kind::Numeric
    );
    // Codes: few whole numbers beside a short text.
    let codes = |odd: &str| {
        let mut cells: Vec<String> = (0..60).map(|i| (i % 4).to_string()).collect();
        cells[7] = odd.to_owned();
        kind(&cells)
    };
    assert_eq!(codes("A"), Kind::Categorical);
    assert_eq!(codes("unknown"), Kind::Numeric);
    // Identifiers.
    assert_eq!(
        read(&["12-345", "99-817", "10-001"]).values.kind(),
        Kind::Categorical
    );
    assert_eq!(read(&["C100", "C101"]).values.kind(), Kind::Categorical);
    assert_eq!(read(&["1.2.3", "1.10.0"]).values.kind(), Kind::Categorical);
}

#[test]
fn dashes_are_missing_among_values_only() {
    let found = read(&["1.5", "-", "none", "2"]);
    assert!(found.reading.is_none());
    assert_eq!(numbers(&found)[3], 2.0);
    assert!(numbers(&found)[1].is_nan() && numbers(&found)[2].is_nan());
    assert_eq!(read(&["2024-01-31", "--"]).values.kind(), Kind::Date);
    let Values::Categorical(names) = read(&["-", "none", "red", "n.a."]).values else {
        panic!("names");
    };
    assert_eq!(names.levels, ["-", "none", "red"]);
    assert!(names.name(3).is_none());
    assert_eq!(read(&["-", "-"]).values.kind(), Kind::Categorical);
    assert_eq!(read(&["", "NA"]).values.kind(), Kind::Numeric);
}

#[test]
fn amounts_have_one_format() {
    for (cells, values) in [
        (
            ["$43,165.30", "$7", "($1,000.00)"],
            [43_165.3, 7.0, -1000.0],
        ),
        (
            ["43.165,30 €", "7 €", "-1.000,00 €"],
            [43_165.3, 7.0, -1000.0],
        ),
        (["12 345", "7", "1 234 567"], [12_345.0, 7.0, 1_234_567.0]),
        (["12'345", "7", "-1'234.5"], [12_345.0, 7.0, -1234.5]),
        (["5.8%", "0%", "100 %"], [5.8, 0.0, 100.0]),
        (["12 kg", "3.5kg", "0"], [12.0, 3.5, 0.0]),
        (["950", "1,204.5", "12"], [950.0, 1204.5, 12.0]),
        (["0,123", "7,5", "1,250"], [0.123, 7.5, 1.25]),
        (["\u{2212}5", "7", "+2"], [-5.0, 7.0, 2.0]),
        (["CHF 1'200", "CHF 80", "CHF 7.50"], [1200.0, 80.0, 7.5]),
    ] {
        let found = read(&cells);
        assert_eq!(numbers(&found), values, "{cells:?}");
        let reading = found.reading.expect("noticed");
        assert!(
            reading.spelling.number.is_some() && reading.doubt.is_none(),
            "{cells:?}"
        );
    }
    for cells in [
        ["1,23", "4.5", "2"],
        ["$5", "€5", "7 kg"],
        ["(1)", "(2)", "(3)"],
    ] {
        assert_eq!(read(&cells).values.kind(), Kind::Categorical, "{cells:?}");
    }
}

#[test]
fn what_remains_open_is_told() {
    let cells = ["1,234", "43,165"];
    let found = read(&cells);
    assert_eq!(numbers(&found), [1234.0, 43_165.0]);
    let reading = found.reading.expect("noticed");
    assert!(matches!(reading.doubt, Some(Doubt::Decimal { .. })));
    assert!(
        reading.hints("x")[0]
            .to_string()
            .contains("`decimal` = `comma`")
    );
    let comma = read_with(&cells, |r| r.decimal = Some(Decimal::Comma)).expect("told");
    assert_eq!(numbers(&comma), [1.234, 43.165]);
    assert!(comma.reading.expect("kept").doubt.is_none());
    let amounts = read(&["€1.234", "€43.165"]);
    assert_eq!(numbers(&amounts), [1234.0, 43_165.0]);
    assert_eq!(numbers(&read(&["1.234 kg", "2.500 kg"])), [1.234, 2.5]);
    let codes = read(&["00123", "90210"]);
    assert_eq!(numbers(&codes), [123.0, 90_210.0]);
    assert!(matches!(
        codes.reading.expect("noticed").doubt,
        Some(Doubt::Codes { .. })
    ));
    assert!(read(&["01", "12"]).reading.is_none());
}

#[test]
fn dates_have_one_format() {
    let day = 1_700_956_800.0;
    for (cells, format) in [
        (["11/26/2023", "11/27/2023"], Some("%m/%d/%Y")),
        (["26/11/2023", "27/11/2023"], Some("%d/%m/%Y")),
        (["26.11.2023", "27.11.2023"], Some("%d.%m.%Y")),
        (["2023/11/26", "2023/11/27"], Some("%Y/%m/%d")),
        (["26-Nov-2023", "27-Nov-2023"], Some("%d-%b-%Y")),
        (["Nov 26, 2023", "Nov 27, 2023"], Some("%b %d, %Y")),
        (["2023-11-26", "2023-11-27"], None),
    ] {
        let found = read(&cells);
        assert_eq!(
            found.values,
            Values::Date(vec![day, day + 86_400.0]),
            "{cells:?}"
        );
        let own = found.reading.and_then(|r| r.spelling.date);
        assert_eq!(own.as_deref(), format);
    }
    // One value above 12 settles it for all.
    let found = read(&["01/02/2023", "13/02/2023"]);
    assert_eq!(
        found.reading.expect("noticed").spelling.date.as_deref(),
        Some("%d/%m/%Y")
    );
    let open = read(&["01/02/2023", "03/04/2023"])
        .reading
        .expect("noticed");
    assert!(matches!(open.doubt, Some(Doubt::DayOrMonth { .. })));
    let told = read_with(&["01/02/2023"], |r| r.date_format = Some("%d/%m/%Y")).expect("told");
    assert!(told.reading.expect("kept").doubt.is_none());
    let mut cells: Vec<String> = (1..=28).map(|d| format!("{d:02}.11.2023")).collect();
    cells.push("later".to_owned());
    assert_eq!(kind(&cells), Kind::Date);
    assert_eq!(
        read(&["31.02.2023", "30.02.2023"]).values.kind(),
        Kind::Categorical
    );
}

#[test]
fn new_rows_are_read_as_the_training_rows_were() {
    let spelling = read(&["€1.234,50", "€80"])
        .reading
        .expect("noticed")
        .spelling;
    let strict = |cells: &[&str], spelling: Option<&Spelling>| {
        read_with(cells, |r| {
            r.kind = Some(Kind::Numeric);
            r.strict = true;
            r.spelling = spelling;
        })
    };
    // Alone this would be 1.234.
    assert_eq!(
        numbers(&strict(&["1.234"], Some(&spelling)).expect("read")),
        [1234.0]
    );
    assert_eq!(spelling.number("€1.234"), Some(1234.0));
    assert_eq!(
        strict(&["1", "tbd"], Some(&spelling)),
        Err(Unread::Misfit {
            row: 1,
            wanted: "a number",
            kind: Kind::Numeric
        })
    );
    assert_eq!(strict(&["1,234"], None), Err(Unread::Ambiguous { row: 0 }));
    let json = serde_json::to_string(&spelling).expect("plain data");
    assert_eq!(
        serde_json::from_str::<Spelling>(&json).expect("read back"),
        spelling
    );
    let odd = Spelling {
        missing: vec!["<5".to_owned()],
        ..Spelling::default()
    };
    assert!(odd.is_missing("<7") && !odd.is_missing("7"));
    assert!(numbers(&strict(&["3", "<2"], Some(&odd)).expect("read"))[1].is_nan());
}

#[test]
fn kinds_that_are_told_are_kept() {
    let numeric = |cells: &[&str]| read_with(cells, |r| r.kind = Some(Kind::Numeric));
    assert_eq!(
        numbers(&numeric(&["$43,165", "$1"]).expect("amounts")),
        [43_165.0, 1.0]
    );
    let error = numeric(&["$43,165", "red"]);
    assert!(
        matches!(error, Err(Unread::Misfit { row: 1, .. })),
        "{error:?}"
    );
    assert!(numeric(&["-", ""]).is_ok());
    let date = |cells: &[&str]| read_with(cells, |r| r.kind = Some(Kind::Date));
    assert!(matches!(
        date(&["2024-01-01", "x"]),
        Err(Unread::Misfit { row: 1, .. })
    ));
    assert!(date(&["", "NA"]).is_ok());
}

proptest::proptest! {
    #[test]
    fn arbitrary_cells_do_not_panic(
        cells in proptest::collection::vec("\\PC{0,12}|[-+($€0-9., '%kg)/:]{0,14}|unknown", 0..40)
    ) {
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        for kind in [None, Some(Kind::Numeric), Some(Kind::Date), Some(Kind::Boolean)] {
            if let Ok(found) = read_with(&cells, |r| r.kind = kind) {
                proptest::prop_assert_eq!(found.values.len(), cells.len());
                if let Some(reading) = found.reading {
                    reading.notes("x", found.values.kind());
                    reading.hints("x");
                }
            }
        }
    }
}

#[test]
fn truths_are_known_by_their_words() {
    let kind = |cells: &[&str]| read(cells).values.kind();
    for pair in [
        ["True", "False"],
        ["yes", "no"],
        ["T", "F"],
        ["Y", "N"],
        ["y", "n"],
        ["On", "Off"],
        ["Ja", "Nein"],
        ["ein", "aus"],
        ["OUI", "NON"],
        ["Да", "нет"],
    ] {
        assert_eq!(
            kind(&[pair[0], pair[1], pair[0]]),
            Kind::Boolean,
            "{pair:?}"
        );
        // A column keeps to one pair of words.
        assert_eq!(
            kind(&[pair[0], pair[1], "maybe"]),
            Kind::Categorical,
            "{pair:?}"
        );
    }
    // One letter alone may be a code of anything.
    assert_eq!(kind(&["Y", "Y"]), Kind::Categorical);
    assert_eq!(kind(&["Y", "no"]), Kind::Categorical);
    // The word that does not occur is spelt like the other.
    for (word, both) in [
        ("Да", ["Нет", "Да"]),
        ("ДА", ["НЕТ", "ДА"]),
        ("nein", ["nein", "ja"]),
    ] {
        let Values::Boolean(truths) = read(&[word, word]).values else {
            panic!("{word}");
        };
        assert_eq!(truths.words, both);
    }
}
