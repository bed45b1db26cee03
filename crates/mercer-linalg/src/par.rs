//! Whether an operation may use several threads.

use rayon::prelude::*;

/// Says whether long work is to go on; asked from any thread, every few milliseconds.
///
/// Once it has said no, it says no for good.
pub type Proceed<'a> = &'a (dyn Fn() -> bool + Sync);

/// Where the work of a call runs.
///
/// The choice never changes a result, bit for bit: blocks and the order of every sum are fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Par {
    /// The calling thread does everything.
    #[default]
    Sequential,
    /// The caller's current rayon pool shares the work.
    Rayon,
}

impl Par {
    /// The number of threads that may work at once.
    pub fn threads(self) -> usize {
        match self {
            Self::Sequential => 1,
            Self::Rayon => rayon::current_num_threads(),
        }
    }

    /// Calls `task` with every number below `tasks`, in any order when parallel.
    pub fn for_each(self, tasks: usize, task: impl Fn(usize) + Sync + Send) {
        if tasks <= 1 || self.threads() == 1 {
            (0..tasks).for_each(task);
        } else {
            (0..tasks).into_par_iter().with_max_len(1).for_each(task);
        }
    }

    /// [`Par::Sequential`] when the work is too small to share.
    pub(crate) fn if_worth(self, flops: f64) -> Self {
        // A rayon hand-over costs 5–10 µs; 2e6 operations are about 20 µs on one core.
        if flops < 2e6 { Self::Sequential } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_task_runs_once() {
        for par in [Par::Sequential, Par::Rayon] {
            let sum = AtomicUsize::new(0);
            par.for_each(10, |task| {
                sum.fetch_add(task + 1, Ordering::Relaxed);
            });
            assert_eq!(sum.into_inner(), 55);
        }
        assert_eq!(Par::Sequential.threads(), 1);
    }
}
