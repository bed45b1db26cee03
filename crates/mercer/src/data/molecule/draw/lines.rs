//! The lines that stand for a bond.

use super::{Order, Point, Ring};

/// One straight line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub(super) from: Point,
    pub(super) to: Point,
    pub(super) dashed: bool,
}

/// The distance between the lines of one bond, in bond lengths.
const APART: f64 = 0.16;

/// How much shorter an inner line is at each end.
const INNER: f64 = 0.14;

/// Returns the lines of all bonds; `room` is the radius in bond lengths that a vertex's letters
/// need.
pub(super) fn lines(
    points: &[Point],
    ends: &[(u32, u32)],
    orders: &[Order],
    rings: &[Ring],
    room: &dyn Fn(usize) -> f64,
    scale: f64,
) -> Vec<Line> {
    let centres = ring_centres(points, orders, rings, ends.len());
    let mut degrees = vec![0; points.len()];
    for &(a, b) in ends {
        degrees[a as usize] += 1;
        degrees[b as usize] += 1;
    }
    let mut lines = Vec::new();
    for (index, (&(a, b), &order)) in ends.iter().zip(orders).enumerate() {
        let (a, b) = (a as usize, b as usize);
        let along = (points[b] - points[a]).unit();
        let from = points[a] + along * (room(a) * scale);
        let to = points[b] - along * (room(b) * scale);
        if (to - from).dot(along) <= 0.0 {
            continue;
        }
        let across = Point::new(-along.y, along.x);
        let mut push = |offset: f64, trim: f64, dashed: bool| {
            let shift = across * (offset * scale);
            // Lines that letters shorten already need no second cut.
            let cut = |vertex: usize| (trim - room(vertex)).max(0.0) * scale;
            lines.push(Line {
                from: from + shift + along * cut(a),
                to: to + shift - along * cut(b),
                dashed,
            });
        };
        let side = match centres[index] {
            Some(centre) => Some((centre - points[a]).dot(across).signum()),
            // Between two corners the second line goes to the side where the chain bends.
            None if degrees[a] > 1 && degrees[b] > 1 => lean(points, ends, a, b, across),
            None => None,
        };
        match (order, side) {
            (Order::Single, _) => push(0.0, 0.0, false),
            (Order::Double, Some(side)) => {
                push(0.0, 0.0, false);
                push(side * APART, INNER, false);
            }
            (Order::Double, None) => {
                push(APART / 2.0, 0.0, false);
                push(-APART / 2.0, 0.0, false);
            }
            (Order::Aromatic, side) => {
                push(0.0, 0.0, false);
                push(side.unwrap_or(1.0) * APART, INNER, true);
            }
            (Order::Triple, _) => {
                for offset in [-APART, 0.0, APART] {
                    push(offset * 0.8, 0.0, false);
                }
            }
            (Order::Quadruple, _) => {
                for offset in [-1.5, -0.5, 0.5, 1.5] {
                    push(offset * 0.6 * APART, 0.0, false);
                }
            }
        }
    }
    lines
}

/// The side of a bond on which more neighbours lie; none where both sides are equal.
fn lean(points: &[Point], ends: &[(u32, u32)], a: usize, b: usize, across: Point) -> Option<f64> {
    let mut sum = 0.0;
    for &(c, d) in ends {
        for (end, other) in [(c as usize, d as usize), (d as usize, c as usize)] {
            if (end == a && other != b) || (end == b && other != a) {
                sum += (points[other] - points[end]).unit().dot(across).signum();
            }
        }
    }
    (sum.abs() > 0.5).then(|| sum.signum())
}

/// The middle of the ring that an inner line of each bond points to: an aromatic ring before
/// others, a small one before large ones.
fn ring_centres(
    points: &[Point],
    orders: &[Order],
    rings: &[Ring],
    bonds: usize,
) -> Vec<Option<Point>> {
    let mut centres: Vec<Option<(bool, usize, Point)>> = vec![None; bonds];
    for ring in rings {
        let plain = !ring.edges.iter().all(|&e| orders[e] == Order::Aromatic);
        let size = ring.vertices.len();
        let sum = ring
            .vertices
            .iter()
            .fold(Point::default(), |s, &v| s + points[v]);
        let centre = sum * (1.0 / size as f64);
        for &edge in &ring.edges {
            if centres[edge].is_none_or(|(p, s, _)| (plain, size) < (p, s)) {
                centres[edge] = Some((plain, size, centre));
            }
        }
    }
    centres
        .into_iter()
        .map(|c| c.map(|(_, _, centre)| centre))
        .collect()
}
