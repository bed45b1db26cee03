//! Reads files of JSON.

use mercer::data::Table;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::rows::Rows;
use super::tree::Tree;
use crate::read::cells::STRIDE;
use crate::read::gather::{Cell, Gather};
use crate::read::lines::Lines;
use crate::read::source::{BLOCK, Opened};
use crate::read::{Chunks, ReadOptions};
use crate::{Error, Result};

/// Whether a text begins as JSON with rows does: `{"…` or `[{`, `[[`.
pub(crate) fn is_json(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut bytes = text.iter().filter(|b| !b.is_ascii_whitespace());
    match (bytes.next(), bytes.next()) {
        (Some(b'{'), Some(b'"')) | (Some(b'['), Some(b'{')) => true,
        // `[[unit]],…` could begin a text; values could not.
        (Some(b'['), Some(b'[')) => bytes
            .next()
            .is_some_and(|b| b"\"-0123456789ntf".contains(b)),
        _ => false,
    }
}

/// Whether every line is a value of its own; the name decides where a line fills the sample.
pub(crate) fn is_lines(head: &[u8], name: &str) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = text
        .split(|&b| b == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|l| !l.is_empty());
    let Some(first) = lines.next() else {
        return false;
    };
    if first.len() + 8 >= BLOCK {
        let name = name.to_lowercase();
        return name.contains(".jsonl") || name.contains(".ndjson");
    }
    let whole = || serde_json::from_slice::<serde::de::IgnoredAny>(first).is_ok();
    lines.next().is_some() && whole()
}

/// Reads a file that is one value.
pub(crate) fn read(opened: Opened, options: &ReadOptions) -> Result<Table> {
    let file = opened.name.clone();
    let gather = Gather::new(file.clone(), options);
    let mut top = Top {
        rows: Rows::new(gather, file.clone(), options.header),
        failure: None,
    };
    let mut parser = serde_json::Deserializer::from_reader(WithoutMark::new(opened.reader));
    let result = (&mut top).deserialize(&mut parser);
    let result = result.and_then(|()| parser.end());
    if let Some(failure) = top.failure {
        return Err(failure);
    }
    result.map_err(|e| failure(&file, e, None))?;
    top.rows.end()?;
    top.rows.gather.take()?.ok_or(Error::Empty {
        file,
        problem: "there are no rows".to_owned(),
    })
}

/// Passes over a byte order mark.
struct WithoutMark<R> {
    inner: R,
    begun: bool,
}

impl<R> WithoutMark<R> {
    fn new(inner: R) -> Self {
        Self {
            inner,
            begun: false,
        }
    }
}

impl<R: std::io::BufRead> std::io::Read for WithoutMark<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if !std::mem::replace(&mut self.begun, true)
            && self.inner.fill_buf()?.starts_with(b"\xef\xbb\xbf")
        {
            self.inner.consume(3);
        }
        self.inner.read(buffer)
    }
}

/// Says where the text breaks the rules.
fn failure(file: &str, error: serde_json::Error, line: Option<usize>) -> Error {
    if error.is_io() {
        return Error::io(file, error.into());
    }
    let (at, column) = (line.unwrap_or(error.line()), error.column());
    let text = error.to_string();
    let problem = text.split(" at line ").next().unwrap_or(&text).to_owned();
    let cure = if problem.contains("recursion") {
        "give rows of values, not values inside values"
    } else if error.is_eof() {
        "make or download the file again; it may be cut off"
    } else {
        "correct the JSON; missing values are `null`"
    };
    Error::Syntax {
        file: file.to_owned(),
        line: at,
        column: column.max(1),
        problem: format!("the JSON cannot be read: {problem}"),
        cure: cure.into(),
    }
}

/// The outermost value; an error of its own stops the parser and is kept.
struct Top {
    rows: Rows,
    failure: Option<Error>,
}

impl Top {
    fn keep<E: serde::de::Error>(&mut self, result: Result<()>) -> Result<(), E> {
        result.map_err(|error| {
            self.failure = Some(error);
            E::custom("")
        })
    }
}

impl<'de> DeserializeSeed<'de> for &mut Top {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Top {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of rows, or an object of columns")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while let Some(row) = items.next_element::<Tree>()? {
            let result = self.rows.add(row, None);
            self.keep(result)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let mut map: Vec<(String, Tree)> = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        let result = object(map, &mut self.rows);
        self.keep(result)
    }
}

/// An object that holds a table, by one of the forms that programs write.
fn object(map: Vec<(String, Tree)>, rows: &mut Rows) -> Result<()> {
    let has = |name: &str| {
        let entry = map.iter().find(|(n, _)| n == name);
        entry.is_some_and(|(_, v)| matches!(v, Tree::List(_)))
    };
    if has("columns") && has("data") {
        return split(map, rows);
    }
    let lists = |(_, v): &(String, Tree)| matches!(v, Tree::List(_));
    let objects = |(_, v): &(String, Tree)| matches!(v, Tree::Map(_));
    let leaves = |(_, v): &(String, Tree)| matches!(v, Tree::Leaf(_));
    let of_rows = |v: &Tree| match v {
        Tree::List(items) => matches!(items.first(), Some(Tree::Map(_) | Tree::List(_))),
        _ => false,
    };
    if map.iter().filter(|(_, v)| of_rows(v)).count() == 1 {
        // Rows under a name, with remarks beside them.
        let found = map.into_iter().find(|(_, v)| of_rows(v));
        let Some((_, Tree::List(items))) = found else {
            return Ok(());
        };
        for row in items {
            rows.add(row, None)?;
        }
        return Ok(());
    }
    if map.is_empty() {
        return Ok(());
    }
    if map.iter().all(lists) {
        return by_columns(map, rows);
    }
    if map.iter().all(objects) {
        return by_columns_and_rows(map, rows);
    }
    if map.iter().all(leaves) {
        return rows.add(Tree::Map(map), None);
    }
    Err(rows.fault(
        "the object is no table".to_owned(),
        "give a list of objects, one object a line, or an object with a list for every column",
    ))
}

/// `{"columns": […], "data": [[…], …]}`.
fn split(map: Vec<(String, Tree)>, rows: &mut Rows) -> Result<()> {
    let mut data = None;
    for (name, value) in map {
        match (name.as_str(), value) {
            ("columns", Tree::List(items)) => rows.names(items)?,
            ("data", Tree::List(items)) => data = Some(items),
            _ => {}
        }
    }
    for row in data.into_iter().flatten() {
        rows.add(row, None)?;
    }
    Ok(())
}

/// `{"a": [1, 2], "b": [3, 4]}`.
fn by_columns(map: Vec<(String, Tree)>, rows: &mut Rows) -> Result<()> {
    let mut columns = Vec::with_capacity(map.len());
    let mut length = None;
    for (name, value) in map {
        let Tree::List(items) = value else {
            continue;
        };
        let expected = *length.get_or_insert(items.len());
        if items.len() != expected {
            let problem = format!(
                "column `{}` has {} values; {expected} expected",
                crate::error::shorten(&name),
                items.len()
            );
            return Err(rows.fault(problem, "give every column as many values"));
        }
        columns.push((name, items.into_iter()));
    }
    for _ in 0..length.unwrap_or(0) {
        let next = |(name, items): &mut (String, std::vec::IntoIter<Tree>)| {
            Some((name.clone(), items.next()?))
        };
        let row = columns.iter_mut().filter_map(next).collect();
        rows.add(Tree::Map(row), None)?;
    }
    Ok(())
}

/// `{"a": {"0": 1, "1": 2}, "b": {"0": 3, "1": 4}}`, as pandas writes unless told otherwise.
fn by_columns_and_rows(map: Vec<(String, Tree)>, rows: &mut Rows) -> Result<()> {
    let keys = |tree: &Tree| match tree {
        Tree::Map(inner) => inner.iter().map(|(key, _)| key.clone()).collect(),
        _ => Vec::new(),
    };
    let first: Vec<String> = map.first().map(|(_, v)| keys(v)).unwrap_or_default();
    if let Some((name, _)) = map.iter().find(|(_, v)| keys(v) != first) {
        let problem = format!(
            "`{}` has other rows than the first column",
            crate::error::shorten(name)
        );
        return Err(rows.fault(problem, "give a list of objects, one for every row"));
    }
    let columns = map.into_iter().map(|(name, tree)| match tree {
        Tree::Map(inner) => (
            name,
            Tree::List(inner.into_iter().map(|(_, v)| v).collect()),
        ),
        other => (name, other),
    });
    by_columns(columns.collect(), rows)
}

/// Reads a file with a value in every line, in chunks of rows.
pub(crate) struct JsonLines {
    lines: Lines,
    rows: Rows,
    options: ReadOptions,
}

impl JsonLines {
    pub(crate) fn open(opened: Opened, options: &ReadOptions) -> Self {
        let gather = Gather::new(opened.name.clone(), options);
        Self {
            rows: Rows::new(gather, opened.name.clone(), options.header),
            lines: Lines::new(opened, options.max_field),
            options: options.clone(),
        }
    }
}

impl Chunks for JsonLines {
    fn next_chunk(&mut self, rows: usize) -> Result<Option<Table>> {
        let mut line = Vec::new();
        while self.rows.gather.rows() < rows {
            if self.rows.gather.rows().is_multiple_of(STRIDE) {
                self.options.check_cancel()?;
            }
            if !self.lines.next(&mut line)? {
                self.rows.end()?;
                break;
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            let number = self.lines.number;
            let tree: Tree = serde_json::from_slice(&line)
                .map_err(|e| failure(&self.lines.file, e, Some(number)))?;
            if let Tree::Leaf(Cell::Absent) = tree {
                continue;
            }
            self.rows.add(tree, Some(number))?;
        }
        self.rows.gather.take()
    }

    fn empty(&self) -> &'static str {
        "there are no rows"
    }
}
