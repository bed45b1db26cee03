//! Letters of atoms, with hydrogens, charge and mass beside them.

use super::structure::Atom;
use super::vector::{Point, minus, plus, times, unit};
use crate::drawing::{Anchor, Words};
use crate::measure;
use crate::palette::{Base, Tone};

/// Size of letters in bond lengths.
const SIZE: f64 = 0.4;
/// The longest name in bond lengths: neighbours are one away.
const LONGEST: f64 = 0.9;

/// Where hydrogens stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
    Above,
    Below,
}

/// What is written at an atom: letters on its colour, or on the ground where it has none.
pub(super) struct Letters<'a> {
    pub(super) atom: &'a Atom,
    pub(super) at: Point,
    /// Places of the neighbours.
    pub(super) near: &'a [Point],
    /// The colour of the atom's disc and its radius.
    pub(super) disc: Option<(Tone, f64)>,
    /// Pixels of a bond.
    pub(super) scale: f64,
}

impl Letters<'_> {
    /// All words; none for a corner that stands for carbon.
    pub(super) fn words(&self) -> Vec<Words> {
        if self.atom.symbol.is_empty() {
            return Vec::new();
        }
        let size = self.scale * SIZE;
        let ink = self.disc.map_or(Base::Ink, |(tone, _)| tone.letters());
        let own = own_size(&self.atom.symbol, self.scale);
        let base = self.at[1] + own * 0.36;
        // What is too long in the smallest letters too is cut.
        let shown = measure::fitted(&self.atom.symbol, own, LONGEST * self.scale + 0.5);
        let half = measure::width(&shown, own) / 2.0;
        let letters = Words::new(&shown, [self.at[0], base], own, ink).middle();
        let mut words = vec![if shown == self.atom.symbol {
            letters
        } else {
            letters.tip(&self.atom.symbol)
        }];
        let half = half.max(self.disc.map_or(0.0, |(_, radius)| radius + 1.0));
        let mut right = self.at[0] + half;
        let small = size * 0.72;
        let beside = |text: String, at: Point, size: f64, anchor: Anchor| {
            Words::new(text, at, size, Base::Ink).anchored(anchor)
        };
        if let Some(mass) = self.atom.isotope {
            let at = [self.at[0] - half, base - size * 0.45];
            words.push(beside(mass.to_string(), at, small, Anchor::End));
        }
        if self.atom.hydrogens > 0 {
            let text = hydrogens(self.atom.hydrogens);
            let lift = self
                .disc
                .map_or(size * 0.95, |(_, radius)| radius + 0.55 * size);
            let (at, anchor) = match self.side() {
                Side::Left => ([self.at[0] - half, base], Anchor::End),
                Side::Right => {
                    let at = [right, base];
                    right += measure::width(&text, size);
                    (at, Anchor::Start)
                }
                Side::Above => ([self.at[0], base - lift], Anchor::Middle),
                Side::Below => ([self.at[0], base + lift], Anchor::Middle),
            };
            words.push(beside(text, at, size, anchor));
        }
        if self.atom.charge != 0 {
            let y = base - size * if self.disc.is_some() { 0.65 } else { 0.45 };
            // A bond to the upper right would hide the sign.
            let hidden = self.near.iter().any(|place| {
                let step = unit(minus(*place, self.at));
                step[0] > 0.3 && step[1] < -0.2
            });
            let left = hidden && self.atom.isotope.is_none() && self.atom.hydrogens == 0;
            let (x, anchor) = if left {
                (self.at[0] - half, Anchor::End)
            } else {
                (right, Anchor::Start)
            };
            words.push(beside(charge(self.atom.charge), [x, y], small, anchor));
        }
        words
    }

    /// The side with room for hydrogens, away from the neighbours.
    fn side(&self) -> Side {
        let lean = self.near.iter().fold([0.0, 0.0], |sum, place| {
            plus(sum, times(minus(*place, self.at), 1.0 / self.scale))
        });
        // Alone, halogens and the elements below oxygen are written after their hydrogens: H₂O.
        let last = ["O", "S", "Se", "F", "Cl", "Br", "I"];
        if self.near.is_empty() && last.contains(&self.atom.symbol.as_str()) {
            return Side::Left;
        }
        // Between neighbours to the left and right there is room above or below only.
        if self.near.len() > 1 && lean[0].abs() < 0.5 {
            return if lean[1] > 0.0 {
                Side::Above
            } else {
                Side::Below
            };
        }
        if lean[0] > 0.1 {
            Side::Left
        } else {
            Side::Right
        }
    }
}

/// The size of letters; long names are set smaller so that they stay near their vertex.
fn own_size(symbol: &str, scale: f64) -> f64 {
    let size = scale * SIZE;
    let whole = measure::width(symbol, size);
    (size * (LONGEST * scale / whole).min(1.0)).max(7.0)
}

/// The radius in pixels that the letters of an atom keep free of bonds.
pub(super) fn room(symbol: &str, scale: f64) -> f64 {
    if symbol.is_empty() {
        return 0.0;
    }
    let half = measure::width(symbol, own_size(symbol, scale)) / 2.0;
    (half + 0.08 * scale).clamp(0.25 * scale, 0.4 * scale)
}

fn hydrogens(count: u8) -> String {
    let number: String = match count {
        1 => String::new(),
        n => n.to_string().chars().map(lowered).collect(),
    };
    format!("H{number}")
}

fn lowered(digit: char) -> char {
    char::from_u32(0x2080 + (digit as u32).wrapping_sub('0' as u32)).unwrap_or(digit)
}

fn charge(charge: i8) -> String {
    let sign = if charge < 0 { '−' } else { '+' };
    match charge.unsigned_abs() {
        1 => sign.to_string(),
        n => format!("{n}{sign}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(atom: &Atom, near: &[Point]) -> Vec<String> {
        let letters = Letters {
            atom,
            at: [50.0, 50.0],
            near,
            disc: None,
            scale: 36.0,
        };
        letters.words().into_iter().map(|w| w.text).collect()
    }

    #[test]
    fn everything_about_an_atom_is_written() {
        let ammonium = Atom {
            symbol: "N".to_owned(),
            hydrogens: 4,
            charge: 1,
            isotope: Some(15),
            ..Atom::default()
        };
        assert_eq!(written(&ammonium, &[]), ["N", "15", "H₄", "+"]);
        let oxide = Atom {
            symbol: "O".to_owned(),
            charge: -2,
            ..Atom::default()
        };
        assert_eq!(written(&oxide, &[[86.0, 50.0]]), ["O", "2−"]);
        assert!(written(&Atom::default(), &[]).is_empty());
    }

    #[test]
    fn hydrogens_stand_away_from_neighbours() {
        let atom = Atom {
            symbol: "N".to_owned(),
            hydrogens: 2,
            ..Atom::default()
        };
        let place = |near: &[Point]| {
            let letters = Letters {
                atom: &atom,
                at: [50.0, 50.0],
                near,
                disc: None,
                scale: 36.0,
            };
            let words = letters.words();
            [words[1].at[0] - 50.0, words[1].at[1] - words[0].at[1]]
        };
        assert!(place(&[[86.0, 50.0]])[0] < 0.0 && place(&[[14.0, 50.0]])[0] > 0.0);
        assert!(place(&[[80.0, 70.0], [20.0, 70.0]])[1] < 0.0);
        assert!(place(&[[80.0, 30.0], [20.0, 30.0]])[1] > 0.0);
    }
}
