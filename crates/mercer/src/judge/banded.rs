//! The intervals or sets that a model gives some rows, to be held against the truth.

use super::coverage::{Coverage, interval_coverage, set_coverage};
use crate::data::{Table, Targets};
use crate::fit::FitContext;
use crate::model::{Answers, Predictions, Trained};
use crate::{Error, Result};

/// Rows for which intervals are worth computing.
const FEWEST: usize = 20;

/// Prediction intervals or prediction sets of some rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Banded {
    level: f64,
    /// Which rows they are of.
    rows: Vec<usize>,
    bands: Kind,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Intervals(Vec<[f64; 2]>),
    /// Labels of the classes of every set.
    Sets(Vec<Vec<String>>),
}

impl Banded {
    /// Asks a model for the intervals or sets of rows it has predicted: of all, or of as many, evenly
    /// spread, as so many multiplications allow. `None` for models that know nothing of their own
    /// errors, and where the work allows too few rows.
    ///
    /// # Errors
    /// Rows that the model cannot read; cancellation.
    pub fn of(
        trained: &Trained,
        features: &Table,
        predictions: &Predictions,
        level: f64,
        work: f64,
        context: &FitContext,
    ) -> Result<Option<Self>> {
        let all = features.rows();
        let is_number = match &predictions.answers {
            Answers::Values(_) => true,
            Answers::Classes { .. } => false,
            _ => return Ok(None),
        };
        // A posterior is a factor of the kernel matrix, and a row of it for every new row.
        let support = trained.form.expansion().map_or(0, |m| m.support.len()) as f64;
        let most = if is_number && support > 0.0 {
            ((work - support.powi(3) / 3.0) / support.powi(2)).max(0.0)
        } else {
            all as f64
        };
        let most = (most.min(all as f64)) as usize;
        if most < FEWEST.min(all) || most == 0 {
            return Ok(None);
        }
        let bands = match trained.bands(level, context.par()) {
            Err(Error::Unsupported { .. }) => return Ok(None),
            bands => bands?,
        };
        let rows: Vec<usize> = (0..most).map(|k| k * all / most).collect();
        let bands = match &predictions.answers {
            Answers::Values(values) => {
                let part = if rows.len() == all {
                    features.clone()
                } else {
                    features.select(&rows)
                };
                let records = trained.encode(&part)?.records;
                let spreads = bands.spreads(&records, context.par())?;
                let ends = |(k, row): (usize, &usize)| {
                    let spread = spreads.as_ref().map(|s| s[k]);
                    let (low, high) = bands.interval(values[*row], spread);
                    [low, high]
                };
                Kind::Intervals(rows.iter().enumerate().map(ends).collect())
            }
            Answers::Classes { .. } => {
                // Codes are those of the model, whatever terms the predictions are in.
                let labels = trained.labels().unwrap_or_default();
                let width = trained.form.width();
                if predictions.decisions.columns() != width {
                    return Ok(None);
                }
                let name = |code: &u32| labels.get(*code as usize).cloned().unwrap_or_default();
                let set = |row: &usize| {
                    let codes = bands.classes(predictions.decisions.row(*row));
                    codes.iter().map(name).collect()
                };
                Kind::Sets(rows.iter().map(set).collect())
            }
            _ => return Ok(None),
        };
        let told = match &bands {
            Kind::Intervals(ends) => ends.iter().all(|[low, high]| low <= high),
            Kind::Sets(_) => true,
        };
        Ok(told.then_some(Self { level, rows, bands }))
    }

    /// Puts the parts of folds together; `places` are the rows that each part was made of.
    pub fn pool(parts: Vec<(&[usize], Self)>) -> Option<Self> {
        let mut parts = parts.into_iter();
        let (places, mut whole) = parts.next()?;
        for row in &mut whole.rows {
            *row = places[*row];
        }
        for (places, part) in parts {
            whole.rows.extend(part.rows.iter().map(|&row| places[row]));
            match (&mut whole.bands, part.bands) {
                (Kind::Intervals(all), Kind::Intervals(own)) => all.extend(own),
                (Kind::Sets(all), Kind::Sets(own)) => all.extend(own),
                _ => return None,
            }
        }
        Some(whole)
    }

    /// Holds them against the truth; `None` where that is of another kind.
    ///
    /// # Errors
    /// None that [`Self::of`] leaves possible.
    pub fn coverage(&self, targets: &Targets) -> Result<Option<Coverage>> {
        match (&self.bands, targets) {
            (Kind::Intervals(ends), Targets::Real(truth)) => {
                let truth: Vec<f64> = self.rows.iter().map(|&row| truth[row]).collect();
                interval_coverage(&truth, ends, self.level).map(Some)
            }
            (Kind::Sets(sets), Targets::Classes(classes)) => {
                let truth: Vec<u32> = self.rows.iter().map(|&row| classes.codes[row]).collect();
                let place = |label: &String| {
                    let place = classes.labels.iter().position(|l| l == label);
                    place.map(|place| place as u32)
                };
                let codes = |set: &Vec<String>| set.iter().filter_map(place).collect();
                let sets: Vec<Vec<u32>> = sets.iter().map(codes).collect();
                set_coverage(&truth, &sets, &classes.labels, self.level).map(Some)
            }
            _ => Ok(None),
        }
    }
}
