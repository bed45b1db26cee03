//! Objects on the command line: what `mercer kernel` compares.

use std::io::Read;
use std::path::Path;

use mercer::data::{CodeColumn, LabelNames, Points, Records, molecule};
use mercer::kernel::{Input, KernelSpec};
use mercer_linalg::Matrix;

use crate::failure::{Failure, Result};
use crate::session::Session;

/// Two rows that a kernel can compare: texts as they stand, molecules from SMILES, or lists of
/// numbers and names.
pub(super) fn pair(kernel: &KernelSpec, a: &str, b: &str, session: &Session) -> Result<Records> {
    let reads = |input: Input| kernel.families().iter().any(|f| f.input == input);
    if reads(Input::Texts) {
        return Ok(Records::from_texts([
            whole(a, session)?,
            whole(b, session)?,
        ]));
    }
    if reads(Input::Graphs) {
        let mut vertices = LabelNames::default();
        let mut graph = |text: &str| {
            let text = whole(text, session)?;
            let text = text.trim();
            let found = molecule::parse(text).map_err(|error| {
                let problem = format!("`{text}` is no SMILES, {error}");
                Failure::usage(problem, error.hints().join("; "))
            })?;
            let options = molecule::GraphOptions::default();
            Ok::<_, Failure>(molecule::to_graph(&found, &mut vertices, options).graph)
        };
        return Ok(Records::from_graphs([graph(a)?, graph(b)?]));
    }
    if reads(Input::Nodes) {
        return Err(Failure::usage(
            "kernels between nodes of a network need the network",
            "learn with `mercer fit EDGES --nodes PEOPLE`",
        ));
    }
    values(&fields(a, session)?, &fields(b, session)?)
}

/// The numbers of a row; none where it is a text, a graph or names.
pub(super) fn numbers(records: &Records, row: usize) -> Vec<f64> {
    let points = records.features.points.widened();
    points.row_values(row).to_vec()
}

/// A text as it stands, or the whole of a file without its last line break.
pub(super) fn whole(text: &str, session: &Session) -> Result<String> {
    let Some(file) = text.strip_prefix('@') else {
        return Ok(text.to_owned());
    };
    let path = Path::new(file);
    let mut bytes = Vec::new();
    let mut opened = mercer_io::Source::from_argument(path).open(Some(&session.cancel))?;
    opened
        .reader
        .read_to_end(&mut bytes)
        .map_err(|e| Failure::data("unreadable", format!("{file}: {e}"), "give a readable file"))?;
    let mut text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to() + 1;
        Failure::data(
            "not_utf8",
            format!("{file}: byte {at} is not UTF-8"),
            "convert the file to UTF-8",
        )
    })?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}

/// The fields of one object, from the command line or the first row of a file.
fn fields(text: &str, session: &Session) -> Result<Vec<String>> {
    let line = match text.strip_prefix('@') {
        None => text.to_owned(),
        Some(file) => first_row(Path::new(file), session)?,
    };
    let commas = line.contains(',');
    let fields: Vec<String> = line
        .split(|c: char| {
            if commas {
                c == ','
            } else {
                c.is_whitespace() || c == ';'
            }
        })
        .map(|f| f.trim().to_owned())
        .filter(|f| commas || !f.is_empty())
        .collect();
    if fields.is_empty() || fields.iter().any(String::is_empty) {
        return Err(Failure::usage(
            format!("`{text}` is no list of numbers"),
            "write numbers as `1,2.5,-3`, or `@FILE` for a file that holds them",
        ));
    }
    Ok(fields)
}

/// The first line of a file that holds values, as a comma-separated row.
fn first_row(path: &Path, session: &Session) -> Result<String> {
    let source = mercer_io::Source::from_argument(path);
    let opened = source.open(Some(&session.cancel))?;
    let text = String::from_utf8_lossy(&opened.head);
    let numeric = |line: &&str| {
        let fields = line.split([',', ';', '\t', ' ']).filter(|f| !f.is_empty());
        let mut count = 0;
        let all = fields
            .inspect(|_| count += 1)
            .all(|f| f.trim().parse::<f64>().is_ok());
        all && count > 0
    };
    let lines = || text.lines().map(str::trim).filter(|l| !l.is_empty());
    // A header has no numbers; without any numbers the first line is the object.
    let line = lines().find(numeric).or_else(|| lines().next());
    line.map(str::to_owned).ok_or_else(|| {
        let message = format!("{}: the file has no row", path.display());
        Failure::data("empty", message, "give a file with a row of numbers")
    })
}

/// Numbers as vectors, names as categories.
fn values(a: &[String], b: &[String]) -> Result<Records> {
    if a.len() != b.len() {
        return Err(Failure::usage(
            format!("A has {} values, B has {}", a.len(), b.len()),
            "give both the same number of values",
        ));
    }
    let numbers =
        |fields: &[String]| -> Option<Vec<f64>> { fields.iter().map(|f| f.parse().ok()).collect() };
    if let (Some(x), Some(z)) = (numbers(a), numbers(b)) {
        if let Some(bad) = x.iter().chain(&z).find(|v| !v.is_finite()) {
            return Err(Failure::usage(
                format!("`{bad}` is not a finite number"),
                "kernels compare finite numbers",
            ));
        }
        let width = x.len();
        let values = x.into_iter().chain(z).collect();
        let mut records = Records::from_points(Points::from(Matrix::from_vec(2, width, values)));
        records.codes = codes(a, b);
        return Ok(records);
    }
    let mut records = Records::from_points(Points::from(Matrix::<f64>::zeros(2, 0)));
    records.codes = codes(a, b);
    Ok(records)
}

fn codes(a: &[String], b: &[String]) -> Vec<CodeColumn> {
    let columns = a.iter().zip(b).enumerate();
    columns
        .map(|(k, (x, z))| CodeColumn {
            source: format!("x{}", k + 1),
            codes: vec![0, u32::from(x != z)],
        })
        .collect()
}
