//! Rows ready for kernels: a numeric block, categorical codes, texts.

use std::ops::Range;

use super::{Features, Points};

/// A categorical column by code; [`super::MISSING_CODE`] is missing.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeColumn {
    /// The table column.
    pub source: String,
    /// One code per row, under the encoder's level list.
    pub codes: Vec<u32>,
}

/// A text column.
#[derive(Debug, Clone, PartialEq)]
pub struct TextColumn {
    /// The table column.
    pub source: String,
    /// One text per row; a missing text is empty.
    pub texts: Vec<String>,
}

/// Rows that kernels compare.
///
/// A kernel reads the part it understands: vector kernels the numeric block, `overlap` the
/// codes, string kernels the texts; `K@columns` narrows each part by source column.
#[derive(Debug, Clone, PartialEq)]
pub struct Records {
    /// The numeric block.
    pub features: Features,
    /// Categorical columns, for kernels that compare codes.
    pub codes: Vec<CodeColumn>,
    /// Text columns, for kernels that compare strings.
    pub texts: Vec<TextColumn>,
    /// The row number each record had when the kernel was given as a matrix; such kernels
    /// look up their columns by it. Identity unless rows were selected.
    pub ids: Vec<u32>,
}

impl Records {
    /// Wraps bare vectors.
    pub fn from_points(points: impl Into<Points>) -> Self {
        let points = points.into();
        let ids = (0..points.rows() as u32).collect();
        Self {
            features: Features::numbered(points),
            codes: Vec::new(),
            texts: Vec::new(),
            ids,
        }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns a run of records; the numeric block shares its memory with all.
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Self {
        Self {
            features: Features {
                points: self.features.points.slice(rows.clone()),
                groups: self.features.groups.clone(),
            },
            codes: self
                .codes
                .iter()
                .map(|c| CodeColumn {
                    source: c.source.clone(),
                    codes: c.codes[rows.clone()].to_vec(),
                })
                .collect(),
            texts: self
                .texts
                .iter()
                .map(|t| TextColumn {
                    source: t.source.clone(),
                    texts: t.texts[rows.clone()].to_vec(),
                })
                .collect(),
            ids: self.ids[rows].to_vec(),
        }
    }

    /// Returns the records with the given row numbers, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            features: Features {
                points: self.features.points.select(rows),
                groups: self.features.groups.clone(),
            },
            codes: self
                .codes
                .iter()
                .map(|c| CodeColumn {
                    source: c.source.clone(),
                    codes: rows.iter().map(|&r| c.codes[r]).collect(),
                })
                .collect(),
            texts: self
                .texts
                .iter()
                .map(|t| TextColumn {
                    source: t.source.clone(),
                    texts: rows.iter().map(|&r| t.texts[r].clone()).collect(),
                })
                .collect(),
            ids: rows.iter().map(|&r| self.ids[r]).collect(),
        }
    }
}
