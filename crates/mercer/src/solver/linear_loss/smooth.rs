//! Losses with slopes and curvatures.

use std::ops::Range;

use mercer_linalg::exp_in_place;

/// A loss of decisions, summed over rows.
///
/// `decisions` and what is written have a number per row of the run and output.
pub(crate) trait Smooth: Sync {
    /// Decisions of a row.
    fn outputs(&self) -> usize;

    /// Σ price · L.
    fn value(&self, rows: Range<usize>, decisions: &[f64]) -> f64;

    /// Writes slopes, and what [`Smooth::curve`] needs to know of the place.
    fn expand(&self, rows: Range<usize>, decisions: &[f64], slopes: &mut [f64], place: &mut [f64]);

    /// Replaces changes of decisions by the changes of slopes.
    fn curve(&self, rows: Range<usize>, place: &[f64], changes: &mut [f64]);

    /// Writes the second derivative by one output, a number per row.
    fn curvature(&self, rows: Range<usize>, place: &[f64], output: usize, out: &mut [f64]);

    /// −Σ L*(scale · slope) for slopes of [`Smooth::expand`] and a scale from 0 to 1: a value of the dual
    /// problem.
    fn dual(&self, rows: Range<usize>, slopes: &[f64], scale: f64) -> f64;

    /// Whether every row is on its side, so that larger weights are better without end.
    fn separates(&self, rows: Range<usize>, decisions: &[f64]) -> bool;
}

/// Two classes: log(1 + exp(−y f)).
pub(crate) struct Logistic<'a> {
    /// ±1.
    pub(crate) signs: &'a [f64],
    /// Price of every row.
    pub(crate) prices: &'a [f64],
}

/// −p log p.
fn entropy(share: f64) -> f64 {
    if share > 0.0 {
        -share * share.ln()
    } else {
        0.0
    }
}

/// Numbers at a time whose exponentials are computed together.
const CHUNK: usize = 512;

impl Logistic<'_> {
    /// Calls `each` with row, margin m = y f and exp(−|m|).
    fn margins(
        &self,
        rows: Range<usize>,
        decisions: &[f64],
        mut each: impl FnMut(usize, f64, f64),
    ) {
        let mut buffer = [0.0; CHUNK];
        let first = rows.start;
        for (number, decisions) in decisions.chunks(CHUNK).enumerate() {
            let start = first + number * CHUNK;
            let signs = &self.signs[start..start + decisions.len()];
            let small = &mut buffer[..decisions.len()];
            for (small, decision) in small.iter_mut().zip(decisions) {
                *small = -decision.abs();
            }
            exp_in_place(small);
            for (k, ((decision, sign), small)) in decisions.iter().zip(signs).zip(small).enumerate()
            {
                each(start + k, sign * decision, *small);
            }
        }
    }
}

impl Smooth for Logistic<'_> {
    fn outputs(&self) -> usize {
        1
    }

    fn value(&self, rows: Range<usize>, decisions: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.margins(rows, decisions, |row, margin, small| {
            sum += self.prices[row] * (small.ln_1p() + (-margin).max(0.0));
        });
        sum
    }

    fn expand(&self, rows: Range<usize>, decisions: &[f64], slopes: &mut [f64], place: &mut [f64]) {
        let first = rows.start;
        self.margins(rows, decisions, |row, margin, small| {
            let share = 1.0 / (1.0 + small);
            let wrong = if margin >= 0.0 { small * share } else { share };
            let price = self.prices[row];
            slopes[row - first] = -price * self.signs[row] * wrong;
            place[row - first] = price * small * share * share;
        });
    }

    fn curve(&self, _rows: Range<usize>, place: &[f64], changes: &mut [f64]) {
        for (change, curvature) in changes.iter_mut().zip(place) {
            *change *= curvature;
        }
    }

    fn curvature(&self, _rows: Range<usize>, place: &[f64], _output: usize, out: &mut [f64]) {
        out.copy_from_slice(place);
    }

    fn dual(&self, rows: Range<usize>, slopes: &[f64], scale: f64) -> f64 {
        let each = rows.zip(slopes);
        each.map(|(row, slope)| {
            let price = self.prices[row];
            let share = (scale * slope.abs() / price).min(1.0);
            price * (entropy(share) + entropy(1.0 - share))
        })
        .sum()
    }

    fn separates(&self, rows: Range<usize>, decisions: &[f64]) -> bool {
        let mut signs = self.signs[rows].iter().zip(decisions);
        signs.all(|(sign, decision)| sign * decision > 0.0)
    }
}

/// Several classes: log Σ_k exp(f_k) − f_y.
pub(crate) struct Softmax<'a> {
    /// The class of every row.
    pub(crate) codes: &'a [u32],
    /// Price of every row.
    pub(crate) prices: &'a [f64],
    /// Number of classes.
    pub(crate) classes: usize,
}

impl Softmax<'_> {
    /// Replaces decisions by probabilities; returns the logarithm of what they were divided by,
    /// relative to the largest, and the largest.
    fn shares(decisions: &mut [f64]) -> (f64, f64) {
        let largest = decisions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        decisions.iter_mut().for_each(|f| *f -= largest);
        exp_in_place(decisions);
        let sum: f64 = decisions.iter().sum();
        decisions.iter_mut().for_each(|p| *p /= sum);
        (sum.ln(), largest)
    }
}

impl Smooth for Softmax<'_> {
    fn outputs(&self) -> usize {
        self.classes
    }

    fn value(&self, rows: Range<usize>, decisions: &[f64]) -> f64 {
        let mut shares = vec![0.0; self.classes];
        let each = decisions.chunks_exact(self.classes).zip(rows);
        each.map(|(decisions, row)| {
            shares.copy_from_slice(decisions);
            let (log, largest) = Self::shares(&mut shares);
            self.prices[row] * (log + (largest - decisions[self.codes[row] as usize]))
        })
        .sum()
    }

    fn expand(&self, rows: Range<usize>, decisions: &[f64], slopes: &mut [f64], place: &mut [f64]) {
        place.copy_from_slice(decisions);
        let each = place
            .chunks_exact_mut(self.classes)
            .zip(slopes.chunks_exact_mut(self.classes));
        for ((place, slopes), row) in each.zip(rows) {
            Self::shares(place);
            let (price, own) = (self.prices[row], self.codes[row] as usize);
            for (slope, share) in slopes.iter_mut().zip(&*place) {
                *slope = price * share;
            }
            // 1 − p of the own class as the sum of the others keeps its digits.
            let others: f64 = (0..self.classes)
                .filter(|k| *k != own)
                .map(|k| place[k])
                .sum();
            slopes[own] = -price * others;
        }
    }

    fn curve(&self, rows: Range<usize>, place: &[f64], changes: &mut [f64]) {
        let each = changes
            .chunks_exact_mut(self.classes)
            .zip(place.chunks_exact(self.classes));
        for ((changes, shares), row) in each.zip(rows) {
            let mean: f64 = changes.iter().zip(shares).map(|(u, p)| u * p).sum();
            for (change, share) in changes.iter_mut().zip(shares) {
                *change = self.prices[row] * share * (*change - mean);
            }
        }
    }

    fn curvature(&self, rows: Range<usize>, place: &[f64], output: usize, out: &mut [f64]) {
        let each = out
            .iter_mut()
            .zip(place.chunks_exact(self.classes))
            .zip(rows);
        for ((out, shares), row) in each {
            let others: f64 = (0..self.classes)
                .filter(|k| *k != output)
                .map(|k| shares[k])
                .sum();
            *out = self.prices[row] * shares[output] * others;
        }
    }

    fn dual(&self, rows: Range<usize>, slopes: &[f64], scale: f64) -> f64 {
        let each = rows.zip(slopes.chunks_exact(self.classes));
        each.map(|(row, slopes)| {
            let (price, own) = (self.prices[row], self.codes[row] as usize);
            let shares = slopes.iter().enumerate().map(|(k, slope)| {
                let share = scale * slope / price;
                if k == own { 1.0 + share } else { share }
            });
            price * shares.map(entropy).sum::<f64>()
        })
        .sum()
    }

    fn separates(&self, rows: Range<usize>, decisions: &[f64]) -> bool {
        let mut each = decisions.chunks_exact(self.classes).zip(rows);
        each.all(|(decisions, row)| {
            let own = self.codes[row] as usize;
            (0..self.classes).all(|k| k == own || decisions[k] < decisions[own])
        })
    }
}

/// Two classes: max(0, 1 − y f)².
pub(crate) struct SquaredHinge<'a> {
    /// ±1.
    pub(crate) signs: &'a [f64],
    /// Price of every row.
    pub(crate) prices: &'a [f64],
}

/// Numbers: max(0, |f − y| − ε)².
pub(crate) struct SquaredTube<'a> {
    /// The numbers.
    pub(crate) targets: &'a [f64],
    /// Half-width of the tube.
    pub(crate) epsilon: f64,
    /// Price of every row.
    pub(crate) prices: &'a [f64],
}

/// Losses that are the square of a distance d, whose slope by f is ±1 or 0.
trait Distance: Sync {
    fn price(&self, row: usize) -> f64;

    /// The distance and its slope.
    fn distance(&self, row: usize, decision: f64) -> (f64, f64);

    /// L* of a slope u but for u²/(4 price).
    fn level(&self, row: usize, slope: f64) -> f64;
}

impl Distance for SquaredHinge<'_> {
    fn price(&self, row: usize) -> f64 {
        self.prices[row]
    }

    fn distance(&self, row: usize, decision: f64) -> (f64, f64) {
        let sign = self.signs[row];
        ((1.0 - sign * decision).max(0.0), -sign)
    }

    fn level(&self, _row: usize, slope: f64) -> f64 {
        -slope.abs()
    }
}

impl Distance for SquaredTube<'_> {
    fn price(&self, row: usize) -> f64 {
        self.prices[row]
    }

    fn distance(&self, row: usize, decision: f64) -> (f64, f64) {
        let off = decision - self.targets[row];
        ((off.abs() - self.epsilon).max(0.0), off.signum())
    }

    fn level(&self, row: usize, slope: f64) -> f64 {
        slope * self.targets[row] + self.epsilon * slope.abs()
    }
}

/// Writes a squared distance as a smooth loss; its curvature is that of where it is.
macro_rules! squared {
    ($type:ident) => {
        impl Smooth for $type<'_> {
            fn outputs(&self) -> usize {
                1
            }

            fn value(&self, rows: Range<usize>, decisions: &[f64]) -> f64 {
                let each = rows.zip(decisions);
                each.map(|(row, decision)| {
                    let (distance, _) = self.distance(row, *decision);
                    self.price(row) * distance * distance
                })
                .sum()
            }

            fn expand(
                &self,
                rows: Range<usize>,
                decisions: &[f64],
                slopes: &mut [f64],
                place: &mut [f64],
            ) {
                let each = rows.zip(decisions).zip(slopes.iter_mut().zip(place));
                for ((row, decision), (slope, place)) in each {
                    let (distance, sign) = self.distance(row, *decision);
                    let price = 2.0 * self.price(row);
                    *slope = price * distance * sign;
                    *place = if distance > 0.0 { price } else { 0.0 };
                }
            }

            fn curve(&self, _rows: Range<usize>, place: &[f64], changes: &mut [f64]) {
                for (change, curvature) in changes.iter_mut().zip(place) {
                    *change *= curvature;
                }
            }

            fn curvature(
                &self,
                _rows: Range<usize>,
                place: &[f64],
                _output: usize,
                out: &mut [f64],
            ) {
                out.copy_from_slice(place);
            }

            fn dual(&self, rows: Range<usize>, slopes: &[f64], scale: f64) -> f64 {
                let each = rows.zip(slopes);
                each.map(|(row, slope)| {
                    let slope = scale * slope;
                    -(self.level(row, slope) + slope * slope / (4.0 * self.price(row)))
                })
                .sum()
            }

            fn separates(&self, _rows: Range<usize>, _decisions: &[f64]) -> bool {
                false
            }
        }
    };
}

squared!(SquaredHinge);
squared!(SquaredTube);
