//! The mean prediction over two columns.

use serde::{Deserialize, Serialize};

use super::grid::Grid;
use super::options::DependenceOptions;
use super::varied::{Prepared, Response};
use crate::data::Table;
use crate::fit::FitContext;
use crate::model::Trained;
use crate::{Error, Result};

/// What a model predicts over the values of two columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DependenceSurface {
    /// The columns of the table.
    pub columns: [String; 2],
    /// The values of each that were tried.
    pub grids: [Grid; 2],
    /// What is traced.
    pub response: Response,
    /// Rows that were averaged.
    pub rows: usize,
    /// The mean prediction: one entry for numbers, novelty and two classes (the second one), else one for
    /// every class or target.
    pub outputs: Vec<SurfaceMeans>,
}

/// Mean predictions of one kind over the values of two columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SurfaceMeans {
    /// The class, or the target where there are several.
    pub name: Option<String>,
    /// The means: a list for every value of the first column, with an entry for every value of the second.
    pub average: Vec<Vec<f64>>,
}

/// Traces the mean prediction over the values of two columns, all others as they are.
///
/// # Errors
/// Those of [`super::dependence`], and a column that is named twice.
pub fn dependence_surface(
    trained: &Trained,
    table: &Table,
    columns: [&str; 2],
    options: &DependenceOptions,
    context: &FitContext,
) -> Result<DependenceSurface> {
    if columns[0] == columns[1] {
        return Err(Error::Conflict {
            what: format!("column `{}` is named twice", columns[0]),
            cure: "name two columns".into(),
        });
    }
    let prepared = Prepared::of(trained, table, &columns, options, context)?;
    let [wide, high] = [0, 1].map(|k: usize| prepared.varied[k].grid.len());
    let rows = prepared.chosen.len() as f64;
    let found: Vec<Result<Vec<f64>>> = context.install(|| {
        context.map(0..wide * high, |place| {
            context.check()?;
            let answers = prepared.answers(&[place / high, place % high], context)?;
            let means = answers.iter().map(|list| list.iter().sum::<f64>() / rows);
            Ok(means.collect())
        })
    })?;
    let found: Vec<Vec<f64>> = found.into_iter().collect::<Result<_>>()?;
    let outputs = prepared.names().into_iter().enumerate();
    let outputs = outputs.map(|(output, name)| SurfaceMeans {
        name,
        average: found
            .chunks(high)
            .map(|line| line.iter().map(|means| means[output]).collect())
            .collect(),
    });
    Ok(DependenceSurface {
        outputs: outputs.collect(),
        columns: columns.map(str::to_owned),
        grids: [0, 1].map(|k: usize| prepared.varied[k].grid.clone()),
        response: prepared.response,
        rows: prepared.chosen.len(),
    })
}
