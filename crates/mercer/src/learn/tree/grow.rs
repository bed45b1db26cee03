//! Growing: the split of best gain ratio, again and again.

use rayon::prelude::*;

use super::candidate::{Candidate, Question, Rule};
use super::columns::{Entries, Rows, shares};
use super::criterion::{Logarithms, SMALL};
use super::node::Node;
use super::tally::{Counts, Tally};

/// Gains this far below the average of all columns still count as average (C4.5).
const ABOUT_AVERAGE: f64 = 1e-3;
/// Rows times columns from which on threads are worth starting.
const WORTH_THREADS: usize = 1 << 17;
/// Columns of categories that a thread counts at once.
const TOGETHER: usize = 8;

/// What ends the growth of branches beside pure rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) rule: Rule,
    /// Nodes below each other, the root not counted.
    pub(super) max_depth: usize,
    /// Whether columns may be looked at side by side.
    pub(super) threads: bool,
}

/// Why branches ended that are not pure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Ends {
    /// Leaves with rows enough for a split that differ, where no column gains anything.
    pub(super) without_gain: usize,
    /// Leaves at the largest depth.
    pub(super) at_depth: usize,
    /// Leaves that were left as they are because growth was to stop.
    pub(super) cut_short: usize,
}

/// Grows trees on some rows.
pub(super) struct Grower<'a> {
    rows: &'a Rows,
    tally: Tally,
    logs: Logarithms,
    limits: Limits,
    goes_on: &'a (dyn Fn() -> bool + Sync),
    /// Weight of all rows.
    whole: f64,
    /// The place of every numeric column among them.
    slots: Vec<Option<usize>>,
    /// Columns of categories that were tested above: they tell nothing apart any more.
    used: Vec<bool>,
    /// The splits of all columns at the root, once they are known.
    at_root: Option<Vec<Candidate>>,
    pub(super) ends: Ends,
}

/// Rows of a node, with their order by every numeric column.
struct Part {
    entries: Entries,
    /// Places in `entries` of rows with a number, ascending, a list for each numeric column.
    orders: Vec<Vec<u32>>,
}

impl<'a> Grower<'a> {
    pub(super) fn new(
        rows: &'a Rows,
        whole: f64,
        limits: Limits,
        goes_on: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        let mut numeric = 0;
        let slots = rows.columns.iter().map(|column| {
            column.is_numeric().then(|| {
                numeric += 1;
                numeric - 1
            })
        });
        Self {
            slots: slots.collect(),
            tally: Tally::new(rows),
            at_root: None,
            logs: Logarithms::up_to(rows.classes.len()),
            used: vec![false; rows.columns.len()],
            rows,
            limits,
            goes_on,
            whole,
            ends: Ends::default(),
        }
    }

    /// Grows a tree on weighted rows, a weight for each.
    pub(super) fn grow(&mut self, weights: &[f64]) -> Node {
        let part = self.root(weights);
        self.node(part, 0)
    }

    /// The splits of all columns at the root.
    pub(super) fn at_root(&mut self, weights: &[f64]) -> Vec<Candidate> {
        if let Some(found) = self.at_root.take() {
            return found;
        }
        let part = self.root(weights);
        let total = part.entries.weights.iter().sum();
        self.candidates(&part, total)
            .into_iter()
            .flatten()
            .collect()
    }

    fn root(&self, weights: &[f64]) -> Part {
        let entries = Entries {
            rows: (0..weights.len() as u32).collect(),
            weights: weights.to_vec(),
        };
        let numeric = self.rows.columns.iter().filter(|c| c.is_numeric());
        Part {
            entries,
            orders: numeric.map(|column| column.order.clone()).collect(),
        }
    }

    fn node(&mut self, part: Part, depth: usize) -> Node {
        let counts = part.entries.counts(self.rows);
        let mut node = Node::leaf(counts);
        let total = node.size();
        if total < 2.0 * self.limits.rule.least - SMALL || node.errors() < SMALL {
            return node;
        }
        if depth >= self.limits.max_depth {
            self.ends.at_depth += 1;
            return node;
        }
        if !(self.goes_on)() {
            self.ends.cut_short += 1;
            return node;
        }
        let candidates = self.candidates(&part, total);
        if depth == 0 {
            self.at_root = Some(candidates.iter().flatten().cloned().collect());
        }
        let Some(best) = self.choose(candidates) else {
            self.ends.without_gain += usize::from(self.rows.differ(&part.entries));
            return node;
        };
        let parts = self.divide(part, &best);
        let column = best.split.column;
        node.split = Some(best.split);
        let is_coded = !self.rows.columns[column].is_numeric();
        self.used[column] = is_coded;
        node.children = parts
            .into_iter()
            .map(|part| self.node(part, depth + 1))
            .collect();
        self.used[column] = false;
        node
    }

    /// The best split of every column, where it has one.
    fn candidates(&self, part: &Part, total: f64) -> Vec<Option<Candidate>> {
        let rows = part.entries.rows.iter();
        let classes: Vec<u32> = rows.map(|row| self.rows.classes[*row as usize]).collect();
        let question = Question {
            classes: &classes,
            rows: self.rows,
            entries: &part.entries,
            total,
            rule: self.limits.rule,
            logs: &self.logs,
        };
        let columns = self.rows.columns.len();
        let tallied = self.tally.columns();
        let threads = self.limits.threads && part.entries.rows.len() * columns >= WORTH_THREADS;
        let count = |first: usize, width: usize| {
            let slots = first..(first + width).min(tallied);
            self.tally.count(slots, &part.entries, &classes)
        };
        let width = if threads { TOGETHER } else { tallied.max(1) };
        let groups = tallied.div_ceil(width);
        let counts: Vec<Counts> = if threads {
            let groups = (0..groups).into_par_iter().with_max_len(1);
            groups.map(|group| count(group * width, width)).collect()
        } else {
            (0..groups)
                .map(|group| count(group * width, width))
                .collect()
        };
        let best = |column: usize| {
            if self.used[column] {
                return None;
            }
            if let Some(slot) = self.tally.slot(column) {
                return question.best_tallied(column, &self.tally, &counts[slot / width], slot);
            }
            let order = self.slots[column].map_or(&[][..], |slot| &part.orders[slot]);
            question.best(column, order)
        };
        if threads {
            let columns = (0..columns).into_par_iter().with_max_len(1);
            columns.map(best).collect()
        } else {
            (0..columns).map(best).collect()
        }
    }

    /// The split of largest gain ratio among those whose gain is at least about the average: small
    /// gains have large ratios where nearly all rows take one branch.
    ///
    /// Columns with so many categories that a third of the rows would have one of their own do
    /// not raise the average, unless all are of that kind.
    fn choose(&self, candidates: Vec<Option<Candidate>>) -> Option<Candidate> {
        let few = |levels: usize| (levels as f64) < 0.3 * self.whole - SMALL;
        let columns = &self.rows.columns;
        let all_many = columns
            .iter()
            .all(|column| !column.is_numeric() && !few(column.levels()));
        let (mut sum, mut count) = (0.0, 0);
        for candidate in candidates.iter().flatten() {
            let column = &columns[candidate.split.column];
            if column.is_numeric() || all_many || few(column.levels()) {
                sum += candidate.gain;
                count += 1;
            }
        }
        if count == 0 {
            return None;
        }
        let average = sum / f64::from(count);
        let mut best: Option<Candidate> = None;
        for candidate in candidates.into_iter().flatten() {
            let least = best.as_ref().map_or(0.0, |best| best.ratio);
            if candidate.gain >= average - ABOUT_AVERAGE && candidate.ratio > least + SMALL {
                best = Some(candidate);
            }
        }
        best
    }

    /// Rows of every branch, in the orders that they had.
    fn divide(&self, part: Part, best: &Candidate) -> Vec<Part> {
        /// Stands for all branches.
        const ALL: u32 = u32::MAX;
        let Part { entries, orders } = part;
        let bags = best.sizes(self.rows.class_count);
        let shares = shares(&bags);
        let room = |bag: &f64| Entries::with_room((*bag as usize + 1).min(entries.rows.len()));
        let mut dealt: Vec<Entries> = bags.iter().map(room).collect();
        // Rows without a value come first in every branch, so that they have the same place in all.
        let mut places = vec![(ALL, 0_u32); entries.rows.len()];
        let mut shared = 0;
        for (place, (row, weight)) in entries.iter().enumerate() {
            if let Some(branch) = best.split.branch(self.rows, row) {
                places[place].0 = branch as u32;
                continue;
            }
            places[place].1 = shared;
            shared += 1;
            for (to, share) in dealt.iter_mut().zip(&shares) {
                if *share > 0.0 {
                    to.push(row as u32, weight * share);
                }
            }
        }
        for (place, (row, weight)) in entries.iter().enumerate() {
            let (branch, index) = &mut places[place];
            if *branch != ALL {
                let to = &mut dealt[*branch as usize];
                *index = to.rows.len() as u32;
                to.push(row as u32, weight);
            }
        }
        let mut parts: Vec<Part> = dealt
            .into_iter()
            .map(|entries| Part {
                orders: Vec::with_capacity(orders.len()),
                entries,
            })
            .collect();
        for order in orders {
            for part in &mut parts {
                let most = part.entries.rows.len().min(order.len());
                part.orders.push(Vec::with_capacity(most));
            }
            let slot = parts[0].orders.len() - 1;
            for place in order {
                let (branch, index) = places[place as usize];
                if branch == ALL {
                    for (part, share) in parts.iter_mut().zip(&shares) {
                        if *share > 0.0 {
                            part.orders[slot].push(index);
                        }
                    }
                } else {
                    parts[branch as usize].orders[slot].push(index);
                }
            }
        }
        parts
    }
}
