//! What was measured.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::machine::Machine;

/// How one program spent its rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rounds {
    /// Seconds of every round, by the clock on the wall; processor seconds of a peer's round
    /// where they are fewer, as when other programs took its core away.
    pub(crate) seconds: Vec<f64>,
    /// The load of the machine before the first round.
    pub(crate) load: f64,
    /// Cores that other programs kept busy just before each round.
    pub(crate) busy: Vec<f64>,
    /// When.
    pub(crate) date: String,
}

impl Rounds {
    /// The best round.
    pub(crate) fn best(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// The same matrix by another program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PeerTime {
    /// The program with its version.
    pub(crate) program: String,
    /// Its rounds.
    pub(crate) rounds: Rounds,
    /// The sum of its matrix.
    pub(crate) sum: f64,
    /// What mercer says that sum should be.
    pub(crate) expected: f64,
}

impl PeerTime {
    /// How far the sums lie apart, relative to the larger.
    pub(crate) fn distance(&self) -> f64 {
        (self.sum - self.expected).abs() / self.sum.abs().max(self.expected.abs())
    }
}

/// One matrix, timed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Timing {
    /// Its name on the command line.
    pub(crate) name: String,
    /// The kernel, as mercer writes it.
    pub(crate) kernel: String,
    /// The rows, in words.
    pub(crate) rows: String,
    /// mercer's rounds.
    pub(crate) rounds: Rounds,
    /// Of mercer's best round, seconds before the first value of the matrix.
    pub(crate) bind: f64,
    /// The sum of mercer's matrix.
    pub(crate) sum: f64,
    /// Another program, where there is one.
    #[serde(default)]
    pub(crate) peer: Option<PeerTime>,
}

/// One test part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fold {
    /// The seed of the split.
    pub(crate) seed: u64,
    /// Correct predictions.
    pub(crate) right: usize,
    /// Rows.
    pub(crate) rows: usize,
    /// The C that the training part chose.
    pub(crate) c: f64,
    /// The accuracy inside the training part at that C.
    pub(crate) inner: f64,
}

/// One kernel on all test parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Candidate {
    /// The kernel.
    pub(crate) kernel: String,
    /// Seconds of its matrix over all rows, where one was made.
    pub(crate) matrix_seconds: Option<f64>,
    /// Seconds of tuning, fitting and predicting on all folds.
    pub(crate) fold_seconds: f64,
    /// The test parts.
    pub(crate) folds: Vec<Fold>,
}

/// How the kernels of a trial stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Choice {
    /// Every training part chooses one by its inner accuracy.
    Inner,
    /// The last has to beat all others.
    LastBeats,
}

/// How well a model predicts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trial {
    /// Its name on the command line.
    pub(crate) name: String,
    /// The set, in words.
    pub(crate) set: String,
    /// Rows.
    pub(crate) rows: usize,
    /// The accuracy asked for.
    pub(crate) bar: Option<f64>,
    /// How the kernels stand to each other.
    pub(crate) choice: Choice,
    /// How it was measured, in words.
    pub(crate) protocol: String,
    /// The kernels.
    pub(crate) candidates: Vec<Candidate>,
    /// When.
    pub(crate) date: String,
}

/// Share of correct predictions and its standard error over folds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Accuracy {
    /// Correct predictions over all predictions.
    pub(crate) share: f64,
    /// Standard error of the mean over test parts; NaN of one part.
    pub(crate) error: f64,
}

/// The accuracy over some test parts.
pub(crate) fn accuracy<'a>(folds: impl Iterator<Item = &'a Fold>) -> Accuracy {
    let folds: Vec<&Fold> = folds.collect();
    let right: usize = folds.iter().map(|fold| fold.right).sum();
    let rows: usize = folds.iter().map(|fold| fold.rows).sum();
    let shares = folds
        .iter()
        .map(|fold| fold.right as f64 / fold.rows as f64);
    let count = folds.len() as f64;
    let mean = shares.clone().sum::<f64>() / count;
    let spread: f64 = shares.map(|share| (share - mean).powi(2)).sum();
    Accuracy {
        share: right as f64 / rows as f64,
        error: (spread / (count - 1.0) / count).sqrt(),
    }
}

impl Trial {
    /// The candidate of every test part.
    pub(crate) fn chosen(&self) -> Vec<usize> {
        let parts = self.candidates.first().map_or(0, |c| c.folds.len());
        let last = self.candidates.len().saturating_sub(1);
        let best = |part: usize| {
            let mut best = 0;
            for (k, candidate) in self.candidates.iter().enumerate() {
                if candidate.folds[part].inner > self.candidates[best].folds[part].inner {
                    best = k;
                }
            }
            best
        };
        (0..parts)
            .map(|part| match self.choice {
                Choice::Inner => best(part),
                Choice::LastBeats => last,
            })
            .collect()
    }

    /// The test parts, each with the candidate it has.
    pub(crate) fn chosen_folds(&self) -> Vec<&Fold> {
        let chosen = self.chosen().into_iter().enumerate();
        chosen
            .map(|(part, k)| &self.candidates[k].folds[part])
            .collect()
    }

    /// What counts.
    pub(crate) fn accuracy(&self) -> Accuracy {
        accuracy(self.chosen_folds().into_iter())
    }

    /// Whether the bar is met; with other candidates to beat, whether they are beaten.
    pub(crate) fn met(&self) -> bool {
        let reached = self.accuracy().share;
        let others = self.candidates.iter().rev().skip(1);
        let beaten = self.choice == Choice::Inner
            || others
                .clone()
                .all(|c| accuracy(c.folds.iter()).share < reached);
        beaten && self.bar.is_none_or(|bar| reached >= bar)
    }
}

/// Everything there is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Account {
    /// The machine of the last run.
    pub(crate) machine: Machine,
    /// When something was measured last.
    pub(crate) date: String,
    /// The commit of that mercer.
    pub(crate) revision: String,
    /// Why a peer has no numbers.
    pub(crate) missing: Vec<String>,
    /// Timings.
    pub(crate) timings: Vec<Timing>,
    /// Accuracies.
    pub(crate) trials: Vec<Trial>,
}

impl Account {
    /// An account of nothing.
    pub(crate) fn new() -> Self {
        Self {
            machine: Machine::here(),
            date: "never".to_owned(),
            revision: "none".to_owned(),
            missing: Vec::new(),
            timings: Vec::new(),
            trials: Vec::new(),
        }
    }

    /// Reads the file; none when there is no such file.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                return Err(Error::File {
                    path: path.to_owned(),
                    source,
                });
            }
        };
        let place = path.display().to_string();
        serde_json::from_str(&text)
            .map(Some)
            .map_err(|source| Error::Json { place, source })
    }

    /// Takes a timing in, at the place of an earlier one; without a peer of its own it keeps
    /// the earlier one's, if that computed the same matrix.
    pub(crate) fn take_timing(&mut self, mut timing: Timing) {
        match self.timings.iter_mut().find(|old| old.name == timing.name) {
            Some(old) => {
                let same = old.kernel == timing.kernel && old.rows == timing.rows;
                timing.peer = timing.peer.or_else(|| old.peer.take().filter(|_| same));
                *old = timing;
            }
            None => self.timings.push(timing),
        }
    }

    /// Puts everything into the order of the names.
    pub(crate) fn sort(&mut self, timings: &[&str], trials: &[&str]) {
        let place = |names: &[&str], name: &str| names.iter().position(|known| *known == name);
        self.timings
            .sort_by_key(|timing| place(timings, &timing.name));
        self.trials.sort_by_key(|trial| place(trials, &trial.name));
    }

    /// Takes a trial in, at the place of an earlier one.
    pub(crate) fn take_trial(&mut self, trial: Trial) {
        match self.trials.iter_mut().find(|old| old.name == trial.name) {
            Some(old) => *old = trial,
            None => self.trials.push(trial),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn candidate(kernel: &str, parts: &[(usize, f64)]) -> Candidate {
        let fold = |&(right, inner): &(usize, f64)| Fold {
            seed: 0,
            right,
            rows: 10,
            c: 1.0,
            inner,
        };
        Candidate {
            kernel: kernel.to_owned(),
            matrix_seconds: Some(0.1),
            fold_seconds: 1.0,
            folds: parts.iter().map(fold).collect(),
        }
    }

    pub(crate) fn example() -> Account {
        let rounds = |seconds: f64| Rounds {
            seconds: vec![2.0 * seconds, seconds],
            load: 0.5,
            busy: vec![0.0, 0.1],
            date: "2026-01-02 03:04 UTC".to_owned(),
        };
        Account {
            machine: Machine::example(),
            date: "2026-01-02 03:04 UTC".to_owned(),
            revision: "abc".to_owned(),
            missing: vec!["GraKeL: not there".to_owned()],
            timings: vec![Timing {
                name: "substring_sms".to_owned(),
                kernel: "substring".to_owned(),
                rows: "500 texts".to_owned(),
                rounds: rounds(0.1),
                bind: 0.05,
                sum: 10.0,
                peer: Some(PeerTime {
                    program: "kernlab 1".to_owned(),
                    rounds: rounds(1.0),
                    sum: 9.0,
                    expected: 9.0,
                }),
            }],
            trials: vec![Trial {
                name: "mutag".to_owned(),
                set: "MUTAG".to_owned(),
                rows: 20,
                bar: Some(0.8),
                choice: Choice::Inner,
                protocol: "two folds".to_owned(),
                candidates: vec![
                    candidate("a", &[(9, 0.9), (5, 0.5)]),
                    candidate("b", &[(10, 0.8), (8, 0.6)]),
                ],
                date: "2026-01-02 03:04 UTC".to_owned(),
            }],
        }
    }

    #[test]
    fn training_parts_choose() {
        let trial = &mut example().trials[0];
        assert_eq!(trial.chosen(), [0, 1]);
        assert!((trial.accuracy().share - 0.85).abs() < 1e-12 && trial.met());
        trial.bar = Some(0.86);
        assert!(!trial.met());
        trial.bar = None;
        trial.choice = Choice::LastBeats;
        assert!(trial.met() && trial.chosen() == [1, 1]);
        trial.candidates.reverse();
        assert!(!trial.met());
    }

    #[test]
    fn what_was_measured_earlier_stays() {
        let mut account = example();
        let mut again = account.timings[0].clone();
        again.peer = None;
        account.take_timing(again.clone());
        assert!(account.timings.len() == 1 && account.timings[0].peer.is_some());
        again.kernel = "gap".to_owned();
        account.take_timing(again);
        assert!(account.timings[0].peer.is_none());
        let text = serde_json::to_string(&account).unwrap();
        let back: Account = serde_json::from_str(&text).unwrap();
        assert_eq!(back.timings, account.timings);
        assert_eq!(back.trials, account.trials);
    }
}
