//! New rows and support vectors, narrowed to the columns a kernel reads.

use mercer::data::{Block, ColumnRef, MISSING_CODE, Points, Records};
use mercer_linalg::Matrix;

use super::columns::Encoded;
use super::graph::{Builder, Wire};
use super::message::Entries;
use super::refusal::refuse;
use crate::Result;

/// Bytes of support vectors beyond which a file would pass 2 GiB, the most ONNX allows,
/// once they are stored in more than one arrangement.
const LARGEST: usize = 1 << 29;

/// Which features and code columns a kernel reads, by their numbers in the whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct View {
    pub(super) features: Vec<usize>,
    pub(super) codes: Vec<usize>,
}

/// Both sides of a kernel: new rows as wires, support vectors as numbers.
pub(super) struct Sides {
    new: Encoded,
    support: Matrix<f64>,
    /// One list per code column.
    support_codes: Vec<Vec<i64>>,
    /// The table column of every feature.
    sources: Vec<String>,
}

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Side {
    New,
    Support,
}

impl Sides {
    pub(super) fn new(mut new: Encoded, support: &Records) -> Result<Self> {
        let points = &support.features.points;
        refuse_large(points, "support vectors")?;
        let groups = support.features.groups.iter();
        let sources = groups
            .flat_map(|g| std::iter::repeat_n(g.source.clone(), g.width()))
            .collect();
        // A missing category equals nothing: no new row has this code.
        let code = |&code: &u32| {
            if code == MISSING_CODE {
                i64::MIN
            } else {
                i64::from(code)
            }
        };
        // Models keep codes only where their kernel reads them.
        let (mut codes, mut support_codes) = (Vec::new(), Vec::new());
        for column in &support.codes {
            let found = new.codes.iter().find(|(name, _)| *name == column.source);
            let found = found.cloned().ok_or_else(|| {
                let text = format!("the encoder lacks column `{}`", column.source);
                crate::Error::from(mercer::Error::model(text))
            })?;
            codes.push(found);
            support_codes.push(column.codes.iter().map(code).collect());
        }
        new.codes = codes;
        Ok(Self {
            new,
            support: dense(points),
            support_codes,
            sources,
        })
    }

    /// Returns the number of support vectors.
    pub(super) fn count(&self) -> usize {
        self.support.rows()
    }

    /// Returns all features of the new rows.
    pub(super) fn features(&self) -> Option<&Wire> {
        self.new.features.as_ref()
    }

    /// Returns all features of the support vectors.
    pub(super) fn support(&self) -> &Matrix<f64> {
        &self.support
    }

    /// Returns some input, from which the number of new rows can be read.
    pub(super) fn rows(&self) -> &Wire {
        &self.new.rows
    }

    /// Returns the view that has everything.
    pub(super) fn whole(&self) -> View {
        View {
            features: (0..self.support.columns()).collect(),
            codes: (0..self.support_codes.len()).collect(),
        }
    }

    /// Returns the part of a view that some columns name.
    pub(super) fn narrow(&self, view: &View, columns: &[ColumnRef]) -> Result<View> {
        let mut narrow = View {
            features: Vec::new(),
            codes: Vec::new(),
        };
        for column in columns {
            let before = narrow.features.len() + narrow.codes.len();
            match column {
                ColumnRef::Position(position) => {
                    let found = position.checked_sub(1).and_then(|p| view.features.get(p));
                    narrow.features.extend(found);
                }
                ColumnRef::Name(name) => {
                    let run = view
                        .features
                        .iter()
                        .skip_while(|f| self.sources[**f] != *name)
                        .take_while(|f| self.sources[**f] == *name);
                    narrow.features.extend(run);
                    let codes = view.codes.iter().filter(|c| self.new.codes[**c].0 == *name);
                    narrow.codes.extend(codes);
                }
            }
            if narrow.features.len() + narrow.codes.len() == before {
                let text = format!("the kernel reads column `{column}`, which is not there");
                return Err(mercer::Error::model(text).into());
            }
        }
        Ok(narrow)
    }

    /// Returns the support vectors of a view.
    pub(super) fn support_of(&self, view: &View) -> Matrix<f64> {
        Matrix::from_fn(self.count(), view.features.len(), |i, j| {
            self.support[(i, view.features[j])]
        })
    }

    /// Returns the rows of a side, \[rows, features\].
    pub(super) fn rows_of(&self, graph: &mut Builder, view: &View, side: Side) -> Result<Wire> {
        if side == Side::Support {
            return Ok(matrix(graph, &self.support_of(view)));
        }
        let all = self.new.features.as_ref().ok_or_else(|| {
            crate::Error::from(mercer::Error::model(
                "the kernel reads features of no column",
            ))
        })?;
        if view.features.len() == self.support.columns()
            && view.features.iter().enumerate().all(|(a, b)| a == *b)
        {
            return Ok(all.clone());
        }
        let indices = graph.integers(view.features.iter().map(|f| *f as i64).collect());
        Ok(graph.gather(all, &indices, 1))
    }

    /// Returns a code column of a side, \[rows, 1\].
    pub(super) fn codes_of(&self, graph: &mut Builder, column: usize, side: Side) -> Wire {
        match side {
            Side::New => self.new.codes[column].1.clone(),
            Side::Support => {
                let codes = self.support_codes[column].clone();
                graph.constant(&[codes.len(), 1], Entries::Int64(codes))
            }
        }
    }

    /// Returns a code column of the support vectors, \[1, count\].
    pub(super) fn support_codes(&self, graph: &mut Builder, column: usize) -> Wire {
        let codes = self.support_codes[column].clone();
        graph.constant(&[1, codes.len()], Entries::Int64(codes))
    }
}

/// Refuses rows that a file cannot hold.
pub(super) fn refuse_large(points: &Points, what: &str) -> Result<()> {
    if points.rows().saturating_mul(points.columns()) <= LARGEST / 8 {
        return Ok(());
    }
    Err(refuse(
        &format!(
            "{} {what} of {} features; they would take more than {} MiB",
            points.rows(),
            points.columns(),
            LARGEST >> 20
        ),
        format!("fit with fewer features, or with settings that keep fewer {what}"),
    ))
}

/// Adds a matrix.
pub(super) fn matrix(graph: &mut Builder, matrix: &Matrix<f64>) -> Wire {
    graph.constant(
        &[matrix.rows(), matrix.columns()],
        Entries::Double(matrix.as_slice().to_vec()),
    )
}

/// All numbers of rows, those of sparse ones written out.
pub(super) fn dense(points: &Points) -> Matrix<f64> {
    match points.widened() {
        Block::Dense(m) => m.to_matrix(),
        Block::Sparse(m) => m.to_dense(),
    }
}
