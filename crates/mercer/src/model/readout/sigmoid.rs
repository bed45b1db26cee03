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
//! keeps its slope, what chance explains loses it. L of a dozen rows stays below q however
//! well they are told apart, so that below L = 2q the factor falls as √L, from ½ to 0.
//!
//! A slope near 0 makes the level decide every label: P crosses ½ so far away that one class is
//! always given. So the level of a shrunken slope has to earn its place: it is fitted where that gains more
//! than Akaike's price of a number, L > 2 (less beyond 50 rows), over the border that the model itself drew, c₊P = c₋(1 − P) at
//! f = 0 (P = ½ without class factors c). `mercer-bench/python/few_rows.py` measures both.

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
/// Twice the log-likelihood that a fitted level has to gain over the model's own border: Akaike's
/// price of a number. Simulated on 10 to 50 rows with a signal, 1 costs up to a hundredth of the labels, and
/// 4 costs 0.5/n nats in noise of share 0.3.
const LEVEL_PRICE: f64 = 2.0;
/// Rows from which on the price falls as one over them: rows tell the level well then, and at 200 rows the
/// whole price makes the worst of sets without a signal lose half as much again.
const LEVEL_ROWS: f64 = 50.0;
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
    /// are equal the result is the smoothed share.
    pub(crate) fn fit(
        decisions: &[f64],
        positive: &[bool],
        copies: &[f64],
        origin: &Origin<'_>,
    ) -> Self {
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
        if origin.fitted > 0 {
            let none = At {
                slope: 0.0,
                ..start
            };
            let gained = 2.0 * (likelihood.loss(none) - likelihood.loss(at));
            let slope = at.slope * kept(gained, origin.fitted as f64);
            let fitted = likelihood.level(At { slope, ..at });
            let border = origin.border(positive, copies);
            let own = At {
                slope,
                level: border + slope * mean / spread,
            };
            let gain = 2.0 * (likelihood.loss(own) - likelihood.loss(fitted));
            if gain <= LEVEL_PRICE * (LEVEL_ROWS / (plus + minus)).min(1.0) {
                return Self {
                    a: -slope / spread,
                    b: -border,
                };
            }
            at = fitted;
        }
        let At { slope, level } = at;
        Self {
            a: -slope / spread,
            b: slope * mean / spread - level,
        }
    }
}

/// How decisions came about.
#[derive(Default)]
pub(crate) struct Origin<'a> {
    /// Hyperparameters that were chosen by the same rows.
    pub(crate) fitted: usize,
    /// The class factor of every row, in learning; empty for ones only.
    pub(crate) factors: &'a [f64],
}

impl Origin<'_> {
    /// log(P/(1 − P)) on the border that the model drew: class factors move it to c₊P = c₋(1 − P).
    fn border(&self, positive: &[bool], copies: &[f64]) -> f64 {
        if self.factors.is_empty() {
            return 0.0;
        }
        let mean = |side: bool| {
            let rows = positive.iter().zip(copies).zip(self.factors);
            let own = rows.filter(|((p, _), _)| **p == side);
            let (sum, count) = own.fold((0.0, 0.0), |(sum, count), ((_, m), c)| {
                (sum + m * c, count + m)
            });
            sum / count
        };
        let border = (mean(false) / mean(true)).ln();
        if border.is_finite() { border } else { 0.0 }
    }
}

/// The share of a slope that is left where it gained L and q numbers were fitted.
fn kept(gained: f64, fitted: f64) -> f64 {
    let factor = if gained >= 2.0 * fitted {
        1.0 - fitted / gained
    } else {
        0.5 * (gained.max(0.0) / (2.0 * fitted)).sqrt()
    };
    factor.max(LEAST_FACTOR)
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
            // Steps of one at most: far from the solution the curvature says little.
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
#[path = "sigmoid_tests.rs"]
mod tests;
