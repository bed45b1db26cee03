//! Level 3 where a tridiagonal form costs too much: the integral from a dozen factorisations.
//!
//! J as a function of t = log γ is a sum of n steps, each some units wide, so that near its least
//! value a cubic spline through a few points is J itself to many digits. The points are spread in
//! units of the peak's own width, σ = J″^{−½}; where J stays low for long (a kernel that explains
//! little has no peak) they go on at steps of at most one until J has risen out of sight, or has
//! reached its limit at γ → 0, the cost of the constant alone.

use mercer_linalg::{Par, Proceed};

use super::Problem;
use super::integral::log_mean_exp;
use super::ratio::ratio_range;
use super::spline::Spline;

/// Points beside the least value, in units of the width.
const PLACES: [f64; 5] = [0.8, 1.8, 3.0, 4.4, 6.2];
/// What is so much above the least cost counts for nothing: e⁻²⁰ of the peak.
const OUT_OF_SIGHT: f64 = 20.0;
/// Longest step between points: a fraction of the width of the steps that J is a sum of.
const LONGEST: f64 = 1.0;
/// Closeness to the limit from which on J is the limit.
const AT_LIMIT: f64 = 1e-4;
/// Distance below which two places are one.
const SAME: f64 = 1e-4;
/// Steps that the search for the least value takes at most.
const STEPS: usize = 40;

/// What a few values of the cost tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampled {
    /// The ratio γ of least cost.
    pub ratio: f64,
    /// log p(D | K), up to a constant that is the same for all kernels.
    pub log_evidence: f64,
    /// Factorisations it took.
    pub evaluations: usize,
}

impl Problem<'_> {
    /// Finds the ratio of least cost near a first guess, and integrates over all ratios.
    ///
    /// `None` where the kernel is zero, nowhere positive definite, or where `proceed` says to
    /// stop. Time some twelve times n³/3 multiplications.
    pub fn sampled(&self, guess: f64, par: Par, proceed: Proceed<'_>) -> Option<Sampled> {
        let (low, high) = ratio_range(self.mean_eigenvalue())?;
        let (low, high) = (low.ln(), high.ln());
        let cost = |t: f64| {
            let solved = proceed().then(|| self.solve_while(t.exp(), par, proceed).ok())?;
            Some(solved.map_or(f64::INFINITY, |solved| solved.cost()))
        };
        let mut points = Points {
            cost,
            range: (low, high),
            limit: self.constant_cost(),
            known: Vec::new(),
        };
        points.find_least(guess.ln().clamp(low, high))?;
        points.surround()?;
        points.integrate()
    }

    /// J of the constant alone: the limit of small ratios.
    pub(crate) fn constant_cost(&self) -> f64 {
        let n = self.rows();
        let weight = |i: usize| 1.0 / self.noise(i);
        let total = self.copies();
        let one = |k: usize| {
            let row = self.targets.row(k);
            let mean = if self.intercept {
                (0..n).map(|i| weight(i) * row[i]).sum::<f64>() / total
            } else {
                0.0
            };
            let square: f64 = (0..n).map(|i| weight(i) * (row[i] - mean).powi(2)).sum();
            0.5 * self.freedom() * (square / 2.0).ln()
        };
        (0..self.targets.rows()).map(one).sum()
    }
}

/// Values of the cost, sorted by log γ.
struct Points<F> {
    cost: F,
    range: (f64, f64),
    limit: f64,
    known: Vec<(f64, f64)>,
}

impl<F: Fn(f64) -> Option<f64>> Points<F> {
    /// Evaluates the cost at a place, once.
    ///
    /// Places that differ by rounding are one: a slope between them would be rounding, too.
    fn ask(&mut self, t: f64) -> Option<f64> {
        let near = |(known, _): &&(f64, f64)| (*known - t).abs() < SAME;
        if let Some((_, value)) = self.known.iter().find(near) {
            return Some(*value);
        }
        let place = self.known.partition_point(|(known, _)| *known < t);
        let value = (self.cost)(t)?;
        self.known.insert(place, (t, value));
        Some(value)
    }

    /// The place in the list of the least cost.
    fn lowest(&self) -> usize {
        let by_cost = |a: &usize, b: &usize| self.known[*a].1.total_cmp(&self.known[*b].1);
        (0..self.known.len()).min_by(by_cost).unwrap_or(0)
    }

    /// Walks downhill until the least value has neighbours, then to the foot of parabolas.
    fn find_least(&mut self, guess: f64) -> Option<()> {
        let (low, high) = self.range;
        let mut step = 0.2;
        self.ask(guess)?;
        for _ in 0..STEPS {
            let at = self.lowest();
            let (t, _) = self.known[at];
            let next = if at == 0 && t > low {
                (t - step).max(low)
            } else if at + 1 == self.known.len() && t < high {
                (t + step).min(high)
            } else {
                break;
            };
            self.ask(next)?;
            step = (1.6 * step).min(LONGEST);
        }
        for _ in 0..3 {
            let Some((foot, width)) = self.parabola() else {
                break;
            };
            let (t, _) = self.known[self.lowest()];
            if (foot - t).abs() < 0.05 * width {
                break;
            }
            self.ask(foot.clamp(low, high))?;
        }
        self.known[self.lowest()].1.is_finite().then_some(())
    }

    /// The foot and the width of the parabola through the least value and its neighbours.
    fn parabola(&self) -> Option<(f64, f64)> {
        let at = self.lowest();
        let [(a, ja), (b, jb), (c, jc)] = *self.known.get(at.checked_sub(1)?..at + 2)? else {
            return None;
        };
        let (left, right) = ((jb - ja) / (b - a), (jc - jb) / (c - b));
        let curvature = 2.0 * (right - left) / (c - a);
        let slope = left + 0.5 * curvature * (b - a);
        (curvature.is_finite() && curvature > 0.0)
            .then(|| (b - slope / curvature, curvature.recip().sqrt()))
    }

    /// Spreads points around the least value as far as the cost is in sight.
    fn surround(&mut self) -> Option<()> {
        let (centre, least) = self.known[self.lowest()];
        let width = self.parabola().map_or(LONGEST, |(_, width)| width);
        for side in [-1.0, 1.0] {
            let end = if side < 0.0 {
                self.range.0
            } else {
                self.range.1
            };
            let mut reached = 0.0;
            let mut places = PLACES.iter();
            loop {
                let wanted = places.next().map_or(reached + LONGEST, |p| p * width);
                reached = wanted.min(reached + LONGEST);
                let t = centre + side * reached;
                let is_last = side * (end - t) <= 0.0;
                let value = self.ask(if is_last { end } else { t })?;
                // A barrier does not hide a limit that is in sight itself.
                let limit_counts = side < 0.0 && self.limit - least <= OUT_OF_SIGHT;
                let is_flat = side < 0.0 && (value - self.limit).abs() <= AT_LIMIT;
                let is_high = value - least > OUT_OF_SIGHT && !limit_counts;
                if is_last || is_flat || is_high || !value.is_finite() {
                    break;
                }
            }
        }
        Some(())
    }

    fn integrate(self) -> Option<Sampled> {
        let (place, least) = self.known[self.lowest()];
        // Heights out of sight are cut: a spline would swing on their account.
        let cut = |(t, value): &(f64, f64)| (*t, value.min(least + 2.0 * OUT_OF_SIGHT));
        let is_number = |(_, value): &&(f64, f64)| value.is_finite();
        let finite: Vec<(f64, f64)> = self.known.iter().filter(is_number).map(cut).collect();
        let (first, last) = (finite.first()?.0, finite.last()?.0);
        let spline = Spline::new(&finite);
        let best = spline.least_near(place);
        let is_flat = (finite[0].1 - self.limit).abs() <= AT_LIMIT;
        let height = |t: f64| match t {
            t if t < first && is_flat => -self.limit,
            t if t < first || t > last => f64::NEG_INFINITY,
            _ => -spline.value(t),
        };
        Some(Sampled {
            ratio: best.exp(),
            log_evidence: log_mean_exp(height, self.range.0, self.range.1, best),
            evaluations: self.known.len(),
        })
    }
}
