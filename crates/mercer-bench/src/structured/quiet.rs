//! Whether other programs keep the machine busy.

use std::time::{Duration, Instant};

use super::record::Rounds;

/// Cores kept busy by others up to which the machine is quiet.
pub(crate) const QUIET: f64 = 0.25;

/// How long to look.
const LOOK: Duration = Duration::from_millis(500);

/// Ticks of all cores since the start: busy ones and all. Ticks stolen by other machines are
/// busy ones.
fn ticks(text: &str) -> Option<(u64, u64)> {
    let line = text.lines().find(|line| line.starts_with("cpu "))?;
    let numbers: Vec<u64> = line
        .split_whitespace()
        .skip(1)
        .take(8)
        .filter_map(|word| word.parse().ok())
        .collect();
    let all: u64 = numbers.iter().sum();
    let idle = numbers.get(3)? + numbers.get(4)?;
    Some((all - idle, all))
}

/// Cores in use while this process sleeps; NaN where it cannot be told.
pub(crate) fn busy() -> f64 {
    let read = || {
        std::fs::read_to_string("/proc/stat")
            .ok()
            .and_then(|text| ticks(&text))
    };
    let before = read();
    std::thread::sleep(LOOK);
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    match (before, read()) {
        (Some(before), Some(after)) if after.1 > before.1 => {
            cores * (after.0 - before.0) as f64 / (after.1 - before.1) as f64
        }
        _ => f64::NAN,
    }
}

/// Waits until others are quiet, or patience ends; says how busy they are then.
pub(crate) fn wait(patience: f64) -> f64 {
    let start = Instant::now();
    loop {
        let busy = busy();
        if busy.is_nan() || busy <= QUIET || start.elapsed().as_secs_f64() >= patience {
            return busy;
        }
    }
}

/// The load of the last minute; NaN where it cannot be told.
pub(crate) fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split(' ').next().and_then(|word| word.parse().ok());
    first.unwrap_or(f64::NAN)
}

/// The time of day.
pub(crate) fn now() -> String {
    let now = jiff::Timestamp::now();
    now.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// Runs work in rounds, each when others are quiet; returns the last result too.
pub(crate) fn rounds<R, E>(
    count: usize,
    patience: f64,
    mut work: impl FnMut() -> Result<(f64, R), E>,
) -> Result<(Rounds, Option<R>), E> {
    let mut rounds = Rounds {
        seconds: Vec::new(),
        load: load(),
        busy: Vec::new(),
        date: now(),
    };
    let mut best = None;
    for _ in 0..count.max(1) {
        rounds.busy.push(wait(patience));
        let (seconds, result) = work()?;
        if seconds < rounds.best() {
            best = Some(result);
        }
        rounds.seconds.push(seconds);
    }
    Ok((rounds, best))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_all_cores() {
        let text = "cpu  10 1 5 80 4 0 0 2 0 0\ncpu0 1 2 3 4\n";
        assert_eq!(ticks(text), Some((18, 102)));
        assert_eq!(ticks("intr 1"), None);
    }

    #[test]
    fn the_best_round_is_kept() {
        let mut times = [3.0, 1.0, 2.0].into_iter();
        let (rounds, best) = rounds(3, 0.0, || {
            let time = times.next().unwrap();
            Ok::<_, ()>((time, time))
        })
        .unwrap();
        assert_eq!((rounds.best(), best), (1.0, Some(1.0)));
        assert_eq!(rounds.seconds, [3.0, 1.0, 2.0]);
    }
}
