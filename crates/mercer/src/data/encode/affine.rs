//! The map x ↦ (x − shift)/scale + offset.

use serde::{Deserialize, Serialize};

use super::Scaling;
use super::moments::Moments;

/// The map x ↦ (x − shift)/scale + offset.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Affine {
    /// Taken off first.
    pub shift: f64,
    /// Divided by; positive and finite.
    pub scale: f64,
    /// Added last.
    pub offset: f64,
}

impl Affine {
    /// The map that changes nothing.
    pub const IDENTITY: Self = Self {
        shift: 0.0,
        scale: 1.0,
        offset: 0.0,
    };

    /// Applies the map.
    pub fn apply(&self, x: f64) -> f64 {
        let gap = x - self.shift;
        let scaled = if gap.is_finite() {
            gap / self.scale
        } else {
            // The difference of two huge numbers of opposite sign overflows; their
            // quotients do not.
            x / self.scale - self.shift / self.scale
        };
        scaled + self.offset
    }

    /// The map a scaling asks for; a constant column is shifted only.
    pub(super) fn from_moments(moments: &Moments, scaling: Scaling) -> Self {
        let usable = |scale: f64| {
            if moments.is_constant() || !(scale.is_finite() && scale > 0.0) {
                1.0
            } else {
                scale
            }
        };
        match scaling {
            Scaling::None => Self::IDENTITY,
            Scaling::Standard => Self {
                shift: moments.mean,
                scale: usable(moments.deviation),
                offset: 0.0,
            },
            Scaling::MinMax { low, high } => {
                let range = high - low;
                Self {
                    shift: moments.min,
                    // Two quotients: the difference of the ends may overflow.
                    scale: usable(moments.max / range - moments.min / range),
                    offset: low,
                }
            }
        }
    }

    pub(super) fn is_sound(&self) -> bool {
        let finite = self.shift.is_finite() && self.scale.is_finite() && self.offset.is_finite();
        finite && self.scale > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::encode::moments::moments;

    #[test]
    fn min_max_meets_its_ends() {
        let values = [3.0, 5.0, 11.0];
        let found = moments(values.into_iter(), None).unwrap();
        let scaling = Scaling::MinMax {
            low: -1.0,
            high: 1.0,
        };
        let map = Affine::from_moments(&found, scaling);
        assert_eq!(values.map(|v| map.apply(v)), [-1.0, -0.5, 1.0]);
    }

    #[test]
    fn the_largest_numbers_stay_finite() {
        let values = [f64::MAX, -f64::MAX];
        let found = moments(values.into_iter(), None).unwrap();
        let standard = Affine::from_moments(&found, Scaling::Standard);
        assert!(
            values
                .iter()
                .all(|&v| (standard.apply(v).abs() - 1.0).abs() < 1e-9)
        );
    }
}
