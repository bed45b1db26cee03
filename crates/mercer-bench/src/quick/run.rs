//! A comparison: choose, race, tell.

use std::path::{Path, PathBuf};

use super::Both;
use super::case::{Case, Places};
use super::cases;
use super::contention::Contention;
use super::page;
use super::race::{Entry, Race};
use super::record::{CaseResult, Record};
use super::scratch::Scratch;
use super::stage::Processes;
use super::verdict::{Limits, Verdict};
use crate::args::QuickOptions;
use crate::error::{Error, Result};
use crate::{paths, report};

/// Compares two programs; whether the new one is fast enough.
pub(crate) fn run(options: &QuickOptions) -> Result<bool> {
    let start = std::time::Instant::now();
    let chosen = cases::choose(&options.cases)?;
    let programs = Both {
        old: program(options.old.as_deref())?,
        new: program(options.new.as_deref())?,
    };
    if let (Ok(old), Ok(new)) = (std::fs::read(&programs.old), std::fs::read(&programs.new))
        && old == new
    {
        println!("both programs have the same bytes: every difference in time is noise");
    }
    let scratch = Scratch::try_new()?;
    let places = Places {
        data: paths::root().join(&options.data),
        sets: paths::root().join("tests/data/sets"),
        scratch: scratch.path().to_owned(),
    };
    let names = Both {
        old: programs.old.display().to_string(),
        new: programs.new.display().to_string(),
    };
    let limits = Limits {
        mean: options.mean,
        worst: options.worst,
    };
    let seconds = options.seconds - start.elapsed().as_secs_f64();
    let contention = Contention::begin();
    let cases = race(&chosen, programs, &places, seconds, limits.worst);
    let record = Record {
        date: jiff::Timestamp::now()
            .strftime("%Y-%m-%d %H:%M UTC")
            .to_string(),
        programs: names,
        contention: contention.share(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        seconds: start.elapsed().as_secs_f64(),
        limits,
        verdict: Verdict::of(&cases, limits),
        cases,
    };
    print!("{}", page::page(&record));
    if let Some(file) = &options.json {
        let json = serde_json::to_string_pretty(&record).map_err(|source| Error::Json {
            place: file.display().to_string(),
            source,
        })?;
        report::save(file, &(json + "\n"))?;
    }
    match record.verdict {
        Some(verdict) => Ok(verdict.fast_enough),
        None => Err(Error::Command {
            command: "quick".to_owned(),
            reason: "no case could be measured".to_owned(),
        }),
    }
}

/// Races what there are data for, and returns all cases in their order.
fn race(
    chosen: &[Case],
    programs: Both<PathBuf>,
    places: &Places,
    seconds: f64,
    worst: f64,
) -> Vec<CaseResult> {
    let able: Vec<Case> = chosen
        .iter()
        .filter(|case| case.missing(places).is_none())
        .copied()
        .collect();
    println!(
        "{} of {} cases, at most {seconds:.0} s",
        able.len(),
        chosen.len()
    );
    let mut stage = Processes::new(programs, places.clone(), able.clone());
    let mut race = Race {
        stage: &mut stage,
        entries: vec![Entry::default(); able.len()],
        seconds,
        worst,
    };
    race.run();
    let mut done = race.entries.into_iter().zip(&stage.heard).zip(&able);
    chosen
        .iter()
        .filter_map(|case| {
            if let Some(file) = case.missing(places) {
                let reason = format!("there is no `{}`", file.display());
                return Some(CaseResult::left_out(case, reason));
            }
            let ((entry, heard), case) = done.next()?;
            Some(CaseResult::of(case, entry, heard))
        })
        .collect()
}

/// The whole path of a program, which works in every folder.
fn program(given: Option<&Path>) -> Result<PathBuf> {
    let path = given.map_or_else(|| paths::target("release/mercer"), Path::to_owned);
    path.canonicalize()
        .map_err(|source| Error::File { path, source })
}
