//! The programs under comparison.

use crate::case::Task;
use crate::error::{Error, Result};

/// How a program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runner {
    /// `python/worker.py` with the packages given to pip.
    Python {
        /// Packages to install; none for mercer, whose wheel is built from this tree.
        packages: &'static [&'static str],
    },
    /// A program of `rust-peers`.
    Rust {
        /// The binary.
        binary: &'static str,
        /// The library's name in the lock file.
        library: &'static str,
    },
}

/// A program under comparison.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    /// Name on the command line and in the results.
    pub(crate) name: &'static str,
    /// Name in tables and pictures.
    pub(crate) label: &'static str,
    /// How it is run.
    pub(crate) runner: Runner,
    /// Whether one can choose its number of threads.
    pub(crate) threads: bool,
}

/// mercer first; it is the measure of all ratios.
pub(crate) const PEERS: [Peer; 7] = [
    Peer {
        name: "mercer",
        label: "mercer",
        runner: Runner::Python { packages: &[] },
        threads: true,
    },
    Peer {
        name: "libsvm",
        label: "LIBSVM",
        runner: Runner::Python {
            packages: &["libsvm-official"],
        },
        threads: false,
    },
    Peer {
        name: "scikit-learn",
        label: "scikit-learn",
        runner: Runner::Python {
            packages: &["scikit-learn"],
        },
        threads: false,
    },
    Peer {
        name: "intelex",
        label: "oneDAL",
        runner: Runner::Python {
            packages: &["scikit-learn-intelex"],
        },
        threads: true,
    },
    Peer {
        name: "thundersvm",
        label: "ThunderSVM",
        runner: Runner::Python {
            packages: &["thundersvm"],
        },
        threads: true,
    },
    Peer {
        name: "linfa",
        label: "linfa-svm",
        runner: Runner::Rust {
            binary: "linfa-worker",
            library: "linfa-svm",
        },
        threads: false,
    },
    Peer {
        name: "smartcore",
        label: "smartcore",
        runner: Runner::Rust {
            binary: "smartcore-worker",
            library: "smartcore",
        },
        threads: false,
    },
];

impl Peer {
    /// Whether the program is mercer itself.
    pub(crate) fn is_mercer(&self) -> bool {
        self.name == "mercer"
    }

    /// Whether the number of threads can be chosen for this task: a grid search of
    /// scikit-learn runs as many processes as it is told.
    pub(crate) fn obeys_threads(&self, task: Task) -> bool {
        self.threads || task == Task::Tune
    }

    /// What Rust peers can do; Python peers tell it themselves.
    pub(crate) fn rust_tasks(&self) -> &'static [&'static str] {
        match self.name {
            "linfa" => &["classify", "regress", "novelty", "latency"],
            _ => &["classify", "regress", "latency"],
        }
    }
}

/// The label of a peer in tables.
pub(crate) fn label(name: &str) -> &str {
    PEERS
        .iter()
        .find(|peer| peer.name == name)
        .map_or(name, |peer| peer.label)
}

/// mercer and the named peers, or all peers for no names.
pub(crate) fn choose(names: &[String]) -> Result<Vec<Peer>> {
    for name in names {
        if !PEERS.iter().any(|peer| peer.name == name) {
            let known: Vec<&str> = PEERS.iter().map(|peer| peer.name).collect();
            return Err(Error::Unknown {
                name: name.clone(),
                kind: "peer",
                known: known.join(", "),
            });
        }
    }
    Ok(PEERS
        .into_iter()
        .filter(|peer| {
            names.is_empty() || peer.is_mercer() || names.iter().any(|name| name == peer.name)
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mercer_is_always_there() {
        let chosen = choose(&["linfa".to_owned()]).unwrap();
        let names: Vec<&str> = chosen.iter().map(|peer| peer.name).collect();
        assert_eq!(names, ["mercer", "linfa"]);
        assert!(choose(&["svmlight".to_owned()]).is_err());
    }
}
