//! Columns as a tree reads them: numbers with gaps, categories with gaps.

/// The code of a missing category.
pub(super) const MISSING: u32 = u32::MAX;

/// The values of a column, one per row.
pub(super) enum Values {
    /// Numbers; NaN is missing.
    Numbers(Vec<f64>),
    /// Codes below `levels`; `u32::MAX` is missing.
    Codes { codes: Vec<u32>, levels: usize },
}

/// One column of the training rows.
pub(super) struct Column {
    pub(super) values: Values,
    /// Whether any row lacks a value.
    pub(super) has_missing: bool,
    /// The distinct numbers in ascending order; empty for categories.
    distinct: Vec<f64>,
    /// The rows that have a number, in ascending order of it; empty for categories.
    pub(super) order: Vec<u32>,
}

impl Column {
    pub(super) fn of_numbers(values: Vec<f64>) -> Self {
        let mut order: Vec<u32> = (0..values.len() as u32).collect();
        order.retain(|&row| !values[row as usize].is_nan());
        order.sort_unstable_by(|&a, &b| {
            let by_value = values[a as usize].total_cmp(&values[b as usize]);
            by_value.then(a.cmp(&b))
        });
        let mut distinct: Vec<f64> = order.iter().map(|&row| values[row as usize]).collect();
        distinct.dedup();
        Self {
            has_missing: order.len() < values.len(),
            values: Values::Numbers(values),
            distinct,
            order,
        }
    }

    pub(super) fn of_codes(codes: Vec<u32>) -> Self {
        // One more than a missing code is 0.
        let counts = codes.iter().map(|code| code.wrapping_add(1));
        let levels = counts.max().unwrap_or(0) as usize;
        Self {
            has_missing: codes.contains(&MISSING),
            values: Values::Codes { codes, levels },
            distinct: Vec::new(),
            order: Vec::new(),
        }
    }

    /// How many categories there are; 0 for numbers.
    pub(super) fn levels(&self) -> usize {
        match &self.values {
            Values::Numbers(_) => 0,
            Values::Codes { levels, .. } => *levels,
        }
    }

    pub(super) fn is_numeric(&self) -> bool {
        matches!(self.values, Values::Numbers(_))
    }

    /// How many thresholds tell training rows apart.
    pub(super) fn thresholds(&self) -> usize {
        self.distinct.len().saturating_sub(1)
    }

    /// The largest number of the training rows that is not above a midpoint of two of them: the
    /// threshold is a value that occurs, as in C4.5.
    pub(super) fn value_at_most(&self, midpoint: f64) -> f64 {
        let above = self.distinct.partition_point(|value| *value <= midpoint);
        self.distinct[above.saturating_sub(1)]
    }
}

/// The training rows.
pub(super) struct Rows {
    pub(super) columns: Vec<Column>,
    /// The class of every row.
    pub(super) classes: Vec<u32>,
    /// How many classes there are.
    pub(super) class_count: usize,
}

impl Rows {
    /// Whether some of the entries differ in any column.
    pub(super) fn differ(&self, entries: &Entries) -> bool {
        let Some((&first, others)) = entries.rows.split_first() else {
            return false;
        };
        let differ = |column: &Column| match &column.values {
            Values::Numbers(values) => {
                let value = values[first as usize];
                let same = |other: f64| other == value || (other.is_nan() && value.is_nan());
                others.iter().any(|row| !same(values[*row as usize]))
            }
            Values::Codes { codes, .. } => {
                let code = codes[first as usize];
                others.iter().any(|row| codes[*row as usize] != code)
            }
        };
        self.columns.iter().any(differ)
    }
}

/// Some of the training rows, each with the share of it that is meant.
#[derive(Clone, Default)]
pub(super) struct Entries {
    pub(super) rows: Vec<u32>,
    pub(super) weights: Vec<f64>,
}

impl Entries {
    /// None yet, with room for so many.
    pub(super) fn with_room(count: usize) -> Self {
        Self {
            rows: Vec::with_capacity(count),
            weights: Vec::with_capacity(count),
        }
    }

    pub(super) fn push(&mut self, row: u32, weight: f64) {
        self.rows.push(row);
        self.weights.push(weight);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let weights = self.weights.iter().copied();
        self.rows.iter().map(|row| *row as usize).zip(weights)
    }

    /// Weight of each class.
    pub(super) fn counts(&self, rows: &Rows) -> Vec<f64> {
        let mut counts = vec![0.0; rows.class_count];
        for (row, weight) in self.iter() {
            counts[rows.classes[row] as usize] += weight;
        }
        counts
    }
}

/// A test that sends rows to branches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Split {
    /// The column that is looked at.
    pub(super) column: usize,
    /// Numbers up to this one go to the first branch, larger ones to the second; NaN where the
    /// column has categories, each of which has a branch.
    pub(super) threshold: f64,
    /// Whether rows without a value have a branch of their own, the last one.
    pub(super) missing_branch: bool,
}

impl Split {
    pub(super) fn branches(&self, rows: &Rows) -> usize {
        let own = match &rows.columns[self.column].values {
            Values::Numbers(_) => 2,
            Values::Codes { levels, .. } => *levels,
        };
        own + usize::from(self.missing_branch)
    }

    /// The branch of a row; `None` where its value is missing and all branches share it.
    pub(super) fn branch(&self, rows: &Rows, row: usize) -> Option<usize> {
        let (branch, own) = match &rows.columns[self.column].values {
            Values::Numbers(values) => {
                let value = values[row];
                let branch = usize::from(!(value <= self.threshold));
                ((!value.is_nan()).then_some(branch), 2)
            }
            Values::Codes { codes, levels } => {
                let code = codes[row];
                ((code != MISSING).then_some(code as usize), *levels)
            }
        };
        branch.or(self.missing_branch.then_some(own))
    }

    /// Deals rows out to the branches. Those without a value go to every branch, in proportion
    /// to `bags`, the weights of the branches.
    pub(super) fn deal(&self, rows: &Rows, entries: &Entries, bags: &[f64]) -> Vec<Entries> {
        let shares = shares(bags);
        let room = |bag: &f64| Entries::with_room((*bag as usize + 1).min(entries.rows.len()));
        let mut dealt: Vec<Entries> = bags.iter().map(room).collect();
        for (row, weight) in entries.iter() {
            match self.branch(rows, row) {
                Some(branch) => dealt[branch].push(row as u32, weight),
                None => {
                    for (to, share) in dealt.iter_mut().zip(&shares) {
                        if *share > 0.0 {
                            to.push(row as u32, weight * share);
                        }
                    }
                }
            }
        }
        dealt
    }

    /// The weights of the branches, of rows whose value is known.
    pub(super) fn bags(&self, rows: &Rows, entries: &Entries) -> Vec<f64> {
        let mut bags = vec![0.0; self.branches(rows)];
        for (row, weight) in entries.iter() {
            if let Some(branch) = self.branch(rows, row) {
                bags[branch] += weight;
            }
        }
        bags
    }
}

/// The parts of a row without a value that go to each branch.
pub(super) fn shares(bags: &[f64]) -> Vec<f64> {
    let total: f64 = bags.iter().sum();
    if total > 0.0 {
        bags.iter().map(|bag| bag / total).collect()
    } else {
        vec![1.0 / bags.len() as f64; bags.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Rows {
        Rows {
            columns: vec![
                Column::of_numbers(vec![3.0, f64::NAN, 1.0, 1.0]),
                Column::of_codes(vec![1, 0, MISSING, 1]),
            ],
            classes: vec![0, 1, 1, 0],
            class_count: 2,
        }
    }

    #[test]
    fn missing_values_are_shared_out_or_have_a_branch() {
        let rows = rows();
        let all = Entries {
            rows: vec![0, 1, 2, 3],
            weights: vec![1.0; 4],
        };
        let mut split = Split {
            column: 0,
            threshold: 1.0,
            missing_branch: false,
        };
        let bags = split.bags(&rows, &all);
        assert_eq!(bags, [2.0, 1.0]);
        let dealt = split.deal(&rows, &all, &bags);
        assert_eq!(dealt[0].rows, [1, 2, 3]);
        assert_eq!(dealt[0].weights[0], 2.0 / 3.0);
        assert_eq!(dealt[1].rows, [0, 1]);
        split.missing_branch = true;
        assert_eq!(split.bags(&rows, &all), [2.0, 1.0, 1.0]);
        let by_code = Split {
            column: 1,
            threshold: f64::NAN,
            missing_branch: false,
        };
        assert_eq!(by_code.branch(&rows, 2), None);
        assert_eq!(by_code.branch(&rows, 0), Some(1));
    }

    #[test]
    fn thresholds_are_values_that_occur() {
        let column = Column::of_numbers(vec![4.0, 1.0, 2.0, 1.0, f64::NAN]);
        assert_eq!(column.thresholds(), 2);
        assert_eq!(column.value_at_most(3.0), 2.0);
        assert_eq!(column.order, [1, 3, 2, 0]);
        assert!(column.has_missing);
    }
}
