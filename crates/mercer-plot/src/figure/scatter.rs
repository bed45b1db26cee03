//! Predicted against true values.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::axis::{Ruler, Scale, extent};
use crate::drawing::Drawing;

/// Predictions beside the truth, one spot per row, with the line on which they are equal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scatter {
    /// What it shows.
    pub title: String,
    /// True and predicted value of each row.
    pub pairs: Vec<[f64; 2]>,
}

/// More spots than this are thinned evenly: they would only blacken the page.
const MOST: usize = 2000;

impl Scatter {
    /// Whether there is a row to draw.
    pub fn is_empty(&self) -> bool {
        !self.pairs.iter().flatten().any(|value| value.is_finite())
    }
}

impl Figure for Scatter {
    fn drawing(&self) -> Drawing {
        // Both axes are alike, so that the line of equal values is the diagonal.
        let ends = extent(self.pairs.iter().flatten().copied(), Scale::Linear);
        let [low, high] = Ruler::covering(ends, Scale::Linear, 5.0).ends();
        let step = self.pairs.len().div_ceil(MOST).max(1);
        let spots = self.pairs.iter().copied().step_by(step).collect();
        Plane::new(&self.title)
            .x(Axis::named("true value").between(low, high))
            .y(Axis::named("predicted value").between(low, high))
            .size(Size::Half)
            .layer(Layer::unnamed(0, Mark::Rule([[low, low], [high, high]])))
            .layer(Layer::unnamed(0, Mark::Spots(spots)))
            .drawing()
    }
}
