//! Workbooks of Excel and `OpenDocument`: one sheet as a table.
//!
//! Rows are counted as the sheet shows them. Numbers, dates and booleans keep their type,
//! formulas give the value that was stored with them, and texts are read as those of a CSV file
//! are. Rows above the names with a single cell are a title.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

use calamine::{Data, DataRef, ExcelDateTime, Ods, Reader, Xls, Xlsb, Xlsx};
use mercer::data::{Layout, Table};
use mercer::fit::Note;

use super::csv::{Record, has_header, names_of};
use super::gather::{Cell, Gather};
use super::limit::Budget;
use super::quiet::quietly;
use super::{ReadOptions, archive, date, ods};
use crate::error::{Limited, shorten};
use crate::write::format_number;
use crate::{Error, Result};

/// Rows looked at for names.
const SAMPLE: usize = 100;

/// The cells of a sheet by row and column, as the sheet numbers them from zero.
type Sheet = BTreeMap<u32, BTreeMap<u32, Cell>>;

/// Reads the sheet that is named, or the first one.
pub(crate) fn read(data: &Arc<[u8]>, file: &str, options: &ReadOptions) -> Result<Table> {
    if data.starts_with(archive::MAGIC) {
        archive::check_size(data, file, options)?;
    }
    // The decoder is written for honest files; a damaged one may break its own assumptions.
    let result = quietly(|| sheet(data, file, options));
    let (sheet, name, names) = result.unwrap_or_else(|| {
        Err(Error::Damaged {
            file: file.to_owned(),
            problem: "the workbook's parts contradict each other".to_owned(),
        })
    })?;
    let mut table = table(sheet, file, options)?;
    let mut layout = table.layout().clone();
    if options.sheet.is_none() && names.len() > 1 {
        let others: Vec<String> = names[1..]
            .iter()
            .take(5)
            .map(|n| format!("`{}`", shorten(n)))
            .collect();
        layout.notes.push(Note::Choice(format!(
            "the first of {} sheets is read, `{}`; others are {}",
            names.len(),
            shorten(&name),
            others.join(", ")
        )));
    }
    layout.part = Some(name);
    table.set_layout(layout);
    Ok(table)
}

/// Gathers the cells of a sheet as they are read.
struct Cells<'a> {
    sheet: Sheet,
    budget: Budget,
    file: &'a str,
    options: &'a ReadOptions,
    count: usize,
}

impl Cells<'_> {
    fn add(&mut self, (row, column): (u32, u32), cell: Cell) -> Result<()> {
        let text = match &cell {
            Cell::Absent => return Ok(()),
            Cell::Text(text) => text.len(),
            _ => 0,
        };
        self.count += 1;
        if self.count.is_multiple_of(4096) {
            self.options.check_cancel()?;
        }
        // A cell, its place and its share of a node of the tree.
        self.budget.add(text + 64, self.file)?;
        self.sheet.entry(row).or_default().insert(column, cell);
        Ok(())
    }
}

/// The cells of the wanted sheet, its name and the names of all.
fn sheet(
    data: &Arc<[u8]>,
    file: &str,
    options: &ReadOptions,
) -> Result<(Sheet, String, Vec<String>)> {
    let is_zip = data.starts_with(archive::MAGIC);
    let damaged = |e: &dyn std::fmt::Display| Error::Damaged {
        file: file.to_owned(),
        problem: format!("the workbook cannot be read ({})", shorten(&e.to_string())),
    };
    let mut cells = Cells {
        sheet: Sheet::new(),
        budget: Budget::new(options),
        file,
        options,
        count: 0,
    };
    let reader = Cursor::new(Arc::clone(data));
    if !is_zip {
        let mut book: Xls<_> = Xls::new(reader).map_err(|e| damaged(&e))?;
        let (name, names) = choose(book.sheet_names(), options)?;
        let range = book.worksheet_range(&name).map_err(|e| damaged(&e))?;
        add_range(&range, &mut cells)?;
        return Ok((cells.sheet, name, names));
    }
    if let Some(content) = archive::member(data, file, "content.xml", options)? {
        // The decoder lays out a value for every cell, of this many bytes.
        let bytes = ods::cells(&content).saturating_mul(size_of::<Data>() as u64);
        if bytes > options.limit {
            return Err(Error::limit(file, &Limited::memory(options.limit)));
        }
        drop(content);
        let mut book: Ods<_> = Ods::new(reader).map_err(|e| damaged(&e))?;
        let (name, names) = choose(book.sheet_names(), options)?;
        let range = book.worksheet_range(&name).map_err(|e| damaged(&e))?;
        add_range(&range, &mut cells)?;
        return Ok((cells.sheet, name, names));
    }
    if archive::has_member(data, file, "xl/workbook.bin")? {
        let mut book: Xlsb<_> = Xlsb::new(reader).map_err(|e| damaged(&e))?;
        let (name, names) = choose(book.sheet_names(), options)?;
        let mut found = book
            .worksheet_cells_reader(&name)
            .map_err(|e| damaged(&e))?;
        while let Some(cell) = found.next_cell().map_err(|e| damaged(&e))? {
            cells.add(cell.get_position(), of_reference(cell.get_value()))?;
        }
        return Ok((cells.sheet, name, names));
    }
    let mut book: Xlsx<_> = Xlsx::new(reader).map_err(|e| damaged(&e))?;
    let (name, names) = choose(book.sheet_names(), options)?;
    let mut found = book
        .worksheet_cells_reader(&name)
        .map_err(|e| damaged(&e))?;
    while let Some(cell) = found.next_cell().map_err(|e| damaged(&e))? {
        cells.add(cell.get_position(), of_reference(cell.get_value()))?;
    }
    Ok((cells.sheet, name, names))
}

fn choose(names: Vec<String>, options: &ReadOptions) -> Result<(String, Vec<String>)> {
    let name = match &options.sheet {
        Some(wanted) => names.iter().find(|n| *n == wanted).ok_or_else(|| {
            Error::from(mercer::Error::Unknown {
                kind: "sheet",
                name: wanted.clone(),
                known: names.clone(),
            })
        })?,
        None => names.first().ok_or_else(|| {
            Error::from(mercer::Error::rows(
                "the workbook has no sheet",
                "give a workbook with a table",
            ))
        })?,
    };
    Ok((name.clone(), names))
}

fn add_range(range: &calamine::Range<Data>, cells: &mut Cells<'_>) -> Result<()> {
    let (top, left) = range.start().unwrap_or_default();
    for (row, column, value) in range.used_cells() {
        let place = (top + row as u32, left + column as u32);
        let cell = match value {
            Data::Empty => Cell::Absent,
            Data::Int(v) => Cell::Number(*v as f64),
            Data::Float(v) => number(*v),
            Data::String(v) | Data::DurationIso(v) => text(v),
            Data::Bool(v) => Cell::Truth(*v),
            Data::DateTime(v) => moment(v),
            Data::DateTimeIso(v) => iso(v),
            Data::Error(v) => Cell::Text(v.to_string()),
        };
        cells.add(place, cell)?;
    }
    Ok(())
}

fn of_reference(value: &DataRef<'_>) -> Cell {
    match value {
        DataRef::Empty => Cell::Absent,
        DataRef::Int(v) => Cell::Number(*v as f64),
        DataRef::Float(v) => number(*v),
        DataRef::String(v) | DataRef::DurationIso(v) => text(v),
        DataRef::SharedString(v) => text(v),
        DataRef::Bool(v) => Cell::Truth(*v),
        DataRef::DateTime(v) => moment(v),
        DataRef::DateTimeIso(v) => iso(v),
        DataRef::Error(v) => Cell::Text(v.to_string()),
    }
}

fn number(value: f64) -> Cell {
    if value.is_finite() {
        Cell::Number(value)
    } else {
        Cell::Text(value.to_string())
    }
}

fn text(value: &str) -> Cell {
    if value.trim().is_empty() {
        Cell::Absent
    } else {
        Cell::Text(value.to_owned())
    }
}

fn iso(value: &str) -> Cell {
    date::parse(value.as_bytes()).map_or_else(|| text(value), Cell::Date)
}

/// A date; lengths of time and times of day are parts of a day.
fn moment(value: &ExcelDateTime) -> Cell {
    if value.is_duration() || value.as_f64() < 1.0 {
        return number(value.as_f64());
    }
    let (year, month, day, hour, minute, second, milli) = value.to_ymd_hms_milli();
    let text =
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}");
    date::parse(text.as_bytes()).map_or_else(|| number(value.as_f64()), Cell::Date)
}

/// A cell as a text, to tell names from values.
fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Absent => String::new(),
        Cell::Truth(value) => value.to_string(),
        Cell::Number(value) => format_number(*value),
        Cell::Date(value) => date::format(*value).unwrap_or_default(),
        Cell::Text(text) | Cell::Digits(text) => text.trim().to_owned(),
    }
}

fn table(sheet: Sheet, file: &str, options: &ReadOptions) -> Result<Table> {
    let empty = || Error::Empty {
        file: file.to_owned(),
        problem: "the sheet is empty".to_owned(),
    };
    let mut layout = Layout::default();
    let mut rows: Vec<(u32, BTreeMap<u32, Cell>)> = sheet.into_iter().collect();
    if let Some(count) = options.skip_rows {
        rows.retain(|(row, _)| *row as usize >= count);
    } else {
        let above = title(&rows);
        if above > 0 {
            rows.drain(..above);
            let line = rows.first().map_or(0, |(row, _)| *row) + 1;
            layout.skipped = line as usize - 1;
            layout.notes.push(Note::Choice(format!(
                "the table begins in row {line}; what stands above it is passed over"
            )));
        }
    }
    let columns: std::collections::BTreeSet<u32> = rows
        .iter()
        .flat_map(|(_, cells)| cells.keys().copied())
        .collect();
    let columns: Vec<u32> = columns.into_iter().collect();
    if rows.is_empty() {
        return Err(empty());
    }
    let record = |(row, cells): &(u32, BTreeMap<u32, Cell>)| {
        let texts: Vec<String> = columns
            .iter()
            .map(|c| cells.get(c).map(shown).unwrap_or_default())
            .collect();
        let fields: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
        Record::of(&fields, *row as usize + 1)
    };
    let sample: Vec<Record> = rows.iter().take(SAMPLE).map(record).collect();
    let header = options
        .header
        .unwrap_or_else(|| has_header(&sample, options));
    let names = if header {
        names_of(&sample[0], file)?
    } else {
        (1..=columns.len()).map(|i| format!("column_{i}")).collect()
    };
    layout.header = Some(header);
    let mut gather = Gather::new(file.to_owned(), options);
    for name in &names {
        gather.column(name)?;
    }
    for (row, cells) in rows.into_iter().skip(usize::from(header)) {
        for (column, cell) in cells {
            let at = columns.binary_search(&column).unwrap_or(0);
            gather.set(at, cell)?;
        }
        gather.end_row(Some(row as usize + 1))?;
    }
    let Some(mut table) = gather.take()? else {
        return Err(Error::Empty {
            file: file.to_owned(),
            problem: "there is a header but no row".to_owned(),
        });
    };
    table.set_layout(layout);
    Ok(table)
}

/// Counts rows above the names: a cell each, and below them a row of texts alone.
fn title(rows: &[(u32, BTreeMap<u32, Cell>)]) -> usize {
    let above = rows.iter().take_while(|(_, cells)| cells.len() < 2).count();
    match rows.get(above) {
        Some((_, names)) if names.values().all(|c| matches!(c, Cell::Text(_))) => above,
        _ => 0,
    }
}
