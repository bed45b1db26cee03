//! Nodes of a network as rows: values are looked up in a matrix over all nodes.

use mercer_linalg::Matrix;

use crate::data::{Network, NodeColumn, Records};
use crate::hint::Act;
use crate::kernel::only::only;
use crate::kernel::pairwise::{Compare, Pairwise};
use crate::kernel::{Allowed, BoundKernel, Chosen, Fallback, Parameter, Rule, Sample, Settings};
use crate::{Error, Result};

/// Nodes up to which a matrix over all of them is made: 800 MB.
const MOST: usize = 10_000;

/// How far influence reaches.
pub(super) const BETA: Parameter = Parameter {
    name: "beta",
    meaning: "how far influence reaches along edges",
    allowed: Allowed::Number(Rule::Positive),
    fallback: Fallback::Data(usual_beta),
    default: "one over the mean weighted degree of a node",
    instead_of: None,
};

/// With one over the mean degree, a node keeps about as much influence as it hands on.
fn usual_beta(_: &Settings, sample: &Sample<'_>) -> Result<Chosen> {
    let network = &column("a node kernel", sample.records)?.network;
    let strength: f64 = network.ties().iter().map(|t| 2.0 * t.weight).sum();
    let mut tied: Vec<u32> = network.ties().iter().flat_map(|t| [t.from, t.to]).collect();
    tied.sort_unstable();
    tied.dedup();
    let mean = strength / tied.len().max(1) as f64;
    Ok(Chosen {
        number: if mean > 0.0 { 1.0 / mean } else { 1.0 },
        why: format!("one over {mean:.4}, the mean weighted degree of a node"),
    })
}

/// The one column of nodes.
pub(super) fn column<'a>(kernel: &str, records: &'a Records) -> Result<&'a NodeColumn> {
    let cure = Act::GiveNodes;
    only(kernel, "network", &records.nodes, |n| &n.source, cure)
}

/// Binds nodes to a matrix over all of them.
pub(super) fn bind(
    kernel: &'static str,
    records: &Records,
    matrix: impl FnOnce(&Network) -> Result<Matrix<f64>>,
) -> Result<Box<dyn BoundKernel>> {
    let network = column(kernel, records)?.network.clone();
    if network.len() > MOST {
        return Err(Error::Kernel {
            kernel: kernel.to_owned(),
            problem: format!(
                "the network has {} nodes, and {MOST} are possible",
                network.len()
            ),
            cure: "use `neighbourhood`, which needs no matrix over all nodes".into(),
        });
    }
    let members = Members {
        kernel,
        matrix: matrix(&network)?,
        network,
    };
    Ok(Box::new(Pairwise::try_new(members, records)?))
}

struct Members {
    kernel: &'static str,
    matrix: Matrix<f64>,
    network: Network,
}

impl Compare for Members {
    type Rows = Vec<u32>;

    fn take(&self, records: &Records) -> Result<Vec<u32>> {
        let column = column(self.kernel, records)?;
        if column.network != self.network {
            return Err(Error::Kernel {
                kernel: self.kernel.to_owned(),
                problem: "the rows are nodes of another network".to_owned(),
                cure: "learn again with the present network".into(),
            });
        }
        Ok(column.nodes.clone())
    }

    fn matches(&self, _bound: &Vec<u32>, _new: &Vec<u32>) -> Result<()> {
        Ok(())
    }

    fn value(&self, left: &Vec<u32>, i: usize, right: &Vec<u32>, j: usize) -> f64 {
        self.matrix[(left[i] as usize, right[j] as usize)]
    }
}
