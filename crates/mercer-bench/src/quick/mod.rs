//! A few minutes that say whether a change made mercer slower.
//!
//! Two programs, an old and a new one, do the same work by turns. What a user waits for is
//! measured: the whole process, from its start to its end. Three things keep that honest.
//!
//! * **Start-up is a case of its own**, never subtracted: a difference of two measured times
//!   would be noisier than both, and a slower start would vanish in it. Small sets are
//!   cross-validated with as many folds as it takes for hundreds of fits to outweigh one start.
//! * **The order is old, new, new, old**, then the other way round, so that a machine that
//!   warms up or slows down does so for both alike. Rounds go over all cases in rotating order.
//! * **Results are compared** beside the times: a faster wrong result is no progress.
//!
//! `sample` has the statistics and says why the minimum counts.

mod answer;
mod case;
mod cases;
mod child;
mod contention;
mod page;
mod race;
mod record;
mod run;
mod sample;
mod scratch;
mod stage;
mod verdict;

pub(crate) use page::list;
pub(crate) use run::run;

use serde::Serialize;

/// One of the two programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    /// The program as it was.
    Old,
    /// The program as it is now.
    New,
}

impl Side {
    /// Both.
    pub(crate) const BOTH: [Side; 2] = [Side::Old, Side::New];

    /// The name in folders and texts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Side::Old => "old",
            Side::New => "new",
        }
    }
}

/// Something of both programs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Both<T> {
    /// Of the old one.
    pub(crate) old: T,
    /// Of the new one.
    pub(crate) new: T,
}

impl<T> Both<T> {
    /// That of one program.
    pub(crate) fn of(&self, side: Side) -> &T {
        match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        }
    }

    /// That of one program, to be changed.
    pub(crate) fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Old => &mut self.old,
            Side::New => &mut self.new,
        }
    }
}
