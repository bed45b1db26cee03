//! What was heard of a fit and when, as lines of a file.
//!
//! The environment variable `MERCER_PROGRESS` names the file. It serves those who work on the
//! estimate of the time left: recorded fits are replayed in its tests. A line has, between tabs, the
//! second, the name of the phase, the seconds planned before it, for it and after it, and the share
//! of it that is done; numbers that are not known are `-`. The last line has the second of the end.

use std::fmt::Write as _;
use std::path::PathBuf;

use mercer::fit::Progress;

/// Shares closer than this are one.
const STEP: f64 = 0.005;

/// What was heard so far.
pub(super) struct Trace {
    file: PathBuf,
    text: String,
    /// The phase and the share of the last line.
    last: (String, f64),
}

impl Trace {
    /// Begins one, where the environment names a file.
    pub(super) fn wanted() -> Option<Self> {
        let file = std::env::var_os("MERCER_PROGRESS")?;
        Some(Self {
            file: file.into(),
            text: String::new(),
            last: (String::new(), 0.0),
        })
    }

    /// Notes progress that differs from what was noted.
    pub(super) fn hear(&mut self, now: f64, progress: &Progress) {
        let (name, share, plan) = match &progress.phase {
            Some(phase) => (
                format!("{}@{:.6}", phase.name, phase.before),
                phase.share,
                format!(
                    "{}\t{:.6}\t{:.6}\t{:.6}",
                    phase.name, phase.before, phase.seconds, phase.after
                ),
            ),
            None => (
                progress.stage.clone(),
                progress.share,
                "-\t-\t-\t-".to_owned(),
            ),
        };
        let known = share.unwrap_or(0.0);
        if name == self.last.0 && known < self.last.1 + STEP {
            return;
        }
        self.last = (name, known);
        let share = share.map_or_else(|| "-".to_owned(), |share| format!("{share:.4}"));
        let _ = writeln!(self.text, "{now:.4}\t{plan}\t{share}");
    }

    /// Notes the seconds that follow a plan.
    pub(super) fn follow(&mut self, now: f64, seconds: f64) {
        let _ = writeln!(self.text, "{now:.4}\tfollow\t-\t{seconds:.6}\t-\t-");
    }

    /// Writes the file; who asked for a trace sees that there is none.
    pub(super) fn write(mut self, now: f64) {
        let _ = writeln!(self.text, "{now:.4}\tend\t-\t-\t-\t-");
        drop(std::fs::write(self.file, self.text));
    }
}
