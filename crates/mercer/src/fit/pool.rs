//! Thread pools that are started once and kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{Error, Result};

/// Pools by process and number of threads.
///
/// A process that forked has the memory of its parent and none of its threads, so that the
/// parent's pools are of no use to it.
type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;

static POOLS: OnceLock<Mutex<Pools>> = OnceLock::new();

/// Returns a pool of that many threads; the first of its kind takes some 50 microseconds.
///
/// # Errors
/// The operating system's refusal to start threads, as a setting error.
pub(super) fn pool(threads: usize) -> Result<Arc<ThreadPool>> {
    let key = (std::process::id(), threads);
    let pools = POOLS.get_or_init(Mutex::default);
    // A fork may copy the lock while another thread of the parent holds it; whoever cannot have
    // it at once goes without, and nobody waits for a thread that does not exist.
    if let Ok(known) = pools.try_lock()
        && let Some(pool) = known.get(&key)
    {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|_| Error::setting("threads", threads, "a number this computer can start"))?;
    let pool = Arc::new(pool);
    if let Ok(mut known) = pools.try_lock() {
        known.entry(key).or_insert_with(|| Arc::clone(&pool));
    }
    Ok(pool)
}

/// Returns the number of cores the process may use, looked up once.
pub(super) fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_is_started_once() {
        let first = pool(3).expect("three threads");
        assert_eq!(first.current_num_threads(), 3);
        // Another test may hold the lock for a moment; one of several tries meets it free.
        let same = (0..100).any(|_| Arc::ptr_eq(&first, &pool(3).expect("three threads")));
        assert!(same);
    }
}
