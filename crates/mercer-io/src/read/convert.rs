//! Columns of typed formats, turned into the kinds that are set or known for them.

use mercer::data::recognise::MissingTexts;
use mercer::data::{Column, Kind, Origin, Table, Values};

use super::cells::{self, Cells};
use super::{ReadOptions, date};
use crate::write::format_number;
use crate::{Error, Result};

/// Makes a table of columns whose kinds the file gives, unless the options say otherwise.
pub(crate) fn table(columns: Vec<Column>, origin: Origin, options: &ReadOptions) -> Result<Table> {
    let names: Vec<String> = columns.iter().map(|c| c.name.clone()).collect();
    options.check_names(&names)?;
    // Values of typed columns are what they are; only texts may stand for a missing value.
    let (none, texts) = (MissingTexts::of::<&str>(&[]), options.missing_texts());
    let mut done = Vec::with_capacity(columns.len());
    for (index, column) in columns.into_iter().enumerate() {
        let kind = options
            .kind_of(&column.name)
            .filter(|k| *k != column.kind());
        let Some(kind) = kind else {
            done.push(column);
            continue;
        };
        if matches!(column.kind(), Kind::Vectors | Kind::Graph) {
            // What a model knows of a column of this name does not change the file.
            if options.kinds.iter().any(|(n, _)| *n == column.name) {
                return Err(mercer::Error::ColumnKind {
                    found: column.kind().to_string(),
                    column: column.name,
                    expected: kind.to_string(),
                }
                .into());
            }
            done.push(column);
            continue;
        }
        let reader = cells::Column {
            name: &column.name,
            position: index + 1,
            file: &origin.name,
            lines: &origin.lines,
            missing: match column.values {
                Values::Text(_) => &texts,
                _ => &none,
            },
            options,
            comma: false,
        };
        done.push(reader.read(&as_cells(&column.values), None)?);
    }
    Table::try_new(done, origin).map_err(Error::from)
}

/// Values as text.
fn as_cells(values: &Values) -> Cells {
    let mut cells = Cells::default();
    for row in 0..values.len() {
        let number;
        let text = match values {
            _ if values.is_missing(row) => None,
            Values::Numeric(v) => {
                number = format_number(v[row]);
                Some(number.as_str())
            }
            Values::Date(v) => {
                number = date::format(v[row]).unwrap_or_else(|| format_number(v[row]));
                Some(number.as_str())
            }
            Values::Boolean(t) => t.word(row),
            Values::Categorical(c) => c.name(row),
            Values::Text(v) | Values::Molecules(v) => v[row].as_deref(),
            Values::Nodes(n) => n.name(row),
            Values::Vectors(_) | Values::Graphs(_) => None,
        };
        match text {
            Some(text) => cells.push(text.as_bytes()),
            None => cells.push_missing(),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Source, read};

    const ARFF: &str = "@relation r\n@attribute n numeric\n@attribute b {yes,no}\n@attribute s string\n@data\n\
        2,yes,1.5\n?,no,?\n10,?,x\n";

    fn arff(options: &ReadOptions) -> Result<Table> {
        read(&Source::bytes("a.arff", ARFF.as_bytes()), options)
    }

    #[test]
    fn kinds_change_as_told() {
        let options = ReadOptions::default()
            .kind("n", Kind::Categorical)
            .schema(vec![("b".into(), Kind::Boolean)]);
        let table = arff(&options).expect("readable");
        let Values::Categorical(n) = &table.columns()[0].values else {
            panic!("categories");
        };
        assert_eq!(n.levels, ["2", "10"]);
        assert_eq!(
            (n.name(0), n.name(1), n.name(2)),
            (Some("2"), None, Some("10"))
        );
        let Values::Boolean(truths) = &table.columns()[1].values else {
            panic!("booleans");
        };
        assert_eq!(truths.values, [Some(true), Some(false), None]);
        assert_eq!(truths.words, ["no", "yes"]);
    }

    #[test]
    fn misfits_are_placed() {
        let error = arff(&ReadOptions::default().kind("s", Kind::Numeric)).expect_err("a text");
        assert_eq!(
            error.to_string(),
            "a.arff, line 8, column `s`: `x` is not a number"
        );
        let error = arff(&ReadOptions::default().kind("t", Kind::Text)).expect_err("unknown");
        assert_eq!(error.to_string(), "there is no column `t`");
    }

    #[test]
    fn vectors_stay_vectors() {
        let source = Source::bytes("a.svm", &b"1 1:2\n"[..]);
        let known = ReadOptions::default().schema(vec![("x".into(), Kind::Numeric)]);
        assert_eq!(
            read(&source, &known).expect("kept").columns()[1].kind(),
            Kind::Vectors
        );
        let error = read(&source, &ReadOptions::default().kind("x", Kind::Numeric));
        assert_eq!(
            error.expect_err("told").to_string(),
            "column `x` is vectors; numeric is needed"
        );
        let labels = ReadOptions::default().kind("y", Kind::Categorical);
        let table = read(&source, &labels).expect("labels");
        assert_eq!(table.columns()[0].kind(), Kind::Categorical);
    }
}
