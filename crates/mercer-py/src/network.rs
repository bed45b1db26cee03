//! One graph whose vertices are rows: nodes and their edges.

use mercer::data::{NodeList, Tie};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::failure::raise;

/// Named nodes and their edges.
#[pyclass(frozen, module = "mercer._mercer")]
pub(crate) struct Network {
    network: mercer::data::Network,
}

#[pymethods]
impl Network {
    /// Takes the names of all nodes, and edges: two nodes by number and a weight.
    #[new]
    fn new(names: Vec<String>, ties: Vec<(u32, u32, f64)>) -> PyResult<Self> {
        let ties: Vec<Tie> = ties
            .into_iter()
            .map(|(from, to, weight)| Tie { from, to, weight })
            .collect();
        let network = mercer::data::Network::try_new(names, &ties).map_err(|e| raise(&e))?;
        Ok(Self { network })
    }

    fn __len__(&self) -> usize {
        self.network.len()
    }

    /// The names of all nodes.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.network.names().to_vec()
    }

    /// Every edge once: two nodes by number and a weight.
    #[getter]
    fn ties(&self) -> Vec<(u32, u32, f64)> {
        let ties = self.network.ties().iter();
        ties.map(|t| (t.from, t.to, t.weight)).collect()
    }

    /// The numbers of nodes by name.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arguments of Python methods are owned"
    )]
    fn find(&self, names: Vec<String>) -> PyResult<Vec<u32>> {
        let find = |(index, name): (usize, &String)| {
            self.network.find(name).ok_or_else(|| {
                PyValueError::new_err(format!(
                    "element {index} is `{name}`, which is not in the network of {} nodes",
                    self.network.len()
                ))
            })
        };
        names.iter().enumerate().map(find).collect()
    }
}

impl Network {
    /// Rows that are nodes, by number.
    pub(crate) fn rows(&self, members: &[u32]) -> PyResult<NodeList> {
        if let Some(member) = members.iter().find(|&&m| m as usize >= self.network.len()) {
            return Err(PyIndexError::new_err(format!(
                "there is no node {member} in a network of {}",
                self.network.len()
            )));
        }
        Ok(NodeList {
            network: self.network.clone(),
            nodes: members.iter().copied().map(Some).collect(),
        })
    }
}
