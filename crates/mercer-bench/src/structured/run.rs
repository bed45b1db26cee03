//! A run: measure what was asked for, keep the rest, write.

use super::page;
use super::peers::{self, Heard};
use super::quiet;
use super::record::Account;
use super::sets::Sets;
use super::{timing, trials};
use crate::args::StructuredOptions;
use crate::error::{Error, Result};
use crate::machine::{self, Machine};
use crate::{paths, report};

/// Measures, and writes the account after every measurement.
pub(crate) fn run(options: &StructuredOptions) -> Result<()> {
    let names = choose(&options.only)?;
    let out = paths::root().join(&options.out);
    std::fs::create_dir_all(&out).map_err(|source| Error::File {
        path: out.clone(),
        source,
    })?;
    let file = out.join("structured.json");
    let mut account = Account::read(&file)?.unwrap_or_else(Account::new);
    account.machine = Machine::here();
    account.revision = machine::revision();
    let sets = Sets::new(&paths::root().join(&options.data));
    let heard = if options.peers {
        let heard = peers::listen(options);
        account.missing.clone_from(&heard.missing);
        heard
    } else {
        Heard::default()
    };
    for name in names {
        println!("{name}");
        if let Some(timing) = timing::measure(name, &sets, options, &heard)? {
            println!("  {:.4} s", timing.rounds.best());
            account.take_timing(timing);
        } else if let Some(trial) = trials::measure(name, &sets)? {
            println!("  {:.2} %", 100.0 * trial.accuracy().share);
            account.take_trial(trial);
        }
        account.date = quiet::now();
        account.sort(&timing::names(), &trials::names());
        let json = serde_json::to_string_pretty(&account).map_err(|source| Error::Json {
            place: "structured.json".to_owned(),
            source,
        })?;
        report::save(&file, &(json + "\n"))?;
        report::save(&out.join("structured.md"), &page::page(&account))?;
    }
    println!("written: {}", out.display());
    Ok(())
}

/// The measurements that names stand for.
fn choose(only: &[String]) -> Result<Vec<&'static str>> {
    let (timings, trials) = (timing::names(), trials::names());
    let all: Vec<&'static str> = timings.iter().chain(&trials).copied().collect();
    if only.is_empty() {
        return Ok(all);
    }
    let mut chosen: Vec<&'static str> = Vec::new();
    for name in only {
        match name.as_str() {
            "timings" => chosen.extend(&timings),
            "accuracy" => chosen.extend(&trials),
            _ => match all.iter().find(|known| *known == name) {
                Some(known) => chosen.push(*known),
                None => {
                    return Err(Error::Unknown {
                        name: name.clone(),
                        kind: "measurement",
                        known: format!("timings, accuracy, {}", all.join(", ")),
                    });
                }
            },
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_known_by_name() {
        let all = choose(&[]).unwrap().len();
        let groups = ["timings", "accuracy"].map(str::to_owned);
        assert_eq!(choose(&groups).unwrap().len(), all);
        assert_eq!(choose(&["mutag".to_owned()]).unwrap(), ["mutag"]);
        assert!(choose(&["mutagen".to_owned()]).is_err());
    }
}
