//! Writes the model files that later versions must still read.
//!
//! Run from the root of the repository, and check the result in:
//!
//! ```text
//! cargo run -p mercer-io --example write_model_fixtures -- tests/data/models/v1
//! ```
//!
//! Every model comes with a JSON file of rows and the answers to them. What is there already
//! stays as it is: released files never change. Where answers change and are meant to, remove
//! their JSON file, run again, and say so in `CHANGELOG.md` (`tests/data/README.md` has the rule).
//! Names after the folder choose cases.

#[path = "../../tests/io/model_compat/ask.rs"]
mod ask;
mod case;
mod cases;
mod sets;
mod stream;

use std::path::{Path, PathBuf};

use mercer::fit::FitContext;
use mercer_io::model::{load, save};
use mercer_io::{Error, Result};
use serde_json::{Map, Value, json};

use self::case::Case;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_owned()));
    let wanted: Vec<String> = arguments.collect();
    let cases = cases::all()?;
    if let Some(unknown) = wanted.iter().find(|w| cases.iter().all(|c| c.name != **w)) {
        return Err(Error::from(mercer::Error::Unknown {
            kind: "case",
            name: unknown.clone(),
            known: cases.iter().map(|c| c.name.to_owned()).collect(),
        }));
    }
    let is_wanted = |case: &&Case| wanted.is_empty() || wanted.iter().any(|w| w == case.name);
    for case in cases.iter().filter(is_wanted) {
        write(case, &folder)?;
    }
    Ok(())
}

/// Writes what is not there of a pair. A model without answers is asked, not learnt again.
fn write(case: &Case, folder: &Path) -> Result<()> {
    let file = |ending: &str| folder.join(format!("{}.{ending}", case.name));
    let (model, answers) = (file("mercer"), file("json"));
    if answers.exists() {
        return Ok(());
    }
    if !model.exists() {
        let mut trained = (case.learn)(&FitContext::default())?;
        // The files must not depend on the speed of the machine.
        trained.report.seconds = 0.0;
        save(&trained, &model)?;
    }
    let record = Value::Object(record(case, &model)?);
    mercer_io::write_atomically(&answers, |writer| {
        let written = writeln!(writer, "{record}");
        written.map_err(|source| Error::Io {
            file: answers.display().to_string(),
            source,
        })
    })
}

/// Asks the model as its file tells it.
fn record(case: &Case, model: &Path) -> Result<Map<String, Value>> {
    let trained = load(model)?;
    let mut record = ask::answers(&trained, &case.asked)?;
    let facts = [
        ("about", json!(case.about)),
        ("machine", ask::machine()),
        ("kernel", json!(trained.kernel_text())),
        ("format", json!(case.asked.format)),
        ("rows", json!(case.asked.rows)),
    ];
    record.extend(facts.map(|(name, value)| (name.to_owned(), value)));
    Ok(record)
}
