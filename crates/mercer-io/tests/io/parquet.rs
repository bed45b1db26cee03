//! Parquet files, written here with the parquet crate's own writer.

use std::sync::Arc;

use mercer::data::{Kind, Table, Values};
use mercer_io::{ReadOptions, Source, read, stream};
use parquet::basic::Compression;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use proptest::prelude::*;

const SCHEMA: &str = "message rows {
    required boolean ok;
    required int32 small;
    optional int64 large;
    optional double real;
    required float single;
    optional binary name (UTF8);
    required int32 day (DATE);
    required int64 at (TIMESTAMP(MICROS,true));
    required int32 price (DECIMAL(9,2));
    required fixed_len_byte_array(3) wide (DECIMAL(6,1));
    required int32 count (INTEGER(32,false));
}";

/// Two row groups of three rows, with dictionary pages.
fn file(compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).expect("a schema"));
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_dictionary_enabled(true)
        .build();
    let mut writer =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).expect("memory");
    for _ in 0..2 {
        let mut group = writer.next_row_group().expect("memory");
        macro_rules! column {
            ($type:ty, $values:expr, $levels:expr) => {{
                let mut column = group.next_column().expect("memory").expect("a column");
                let values = $values;
                let levels: Option<&[i16]> = $levels;
                column
                    .typed::<$type>()
                    .write_batch(&values, levels, None)
                    .expect("memory");
                column.close().expect("memory");
            }};
        }
        column!(BoolType, [true, false, true], None);
        column!(Int32Type, [-1, 0, 7], None);
        column!(Int64Type, [1 << 40], Some(&[0, 1, 0]));
        column!(DoubleType, [0.1, f64::NAN], Some(&[1, 1, 0]));
        column!(FloatType, [0.5_f32, 1.5, -2.0], None);
        column!(
            ByteArrayType,
            [ByteArray::from("b"), ByteArray::from("a")],
            Some(&[1, 0, 1])
        );
        column!(Int32Type, [0, 1, -1], None);
        column!(Int64Type, [0_i64, 1_500_000, -1_000_000], None);
        column!(Int32Type, [1999, -50, 0], None);
        let wide = [[0, 0, 15], [0xff, 0xff, 0xff], [1, 0, 0]]
            .map(|b: [u8; 3]| FixedLenByteArray::from(ByteArray::from(b.to_vec())));
        column!(FixedLenByteArrayType, wide, None);
        column!(Int32Type, [-1, 0, 1], None);
        group.close().expect("memory");
    }
    writer.into_inner().expect("memory")
}

fn numbers(table: &Table, name: &str) -> Vec<Option<f64>> {
    match &table.column(name).expect("a column").values {
        Values::Numeric(v) | Values::Date(v) => {
            let known = |v: &[f64]| -> Vec<Option<f64>> {
                v.iter().map(|v| (!v.is_nan()).then_some(*v)).collect()
            };
            assert_eq!(known(&v[3..]), known(&v[..3]), "both groups of {name}");
            known(&v[..3])
        }
        other => panic!("unexpected {other:?}"),
    }
}

#[test]
fn every_type_is_read() {
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY] {
        let source = Source::bytes("a.parquet", file(compression));
        let table = read(&source, &ReadOptions::default()).expect("readable");
        assert_eq!((table.rows(), table.columns().len()), (6, 11));
        let Values::Boolean(ok) = &table.column("ok").expect("ok").values else {
            panic!("booleans");
        };
        assert_eq!(
            ok.values[..],
            [Some(true), Some(false), Some(true)].repeat(2)[..]
        );
        assert_eq!(ok.words, ["false", "true"]);
        assert_eq!(numbers(&table, "small"), [Some(-1.0), Some(0.0), Some(7.0)]);
        assert_eq!(
            numbers(&table, "large"),
            [None, Some(1_099_511_627_776.0), None]
        );
        assert_eq!(numbers(&table, "real"), [Some(0.1), None, None]);
        assert_eq!(
            numbers(&table, "single"),
            [Some(0.5), Some(1.5), Some(-2.0)]
        );
        assert_eq!(
            numbers(&table, "day"),
            [Some(0.0), Some(86_400.0), Some(-86_400.0)]
        );
        assert_eq!(numbers(&table, "at"), [Some(0.0), Some(1.5), Some(-1.0)]);
        assert_eq!(table.column("at").expect("at").kind(), Kind::Date);
        assert_eq!(
            numbers(&table, "price"),
            [Some(19.99), Some(-0.5), Some(0.0)]
        );
        assert_eq!(
            numbers(&table, "wide"),
            [Some(1.5), Some(-0.1), Some(6553.6)]
        );
        assert_eq!(
            numbers(&table, "count"),
            [Some(4_294_967_295.0), Some(0.0), Some(1.0)]
        );
        let Values::Categorical(name) = &table.column("name").expect("name").values else {
            panic!("categories");
        };
        assert_eq!(
            (0..6).map(|row| name.name(row)).collect::<Vec<_>>(),
            [Some("b"), None, Some("a")].repeat(2)
        );
    }
}

#[test]
fn paths_and_compressed_files_agree() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("a.parquet");
    std::fs::write(&path, file(Compression::SNAPPY)).expect("written");
    let plain = read(&Source::Path(path), &ReadOptions::default()).expect("plain");
    let packed = zstd::encode_all(&file(Compression::SNAPPY)[..], 1).expect("memory");
    let packed = read(
        &Source::bytes("a.parquet.zst", packed),
        &ReadOptions::default(),
    )
    .expect("packed");
    assert_eq!((plain.rows(), plain.columns().len()), (6, 11));
    // Missing numbers are NaN, which equals nothing but is printed alike.
    assert_eq!(
        format!("{:?}", plain.columns()),
        format!("{:?}", packed.columns())
    );
}

#[test]
fn kinds_are_overridable() {
    let source = Source::bytes("a.parquet", file(Compression::UNCOMPRESSED));
    let options = ReadOptions::default()
        .kind("small", Kind::Categorical)
        .kind("day", Kind::Text);
    let table = read(&source, &options).expect("readable");
    let Values::Categorical(small) = &table.column("small").expect("small").values else {
        panic!("categories");
    };
    assert_eq!(small.levels, ["-1", "0", "7"]);
    let Values::Text(day) = &table.column("day").expect("day").values else {
        panic!("text");
    };
    assert_eq!(day[1].as_deref(), Some("1970-01-02"));
    let error =
        read(&source, &ReadOptions::default().kind("name", Kind::Numeric)).expect_err("no number");
    assert_eq!(
        error.to_string(),
        "a.parquet, row 1, column `name`: `b` is not a number"
    );
}

#[test]
fn lists_are_refused() {
    let schema = parse_message_type("message rows { repeated int32 many; }").expect("a schema");
    let properties = Arc::new(WriterProperties::builder().build());
    let writer =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties).expect("memory");
    let data = writer.into_inner().expect("memory");
    let error =
        read(&Source::bytes("a.parquet", data), &ReadOptions::default()).expect_err("a list");
    assert_eq!(error.to_string(), "a.parquet: column `many` holds lists");
}

#[test]
fn damaged_files_are_named() {
    let mut data = file(Compression::UNCOMPRESSED);
    data.truncate(data.len() / 2);
    let error = read(&Source::bytes("a.parquet", data), &ReadOptions::default()).expect_err("cut");
    assert!(
        error
            .to_string()
            .starts_with("a.parquet: the Parquet data cannot be read"),
        "{error}"
    );
}

proptest! {
    #[test]
    fn changed_bytes_do_not_panic(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut data = file(Compression::UNCOMPRESSED);
        for (at, byte) in changes {
            let at = at.index(data.len());
            data[at] = byte;
        }
        let _ = read(&Source::bytes("a.parquet", data), &ReadOptions::default());
    }
}

/// One column of numbers and one of names, in groups of seven rows.
fn groups(rows: i32, odd: Option<i32>) -> tempfile::TempDir {
    let schema = "message rows { required double n; optional binary name (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).expect("memory");
    for start in (0..rows).step_by(7) {
        let range = start..(start + 7).min(rows);
        let mut group = writer.next_row_group().expect("memory");
        let value = |i: i32| {
            if Some(i) == odd {
                f64::INFINITY
            } else {
                f64::from(i)
            }
        };
        let numbers: Vec<f64> = range.clone().map(value).collect();
        let mut column = group.next_column().expect("memory").expect("a column");
        column
            .typed::<DoubleType>()
            .write_batch(&numbers, None, None)
            .expect("memory");
        column.close().expect("memory");
        let levels: Vec<i16> = range.clone().map(|i| i16::from(i % 5 != 0)).collect();
        let names: Vec<ByteArray> = range
            .filter(|i| i % 5 != 0)
            .map(|i| ByteArray::from(format!("c{}", i % 3).as_str()))
            .collect();
        let mut column = group.next_column().expect("memory").expect("a column");
        column
            .typed::<ByteArrayType>()
            .write_batch(&names, Some(&levels), None)
            .expect("memory");
        column.close().expect("memory");
        group.close().expect("memory");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = writer.into_inner().expect("memory");
    std::fs::write(folder.path().join("a.parquet"), bytes).expect("written");
    folder
}

#[test]
fn chunks_cross_row_groups() {
    let folder = groups(50, None);
    let source = Source::Path(folder.path().join("a.parquet"));
    let whole = read(&source, &ReadOptions::default()).expect("readable");
    for rows in [4, 7, 20, 100] {
        let chunks = stream(&source, &ReadOptions::default(), rows).expect("opened");
        let parts: Vec<Table> = chunks.collect::<Result<_, _>>().expect("readable");
        let sizes: Vec<usize> = parts.iter().map(Table::rows).collect();
        assert!(
            sizes[..sizes.len() - 1].iter().all(|n| *n == rows),
            "{sizes:?}"
        );
        assert_eq!(
            parts.last().expect("a part").before(),
            50 - sizes[sizes.len() - 1]
        );
        let all = Table::concat(&parts).expect("one table");
        assert_eq!(all.columns()[0].values, whole.columns()[0].values);
        assert_eq!(all.columns()[1].values, whole.columns()[1].values, "{rows}");
    }
}

#[test]
fn rows_of_chunks_are_counted_from_the_start() {
    let folder = groups(50, Some(43));
    let source = Source::Path(folder.path().join("a.parquet"));
    let chunks = stream(&source, &ReadOptions::default(), 8).expect("opened");
    let error = chunks.collect::<Result<Vec<_>, _>>().expect_err("infinite");
    assert!(
        error
            .to_string()
            .ends_with("row 44, column `n`: `inf` is not a finite number"),
        "{error}"
    );
}
