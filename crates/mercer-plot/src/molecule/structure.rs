//! What is drawn, and its layout.

use super::bonds::{Placed, lines};
use super::key::{self, key};
use super::letters::{Letters, room};
use super::vector::Point;
use crate::drawing::{Anchor, Dash, Drawing, Item, Paint, Shape, Words};
use crate::figure::Figure;
use crate::measure;
use crate::palette::{Base, Tone};

/// A molecule or a graph on paper.
///
/// Weights colour the atoms: blue with a dashed edge below zero, grey at zero, red above.
///
/// ```
/// use mercer_plot::Figure;
/// use mercer_plot::molecule::{Atom, Bond, BondOrder, Structure};
///
/// let atom = |x: f64, symbol: &str| Atom { at: [x, 0.0], symbol: symbol.to_owned(), ..Atom::default() };
/// let formaldehyde = Structure {
///     title: "formaldehyde".to_owned(),
///     atoms: vec![atom(0.0, ""), atom(1.0, "O")],
///     bonds: vec![Bond { ends: [0, 1], order: BondOrder::Double }],
///     ..Structure::default()
/// };
/// assert!(formaldehyde.to_svg().contains(">O</text>"));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Structure {
    /// What it shows.
    pub title: String,
    /// Its atoms or vertices; one whose place is not finite is left out, with its bonds.
    pub atoms: Vec<Atom>,
    /// Its bonds or edges.
    pub bonds: Vec<Bond>,
    /// Atoms around each ring: inner lines of double bonds lie inside of them.
    pub rings: Vec<Vec<usize>>,
    /// What the weights are.
    pub legend: String,
    /// The weight that has the full colour; the largest in size where it is not said.
    pub full: Option<f64>,
    /// The length of a bond in pixels; 40 where it is not said.
    pub bond_length: Option<f64>,
}

/// An atom or a vertex.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Atom {
    /// Its place in bond lengths, upwards.
    pub at: [f64; 2],
    /// Its letters; none where a corner stands for carbon.
    pub symbol: String,
    /// How many hydrogens are written beside it.
    pub hydrogens: u8,
    /// Its charge.
    pub charge: i8,
    /// Its mass, where it is written.
    pub isotope: Option<u16>,
    /// Its weight; where one atom has one, all are coloured.
    pub weight: Option<f64>,
}

/// A bond or an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bond {
    /// The numbers of its atoms.
    pub ends: [usize; 2],
    /// How many lines it has.
    pub order: BondOrder,
}

/// How many lines a bond has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BondOrder {
    /// One.
    #[default]
    Single,
    /// Two.
    Double,
    /// Three.
    Triple,
    /// Four.
    Quadruple,
    /// One, and a dashed one beside it.
    Aromatic,
}

/// The frame around all letters and discs, in pixels.
const MARGIN: f64 = 10.0;

impl Structure {
    /// Atoms with a place, bonds between them, and rings of them, numbered anew.
    fn placed(&self) -> (Vec<&Atom>, Vec<Placed>, Vec<Vec<usize>>) {
        let mut numbers = vec![None; self.atoms.len()];
        let mut atoms = Vec::new();
        for (atom, number) in self.atoms.iter().zip(&mut numbers) {
            // Larger drawings than this are a mistake of whoever placed the atoms.
            if atom.at.iter().all(|v| v.abs() <= 1e4) {
                *number = Some(atoms.len());
                atoms.push(atom);
            }
        }
        let number = |atom: usize| numbers.get(atom).copied().flatten();
        let bonds = self.bonds.iter().filter_map(|bond| {
            let ends = [number(bond.ends[0])?, number(bond.ends[1])?];
            (ends[0] != ends[1]).then_some(Placed {
                ends,
                order: bond.order,
            })
        });
        let ring = |ring: &Vec<usize>| -> Option<Vec<usize>> {
            let ring: Option<Vec<usize>> = ring.iter().map(|&atom| number(atom)).collect();
            ring.filter(|ring| ring.len() > 2)
        };
        let rings = self.rings.iter().filter_map(ring).collect();
        (atoms, bonds.collect(), rings)
    }

    /// The weight with the full colour: given, or the largest in size, or one.
    fn full_weight(&self) -> f64 {
        let weights = self.atoms.iter().filter_map(|atom| atom.weight);
        let largest = weights
            .filter(|weight| weight.is_finite())
            .fold(0.0_f64, |most, weight| most.max(weight.abs()));
        match self.full {
            Some(full) if full.is_finite() && full > 0.0 => full,
            _ if largest > 0.0 => largest,
            _ => 1.0,
        }
    }
}

/// Left, upper, right and lower edge of what is drawn.
struct Edges([f64; 4]);

impl Edges {
    fn reach(&mut self, x: [f64; 2], y: [f64; 2]) {
        let [left, top, right, bottom] = self.0;
        self.0 = [
            left.min(x[0]),
            top.min(y[0]),
            right.max(x[1]),
            bottom.max(y[1]),
        ];
    }

    fn reach_words(&mut self, words: &Words) {
        let [x, y] = words.at;
        let width = measure::width(&words.text, words.size);
        let left = match words.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        self.reach([left, left + width], [y - 0.75 * words.size, y + 2.0]);
    }
}

impl Figure for Structure {
    fn drawing(&self) -> Drawing {
        let scale = match self.bond_length {
            Some(length) if length.is_finite() => length.clamp(4.0, 400.0),
            _ => 40.0,
        };
        let (atoms, bonds, rings) = self.placed();
        let points: Vec<Point> = atoms
            .iter()
            .map(|atom| [atom.at[0] * scale, -atom.at[1] * scale])
            .collect();
        let coloured = atoms.iter().any(|atom| atom.weight.is_some());
        let full = self.full_weight();
        let radius = |atom: &Atom| {
            let part = if atom.symbol.is_empty() { 0.2 } else { 0.29 };
            part * scale
        };
        let mut neighbours: Vec<Vec<Point>> = vec![Vec::new(); points.len()];
        for [a, b] in bonds.iter().map(|bond| bond.ends) {
            neighbours[a].push(points[b]);
            neighbours[b].push(points[a]);
        }
        // Discs lie over the ends of bonds; letters without one need room.
        let free = |atom: &&Atom| {
            if coloured {
                0.0
            } else {
                room(&atom.symbol, scale)
            }
        };
        let free: Vec<f64> = atoms.iter().map(free).collect();

        let mut body = Drawing::new(1.0, 1.0, "");
        let mut edges = Edges([
            f64::INFINITY,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NEG_INFINITY,
        ]);
        let (mut solid, mut dashed) = (Vec::new(), Vec::new());
        for line in lines(&points, &bonds, &rings, &free, scale) {
            let list = if line.dashed { &mut dashed } else { &mut solid };
            list.push(Shape::Line {
                from: line.from,
                to: line.to,
            });
        }
        let pen = Paint::stroke(Base::Ink, (scale * 0.045).max(1.0));
        body.alike(solid, pen);
        body.alike(dashed, pen.dashed(Dash::Short));
        for ((atom, &at), near) in atoms.iter().zip(&points).zip(&neighbours) {
            let mut disc = None;
            let reach = radius(atom);
            edges.reach(
                [at[0] - reach, at[0] + reach],
                [at[1] - reach, at[1] + reach],
            );
            if coloured {
                let share = atom.weight.unwrap_or(0.0) / full;
                let tone = Tone::weight(share);
                disc = Some((tone, reach));
                let dash = if share < 0.0 {
                    Dash::Short
                } else {
                    Dash::Solid
                };
                let shape = Shape::Circle {
                    x: at[0],
                    y: at[1],
                    radius: reach,
                };
                let paint = Paint::fill(tone).outlined(Base::Ink, 1.0).dashed(dash);
                match atom.weight.filter(|weight| weight.is_finite()) {
                    Some(weight) => body.paint_told(shape, paint, format!("{weight:+.4}")),
                    None => body.paint(shape, paint),
                }
            }
            let letters = Letters {
                atom,
                at,
                near,
                disc,
                scale,
            };
            for words in letters.words() {
                edges.reach_words(&words);
                body.words(words);
            }
        }
        if points.is_empty() {
            edges.reach([0.0, 0.0], [0.0, 0.0]);
        }
        let [left, top, right, bottom] = edges.0;
        let least = if coloured { key::WIDTH } else { 60.0 };
        let width = (right - left + 2.0 * MARGIN).max(least);
        let height = bottom - top + 2.0 * MARGIN;
        let below = if coloured { key::HEIGHT } else { 0.0 };
        let mut drawing = Drawing::new(width, height + below, &self.title);
        drawing.items.push(Item::Moved {
            by: [(width - (right - left)) / 2.0 - left, MARGIN - top],
            items: body.items,
        });
        if coloured {
            key(&mut drawing, width, height, full, &self.legend);
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(weights: &[Option<f64>]) -> Structure {
        let atom = |(k, weight): (usize, &Option<f64>)| Atom {
            at: [k as f64, 0.5 * (k % 2) as f64],
            symbol: "<N>".to_owned(),
            weight: *weight,
            ..Atom::default()
        };
        let bond = |k: usize| Bond {
            ends: [k, k + 1],
            order: BondOrder::Single,
        };
        Structure {
            title: "a chain".to_owned(),
            atoms: weights.iter().enumerate().map(atom).collect(),
            bonds: (0..weights.len().saturating_sub(1)).map(bond).collect(),
            ..Structure::default()
        }
    }

    #[test]
    fn weights_colour_all_atoms() {
        let svg = chain(&[Some(-6.0), None, Some(3.0)]).to_svg_in(crate::Theme::Light);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("#2166ac") && svg.contains(">−6<") && svg.contains(">+6<"));
        assert!(svg.contains(">&lt;N&gt;</text>"));
        assert!(!chain(&[None, None]).to_svg().contains("<circle"));
    }

    #[test]
    fn weights_that_are_no_numbers_have_no_colour() {
        let structure = chain(&[Some(f64::NAN), Some(f64::INFINITY), Some(f64::NEG_INFINITY)]);
        assert_eq!(structure.full_weight(), 1.0);
        let svg = structure.to_svg_in(crate::Theme::Light);
        assert_eq!(svg.matches("fill=\"#e4e4e4\"").count(), 3 + 1);
    }

    #[test]
    fn what_has_no_place_is_left_out() {
        let mut structure = chain(&[None, None, None]);
        structure.atoms[1].at[0] = f64::NAN;
        structure.bonds.push(Bond {
            ends: [0, 99],
            order: BondOrder::Triple,
        });
        structure.bonds.push(Bond {
            ends: [2, 2],
            order: BondOrder::Double,
        });
        structure.rings = vec![vec![0, 1, 2], vec![7, 8, 9], vec![]];
        let (atoms, bonds, rings) = structure.placed();
        assert_eq!((atoms.len(), bonds.len(), rings.len()), (2, 0, 0));
        assert!(!structure.to_svg().contains("NaN"));
        assert!(Structure::default().to_svg().contains("<svg"));
    }
}
