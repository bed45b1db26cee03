//! Who runs when, and how often.

use super::child::Trouble;
use super::sample::{Ratio, Times};
use super::{Both, Side};
use crate::rounds::order;

/// Share of the seconds for rounds over all cases; the rest is for doubtful ones.
const PLANNED: f64 = 0.65;

/// Rounds over which the share of a case is spread, so that no disturbance of some seconds
/// falls on all its runs.
const ROUNDS: f64 = 5.0;

/// Blocks that every case gets while there is time, however dear it is.
const AT_LEAST: usize = 3;

/// Blocks after which more would not be worth their time.
const AT_MOST: usize = 60;

/// Seconds for the first run of a case, of which nothing is known.
const FIRST: f64 = 20.0;

/// A run that takes this many times as long as the best one is stopped: the verdict is clear.
const CLEARLY_SLOWER: f64 = 10.0;

/// But every run has this many seconds: a machine may stop for a moment.
const PATIENCE: f64 = 3.0;

/// Seconds kept for the last words.
const RESERVE: f64 = 1.0;

/// What runs programs: processes, or a simulation in tests.
pub(crate) trait Stage {
    /// Seconds since the start.
    fn now(&self) -> f64;
    /// Prepares a case.
    fn before(&mut self, case: usize, limit: f64) -> Result<(), Trouble>;
    /// Runs a program on a case; returns its seconds.
    fn run(&mut self, case: usize, side: Side, limit: f64) -> Result<f64, Trouble>;
    /// Looks at the results of a program.
    fn after(&mut self, case: usize, side: Side, limit: f64) -> Result<(), Trouble>;
}

/// What is known of a case.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Entry {
    /// Seconds of all runs.
    pub(crate) times: Both<Times>,
    /// What ended the case early, and in which program.
    pub(crate) trouble: Option<(Side, Trouble)>,
    /// Seconds that all of it took.
    spent: f64,
    blocks: usize,
}

/// The four runs of a block. Within one, a steady drift of the machine's speed falls on both
/// programs alike; from one to the next, being first alternates.
pub(crate) fn block(number: usize) -> [Side; 4] {
    use Side::{New, Old};
    if number.is_multiple_of(2) {
        [Old, New, New, Old]
    } else {
        [New, Old, Old, New]
    }
}

impl Entry {
    /// The ratio of the programs, unless one of them did not get through.
    pub(crate) fn ratio(&self) -> Option<Ratio> {
        match self.trouble {
            Some((_, Trouble::Slow(_) | Trouble::Failed(_))) => None,
            Some((_, Trouble::NoTime)) | None => Ratio::of(&self.times),
        }
    }

    /// Whether the plan has more for this case.
    fn planned(&self, share: f64) -> bool {
        let enough = self.spent >= share && self.blocks >= AT_LEAST;
        self.trouble.is_none() && !enough && self.blocks < AT_MOST
    }

    /// Whether more runs could change the verdict.
    fn doubtful(&self, worst: f64) -> bool {
        let doubtful = self.ratio().is_none_or(|ratio| ratio.doubtful(worst));
        self.trouble.is_none() && doubtful
    }

    /// Seconds of one more block.
    fn expected(&self) -> f64 {
        let sides = Side::BOTH.map(|side| self.times.of(side).median().unwrap_or(0.0));
        2.0 * (sides[0] + sides[1])
    }

    /// Seconds for the next run.
    fn limit(&self) -> f64 {
        let best = Side::BOTH.map(|side| self.times.of(side).best());
        match best.into_iter().flatten().min_by(f64::total_cmp) {
            Some(best) => (CLEARLY_SLOWER * best).max(PATIENCE),
            None => FIRST,
        }
    }
}

/// Runs all cases within the seconds given.
pub(crate) struct Race<'a, S> {
    /// What runs the programs.
    pub(crate) stage: &'a mut S,
    /// What is known of the cases.
    pub(crate) entries: Vec<Entry>,
    /// Seconds in all.
    pub(crate) seconds: f64,
    /// By how much the worst case may be slower.
    pub(crate) worst: f64,
}

impl<S: Stage> Race<'_, S> {
    /// Rounds over all cases first, then over those in doubt.
    pub(crate) fn run(&mut self) {
        let count = self.entries.len();
        let share = PLANNED * self.seconds / count.max(1) as f64;
        let slot = share / ROUNDS;
        // One block of every case comes before a second one of any.
        let mut round = 0;
        self.each(round, 0.0, |_| true);
        loop {
            round += 1;
            if !self.each(round, slot, |entry| entry.planned(share)) {
                break;
            }
        }
        let worst = self.worst;
        loop {
            round += 1;
            if !self.each(round, slot, |entry| entry.doubtful(worst)) {
                break;
            }
        }
    }

    /// A round over the cases that want one; whether anything ran.
    fn each(&mut self, round: usize, slot: f64, wants: impl Fn(&Entry) -> bool) -> bool {
        let mut ran = false;
        for case in order(self.entries.len(), round) {
            let start = self.stage.now();
            while wants(&self.entries[case]) && self.fits(case) {
                self.block(case);
                ran = true;
                if self.stage.now() - start >= slot {
                    break;
                }
            }
        }
        ran
    }

    fn left(&self) -> f64 {
        self.seconds - RESERVE - self.stage.now()
    }

    fn fits(&mut self, case: usize) -> bool {
        let left = self.left();
        let entry = &mut self.entries[case];
        if entry.trouble.is_none() && left <= 0.0 && entry.blocks == 0 {
            entry.trouble = Some((Side::Old, Trouble::NoTime));
        }
        entry.trouble.is_none() && left > entry.expected()
    }

    /// Four runs of a case; the first time with what comes before and after.
    fn block(&mut self, case: usize) {
        let start = self.stage.now();
        let done = self.runs(case);
        let end = self.stage.now();
        let entry = &mut self.entries[case];
        entry.spent += end - start;
        entry.blocks += 1;
        entry.trouble = done.err();
    }

    fn runs(&mut self, case: usize) -> Result<(), (Side, Trouble)> {
        let number = self.entries[case].blocks;
        if number == 0 {
            self.within(Side::Old, FIRST, |stage, limit| stage.before(case, limit))?;
        }
        for side in block(number) {
            let limit = self.entries[case].limit();
            let seconds = self.within(side, limit, |stage, limit| stage.run(case, side, limit))?;
            self.entries[case].times.of_mut(side).0.push(seconds);
        }
        if number == 0 {
            for side in Side::BOTH {
                self.within(side, FIRST, |stage, limit| stage.after(case, side, limit))?;
            }
        }
        Ok(())
    }

    /// Lets something run within its own limit and that of the whole. What the latter stopped
    /// says nothing about the program.
    fn within<T>(
        &mut self,
        side: Side,
        limit: f64,
        work: impl FnOnce(&mut S, f64) -> Result<T, Trouble>,
    ) -> Result<T, (Side, Trouble)> {
        let left = self.left();
        if left <= 0.0 {
            return Err((side, Trouble::NoTime));
        }
        work(self.stage, limit.min(left)).map_err(|trouble| match trouble {
            Trouble::Slow(_) if left < limit => (side, Trouble::NoTime),
            trouble => (side, trouble),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs with times made up: `times(case, side, run)`.
    struct Simulation<F> {
        clock: f64,
        log: Vec<(usize, Side)>,
        times: F,
    }

    impl<F: Fn(usize, Side, usize) -> f64> Stage for Simulation<F> {
        fn now(&self) -> f64 {
            self.clock
        }

        fn before(&mut self, _: usize, _: f64) -> Result<(), Trouble> {
            Ok(())
        }

        fn run(&mut self, case: usize, side: Side, limit: f64) -> Result<f64, Trouble> {
            let runs = self.log.iter().filter(|run| **run == (case, side)).count();
            let seconds = (self.times)(case, side, runs);
            self.log.push((case, side));
            self.clock += seconds.min(limit);
            if seconds > limit {
                return Err(Trouble::Slow(limit));
            }
            Ok(seconds)
        }

        fn after(&mut self, _: usize, _: Side, _: f64) -> Result<(), Trouble> {
            Ok(())
        }
    }

    fn simulate(
        cases: usize,
        seconds: f64,
        times: impl Fn(usize, Side, usize) -> f64,
    ) -> (Vec<Entry>, Vec<(usize, Side)>, f64) {
        let mut stage = Simulation {
            clock: 0.0,
            log: Vec::new(),
            times,
        };
        let mut race = Race {
            stage: &mut stage,
            entries: vec![Entry::default(); cases],
            seconds,
            worst: 0.10,
        };
        race.run();
        let entries = race.entries;
        (entries, stage.log, stage.clock)
    }

    #[test]
    fn the_middle_of_a_block_is_the_same_for_both() {
        for number in 0..4 {
            let block = block(number);
            let middle = |side: Side| -> usize {
                let places = block.iter().enumerate();
                places.filter(|(_, s)| **s == side).map(|(k, _)| k).sum()
            };
            assert_eq!(middle(Side::Old), middle(Side::New));
            assert_ne!(block[0], super::block(number + 1)[0]);
        }
    }

    #[test]
    fn every_case_runs_before_any_runs_again() {
        let (entries, log, clock) = simulate(3, 60.0, |case, _, _| 0.1 * (case + 1) as f64);
        let cases: Vec<usize> = log.iter().map(|(case, _)| *case).collect();
        assert_eq!(cases[..12], [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
        // The next round starts with the next case.
        assert_eq!(cases[12], 1);
        for entry in &entries {
            assert_eq!(entry.times.old.0.len(), entry.times.new.0.len());
            assert!(entry.blocks >= AT_LEAST);
            assert_eq!(entry.ratio().unwrap().value, 1.0);
        }
        // No case is in doubt, so a third of the time stays unused.
        assert!(clock < 0.8 * 60.0, "{clock}");
    }

    #[test]
    fn doubtful_cases_get_the_rest_of_the_time() {
        // The second case is as fast as before, but one run in seven is undisturbed.
        let noisy = |case: usize, side: Side, run: usize| match (case, side) {
            (1, Side::New) if run % 7 != 6 => 0.13 + 0.01 * (run % 7) as f64,
            (1, Side::Old) if run % 7 != 1 => 0.13 + 0.01 * (run % 7) as f64,
            _ => 0.1,
        };
        let (entries, _, clock) = simulate(3, 12.0, noisy);
        assert!(entries[1].spent > 1.5 * entries[0].spent, "{entries:?}");
        assert_eq!(entries[1].ratio().unwrap().value, 1.0);
        assert!(clock <= 12.0);
    }

    #[test]
    fn a_slower_program_is_found() {
        let (entries, _, _) = simulate(2, 30.0, |case, side, _| match (case, side) {
            (1, Side::New) => 0.12,
            _ => 0.1,
        });
        let ratio = entries[1].ratio().unwrap();
        assert!((ratio.value - 1.2).abs() < 1e-12);
        assert!(!ratio.doubtful(0.10));
    }

    #[test]
    fn a_hanging_program_costs_seconds_not_the_run() {
        let (entries, log, clock) = simulate(4, 60.0, |case, side, _| match (case, side) {
            (2, Side::New) => 1e9,
            _ => 0.2,
        });
        assert_eq!(
            entries[2].trouble,
            Some((Side::New, Trouble::Slow(PATIENCE)))
        );
        assert_eq!(entries[2].ratio(), None);
        assert_eq!(log.iter().filter(|(case, _)| *case == 2).count(), 2);
        assert!(clock <= 60.0);
        assert!(entries[3].ratio().is_some());
    }

    #[test]
    fn the_budget_holds_when_everything_hangs() {
        let (entries, _, clock) = simulate(20, 50.0, |_, _, _| 1e9);
        assert!(clock <= 50.0, "{clock}");
        let of = |entry: &Entry| entry.trouble.clone().unwrap();
        assert_eq!(of(&entries[0]), (Side::Old, Trouble::Slow(FIRST)));
        assert_eq!(of(&entries[19]), (Side::Old, Trouble::NoTime));
        assert!(entries.iter().all(|entry| entry.ratio().is_none()));
    }

    #[test]
    fn runs_cut_by_the_budget_count_against_nobody() {
        let (entries, _, clock) = simulate(1, 10.0, |_, _, run| if run < 2 { 1.0 } else { 9.0 });
        assert!(clock <= 10.0, "{clock}");
        assert_eq!(entries[0].ratio().unwrap().value, 1.0);
    }
}
