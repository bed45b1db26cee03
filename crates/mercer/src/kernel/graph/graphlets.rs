//! Graphlet features: how often each small connected graph is an induced subgraph.
//!
//! With three vertices these are the path and the triangle, with four the path, star, cycle, paw (a triangle with a tail),
//! diamond (two triangles on one edge) and the complete graph. Labels and loops do not count.
//!
//! No subsets are enumerated. Subgraphs that need not be induced follow from degrees `d`, triangles `t` on an edge or at a
//! vertex, and common neighbours `c`:
//!
//! - triangles `T = Σ_edges t / 3`, wedges `Σ_v C(d, 2)`;
//! - stars `Σ_v C(d, 3)`, paths of four `Σ_uv (d_u − 1)(d_v − 1) − 3T`, paws `Σ_v t_v (d_v − 2)`;
//! - diamonds `Σ_edges C(t, 2)`, four-cycles `½ Σ_{u<v} C(c_uv, 2)`, complete graphs by extending triangles.
//!
//! Each of them occurs a known number of times in the denser ones, which are taken off from the densest down. Time
//! `O(Σ_v d_v² + work on triangles)`.
//!
//! Shervashidze, Vishwanathan, Petri, Mehlhorn, Borgwardt: Efficient graphlet kernels for large graph comparison, AISTATS 2009.

use super::count::Row;
use crate::data::Graph;

/// How many vertices a graphlet has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Size {
    /// Three vertices: 2 graphlets.
    Three,
    /// Four vertices: 6 graphlets.
    Four,
}

impl Size {
    /// Returns the names of the graphlets by feature.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            Self::Three => &["path", "triangle"],
            Self::Four => &["path", "star", "cycle", "paw", "diamond", "complete"],
        }
    }
}

/// Returns the features of one graph; graphlets that do not occur are left out.
pub(super) fn features(graph: &Graph, size: Size) -> Row {
    let simple = Simple::new(graph);
    let counts = match size {
        Size::Three => simple.three().to_vec(),
        Size::Four => simple.four().to_vec(),
    };
    let present = counts.iter().enumerate().filter(|entry| *entry.1 > 0);
    present
        .map(|(feature, &count)| (feature as u32, count as f64))
        .collect()
}

/// Returns the features of graphs.
pub(super) fn rows(graphs: &[&Graph], size: Size) -> Vec<Row> {
    graphs.iter().map(|graph| features(graph, size)).collect()
}

/// Neighbours without labels and loops, in ascending order.
struct Simple {
    starts: Vec<usize>,
    neighbours: Vec<u32>,
}

impl Simple {
    fn new(graph: &Graph) -> Self {
        let mut starts = vec![0];
        let mut neighbours = Vec::new();
        for vertex in 0..graph.len() {
            let around = graph.neighbours(vertex).iter().map(|n| n.vertex);
            neighbours.extend(around.filter(|&other| other as usize != vertex));
            starts.push(neighbours.len());
        }
        Self { starts, neighbours }
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn around(&self, vertex: usize) -> &[u32] {
        &self.neighbours[self.starts[vertex]..self.starts[vertex + 1]]
    }

    fn degree(&self, vertex: usize) -> u64 {
        self.around(vertex).len() as u64
    }

    /// Induced paths and triangles.
    fn three(&self) -> [u64; 2] {
        let wedges: u64 = (0..self.len()).map(|v| choose_two(self.degree(v))).sum();
        let mut shared = Vec::new();
        let mut corners = 0;
        self.for_each_edge(|u, v| {
            common(self.around(u), self.around(v), &mut shared);
            corners += shared.len() as u64;
        });
        [wedges - corners, corners / 3]
    }

    /// Induced paths, stars, cycles, paws, diamonds and complete graphs.
    fn four(&self) -> [u64; 6] {
        let mut all = Counts::default();
        let mut at_vertex = vec![0_u64; self.len()];
        let (mut shared, mut last) = (Vec::new(), Vec::new());
        self.for_each_edge(|u, v| {
            common(self.around(u), self.around(v), &mut shared);
            let triangles = shared.len() as u64;
            all.paths += (self.degree(u) - 1) * (self.degree(v) - 1) - triangles;
            all.diamonds += choose_two(triangles);
            for &w in &shared {
                at_vertex[w as usize] += 1;
            }
            // Every complete graph once, by its two smallest vertices u < v and then w < x.
            let later = &shared[shared.partition_point(|&w| w as usize <= v)..];
            for (position, &w) in later.iter().enumerate() {
                common(&later[position + 1..], self.around(w as usize), &mut last);
                all.complete += last.len() as u64;
            }
        });
        for (v, &triangles) in at_vertex.iter().enumerate() {
            let degree = self.degree(v);
            all.stars += degree * degree.saturating_sub(1) * degree.saturating_sub(2) / 6;
            all.paws += triangles * degree.saturating_sub(2);
        }
        all.cycles = self.cycles();
        all.induced()
    }

    /// Four-cycles, each found from both of its diagonals.
    fn cycles(&self) -> u64 {
        let mut ways = vec![0_u64; self.len()];
        let mut ends: Vec<u32> = Vec::new();
        let mut twice = 0;
        for u in 0..self.len() {
            for &w in self.around(u) {
                let around = self.around(w as usize);
                for &v in &around[..around.partition_point(|&v| (v as usize) < u)] {
                    if ways[v as usize] == 0 {
                        ends.push(v);
                    }
                    ways[v as usize] += 1;
                }
            }
            for v in ends.drain(..) {
                twice += choose_two(ways[v as usize]);
                ways[v as usize] = 0;
            }
        }
        twice / 2
    }

    fn for_each_edge(&self, mut visit: impl FnMut(usize, usize)) {
        for u in 0..self.len() {
            let around = self.around(u);
            for &v in &around[around.partition_point(|&v| v as usize <= u)..] {
                visit(u, v as usize);
            }
        }
    }
}

/// Subgraphs with four vertices that need not be induced.
#[derive(Default)]
struct Counts {
    paths: u64,
    stars: u64,
    cycles: u64,
    paws: u64,
    diamonds: u64,
    complete: u64,
}

impl Counts {
    /// The factors say how often the sparser graph lies in the denser one.
    fn induced(&self) -> [u64; 6] {
        let complete = self.complete;
        let diamonds = self.diamonds - 6 * complete;
        let paws = self.paws - 4 * diamonds - 12 * complete;
        let cycles = self.cycles - diamonds - 3 * complete;
        let stars = self.stars - paws - 2 * diamonds - 4 * complete;
        let paths = self.paths - 4 * cycles - 2 * paws - 6 * diamonds - 12 * complete;
        [paths, stars, cycles, paws, diamonds, complete]
    }
}

fn choose_two(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

/// Replaces `shared` by the members of both ascending lists.
fn common(left: &[u32], right: &[u32], shared: &mut Vec<u32>) {
    shared.clear();
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        match left[i].cmp(&right[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                shared.push(left[i]);
                i += 1;
                j += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_kernel, build, dense_graphs, graphs, product};
    use super::*;
    use proptest::prelude::*;

    /// Degrees within a subset, ascending: they tell all graphs with four vertices apart.
    fn degrees(graph: &Graph, subset: &[usize]) -> Vec<usize> {
        let degree = |&v: &usize| {
            let inside = |u: &&usize| {
                **u != v && graph.neighbours(v).iter().any(|n| n.vertex as usize == **u)
            };
            subset.iter().filter(inside).count()
        };
        let mut all: Vec<usize> = subset.iter().map(degree).collect();
        all.sort_unstable();
        all
    }

    fn by_subsets(graph: &Graph, size: Size) -> Vec<f64> {
        let known: &[&[usize]] = match size {
            Size::Three => &[&[1, 1, 2], &[2, 2, 2]],
            Size::Four => &[
                &[1, 1, 2, 2],
                &[1, 1, 1, 3],
                &[2, 2, 2, 2],
                &[1, 2, 2, 3],
                &[2, 2, 3, 3],
                &[3, 3, 3, 3],
            ],
        };
        let vertices = known[0].len();
        let mut counts = vec![0.0; known.len()];
        for mask in 0..1_usize << graph.len() {
            if mask.count_ones() as usize == vertices {
                let members: Vec<usize> = (0..graph.len()).filter(|v| mask >> v & 1 == 1).collect();
                let degrees = degrees(graph, &members);
                if let Some(kind) = known.iter().position(|kind| **kind == degrees[..]) {
                    counts[kind] += 1.0;
                }
            }
        }
        counts
    }

    fn full(row: &Row, size: Size) -> Vec<f64> {
        let mut counts = vec![0.0; size.names().len()];
        for &(feature, count) in row {
            counts[feature as usize] = count;
        }
        counts
    }

    #[test]
    fn the_complete_graph_has_nothing_else() {
        let edges: Vec<(u32, u32, u32)> = (0..6)
            .flat_map(|v| (0..v).map(move |u| (u, v, 0)))
            .collect();
        let graph = build(&[0; 6], &edges);
        assert_eq!(features(&graph, Size::Three), [(1, 20.0)]);
        assert_eq!(features(&graph, Size::Four), [(5, 15.0)]);
    }

    proptest! {
        #![proptest_config(crate::properties::cases(3000))]

        #[test]
        fn counts_are_those_of_all_subsets(graph in prop_oneof![graphs(), dense_graphs()]) {
            for size in [Size::Three, Size::Four] {
                prop_assert_eq!(full(&features(&graph, size), size), by_subsets(&graph, size));
            }
        }
    }

    proptest! {
        #[test]
        fn it_is_a_kernel(set in prop::collection::vec(dense_graphs(), 1..8)) {
            let rows = rows(&set.iter().collect::<Vec<_>>(), Size::Four);
            assert_kernel(set.len(), |i, j| product(&rows[i], &rows[j]));
        }
    }
}
