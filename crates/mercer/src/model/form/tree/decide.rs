//! From rows to leaves.

use mercer_linalg::{Matrix, Par};

use super::shares::doubted;
use super::{LEAF, TreeColumn, TreeModel, TreeNodes, TreeShares};
use crate::data::{Block, FeatureGroup, MISSING_CODE, Points, Records};
use crate::fit::Cancel;
use crate::model::Decide;
use crate::model::form::in_blocks::in_blocks;
use crate::model::form::log_odds;
use crate::{Error, Result};

/// Records of one task.
const BLOCK: usize = 1024;
/// Rows from which on threads are worth starting.
const WORTH_THREADS: usize = 20_000;

/// A tree prepared to predict.
#[derive(Debug)]
pub(super) struct TreeDecider {
    columns: Vec<TreeColumn>,
    nodes: TreeNodes,
    /// What every node says.
    known: TreeShares,
    /// Rows that are dealt out evenly among the classes of what a row's leaves hold together.
    doubt: f64,
    /// The width of the numeric block.
    width: usize,
}

/// A value as it is tested.
enum Tested {
    Number(f64),
    Code(u32),
}

impl TreeDecider {
    pub(super) fn new(model: &TreeModel) -> Self {
        Self {
            columns: model.columns.clone(),
            width: model.features.iter().map(FeatureGroup::width).sum(),
            nodes: model.nodes.clone(),
            known: model.shares(),
            doubt: model.doubt,
        }
    }

    /// The codes of every column, by column of the tree; empty for numbers.
    fn codes<'a>(&self, records: &'a Records) -> Result<Vec<&'a [u32]>> {
        let of = |column: &TreeColumn| match column {
            TreeColumn::Number { .. } => Ok(&[][..]),
            TreeColumn::Codes { source, .. } => {
                let found = records.codes.iter().find(|codes| codes.source == *source);
                let found = found.map(|codes| codes.codes.as_slice());
                found.ok_or_else(|| Error::Unknown {
                    kind: "column",
                    name: source.clone(),
                    known: records.codes.iter().map(|c| c.source.clone()).collect(),
                })
            }
        };
        self.columns.iter().map(of).collect()
    }

    /// Adds the class shares of a row's leaves to `out`, and returns how many training rows are behind them.
    fn walk(
        &self,
        value: &impl Fn(usize) -> Tested,
        stack: &mut Vec<(usize, f64)>,
        out: &mut [f64],
    ) -> f64 {
        let mut rows = 0.0;
        stack.clear();
        stack.push((0, 1.0));
        while let Some((node, part)) = stack.pop() {
            let column = self.nodes.columns[node];
            if column == LEAF {
                for (sum, share) in out.iter_mut().zip(self.known.shares.row(node)) {
                    *sum += part * share;
                }
                rows += self.known.behind[node];
                continue;
            }
            let column = column as usize;
            let children = self.nodes.children(node);
            let own = children.len() - usize::from(self.nodes.missing_branches[node]);
            let branch = match value(column) {
                Tested::Number(x) if x.is_nan() => None,
                Tested::Number(x) => Some(usize::from(!(x <= self.nodes.thresholds[node]))),
                // A category beyond those of training says as little as a missing one.
                Tested::Code(code) => Some(code as usize).filter(|&code| code < own),
            };
            let missing = (own < children.len()).then_some(own);
            if let Some(branch) = branch.or(missing) {
                stack.push((children.start + branch, part));
                continue;
            }
            let total: f64 = self.known.sizes[children.clone()].iter().sum();
            for child in children.rev() {
                let size = self.known.sizes[child];
                if size > 0.0 {
                    stack.push((child, part * size / total));
                }
            }
        }
        rows
    }

    /// Writes the decisions about the rows of a block.
    fn block(&self, points: &Points, codes: &[&[u32]], start: usize, out: &mut [f64]) {
        let classes = self.known.shares.columns();
        let decisions = if classes == 2 { 1 } else { classes };
        let mut shares = vec![0.0; classes];
        let mut stack = Vec::new();
        for (k, out) in out.chunks_exact_mut(decisions).enumerate() {
            let row = start + k;
            shares.fill(0.0);
            let value = |column: usize| match &self.columns[column] {
                TreeColumn::Number { feature } => Tested::Number(number(points, row, *feature)),
                TreeColumn::Codes { .. } => Tested::Code(codes[column][row]),
            };
            let rows = self.walk(&value, &mut stack, &mut shares);
            for (out, share) in out.iter_mut().zip(&shares) {
                let share = doubted(*share, rows, self.doubt, classes);
                *out = log_odds(share);
            }
        }
    }
}

/// A number of the block.
fn number(points: &Points, row: usize, feature: usize) -> f64 {
    fn sparse<T: Copy>(row: (&[u32], &[T])) -> impl Fn(usize) -> Option<T> {
        move |feature| {
            let place = row.0.binary_search(&(feature as u32)).ok()?;
            Some(row.1[place])
        }
    }
    match points {
        Points::Double(Block::Dense(rows)) => rows.row(row)[feature],
        Points::Single(Block::Dense(rows)) => f64::from(rows.row(row)[feature]),
        Points::Double(Block::Sparse(rows)) => sparse(rows.row(row))(feature).unwrap_or(0.0),
        Points::Single(Block::Sparse(rows)) => {
            sparse(rows.row(row))(feature).map_or(0.0, f64::from)
        }
    }
}

impl Decide for TreeDecider {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let points = &records.features.points;
        if points.columns() != self.width {
            return Err(Error::Length {
                what: "a row".to_owned(),
                found: points.columns(),
                expected: self.width,
                unit: "features",
            });
        }
        let codes = self.codes(records)?;
        let classes = self.known.shares.columns();
        let decisions = if classes == 2 { 1 } else { classes };
        let shape = [records.len(), decisions];
        in_blocks(shape, BLOCK, par, cancel, |first, out| {
            self.block(points, &codes, first, out);
        })
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        rows >= WORTH_THREADS
    }
}

const _: () = assert!(
    MISSING_CODE == u32::MAX,
    "a missing category is above all others"
);
