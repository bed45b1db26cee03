//! Words of columns, from learning to files.

use std::collections::BTreeMap;

use super::learn::learn_up_to;
use super::{BUCKETS, TextEncoding, Words};
use crate::Error;
use crate::data::{
    Block, Column, EncodeOptions, Encoder, Encoding, Kind, Origin, Storage, Table, Values,
};

fn cells(texts: &[&str]) -> Values {
    Values::Text(texts.iter().map(|t| Some((*t).to_owned())).collect())
}

fn learnt(texts: &[&str], how: &str, copies: Option<&[f64]>) -> Words {
    let how: TextEncoding = how.parse().unwrap();
    super::learn(&cells(texts), how, copies, 0).unwrap().words
}

fn table(columns: Vec<(&str, Values)>) -> Table {
    let columns = columns.into_iter().map(|(n, v)| Column::new(n, v));
    Table::try_new(columns.collect(), Origin::default()).unwrap()
}

fn options(column: &str, how: &str) -> EncodeOptions {
    let how = BTreeMap::from([(column.to_owned(), how.parse().unwrap())]);
    EncodeOptions::default().texts(how)
}

#[test]
fn copies_count_as_rows() {
    let once = learnt(&["to be", "or not", "or not", "or not"], "tfidf", None);
    let copies = learnt(&["to be", "or not"], "tfidf", Some(&[1.0, 3.0]));
    assert_eq!(once, copies);
    let least = learnt(&["to be", "or not"], "bag(min=2)", Some(&[1.0, 3.0]));
    assert_eq!(
        least.terms().unwrap().words().collect::<Vec<_>>(),
        ["not", "or"]
    );
    let weighted = table(vec![("t", cells(&["to be", "or not"]))]);
    let (encoder, _) =
        Encoder::fit_weighted(&weighted, &[2.0, 2.0], &options("t", "tfidf")).unwrap();
    let doubled = ["to be", "to be", "or not", "or not"];
    let (expected, _) =
        Encoder::fit(&table(vec![("t", cells(&doubled))]), &options("t", "tfidf")).unwrap();
    assert_eq!(encoder, expected);
}

#[test]
fn words_that_are_new_match_nothing() {
    let words = learnt(&["spam spam eggs"], "bag", None);
    let (rows, strange) = words.rows(&cells(&["eggs and spam", "bacon", "", "a b"]));
    assert_eq!(rows.row(0), (&[0, 1][..], &[1.0, 1.0][..]));
    assert_eq!((rows.row(1).0.len(), rows.row(2).0.len()), (0, 0));
    // An empty text and single letters have no words at all.
    assert_eq!(strange, 1);
}

#[test]
fn a_missing_text_is_an_empty_one() {
    let values = Values::Text(vec![Some("one two".to_owned()), None]);
    let found = table(vec![("t", values), ("x", Values::Numeric(vec![1.0, 2.0]))]);
    let (encoder, notes) = Encoder::fit(&found, &options("t", "tfidf")).unwrap();
    assert_eq!(encoder.feature_names(), ["t=one", "t=two", "x"]);
    assert!(notes[0].text().contains("2 words"), "{}", notes[0].text());
    let records = encoder.transform(&found).unwrap().records;
    let Block::Dense(rows) = records.features.points.widened() else {
        panic!("few words are stored densely");
    };
    assert_eq!(rows.row(1), [0.0, 0.0, 1.0]);
    assert!(records.texts.is_empty());
}

#[test]
fn texts_without_words_have_no_features() {
    let found = table(vec![("t", cells(&["a", "?!", ""]))]);
    let (encoder, notes) = Encoder::fit(&found, &options("t", "bag")).unwrap();
    assert_eq!(encoder.width(), 0);
    assert!(notes[0].text().contains("no word"), "{}", notes[0].text());
    let (_, notes) = Encoder::fit(
        &table(vec![("t", cells(&["one", "two"]))]),
        &options("t", "bag(min=2)"),
    )
    .unwrap();
    assert!(
        notes[0].text().contains("in 2 texts"),
        "{}",
        notes[0].text()
    );
}

#[test]
fn only_texts_and_names_are_counted() {
    let found = table(vec![("x", Values::Numeric(vec![1.0, 2.0]))]);
    let error = Encoder::fit(&found, &options("x", "bag")).unwrap_err();
    assert!(error.to_string().contains("`x`"), "{error}");
    assert!(matches!(error, Error::Conflict { .. }));
    let error = Encoder::fit(&found, &options("y", "bag")).unwrap_err();
    assert!(matches!(error, Error::Unknown { .. }));
    let names = crate::data::Categories {
        codes: vec![0, 1, crate::data::MISSING_CODE],
        levels: vec!["red wine".to_owned(), "white wine".to_owned()],
    };
    let found = table(vec![("c", Values::Categorical(names))]);
    let (encoder, _) = Encoder::fit(&found, &options("c", "bag")).unwrap();
    assert_eq!(encoder.feature_names(), ["c=red", "c=white", "c=wine"]);
    assert_eq!(encoder.input_columns()[0].1, Kind::Text);
    // New rows may come as texts, names or numbers.
    let new = table(vec![("c", Values::Numeric(vec![12.0]))]);
    assert_eq!(encoder.transform(&new).unwrap().records.len(), 1);
}

#[test]
fn many_words_are_stored_sparsely() {
    let texts: Vec<String> = (0..100)
        .map(|i| format!("w{i} w{} common", i + 1000))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let few = table(vec![("t", cells(&texts))]);
    let (encoder, _) = Encoder::fit(&few, &options("t", "bag")).unwrap();
    assert_eq!((encoder.width(), encoder.storage()), (201, Storage::Dense));
    let (encoder, _) = Encoder::fit(&few, &options("t", "bag(ngrams=2)")).unwrap();
    assert_eq!(encoder.storage(), Storage::Sparse);
}

#[test]
fn a_hundred_thousand_words_keep_their_places() {
    let texts: Vec<String> = (0..1000)
        .map(|row| {
            let words = (0..100).map(|k| format!("w{:06}", row * 100 + k));
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let found = table(vec![("t", cells(&texts))]);
    let (encoder, _) = Encoder::fit(&found, &options("t", "tfidf")).unwrap();
    assert_eq!(
        (encoder.width(), encoder.storage()),
        (100_000, Storage::Sparse)
    );
    let records = encoder.transform(&found).unwrap().records;
    let Block::Sparse(rows) = records.features.points.widened() else {
        panic!("sparse rows");
    };
    assert_eq!(rows.row(7).0[3], 703);
    // 100 words that no other row has.
    assert!((rows.row(7).1[3] - 0.1).abs() < 1e-15);
    assert_eq!(records.features.name(703), "t=w000703");
    let stored = serde_json::to_string(&encoder).unwrap();
    // A word of seven letters, its count, and two signs.
    assert!(stored.len() < 11 * 100_000);
    let read: Encoder = serde_json::from_str(&stored).unwrap();
    assert_eq!(read.transform(&found).unwrap().records, records);
}

#[test]
fn too_many_words_share_features_by_hash() {
    let texts = ["one two three", "two three four", "four five"];
    let found = learn_up_to(&cells(&texts), TextEncoding::BAG, None, 0, 4).unwrap();
    assert_eq!(found.hashed, Some(5));
    let words = found.words;
    assert_eq!((words.width(), words.terms().is_none()), (BUCKETS, true));
    let (rows, _) = words.rows(&cells(&["two two five", "unseen"]));
    let (features, values) = rows.row(0);
    // FNV-1a and the signs are what other programs can compute, too.
    let mut expected: Vec<(u32, f64)> = ["two", "five"].map(super::bucket).to_vec();
    expected[0].1 *= 2.0;
    expected.sort_by_key(|e| e.0);
    let found: Vec<(u32, f64)> = features
        .iter()
        .copied()
        .zip(values.iter().copied())
        .collect();
    assert_eq!(found, expected);
    assert_eq!(rows.row(1).0.len(), 0);
    // With `min` there are few enough.
    let how = "bag(min=2)".parse().unwrap();
    let found = learn_up_to(&cells(&texts), how, None, 0, 4).unwrap();
    assert_eq!(found.words.terms().unwrap().len(), 3);
    // In files, counts are all there is.
    let text = serde_json::to_string(&words).unwrap();
    assert!(!text.contains("words"));
    assert_eq!(serde_json::from_str::<Words>(&text).unwrap(), words);
}

#[test]
fn weights_of_hashed_words_are_brought_to_length_one() {
    let texts = ["one two three", "two three four", "four five"];
    let found = learn_up_to(&cells(&texts), TextEncoding::TFIDF, None, 0, 2).unwrap();
    let (rows, _) = found.words.rows(&cells(&texts));
    for row in 0..3 {
        let norm: f64 = rows.row(row).1.iter().map(|v| v * v).sum();
        assert!((norm - 1.0).abs() < 1e-14);
    }
}

#[test]
fn memory_is_counted_before_it_is_taken() {
    // What stands beside the words already is beyond any machine.
    let texts: Vec<String> = (0..70_000).map(|i| format!("word{i}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let refused = super::learn(&cells(&texts), TextEncoding::BAG, None, u64::MAX / 4);
    assert!(matches!(refused.map(|_| ()), Err(Error::Data { .. })));
}

#[test]
fn files_that_contradict_themselves_are_refused() {
    let good = serde_json::to_value(learnt(&["to be", "or not to be"], "tfidf(ngrams=2)", None));
    let good = good.unwrap();
    assert_eq!(good["words"], "be not not+to or or+not to to+be");
    assert_eq!(good["counts"], serde_json::json!([2, 1, 1, 1, 1, 2, 2]));
    assert!(serde_json::from_value::<Words>(good.clone()).is_ok());
    let wrong: [(&str, serde_json::Value); 12] = [
        ("words", "be not".into()),
        ("words", "not be not+to or or+not to to+be".into()),
        ("words", "be be not+to or or+not to to+be".into()),
        ("words", "be not not+to+x or or+not to to+be".into()),
        ("words", "be not + or or+not to to+be".into()),
        ("words", "be not not+to or or+not to to+be zz".into()),
        ("words", serde_json::Value::Null),
        ("counts", serde_json::json!([2, 1, 1, 1, 1, 2])),
        ("counts", serde_json::json!([2, 1, 1, 1, 1, 2, 3])),
        ("counts", serde_json::json!([2, 1, 1, 1, 1, 2, -1])),
        ("documents", serde_json::json!(-1.0)),
        ("ngrams", 9.into()),
    ];
    for (field, value) in wrong {
        let mut bad = good.clone();
        bad[field] = value.clone();
        let read = serde_json::from_value::<Words>(bad);
        assert!(read.is_err(), "{field} = {value}");
    }
}

#[test]
fn hashed_words_are_never_stored_densely() {
    let found = learn_up_to(&cells(&["one two"]), TextEncoding::BAG, None, 0, 1).unwrap();
    let column = crate::data::ColumnEncoder {
        name: "t".to_owned(),
        constant: false,
        range: None,
        encoding: Encoding::Words(found.words),
    };
    assert!(Encoder::try_new(vec![column.clone()], Storage::Dense, Vec::new()).is_err());
    assert!(Encoder::try_new(vec![column], Storage::Sparse, Vec::new()).is_ok());
}
