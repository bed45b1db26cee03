//! Rules made of the paths of a tree.
//!
//! Every path is a rule. A condition is dropped while the estimated share of errors does not grow
//! by it; of equal rules one stays. Rules of a class stand together, the surest first, and the
//! class whose rules err least comes first. What no rule covers gets its most frequent class.
//!
//! Quinlan, C4.5: Programs for Machine Learning, 1993, chapter 5; the subset of rules of a class
//! is not searched there for the shortest description.

use super::columns::{Rows, Values};
use super::node::Node;
use super::pessimism::Pessimism;
use crate::model::{RuleCondition, RuleTest, TreeRule};

/// A rule with the rows that meet each of its conditions.
struct Path {
    class: usize,
    conditions: Vec<(RuleCondition, Cover)>,
}

/// A set of training rows, a bit for each.
#[derive(Clone)]
struct Cover(Vec<u64>);

impl Cover {
    fn of(rows: usize, holds: impl Fn(usize) -> bool) -> Self {
        let mut bits = vec![0; rows.div_ceil(64)];
        for row in (0..rows).filter(|&row| holds(row)) {
            bits[row / 64] |= 1 << (row % 64);
        }
        Self(bits)
    }

    fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                (left != 0).then(|| {
                    left &= left - 1;
                    64 * word + bit
                })
            })
        })
    }
}

/// Makes rules of trees over some rows.
pub(super) struct Maker<'a> {
    pub(super) rows: &'a Rows,
    pub(super) weights: &'a [f64],
    pub(super) pessimism: Pessimism,
}

impl Maker<'_> {
    /// The rules of a tree in the order in which they are tried.
    pub(super) fn make(&self, root: &Node) -> Vec<TreeRule> {
        let mut found: Vec<(TreeRule, Cover)> = Vec::new();
        for path in self.paths(root) {
            let (rule, cover) = self.simplified(path);
            let known = found.iter().any(|(other, _)| {
                other.class == rule.class && same(&other.conditions, &rule.conditions)
            });
            if !known && !rule.conditions.is_empty() && rule.covered > 0.0 {
                found.push((rule, cover));
            }
        }
        let wrong = self.wrong_by_class(&found);
        found.sort_by(|(a, _), (b, _)| {
            let classes = (a.class as usize, b.class as usize);
            let by_class = wrong[classes.0].total_cmp(&wrong[classes.1]);
            let by_sureness = a.estimate.total_cmp(&b.estimate);
            by_class
                .then(a.class.cmp(&b.class))
                .then(by_sureness)
                .then(b.covered.total_cmp(&a.covered))
        });
        let rest = self.rest(&found);
        let mut rules: Vec<TreeRule> = found.into_iter().map(|(rule, _)| rule).collect();
        rules.push(rest);
        rules
    }

    /// Weight of rows that the rules of each class claim wrongly.
    fn wrong_by_class(&self, found: &[(TreeRule, Cover)]) -> Vec<f64> {
        let wrong = |class: usize| {
            let own = found
                .iter()
                .filter(|(rule, _)| rule.class as usize == class);
            let claimed = self.union(own.map(|(_, cover)| cover));
            let of_others = claimed
                .rows()
                .filter(|&r| self.rows.classes[r] as usize != class);
            of_others.map(|row| self.weights[row]).sum()
        };
        (0..self.rows.class_count).map(wrong).collect()
    }

    fn union<'c>(&self, covers: impl Iterator<Item = &'c Cover>) -> Cover {
        let mut all = Cover::of(self.weights.len(), |_| false);
        for cover in covers {
            for (sum, bits) in all.0.iter_mut().zip(&cover.0) {
                *sum |= bits;
            }
        }
        all
    }

    /// The rule for what no other covers; where that is nothing, for all rows.
    fn rest(&self, found: &[(TreeRule, Cover)]) -> TreeRule {
        let covered = self.union(found.iter().map(|(_, cover)| cover));
        let left = Cover(covered.0.iter().map(|bits| !bits).collect());
        let count = |rows: &mut dyn Iterator<Item = usize>| {
            let mut counts = vec![0.0; self.rows.class_count];
            for row in rows {
                counts[self.rows.classes[row] as usize] += self.weights[row];
            }
            counts
        };
        let all = count(&mut (0..self.weights.len()));
        let counts = count(&mut left.rows().filter(|&row| row < self.weights.len()));
        let size: f64 = counts.iter().sum();
        let class = first_largest(if size > 0.0 { &counts } else { &all });
        self.rule(class, Vec::new(), &counts)
    }

    fn rule(&self, class: usize, conditions: Vec<RuleCondition>, counts: &[f64]) -> TreeRule {
        let covered: f64 = counts.iter().sum();
        let errors = (covered - counts[class]).max(0.0);
        let estimate = if covered > 0.0 {
            self.pessimism.errors(covered, errors) / covered
        } else {
            1.0
        };
        TreeRule {
            class: class as u32,
            conditions,
            covered,
            errors,
            estimate,
        }
    }

    /// All paths that end at rows.
    fn paths(&self, root: &Node) -> Vec<Path> {
        let mut paths = Vec::new();
        let mut waiting: Vec<(&Node, Vec<RuleCondition>)> = vec![(root, Vec::new())];
        while let Some((node, conditions)) = waiting.pop() {
            let Some(split) = &node.split else {
                if node.size() > 0.0 {
                    let covers = conditions.iter().map(|c| (*c, self.cover(*c))).collect();
                    paths.push(Path {
                        class: first_largest(&node.counts),
                        conditions: covers,
                    });
                }
                continue;
            };
            let is_numeric = self.rows.columns[split.column].is_numeric();
            let own = node.children.len() - usize::from(split.missing_branch);
            for (branch, child) in node.children.iter().enumerate().rev() {
                let test = match branch {
                    _ if branch == own => RuleTest::Missing,
                    0 if is_numeric => RuleTest::AtMost(split.threshold),
                    _ if is_numeric => RuleTest::Above(split.threshold),
                    _ => RuleTest::Is(branch as u32),
                };
                let mut more = conditions.clone();
                let column = split.column;
                // The narrower of two bounds on the same side says both.
                more.retain(|c| {
                    let side = std::mem::discriminant(&c.test);
                    c.column != column || side != std::mem::discriminant(&test)
                });
                more.push(RuleCondition { column, test });
                waiting.push((child, more));
            }
        }
        paths
    }

    fn cover(&self, condition: RuleCondition) -> Cover {
        let rows = self.weights.len();
        match (&self.rows.columns[condition.column].values, condition.test) {
            (Values::Numbers(v), RuleTest::AtMost(t)) => Cover::of(rows, |row| v[row] <= t),
            (Values::Numbers(v), RuleTest::Above(t)) => Cover::of(rows, |row| v[row] > t),
            (Values::Numbers(v), _) => Cover::of(rows, |row| v[row].is_nan()),
            (Values::Codes { codes, .. }, RuleTest::Is(code)) => {
                Cover::of(rows, |row| codes[row] == code)
            }
            (Values::Codes { codes, .. }, _) => Cover::of(rows, |row| codes[row] == u32::MAX),
        }
    }

    /// Drops conditions while the estimated share of errors does not grow.
    fn simplified(&self, path: Path) -> (TreeRule, Cover) {
        let Path {
            class,
            mut conditions,
        } = path;
        let evaluated = |conditions: &[(RuleCondition, Cover)], without: Option<usize>| {
            let mut cover = Cover::of(self.weights.len(), |_| true);
            for (k, (_, own)) in conditions.iter().enumerate() {
                if Some(k) != without {
                    cover.0.iter_mut().zip(&own.0).for_each(|(a, b)| *a &= b);
                }
            }
            let mut counts = vec![0.0; self.rows.class_count];
            for row in cover.rows() {
                counts[self.rows.classes[row] as usize] += self.weights[row];
            }
            (self.rule(class, Vec::new(), &counts), cover)
        };
        let (mut rule, mut cover) = evaluated(&conditions, None);
        while !conditions.is_empty() {
            let tried = (0..conditions.len()).map(|k| (k, evaluated(&conditions, Some(k))));
            let best = tried.min_by(|(_, a), (_, b)| a.0.estimate.total_cmp(&b.0.estimate));
            match best {
                Some((k, (next, wider))) if next.estimate <= rule.estimate => {
                    conditions.remove(k);
                    (rule, cover) = (next, wider);
                }
                _ => break,
            }
        }
        rule.conditions = conditions.into_iter().map(|(c, _)| c).collect();
        (rule, cover)
    }
}

/// Whether two lists hold the same conditions in any order.
fn same(a: &[RuleCondition], b: &[RuleCondition]) -> bool {
    a.len() == b.len() && a.iter().all(|condition| b.contains(condition))
}

fn first_largest(counts: &[f64]) -> usize {
    let mut best = 0;
    for (class, count) in counts.iter().enumerate() {
        if *count > counts[best] {
            best = class;
        }
    }
    best
}
