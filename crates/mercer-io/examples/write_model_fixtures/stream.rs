//! Numbers that look random and are the same everywhere.

/// A stream of numbers between 0 and 1 (Knuth's MMIX generator).
pub(crate) struct Stream(pub(crate) u64);

impl Stream {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number with two digits after the point.
    pub(crate) fn rounded(&mut self, low: f64, high: f64) -> f64 {
        hundredths(low + (high - low) * self.next())
    }

    /// A whole number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() * end as f64) as usize % end
    }

    pub(crate) fn pick<'a>(&mut self, names: &[&'a str]) -> &'a str {
        names[self.below(names.len())]
    }
}

/// Rounds to two digits after the point.
pub(crate) fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
