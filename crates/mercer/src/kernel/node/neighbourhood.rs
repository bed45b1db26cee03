//! The neighbourhood kernel: what the neighbourhoods of two nodes share.
//!
//! The neighbourhood of a node is the node, all it has edges with, and the edges among these. Two
//! nodes are as alike as their neighbourhoods overlap: shared nodes, shared edges and shared
//! triangles count 1 each. Every one of them is a feature, so the kernel is a dot product.

use std::collections::HashMap;

use super::members::column;
use crate::Result;
use crate::data::{Network, Records};
use crate::kernel::counted::{self, Counting, Counts, Found, Known};
use crate::kernel::{Definiteness, Family, Input};

/// The family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "neighbourhood",
    summary: "nodes, edges and triangles that the neighbourhoods of two nodes share",
    formula: "shared nodes + shared edges + shared triangles",
    parameters: &[],
    parameter_kind: "parameter of `neighbourhood`",
    input: Input::Nodes,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| column("neighbourhood", records).map(|_| ()),
    bind: |_, records| {
        let column = column("neighbourhood", records)?;
        let circles = Circles::of(&column.network);
        let known = Known {
            counts: circles.counts(&column.nodes),
            weights: vec![1.0; circles.features],
        };
        Ok(counted::bind(circles, &known, 0.0))
    },
};

/// The features of every node's neighbourhood.
struct Circles {
    of_member: Vec<Vec<u32>>,
    /// Nodes, edges and triangles in all.
    features: usize,
}

impl Circles {
    fn of(network: &Network) -> Self {
        let n = network.len();
        let mut friends: Vec<Vec<u32>> = (0..n as u32).map(|member| vec![member]).collect();
        for tie in network.ties() {
            friends[tie.from as usize].push(tie.to);
            friends[tie.to as usize].push(tie.from);
        }
        for circle in &mut friends {
            circle.sort_unstable();
        }
        let tied = |a: u32, b: u32| friends[a as usize].binary_search(&b).is_ok();
        // Nodes are features 0 to n − 1; edges and triangles follow as they are met.
        let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
        let mut number = |parts: [u32; 3]| {
            let next = (n + numbers.len()) as u32;
            *numbers.entry(parts).or_insert(next)
        };
        let circle = |circle: &Vec<u32>| {
            let mut features = circle.clone();
            for (i, &a) in circle.iter().enumerate() {
                for (j, &b) in circle.iter().enumerate().skip(i + 1) {
                    if !tied(a, b) {
                        continue;
                    }
                    features.push(number([a, b, b]));
                    let third = circle[j + 1..]
                        .iter()
                        .filter(|&&c| tied(a, c) && tied(b, c));
                    features.extend(third.map(|&c| number([a, b, c])));
                }
            }
            features.sort_unstable();
            features
        };
        let of_member = friends.iter().map(circle).collect();
        Self {
            of_member,
            features: n + numbers.len(),
        }
    }

    fn counts(&self, nodes: &[u32]) -> Counts {
        let circle = |&node: &u32| self.of_member[node as usize].iter();
        let row = |node: &u32| circle(node).map(|&f| (f, 1.0)).collect();
        Counts {
            rows: nodes.iter().map(row).collect(),
            own: Vec::new(),
        }
    }
}

impl Counting for Circles {
    fn count(&self, records: &Records) -> Result<Found> {
        let column = column("neighbourhood", records)?;
        Ok(Found {
            counts: self.counts(&column.nodes),
            bound: None,
        })
    }
}
