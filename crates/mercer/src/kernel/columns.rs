//! Narrows records to the columns that `K@columns` names.

use std::ops::Range;

use mercer_linalg::{Csr, CsrBuilder, Matrix, Real};

use crate::data::{Block, ColumnRef, FeatureGroup, Features, Parts, Points, Records};
use crate::{Error, Result};

/// Returns records that hold only the given columns.
///
/// A name selects every feature made from that table column, and its codes, texts, graphs and
/// network nodes; a position selects one feature. Rows and ids stay.
pub(super) fn select(records: &Records, columns: &[ColumnRef]) -> Result<Records> {
    // Runs of features: a column of bare vectors may have billions, of which rows store few.
    let mut features: Vec<Range<usize>> = Vec::new();
    let mut codes = Vec::new();
    let mut texts = Vec::new();
    let mut graphs = Vec::new();
    let mut nodes = Vec::new();
    for column in columns {
        let found = records.features.find(column);
        let before = codes.len() + texts.len() + graphs.len() + nodes.len();
        if let ColumnRef::Name(name) = column {
            codes.extend(records.codes.iter().filter(|c| c.source == *name).cloned());
            texts.extend(records.texts.iter().filter(|t| t.source == *name).cloned());
            graphs.extend(records.graphs.iter().filter(|g| g.source == *name).cloned());
            nodes.extend(records.nodes.iter().filter(|n| n.source == *name).cloned());
        }
        match found {
            Ok(found) => features.push(found),
            Err(_) if codes.len() + texts.len() + graphs.len() + nodes.len() > before => {}
            Err(_) => return Err(unknown(records, column)),
        }
    }
    let repeated = first_repeated(columns.iter().map(ToString::to_string))
        .or_else(|| first_overlap(&features).map(|f| records.features.name(f)));
    if let Some(name) = repeated {
        return Err(Error::Conflict {
            what: format!("column `{name}` is named twice after one `@`"),
            cure: "name every column once".into(),
        });
    }
    Ok(Records {
        features: Features {
            points: select_points(&records.features.points, &features),
            groups: groups(&records.features, &features),
        },
        codes,
        texts,
        graphs,
        nodes,
        ids: records.ids.clone(),
    })
}

fn unknown(records: &Records, column: &ColumnRef) -> Error {
    let features = records.features.groups.iter().map(|g| &g.source);
    let codes = records.codes.iter().map(|c| &c.source);
    let texts = records.texts.iter().map(|t| &t.source);
    let graphs = records.graphs.iter().map(|g| &g.source);
    let nodes = records.nodes.iter().map(|n| &n.source);
    let others = codes.chain(texts).chain(graphs).chain(nodes);
    let mut known: Vec<String> = features.chain(others).cloned().collect();
    known.sort();
    known.dedup();
    Error::Unknown {
        kind: "column",
        name: column.to_string(),
        known,
    }
}

fn first_repeated(mut names: impl Iterator<Item = String>) -> Option<String> {
    let mut seen = std::collections::HashSet::new();
    names.find(|name| !seen.insert(name.clone()))
}

/// Returns the first feature that two runs share.
fn first_overlap(runs: &[Range<usize>]) -> Option<usize> {
    let mut sorted: Vec<&Range<usize>> = runs.iter().filter(|run| !run.is_empty()).collect();
    sorted.sort_by_key(|run| run.start);
    let overlapping = sorted.windows(2).find(|pair| pair[1].start < pair[0].end);
    overlapping.map(|pair| pair[1].start)
}

/// Returns the groups of the selected features; neighbours from one column stay together.
fn groups(features: &Features, selected: &[Range<usize>]) -> Vec<FeatureGroup> {
    let mut groups: Vec<FeatureGroup> = Vec::new();
    for run in selected {
        let mut start = 0;
        for group in &features.groups {
            let end = start + group.width();
            let part = run.start.max(start)..run.end.min(end);
            if !part.is_empty() {
                add_group(&mut groups, group, part.start - start..part.end - start);
            }
            start = end;
        }
    }
    groups
}

/// Adds some features of a group behind those that are there.
fn add_group(groups: &mut Vec<FeatureGroup>, group: &FeatureGroup, part: Range<usize>) {
    let last = groups.last_mut().filter(|last| last.source == group.source);
    let source = group.source.clone();
    match (&group.parts, last.map(|l| &mut l.parts)) {
        (Parts::Named(names), Some(Parts::Named(kept))) => kept.extend_from_slice(&names[part]),
        (Parts::Named(names), _) => groups.push(FeatureGroup {
            source,
            parts: Parts::Named(names[part].to_vec()),
        }),
        (Parts::Words(words), _) if part.len() == words.len() => groups.push(group.clone()),
        (Parts::Numbered(_) | Parts::Words(_), Some(Parts::Numbered(count))) => {
            *count += part.len();
        }
        (Parts::Numbered(_) | Parts::Words(_), _) => groups.push(FeatureGroup {
            source,
            parts: Parts::Numbered(part.len()),
        }),
        (Parts::Whole, _) => groups.push(group.clone()),
    }
}

fn select_points(points: &Points, runs: &[Range<usize>]) -> Points {
    match points {
        Points::Double(block) => select_block(block, runs).into(),
        Points::Single(block) => select_block(block, runs).into(),
    }
}

fn select_block<T: Real>(block: &Block<T>, runs: &[Range<usize>]) -> Block<T> {
    match block {
        Block::Dense(m) => {
            let width: usize = runs.iter().map(ExactSizeIterator::len).sum();
            let mut values = Vec::with_capacity(m.rows() * width);
            for row in 0..m.rows() {
                for run in runs {
                    values.extend_from_slice(&m.row(row)[run.clone()]);
                }
            }
            Block::Dense(Matrix::from_vec(m.rows(), width, values).into())
        }
        Block::Sparse(m) => Block::Sparse(select_sparse(m, runs)),
    }
}

/// Keeps the stored values of some features; the cost follows the values, not the width.
fn select_sparse<T: Real>(m: &Csr<T>, runs: &[Range<usize>]) -> Csr<T> {
    // Where each run goes, in the order of where it comes from.
    let mut target: Vec<(Range<usize>, usize)> = Vec::with_capacity(runs.len());
    let mut width = 0;
    for run in runs {
        target.push((run.clone(), width));
        width += run.len();
    }
    target.sort_by_key(|(run, _)| run.start);
    let place = |index: usize| {
        let after = target.partition_point(|(run, _)| run.start <= index);
        let (run, to) = target[..after].last()?;
        (index < run.end).then(|| (to + index - run.start) as u32)
    };
    let mut builder = CsrBuilder::new(width);
    let mut kept = Vec::new();
    for row in 0..m.rows() {
        let (indices, values) = m.row(row);
        kept.clear();
        for (&index, &value) in indices.iter().zip(values) {
            kept.extend(place(index as usize).map(|to| (to, value)));
        }
        kept.sort_unstable_by_key(|entry| entry.0);
        builder
            .push_row(&kept)
            .expect("distinct sorted columns below the width");
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::CodeColumn;

    fn records(sparse: bool) -> Records {
        let dense = Matrix::from_fn(3, 4, |i, j| (10 * i + j) as f64);
        let points = if sparse {
            Points::from(Csr::from_dense(dense.as_ref()))
        } else {
            Points::from(dense)
        };
        let mut records = Records::from_points(points);
        records.features.groups = vec![
            FeatureGroup {
                source: "age".into(),
                parts: Parts::Whole,
            },
            FeatureGroup {
                source: "colour".into(),
                parts: Parts::Named(vec!["red".into(), "blue".into()]),
            },
            FeatureGroup {
                source: "height".into(),
                parts: Parts::Whole,
            },
        ];
        records.codes = vec![CodeColumn {
            source: "colour".into(),
            codes: vec![0, 1, 0],
        }];
        records
    }

    fn name(name: &str) -> ColumnRef {
        ColumnRef::Name(name.into())
    }

    #[test]
    fn selects_whole_groups_and_codes() {
        for sparse in [false, true] {
            let narrow = select(&records(sparse), &[name("height"), name("colour")]);
            let narrow = narrow.expect("known columns");
            assert_eq!(narrow.codes.len(), 1);
            let names: Vec<String> = (0..3).map(|f| narrow.features.name(f)).collect();
            assert_eq!(names, ["height", "colour=red", "colour=blue"]);
            let dense = match narrow.features.points.widened() {
                Block::Dense(m) => m.to_matrix(),
                Block::Sparse(m) => m.to_dense(),
            };
            assert_eq!(dense.row(1), [13.0, 11.0, 12.0]);
        }
    }

    #[test]
    fn the_width_of_sparse_vectors_costs_nothing() {
        let width = u32::MAX as usize;
        let csr = Csr::try_new(width, vec![0, 2], vec![3, u32::MAX - 1], vec![1.0, 2.0]);
        let all = Records::from_points(Points::from(csr.expect("two values")));
        let narrow = select(&all, &[name("x")]).expect("the one column");
        assert_eq!(narrow.features.points, all.features.points);
        assert_eq!(narrow.features.groups, all.features.groups);
        let two = [ColumnRef::Position(width), ColumnRef::Position(4)];
        let narrow = select(&all, &two).expect("in range");
        let Block::Sparse(m) = narrow.features.points.widened() else {
            panic!("sparse");
        };
        assert_eq!(m.row(0), (&[0, 1][..], &[2.0, 1.0][..]));
    }

    #[test]
    fn positions_count_features() {
        let narrow = select(&records(false), &[ColumnRef::Position(3)]).expect("in range");
        assert_eq!(narrow.features.name(0), "colour=blue");
        assert!(narrow.codes.is_empty());
    }

    #[test]
    fn refuses_unknown_and_repeated_columns() {
        let error = select(&records(false), &[name("colur")]).expect_err("no such column");
        assert_eq!(error.hints(), ["did you mean `colour`?"]);
        let twice = [name("colour"), ColumnRef::Position(2)];
        assert!(matches!(
            select(&records(false), &twice),
            Err(Error::Conflict { .. })
        ));
    }
}
