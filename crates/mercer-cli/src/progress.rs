//! A progress bar on standard error, for work that takes more than a second.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mercer::fit::{Progress, ProgressSink};

/// Work shorter than this stays silent.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows how far work has come, where somebody watches.
#[derive(Clone, Default)]
pub(crate) struct Meter(Option<Arc<Shared>>);

struct Shared {
    started: Instant,
    bar: Mutex<Option<ProgressBar>>,
    /// What was last said to go on; `None` once the work is done.
    last: Mutex<Option<Progress>>,
}

impl Meter {
    /// Starts the clock; silent unless standard error is a terminal.
    pub(crate) fn start() -> Self {
        if !std::io::IsTerminal::is_terminal(&std::io::stderr()) {
            return Self(None);
        }
        let shared = Arc::new(Shared {
            started: Instant::now(),
            bar: Mutex::new(None),
            last: Mutex::new(None),
        });
        let watcher = Arc::clone(&shared);
        // A stage that says nothing more, such as reading, is shown all the same.
        std::thread::spawn(move || {
            std::thread::sleep(PATIENCE + Duration::from_millis(10));
            let last = watcher.last.lock().map_or(None, |last| last.clone());
            if let Some(progress) = last {
                watcher.show(&progress);
            }
        });
        Self(Some(shared))
    }

    /// Returns the sink for a fit.
    pub(crate) fn sink(&self) -> Option<ProgressSink> {
        let shared = self.0.clone()?;
        Some(Arc::new(move |progress: &Progress| shared.show(progress)))
    }

    /// Names what is being done, outside of a fit.
    pub(crate) fn stage(&self, stage: &str, share: Option<f64>) {
        if let Some(shared) = &self.0 {
            shared.show(&Progress {
                stage: stage.to_owned(),
                share,
                iterations: 0,
                violation: None,
            });
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        let Some(shared) = &self.0 else { return };
        if let Ok(mut last) = shared.last.lock() {
            *last = None;
        }
        let mut bar = shared.bar.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Shared {
    fn show(&self, progress: &Progress) {
        if self.started.elapsed() < PATIENCE {
            if let Ok(mut last) = self.last.try_lock() {
                *last = Some(progress.clone());
            }
            return;
        }
        // Threads that come at the same moment need not wait for each other.
        let Ok(mut slot) = self.bar.try_lock() else {
            return;
        };
        let bar = slot.get_or_insert_with(new_bar);
        if let Some(share) = progress.share {
            bar.set_position((share.clamp(0.0, 1.0) * 1000.0) as u64);
        }
        let steps = (progress.iterations > 0)
            .then(|| format!("{} steps", crate::style::count(progress.iterations)));
        let violation = progress.violation.map(|v| format!("violation {v:.1e}"));
        let parts = [Some(progress.stage.clone()), steps, violation];
        let message = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        bar.set_message(message);
    }
}

fn new_bar() -> ProgressBar {
    // Ten redraws a second are smooth enough and cost nothing.
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let bar = ProgressBar::with_draw_target(Some(1000), target);
    let style =
        ProgressStyle::with_template("{bar:24.cyan/dim} {percent:>3}%  {elapsed}  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
