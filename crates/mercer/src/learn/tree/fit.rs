//! From data sets to trees.

use mercer_linalg::Par;

use super::candidate::Rule;
use super::columns::{Column, Entries, Rows};
use super::flat::flat;
use super::grow::{Ends, Grower, Limits};
use super::length::{class_bits, description_length};
use super::node::Node;
use super::pessimism::Pessimism;
use super::prune::{Pruner, collapse};
use super::rules::Maker;
use super::{C45, MissingValues, RuleMaking};
use crate::data::{Block, ClassTargets, Dataset, Points, Records, Targets};
use crate::fit::{FitContext, FitReport, Fitted, Note, StopReason, TreeReport};
use crate::learn::Estimator;
use crate::model::readout::{ClassReadout, Readout, Scheme, Sigmoid};
use crate::model::{MOST_TREE_DEPTH, TreeColumn, TreeModel, TreeRule};
use crate::{Error, Result};

/// Leaves up to which rules are made of a tree unasked.
const FEW_LEAVES: usize = 50;
/// Rows that are dealt out evenly among the classes when probabilities are asked for: a leaf of two rows
/// of one class of two says 83 %, not that nothing else can be.
const DOUBT: f64 = 1.0;

impl Estimator for C45 {
    type Model = TreeModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<TreeModel>> {
        self.check_all()?;
        let context = context.restarted();
        let classes = classes(data)?;
        let kept = kept_rows(data)?;
        let (columns, rows) = gather(data, classes, &kept, &context)?;
        let weights: Vec<f64> = match &data.weights {
            Some(weights) => kept.iter().map(|&row| weights[row]).collect(),
            None => vec![1.0; kept.len()],
        };
        let grown = context.install(|| self.grow(&rows, &weights, &context))?;
        if context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let rules = self.make_rules(&grown.tree, &rows, &weights, &context);
        let report = self.report(&grown, data, &rows, &weights, &context);
        let labels = classes.labels.clone();
        let scheme = Scheme::one_or_rest(labels.len());
        let sigmoid = Sigmoid { a: -1.0, b: 0.0 };
        let model = TreeModel {
            columns,
            nodes: flat(&grown.tree),
            stump: grown.stump.as_ref().map(flat),
            laplace: self.laplace,
            doubt: if self.laplace { 0.0 } else { DOUBT },
            rules,
            features: data.records.features.groups.clone(),
            readout: Readout::Classes(ClassReadout {
                sigmoids: Some(vec![sigmoid; scheme.decisions(labels.len())]),
                labels,
                scheme,
                factors: None,
            }),
        };
        Ok(Fitted { model, report })
    }
}

/// A tree, and what growing it told.
struct Grown {
    tree: Node,
    /// The best tree of one test.
    stump: Option<Node>,
    ends: Ends,
}

impl C45 {
    fn pessimism(&self) -> Pessimism {
        Pessimism::new(self.estimate, self.confidence)
    }

    fn grow(&self, rows: &Rows, weights: &[f64], context: &FitContext) -> Grown {
        let rule = Rule {
            least: self.min_rows as f64,
            correction: self.correction,
            missing_branch: self.missing == MissingValues::Branch,
        };
        let limits = Limits {
            rule,
            max_depth: self
                .max_depth
                .unwrap_or(MOST_TREE_DEPTH)
                .min(MOST_TREE_DEPTH),
            threads: context.par() != Par::Sequential,
        };
        let goes_on = || context.goes_on();
        let whole = weights.iter().sum();
        let mut grower = Grower::new(rows, whole, limits, &goes_on);
        let mut tree = grower.grow(weights);
        let all = Entries {
            rows: (0..weights.len() as u32).collect(),
            weights: weights.to_vec(),
        };
        collapse(&mut tree);
        if self.prune {
            let pruner = Pruner {
                rows,
                pessimism: self.pessimism(),
                raising: self.raising,
                goes_on: &goes_on,
            };
            pruner.prune(&mut tree, &all);
        }
        Grown {
            stump: stump(&mut grower, rows, weights, &all),
            ends: grower.ends,
            tree,
        }
    }

    fn make_rules(
        &self,
        tree: &Node,
        rows: &Rows,
        weights: &[f64],
        context: &FitContext,
    ) -> Vec<TreeRule> {
        let wanted = match self.rules {
            RuleMaking::All => true,
            RuleMaking::Auto => tree.leaves() <= FEW_LEAVES && context.goes_on(),
            RuleMaking::None => false,
        };
        let maker = Maker {
            rows,
            weights,
            pessimism: self.pessimism(),
        };
        if wanted { maker.make(tree) } else { Vec::new() }
    }

    fn report(
        &self,
        grown: &Grown,
        data: &Dataset,
        rows: &Rows,
        weights: &[f64],
        context: &FitContext,
    ) -> FitReport {
        let Grown { tree, stump, ends } = grown;
        let mut notes = Vec::new();
        let mut stop_reason = StopReason::Converged;
        if ends.cut_short > 0 {
            stop_reason = StopReason::TimeLimit;
            notes.push(Note::Alert(format!(
                "the time limit came before {} of the tree had grown",
                plural(ends.cut_short, "branch", "branches")
            )));
        }
        if self.max_depth.is_none_or(|depth| depth > MOST_TREE_DEPTH) && ends.at_depth > 0 {
            notes.push(Note::Alert(format!(
                "{} at {MOST_TREE_DEPTH} tests below each other, where growth ends",
                plural(ends.at_depth, "leaf is", "leaves are")
            )));
        }
        if ends.without_gain > 0 && (tree.split.is_none() || !self.prune) {
            let leaves = plural(ends.without_gain, "leaf is", "leaves are");
            notes.push(Note::Choice(format!(
                "{leaves} of several classes because no single column gains anything there; where only columns together tell (as in XOR), a greedy tree does not find them"
            )));
        }
        let (tree_bits, class_bits_left) = description_length(tree, rows);
        FitReport {
            stop_reason,
            distinct_rows: weights.len(),
            tree: Some(TreeReport {
                leaves: tree.leaves(),
                depth: tree.depth(),
                training_errors: tree.errors_below(),
                weight: weights.iter().sum(),
                stump_errors: stump.as_ref().map(Node::errors_below),
                tree_bits,
                class_bits: class_bits_left,
                bits_without_tree: 1.0 + class_bits(&tree.counts),
            }),
            ..FitReport::of_rows(data.len(), notes, context)
        }
    }
}

/// A count with its noun.
fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The tree of one test that gets fewest training rows wrong; of equal ones that of the largest
/// gain ratio.
fn stump(grower: &mut Grower<'_>, rows: &Rows, weights: &[f64], all: &Entries) -> Option<Node> {
    let counts = all.counts(rows);
    let tried = grower.at_root(weights).into_iter().map(|candidate| {
        let split = candidate.split;
        let whole = split.missing_branch || !rows.columns[split.column].has_missing;
        let children = if whole {
            let bags = candidate.bags.chunks_exact(rows.class_count);
            bags.map(|bag| Node::leaf(bag.to_vec())).collect()
        } else {
            let dealt = split.deal(rows, all, &candidate.sizes(rows.class_count));
            let parts = dealt.iter();
            parts.map(|part| Node::leaf(part.counts(rows))).collect()
        };
        let node = Node {
            counts: counts.clone(),
            split: Some(split),
            children,
        };
        (node.errors_below(), candidate.ratio, node)
    });
    let mut best: Option<(f64, f64, Node)> = None;
    for (errors, ratio, node) in tried {
        let better = best.as_ref().is_none_or(|(least, largest, _)| {
            errors < least - 1e-9 || (errors < least + 1e-9 && ratio > *largest)
        });
        if better {
            best = Some((errors, ratio, node));
        }
    }
    best.map(|(_, _, node)| node)
}

/// The classes of the rows.
fn classes(data: &Dataset) -> Result<&ClassTargets> {
    let Targets::Classes(classes) = &data.targets else {
        return Err(Error::rows(
            "a tree of classes needs a class for every row",
            "give a target column of classes, or use regression",
        ));
    };
    if classes.labels.len() < 2 {
        return Err(Error::rows(
            "all rows belong to one class",
            "give rows of at least two classes",
        ));
    }
    Ok(classes)
}

/// The rows that count.
fn kept_rows(data: &Dataset) -> Result<Vec<usize>> {
    let kept: Vec<usize> = match &data.weights {
        Some(weights) => (0..data.len()).filter(|&row| weights[row] > 0.0).collect(),
        None => (0..data.len()).collect(),
    };
    if kept.is_empty() {
        return Err(Error::rows(
            "there are no rows to learn from",
            "give at least one row with a positive weight",
        ));
    }
    Ok(kept)
}

/// Bytes of a number in the sorted columns: itself, its place among the distinct ones, and its row in the
/// order of the column, of the node and of the branches.
const BYTES: u64 = 28;

/// Columns as the tree reads them.
fn gather(
    data: &Dataset,
    classes: &ClassTargets,
    kept: &[usize],
    context: &FitContext,
) -> Result<(Vec<TreeColumn>, Rows)> {
    let records = &data.records;
    let places = in_table_order(records, kept);
    let needed = BYTES * (kept.len() as u64) * places.len() as u64;
    if needed > context.most_memory() {
        return Err(Error::Memory {
            what: "the sorted columns of the tree".to_owned(),
            needed,
            limit: context.most_memory(),
        });
    }
    refuse_infinite(records)?;
    let mut columns = Vec::new();
    let mut values = Vec::new();
    // Categories and numbers in the order of the table: the first of equal splits is taken.
    for place in places {
        match place {
            Place::Number(feature) => {
                columns.push(TreeColumn::Number { feature });
                values.push(Column::of_numbers(numbers(records, feature, kept)));
            }
            Place::Codes(index) => {
                let codes = &records.codes[index];
                let own: Vec<u32> = if kept.len() == codes.codes.len() {
                    codes.codes.clone()
                } else {
                    kept.iter().map(|&row| codes.codes[row]).collect()
                };
                let column = Column::of_codes(own);
                columns.push(TreeColumn::Codes {
                    source: codes.source.clone(),
                    levels: column.levels(),
                });
                values.push(column);
            }
        }
    }
    let rows = Rows {
        columns: values,
        classes: kept.iter().map(|&row| classes.codes[row]).collect(),
        class_count: classes.labels.len(),
    };
    Ok((columns, rows))
}

/// Where a column stands.
enum Place {
    /// A feature of the numeric block.
    Number(usize),
    /// A column of codes.
    Codes(usize),
}

/// All columns in the order of the table that may tell rows apart. Of categories that are codes as well as
/// features, the codes are meant.
fn in_table_order(records: &Records, kept: &[usize]) -> Vec<Place> {
    let mut places = Vec::new();
    let stored = stored_features(&records.features.points, kept);
    let tells = |feature: &usize| stored.as_ref().is_none_or(|stored| stored[*feature]);
    let mut seen = vec![false; records.codes.len()];
    let mut start = 0;
    for group in &records.features.groups {
        let end = start + group.width();
        let codes = records.codes.iter().position(|c| c.source == group.source);
        match codes {
            Some(index) => {
                seen[index] = true;
                places.push(Place::Codes(index));
            }
            None => places.extend((start..end).filter(tells).map(Place::Number)),
        }
        start = end;
    }
    let others = (0..seen.len()).filter(|&index| !seen[index]);
    places.extend(others.map(Place::Codes));
    places
}

/// Which features of sparse rows have a stored value: the others are 0 in all rows. Nothing of dense rows.
fn stored_features(points: &Points, kept: &[usize]) -> Option<Vec<bool>> {
    let mut stored = vec![false; points.columns()];
    let mut mark = |indices: &[u32]| {
        for &feature in indices {
            stored[feature as usize] = true;
        }
    };
    match points {
        Points::Double(Block::Sparse(m)) => kept.iter().for_each(|&row| mark(m.row(row).0)),
        Points::Single(Block::Sparse(m)) => kept.iter().for_each(|&row| mark(m.row(row).0)),
        _ => return None,
    }
    Some(stored)
}

/// The numbers of a feature; NaN where missing.
fn numbers(records: &Records, feature: usize, kept: &[usize]) -> Vec<f64> {
    fn sparse<T: Copy + Into<f64>>(row: (&[u32], &[T]), feature: usize) -> f64 {
        let place = row.0.binary_search(&(feature as u32));
        place.map_or(0.0, |place| row.1[place].into())
    }
    let rows = kept.iter();
    match &records.features.points {
        Points::Double(Block::Dense(m)) => rows.map(|&row| m.row(row)[feature]).collect(),
        Points::Single(Block::Dense(m)) => rows.map(|&r| f64::from(m.row(r)[feature])).collect(),
        Points::Double(Block::Sparse(m)) => rows.map(|&r| sparse(m.row(r), feature)).collect(),
        Points::Single(Block::Sparse(m)) => rows.map(|&r| sparse(m.row(r), feature)).collect(),
    }
}

fn refuse_infinite(records: &Records) -> Result<()> {
    let Some((row, column)) = records.features.points.first_infinite() else {
        return Ok(());
    };
    Err(Error::Cell {
        place: format!("row {}", row + 1),
        column: records.features.name(column),
        problem: "the value is infinite".to_owned(),
        cure: "replace or remove it before fitting".into(),
    })
}
