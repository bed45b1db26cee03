//! Rows after rows.

use mercer_linalg::{Csr, Real};

use super::{Block, CodeColumn, GraphColumn, NodeColumn, Points, Records, TextColumn};
use crate::{Error, Result};

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
