//! How far work has come, and how much of it was planned.

use std::sync::Arc;

use super::FitContext;

/// How far a fit has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// What is being done, such as `class pair 3 of 45`.
    pub stage: String,
    /// Share of the whole work done, between 0 and 1, where it can be told.
    pub share: Option<f64>,
    /// Solver iterations of the present stage.
    pub iterations: u64,
    /// Largest KKT violation among the rows looked at.
    pub violation: Option<f64>,
    /// The part of planned work that is being done, where the work was planned.
    pub phase: Option<Phase>,
}

/// A part of planned work.
///
/// Seconds are those of a typical computer, counted in multiplications: what matters is how the
/// parts compare.
#[derive(Debug, Clone, PartialEq)]
pub struct Phase {
    /// What is done in it, such as `searching`.
    pub name: String,
    /// Rows that take part.
    pub rows: usize,
    /// Seconds planned for what comes before it.
    pub before: f64,
    /// Seconds planned for it.
    pub seconds: f64,
    /// Seconds planned for what comes after it.
    pub after: f64,
    /// Share of the phase that is done, where it can be told.
    pub share: Option<f64>,
}

/// Receives progress; called from any thread.
pub type ProgressSink = Arc<dyn Fn(&Progress) + Send + Sync>;

impl Phase {
    /// Seconds planned for the whole.
    pub fn total(&self) -> f64 {
        self.before + self.seconds + self.after
    }

    /// Share of the whole that is done.
    fn whole(&self) -> Option<f64> {
        let done = self.before + self.seconds * self.share.unwrap_or(0.0);
        (self.total() > 0.0).then(|| (done / self.total()).clamp(0.0, 1.0))
    }
}

impl FitContext {
    /// Begins a part of planned work: shares told under the returned context are shares of it.
    #[must_use]
    pub fn phase(&self, phase: Phase) -> Self {
        let Some(sink) = self.progress.clone() else {
            return self.clone();
        };
        let name = phase.name.clone();
        let placed = move |progress: &Progress| {
            let phase = Phase {
                share: progress.share,
                ..phase.clone()
            };
            sink(&Progress {
                share: phase.whole(),
                phase: Some(phase),
                ..progress.clone()
            });
        };
        placed(&Progress {
            stage: name,
            ..Progress::default()
        });
        self.clone().progress(Arc::new(placed))
    }

    /// Begins one of several equal pieces of work, `number` counted from 0.
    #[must_use]
    pub fn turn(&self, name: &str, number: usize, count: usize) -> Self {
        let Some(sink) = self.progress.clone() else {
            return self.clone();
        };
        let name = name.to_owned();
        let (number, count) = (number as f64, count.max(1) as f64);
        let placed = move |progress: &Progress| {
            let phase = progress.phase.as_ref().map(|phase| Phase {
                name: format!("{name}, {}", phase.name),
                before: phase.before + number * phase.total(),
                after: phase.after + (count - 1.0 - number) * phase.total(),
                ..phase.clone()
            });
            let share = (number + progress.share.unwrap_or(0.0)) / count;
            sink(&Progress {
                share: Some(share.clamp(0.0, 1.0)),
                stage: if progress.stage.is_empty() {
                    name.clone()
                } else {
                    format!("{name}, {}", progress.stage)
                },
                phase,
                ..progress.clone()
            });
        };
        self.clone().progress(Arc::new(placed))
    }

    /// Reports progress, where anybody listens.
    pub fn tell(&self, progress: impl FnOnce() -> Progress) {
        if let Some(sink) = &self.progress {
            sink(&progress());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Everything that is told while work runs under a context.
    fn heard(work: impl FnOnce(&FitContext)) -> Vec<Progress> {
        let all = Arc::new(Mutex::new(Vec::new()));
        let ear = Arc::clone(&all);
        let sink: ProgressSink = Arc::new(move |progress: &Progress| {
            ear.lock().expect("no panic").push(progress.clone());
        });
        work(&FitContext::default().progress(sink));
        let all = all.lock().expect("no panic");
        all.clone()
    }

    fn phase(before: f64, seconds: f64, after: f64) -> Phase {
        Phase {
            name: "searching".to_owned(),
            rows: 10,
            before,
            seconds,
            after,
            share: None,
        }
    }

    fn half() -> Progress {
        Progress {
            share: Some(0.5),
            ..Progress::default()
        }
    }

    #[test]
    fn shares_of_a_phase_become_shares_of_the_whole() {
        let told = heard(|context| context.phase(phase(2.0, 4.0, 2.0)).tell(half));
        let shares: Vec<_> = told.iter().map(|p| p.share.expect("a share")).collect();
        assert_eq!(shares, [0.25, 0.5]);
        assert_eq!(told[1].phase.as_ref().expect("a phase").share, Some(0.5));
    }

    #[test]
    fn turns_repeat_a_plan() {
        let told = heard(|context| {
            let second = context.turn("fold 2 of 4", 1, 4);
            second.phase(phase(1.0, 1.0, 0.0)).tell(half);
        });
        let last = told.last().expect("something");
        let phase = last.phase.clone().expect("a phase");
        assert_eq!((phase.before, phase.seconds, phase.after), (3.0, 1.0, 4.0));
        assert_eq!(phase.name, "fold 2 of 4, searching");
        assert_eq!(last.share, Some((1.0 + 0.75) / 4.0));
    }

    #[test]
    fn nobody_is_told_where_nobody_listens() {
        let context = FitContext::default().phase(phase(0.0, 1.0, 0.0));
        context.tell(|| panic!("nobody listens"));
    }
}
