//! Whether probabilities come true.

use super::Figure;
use super::plane::{Axis, Layer, Mark, Plane, Size};
use crate::drawing::{Drawing, Entry, Key, below, beside, legend};
use crate::text::count;

/// Predicted probabilities beside what happened, and how often each was predicted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reliability {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// Who predicted.
    pub series: Vec<ReliabilitySeries>,
}

/// The predictions of one model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReliabilitySeries {
    /// Whose they are.
    pub name: String,
    /// A remark beside the name, such as a calibration error.
    pub remark: String,
    /// Bins of equal width from 0 to 1.
    pub bins: Vec<Bin>,
}

/// The rows whose predicted probability is in one range.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bin {
    /// How many there are.
    pub rows: u64,
    /// Their mean probability; not finite where there are none.
    pub predicted: f64,
    /// The share for which it came true.
    pub observed: f64,
    /// How far that share may be off by chance.
    pub error: f64,
}

const PANEL: Size = Size::Pixels(430.0, 430.0);

impl Reliability {
    fn diagram(&self) -> Plane {
        let mut plane = Plane::default()
            .x(Axis::named("predicted probability").between(0.0, 1.0))
            .y(Axis::named("share that happened").between(0.0, 1.0))
            .size(PANEL)
            .layer(Layer::unnamed(0, Mark::Rule([[0.0, 0.0], [1.0, 1.0]])));
        for (series, one) in self.series.iter().enumerate() {
            let known = || one.bins.iter().filter(|bin| bin.rows > 0);
            let mark = Mark::Points {
                at: known().map(|bin| [bin.predicted, bin.observed]).collect(),
                errors: known().map(|bin| bin.error).collect(),
                joined: true,
            };
            plane = plane.layer(Layer::unnamed(series, mark));
        }
        plane
    }

    fn counts(&self) -> Plane {
        let all = self.series.iter().flat_map(|one| &one.bins);
        let most = all.map(|bin| bin.rows).max().unwrap_or(0) as f64;
        let mut plane = Plane::default()
            .x(Axis::named("predicted probability").between(0.0, 1.0))
            // Counts stand upright on the columns and need a little room above the tallest.
            .y(Axis::named("test rows").reaching(1.1 * most))
            .size(PANEL);
        for (series, one) in self.series.iter().enumerate() {
            let mark = Mark::Columns {
                left: 0.0,
                width: 1.0 / one.bins.len().max(1) as f64,
                heights: one.bins.iter().map(|bin| bin.rows as f64).collect(),
                labels: one.bins.iter().map(label).collect(),
                place: [series, self.series.len()],
            };
            plane = plane.layer(Layer::unnamed(series, mark));
        }
        plane
    }
}

/// Empty columns need no number.
fn label(bin: &Bin) -> String {
    if bin.rows == 0 {
        String::new()
    } else {
        count(bin.rows)
    }
}

impl Figure for Reliability {
    fn drawing(&self) -> Drawing {
        let panels = beside(vec![self.diagram().body(), self.counts().body()]);
        let entry = |(series, one): (usize, &ReliabilitySeries)| Entry {
            name: one.name.clone(),
            remark: one.remark.clone(),
            series,
            key: Key::Points,
        };
        let entries: Vec<Entry> = self.series.iter().enumerate().map(entry).collect();
        let key = legend(&entries, panels.width);
        let mut whole = below(vec![key, panels]);
        whole.title.clone_from(&self.title);
        whole.noted(&self.note)
    }
}
