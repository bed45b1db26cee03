//! The sample of predictions over columns.

use mercer_plot::{DependenceLine, DependencePanel, DependencePlot};

use super::Numbers;

/// A wave with a band and curves of rows, and three levels.
pub(super) fn dependence(text: &dyn Fn(&str) -> String) -> DependencePlot {
    let mut numbers = Numbers(41);
    let places: Vec<f64> = (0..40).map(|k| 18.0 + f64::from(k)).collect();
    let wave = |x: &f64| 30.0 + 8.0 * (x / 9.0).sin();
    let curves = (0..25).map(|_| {
        let (level, size) = (4.0 * numbers.normal(), 1.0 + 0.3 * numbers.normal());
        places
            .iter()
            .map(|x| level + 30.0 + size * (wave(x) - 30.0))
            .collect()
    });
    let ages = DependencePanel {
        x_name: text("age in years"),
        y_name: text("income"),
        curves: curves.collect(),
        lines: vec![DependenceLine {
            name: text("mean"),
            values: places.iter().map(wave).collect(),
            half_widths: places
                .iter()
                .map(|x| 1.0 + (x - 37.0).abs() / 12.0)
                .collect(),
        }],
        rug: vec![21.0, 24.0, 27.0, 30.0, 33.0, 37.0, 42.0, 47.0, 53.0],
        band_name: text("95 % band"),
        places,
        ..DependencePanel::default()
    };
    let colours = DependencePanel {
        x_name: text("colour"),
        y_name: text("income"),
        places: vec![0.0, 1.0, 2.0],
        levels: ["blue", "green", "red"].map(text).to_vec(),
        lines: vec![DependenceLine {
            name: text("mean"),
            values: vec![28.0, 30.5, 33.0],
            half_widths: vec![1.0, 1.2, 0.9],
        }],
        ..DependencePanel::default()
    };
    DependencePlot {
        title: text("Predictions over age and colour"),
        note: text("The mean over 400 rows; ticks above the axis are deciles."),
        panels: vec![ages, colours],
    }
}
