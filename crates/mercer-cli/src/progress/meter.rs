//! A progress bar on standard error, for work that takes more than a second.

use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mercer::fit::{Phase, Progress, ProgressSink};

use super::estimate::Estimate;
use super::line::{line, rows, time};
use super::trace::Trace;

/// Work shorter than this stays silent.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(200);
/// Seconds beyond which an estimate is printed before the work begins.
const LONG: f64 = 60.0;

/// Shows how far work has come, where somebody watches.
#[derive(Clone, Default)]
pub(crate) struct Meter(Option<Arc<Shared>>);

struct Shared {
    started: Instant,
    /// Whether anybody watches; otherwise only a trace is kept.
    is_shown: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    estimate: Estimate,
    bar: Option<ProgressBar>,
    /// What is being done; empty before anything was told and once the work is done.
    name: String,
    /// Over how many rows, or how fast.
    rows: Option<String>,
    /// What shortens long work, beside a limit of time.
    advice: Option<&'static str>,
    /// Whether the time was announced.
    announced: bool,
    finished: bool,
    /// What was heard, where a trace is kept.
    trace: Option<Trace>,
}

impl Meter {
    /// Starts the clock; silent unless standard error is a terminal.
    pub(crate) fn start() -> Self {
        let is_shown = std::io::IsTerminal::is_terminal(&std::io::stderr());
        let trace = Trace::wanted();
        if !is_shown && trace.is_none() {
            return Self(None);
        }
        let shared = Arc::new(Shared {
            started: Instant::now(),
            is_shown,
            state: Mutex::new(State {
                trace,
                ..State::default()
            }),
        });
        if !is_shown {
            return Self(Some(shared));
        }
        let watcher = Arc::downgrade(&shared);
        // Phases that say nothing more are shown all the same, and time goes on in them.
        std::thread::spawn(move || {
            std::thread::sleep(PATIENCE);
            while let Some(shared) = watcher.upgrade() {
                let mut state = shared.lock();
                if state.finished {
                    return;
                }
                state.draw(shared.started.elapsed().as_secs_f64());
                drop(state);
                drop(shared);
                std::thread::sleep(TICK);
            }
        });
        Self(Some(shared))
    }

    /// Returns the sink for a fit.
    pub(crate) fn sink(&self) -> Option<ProgressSink> {
        let shared = self.0.clone()?;
        Some(Arc::new(move |progress: &Progress| shared.hear(progress)))
    }

    /// Names what shortens the work, for the estimate before long ones.
    pub(crate) fn advise(&self, advice: &'static str) {
        if let Some(shared) = &self.0 {
            shared.lock().advice = Some(advice);
        }
    }

    /// Says how many seconds follow what a plan knows of.
    pub(crate) fn follow(&self, seconds: f64) {
        if let Some(shared) = &self.0 {
            let mut state = shared.lock();
            let now = shared.started.elapsed().as_secs_f64();
            state.estimate.follow(seconds);
            if let Some(trace) = &mut state.trace {
                trace.follow(now, seconds);
            }
        }
    }

    /// Names what is being done, outside of a fit.
    pub(crate) fn stage(&self, stage: &str, share: Option<f64>) {
        if let Some(shared) = &self.0 {
            shared.hear(&Progress {
                stage: stage.to_owned(),
                share,
                ..Progress::default()
            });
        }
    }

    /// Begins a phase outside of a fit, with the seconds that are planned for it and for the rest.
    pub(crate) fn phase(&self, name: &str, seconds: f64, after: f64) {
        if let Some(shared) = &self.0 {
            shared.hear(&Progress {
                phase: Some(Phase {
                    name: name.to_owned(),
                    rows: 0,
                    before: 0.0,
                    seconds,
                    after,
                    share: None,
                }),
                ..Progress::default()
            });
        }
    }

    /// Tells how many rows are predicted, and of how many where that is known.
    pub(crate) fn answered(&self, done: usize, of: Option<f64>) {
        let Some(shared) = &self.0 else { return };
        let seconds = shared.started.elapsed().as_secs_f64();
        shared.hear(&Progress {
            stage: "predicting".to_owned(),
            share: of.map(|of| (done as f64 / of.max(1.0)).min(0.99)),
            ..Progress::default()
        });
        let speed = rows((done as f64 / seconds.max(1e-3)) as usize);
        shared.lock().rows = Some(format!("{}, {speed}/s", rows(done)));
    }

    /// Tells how far a pass over the rows of a file has come, and how fast it goes.
    pub(crate) fn pass(&self, name: &str, done: u64, speed: f64, share: Option<f64>) {
        let Some(shared) = &self.0 else { return };
        shared.hear(&Progress {
            stage: name.to_owned(),
            share: share.map(|share| share.min(0.999)),
            ..Progress::default()
        });
        let done = usize::try_from(done).unwrap_or(usize::MAX);
        let speed = rows(speed as usize);
        shared.lock().rows = Some(format!("{}, {speed}/s", rows(done)));
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        let Some(shared) = &self.0 else { return };
        let mut state = shared.lock();
        state.finished = true;
        if let Some(trace) = state.trace.take() {
            trace.write(shared.started.elapsed().as_secs_f64());
        }
        if let Some(bar) = state.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, progress: &Progress) {
        // Threads that come at the same moment need not wait for each other.
        let Ok(mut state) = self.state.try_lock() else {
            return;
        };
        let now = self.started.elapsed().as_secs_f64();
        state.estimate.hear(now, progress);
        if let Some(trace) = &mut state.trace {
            trace.hear(now, progress);
        }
        if !self.is_shown {
            return;
        }
        state.name = name(progress);
        state.rows = progress
            .phase
            .as_ref()
            .map(|p| p.rows)
            .filter(|n| *n > 0)
            .map(rows);
        state.announce(progress, now);
    }
}

/// What is being done: the phase, or the stage where nothing was planned.
fn name(progress: &Progress) -> String {
    let stage = &progress.stage;
    match &progress.phase {
        // Sigmoids are fitted on folds, which take as long as the fit itself.
        Some(phase) if stage.contains(", probabilities ") => {
            phase.name.replace("fitting", "probabilities")
        }
        Some(phase) => phase.name.clone(),
        None => stage.clone(),
    }
}

impl State {
    /// Says beforehand that the work takes long.
    fn announce(&mut self, progress: &Progress, now: f64) {
        let long = progress.phase.as_ref().is_some_and(|p| p.total() > LONG);
        if !long || self.announced || self.finished {
            return;
        }
        self.announced = true;
        let Some(outlook) = self.estimate.at(now) else {
            return;
        };
        let advice = self.advice.map_or(String::new(), |a| format!(", {a}"));
        let text = format!(
            "{}; Ctrl-C stops, `--max-seconds` limits{advice}",
            time(outlook)
        );
        match &self.bar {
            Some(bar) => bar.println(text),
            // Nobody may be reading any more.
            None => drop(writeln!(std::io::stderr(), "{text}")),
        }
    }

    fn draw(&mut self, now: f64) {
        if self.name.is_empty() {
            return;
        }
        let outlook = self.estimate.at(now);
        let text = line(&self.name, self.rows.as_deref(), outlook);
        let bar = self.bar.get_or_insert_with(new_bar);
        if let Some(outlook) = outlook {
            bar.set_position((outlook.share * 1000.0) as u64);
        }
        bar.set_message(text);
        bar.tick();
    }
}

fn new_bar() -> ProgressBar {
    // Ten redraws a second are smooth enough and cost nothing.
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let bar = ProgressBar::with_draw_target(Some(1000), target);
    let style = ProgressStyle::with_template("{bar:16.cyan/dim} {percent:>3}%  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
