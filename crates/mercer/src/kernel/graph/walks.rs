//! The geometric random-walk kernel.
//!
//! `k(G, G') = Σ_{s ≥ 0} decayˢ · 1ᵀ Wˢ 1 = 1ᵀ (I − decay·W)⁻¹ 1`
//!
//! `W` is the adjacency matrix of the direct product: its vertices are the pairs `(i, i')` with equal labels, and it joins
//! `(i, i')` with `(j, j')` when `i ~ j` and `i' ~ j'` by edges with equal labels. So `k` counts the pairs of walks that read the
//! same labels, a walk of `s` edges with weight `decayˢ`. The sum is finite when `decay · ρ(G) · ρ(G') < 1`, with `ρ` the largest
//! eigenvalue of the adjacency; `I − decay·W` is then symmetric and positive definite.
//!
//! The system is solved by conjugate gradients without forming `W`: for a matrix `X` of values on the pairs, `W X` is
//! `Σ_l A_l X A'_l` over edge labels `l`, computed row by row on compatible pairs only. One step costs
//! `O(n'·m + n·m')` at most. As the right-hand side is `1` itself, `1ᵀx` is the sum of the positive terms `αₖ‖rₖ‖²` of the
//! iteration (Hestenes and Stiefel 1952, equation 6:2), and what is missing after a step is `rᵀ(I − decay·W)⁻¹r`, at most
//! `‖r‖² / (1 − decay·ρρ')`: this bound stops the iteration.
//!
//! Gärtner, Flach, Wrobel: On graph kernels, COLT 2003. Vishwanathan, Schraudolph, Kondor, Borgwardt: Graph kernels, JMLR 11, 2010.

use super::radius::radius;
use crate::data::Graph;

/// Relative error of a value at which the iteration stops.
const TOLERANCE: f64 = 1e-14;

/// More steps than exact arithmetic needs at a condition number of 10⁸; the value is then a lower bound.
const STEPS: usize = 100_000;

/// Which labels must agree along two walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Options {
    /// Labels of vertices must agree.
    pub(super) vertices: bool,
    /// Labels of edges must agree.
    pub(super) edges: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            vertices: true,
            edges: true,
        }
    }
}

/// The decay is so large that the walks of two graphs have no finite sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Divergent {
    /// The decay that was asked for.
    pub(super) decay: f64,
    /// The decay must be under this.
    pub(super) limit: f64,
}

/// Returns the kernel of two graphs.
///
/// # Errors
/// A decay that is negative, not a number or not below one over the product of the [`radius`] of both graphs.
#[cfg(test)]
pub(super) fn value(a: &Graph, b: &Graph, decay: f64, options: Options) -> Result<f64, Divergent> {
    Walks::new(a, options).value(&Walks::new(b, options), decay)
}

/// A graph made ready for the kernel with many others.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Walks {
    shape: Shape,
    radius: f64,
}

/// What the value depends on. Vertices are sorted by label.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    /// Labels by vertex, ascending.
    labels: Vec<u32>,
    starts: Vec<u32>,
    /// `(other end, label)` by vertex.
    arcs: Vec<(u32, u32)>,
    /// Distinct labels of edges, ascending.
    edge_labels: Vec<u32>,
}

impl Walks {
    /// Prepares a graph.
    pub(super) fn new(graph: &Graph, options: Options) -> Self {
        let label = |vertex: u32| {
            let label = graph.labels()[vertex as usize];
            if options.vertices { label } else { 0 }
        };
        let mut order: Vec<u32> = (0..graph.len() as u32).collect();
        order.sort_by_key(|&vertex| label(vertex));
        let mut place = vec![0; order.len()];
        for (position, &vertex) in order.iter().enumerate() {
            place[vertex as usize] = position as u32;
        }
        let mut starts = vec![0];
        let mut arcs = Vec::new();
        for &vertex in &order {
            let arc = |n: &crate::data::Neighbour| {
                let label = if options.edges { n.label } else { 0 };
                (place[n.vertex as usize], label)
            };
            let first = arcs.len();
            arcs.extend(graph.neighbours(vertex as usize).iter().map(arc));
            arcs[first..].sort_unstable();
            starts.push(arcs.len() as u32);
        }
        let mut edge_labels: Vec<u32> = arcs.iter().map(|arc| arc.1).collect();
        edge_labels.sort_unstable();
        edge_labels.dedup();
        let shape = Shape {
            labels: order.into_iter().map(label).collect(),
            starts,
            arcs,
            edge_labels,
        };
        let radius = radius(graph);
        Self { shape, radius }
    }

    /// Returns the bound for the spectral radius; see [`radius`].
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the kernel with another graph; the same bits in both orders.
    ///
    /// # Errors
    /// A decay that is negative, not a number or not below one over the product of the two radii.
    pub(super) fn value(&self, other: &Self, decay: f64) -> Result<f64, Divergent> {
        let radii = self.radius * other.radius;
        let gap = 1.0 - decay * radii;
        if !(decay >= 0.0 && decay.is_finite() && gap > 0.0) {
            let limit = 1.0 / radii;
            return Err(Divergent { decay, limit });
        }
        let (first, second) = if self.shape <= other.shape {
            (&self.shape, &other.shape)
        } else {
            (&other.shape, &self.shape)
        };
        Ok(Product::new(first, second).solve(decay, gap))
    }
}

impl Shape {
    fn len(&self) -> usize {
        self.labels.len()
    }

    fn arcs(&self, vertex: usize) -> &[(u32, u32)] {
        &self.arcs[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// The compatible pairs of two graphs, as rows of a matrix: one row per vertex of the first graph, over the vertices of the
/// second with the same label, which are neighbours in memory.
struct Product {
    rows: Vec<Row>,
    /// Additions that gather the rows of the neighbours, by row.
    gathers: Vec<Gather>,
    /// Cells of the scratch row that an entry sums, by column.
    cells: Vec<u32>,
    cell_starts: Vec<u32>,
    /// Number of pairs.
    pairs: usize,
    /// Length of the scratch row: columns times shared edge labels.
    scratch: usize,
}

struct Row {
    /// The first pair of the row.
    start: usize,
    /// The first column.
    column: usize,
    width: usize,
    gathers: (usize, usize),
}

/// Adds the pairs from `source` on to the scratch row from `target` on.
struct Gather {
    source: usize,
    target: usize,
    width: usize,
}

impl Product {
    fn new(first: &Shape, second: &Shape) -> Self {
        let shared: Vec<u32> = {
            let known = |label: &&u32| second.edge_labels.binary_search(label).is_ok();
            first.edge_labels.iter().filter(known).copied().collect()
        };
        let layer = |label: u32| shared.binary_search(&label).ok();
        let columns = second.len();
        let mut rows: Vec<Row> = Vec::with_capacity(first.len());
        let mut pairs = 0;
        for &label in &first.labels {
            let column = second.labels.partition_point(|&other| other < label);
            let width = second.labels[column..].partition_point(|&other| other == label);
            rows.push(Row {
                start: pairs,
                column,
                width,
                gathers: (0, 0),
            });
            pairs += width;
        }
        let mut gathers = Vec::new();
        for vertex in 0..first.len() {
            let start = gathers.len();
            if rows[vertex].width > 0 {
                for &(other, label) in first.arcs(vertex) {
                    let row = &rows[other as usize];
                    let layer = layer(label).filter(|_| row.width > 0);
                    gathers.extend(layer.map(|layer| Gather {
                        source: row.start,
                        target: layer * columns + row.column,
                        width: row.width,
                    }));
                }
            }
            rows[vertex].gathers = (start, gathers.len());
        }
        let mut cells = Vec::with_capacity(second.arcs.len());
        let mut cell_starts = vec![0];
        for vertex in 0..columns {
            let known = second
                .arcs(vertex)
                .iter()
                .filter_map(|&(other, label)| Some(layer(label)? as u32 * columns as u32 + other));
            cells.extend(known);
            cell_starts.push(cells.len() as u32);
        }
        Self {
            rows,
            gathers,
            cells,
            cell_starts,
            pairs,
            scratch: shared.len() * columns,
        }
    }

    /// Conjugate gradients for `(I − decay·W) x = 1`; returns `1ᵀx`.
    fn solve(&self, decay: f64, gap: f64) -> f64 {
        let mut residual = vec![1.0; self.pairs];
        let mut direction = residual.clone();
        let mut image = vec![0.0; self.pairs];
        let mut scratch = vec![0.0; self.scratch];
        let mut squared = self.pairs as f64;
        let mut value = 0.0;
        for _ in 0..STEPS {
            if squared <= TOLERANCE * gap * value || squared == 0.0 {
                break;
            }
            self.multiply(&direction, &mut image, &mut scratch);
            let mut curvature = 0.0;
            for (image, direction) in image.iter_mut().zip(&direction) {
                *image = direction - decay * *image;
                curvature += direction * *image;
            }
            let step = squared / curvature;
            // Rounding has eaten a curvature that exact arithmetic keeps above gap·‖direction‖².
            if !(step.is_finite() && step > 0.0) {
                break;
            }
            value += step * squared;
            let mut next = 0.0;
            for (residual, image) in residual.iter_mut().zip(&image) {
                *residual -= step * image;
                next += *residual * *residual;
            }
            let share = next / squared;
            for (direction, residual) in direction.iter_mut().zip(&residual) {
                *direction = residual + share * *direction;
            }
            squared = next;
        }
        value
    }

    /// Writes `W x`.
    fn multiply(&self, x: &[f64], out: &mut [f64], scratch: &mut [f64]) {
        for row in &self.rows {
            let (first, last) = row.gathers;
            let out = &mut out[row.start..row.start + row.width];
            if first == last {
                out.fill(0.0);
                continue;
            }
            scratch.fill(0.0);
            for gather in &self.gathers[first..last] {
                let target = &mut scratch[gather.target..gather.target + gather.width];
                let source = &x[gather.source..gather.source + gather.width];
                for (target, source) in target.iter_mut().zip(source) {
                    *target += source;
                }
            }
            let ends = &self.cell_starts[row.column..=row.column + row.width];
            for (out, range) in out.iter_mut().zip(ends.windows(2)) {
                let cells = &self.cells[range[0] as usize..range[1] as usize];
                *out = cells.iter().map(|&cell| scratch[cell as usize]).sum();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_kernel, build, dense_graphs, graphs, reversed};
    use super::*;
    use mercer_linalg::{Cholesky, Matrix, Par};
    use proptest::prelude::*;

    /// The product graph written out, and a solve by Cholesky.
    fn dense(a: &Graph, b: &Graph, decay: f64, options: Options) -> f64 {
        let mut pairs = Vec::new();
        for i in 0..a.len() {
            let fits = |j: &usize| !options.vertices || a.labels()[i] == b.labels()[*j];
            pairs.extend((0..b.len()).filter(fits).map(|j| (i, j)));
        }
        let edge = |graph: &Graph, from: usize, to: usize| {
            let all = graph.neighbours(from);
            all.iter()
                .find(|n| n.vertex as usize == to)
                .map(|n| n.label)
        };
        let joined =
            |p: (usize, usize), q: (usize, usize)| match (edge(a, p.0, q.0), edge(b, p.1, q.1)) {
                (Some(left), Some(right)) => !options.edges || left == right,
                _ => false,
            };
        let n = pairs.len();
        let matrix = Matrix::from_fn(n, n, |p, q| {
            let weight = if joined(pairs[p], pairs[q]) {
                decay
            } else {
                0.0
            };
            f64::from(u8::from(p == q)) - weight
        });
        let mut solution = vec![1.0; n];
        let factor = Cholesky::factor(matrix, Par::Sequential).expect("below the limit");
        factor.solve_vector(&mut solution, Par::Sequential);
        solution.iter().sum()
    }

    fn options() -> impl Strategy<Value = Options> {
        (any::<bool>(), any::<bool>()).prop_map(|(vertices, edges)| Options { vertices, edges })
    }

    /// A decay at a share of the largest possible one.
    fn decay(graphs: &[Graph], share: f64) -> f64 {
        let largest = graphs.iter().map(radius).fold(0.1, f64::max);
        share / (largest * largest)
    }

    #[test]
    fn two_edges_have_a_geometric_series() {
        let edge = build(&[0, 0], &[(0, 1, 0)]);
        // Four pairs, each with one neighbour: 4 · Σ decayˢ.
        let found = value(&edge, &edge, 0.5, Options::default()).expect("radius 1");
        assert!((found - 8.0).abs() < 1e-13);
    }

    #[test]
    fn the_walks_are_summed_term_by_term() {
        let path = build(&[0, 1, 0], &[(0, 1, 0), (1, 2, 0)]);
        // Pairs: ends with ends (4) and the middle with itself (1); W joins the middle to the four others.
        // 1ᵀWˢ1 = 5, 8, 20, 32, 80, ...: each pair of steps multiplies by 4.
        let d: f64 = 0.1;
        let expected = (5.0 + 8.0 * d) / (1.0 - 4.0 * d * d);
        let found = value(&path, &path, d, Options::default()).expect("below 1/2");
        assert!(
            (found / expected - 1.0).abs() < 1e-14,
            "{found} and {expected}"
        );
    }

    #[test]
    fn too_large_a_decay_is_refused_with_the_limit() {
        let triangle = build(&[0; 3], &[(0, 1, 0), (1, 2, 0), (0, 2, 0)]);
        let refused =
            value(&triangle, &triangle, 0.25, Options::default()).expect_err("1/ρ² is 1/4");
        assert!((refused.limit - 0.25).abs() < 1e-9);
        for decay in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(value(&triangle, &triangle, decay, Options::default()).is_err());
        }
        assert!(value(&triangle, &triangle, 0.249, Options::default()).is_ok());
        let nothing = build(&[], &[]);
        assert_eq!(value(&nothing, &triangle, 9.0, Options::default()), Ok(0.0));
    }

    proptest! {
        #![proptest_config(crate::properties::cases(2000))]

        #[test]
        fn values_are_those_of_the_product_graph(
            a in prop_oneof![graphs(), dense_graphs()], b in prop_oneof![graphs(), dense_graphs()],
            share in 0.0..0.99_f64, options in options(),
        ) {
            let decay = decay(&[a.clone(), b.clone()], share);
            let found = value(&a, &b, decay, options).expect("below the limit");
            let expected = dense(&a, &b, decay, options);
            // Both solves are off by about ε times the condition number, at most 2/(1 − 0.99).
            prop_assert!((found - expected).abs() <= 1e-13 * expected, "{found} and {expected}");
            let turned = value(&b, &a, decay, options).expect("below the limit");
            prop_assert_eq!(found.to_bits(), turned.to_bits());
            let moved = value(&reversed(&a), &b, decay, options).expect("below the limit");
            prop_assert!((found - moved).abs() <= 1e-13 * expected);
        }
    }

    proptest! {
        #[test]
        fn it_is_a_kernel(set in prop::collection::vec(graphs(), 1..8), options in options()) {
            let decay = decay(&set, 0.9);
            let walks: Vec<Walks> = set.iter().map(|graph| Walks::new(graph, options)).collect();
            assert_kernel(set.len(), |i, j| walks[i].value(&walks[j], decay).expect("below the limit"));
        }
    }
}
