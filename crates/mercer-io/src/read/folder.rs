//! A folder of tables with the same columns, read as one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mercer::data::{Column, Layout, Origin, Table, Values};

use super::{Format, ReadOptions, Source};
use crate::error::shorten;
use crate::{Error, Result};

/// Formats whose files may be parts of one table.
const PARTS: [Format; 4] = [Format::Csv, Format::Tsv, Format::Parquet, Format::Json];

/// Reads all tables of a folder, by name; their columns must be the same.
pub(crate) fn read(folder: &Path, options: &ReadOptions) -> Result<Table> {
    let files = tables(folder, options)?;
    let mut left = options.limit;
    let mut parts: Vec<Table> = Vec::new();
    for path in &files {
        let mut own = options.clone();
        own.limit = left;
        if let Some(first) = parts.first() {
            // All parts are read as the first one is.
            let known = first.columns().iter().map(|c| (c.name.clone(), c.kind()));
            own.schema.extend(known);
            own.for_model = false;
        }
        let table = super::read(&Source::Path(path.clone()), &own)?;
        if let Some(first) = parts.first() {
            check_columns(first, &table)?;
        }
        // As much as a value and its place take.
        let taken = 16 * table.rows() as u64 * table.columns().len() as u64;
        left = left.saturating_sub(taken);
        parts.push(table);
    }
    join(folder, &files, &parts)
}

/// The files of a folder that hold tables, in order of their names.
fn tables(folder: &Path, options: &ReadOptions) -> Result<Vec<PathBuf>> {
    let listing = std::fs::read_dir(folder).map_err(|e| Error::from_io(folder, e))?;
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for entry in listing {
        let entry = entry.map_err(|e| Error::from_io(folder, e))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // `.crc`, `_SUCCESS` and the like are no data. Links that lead nowhere are no files.
        let is_file = std::fs::metadata(entry.path()).is_ok_and(|m| m.is_file());
        if is_file && !name.starts_with(['.', '_']) {
            files.push((name, entry.path()));
        }
    }
    files.sort_unstable();
    let format = |path: &Path| Format::from_path(path).filter(|f| PARTS.contains(f));
    let kept: Vec<PathBuf> = if options.format.is_some() {
        files.into_iter().map(|(_, path)| path).collect()
    } else {
        let known = files.into_iter().map(|(_, path)| path);
        known.filter(|path| format(path).is_some()).collect()
    };
    let formats: BTreeSet<&str> = kept
        .iter()
        .filter_map(|p| format(p))
        .map(Format::name)
        .collect();
    let refused = |problem: String, cure: &str| Error::Unsupported {
        file: folder.display().to_string(),
        problem,
        cure: cure.into(),
    };
    if kept.is_empty() {
        let cure = "give a folder of CSV or Parquet files, or of graphs (`NAME_A.txt`, `NAME_graph_indicator.txt`)";
        return Err(refused(
            "the folder holds no graphs and no tables".to_owned(),
            cure,
        ));
    }
    if formats.len() > 1 && options.format.is_none() {
        let names: Vec<&str> = formats.into_iter().collect();
        let problem = format!(
            "the folder holds files of different formats: {}",
            names.join(", ")
        );
        return Err(refused(problem, "name one file, or keep one format"));
    }
    Ok(kept)
}

/// Refuses a table with other columns than the first.
fn check_columns(first: &Table, table: &Table) -> Result<()> {
    let file = &table.origin().name;
    let lacks = first
        .columns()
        .iter()
        .find(|c| table.find(&c.name).is_none());
    let extra = table
        .columns()
        .iter()
        .find(|c| first.find(&c.name).is_none());
    let problem = match (lacks, extra) {
        (Some(column), _) => format!(
            "there is no column `{}`, which `{}` has",
            shorten(&column.name),
            first.origin().name
        ),
        (None, Some(column)) => format!(
            "there is a column `{}`, which `{}` does not have",
            shorten(&column.name),
            first.origin().name
        ),
        (None, None) => return Ok(()),
    };
    Err(Error::Unsupported {
        file: file.clone(),
        problem,
        cure: "give all tables of a folder the same columns, or name one file".into(),
    })
}

fn join(folder: &Path, files: &[PathBuf], parts: &[Table]) -> Result<Table> {
    let name = folder.display().to_string();
    let Some(first) = parts.first() else {
        return Ok(Table::default());
    };
    let mut columns = Vec::with_capacity(first.columns().len());
    for column in first.columns() {
        let all: Vec<&Values> = parts
            .iter()
            .filter_map(|t| t.find(&column.name))
            .map(|c| &c.values)
            .collect();
        let values = Values::concat(&all).ok_or_else(|| Error::Unsupported {
            file: name.clone(),
            problem: format!(
                "column `{}` has not the same kind in all files",
                shorten(&column.name)
            ),
            cure: "say how the column is to be read".into(),
        })?;
        columns.push(Column::new(column.name.clone(), values));
    }
    let layout = Layout {
        files: files
            .iter()
            .filter_map(|p| Some(p.file_name()?.to_string_lossy().into_owned()))
            .collect(),
        ..first.layout().clone()
    };
    let origin = Origin {
        name,
        lines: Vec::new(),
    };
    let mut table = Table::try_new(columns, origin)?;
    table.set_layout(layout);
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        folder
    }

    fn table(folder: &tempfile::TempDir) -> Result<Table> {
        let source = Source::Path(folder.path().to_owned());
        super::super::read(&source, &ReadOptions::default())
    }

    #[test]
    fn parts_are_joined_by_name() {
        let parts = folder(&[
            ("b.csv", "y,x,n\nq,2,\n"),
            ("a.csv", "x,y,n\n1,p,3\n5,q,4\n"),
            ("_SUCCESS", ""),
            ("notes.txt", "hi"),
        ]);
        let joined = table(&parts).expect("one table");
        assert_eq!(joined.names(), ["x", "y", "n"]);
        let Values::Numeric(x) = &joined.columns()[0].values else {
            panic!("numbers");
        };
        assert_eq!(x, &[1.0, 5.0, 2.0]);
        let Values::Categorical(y) = &joined.columns()[1].values else {
            panic!("names");
        };
        assert_eq!((y.name(0), y.name(2)), (Some("p"), Some("q")));
        assert_eq!(joined.layout().files, ["a.csv", "b.csv"]);
    }

    #[test]
    fn parts_that_differ_are_named() {
        let error = table(&folder(&[("a.csv", "x,y\n1,2\n"), ("b.csv", "x,z\n1,2\n")]));
        let text = error.expect_err("differ").to_string();
        assert!(
            text.contains("b.csv: there is no column `y`, which `"),
            "{text}"
        );
        let error = table(&folder(&[("a.csv", "x\n1\n"), ("b.csv", "x,z\n1,2\n")]));
        assert!(
            error
                .expect_err("differ")
                .to_string()
                .contains("b.csv: there is a column `z`")
        );
        let error = table(&folder(&[("a.csv", "x\n1\n"), ("b.csv", "x\nred\n")]));
        let text = error.expect_err("kinds").to_string();
        assert!(
            text.contains("b.csv, line 2, column `x`: `red` is not a number"),
            "{text}"
        );
        let error = table(&folder(&[("a.csv", "x\n1\n"), ("b.json", "[]")]));
        assert!(
            error
                .expect_err("formats")
                .to_string()
                .contains("csv, json")
        );
        let error = table(&folder(&[("a.txt", "x\n1\n")]));
        assert!(
            error
                .expect_err("none")
                .to_string()
                .contains("no graphs and no tables")
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_in_circles_are_passed_over() {
        let parts = folder(&[("a.csv", "x\n1\n2\n")]);
        let link = parts.path().join("loop.csv");
        std::os::unix::fs::symlink("loop.csv", &link).expect("a link");
        std::os::unix::fs::symlink(".", parts.path().join("again")).expect("a link");
        assert_eq!(table(&parts).expect("one table").rows(), 2);
    }
}
