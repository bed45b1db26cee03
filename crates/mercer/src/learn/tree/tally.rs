//! Class counts of the categories of many columns at once.
//!
//! A row adds its weight to one count of every column. Taken column by column, an addition waits for the one
//! before it wherever two rows share a category; taken row by row, the additions of a row are independent. A
//! count gets its rows in the same order either way, and so the same bits.

use std::ops::Range;

use super::columns::{Entries, Rows, Values};

/// Counts of a column beyond which two rows seldom share one, and its own pass is as good.
const MOST_COUNTS: usize = 1024;

/// Where the weight of every row goes.
pub(super) struct Tally {
    /// For every row, one after the other, and every tallied column: where the counts of its category begin.
    places: Vec<u32>,
    /// Where the counts of every tallied column begin, and where those of the last one end.
    starts: Vec<u32>,
    /// The place of every column among the tallied ones.
    slots: Vec<Option<usize>>,
    classes: usize,
}

/// Class counts of some tallied columns.
pub(super) struct Counts {
    first: u32,
    counts: Vec<f64>,
}

impl Tally {
    pub(super) fn new(rows: &Rows) -> Self {
        let classes = rows.class_count;
        let mut starts = vec![0];
        let mut tallied = Vec::new();
        let mut slots = Vec::with_capacity(rows.columns.len());
        for column in &rows.columns {
            let Values::Codes { codes, levels } = &column.values else {
                slots.push(None);
                continue;
            };
            // Rows without a value are counted behind the categories.
            let counts = (levels + 1) * classes;
            if counts > MOST_COUNTS {
                slots.push(None);
                continue;
            }
            slots.push(Some(tallied.len()));
            tallied.push((codes, *levels as u32));
            starts.push(starts[tallied.len() - 1] + counts as u32);
        }
        let mut places = Vec::with_capacity(rows.classes.len() * tallied.len());
        for row in 0..rows.classes.len() {
            let own = tallied.iter().zip(&starts);
            places.extend(own.map(|((codes, levels), start)| {
                // The code of a missing category is the largest number.
                start + codes[row].min(*levels) * classes as u32
            }));
        }
        Self {
            places,
            starts,
            slots,
            classes,
        }
    }

    /// How many columns are tallied.
    pub(super) fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    /// The place of a column among the tallied ones.
    pub(super) fn slot(&self, column: usize) -> Option<usize> {
        self.slots[column]
    }

    /// Counts entries, whose classes are given, in some of the tallied columns.
    pub(super) fn count(&self, slots: Range<usize>, entries: &Entries, classes: &[u32]) -> Counts {
        let first = self.starts[slots.start];
        let mut counts = vec![0.0; (self.starts[slots.end] - first) as usize];
        let width = self.columns();
        for ((row, weight), class) in entries.iter().zip(classes) {
            let begin = row * width;
            let places = &self.places[begin + slots.start..begin + slots.end];
            let class = *class as usize;
            for place in places {
                counts[(place - first) as usize + class] += weight;
            }
        }
        Counts { first, counts }
    }

    /// The class counts of so many branches of a column: its categories, then rows without one.
    pub(super) fn bags<'a>(&self, counts: &'a Counts, slot: usize, branches: usize) -> &'a [f64] {
        let begin = (self.starts[slot] - counts.first) as usize;
        &counts.counts[begin..begin + branches * self.classes]
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::{Column, MISSING};
    use super::*;

    #[test]
    fn rows_are_counted_by_category_and_class() {
        let rows = Rows {
            columns: vec![
                Column::of_codes(vec![0, 1, MISSING, 1]),
                Column::of_numbers(vec![1.0, 2.0, 3.0, 4.0]),
                Column::of_codes(vec![2, 0, 2, 2]),
            ],
            classes: vec![0, 1, 1, 0],
            class_count: 2,
        };
        let tally = Tally::new(&rows);
        assert_eq!(tally.columns(), 2);
        assert_eq!(tally.slot(1), None);
        let entries = Entries {
            rows: vec![0, 2, 3],
            weights: vec![1.0, 0.5, 2.0],
        };
        let all = tally.count(0..2, &entries, &[0, 1, 0]);
        // Categories 0 and 1, then the row without one.
        assert_eq!(tally.bags(&all, 0, 3), [1.0, 0.0, 2.0, 0.0, 0.0, 0.5]);
        assert_eq!(tally.bags(&all, 1, 3), [0.0, 0.0, 0.0, 0.0, 3.0, 0.5]);
        let last = tally.count(1..2, &entries, &[0, 1, 0]);
        assert_eq!(tally.bags(&last, 1, 3), tally.bags(&all, 1, 3));
    }
}
