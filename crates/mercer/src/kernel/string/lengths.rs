//! `weight(u) = decay^|u|` for words with `minimum ≤ |u| ≤ maximum`, otherwise 0.

/// Which words a substring kernel counts, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lengths {
    /// Factor per letter, in (0, 1].
    pub(super) decay: f64,
    /// Shortest word that counts.
    pub(super) minimum: usize,
    /// Longest word that counts.
    pub(super) maximum: usize,
}

impl Default for Lengths {
    fn default() -> Self {
        Self {
            decay: 1.0,
            minimum: 1,
            maximum: usize::MAX,
        }
    }
}

impl Lengths {
    /// Sets the factor per letter.
    #[cfg(test)]
    pub(super) fn decay(mut self, decay: f64) -> Self {
        self.decay = decay;
        self
    }

    /// Sets the length of the shortest word that counts.
    #[cfg(test)]
    pub(super) fn minimum(mut self, minimum: usize) -> Self {
        self.minimum = minimum;
        self
    }

    /// Sets the length of the longest word that counts.
    #[cfg(test)]
    pub(super) fn maximum(mut self, maximum: usize) -> Self {
        self.maximum = maximum;
        self
    }

    /// Words longer than this are never looked at.
    pub(crate) fn ceiling(&self) -> u32 {
        u32::try_from(self.maximum).unwrap_or(u32::MAX)
    }

    /// The lengths that count in `above + 1 ..= end`, as first length and number.
    fn clip(&self, above: u32, end: u32) -> (u64, u64) {
        let first = (u64::from(above) + 1).max(self.minimum as u64);
        let last = u64::from(end).min(self.maximum as u64);
        (first, (last + 1).saturating_sub(first))
    }

    /// The sum of weights of one word of each length in `above + 1 ..= end`.
    pub(crate) fn weight(&self, above: u32, end: u32) -> f64 {
        let (first, count) = self.clip(above, end);
        if self.decay == 1.0 || count == 0 {
            return count as f64;
        }
        let start = self.decay.powi(i32::try_from(first).unwrap_or(i32::MAX));
        // Few terms are added; many have the closed form of a geometric sum, whose `1 − decay^count` must not cancel.
        if count <= 16 {
            let mut sum = 1.0;
            for _ in 1..count {
                sum = sum * self.decay + 1.0;
            }
            return start * sum;
        }
        let log = (self.decay - 1.0).ln_1p();
        start * -(count as f64 * log).exp_m1() / (1.0 - self.decay)
    }
}

/// A sum of weights times numbers of occurrences: of integers without rounding when the decay is 1.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Total {
    whole: u128,
    real: f64,
}

impl Total {
    /// Adds `occurrences` times one word of each length in `above + 1 ..= end`.
    #[inline]
    pub(crate) fn add(&mut self, lengths: &Lengths, above: u32, end: u32, occurrences: u64) {
        if lengths.decay == 1.0 {
            let (_, count) = lengths.clip(above, end);
            self.whole += u128::from(count) * u128::from(occurrences);
        } else {
            self.real += lengths.weight(above, end) * occurrences as f64;
        }
    }

    /// The sum and `more`, rounded once when the decay is 1.
    pub(crate) fn plus(self, more: u32) -> f64 {
        (self.whole + u128::from(more)) as f64 + self.real
    }
}
