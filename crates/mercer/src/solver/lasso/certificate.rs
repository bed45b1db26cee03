//! Primal and dual values.

/// The two parts of the penalty: κ on absolute values, μ on squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Penalty {
    /// κ.
    pub(crate) absolute: f64,
    /// μ.
    pub(crate) square: f64,
}

impl Penalty {
    /// The weight that minimises ½a w² − z w + κ|w| + ½μw² over one coordinate.
    #[inline]
    pub(super) fn minimiser(self, z: f64, a: f64, positive: bool) -> f64 {
        let reach = if z > self.absolute {
            z - self.absolute
        } else if z < -self.absolute && !positive {
            z + self.absolute
        } else {
            return 0.0;
        };
        reach / (a + self.square)
    }
}

/// How far a column's slope goes towards a weight.
#[inline]
pub(super) fn urge(slope: f64, positive: bool) -> f64 {
    if positive { slope } else { slope.abs() }
}

/// What the values are made of: sums over rows, and over the columns that may have a weight.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    /// ‖r‖².
    pub(super) residual: f64,
    /// ⟨y, r⟩.
    pub(super) fitted: f64,
    /// ‖w‖₁ and ‖w‖².
    absolute: f64,
    square: f64,
    /// max u.
    largest: f64,
    /// Σ (|⟨x_j, r⟩| − κ)₊², for the dual of the squared penalty.
    excess: f64,
}

impl Sums {
    /// The sums over rows, from residuals and targets.
    pub(super) fn of_rows(residual: &[f64], targets: &[f64]) -> Self {
        Self {
            residual: mercer_linalg::dot(residual, residual),
            fitted: mercer_linalg::dot(residual, targets),
            ..Self::default()
        }
    }

    /// Adds a column.
    #[inline]
    pub(super) fn add(&mut self, weight: f64, slope: f64, penalty: Penalty, positive: bool) {
        self.absolute += weight.abs();
        self.square += weight * weight;
        let pull = urge(slope - penalty.square * weight, positive);
        self.largest = self.largest.max(pull);
        let above = (urge(slope, positive) - penalty.absolute).max(0.0);
        self.excess += above * above;
    }

    /// P and D.
    pub(super) fn certificate(&self, penalty: Penalty) -> Certificate {
        let Penalty { absolute, square } = penalty;
        let primal = 0.5 * self.residual + absolute * self.absolute + 0.5 * square * self.square;
        let length = self.residual + square * self.square;
        let most = if self.largest > 0.0 {
            absolute / self.largest
        } else {
            f64::INFINITY
        };
        // The best multiple of the residuals within the constraints.
        let scale = if length > 0.0 {
            (self.fitted / length).clamp(0.0, most)
        } else {
            0.0
        };
        let scaled = scale * self.fitted - 0.5 * scale * scale * length;
        let mut dual = scaled;
        if square > 0.0 {
            // The conjugate of κ|w| + ½μw² is (|v| − κ)₊²/2μ: the residuals themselves are feasible.
            dual = dual.max(self.fitted - 0.5 * self.residual - 0.5 * self.excess / square);
        }
        Certificate {
            primal,
            dual,
            scale,
            scaled,
        }
    }
}

/// Values that enclose the optimum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Certificate {
    /// P(w).
    pub(crate) primal: f64,
    /// A lower bound of all P.
    pub(crate) dual: f64,
    /// s, what the residuals are multiplied by to be a dual point, and its dual value.
    pub(super) scale: f64,
    pub(super) scaled: f64,
}

impl Certificate {
    /// P − D.
    pub(crate) fn gap(&self) -> f64 {
        (self.primal - self.dual).max(0.0)
    }
}
