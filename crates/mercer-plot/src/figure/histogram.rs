//! How values are spread, one outline per group.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::axis::{Ruler, Scale, extent};
use crate::drawing::Drawing;

/// A histogram of one or several groups.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Histogram {
    /// What it shows.
    pub title: String,
    /// What the values are.
    pub name: String,
    /// The values.
    pub groups: Vec<Group>,
    /// A value that is marked by a dashed line.
    pub threshold: Option<f64>,
    /// How much room it takes.
    pub size: Size,
}

/// Values of one group.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its values; those that are not finite are left out.
    pub values: Vec<f64>,
}

impl Histogram {
    /// Whether there is a value to draw.
    pub fn is_empty(&self) -> bool {
        self.finite().next().is_none()
    }

    fn finite(&self) -> impl Iterator<Item = f64> + '_ {
        let all = self.groups.iter().flat_map(|group| &group.values);
        all.copied().filter(|value| value.is_finite())
    }

    fn plane(&self) -> Plane {
        let narrow = self.size.pixels()[0] < 500.0;
        let ends = extent(self.finite().chain(self.threshold), Scale::Linear);
        // The axis of the plane is made of the same ends, so that bins fill it.
        let parts = if narrow { 4.0 } else { 8.0 };
        let [low, high] = Ruler::covering(ends, Scale::Linear, parts).ends();
        // Twice Rice's rule, since the axis reaches beyond the values; bars stay wide enough to see.
        let most = if narrow { 24.0 } else { 48.0 };
        let bins = (4.0 * (self.finite().count() as f64).cbrt()).clamp(10.0, most) as usize;
        let width = (high - low) / bins as f64;
        let count = |group: &Group| {
            let mut heights = vec![0.0; bins];
            for value in group.values.iter().filter(|v| v.is_finite()) {
                let bin = ((value - low) / width).max(0.0) as usize;
                heights[bin.min(bins - 1)] += 1.0;
            }
            heights
        };
        let mut plane = Plane::new(&self.title)
            .x(Axis::named(&self.name).between(low, high))
            .y(Axis::named("rows").reaching(0.0))
            .size(self.size);
        for (series, group) in self.groups.iter().enumerate() {
            let mark = Mark::Steps {
                left: low,
                width,
                heights: count(group),
            };
            // One group needs no name: the title has it.
            let name = if self.groups.len() > 1 {
                group.name.as_str()
            } else {
                ""
            };
            let rows = group.values.len();
            let s = if rows == 1 { "" } else { "s" };
            let remark = format!("{} row{s}", crate::text::count(rows as u64));
            plane = plane.layer(Layer::new(name, series, mark).remark(remark));
        }
        if let Some(at) = self.threshold {
            plane = plane.layer(Layer::unnamed(0, Mark::Rule([[at, 0.0], [at, 0.0]])));
        }
        plane
    }
}

impl Figure for Histogram {
    fn drawing(&self) -> Drawing {
        self.plane().drawing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_a_bin() {
        let group = |values: &[f64]| Group {
            name: "a".to_owned(),
            values: values.to_vec(),
        };
        for values in [
            &[1.0][..],
            &[f64::NAN, 2.0, f64::INFINITY, -3.0],
            &[-1e308, 1e308, 0.0],
            &[5.0, 5.0, 5.0],
        ] {
            let histogram = Histogram {
                groups: vec![group(values), group(&[])],
                threshold: Some(0.0),
                ..Histogram::default()
            };
            let plane = histogram.plane();
            let Mark::Steps { heights, .. } = &plane.layers[0].mark else {
                panic!("steps");
            };
            let finite = values.iter().filter(|v| v.is_finite()).count();
            assert_eq!(heights.iter().sum::<f64>(), finite as f64, "{values:?}");
        }
        assert!(Histogram::default().is_empty());
    }
}
