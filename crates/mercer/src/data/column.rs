//! One named, typed column of a table.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::recognise::{Reading, Recognised};
use super::{GraphList, NodeList, Points};

/// The code of a missing categorical value.
pub const MISSING_CODE: u32 = u32::MAX;

/// The kind of values a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Numbers.
    Numeric,
    /// Booleans.
    Boolean,
    /// One of a limited set of names.
    Categorical,
    /// Free text.
    Text,
    /// Points in time.
    Date,
    /// A whole vector per row, as LIBSVM, `.npy` and IDX files hold.
    Vectors,
    /// Molecules, written as SMILES.
    Molecule,
    /// Labelled graphs.
    Graph,
    /// Nodes of one network.
    Node,
}

impl Kind {
    /// The kinds a user may name.
    pub const NAMED: [(&'static str, Self); 6] = [
        ("numeric", Self::Numeric),
        ("boolean", Self::Boolean),
        ("categorical", Self::Categorical),
        ("text", Self::Text),
        ("date", Self::Date),
        ("molecule", Self::Molecule),
    ];

    /// Returns the kind's name as the user writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Numeric => "numeric",
            Self::Boolean => "boolean",
            Self::Categorical => "categorical",
            Self::Text => "text",
            Self::Date => "date",
            Self::Vectors => "vectors",
            Self::Molecule => "molecule",
            Self::Graph => "graph",
            Self::Node => "node",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Categorical values: a code per row into a list of level names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Categories {
    /// One code per row; [`MISSING_CODE`] where the value is missing.
    pub codes: Vec<u32>,
    /// The names; each code below their number points into this list.
    pub levels: Vec<String>,
}

impl Categories {
    /// Encodes names, `None` where one is missing; their order is numeric where all are numbers,
    /// alphabetic otherwise.
    ///
    /// # Examples
    /// ```
    /// use mercer::data::{Categories, MISSING_CODE};
    ///
    /// let sizes = Categories::from_names([Some("small"), None, Some("large"), Some("small")]);
    /// assert_eq!(sizes.levels, ["large", "small"]);
    /// assert_eq!(sizes.codes, [1, MISSING_CODE, 0, 1]);
    /// ```
    pub fn from_names<S: AsRef<str>>(names: impl IntoIterator<Item = Option<S>>) -> Self {
        let mut seen: HashMap<String, u32> = HashMap::new();
        let mut codes = Vec::new();
        for name in names {
            let Some(name) = name else {
                codes.push(MISSING_CODE);
                continue;
            };
            let next = seen.len() as u32;
            let code = seen.get(name.as_ref()).copied();
            codes.push(code.unwrap_or_else(|| {
                seen.insert(name.as_ref().to_owned(), next);
                next
            }));
        }
        let mut levels: Vec<(String, u32)> = seen.into_iter().collect();
        let value = |name: &str| name.parse::<f64>().ok().filter(|v| !v.is_nan());
        if levels.iter().all(|(name, _)| value(name).is_some()) {
            let number = |name: &str| value(name).unwrap_or(f64::NAN);
            levels.sort_by(|(a, _), (b, _)| number(a).total_cmp(&number(b)).then_with(|| a.cmp(b)));
        } else {
            levels.sort_unstable();
        }
        let mut places = vec![MISSING_CODE; levels.len()];
        for (place, (_, code)) in levels.iter().enumerate() {
            places[*code as usize] = place as u32;
        }
        for code in &mut codes {
            *code = places.get(*code as usize).copied().unwrap_or(MISSING_CODE);
        }
        Self {
            codes,
            levels: levels.into_iter().map(|(name, _)| name).collect(),
        }
    }

    /// Returns the name of a row's level, or `None` when it is missing.
    pub fn name(&self, row: usize) -> Option<&str> {
        self.levels
            .get(self.codes[row] as usize)
            .map(String::as_str)
    }
}

/// Booleans, with the words that the rows have for them.
#[derive(Debug, Clone, PartialEq)]
pub struct Truths {
    /// One value per row; `None` where it is missing.
    pub values: Vec<Option<bool>>,
    /// What false and true are called.
    pub words: [String; 2],
}

impl Truths {
    /// The words of rows that have none of their own.
    pub const WORDS: [&str; 2] = ["false", "true"];

    /// Returns the word of a row, or `None` when it is missing.
    pub fn word(&self, row: usize) -> Option<&str> {
        self.values[row].map(|value| self.words[usize::from(value)].as_str())
    }
}

impl From<Vec<Option<bool>>> for Truths {
    fn from(values: Vec<Option<bool>>) -> Self {
        Self {
            values,
            words: Self::WORDS.map(str::to_owned),
        }
    }
}

/// The values of a column, one per row.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers; NaN is missing.
    Numeric(Vec<f64>),
    /// Booleans.
    Boolean(Truths),
    /// Codes into a list of names.
    Categorical(Categories),
    /// Free text.
    Text(Vec<Option<String>>),
    /// Seconds since 1970-01-01T00:00:00Z; NaN is missing.
    Date(Vec<f64>),
    /// A vector per row.
    Vectors(Points),
    /// Molecules, written as SMILES.
    Molecules(Vec<Option<String>>),
    /// A graph per row.
    Graphs(GraphList),
    /// A node of one network per row.
    Nodes(NodeList),
}

impl Values {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Numeric(v) | Self::Date(v) => v.len(),
            Self::Boolean(t) => t.values.len(),
            Self::Categorical(c) => c.codes.len(),
            Self::Text(v) | Self::Molecules(v) => v.len(),
            Self::Vectors(p) => p.rows(),
            Self::Graphs(g) => g.graphs.len(),
            Self::Nodes(n) => n.nodes.len(),
        }
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the kind of the values.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Numeric(_) => Kind::Numeric,
            Self::Boolean(_) => Kind::Boolean,
            Self::Categorical(_) => Kind::Categorical,
            Self::Text(_) => Kind::Text,
            Self::Date(_) => Kind::Date,
            Self::Vectors(_) => Kind::Vectors,
            Self::Molecules(_) => Kind::Molecule,
            Self::Graphs(_) => Kind::Graph,
            Self::Nodes(_) => Kind::Node,
        }
    }

    /// Returns whether a row's value is missing.
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Numeric(v) | Self::Date(v) => v[row].is_nan(),
            Self::Boolean(t) => t.values[row].is_none(),
            Self::Categorical(c) => c.codes[row] == MISSING_CODE,
            Self::Text(v) | Self::Molecules(v) => v[row].is_none(),
            Self::Vectors(_) => false,
            Self::Graphs(g) => g.graphs[row].is_none(),
            Self::Nodes(n) => n.nodes[row].is_none(),
        }
    }

    /// Returns the values of the given rows, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Numeric(v) => Self::Numeric(rows.iter().map(|&r| v[r]).collect()),
            Self::Date(v) => Self::Date(rows.iter().map(|&r| v[r]).collect()),
            Self::Boolean(t) => Self::Boolean(Truths {
                values: rows.iter().map(|&r| t.values[r]).collect(),
                words: t.words.clone(),
            }),
            Self::Categorical(c) => Self::Categorical(Categories {
                codes: rows.iter().map(|&r| c.codes[r]).collect(),
                levels: c.levels.clone(),
            }),
            Self::Text(v) => Self::Text(rows.iter().map(|&r| v[r].clone()).collect()),
            Self::Vectors(p) => Self::Vectors(p.select(rows)),
            Self::Molecules(v) => Self::Molecules(rows.iter().map(|&r| v[r].clone()).collect()),
            Self::Graphs(g) => Self::Graphs(g.select(rows)),
            Self::Nodes(n) => Self::Nodes(NodeList {
                network: n.network.clone(),
                nodes: rows.iter().map(|&r| n.nodes[r]).collect(),
            }),
        }
    }
}

/// One named column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The name, as the header gives it.
    pub name: String,
    /// The values.
    pub values: Values,
    /// What was noticed when the values were read from strings, where there is anything to tell.
    pub reading: Option<Box<Reading>>,
}

impl Column {
    /// Creates a column.
    pub fn new(name: impl Into<String>, values: Values) -> Self {
        Self {
            name: name.into(),
            values,
            reading: None,
        }
    }

    /// Creates a column of what was recognised in strings; lines are those of the rows, where
    /// they have any.
    pub fn recognised(name: impl Into<String>, found: Recognised, lines: &[u32]) -> Self {
        let mut reading = found.reading.map(Box::new);
        if let Some(reading) = &mut reading {
            reading.set_lines(lines);
        }
        Self {
            name: name.into(),
            values: found.values,
            reading,
        }
    }

    /// Returns the kind of the column's values.
    pub fn kind(&self) -> Kind {
        self.values.kind()
    }
}
