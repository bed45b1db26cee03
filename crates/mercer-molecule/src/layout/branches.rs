//! Chains and ring systems, joined outwards from the largest ring system.

use std::collections::VecDeque;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::point::centre;
use super::systems::System;
use super::{Point, stress};
use crate::rings::Adjacency;

/// The turn from one bond of a zigzag to the way back: 120°.
const ZIGZAG: f64 = TAU / 3.0;

/// Vertices closer than this count as a collision.
const CLOSE: f64 = 0.6;

/// Places a connected graph, given the shapes of its ring systems.
pub(super) fn place(adjacency: &Adjacency, systems: &[System], straight: &[bool]) -> Vec<Point> {
    let count = adjacency.len();
    let mut system_of = vec![None; count];
    for (index, system) in systems.iter().enumerate() {
        for &vertex in system.keys() {
            system_of[vertex] = Some(index);
        }
    }
    let mut growth = Growth {
        adjacency,
        systems,
        system_of,
        straight,
        places: vec![None; count],
        queue: VecDeque::new(),
    };
    growth.start();
    while let Some(vertex) = growth.queue.pop_front() {
        growth.grow(vertex);
    }
    let places = growth.places.into_iter().enumerate();
    places
        .map(|(index, place)| place.unwrap_or_else(|| stress::spiral(index)))
        .collect()
}

struct Growth<'a> {
    adjacency: &'a Adjacency,
    systems: &'a [System],
    system_of: Vec<Option<usize>>,
    straight: &'a [bool],
    places: Vec<Option<Point>>,
    /// Placed vertices whose neighbours may have no place yet.
    queue: VecDeque<usize>,
}

impl Growth<'_> {
    fn start(&mut self) {
        let largest =
            (0..self.systems.len()).max_by_key(|&s| (self.systems[s].len(), usize::MAX - s));
        if let Some(system) = largest {
            for (&vertex, &point) in &self.systems[system] {
                self.put(vertex, point);
            }
        } else if !self.adjacency.is_empty() {
            // One end of a longest path: the vertex furthest from the one furthest from any.
            let furthest = |from: usize| {
                let distances = stress::distances(self.adjacency, from);
                let reach = |v: &usize| distances[*v] as usize;
                (0..distances.len()).max_by_key(reach).unwrap_or(0)
            };
            self.put(furthest(furthest(0)), Point::default());
        }
    }

    fn put(&mut self, vertex: usize, point: Point) {
        self.places[vertex] = Some(point);
        self.queue.push_back(vertex);
    }

    fn grow(&mut self, vertex: usize) {
        let Some(here) = self.places[vertex] else {
            return;
        };
        let mut open = Vec::new();
        let mut placed = Vec::new();
        for &(other, _) in self.adjacency.of(vertex) {
            match self.places[other] {
                Some(point) => placed.push((other, point)),
                None => open.push(other),
            }
        }
        if open.is_empty() {
            return;
        }
        let sizes: Vec<usize> = open.iter().map(|&u| self.behind(vertex, u)).collect();
        let mut order: Vec<usize> = (0..open.len()).collect();
        order.sort_by_key(|&i| (usize::MAX - sizes[i], i));
        let open: Vec<usize> = order.into_iter().map(|i| open[i]).collect();
        let angles = match placed[..] {
            [] => first_angles(open.len()),
            [(parent, point)] => self.chain_angles(vertex, here, (parent, point), open.len()),
            _ => gap_angles(placed.iter().map(|(_, p)| (*p - here).angle()), open.len()),
        };
        for (other, angle) in open.into_iter().zip(angles) {
            if self.places[other].is_some() {
                continue;
            }
            let there = here + Point::at_angle(angle);
            match self.system_of[other] {
                Some(system) => self.put_system(system, other, here, there),
                None => self.put(other, there),
            }
        }
    }

    /// How many vertices lie beyond an edge, counted without going back.
    fn behind(&self, from: usize, start: usize) -> usize {
        let mut seen = vec![start];
        let mut next = 0;
        let mut marked = vec![false; self.places.len()];
        marked[from] = true;
        marked[start] = true;
        while next < seen.len() {
            for &(other, _) in self.adjacency.of(seen[next]) {
                if !marked[other] {
                    marked[other] = true;
                    seen.push(other);
                }
            }
            next += 1;
        }
        seen.len()
    }

    /// Directions of the neighbours of a vertex that hangs on one placed neighbour; the first is
    /// that of the main chain.
    fn chain_angles(
        &self,
        vertex: usize,
        here: Point,
        parent: (usize, Point),
        count: usize,
    ) -> Vec<f64> {
        let back = (parent.1 - here).angle();
        if count == 1 && self.straight.get(vertex).copied().unwrap_or(false) {
            return vec![back + PI];
        }
        match count {
            1 | 2 => {
                let side = self.zigzag_side(here, parent, vertex);
                vec![back + side * ZIGZAG, back - side * ZIGZAG]
            }
            3 => vec![back + PI, back + FRAC_PI_2, back - FRAC_PI_2],
            _ => {
                let step = TAU / (count + 1) as f64;
                (1..=count).map(|i| back + step * i as f64).collect()
            }
        }
    }

    /// Which of the two directions of a zigzag to take: away from where the chain came from,
    /// unless that runs into something.
    fn zigzag_side(&self, here: Point, (parent, point): (usize, Point), vertex: usize) -> f64 {
        let before: Vec<Point> = self
            .adjacency
            .of(parent)
            .iter()
            .filter(|&&(other, _)| other != vertex)
            .filter_map(|&(other, _)| self.places[other])
            .collect();
        let axis = here - point;
        let lean = axis.cross(centre(before.iter().copied()) - point);
        // Beyond a vertex with neighbours on both sides neither side is the right one.
        let preferred = if before.is_empty() || lean.abs() < 0.1 || lean > 0.0 {
            1.0
        } else {
            -1.0
        };
        let back = (point - here).angle();
        let free = |side: f64| {
            let there = here + Point::at_angle(back + side * ZIGZAG);
            let near = self.places.iter().flatten().map(|p| (*p - there).length());
            near.fold(f64::MAX, f64::min)
        };
        let (this, other) = (free(preferred), free(-preferred));
        if this < CLOSE && other > this {
            -preferred
        } else {
            preferred
        }
    }

    /// Places a ring system with one vertex at `there`, its outside towards `here`.
    fn put_system(&mut self, system: usize, vertex: usize, here: Point, there: Point) {
        let shape = &self.systems[system];
        let anchor = shape[&vertex];
        let around = self
            .adjacency
            .of(vertex)
            .iter()
            .filter_map(|(other, _)| shape.get(other))
            .map(|p| (*p - anchor).angle());
        let outside = gap_angles(around, 1).first().copied().unwrap_or(0.0);
        let turn = (here - there).angle() - outside;
        let images = [false, true].map(|mirror| {
            let image = shape.iter().map(|(&v, &p)| {
                let moved = there + (p - anchor).turned(turn);
                (
                    v,
                    if mirror {
                        moved.mirrored(here, there)
                    } else {
                        moved
                    },
                )
            });
            image.collect::<Vec<(usize, Point)>>()
        });
        let crowd = |image: &[(usize, Point)]| -> f64 {
            let near = |p: &Point| {
                let placed = self.places.iter().flatten();
                placed
                    .map(|q| 1.0 / ((*q - *p).dot(*q - *p) + 0.01))
                    .sum::<f64>()
            };
            image.iter().map(|(_, p)| near(p)).sum()
        };
        let mirror = crowd(&images[1]) < crowd(&images[0]) - 1e-6;
        for (v, point) in images[usize::from(mirror)].clone() {
            if self.places[v].is_none() {
                self.put(v, point);
            }
        }
    }
}

/// Directions of the neighbours of the first vertex.
fn first_angles(count: usize) -> Vec<f64> {
    let step = TAU / count.max(1) as f64;
    (0..count).map(|i| -PI / 6.0 + step * i as f64).collect()
}

/// Directions that divide the widest gap between others.
fn gap_angles(taken: impl Iterator<Item = f64>, count: usize) -> Vec<f64> {
    let mut taken: Vec<f64> = taken.map(|a| a.rem_euclid(TAU)).collect();
    taken.sort_by(f64::total_cmp);
    let Some(&first) = taken.first() else {
        return first_angles(count);
    };
    let mut widest = (0.0, first);
    for (index, &start) in taken.iter().enumerate() {
        let end = taken.get(index + 1).copied().unwrap_or(first + TAU);
        if end - start > widest.0 + 1e-9 {
            widest = (end - start, start);
        }
    }
    let step = widest.0 / (count + 1) as f64;
    (1..=count).map(|i| widest.1 + step * i as f64).collect()
}
