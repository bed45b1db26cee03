//! Functions of the Laplacian, `f(L) = Σ f(λ) v vᵀ`, component by component.
//!
//! The Laplacian of a network is the direct sum of those of its components, and so is every
//! function of it: values between components are exactly zero, and the cost is `O(Σ n³)` over
//! components.

use std::collections::BTreeMap;

use mercer_linalg::{Matrix, Op, Par, SymmetricEigen, gemm};

use crate::data::Network;
use crate::{Error, Result};

/// Nodes of the largest network: its matrix and eigenvectors take 6 GB.
const MOST_MEMBERS: usize = 16_384;

/// Returns `f(L)` for `f ≥ 0`, symmetric bit for bit; `f` is told whether the eigenvalue is the
/// one zero of its component, which rounding may put on either side of 0.
pub(super) fn function(network: &Network, f: impl Fn(f64, bool) -> f64) -> Result<Matrix<f64>> {
    if network.len() > MOST_MEMBERS {
        return Err(Error::rows(
            format!(
                "the network has {} nodes; its kernel matrix is computed for up to {MOST_MEMBERS}",
                network.len()
            ),
            "leave out nodes that are far from all rows, or use `neighbourhood`",
        ));
    }
    let mut all = Matrix::zeros(network.len(), network.len());
    for members in components(network) {
        let eigen = SymmetricEigen::new(of(network, &members).as_ref()).map_err(|error| {
            Error::rows(
                format!("the eigenvalues of the network cannot be computed: {error}"),
                "scale the weights of edges so that they are near 1",
            )
        })?;
        let mut half = eigen.vectors;
        for (position, &value) in eigen.values.iter().enumerate() {
            let factor = f(value.max(0.0), position == 0).sqrt();
            for row in 0..members.len() {
                half[(row, position)] *= factor;
            }
        }
        // A product with its own transpose is positive semidefinite up to rounding.
        let mut block = Matrix::zeros(members.len(), members.len());
        let (left, right) = (half.as_ref(), half.as_ref());
        let par = Par::Sequential;
        gemm(
            1.0,
            left,
            Op::None,
            right,
            Op::Transpose,
            0.0,
            block.as_mut(),
            par,
        );
        for (i, &row) in members.iter().enumerate() {
            for (j, &column) in members.iter().enumerate() {
                all[(row, column)] = block[(i.max(j), i.min(j))];
            }
        }
    }
    Ok(all)
}

/// The Laplacian of some nodes: weighted degrees on the diagonal, minus the weights of edges beside
/// it.
fn of(network: &Network, members: &[usize]) -> Matrix<f64> {
    let mut place = vec![usize::MAX; network.len()];
    for (position, &member) in members.iter().enumerate() {
        place[member] = position;
    }
    let mut laplacian = Matrix::zeros(members.len(), members.len());
    for tie in network.ties() {
        let (i, j) = (place[tie.from as usize], place[tie.to as usize]);
        // A tie never leads out of a component.
        if i != usize::MAX {
            laplacian[(i, j)] -= tie.weight;
            laplacian[(j, i)] -= tie.weight;
            laplacian[(i, i)] += tie.weight;
            laplacian[(j, j)] += tie.weight;
        }
    }
    laplacian
}

/// The nodes of every component, in ascending order.
fn components(network: &Network) -> Vec<Vec<usize>> {
    fn root(parent: &mut [usize], mut member: usize) -> usize {
        while parent[member] != member {
            parent[member] = parent[parent[member]];
            member = parent[member];
        }
        member
    }
    let mut parent: Vec<usize> = (0..network.len()).collect();
    for tie in network.ties() {
        let ends = [tie.from, tie.to].map(|end| root(&mut parent, end as usize));
        parent[ends[0].max(ends[1])] = ends[0].min(ends[1]);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for member in 0..network.len() {
        groups
            .entry(root(&mut parent, member))
            .or_default()
            .push(member);
    }
    groups.into_values().collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::Tie;

    /// A triangle with a tail, a pair, and a loner.
    pub(in crate::kernel::node) fn small() -> Network {
        let names = (0..7).map(|i| format!("m{i}")).collect();
        let ties = [
            (0, 1, 1.0),
            (1, 2, 2.0),
            (0, 2, 1.0),
            (2, 3, 0.5),
            (4, 5, 1.0),
        ];
        let ties = ties.map(|(from, to, weight)| Tie { from, to, weight });
        Network::try_new(names, &ties).expect("a network")
    }

    #[test]
    fn components_are_found() {
        assert_eq!(
            components(&small()),
            [vec![0, 1, 2, 3], vec![4, 5], vec![6]]
        );
    }

    #[test]
    fn the_identity_gives_the_laplacian_back() {
        let network = small();
        let all: Vec<usize> = (0..7).collect();
        let (found, direct) = (
            function(&network, |v, _| v).expect("eigenvalues"),
            of(&network, &all),
        );
        for (a, b) in found.as_slice().iter().zip(direct.as_slice()) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }
}
