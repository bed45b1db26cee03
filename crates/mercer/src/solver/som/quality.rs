//! How well a map shows its rows.

use mercer_linalg::{Matrix, MatrixMut, Rows};

use super::MapGrid;
use super::batch::best_units;
use crate::fit::FitContext;
use crate::solver::kmeans::{Prepared, Space, tasks};

/// What came of the training.
pub(crate) struct Quality {
    /// Mean distance of a row from its best matching unit, in the units of the rows.
    pub(crate) quantisation: f64,
    /// Share of rows whose two best units are no neighbours; 0 for maps of one unit.
    pub(crate) topographic: f64,
    /// Σ w ‖x − m‖².
    pub(crate) inertia: f64,
    /// Copies of rows of every unit.
    pub(crate) hits: Vec<f64>,
}

/// Sums of one task.
struct Part {
    distance: f64,
    squared: f64,
    apart: f64,
}

/// Looks at all rows once more.
pub(crate) fn quality(
    rows: &Prepared,
    grid: MapGrid,
    units: &Matrix<f64>,
    context: &FitContext,
) -> Quality {
    let best = best_units(rows, units, context);
    let centres = rows.space.centres(units.clone());
    let k = grid.len();
    let parts = context.map(tasks(rows.len()), |run| {
        let mut part = Part {
            distance: 0.0,
            squared: 0.0,
            apart: 0.0,
        };
        let step = Space::block_rows(k);
        let mut values = vec![0.0; k * step];
        for start in run.clone().step_by(step) {
            let width = step.min(run.end - start);
            let values = &mut values[..k * width];
            let block = MatrixMut::from_slice(k, width, &mut *values);
            rows.space
                .block(&centres, Rows::Range(start..start + width), block);
            for at in 0..width {
                let row = start + at;
                let (own, copies) = (best[row] as usize, rows.copies(row));
                let squared = rows.space.squared(row, &centres, own);
                part.squared += copies * squared;
                part.distance += copies * squared.sqrt();
                let mut second: Option<(usize, f64)> = None;
                for unit in (0..k).filter(|&unit| unit != own) {
                    let value = values[unit * width + at];
                    if second.is_none_or(|(_, least)| value < least) {
                        second = Some((unit, value));
                    }
                }
                if second.is_some_and(|(unit, _)| !grid.are_neighbours(own, unit)) {
                    part.apart += copies;
                }
            }
        }
        part
    });
    let mut hits = vec![0.0; k];
    for (row, &unit) in best.iter().enumerate() {
        hits[unit as usize] += rows.copies(row);
    }
    let copies: f64 = hits.iter().sum();
    let sum = |of: fn(&Part) -> f64| parts.iter().map(of).sum::<f64>();
    Quality {
        quantisation: rows.length(sum(|p| p.distance) / copies),
        topographic: sum(|p| p.apart) / copies,
        inertia: rows.squared_length(sum(|p| p.squared)),
        hits,
    }
}
