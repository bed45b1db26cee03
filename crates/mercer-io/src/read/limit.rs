//! How far reading may go: bytes held, and time.

use std::io::{BufRead, BufReader, Read};
use std::time::Instant;

use mercer::fit::Cancel;

use super::ReadOptions;
use super::source::BLOCK;
use crate::error::{Limited, Stopped};
use crate::{Error, Result};

/// What stops a read from outside.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch {
    pub(crate) cancel: Option<Cancel>,
    pub(crate) deadline: Option<Instant>,
}

impl Watch {
    /// Fails when reading is to stop.
    pub(crate) fn check(&self) -> std::io::Result<()> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(std::io::Error::other(Stopped));
        }
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Err(std::io::Error::other(Limited::time()));
        }
        Ok(())
    }
}

/// Counts what a decompressor gives, and stops it at a limit.
pub(super) struct Metered<R> {
    inner: R,
    watch: Watch,
    left: u64,
    limit: u64,
}

/// Reads at most `limit` bytes, in blocks, as long as the watch allows.
pub(super) fn metered(
    inner: impl Read + Send + 'static,
    watch: Watch,
    limit: u64,
) -> Box<dyn BufRead + Send> {
    let metered = Metered {
        inner,
        watch,
        left: limit,
        limit,
    };
    Box::new(BufReader::with_capacity(BLOCK, metered))
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.watch.check()?;
        let read = self.inner.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(std::io::Error::other(Limited::memory(self.limit))),
        }
        Ok(read)
    }
}

/// Bytes that rows may take, counted as they are read.
#[derive(Debug)]
pub(crate) struct Budget {
    held: u64,
    limit: u64,
}

impl Budget {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        Self {
            held: 0,
            limit: options.limit,
        }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// The limit is passed.
    pub(crate) fn add(&mut self, bytes: usize, file: &str) -> Result<()> {
        self.held = self.held.saturating_add(bytes as u64);
        if self.held > self.limit {
            return Err(Error::limit(file, &Limited::memory(self.limit)));
        }
        Ok(())
    }
}
