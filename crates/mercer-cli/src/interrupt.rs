//! Signals and the clock: both stop the work and leave no half-written file.
//!
//! Ctrl-C, and on Unix SIGTERM and SIGHUP, set the cancel flag. Work that looks at it returns by
//! itself; should it not do so within the grace period, temporary files are removed and the
//! process ends all the same, with exit code 128 plus the signal. A second signal ends it at once.
//! A time limit works alike: what has not come to a result some time after the deadline ends.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use mercer::fit::Cancel;

use crate::failure::Failure;
use crate::output::Output;

/// Time for the work to stop by itself: the promise is 100 ms in all.
const GRACE: Duration = Duration::from_millis(40);
/// Time after the deadline for the best result so far to be finished and written: this much, and
/// this share of the limit.
const LATE: Duration = Duration::from_millis(800);
const LATE_SHARE: f64 = 0.1;
/// The number of Ctrl-C.
const INTERRUPT: u8 = 2;

/// The signal that came first; 0 for none.
static SIGNAL: AtomicU8 = AtomicU8::new(0);
static TOLD: AtomicBool = AtomicBool::new(false);

/// Starts listening and returns the flag that signals set.
pub(crate) fn install(output: Output) -> Cancel {
    let cancel = Cancel::default();
    let flag = cancel.clone();
    listen(move |signal| {
        if SIGNAL.swap(signal, Ordering::SeqCst) != 0 {
            leave(exit_number());
        }
        flag.cancel();
        std::thread::spawn(move || {
            std::thread::sleep(GRACE);
            end(output, &Failure::interrupted());
        });
    });
    cancel
}

/// Ends the process when the result is late.
pub(crate) fn limit(output: Output, started: Instant, limit: Duration) {
    let late = limit.saturating_add(LATE + limit.mul_f64(LATE_SHARE));
    let Some(end_at) = started.checked_add(late) else {
        return;
    };
    std::thread::spawn(move || {
        std::thread::sleep(end_at.saturating_duration_since(Instant::now()));
        // A prediction that is being written is nearly there.
        while mercer_io::is_writing() {
            std::thread::sleep(GRACE);
        }
        end(output, &mercer::Error::OutOfTime.into());
    });
}

/// Tells why, takes back what is half-written, and ends the process.
fn end(output: Output, failure: &Failure) -> ! {
    mercer_io::abandon();
    if first_to_tell() {
        output.failure(failure);
    }
    leave(failure.exit_number())
}

fn leave(code: u8) -> ! {
    mercer_io::abandon();
    std::process::exit(i32::from(code))
}

/// The exit code of an interruption: 128 and the signal.
pub(crate) fn exit_number() -> u8 {
    128 + match SIGNAL.load(Ordering::SeqCst) {
        0 => INTERRUPT,
        signal => signal,
    }
}

/// Returns whether the caller is the one to tell of the end.
pub(crate) fn first_to_tell() -> bool {
    !TOLD.swap(true, Ordering::SeqCst)
}

#[cfg(unix)]
fn listen(heard: impl Fn(u8) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let wanted = [SIGINT, SIGTERM, SIGHUP];
    let wanted = wanted.into_iter().filter(|signal| !is_ignored(*signal));
    // Without a handler signals still end the process, by the system's own rule.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            heard(signal as u8);
        }
    });
}

/// Whether whoever started the process wants a signal ignored, as `nohup` does, where that can be
/// told.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(not(unix))]
fn listen(heard: impl Fn(u8) + Send + 'static) {
    // Without a handler Ctrl-C still ends the process, by the system's own rule.
    let _ = ctrlc::set_handler(move || heard(INTERRUPT));
}
