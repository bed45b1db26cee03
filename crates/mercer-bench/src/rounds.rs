//! Rounds over all programs of a case, in rotating order.

use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::args::RunOptions;
use crate::case::{Case, Task};
use crate::environment::rust_binary;
use crate::job::Job;
use crate::machine::total_memory;
use crate::numbers::seconds;
use crate::paths;
use crate::peer::{Peer, Runner};
use crate::record::{Outcome, Run, Tuned};
use crate::worker::{Limits, Reply, Worker};

/// Rows predicted one at a time in the latency case.
const SINGLE_ROWS: usize = 2000;

/// A peer this many times slower than mercer need not finish: the ratio is clear.
const CLEARLY_SLOWER: f64 = 50.0;

/// But every peer has this many seconds.
const AT_LEAST: f64 = 60.0;

/// A program in a race, with its process while it lasts.
pub(crate) struct Entrant {
    peer: Peer,
    worker: Option<Worker>,
    pub(crate) run: Run,
    /// Where its result is, once it has been asked for.
    pub(crate) answers: Option<PathBuf>,
}

/// The places in a round: everyone is first once.
pub(crate) fn order(count: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |place| (place + round) % count)
}

/// Starts one process per program and number of threads, mercer first.
pub(crate) fn start(case: &Case, peers: &[Peer], options: &RunOptions) -> Vec<Entrant> {
    let mut entrants = Vec::new();
    for peer in peers {
        let threads: &[usize] = if peer.obeys_threads(case.task) {
            &options.threads
        } else {
            &[1]
        };
        for &threads in threads {
            let mut run = Run::new(peer.name, threads);
            let worker = match Worker::start(command(case, peer, threads), limits(options)) {
                Ok(worker) => Some(worker),
                Err(outcome) => {
                    run.outcome = outcome;
                    None
                }
            };
            entrants.push(Entrant {
                peer: *peer,
                worker,
                run,
                answers: None,
            });
        }
    }
    entrants
}

fn command(case: &Case, peer: &Peer, threads: usize) -> Command {
    let mut command = match peer.runner {
        Runner::Python { .. } => {
            let mut command = Command::new(paths::python());
            command.arg(paths::script("worker.py")).arg(peer.name);
            command
        }
        Runner::Rust { binary, .. } => Command::new(rust_binary(binary)),
    };
    command.arg(Job::new(case, threads).text());
    for variable in [
        "OMP_NUM_THREADS",
        "MKL_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "RAYON_NUM_THREADS",
    ] {
        command.env(variable, threads.to_string());
    }
    command
}

fn limits(options: &RunOptions) -> Limits {
    Limits {
        seconds: options.limit,
        bytes: (options.memory * total_memory() as f64) as u64,
    }
}

/// Lets all programs fit and predict, as often as asked.
pub(crate) fn race(case: &Case, entrants: &mut [Entrant], options: &RunOptions) {
    for round in 0..options.repeats {
        for place in order(entrants.len(), round) {
            let slowest = entrants
                .iter()
                .filter(|entrant| entrant.peer.is_mercer())
                .filter_map(|entrant| entrant.run.fit.first().copied())
                .fold(None, |most: Option<f64>, time| {
                    Some(most.map_or(time, |most| most.max(time)))
                });
            let entrant = &mut entrants[place];
            let long = entrant
                .run
                .fit
                .first()
                .is_some_and(|&time| time > options.once_beyond);
            if round > 0 && long {
                continue;
            }
            let mut allowed = limits(options);
            if let (false, Some(slowest)) = (entrant.peer.is_mercer(), slowest) {
                allowed.seconds = allowed
                    .seconds
                    .min((CLEARLY_SLOWER * slowest).max(AT_LEAST));
            }
            entrant.turn(case.task, allowed);
        }
    }
}

impl Entrant {
    fn ask(&mut self, request: &serde_json::Value, allowed: Limits) -> Option<Reply> {
        let worker = self.worker.as_mut()?;
        match worker.ask(request, allowed) {
            Ok(reply) => {
                let run = &mut self.run;
                run.peak_bytes = run.peak_bytes.max(reply.peak);
                run.base_bytes = reply.base;
                if reply.note.is_some() {
                    run.note.clone_from(&reply.note);
                }
                Some(reply)
            }
            Err(outcome) => {
                self.run.outcome = outcome;
                self.worker = None;
                None
            }
        }
    }

    fn fit(&mut self, what: &str, allowed: Limits) -> Option<Reply> {
        let reply = self.ask(&json!({"do": what}), allowed)?;
        self.run.fit.push(reply.seconds);
        self.run.busy.extend(reply.busy);
        Some(reply)
    }

    fn turn(&mut self, task: Task, allowed: Limits) -> Option<()> {
        match task {
            Task::Tune => {
                let reply = self.fit("tune", allowed)?;
                self.run.tuned = reply.score.map(|score| Tuned {
                    score,
                    parameters: reply.parameters,
                });
            }
            Task::Latency => {
                self.fit("fit", allowed)?;
                let request = json!({"do": "latency", "count": SINGLE_ROWS});
                let reply = self.ask(&request, allowed)?;
                self.run.predict.push(reply.seconds);
            }
            Task::Classify | Task::Regress | Task::Novelty => {
                self.fit("fit", allowed)?;
                let reply = self.ask(&json!({"do": "predict"}), allowed)?;
                self.run.predict.push(reply.seconds);
            }
        }
        Some(())
    }

    /// Asks for the result and lets the process go.
    pub(crate) fn finish(&mut self, case: &Case, allowed: Limits) {
        if case.task != Task::Tune && !self.run.fit.is_empty() {
            let name = format!("{}-{}", self.run.peer, self.run.threads);
            let folder = paths::target("bench-answers").join(&case.name).join(name);
            // Taking the result apart may need memory that the fit did not.
            let peak = self.run.peak_bytes;
            if self
                .ask(&json!({"do": "answers", "to": folder}), allowed)
                .is_some()
            {
                self.answers = Some(folder);
            }
            self.run.peak_bytes = peak;
        }
        self.worker = None;
    }

    /// One line for whoever waits.
    pub(crate) fn line(&self) -> String {
        let run = &self.run;
        let name = format!("{:<13} {} thread(s)", self.peer.label, run.threads);
        match (&run.outcome, run.fit_seconds()) {
            (Outcome::Done, Some(fit)) => {
                let predict = run.predict_seconds().map(seconds).unwrap_or_default();
                format!("{name}  fit {:>9}  predict {predict:>9}", seconds(fit))
            }
            (outcome, _) => format!("{name}  {outcome:?}"),
        }
    }
}

/// Lets every process tell its result and end.
pub(crate) fn finish(case: &Case, entrants: &mut [Entrant], options: &RunOptions) {
    let allowed = limits(options);
    for entrant in entrants {
        entrant.finish(case, allowed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_is_first_once() {
        let places = |round| order(3, round).collect::<Vec<_>>();
        assert_eq!(places(0), [0, 1, 2]);
        assert_eq!(places(1), [1, 2, 0]);
        assert_eq!(places(2), [2, 0, 1]);
        assert_eq!(places(3), places(0));
    }
}
