//! Narrows records to the columns that `K@columns` names.

use mercer_linalg::{Csr, CsrBuilder, Matrix, Real};

use crate::data::{Block, ColumnRef, FeatureGroup, Features, Parts, Points, Records};
use crate::{Error, Result};

/// Returns records that hold only the given columns.
///
/// A name selects every feature made from that table column, and its codes, texts, graphs and
/// network members; a position selects one feature. Rows and ids stay.
pub(super) fn select(records: &Records, columns: &[ColumnRef]) -> Result<Records> {
    let mut features = Vec::new();
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
            Ok(found) => features.extend(found),
            Err(_) if codes.len() + texts.len() + graphs.len() + nodes.len() > before => {}
            Err(_) => return Err(unknown(records, column)),
        }
    }
    let repeated = first_repeated(columns.iter().map(ToString::to_string))
        .or_else(|| first_repeated(features.iter().map(|f| records.features.name(*f))));
    if let Some(name) = repeated {
        return Err(Error::Conflict {
            what: format!("column `{name}` is named twice after one `@`"),
            cure: "name every column once".to_owned(),
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

/// Returns the groups of the selected features; neighbours from one column stay together.
fn groups(features: &Features, selected: &[usize]) -> Vec<FeatureGroup> {
    let mut groups: Vec<FeatureGroup> = Vec::new();
    for &feature in selected {
        let mut start = 0;
        let Some(group) = features.groups.iter().find(|g| {
            start += g.width();
            feature < start
        }) else {
            continue;
        };
        let within = feature + group.width() - start;
        let last = groups.last_mut().filter(|last| last.source == group.source);
        match (&group.parts, last.map(|l| &mut l.parts)) {
            (Parts::Named(names), Some(Parts::Named(kept))) => kept.push(names[within].clone()),
            (Parts::Named(names), _) => groups.push(FeatureGroup {
                source: group.source.clone(),
                parts: Parts::Named(vec![names[within].clone()]),
            }),
            (Parts::Numbered(_), Some(Parts::Numbered(count))) => *count += 1,
            (Parts::Numbered(_), _) => groups.push(FeatureGroup {
                source: group.source.clone(),
                parts: Parts::Numbered(1),
            }),
            (Parts::Whole, _) => groups.push(group.clone()),
        }
    }
    groups
}

fn select_points(points: &Points, columns: &[usize]) -> Points {
    match points {
        Points::Double(block) => select_block(block, columns).into(),
        Points::Single(block) => select_block(block, columns).into(),
    }
}

fn select_block<T: Real>(block: &Block<T>, columns: &[usize]) -> Block<T> {
    match block {
        Block::Dense(m) => {
            let value = |i, j: usize| m.row(i)[columns[j]];
            Block::Dense(Matrix::from_fn(m.rows(), columns.len(), value).into())
        }
        Block::Sparse(m) => Block::Sparse(select_sparse(m, columns)),
    }
}

fn select_sparse<T: Real>(m: &Csr<T>, columns: &[usize]) -> Csr<T> {
    let mut target = vec![u32::MAX; m.columns()];
    for (to, &from) in columns.iter().enumerate() {
        target[from] = to as u32;
    }
    let mut builder = CsrBuilder::new(columns.len());
    let mut kept = Vec::new();
    for row in 0..m.rows() {
        let (indices, values) = m.row(row);
        kept.clear();
        for (&index, &value) in indices.iter().zip(values) {
            let to = target[index as usize];
            if to != u32::MAX {
                kept.push((to, value));
            }
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
