//! Lines and regions on a grid of places, by marching squares.
//!
//! Every place has a label. Where two neighbours differ, the border crosses the edge between them;
//! who knows more than the labels says where. A cell with two crossings has one piece of the border,
//! and in a cell with more of them the pieces meet in its middle.

use std::collections::BTreeMap;

/// Two neighbours, the one with the smaller number first.
pub type Edge = [usize; 2];

/// Where the border crosses edges; an edge that is not listed is crossed in its middle.
pub type Crossings = BTreeMap<Edge, [f64; 2]>;

/// A grid of places.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    x: Vec<f64>,
    y: Vec<f64>,
}

/// A piece of the plane with one label.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Region {
    /// The label.
    pub label: u32,
    /// Its corners.
    pub outline: Vec<[f64; 2]>,
}

/// What pieces of a border join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Crossing(Edge),
    /// The middle of a cell, by its first corner.
    Middle(usize),
}

impl Lattice {
    /// Lays places evenly over a rectangle: ends of both axes, and how many along each, two at least.
    pub fn over(ends: [[f64; 2]; 2], counts: [usize; 2]) -> Self {
        let [x, y] = [0, 1].map(|axis| {
            let [low, high] = ends[axis];
            let last = counts[axis].max(2) - 1;
            let share = |k: usize| k as f64 / last as f64;
            (0..=last)
                .map(|k| low * (1.0 - share(k)) + high * share(k))
                .collect()
        });
        Self { x, y }
    }

    /// Returns all places, line by line from below.
    pub fn places(&self) -> Vec<[f64; 2]> {
        (0..self.x.len() * self.y.len())
            .map(|point| self.place(point))
            .collect()
    }

    /// Returns one place by its number.
    pub fn place(&self, point: usize) -> [f64; 2] {
        let width = self.x.len();
        [self.x[point % width], self.y[point / width]]
    }

    /// Returns the edges whose ends have different labels; `labels` has one for every place.
    pub fn crossed(&self, labels: &[u32]) -> Vec<Edge> {
        let (width, height) = (self.x.len(), self.y.len());
        if labels.len() != width * height {
            return Vec::new();
        }
        let right = |p: usize| (p % width + 1 < width).then_some([p, p + 1]);
        let up = |p: usize| (p / width + 1 < height).then_some([p, p + width]);
        (0..labels.len())
            .flat_map(|p| [right(p), up(p)])
            .flatten()
            .filter(|&[a, b]| labels[a] != labels[b])
            .collect()
    }

    /// Returns the lines along which values, one for every place, have a level.
    pub fn level(&self, values: &[f64], level: f64) -> Vec<Vec<[f64; 2]>> {
        let labels: Vec<u32> = values.iter().map(|v| u32::from(*v >= level)).collect();
        let cross = |edge: Edge| {
            let [a, b] = edge.map(|point| values[point]);
            let share = (level - a) / (b - a);
            let share = if (0.0..=1.0).contains(&share) {
                share
            } else {
                0.5
            };
            (edge, self.between(edge, share))
        };
        let crossings = self.crossed(&labels).into_iter().map(cross).collect();
        self.border(&labels, &crossings)
    }

    /// Returns the lines between different labels.
    pub fn border(&self, labels: &[u32], crossings: &Crossings) -> Vec<Vec<[f64; 2]>> {
        let mut pieces = Vec::new();
        for cell in self.cells(labels) {
            let corners = self.corners(cell);
            let cut: Vec<Node> = sides(corners)
                .into_iter()
                .filter(|&[a, b]| labels[a] != labels[b])
                .map(Node::Crossing)
                .collect();
            match cut[..] {
                [a, b] => pieces.push([a, b]),
                _ => pieces.extend(cut.into_iter().map(|node| [node, Node::Middle(cell)])),
            }
        }
        let at = |node: Node| match node {
            Node::Crossing(edge) => self.crossing(edge, crossings),
            Node::Middle(cell) => self.middle(cell, labels, crossings),
        };
        let lines = joined(&pieces).into_iter();
        lines
            .map(|line| line.into_iter().map(at).collect())
            .collect()
    }

    /// Returns the pieces of the plane that have one label, whose edges are those of
    /// [`Lattice::border`].
    pub fn regions(&self, labels: &[u32], crossings: &Crossings) -> Vec<Region> {
        let mut regions: Vec<Region> = Vec::new();
        // The last piece, where it is a row of whole cells that may go on, and its last cell.
        let mut run: Option<(usize, usize)> = None;
        for cell in self.cells(labels) {
            let corners = self.corners(cell);
            let of = corners.map(|corner| labels[corner]);
            if of.iter().all(|label| *label == of[0]) {
                let [_, b, c, _] = corners.map(|corner| self.place(corner));
                match run {
                    Some((piece, last)) if last + 1 == cell && regions[piece].label == of[0] => {
                        regions[piece].outline[1] = b;
                        regions[piece].outline[2] = c;
                        run = Some((piece, cell));
                    }
                    _ => {
                        run = Some((regions.len(), cell));
                        regions.push(Region {
                            label: of[0],
                            outline: corners.map(|corner| self.place(corner)).to_vec(),
                        });
                    }
                }
                continue;
            }
            run = None;
            let edges = sides(corners);
            let cuts: Vec<usize> = (0..4).filter(|&k| of[k] != of[(k + 1) % 4]).collect();
            let middle = (cuts.len() > 2).then(|| self.middle(cell, labels, crossings));
            for (place, &from) in cuts.iter().enumerate() {
                // From one crossing around to the next one.
                let to = cuts[(place + 1) % cuts.len()];
                let mut outline = vec![self.crossing(edges[from], crossings)];
                let mut k = from;
                while k != to {
                    k = (k + 1) % 4;
                    outline.push(self.place(corners[k]));
                }
                outline.push(self.crossing(edges[to], crossings));
                outline.extend(middle);
                regions.push(Region {
                    label: of[to],
                    outline,
                });
            }
        }
        regions
    }

    /// The place at a share of the way along an edge.
    pub fn between(&self, edge: Edge, share: f64) -> [f64; 2] {
        let [a, b] = edge.map(|point| self.place(point));
        [0, 1].map(|axis| a[axis] * (1.0 - share) + b[axis] * share)
    }

    fn crossing(&self, edge: Edge, crossings: &Crossings) -> [f64; 2] {
        let known = crossings.get(&edge).copied();
        known.unwrap_or_else(|| self.between(edge, 0.5))
    }

    /// Where the pieces of a border meet: the mean of the crossings of a cell.
    fn middle(&self, cell: usize, labels: &[u32], crossings: &Crossings) -> [f64; 2] {
        let cut: Vec<[f64; 2]> = sides(self.corners(cell))
            .into_iter()
            .filter(|&[a, b]| labels[a] != labels[b])
            .map(|edge| self.crossing(edge, crossings))
            .collect();
        let count = cut.len().max(1) as f64;
        [0, 1].map(|axis| cut.iter().map(|place| place[axis] / count).sum())
    }

    /// The cells, each by the number of its first corner; none where labels are too few.
    fn cells(&self, labels: &[u32]) -> Vec<usize> {
        let (width, height) = (self.x.len(), self.y.len());
        if labels.len() != width * height {
            return Vec::new();
        }
        let last = |p: &usize| p % width + 1 < width && p / width + 1 < height;
        (0..labels.len()).filter(last).collect()
    }

    /// The corners of a cell, around it.
    fn corners(&self, cell: usize) -> [usize; 4] {
        let width = self.x.len();
        [cell, cell + 1, cell + width + 1, cell + width]
    }
}

/// The edges of a cell, each after the corner that it begins at.
fn sides([a, b, c, d]: [usize; 4]) -> [Edge; 4] {
    [[a, b], [b, c], [d, c], [a, d]]
}

/// Joins pieces to lines that are as long as possible; they end where other than two pieces meet.
fn joined(pieces: &[[Node; 2]]) -> Vec<Vec<Node>> {
    let mut at: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
    for (number, piece) in pieces.iter().enumerate() {
        for node in piece {
            at.entry(*node).or_default().push(number);
        }
    }
    let ends = at.iter().filter(|(_, meeting)| meeting.len() != 2);
    let starts: Vec<Node> = ends
        .map(|(node, _)| *node)
        .chain(at.keys().copied())
        .collect();
    let mut used = vec![false; pieces.len()];
    let mut lines = Vec::new();
    for start in starts {
        loop {
            let mut line = vec![start];
            let mut node = start;
            while let Some(&piece) = at[&node].iter().find(|piece| !used[**piece]) {
                used[piece] = true;
                let [a, b] = pieces[piece];
                node = if a == node { b } else { a };
                line.push(node);
                if at[&node].len() != 2 {
                    break;
                }
            }
            if line.len() < 2 {
                break;
            }
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(outline: &[[f64; 2]]) -> f64 {
        let next = |k: usize| outline[(k + 1) % outline.len()];
        let twice: f64 = (0..outline.len())
            .map(|k| outline[k][0] * next(k)[1] - next(k)[0] * outline[k][1])
            .sum();
        twice / 2.0
    }

    #[test]
    fn a_circle_is_one_closed_line_of_its_radius() {
        let lattice = Lattice::over([[-2.0, 2.0], [-2.0, 2.0]], [41, 33]);
        let values: Vec<f64> = lattice
            .places()
            .iter()
            .map(|[x, y]| x * x + y * y)
            .collect();
        let lines = lattice.level(&values, 1.0);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        for [x, y] in &lines[0] {
            assert!((x.hypot(*y) - 1.0).abs() < 0.01, "{x} {y}");
        }
    }

    #[test]
    fn a_plane_has_a_straight_line_from_edge_to_edge() {
        let lattice = Lattice::over([[0.0, 4.0], [0.0, 1.0]], [5, 4]);
        let values: Vec<f64> = lattice.places().iter().map(|[x, _]| *x).collect();
        let lines = lattice.level(&values, 1.25);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].len(), 4);
        assert!(lines[0].iter().all(|[x, _]| (x - 1.25).abs() < 1e-12));
        assert!(lattice.level(&values, 9.0).is_empty());
        assert!(lattice.level(&values[1..], 1.25).is_empty());
    }

    #[test]
    fn regions_cover_the_plane_once() {
        let lattice = Lattice::over([[0.0, 6.0], [0.0, 5.0]], [7, 6]);
        // Any labels: cells of two, three and four labels and of two diagonals.
        let labels: Vec<u32> = (0..42_u32).map(|k| k * k * 7 % 11 % 4).collect();
        let regions = lattice.regions(&labels, &Crossings::new());
        let areas: Vec<f64> = regions.iter().map(|r| area(&r.outline)).collect();
        assert!(areas.iter().all(|a| *a > 0.0));
        let whole: f64 = areas.iter().sum();
        assert!((whole - 30.0).abs() < 1e-9, "{whole}");
    }

    #[test]
    fn cells_alike_are_one_piece_a_line() {
        let lattice = Lattice::over([[0.0, 1.0], [0.0, 1.0]], [11, 4]);
        let regions = lattice.regions(&[3; 44], &Crossings::new());
        assert_eq!(regions.len(), 3);
        assert!(lattice.border(&[3; 44], &Crossings::new()).is_empty());
    }

    #[test]
    fn three_labels_meet_in_a_point() {
        let lattice = Lattice::over([[0.0, 1.0], [0.0, 1.0]], [2, 2]);
        let lines = lattice.border(&[0, 1, 0, 2], &Crossings::new());
        assert_eq!(lines.len(), 3);
        let ends = lines
            .iter()
            .flat_map(|line| [line[0], line[line.len() - 1]]);
        let meeting = [0.5 + 0.5 / 3.0, 0.5];
        let there = |p: &[f64; 2]| (p[0] - meeting[0]).abs() + (p[1] - meeting[1]).abs() < 1e-12;
        assert_eq!(ends.filter(there).count(), 3);
    }
}
