//! How far work has come and how long it still takes, from a plan and a clock.
//!
//! A plan says how long the phases of some work take on a typical computer. With p planned seconds of a
//! phase and t seconds that it took, phases that are over make the others longer or shorter by
//!
//! ```text
//! g = exp(D Σ w log(t / p) / (T + Σ w)),   w the share of the plan that a phase is,
//! ```
//!
//! since a slow computer is slow in all of them, while a hard search says less about the fit that
//! follows. Of a phase that runs the estimate takes g p, and the more of its own pace the farther it
//! has come: both are held against each other as ratios, since a factor is what an estimate is wrong by. A plan that is
//! over says nothing any more. As long as phases follow, or most of the last one is ahead, two times are told.
//! Time is in seconds since the start of the command.

use mercer::fit::{Phase, Progress};

/// T: share of a plan that counts as done in time when it begins, so that short first phases say little.
const TRUST: f64 = 0.008;
/// D: how much of the slowness of phases is that of the others.
const COMMON: f64 = 0.66;
/// A phase that is late is expected to take this share of its time again.
const STRETCH: f64 = 0.16;
/// Share of a phase at which its own pace counts as much as the plan.
const EVEN: f64 = 0.45;
/// How much shorter and how much longer than expected work may take before most of its last phase is
/// over: nothing tells beforehand that a search will be repeated beyond its grid, or that the last fit is a
/// hard one. The recorded fits keep within these factors.
const UNSURE: [f64; 2] = [3.0, 5.2];
/// Share of the last phase from which its pace tells the time that is left.
const SURE: f64 = 0.75;
/// Shorter times of phases are not told apart.
const SHORTEST: f64 = 1e-3;

/// What is expected at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Outlook {
    /// Share of all time that has passed; never falls.
    pub(super) share: f64,
    /// Seconds that are left, as far as is known.
    pub(super) left: f64,
    /// Least and most seconds that are left, where phases follow whose time is not known yet.
    pub(super) between: Option<[f64; 2]>,
}

/// Follows work through its phases.
#[derive(Debug, Default)]
pub(super) struct Estimate {
    /// Phases of the present plan that are over.
    over: Vec<Took>,
    present: Option<Present>,
    /// Seconds that follow the plan.
    tail: f64,
    shown: f64,
}

/// What a phase was planned to take, and what it took.
#[derive(Debug, Clone, Copy)]
struct Took {
    planned: f64,
    seconds: f64,
}

/// The phase that runs.
#[derive(Debug)]
struct Present {
    phase: Phase,
    /// Whether it was planned; otherwise only its pace counts.
    planned: bool,
    began: f64,
    /// Share of it that is done, and when that was heard.
    share: f64,
    heard: f64,
}

impl Estimate {
    /// Adds seconds that come after everything that a plan knows of.
    pub(super) fn follow(&mut self, seconds: f64) {
        self.tail = seconds;
    }

    /// Hears of progress.
    pub(super) fn hear(&mut self, now: f64, progress: &Progress) {
        let planned = progress.phase.is_some();
        let phase = progress.phase.clone().unwrap_or_else(|| Phase {
            name: String::new(),
            rows: 0,
            before: 0.0,
            seconds: 0.0,
            after: 0.0,
            share: progress.share,
        });
        let share = phase.share.unwrap_or(0.0).clamp(0.0, 1.0);
        let same = |p: &&mut Present| {
            p.planned == planned && p.phase.name == phase.name && p.phase.before == phase.before
        };
        if let Some(present) = self.present.as_mut().filter(same) {
            if share > present.share {
                (present.share, present.heard) = (share, now);
            }
            present.phase = phase;
            return;
        }
        if planned && phase.before == 0.0 {
            self.over.clear();
        } else if let Some(present) = self.present.as_ref().filter(|p| p.planned) {
            self.over.push(Took {
                planned: present.phase.seconds,
                seconds: now - present.began,
            });
        }
        self.present = Some(Present {
            phase,
            planned,
            began: now,
            share,
            heard: now,
        });
    }

    /// Says what is expected, where anything is known.
    pub(super) fn at(&mut self, now: f64) -> Option<Outlook> {
        let present = self.present.as_ref()?;
        let left = present.left(now, &self.over)? + self.tail;
        let share = (now / (now + left).max(1e-9)).min(0.99);
        self.shown = self.shown.max(share);
        Some(Outlook {
            share: self.shown,
            left,
            between: (present.planned && (present.phase.after > 0.0 || present.share < SURE))
                .then(|| [left / UNSURE[0], left * UNSURE[1]]),
        })
    }
}

/// How many times longer than planned the rest of a plan takes, by what phases took: g above.
fn slowness(phases: impl Iterator<Item = Took>, total: f64) -> f64 {
    let (mut sum, mut weights) = (0.0, TRUST);
    for took in phases.filter(|took| took.planned > 0.0) {
        let weight = took.planned / total;
        sum += weight * (took.seconds.max(SHORTEST) / took.planned).ln();
        weights += weight;
    }
    (COMMON * sum / weights).exp()
}

impl Present {
    /// Seconds until the plan is done; `None` where neither plan nor pace tell.
    fn left(&self, now: f64, over: &[Took]) -> Option<f64> {
        let phase = &self.phase;
        let inside = now - self.began;
        let silence = now - self.heard;
        let so_far = self.heard - self.began;
        let pace = (self.share > 0.0 && so_far > 0.0).then(|| so_far / self.share);
        if !self.planned {
            // Silence beyond what the pace promised makes the phase longer.
            return pace.map(|whole| (whole - inside).max(STRETCH * silence));
        }
        let total = phase.total().max(1e-9);
        let planned = (phase.seconds * slowness(over.iter().copied(), total)).max(1e-6);
        let at_least = (inside + STRETCH * inside.min(silence)).max(1e-6);
        let whole = match pace {
            None => planned.max(at_least),
            Some(pace) => {
                // A plan that is over says the less the longer it is over.
                let refuted = (1.0 - planned / inside).max(0.0);
                let weight = (self.share / (self.share + EVEN)).max(refuted);
                let [plan, pace] = [planned, pace].map(|whole| whole.max(at_least).ln());
                ((1.0 - weight) * plan + weight * pace).exp()
            }
        };
        let done = (inside / whole).max(1e-3);
        let present = Took {
            planned: phase.seconds * done,
            seconds: inside,
        };
        let all = over.iter().copied().chain([present]);
        Some(whole - inside + phase.after * slowness(all, total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::line::FEW;

    /// A phase as it went: name, seconds planned, seconds taken, and at which shares of its time it
    /// told which share of its work.
    struct Went {
        name: &'static str,
        planned: f64,
        took: f64,
        told: &'static [(f64, f64)],
    }

    const EVENLY: &[(f64, f64)] = &[
        (0.1, 0.1),
        (0.2, 0.2),
        (0.35, 0.35),
        (0.5, 0.5),
        (0.65, 0.65),
        (0.8, 0.8),
        (0.95, 0.95),
    ];
    /// Work whose last part is the slow one, as the dear settings of a search are.
    const LATE: &[(f64, f64)] = &[(0.1, 0.2), (0.3, 0.5), (0.6, 0.8), (0.85, 0.95)];

    fn went(name: &'static str, planned: f64, took: f64, told: &'static [(f64, f64)]) -> Went {
        Went {
            name,
            planned,
            took,
            told,
        }
    }

    /// Replays phases, and returns time, share shown and time left at every per cent of the time.
    fn replay(phases: &[Went]) -> (f64, Vec<(f64, Outlook)>) {
        let total: f64 = phases.iter().map(|p| p.took).sum();
        let plan: f64 = phases.iter().map(|p| p.planned).sum();
        let mut events: Vec<(f64, Progress)> = Vec::new();
        let (mut start, mut before) = (0.0, 0.0);
        for phase in phases {
            for &(time, share) in [(0.0, 0.0)].iter().chain(phase.told) {
                let progress = Progress {
                    phase: Some(Phase {
                        name: phase.name.to_owned(),
                        rows: 100,
                        before,
                        seconds: phase.planned,
                        after: plan - before - phase.planned,
                        share: (share > 0.0).then_some(share),
                    }),
                    ..Progress::default()
                };
                events.push((start + time * phase.took, progress));
            }
            start += phase.took;
            before += phase.planned;
        }
        let mut estimate = Estimate::default();
        let mut next = events.into_iter().peekable();
        let mut seen = Vec::new();
        for step in 1..100 {
            let now = total * f64::from(step) / 100.0;
            while let Some((at, progress)) = next.next_if(|(at, _)| *at <= now) {
                estimate.hear(at, &progress);
            }
            seen.push((now, estimate.at(now).expect("a plan")));
        }
        (total, seen)
    }

    /// The largest factor by which the time left is wrong after the first tenth; seconds below two
    /// hundredths of the whole are not told apart on any screen.
    fn worst(phases: &[Went]) -> f64 {
        let (total, seen) = replay(phases);
        let late = seen.iter().filter(|(now, _)| *now >= 0.1 * total);
        let factor = |(now, outlook): &(f64, Outlook)| {
            let (truth, told) = (total - now, outlook.left);
            let (truth, told) = (truth.max(0.05 * total), told.max(0.05 * total));
            (told / truth).max(truth / told)
        };
        late.map(factor).fold(1.0, f64::max)
    }

    #[test]
    fn a_plan_that_is_right_is_followed() {
        let phases = [
            went("choosing kernels", 2.0, 2.0, &[]),
            went("searching", 20.0, 20.0, EVENLY),
            went("fitting", 10.0, 10.0, &[]),
        ];
        assert!(worst(&phases) < 2.0, "{}", worst(&phases));
    }

    #[test]
    fn a_slow_or_fast_computer_is_noticed() {
        for (factor, most) in [(0.3, 2.1), (0.5, 2.0), (2.0, 2.5), (4.0, 3.5)] {
            let phases = [
                went("choosing kernels", 2.0, 2.0 * factor, &[]),
                went("searching", 20.0, 20.0 * factor, LATE),
                went("fitting", 10.0, 10.0 * factor, EVENLY),
            ];
            assert!(worst(&phases) < most, "{factor}: {}", worst(&phases));
        }
    }

    #[test]
    fn a_phase_that_takes_longer_stretches_the_rest() {
        let phases = [
            went("searching", 10.0, 20.0, EVENLY),
            went("fitting", 10.0, 20.0, &[]),
        ];
        let (total, seen) = replay(&phases);
        assert!(worst(&phases) < 3.0, "{}", worst(&phases));
        // Nothing sticks near the end.
        for (now, outlook) in seen.iter().filter(|(now, _)| *now < 0.8 * total) {
            assert!(outlook.share < 0.95, "{now}: {outlook:?}");
        }
    }

    #[test]
    fn the_share_never_falls() {
        let phases = [
            went("choosing kernels", 5.0, 1.0, &[]),
            went("searching", 1.0, 9.0, &[]),
            went("fitting", 1.0, 30.0, EVENLY),
        ];
        let (_, seen) = replay(&phases);
        assert!(seen.windows(2).all(|w| w[1].1.share >= w[0].1.share));
        assert!(
            seen.iter()
                .all(|(_, o)| (0.0..=0.99).contains(&o.share) && o.left >= 0.0)
        );
    }

    #[test]
    fn a_word_between_two_phases_does_not_start_anew() {
        let phase = |before: f64| Progress {
            phase: Some(Phase {
                name: "searching".to_owned(),
                rows: 9,
                before,
                seconds: 1.0,
                after: 4.0 - before,
                share: None,
            }),
            ..Progress::default()
        };
        let mut estimate = Estimate::default();
        estimate.hear(0.0, &phase(0.0));
        estimate.hear(9.9, &Progress::default());
        estimate.hear(10.0, &phase(1.0));
        // One of five parts took ten seconds, so that four more take much longer than planned.
        let left = estimate.at(10.1).expect("a plan").left;
        assert!((15.0..45.0).contains(&left), "{left}");
    }

    #[test]
    fn work_without_a_plan_goes_by_its_pace() {
        let mut estimate = Estimate::default();
        let share = |share| Progress {
            share,
            ..Progress::default()
        };
        estimate.hear(0.0, &share(None));
        assert_eq!(estimate.at(5.0), None);
        estimate.hear(10.0, &share(Some(0.25)));
        let outlook = estimate.at(10.0).expect("a pace");
        assert!((outlook.left - 30.0).abs() < 1e-9, "{outlook:?}");
        assert!((outlook.share - 0.25).abs() < 1e-9, "{outlook:?}");
    }

    /// What was recorded of a fit: when each thing was heard, and when all was over.
    fn recorded(text: &str) -> (Vec<(f64, Option<Progress>, f64)>, f64) {
        let mut events = Vec::new();
        let mut end = 0.0;
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let number = |k: usize| fields[k].parse::<f64>().ok();
            let at = number(0).expect("a second");
            match (fields[1], number(2), number(3), number(4)) {
                ("end", ..) => end = at,
                ("follow", _, Some(seconds), _) => events.push((at, None, seconds)),
                (name, Some(before), Some(seconds), Some(after)) => {
                    let phase = Phase {
                        name: name.to_owned(),
                        rows: 0,
                        before,
                        seconds,
                        after,
                        share: number(5),
                    };
                    let progress = Progress {
                        phase: Some(phase),
                        ..Progress::default()
                    };
                    events.push((at, Some(progress), 0.0));
                }
                _ => {
                    let progress = Progress {
                        share: number(5),
                        ..Progress::default()
                    };
                    events.push((at, Some(progress), 0.0));
                }
            }
        }
        (events, end)
    }

    /// Says where what is told of the time left of a recorded fit is not true after the first tenth: one time is wrong by
    /// more than a factor of two, two times do not hold the truth, or a few seconds are more than ten.
    /// Times below a second, or a twentieth of the whole, are not told apart.
    fn untrue(text: &str) -> Option<String> {
        let (events, end) = recorded(text);
        let least = (0.05 * end).max(1.0);
        let mut estimate = Estimate::default();
        let mut next = events.into_iter().peekable();
        for step in 1..100 {
            let now = end * f64::from(step) / 100.0;
            while let Some((at, progress, follow)) = next.next_if(|(at, ..)| *at <= now) {
                match progress {
                    Some(progress) => estimate.hear(at, &progress),
                    None => estimate.follow(follow),
                }
            }
            let Some(outlook) = estimate.at(now).filter(|_| step >= 10) else {
                continue;
            };
            let truth = (end - now).max(least);
            let [low, high] = match outlook.between {
                Some([_, most]) if most < FEW => [0.0, 10.0],
                Some(between) => between,
                None => [outlook.left / 2.0, outlook.left.max(least) * 2.0],
            };
            if truth < low || truth > high {
                return Some(format!("{now:.1} s: {truth:.1} s are left, {outlook:?}"));
            }
        }
        None
    }

    /// Fits as they went on two cores.
    #[test]
    fn recorded_fits_are_foretold() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/progress");
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).expect("recorded fits") {
            let path = entry.expect("a file").path();
            if path.extension().is_none_or(|e| e != "tsv") {
                continue;
            }
            seen += 1;
            let name = path.file_stem().expect("a name").to_string_lossy();
            let text = std::fs::read_to_string(&path).expect("readable");
            let fault = untrue(&text);
            assert_eq!(fault, None, "{name}");
        }
        assert!(seen >= 8, "{seen}");
    }
}
