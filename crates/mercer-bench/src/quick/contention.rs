//! Whether other programs got in the way.

/// Share of the time up to which the machine counts as calm: the programs measured here have as
/// many threads as there are cores, and hardly wait for each other.
pub(crate) const CALM: f64 = 0.15;

/// A stretch of time, and how long something waited for a core in it.
///
/// Linux keeps count of the microseconds in which some process could run and had no core
/// (`/proc/pressure/cpu`).
pub(crate) struct Contention {
    start: std::time::Instant,
    before: Option<f64>,
}

impl Contention {
    /// Starts to watch.
    pub(crate) fn begin() -> Self {
        Self {
            start: std::time::Instant::now(),
            before: waited(),
        }
    }

    /// The share of the time since then in which something waited.
    pub(crate) fn share(&self) -> Option<f64> {
        let seconds = self.start.elapsed().as_secs_f64();
        Some((waited()? - self.before?) / seconds)
    }
}

fn waited() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/pressure/cpu").ok()?;
    seconds(&text)
}

/// The seconds in the text of the file.
fn seconds(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.starts_with("some "))?;
    let total = line
        .split(' ')
        .find_map(|word| word.strip_prefix("total="))?;
    Some(total.parse::<f64>().ok()? * 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_in_microseconds() {
        let text = "some avg10=1.00 avg60=0.45 avg300=0.73 total=2500000\nfull avg10=0 total=7\n";
        assert_eq!(seconds(text), Some(2.5));
        assert_eq!(seconds("full avg10=0 total=7"), None);
        assert_eq!(seconds("some total=x"), None);
    }
}
