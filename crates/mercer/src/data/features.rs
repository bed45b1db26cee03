//! The numeric block of records, and which source column each feature came from.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Points;
use super::terms::TermList;
use crate::{Error, Result};

/// A reference to a column in `K@columns`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ColumnRef {
    /// By name.
    Name(String),
    /// By one-based position, counted over the features as LIBSVM counts them.
    Position(usize),
}

impl std::fmt::Display for ColumnRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Position(position) => write!(f, "{position}"),
        }
    }
}

/// How the features of one source column are named.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parts {
    /// The column itself.
    Whole,
    /// One feature per name: the categories of a column, the cyclic parts of a date.
    Named(Vec<String>),
    /// This many features, known by number only.
    Numbered(usize),
    /// One feature per word of a text.
    Words(TermList),
}

/// A run of neighbouring features made from one source column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureGroup {
    /// The table column the features were made from.
    pub source: String,
    /// The features, in order.
    pub parts: Parts,
}

impl FeatureGroup {
    /// Returns the number of features in the group.
    pub fn width(&self) -> usize {
        match &self.parts {
            Parts::Whole => 1,
            Parts::Named(names) => names.len(),
            Parts::Numbered(count) => *count,
            Parts::Words(words) => words.len(),
        }
    }

    /// Returns the name of a feature by its place in the group.
    ///
    /// # Panics
    /// When the group has no such feature and its features have names.
    pub fn name(&self, part: usize) -> String {
        match &self.parts {
            Parts::Whole => self.source.clone(),
            Parts::Named(names) => format!("{}={}", self.source, names[part]),
            Parts::Numbered(_) => format!("{}[{}]", self.source, part + 1),
            Parts::Words(words) => match words.get(part) {
                Some(word) => format!("{}={word}", self.source),
                None => format!("{}[{}]", self.source, part + 1),
            },
        }
    }

    /// Returns the names of all features in the group, in order.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.width()).map(|part| self.name(part))
    }
}

/// A numeric block with the origin of its columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    /// The values.
    pub points: Points,
    /// The source columns, left to right; their widths add up to the width of `points`.
    pub groups: Vec<FeatureGroup>,
}

impl Features {
    /// Wraps bare vectors whose columns are known by number only.
    pub fn numbered(points: Points) -> Self {
        let groups = vec![FeatureGroup {
            source: "x".to_owned(),
            parts: Parts::Numbered(points.columns()),
        }];
        Self { points, groups }
    }

    /// Returns the name of a feature: `column`, `column=category`, `column=word` or `column[number]`.
    pub fn name(&self, feature: usize) -> String {
        let mut start = 0;
        for group in &self.groups {
            let width = group.width();
            if feature < start + width {
                return group.name(feature - start);
            }
            start += width;
        }
        format!("feature {}", feature + 1)
    }

    /// Returns the run of features that a column reference stands for.
    ///
    /// # Errors
    /// [`Error::Unknown`] when no feature was made from that column.
    pub fn find(&self, column: &ColumnRef) -> Result<Range<usize>> {
        match column {
            ColumnRef::Position(position) => {
                if (1..=self.points.columns()).contains(position) {
                    return Ok(position - 1..*position);
                }
            }
            ColumnRef::Name(name) => {
                let mut start = 0;
                for group in &self.groups {
                    let width = group.width();
                    if group.source == *name {
                        return Ok(start..start + width);
                    }
                    start += width;
                }
            }
        }
        Err(Error::Unknown {
            kind: "column",
            name: column.to_string(),
            known: self.groups.iter().map(|g| g.source.clone()).collect(),
        })
    }
}
