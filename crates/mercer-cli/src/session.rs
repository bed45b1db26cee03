//! What every command needs: output, interruption, progress.

use std::path::Path;
use std::time::Instant;

use mercer::fit::{Cancel, FitContext, available_memory};
use mercer_linalg::return_blocks;

use crate::args::{LimitArgs, RunningArgs};
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::output::Output;
use crate::progress::Meter;

/// The surroundings of one command.
pub(crate) struct Session {
    /// Where results are told.
    pub(crate) output: Output,
    /// Set by Ctrl-C.
    pub(crate) cancel: Cancel,
    /// When the command started: every time limit counts from here.
    started: Instant,
    /// The progress bar.
    pub(crate) meter: Meter,
    /// How far reading may go.
    pub(crate) reading: ReadLimits,
}

/// How far reading may go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadLimits {
    /// Bytes that rows may take.
    pub(crate) bytes: u64,
    /// The memory that was named, where one was.
    pub(crate) named: Option<u64>,
    /// When it stops.
    pub(crate) deadline: Option<Instant>,
}

impl ReadLimits {
    /// Follows the limits of a command that was started at a moment.
    ///
    /// A table may take twice the memory for kernel values, and 64 MiB at least; where no limit
    /// is named, half of what the process may take.
    fn of(limits: LimitArgs, started: Instant) -> Self {
        const LEAST: u64 = 64 << 20;
        let bytes = limits.memory;
        let bytes = bytes.map(|bytes| bytes.saturating_mul(2).max(LEAST));
        Self {
            bytes: bytes.unwrap_or_else(|| available_memory() / 2),
            named: limits.memory,
            deadline: limits.max_seconds.and_then(|s| started.checked_add(s)),
        }
    }
}

/// The largest block that the allocator may keep under a limit of memory: little beside it.
fn kept_block(limit: u64) -> usize {
    const PARTS: u64 = 128;
    usize::try_from(limit / PARTS).unwrap_or(usize::MAX)
}

impl Session {
    /// Prepares standard output and Ctrl-C, and starts the clock.
    pub(crate) fn start(output: Output, limits: LimitArgs) -> Self {
        let started = Instant::now();
        if let Some(bytes) = limits.memory {
            return_blocks(kept_block(bytes));
        }
        let session = Self {
            output,
            cancel: interrupt::install(output),
            started,
            meter: Meter::start(),
            reading: ReadLimits::of(limits, started),
        };
        if let Some(limit) = limits.max_seconds {
            interrupt::limit(output, started, limit);
        }
        session
    }

    /// Returns the context of a computation.
    pub(crate) fn context(&self, running: &RunningArgs) -> FitContext {
        let mut context = FitContext::default()
            .since(self.started)
            .time_limit(running.limits.max_seconds)
            .seed(running.seed)
            .cancel(self.cancel.clone());
        if let Some(threads) = running.threads {
            context = context.threads(usize::from(threads));
        }
        if let Some(bytes) = running.limits.memory {
            context = context.memory_limit(bytes);
        }
        if let Some(sink) = self.meter.sink() {
            context = context.progress(sink);
        }
        context
    }

    /// Returns an error once Ctrl-C was pressed.
    pub(crate) fn check(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            Err(Failure::interrupted())
        } else {
            Ok(())
        }
    }

    /// Writes a whole file; a failure leaves the old one.
    pub(crate) fn write(&self, path: &Path, contents: &[u8]) -> Result<()> {
        self.guard(|| {
            mercer_io::write_atomically(path, |out| {
                out.write_all(contents)
                    .map_err(|source| mercer_io::Error::Io {
                        file: path.display().to_string(),
                        source,
                    })
            })
        })
    }

    /// Runs work that writes a file.
    pub(crate) fn guard<T, E: Into<Failure>>(
        &self,
        work: impl FnOnce() -> std::result::Result<T, E>,
    ) -> Result<T> {
        self.check()?;
        work().map_err(Into::into)
    }
}

impl Session {
    /// Writes a file piece by piece; `-` is standard output, a failure leaves the old file.
    pub(crate) fn write_with<T>(
        &self,
        path: &Path,
        work: impl FnOnce(&mut dyn std::io::Write) -> Result<T>,
    ) -> Result<T> {
        let mut failure = None;
        let write = || {
            mercer_io::write_atomically(path, |out| {
                work(out).map_err(|e| {
                    failure = Some(e);
                    mercer_io::Error::Mercer(mercer::Error::Cancelled)
                })
            })
        };
        let result = if path == Path::new("-") {
            // Nothing is left half-written on a pipe: what was read was read.
            write().map_err(Failure::from)
        } else {
            self.guard(write)
        };
        result.map_err(|e| failure.take().unwrap_or(e))
    }
}
