//! Probabilities from held-out decision values: Platt's sigmoid with a slope that keeps its sign.
//!
//! P(+ | f) = 1/(1 + exp(a f + b)). Targets are Platt's, t₊ = (N₊+1)/(N₊+2) and
//! t₋ = 1/(N₋+2) (Platt 1999), N± the copies m of each class. Decisions are standardised to
//! z = (g − ḡ)/d, so that nothing depends on their unit, and
//!
//! ```text
//! F(s, k) = −Σ m_i [t_i log p_i + (1 − t_i) log(1 − p_i)] − κ log s,   p_i = 1/(1 + e^{−(s z_i + k)})
//! ```
//!
//! is minimised over s > 0 and k by Newton's method; a = −s/d, b = s ḡ/d − k.
//!
//! Without the barrier −κ log s a sample without signal gives either sign of slope, and one of
//! them reverses every prediction. With it P grows strictly with f: both rank rows alike. For a
//! slope that is x standard errors from 0 the barrier gives (x + √(x² + 4κ))/2, whatever the unit;
//! clipping at 0 instead would lose the ranking wherever x ≤ 0, in noise in more than half of all
//! fits.
//!
//! Where q hyperparameters were fitted to the same rows, their held-out decisions flatter.
//! The slope then shrinks by 1 − q/L (van Houwelingen and le Cessie, Statistics in Medicine 9,
//! 1990), L twice the logarithm of the likelihood that it gains over the shares: a strong signal
//! keeps its slope, what chance explains loses it.

use serde::{Deserialize, Serialize};

/// κ: in noise it costs (1 + 2κ)/(4n) nats, by signal it gains. 1/8 loses 0.5e-3 nats to clipping
/// in noise (50 to 400 rows, shares from 0.02 to 0.5) and wins elsewhere.
const BARRIER: f64 = 0.125;
/// Standard deviation of decisions, relative to their size, below which it is rounding.
const ROUNDING: f64 = 1e-12;
/// Newton decrement at which the search ends, relative to F.
const DECREMENT: f64 = 1e-14;
/// Decrement, relative to F, below which a whole step is right and rounding hides what it gains.
const CERTAIN: f64 = 1e-9;
/// Least factor on a slope: P keeps the order of the decisions.
const LEAST_FACTOR: f64 = 0.01;
/// Change of a level below which it is found.
const LEVEL: f64 = 1e-10;
/// Share of the way to s = 0 that a step may go.
const INSIDE: f64 = 0.95;
/// Steps after which it ends in any case; ten were the most of 300 random problems.
const STEPS: usize = 100;

/// A fitted sigmoid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sigmoid {
    /// Slope; negative, since larger decisions mean the positive class, or 0 for a constant.
    pub a: f64,
    /// Offset.
    pub b: f64,
}

impl Sigmoid {
    /// Returns the probability of the positive class.
    pub fn probability(&self, decision: f64) -> f64 {
        // A constant holds for decisions that are no number as well.
        let x = if self.a == 0.0 {
            self.b
        } else {
            self.a * decision + self.b
        };
        if x >= 0.0 {
            (-x).exp() / (1.0 + (-x).exp())
        } else {
            1.0 / (1.0 + x.exp())
        }
    }

    /// Returns the sigmoid that gives the same probability to every decision.
    pub(crate) fn constant(share: f64) -> Self {
        let share = share.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
        Self {
            a: 0.0,
            b: -(share / (1.0 - share)).ln(),
        }
    }

    /// Fits a sigmoid to decisions about rows that had no part in them.
    ///
    /// `copies` are the row weights without class factors: factors move labels, not probabilities.
    /// Decisions that are no number count for the shares of the classes only. Where all decisions
    /// are equal the result is the smoothed share. `fitted` hyperparameters were chosen by
    /// the same rows.
    pub(crate) fn fit(decisions: &[f64], positive: &[bool], copies: &[f64], fitted: usize) -> Self {
        let total = |side: bool| -> f64 {
            let members = positive.iter().zip(copies);
            members.filter(|(p, _)| **p == side).map(|(_, m)| m).sum()
        };
        let (plus, minus) = (total(true), total(false));
        let (high, low) = ((plus + 1.0) / (plus + 2.0), 1.0 / (minus + 2.0));
        let share = (plus * high + minus * low) / (plus + minus);
        let target = |p: bool| if p { high } else { low };
        let known: Vec<Row> = decisions
            .iter()
            .zip(positive)
            .zip(copies)
            .filter(|((g, _), m)| g.is_finite() && **m > 0.0)
            .map(|((g, p), m)| Row {
                value: *g,
                target: target(*p),
                copies: *m,
            })
            .collect();
        let Some((mean, spread)) = centre(&known) else {
            return Self::constant(if share.is_nan() { 0.5 } else { share });
        };
        let rows = known
            .into_iter()
            .map(|row| Row {
                value: (row.value - mean) / spread,
                ..row
            })
            .collect();
        let start = At {
            slope: 1.0,
            level: (share / (1.0 - share)).ln(),
        };
        let likelihood = Likelihood(rows);
        let mut at = likelihood.minimise(start);
        if fitted > 0 {
            let none = At {
                slope: 0.0,
                ..start
            };
            let gained = 2.0 * (likelihood.loss(none) - likelihood.loss(at));
            let factor = 1.0 - fitted as f64 / gained.max(f64::MIN_POSITIVE);
            at = likelihood.level(At {
                slope: at.slope * factor.max(LEAST_FACTOR),
                ..at
            });
        }
        let At { slope, level } = at;
        Self {
            a: -slope / spread,
            b: slope * mean / spread - level,
        }
    }
}

/// A held-out decision and what it should have said.
struct Row {
    value: f64,
    target: f64,
    copies: f64,
}

/// Mean and standard deviation of the decisions; `None` where the latter is rounding or nothing is
/// known.
fn centre(rows: &[Row]) -> Option<(f64, f64)> {
    let total: f64 = rows.iter().map(|r| r.copies).sum();
    let largest = rows.iter().map(|r| r.value.abs()).fold(1.0, f64::max);
    let mean = rows.iter().map(|r| r.copies * r.value).sum::<f64>() / total;
    let square = |r: &Row| r.copies * (r.value - mean).powi(2);
    let spread = (rows.iter().map(square).sum::<f64>() / total).sqrt();
    (spread.is_finite() && spread > ROUNDING * largest).then_some((mean, spread))
}

/// s and k.
#[derive(Clone, Copy)]
struct At {
    slope: f64,
    level: f64,
}

/// F over standardised decisions.
struct Likelihood(Vec<Row>);

impl Likelihood {
    fn value(&self, at: At) -> f64 {
        self.loss(at) - BARRIER * at.slope.ln()
    }

    /// F without the barrier.
    fn loss(&self, at: At) -> f64 {
        // log(1 + eˣ) − t x, without overflow (Lin, Lin and Weng, Machine Learning 68, 2007).
        let loss = |row: &Row| {
            let x = at.slope * row.value + at.level;
            row.copies * (x.max(0.0) - row.target * x + (-x.abs()).exp().ln_1p())
        };
        self.0.iter().map(loss).sum()
    }

    /// The level that suits a slope: the mean of P is that of the targets.
    fn level(&self, mut at: At) -> At {
        for _ in 0..STEPS {
            let (mut excess, mut curvature) = (0.0, 0.0);
            for row in &self.0 {
                let p = (1.0 + (-(at.slope * row.value + at.level)).exp()).recip();
                excess += row.copies * (p - row.target);
                curvature += row.copies * p * (1.0 - p);
            }
            // Steps of one at most: far from the answer the curvature says little.
            let step = (-excess / curvature.max(f64::MIN_POSITIVE)).clamp(-1.0, 1.0);
            at.level += step;
            if step.abs() < LEVEL {
                break;
            }
        }
        at
    }

    /// The Newton step at a point, and the decrement gᵀH⁻¹g that it promises.
    fn step(&self, at: At) -> (At, f64) {
        let (mut hss, mut hkk, mut hsk, mut gs, mut gk) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for row in &self.0 {
            let x = at.slope * row.value + at.level;
            let small = (-x.abs()).exp();
            let p = if x >= 0.0 { 1.0 } else { small } / (1.0 + small);
            let curvature = row.copies * small / ((1.0 + small) * (1.0 + small));
            hss += row.value * row.value * curvature;
            hkk += curvature;
            hsk += row.value * curvature;
            let slope = row.copies * (p - row.target);
            gs += row.value * slope;
            gk += slope;
        }
        gs -= BARRIER / at.slope;
        hss += BARRIER / (at.slope * at.slope);
        let determinant = hss * hkk - hsk * hsk;
        let step = At {
            slope: -(hkk * gs - hsk * gk) / determinant,
            level: -(hss * gk - hsk * gs) / determinant,
        };
        let decrement = -(gs * step.slope + gk * step.level);
        (step, decrement)
    }

    fn minimise(&self, start: At) -> At {
        const SMALLEST_STEP: f64 = 1e-10;
        let mut at = start;
        let mut value = self.value(at);
        for _ in 0..STEPS {
            let (step, decrement) = self.step(at);
            let scale = value.abs().max(1.0);
            // Rounding may leave a decrement that is no number; nothing is to be gained there.
            if decrement.is_nan() || decrement < DECREMENT * scale {
                break;
            }
            let mut length: f64 = if step.slope < 0.0 {
                (INSIDE * at.slope / -step.slope).min(1.0)
            } else {
                1.0
            };
            loop {
                let next = At {
                    slope: at.slope + length * step.slope,
                    level: at.level + length * step.level,
                };
                let reached = self.value(next);
                let enough = value - 1e-4 * length * decrement;
                if reached <= enough || decrement < CERTAIN * scale {
                    (at, value) = (next, reached);
                    break;
                }
                length /= 2.0;
                if length < SMALLEST_STEP {
                    return at;
                }
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(decisions: &[f64], positive: &[u8]) -> Sigmoid {
        let positive: Vec<bool> = positive.iter().map(|p| *p == 1).collect();
        Sigmoid::fit(decisions, &positive, &vec![1.0; positive.len()], 0)
    }

    fn close(found: f64, expected: f64, within: f64) {
        assert!(
            (found - expected).abs() <= within,
            "{found} instead of {expected}"
        );
    }

    #[test]
    fn a_reversed_sample_keeps_the_order_of_decisions() {
        let sigmoid = fit(&[-1.0, -1.0, 1.0, 1.0], &[1, 1, 0, 0]);
        close(sigmoid.a, -0.112_383, 5e-7);
        close(sigmoid.b, 0.0, 1e-12);
        let uneven = fit(
            &[-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0],
            &[1, 1, 1, 0, 0, 0, 0],
        );
        close(uneven.a, -0.055_200, 5e-7);
        close(uneven.b, 0.256_970, 5e-7);
        close(
            fit(&[1.0, 1.0, -1.0, -1.0], &[1, 1, 0, 0]).a,
            -1.238_137,
            5e-7,
        );
    }

    #[test]
    fn equal_decisions_give_the_smoothed_share() {
        let sigmoid = fit(&[0.7; 10], &[1, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
        assert_eq!(sigmoid.a, 0.0);
        close(sigmoid.probability(0.7), 0.317_778, 5e-7);
        close(sigmoid.probability(f64::NAN), 0.317_778, 5e-7);
        let unknown = fit(&[f64::NAN; 10], &[1, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
        assert_eq!(unknown, sigmoid);
    }

    #[test]
    fn known_probabilities_come_back() {
        let table = [(1.0, 1, 800), (1.0, 0, 200), (-1.0, 0, 800), (-1.0, 1, 200)];
        let rows = table.iter().flat_map(|r| std::iter::repeat_n(r, r.2));
        let (decisions, positive): (Vec<f64>, Vec<u8>) = rows.map(|r| (r.0, r.1)).unzip();
        let sigmoid = fit(&decisions, &positive);
        close(sigmoid.probability(1.0), 0.799_45, 5e-6);
        close(sigmoid.probability(-1.0), 0.200_55, 5e-6);
        // The same rows as copies.
        let copies = Sigmoid::fit(
            &table.map(|r| r.0),
            &table.map(|r| r.1 == 1),
            &table.map(|r| r.2 as f64),
            0,
        );
        close(copies.a, sigmoid.a, 1e-9);
        close(copies.b, sigmoid.b, 1e-9);
    }

    #[test]
    fn fitted_numbers_take_from_weak_slopes_what_chance_explains() {
        // Decisions of 200 rows; a row is positive by the share that `signal` gives it.
        let slopes = |signal: f64, fitted: usize| {
            let decisions: Vec<f64> = (0..200).map(|i| f64::from(i % 20) / 10.0 - 0.95).collect();
            let share = |g: f64| (1.0 + (1.0 - signal * g).exp()).recip();
            let positive: Vec<bool> = (0..200)
                .zip(&decisions)
                .map(|(i, g)| f64::from(i / 20) + 0.5 < 10.0 * share(*g))
                .collect();
            let copies = vec![1.0; 200];
            let sigmoid = Sigmoid::fit(&decisions, &positive, &copies, fitted);
            let mean = decisions
                .iter()
                .map(|g| sigmoid.probability(*g))
                .sum::<f64>()
                / 200.0;
            (sigmoid.a, mean)
        };
        let (free, shares) = slopes(6.0, 0);
        let (charged, same) = slopes(6.0, 5);
        assert!(charged / free > 0.93, "{charged} {free}");
        close(shares, same, 1e-4);
        let (free, _) = slopes(0.3, 0);
        let (charged, _) = slopes(0.3, 5);
        assert!(charged < 0.0 && charged / free < 0.02, "{charged} {free}");
    }

    #[test]
    fn the_unit_and_the_zero_of_decisions_do_not_matter() {
        let decisions = [0.9, 0.2, -0.1, 0.4, -0.6, 0.3, -0.8, -0.2, 0.1, -0.5];
        let positive = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0];
        let sigmoid = fit(&decisions, &positive);
        close(sigmoid.a, -2.171_308, 5e-7);
        close(sigmoid.probability(0.9), 0.826_988, 5e-7);
        close(sigmoid.probability(-0.6), 0.155_443, 5e-7);
        for (factor, shift, within) in [(1e-9, 0.0, 1e-12), (1e6, 0.0, 1e-12), (1e-9, -0.4, 1e-7)] {
            let moved = decisions.map(|f| f * factor + shift);
            let other = fit(&moved, &positive);
            for (f, g) in decisions.iter().zip(moved) {
                close(other.probability(g), sigmoid.probability(*f), within);
            }
        }
    }

    #[test]
    fn swapping_the_classes_swaps_the_probabilities() {
        let decisions = [0.9, 0.2, -0.1, 0.4, -0.6, 0.3, -0.8, -0.2, 0.1, -0.5];
        let positive = [1, 1, 0, 1, 0, 0, 0, 1, 0, 0];
        let (sigmoid, other) = (
            fit(&decisions, &positive),
            fit(&decisions.map(|f| -f), &positive.map(|p| 1 - p)),
        );
        for f in decisions {
            close(other.probability(-f), 1.0 - sigmoid.probability(f), 1e-12);
        }
    }

    #[test]
    fn the_slope_keeps_its_sign_whatever_the_rows() {
        // Digits of a linear congruence: no signal, separated rows, tiny and huge classes.
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / f64::from(1_u32 << 31)
        };
        for round in 0..300 {
            let n = 3 + round % 60;
            let (share, signal) = (
                0.02 + 0.48 * next(),
                40.0 * next() * f64::from(round as u32 % 3),
            );
            let positive: Vec<bool> = (0..n).map(|i| i == 0 || next() < share).collect();
            let decisions: Vec<f64> = positive
                .iter()
                .map(|p| 1e-3 * (next() + signal * f64::from(u8::from(*p))))
                .collect();
            let copies: Vec<f64> = (0..n).map(|_| 0.25 + 3.0 * next()).collect();
            let sigmoid = Sigmoid::fit(&decisions, &positive, &copies, 0);
            assert!(sigmoid.a < 0.0 && sigmoid.b.is_finite(), "{sigmoid:?}");
        }
    }

    #[test]
    fn extreme_decisions_stay_probabilities() {
        let sigmoid = Sigmoid { a: -1e300, b: 3.0 };
        for f in [1e300, -1e300, 0.0] {
            let p = sigmoid.probability(f);
            assert!((0.0..=1.0).contains(&p), "{p}");
        }
    }
}
