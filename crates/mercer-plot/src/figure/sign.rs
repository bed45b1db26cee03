//! Signs that stand beside a verdict.

use super::Figure;
use crate::drawing::{Drawing, Kind, Paint, Path, Shape};
use crate::palette::Base;

/// Whether something went well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It did: a tick.
    Good,
    /// It did not: an exclamation mark.
    Bad,
    /// Nothing is known: a stroke.
    Open,
}

impl Figure for Sign {
    fn drawing(&self) -> Drawing {
        let mut drawing = Drawing::new(24.0, 24.0, "").of_kind(Kind::Sign);
        let (tone, lines): (Base, &[&[[f64; 2]]]) = match self {
            Self::Good => (Base::Good, &[&[[5.0, 12.5], [9.5, 17.0], [19.0, 7.5]]]),
            Self::Bad => (
                Base::Bad,
                &[&[[12.0, 5.0], [12.0, 14.0]], &[[12.0, 17.5], [12.0, 19.5]]],
            ),
            Self::Open => (Base::Soft, &[&[[7.0, 12.0], [17.0, 12.0]]]),
        };
        let mut path = Path::default();
        for line in lines {
            path.add(line.iter().copied());
        }
        drawing.paint(Shape::Path(path), Paint::stroke(tone, 2.4));
        drawing
    }
}
