//! What an encoder keeps of each column.

use serde::{Deserialize, Serialize};

use super::{Affine, Words};
use crate::data::{FeatureGroup, Kind, Network, Parts};
use crate::{Error, Result};

/// What happens to a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// It is an error.
    Refuse,
    /// It is filled in and noted: the training rows had none.
    Unexpected,
    /// It is filled in.
    Fill,
    /// It is filled in, and one more feature is 1.
    Flag,
    /// It stays missing: a number is NaN, a category has no code. Categories have no features.
    Keep,
}

/// How the numeric block is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// Every value.
    Dense,
    /// Values other than zero.
    Sparse,
}

/// How one column becomes features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Encoding {
    /// One number, shifted and scaled.
    Numeric {
        /// The map from input to feature.
        map: Affine,
        /// What replaces a missing value, in input units.
        fill: f64,
        /// What happens to a missing value.
        missing: Missing,
    },
    /// 0 or 1.
    Boolean {
        /// What the training rows called false and true, where it was neither of these words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<[String; 2]>,
        /// What replaces a missing value.
        fill: bool,
        /// What happens to a missing value.
        missing: Missing,
    },
    /// One feature per category: one-hot encoded.
    Categorical {
        /// The categories seen in training, in the order of their features and codes.
        levels: Vec<String>,
        /// The code that replaces a missing value.
        fill: u32,
        /// What happens to a missing value.
        missing: Missing,
    },
    /// Days, and points on circles.
    Date {
        /// The map from days since 1970 to the first feature.
        map: Affine,
        /// What replaces a missing day; missing circles stay at their centre.
        fill: f64,
        /// What happens to a missing value.
        missing: Missing,
        /// Whether the time of day is used.
        time_of_day: bool,
        /// Whether the day of the week is used.
        weekday: bool,
        /// Whether the day of the year is used.
        day_of_year: bool,
    },
    /// Nothing numeric; string kernels read the text.
    Text,
    /// One feature per word: its count in the text, or its weight.
    Words(Words),
    /// Nothing numeric; graph kernels read the graph.
    Graph {
        /// Whether rows are molecules, written as SMILES.
        molecule: bool,
        /// Names of the labels of vertices seen in training, by code.
        vertices: Vec<String>,
        /// Names of the labels of edges seen in training, by code.
        edges: Vec<String>,
    },
    /// Nothing numeric; node kernels read the node of a network.
    Node {
        /// The network.
        network: Network,
    },
    /// A vector per row. Empty lists mean: not refilled, not shifted, not scaled.
    Vectors {
        /// The number of features.
        width: usize,
        /// Whether the training vectors were dense or sparse.
        storage: Storage,
        /// What replaces NaN, per feature; empty when NaN is refused.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        fill: Vec<f64>,
        /// Taken off first, per feature; always empty for sparse vectors.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        shift: Vec<f64>,
        /// Divided by, per feature.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        scale: Vec<f64>,
        /// Added last, to every feature; 0 for sparse vectors.
        offset: f64,
    },
}

impl Encoding {
    /// Returns the kind of column that is encoded.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Numeric { .. } => Kind::Numeric,
            Self::Boolean { .. } => Kind::Boolean,
            Self::Categorical { .. } => Kind::Categorical,
            Self::Date { .. } => Kind::Date,
            Self::Text | Self::Words(_) => Kind::Text,
            Self::Graph { molecule: true, .. } => Kind::Molecule,
            Self::Graph { .. } => Kind::Graph,
            Self::Node { .. } => Kind::Node,
            Self::Vectors { .. } => Kind::Vectors,
        }
    }

    /// Returns what happens to a missing value, where there can be one.
    pub(super) fn missing(&self) -> Option<Missing> {
        match self {
            Self::Numeric { missing, .. }
            | Self::Boolean { missing, .. }
            | Self::Categorical { missing, .. }
            | Self::Date { missing, .. } => Some(*missing),
            Self::Text
            | Self::Words(_)
            | Self::Graph { .. }
            | Self::Node { .. }
            | Self::Vectors { .. } => None,
        }
    }
}

/// One source column and its encoding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnEncoder {
    /// The column's name.
    pub name: String,
    /// Whether all training rows had the same value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub constant: bool,
    /// Least and largest number (or second since 1970) among the training rows; files of older
    /// versions do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// How it becomes features.
    #[serde(flatten)]
    pub encoding: Encoding,
}

impl ColumnEncoder {
    /// Returns the features made from the column; none for categories that are kept as codes, and
    /// `None` for texts that kernels read, graphs and nodes.
    pub fn group(&self) -> Option<FeatureGroup> {
        let flagged = self.encoding.missing() == Some(Missing::Flag);
        let parts = match &self.encoding {
            Encoding::Text | Encoding::Graph { .. } | Encoding::Node { .. } => return None,
            // Read by code; the group keeps its place among the columns.
            Encoding::Categorical { .. } | Encoding::Boolean { .. } if self.keeps_missing() => {
                Parts::Named(Vec::new())
            }
            Encoding::Numeric { .. } | Encoding::Boolean { .. } if !flagged => Parts::Whole,
            Encoding::Numeric { .. } | Encoding::Boolean { .. } => named(&["value"], flagged),
            Encoding::Categorical { levels, .. } => {
                let names: Vec<&str> = levels.iter().map(String::as_str).collect();
                named(&names, flagged)
            }
            Encoding::Date {
                time_of_day,
                weekday,
                day_of_year,
                ..
            } => {
                let mut names = vec!["days"];
                let circles = [
                    (*time_of_day, ["time_of_day_sin", "time_of_day_cos"]),
                    (*weekday, ["weekday_sin", "weekday_cos"]),
                    (*day_of_year, ["day_of_year_sin", "day_of_year_cos"]),
                ];
                for (_, pair) in circles.iter().filter(|(used, _)| *used) {
                    names.extend(pair);
                }
                named(&names, flagged)
            }
            Encoding::Vectors { width, .. } => Parts::Numbered(*width),
            Encoding::Words(words) => words.parts(),
        };
        Some(FeatureGroup {
            source: self.name.clone(),
            parts,
        })
    }

    /// Returns whether missing values stay missing.
    pub fn keeps_missing(&self) -> bool {
        self.encoding.missing() == Some(Missing::Keep)
    }

    /// Returns the name of a category by its code, or of a boolean; `None` for other columns.
    pub fn level(&self, code: u32) -> Option<String> {
        match &self.encoding {
            Encoding::Categorical { levels, .. } => levels.get(code as usize).cloned(),
            Encoding::Boolean { words, .. } => match words {
                Some(words) => words.get(code as usize).cloned(),
                None => Some((code != 0).to_string()),
            },
            _ => None,
        }
    }

    /// Returns whether all training rows had the same value, and none lacked it.
    pub fn is_constant(&self) -> bool {
        let one_level = match &self.encoding {
            Encoding::Categorical { levels, .. } => levels.len() == 1,
            _ => false,
        };
        (self.constant || one_level) && self.encoding.missing() != Some(Missing::Flag)
    }

    /// Returns whether a number is farther outside the range of the training rows than that range
    /// is wide: beyond it no model knows anything.
    pub(super) fn is_far(&self, value: f64) -> bool {
        let Some([low, high]) = self.range else {
            return false;
        };
        let width = high - low;
        // Where there was one value, every other would be far; rounding alone makes others.
        width > 0.0 && (value < low - width || value > high + width)
    }

    /// Checks the rules between fields that a stored encoder must keep.
    pub(super) fn check(&self) -> Result<()> {
        let refuse = |problem: &str| {
            let text = format!("the encoder of column `{}` {problem}", self.name);
            Err(Error::model(text))
        };
        if let Some([low, high]) = self.range
            && !(low.is_finite() && high.is_finite() && low <= high)
        {
            return refuse("has a range that is no range");
        }
        match &self.encoding {
            Encoding::Numeric { map, fill, .. } | Encoding::Date { map, fill, .. } => {
                if !map.is_sound() || !fill.is_finite() {
                    return refuse(
                        "has a scale that is not positive or a number that is not finite",
                    );
                }
            }
            Encoding::Categorical { levels, fill, .. } => {
                if *fill as usize >= levels.len() {
                    return refuse("fills with a category that does not exist");
                }
                let distinct: std::collections::HashSet<&String> = levels.iter().collect();
                if distinct.len() < levels.len() {
                    return refuse("has a category twice");
                }
            }
            Encoding::Vectors {
                width,
                storage,
                fill,
                shift,
                scale,
                offset,
            } => {
                if [fill, shift, scale]
                    .iter()
                    .any(|v| !v.is_empty() && v.len() != *width)
                {
                    return refuse("has lists of another length than its vectors");
                }
                let finite = fill.iter().chain(shift).all(|v| v.is_finite());
                if !finite
                    || !offset.is_finite()
                    || !scale.iter().all(|s| s.is_finite() && *s > 0.0)
                {
                    return refuse(
                        "has a scale that is not positive or a number that is not finite",
                    );
                }
                if *storage == Storage::Sparse && !(shift.is_empty() && *offset == 0.0) {
                    return refuse("shifts sparse vectors");
                }
            }
            Encoding::Graph {
                vertices, edges, ..
            } => {
                for names in [vertices, edges] {
                    let distinct: std::collections::HashSet<&String> = names.iter().collect();
                    if distinct.len() < names.len() {
                        return refuse("has a label twice");
                    }
                }
            }
            // Words were checked when they were read.
            Encoding::Boolean { .. }
            | Encoding::Text
            | Encoding::Words(_)
            | Encoding::Node { .. } => {}
        }
        Ok(())
    }
}

fn named(names: &[&str], flagged: bool) -> Parts {
    let mut names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    if flagged {
        // Parentheses keep it apart from a level that is called `missing`.
        names.push("(missing)".to_owned());
    }
    Parts::Named(names)
}
