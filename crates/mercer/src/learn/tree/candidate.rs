//! The best split of one column.

use super::columns::{Column, Entries, Rows, Split, Values};
use super::criterion::{Logarithms, SMALL, scaled};
use super::tally::{Counts, Tally};

/// What growth is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// Weight that at least two branches must have.
    pub(super) least: f64,
    /// Whether the choice of a threshold is charged for, and its sides are kept from being tiny.
    pub(super) correction: bool,
    /// Whether rows without a value get a branch of their own.
    pub(super) missing_branch: bool,
}

/// A split with its worth.
#[derive(Clone)]
pub(super) struct Candidate {
    pub(super) split: Split,
    /// Bits a row.
    pub(super) gain: f64,
    /// Gain over the bits that name a branch.
    pub(super) ratio: f64,
    /// Class counts of every branch, one after another, of rows whose value is known.
    pub(super) bags: Vec<f64>,
}

impl Candidate {
    /// The weight of every branch.
    pub(super) fn sizes(&self, classes: usize) -> Vec<f64> {
        let bags = self.bags.chunks_exact(classes);
        bags.map(|bag| bag.iter().sum()).collect()
    }
}

/// Rows of a node with a common question.
pub(super) struct Question<'a> {
    pub(super) rows: &'a Rows,
    pub(super) entries: &'a Entries,
    /// The class of every entry.
    pub(super) classes: &'a [u32],
    /// Weight of the rows, those without a value included.
    pub(super) total: f64,
    pub(super) rule: Rule,
    pub(super) logs: &'a Logarithms,
}

impl Question<'_> {
    /// The best split of a column; `order` has the places of rows with a number, ascending.
    pub(super) fn best(&self, column: usize, order: &[u32]) -> Option<Candidate> {
        let about = &self.rows.columns[column];
        let split = self.unsettled(column);
        match &about.values {
            Values::Codes { codes, .. } => self.by_category(split, &self.coded_bags(&split, codes)),
            Values::Numbers(values) => self.by_threshold(split, about, values, order),
        }
    }

    /// The split of a column of categories that were counted with those of others.
    pub(super) fn best_tallied(
        &self,
        column: usize,
        tally: &Tally,
        counts: &Counts,
        slot: usize,
    ) -> Option<Candidate> {
        let split = self.unsettled(column);
        let branches = split.branches(self.rows);
        self.by_category(split, tally.bags(counts, slot, branches))
    }

    /// A split of a column whose threshold, if any, is to be found.
    fn unsettled(&self, column: usize) -> Split {
        let has_missing = self.rows.columns[column].has_missing;
        Split {
            column,
            threshold: f64::NAN,
            missing_branch: self.rule.missing_branch && has_missing,
        }
    }

    /// One branch for every category, given the class counts of all.
    fn by_category(&self, split: Split, bags: &[f64]) -> Option<Candidate> {
        let classes = self.rows.class_count;
        let sizes = bags.chunks_exact(classes);
        let large = |bag: &[f64]| bag.iter().sum::<f64>() > self.rule.least - SMALL;
        if sizes.filter(|bag| large(bag)).count() < 2 {
            return None;
        }
        let gain = self.logs.gain(bags, classes, self.total);
        Some(self.candidate(split, gain, bags.to_vec()))
    }

    fn candidate(&self, split: Split, gain: f64, bags: Vec<f64>) -> Candidate {
        let classes = self.rows.class_count;
        Candidate {
            ratio: self.logs.ratio(gain, &bags, classes, self.total),
            split,
            gain,
            bags,
        }
    }

    /// Class counts of every category, and of rows without one where they have a branch.
    fn coded_bags(&self, split: &Split, codes: &[u32]) -> Vec<f64> {
        let classes = self.rows.class_count;
        let branches = split.branches(self.rows);
        let last = branches - 1;
        let mut bags = vec![0.0; branches * classes];
        let Entries { rows, weights } = self.entries;
        for ((row, weight), class) in rows.iter().zip(weights).zip(self.classes) {
            let code = codes[*row as usize] as usize;
            let branch = match code {
                _ if code < branches => code,
                _ if split.missing_branch => last,
                _ => continue,
            };
            bags[branch * classes + *class as usize] += weight;
        }
        bags
    }

    /// Class counts of every branch.
    fn bags(&self, split: &Split) -> Vec<f64> {
        let classes = self.rows.class_count;
        let mut bags = vec![0.0; split.branches(self.rows) * classes];
        for (row, weight) in self.entries.iter() {
            if let Some(branch) = split.branch(self.rows, row) {
                bags[branch * classes + self.rows.classes[row] as usize] += weight;
            }
        }
        bags
    }

    /// The weight that both sides of a threshold must have: a tenth of the mean weight of a
    /// class, within the least weight of a branch and 25.
    fn least_side(&self, known: f64) -> f64 {
        let least = self.rule.least;
        if !self.rule.correction {
            return least;
        }
        let tenth = 0.1 * known / self.rows.class_count as f64;
        if tenth < least + SMALL {
            least
        } else {
            tenth.min(25.0)
        }
    }

    /// Two branches, on either side of the threshold of largest gain.
    ///
    /// With t thresholds to choose from, log₂ t bits name the one that is chosen; they are taken
    /// off the gain (Quinlan, Improved use of continuous attributes in C4.5, 1996).
    fn by_threshold(
        &self,
        split: Split,
        about: &Column,
        values: &[f64],
        order: &[u32],
    ) -> Option<Candidate> {
        let entries = self.entries;
        let classes = self.rows.class_count;
        let mut both = vec![0.0; classes];
        for &place in order {
            both[self.classes[place as usize] as usize] += entries.weights[place as usize];
        }
        let known: f64 = both.iter().sum();
        let least = self.least_side(known) - SMALL;
        if known < 2.0 * least {
            return None;
        }
        // What a branch of rows without a value adds to both sides of the difference.
        let logs = self.logs;
        let mut whole = both.clone();
        let mut counted = known;
        let mut aside = 0.0;
        if split.missing_branch {
            let mut gone = vec![0.0; classes];
            for (row, weight) in entries.iter().filter(|(row, _)| values[*row].is_nan()) {
                gone[self.rows.classes[row] as usize] += weight;
            }
            aside = logs.entropy(&gone);
            counted += gone.iter().sum::<f64>();
            whole.iter_mut().zip(&gone).for_each(|(w, g)| *w += g);
        }
        let before = logs.entropy(&whole) - aside;
        let mut sides = Sides::new(&both, logs);
        let (mut best, mut best_gain, mut tried) = (None, 0.0, 0_u64);
        for pair in order.windows(2) {
            let (here, there) = (pair[0] as usize, pair[1] as usize);
            sides.shift(self.classes[here] as usize, entries.weights[here]);
            let low = values[entries.rows[here] as usize];
            let high = values[entries.rows[there] as usize];
            let right_size = known - sides.left_size;
            if !(low < high) || sides.left_size < least || right_size < least {
                continue;
            }
            tried += 1;
            let after = sides.entropy(right_size);
            let gain = scaled(before - after, counted, self.total);
            if gain > best_gain + SMALL {
                (best, best_gain) = (Some((low, high)), gain);
            }
        }
        let (low, high) = best?;
        let charge = if self.rule.correction {
            (tried as f64).log2() / self.total
        } else {
            0.0
        };
        let gain = best_gain - charge;
        if gain < SMALL {
            return None;
        }
        let middle = 0.5 * low + 0.5 * high;
        let middle = if middle < high { middle } else { low };
        let split = Split {
            threshold: about.value_at_most(middle),
            ..split
        };
        let bags = self.bags(&split);
        Some(self.candidate(split, gain, bags))
    }
}

/// Class counts on both sides of a threshold that moves up.
struct Sides<'a> {
    logs: &'a Logarithms,
    /// Both sides together.
    both: &'a [f64],
    left: Vec<f64>,
    left_size: f64,
    /// Left counts as they are in the sums below.
    summed: Vec<f64>,
    /// Classes whose counts are not yet in the sums.
    stale: Vec<usize>,
    /// Σ n log₂ n over the classes of each side.
    left_sum: f64,
    right_sum: f64,
}

impl<'a> Sides<'a> {
    /// All rows on the right.
    fn new(both: &'a [f64], logs: &'a Logarithms) -> Self {
        Self {
            logs,
            both,
            left: vec![0.0; both.len()],
            left_size: 0.0,
            summed: vec![0.0; both.len()],
            stale: Vec::new(),
            left_sum: 0.0,
            right_sum: both.iter().map(|count| logs.of(*count)).sum(),
        }
    }

    #[inline]
    fn shift(&mut self, class: usize, weight: f64) {
        if self.left[class] == self.summed[class] {
            self.stale.push(class);
        }
        self.left[class] += weight;
        self.left_size += weight;
    }

    /// Entropies of both sides, each times its size.
    fn entropy(&mut self, right_size: f64) -> f64 {
        let logs = self.logs;
        while let Some(class) = self.stale.pop() {
            let (now, before) = (self.left[class], self.summed[class]);
            let rest = |left: f64| (self.both[class] - left).max(0.0);
            self.left_sum += logs.of(now) - logs.of(before);
            self.right_sum += logs.of(rest(now)) - logs.of(rest(before));
            self.summed[class] = now;
        }
        logs.of(self.left_size) - self.left_sum + logs.of(right_size) - self.right_sum
    }
}
