//! Ratios as bars on a logarithmic scale, in one or several panels.

use super::Figure;
use crate::axis::{Ruler, Scale};
use crate::drawing::{Drawing, Entry, Key, Paint, Shape, Words, below, legend};
use crate::measure;
use crate::palette::Base;

/// Bars to the left and right of 1, grouped in rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BarChart {
    /// What it shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// What each bar of a row stands for.
    pub series: Vec<BarSeries>,
    /// Names of the panels.
    pub panels: Vec<String>,
    /// The rows, from above.
    pub rows: Vec<BarRow>,
    /// What stands behind numbers of the scale, such as `×`.
    pub unit: String,
}

/// What one bar of every row stands for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BarSeries {
    /// Its name.
    pub name: String,
    /// Which series it is: its colour follows from it.
    pub series: usize,
}

/// One row of bars.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BarRow {
    /// Its name.
    pub name: String,
    /// Whether it stands out, as a mean does.
    pub strong: bool,
    /// For every panel, a bar for every series that has one.
    pub bars: Vec<Vec<Option<Bar>>>,
}

/// One bar.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bar {
    /// A positive number.
    pub value: f64,
    /// The number as it is written.
    pub label: String,
}

const WIDTH: f64 = 1000.0;
const BAR: f64 = 10.0;
const BETWEEN: f64 = 11.0;
const NAME: f64 = 12.0;
const LABEL: f64 = 9.0;
const TICK: f64 = 11.0;
/// Above the first row: names of panels and numbers of the scale.
const HEAD: f64 = 40.0;
/// Longer names of rows and labels of bars are cut.
const LONGEST: f64 = 200.0;

impl BarRow {
    fn bar(&self, panel: usize, series: usize) -> Option<&Bar> {
        let bar = self.bars.get(panel)?.get(series)?.as_ref()?;
        (bar.value.is_finite() && bar.value > 0.0).then_some(bar)
    }

    /// The series with a bar in any panel: only those have a place.
    fn shown(&self, series: usize, panels: usize) -> Vec<usize> {
        (0..series)
            .filter(|&s| (0..panels).any(|panel| self.bar(panel, s).is_some()))
            .collect()
    }
}

/// Where panels lie.
struct Places {
    names: f64,
    width: f64,
    gap: f64,
    ruler: Ruler,
}

impl Places {
    fn left(&self, panel: usize) -> f64 {
        self.names + panel as f64 * (self.width + self.gap)
    }

    fn at(&self, panel: usize, value: f64) -> f64 {
        self.left(panel) + self.ruler.place(value).unwrap_or(0.0) * self.width
    }
}

impl BarChart {
    fn bars(&self) -> impl Iterator<Item = (usize, &Bar)> {
        self.rows.iter().flat_map(move |row| {
            (0..self.panels.len()).flat_map(move |panel| {
                (0..self.series.len()).filter_map(move |s| Some((s, row.bar(panel, s)?)))
            })
        })
    }

    fn places(&self) -> Places {
        let name = |row: &BarRow| measure::width(&row.name, NAME * measure::BOLD);
        let names = self.rows.iter().map(name).fold(60.0, f64::max);
        let names = names.min(LONGEST) + 14.0;
        // What stands beside the longest bar needs room at the right of each panel.
        let label =
            |(series, bar): (usize, &Bar)| measure::width(&self.label(series, bar), LABEL) + 6.0;
        let gap = self.bars().map(label).fold(20.0, f64::max).min(LONGEST);
        let panels = self.panels.len().max(1) as f64;
        let width = ((WIDTH - names) / panels - gap).max(60.0);
        // Powers of ten around all values, 1 among them.
        let powers = self.bars().map(|(_, bar)| bar.value.log10());
        let (low, high) = powers.fold((0.0_f64, 1.0_f64), |(low, high), power| {
            (low.min(power.floor()), high.max(power.ceil()))
        });
        let ends = [low, high].map(|power| 10_f64.powf(power));
        let mut ruler = Ruler::between(ends, Scale::Log, 8.0);
        ruler.thin(width, |label| {
            measure::width(&format!("{label} {}", self.unit), TICK) + 8.0
        });
        Places {
            names,
            width,
            gap,
            ruler,
        }
    }

    /// The number with the name of its series: no colour has to be looked up.
    fn label(&self, series: usize, bar: &Bar) -> String {
        let whole = format!("{} {}", bar.label, self.series[series].name);
        measure::fitted(&whole, LABEL, LONGEST - 6.0)
    }

    fn body(&self) -> Drawing {
        let places = self.places();
        let heights: Vec<f64> = self
            .rows
            .iter()
            .map(|row| {
                let shown = row.shown(self.series.len(), self.panels.len());
                BAR * shown.len().max(1) as f64 + BETWEEN
            })
            .collect();
        let bottom = HEAD + heights.iter().sum::<f64>();
        let width = places.left(self.panels.len()).max(WIDTH);
        let mut drawing = Drawing::new(width, bottom + 4.0, "");
        for (panel, title) in self.panels.iter().enumerate() {
            let left = places.left(panel);
            let room = (places.width + places.gap) / measure::BOLD;
            let title = measure::fitted(title, NAME, room);
            drawing.words(Words::new(title, [left, 13.0], NAME, Base::Ink).bold());
            for tick in &places.ruler.ticks {
                let x = left + tick.share * places.width;
                let one = tick.label == "1";
                let paint = if one {
                    Paint::stroke(Base::Ink, 1.3)
                } else {
                    Paint::grid()
                };
                drawing.line([x, HEAD - 4.0], [x, bottom], paint);
                let label = format!("{} {}", tick.label, self.unit);
                let words = Words::new(label.trim_end(), [x, HEAD - 9.0], TICK, Base::Soft);
                drawing.words(words.middle());
            }
        }
        let mut y = HEAD;
        for (row, height) in self.rows.iter().zip(&heights) {
            self.row(&mut drawing, row, &places, y, *height);
            y += height;
        }
        drawing
    }

    fn row(&self, drawing: &mut Drawing, row: &BarRow, places: &Places, y: f64, height: f64) {
        let name = measure::fitted(&row.name, NAME, LONGEST);
        let at = [places.names - 12.0, y + height / 2.0 - 1.0];
        let words = Words::new(&name, at, NAME, Base::Ink).end();
        drawing.words(words.weight(row.strong));
        let shown = row.shown(self.series.len(), self.panels.len());
        for (panel, title) in self.panels.iter().enumerate() {
            let one = places.at(panel, 1.0);
            for (place, &series) in shown.iter().enumerate() {
                let Some(bar) = row.bar(panel, series) else {
                    continue;
                };
                let end = places.at(panel, bar.value);
                let top = y + BAR * place as f64 + 2.0;
                let shape = Shape::Rectangle {
                    x: one.min(end),
                    y: top,
                    width: (end - one).abs().max(1.0),
                    height: BAR - 1.0,
                    round: 0.0,
                };
                let name = &self.series[series].name;
                let paint = Paint::fill(Base::series(self.series[series].series));
                let tip = format!("{}, {title}, {name}: {}", row.name, bar.label);
                drawing.paint_told(shape, paint, tip);
                let label = self.label(series, bar);
                let at = [one.max(end) + 4.0, top + BAR - 2.2];
                drawing.words(Words::new(label, at, LABEL, Base::Ink));
            }
        }
    }
}

impl Figure for BarChart {
    fn drawing(&self) -> Drawing {
        let entries: Vec<Entry> = self
            .series
            .iter()
            .map(|series| Entry {
                name: series.name.clone(),
                remark: String::new(),
                series: series.series,
                key: Key::Box,
            })
            .collect();
        let mut whole = below(vec![legend(&entries, WIDTH), self.body()]);
        whole.title.clone_from(&self.title);
        whole.noted(&self.note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[f64]) -> BarChart {
        let bar = |value: &f64| {
            Some(Bar {
                value: *value,
                label: format!("{value:.1}"),
            })
        };
        BarChart {
            series: (0..values.len())
                .map(|series| BarSeries {
                    name: format!("peer {series}"),
                    series,
                })
                .collect(),
            panels: vec!["fit".to_owned()],
            rows: vec![BarRow {
                name: "case".to_owned(),
                strong: false,
                bars: vec![values.iter().map(bar).collect()],
            }],
            unit: "×".to_owned(),
            ..BarChart::default()
        }
    }

    #[test]
    fn the_scale_has_round_ends() {
        let places = chart(&[20.0, 300.0]).places();
        assert_eq!(places.at(0, 1.0), places.left(0));
        assert!((places.at(0, 1000.0) - places.left(0) - places.width).abs() < 1e-6);
        let places = chart(&[0.2, 3.0]).places();
        assert!((places.at(0, 1.0) - places.left(0) - places.width / 2.0).abs() < 1e-6);
    }

    #[test]
    fn values_without_a_place_have_no_bar() {
        let text = chart(&[f64::NAN, 0.0, -1.0, f64::INFINITY, 2.0]).to_svg();
        assert!(text.contains(">2.0 peer 4<") && !text.contains("case, fit, peer 0"));
        assert!(BarChart::default().to_svg().contains("<svg"));
    }
}
