//! The messages of an ONNX file: models, graphs, nodes, tensors.
//!
//! Field numbers are those of `onnx.proto3`, which never change.

use super::bytes::Bytes;

/// Version of the file format; 8 goes with version 17 of the operators.
const IR_VERSION: i64 = 8;

/// The kind of a tensor's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Float,
    Int64,
    Text,
    Bool,
    Double,
}

impl Element {
    /// The number that files use.
    pub(super) fn code(self) -> i64 {
        match self {
            Self::Float => 1,
            Self::Int64 => 7,
            Self::Text => 8,
            Self::Bool => 9,
            Self::Double => 11,
        }
    }
}

/// The entries of a constant tensor, row after row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Entries {
    Int64(Vec<i64>),
    Double(Vec<f64>),
    Text(Vec<String>),
    Bool(Vec<bool>),
}

/// A constant tensor.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tensor {
    pub(super) name: String,
    pub(super) shape: Vec<usize>,
    pub(super) entries: Entries,
}

impl Tensor {
    pub(super) fn encode(&self) -> Bytes {
        let mut out = Bytes::default();
        let shape: Vec<i64> = self.shape.iter().map(|n| *n as i64).collect();
        out.ints(1, &shape);
        let (element, raw): (Element, Vec<u8>) = match &self.entries {
            Entries::Int64(values) => (
                Element::Int64,
                values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ),
            Entries::Double(values) => (
                Element::Double,
                values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ),
            Entries::Bool(values) => (Element::Bool, values.iter().map(|v| u8::from(*v)).collect()),
            Entries::Text(values) => {
                // Texts have no raw form.
                out.int(2, Element::Text.code());
                for value in values {
                    out.text(6, value);
                }
                out.text(8, &self.name);
                return out;
            }
        };
        out.int(2, element.code());
        out.text(8, &self.name);
        out.blob(9, &raw);
        out
    }
}

/// A named setting of a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Setting {
    Int(i64),
    Text(String),
    Ints(Vec<i64>),
    Floats(Vec<f32>),
    Texts(Vec<String>),
    Tensor(Tensor),
    Graph(Graph),
}

impl Setting {
    fn encode(&self, name: &str) -> Bytes {
        let mut out = Bytes::default();
        out.text(1, name);
        let code = match self {
            Self::Int(value) => {
                out.int(3, *value);
                2
            }
            Self::Text(value) => {
                out.text(4, value);
                3
            }
            Self::Tensor(value) => {
                out.message(5, &value.encode());
                4
            }
            Self::Graph(value) => {
                out.message(6, &value.encode());
                5
            }
            Self::Floats(values) => {
                out.floats(7, values);
                6
            }
            Self::Ints(values) => {
                out.ints(8, values);
                7
            }
            Self::Texts(values) => {
                for value in values {
                    out.text(9, value);
                }
                8
            }
        };
        out.int(20, code);
        out
    }
}

/// One step of a computation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) operator: &'static str,
    /// Empty for the operators of `ai.onnx`.
    pub(super) domain: &'static str,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
    pub(super) settings: Vec<(&'static str, Setting)>,
}

impl Node {
    pub(super) fn encode(&self) -> Bytes {
        let mut out = Bytes::default();
        for name in &self.inputs {
            out.text(1, name);
        }
        for name in &self.outputs {
            out.text(2, name);
        }
        if let Some(first) = self.outputs.first() {
            out.text(3, first);
        }
        out.text(4, self.operator);
        for (name, setting) in &self.settings {
            out.message(5, &setting.encode(name));
        }
        if !self.domain.is_empty() {
            out.text(7, self.domain);
        }
        out
    }

    /// Returns every name the node reads, those of inner graphs included.
    pub(super) fn reads(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.inputs.iter().map(String::as_str).collect();
        for (_, setting) in &self.settings {
            if let Setting::Graph(graph) = setting {
                names.extend(graph.nodes.iter().flat_map(Self::reads));
                names.extend(graph.outputs.iter().map(|o| o.name.as_str()));
            }
        }
        names
    }
}

/// The length of a tensor along one axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Length {
    /// As many as there are rows.
    Rows,
    /// So many.
    Fixed(usize),
}

/// Name, kind and shape of an input or output.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Port {
    pub(super) name: String,
    pub(super) element: Element,
    /// `None` where any shape will do.
    pub(super) shape: Option<Vec<Length>>,
    /// What it means, for people.
    pub(super) meaning: String,
}

impl Port {
    fn encode(&self) -> Bytes {
        let mut tensor = Bytes::default();
        tensor.int(1, self.element.code());
        if let Some(lengths) = &self.shape {
            let mut shape = Bytes::default();
            for length in lengths {
                let mut axis = Bytes::default();
                match length {
                    Length::Rows => axis.text(2, "N"),
                    Length::Fixed(length) => axis.int(1, *length as i64),
                }
                shape.message(1, &axis);
            }
            tensor.message(2, &shape);
        }
        let mut kind = Bytes::default();
        kind.message(1, &tensor);
        let mut out = Bytes::default();
        out.text(1, &self.name);
        out.message(2, &kind);
        if !self.meaning.is_empty() {
            out.text(3, &self.meaning);
        }
        out
    }
}

/// A computation.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Graph {
    pub(super) name: String,
    pub(super) nodes: Vec<Node>,
    pub(super) constants: Vec<Tensor>,
    pub(super) inputs: Vec<Port>,
    pub(super) outputs: Vec<Port>,
}

impl Graph {
    fn encode(&self) -> Bytes {
        let mut out = Bytes::default();
        for node in &self.nodes {
            out.message(1, &node.encode());
        }
        out.text(2, &self.name);
        for constant in &self.constants {
            out.message(5, &constant.encode());
        }
        for port in &self.inputs {
            out.message(11, &port.encode());
        }
        for port in &self.outputs {
            out.message(12, &port.encode());
        }
        out
    }
}

/// A whole file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    pub(super) graph: Graph,
    /// Domains of operators with their versions; the empty one is `ai.onnx`.
    pub(super) operators: Vec<(&'static str, i64)>,
    pub(super) version: String,
    pub(super) meaning: String,
    pub(super) metadata: Vec<(&'static str, String)>,
}

impl Model {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Bytes::default();
        out.int(1, IR_VERSION);
        out.text(2, "mercer");
        out.text(3, &self.version);
        out.text(6, &self.meaning);
        out.message(7, &self.graph.encode());
        for (domain, version) in &self.operators {
            let mut operators = Bytes::default();
            operators.text(1, domain);
            operators.int(2, *version);
            out.message(8, &operators);
        }
        for (key, value) in &self.metadata {
            let mut entry = Bytes::default();
            entry.text(1, key);
            entry.text(2, value);
            out.message(14, &entry);
        }
        out.finish()
    }
}
