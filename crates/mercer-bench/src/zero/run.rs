//! A run: install, let the script measure what is missing, merge, write.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use mercer_plot::Figure;

use super::record::{self, Account, PROGRAMS, Record};
use super::{page, picture};
use crate::args::ZeroOptions;
use crate::error::{Error, Result};
use crate::machine::{self, Machine};
use crate::{environment, paths, report};

/// Measures mercer, and peers where they lack splits; then writes the account.
pub(crate) fn run(options: &ZeroOptions) -> Result<()> {
    let out = paths::root().join(&options.out);
    let file = out.join("zero-settings.json");
    let programs = choose(&options.programs)?;
    let mut records = Account::read(&file)?.unwrap_or_else(nothing);
    if !options.merge {
        if !options.skip_install {
            environment::install(&[])?;
        }
        for &who in &programs {
            let lines = lines_of(who);
            if who == "mercer" && !options.resume {
                forget(&mut records, &options.sets, &lines)?;
            }
            remember(&records, who, &lines)?;
            measure(who, options, &lines)?;
        }
        records.machine = Machine::here();
        if programs.contains(&"mercer") {
            records.date = jiff::Timestamp::now()
                .strftime("%Y-%m-%d %H:%M UTC")
                .to_string();
            records.revision = machine::revision();
        }
    }
    for who in PROGRAMS {
        records.merge(record::read_lines(&lines_of(who))?);
    }
    std::fs::create_dir_all(&out).map_err(|source| Error::File {
        path: out.clone(),
        source,
    })?;
    report::save(&file, &records.text())?;
    report::save(&out.join("zero-settings.md"), &page::page(&records))?;
    let picture = picture::picture(&records.of(false));
    report::save(&out.join("calibration.svg"), &picture.to_svg())?;
    println!("written: {}", out.display());
    Ok(())
}

fn nothing() -> Account {
    Account {
        machine: Machine::here(),
        date: "never".to_owned(),
        revision: "none".to_owned(),
        records: Vec::new(),
    }
}

fn choose(names: &[String]) -> Result<Vec<&'static str>> {
    if names.is_empty() {
        return Ok(PROGRAMS.to_vec());
    }
    let find = |name: &String| {
        let known = PROGRAMS.iter().find(|known| *known == name);
        known.copied().ok_or_else(|| Error::Unknown {
            name: name.clone(),
            kind: "program",
            known: PROGRAMS.join(", "),
        })
    };
    names.iter().map(find).collect()
}

/// The file the script appends to.
fn lines_of(who: &str) -> PathBuf {
    paths::target("zero-settings").join(format!("{who}.jsonl"))
}

/// Drops mercer's earlier splits of the chosen sets: another mercer is measured now.
fn forget(records: &mut Account, sets: &[String], lines: &Path) -> Result<()> {
    let stays = |record: &Record| {
        record.who != "mercer" || (!sets.is_empty() && !sets.contains(&record.set))
    };
    records.records.retain(stays);
    let mut kept = record::read_lines(lines)?;
    kept.retain(stays);
    if lines.exists() {
        report::save(lines, "")?;
    }
    append(&kept.iter().collect::<Vec<_>>(), lines)
}

/// Tells the script of splits that only the account knows, so that it skips them.
fn remember(records: &Account, who: &str, lines: &Path) -> Result<()> {
    let known = record::read_lines(lines)?;
    let lacking: Vec<&Record> = records
        .records
        .iter()
        .filter(|record| record.who == who && record.error.is_none())
        .filter(|record| known.iter().all(|other| other.key() != record.key()))
        .collect();
    append(&lacking, lines)
}

/// Appends lines; a script that is at work on the same file keeps its own.
fn append(records: &[&Record], lines: &Path) -> Result<()> {
    if records.is_empty() {
        return Ok(());
    }
    let failed = |source| Error::File {
        path: lines.to_owned(),
        source,
    };
    if let Some(folder) = lines.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut text = String::new();
    for record in records {
        text.push_str(&serde_json::to_string(record).expect("plain fields are JSON"));
        text.push('\n');
    }
    std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(lines)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(failed)
}

/// Lets the script measure; it tells of every split as it goes.
fn measure(who: &str, options: &ZeroOptions, lines: &Path) -> Result<()> {
    let failed = |reason: String| Error::Command {
        command: format!("zero_settings.py --who {who}"),
        reason,
    };
    let mut command = Command::new(paths::python());
    command
        .arg(paths::script("zero_settings.py"))
        .args(["--who", who, "--splits", &options.splits.to_string()])
        .arg("--data")
        .arg(paths::root().join(&options.data))
        .arg("--out")
        .arg(lines);
    if !options.sets.is_empty() {
        command.args(["--sets", &options.sets.join(",")]);
    }
    let status = command
        .status()
        .map_err(|error| failed(error.to_string()))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(status.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::example;
    use super::*;

    #[test]
    fn programs_are_known_by_name() {
        assert_eq!(choose(&[]).unwrap(), PROGRAMS);
        assert_eq!(choose(&["gpr".to_owned()]).unwrap(), ["gpr"]);
        let error = choose(&["gp".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("`gp` is no program"), "{error}");
    }

    #[test]
    fn the_script_is_told_what_is_known() {
        let folder = std::env::temp_dir().join(format!("mercer-zero-{}", std::process::id()));
        let lines = folder.join("lines.jsonl");
        let mut records = example();
        for _ in 0..2 {
            remember(&records, "mercer", &lines).unwrap();
            assert_eq!(record::read_lines(&lines).unwrap().len(), 6);
        }
        forget(&mut records, &["sonar".to_owned()], &lines).unwrap();
        let kept = record::read_lines(&lines).unwrap();
        assert!(kept.len() == 3 && kept.iter().all(|record| record.set == "yacht"));
        assert!(records.done("sonar", "mercer").next().is_none());
        assert_eq!(records.done("sonar", "grid_svc").count(), 2);
        forget(&mut records, &[], &lines).unwrap();
        assert!(record::read_lines(&lines).unwrap().is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
