//! `mercer svm-scale`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mercer_io::libsvm::format_g17;

use crate::failure::{Failure, Result};
use crate::output::warn;
use crate::outputs::Files;
use crate::session::Session;

use super::command;
use super::flags::{Flags, unknown};
use super::range::{LabelScale, Ranges, Span};
use super::rows::Rows;

const USAGE: &str = "\
Usage: mercer svm-scale [options] data_file

Brings every feature to the same range and prints the scaled rows. Features that never vary
are left out. Save the ranges of the training data, restore them for the test data.

  -l LOWER        lower limit of the features (-1)
  -u UPPER        upper limit of the features (1)
  -y LOWER UPPER  scale the labels too, to these limits
  -s FILE         save the ranges
  -r FILE         restore ranges instead of finding them
";

/// Bytes of text gathered before they are printed.
const BLOCK: usize = 1 << 16;

/// Runs the command with LIBSVM's arguments.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    command::run(USAGE, args, work)
}

struct ScaleSettings {
    to: Span,
    labels: Option<Span>,
    save: Option<PathBuf>,
    restore: Option<PathBuf>,
    data: PathBuf,
}

impl ScaleSettings {
    fn parse(mut flags: Flags) -> Result<Self> {
        let mut found = Self {
            to: Span {
                low: -1.0,
                high: 1.0,
            },
            labels: None,
            save: None,
            restore: None,
            data: PathBuf::new(),
        };
        while let Some(flag) = flags.next_flag() {
            match flag.as_str() {
                "-l" => found.to.low = flags.number(&flag)?,
                "-u" => found.to.high = flags.number(&flag)?,
                "-y" => {
                    found.labels = Some(Span {
                        low: flags.number(&flag)?,
                        high: flags.number(&flag)?,
                    });
                }
                "-s" => found.save = Some(flags.word(&flag)?.into()),
                "-r" => found.restore = Some(flags.word(&flag)?.into()),
                _ => return Err(unknown(&flag)),
            }
        }
        found.data = flags
            .files(&["data file"], 1)?
            .into_iter()
            .next()
            .unwrap_or_default();
        for (span, flags) in [(Some(found.to), "`-l` and `-u`"), (found.labels, "`-y`")] {
            if let Some(span) = span.filter(|s| s.low >= s.high) {
                let message = format!("the limits of {flags} are {} and {}", span.low, span.high);
                return Err(Failure::usage(
                    message,
                    "the lower limit must be below the upper one",
                ));
            }
        }
        if found.save.is_some() && found.restore.is_some() {
            return Err(Failure::usage(
                "`-s` and `-r` exclude each other",
                "save the ranges of the training data first, then restore them",
            ));
        }
        Ok(found)
    }
}

fn work(flags: Flags, session: &Session) -> Result<()> {
    let settings = ScaleSettings::parse(flags)?;
    Files::default()
        .read("the data", [settings.data.as_path()])
        .write(settings.save.as_deref())
        .check()?;
    let restored = settings
        .restore
        .as_deref()
        .map(|path| Ranges::read(path, session))
        .transpose()?;
    let rows = Rows::read(&settings.data, session)?;
    let ranges = match (restored, &settings.restore) {
        (Some(ranges), Some(path)) => {
            tell_unknown(&rows, &ranges, path);
            ranges
        }
        _ => find(&rows, &settings),
    };
    if let Some(path) = &settings.save {
        session.write(path, ranges.to_text().as_bytes())?;
    }
    session.meter.finish();
    print(&rows, &ranges, session)
}

/// Finds the range of every feature; absent values are zeros.
fn find(rows: &Rows, settings: &ScaleSettings) -> Ranges {
    let mut spans: BTreeMap<u32, (Span, usize)> = BTreeMap::new();
    for row in 0..rows.x.rows() {
        let (indices, values) = rows.x.row(row);
        for (&index, &value) in indices.iter().zip(values) {
            let (span, seen) = spans.entry(index).or_insert((Span::EMPTY, 0));
            span.include(value);
            *seen += 1;
        }
    }
    let features = spans.into_iter().filter_map(|(index, (mut span, seen))| {
        if seen < rows.x.rows() {
            span.include(0.0);
        }
        (span.low < span.high).then_some((index, span))
    });
    Ranges {
        labels: settings.labels.map(|to| {
            let mut from = Span::EMPTY;
            rows.labels.iter().for_each(|label| from.include(*label));
            LabelScale { to, from }
        }),
        to: settings.to,
        features: features.collect(),
    }
}

/// Warns of features that the range file does not know.
fn tell_unknown(rows: &Rows, ranges: &Ranges, path: &Path) {
    let seen: BTreeSet<u32> = rows.x.indices().iter().copied().collect();
    for index in seen.iter().filter(|i| !ranges.features.contains_key(i)) {
        warn(&format!(
            "warning: feature {index} of {} is not in {}; it is left out",
            rows.file,
            path.display()
        ));
    }
}

fn print(rows: &Rows, ranges: &Ranges, session: &Session) -> Result<()> {
    let to = ranges.to;
    let scale = |span: Span, value: f64| {
        // A range file may hold a feature that never varies: it says nothing.
        if span.low == span.high {
            0.0
        } else {
            span.map(value, to)
        }
    };
    // Features whose zeros do not stay zeros appear in every row.
    let moved: Vec<(u32, f64)> = ranges
        .features
        .iter()
        .map(|(index, span)| (*index, scale(*span, 0.0)))
        .filter(|(_, value)| *value != 0.0)
        .collect();
    let mut text = String::new();
    let (mut before, mut after) = (0_usize, 0_usize);
    for row in 0..rows.x.rows() {
        let label = rows.labels[row];
        let label = ranges.labels.map_or(label, |l| l.from.map(label, l.to));
        text.push_str(&format_g17(label));
        text.push(' ');
        let (indices, values) = rows.x.row(row);
        before += values.len();
        let mut pending = moved.iter().peekable();
        let mut put = |index: u32, value: f64| {
            if value != 0.0 {
                after += 1;
                let _ = write!(text, "{index}:{} ", format_g17(value));
            }
        };
        for (&index, &value) in indices.iter().zip(values) {
            while let Some((i, v)) = pending.next_if(|(i, _)| *i < index) {
                put(*i, *v);
            }
            pending.next_if(|(i, _)| *i == index);
            if let Some(span) = ranges.features.get(&index) {
                put(index, scale(*span, value));
            }
        }
        pending.for_each(|(i, v)| put(*i, *v));
        text.push('\n');
        if text.len() >= BLOCK {
            session.check()?;
            session.output.text(&text)?;
            text.clear();
        }
    }
    session.output.text(&text)?;
    if after > before {
        warn(&format!(
            "warning: {before} values other than zero became {after}; for sparse data that is not negative, `-l 0` keeps zeros"
        ));
    }
    Ok(())
}
