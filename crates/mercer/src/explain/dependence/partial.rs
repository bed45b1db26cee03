//! The mean prediction over one column, with curves of single rows.

use serde::{Deserialize, Serialize};

use super::grid::Grid;
use super::options::DependenceOptions;
use super::shape::{self, Shape};
use super::varied::{Prepared, Response};
use crate::Result;
use crate::data::Table;
use crate::fit::FitContext;
use crate::model::Trained;

/// What a model predicts over the values of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dependence {
    /// The column of the table.
    pub column: String,
    /// Its values that were tried.
    #[serde(flatten)]
    pub grid: Grid,
    /// What is traced.
    pub response: Response,
    /// Rows that were averaged.
    pub rows: usize,
    /// The mean prediction at every value: one entry for numbers, novelty and two classes (the second
    /// one), else one for every class or target.
    pub outputs: Vec<DependenceCurves>,
    /// Rows that have curves of their own, by their number from 0.
    pub curve_rows: Vec<usize>,
    /// Whether curves are differences from their first value.
    pub centred: bool,
    /// The column's own part of the function, where the function is a sum over columns.
    pub shape: Option<Shape>,
}

/// Predictions of one kind over the values of a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DependenceCurves {
    /// The class, or the target where there are several.
    pub name: Option<String>,
    /// The mean over the rows.
    pub average: Vec<f64>,
    /// A curve for each of some rows.
    pub individual: Vec<Vec<f64>>,
}

impl Dependence {
    /// Returns curves as differences from their first value: what rows differ in from the start is taken
    /// out, and where curves part the column acts together with others.
    #[must_use]
    pub fn centred(mut self) -> Self {
        for curves in &mut self.outputs {
            let all = std::iter::once(&mut curves.average).chain(&mut curves.individual);
            for curve in all {
                let first = curve.first().copied().unwrap_or(0.0);
                for value in curve {
                    *value -= first;
                }
            }
        }
        self.centred = true;
        self
    }
}

/// A mean, and the predictions of the rows that are kept.
type Told = (f64, Vec<f64>);

/// Traces the mean prediction over the values of one column, all others as they are (Friedman, Annals of
/// Statistics 29, 2001), with curves of single rows (Goldstein et al., Journal of Computational and Graphical
/// Statistics 24, 2015).
///
/// Values of numbers, the order of rows and what is averaged are those of scikit-learn's
/// `partial_dependence` with `method="brute"`.
///
/// # Examples
/// ```
/// use mercer::data::{Column, Origin, Roles, Table, Values};
/// use mercer::explain::{DependenceOptions, dependence};
/// use mercer::{fit::FitContext, recipe::Recipe};
///
/// let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 10.0).collect();
/// let y: Vec<f64> = x.iter().map(|x| 3.0 * x).collect();
/// let other = x.iter().map(|x| (97.0 * x).cos()).collect();
/// let columns = [("x", x), ("other", other), ("y", y)];
/// let columns = columns.map(|(name, values)| Column::new(name, Values::Numeric(values)));
/// let table = Table::try_new(columns.to_vec(), Origin::default())?;
/// let roles = Roles { targets: vec!["y".into()], ..Roles::default() };
/// let context = FitContext::default();
/// let model = Recipe::new(roles).fit(table.clone(), &context)?.model;
///
/// let options = DependenceOptions::default().resolution(5);
/// let found = dependence(&model, &table, "x", &options, &context)?;
/// let mean = &found.outputs[0].average;
/// assert!(mean[4] > mean[0] + 10.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// A column that is not there or has neither numbers nor levels, rows that the model cannot read, settings
/// outside their range; cancellation.
pub fn dependence(
    trained: &Trained,
    table: &Table,
    column: &str,
    options: &DependenceOptions,
    context: &FitContext,
) -> Result<Dependence> {
    let prepared = Prepared::of(trained, table, &[column], options, context)?;
    let places = prepared.varied[0].grid.len();
    let rows = prepared.chosen.len();
    let kept: Vec<usize> = match options.curves.min(rows) {
        0 => Vec::new(),
        curves => (0..curves).map(|k| k * rows / curves).collect(),
    };
    // Of every place: of every output what is told.
    let found: Vec<Result<Vec<Told>>> = context.install(|| {
        context.map(0..places, |place| {
            context.check()?;
            let answers = prepared.answers(&[place], context)?;
            let told = answers.iter().map(|list| {
                let mean = list.iter().sum::<f64>() / rows as f64;
                (mean, kept.iter().map(|&row| list[row]).collect())
            });
            Ok(told.collect())
        })
    })?;
    let found: Vec<Vec<Told>> = found.into_iter().collect::<Result<_>>()?;
    let outputs: Vec<DependenceCurves> = prepared
        .names()
        .into_iter()
        .enumerate()
        .map(|(output, name)| DependenceCurves {
            name,
            average: found.iter().map(|at| at[output].0).collect(),
            individual: (0..kept.len())
                .map(|k| found.iter().map(|at| at[output].1[k]).collect())
                .collect(),
        })
        .collect();
    let shape = if outputs.len() == 1 && prepared.response != Response::Probability {
        context.install(|| shape::of(&prepared, options, context))??
    } else {
        None
    };
    let curve_rows = kept.iter().map(|&row| prepared.chosen[row]).collect();
    let response = prepared.response;
    let varied = prepared.varied.into_iter().next().expect("one column");
    Ok(Dependence {
        column: varied.column,
        grid: varied.grid,
        response,
        rows,
        outputs,
        curve_rows,
        centred: false,
        shape,
    })
}
