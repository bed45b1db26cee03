//! Lines through points, and the outlines of marks.

use std::fmt::Write as _;

use crate::markup::coordinate;

/// The data of a path.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Path(String);

impl Path {
    /// A line through points.
    pub(crate) fn through(points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let mut path = Self::default();
        path.add(points);
        path
    }

    /// The same, closed.
    pub(crate) fn around(points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self::through(points).closed()
    }

    /// Adds a line that is not joined to what was there.
    pub(crate) fn add(&mut self, points: impl IntoIterator<Item = [f64; 2]>) {
        for (k, [x, y]) in points.into_iter().enumerate() {
            let letter = if k == 0 { 'M' } else { 'L' };
            let _ = write!(self.0, "{letter}{} {}", coordinate(x), coordinate(y));
        }
    }

    /// Adds a rectangle, in as few letters as there are.
    pub(crate) fn add_rectangle(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        let [right, bottom] = [x + width, y + height].map(coordinate);
        let x = coordinate(x);
        let _ = write!(self.0, "M{x} {}H{right}V{bottom}H{x}Z", coordinate(y));
    }

    pub(crate) fn closed(mut self) -> Self {
        if !self.0.is_empty() {
            self.0.push('Z');
        }
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn data(&self) -> &str {
        &self.0
    }
}
