//! Round numbers along an axis.

use super::label;
use super::scale::Scale;

/// An axis from end to end, with its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ruler {
    pub(crate) scale: Scale,
    /// Ends, in the numbers of [`Scale::inner`].
    low: f64,
    high: f64,
    pub(crate) ticks: Vec<Tick>,
}

/// A mark with its label.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    /// Where it is, from 0 to 1.
    pub(crate) share: f64,
    pub(crate) label: String,
}

impl Ruler {
    /// Covers values with about `parts` ticks; a linear axis begins and ends at one.
    pub(crate) fn covering(ends: Option<[f64; 2]>, scale: Scale, parts: f64) -> Self {
        let inner = ends.and_then(|[a, b]| {
            let (a, b) = (scale.inner(a)?, scale.inner(b)?);
            Some([a.min(b), a.max(b)])
        });
        match scale {
            Scale::Linear => Self::linear(widened(inner.unwrap_or([0.0, 1.0])), parts),
            Scale::Log => Self::log(inner.unwrap_or([0.0, 1.0]), parts),
        }
    }

    /// Ends exactly where it is told to.
    pub(crate) fn between(ends: [f64; 2], scale: Scale, parts: f64) -> Self {
        let [low, high] = match (scale.inner(ends[0]), scale.inner(ends[1])) {
            (Some(low), Some(high)) if low < high => [low, high],
            _ => return Self::covering(Some(ends), scale, parts),
        };
        let mut ruler = Self::covering(Some(ends), scale, parts);
        let (outer_low, outer) = (ruler.low, ruler.high - ruler.low);
        for tick in &mut ruler.ticks {
            let inner = outer_low + tick.share * outer;
            tick.share = (inner - low) / (high - low);
        }
        // Ticks at the ends miss them by a rounding error.
        ruler
            .ticks
            .retain(|tick| (-1e-9..=1.0 + 1e-9).contains(&tick.share));
        Self { low, high, ..ruler }
    }

    fn linear([low, high]: [f64; 2], parts: f64) -> Self {
        let step = round_step((high - low) / parts.max(1.0));
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        // A step is at least a part of the range, so that there are few ticks.
        let count = (last - first).clamp(1.0, 100.0) as usize;
        let (low, high) = (first * step, (first + count as f64) * step);
        let values: Vec<f64> = (0..=count).map(|k| (first + k as f64) * step).collect();
        let ticks = values
            .iter()
            .enumerate()
            .map(|(k, &value)| Tick {
                share: k as f64 / count as f64,
                label: label::linear(value, step),
            })
            .collect();
        Self {
            scale: Scale::Linear,
            low,
            high,
            ticks,
        }
    }

    fn log([low, high]: [f64; 2], parts: f64) -> Self {
        // A little room keeps the outermost marks off the edge.
        let room = (0.04 * (high - low)).max(0.02);
        let (low, high) = (low - room, high + room);
        let place = |power: f64| (power - low) / (high - low);
        let (first, last) = (low.ceil(), high.floor());
        let plain = low >= -3.5 && high <= 4.5;
        let mut ticks: Vec<Tick> = Vec::new();
        if last - first >= 2.0 {
            let every = ((last - first + 1.0) / parts.max(1.0)).ceil().max(1.0);
            let mut power = (first / every).ceil() * every;
            while power <= last && ticks.len() < 100 {
                ticks.push(Tick {
                    share: place(power),
                    label: label::power(power as i32, plain),
                });
                power += every;
            }
        } else {
            // Less than three powers of ten: their multiples, the rounder ones first.
            let mut power = low.floor();
            let all: &[f64] = if high - low < 0.5 {
                &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
            } else if high - low < 1.2 {
                &[1.0, 2.0, 3.0, 5.0]
            } else {
                &[1.0, 2.0, 5.0]
            };
            while power <= high {
                for &multiple in all {
                    let inner = power + multiple.log10();
                    if (low..=high).contains(&inner) {
                        ticks.push(Tick {
                            share: place(inner),
                            label: label::multiple(multiple, power as i32, plain),
                        });
                    }
                }
                power += 1.0;
            }
        }
        Self {
            scale: Scale::Log,
            low,
            high,
            ticks,
        }
    }

    /// Where a value lies, from 0 to 1; the ends stand for what lies beyond them.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        let inner = self.scale.inner(value)?;
        Some(((inner - self.low) / (self.high - self.low)).clamp(0.0, 1.0))
    }

    /// The ends as values.
    pub(crate) fn ends(&self) -> [f64; 2] {
        match self.scale {
            Scale::Linear => [self.low, self.high],
            Scale::Log => [self.low, self.high].map(|inner| 10_f64.powf(inner)),
        }
    }

    /// Leaves out ticks, at equal distances, until labels do not touch: `room` is the length of
    /// the axis and `size` what a label takes of it.
    pub(crate) fn thin(&mut self, room: f64, size: impl Fn(&str) -> f64) {
        let crowded = |every: usize, ticks: &[Tick]| {
            let kept: Vec<&Tick> = ticks.iter().step_by(every).collect();
            kept.windows(2).any(|pair| {
                let apart = (pair[1].share - pair[0].share) * room;
                f64::midpoint(size(&pair[0].label), size(&pair[1].label)) > apart
            })
        };
        let mut every = 1;
        while every < self.ticks.len() && crowded(every, &self.ticks) {
            every += 1;
        }
        let mut place = 0;
        self.ticks.retain(|_| {
            place += 1;
            (place - 1) % every == 0
        });
    }
}

/// A range in which steps can be counted.
fn widened([low, high]: [f64; 2]) -> [f64; 2] {
    let largest = low.abs().max(high.abs());
    // Below this, neighbouring ticks would be the same number.
    let least = 1e-12 * largest;
    if high - low > least && high - low >= 1e-300 {
        return [low, high];
    }
    let half = if largest > 1e-290 { largest / 2.0 } else { 0.5 };
    [low - half, high + half]
}

/// The least of 1, 2 and 5 times a power of ten that is not far below a length.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powi(rough.log10().floor() as i32);
    // A quarter more ticks than asked for are better than half of them.
    for step in [power, 2.0 * power, 5.0 * power, 10.0 * power] {
        if step >= 0.8 * rough {
            return step;
        }
    }
    20.0 * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ruler: &Ruler) -> Vec<&str> {
        ruler.ticks.iter().map(|t| t.label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round() {
        let axis = Ruler::covering(Some([-1.3, 2.2]), Scale::Linear, 5.0);
        assert_eq!(labels(&axis), ["−2", "−1", "0", "1", "2", "3"]);
        assert_eq!(axis.ends(), [-2.0, 3.0]);
        let axis = Ruler::covering(Some([0.0, 1.0]), Scale::Linear, 5.0);
        assert_eq!(labels(&axis), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(axis.place(0.25), Some(0.25));
        let axis = Ruler::covering(Some([0.1, 0.3]), Scale::Linear, 4.0);
        assert_eq!(labels(&axis), ["0.10", "0.15", "0.20", "0.25", "0.30"]);
    }

    #[test]
    fn every_range_has_ticks_that_differ() {
        let ranges = [
            [3.0, 3.0],
            [0.0, 0.0],
            [-7e-13, -7e-13],
            [1e15, 1e15 + 1.0],
            [1e6, 1e6 + 2e-3],
            [-1e308, 1e308],
            [f64::MIN, f64::MAX],
            [5e-324, 5e-324],
            [0.0, 5e-324],
            [1e-310, 2e-310],
            [f64::MAX, f64::MAX],
            [-1.0, 1e-17],
            [0.999_999_999, 1.0],
        ];
        for ends in ranges {
            for parts in [1.0, 4.0, 8.0] {
                let axis = Ruler::covering(Some(ends), Scale::Linear, parts);
                let found = labels(&axis);
                assert!((2..=20).contains(&found.len()), "{ends:?} {found:?}");
                let mut unique = found.clone();
                unique.dedup();
                assert_eq!(unique, found, "{ends:?}");
                let [low, high] = ends.map(|v| axis.place(v).expect("finite"));
                assert!((0.0..=1.0).contains(&low) && low <= high, "{ends:?}");
                assert!(axis.ticks.windows(2).all(|t| t[0].share < t[1].share));
            }
        }
    }

    #[test]
    fn what_is_no_number_has_no_place() {
        for scale in [Scale::Linear, Scale::Log] {
            for ends in [None, Some([f64::NAN, 1.0]), Some([f64::NEG_INFINITY, 0.5])] {
                let axis = Ruler::covering(ends, scale, 5.0);
                assert!(axis.ticks.len() > 1, "{ends:?}");
                assert_eq!(axis.place(f64::NAN), None);
                assert_eq!(axis.place(f64::INFINITY), None);
            }
        }
        let axis = Ruler::covering(Some([0.1, 10.0]), Scale::Log, 5.0);
        assert_eq!([axis.place(0.0), axis.place(-1.0)], [None, None]);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        let axis = Ruler::covering(Some([0.01, 100.0]), Scale::Log, 8.0);
        assert_eq!(labels(&axis), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(axis.place(1.0), Some(0.5));
        let axis = Ruler::covering(Some([1e-8, 1e4]), Scale::Log, 5.0);
        assert_eq!(labels(&axis), ["10⁻⁶", "10⁻³", "1", "10³"]);
        let axis = Ruler::covering(Some([2.0, 9.0]), Scale::Log, 5.0);
        assert_eq!(labels(&axis), ["2", "3", "5"]);
        let axis = Ruler::covering(Some([3.0, 3.0]), Scale::Log, 5.0);
        assert_eq!(labels(&axis), ["3"]);
        let axis = Ruler::covering(Some([1e-300, 1e300]), Scale::Log, 5.0);
        assert!((2..=6).contains(&axis.ticks.len()), "{:?}", labels(&axis));
    }

    #[test]
    fn ends_can_be_given() {
        let axis = Ruler::between([0.0, 12.0], Scale::Linear, 3.0);
        assert_eq!(labels(&axis), ["0", "5", "10"]);
        assert_eq!([axis.place(12.0), axis.place(6.0)], [Some(1.0), Some(0.5)]);
    }

    #[test]
    fn crowded_labels_are_thinned() {
        let mut axis = Ruler::covering(Some([0.0, 10.0]), Scale::Linear, 10.0);
        axis.thin(100.0, |_| 25.0);
        assert_eq!(labels(&axis), ["0", "3", "6", "9"]);
        axis.thin(1.0, |_| 25.0);
        assert_eq!(labels(&axis), ["0"]);
    }
}
