//! Bags of words and tf-idf against scikit-learn's vectorisers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mercer::data::{
    Block, Column, EncodeOptions, Encoder, Encoding, Origin, Records, Table, TextEncoding, Values,
};
use serde_json::Value;

/// Weights are sums of a few products: all digits but the last ones.
const TOLERANCE: f64 = 1e-13;

fn document() -> Value {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle/texts.json");
    let text = std::fs::read_to_string(path).expect("the results are bundled");
    serde_json::from_str(&text).expect("JSON")
}

fn texts(value: &Value) -> Table {
    let list = value.as_array().expect("a list of texts");
    let cells = list.iter().map(|t| t.as_str().map(str::to_owned));
    let column = Column::new("notes", Values::Text(cells.collect()));
    Table::try_new(vec![column], Origin::default()).expect("a table")
}

fn entries(records: &Records, row: usize) -> Vec<(usize, f64)> {
    match records.features.points.widened() {
        Block::Dense(m) => {
            let values = m.row(row).iter().copied().enumerate();
            values.filter(|(_, v)| *v != 0.0).collect()
        }
        Block::Sparse(m) => {
            let (indices, values) = m.row(row);
            let places = indices.iter().map(|j| *j as usize);
            places.zip(values.iter().copied()).collect()
        }
    }
}

fn assert_rows(records: &Records, expected: &Value, about: &str) {
    let expected = expected.as_array().expect("rows");
    assert_eq!(records.len(), expected.len());
    for (row, expected) in expected.iter().enumerate() {
        let found = entries(records, row);
        let expected = expected.as_array().expect("entries");
        assert_eq!(found.len(), expected.len(), "{about}, row {row}: {found:?}");
        for ((feature, value), expected) in found.iter().zip(expected) {
            assert_eq!(*feature as u64, expected[0].as_u64().expect("a column"));
            let expected = expected[1].as_f64().expect("a number");
            assert!(
                (value - expected).abs() <= TOLERANCE,
                "{about}, row {row}: {value} for {expected}"
            );
        }
    }
}

#[test]
fn words_and_weights_are_those_of_scikit_learn() {
    let document = document();
    let cases = document["cases"].as_array().expect("cases");
    assert!(cases.len() >= 15);
    for case in cases {
        let name = case["texts"].as_str().expect("a name");
        let encode = case["encode"].as_str().expect("an expression");
        let about = format!("{name}, {encode}");
        let how: TextEncoding = encode.parse().expect("an encoding");
        let train = texts(&document["corpora"][name]);
        let chosen = BTreeMap::from([("notes".to_owned(), how)]);
        let options = EncodeOptions::default().texts(chosen);
        let (encoder, _) = Encoder::fit(&train, &options).expect("an encoder");
        let Encoding::Words(words) = &encoder.columns()[0].encoding else {
            panic!("{about}: words expected");
        };
        let found: Vec<&str> = words.terms().expect("not hashed").words().collect();
        let expected = case["words"].as_array().expect("words").iter();
        let expected: Vec<&str> = expected.map(|w| w.as_str().expect("a word")).collect();
        assert_eq!(found, expected, "{about}");
        if let Some(factors) = case["factors"].as_array() {
            for (found, expected) in words.factors().iter().zip(factors) {
                let expected = expected.as_f64().expect("a number");
                assert!((found - expected).abs() <= TOLERANCE, "{about}");
            }
        }
        let records = encoder.transform(&train).expect("rows").records;
        assert_rows(&records, &case["train"], &about);
        // As the encoder of a file has it.
        let stored = serde_json::to_string(&encoder).expect("JSON");
        let read: Encoder = serde_json::from_str(&stored).expect("an encoder");
        assert_eq!(read, encoder, "{about}");
        assert_eq!(read.transform(&train).expect("rows").records, records);
        let new = read.transform(&texts(&document["new"])).expect("rows");
        assert_rows(&new.records, &case["new"], &about);
    }
}

#[test]
fn words_are_made_of_the_same_characters() {
    let document = document();
    let how = BTreeMap::from([("notes".to_owned(), TextEncoding::BAG)]);
    let options = EncodeOptions::default().texts(how);
    for (key, is_word) in [("letters", true), ("others", false)] {
        let characters = document[key].as_str().expect("characters");
        assert!(characters.chars().count() > 500);
        for c in characters.chars() {
            // Between two letters, a character joins them or parts them.
            let cell = Some(format!("xa{c}bx"));
            let column = Column::new("notes", Values::Text(vec![cell]));
            let table = Table::try_new(vec![column], Origin::default()).expect("a table");
            let (encoder, _) = Encoder::fit(&table, &options).expect("an encoder");
            // A letter whose small form is a letter with a mark parts words all the same.
            let lowered = c.to_lowercase().count() == 1;
            let joined = encoder.width() == 1;
            assert!(joined == is_word || !lowered, "{c:?} U+{:04X}", c as u32);
        }
    }
}
