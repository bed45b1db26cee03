//! The room between two axes, and what stands around it.

use super::layer;
use super::plane::{Axis, Mark, Plane};
use crate::axis::{Ruler, Scale, Tick, extent};
use crate::drawing::{Drawing, Paint, Words};
use crate::measure;
use crate::palette::Base;

const TICK: f64 = 11.0;
const NAME: f64 = 12.0;
const TOP: f64 = 10.0;
/// Longer names of ticks are cut.
const LONGEST: f64 = 120.0;
/// Between a tick's label and the plot.
const GAP: f64 = 8.0;

/// Both axes at their places.
pub(crate) struct Frame<'a> {
    plane: &'a Plane,
    pub(crate) x: Ruler,
    pub(crate) y: Ruler,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

impl<'a> Frame<'a> {
    pub(crate) fn new(plane: &'a Plane) -> Self {
        let [width, height] = plane.size.pixels();
        let points = || {
            plane
                .layers
                .iter()
                .flat_map(|layer| layer::reach(&layer.mark))
        };
        let bottom = height
            - if plane.x.name.is_empty() { 6.0 } else { 24.0 }
            - if plane.x.bare { 0.0 } else { 20.0 };
        let mut y = ruler(&plane.y, points().map(|p| p[1]), (bottom - TOP) / 52.0);
        y.thin(bottom - TOP, |_| 1.2 * TICK);
        let widest = y
            .ticks
            .iter()
            .map(|tick| measure::width(&tick.label, TICK))
            .fold(0.0, f64::max);
        let name = if plane.y.name.is_empty() { 0.0 } else { 20.0 };
        let labels = if plane.y.bare { 0.0 } else { widest + GAP };
        let left = (name + labels).clamp(2.0, width / 2.0);
        let parts = ((width - left) / 68.0).clamp(2.0, 9.0);
        let mut x = ruler(&plane.x, points().map(|p| p[0]), parts);
        let last = x.ticks.last();
        let overhang = last.map_or(0.0, |tick| measure::width(&tick.label, TICK) / 2.0);
        let right = width - overhang.clamp(8.0, width / 6.0);
        x.thin(right - left, |label| measure::width(label, TICK) + GAP);
        Self {
            plane,
            x,
            y,
            left,
            right,
            top: TOP,
            bottom,
        }
    }

    /// The place of a point in pixels; none where it has none.
    pub(crate) fn place(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        Some([
            self.left + self.x.place(x)? * (self.right - self.left),
            self.bottom - self.y.place(y)? * (self.bottom - self.top),
        ])
    }

    /// The places of those points that have one.
    pub(crate) fn places(&self, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        points
            .iter()
            .filter_map(|&point| self.place(point))
            .collect()
    }

    /// How much the areas of histograms hide; many would hide each other.
    pub(crate) fn area_opacity(&self) -> f64 {
        let layers = self.plane.layers.iter();
        let areas = layers.filter(|layer| matches!(layer.mark, Mark::Steps { .. }));
        if areas.count() > 2 { 0.06 } else { 0.28 }
    }

    /// Draws what lies behind the marks.
    pub(crate) fn grid(&self, drawing: &mut Drawing) {
        if !self.plane.y.bare {
            for tick in &self.y.ticks {
                let y = self.bottom - tick.share * (self.bottom - self.top);
                drawing.line([self.left, y], [self.right, y], Paint::grid());
            }
        }
    }

    /// Draws axes, ticks and names.
    pub(crate) fn labels(&self, drawing: &mut Drawing) {
        let (bottom, left, right) = (self.bottom, self.left, self.right);
        drawing.line([left, bottom], [right, bottom], Paint::axis());
        if !self.plane.x.bare {
            for tick in &self.x.ticks {
                let x = left + tick.share * (right - left);
                drawing.line([x, bottom], [x, bottom + 4.0], Paint::axis());
                let at = [x, bottom + 16.0];
                drawing.words(Words::new(&tick.label, at, TICK, Base::Soft).middle());
            }
        }
        if !self.plane.y.bare {
            for tick in &self.y.ticks {
                let y = bottom - tick.share * (bottom - self.top);
                let at = [left - GAP, y + 0.36 * TICK];
                drawing.words(Words::new(&tick.label, at, TICK, Base::Soft).end());
            }
        }
        let [width, height] = self.plane.size.pixels();
        let middle = centred(&self.plane.x.name, f64::midpoint(left, right), [0.0, width]);
        drawing.words(name(&self.plane.x.name, [middle, height - 7.0], width));
        // The name along the left edge stays above the one along the lower edge.
        let room = height
            - if self.plane.x.name.is_empty() {
                0.0
            } else {
                24.0
            };
        let middle = f64::midpoint(self.top, bottom);
        let middle = centred(&self.plane.y.name, middle, [0.0, room]);
        drawing.words(name(&self.plane.y.name, [12.0, middle], room).upwards());
    }
}

/// The name of an axis, cut to its room.
fn name(name: &str, at: [f64; 2], room: f64) -> Words {
    let shown = measure::fitted(name, NAME, room);
    let words = Words::new(&shown, at, NAME, Base::Soft).middle();
    if shown == name {
        words
    } else {
        words.tip(name)
    }
}

/// The middle of a text that is near a place and within its ends.
fn centred(text: &str, middle: f64, [low, high]: [f64; 2]) -> f64 {
    let half = (measure::width(text, NAME) / 2.0).min((high - low) / 2.0);
    middle.clamp(low + half, high - half)
}

fn ruler(axis: &Axis, values: impl Iterator<Item = f64>, parts: f64) -> Ruler {
    if !axis.names.is_empty() {
        let count = axis.names.len() as f64;
        let mut ruler = Ruler::between([-0.5, count - 0.5], Scale::Linear, 2.0);
        let names = axis.names.iter().enumerate();
        let tick = |(place, name): (usize, &String)| Tick {
            share: (place as f64 + 0.5) / count,
            label: measure::fitted(name, TICK, LONGEST),
        };
        ruler.ticks = names.map(tick).collect();
        return ruler;
    }
    if let Some(ends) = axis.ends {
        return Ruler::between(ends, axis.scale, parts);
    }
    let all = values.chain(axis.from);
    Ruler::covering(extent(all, axis.scale), axis.scale, parts)
}
