//! Budgets, threads, seed and cancellation of a fit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mercer_linalg::Par;
use rayon::prelude::*;

use super::memory::available_memory;
use super::pool::{cores, pool};
use super::progress::ProgressSink;
use crate::{Error, Result};

/// A question that work asks now and then: shall I stop?
type Question = Arc<dyn Fn() -> bool + Send + Sync>;

/// A flag that stops running work; clones share it.
#[derive(Clone, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    question: Option<Question>,
}

impl Cancel {
    /// Returns a flag that also puts a question each time it is looked at.
    ///
    /// For work on the only thread that could otherwise be listening. The question should
    /// answer quickly: a solver may look a million times a second.
    pub fn asking(question: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self {
            flag: Arc::default(),
            question: Some(Arc::new(question)),
        }
    }

    /// Asks all work that holds this flag to stop.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Returns whether a stop was asked for.
    pub fn is_cancelled(&self) -> bool {
        if self.question.as_ref().is_some_and(|asked| asked()) {
            self.cancel();
        }
        self.flag.load(Ordering::Relaxed)
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Cancel")
            .field(&self.flag.load(Ordering::Relaxed))
            .finish()
    }
}

/// The circumstances under which a fit runs.
///
/// Only a time limit and a `memory_limit` that was set may change the result, and the report says
/// so; threads and the usual memory limit never do.
///
/// The clock starts when the context is made and runs until the last thing done with it: all
/// stages of a fit share one deadline. Make a new context for every call.
#[derive(Clone)]
pub struct FitContext {
    /// Number of threads; 0 means all cores the process may use.
    pub threads: usize,
    /// Bytes the kernel matrix and solver may hold; the data are not counted. A quarter of what
    /// the process may take unless set.
    pub memory_limit: u64,
    /// Whether the limit was set: it then bounds what is tried as well, not only what is kept.
    memory_told: bool,
    /// Seed of everything random.
    pub seed: u64,
    /// Where progress goes.
    pub progress: Option<ProgressSink>,
    /// Stops the fit.
    pub cancel: Cancel,
    /// Numbers of the kernel that were fitted to the very rows: held-out predictions flatter them.
    pub(crate) fitted_numbers: usize,
    started: Instant,
    deadline: Option<Instant>,
}

impl std::fmt::Debug for FitContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FitContext")
            .field("threads", &self.threads)
            .field("memory_limit", &self.memory_limit)
            .field("time_left", &self.time_left())
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

impl Default for FitContext {
    fn default() -> Self {
        Self {
            threads: std::env::var("MERCER_NUM_THREADS")
                .ok()
                .and_then(|t| t.parse().ok())
                .unwrap_or(0),
            memory_limit: available_memory() / 4,
            memory_told: false,
            seed: 0,
            progress: None,
            cancel: Cancel::default(),
            fitted_numbers: 0,
            started: Instant::now(),
            deadline: None,
        }
    }
}

impl FitContext {
    /// Sets the number of threads; 0 means all cores.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the memory budget in bytes.
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = bytes;
        self.memory_told = true;
        self
    }

    /// Says whose limit [`FitContext::most_memory`] is, as the subject of a sentence.
    pub(crate) fn memory_holder(&self) -> &'static str {
        if self.memory_told {
            "the memory limit"
        } else {
            "half of what this process may take"
        }
    }

    /// Returns the bytes beyond which work is refused, or done in another way: the limit where it
    /// was set, and otherwise half of what the process may take. The usual limit has no say in
    /// choices, so that equal data get an equal result on all computers that can hold it.
    pub fn most_memory(&self) -> u64 {
        if self.memory_told {
            // What is not there cannot be allowed.
            self.memory_limit.min(available_memory())
        } else {
            (available_memory() / 2).max(self.memory_limit)
        }
    }

    /// Returns how many pieces of work that take so many bytes each may run side by side, one
    /// at least and no more than there are threads.
    pub(crate) fn at_once(&self, bytes: u64) -> usize {
        let affordable = self.memory_limit / bytes.max(1);
        usize::try_from(affordable).map_or(self.thread_count(), |n| n.clamp(1, self.thread_count()))
    }

    /// Returns the context of one of several pieces of work that run side by side.
    pub(crate) fn shared_by(&self, pieces: usize) -> Self {
        Self {
            memory_limit: self.memory_limit / pieces.max(1) as u64,
            ..self.clone()
        }
    }

    /// Sets when the clock was started, for work that began before the context was made.
    pub fn since(mut self, started: Instant) -> Self {
        self.started = started;
        self
    }

    /// Sets the time budget, counted from the start of the clock.
    pub fn time_limit(mut self, limit: Option<Duration>) -> Self {
        // A time beyond the clock's range is no limit.
        self.deadline = limit.and_then(|limit| self.started.checked_add(limit));
        self
    }

    /// Sets the seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets where progress goes.
    pub fn progress(mut self, sink: ProgressSink) -> Self {
        self.progress = Some(sink);
        self
    }

    /// Sets the flag that stops the fit.
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Returns this context with its seconds counted from now; the deadline stays where it is.
    pub fn restarted(&self) -> Self {
        Self {
            started: Instant::now(),
            ..self.clone()
        }
    }

    /// Returns this context with a deadline after this share of the time that is left, for one of
    /// several stages.
    pub fn share(&self, share: f64) -> Self {
        let part = self.time_left().map(|left| left.mul_f64(share));
        Self {
            deadline: part.map(|part| Instant::now() + part),
            ..self.clone()
        }
    }

    /// Returns the number of threads work will use.
    pub fn thread_count(&self) -> usize {
        if self.threads > 0 {
            self.threads
        } else {
            cores()
        }
    }

    /// Returns how parallel loops run inside [`FitContext::install`].
    pub fn par(&self) -> Par {
        if self.thread_count() > 1 {
            Par::Rayon
        } else {
            Par::Sequential
        }
    }

    /// Runs work in a pool of this context's threads.
    ///
    /// Pools are kept for the next call; one thread needs none.
    ///
    /// # Errors
    /// The operating system's refusal to start threads, as a setting error.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R> {
        let threads = self.thread_count();
        if threads == 1 {
            return Ok(work());
        }
        Ok(pool(threads)?.install(work))
    }

    /// Applies `work` to every item, inside [`FitContext::install`]: one item a thread at a time,
    /// results in the order of the items.
    pub(crate) fn map<T: Send, R: Send>(
        &self,
        items: impl IntoParallelIterator<Item = T, Iter: IndexedParallelIterator>
        + IntoIterator<Item = T>,
        work: impl Fn(T) -> R + Sync + Send,
    ) -> Vec<R> {
        match self.par() {
            // Without a pool of its own, rayon would take all cores.
            Par::Sequential => items.into_iter().map(work).collect(),
            Par::Rayon => items.into_par_iter().with_max_len(1).map(work).collect(),
        }
    }

    /// Does both, inside [`FitContext::install`], side by side where that is allowed.
    pub(crate) fn both<A: Send, B: Send>(
        &self,
        together: bool,
        one: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        if together && self.par() == Par::Rayon {
            rayon::join(one, other)
        } else {
            (one(), other())
        }
    }

    /// Returns the time since the fit started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the time until the deadline, where there is one.
    pub fn time_left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Returns whether the time budget is used up.
    pub fn out_of_time(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns whether work may go on: nobody asked to stop, and there is time left.
    pub fn goes_on(&self) -> bool {
        !self.cancel.is_cancelled() && !self.out_of_time()
    }

    /// Says why work may not go on.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when somebody asked to stop, [`Error::OutOfTime`] after the deadline.
    pub fn check(&self) -> Result<()> {
        if self.cancel.is_cancelled() {
            Err(Error::Cancelled)
        } else if self.out_of_time() {
            Err(Error::OutOfTime)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_share_one_deadline() {
        let long_ago = Instant::now()
            .checked_sub(Duration::from_secs(9))
            .expect("a machine that is up");
        let context = FitContext::default()
            .since(long_ago)
            .time_limit(Some(Duration::from_secs(10)));
        let left = context.restarted().time_left().expect("a deadline");
        assert!(left <= Duration::from_secs(1), "{left:?}");
        let part = context.share(0.25).time_left().expect("a deadline");
        assert!(part <= Duration::from_millis(250), "{part:?}");
        let late = context.time_limit(Some(Duration::from_secs(8)));
        assert!(matches!(late.restarted().check(), Err(Error::OutOfTime)));
        assert!(late.share(0.5).out_of_time());
    }

    #[test]
    fn a_time_beyond_the_clock_is_no_limit() {
        let context = FitContext::default().time_limit(Some(Duration::MAX));
        assert!(context.time_left().is_none() && context.check().is_ok());
    }
}
