//! A symmetric matrix of rows with rows, as a map of shades.

use super::{Figure, shades};
use crate::drawing::{Drawing, Paint, Path, Shape, Words};
use crate::measure;
use crate::palette::Base;
use crate::text::short;

/// The entries of a square matrix, from pale for the smallest to deep for the largest; rows of a group
/// stand together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatrixMap {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// What rows and columns are, and in which order.
    pub name: String,
    /// The entries, row by row; what is not finite has no colour.
    pub values: Vec<f64>,
    /// Names of the groups and how many rows each has, from the first row on; may be empty.
    pub groups: Vec<(String, usize)>,
}

const SIDE: f64 = 480.0;
/// The widest cell: ten rows need not fill the page.
const WIDEST: f64 = 24.0;
/// Shades that the eye tells apart; every one is a single path, which keeps files small.
const SHADES: usize = 24;
const TOP: f64 = 12.0;
const TICK: f64 = 11.0;
const NAME: f64 = 12.0;
/// Longer names of groups are cut.
const LONGEST: f64 = 130.0;
/// The bars beside the matrix that show its groups.
const BAR: f64 = 5.0;
/// More groups than this have no lines between them: those would hide the entries.
const RULED: usize = 24;
/// Cells reach this far into their neighbours, so that no seam shines through.
const OVERLAP: f64 = 0.25;

impl MatrixMap {
    /// Rows of the largest square that there are entries for.
    fn size(&self) -> usize {
        self.values.len().isqrt()
    }

    fn ends(&self) -> Option<[f64; 2]> {
        let finite = || self.values.iter().copied().filter(|v| v.is_finite());
        let low = finite().reduce(f64::min)?;
        let high = finite().reduce(f64::max)?;
        Some([low, high])
    }

    /// The cells, shade by shade; neighbours of one shade in a row are one rectangle.
    fn paths(&self, [left, top]: [f64; 2], cell: f64) -> Vec<Path> {
        let size = self.size();
        let mut paths = vec![Path::default(); SHADES];
        let Some([low, high]) = self.ends() else {
            return paths;
        };
        // Halves keep the difference of the largest numbers finite.
        let range = high / 2.0 - low / 2.0;
        let shade = |value: f64| {
            let depth = if range > 0.0 {
                (value / 2.0 - low / 2.0) / range
            } else {
                1.0
            };
            value
                .is_finite()
                .then(|| (depth * (SHADES - 1) as f64).round() as usize)
        };
        for row in 0..size {
            let of = &self.values[row * size..(row + 1) * size];
            let mut from = 0;
            while from < size {
                let own = shade(of[from]);
                let alike = of[from..].iter().take_while(|v| shade(**v) == own).count();
                if let Some(path) = own.and_then(|own| paths.get_mut(own)) {
                    path.add_rectangle(
                        [left + cell * from as f64, top + cell * row as f64],
                        [cell * alike as f64 + OVERLAP, cell + OVERLAP],
                    );
                }
                from += alike;
            }
        }
        paths
    }

    /// Bars, names and lines of the groups.
    fn grouping(&self, drawing: &mut Drawing, [left, top]: [f64; 2], cell: f64) {
        let size = self.size();
        let side = cell * size as f64;
        let mut from = 0;
        let mut free = f64::NEG_INFINITY;
        for (k, (name, rows)) in self.groups.iter().enumerate() {
            let to = from.max((from + rows).min(size));
            let (start, end) = (cell * from as f64, cell * to as f64);
            let bars = [
                ([left - BAR - 2.0, top + start], [BAR, end - start]),
                ([left + start, top - BAR - 2.0], [end - start, BAR]),
            ];
            let bars = bars.map(|([x, y], [width, height])| Shape::Rectangle {
                x,
                y,
                width,
                height,
                round: 0.0,
            });
            drawing.alike(bars.to_vec(), Paint::fill(Base::series(k)));
            if to > from && to < size && self.groups.len() <= RULED {
                for (a, b) in [
                    ([left + end, top], [left + end, top + side]),
                    ([left, top + end], [left + side, top + end]),
                ] {
                    drawing.line(a, b, Paint::stroke(Base::Card, 1.2));
                }
            }
            let middle = top + f64::midpoint(start, end);
            if to > from && middle - 0.6 * TICK >= free {
                let shown = measure::fitted(name, TICK, LONGEST);
                let at = [left - BAR - 8.0, middle + 0.36 * TICK];
                let words = Words::new(&shown, at, TICK, Base::Soft).end();
                drawing.words(if shown == *name {
                    words
                } else {
                    words.tip(name)
                });
                free = middle + 0.6 * TICK;
            }
            from = to;
        }
    }
}

impl Figure for MatrixMap {
    fn drawing(&self) -> Drawing {
        let size = self.size().max(1);
        // Whole pixels are sharp; what has to be smaller is not.
        let exact = SIDE / size as f64;
        let cell = if exact < 1.0 {
            exact
        } else {
            exact.floor().min(WIDEST)
        };
        let side = cell * size as f64;
        let names = self.groups.iter();
        let widest = names.map(|(name, _)| measure::width(name, TICK).min(LONGEST));
        let left = widest.fold(0.0, f64::max) + BAR + 14.0;
        let width = (left + side + 6.0).max(left + 260.0);
        let mut drawing = Drawing::new(width, TOP + side + 62.0, &self.title).noted(&self.note);
        let ground = Shape::Rectangle {
            x: left,
            y: TOP,
            width: side,
            height: side,
            round: 0.0,
        };
        drawing.paint(ground, Paint::fill(Base::Back));
        for (k, path) in self.paths([left, TOP], cell).into_iter().enumerate() {
            let depth = k as f64 / (SHADES - 1) as f64;
            drawing.paint(Shape::Path(path), Paint::fill(shades::tone(depth)));
        }
        self.grouping(&mut drawing, [left, TOP], cell);
        let name = measure::fitted(&self.name, NAME, width - left);
        drawing.words(Words::new(
            name,
            [left, TOP + side + 20.0],
            NAME,
            Base::Soft,
        ));
        if let Some(ends) = self.ends() {
            let [low, high] = ends.map(short);
            shades::key(&mut drawing, [left, TOP + side + 36.0], [&low, &high]);
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(size: usize) -> MatrixMap {
        let half = size / 2;
        let entry = |k: usize| f64::from(u8::from((k / size < half) == (k % size < half)));
        MatrixMap {
            title: "two blocks".to_owned(),
            values: (0..size * size).map(entry).collect(),
            groups: vec![
                ("first".to_owned(), half),
                ("second".to_owned(), size - half),
            ],
            ..MatrixMap::default()
        }
    }

    #[test]
    fn runs_of_one_shade_are_one_rectangle() {
        let map = blocks(10);
        let paths = map.paths([0.0, 0.0], 2.0);
        let rectangles = |path: &Path| path.data().matches('M').count();
        assert_eq!(rectangles(&paths[0]), 10);
        assert_eq!(rectangles(&paths[SHADES - 1]), 10);
        assert!(paths[1..SHADES - 1].iter().all(Path::is_empty));
    }

    #[test]
    fn many_rows_are_a_small_file() {
        let svg = blocks(240).to_svg();
        assert!(svg.len() < 60_000, "{}", svg.len());
        assert!(svg.contains("first") && svg.contains("second"));
    }

    #[test]
    fn one_value_and_none_are_drawn() {
        for values in [
            vec![],
            vec![2.0],
            vec![1.0; 9],
            vec![f64::NAN; 4],
            vec![1.0; 5],
        ] {
            let map = MatrixMap {
                values,
                groups: vec![("more rows than there are".to_owned(), 7)],
                ..MatrixMap::default()
            };
            assert!(!map.to_svg().contains("NaN"));
        }
    }
}
