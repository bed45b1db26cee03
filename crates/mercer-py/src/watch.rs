//! Runs work beside the interpreter: the lock is released, Ctrl-C and callbacks are served.
//!
//! Rust never calls Python from a worker thread. Long work ([`run`]) has a thread of its own;
//! the calling thread sleeps until it is done, wakes for progress and, every [`GLANCE`], looks
//! whether a signal has arrived. After Ctrl-C, or well after a time limit, it waits no longer than
//! [`PATIENCE`]: the exception is raised, and the work winds down behind it. Work that is mostly
//! over in less time than a thread takes to wake ([`run_here`]) stays on the calling thread and
//! looks for signals itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mercer::fit::{Cancel, Progress, ProgressSink};
use pyo3::prelude::*;

use crate::failure::{raise, raise_panic};

/// How often signals are looked for: half of the 100 ms that Ctrl-C may take.
const GLANCE: Duration = Duration::from_millis(40);
/// How long work may take to notice that nobody waits for it any more.
const PATIENCE: Duration = Duration::from_millis(30);
/// Time after a time limit for the best result so far to be finished: this much, and this share of
/// the limit.
const LATE: Duration = Duration::from_millis(800);
const LATE_SHARE: f64 = 0.1;
/// How often a callback hears of progress at most.
const TELL_EVERY: Duration = Duration::from_millis(50);

/// What the calling thread wakes for.
enum Event<T> {
    Progress(Progress),
    Done(std::thread::Result<T>),
}

/// Runs work on another thread while this one listens.
///
/// `work` gets the sink for its progress. A callback that returns `True` asks the work to
/// stop and keep what it has; one that raises stops it, and its exception is raised.
/// Nobody waits for a result after `late`.
///
/// # Errors
/// `KeyboardInterrupt` and other exceptions of signal handlers, exceptions of the callback,
/// `TimeoutError` where it is too late, `SystemError` for a panic.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    cancel: &Cancel,
    callback: Option<&Bound<'_, PyAny>>,
    late: Option<Instant>,
    work: impl FnOnce(Option<ProgressSink>) -> T + Send + 'static,
) -> PyResult<T> {
    // Room for one message: progress that nobody has taken yet makes the next one needless.
    let (sender, receiver) = sync_channel::<Event<T>>(1);
    let receiver = Mutex::new(receiver);
    let sink = callback.is_some().then(|| throttled(sender.clone()));
    std::thread::Builder::new().spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(sink)));
        // Nobody may be waiting any more.
        let _ = sender.send(Event::Done(outcome));
    })?;
    listen(py, cancel, callback, late, &receiver)
}

/// When nobody waits any more for a result within a time that starts now.
pub(crate) fn late(limit: Option<Duration>) -> Option<Instant> {
    let limit = limit?;
    Instant::now().checked_add(limit.saturating_add(LATE + limit.mul_f64(LATE_SHARE)))
}

/// Runs work on this thread; the flag it gets looks for signals.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_here<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Cancel) -> T + Send,
) -> PyResult<T> {
    let raised = Arc::new(Mutex::new(None::<PyErr>));
    let cancel = asking_python(Arc::clone(&raised));
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(cancel))));
    let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
    raised.map_or_else(|| outcome.map_err(|panic| raise_panic(&*panic)), Err)
}

/// A flag that every [`GLANCE`] looks whether a signal has arrived, and keeps its exception.
fn asking_python(raised: Arc<Mutex<Option<PyErr>>>) -> Cancel {
    let last = Mutex::new(Instant::now());
    Cancel::asking(move || {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < GLANCE {
            return false;
        }
        *last = Instant::now();
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method alone is not general in the lifetime"
        )]
        let looked = Python::attach(|py| py.check_signals());
        let Err(error) = looked else {
            return false;
        };
        let mut raised = raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.get_or_insert(error);
        true
    })
}

/// Serves events until the work is done, or there is an exception to raise.
fn listen<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    callback: Option<&Bound<'_, PyAny>>,
    late: Option<Instant>,
    receiver: &Mutex<Receiver<Event<T>>>,
) -> PyResult<T> {
    let wait = |time: Duration| {
        py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(time)
        })
    };
    loop {
        let heard = match wait(GLANCE) {
            Ok(Event::Done(outcome)) => {
                return outcome.map_err(|panic| raise_panic(&*panic));
            }
            Ok(Event::Progress(progress)) => {
                callback.map_or(Ok(()), |f| tell(f, &progress, cancel))
            }
            Err(RecvTimeoutError::Timeout) if late.is_some_and(|at| Instant::now() > at) => {
                Err(raise(&mercer::Error::OutOfTime))
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals(),
            Err(RecvTimeoutError::Disconnected) => {
                unreachable!("the worker always sends its outcome")
            }
        };
        if let Err(error) = heard {
            cancel.cancel();
            let until = Instant::now() + PATIENCE;
            // Most work ends at once, and then leaves nothing behind.
            while let Ok(Event::Progress(_)) = wait(until.saturating_duration_since(Instant::now()))
            {
            }
            return Err(error);
        }
    }
}

/// Calls back with stage, share, iterations and violation; `True` asks to stop.
fn tell(callback: &Bound<'_, PyAny>, progress: &Progress, cancel: &Cancel) -> PyResult<()> {
    let answer = callback.call1((
        &progress.stage,
        progress.share,
        progress.iterations,
        progress.violation,
    ))?;
    if answer.is_truthy()? {
        cancel.cancel();
    }
    Ok(())
}

/// A sink that drops what comes too soon after the last message, or while one is waiting.
fn throttled<T: Send + 'static>(sender: SyncSender<Event<T>>) -> ProgressSink {
    let last = Mutex::new(None::<Instant>);
    Arc::new(move |progress: &Progress| {
        // That a phase begins is no news of how far it is.
        let phase = progress.phase.as_ref();
        if progress.iterations == 0 && phase.is_some_and(|phase| phase.share.is_none()) {
            return;
        }
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|at| at.elapsed() < TELL_EVERY) {
            return;
        }
        if sender.try_send(Event::Progress(progress.clone())).is_ok() {
            *last = Some(Instant::now());
        }
    })
}
