//! Builds a graph step by step.

use std::collections::{HashMap, HashSet};

use super::message::{Element, Entries, Graph, Length, Node, Port, Setting, Tensor};

/// A value that a graph computes, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wire(String);

/// The domain of operators for classical models.
pub(super) const MACHINES: &str = "ai.onnx.ml";
/// The domain of operators that onnxruntime adds.
pub(super) const RUNTIME: &str = "com.microsoft";

/// A graph under construction.
///
/// Equal steps and equal constants are kept once; what no output needs is left out at the end.
#[derive(Debug, Default)]
pub(super) struct Builder {
    nodes: Vec<Node>,
    constants: Vec<Tensor>,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    names: HashSet<String>,
    known_nodes: HashMap<Vec<u8>, Vec<Wire>>,
    known_constants: HashMap<blake3::Hash, Wire>,
}

impl Builder {
    /// Starts a graph whose outputs have these names.
    pub(super) fn new(outputs: &[&str]) -> Self {
        Self {
            names: outputs.iter().map(|n| (*n).to_owned()).collect(),
            ..Self::default()
        }
    }

    /// Returns a name that is not in use yet, and takes it.
    fn fresh(&mut self, stem: &str) -> String {
        let stem = stem.to_lowercase();
        let mut number = self.names.len();
        loop {
            let name = format!("{stem}_{number}");
            if self.names.insert(name.clone()) {
                return name;
            }
            number += 1;
        }
    }

    /// Adds an input; underscores keep its name apart from others.
    pub(super) fn input(
        &mut self,
        name: &str,
        element: Element,
        width: usize,
        meaning: String,
    ) -> Wire {
        let mut name = name.to_owned();
        // An empty name means that an input is left out.
        while name.is_empty() || !self.names.insert(name.clone()) {
            name.push('_');
        }
        self.inputs.push(Port {
            name: name.clone(),
            element,
            shape: Some(vec![Length::Rows, Length::Fixed(width)]),
            meaning,
        });
        Wire(name)
    }

    /// Makes a value an output; a width of `None` means one entry per row.
    pub(super) fn output(
        &mut self,
        name: &str,
        value: &Wire,
        element: Element,
        width: Option<usize>,
    ) {
        self.nodes.push(Node {
            operator: "Identity",
            domain: "",
            inputs: vec![value.0.clone()],
            outputs: vec![name.to_owned()],
            settings: Vec::new(),
        });
        let mut shape = vec![Length::Rows];
        shape.extend(width.map(Length::Fixed));
        self.outputs.push(Port {
            name: name.to_owned(),
            element,
            shape: Some(shape),
            meaning: String::new(),
        });
    }

    /// Adds a step with one result.
    pub(super) fn step<const N: usize>(
        &mut self,
        operator: &'static str,
        inputs: [&Wire; N],
    ) -> Wire {
        self.step_with(operator, &inputs, vec![])
    }

    /// Adds a step with settings.
    pub(super) fn step_with(
        &mut self,
        operator: &'static str,
        inputs: &[&Wire],
        settings: Vec<(&'static str, Setting)>,
    ) -> Wire {
        let mut results = self.node("", operator, inputs, settings, 1);
        results.remove(0)
    }

    /// Adds a step of a domain with several results.
    pub(super) fn node(
        &mut self,
        domain: &'static str,
        operator: &'static str,
        inputs: &[&Wire],
        settings: Vec<(&'static str, Setting)>,
        results: usize,
    ) -> Vec<Wire> {
        let mut node = Node {
            operator,
            domain,
            inputs: inputs.iter().map(|w| w.0.clone()).collect(),
            outputs: Vec::new(),
            settings,
        };
        let key = node.encode().finish();
        if let Some(known) = self.known_nodes.get(&key) {
            return known.clone();
        }
        let wires: Vec<Wire> = (0..results).map(|_| Wire(self.fresh(operator))).collect();
        node.outputs = wires.iter().map(|w| w.0.clone()).collect();
        self.nodes.push(node);
        self.known_nodes.insert(key, wires.clone());
        wires
    }

    /// Adds a constant.
    pub(super) fn constant(&mut self, shape: &[usize], entries: Entries) -> Wire {
        let mut tensor = Tensor {
            name: String::new(),
            shape: shape.to_vec(),
            entries,
        };
        let key = blake3::hash(&tensor.encode().finish());
        if let Some(known) = self.known_constants.get(&key) {
            return known.clone();
        }
        tensor.name = self.fresh("constant");
        let wire = Wire(tensor.name.clone());
        self.constants.push(tensor);
        self.known_constants.insert(key, wire.clone());
        wire
    }

    /// Adds one number.
    pub(super) fn number(&mut self, number: f64) -> Wire {
        self.constant(&[], Entries::Double(vec![number]))
    }

    /// Adds numbers that every row meets.
    pub(super) fn row(&mut self, numbers: Vec<f64>) -> Wire {
        self.constant(&[1, numbers.len()], Entries::Double(numbers))
    }

    /// Adds a list of whole numbers.
    pub(super) fn integers(&mut self, numbers: Vec<i64>) -> Wire {
        self.constant(&[numbers.len()], Entries::Int64(numbers))
    }

    /// Adds one whole number.
    pub(super) fn integer(&mut self, number: i64) -> Wire {
        self.constant(&[], Entries::Int64(vec![number]))
    }

    /// Turns entries into another kind.
    pub(super) fn cast(&mut self, value: &Wire, to: Element) -> Wire {
        self.step_with("Cast", &[value], vec![("to", Setting::Int(to.code()))])
    }

    /// Returns 1 where a condition holds and 0 elsewhere.
    pub(super) fn indicator(&mut self, condition: &Wire) -> Wire {
        self.cast(condition, Element::Double)
    }

    /// Takes entries along an axis.
    pub(super) fn gather(&mut self, value: &Wire, indices: &Wire, axis: i64) -> Wire {
        self.step_with(
            "Gather",
            &[value, indices],
            vec![("axis", Setting::Int(axis))],
        )
    }

    /// Puts blocks side by side; one block stays as it is.
    pub(super) fn beside(&mut self, blocks: &[Wire]) -> Wire {
        if let [only] = blocks {
            return only.clone();
        }
        let blocks: Vec<&Wire> = blocks.iter().collect();
        self.step_with("Concat", &blocks, vec![("axis", Setting::Int(1))])
    }

    /// Adds up the entries along an axis.
    pub(super) fn sum(&mut self, value: &Wire, axis: i64, keep: bool) -> Wire {
        let axes = self.integers(vec![axis]);
        let keep = Setting::Int(i64::from(keep));
        self.step_with("ReduceSum", &[value, &axes], vec![("keepdims", keep)])
    }

    /// Reduces along an axis by an operator that takes its axes as a setting.
    pub(super) fn reduce(
        &mut self,
        operator: &'static str,
        value: &Wire,
        axis: i64,
        keep: bool,
    ) -> Wire {
        let settings = vec![
            ("axes", Setting::Ints(vec![axis])),
            ("keepdims", Setting::Int(i64::from(keep))),
        ];
        self.step_with(operator, &[value], settings)
    }

    /// Adds an axis of length 1.
    pub(super) fn unsqueeze(&mut self, value: &Wire, axis: i64) -> Wire {
        let axes = self.integers(vec![axis]);
        self.step("Unsqueeze", [value, &axes])
    }

    /// Takes an axis of length 1 away.
    pub(super) fn squeeze(&mut self, value: &Wire, axis: i64) -> Wire {
        let axes = self.integers(vec![axis]);
        self.step("Squeeze", [value, &axes])
    }

    /// Repeats `body` on one value, at most `most` times and while its condition holds.
    ///
    /// The body gets the value and returns whether to go on, with the new value; both may use
    /// what was computed outside.
    pub(super) fn repeat(
        &mut self,
        most: i64,
        start: &Wire,
        element: Element,
        body: impl FnOnce(&mut Self, &Wire) -> (Wire, Wire),
    ) -> Wire {
        let outside = std::mem::take(&mut self.nodes);
        let known = self.known_nodes.clone();
        let (turn, before) = (self.fresh("turn"), self.fresh("go_on"));
        let value = Wire(self.fresh("value"));
        let (go_on, next) = body(self, &value);
        // Outputs of an inner graph must be its own.
        let results: Vec<String> = [go_on, next]
            .into_iter()
            .map(|wire| {
                let name = self.fresh("result");
                self.nodes.push(Node {
                    operator: "Identity",
                    domain: "",
                    inputs: vec![wire.0],
                    outputs: vec![name.clone()],
                    settings: Vec::new(),
                });
                name
            })
            .collect();
        let nodes = std::mem::replace(&mut self.nodes, outside);
        self.known_nodes = known;
        let port = |name: &str, element, scalar: bool| Port {
            name: name.to_owned(),
            element,
            shape: scalar.then(Vec::new),
            meaning: String::new(),
        };
        let graph = Graph {
            name: "sweep".to_owned(),
            nodes,
            constants: Vec::new(),
            inputs: vec![
                port(&turn, Element::Int64, true),
                port(&before, Element::Bool, true),
                port(&value.0, element, false),
            ],
            outputs: vec![
                port(&results[0], Element::Bool, true),
                port(&results[1], element, false),
            ],
        };
        let most = self.integer(most);
        let yes = self.constant(&[], Entries::Bool(vec![true]));
        self.step_with(
            "Loop",
            &[&most, &yes, start],
            vec![("body", Setting::Graph(graph))],
        )
    }

    /// Returns the number of bytes of all constants.
    pub(super) fn constant_bytes(&self) -> usize {
        let size = |t: &Tensor| match &t.entries {
            Entries::Int64(v) => 8 * v.len(),
            Entries::Double(v) => 8 * v.len(),
            Entries::Text(v) => v.iter().map(String::len).sum(),
            Entries::Bool(v) => v.len(),
        };
        self.constants.iter().map(size).sum()
    }

    /// Returns whether a step of the domain is used.
    pub(super) fn uses(&self, domain: &str) -> bool {
        self.nodes.iter().any(|n| n.domain == domain)
    }

    /// Leaves out what no output needs and returns the graph.
    pub(super) fn finish(mut self) -> Graph {
        let mut needed: HashSet<String> = self.outputs.iter().map(|o| o.name.clone()).collect();
        let mut kept = Vec::new();
        for node in std::mem::take(&mut self.nodes).into_iter().rev() {
            if node.outputs.iter().any(|o| needed.contains(o)) {
                needed.extend(node.reads().into_iter().map(str::to_owned));
                kept.push(node);
            }
        }
        kept.reverse();
        self.constants.retain(|c| needed.contains(&c.name));
        Graph {
            name: "mercer".to_owned(),
            nodes: kept,
            constants: self.constants,
            inputs: self.inputs,
            outputs: self.outputs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_are_kept_once_and_unused_ones_left_out() {
        let mut graph = Builder::new(&["y"]);
        let x = graph.input("x", Element::Double, 2, String::new());
        let one = graph.number(1.0);
        let a = graph.step("Add", [&x, &one]);
        let again = graph.number(1.0);
        assert_eq!((&one, &a), (&again, &graph.step("Add", [&x, &again])));
        let unused = graph.row(vec![1.0, 2.0]);
        graph.step("Mul", [&x, &unused]);
        graph.output("y", &a, Element::Double, Some(2));
        let graph = graph.finish();
        let operators: Vec<&str> = graph.nodes.iter().map(|n| n.operator).collect();
        assert_eq!(operators, ["Add", "Identity"]);
        assert_eq!(graph.constants.len(), 1);
    }

    #[test]
    fn names_of_columns_make_way() {
        let mut graph = Builder::new(&["label"]);
        let mut name = |name: &str| graph.input(name, Element::Double, 1, String::new()).0;
        assert_eq!(name("label"), "label_");
        assert_eq!(name(""), "_");
        assert_eq!(name("exp_3"), "exp_3");
        let column = Wire("exp_3".to_owned());
        assert_eq!(graph.names.len(), 4);
        assert_ne!(graph.step("Exp", [&column]), column);
    }

    #[test]
    fn inner_graphs_keep_what_they_read() {
        let mut graph = Builder::new(&["y"]);
        let x = graph.input("x", Element::Double, 1, String::new());
        let half = graph.number(0.5);
        let factor = graph.step("Mul", [&x, &half]);
        let y = graph.repeat(3, &x, Element::Double, |graph, value| {
            let next = graph.step("Mul", [value, &factor]);
            (graph.step("Less", [&next, &half]), next)
        });
        graph.output("y", &y, Element::Double, Some(1));
        let graph = graph.finish();
        let operators: Vec<&str> = graph.nodes.iter().map(|n| n.operator).collect();
        assert_eq!(operators, ["Mul", "Loop", "Identity"]);
    }
}
