//! One graph whose nodes have names, such as people who know each other.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// An edge between two nodes of a network.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct Tie {
    /// One node.
    pub from: u32,
    /// The other node, of a higher number.
    pub to: u32,
    /// The weight of the edge: positive and finite.
    pub weight: f64,
}

/// Named nodes and their edges. Copies share their memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Network(Arc<Inner>);

#[derive(Debug, PartialEq)]
struct Inner {
    names: Vec<String>,
    codes: HashMap<String, u32>,
    ties: Vec<Tie>,
}

/// A network as files hold it, not yet checked.
#[derive(Serialize, Deserialize)]
struct Stored {
    names: Vec<String>,
    ties: Vec<Tie>,
}

impl TryFrom<Stored> for Network {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self> {
        Self::try_new(stored.names, &stored.ties)
    }
}

impl From<Network> for Stored {
    fn from(network: Network) -> Self {
        Self {
            names: network.0.names.clone(),
            ties: network.0.ties.clone(),
        }
    }
}

impl Network {
    /// Creates a network; the weights of edges given twice add up, edges of a node with itself
    /// do not count.
    ///
    /// # Errors
    /// Names that occur twice, edges of nodes that are not there, weights that are not
    /// positive.
    pub fn try_new(names: Vec<String>, ties: &[Tie]) -> Result<Self> {
        let mut codes = HashMap::with_capacity(names.len());
        for (code, name) in names.iter().enumerate() {
            if codes.insert(name.clone(), code as u32).is_some() {
                return Err(Error::Conflict {
                    what: format!("two nodes of the network are named `{name}`"),
                    cure: "give every node a name of its own".into(),
                });
            }
        }
        let mut sorted = Vec::with_capacity(ties.len());
        for tie in ties {
            if tie.from.max(tie.to) as usize >= names.len() {
                return Err(Error::rows(
                    format!(
                        "an edge names node {} of {}",
                        tie.from.max(tie.to),
                        names.len()
                    ),
                    "list every node",
                ));
            }
            if !(tie.weight.is_finite() && tie.weight > 0.0) {
                return Err(Error::rows(
                    format!(
                        "the edge of `{}` and `{}` has weight `{}`",
                        names[tie.from as usize], names[tie.to as usize], tie.weight
                    ),
                    "weights of edges must be positive and finite",
                ));
            }
            if tie.from != tie.to {
                sorted.push(Tie {
                    from: tie.from.min(tie.to),
                    to: tie.from.max(tie.to),
                    weight: tie.weight,
                });
            }
        }
        sorted.sort_by(|a, b| {
            let ends = (a.from, a.to).cmp(&(b.from, b.to));
            ends.then(a.weight.total_cmp(&b.weight))
        });
        let mut ties: Vec<Tie> = Vec::with_capacity(sorted.len());
        for tie in sorted {
            match ties.last_mut() {
                Some(last) if (last.from, last.to) == (tie.from, tie.to) => {
                    last.weight += tie.weight;
                }
                _ => ties.push(tie),
            }
        }
        Ok(Self(Arc::new(Inner { names, codes, ties })))
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.0.names.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.0.names.is_empty()
    }

    /// Returns the names of all nodes.
    pub fn names(&self) -> &[String] {
        &self.0.names
    }

    /// Returns the number of a node.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.0.codes.get(name).copied()
    }

    /// Returns every edge once, ordered by its ends.
    pub fn ties(&self) -> &[Tie] {
        &self.0.ties
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tie(from: u32, to: u32, weight: f64) -> Tie {
        Tie { from, to, weight }
    }

    #[test]
    fn repeated_ties_add_up_and_loops_do_not_count() {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let ties = [tie(1, 0, 1.0), tie(0, 1, 2.0), tie(2, 2, 1.0)];
        let network = Network::try_new(names, &ties).expect("a network");
        assert_eq!(network.ties(), [tie(0, 1, 3.0)]);
        assert_eq!(network.find("c"), Some(2));
        let text = serde_json::to_string(&network).expect("JSON");
        assert_eq!(
            serde_json::from_str::<Network>(&text).expect("back"),
            network
        );
    }

    #[test]
    fn what_cannot_be_a_network_is_refused() {
        let names = || vec!["a".to_owned(), "b".to_owned()];
        assert!(Network::try_new(names(), &[tie(0, 2, 1.0)]).is_err());
        assert!(Network::try_new(names(), &[tie(0, 1, -1.0)]).is_err());
        assert!(Network::try_new(vec!["a".to_owned(); 2], &[]).is_err());
    }
}
