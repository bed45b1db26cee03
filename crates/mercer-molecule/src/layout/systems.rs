//! Ring systems: rings that share vertices, placed as one rigid body.

use std::collections::{BTreeMap, HashMap};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::point::centre;
use super::{Point, stress};
use crate::rings::{Adjacency, Ring};

/// The places of a ring system's vertices, in the system's own frame.
pub(super) type System = BTreeMap<usize, Point>;

/// Places every ring system.
pub(super) fn place(rings: &[Ring], adjacency: &Adjacency) -> Vec<System> {
    group(rings)
        .into_iter()
        .map(|members| {
            let members: Vec<&Ring> = members.into_iter().map(|r| &rings[r]).collect();
            place_system(&members, adjacency)
        })
        .collect()
}

/// Groups rings that share a vertex.
fn group(rings: &[Ring]) -> Vec<Vec<usize>> {
    let mut of_vertex: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, ring) in rings.iter().enumerate() {
        for &vertex in &ring.vertices {
            of_vertex.entry(vertex).or_default().push(index);
        }
    }
    let mut seen = vec![false; rings.len()];
    let mut groups = Vec::new();
    for root in 0..rings.len() {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut members = vec![root];
        let mut next = 0;
        while next < members.len() {
            for vertex in &rings[members[next]].vertices {
                for &other in &of_vertex[vertex] {
                    if !std::mem::replace(&mut seen[other], true) {
                        members.push(other);
                    }
                }
            }
            next += 1;
        }
        members.sort_unstable();
        groups.push(members);
    }
    groups
}

fn place_system(rings: &[&Ring], adjacency: &Adjacency) -> System {
    let shared = |a: &Ring, b: &Ring| {
        let both = a.vertices.iter().filter(|v| b.vertices.contains(v));
        both.count()
    };
    let fused = |ring: &Ring| {
        let others = rings.iter().filter(|r| shared(r, ring) == 2);
        others.count()
    };
    let mut places = System::new();
    let mut open: Vec<&Ring> = rings.to_vec();
    // The middle of the system first; six-membered rings set the frame of the picture.
    let Some(first) = (0..open.len()).max_by_key(|&r| {
        let six = usize::from(open[r].vertices.len() == 6);
        (fused(open[r]).min(3), six, usize::MAX - r)
    }) else {
        return places;
    };
    polygon(open.remove(first), &mut places);
    let mut bridged = false;
    while !open.is_empty() {
        let Some(next) = (0..open.len()).min_by_key(|&r| order(open[r], &places)) else {
            break;
        };
        let ring = open.remove(next);
        bridged |= attach(ring, &mut places);
    }
    if bridged {
        settle(&mut places, rings, adjacency);
    }
    places
}

/// Rings with one shared edge come first, then peri-fused ones, then bridges, then spiro atoms.
fn order(ring: &Ring, places: &System) -> (usize, usize) {
    let placed = ring
        .vertices
        .iter()
        .filter(|v| places.contains_key(v))
        .count();
    let runs = gaps(ring, places).len();
    let rank = match (placed, runs) {
        (0, _) => 9,
        (1, _) => 5,
        (_, 0) => 0,
        (2, 1) => 1,
        (_, 1) => 2,
        _ => 3,
    };
    (rank, ring.vertices.len())
}

/// Runs of vertices without a place, each with its placed ends.
fn gaps(ring: &Ring, places: &System) -> Vec<Vec<usize>> {
    let size = ring.vertices.len();
    let at = |index: usize| ring.vertices[index % size];
    let mut gaps = Vec::new();
    for start in 0..size {
        if !places.contains_key(&at(start)) || places.contains_key(&at(start + 1)) {
            continue;
        }
        let mut gap = vec![at(start)];
        let mut index = start + 1;
        while !places.contains_key(&at(index)) {
            gap.push(at(index));
            index += 1;
        }
        gap.push(at(index));
        gaps.push(gap);
    }
    gaps
}

fn radius(size: usize) -> f64 {
    0.5 / (PI / size as f64).sin()
}

fn polygon(ring: &Ring, places: &mut System) {
    let size = ring.vertices.len();
    // A vertex on top, so that the sides of hexagons are upright.
    for (index, &vertex) in ring.vertices.iter().enumerate() {
        let angle = FRAC_PI_2 + TAU * index as f64 / size as f64;
        places.insert(vertex, Point::at_angle(angle) * radius(size));
    }
}

/// Places what is left of a ring; returns whether it is a bridge that needs settling.
fn attach(ring: &Ring, places: &mut System) -> bool {
    let placed: Vec<usize> = ring
        .vertices
        .iter()
        .copied()
        .filter(|v| places.contains_key(v))
        .collect();
    if let [spiro] = placed[..] {
        attach_spiro(ring, spiro, places);
        return false;
    }
    let gaps = gaps(ring, places);
    let runs = gaps.len();
    let mut odd = runs > 1;
    for gap in gaps {
        let (Some(&from), Some(&to)) = (gap.first(), gap.last()) else {
            continue;
        };
        let (a, b) = (places[&from], places[&to]);
        let inner = gap.len() - 2;
        let mut sides = [1.0, -1.0].map(|side| arc(a, b, inner, side));
        let crowds = [0, 1].map(|s| crowd(&sides[s], places));
        let best = usize::from(crowds[1] < crowds[0]);
        let points = std::mem::take(&mut sides[best]);
        for (&vertex, point) in gap[1..].iter().zip(points) {
            places.insert(vertex, point);
        }
        // A shared path that is no edge fits a regular polygon only by luck.
        let middle = centre(ring.vertices.iter().filter_map(|v| places.get(v)).copied());
        let wanted = radius(ring.vertices.len());
        let off = |v: &usize| {
            places
                .get(v)
                .is_none_or(|p| ((*p - middle).length() - wanted).abs() > 0.1)
        };
        odd |= ring.vertices.iter().any(off);
    }
    odd
}

fn attach_spiro(ring: &Ring, spiro: usize, places: &mut System) {
    let size = ring.vertices.len();
    let here = places[&spiro];
    let near = places
        .values()
        .copied()
        .filter(|p| (*p - here).length() < 1.2);
    let away = (here - centre(near.filter(|p| *p != here))).unit();
    let middle = here + away * radius(size);
    let Some(start) = ring.vertices.iter().position(|&v| v == spiro) else {
        return;
    };
    for step in 1..size {
        let vertex = ring.vertices[(start + step) % size];
        let turned = (here - middle).turned(TAU * step as f64 / size as f64);
        places.insert(vertex, middle + turned);
    }
}

/// The points of an arc of unit steps from `a` to `b` with `inner` points between.
///
/// With n = `inner` + 1 steps that each turn by θ the chord is sin(nθ/2) / sin(θ/2), which falls
/// from n to 0 as θ grows from 0 to 2π/n.
fn arc(a: Point, b: Point, inner: usize, side: f64) -> Vec<Point> {
    let steps = (inner + 1) as f64;
    let chord = (b - a).length();
    let (mut low, mut high) = (0.0, TAU / steps);
    for _ in 0..60 {
        let turn: f64 = f64::midpoint(low, high);
        let reach = (steps * turn / 2.0).sin() / (turn / 2.0).sin();
        if reach > chord {
            low = turn;
        } else {
            high = turn;
        }
    }
    let turn = f64::midpoint(low, high);
    let stretch = if chord > steps { chord / steps } else { 1.0 };
    let mut heading = (b - a).unit().turned(side * (steps - 1.0) * turn / 2.0);
    let mut at = a;
    let mut points = Vec::with_capacity(inner);
    for _ in 0..inner {
        at = at + heading * stretch;
        points.push(at);
        heading = heading.turned(-side * turn);
    }
    points
}

fn crowd(points: &[Point], places: &System) -> f64 {
    let near = |point: &Point| -> f64 {
        let others = places.values();
        others
            .map(|p| 1.0 / ((*p - *point).dot(*p - *point) + 0.01))
            .sum()
    };
    points.iter().map(near).sum()
}

/// Evens out a bridged system.
fn settle(places: &mut System, rings: &[&Ring], adjacency: &Adjacency) {
    let vertices: Vec<usize> = places.keys().copied().collect();
    let number: HashMap<usize, usize> = vertices.iter().enumerate().map(|(i, &v)| (v, i)).collect();
    let mut wanted: Vec<Vec<f64>> = vertices
        .iter()
        .map(|&v| {
            let all = stress::distances(adjacency, v);
            // Zigzag chains advance by √3/2 an edge.
            let width = |k: f64| if k > 1.5 { 0.866 * k } else { k };
            vertices.iter().map(|&u| width(all[u])).collect()
        })
        .collect();
    for ring in rings {
        let size = ring.vertices.len();
        for i in 0..size {
            for j in 0..i {
                let apart = (i - j).min(size + j - i) as f64;
                let chord = 2.0 * radius(size) * (PI * apart / size as f64).sin();
                let (a, b) = (number[&ring.vertices[i]], number[&ring.vertices[j]]);
                // A pair of several rings is drawn as in the smallest, which comes first.
                if apart > 1.0 && chord < wanted[a][b] {
                    wanted[a][b] = chord;
                    wanted[b][a] = chord;
                }
            }
        }
    }
    let mut points: Vec<Point> = vertices.iter().map(|v| places[v]).collect();
    stress::refine(&mut points, &wanted, 200);
    for (vertex, point) in vertices.into_iter().zip(points) {
        places.insert(vertex, point);
    }
}
