//! Where a value lies on an axis.

/// How values are spread over an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Equal differences take equal room.
    #[default]
    Linear,
    /// Equal ratios take equal room; values that are not positive have no place.
    Log,
}

impl Scale {
    /// The number that differences are taken of; none where the value has no place.
    pub(crate) fn inner(self, value: f64) -> Option<f64> {
        let inner = match self {
            Self::Linear => value,
            Self::Log if value > 0.0 => value.log10(),
            Self::Log => return None,
        };
        // Differences of larger numbers may overflow.
        inner.is_finite().then(|| inner.clamp(-1e300, 1e300))
    }
}

/// The smallest and largest of those values that have a place.
pub(crate) fn extent(values: impl IntoIterator<Item = f64>, scale: Scale) -> Option<[f64; 2]> {
    let mut ends: Option<[f64; 2]> = None;
    for value in values {
        if scale.inner(value).is_none() {
            continue;
        }
        ends = Some(match ends {
            Some([low, high]) => [low.min(value), high.max(value)],
            None => [value, value],
        });
    }
    ends
}
