//! The nearest rows so far.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Which rows are looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wanted {
    /// This many, or all where there are fewer.
    Nearest(usize),
    /// All that are at most so far away.
    Within(f64),
}

/// The neighbours of some rows, the nearest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Where the neighbours of every row begin, and where those of the last end.
    pub starts: Vec<usize>,
    /// Row numbers of neighbours.
    pub rows: Vec<u32>,
    /// Their distances.
    pub distances: Vec<f64>,
}

impl Found {
    /// Returns neighbours and distances of a row.
    pub fn of(&self, row: usize) -> (&[u32], &[f64]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.rows[range.clone()], &self.distances[range])
    }

    /// Returns how many rows were asked for.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns whether no row was asked for.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Puts lists one after another.
    pub(super) fn joined(parts: Vec<Self>) -> Self {
        let mut all = Self {
            starts: vec![0],
            ..Self::default()
        };
        for mut part in parts {
            let from = all.rows.len();
            all.starts.extend(part.starts[1..].iter().map(|s| from + s));
            all.rows.append(&mut part.rows);
            all.distances.append(&mut part.distances);
        }
        all
    }
}

/// A row with what its distance is compared as.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    pub(super) reduced: f64,
    pub(super) row: u32,
}

impl Eq for Near {}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Near {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_distance = self.reduced.total_cmp(&other.reduced);
        by_distance.then(self.row.cmp(&other.row))
    }
}

/// Collects what a search comes upon.
pub(super) struct Best {
    /// How many are kept; all where a radius is given.
    most: usize,
    /// The farthest that may come in.
    limit: Near,
    heap: BinaryHeap<Near>,
}

impl Best {
    /// `radius` in `wanted` is what distances are compared as.
    pub(super) fn new(wanted: Wanted) -> Self {
        let (most, reduced) = match wanted {
            Wanted::Nearest(k) => (k, f64::INFINITY),
            Wanted::Within(radius) => (usize::MAX, radius),
        };
        Self {
            most,
            limit: Near {
                reduced,
                row: u32::MAX,
            },
            heap: BinaryHeap::new(),
        }
    }

    /// What is farther than this has no part.
    #[inline]
    pub(super) fn limit(&self) -> Near {
        self.limit
    }

    #[inline]
    pub(super) fn offer(&mut self, reduced: f64, row: u32) {
        let near = Near { reduced, row };
        if near > self.limit || self.most == 0 {
            return;
        }
        if self.heap.len() < self.most {
            self.heap.push(near);
        } else if let Some(mut farthest) = self.heap.peek_mut() {
            *farthest = near;
        }
        if self.heap.len() == self.most
            && let Some(farthest) = self.heap.peek()
        {
            self.limit = *farthest;
        }
    }

    /// Appends what was found, the nearest first, and is as new.
    pub(super) fn finish(self, distance: impl Fn(f64) -> f64, found: &mut Found) {
        if found.starts.is_empty() {
            found.starts.push(0);
        }
        for near in self.heap.into_sorted_vec() {
            found.rows.push(near.row);
            found.distances.push(distance(near.reduced));
        }
        found.starts.push(found.rows.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_first_rows() {
        let mut best = Best::new(Wanted::Nearest(2));
        for (reduced, row) in [(1.0, 5), (1.0, 3), (2.0, 0), (1.0, 4), (1.0, 1)] {
            best.offer(reduced, row);
        }
        let mut found = Found::default();
        best.finish(f64::sqrt, &mut found);
        assert_eq!(found.of(0), (&[1, 3][..], &[1.0, 1.0][..]));
    }

    #[test]
    fn a_radius_is_part_of_its_ball() {
        let mut best = Best::new(Wanted::Within(4.0));
        for (row, reduced) in [9.0, 4.0, 0.0].into_iter().enumerate() {
            best.offer(reduced, row as u32);
        }
        let mut found = Found::default();
        best.finish(f64::sqrt, &mut found);
        assert_eq!(found.rows, [2, 1]);
    }
}
