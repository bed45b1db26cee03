//! Version 1 of support vectors; frozen: a field is never renamed or removed here.
//!
//! Their values are tensors; k counts the columns of a list, from 0:
//!
//! | tensor | type | what it holds |
//! |---|---|---|
//! | `support.dense` | f64, f32 | rows × columns, where they are not sparse |
//! | `support.starts` | u64 | starts of sparse rows, and the end of the last |
//! | `support.indices` | u32 | columns of stored values |
//! | `support.values` | f64, f32 | stored values |
//! | `support.ids` | u32 | number of each row among the training rows |
//! | `support.codes.k` | u32 | codes of a categorical column |
//! | `support.texts.k` | u8 | texts of a column, one after the other |
//! | `support.texts.k.ends` | u64 | where each ends |
//! | `support.graphs.k.vertices` | u32 | labels of the vertices, one graph after the other (#6) |
//! | `support.graphs.k.vertices.ends` | u64 | where the vertices of each graph end |
//! | `support.graphs.k.edges` | u32 | both ends and the label of every edge |
//! | `support.graphs.k.edges.ends` | u64 | where the edges of each graph end, counted in edges |
//! | `support.nodes.k` | u32 | places in the network of the column (#6) |

use serde::Deserialize;

/// What support vectors are beside their tensors.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Support {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) sparse: bool,
    pub(super) groups: Vec<Group>,
    /// Names of categorical columns that kernels read by code.
    pub(super) codes: Vec<String>,
    /// Names of columns of texts.
    pub(super) texts: Vec<String>,
    /// Names of columns of graphs (#6).
    #[serde(default)]
    pub(super) graphs: Vec<String>,
    /// Names of columns of nodes of a network (#6).
    #[serde(default)]
    pub(super) nodes: Vec<String>,
}

/// Neighbouring features made from one column.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Group {
    pub(super) source: String,
    pub(super) parts: GroupParts,
}

/// How the features of a group are named.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(rename_all = "snake_case")]
pub(super) enum GroupParts {
    Whole,
    Named(Vec<String>),
    Numbered(usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::v1::kept::parsed;

    #[test]
    fn support_vectors_have_groups() {
        let found: Support = parsed(
            r#"{"rows":36,"columns":4,"sparse":true,"groups":[{"source":"size","parts":"whole"},
            {"source":"weight","parts":{"named":["value","(missing)"]}},
            {"source":"x","parts":{"numbered":1}}],"codes":["colour"],"texts":["note"],
            "graphs":["smiles"],"nodes":["person"]}"#,
        );
        let named = ["value", "(missing)"].map(str::to_owned).to_vec();
        let groups = [
            ("size", GroupParts::Whole),
            ("weight", GroupParts::Named(named)),
            ("x", GroupParts::Numbered(1)),
        ];
        let expected = Support {
            rows: 36,
            columns: 4,
            sparse: true,
            groups: groups
                .map(|(source, parts)| Group {
                    source: source.to_owned(),
                    parts,
                })
                .into(),
            codes: vec!["colour".to_owned()],
            texts: vec!["note".to_owned()],
            graphs: vec!["smiles".to_owned()],
            nodes: vec!["person".to_owned()],
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn first_files_know_neither_graphs_nor_networks() {
        let found: Support = parsed(
            r#"{"rows":3,"columns":0,"sparse":false,"groups":[],"codes":[],"texts":["note"]}"#,
        );
        assert_eq!((found.rows, found.sparse), (3, false));
        assert!(found.graphs.is_empty() && found.nodes.is_empty());
    }
}
