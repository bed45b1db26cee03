//! Weisfeiler–Lehman subtree features.
//!
//! Every vertex starts with its label as colour, `c₀(v) = label(v)`, and is recoloured `h` times:
//!
//! `cᵢ(v) = code( cᵢ₋₁(v), { cᵢ₋₁(u) : u ~ v } )`
//!
//! where the braces are a multiset, of pairs `(label of the edge, cᵢ₋₁(u))` when edges take part. The feature of a colour is
//! the number of vertices that have it, and `k(G, G') = Σᵢ Σ_c count_c(G) · count_c(G')` over levels `i = 0, …, h`. A colour of
//! level `i` stands for a rooted tree of walks of length `i`, so two vertices share it exactly when these trees are equal.
//!
//! Learning costs `O(h·m)` apart from sorting the neighbours of each vertex, for `m` edges in all graphs together.
//!
//! Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt: Weisfeiler-Lehman graph kernels, JMLR 12, 2011.

use super::count::{Row, runs};
use super::interner::Interner;
use crate::data::Graph;

/// Colours by level, learned from a set of graphs.
///
/// The features of level 0 come first, then those of level 1 and so on, each level in the order of first sight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dictionary {
    edges: bool,
    /// Signatures of each level. Level 0 has the labels; a signature of a later level is the vertex's colour one level
    /// before, then those of its neighbours in ascending order, each after the label of its edge when edges take part.
    levels: Vec<Interner>,
    /// The first feature of each level, and one past the last of all.
    offsets: Vec<u32>,
}

impl Dictionary {
    /// Learns the colours of some graphs and returns them with the features of each graph.
    pub(super) fn learn(graphs: &[&Graph], iterations: usize, edges: bool) -> (Self, Vec<Row>) {
        let total: usize = graphs.iter().map(|graph| graph.len()).sum();
        let mut levels = vec![Interner::default(); iterations + 1];
        let mut colours: Vec<Vec<u32>> = Vec::with_capacity(iterations + 1);
        let labels = graphs.iter().flat_map(|graph| graph.labels());
        colours.push(labels.map(|&label| levels[0].intern(&[label])).collect());
        let mut writer = Writer::new(edges);
        for level in 1..=iterations {
            let mut next = Vec::with_capacity(total);
            let mut rest = colours[level - 1].as_slice();
            for graph in graphs {
                let (own, later) = rest.split_at(graph.len());
                next.extend((0..graph.len()).map(|vertex| {
                    let signature = writer.signature(graph, own, vertex);
                    levels[level].intern(signature)
                }));
                rest = later;
            }
            colours.push(next);
        }
        let dictionary = Self::from_levels(edges, levels);
        let rows = dictionary.rows(graphs, &mut colours);
        (dictionary, rows)
    }

    /// Restores a dictionary from the signatures of its levels, as [`Dictionary::levels`] gave them.
    fn from_levels(edges: bool, levels: Vec<Interner>) -> Self {
        let mut offsets = vec![0];
        let mut end = 0;
        for level in &levels {
            end += level.len() as u32;
            offsets.push(end);
        }
        Self {
            edges,
            levels,
            offsets,
        }
    }

    /// Returns the number of features.
    pub(super) fn len(&self) -> usize {
        self.offsets.last().map_or(0, |&end| end as usize)
    }

    /// Returns the features of graphs, and for each the sum of squared counts of its colours that the dictionary does not know.
    ///
    /// Such colours are no part of the rows, as no learned graph has them; they count in `k(G, G)`.
    pub(super) fn apply(&self, graphs: &[&Graph]) -> (Vec<Row>, Vec<f64>) {
        let mut painter = Painter::new(self);
        let mut codes = Vec::new();
        let mut split = |graph: &&Graph| {
            painter.paint(graph);
            let mut row = Vec::new();
            let mut own = 0.0;
            for (level, colours) in painter.colours.iter().enumerate() {
                codes.clear();
                codes.extend_from_slice(colours);
                for (colour, count) in runs(&mut codes) {
                    let count = count as f64;
                    match self.feature(level, colour) {
                        Some(feature) => row.push((feature, count)),
                        None => own += count * count,
                    }
                }
            }
            (row, own)
        };
        graphs.iter().map(&mut split).unzip()
    }

    fn feature(&self, level: usize, colour: u32) -> Option<u32> {
        ((colour as usize) < self.levels[level].len()).then(|| self.offsets[level] + colour)
    }

    /// Counts colours that lie graph after graph; sorts them in place.
    fn rows(&self, graphs: &[&Graph], colours: &mut [Vec<u32>]) -> Vec<Row> {
        let mut start = 0;
        let mut row = |graph: &&Graph| {
            let end = start + graph.len();
            let mut row = Vec::with_capacity(colours.len() * graph.len());
            for (colours, &offset) in colours.iter_mut().zip(&self.offsets) {
                let counts = runs(&mut colours[start..end]);
                row.extend(counts.map(|(colour, count)| (offset + colour, count as f64)));
            }
            start = end;
            row.shrink_to_fit();
            row
        };
        graphs.iter().map(&mut row).collect()
    }
}

/// Writes signatures into one buffer.
struct Writer {
    edges: bool,
    pairs: Vec<u64>,
    signature: Vec<u32>,
}

impl Writer {
    fn new(edges: bool) -> Self {
        Self {
            edges,
            pairs: Vec::new(),
            signature: Vec::new(),
        }
    }

    fn signature(&mut self, graph: &Graph, colours: &[u32], vertex: usize) -> &[u32] {
        let neighbours = graph.neighbours(vertex);
        self.signature.clear();
        self.signature.push(colours[vertex]);
        if self.edges {
            self.pairs.clear();
            let pairs = neighbours
                .iter()
                .map(|n| u64::from(n.label) << 32 | u64::from(colours[n.vertex as usize]));
            self.pairs.extend(pairs);
            self.pairs.sort_unstable();
            for pair in &self.pairs {
                self.signature.extend([(pair >> 32) as u32, *pair as u32]);
            }
        } else {
            let around = neighbours.iter().map(|n| colours[n.vertex as usize]);
            self.signature.extend(around);
            self.signature[1..].sort_unstable();
        }
        &self.signature
    }
}

/// Colours one graph at a time by a dictionary; colours that it does not know get numbers after its own.
struct Painter<'a> {
    dictionary: &'a Dictionary,
    /// Unknown signatures of the graph at hand, by level.
    fresh: Vec<Interner>,
    colours: Vec<Vec<u32>>,
    writer: Writer,
}

impl<'a> Painter<'a> {
    fn new(dictionary: &'a Dictionary) -> Self {
        let count = dictionary.levels.len();
        Self {
            dictionary,
            fresh: vec![Interner::default(); count],
            colours: vec![Vec::new(); count],
            writer: Writer::new(dictionary.edges),
        }
    }

    fn paint(&mut self, graph: &Graph) {
        for level in 0..self.colours.len() {
            let known = &self.dictionary.levels[level];
            let fresh = &mut self.fresh[level];
            fresh.clear();
            let mut code = |signature: &[u32]| {
                let known_code = known.find(signature);
                known_code.unwrap_or_else(|| known.len() as u32 + fresh.intern(signature))
            };
            let (before, rest) = self.colours.split_at_mut(level);
            let colours = &mut rest[0];
            colours.clear();
            if let Some(previous) = before.last() {
                let writer = &mut self.writer;
                let next =
                    (0..graph.len()).map(|vertex| code(writer.signature(graph, previous, vertex)));
                colours.extend(next);
            } else {
                colours.extend(graph.labels().iter().map(|&label| code(&[label])));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_kernel, build, graphs, is_proper, product, reversed};
    use super::*;
    use proptest::prelude::*;

    /// The tree of walks from a vertex, written out as text with sorted branches.
    fn tree(graph: &Graph, vertex: usize, depth: usize, edges: bool) -> String {
        let mut text = graph.labels()[vertex].to_string();
        if depth > 0 {
            let branch = |n: &crate::data::Neighbour| {
                let label = if edges { n.label } else { 0 };
                let below = tree(graph, n.vertex as usize, depth - 1, edges);
                format!("{label}:{below}")
            };
            let mut branches: Vec<String> = graph.neighbours(vertex).iter().map(branch).collect();
            branches.sort();
            text = format!("{text}({})", branches.join(","));
        }
        text
    }

    fn by_trees(left: &Graph, right: &Graph, iterations: usize, edges: bool) -> f64 {
        let mut shared = 0;
        for depth in 0..=iterations {
            let trees = |graph: &Graph| -> Vec<String> {
                let all = 0..graph.len();
                all.map(|vertex| tree(graph, vertex, depth, edges))
                    .collect()
            };
            let (left, right) = (trees(left), trees(right));
            let equal = |a: &String| right.iter().filter(|b| a == *b).count();
            shared += left.iter().map(equal).sum::<usize>();
        }
        shared as f64
    }

    #[test]
    fn no_graph_and_no_vertex_have_no_feature() {
        let (dictionary, rows) = Dictionary::learn(&[], 2, true);
        assert!(dictionary.len() == 0 && rows.is_empty());
        let nothing = build(&[], &[]);
        let (dictionary, rows) = Dictionary::learn(&[&nothing], 2, true);
        assert_eq!(dictionary.len(), 0);
        assert_eq!(rows, [Vec::new()]);
    }

    #[test]
    fn an_isolated_vertex_has_one_feature_per_level() {
        let one = build(&[5], &[]);
        let (_, rows) = Dictionary::learn(&[&one], 3, false);
        assert_eq!(rows[0], [(0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)]);
    }

    #[test]
    fn an_unseen_label_is_unknown_at_every_level() {
        let known = build(&[1, 1], &[(0, 1, 0)]);
        let other = build(&[7, 7, 1], &[(0, 1, 0)]);
        let (dictionary, _) = Dictionary::learn(&[&known], 1, false);
        let (rows, own) = dictionary.apply(&[&other]);
        // Known: label 1. Unknown: label 7 twice, its colour at level 1 twice, and the lone vertex at level 1.
        assert_eq!(rows[0], [(0, 1.0)]);
        assert_eq!(own[0], 4.0 + 4.0 + 1.0);
    }

    proptest! {
        #![proptest_config(crate::properties::cases(1000))]

        #[test]
        fn values_are_shared_trees(
            set in prop::collection::vec(graphs(), 1..4), iterations in 0_usize..4, edges: bool,
        ) {
            let list: Vec<&Graph> = set.iter().collect();
            let (dictionary, rows) = Dictionary::learn(&list, iterations, edges);
            for (i, left) in set.iter().enumerate() {
                prop_assert!(is_proper(&rows[i]));
                for (j, right) in set.iter().enumerate() {
                    prop_assert_eq!(product(&rows[i], &rows[j]), by_trees(left, right, iterations, edges));
                }
            }
            let (again, own) = dictionary.apply(&list);
            prop_assert_eq!(&again, &rows);
            prop_assert!(own.iter().all(|&own| own == 0.0));
        }

        #[test]
        fn new_graphs_have_the_values_they_would_have_had(
            old in prop::collection::vec(graphs(), 0..4), new in graphs(), iterations in 0_usize..4, edges: bool,
        ) {
            let list: Vec<&Graph> = old.iter().collect();
            let (dictionary, known) = Dictionary::learn(&list, iterations, edges);
            let (rows, own) = dictionary.apply(&[&new]);
            prop_assert!(is_proper(&rows[0]));
            for (graph, row) in old.iter().zip(&known) {
                prop_assert_eq!(product(row, &rows[0]), by_trees(graph, &new, iterations, edges));
            }
            let own_value = product(&rows[0], &rows[0]) + own[0];
            prop_assert_eq!(own_value, by_trees(&new, &new, iterations, edges));
        }

        #[test]
        fn the_order_of_vertices_does_not_matter(graph in graphs(), edges: bool) {
            let turned = reversed(&graph);
            let (_, rows) = Dictionary::learn(&[&graph, &turned], 3, edges);
            prop_assert_eq!(&rows[0], &rows[1]);
        }

        #[test]
        fn it_is_a_kernel(set in prop::collection::vec(graphs(), 1..8)) {
            let list: Vec<&Graph> = set.iter().collect();
            let (_, rows) = Dictionary::learn(&list, 2, true);
            assert_kernel(set.len(), |i, j| product(&rows[i], &rows[j]));
        }
    }
}
