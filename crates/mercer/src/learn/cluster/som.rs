//! Kohonen maps: parameters and training.

use mercer_linalg::Matrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::centres::{as_rows, check_first};
use crate::data::{Dataset, Records};
use crate::fit::{FitContext, FitReport, Fitted, MapReport, Note, SolverReport, StopReason};
use crate::learn::{Estimator, Settings};
use crate::model::Prototypes;
use crate::solver::kmeans::{Init, Prepared, seeds};
use crate::solver::som::{
    Lattice, MapGrid, Plane, Quality, Schedule, batch, online, plane_start, quality,
};
use crate::{Error, Result};

/// A Kohonen map (self-organising map): units on a grid whose vectors m follow the rows so that neighbours on the
/// grid are near each other among the rows.
///
/// A row x belongs to its best matching unit b, the nearest one. A batch step moves every unit to the mean of all rows, weighted by
/// h(v, b) = exp(−d(v, b)²/(2σ²)) with distances d on the grid; an online step moves units by α h(v, b)(x − m_v), row by
/// row. The radius σ falls evenly from `radius` to `last_radius`, the rate α from `rate` to 0.
///
/// Use it to look at rows of many columns: the U-matrix shows where they part, the hits how many lie where. A pass takes
/// n·m·d multiplications for m units; batch passes are matrix products.
///
/// Weights mean copies, and neither order nor copies of rows change the result. There is no objective that all steps
/// lower; reported are the quantisation error, the mean distance of a row from its unit, and the topographic error, the share of rows
/// whose two best units are no neighbours.
///
/// # Examples
/// ```
/// use mercer::data::Records;
/// use mercer::fit::FitContext;
/// use mercer::learn::cluster::{Som, Training};
/// use mercer_linalg::Matrix;
///
/// // Units at 0, 1 and 2 meet one row at 1.2.
/// let one = Records::from_points(Matrix::from_vec(1, 1, vec![1.2]));
/// let units = Matrix::from_vec(3, 1, vec![0.0, 1.0, 2.0]);
/// let map = Som::default().map_rows(Some(1)).map_columns(Some(3)).epochs(1);
/// let map = map.training(Training::Online).rate(0.5).radius(Some(1.0));
/// let found = map.solve(&one, None, Some(&units), &FitContext::default())?;
/// assert!((found.units[(0, 0)] - 0.3639184).abs() < 1e-7);
/// assert!((found.units[(1, 0)] - 1.1).abs() < 1e-12);
/// assert!((found.units[(2, 0)] - 1.75738774).abs() < 1e-8);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Kohonen, Self-Organizing Maps, 2001; Ultsch and Siemon, Kohonen's self organizing feature maps for exploratory data
/// analysis, 1990; Kiviluoto, Topology preservation in self-organizing maps, 1996.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Som {
    /// Rows of units; with the columns left open too, about 5√n units in the proportions of the rows.
    #[serde(default)]
    #[setting(count, python = "n_rows")]
    pub map_rows: Option<usize>,
    /// Columns of units.
    #[serde(default)]
    #[setting(count, python = "n_columns")]
    pub map_columns: Option<usize>,
    /// How units lie: with six neighbours, or in rows and columns.
    #[serde(default)]
    #[setting(words("hexagonal", "rectangular"))]
    pub lattice: Lattice,
    /// All rows at a time, or one after another.
    #[serde(default)]
    #[setting(words("batch", "online"))]
    pub training: Training,
    /// Where units start: on the plane of the two leading principal directions, or at random rows.
    #[serde(default)]
    #[setting(words("pca", "random"))]
    pub init: MapInit,
    /// Passes over the rows.
    #[setting(count)]
    pub epochs: u64,
    /// First radius of the neighbourhood, in steps of the grid; half the longer side where it is left open.
    #[serde(default)]
    #[setting(positive)]
    pub radius: Option<f64>,
    /// Last radius of the neighbourhood; 0 is k-means.
    #[setting(not_negative)]
    pub last_radius: f64,
    /// First rate of online steps, which falls to 0.
    #[setting(share, python = "learning_rate")]
    pub rate: f64,
}

/// Units are numbered in single precision on the way.
const MOST_UNITS: usize = 1 << 24;

impl Default for Som {
    fn default() -> Self {
        Self {
            map_rows: None,
            map_columns: None,
            lattice: Lattice::Hexagonal,
            training: Training::Batch,
            init: MapInit::Pca,
            epochs: 20,
            radius: None,
            last_radius: 0.5,
            rate: 0.5,
        }
    }
}

/// How units follow the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Training {
    /// All rows move all units at once.
    #[default]
    Batch,
    /// One row after another, in random order.
    Online,
}

/// Where units start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MapInit {
    /// Spread over the plane of the two leading principal directions.
    #[default]
    Pca,
    /// At rows, in proportion to their weights.
    Random,
}

/// Units and what belongs to them.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainedMap {
    /// One unit per line, row by row of the grid.
    pub units: Matrix<f64>,
    /// Where they lie.
    pub grid: MapGrid,
    /// First and last radius.
    pub radius: [f64; 2],
    /// Σ w ‖x − m‖².
    pub inertia: f64,
    /// Mean distance of a row from its best matching unit.
    pub quantisation_error: f64,
    /// Share of rows whose two best matching units are no neighbours.
    pub topographic_error: f64,
    /// Rows of every unit, weights counted.
    pub hits: Vec<f64>,
    /// Passes over the rows.
    pub epochs: u64,
    /// Why training stopped.
    pub stop_reason: StopReason,
    /// Rows left after rows of weight zero were dropped and equal rows merged.
    pub distinct_rows: usize,
    /// Choices made and reasons for care.
    pub notes: Vec<Note>,
}

impl Estimator for Som {
    type Model = Prototypes;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Prototypes>> {
        self.fit_from(data, None, context)
    }
}

impl Som {
    /// Learns from data, from given units on where there are some.
    ///
    /// # Errors
    /// As [`Som::solve`].
    pub fn fit_from(
        &self,
        data: &Dataset,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<Fitted<Prototypes>> {
        let context = context.restarted();
        let found = self.solve(&data.records, data.weights.as_deref(), start, &context)?;
        let rows = as_rows(found.units, &data.records);
        let report = FitReport {
            stop_reason: found.stop_reason,
            distinct_rows: found.distinct_rows,
            solver: Some(SolverReport::of_objective(found.inertia, found.epochs)),
            map: Some(MapReport {
                rows: found.grid.rows,
                columns: found.grid.columns,
                lattice: found.grid.lattice.name().to_owned(),
                radius: found.radius,
                quantisation_error: found.quantisation_error,
                topographic_error: found.topographic_error,
                hits: found.hits,
            }),
            ..FitReport::of_rows(data.len(), found.notes, &context)
        };
        Ok(Fitted {
            model: Prototypes::of_map(rows, found.grid),
            report,
        })
    }

    /// Trains a map on rows, from given units or from those of the settings.
    ///
    /// # Errors
    /// Every bad setting at once; values or weights that cannot be used, units of another shape, more memory than there
    /// is; cancellation, and a time limit that comes before the first units. Training that is cut short is not an
    /// error: the stop reason tells.
    pub fn solve(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<TrainedMap> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        context.install(|| self.train(records, weights, start, context))?
    }

    fn train(
        &self,
        records: &Records,
        weights: Option<&[f64]>,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<TrainedMap> {
        let (rows, _) = Prepared::try_new(records, weights, context)?;
        let mut notes = Vec::new();
        let plane = Plane::of(&rows, context)?;
        let grid = self.grid(&rows, &plane, start.map(Matrix::rows), &mut notes)?;
        check_memory(grid, rows.space.columns(), context)?;
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
        let units = match (start, self.init) {
            (Some(start), _) => {
                check_first(start, grid.len(), "unit", records)?;
                rows.inward(start)
            }
            (None, MapInit::Pca) => plane_start(&plane, grid),
            (None, MapInit::Random) => seeds(&rows, grid.len(), Init::Random, &mut rng, context)?,
        };
        let radius = self.radius.unwrap_or_else(|| {
            // Units of a map of one are no one's neighbours.
            let radius = (0.5 * grid.rows.max(grid.columns) as f64).max(1.0);
            notes.push(Note::Choice(format!("first radius {radius}")));
            radius
        });
        let schedule = Schedule {
            epochs: self.epochs,
            radius: [radius, self.last_radius.min(radius)],
            rate: self.rate,
        };
        let (units, epochs, stop_reason) = match self.training {
            Training::Batch => batch(&rows, grid, units, &schedule, context)?,
            Training::Online => online(&rows, grid, units, &schedule, &mut rng, context)?,
        };
        if stop_reason != StopReason::Converged {
            notes.push(Note::Alert(format!(
                "the time limit came after {epochs} of {} passes: the map has not settled",
                self.epochs
            )));
        }
        let Quality {
            quantisation,
            topographic,
            inertia,
            hits,
        } = quality(&rows, grid, &units, context);
        if context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if topographic > 0.2 {
            notes.push(Note::Alert(format!(
                "the two nearest units of {:.0} % of the rows are no neighbours on the map: it is folded, and a larger last radius or more passes may unfold it",
                100.0 * topographic
            )));
        }
        Ok(TrainedMap {
            units: rows.outward(&units),
            grid,
            radius: schedule.radius,
            inertia,
            quantisation_error: quantisation,
            topographic_error: topographic,
            hits,
            epochs,
            stop_reason,
            distinct_rows: rows.len(),
            notes,
        })
    }

    /// The grid that is asked for; what is left open follows the rows.
    fn grid(
        &self,
        rows: &Prepared,
        plane: &Plane,
        given: Option<usize>,
        notes: &mut Vec<Note>,
    ) -> Result<MapGrid> {
        /// Units per square root of the number of rows (Vesanto and others, SOM Toolbox, 2000).
        const PER_ROOT: f64 = 5.0;
        /// The most that one side is longer than the other.
        const LONGEST: f64 = 4.0;
        let units = given.map_or_else(
            || (PER_ROOT * (rows.len() as f64).sqrt()).ceil().max(1.0),
            |units| units as f64,
        );
        let [first, second] = plane.deviations;
        let ratio = if second > 0.0 {
            (first / second).clamp(1.0, LONGEST)
        } else {
            LONGEST
        };
        let whole = |value: f64| value.round().max(1.0) as usize;
        let (map_rows, columns) = match (self.map_rows, self.map_columns) {
            (Some(rows), Some(columns)) => (rows, columns),
            (Some(rows), None) => (rows, whole(units / rows as f64)),
            (None, Some(columns)) => (whole(units / columns as f64), columns),
            (None, None) => {
                let columns = whole((units * ratio).sqrt());
                (whole(units / columns as f64), columns)
            }
        };
        if self.map_rows.is_none() || self.map_columns.is_none() {
            notes.push(Note::Choice(format!(
                "a map of {map_rows} by {columns} units: about {PER_ROOT}√n of them, longer where the rows vary more"
            )));
        }
        match map_rows.checked_mul(columns) {
            Some(units) if units < MOST_UNITS => Ok(MapGrid {
                rows: map_rows,
                columns,
                lattice: self.lattice,
            }),
            _ => Err(Error::setting(
                "map_columns",
                columns,
                &format!("such that the map has fewer than {MOST_UNITS} units"),
            )),
        }
    }
}

/// Units, their sums, and what smooths them.
fn check_memory(grid: MapGrid, columns: usize, context: &FitContext) -> Result<()> {
    let needed = 8 * 6 * (grid.len() as u64).saturating_mul(columns as u64 + 1);
    let limit = context.most_memory();
    if needed > limit {
        return Err(Error::Memory {
            what: format!("a map of {} units", grid.len()),
            needed,
            limit,
        });
    }
    Ok(())
}
