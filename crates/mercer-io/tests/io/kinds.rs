//! One table with every kind of string, over all formats that have strings.

use std::sync::Arc;

use mercer::data::{Kind, Table, Values};
use mercer_io::{ReadOptions, Source, read};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const ROWS: usize = 40;

/// Names, kinds and cells of the columns.
fn columns() -> Vec<(&'static str, Kind, Vec<String>)> {
    let of = |cell: &dyn Fn(usize) -> String| (0..ROWS).map(cell).collect::<Vec<_>>();
    let colours = ["red", "green", "none"];
    let mut odd = of(&|i| format!("{}", 3 * i + 100));
    "unknown".clone_into(&mut odd[9]);
    let mut gaps = of(&|i| format!("{i}.25"));
    "-".clone_into(&mut gaps[3]);
    "NA".clone_into(&mut gaps[5]);
    vec![
        ("plain", Kind::Numeric, of(&|i| format!("{i}e-1"))),
        ("odd", Kind::Numeric, odd),
        ("gaps", Kind::Numeric, gaps),
        (
            "amount",
            Kind::Numeric,
            of(&|i| format!("${},{:03}.50", i + 1, i)),
        ),
        ("share", Kind::Numeric, of(&|i| format!("{i}.5%"))),
        (
            "answer",
            Kind::Boolean,
            of(&|i| ["yes", "no"][i % 2].to_owned()),
        ),
        (
            "day",
            Kind::Date,
            of(&|i| format!("2024-01-{:02}", i % 28 + 1)),
        ),
        (
            "german",
            Kind::Date,
            of(&|i| format!("{:02}.03.2024", i % 28 + 1)),
        ),
        (
            "colour",
            Kind::Categorical,
            of(&|i| colours[i % 3].to_owned()),
        ),
        (
            "note",
            Kind::Text,
            of(&|i| format!("the order {i} came late again")),
        ),
        (
            "smiles",
            Kind::Molecule,
            of(&|i| format!("{}C(=O)O", "C".repeat(i % 25 + 1))),
        ),
    ]
}

fn csv() -> Source {
    let columns = columns();
    let names: Vec<&str> = columns.iter().map(|c| c.0).collect();
    let mut text = names.join(";") + "\n";
    for row in 0..ROWS {
        let cells: Vec<&str> = columns.iter().map(|c| c.2[row].as_str()).collect();
        text += &(cells.join(";") + "\n");
    }
    Source::bytes("a.csv", text.into_bytes())
}

fn arff() -> Source {
    let columns = columns();
    let mut text = "@relation r\n".to_owned();
    for (name, ..) in &columns {
        text.extend(["@attribute ", name, " string\n"]);
    }
    text += "@data\n";
    for row in 0..ROWS {
        let cells: Vec<String> = columns.iter().map(|c| format!("'{}'", c.2[row])).collect();
        text += &(cells.join(",") + "\n");
    }
    Source::bytes("a.arff", text.into_bytes())
}

fn parquet() -> Source {
    let columns = columns();
    let fields = columns
        .iter()
        .map(|c| format!("required binary {} (UTF8);", c.0));
    let schema = format!("message rows {{ {} }}", fields.collect::<String>());
    let schema = Arc::new(parse_message_type(&schema).expect("a schema"));
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).expect("memory");
    let mut group = writer.next_row_group().expect("memory");
    for (_, _, cells) in &columns {
        let cells: Vec<ByteArray> = cells.iter().map(|c| ByteArray::from(c.as_str())).collect();
        let mut column = group.next_column().expect("memory").expect("a column");
        let typed = column.typed::<ByteArrayType>();
        typed.write_batch(&cells, None, None).expect("memory");
        column.close().expect("memory");
    }
    group.close().expect("memory");
    Source::bytes("a.parquet", writer.into_inner().expect("memory"))
}

fn table(source: &Source) -> Table {
    read(source, &ReadOptions::default()).expect("readable")
}

/// Values that can be compared: NaN is equal to nothing.
fn shown(values: &Values) -> Vec<Option<String>> {
    (0..values.len()).map(|row| values.text(row)).collect()
}

#[test]
fn kinds_and_values_do_not_depend_on_the_format() {
    let expected: Vec<(&str, Kind)> = columns().iter().map(|c| (c.0, c.1)).collect();
    let first = table(&csv());
    for other in [csv(), arff(), parquet()] {
        let other = table(&other);
        let kinds = other.columns().iter();
        let kinds: Vec<(&str, Kind)> = kinds.map(|c| (c.name.as_str(), c.kind())).collect();
        assert_eq!(kinds, expected, "{}", other.origin().name);
        for (a, b) in first.columns().iter().zip(other.columns()) {
            assert_eq!(shown(&a.values), shown(&b.values), "{}", a.name);
        }
    }
    let odd = first.column("odd").expect("there").reading.as_ref();
    let odd = &odd.expect("noticed").odd[0];
    assert_eq!((odd.line, odd.text.as_str()), (Some(11), "unknown"));
}
