//! Shortest-path features.
//!
//! `k(G, G') = Σ over (u, v) in G, (u', v') in G' of [label u = label u'] · [label v = label v'] · [d(u, v) = d(u', v')]`
//!
//! over ordered pairs of distinct vertices that a path joins, with `d` the number of edges on a shortest path. The feature
//! `(a, b, d)` counts the pairs with these labels and this distance; without labels only the distance counts. As pairs are
//! ordered, every path between two vertices counts once from each end.
//!
//! A breadth-first search from every vertex: time `O(n·(n + m))` a graph, and memory for its distinct features only.
//!
//! Borgwardt, Kriegel: Shortest-path kernels on graphs, ICDM 2005.

use super::count::Row;
use super::interner::Interner;
use crate::data::Graph;

/// Triples of two labels and a distance, learned from a set of graphs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dictionary {
    labels: bool,
    /// `[label of u, label of v, distance]` by feature; labels are 0 where they do not count.
    triples: Interner,
}

impl Dictionary {
    /// Learns the triples of some graphs and returns them with the features of each graph.
    pub(super) fn learn(graphs: &[&Graph], labels: bool) -> (Self, Vec<Row>) {
        let mut triples = Interner::default();
        let mut search = Search::default();
        let mut row = |graph: &&Graph| {
            let mut row = Row::new();
            search.count(graph, labels, |triple, count| {
                row.push((triples.intern(&triple), count));
            });
            sorted(row)
        };
        let rows = graphs.iter().map(&mut row).collect();
        (Self { labels, triples }, rows)
    }

    /// Returns the number of features.
    pub(super) fn len(&self) -> usize {
        self.triples.len()
    }

    /// Returns the features of graphs, and for each the sum of squared counts of its triples that the dictionary does not know.
    ///
    /// Such triples are no part of the rows, as no learned graph has them; they count in `k(G, G)`.
    pub(super) fn apply(&self, graphs: &[&Graph]) -> (Vec<Row>, Vec<f64>) {
        let mut search = Search::default();
        let mut split = |graph: &&Graph| {
            let mut row = Row::new();
            let mut own = 0.0;
            search.count(graph, self.labels, |triple, count| {
                match self.triples.find(&triple) {
                    Some(feature) => row.push((feature, count)),
                    None => own += count * count,
                }
            });
            (sorted(row), own)
        };
        graphs.iter().map(&mut split).unzip()
    }
}

fn sorted(mut row: Row) -> Row {
    row.sort_unstable_by_key(|entry| entry.0);
    row.shrink_to_fit();
    row
}

/// Breadth-first searches with buffers that later graphs use again.
#[derive(Default)]
struct Search {
    queue: Vec<u32>,
    seen: Vec<bool>,
    /// Pairs found from the sources of one label, by distance and number of the other label.
    table: Vec<u32>,
    /// Cells of the table that are not zero.
    touched: Vec<usize>,
}

impl Search {
    /// Calls `found` once for every triple that occurs in a graph, with the number of ordered pairs.
    fn count(&mut self, graph: &Graph, labels: bool, mut found: impl FnMut([u32; 3], f64)) {
        let label = |vertex: usize| if labels { graph.labels()[vertex] } else { 0 };
        let mut names: Vec<u32> = (0..graph.len()).map(label).collect();
        names.sort_unstable();
        names.dedup();
        let number = |vertex| names.partition_point(|&name| name < label(vertex));
        let numbers: Vec<usize> = (0..graph.len()).map(number).collect();
        let mut sources: Vec<usize> = (0..graph.len()).collect();
        sources.sort_by_key(|&vertex| numbers[vertex]);
        for group in sources.chunk_by(|&left, &right| numbers[left] == numbers[right]) {
            for &source in group {
                self.search(graph, source, &numbers, names.len());
            }
            let from = names[numbers[group[0]]];
            for cell in self.touched.drain(..) {
                let to = names[cell % names.len()];
                let distance = 1 + (cell / names.len()) as u32;
                found([from, to, distance], f64::from(self.table[cell]));
                self.table[cell] = 0;
            }
        }
    }

    fn search(&mut self, graph: &Graph, source: usize, numbers: &[usize], width: usize) {
        self.seen.clear();
        self.seen.resize(graph.len(), false);
        self.seen[source] = true;
        self.queue.clear();
        self.queue.push(source as u32);
        let mut start = 0;
        let mut base = 0;
        while start < self.queue.len() {
            let end = self.queue.len();
            for position in start..end {
                for neighbour in graph.neighbours(self.queue[position] as usize) {
                    let seen = &mut self.seen[neighbour.vertex as usize];
                    if !*seen {
                        *seen = true;
                        self.queue.push(neighbour.vertex);
                    }
                }
            }
            if self.queue.len() > end && self.table.len() < base + width {
                self.table.resize(base + width, 0);
            }
            for &vertex in &self.queue[end..] {
                let cell = base + numbers[vertex as usize];
                if self.table[cell] == 0 {
                    self.touched.push(cell);
                }
                self.table[cell] += 1;
            }
            start = end;
            base += width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_kernel, build, graphs, is_proper, product, reversed};
    use super::*;
    use proptest::prelude::*;

    /// All distances by Floyd and Warshall's recursion.
    fn distances(graph: &Graph) -> Vec<Vec<Option<usize>>> {
        let n = graph.len();
        let mut table = vec![vec![None; n]; n];
        for edge in graph.edges() {
            table[edge.from as usize][edge.to as usize] = Some(1);
            table[edge.to as usize][edge.from as usize] = Some(1);
        }
        for middle in 0..n {
            for from in 0..n {
                for to in 0..n {
                    if let (Some(first), Some(second)) = (table[from][middle], table[middle][to]) {
                        let shortest = table[from][to].unwrap_or(usize::MAX);
                        table[from][to] = Some(shortest.min(first + second));
                    }
                }
            }
        }
        table
    }

    fn by_pairs(left: &Graph, right: &Graph, labels: bool) -> f64 {
        let triples = |graph: &Graph| {
            let table = distances(graph);
            let mut all = Vec::new();
            for from in 0..graph.len() {
                for to in (0..graph.len()).filter(|&to| to != from) {
                    let names = [graph.labels()[from], graph.labels()[to]];
                    let names = if labels { names } else { [0, 0] };
                    all.extend(table[from][to].map(|distance| (names, distance)));
                }
            }
            all
        };
        let (left, right) = (triples(left), triples(right));
        let equal = |a| right.iter().filter(|&b| a == b).count();
        left.iter().map(equal).sum::<usize>() as f64
    }

    #[test]
    fn a_long_path_has_every_distance_from_both_ends() {
        let edges: Vec<(u32, u32, u32)> = (0..599).map(|v| (v, v + 1, 0)).collect();
        let path = build(&[0; 600], &edges);
        let (dictionary, rows) = Dictionary::learn(&[&path], true);
        let counts: Vec<(u32, f64)> = rows[0]
            .iter()
            .map(|&(feature, count)| (dictionary.triples.sequence(feature)[2], count))
            .collect();
        let expected: Vec<(u32, f64)> = (1..600).map(|d| (d, 2.0 * f64::from(600 - d))).collect();
        assert_eq!(counts, expected);
    }

    #[test]
    fn unseen_labels_count_in_the_own_value_only() {
        let known = build(&[1, 1], &[(0, 1, 0)]);
        let other = build(&[1, 1, 2], &[(0, 1, 0), (1, 2, 0)]);
        let (dictionary, _) = Dictionary::learn(&[&known], true);
        let (rows, own) = dictionary.apply(&[&other]);
        assert_eq!(rows[0], [(0, 2.0)]);
        // (1,2,1), (2,1,1), (1,2,2) and (2,1,2), once each.
        assert_eq!(own[0], 4.0);
    }

    proptest! {
        #![proptest_config(crate::properties::cases(1000))]

        #[test]
        fn values_are_shared_pairs(
            old in prop::collection::vec(graphs(), 0..4), new in graphs(), labels: bool,
        ) {
            let list: Vec<&Graph> = old.iter().collect();
            let (dictionary, known) = Dictionary::learn(&list, labels);
            for (left, row) in old.iter().zip(&known) {
                prop_assert!(is_proper(row));
                for (right, column) in old.iter().zip(&known) {
                    prop_assert_eq!(product(row, column), by_pairs(left, right, labels));
                }
            }
            let (again, none) = dictionary.apply(&list);
            prop_assert_eq!(&again, &known);
            prop_assert!(none.iter().all(|&own| own == 0.0));
            let (rows, own) = dictionary.apply(&[&new]);
            prop_assert!(is_proper(&rows[0]));
            for (graph, row) in old.iter().zip(&known) {
                prop_assert_eq!(product(row, &rows[0]), by_pairs(graph, &new, labels));
            }
            let own_value = product(&rows[0], &rows[0]) + own[0];
            prop_assert_eq!(own_value, by_pairs(&new, &new, labels));
        }

        #[test]
        fn the_order_of_vertices_does_not_matter(graph in graphs(), labels: bool) {
            let turned = reversed(&graph);
            let (_, rows) = Dictionary::learn(&[&graph, &turned], labels);
            prop_assert_eq!(&rows[0], &rows[1]);
        }

        #[test]
        fn it_is_a_kernel(set in prop::collection::vec(graphs(), 1..8)) {
            let list: Vec<&Graph> = set.iter().collect();
            let (_, rows) = Dictionary::learn(&list, true);
            assert_kernel(set.len(), |i, j| product(&rows[i], &rows[j]));
        }
    }
}
