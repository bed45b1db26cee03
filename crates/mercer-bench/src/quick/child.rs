//! One run of a program, with a limit on its time.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Why a run has no time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Trouble {
    /// It was stopped after this many seconds.
    Slow(f64),
    /// It failed, in its own words.
    Failed(String),
    /// The seconds of the whole comparison were over.
    NoTime,
}

impl Trouble {
    /// The trouble in words that follow the name of a program.
    pub(crate) fn text(&self) -> String {
        match self {
            Trouble::Slow(limit) => format!("stopped after {limit:.1} s"),
            Trouble::Failed(reason) => format!("failed: {reason}"),
            Trouble::NoTime => "not measured, the time was over".to_owned(),
        }
    }
}

/// What a run leaves behind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Done {
    /// From before the start of the process to after its end.
    pub(crate) seconds: f64,
    /// What it printed.
    pub(crate) output: Vec<u8>,
}

/// Runs a program to its end, or ends it.
///
/// Nothing polls while the program works, which would take time from it: a thread sleeps until
/// the program's standard output closes.
pub(crate) fn run(mut command: Command, limit: Duration) -> Result<Done, Trouble> {
    let failed = |error: std::io::Error| Trouble::Failed(error.to_string());
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let output = child.stdout.take().map(drain);
    let errors = child.stderr.take().map(drain);
    let heard = output.and_then(|output| output.recv_timeout(limit).ok());
    let Some(status) = end(&mut child, start, limit).map_err(failed)? else {
        return Err(Trouble::Slow(limit.as_secs_f64()));
    };
    let seconds = start.elapsed().as_secs_f64();
    let output = heard.unwrap_or_default();
    if status.success() {
        return Ok(Done { seconds, output });
    }
    // The pipe stays open where the program left processes of its own behind.
    let errors = errors.and_then(|errors| errors.recv_timeout(Duration::from_millis(200)).ok());
    let last = [errors.unwrap_or_default(), output]
        .iter()
        .find_map(|text| last_line(text));
    let reason = last.map_or_else(|| status.to_string(), |line| format!("{status}, {line}"));
    Err(Trouble::Failed(reason))
}

/// Reads a pipe to its end, on a thread that nobody waits for: a pipe may outlive the program.
fn drain(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = pipe.read_to_end(&mut text);
        let _ = sender.send(text);
    });
    receiver
}

/// Waits for the end of a process, at most until the limit, and kills it then. A process that
/// closed its output is all but gone, so the first milliseconds are watched closely.
fn end(child: &mut Child, start: Instant, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let closed = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            // It may have ended by itself in the meantime; either way it is gone afterwards.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        if closed.elapsed() < Duration::from_millis(2) {
            std::thread::yield_now();
        } else {
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

fn last_line(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(line.trim().chars().take(200).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    const LONG: Duration = Duration::from_secs(10);

    #[test]
    fn a_sleeping_program_is_stopped() {
        let start = Instant::now();
        let limit = Duration::from_millis(150);
        // The second one closes its output and sleeps on; the third leaves a process behind
        // that holds the pipe open.
        for script in ["sleep 10", "exec >&- 2>&-; sleep 10", "sleep 10; echo late"] {
            let trouble = run(shell(script), limit).unwrap_err();
            assert_eq!(trouble, Trouble::Slow(0.15), "{script}");
        }
        assert!(start.elapsed() < Duration::from_secs(3));
    }

    #[test]
    fn a_run_has_time_and_output() {
        let done = run(shell("sleep 0.05; echo words"), LONG).unwrap();
        assert!(
            (0.05..5.0).contains(&done.seconds),
            "{} seconds",
            done.seconds
        );
        assert_eq!(done.output, b"words\n");
    }

    #[test]
    fn much_output_does_not_block() {
        let script = "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2";
        assert_eq!(run(shell(script), LONG).unwrap().output.len(), 300_000);
    }

    #[test]
    fn failures_keep_the_last_words() {
        let said = |script: &str| run(shell(script), LONG).unwrap_err().text();
        let text = said("echo one; echo two >&2; exit 3");
        assert!(text.contains('3') && text.ends_with("two"), "{text}");
        let text = said("echo '{\"error\": 1}'; exit 1");
        assert!(text.ends_with("{\"error\": 1}"), "{text}");
        assert!(said("kill -9 $$").contains('9'));
        let nowhere = run(Command::new("no-such-program-here"), LONG);
        assert!(matches!(nowhere, Err(Trouble::Failed(_))));
    }
}
