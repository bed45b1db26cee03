//! `mercer kernel --coefficients`: functions in the space of a kernel.

use std::path::Path;

use mercer::Error;
use mercer::data::{Column, EncodeOptions, Encoder, Scaling, Table, Values};
use mercer::features::HilbertSpan;
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use serde_json::{Value, json};

use crate::args::{KernelArgs, ReadingArgs};
use crate::data::{blame_data, read};
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::style::{number, plural, short_numbers};

/// Tells ⟨f, g⟩, ‖f‖, ‖g‖ and ‖f − g‖ of functions whose coefficients are columns of a table.
pub(super) fn run(
    kernel: &KernelSpec,
    file: &str,
    args: &KernelArgs,
    session: &Session,
) -> Result<()> {
    let names = &args.coefficients;
    if names.len() > 2 {
        return Err(Failure::usage(
            format!("{} functions are named", names.len()),
            "name one or two columns of coefficients",
        ));
    }
    let path = Path::new(file.strip_prefix('@').unwrap_or(file));
    let mut table = read(path, &ReadingArgs::default(), session)?;
    for name in crate::named::columns(&args.drop, &table) {
        blame_data(table.take(&name))?;
    }
    let mut functions: Vec<Vec<f64>> = Vec::new();
    for name in names {
        let column = blame_data(table.column(name))?;
        functions.push(coefficients(column, &table)?);
    }
    for name in names {
        // Both functions may be the same column.
        if table.find(name).is_some() {
            blame_data(table.take(name))?;
        }
    }
    if table.columns().is_empty() {
        return Err(Failure::data(
            "empty",
            "no column is left for the points",
            format!("give columns beside {}", names.join(", ")),
        ));
    }
    let (encoder, mut notes) =
        Encoder::fit(&table, &EncodeOptions::default().scaling(Scaling::None))?;
    let records = blame_data(encoder.transform(&table))?.records;
    let (kernel, chosen) = kernel.resolve(&records, None)?;
    notes.extend(chosen);
    let context = FitContext::default();
    let rows = records.len();
    let needed = 8_u64
        .saturating_mul(rows as u64)
        .saturating_mul(rows as u64);
    if needed > context.most_memory() {
        return Err(Error::Memory {
            what: format!("the kernel matrix of {rows} rows"),
            needed,
            limit: context.most_memory(),
        }
        .into());
    }
    let span = context.install(|| HilbertSpan::try_new(&kernel, &records, context.par()))??;
    let (f, g) = (&functions[0], functions.last().unwrap_or(&functions[0]));
    let inner = span.inner(f, g)?;
    let norms = functions.iter().map(|own| span.norm(own));
    let norms: Vec<f64> = norms.collect::<mercer::Result<_>>()?;
    let two = functions.len() == 2;
    let distance = two.then(|| span.distance(f, g)).transpose()?;
    session.meter.finish();
    session.output.notes(&notes);
    if session.output.json {
        let each = names.iter().zip(&norms);
        let each: Vec<Value> = each.map(|(n, v)| json!({"name": n, "norm": v})).collect();
        return session.output.object(&json!({
            "kernel": kernel.to_string(), "rows": rows, "functions": each, "inner": inner,
            "distance": distance,
        }));
    }
    let mut page = Page::new(session.output.paint);
    page.heading(
        &format!(
            "Functions in the space of {}",
            short_numbers(&kernel.to_string())
        ),
        &format!("sums over {}", plural(rows, "point")),
    );
    let last = names.last().unwrap_or(&names[0]);
    page.item(&format!("⟨{}, {last}⟩", names[0]), &number(inner));
    for (name, norm) in names.iter().zip(&norms) {
        page.item(&format!("‖{name}‖"), &number(*norm));
    }
    if let Some(distance) = distance {
        page.item(&format!("‖{} − {last}‖", names[0]), &number(distance));
    }
    session.output.text(&page.finish())
}

/// The coefficients of a function: finite numbers, one for every row.
fn coefficients(column: &Column, table: &Table) -> Result<Vec<f64>> {
    let Values::Numeric(values) = &column.values else {
        return Err(Error::ColumnKind {
            column: column.name.clone(),
            found: column.kind().name().to_owned(),
            expected: "numeric".to_owned(),
        }
        .into());
    };
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(values.clone()),
        Some(row) => Err(Error::Cell {
            place: table.place(row),
            column: column.name.clone(),
            problem: "the coefficient is missing or not finite".to_owned(),
            cure: "write 0 for points that the function does not use".into(),
        }
        .into()),
    }
}
