//! Rings of a graph: which edges lie in one, and a set of small rings that spans all others.

use std::collections::{HashMap, HashSet, VecDeque};

/// Neighbours of every vertex, each with the number of the edge that leads to it.
#[derive(Debug, Clone)]
pub struct Adjacency {
    starts: Vec<usize>,
    entries: Vec<(usize, usize)>,
}

impl Adjacency {
    /// Lists the neighbours; edges that leave the graph or return to their start are left out.
    pub fn new(count: usize, edges: &[(u32, u32)]) -> Self {
        let inside = |&(_, (a, b)): &(usize, &(u32, u32))| {
            a != b && (*a as usize) < count && (*b as usize) < count
        };
        let mut starts = vec![0; count + 1];
        for (_, &(a, b)) in edges.iter().enumerate().filter(inside) {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for vertex in 0..count {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0, 0); starts[count]];
        for (edge, &(a, b)) in edges.iter().enumerate().filter(inside) {
            for (from, to) in [(a as usize, b as usize), (b as usize, a as usize)] {
                entries[next[from]] = (to, edge);
                next[from] += 1;
            }
        }
        Self { starts, entries }
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the neighbours of a vertex with the edges that lead to them.
    pub fn of(&self, vertex: usize) -> &[(usize, usize)] {
        &self.entries[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

/// One ring.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ring {
    /// The vertices in order around the ring.
    pub vertices: Vec<usize>,
    /// The edges, ascending.
    pub edges: Vec<usize>,
}

/// Returns for every edge whether it lies in a ring.
///
/// An edge lies in a ring exactly if it is no bridge; bridges are found by Tarjan's depth-first
/// search, without recursion, in linear time.
pub fn ring_edges(adjacency: &Adjacency, edges: usize) -> Vec<bool> {
    const UNSEEN: usize = usize::MAX;
    let count = adjacency.len();
    let mut entered = vec![UNSEEN; count];
    let mut lowest = vec![UNSEEN; count];
    let mut in_ring = vec![false; edges];
    let mut clock = 0;
    for root in 0..count {
        if entered[root] != UNSEEN {
            continue;
        }
        // Vertex, the edge it was entered by, and how many neighbours were looked at.
        let mut stack = vec![(root, UNSEEN, 0)];
        entered[root] = clock;
        lowest[root] = clock;
        clock += 1;
        while let Some(top) = stack.last_mut() {
            let (vertex, by, looked) = *top;
            top.2 += 1;
            if let Some(&(other, edge)) = adjacency.of(vertex).get(looked) {
                if edge == by {
                    continue;
                }
                if entered[other] == UNSEEN {
                    entered[other] = clock;
                    lowest[other] = clock;
                    clock += 1;
                    stack.push((other, edge, 0));
                } else {
                    in_ring[edge] = true;
                    lowest[vertex] = lowest[vertex].min(entered[other]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _, _)) = stack.last() {
                if lowest[vertex] <= entered[parent] {
                    in_ring[by] = true;
                }
                lowest[parent] = lowest[parent].min(lowest[vertex]);
            }
        }
    }
    in_ring
}

/// Returns small rings of which all others are sums, the smallest first.
///
/// These are rings of Horton's set: two shortest paths from a vertex, closed by one edge. They
/// are taken in the order of their length while they are no sum (of edges, modulo two) of
/// smaller ones. Rings of up to 9 vertices are sought first and up to 25 where those do not
/// span; what is left after that is one shortest ring for each edge that is in none. The work is
/// bounded, so an immense net may get fewer rings than it has.
///
/// Horton, J. D.: A polynomial-time algorithm to find the shortest cycle basis of a graph. SIAM
/// Journal on Computing 16 (1987), 358–366.
pub fn small_rings(adjacency: &Adjacency, edges: usize) -> Vec<Ring> {
    let in_ring = ring_edges(adjacency, edges);
    let wanted = independent_rings(adjacency, &in_ring);
    let mut basis = Basis::default();
    if wanted == 0 {
        return basis.rings;
    }
    // Most molecules are done after depth 4; 12 covers rings of 25 vertices.
    for depth in [4, 12] {
        let mut candidates = horton(adjacency, &in_ring, depth);
        candidates
            .sort_unstable_by(|a, b| (a.edges.len(), &a.edges).cmp(&(b.edges.len(), &b.edges)));
        basis = Basis::default();
        for ring in candidates {
            basis.add(ring);
            if basis.rings.len() == wanted {
                return basis.rings;
            }
        }
    }
    let mut covered: HashSet<usize> = basis.rings.iter().flat_map(|r| r.edges.clone()).collect();
    // 10⁸ steps take about a second.
    let mut budget = 100_000_000_usize;
    for edge in (0..edges).filter(|&e| in_ring[e]) {
        if basis.rings.len() == wanted || budget == 0 {
            break;
        }
        if covered.contains(&edge) {
            continue;
        }
        budget = budget.saturating_sub(adjacency.entries.len());
        if let Some(ring) = shortest_through(adjacency, &in_ring, edge) {
            covered.extend(&ring.edges);
            basis.add(ring);
        }
    }
    basis.rings.sort_by_key(|ring| ring.edges.len());
    basis.rings
}

/// The number of independent rings: edges − vertices + parts of what the ring edges make.
fn independent_rings(adjacency: &Adjacency, in_ring: &[bool]) -> usize {
    let mut seen = vec![false; adjacency.len()];
    let (mut vertices, mut parts) = (0, 0);
    for root in 0..adjacency.len() {
        if seen[root] || !adjacency.of(root).iter().any(|&(_, e)| in_ring[e]) {
            continue;
        }
        parts += 1;
        seen[root] = true;
        let mut stack = vec![root];
        while let Some(vertex) = stack.pop() {
            vertices += 1;
            for &(other, edge) in adjacency.of(vertex) {
                if in_ring[edge] && !seen[other] {
                    seen[other] = true;
                    stack.push(other);
                }
            }
        }
    }
    in_ring.iter().filter(|r| **r).count() + parts - vertices
}

/// Rings that no sum of the others gives.
#[derive(Default)]
struct Basis {
    rings: Vec<Ring>,
    /// Reduced edge sets by their largest edge.
    reduced: HashMap<usize, Vec<usize>>,
}

impl Basis {
    fn add(&mut self, ring: Ring) {
        let mut rest = ring.edges.clone();
        while let Some(last) = rest.last() {
            if let Some(other) = self.reduced.get(last) {
                rest = sum(&rest, other);
            } else {
                self.reduced.insert(*last, rest);
                self.rings.push(ring);
                return;
            }
        }
    }
}

/// The symmetric difference of two ascending lists.
fn sum(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut result = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) if x == y => {
                i += 1;
                j += 1;
            }
            (Some(x), Some(y)) if x > y => {
                result.push(*y);
                j += 1;
            }
            (Some(x), _) => {
                result.push(*x);
                i += 1;
            }
            (None, Some(y)) => {
                result.push(*y);
                j += 1;
            }
            (None, None) => break,
        }
    }
    result
}

fn horton(adjacency: &Adjacency, in_ring: &[bool], depth: usize) -> Vec<Ring> {
    const NONE: usize = usize::MAX;
    let count = adjacency.len();
    let mut level = vec![NONE; count];
    let mut parent = vec![(NONE, NONE); count];
    // The neighbour of the root through which a vertex is reached.
    let mut branch = vec![NONE; count];
    let mut known = HashSet::new();
    let mut rings = Vec::new();
    for root in 0..count {
        let mut order = vec![root];
        level[root] = 0;
        let mut next = 0;
        while next < order.len() {
            let vertex = order[next];
            next += 1;
            if level[vertex] == depth {
                continue;
            }
            for &(other, edge) in adjacency.of(vertex).iter().filter(|(_, e)| in_ring[*e]) {
                if level[other] == NONE {
                    level[other] = level[vertex] + 1;
                    parent[other] = (vertex, edge);
                    branch[other] = if vertex == root {
                        other
                    } else {
                        branch[vertex]
                    };
                    order.push(other);
                }
            }
        }
        for &x in &order[1..] {
            for &(y, edge) in adjacency.of(x).iter().filter(|(_, e)| in_ring[*e]) {
                let tree = parent[x].1 == edge || (y != root && parent[y].1 == edge);
                if y <= x || y == root || level[y] == NONE || tree || branch[x] == branch[y] {
                    continue;
                }
                let ring = close(root, x, y, edge, &parent);
                if known.insert(ring.edges.clone()) {
                    rings.push(ring);
                }
            }
        }
        for vertex in order {
            level[vertex] = NONE;
        }
    }
    rings
}

/// The ring of the paths from `x` and `y` up to the root and the edge between them.
fn close(root: usize, x: usize, y: usize, edge: usize, parent: &[(usize, usize)]) -> Ring {
    let climb = |mut vertex: usize| {
        let (mut vertices, mut edges) = (Vec::new(), Vec::new());
        while vertex != root {
            vertices.push(vertex);
            edges.push(parent[vertex].1);
            vertex = parent[vertex].0;
        }
        (vertices, edges)
    };
    let (mut vertices, mut edges) = climb(x);
    let (other_vertices, other_edges) = climb(y);
    vertices.push(root);
    vertices.extend(other_vertices.iter().rev());
    edges.extend(other_edges);
    edges.push(edge);
    edges.sort_unstable();
    Ring { vertices, edges }
}

fn shortest_through(adjacency: &Adjacency, in_ring: &[bool], edge: usize) -> Option<Ring> {
    let (from, to) = (0..adjacency.len()).find_map(|vertex| {
        let entry = adjacency.of(vertex).iter().find(|(_, e)| *e == edge)?;
        Some((vertex, entry.0))
    })?;
    let mut parent: HashMap<usize, (usize, usize)> = HashMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(vertex) = queue.pop_front() {
        for &(other, by) in adjacency.of(vertex) {
            if by == edge || !in_ring[by] || other == from || parent.contains_key(&other) {
                continue;
            }
            parent.insert(other, (vertex, by));
            queue.push_back(other);
        }
        if parent.contains_key(&to) {
            break;
        }
    }
    let mut vertices = vec![to];
    let mut edges = vec![edge];
    let mut vertex = to;
    while vertex != from {
        let (up, by) = *parent.get(&vertex)?;
        vertices.push(up);
        edges.push(by);
        vertex = up;
    }
    edges.sort_unstable();
    Some(Ring { vertices, edges })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(count: usize, edges: &[(u32, u32)]) -> Vec<usize> {
        let rings = small_rings(&Adjacency::new(count, edges), edges.len());
        for ring in &rings {
            assert_eq!(ring.vertices.len(), ring.edges.len());
            for (index, &vertex) in ring.vertices.iter().enumerate() {
                let next = ring.vertices[(index + 1) % ring.vertices.len()] as u32;
                let vertex = vertex as u32;
                let joined = |e: &&usize| {
                    let (a, b) = edges[**e];
                    (a, b) == (vertex, next) || (b, a) == (vertex, next)
                };
                assert_eq!(ring.edges.iter().filter(joined).count(), 1);
            }
        }
        rings.iter().map(|r| r.vertices.len()).collect()
    }

    fn cycle(count: u32) -> Vec<(u32, u32)> {
        (0..count).map(|v| (v, (v + 1) % count)).collect()
    }

    #[test]
    fn bridges_are_in_no_ring() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)];
        let in_ring = ring_edges(&Adjacency::new(6, &edges), edges.len());
        assert_eq!(in_ring, [true, true, true, false, true, true, true]);
        assert_eq!(sizes(6, &edges), [3, 3]);
    }

    #[test]
    fn rings_are_small_and_complete() {
        assert!(sizes(4, &[(0, 1), (1, 2), (1, 3)]).is_empty());
        assert_eq!(sizes(30, &cycle(30)), [30]);
        // Two triangles that share an edge, a cube, and the complete graph on four vertices.
        assert_eq!(sizes(4, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 0)]), [3, 3]);
        let cube: Vec<(u32, u32)> = (0_u32..8)
            .flat_map(|v| [1, 2, 4].map(|bit| (v, v ^ bit)))
            .filter(|(a, b)| a < b)
            .collect();
        assert_eq!(sizes(8, &cube), [4; 5]);
        assert_eq!(
            sizes(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
            [3; 3]
        );
        // A large ring with a chord of its own.
        let mut chord = cycle(40);
        chord.push((0, 20));
        assert_eq!(sizes(40, &chord), [21, 21]);
    }

    #[test]
    fn a_long_ladder_has_a_ring_per_step() {
        let steps = 5_000;
        let mut edges = Vec::new();
        for step in 0..steps {
            edges.push((2 * step, 2 * step + 1));
            if step > 0 {
                edges.push((2 * step - 2, 2 * step));
                edges.push((2 * step - 1, 2 * step + 1));
            }
        }
        assert_eq!(sizes(2 * steps as usize, &edges[..60]).len(), 19);
        let rings = small_rings(&Adjacency::new(2 * steps as usize, &edges), edges.len());
        assert_eq!(rings.len(), steps as usize - 1);
    }
}
