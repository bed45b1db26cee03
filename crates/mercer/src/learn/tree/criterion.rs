//! Gain and gain ratio of a split, in bits a row.
//!
//! With n rows of which m have a value, H the entropy of the classes and S that of the branches:
//!
//! gain = (m/n) (H(rows with a value) − Σ (m_b/m) H(branch b)),  ratio = gain / S,
//!
//! where rows without a value count as one more branch in S.
//!
//! Quinlan, C4.5: Programs for Machine Learning, 1993, chapters 2 and 3.

/// Differences below this are rounding, in bits and in rows.
pub(super) const SMALL: f64 = 1e-6;

/// x log₂ x; whole numbers are looked up.
pub(super) struct Logarithms(Vec<f64>);

impl Logarithms {
    /// Those of whole numbers up to `most`, and of all others when asked.
    pub(super) fn up_to(most: usize) -> Self {
        let whole = |n: usize| {
            let n = n as f64;
            if n > 0.0 { n * n.log2() } else { 0.0 }
        };
        Self((0..=most).map(whole).collect())
    }

    #[inline]
    pub(super) fn of(&self, x: f64) -> f64 {
        // A number that is not whole differs from what it is cut to.
        let whole = x as usize;
        if whole as f64 == x
            && let Some(known) = self.0.get(whole)
        {
            return *known;
        }
        if x < SMALL { 0.0 } else { x * x.log2() }
    }

    /// Entropy of counts, times their sum.
    pub(super) fn entropy(&self, counts: &[f64]) -> f64 {
        let total: f64 = counts.iter().sum();
        self.of(total) - counts.iter().map(|count| self.of(*count)).sum::<f64>()
    }

    /// The gain of a split: `bags` has the class counts of every branch, one after another, over
    /// rows of weight `total`, those without a value included.
    pub(super) fn gain(&self, bags: &[f64], classes: usize, total: f64) -> f64 {
        let apart: f64 = bags
            .chunks_exact(classes)
            .map(|bag| self.entropy(bag))
            .sum();
        let (mut known, mut named) = (0.0, 0.0);
        for class in 0..classes {
            let together: f64 = bags.iter().skip(class).step_by(classes).sum();
            known += together;
            named += self.of(together);
        }
        scaled(self.of(known) - named - apart, known, total)
    }

    /// The ratio of a gain to the bits that name a branch.
    pub(super) fn ratio(&self, gain: f64, bags: &[f64], classes: usize, total: f64) -> f64 {
        let sizes = bags
            .chunks_exact(classes)
            .map(|bag| bag.iter().sum::<f64>());
        let (mut known, mut named) = (0.0, 0.0);
        for size in sizes {
            known += size;
            named += self.of(size);
        }
        let bits = self.of(total) - named - self.of((total - known).max(0.0));
        if bits < SMALL {
            return 0.0;
        }
        gain / (bits / total)
    }
}

/// Bits saved on rows whose value is known, as bits a row.
pub(super) fn scaled(saved: f64, known: f64, total: f64) -> f64 {
    let share = known / total;
    if (share * saved).abs() < SMALL || known <= 0.0 {
        return 0.0;
    }
    share * saved / known
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight rows: yellow (3, 0), red (2, 1), blue (0, 2).
    const COLOURS: [f64; 6] = [3.0, 0.0, 2.0, 1.0, 0.0, 2.0];

    #[test]
    fn worked_numbers() {
        let logs = Logarithms::up_to(8);
        assert!((logs.entropy(&[5.0, 3.0]) / 8.0 - 0.954_434_00).abs() < 5e-9);
        let gain = logs.gain(&COLOURS, 2, 8.0);
        assert!((gain - 0.610_073_07).abs() < 5e-9, "{gain}");
        let ratio = logs.ratio(gain, &COLOURS, 2, 8.0);
        assert!((ratio - 0.390_752_33).abs() < 5e-9, "{ratio}");
        // An identifier tells every row apart: its gain is larger, its ratio smaller.
        let mut rows = Vec::new();
        for k in 0..8 {
            rows.extend(if k < 5 { [1.0, 0.0] } else { [0.0, 1.0] });
        }
        let all = logs.gain(&rows, 2, 8.0);
        assert!((all - 0.954_434_00).abs() < 5e-9, "{all}");
        let by_row = logs.ratio(all, &rows, 2, 8.0);
        assert!((by_row - 0.318_144_67).abs() < 5e-9, "{by_row}");
        assert!(by_row < ratio && all > gain);
    }

    #[test]
    fn missing_rows_scale_the_gain_and_name_a_branch() {
        // Quinlan 1993, section 3.2.1: outlook with one of 14 values missing; 13 known ones.
        let logs = Logarithms::up_to(14);
        let bags = [2.0, 3.0, 3.0, 0.0, 3.0, 2.0];
        let gain = logs.gain(&bags, 2, 14.0);
        assert!((gain - 0.199).abs() < 5e-4, "{gain}");
        let bits = gain / logs.ratio(gain, &bags, 2, 14.0);
        assert!((bits - 1.809).abs() < 5e-4, "{bits}");
    }

    #[test]
    fn fractions_are_not_looked_up() {
        let logs = Logarithms::up_to(4);
        assert_eq!(logs.of(2.5), 2.5 * 2.5_f64.log2());
        assert_eq!(logs.of(4.0), 8.0);
        assert_eq!(logs.of(64.0), 384.0);
        assert_eq!(logs.of(0.0), 0.0);
    }
}
