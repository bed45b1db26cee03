//! Places whose distances follow the distances in the graph.
//!
//! Minimised is the stress Σ wᵢⱼ (|xᵢ − xⱼ| − dᵢⱼ)² with wᵢⱼ = 1/dᵢⱼ², by moving one vertex at a
//! time to the minimum of the majorising parabola, which never increases the stress.
//!
//! Gansner, E., Koren, Y., North, S.: Graph drawing by stress majorization. Graph Drawing
//! (2004), 239–250.

use std::collections::VecDeque;

use super::Point;
use crate::rings::Adjacency;

/// Pairs times sweeps; 2·10⁷ take a fraction of a second.
const BUDGET: usize = 20_000_000;

/// A sweep that moves no vertex further than this is the last.
const SMALL: f64 = 1e-4;

/// Returns the point of a sunflower's spiral, which never repeats.
pub(super) fn spiral(index: usize) -> Point {
    // The golden angle.
    const ANGLE: f64 = 2.399_963_229_728_653;
    let index = index as f64;
    Point::at_angle(ANGLE * index) * (0.6 * (index + 0.5).sqrt())
}

/// Places a connected graph.
pub(super) fn place(adjacency: &Adjacency) -> Vec<Point> {
    let count = adjacency.len();
    // Neighbours in the graph start near each other.
    let mut places = vec![Point::default(); count];
    for (index, vertex) in search_order(adjacency).into_iter().enumerate() {
        places[vertex] = spiral(index);
    }
    // Without room for all pairs the spiral has to do.
    if count < 2 || count * count > BUDGET {
        return places;
    }
    let distances: Vec<Vec<f64>> = (0..count).map(|v| distances(adjacency, v)).collect();
    let sweeps = (BUDGET / (count * count)).clamp(1, 300);
    refine(&mut places, &distances, sweeps);
    spread(&mut places);
    places
}

/// Enlarges a picture in which vertices lie on each other, at most threefold.
fn spread(places: &mut [Point]) {
    let nearest = |(index, point): (usize, &Point)| {
        let others = places
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        others
            .map(|(_, p)| (*p - *point).length())
            .fold(f64::MAX, f64::min)
    };
    let mut nearest: Vec<f64> = places.iter().enumerate().map(nearest).collect();
    nearest.sort_by(f64::total_cmp);
    // A tenth of the vertices may come closer than 0.7, where discs begin to touch.
    let low = nearest.get(places.len() / 10).copied().unwrap_or(1.0);
    let factor = (0.7 / low.max(0.01)).clamp(1.0, 3.0);
    for point in places {
        *point = *point * factor;
    }
}

/// Moves places towards wanted distances; pairs with a distance that is not finite and positive
/// are passed over.
pub(super) fn refine(places: &mut [Point], distances: &[Vec<f64>], sweeps: usize) {
    for _ in 0..sweeps {
        let mut furthest = 0.0_f64;
        for vertex in 0..places.len() {
            let here = places[vertex];
            let (mut sum, mut weights) = (Point::default(), 0.0);
            for (other, &wanted) in distances[vertex].iter().enumerate() {
                if other == vertex || !wanted.is_finite() || wanted <= 0.0 {
                    continue;
                }
                let weight = 1.0 / (wanted * wanted);
                let mut step = here - places[other];
                if step.length() < 1e-9 {
                    step = Point::at_angle((vertex + other) as f64);
                }
                sum = sum + (places[other] + step.unit() * wanted) * weight;
                weights += weight;
            }
            if weights > 0.0 {
                places[vertex] = sum * (1.0 / weights);
                furthest = furthest.max((places[vertex] - here).length());
            }
        }
        if furthest < SMALL {
            return;
        }
    }
}

fn search_order(adjacency: &Adjacency) -> Vec<usize> {
    let start = (0..adjacency.len()).max_by_key(|&v| (adjacency.of(v).len(), usize::MAX - v));
    let mut seen = vec![false; adjacency.len()];
    let mut order = Vec::new();
    for root in start.into_iter().chain(0..adjacency.len()) {
        let mut queue = VecDeque::from([root]);
        while let Some(vertex) = queue.pop_front() {
            if std::mem::replace(&mut seen[vertex], true) {
                continue;
            }
            order.push(vertex);
            queue.extend(adjacency.of(vertex).iter().map(|&(other, _)| other));
        }
    }
    order
}

/// Numbers of edges from a vertex to all others; infinite where there is no way.
pub(super) fn distances(adjacency: &Adjacency, from: usize) -> Vec<f64> {
    let mut distances = vec![f64::INFINITY; adjacency.len()];
    distances[from] = 0.0;
    let mut queue = VecDeque::from([from]);
    while let Some(vertex) = queue.pop_front() {
        for &(other, _) in adjacency.of(vertex) {
            if distances[other].is_infinite() {
                distances[other] = distances[vertex] + 1.0;
                queue.push_back(other);
            }
        }
    }
    distances
}
