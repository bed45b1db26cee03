//! The most memory that a command takes.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::harness::{Done, finish};

/// Says that the command is over, also when a test fails meanwhile.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs a command; returns what it left behind and its largest resident set in bytes, 0 where
/// the system does not tell.
pub(crate) fn measured(mut command: Command) -> (Done, u64) {
    let child = command.spawn().expect("started");
    let status = format!("/proc/{}/status", child.id());
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // The kernel keeps the maximum: the last look before the end counts.
        let watcher = scope.spawn(|| {
            let mut peak = 0;
            while !over.load(Ordering::Relaxed) {
                let found = std::fs::read_to_string(&status).ok().and_then(|text| {
                    let line = text.lines().find(|l| l.starts_with("VmHWM:"))?;
                    line.split_whitespace().nth(1)?.parse::<u64>().ok()
                });
                peak = found.map_or(peak, |kib| peak.max(kib * 1024));
                std::thread::sleep(Duration::from_millis(1));
            }
            peak
        });
        // The watcher ends even where the command does not, and its time is up.
        let end = Over(&over);
        let done = finish(child, None);
        drop(end);
        (done, watcher.join().expect("watched"))
    })
}
