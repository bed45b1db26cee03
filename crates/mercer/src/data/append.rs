//! Rows after rows.

use mercer_linalg::{Csr, Real};

use super::{
    Block, Categories, CodeColumn, Column, GraphColumn, NodeColumn, Origin, Points, Records, Table,
    TextColumn, Truths, Values,
};
use crate::{Error, Result};

impl Table {
    /// Puts tables with the same columns one after the other.
    ///
    /// # Errors
    /// No table, columns that one of them lacks, and columns of different kinds.
    pub fn concat(parts: &[Self]) -> Result<Self> {
        let Some(first) = parts.first() else {
            return Err(Error::rows("there are no rows", "give rows"));
        };
        let mut columns = Vec::with_capacity(first.columns().len());
        for column in first.columns() {
            let all = parts.iter().map(|part| part.column(&column.name));
            let all = all.collect::<Result<Vec<_>>>()?;
            let values: Vec<&Values> = all.iter().map(|c| &c.values).collect();
            let values = Values::concat(&values).ok_or_else(|| {
                let other = all.iter().find(|c| c.kind() != column.kind());
                Error::ColumnKind {
                    column: column.name.clone(),
                    found: other.map_or(column.kind(), |c| c.kind()).to_string(),
                    expected: format!("{} as in the rows before", column.kind()),
                }
            })?;
            columns.push(Column {
                name: column.name.clone(),
                values,
                reading: column.reading.clone(),
            });
        }
        let lines = parts.iter().flat_map(|p| p.origin().lines.iter().copied());
        let origin = Origin {
            name: first.origin().name.clone(),
            lines: lines.collect(),
        };
        let mut table = Self::try_new(columns, origin)?;
        table.set_layout(first.layout().clone());
        Ok(table)
    }
}

impl Values {
    /// Puts values of one kind one after the other; `None` where they are of different kinds, or
    /// graphs.
    pub fn concat(all: &[&Self]) -> Option<Self> {
        let kind = all.first()?.kind();
        if all.iter().any(|v| v.kind() != kind) {
            return None;
        }
        Some(match all[0] {
            Self::Numeric(_) => Self::Numeric(numbers(all)),
            Self::Date(_) => Self::Date(numbers(all)),
            Self::Text(_) => Self::Text(texts(all)),
            Self::Molecules(_) => Self::Molecules(texts(all)),
            Self::Boolean(first) => {
                let truths = all.iter().filter_map(|v| match v {
                    Self::Boolean(t) => Some(&t.values),
                    _ => None,
                });
                Self::Boolean(Truths {
                    values: truths.flatten().copied().collect(),
                    words: first.words.clone(),
                })
            }
            Self::Categorical(_) => {
                let names = all.iter().filter_map(|v| match v {
                    Self::Categorical(c) => Some((0..c.codes.len()).map(|row| c.name(row))),
                    _ => None,
                });
                Self::Categorical(Categories::from_names(names.flatten()))
            }
            Self::Vectors(_) => {
                let points: Vec<&Points> = all
                    .iter()
                    .filter_map(|v| match v {
                        Self::Vectors(points) => Some(points),
                        _ => None,
                    })
                    .collect();
                Self::Vectors(Points::concat(&points)?)
            }
            Self::Graphs(_) | Self::Nodes(_) => return None,
        })
    }
}

fn numbers(all: &[&Values]) -> Vec<f64> {
    let lists = all.iter().filter_map(|v| match v {
        Values::Numeric(list) | Values::Date(list) => Some(list),
        _ => None,
    });
    lists.flatten().copied().collect()
}

fn texts(all: &[&Values]) -> Vec<Option<String>> {
    let lists = all.iter().filter_map(|v| match v {
        Values::Text(list) | Values::Molecules(list) => Some(list),
        _ => None,
    });
    lists.flatten().cloned().collect()
}

impl Records {
    /// Returns these rows and others after them; their numbers go on counting.
    ///
    /// # Errors
    /// Rows of another width, or without a column that these have.
    pub fn and(&self, more: &Self) -> Result<Self> {
        let columns = self.features.points.columns();
        if more.features.points.columns() != columns {
            return Err(Error::Length {
                what: "the table of new rows".to_owned(),
                found: more.features.points.columns(),
                expected: columns,
                unit: "features",
            });
        }
        let mut all = self.clone();
        all.features.points = self.features.points.and(&more.features.points);
        for own in &mut all.codes {
            let other: &CodeColumn = find(&more.codes, |c| &c.source, &own.source)?;
            own.codes.extend_from_slice(&other.codes);
        }
        for own in &mut all.texts {
            let other: &TextColumn = find(&more.texts, |c| &c.source, &own.source)?;
            own.texts.extend_from_slice(&other.texts);
        }
        for own in &mut all.graphs {
            let other: &GraphColumn = find(&more.graphs, |c| &c.source, &own.source)?;
            own.graphs.extend_from_slice(&other.graphs);
        }
        for own in &mut all.nodes {
            let other: &NodeColumn = find(&more.nodes, |c| &c.source, &own.source)?;
            own.nodes.extend_from_slice(&other.nodes);
        }
        let next = self.ids.iter().max().map_or(0, |last| last + 1);
        all.ids.extend((next..).take(more.len()));
        Ok(all)
    }
}

/// The column of a source.
fn find<'a, C>(columns: &'a [C], source: impl Fn(&C) -> &String, name: &str) -> Result<&'a C> {
    let found = columns.iter().find(|column| source(column) == name);
    found.ok_or_else(|| Error::Unknown {
        kind: "column",
        name: name.to_owned(),
        known: columns
            .iter()
            .map(|column| source(column).clone())
            .collect(),
    })
}

impl Points {
    /// Puts vectors one after the other. Sparse ones have the width of the widest; dense ones must
    /// have one width.
    fn concat(all: &[&Self]) -> Option<Self> {
        let width = all.iter().map(|p| p.columns()).max()?;
        if all.iter().all(|p| p.is_sparse()) {
            let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
            for points in all {
                let Block::Sparse(rows) = points.widened() else {
                    return None;
                };
                let before = indices.len();
                starts.extend(rows.row_starts()[1..].iter().map(|start| before + start));
                indices.extend_from_slice(rows.indices());
                values.extend_from_slice(rows.values());
            }
            let rows = Csr::try_new(width, starts, indices, values).ok()?;
            return Some(Self::Double(Block::Sparse(rows)));
        }
        if all.iter().any(|p| p.is_sparse() || p.columns() != width) {
            return None;
        }
        let mut rows = Vec::new();
        for points in all {
            let Block::Dense(own) = points.widened() else {
                return None;
            };
            (0..own.rows()).for_each(|row| rows.extend_from_slice(own.row(row)));
        }
        let count = rows.len().checked_div(width).unwrap_or(0);
        let rows = mercer_linalg::Matrix::from_vec(count, width, rows);
        Some(Self::from(rows))
    }

    /// These vectors and others of their width after them.
    fn and(&self, more: &Self) -> Self {
        match (self, more) {
            (Self::Single(own), Self::Single(more)) => Self::Single(own.and(more)),
            _ => Self::Double(self.widened().and(&more.widened())),
        }
    }
}

impl<T: Real> Block<T> {
    fn and(&self, more: &Self) -> Self {
        match (self, more) {
            (Self::Dense(own), Self::Dense(more)) => {
                let mut all = own.to_matrix();
                all.append_rows(&more.to_matrix());
                Self::Dense(all.into())
            }
            (Self::Dense(_), Self::Sparse(more)) => self.and(&Self::Dense(more.to_dense().into())),
            (Self::Sparse(_), Self::Dense(more)) => {
                self.and(&Self::Sparse(Csr::from_dense(more.as_ref())))
            }
            (Self::Sparse(own), Self::Sparse(more)) => {
                let end = own.nnz();
                let starts = own.row_starts().iter().copied();
                let others = more.row_starts()[1..].iter().map(|start| end + start);
                let starts: Vec<usize> = starts.chain(others).collect();
                let indices = [own.indices(), more.indices()].concat();
                let values = [own.values(), more.values()].concat();
                let all = Csr::try_new(own.columns(), starts, indices, values);
                Self::Sparse(all.expect("rows of two matrices of one width"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;

    #[test]
    fn tables_follow_tables() {
        let names = |names: &[&str]| {
            Values::Categorical(Categories::from_names(names.iter().map(|n| Some(*n))))
        };
        let sparse = |width: usize, column: u32| {
            let rows = Csr::try_new(width, vec![0, 1], vec![column], vec![2.0]).unwrap();
            Values::Vectors(Points::Double(Block::Sparse(rows)))
        };
        let part = |name: &str, vectors: Values| {
            let columns = vec![Column::new("a", names(&[name])), Column::new("x", vectors)];
            Table::try_new(columns, Origin::default()).unwrap()
        };
        let all = Table::concat(&[part("z", sparse(2, 1)), part("b", sparse(5, 4))]).unwrap();
        assert_eq!(all.rows(), 2);
        assert_eq!(all.columns()[0].values, names(&["z", "b"]));
        let Values::Vectors(points) = &all.columns()[1].values else {
            panic!("vectors");
        };
        assert_eq!((points.rows(), points.columns()), (2, 5));
        assert!(Table::concat(&[]).is_err());
        let numbers = Table::try_new(
            vec![Column::new("a", Values::Numeric(vec![1.0]))],
            Origin::default(),
        );
        let texts = Table::try_new(vec![Column::new("a", names(&["q"]))], Origin::default());
        let error = Table::concat(&[numbers.unwrap(), texts.unwrap()]).unwrap_err();
        assert!(error.to_string().contains("categorical"), "{error}");
    }

    #[test]
    fn rows_follow_rows_in_every_storage() {
        let one = Matrix::from_vec(2, 2, vec![1.0, 0.0, 0.0, 2.0]);
        let two = Matrix::from_vec(1, 2, vec![0.0, 3.0]);
        let dense = |m: &Matrix<f64>| Records::from_points(m.clone());
        let sparse = |m: &Matrix<f64>| {
            let block = Block::Sparse(Csr::from_dense(m.as_ref()));
            Records::from_points(Points::Double(block))
        };
        for first in [dense(&one), sparse(&one)] {
            for second in [dense(&two), sparse(&two)] {
                let all = first.and(&second).unwrap();
                assert_eq!(all.len(), 3);
                assert_eq!(all.ids, [0, 1, 2]);
                let block = match all.features.points.widened() {
                    Block::Dense(rows) => rows.to_matrix(),
                    Block::Sparse(rows) => rows.to_dense(),
                };
                assert_eq!(block.as_slice(), [1.0, 0.0, 0.0, 2.0, 0.0, 3.0]);
            }
        }
        let narrow = Records::from_points(Matrix::<f64>::zeros(1, 1));
        assert!(dense(&one).and(&narrow).is_err());
        let texts = Records::from_texts(["a"]).and(&Records::from_texts(["b"]));
        assert_eq!(&*texts.unwrap().texts[0].texts[1], "b");
    }
}
