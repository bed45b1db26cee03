//! Pictures of how predictions depend on columns.

use mercer::explain::{Dependence, DependenceSurface, Grid, Response};
use mercer_plot::text::short;
use mercer_plot::{Cell, DependenceLine, DependencePanel, DependencePlot, HeatMap};

use crate::words::plural;

/// Draws predictions over the values of columns, a panel for each.
pub fn dependence_plot(found: &[Dependence], target: Option<&str>) -> DependencePlot {
    let columns: Vec<&str> = found.iter().map(|one| one.column.as_str()).collect();
    DependencePlot {
        title: format!("Predictions over {}", columns.join(", ")),
        note: note(found),
        panels: found.iter().map(|one| panel(one, target)).collect(),
    }
}

/// How to read it.
fn note(found: &[Dependence]) -> String {
    let rows = found.iter().map(|one| one.rows).max().unwrap_or(0);
    let mut text = format!(
        "The mean over {} whose column is given each value; ticks above the axis are deciles.",
        plural(rows, "row")
    );
    if found.iter().any(|one| one.centred) {
        text.push_str(" Curves are differences from their first value.");
    }
    text
}

fn panel(found: &Dependence, target: Option<&str>) -> DependencePanel {
    let (places, levels, rug) = match &found.grid {
        Grid::Numbers { values, deciles } => (values.clone(), Vec::new(), deciles.clone()),
        Grid::Levels { levels, .. } => {
            let places = (0..levels.len()).map(|k| k as f64).collect();
            (places, levels.clone(), Vec::new())
        }
    };
    let single = found.outputs.len() == 1;
    // A band is of the column's part of the function, around its mean: not of differences from a first value.
    let shape = found.shape.as_ref().filter(|_| !found.centred);
    let half_widths = shape.and_then(|shape| shape.half_widths.clone());
    let curves = match &found.outputs[..] {
        [only] => only.individual.clone(),
        _ => Vec::new(),
    };
    let lines = found.outputs.iter().map(|output| DependenceLine {
        name: match &output.name {
            Some(name) if !single => name.clone(),
            _ if !curves.is_empty() || half_widths.is_some() => "mean".to_owned(),
            _ => String::new(),
        },
        values: output.average.clone(),
        half_widths: half_widths.clone().unwrap_or_default(),
    });
    let of = match &found.outputs[..] {
        [only] => only.name.as_deref(),
        _ => None,
    };
    DependencePanel {
        x_name: found.column.clone(),
        y_name: measured(found.response, of, target),
        places,
        levels,
        lines: lines.collect(),
        rug,
        band_name: match shape {
            Some(shape) => format!("{} % band", short(100.0 * shape.level)),
            None => String::new(),
        },
        curves,
    }
}

/// What is predicted, as an axis names it.
fn measured(response: Response, of: Option<&str>, target: Option<&str>) -> String {
    match (response, of) {
        (Response::Prediction, _) => target.unwrap_or("prediction").to_owned(),
        (Response::Probability, Some(class)) => format!("probability of {class}"),
        (Response::Probability, None) => "probability".to_owned(),
        (Response::Decision, Some(class)) => format!("decision for {class}"),
        (Response::Decision, None) => "decision".to_owned(),
    }
}

/// Draws mean predictions over the values of two columns; of several outputs the one that varies most.
pub fn dependence_map(found: &DependenceSurface, target: Option<&str>) -> HeatMap {
    let ends = |means: &Vec<Vec<f64>>| {
        let all = means.iter().flatten().copied();
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
            [low.min(value), high.max(value)]
        })
    };
    let widest = found.outputs.iter().max_by(|a, b| {
        let [a, b] = [a, b].map(|output| ends(&output.average));
        (a[1] - a[0]).total_cmp(&(b[1] - b[0]))
    });
    let Some(output) = widest else {
        return HeatMap::default();
    };
    let [low, high] = ends(&output.average);
    let what = measured(found.response, output.name.as_deref(), target);
    let ticks = found.grids.each_ref().map(names);
    let mut cells = Vec::new();
    for (column, line) in output.average.iter().enumerate() {
        for (row, &value) in line.iter().enumerate() {
            let depth = (value - low) / (high - low);
            cells.push(Cell {
                column,
                row,
                depth: if depth.is_finite() { depth } else { 0.0 },
                tip: format!(
                    "{} = {}, {} = {}: {}",
                    found.columns[0],
                    ticks[0][column],
                    found.columns[1],
                    ticks[1][row],
                    short(value)
                ),
                ..Cell::default()
            });
        }
    }
    HeatMap {
        title: format!(
            "Mean {what} over {} and {}",
            found.columns[0], found.columns[1]
        ),
        names: found.columns.clone(),
        ticks,
        cells,
        key: Some([low, high].map(short)),
    }
}

/// The values of a grid as labels.
fn names(grid: &Grid) -> Vec<String> {
    match grid {
        Grid::Numbers { values, .. } => values.iter().map(|value| short(*value)).collect(),
        Grid::Levels { levels, .. } => levels.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mercer::explain::{DependenceCurves, Shape, SurfaceMeans};
    use mercer_plot::Figure;

    fn found() -> Dependence {
        Dependence {
            column: "a <column>".to_owned(),
            grid: Grid::Numbers {
                values: vec![0.0, 1.0, 2.0],
                deciles: vec![0.2, 1.0, 1.8],
            },
            response: Response::Prediction,
            rows: 7,
            outputs: vec![DependenceCurves {
                name: None,
                average: vec![1.0, 3.0, 2.0],
                individual: vec![vec![0.5, 2.0, 1.0]],
            }],
            curve_rows: vec![0],
            centred: false,
            shape: Some(Shape {
                values: vec![-1.0, 1.0, 0.0],
                deviations: Some(vec![0.1, 0.2, 0.1]),
                half_widths: Some(vec![0.2, 0.4, 0.2]),
                level: 0.95,
            }),
        }
    }

    #[test]
    fn a_band_goes_with_curves_as_they_are() {
        let plot = dependence_plot(&[found()], Some("y"));
        assert_eq!(plot.panels[0].lines[0].half_widths, [0.2, 0.4, 0.2]);
        assert_eq!(plot.panels[0].y_name, "y");
        let text = plot.to_svg();
        assert!(text.contains("single rows") && text.contains("95 % band"));
        assert!(!text.contains("<column>") && text.contains("7 rows"));
        let plot = dependence_plot(&[found().centred()], None);
        assert!(plot.panels[0].lines[0].half_widths.is_empty());
        assert_eq!(plot.panels[0].lines[0].values, [0.0, 2.0, 1.0]);
        assert!(!plot.to_svg().contains("band"));
    }

    #[test]
    fn the_class_that_varies_most_is_mapped() {
        let means = |name: &str, by: f64| SurfaceMeans {
            name: Some(name.to_owned()),
            average: vec![vec![0.5, 0.5 + by], vec![0.5 - by, 0.5]],
        };
        let levels = |names: [&str; 2]| Grid::Levels {
            levels: names.map(str::to_owned).to_vec(),
            counts: vec![1, 1],
        };
        let surface = DependenceSurface {
            columns: ["u", "v"].map(str::to_owned),
            grids: [levels(["p", "q"]), levels(["r", "s"])],
            response: Response::Probability,
            rows: 2,
            outputs: vec![means("still", 0.01), means("moved", 0.4)],
        };
        let map = dependence_map(&surface, None);
        assert!(map.title.contains("probability of moved"), "{}", map.title);
        assert_eq!(map.cells.len(), 4);
        let deepest = map.cells.iter().find(|cell| cell.depth == 1.0);
        let deepest = deepest.expect("the largest mean");
        assert_eq!((deepest.column, deepest.row), (0, 1));
        assert!(deepest.tip.contains("u = p, v = s"));
    }
}
