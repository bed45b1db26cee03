//! Parts of a graph, each placed in its own way, side by side.

use super::{Point, branches, stress, systems, untangle};
use crate::rings::{Adjacency, small_rings};

/// Beyond this many vertices a part is not drawn as a molecule.
const LARGEST_MOLECULE: usize = 400;

/// The most neighbours of an atom in a molecule, as in SF₆.
const MOST_NEIGHBOURS: usize = 6;

/// The space between parts that are not connected.
const GAP: f64 = 1.4;

/// Returns a place for every vertex.
///
/// `straight` marks vertices whose two edges lie on one line, such as those of a triple bond;
/// entries that are missing count as `false`. Edges to vertices that are not there and loops are
/// passed over.
pub fn place(count: usize, edges: &[(u32, u32)], straight: &[bool]) -> Vec<Point> {
    let adjacency = Adjacency::new(count, edges);
    let mut number = vec![usize::MAX; count];
    let mut parts = Vec::new();
    for root in 0..count {
        if number[root] != usize::MAX {
            continue;
        }
        let mut vertices = vec![root];
        number[root] = 0;
        let mut next = 0;
        while next < vertices.len() {
            for &(other, _) in adjacency.of(vertices[next]) {
                if number[other] == usize::MAX {
                    number[other] = vertices.len();
                    vertices.push(other);
                }
            }
            next += 1;
        }
        // The order of the input, not of the search, so that pictures do not jump.
        vertices.sort_unstable();
        for (index, &vertex) in vertices.iter().enumerate() {
            number[vertex] = index;
        }
        parts.push(vertices);
    }
    let mut inner = vec![Vec::new(); parts.len()];
    let mut part_of = vec![0; count];
    for (index, part) in parts.iter().enumerate() {
        for &vertex in part {
            part_of[vertex] = index;
        }
    }
    for &(a, b) in edges {
        if let (Some(&from), Some(&to)) = (number.get(a as usize), number.get(b as usize)) {
            inner[part_of[a as usize]].push((from as u32, to as u32));
        }
    }
    let placed: Vec<Vec<Point>> = parts
        .iter()
        .zip(&inner)
        .map(|(part, edges)| {
            let straight: Vec<bool> = part
                .iter()
                .map(|&v| straight.get(v).copied().unwrap_or(false))
                .collect();
            place_part(part.len(), edges, &straight)
        })
        .collect();
    let mut places = vec![Point::default(); count];
    for (offset, (part, points)) in offsets(&placed).into_iter().zip(parts.iter().zip(&placed)) {
        for (&vertex, &point) in part.iter().zip(points) {
            places[vertex] = point + offset;
        }
    }
    places
}

fn place_part(count: usize, edges: &[(u32, u32)], straight: &[bool]) -> Vec<Point> {
    let adjacency = Adjacency::new(count, edges);
    let crowded = (0..count).any(|v| adjacency.of(v).len() > MOST_NEIGHBOURS);
    // Cubane has 5 rings for 8 vertices; nets of molecules do not go beyond.
    let dense = 8 * (edges.len() + 1) > 8 * count + 5 * count + 8;
    if count > LARGEST_MOLECULE || crowded || dense {
        let mut places = stress::place(&adjacency);
        turn(&mut places, 180);
        return finite(places);
    }
    let rings = small_rings(&adjacency, edges.len());
    let systems = systems::place(&rings, &adjacency);
    let mut places = branches::place(&adjacency, &systems, straight);
    untangle::untangle(&mut places, &adjacency, edges);
    turn(&mut places, 6);
    finite(places)
}

/// Turns a picture by one of `steps` angles of half a turn so that it is as low as possible.
fn turn(places: &mut [Point], steps: usize) {
    let height = |angle: f64| {
        let turned = places.iter().map(|p| p.turned(angle).y);
        let (low, high) = turned.fold((f64::MAX, f64::MIN), |(l, h), y| (l.min(y), h.max(y)));
        high - low
    };
    let angles = (0..steps).map(|step| step as f64 * std::f64::consts::PI / steps as f64);
    // A picture that is as good as it stands is not turned.
    let best = angles.fold((0.0, f64::MAX), |best: (f64, f64), angle| {
        let found = height(angle);
        if found < best.1 - 1e-6 {
            (angle, found)
        } else {
            best
        }
    });
    for point in places {
        *point = point.turned(best.0);
    }
}

/// The shift of each part that puts them into rows without touching.
fn offsets(parts: &[Vec<Point>]) -> Vec<Point> {
    let boxes: Vec<(Point, Point)> = parts.iter().map(|part| bounds(part)).collect();
    let sizes: Vec<Point> = boxes.iter().map(|(low, high)| *high - *low).collect();
    let area: f64 = sizes.iter().map(|s| (s.x + GAP) * (s.y + GAP)).sum();
    let widest = sizes.iter().fold(0.0_f64, |w, s| w.max(s.x));
    // Rows about twice as wide as high read well on a page.
    let limit = widest.max((2.0 * area).sqrt()).max(8.0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    let mut used = 0.0;
    for (index, size) in sizes.iter().enumerate() {
        if used + size.x > limit && rows.last().is_some_and(|row| !row.is_empty()) {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += size.x + GAP;
        if let Some(row) = rows.last_mut() {
            row.push(index);
        }
    }
    let mut offsets = vec![Point::default(); parts.len()];
    let mut top = 0.0;
    for row in rows {
        let height = row.iter().fold(0.0_f64, |h, &i| h.max(sizes[i].y));
        let mut left = 0.0;
        for index in row {
            let middle = top - height / 2.0;
            let low = boxes[index].0;
            offsets[index] = Point::new(left - low.x, middle - sizes[index].y / 2.0 - low.y);
            left += sizes[index].x + GAP;
        }
        top -= height + GAP;
    }
    offsets
}

/// Returns the lower left and upper right corner of some points.
fn bounds(points: &[Point]) -> (Point, Point) {
    let Some(&first) = points.first() else {
        return (Point::default(), Point::default());
    };
    points.iter().fold((first, first), |(low, high), p| {
        (
            Point::new(low.x.min(p.x), low.y.min(p.y)),
            Point::new(high.x.max(p.x), high.y.max(p.y)),
        )
    })
}

/// Replaces places that are no numbers, which no known graph has.
fn finite(mut places: Vec<Point>) -> Vec<Point> {
    for (index, point) in places.iter_mut().enumerate() {
        if !(point.x.is_finite() && point.y.is_finite()) {
            *point = stress::spiral(index);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use proptest::prelude::*;

    fn layout(text: &str) -> (Vec<Point>, Vec<(u32, u32)>) {
        let molecule = parse(text).expect("a molecule");
        let ends = molecule.ends();
        (place(molecule.atoms.len(), &ends, &[]), ends)
    }

    fn closest(places: &[Point]) -> f64 {
        let mut closest = f64::MAX;
        for (index, a) in places.iter().enumerate() {
            for b in &places[..index] {
                closest = closest.min((*a - *b).length());
            }
        }
        closest
    }

    #[test]
    fn rings_are_regular_and_bonds_have_length_one() {
        for text in [
            "c1ccccc1",
            "CC(=O)Oc1ccccc1C(=O)O",
            "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
            "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
            "c1ccc2cc3ccccc3cc2c1",
            "CC12CCC3C(CCC4=CC(=O)CCC34C)C1CCC2O",
            "C1CC12CCC2",
        ] {
            let (places, ends) = layout(text);
            for (a, b) in ends {
                let length = (places[a as usize] - places[b as usize]).length();
                assert!((length - 1.0).abs() < 1e-6, "{text}: {length}");
            }
            assert!(closest(&places) > 0.6, "{text}: {}", closest(&places));
        }
    }

    #[test]
    fn hard_cases_stay_apart() {
        for text in [
            "CN1CC[C@]23c4c5ccc(O)c4O[C@H]2[C@@H](O)C=C[C@H]3[C@H]1C5",
            "C1C2CC3CC1CC(C2)C3",
            "CC1(C)C2CCC1(C)C(=O)C2",
            "C12C3C4C1C5C2C3C45",
            "CC(C)(C)c1cc(C(C)(C)C)cc(C(C)(C)C)c1",
            "C(C(C(C)(C)C)(C)C)(C(C)(C)C)(C(C)(C)C)C",
            "COC(=O)C1C(OC(=O)c2ccccc2)CC2CCC1N2C",
        ] {
            let (places, _) = layout(text);
            assert!(closest(&places) > 0.25, "{text}: {}", closest(&places));
        }
    }

    #[test]
    fn parts_stand_apart() {
        let (places, _) = layout("[Na+].[Cl-].c1ccccc1.CCO");
        assert!(closest(&places) > 0.99);
        assert!(place(0, &[], &[]).is_empty());
        assert_eq!(place(1, &[(0, 0), (0, 9)], &[]).len(), 1);
    }

    #[test]
    fn other_graphs_are_spread() {
        let star: Vec<(u32, u32)> = (1..20).map(|v| (0, v)).collect();
        assert!(closest(&place(20, &star, &[])) > 0.1);
        let complete: Vec<(u32, u32)> = (0..12).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        assert!(closest(&place(12, &complete, &[])) > 0.1);
        let grid = |v: u32| [(v, v + 1), (v, v + 25)];
        let edges: Vec<(u32, u32)> = (0..600).flat_map(grid).collect();
        let places = place(626, &edges, &[]);
        assert!(places.iter().all(|p| p.x.is_finite() && p.y.is_finite()));
    }

    proptest! {
        #[test]
        fn any_graph_has_finite_places(
            count in 0_usize..40,
            edges in prop::collection::vec((0_u32..42, 0_u32..42), 0..60),
        ) {
            let places = place(count, &edges, &[true, false, true]);
            prop_assert_eq!(places.len(), count);
            prop_assert!(places.iter().all(|p| p.x.is_finite() && p.y.is_finite()));
            prop_assert_eq!(places, place(count, &edges, &[true, false, true]));
        }
    }
}
