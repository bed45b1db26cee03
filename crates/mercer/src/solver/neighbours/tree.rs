//! A k-d tree with leaves of 32 rows.
//!
//! A node is cut at the median of the column along which its rows spread most; boxes around the
//! rows of every node say how near the nearest of them can be. Rounding is monotone, and box and
//! row add their columns up in the same order, so that the bound holds in floating point as well.

use mercer_linalg::{Matrix, Measure, NEAR_LANES, Par, near_lanes};

use super::best::{Best, Near};
use super::metric::DistanceMetric;

/// Rows of a node that its spread is estimated from.
const SAMPLE: usize = 128;
/// Rows from which on two halves are built side by side.
const WORTH_JOINING: usize = 4096;

#[derive(Debug, Clone, Copy, Default)]
struct Node {
    /// The second child; 0 for a leaf. The first follows its parent.
    second: u32,
    /// The number of the leaf.
    leaf: u32,
    /// The first of the rows below, which ties go to.
    least: u32,
}

/// The tree; without its nodes, rows side by side in blocks.
#[derive(Debug)]
pub(super) struct Tree {
    columns: usize,
    nodes: Vec<Node>,
    /// Least values of a node, then largest ones.
    boxes: Vec<f64>,
    /// A block of 32 rows for every leaf; the last may have fewer.
    blocks: Vec<f64>,
    /// Row numbers in the order of the blocks.
    order: Vec<u32>,
}

/// The lists that the part of a tree below a node is written to.
struct Part<'a> {
    rows: &'a mut [u32],
    nodes: &'a mut [Node],
    boxes: &'a mut [f64],
    blocks: &'a mut [f64],
}

impl Tree {
    pub(super) fn new(points: &Matrix<f64>, par: Par) -> Self {
        let (n, d) = (points.rows(), points.columns());
        let leaves = n.div_ceil(NEAR_LANES);
        let count = (2 * leaves).saturating_sub(1);
        let mut tree = Self {
            columns: d,
            nodes: vec![Node::default(); count],
            boxes: vec![0.0; count * 2 * d],
            blocks: vec![0.0; leaves * NEAR_LANES * d],
            order: (0..n as u32).collect(),
        };
        if n > 0 {
            let part = Part {
                rows: &mut tree.order,
                nodes: &mut tree.nodes,
                boxes: &mut tree.boxes,
                blocks: &mut tree.blocks,
            };
            build(points, part, (0, 0), par);
        }
        tree
    }

    /// Looks at the rows that may be near enough; returns how many leaves that took.
    pub(super) fn search(&self, row: &[f64], metric: DistanceMetric, best: &mut Best) -> usize {
        if self.nodes.is_empty() {
            return 0;
        }
        let measure = metric.measure();
        let mut visited = 0;
        let mut stack = [(0_u32, 0.0_f64); 64];
        let mut height = 1;
        stack[0] = (0, self.bound(0, row, measure));
        while height > 0 {
            height -= 1;
            let (at, reduced) = stack[height];
            let node = self.nodes[at as usize];
            let nearest = Near {
                reduced,
                row: node.least,
            };
            if nearest > best.limit() {
                continue;
            }
            if node.second == 0 {
                self.scan(node.leaf as usize, row, metric, best);
                visited += 1;
                continue;
            }
            let (first, second) = (at + 1, node.second);
            let one = (first, self.bound(first as usize, row, measure));
            let other = (second, self.bound(second as usize, row, measure));
            let (far, near) = if one.1 <= other.1 {
                (other, one)
            } else {
                (one, other)
            };
            stack[height] = far;
            stack[height + 1] = near;
            height += 2;
        }
        visited
    }

    /// Looks at all rows.
    pub(super) fn scan_all(&self, row: &[f64], metric: DistanceMetric, best: &mut Best) {
        for leaf in 0..self.order.len().div_ceil(NEAR_LANES) {
            self.scan(leaf, row, metric, best);
        }
    }

    fn scan(&self, leaf: usize, row: &[f64], metric: DistanceMetric, best: &mut Best) {
        let size = NEAR_LANES * self.columns;
        let block = &self.blocks[leaf * size..(leaf + 1) * size];
        let start = leaf * NEAR_LANES;
        let rows = &self.order[start..(start + NEAR_LANES).min(self.order.len())];
        let measure = metric.measure();
        let bound = match measure {
            // A product grows as rows come nearer.
            Measure::Dot => f64::INFINITY,
            _ => best.limit().reduced,
        };
        let mut sums = [0.0; NEAR_LANES];
        let mut near = near_lanes(block, row, measure, bound, &mut sums);
        if rows.len() < NEAR_LANES {
            near &= (1 << rows.len()) - 1;
        }
        while near != 0 {
            let k = near.trailing_zeros() as usize;
            near &= near - 1;
            best.offer(metric.reduced(sums[k]), rows[k]);
        }
    }

    /// What no row below a node can be nearer than.
    fn bound(&self, node: usize, row: &[f64], measure: Measure) -> f64 {
        let d = self.columns;
        let (low, high) = self.boxes[node * 2 * d..(node + 1) * 2 * d].split_at(d);
        let outside = row
            .iter()
            .zip(low.iter().zip(high))
            .map(|(x, (low, high))| {
                let (below, above) = (low - x, x - high);
                let size = if below > above { below } else { above };
                if size > 0.0 { size } else { 0.0 }
            });
        match measure {
            Measure::Squared => outside.fold(0.0, |sum, size| sum + size * size),
            _ => outside.fold(0.0, |sum, size| measure.add_difference(sum, size)),
        }
    }
}

/// Builds the part below a node; `place` is the number of the node and of its first leaf.
fn build(points: &Matrix<f64>, part: Part<'_>, place: (usize, usize), par: Par) {
    let d = points.columns();
    let Part {
        rows,
        nodes,
        boxes,
        blocks,
    } = part;
    let (node, others) = nodes.split_first_mut().expect("a part has a node");
    let (own, boxes) = boxes.split_at_mut(2 * d);
    if rows.len() <= NEAR_LANES {
        rows.sort_unstable();
        *node = Node {
            second: 0,
            leaf: place.1 as u32,
            least: rows[0],
        };
        fill(points, rows, own, blocks);
        return;
    }
    // Whole blocks to the left, so that only the last leaf of all has fewer rows.
    let cut = (rows.len() / 2).div_ceil(NEAR_LANES) * NEAR_LANES;
    if d > 0 {
        let column = widest(points, rows);
        let value = |row: &u32| points[(*row as usize, column)];
        rows.select_nth_unstable_by(cut, |a, b| value(a).total_cmp(&value(b)).then(a.cmp(b)));
    }
    let leaves = cut / NEAR_LANES;
    let below = 2 * leaves - 1;
    let (first_rows, second_rows) = rows.split_at_mut(cut);
    let joins = par == Par::Rayon && first_rows.len() >= WORTH_JOINING;
    let (first_nodes, second_nodes) = others.split_at_mut(below);
    let (first_boxes, second_boxes) = boxes.split_at_mut(below * 2 * d);
    let (first_blocks, second_blocks) = blocks.split_at_mut(leaves * NEAR_LANES * d);
    let first = Part {
        rows: first_rows,
        nodes: &mut *first_nodes,
        boxes: &mut *first_boxes,
        blocks: first_blocks,
    };
    let second = Part {
        rows: second_rows,
        nodes: &mut *second_nodes,
        boxes: &mut *second_boxes,
        blocks: second_blocks,
    };
    let places = (
        (place.0 + 1, place.1),
        (place.0 + 1 + below, place.1 + leaves),
    );
    if joins {
        rayon::join(
            || build(points, first, places.0, par),
            || build(points, second, places.1, par),
        );
    } else {
        build(points, first, places.0, par);
        build(points, second, places.1, par);
    }
    *node = Node {
        second: places.1.0 as u32,
        leaf: 0,
        least: first_nodes[0].least.min(second_nodes[0].least),
    };
    let (one, other) = (&first_boxes[..2 * d], &second_boxes[..2 * d]);
    for j in 0..d {
        own[j] = one[j].min(other[j]);
        own[d + j] = one[d + j].max(other[d + j]);
    }
}

/// Writes the rows of a leaf side by side, and the box around them.
fn fill(points: &Matrix<f64>, rows: &[u32], around: &mut [f64], block: &mut [f64]) {
    let (low, high) = around.split_at_mut(points.columns());
    low.fill(f64::INFINITY);
    high.fill(f64::NEG_INFINITY);
    for (k, row) in rows.iter().enumerate() {
        for (j, value) in points.row(*row as usize).iter().enumerate() {
            block[j * NEAR_LANES + k] = *value;
            low[j] = low[j].min(*value);
            high[j] = high[j].max(*value);
        }
    }
}

/// The column along which some of the rows spread most.
fn widest(points: &Matrix<f64>, rows: &[u32]) -> usize {
    let d = points.columns();
    let mut low = vec![f64::INFINITY; d];
    let mut high = vec![f64::NEG_INFINITY; d];
    let count = rows.len().min(SAMPLE);
    for k in 0..count {
        let row = rows[k * rows.len() / count] as usize;
        for (j, value) in points.row(row).iter().enumerate() {
            low[j] = low[j].min(*value);
            high[j] = high[j].max(*value);
        }
    }
    let mut best = 0;
    for j in 1..d {
        if high[j] - low[j] > high[best] - low[best] {
            best = j;
        }
    }
    best
}
