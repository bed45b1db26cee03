//! The worker's loop: a request per line on standard input, a result per line on standard output.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use crate::{Job, Set, npy};

/// Support vectors and coefficients; a positive decision speaks for class 0.
pub struct Answers {
    /// Training rows of the support vectors.
    pub rows: Vec<usize>,
    /// Their signed coefficients.
    pub coefficients: Vec<f64>,
    /// The constant of the decision.
    pub intercept: f64,
}

/// A library under comparison.
pub trait Peer: Sized {
    /// Takes the rows; conversions here are not timed.
    fn load(job: &Job, set: &Set) -> Result<Self, String>;
    /// Fits a model and keeps it.
    fn fit(&mut self) -> Result<(), String>;
    /// Results for all test rows: class codes, numbers, or 1 and -1.
    fn predict(&self) -> Result<Vec<f64>, String>;
    /// Results for one test row.
    fn predict_one(&self, row: usize) -> Result<f64, String>;
    /// Takes the model apart.
    fn answers(&self) -> Result<Answers, String>;
}

/// As in the Python worker: short work is repeated for this long.
const LONG_ENOUGH: f64 = 0.2;
const MOST_REPETITIONS: usize = 200;

/// Serves requests until told to quit.
pub fn serve<P: Peer>() -> Result<(), String> {
    let text = std::env::args().nth(1).ok_or("usage: worker JOB")?;
    let job: Job = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let set = job.load()?;
    let mut peer = P::load(&job, &set)?;
    let base = memory("VmRSS:");
    say(&json!({"ready": true}));
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let request: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        if request["do"] == "quit" {
            break;
        }
        let mut answer = match answer(&mut peer, &job, &request) {
            Ok(answer) => answer,
            Err(error) => json!({"error": error}),
        };
        answer["peak"] = json!(memory("VmHWM:"));
        answer["base"] = json!(base);
        say(&answer);
    }
    Ok(())
}

fn answer<P: Peer>(peer: &mut P, job: &Job, request: &Value) -> Result<Value, String> {
    match request["do"].as_str().unwrap_or_default() {
        "fit" => timed(|| peer.fit()),
        "predict" => timed(|| peer.predict().map(drop)),
        "latency" => {
            let count = request["count"].as_u64().unwrap_or(1000) as usize;
            let mut seconds = Vec::with_capacity(count);
            for row in 0..count {
                let start = Instant::now();
                std::hint::black_box(peer.predict_one(row)?);
                seconds.push(start.elapsed().as_secs_f64());
            }
            Ok(json!({"seconds": median(seconds), "repetitions": count}))
        }
        "answers" => {
            let folder = request["to"].as_str().ok_or("no folder given")?;
            save(peer, job, Path::new(folder))?;
            Ok(json!({"saved": true}))
        }
        other => Err(format!("`{other}` is nothing this worker does")),
    }
}

fn timed(mut work: impl FnMut() -> Result<(), String>) -> Result<Value, String> {
    let mut seconds: Vec<f64> = Vec::new();
    while seconds.len() < MOST_REPETITIONS {
        let start = Instant::now();
        work()?;
        seconds.push(start.elapsed().as_secs_f64());
        if seconds.iter().sum::<f64>() >= LONG_ENOUGH {
            break;
        }
    }
    let repetitions = seconds.len();
    Ok(json!({"seconds": median(seconds), "repetitions": repetitions}))
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    let n = seconds.len();
    f64::midpoint(seconds[(n - 1) / 2], seconds[n / 2])
}

fn save<P: Peer>(peer: &P, job: &Job, folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let answers = peer.answers()?;
    let rows: Vec<i64> = answers.rows.iter().map(|&row| row as i64).collect();
    let classes: &[f64] = match job.task {
        crate::Task::Classify | crate::Task::Latency => &[0.0, 1.0],
        _ => &[],
    };
    let predictions = peer.predict()?;
    npy::write_i64(&folder.join("rows.npy"), &rows)?;
    let shape = [1, rows.len()];
    npy::write_f64(
        &folder.join("coefficients.npy"),
        &shape,
        &answers.coefficients,
    )?;
    npy::write_f64(&folder.join("intercepts.npy"), &[1], &[answers.intercept])?;
    npy::write_f64(&folder.join("classes.npy"), &[classes.len()], classes)?;
    npy::write_f64(
        &folder.join("predictions.npy"),
        &[predictions.len()],
        &predictions,
    )
}

fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    number
        .and_then(|number| number.parse::<u64>().ok())
        .unwrap_or(0)
        * 1024
}

fn say(value: &Value) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{value}")
        .and_then(|()| out.flush())
        .expect("the caller reads until the end");
}
