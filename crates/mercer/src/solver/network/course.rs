//! How a way down went.

/// Why it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The loss, the validation score or the gradient met the tolerance.
    Converged,
    /// All steps were used.
    StepLimit,
    /// The caller said so.
    Told,
    /// No step leads further down at this precision.
    Stalled,
    /// The loss grew without bound or became no number, and shorter steps did not help.
    Diverged,
}

/// The account of a way down.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// The loss after every step or epoch; for batches the mean of what they met.
    pub losses: Vec<f64>,
    /// The score of held-out rows after every epoch, where there are some.
    pub scores: Vec<f64>,
    /// Steps or epochs done.
    pub steps: u64,
    /// How often the length of steps was halved because the loss diverged.
    pub halvings: u32,
    /// Why it ended.
    pub ending: Ending,
}

impl Course {
    /// A course that has not begun.
    pub(super) fn new() -> Self {
        Self {
            losses: Vec::new(),
            scores: Vec::new(),
            steps: 0,
            halvings: 0,
            ending: Ending::StepLimit,
        }
    }
}

/// When searches along lines and Gauss–Newton steps end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Descent {
    /// Most steps.
    pub steps: u64,
    /// Most evaluations of the loss.
    pub evaluations: u64,
    /// Largest entry of the gradient that counts as none.
    pub tolerance: f64,
}

impl Descent {
    /// Decrease of the loss, relative to its size, that counts as none: 10⁷ units of rounding, as
    /// in L-BFGS-B.
    pub(super) const DECREASE: f64 = 1e7 * f64::EPSILON;
}

/// The largest magnitude; NaN where there is one.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, v| {
        if v.is_nan() {
            f64::NAN
        } else {
            most.max(v.abs())
        }
    })
}
