//! Version 1 of the encoder; frozen: a field is never renamed or removed here.

use serde::Deserialize;

/// The columns of a model and how they become features.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Encoder {
    pub(super) columns: Vec<Column>,
    pub(super) storage: Storage,
    /// Training columns without a value.
    #[serde(default)]
    pub(super) dropped: Vec<String>,
}

/// One column; the fields of its encoding stand beside its name.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Column {
    pub(super) name: String,
    /// Whether all training rows had the same value (#15).
    #[serde(default)]
    pub(super) constant: bool,
    #[serde(flatten)]
    pub(super) encoding: Encoding,
}

/// How one column becomes features.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Encoding {
    Numeric {
        map: Affine,
        fill: f64,
        missing: Missing,
    },
    Boolean {
        /// What the training rows called false and true (#15).
        #[serde(default)]
        words: Option<[String; 2]>,
        fill: bool,
        missing: Missing,
    },
    Categorical {
        levels: Vec<String>,
        /// A code: the place among the levels.
        fill: u32,
        missing: Missing,
    },
    Date {
        /// From days since 1970.
        map: Affine,
        fill: f64,
        missing: Missing,
        time_of_day: bool,
        weekday: bool,
        day_of_year: bool,
    },
    Text,
    /// #6.
    Graph {
        molecule: bool,
        vertices: Vec<String>,
        edges: Vec<String>,
    },
    /// #6.
    Node {
        network: Network,
    },
    /// Absent lists are empty: not refilled, not shifted, not scaled.
    Vectors {
        width: usize,
        storage: Storage,
        #[serde(default)]
        fill: Vec<f64>,
        #[serde(default)]
        shift: Vec<f64>,
        #[serde(default)]
        scale: Vec<f64>,
        offset: f64,
    },
}

/// The map x ↦ (x − shift)/scale + offset.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Affine {
    pub(super) shift: f64,
    pub(super) scale: f64,
    pub(super) offset: f64,
}

/// What happens to a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(rename_all = "snake_case")]
pub(super) enum Missing {
    /// It is an error.
    Refuse,
    /// It is filled in and noted.
    Unexpected,
    /// It is filled in.
    Fill,
    /// It is filled in, and one more feature is 1.
    Flag,
}

/// How numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
#[serde(rename_all = "snake_case")]
pub(super) enum Storage {
    Dense,
    Sparse,
}

/// One graph whose vertices have names (#6).
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Network {
    pub(super) names: Vec<String>,
    pub(super) ties: Vec<Tie>,
}

/// A weighted edge between two places among the names.
#[derive(Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct Tie {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) weight: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::v1::kept::parsed;

    fn texts<const N: usize>(names: [&str; N]) -> Vec<String> {
        names.map(str::to_owned).to_vec()
    }

    #[test]
    fn an_encoder_has_columns_and_storage() {
        let found: Encoder = parsed(
            r#"{"columns":[{"name":"note","kind":"text"}],"storage":"sparse","dropped":["empty"]}"#,
        );
        let expected = Encoder {
            columns: vec![Column {
                name: "note".to_owned(),
                constant: false,
                encoding: Encoding::Text,
            }],
            storage: Storage::Sparse,
            dropped: texts(["empty"]),
        };
        assert_eq!(found, expected);
        let found: Encoder = parsed(r#"{"columns":[],"storage":"dense"}"#);
        assert_eq!((found.storage, found.dropped.len()), (Storage::Dense, 0));
    }

    #[test]
    fn numbers_have_a_map() {
        let found: Column = parsed(
            r#"{"name":"size","constant":true,"kind":"numeric",
            "map":{"shift":4.75,"scale":2.5,"offset":-1.0},"fill":4.5,"missing":"unexpected"}"#,
        );
        let expected = Column {
            name: "size".to_owned(),
            constant: true,
            encoding: Encoding::Numeric {
                map: Affine {
                    shift: 4.75,
                    scale: 2.5,
                    offset: -1.0,
                },
                fill: 4.5,
                missing: Missing::Unexpected,
            },
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn booleans_may_have_words() {
        let plain: Encoding = parsed(r#"{"kind":"boolean","fill":false,"missing":"refuse"}"#);
        let expected = Encoding::Boolean {
            words: None,
            fill: false,
            missing: Missing::Refuse,
        };
        assert_eq!(plain, expected);
        let worded: Encoding =
            parsed(r#"{"kind":"boolean","words":["no","yes"],"fill":true,"missing":"fill"}"#);
        let expected = Encoding::Boolean {
            words: Some(["no".to_owned(), "yes".to_owned()]),
            fill: true,
            missing: Missing::Fill,
        };
        assert_eq!(worded, expected);
    }

    #[test]
    fn categories_have_levels() {
        let found: Encoding = parsed(
            r#"{"kind":"categorical","levels":["dark blue","green"],"fill":1,"missing":"flag"}"#,
        );
        let expected = Encoding::Categorical {
            levels: texts(["dark blue", "green"]),
            fill: 1,
            missing: Missing::Flag,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn dates_have_circles() {
        let found: Encoding = parsed(
            r#"{"kind":"date","map":{"shift":18000.5,"scale":30.0,"offset":0.0},"fill":18000.5,
            "missing":"flag","time_of_day":false,"weekday":true,"day_of_year":true}"#,
        );
        let expected = Encoding::Date {
            map: Affine {
                shift: 18000.5,
                scale: 30.0,
                offset: 0.0,
            },
            fill: 18000.5,
            missing: Missing::Flag,
            time_of_day: false,
            weekday: true,
            day_of_year: true,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn graphs_have_labels_and_networks_ties() {
        let found: Encoding =
            parsed(r#"{"kind":"graph","molecule":true,"vertices":["C","O"],"edges":["-","="]}"#);
        let expected = Encoding::Graph {
            molecule: true,
            vertices: texts(["C", "O"]),
            edges: texts(["-", "="]),
        };
        assert_eq!(found, expected);
        let found: Encoding = parsed(
            r#"{"kind":"node","network":{"names":["ann","bob"],
            "ties":[{"from":0,"to":1,"weight":1.5}]}}"#,
        );
        let network = Network {
            names: texts(["ann", "bob"]),
            ties: vec![Tie {
                from: 0,
                to: 1,
                weight: 1.5,
            }],
        };
        assert_eq!(found, Encoding::Node { network });
    }

    #[test]
    fn vectors_may_have_lists() {
        let bare: Encoding =
            parsed(r#"{"kind":"vectors","width":9,"storage":"sparse","offset":0.0}"#);
        let expected = Encoding::Vectors {
            width: 9,
            storage: Storage::Sparse,
            fill: Vec::new(),
            shift: Vec::new(),
            scale: Vec::new(),
            offset: 0.0,
        };
        assert_eq!(bare, expected);
        let full: Encoding = parsed(
            r#"{"kind":"vectors","width":1,"storage":"dense","fill":[1.0],"shift":[2.0],
            "scale":[3.0],"offset":4.0}"#,
        );
        let expected = Encoding::Vectors {
            width: 1,
            storage: Storage::Dense,
            fill: vec![1.0],
            shift: vec![2.0],
            scale: vec![3.0],
            offset: 4.0,
        };
        assert_eq!(full, expected);
    }
}
