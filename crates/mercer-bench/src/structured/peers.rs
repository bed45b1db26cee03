//! kernlab and GraKeL, by their scripts.

use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use super::quiet;
use crate::args::StructuredOptions;
use crate::environment::succeed;
use crate::error::{Error, Result};
use crate::paths;

/// One matrix of one round of a script.
#[derive(Debug, Clone)]
pub(crate) struct PeerRow {
    /// The program with its version.
    pub(crate) program: String,
    /// The kernel, in the script's words.
    pub(crate) kernel: String,
    /// The set, in the script's words.
    pub(crate) set: String,
    /// Texts or graphs.
    pub(crate) rows: usize,
    /// Seconds by the clock on the wall or of the processor, whichever are fewer.
    pub(crate) seconds: f64,
    /// The sum of the matrix.
    pub(crate) sum: f64,
    /// The load of the machine before the script.
    pub(crate) load: f64,
    /// Cores that other programs kept busy before the script.
    pub(crate) busy: f64,
    /// When.
    pub(crate) date: String,
}

/// What the scripts said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard {
    /// All matrices of all rounds.
    pub(crate) rows: Vec<PeerRow>,
    /// Why a program said nothing.
    pub(crate) missing: Vec<String>,
}

#[derive(Deserialize)]
struct Kernlab {
    kernlab: String,
    times: Vec<StringTime>,
}

#[derive(Deserialize)]
struct StringTime {
    kernel: String,
    set: String,
    strings: usize,
    seconds: f64,
    cpu_seconds: f64,
    sum: f64,
}

#[derive(Deserialize)]
struct Grakel {
    made_by: Versions,
    times: Vec<GraphTime>,
}

#[derive(Deserialize)]
struct Versions {
    grakel: String,
}

#[derive(Deserialize)]
struct GraphTime {
    kernel: String,
    set: String,
    graphs: usize,
    seconds: Parts,
    sum: f64,
}

#[derive(Deserialize)]
struct Parts {
    kernel: f64,
    kernel_cpu: f64,
}

/// Lets both programs work, round by round.
pub(crate) fn listen(options: &StructuredOptions) -> Heard {
    let mut heard = Heard::default();
    for (program, ask) in [
        ("kernlab", kernlab as fn(&StructuredOptions) -> Result<_>),
        ("GraKeL", grakel),
    ] {
        for round in 1..=options.rounds.max(1) {
            println!("{program}, round {round}");
            let busy = quiet::wait(options.patience);
            let (load, date) = (quiet::load(), quiet::now());
            match ask(options) {
                Ok(rows) => heard
                    .rows
                    .extend(rows.into_iter().map(|row: PeerRow| PeerRow {
                        load,
                        busy,
                        date: date.clone(),
                        ..row
                    })),
                Err(error) => {
                    println!("{program}: {error}");
                    heard.missing.push(format!("{program}: {error}"));
                    break;
                }
            }
        }
    }
    heard
}

fn script(options: &StructuredOptions, program: PathBuf, name: &str) -> Command {
    let mut command = Command::new(program);
    command
        .arg(paths::script(&format!("structured/{name}")))
        .env("MERCER_DATA", paths::root().join(&options.data));
    command
}

fn kernlab(options: &StructuredOptions) -> Result<Vec<PeerRow>> {
    let mut command = script(options, options.rscript.clone(), "string_speed.R");
    command.args(["500", &options.gap_texts.to_string()]);
    let text = succeed(&mut command)?;
    let said: Kernlab = serde_json::from_str(&text).map_err(|source| Error::Json {
        place: "string_speed.R".to_owned(),
        source,
    })?;
    let row = |time: StringTime| PeerRow {
        program: format!("kernlab {}", said.kernlab),
        kernel: time.kernel,
        set: time.set,
        rows: time.strings,
        seconds: time.seconds.min(time.cpu_seconds),
        sum: time.sum,
        load: f64::NAN,
        busy: f64::NAN,
        date: String::new(),
    };
    Ok(said.times.into_iter().map(row).collect())
}

fn grakel(options: &StructuredOptions) -> Result<Vec<PeerRow>> {
    let python = options.grakel_python.clone().unwrap_or_else(paths::python);
    let text = succeed(&mut script(options, python, "graph_speed.py"))?;
    let said: Grakel = serde_json::from_str(&text).map_err(|source| Error::Json {
        place: "graph_speed.py".to_owned(),
        source,
    })?;
    let row = |time: GraphTime| PeerRow {
        program: format!("GraKeL {}", said.made_by.grakel),
        kernel: time.kernel,
        set: time.set,
        rows: time.graphs,
        seconds: time.seconds.kernel.min(time.seconds.kernel_cpu),
        sum: time.sum,
        load: f64::NAN,
        busy: f64::NAN,
        date: String::new(),
    };
    Ok(said.times.into_iter().map(row).collect())
}
