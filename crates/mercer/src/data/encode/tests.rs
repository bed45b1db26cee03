//! Encoders from table to records, column kind by column kind.

use mercer_linalg::{Csr, Matrix};
use proptest::prelude::*;

use super::{EncodeOptions, Encoded, Encoder, Encoding, Missing, Scaling, Storage};
use crate::Error;
use crate::data::{Block, Categories, Column, MISSING_CODE, Origin, Points, Table, Values};
use crate::fit::Note;

fn table(columns: Vec<(&str, Values)>) -> Table {
    let columns = columns
        .into_iter()
        .map(|(n, v)| Column::new(n, v))
        .collect();
    Table::try_new(columns, Origin::default()).unwrap()
}

fn names(values: &[&str]) -> Values {
    let mut levels: Vec<String> = Vec::new();
    let codes = values
        .iter()
        .map(|v| match (*v, levels.iter().position(|l| l == v)) {
            ("", _) => MISSING_CODE,
            (_, Some(code)) => code as u32,
            (_, None) => {
                levels.push((*v).to_owned());
                levels.len() as u32 - 1
            }
        })
        .collect();
    Values::Categorical(Categories { codes, levels })
}

fn numbers(values: &[f64]) -> Values {
    Values::Numeric(values.to_vec())
}

fn fit(table: &Table) -> (Encoder, Vec<Note>) {
    Encoder::fit(table, &EncodeOptions::default()).unwrap()
}

fn dense(encoded: &Encoded) -> Matrix<f64> {
    match encoded.records.features.points.widened() {
        Block::Dense(m) => m.to_matrix(),
        Block::Sparse(_) => panic!("dense expected"),
    }
}

fn column(encoded: &Encoded, feature: usize) -> Vec<f64> {
    let m = dense(encoded);
    (0..m.rows()).map(|row| m[(row, feature)]).collect()
}

fn mixed() -> Table {
    table(vec![
        ("size", numbers(&[1.0, 2.0, f64::NAN, 3.0])),
        ("colour", names(&["red", "blue", "red", ""])),
        (
            "new",
            Values::Boolean(vec![Some(true), Some(false), Some(true), Some(true)].into()),
        ),
        (
            "word",
            Values::Text(vec![Some("ab".into()), None, Some("c".into()), None]),
        ),
        (
            "when",
            Values::Date(vec![0.0, 86_400.0, 2.5 * 86_400.0, f64::NAN]),
        ),
    ])
}

#[test]
fn raw_columns_keep_gaps_and_codes() {
    let (encoder, notes) = Encoder::fit(&mixed(), &EncodeOptions::raw()).unwrap();
    // Whoever reads raw columns minds no scale.
    assert!(notes.iter().all(|note| !note.text().contains("scaled")));
    let encoded = encoder.transform(&mixed()).unwrap();
    let size = column(&encoded, 0);
    assert_eq!(size[..2], [1.0, 2.0]);
    assert!(size[2].is_nan());
    // Days and circles of the date that is missing.
    let features = encoded.records.features.points.columns();
    assert!((1..features).all(|feature| column(&encoded, feature)[3].is_nan()));
    let sources: Vec<&str> = encoder.columns().iter().map(|c| c.name.as_str()).collect();
    let places = encoded
        .records
        .features
        .groups
        .iter()
        .map(|g| g.source.as_str());
    let numeric: Vec<&str> = sources.into_iter().filter(|s| *s != "word").collect();
    assert_eq!(places.collect::<Vec<_>>(), numeric);
    let codes = &encoded.records.codes;
    assert_eq!(codes[0].codes, [1, 0, 1, MISSING_CODE]);
    assert_eq!(codes[1].codes, [1, 0, 1, 1]);
    assert_eq!(encoder.columns()[1].level(1).as_deref(), Some("red"));
    assert_eq!(encoder.columns()[2].level(0).as_deref(), Some("false"));
    let odd = table(vec![
        ("size", numbers(&[f64::NAN])),
        ("colour", names(&["green"])),
        ("new", Values::Boolean(vec![None].into())),
        ("word", Values::Text(vec![None])),
        ("when", Values::Date(vec![f64::NAN])),
    ]);
    let encoded = encoder.transform(&odd).unwrap();
    assert!(
        encoded
            .records
            .codes
            .iter()
            .all(|c| c.codes == [MISSING_CODE])
    );
    let again: Encoder = serde_json::from_str(&serde_json::to_string(&encoder).unwrap()).unwrap();
    assert_eq!(again, encoder);
}

#[test]
fn every_kind_is_encoded() {
    let (encoder, _) = fit(&mixed());
    let expected = [
        "size=value",
        "size=(missing)",
        "colour=blue",
        "colour=red",
        "colour=(missing)",
        "new",
        "when=days",
        "when=time_of_day_sin",
        "when=time_of_day_cos",
        "when=weekday_sin",
        "when=weekday_cos",
        "when=day_of_year_sin",
        "when=day_of_year_cos",
        "when=(missing)",
    ];
    assert_eq!(encoder.feature_names(), expected);
    let encoded = encoder.transform(&mixed()).unwrap();
    assert!(encoded.notes.is_empty(), "{:?}", encoded.notes);
    let scale = (2.0_f64 / 3.0).sqrt();
    assert_eq!(column(&encoded, 0), [-1.0 / scale, 0.0, 0.0, 1.0 / scale]);
    assert_eq!(column(&encoded, 1), [0.0, 0.0, 1.0, 0.0]);
    // The missing colour is filled with red, the most frequent, and flagged.
    assert_eq!(column(&encoded, 3), [1.0, 0.0, 1.0, 1.0]);
    assert_eq!(column(&encoded, 4), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(column(&encoded, 5), [1.0, 0.0, 1.0, 1.0]);
    // Noon is opposite midnight; a missing time is the centre of the circle.
    assert!((column(&encoded, 8)[2] + 1.0).abs() < 1e-15);
    assert_eq!(column(&encoded, 8)[3], 0.0);
    assert_eq!(encoded.records.codes[0].codes, [1, 0, 1, MISSING_CODE]);
    assert_eq!(encoded.records.codes[1].source, "new");
    let texts = encoded.records.texts[0].texts.iter().map(AsRef::as_ref);
    assert_eq!(texts.collect::<Vec<&str>>(), ["ab", "", "c", ""]);
}

#[test]
fn columns_are_found_by_name() {
    let (encoder, _) = fit(&mixed());
    let straight = encoder.transform(&mixed()).unwrap();
    let mut columns: Vec<Column> = mixed().columns().to_vec();
    columns.reverse();
    columns.insert(2, Column::new("more", numbers(&[0.0; 4])));
    let shuffled = Table::try_new(columns, Origin::default()).unwrap();
    let found = encoder.transform(&shuffled).unwrap();
    assert_eq!(found.records, straight.records);
    assert_eq!(
        found.notes[0].text(),
        "columns not used by the model: `more`"
    );
    let mut short = mixed();
    short.take("colour").unwrap();
    short.take("size").unwrap();
    let renamed = Column::new("color", names(&["red"; 4]));
    let mut columns = short.columns().to_vec();
    columns.push(renamed);
    let error = encoder
        .transform(&Table::try_new(columns, Origin::default()).unwrap())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "2 columns that the model needs are not there: `size`, `colour`"
    );
    let hints: Vec<String> = error.hints().iter().map(ToString::to_string).collect();
    assert!(
        hints.contains(&"did you mean `color` for `colour`?".to_owned()),
        "{hints:?}"
    );
}

#[test]
fn unseen_categories_have_no_feature() {
    let (encoder, _) = fit(&table(vec![("colour", names(&["red", "blue"]))]));
    let given = table(vec![("colour", names(&["mauve", "red", "mauve", "pink"]))]);
    let found = encoder.transform(&given).unwrap();
    assert_eq!(column(&found, 0), [0.0; 4]);
    assert_eq!(column(&found, 1), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(found.records.codes[0].codes[0], MISSING_CODE);
    assert_eq!(
        found.notes[0].text(),
        "3 rows have categories unseen in training in column `colour`: `mauve`, `pink`"
    );
}

#[test]
fn categories_match_by_their_printed_form() {
    let (encoder, _) = fit(&table(vec![("code", names(&["1", "2", "2.5", "02"]))]));
    let given = table(vec![("code", numbers(&[2.5, 1.0, 2.0, 9.0]))]);
    let found = encoder.transform(&given).unwrap();
    let codes = &found.records.codes[0].codes;
    let Encoding::Categorical { levels, .. } = &encoder.columns()[0].encoding else {
        panic!("categorical expected");
    };
    let level = |row: usize| levels[codes[row] as usize].as_str();
    assert_eq!((level(0), level(1), level(2)), ("2.5", "1", "2"));
    assert_eq!(codes[3], MISSING_CODE);

    let (encoder, _) = fit(&table(vec![("flag", names(&["yes", "no"]))]));
    let given = table(vec![(
        "flag",
        Values::Boolean(vec![Some(true), None].into()),
    )]);
    let found = encoder.transform(&given).unwrap();
    assert_eq!(found.records.codes[0].codes, [1, MISSING_CODE]);
}

#[test]
fn truth_values_arrive_as_names_and_numbers() {
    let flags = Values::Boolean(vec![Some(true), Some(false), None].into());
    let (encoder, _) = fit(&table(vec![("flag", flags)]));
    let found = encoder
        .transform(&table(vec![("flag", names(&["No", "TRUE", ""]))]))
        .unwrap();
    assert_eq!(column(&found, 0), [0.0, 1.0, 0.0]);
    assert_eq!(column(&found, 1), [0.0, 0.0, 1.0]);
    assert!(
        encoder
            .transform(&table(vec![("flag", numbers(&[1.0, 0.0]))]))
            .is_ok()
    );
    let error = encoder
        .transform(&table(vec![("flag", numbers(&[0.0, 2.0]))]))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 2, column `flag`: `2` is neither `false` nor `true`"
    );
}

#[test]
fn numbers_that_arrive_as_text_are_read_or_named() {
    let (encoder, _) = fit(&table(vec![("x", numbers(&[1.0, 2.0]))]));
    assert!(
        encoder
            .transform(&table(vec![("x", names(&["3", "4.5"]))]))
            .is_ok()
    );
    let error = encoder
        .transform(&table(vec![("x", names(&["3", "many"]))]))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 2, column `x`: `many` is not a number"
    );
    let infinite = table(vec![("x", numbers(&[1.0, f64::INFINITY]))]);
    let error = encoder.transform(&infinite).unwrap_err();
    assert_eq!(error.to_string(), "row 2, column `x`: the value is `inf`");
    assert!(Encoder::fit(&infinite, &EncodeOptions::default()).is_err());
    let dates = table(vec![("x", Values::Date(vec![0.0]))]);
    assert!(matches!(
        encoder.transform(&dates),
        Err(Error::ColumnKind { .. })
    ));
}

#[test]
fn missing_values_are_filled_flagged_noted_or_refused() {
    let full = table(vec![("x", numbers(&[1.0, 3.0]))]);
    let holed = table(vec![("x", numbers(&[f64::NAN, 3.0]))]);
    let found = fit(&full).0.transform(&holed).unwrap();
    assert_eq!(column(&found, 0), [0.0, 1.0]);
    assert_eq!(
        found.notes[0].text(),
        "1 row lacks column `x`, which was complete in training; the training mean 2 stands in"
    );
    let strict = EncodeOptions::default().impute(false);
    let (encoder, _) = Encoder::fit(&full, &strict).unwrap();
    let error = encoder.transform(&holed).unwrap_err();
    assert_eq!(error.to_string(), "row 1, column `x`: the value is missing");
    assert!(Encoder::fit(&holed, &strict).is_err());
    let plain = EncodeOptions::default().indicators(false);
    let (encoder, _) = Encoder::fit(&holed, &plain).unwrap();
    assert_eq!(encoder.width(), 1);
    assert!(encoder.transform(&holed).unwrap().notes.is_empty());
}

#[test]
fn odd_columns_are_noted() {
    let ids: Vec<String> = (0..60).map(|i| format!("id{i}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let wide: Vec<f64> = (0..60).map(|i| f64::from(i) * 1e6).collect();
    let thin: Vec<f64> = (0..60).map(|i| f64::from(i % 2) * 1e-3).collect();
    let given = table(vec![
        ("constant", numbers(&[5.0; 60])),
        ("empty", numbers(&[f64::NAN; 60])),
        ("id", names(&ids)),
        ("wide", numbers(&wide)),
        ("twin", numbers(&wide)),
        ("thin", numbers(&thin)),
        ("note", Values::Text(vec![Some("a".into()); 60])),
    ]);
    let options = EncodeOptions::default().scaling(Scaling::None);
    let (encoder, notes) = Encoder::fit(&given, &options).unwrap();
    let text: Vec<&str> = notes.iter().map(Note::text).collect();
    let has = |part: &str| assert!(text.iter().any(|t| t.contains(part)), "{part}: {text:?}");
    has("column `constant` is constant");
    has("column `empty` is missing in every row");
    has("column `id` has 60 categories in 60 rows");
    has("`thin` varies by 5.0e-4");
    has("columns `wide` and `twin` are identical");
    has("text column `note`");
    assert!(!encoder.input_columns().iter().any(|(n, _)| n == "empty"));
    assert!(encoder.transform(&given).unwrap().notes.is_empty());
    let (scaled, _) = fit(&given);
    assert_eq!(column(&scaled.transform(&given).unwrap(), 0), [0.0; 60]);
}

#[test]
fn nothing_to_learn_from_is_an_error() {
    assert!(Encoder::fit(&table(vec![]), &EncodeOptions::default()).is_err());
    assert!(Encoder::fit(&table(vec![("x", numbers(&[]))]), &EncodeOptions::default()).is_err());
    let empty = table(vec![("x", numbers(&[f64::NAN]))]);
    assert!(Encoder::fit(&empty, &EncodeOptions::default()).is_err());
    let (encoder, _) = fit(&table(vec![("x", numbers(&[7.0]))]));
    assert_eq!(
        column(
            &encoder
                .transform(&table(vec![("x", numbers(&[8.0]))]))
                .unwrap(),
            0
        ),
        [1.0]
    );
    assert_eq!(
        encoder
            .transform(&table(vec![("x", numbers(&[]))]))
            .unwrap()
            .records
            .len(),
        0
    );
}

#[test]
fn sparse_vectors_keep_their_zeros() {
    let csr = Csr::try_new(3, vec![0, 2, 3], vec![0, 2, 0], vec![4.0, 1.0, 2.0]).unwrap();
    let given = table(vec![
        ("x", Values::Vectors(Points::from(csr))),
        ("age", numbers(&[10.0, 20.0])),
    ]);
    let (encoder, _) = fit(&given);
    let encoded = encoder.transform(&given).unwrap();
    let Block::Sparse(found) = encoded.records.features.points.widened() else {
        panic!("sparse expected");
    };
    // Standard deviations 1, 0 (so 1) and 1/2; then age at -1 and 1.
    assert_eq!(found.row(0), (&[0u32, 2, 3][..], &[4.0, 2.0, -1.0][..]));
    assert_eq!(found.row(1), (&[0u32, 3][..], &[2.0, 1.0][..]));
}

#[test]
fn a_sparse_feature_that_is_constant_is_not_blown_up() {
    // Sums of so many weights round: what is left of the variance is not a scale.
    let rows = 8124;
    let csr = Csr::try_new(1, (0..=rows).collect(), vec![0; rows], vec![1.0; rows]).unwrap();
    let given = table(vec![("x", Values::Vectors(Points::from(csr)))]);
    let weights: Vec<f64> = (0..rows).map(|row| 0.1 + (row % 7) as f64 / 3.0).collect();
    let options = EncodeOptions::default();
    let weighted = Encoder::fit_weighted(&given, &weights, &options).unwrap();
    for (encoder, _) in [fit(&given), weighted] {
        let encoded = encoder.transform(&given).unwrap();
        let Block::Sparse(found) = encoded.records.features.points.widened() else {
            panic!("sparse expected");
        };
        assert_eq!(found.row(0).1, [1.0]);
    }
}

#[test]
fn widths_may_differ_where_vectors_are_sparse() {
    let encoder = Encoder::identity(2, Storage::Sparse);
    let wide = Csr::try_new(4, vec![0, 2], vec![1, 3], vec![5.0, 6.0]).unwrap();
    let given = table(vec![("features", Values::Vectors(Points::from(wide)))]);
    let found = encoder.transform(&given).unwrap();
    assert_eq!(found.records.features.points.columns(), 2);
    assert!(
        found.notes[0]
            .text()
            .contains("1 values of features beyond the 2")
    );
    let narrow = Csr::try_new(1, vec![0, 1], vec![0], vec![5.0]).unwrap();
    let given = table(vec![("x", Values::Vectors(Points::from(narrow)))]);
    assert!(encoder.transform(&given).unwrap().notes.is_empty());
    let matrix = Points::from(Matrix::<f64>::zeros(1, 3));
    let given = table(vec![("x", Values::Vectors(matrix))]);
    let error = encoder.transform(&given).unwrap_err();
    assert_eq!(error.to_string(), "column `x` has 3 features; 2 expected");
}

#[test]
fn dense_vectors_are_scaled_and_filled() {
    let values = vec![1.0, 5.0, f64::NAN, 5.0, 3.0, 5.0];
    let matrix = Points::from(Matrix::from_vec(3, 2, values));
    let given = table(vec![("x", Values::Vectors(matrix))]);
    let (encoder, notes) = fit(&given);
    assert_eq!(
        notes[0].text(),
        "1 of the 2 features of column `x` are constant"
    );
    let found = encoder.transform(&given).unwrap();
    assert_eq!(column(&found, 0), [-1.0, 0.0, 1.0]);
    assert_eq!(encoder.feature_names(), ["x[1]", "x[2]"]);
    let strict = EncodeOptions::default().impute(false);
    let error = Encoder::fit(&given, &strict).unwrap_err();
    assert!(error.to_string().contains("row 2, column `x`: feature 1"));
    let sparse = Csr::try_new(1, vec![0, 1], vec![0], vec![3.0]).unwrap();
    let given = table(vec![("x", Values::Vectors(Points::from(sparse)))]);
    assert_eq!(column(&encoder.transform(&given).unwrap(), 1), [-5.0]);
}

#[test]
fn overflow_after_scaling_is_named() {
    let (encoder, _) = fit(&table(vec![("x", numbers(&[0.0, 1e-300]))]));
    let error = encoder
        .transform(&table(vec![("x", numbers(&[1e300]))]))
        .unwrap_err();
    assert!(
        error.to_string().starts_with("row 1, column `x`"),
        "{error}"
    );
}

#[test]
fn many_levels_are_stored_sparsely() {
    let ids: Vec<String> = (0..5000).map(|i| format!("id{i}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let given = table(vec![("id", names(&ids))]);
    let (encoder, _) = fit(&given);
    assert_eq!(encoder.storage(), Storage::Sparse);
    let encoded = encoder.transform(&given).unwrap();
    let Block::Sparse(found) = encoded.records.features.points.widened() else {
        panic!("sparse expected");
    };
    assert_eq!(found.nnz(), 5000);
}

#[test]
fn weights_count_copies_and_zero_leaves_out() {
    let given = table(vec![
        ("x", numbers(&[1.0, 4.0, 100.0])),
        ("c", names(&["a", "b", "z"])),
    ]);
    let weighted = Encoder::fit_weighted(&given, &[2.0, 1.0, 0.0], &EncodeOptions::default());
    let copied = given.select(&[0, 0, 1]);
    assert_eq!(weighted.unwrap().0, fit(&copied).0);
    let options = EncodeOptions::default();
    assert!(Encoder::fit_weighted(&given, &[0.0; 3], &options).is_err());
    assert!(Encoder::fit_weighted(&given, &[1.0, f64::NAN, 1.0], &options).is_err());
    assert!(Encoder::fit_weighted(&given, &[1.0], &options).is_err());
}

#[test]
fn stored_encoders_are_exact_and_checked() {
    let (encoder, _) = fit(&mixed());
    let json = serde_json::to_string(&encoder).unwrap();
    assert_eq!(serde_json::from_str::<Encoder>(&json).unwrap(), encoder);
    let identity = Encoder::identity(4, Storage::Sparse);
    let text = serde_json::to_string(&identity).unwrap();
    assert_eq!(serde_json::from_str::<Encoder>(&text).unwrap(), identity);
    for bad in [
        text.replace("\"storage\":\"sparse\"}", "\"storage\":\"dense\"}"),
        text.replace("\"width\":4", "\"width\":99999999999"),
    ] {
        assert_ne!(bad, text);
        assert!(serde_json::from_str::<Encoder>(&bad).is_err());
    }
    let (one, _) = fit(&table(vec![("c", names(&["a", "b"]))]));
    let good = serde_json::to_string(&one).unwrap();
    for (from, to) in [("\"fill\":0", "\"fill\":9"), ("\"b\"", "\"a\"")] {
        let bad = good.replace(from, to);
        assert_ne!(bad, good);
        let error = serde_json::from_str::<Encoder>(&bad).unwrap_err();
        assert!(error.to_string().contains("column `c`"), "{error}");
    }
    let (one, _) = fit(&table(vec![("x", numbers(&[1.0, 3.0]))]));
    let bad = serde_json::to_string(&one)
        .unwrap()
        .replace("\"scale\":1.0", "\"scale\":0.0");
    assert!(serde_json::from_str::<Encoder>(&bad).is_err());
}

#[test]
fn options_are_checked() {
    let given = table(vec![("x", numbers(&[1.0, 3.0]))]);
    let scaling = Scaling::MinMax {
        low: 1.0,
        high: 1.0,
    };
    assert!(Encoder::fit(&given, &EncodeOptions::default().scaling(scaling)).is_err());
}

proptest! {
    #[test]
    fn standardised_columns_have_mean_0_and_deviation_1(
        values in prop::collection::vec(-1e3..1e3f64, 2..50), exponent in -290i32..290, shift in -5.0..5.0f64,
    ) {
        let size = 10.0_f64.powi(exponent);
        let values: Vec<f64> = values.iter().map(|v| (v + shift) * size).collect();
        let spread = values.iter().copied().fold(f64::MIN, f64::max) - values.iter().copied().fold(f64::MAX, f64::min);
        prop_assume!(spread > 1e-6 * size);
        let given = table(vec![("x", numbers(&values))]);
        let (encoder, _) = fit(&given);
        let found = encoder.transform(&given).unwrap();
        let found = column(&found, 0);
        let n = found.len() as f64;
        let mean = found.iter().sum::<f64>() / n;
        let deviation = (found.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
        prop_assert!(mean.abs() < 1e-7 && (deviation - 1.0).abs() < 1e-7, "{} {}", mean, deviation);
    }

    #[test]
    fn encoders_survive_json_and_rows_encode_alone(
        rows in prop::collection::vec((prop::option::of(-1e6..1e6f64), 0usize..4, prop::option::of(any::<bool>()), prop::option::of(0.0..4e9f64)), 1..20),
    ) {
        let level = ["", "a", "b", "7"];
        let given = table(vec![
            ("x", numbers(&rows.iter().map(|r| r.0.unwrap_or(f64::NAN)).collect::<Vec<_>>())),
            ("c", names(&rows.iter().map(|r| level[r.1]).collect::<Vec<_>>())),
            ("b", Values::Boolean(rows.iter().map(|r| r.2).collect::<Vec<_>>().into())),
            ("d", Values::Date(rows.iter().map(|r| r.3.unwrap_or(f64::NAN)).collect())),
            ("one", numbers(&vec![1.0; rows.len()])),
        ]);
        let (encoder, _) = fit(&given);
        let json = serde_json::to_string(&encoder).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Encoder>(&json).unwrap(), &encoder);
        let all = encoder.transform(&given).unwrap();
        prop_assert!(all.notes.is_empty());
        prop_assert_eq!(all.records.features.points.columns(), encoder.feature_names().len());
        prop_assert!(all.records.features.points.first_not_finite().is_none());
        for row in 0..rows.len() {
            let alone = encoder.transform(&given.select(&[row])).unwrap();
            let (alone, all) = (dense(&alone), dense(&all));
            prop_assert_eq!(alone.row(0), all.row(row));
        }
        for column in encoder.columns() {
            let flagged = column.encoding.missing() == Some(Missing::Flag);
            let holed = (0..rows.len()).any(|r| given.find(&column.name).is_some_and(|c| c.values.is_missing(r)));
            prop_assert_eq!(flagged, holed);
        }
    }
}
