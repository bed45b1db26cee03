//! The quadratic problem every support vector machine reduces to.

/// Which sums of variables a step must preserve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coupling {
    /// Σ s_t a_t stays: the model has a free bias.
    Sum,
    /// The sums over s = +1 and over s = −1 both stay: ν-support vector machines and the hard margin.
    /// Variables of sign +1 come first.
    PerSign,
    /// Nothing: the model has no bias.
    None,
}

/// A box-constrained quadratic problem; see the [module](super) for the equation.
#[derive(Debug, Clone, PartialEq)]
pub struct DualProblem {
    /// Number of data rows; variable t belongs to row t mod `rows`.
    pub rows: usize,
    /// s_t, +1 or −1.
    pub signs: Vec<f64>,
    /// c_t, what the decision aims at.
    pub centres: Vec<f64>,
    /// u_t, the largest value of a_t; a variable with bound 0 takes no part.
    pub upper: Vec<f64>,
    /// The equality constraints.
    pub coupling: Coupling,
}

impl DualProblem {
    /// Returns the number of variables.
    pub fn len(&self) -> usize {
        self.signs.len()
    }

    /// Returns whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.signs.is_empty()
    }

    /// Returns the row coefficients β of given variables.
    pub fn coefficients(&self, alpha: &[f64]) -> Vec<f64> {
        let mut beta = vec![0.0; self.rows];
        for (t, a) in alpha.iter().enumerate() {
            beta[t % self.rows] += self.signs[t] * a;
        }
        beta
    }

    /// Returns the residuals F for decision values f.
    pub fn residuals(&self, decision: &[f64]) -> Vec<f64> {
        self.centres
            .iter()
            .enumerate()
            .map(|(t, c)| c - decision[t % self.rows])
            .collect()
    }

    /// Returns the value of the minimised objective, −½ Σ β_t (F_t + c_t).
    pub fn objective(&self, alpha: &[f64], residuals: &[f64]) -> f64 {
        let sum: f64 = (0..self.len())
            .map(|t| self.signs[t] * alpha[t] * (residuals[t] + self.centres[t]))
            .sum();
        -0.5 * sum
    }

    /// Returns whether β_t may grow.
    pub fn can_rise(&self, t: usize, a: f64) -> bool {
        if self.signs[t] > 0.0 {
            a < self.upper[t]
        } else {
            a > 0.0
        }
    }

    /// Returns whether β_t may shrink.
    pub fn can_fall(&self, t: usize, a: f64) -> bool {
        if self.signs[t] > 0.0 {
            a > 0.0
        } else {
            a < self.upper[t]
        }
    }

    /// Returns the largest KKT violation for given variables and residuals.
    pub fn violation(&self, alpha: &[f64], residuals: &[f64]) -> f64 {
        let span = |low: usize, high: usize| {
            let (up, down) = self.extremes(alpha, residuals, low, high);
            up - down
        };
        let violation = match self.coupling {
            Coupling::Sum => span(0, self.len()),
            Coupling::PerSign => {
                let split = self.sign_split();
                span(0, split).max(span(split, self.len()))
            }
            Coupling::None => {
                let (up, down) = self.extremes(alpha, residuals, 0, self.len());
                up.max(-down)
            }
        };
        violation.max(0.0)
    }

    /// Returns the largest F among variables that may rise and the smallest among those that
    /// may fall, in a range of variables.
    fn extremes(&self, alpha: &[f64], residuals: &[f64], low: usize, high: usize) -> (f64, f64) {
        let (mut up, mut down) = (f64::NEG_INFINITY, f64::INFINITY);
        for t in low..high {
            if self.can_rise(t, alpha[t]) {
                up = up.max(residuals[t]);
            }
            if self.can_fall(t, alpha[t]) {
                down = down.min(residuals[t]);
            }
        }
        (up, down)
    }

    /// Returns the number of variables of sign +1, which come first under
    /// [`Coupling::PerSign`].
    pub(crate) fn sign_split(&self) -> usize {
        self.signs.iter().take_while(|s| **s > 0.0).count()
    }

    /// Returns the level the residuals of free variables share, over a range of variables.
    ///
    /// It is the mean over variables strictly inside their box; with none, the middle of
    /// the interval that the KKT conditions allow.
    pub fn level(&self, alpha: &[f64], residuals: &[f64], range: std::ops::Range<usize>) -> f64 {
        let free: Vec<f64> = range
            .clone()
            .filter(|&t| alpha[t] > 0.0 && alpha[t] < self.upper[t])
            .map(|t| residuals[t])
            .collect();
        if !free.is_empty() {
            return free.iter().sum::<f64>() / free.len() as f64;
        }
        match self.extremes(alpha, residuals, range.start, range.end) {
            (up, down) if up.is_finite() && down.is_finite() => f64::midpoint(up, down),
            (up, _) if up.is_finite() => up,
            (_, down) if down.is_finite() => down,
            _ => 0.0,
        }
    }
}
