//! Record batches of Apache Arrow as tables.

use std::sync::Arc;

use arrow_array::builder::{FixedSizeListBuilder, Float32Builder};
use arrow_array::types::{ArrowPrimitiveType, Decimal256Type, Int8Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Date64Array, Decimal128Array, Decimal256Array,
    DictionaryArray, Float32Array, Float64Array, Int8Array, Int64Array, LargeStringArray,
    ListArray, NullArray, RecordBatch, StringArray, StringViewArray, TimestampMicrosecondArray,
    TimestampNanosecondArray, TimestampSecondArray, UInt64Array,
};
use mercer::data::{Kind, MISSING_CODE, Points, Roles, Table, Values};
use mercer::fit::FitContext;
use mercer::model::Answers;
use mercer::recipe::Recipe;
use mercer_linalg::Matrix;

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true)))
        .expect("columns of equal length")
}

fn values(array: impl Array + 'static) -> Values {
    let table = Table::try_from(&batch(vec![("a", Arc::new(array))])).expect("a known type");
    table.columns()[0].values.clone()
}

type Wide = <Decimal256Type as ArrowPrimitiveType>::Native;

/// NaN equals NaN here.
fn numbers(array: impl Array + 'static) -> Vec<Option<f64>> {
    match values(array) {
        Values::Numeric(v) | Values::Date(v) => v
            .into_iter()
            .map(|v| Some(v).filter(|v| !v.is_nan()))
            .collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_of_every_width_keep_their_value() {
    assert_eq!(
        numbers(Int8Array::from(vec![Some(-128), None])),
        [Some(-128.0), None]
    );
    assert_eq!(
        numbers(Int64Array::from(vec![1 << 53])),
        [Some(9_007_199_254_740_992.0)]
    );
    assert_eq!(
        numbers(UInt64Array::from(vec![u64::MAX])),
        [Some(2_f64.powi(64))]
    );
    assert_eq!(
        numbers(Float32Array::from(vec![0.1_f32])),
        [Some(f64::from(0.1_f32))]
    );
    assert_eq!(
        numbers(Float64Array::from(vec![Some(0.1), None])),
        [Some(0.1), None]
    );
    assert_eq!(numbers(NullArray::new(2)), [None, None]);
    let money = Decimal128Array::from(vec![Some(-123_456), None]);
    let money = money.with_precision_and_scale(10, 2).unwrap();
    assert_eq!(numbers(money), [Some(-1234.56), None]);
    let thousands = Decimal128Array::from(vec![7])
        .with_precision_and_scale(10, -3)
        .unwrap();
    assert_eq!(numbers(thousands), [Some(7000.0)]);
    let huge = Wide::from_parts(7, -(1 << 40));
    let wide = vec![Wide::from(-5_i128), Wide::from(i128::MAX), huge];
    let wide = Decimal256Array::from(wide)
        .with_precision_and_scale(60, 1)
        .unwrap();
    assert_eq!(
        numbers(wide),
        [
            Some(-0.5),
            Some(i128::MAX as f64 / 10.0),
            Some(-(2_f64.powi(168) / 10.0))
        ]
    );
}

#[test]
fn dates_are_seconds_of_utc() {
    assert_eq!(
        numbers(Date32Array::from(vec![Some(1), None])),
        [Some(86_400.0), None]
    );
    assert_eq!(numbers(Date64Array::from(vec![-500])), [Some(-0.5)]);
    assert_eq!(numbers(TimestampSecondArray::from(vec![7])), [Some(7.0)]);
    let zoned = TimestampMicrosecondArray::from(vec![1_500_000]).with_timezone("+02:00");
    assert_eq!(numbers(zoned), [Some(1.5)]);
    assert_eq!(
        numbers(TimestampNanosecondArray::from(vec![2_500_000_000])),
        [Some(2.5)]
    );
    assert_eq!(values(Date32Array::from(vec![1])).kind(), Kind::Date);
}

#[test]
fn strings_are_told_apart() {
    let Values::Boolean(truths) = values(BooleanArray::from(vec![Some(true), None])) else {
        panic!("booleans");
    };
    assert_eq!(truths.values, [Some(true), None]);
    for column in [
        values(StringArray::from(vec![Some("b"), None, Some("a")])),
        values(LargeStringArray::from(vec![Some("b"), None, Some("a")])),
        values(StringViewArray::from(vec![Some("b"), None, Some("a")])),
        values(DictionaryArray::<Int8Type>::from_iter([
            Some("b"),
            None,
            Some("a"),
        ])),
    ] {
        let Values::Categorical(names) = column else {
            panic!("categories");
        };
        assert_eq!(names.levels, ["a", "b"]);
        assert_eq!(names.codes, [1, MISSING_CODE, 0]);
    }
    let texts = ["the cat sat on the mat", "a dog ran", "birds fly south"];
    assert_eq!(values(StringArray::from(texts.to_vec())).kind(), Kind::Text);
    let molecules = ["CC(=O)Oc1ccccc1C(=O)O", "c1ccccc1O", "CC(C)(C)C(=O)O"];
    assert_eq!(
        values(StringArray::from(molecules.to_vec())).kind(),
        Kind::Molecule
    );
    let unknown = DictionaryArray::<Int8Type>::from_iter([None::<&str>, None]);
    let Values::Categorical(names) = values(unknown) else {
        panic!("categories");
    };
    assert_eq!(names.codes, [MISSING_CODE; 2]);
}

#[test]
fn lists_of_one_length_are_vectors() {
    let mut builder = FixedSizeListBuilder::new(Float32Builder::new(), 2);
    for row in [[1.0, 2.0], [3.0, 4.0]] {
        builder.values().append_slice(&row);
        builder.append(true);
    }
    let expected = Points::from(Matrix::from_vec(2, 2, vec![1.0_f32, 2.0, 3.0, 4.0]));
    let list = builder.finish();
    assert_eq!(values(list.clone()), Values::Vectors(expected.clone()));
    // A slice starts in the middle of the memory.
    assert_eq!(
        values(list.slice(1, 1)),
        Values::Vectors(expected.select(&[1]))
    );
}

#[test]
fn batches_are_joined_in_order() {
    let names = |names: Vec<&str>| -> ArrayRef {
        let keyed: DictionaryArray<Int32Type> = names.into_iter().map(Some).collect();
        Arc::new(keyed)
    };
    // The same name has another key in every batch.
    let first = batch(vec![("kind", names(vec!["rose", "lily"]))]);
    let second = batch(vec![("kind", names(vec!["lily", "aster"]))]);
    let table = Table::from_batches(&[first.clone(), second, first.slice(1, 1)]).unwrap();
    let Values::Categorical(kinds) = &table.column("kind").unwrap().values else {
        panic!("categories");
    };
    let read: Vec<_> = (0..5).map(|row| kinds.name(row).unwrap()).collect();
    assert_eq!(read, ["rose", "lily", "lily", "aster", "lily"]);
    assert_eq!(Table::from_batches(&[]).unwrap().rows(), 0);

    let other = batch(vec![("kind", Arc::new(Int8Array::from(vec![1])))]);
    let error = Table::from_batches(&[first, other]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "batch 2 has other columns than the first one"
    );
}

#[test]
fn other_types_are_refused_by_name() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1)])]);
    let error = Table::try_from(&batch(vec![("steps", Arc::new(list))])).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("column `steps` is of Arrow's type `List"),
        "{error}"
    );
    let numbers: DictionaryArray<Int8Type> = {
        let keys = Int8Array::from(vec![0]);
        DictionaryArray::new(keys, Arc::new(Int64Array::from(vec![5])))
    };
    assert!(Table::try_from(&batch(vec![("a", Arc::new(numbers))])).is_err());
}

#[test]
fn a_model_learns_from_batches() {
    let size: Float64Array = (0..60).map(|i| (i != 7).then_some(f64::from(i))).collect();
    let kind =
        StringArray::from_iter_values((0..60).map(|i| if i < 30 { "small" } else { "large" }));
    let all = batch(vec![("size", Arc::new(size)), ("kind", Arc::new(kind))]);
    let table = Table::from_batches(&[all.slice(0, 25), all.slice(25, 35)]).unwrap();
    let mut recipe = Recipe::new(Roles {
        targets: vec!["kind".to_owned()],
        ..Roles::default()
    });
    recipe.wish = mercer::recipe::Wish::Named("svc".to_owned());
    let context = FitContext::default();
    let model = recipe.fit(table, &context).unwrap().model;
    let new = batch(vec![("size", Arc::new(Int64Array::from(vec![2, 55])))]);
    let found = model
        .predict(&Table::try_from(&new).unwrap(), &context)
        .unwrap();
    let Answers::Classes { labels, codes, .. } = found.answers else {
        panic!("classes");
    };
    let read: Vec<&str> = codes.iter().map(|c| labels[*c as usize].as_str()).collect();
    assert_eq!(read, ["small", "large"]);
}
