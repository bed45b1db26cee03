//! Branches that lie on each other are turned over; what is left is pushed apart.

use super::Point;
use crate::rings::{Adjacency, ring_edges};

/// Pairs of vertices closer than this cost.
const NEAR: f64 = 0.8;

/// Pairs that stay closer than this are pushed apart.
const TOUCHING: f64 = 0.5;

/// Turning over was measured to settle within three rounds on drug-like molecules.
const ROUNDS: usize = 4;

/// Removes overlaps where it can.
pub(super) fn untangle(places: &mut [Point], adjacency: &Adjacency, edges: &[(u32, u32)]) {
    let in_ring = ring_edges(adjacency, edges.len());
    let ends: Vec<(usize, usize)> = edges
        .iter()
        .map(|&(a, b)| (a as usize, b as usize))
        .collect();
    let bridges: Vec<usize> = (0..ends.len())
        .filter(|&e| !in_ring[e] && ends[e].0 != ends[e].1)
        .collect();
    for _ in 0..ROUNDS {
        let mut better = false;
        for &bridge in &bridges {
            better |= turn_over(places, adjacency, &ends, bridge);
        }
        if !better {
            break;
        }
    }
    push_apart(places, &ends);
}

/// Mirrors one side of a bridge in its line, if that lowers the cost.
fn turn_over(
    places: &mut [Point],
    adjacency: &Adjacency,
    ends: &[(usize, usize)],
    bridge: usize,
) -> bool {
    let (from, to) = ends[bridge];
    let mut moving = vec![false; places.len()];
    moving[to] = true;
    let mut side = vec![to];
    let mut next = 0;
    while next < side.len() {
        for &(other, edge) in adjacency.of(side[next]) {
            if edge != bridge && !moving[other] {
                moving[other] = true;
                side.push(other);
            }
        }
        next += 1;
    }
    if side.len() == 1 || side.len() + 1 == places.len() {
        return false;
    }
    let before = cost(places, &moving, &side, ends);
    if before < 1e-9 {
        return false;
    }
    let old: Vec<Point> = side.iter().map(|&v| places[v]).collect();
    let (a, b) = (places[from], places[to]);
    for &vertex in &side {
        places[vertex] = places[vertex].mirrored(a, b);
    }
    if cost(places, &moving, &side, ends) < before - 1e-6 {
        return true;
    }
    for (&vertex, point) in side.iter().zip(old) {
        places[vertex] = point;
    }
    false
}

/// Overlaps and crossings between the moving side and the rest.
fn cost(places: &[Point], moving: &[bool], side: &[usize], ends: &[(usize, usize)]) -> f64 {
    let mut cost = 0.0;
    for &a in side {
        for b in (0..places.len()).filter(|&b| !moving[b]) {
            let distance = (places[a] - places[b]).length();
            if distance < NEAR {
                cost += (NEAR - distance) / NEAR;
            }
        }
    }
    let still: Vec<&(usize, usize)> = ends
        .iter()
        .filter(|(a, b)| !moving[*a] && !moving[*b])
        .collect();
    for &(a, b) in ends.iter().filter(|(a, b)| moving[*a] && moving[*b]) {
        for &&(c, d) in &still {
            if crossing(places[a], places[b], places[c], places[d]) {
                cost += 1.0;
            }
        }
    }
    cost
}

fn crossing(a: Point, b: Point, c: Point, d: Point) -> bool {
    let side = |p: Point, q: Point, r: Point| (q - p).cross(r - p);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// Separates pairs that still touch, and pulls edges back to their length.
fn push_apart(places: &mut [Point], ends: &[(usize, usize)]) {
    let lengths: Vec<f64> = ends
        .iter()
        .map(|&(a, b)| (places[a] - places[b]).length())
        .collect();
    for _ in 0..60 {
        let mut touched = false;
        for a in 0..places.len() {
            for b in 0..a {
                let step = places[a] - places[b];
                let distance = step.length();
                if distance >= TOUCHING {
                    continue;
                }
                touched = true;
                let way = if distance < 1e-6 {
                    Point::at_angle(a as f64)
                } else {
                    step.unit()
                };
                let shift = way * ((TOUCHING - distance) / 2.0 + 0.01);
                places[a] = places[a] + shift;
                places[b] = places[b] - shift;
            }
        }
        if !touched {
            return;
        }
        for (&(a, b), &length) in ends.iter().zip(&lengths) {
            let step = places[b] - places[a];
            // A quarter of the error at a time lets both forces agree.
            let shift = step.unit() * ((step.length() - length) / 4.0);
            places[a] = places[a] + shift;
            places[b] = places[b] - shift;
        }
    }
}
