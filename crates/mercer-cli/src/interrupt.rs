//! Ctrl-C: stops the work, leaves no half-written file, ends with exit code 130.
//!
//! The first signal sets the cancel flag. Work that looks at it returns by itself; should it
//! not do so within the grace period, the process ends all the same, after any file that is
//! just being written is finished or taken back. A second signal ends the process at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mercer::fit::Cancel;

use crate::failure::Failure;
use crate::output::Output;

/// Time for the work to stop by itself: the promise is 100 ms in all.
const GRACE: Duration = Duration::from_millis(70);

/// Held while a file is written, so that no temporary file is left behind.
static WRITING: Mutex<()> = Mutex::new(());
static SIGNALS: AtomicUsize = AtomicUsize::new(0);
static TOLD: AtomicBool = AtomicBool::new(false);

/// Installs the handler and returns the flag it sets.
pub(crate) fn install(output: Output) -> Cancel {
    let cancel = Cancel::default();
    let flag = cancel.clone();
    // Without a handler Ctrl-C still ends the process, by the system's own rule.
    let _ = ctrlc::set_handler(move || {
        if SIGNALS.fetch_add(1, Ordering::SeqCst) > 0 {
            std::process::exit(130);
        }
        flag.cancel();
        std::thread::spawn(move || {
            std::thread::sleep(GRACE);
            let _files_are_whole = writing();
            if first_to_tell() {
                output.failure(&Failure::interrupted());
            }
            std::process::exit(130);
        });
    });
    cancel
}

/// Holds off the end of the process while a file is written.
pub(crate) fn writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether the caller is the one to tell of the interruption.
pub(crate) fn first_to_tell() -> bool {
    !TOLD.swap(true, Ordering::SeqCst)
}
