//! Parquet files with changed, missing and added bytes: an error or a result, never the words of a
//! decoder that gave up.

use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::harness::Folder;

const SCHEMA: &str = "message rows {
    optional double x;
    required int32 n;
    required binary kind (UTF8);
}";
const ROWS: i32 = 24;

fn file(compression: Compression, dictionary: bool) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).expect("a schema"));
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_dictionary_enabled(dictionary)
        .build();
    let mut writer =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).expect("memory");
    let mut group = writer.next_row_group().expect("memory");
    macro_rules! column {
        ($type:ty, $values:expr, $levels:expr) => {{
            let mut column = group.next_column().expect("memory").expect("a column");
            let values: Vec<_> = $values.collect();
            let batch = column.typed::<$type>().write_batch(&values, $levels, None);
            batch.expect("memory");
            column.close().expect("memory");
        }};
    }
    let there: Vec<i16> = (0..ROWS).map(|i| i16::from(i % 5 != 2)).collect();
    let known = (0..ROWS).filter(|i| i % 5 != 2).map(|i| f64::from(i) / 3.0);
    column!(DoubleType, known, Some(&there));
    column!(Int32Type, (0..ROWS).map(|i| i % 7), None);
    let kinds = (0..ROWS).map(|i| ByteArray::from(if i % 2 == 0 { "even" } else { "odd" }));
    column!(ByteArrayType, kinds, None);
    group.close().expect("memory");
    writer.into_inner().expect("memory")
}

/// Changes some bits, cuts the file, or replaces a few bytes by others.
fn damage(data: &mut Vec<u8>, random: &mut impl FnMut(usize) -> usize) {
    let place = random(data.len());
    match random(8) {
        0 => data.truncate(place),
        1 => {
            let end = (place + random(8)).min(data.len());
            let other: Vec<u8> = (0..random(8)).map(|_| random(256) as u8).collect();
            data.splice(place..end, other);
        }
        _ => {
            for _ in 0..=random(3) {
                // Most of what can be contradicted stands at the end.
                let from = if random(2) == 0 { 0 } else { data.len() / 2 };
                let place = from + random(data.len() - from);
                data[place] ^= 1 << random(8);
            }
        }
    }
}

#[test]
fn damaged_parquet_is_refused_in_our_words() {
    let cases = std::env::var("PROPTEST_CASES").ok();
    let cases = cases.and_then(|c| c.parse().ok()).unwrap_or(256);
    let forms = [
        file(Compression::UNCOMPRESSED, false),
        file(Compression::UNCOMPRESSED, true),
        file(Compression::SNAPPY, true),
        file(Compression::LZ4_RAW, false),
    ];
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let folder = Folder::new();
    let mut refused = 0;
    for case in 0..cases {
        let mut data = forms[case % forms.len()].clone();
        damage(&mut data, &mut random);
        folder.put("d.parquet", data);
        let done = folder.run("fit d.parquet --format parquet --target kind --model svc");
        let told = &done.err;
        assert!(!told.contains("panicked"), "case {case}: {told}");
        match done.code {
            0 => {}
            1 => {
                assert!(told.starts_with("error: "), "case {case}: {told}");
                refused += 1;
            }
            // Columns lose their names, too.
            2 => assert!(told.contains("kind"), "case {case}: {told}"),
            other => panic!("case {case} ended with {other}: {told}"),
        }
    }
    assert!(refused > cases / 4, "{refused} of {cases}");
}
