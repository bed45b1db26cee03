//! The lines that stand for a bond.

use super::structure::BondOrder;
use super::vector::{Point, dot, minus, plus, times, unit};

/// One straight line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub(super) from: Point,
    pub(super) to: Point,
    pub(super) dashed: bool,
}

/// A bond between two places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub(super) ends: [usize; 2],
    pub(super) order: BondOrder,
}

/// The distance between the lines of one bond, in bond lengths.
const APART: f64 = 0.16;

/// How much shorter an inner line is at each end.
const INNER: f64 = 0.14;

/// Returns the lines of all bonds; `room` is the radius in pixels that each atom's letters need,
/// and `scale` the length of a bond.
pub(super) fn lines(
    points: &[Point],
    bonds: &[Placed],
    rings: &[Vec<usize>],
    room: &[f64],
    scale: f64,
) -> Vec<Line> {
    let centres = ring_centres(points, bonds, rings);
    let mut degrees = vec![0; points.len()];
    for [a, b] in bonds.iter().map(|bond| bond.ends) {
        degrees[a] += 1;
        degrees[b] += 1;
    }
    let mut lines = Vec::new();
    for (bond, centre) in bonds.iter().zip(centres) {
        let [a, b] = bond.ends;
        let along = unit(minus(points[b], points[a]));
        let from = plus(points[a], times(along, room[a]));
        let to = minus(points[b], times(along, room[b]));
        if dot(minus(to, from), along) <= 0.0 {
            continue;
        }
        let across = [-along[1], along[0]];
        let mut push = |offset: f64, trim: f64, dashed: bool| {
            let shift = times(across, offset * scale);
            // Lines that letters shorten already need no second cut.
            let cut = |atom: usize| (trim * scale - room[atom]).max(0.0);
            lines.push(Line {
                from: plus(plus(from, shift), times(along, cut(a))),
                to: minus(plus(to, shift), times(along, cut(b))),
                dashed,
            });
        };
        let side = match centre {
            Some(centre) => Some(dot(minus(centre, points[a]), across).signum()),
            // Between two corners the second line goes to the side where the chain bends.
            None if degrees[a] > 1 && degrees[b] > 1 => lean(points, bonds, bond.ends, across),
            None => None,
        };
        match (bond.order, side) {
            (BondOrder::Single, _) => push(0.0, 0.0, false),
            (BondOrder::Double, Some(side)) => {
                push(0.0, 0.0, false);
                push(side * APART, INNER, false);
            }
            (BondOrder::Double, None) => {
                push(APART / 2.0, 0.0, false);
                push(-APART / 2.0, 0.0, false);
            }
            (BondOrder::Aromatic, side) => {
                push(0.0, 0.0, false);
                push(side.unwrap_or(1.0) * APART, INNER, true);
            }
            (BondOrder::Triple, _) => {
                for offset in [-APART, 0.0, APART] {
                    push(offset * 0.8, 0.0, false);
                }
            }
            (BondOrder::Quadruple, _) => {
                for offset in [-1.5, -0.5, 0.5, 1.5] {
                    push(offset * 0.6 * APART, 0.0, false);
                }
            }
        }
    }
    lines
}

/// The side of a bond on which more neighbours lie; none where both sides are equal.
fn lean(points: &[Point], bonds: &[Placed], [a, b]: [usize; 2], across: Point) -> Option<f64> {
    let mut sum = 0.0;
    for [c, d] in bonds.iter().map(|bond| bond.ends) {
        for (end, other) in [(c, d), (d, c)] {
            if (end == a && other != b) || (end == b && other != a) {
                sum += dot(unit(minus(points[other], points[end])), across).signum();
            }
        }
    }
    (sum.abs() > 0.5).then(|| sum.signum())
}

/// The middle of the ring that an inner line of each bond points to: an aromatic ring before
/// others, a small one before large ones.
fn ring_centres(points: &[Point], bonds: &[Placed], rings: &[Vec<usize>]) -> Vec<Option<Point>> {
    let mut centres: Vec<Option<(bool, usize, Point)>> = vec![None; bonds.len()];
    for ring in rings {
        let inside = |bond: &Placed| neighbours(ring, bond.ends);
        let plain = !bonds
            .iter()
            .filter(|bond| inside(bond))
            .all(|bond| bond.order == BondOrder::Aromatic);
        let sum = ring
            .iter()
            .fold([0.0, 0.0], |sum, &atom| plus(sum, points[atom]));
        let centre = times(sum, 1.0 / ring.len() as f64);
        for (bond, best) in bonds.iter().zip(&mut centres) {
            let better = best.is_none_or(|(p, s, _)| (plain, ring.len()) < (p, s));
            if inside(bond) && better {
                *best = Some((plain, ring.len(), centre));
            }
        }
    }
    centres
        .into_iter()
        .map(|best| best.map(|(_, _, centre)| centre))
        .collect()
}

/// Whether two atoms follow each other around a ring.
fn neighbours(ring: &[usize], [a, b]: [usize; 2]) -> bool {
    ring.iter().enumerate().any(|(k, &atom)| {
        let next = ring[(k + 1) % ring.len()];
        (atom, next) == (a, b) || (atom, next) == (b, a)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_lines_are_inside_the_ring() {
        let points: Vec<Point> = (0..6)
            .map(|k| {
                let angle = std::f64::consts::FRAC_PI_3 * f64::from(k);
                [36.0 * angle.cos(), 36.0 * angle.sin()]
            })
            .collect();
        let bonds: Vec<Placed> = (0..6)
            .map(|k| Placed {
                ends: [k, (k + 1) % 6],
                order: BondOrder::Aromatic,
            })
            .collect();
        let ring = vec![(0..6).collect::<Vec<usize>>()];
        let made = lines(&points, &bonds, &ring, &[0.0; 6], 36.0);
        assert_eq!(made.len(), 12);
        for line in made.iter().filter(|line| line.dashed) {
            let middle = times(plus(line.from, line.to), 0.5);
            assert!(middle[0].hypot(middle[1]) < 36.0 * 0.866, "{line:?}");
        }
    }

    #[test]
    fn letters_shorten_lines_and_may_hide_them() {
        let bond = [Placed {
            ends: [0, 1],
            order: BondOrder::Double,
        }];
        let points = [[0.0, 0.0], [36.0, 0.0]];
        let made = lines(&points, &bond, &[], &[9.0, 0.0], 36.0);
        assert_eq!(made.len(), 2);
        assert!(
            made.iter()
                .all(|line| line.from[0] == 9.0 && line.to[0] == 36.0)
        );
        assert!(lines(&points, &bond, &[], &[20.0, 20.0], 36.0).is_empty());
    }
}
