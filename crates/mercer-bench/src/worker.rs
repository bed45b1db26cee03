//! A process that holds one program with its data and does what it is told.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::record::Outcome;

/// How often a working process is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// What a worker answers to a request.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Reply {
    /// Seconds, the median of the repetitions.
    pub(crate) seconds: f64,
    /// Processors kept busy.
    pub(crate) busy: Option<f64>,
    /// Largest resident memory so far.
    pub(crate) peak: u64,
    /// Resident memory before the first fit.
    pub(crate) base: u64,
    /// A remark.
    pub(crate) note: Option<String>,
    /// An error, in the program's words.
    pub(crate) error: Option<String>,
    /// The score of the best parameters.
    pub(crate) score: Option<f64>,
    /// The best parameters.
    pub(crate) parameters: std::collections::BTreeMap<String, f64>,
}

/// What a program may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Seconds for one request.
    pub(crate) seconds: f64,
    /// Bytes of resident memory.
    pub(crate) bytes: u64,
}

/// A running process.
pub(crate) struct Worker {
    child: Child,
    requests: ChildStdin,
    replies: Receiver<String>,
}

impl Worker {
    /// Starts a process and waits until its data are loaded.
    pub(crate) fn start(mut command: Command, limits: Limits) -> Result<Self, Outcome> {
        let failed = |error: std::io::Error| Outcome::Failed(error.to_string());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (Some(requests), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Outcome::Failed("no pipes".to_owned()));
        };
        let (sender, replies) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut worker = Self {
            child,
            requests,
            replies,
        };
        worker.wait(limits).map(|_| worker)
    }

    /// Asks for something and waits for the result.
    pub(crate) fn ask(&mut self, request: &Value, limits: Limits) -> Result<Reply, Outcome> {
        if let Err(error) = writeln!(self.requests, "{request}") {
            return Err(Outcome::Failed(format!("the process is gone: {error}")));
        }
        let line = self.wait(limits)?;
        let reply: Reply = serde_json::from_str(&line)
            .map_err(|error| Outcome::Failed(format!("{error} in `{line}`")))?;
        match reply.error {
            Some(error) => Err(Outcome::Failed(error)),
            None => Ok(reply),
        }
    }

    fn wait(&mut self, limits: Limits) -> Result<String, Outcome> {
        let start = Instant::now();
        loop {
            match self.replies.recv_timeout(LOOK) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Outcome::Failed("the process ended".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let held = resident(self.child.id());
                    if start.elapsed().as_secs_f64() > limits.seconds {
                        self.end();
                        return Err(Outcome::TimeLimit(limits.seconds));
                    }
                    if held > limits.bytes {
                        self.end();
                        return Err(Outcome::MemoryLimit(held));
                    }
                }
            }
        }
    }

    fn end(&mut self) {
        // It may have ended by itself in the meantime; either way it is gone afterwards.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if writeln!(self.requests, "{}", json!({"do": "quit"})).is_ok() {
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(5) {
                if matches!(self.child.try_wait(), Ok(Some(_))) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        self.end();
    }
}

/// Resident memory of a process in bytes; 0 when it cannot be told.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    number
        .and_then(|number| number.parse::<u64>().ok())
        .unwrap_or(0)
        * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        seconds: 10.0,
        bytes: u64::MAX,
    };

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn asks_and_hears() {
        let script = r#"echo '{"ready": true}'; read line; echo '{"seconds": 1.5, "note": null}';
            read line; echo '{"error": "no"}'; read line"#;
        let mut worker = Worker::start(shell(script), LIMITS).ok().unwrap();
        let reply = worker.ask(&json!({"do": "fit"}), LIMITS).unwrap();
        assert_eq!((reply.seconds, reply.note), (1.5, None));
        let error = worker.ask(&json!({"do": "fit"}), LIMITS).unwrap_err();
        assert_eq!(error, Outcome::Failed("no".to_owned()));
    }

    #[test]
    fn slow_and_dead_processes_are_told_apart() {
        let short = Limits {
            seconds: 0.1,
            ..LIMITS
        };
        let slow = Worker::start(shell("exec sleep 60"), short).err().unwrap();
        assert_eq!(slow, Outcome::TimeLimit(0.1));
        let dead = Worker::start(shell("exit 1"), LIMITS).err().unwrap();
        assert_eq!(dead, Outcome::Failed("the process ended".to_owned()));
        let greedy = Limits { bytes: 1, ..LIMITS };
        let stopped = Worker::start(shell("exec sleep 60"), greedy).err().unwrap();
        assert!(matches!(stopped, Outcome::MemoryLimit(_)));
    }
}
