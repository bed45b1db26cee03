//! A series, what comes next, and how sure that is.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::drawing::{Drawing, below};

/// A series with its forecast, the band around it, and the errors that were made before.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Forecast {
    /// What it shows.
    pub title: String,
    /// What is measured along the time, such as `steps from 2024-03-01`.
    pub x_name: String,
    /// What the series measures.
    pub y_name: String,
    /// The known values; the last one stands at 0.
    pub history: Vec<f64>,
    /// The values to come, from 1 on.
    pub values: Vec<f64>,
    /// The ends of the interval of each; may be empty.
    pub band: Vec<[f64; 2]>,
    /// What the band is called, such as `90 % interval`.
    pub band_name: String,
    /// Errors on known values that were held out, in the order of time; may be empty.
    pub errors: Vec<f64>,
}

/// Known values that are shown beside one that is forecast, and at least.
const PAST: [usize; 2] = [6, 60];
/// Lines of more places are thinned evenly: a pixel holds no more.
const MOST: usize = 4000;

/// Some of many points, the last one always.
fn thinned(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let step = points.len().div_ceil(MOST).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points.into_iter().enumerate();
    let kept = kept.filter(|(place, _)| (last - place).is_multiple_of(step));
    kept.map(|(_, point)| point).collect()
}

impl Forecast {
    fn series(&self) -> Plane {
        let shown = (PAST[0] * self.values.len()).max(PAST[1]);
        let first = self.history.len().saturating_sub(shown);
        let last = self.history.len() as f64 - 1.0;
        let place = |(place, value): (usize, &f64)| [place as f64 - last, *value];
        let past: Vec<[f64; 2]> = self
            .history
            .iter()
            .enumerate()
            .skip(first)
            .map(place)
            .collect();
        // The forecast goes on from the last known value.
        let joint = past.last().copied().filter(|[_, value]| value.is_finite());
        let steps = self.values.iter().zip(1_u32..);
        let to_come = steps.map(|(value, step)| [f64::from(step), *value]);
        let to_come: Vec<[f64; 2]> = joint.into_iter().chain(to_come).collect();
        let mut around: Vec<[f64; 3]> = joint.map(|[x, y]| [x, y, y]).into_iter().collect();
        let band = self.band.iter().zip(1_u32..);
        around.extend(band.map(|([low, high], step)| [f64::from(step), *low, *high]));
        let mut plane = Plane::new(&self.title)
            .x(Axis::named(&self.x_name))
            .y(Axis::named(&self.y_name))
            .size(Size::Wide);
        if !self.band.is_empty() {
            plane = plane.layer(Layer::new(&self.band_name, 1, Mark::Band(around)));
        }
        plane
            .layer(Layer::new("known", 0, Mark::Line(thinned(past))))
            .layer(Layer::new("forecast", 1, Mark::Line(thinned(to_come))))
    }

    fn held_out(&self) -> Plane {
        let errors = self.errors.iter().zip(1_u32..);
        let errors: Vec<[f64; 2]> = errors.map(|(e, place)| [f64::from(place), *e]).collect();
        let end = errors.len() as f64;
        Plane::new("")
            .x(Axis::named(
                "known values that were held out, in the order of time",
            ))
            .y(Axis::named("error").reaching(0.0))
            .size(Size::Pixels(760.0, 190.0))
            .layer(Layer::unnamed(0, Mark::Rule([[1.0, 0.0], [end, 0.0]])))
            .layer(Layer::unnamed(0, Mark::Spots(thinned(errors))))
    }
}

impl Figure for Forecast {
    fn drawing(&self) -> Drawing {
        let mut parts = vec![self.series().drawing()];
        let title = std::mem::take(&mut parts[0].title);
        if self.errors.iter().any(|error| error.is_finite()) {
            parts.push(self.held_out().drawing());
        }
        let mut whole = below(parts);
        whole.title = title;
        whole
    }
}
