//! Data and models from files, as the flags describe them.

use std::path::Path;

use mercer::data::{Table, Task};
use mercer::fit::Note;
use mercer::model::Trained;
use mercer_io::{ReadOptions, Source};

use crate::args::ReadingArgs;
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::unnamed::gathered;

/// Turns flags into reader options.
pub(crate) fn options(reading: &ReadingArgs, session: &Session) -> ReadOptions {
    let header = match (reading.header, reading.no_header) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let usual = ReadOptions::default();
    ReadOptions {
        format: reading.format,
        delimiter: reading.delimiter,
        quote: reading.quote,
        header,
        skip_rows: reading.skip_rows,
        comment: reading.comment,
        sheet: reading.sheet.clone(),
        member: reading.member.clone(),
        zero_based: reading.zero_based,
        missing: reading.missing.clone(),
        max_field: reading.max_field.unwrap_or(usual.max_field),
        kinds: reading.kinds.clone(),
        decimal: reading.decimal,
        date_formats: reading.date_formats.clone(),
        limit: session.reading.bytes,
        deadline: session.reading.deadline,
        cancel: Some(session.cancel.clone()),
        ..usual
    }
}

/// Reads a whole table, joined with its labels where they are in a file of their own.
pub(crate) fn read(path: &Path, reading: &ReadingArgs, session: &Session) -> Result<Table> {
    read_with(path, reading, &options(reading, session), session)
}

/// Returns the names of the rows: the texts of a column, where one is named.
pub(crate) fn row_names(table: &Table, column: Option<&str>) -> Result<Option<Vec<String>>> {
    let Some(name) = column else { return Ok(None) };
    let column = table.column(name)?;
    let text = |row| column.values.text(row).unwrap_or_default();
    Ok(Some((0..table.rows()).map(text).collect()))
}

/// Reads a whole table and leaves it to the caller to tell what was recognised.
pub(crate) fn read_quietly(path: &Path, reading: &ReadingArgs, session: &Session) -> Result<Table> {
    let options = options(reading, session);
    if reading.nodes.is_some() || reading.labels.is_some() {
        return read_with(path, reading, &options, session);
    }
    session.meter.stage("reading", None);
    let read = mercer_io::read(&Source::from_argument(path), &options);
    read.map_err(|error| limited(error, session))
}

/// Reads a whole table whose columns a model knows.
pub(crate) fn read_for(
    trained: &Trained,
    path: &Path,
    reading: &ReadingArgs,
    session: &Session,
) -> Result<Table> {
    let options = known(trained, options(reading, session));
    read_with(path, reading, &options, session)
}

fn read_with(
    path: &Path,
    reading: &ReadingArgs,
    options: &ReadOptions,
    session: &Session,
) -> Result<Table> {
    /// Bytes of text that are read in a second, and how much longer learning from it takes at least.
    const SPEED: f64 = 6e7;
    const LEARNING: f64 = 10.0;
    match std::fs::metadata(path) {
        Ok(file) => {
            let seconds = file.len() as f64 / SPEED;
            session.meter.phase("reading", seconds, LEARNING * seconds);
        }
        Err(_) => session.meter.stage("reading", None),
    }
    if let Some(members) = &reading.nodes {
        // Kinds are told for the columns that are learnt from: those of the members.
        let edges = ReadOptions {
            kinds: Vec::new(),
            date_formats: Vec::new(),
            ..options.clone()
        };
        let edges = load(path, &edges, session)?;
        // How the edges are written says nothing about the other file.
        let options = ReadOptions {
            format: None,
            delimiter: reading.nodes_delimiter,
            skip_rows: None,
            comment: None,
            sheet: None,
            member: None,
            ..options.clone()
        };
        let members = load(members, &options, session)?;
        return Ok(mercer_io::join_network(&edges, members)?);
    }
    let table = load(path, options, session)?;
    let Some(labels) = &reading.labels else {
        return Ok(table);
    };
    let plain = ReadOptions {
        limit: options.limit,
        deadline: options.deadline,
        cancel: options.cancel.clone(),
        ..ReadOptions::default()
    };
    let labels = mercer_io::read(&Source::from_argument(labels), &plain)?;
    Ok(mercer_io::join_labels(&table, &labels)?)
}

/// Says what the limit of a read follows from: a table may take more than was named.
fn limited(mut error: mercer_io::Error, session: &Session) -> Failure {
    if let mercer_io::Error::Limit {
        problem,
        is_time: false,
        ..
    } = &mut error
        && let Some(named) = session.reading.named
    {
        *problem = format!(
            "the data take more than {} MB: with a memory of {} MB no more is read",
            session.reading.bytes.div_ceil(1_000_000),
            named.div_ceil(1_000_000)
        );
    }
    error.into()
}

/// Reads a file and tells what was recognised that a user may not expect.
fn load(path: &Path, options: &ReadOptions, session: &Session) -> Result<Table> {
    let table = mercer_io::read(&Source::from_argument(path), options);
    let table = table.map_err(|error| limited(error, session))?;
    session.output.notes(&table.layout().notes);
    Ok(table)
}

/// A file as it is called in sentences.
pub(crate) fn named(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    path.display().to_string()
}

/// Rows of a table as they come.
pub(crate) type Chunks = Box<dyn Iterator<Item = Result<Table>>>;

/// Opens a stream of rows for a model. Nodes beside their edges are read as a whole.
pub(crate) fn stream_for(
    trained: &Trained,
    path: &Path,
    reading: &ReadingArgs,
    session: &Session,
    rows: usize,
) -> Result<Chunks> {
    if reading.nodes.is_some() {
        let table = read_for(trained, path, reading, session)?;
        return Ok(Box::new(std::iter::once(Ok(table))));
    }
    let options = known(trained, options(reading, session));
    let stream = mercer_io::stream(&Source::from_argument(path), &options, rows)?;
    session.output.notes(&stream.layout().notes);
    Ok(Box::new(stream.map(|chunk| chunk.map_err(Failure::from))))
}

/// Tells the reader what the model knows of its columns.
fn known(trained: &Trained, options: ReadOptions) -> ReadOptions {
    let columns = trained.encoder.input_columns();
    let unnamed = |name: &String| options.kinds.iter().all(|(given, _)| given != name);
    let schema = columns
        .into_iter()
        .filter(|(name, _)| unnamed(name))
        .collect();
    let spellings = trained.encoder.spellings().clone();
    ReadOptions {
        schema,
        for_model: true,
        spellings: spellings.into_iter().collect(),
        ..options
    }
}

/// Leaves only the columns a model reads, so that others need no note.
pub(crate) fn keep_inputs(trained: &Trained, table: &mut Table) -> Result<()> {
    let wanted = trained.encoder.input_columns();
    let optional = trained.optional_columns();
    let lacks = |name: &String| table.find(name).is_none() && !optional.contains(name);
    if wanted.iter().any(|(name, _)| lacks(name)) {
        // The error will suggest one of the others.
        return Ok(());
    }
    let vectors = |kind| kind == mercer::data::Kind::Vectors;
    let extra: Vec<String> = table
        .columns()
        .iter()
        // A column of vectors is recognised by its kind, whatever its name.
        .filter(|c| !vectors(c.kind()) && wanted.iter().all(|(name, _)| *name != c.name))
        .map(|c| c.name.clone())
        .collect();
    for name in extra {
        table.take(&name)?;
    }
    Ok(())
}

/// Names the columns of a file without a header after those that a model learnt, in order, where
/// the user says that there is no header and their number fits. Columns of other parts keep the
/// names that the reader gave them.
pub(crate) fn name_by_place(
    trained: &Trained,
    reading: &ReadingArgs,
    table: Table,
    others: &[&str],
) -> Result<Table> {
    let table = gathered(trained, table, others)?;
    let needed = trained.encoder.input_columns();
    if !reading.no_header || needed.iter().all(|(name, _)| table.find(name).is_some()) {
        return Ok(table);
    }
    let is_free = |name: &str| !others.contains(&name);
    let free = table.columns().iter().filter(|c| is_free(&c.name)).count();
    if free != needed.len() {
        return Ok(table);
    }
    let mut names = needed.into_iter().map(|(name, _)| name);
    let mut columns = table.columns().to_vec();
    for column in columns.iter_mut().filter(|c| is_free(&c.name)) {
        column.name = names.next().expect("as many names as columns");
    }
    Ok(Table::try_new(columns, table.origin().clone())?)
}

/// Rows that were left without a prediction, told once.
#[derive(Debug, Default)]
pub(crate) struct Skipped {
    /// How many there are.
    pub(crate) rows: usize,
    /// What is wrong with the first of them.
    first: Vec<String>,
}

impl Skipped {
    /// Leaves out the rows of a table that a model cannot read; returns the others with their
    /// numbers.
    pub(crate) fn leave_out(
        &mut self,
        trained: &Trained,
        table: Table,
    ) -> Result<(Table, Vec<usize>)> {
        /// Rows whose faults are told one by one.
        const TOLD: usize = 5;
        let all: Vec<usize> = (0..table.rows()).collect();
        let faults = blame_data(trained.unreadable(&table))?;
        if faults.is_empty() {
            return Ok((table, all));
        }
        self.rows += faults.len();
        for (_, fault) in &faults {
            if self.first.len() < TOLD {
                self.first.push(fault.to_string());
            }
        }
        let bad: Vec<usize> = faults.iter().map(|(row, _)| *row).collect();
        let good = all
            .into_iter()
            .filter(|row| bad.binary_search(row).is_err());
        let good: Vec<usize> = good.collect();
        Ok((table.select(&good), good))
    }

    /// What the user is told; `what` happened to the rows.
    pub(crate) fn note(&self, what: &str) -> Option<Note> {
        let more = self.rows.checked_sub(self.first.len())?;
        if self.rows == 0 {
            return None;
        }
        let more = match more {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        Some(Note::Alert(format!(
            "{} {what}: {}{more}",
            crate::style::plural(self.rows, "row"),
            self.first.join("; ")
        )))
    }
}

/// A missing column is the data's fault here: the model fixes the names.
pub(crate) fn blame_data<T>(result: mercer::Result<T>) -> Result<T> {
    result.map_err(|e| Failure::from(e).of_data())
}

/// Says what a task predicts, in words.
pub(crate) fn task_words(task: Task) -> &'static str {
    match task {
        Task::Classify => "classification",
        Task::Regress => "regression",
        Task::Novelty => "novelty detection",
        Task::Cluster => "clustering",
        Task::Embed => "embedding",
    }
}
