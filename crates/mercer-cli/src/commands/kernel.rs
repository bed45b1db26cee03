//! `mercer kernel`.

use std::path::Path;

use mercer::data::{CodeColumn, Features, Points, Records};
use mercer::kernel::{KernelSpec, families};
use mercer_linalg::Matrix;
use serde_json::json;

use super::log_value::evaluate;
use crate::args::KernelArgs;
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::session::Session;

pub(super) fn run(args: &KernelArgs, session: &Session) -> Result<()> {
    let (Some(text), Some(a), Some(b)) = (&args.kernel, &args.a, &args.b) else {
        return list(session);
    };
    let kernel: KernelSpec = text.parse()?;
    if args.table {
        return Err(Failure::unavailable(
            "only string kernels have a table, and they are not available in this version",
            "leave out `--table`",
        ));
    }
    let a = object(a, session)?;
    let b = object(b, session)?;
    let records = pair(&a, &b)?;
    let value = evaluate(&kernel, &records)?;
    session.output.notes(&value.notes);
    if session.output.json {
        return session.output.object(&json!({
            "kernel": value.kernel,
            "value": value.plain.is_finite().then_some(value.plain),
            "log_value": value.log.filter(|l| l.is_finite()),
            "table": null,
        }));
    }
    let text = if value.plain.is_finite() && (value.plain != 0.0 || value.log.is_none()) {
        format!("{}\n", value.plain)
    } else {
        match value.log {
            Some(log) => format!("exp({log})\n"),
            None => format!("{}\n", value.plain),
        }
    };
    session.output.text(&text)
}

/// The fields of one object, from the command line or the first row of a file.
fn object(text: &str, session: &Session) -> Result<Vec<String>> {
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

/// Two rows that kernels can compare: numbers as vectors, names as categories.
fn pair(a: &[String], b: &[String]) -> Result<Records> {
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
    records.features = Features {
        points: Points::from(Matrix::<f64>::zeros(2, 0)),
        groups: Vec::new(),
    };
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

fn list(session: &Session) -> Result<()> {
    if session.output.json {
        let all: Vec<_> = families()
            .iter()
            .map(|f| {
                let parameters: Vec<_> = f
                    .parameters
                    .iter()
                    .map(|p| json!({"name": p.name, "meaning": p.meaning, "allowed": p.allowed.text(), "default": p.default}))
                    .collect();
                json!({"name": f.name, "summary": f.summary, "formula": f.formula, "parameters": parameters})
            })
            .collect();
        return session.output.object(&json!({ "kernels": all }));
    }
    let mut page = Page::new(session.output.paint);
    for family in families() {
        page.heading(family.name, family.summary);
        page.item("formula", family.formula);
        for parameter in family.parameters {
            let text = format!("{}; default {}", parameter.meaning, parameter.default);
            page.item(parameter.name, &text);
        }
    }
    page.heading("Combinations", "");
    for (form, meaning) in [
        ("a*K", "a kernel times a positive number"),
        ("K + K, K * K", "sum and product"),
        ("K^2", "a whole power"),
        ("exp(K)", "exp(k(x, z))"),
        ("normalise(K)", "k(x, z)/√(k(x, x)·k(z, z))"),
        ("K@a, K@[a,\"b c\"]", "reads only these columns"),
    ] {
        page.item(form, meaning);
    }
    session.output.text(&page.finish())
}
