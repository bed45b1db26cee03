//! `mercer gram`.

use std::io::Write;
use std::path::{Path, PathBuf};

use mercer::data::{EncodeOptions, Encoder, Records, Roles, Scaling, Targets};
use mercer::fit::{FitContext, Note};
use mercer::kernel::{
    BoundKernel, GramCheck, KernelSpec, ResolvedKernel, TileMut, check_gram, repair,
};
use mercer_io::{CsvWriter, NpyWriter, format_number};
use mercer_linalg::{Matrix, Rows};
use mercer_report::{Compared, kernel_matrix, kernel_spectrum};
use serde_json::json;

use super::gram_check;
use crate::args::{GramArgs, ScaleArg};
use crate::data::read;
use crate::failure::{Failure, Result};
use crate::outputs::Files;
use crate::session::Session;
use crate::style::Paint;

/// Entries computed at a time: 8 MB, so that Ctrl-C is seen soon.
const BLOCK: usize = 1 << 20;

pub(super) fn run(args: &GramArgs, session: &Session) -> Result<()> {
    let spec: KernelSpec = args.kernel.parse()?;
    let file = output_file(args, session)?;
    for picture in [&args.plot, &args.spectrum] {
        crate::figure::check(picture.as_deref())?;
    }
    Files::default()
        .data(&args.data, &args.reading)
        .write(file.as_deref())
        .write(args.plot.as_deref())
        .write(args.spectrum.as_deref())
        .check()?;
    let context = session.context(&args.running);
    let (records, targets, mut notes) = prepare(args, session)?;
    let (kernel, chosen) = spec.resolve(&records, None)?;
    notes.extend(chosen);
    let bound = kernel.bind(&records)?;
    let job = Job {
        bound: bound.as_ref(),
        session,
        context: &context,
    };
    let whole = if args.check || args.repair.is_some() {
        let mut matrix = job.whole()?;
        session.meter.stage("eigenvalues", None);
        let check = args
            .check
            .then(|| check_gram(&matrix, &targets))
            .transpose()?;
        session.check()?;
        if let Some(how) = args.repair {
            matrix = repair(&matrix, how.into())?;
        }
        Some((matrix, check))
    } else {
        None
    };
    session.check()?;
    session.meter.finish();
    session.output.notes(&notes);
    let compared = Compared {
        kernel: &kernel,
        records: &records,
        targets: &targets,
        target: args.target.as_deref(),
    };
    if let Some(path) = &args.plot {
        crate::figure::write(path, &kernel_matrix(&compared, &context)?, session)?;
        session.output.wrote(path);
    }
    if let Some(path) = &args.spectrum {
        crate::figure::write(path, &kernel_spectrum(&compared, None, &context)?, session)?;
        session.output.wrote(path);
    }
    if let Some(file) = &file {
        let whole = whole.as_ref().map(|(matrix, _)| matrix);
        session.write_with(file, |out| job.write(out, file, whole))?;
        session.meter.finish();
        if file != Path::new("-") {
            session.output.wrote(file);
        }
    }
    let check = whole.as_ref().and_then(|(_, check)| check.as_ref());
    tell(session, &kernel, bound.len(), file.as_deref(), check)
}

fn tell(
    session: &Session,
    kernel: &ResolvedKernel,
    rows: usize,
    file: Option<&Path>,
    check: Option<&GramCheck>,
) -> Result<()> {
    if session.output.json {
        return session.output.object(&json!({
            "kernel": kernel.to_string(),
            "rows": rows,
            "check": check.map(gram_check::to_json),
            "file": file,
        }));
    }
    match check {
        // The matrix itself is on standard output.
        Some(check) if file == Some(Path::new("-")) => {
            let page = gram_check::page(check, kernel, rows, Paint::stderr());
            crate::output::warn(page.trim_end());
            Ok(())
        }
        Some(check) => {
            session
                .output
                .text(&gram_check::page(check, kernel, rows, session.output.paint))
        }
        None => Ok(()),
    }
}

/// The file to write; a test alone writes none.
fn output_file(args: &GramArgs, session: &Session) -> Result<Option<PathBuf>> {
    let Some(file) = &args.output else {
        let pictures = args.plot.is_some() || args.spectrum.is_some();
        let tested = args.check || pictures;
        if tested && args.repair.is_none() || session.output.json {
            return Ok(None);
        }
        return Ok(Some(PathBuf::from("-")));
    };
    if file == Path::new("-") {
        if session.output.json {
            return Err(Failure::usage(
                "`--json` and the matrix cannot both go to standard output",
                "name a file with `-o FILE.csv` or `-o FILE.npy`",
            ));
        }
        return Ok(Some(file.clone()));
    }
    match file.extension().and_then(|e| e.to_str()) {
        Some("csv" | "npy") => Ok(Some(file.clone())),
        _ => Err(Failure::usage(
            format!(
                "`{}` has no ending that says how to write it",
                file.display()
            ),
            "end it with `.csv` or `.npy`",
        )),
    }
}

fn prepare(args: &GramArgs, session: &Session) -> Result<(Records, Targets, Vec<Note>)> {
    let table = read(&args.data, &args.reading, session)?;
    let roles = Roles {
        targets: args.target.iter().cloned().collect(),
        drop: crate::named::columns(&args.drop, &table),
        ..Roles::default()
    };
    let mut assigned = roles.assign(table)?;
    let mut notes = std::mem::take(&mut assigned.notes);
    let targets = match &assigned.targets[..] {
        [] => Targets::None,
        [column, ..] => {
            let (task, _) = mercer::data::infer_task(column);
            mercer::data::make_targets(column, task, None)?
        }
    };
    let scaling = match args.scale {
        ScaleArg::Standard => Scaling::Standard,
        ScaleArg::Auto | ScaleArg::None => Scaling::None,
    };
    let options = EncodeOptions::default().scaling(scaling);
    let (encoder, more) = Encoder::fit(&assigned.features, &options)?;
    notes.extend(more);
    Ok((
        encoder.transform(&assigned.features)?.records,
        targets,
        notes,
    ))
}

/// Rows computed at a time.
fn block_rows(n: usize) -> usize {
    (BLOCK / n.max(1)).clamp(1, 256)
}

struct Job<'a> {
    bound: &'a dyn BoundKernel,
    session: &'a Session,
    context: &'a FitContext,
}

impl Job<'_> {
    /// Computes some rows of the matrix.
    fn rows(&self, from: usize, out: &mut Matrix<f64>) -> Result<()> {
        self.session.check()?;
        self.context.check()?;
        let n = self.bound.len();
        let rows = Rows::Range(from..from + out.rows());
        self.context.install(|| {
            self.bound.tile(
                rows,
                Rows::Range(0..n),
                TileMut::F64(out.as_mut()),
                self.context.par(),
            );
        })?;
        let share = (from + out.rows()) as f64 / n as f64;
        self.session.meter.stage("kernel matrix", Some(share));
        Ok(())
    }

    /// Computes the whole matrix, within the memory limit.
    fn whole(&self) -> Result<Matrix<f64>> {
        let n = self.bound.len();
        // The symmetric part, the eigenvectors in two orders, and as much again to find them.
        let needed = 48_u64.saturating_mul(n as u64).saturating_mul(n as u64);
        let limit = self.context.most_memory();
        if needed > limit {
            return Err(mercer::Error::Memory {
                what: format!("the kernel matrix of {n} rows with its eigenvectors"),
                needed,
                limit,
            }
            .into());
        }
        let mut matrix = Matrix::zeros(n, n);
        let mut from = 0;
        while from < n {
            let height = block_rows(n).min(n - from);
            let mut block = Matrix::zeros(height, n);
            self.rows(from, &mut block)?;
            for r in 0..height {
                matrix.row_mut(from + r).copy_from_slice(block.row(r));
            }
            from += height;
        }
        Ok(matrix)
    }

    /// Writes the matrix row by row; without a whole one only a block is in memory.
    fn write(&self, out: &mut dyn Write, file: &Path, whole: Option<&Matrix<f64>>) -> Result<()> {
        let n = self.bound.len();
        let name = file.display().to_string();
        let mut sink = if file.extension().is_some_and(|e| e == "npy") {
            Sink::Npy(NpyWriter::try_new(out, &name, n, n)?)
        } else {
            let mut csv = CsvWriter::new(out, &name);
            csv.write_row((1..=n).map(|k| format!("k{k}")))?;
            Sink::Csv(csv)
        };
        let mut from = 0;
        while from < n {
            let height = block_rows(n).min(n - from);
            let mut block = Matrix::zeros(height, n);
            match whole {
                Some(matrix) => {
                    self.session.check()?;
                    self.context.check()?;
                    for r in 0..height {
                        block.row_mut(r).copy_from_slice(matrix.row(from + r));
                    }
                }
                None => self.rows(from, &mut block)?,
            }
            for r in 0..height {
                sink.row(block.row(r))?;
            }
            from += height;
        }
        sink.finish()
    }
}

enum Sink<'a> {
    Csv(CsvWriter<&'a mut dyn Write>),
    Npy(NpyWriter<&'a mut dyn Write>),
}

impl Sink<'_> {
    fn row(&mut self, row: &[f64]) -> Result<()> {
        match self {
            Self::Csv(csv) => Ok(csv.write_row(row.iter().map(|v| format_number(*v)))?),
            Self::Npy(npy) => Ok(npy.write_row(row)?),
        }
    }

    fn finish(self) -> Result<()> {
        if let Self::Npy(npy) = self {
            npy.finish()?;
        }
        Ok(())
    }
}
