//! Graphs prepared once: from SMILES, from vertices and edges, and from the parts of others.

use std::sync::Arc;

use mercer::data::molecule::{self, GraphOptions, bond_names, to_graph};
use mercer::data::{Edge, Graph, GraphList, LabelNames};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::failure::raise;

/// The size that marks a graph that is missing.
const MISSING: u32 = u32::MAX;

/// A graph as Python gives it.
#[derive(FromPyObject)]
pub(crate) enum Given {
    /// A molecule, written as SMILES.
    Molecule(String),
    /// The labels of vertices, and edges: both ends and a label.
    Parts(Vec<String>, Vec<(u32, u32, String)>),
}

/// Graphs with the names of their labels.
#[pyclass(frozen, module = "mercer._mercer")]
pub(crate) struct Graphs {
    pub(crate) list: GraphList,
}

/// Sizes, labels, edge counts and edges of all graphs, each in one array.
type Arrays<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u32>>,
);

/// Labels of vertices, and edges: both ends and a label.
type Parts<'a> = (Vec<&'a str>, Vec<(u32, u32, &'a str)>);

#[pymethods]
impl Graphs {
    /// Takes graphs; `name` says in errors what holds them.
    #[new]
    #[pyo3(signature = (items, name="X"))]
    fn new(items: Vec<Option<Given>>, name: &str) -> PyResult<Self> {
        let mut vertices = LabelNames::default();
        let mut edges = bond_names();
        let mut graphs = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let graph = match item {
                None => None,
                Some(Given::Molecule(text)) => {
                    let read = molecule::parse(&text)
                        .map_err(|error| no_molecule(name, index, &text, &error))?;
                    Some(to_graph(&read, &mut vertices, GraphOptions::default()).graph)
                }
                Some(Given::Parts(labels, given)) => {
                    let labels = labels.iter().map(|label| vertices.code(label)).collect();
                    let given = given.iter().map(|(from, to, label)| Edge {
                        from: *from,
                        to: *to,
                        label: edges.code(label),
                    });
                    let graph = Graph::try_new(labels, &given.collect::<Vec<_>>());
                    Some(graph.map_err(|e| raise(&e))?)
                }
            };
            graphs.push(graph.map(Arc::new));
        }
        Ok(Self {
            list: GraphList {
                graphs,
                vertex_labels: vertices.names().to_vec(),
                edge_labels: edges.names().to_vec(),
            },
        })
    }

    fn __len__(&self) -> usize {
        self.list.graphs.len()
    }

    /// The graphs at some positions, in that order.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments of Python methods are owned"
    )]
    fn select(&self, rows: Vec<usize>) -> PyResult<Self> {
        if let Some(row) = rows.iter().find(|&&row| row >= self.__len__()) {
            return Err(PyIndexError::new_err(format!(
                "there is no graph {row} among {}",
                self.__len__()
            )));
        }
        Ok(Self {
            list: self.list.select(&rows),
        })
    }

    /// The labels of one graph's vertices, and its edges.
    fn item(&self, row: usize) -> Option<Parts<'_>> {
        let graph = self.list.graphs.get(row)?.as_ref()?;
        let vertex = |&code: &u32| self.list.vertex_labels[code as usize].as_str();
        let edge = |e: Edge| {
            (
                e.from,
                e.to,
                self.list.edge_labels[e.label as usize].as_str(),
            )
        };
        Some((
            graph.labels().iter().map(vertex).collect(),
            graph.edges().map(edge).collect(),
        ))
    }

    /// The number of vertices of all graphs.
    #[getter]
    fn vertices(&self) -> usize {
        self.list.graphs.iter().flatten().map(|g| g.len()).sum()
    }

    /// The names of labels, of vertices and of edges.
    #[getter]
    fn label_names(&self) -> (Vec<String>, Vec<String>) {
        (
            self.list.vertex_labels.clone(),
            self.list.edge_labels.clone(),
        )
    }

    /// All graphs as arrays of codes, for `from_arrays`.
    fn to_arrays<'py>(&self, py: Python<'py>) -> Arrays<'py> {
        let (mut sizes, mut labels) = (Vec::new(), Vec::new());
        let (mut counts, mut edges) = (Vec::new(), Vec::new());
        for graph in &self.list.graphs {
            let Some(graph) = graph else {
                sizes.push(MISSING);
                counts.push(0);
                continue;
            };
            sizes.push(graph.len() as u32);
            labels.extend_from_slice(graph.labels());
            let before = edges.len();
            edges.extend(graph.edges().flat_map(|e| [e.from, e.to, e.label]));
            counts.push(((edges.len() - before) / 3) as u32);
        }
        (
            sizes.into_pyarray(py),
            labels.into_pyarray(py),
            counts.into_pyarray(py),
            edges.into_pyarray(py),
        )
    }

    /// Makes graphs of what `label_names` and `to_arrays` gave.
    #[staticmethod]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments of Python functions are owned"
    )]
    fn from_arrays(
        names: (Vec<String>, Vec<String>),
        sizes: PyReadonlyArray1<'_, u32>,
        labels: PyReadonlyArray1<'_, u32>,
        counts: PyReadonlyArray1<'_, u32>,
        edges: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let (vertex_labels, edge_labels) = names;
        let mut labels = labels.as_slice()?;
        let mut edges = edges.as_slice()?;
        let mut graphs = Vec::new();
        for (&size, &count) in sizes.as_slice()?.iter().zip(counts.as_slice()?) {
            if size == MISSING {
                graphs.push(None);
                continue;
            }
            let own = take(&mut labels, size as usize)?;
            let ends = take(&mut edges, 3 * count as usize)?;
            let read = |part: &[u32]| Edge {
                from: part[0],
                to: part[1],
                label: part[2],
            };
            let ends: Vec<Edge> = ends.chunks_exact(3).map(read).collect();
            let known = own
                .iter()
                .all(|&code| (code as usize) < vertex_labels.len())
                && ends.iter().all(|e| (e.label as usize) < edge_labels.len());
            if !known {
                return Err(damaged());
            }
            let graph = Graph::try_new(own.to_vec(), &ends).map_err(|e| raise(&e))?;
            graphs.push(Some(Arc::new(graph)));
        }
        Ok(Self {
            list: GraphList {
                graphs,
                vertex_labels,
                edge_labels,
            },
        })
    }
}

fn take<'a>(values: &mut &'a [u32], count: usize) -> PyResult<&'a [u32]> {
    let (first, rest) = values.split_at_checked(count).ok_or_else(damaged)?;
    *values = rest;
    Ok(first)
}

fn damaged() -> PyErr {
    PyValueError::new_err("the stored graphs are damaged")
}

fn no_molecule(name: &str, index: usize, text: &str, error: &molecule::Error) -> PyErr {
    PyValueError::new_err(format!(
        "{name}[{index}] is `{text}`, which is no SMILES, {error}; {}",
        error.hints().join("; ")
    ))
}

/// Refuses the first text that is no SMILES, with its position and the character at fault.
#[pyfunction]
#[pyo3(signature = (texts, name="X"))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn check_molecules(texts: Vec<String>, name: &str) -> PyResult<()> {
    for (index, text) in texts.iter().enumerate() {
        molecule::check(text).map_err(|error| no_molecule(name, index, text, &error))?;
    }
    Ok(())
}
