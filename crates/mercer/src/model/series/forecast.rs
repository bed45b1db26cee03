//! What comes next in a series.
//!
//! A *direct* forecast asks a function of its own for every step; its interval is f ± q with q the
//! conformal bound of the errors that this step made on windows it had not seen. A *recursive* one
//! feeds predictions back as if they had been observed; its interval comes from paths in which every
//! step adds an error drawn from those of the first step, so that errors grow as they are fed back.

use std::fmt;
use std::str::FromStr;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::data::random::below;
use crate::data::series::{Clock, Series};
use crate::data::{Column, Origin, Table, Values};
use crate::fit::{FitContext, Note};
use crate::model::readout::{LeftOut, check_level};
use crate::model::{Answers, Predictor, Trained};
use crate::{Error, Result};

use super::SeriesModel;

/// Steps beyond which nobody looks.
const MOST_STEPS: usize = 100_000;
/// Fewer errors tell nothing of their distribution.
const FEWEST: usize = 5;

/// How later steps are forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForecastWay {
    /// Predictions are fed back as if they had been observed.
    Recursive,
    /// Every step has a function of its own.
    Direct,
}

/// Numbers for the steps to come, and intervals where errors of held-out windows are known.
type Forecasted = (Vec<f64>, Option<Vec<[f64; 2]>>);

impl ForecastWay {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recursive => "recursive",
            Self::Direct => "direct",
        }
    }
}

impl fmt::Display for ForecastWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ForecastWay {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let ways = [Self::Recursive, Self::Direct];
        let found = ways.into_iter().find(|way| way.name() == text);
        found.ok_or_else(|| Error::Unknown {
            kind: "way to forecast",
            name: text.to_owned(),
            known: ways.iter().map(|way| way.name().to_owned()).collect(),
        })
    }
}

/// What is to be forecast.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecasting {
    /// Steps after the last value that is known.
    pub steps: usize,
    /// How; `None` is direct where every step has a function of its own, and recursive otherwise.
    pub way: Option<ForecastWay>,
    /// Probability that intervals are to keep.
    pub level: f64,
    /// Paths that intervals of recursive forecasts come from.
    pub paths: usize,
}

impl Default for Forecasting {
    fn default() -> Self {
        Self {
            steps: 1,
            way: None,
            level: 0.9,
            paths: 1000,
        }
    }
}

/// What comes next in a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// How it was found.
    pub way: ForecastWay,
    /// The value of every step.
    pub values: Vec<f64>,
    /// The ends of every step's interval, where errors are known.
    pub intervals: Option<Vec<[f64; 2]>>,
    /// The time of every step, where times are evenly spaced.
    pub times: Option<Vec<f64>>,
    /// The column of times.
    pub clock: Option<Clock>,
    /// The series up to the last value that is known; NaN where one is missing.
    pub history: Vec<f64>,
    /// Its times.
    pub history_times: Option<Vec<f64>>,
    /// What was noticed.
    pub notes: Vec<Note>,
}

/// The end of a series, from which a forecast starts.
struct Start<'a> {
    model: &'a SeriesModel,
    series: &'a Series,
    /// The last row whose target is known.
    last: usize,
}

impl Trained {
    /// Forecasts what comes after the last known value of a series.
    ///
    /// # Errors
    /// A model that is not of a series; steps that it has no function for, where they are to be
    /// direct; values that a window needs and nobody knows; cancellation.
    pub fn forecast(
        &self,
        table: &Table,
        how: &Forecasting,
        context: &FitContext,
    ) -> Result<Forecast> {
        let Some(model) = &self.series else {
            return Err(Error::Unsupported {
                what: "the model is not of a series".to_owned(),
                cure: "learn it with lags".into(),
            });
        };
        check_level(how.level)?;
        if !(1..=MOST_STEPS).contains(&how.steps) {
            let rule = format!("from 1 to {MOST_STEPS}");
            return Err(Error::setting("steps", how.steps, &rule));
        }
        let horizon = model.horizon();
        let way = how.way.unwrap_or(if horizon > 1 && how.steps <= horizon {
            ForecastWay::Direct
        } else {
            ForecastWay::Recursive
        });
        if way == ForecastWay::Direct && how.steps > horizon {
            return Err(Error::Unsupported {
                what: format!(
                    "the model has functions for {horizon} {}; {} are to be forecast directly",
                    if horizon == 1 { "step" } else { "steps" },
                    how.steps
                ),
                cure: "forecast fewer steps or recursively, or learn with a larger horizon".into(),
            });
        }
        let (series, mut notes) = model.windows.series(table)?;
        let start = Start::of(model, &series)?;
        let (values, intervals) = match way {
            ForecastWay::Direct => self.direct(&start, how, &mut notes, context)?,
            ForecastWay::Recursive => self.recursive(&start, how, &mut notes, context)?,
        };
        let period = model.windows.clock.as_ref().and_then(|clock| clock.period);
        let times = period.zip(series.times.as_ref()).map(|(period, times)| {
            let steps = 1..=how.steps as u64;
            steps
                .map(|step| period.after(times[start.last], step))
                .collect()
        });
        let before = start.last + 1;
        Ok(Forecast {
            way,
            values,
            intervals,
            times,
            clock: model.windows.clock.clone(),
            history: series.target[..before].to_vec(),
            history_times: series.times.as_ref().map(|times| times[..before].to_vec()),
            notes,
        })
    }

    /// One function for every step.
    fn direct(
        &self,
        start: &Start<'_>,
        how: &Forecasting,
        notes: &mut Vec<Note>,
        context: &FitContext,
    ) -> Result<Forecasted> {
        let window = vec![start.window(1, &[])?];
        let table = start.table(&window)?;
        let records = self.encode(&table)?.records;
        let mut values = Vec::new();
        let mut intervals = Some(Vec::new());
        for step in 1..=how.steps {
            context.check()?;
            let form = match step {
                1 => &self.form,
                later => &start.model.later[later - 2],
            };
            let predictor = Predictor::of_form(form, mercer_linalg::Precision::F64)?;
            let value = numbers(predictor.predict_records(&records, context)?.answers)?[0];
            values.push(value);
            let errors = &start.model.residuals[step - 1];
            let width = half_width(errors, how.level);
            match (width, &mut intervals) {
                (Some(width), Some(all)) => all.push([value - width, value + width]),
                _ => intervals = None,
            }
            if step == 1 && errors.len() >= FEWEST {
                notes.extend(few(errors.len(), how.level));
            }
        }
        if intervals.is_none() {
            notes.push(without_intervals());
        }
        Ok((values, intervals))
    }

    /// The function of the first step, time and again.
    fn recursive(
        &self,
        start: &Start<'_>,
        how: &Forecasting,
        notes: &mut Vec<Note>,
        context: &FitContext,
    ) -> Result<Forecasted> {
        let predictor = self.predictor(mercer_linalg::Precision::F64)?;
        let errors = &start.model.residuals[0];
        let paths = if errors.len() >= FEWEST {
            how.paths
        } else {
            notes.push(without_intervals());
            0
        };
        if paths > 0 {
            notes.extend(few(errors.len(), how.level));
        }
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
        // The first path has no errors: it is the forecast itself.
        let mut found: Vec<Vec<f64>> = vec![Vec::new(); paths + 1];
        let mut intervals = Vec::new();
        for step in 1..=how.steps {
            context.check()?;
            let windows = found.iter().map(|path| start.window(step, path));
            let windows: Vec<Vec<f64>> = windows.collect::<Result<_>>()?;
            let table = start.table(&windows)?;
            let mut values = numbers(predictor.predict(&table, context)?.answers)?;
            for value in &mut values[1..] {
                *value += errors[below(&mut rng, errors.len())];
            }
            if let Some(path) = values.iter().position(|v| !v.is_finite()) {
                let what = if path == 0 {
                    "the forecast"
                } else {
                    "a path of the forecast"
                };
                return Err(Error::rows(
                    format!("{what} leaves the range of numbers at step {step}"),
                    "forecast fewer steps, or choose another model",
                ));
            }
            for (path, value) in found.iter_mut().zip(&values) {
                path.push(*value);
            }
            let mut drawn = values.split_off(1);
            drawn.sort_by(f64::total_cmp);
            if paths > 0 {
                let tail = (1.0 - how.level) / 2.0;
                let [low, high] = [tail, 1.0 - tail].map(|share| quantile(&drawn, share));
                // The forecast itself is never outside.
                intervals.push([low.min(values[0]), high.max(values[0])]);
            }
        }
        let values = found.swap_remove(0);
        Ok((values, (paths > 0).then_some(intervals)))
    }
}

impl<'a> Start<'a> {
    fn of(model: &'a SeriesModel, series: &'a Series) -> Result<Self> {
        let last = series.last_known().ok_or_else(|| {
            Error::rows(
                format!("no value of `{}` is known", model.windows.target),
                "give the values before those that are to be forecast",
            )
        })?;
        let longest = model.windows.longest();
        if last + 1 < longest {
            return Err(Error::rows(
                format!(
                    "the series has {} values; a window reaches back over {longest}",
                    last + 1
                ),
                "give more of the values before those that are to be forecast",
            ));
        }
        let first = last + 1 - longest;
        let run = series.run_of(last);
        if run > first {
            return Err(Error::rows(
                format!(
                    "{}: there is a gap before this row, within the last {longest} rows, which a window would reach over",
                    series.place(run)
                ),
                "fill the gap, or give more rows after it",
            ));
        }
        Ok(Self {
            model,
            series,
            last,
        })
    }

    /// The window that leads to a step; `path` has the values of the steps before.
    fn window(&self, step: usize, path: &[f64]) -> Result<Vec<f64>> {
        let windows = &self.model.windows;
        let at = self.last + step;
        let mut values = Vec::new();
        for (input, known) in windows.inputs.iter().zip(&self.series.inputs) {
            for &lag in input.lags.iter().rev() {
                let row = at - lag;
                let value = if input.column == windows.target && row > self.last {
                    path[row - self.last - 1]
                } else {
                    known.get(row).copied().unwrap_or(f64::NAN)
                };
                if value.is_nan() {
                    return Err(self.unknown(&input.column, row));
                }
                values.push(value);
            }
        }
        Ok(values)
    }

    /// A value that a window needs and nobody knows.
    fn unknown(&self, column: &str, row: usize) -> Error {
        if row <= self.last {
            return Error::Cell {
                place: self.series.place(row).to_owned(),
                column: column.to_owned(),
                problem: "the value is missing, and the windows of the forecast need it".to_owned(),
                cure: "fill it in".into(),
            };
        }
        Error::rows(
            format!(
                "step {} of the forecast needs a value of `{column}` {} after the last known target",
                row - self.last + 1,
                match row - self.last {
                    1 => "1 step".to_owned(),
                    steps => format!("{steps} steps"),
                }
            ),
            "give rows with it and without a target, forecast directly, or learn with larger lags of it",
        )
    }

    /// Windows as a table that the encoder reads.
    fn table(&self, windows: &[Vec<f64>]) -> Result<Table> {
        let names = self.model.windows.names().into_iter().enumerate();
        let columns = names.map(|(place, name)| {
            let values = windows.iter().map(|window| window[place]).collect();
            Column::new(name, Values::Numeric(values))
        });
        Table::try_new(columns.collect(), Origin::default())
    }
}

/// The numbers that a model of one target predicts.
fn numbers(answers: Answers) -> Result<Vec<f64>> {
    match answers {
        Answers::Values(values) => Ok(values),
        _ => Err(Error::model("a model of a series predicts numbers")),
    }
}

/// Half the width of an interval: the conformal bound, or the largest error where there are too few
/// for it.
fn half_width(errors: &[f64], level: f64) -> Option<f64> {
    if errors.len() < FEWEST {
        return None;
    }
    let scores = LeftOut::new(errors.iter().map(|e| e.abs()).collect())?;
    let bound = scores.bound(level);
    Some(if bound.is_finite() {
        bound
    } else {
        scores.scores().last().copied().unwrap_or(0.0)
    })
}

/// Warns where errors are too few for a level.
fn few(errors: usize, level: f64) -> Option<Note> {
    let place = ((errors + 1) as f64 * level).ceil() as usize;
    (place > errors).then(|| {
        Note::Alert(format!(
            "{errors} errors of windows that were held out are too few for a level of {level}: intervals may be too narrow"
        ))
    })
}

fn without_intervals() -> Note {
    Note::Alert(
        "too few windows were held out for intervals: give a longer series, or fewer lags"
            .to_owned(),
    )
}

/// A quantile of ascending numbers, linear between them.
fn quantile(ascending: &[f64], share: f64) -> f64 {
    let place = share * (ascending.len() - 1) as f64;
    let (low, part) = (place.floor() as usize, place.fract());
    let high = (low + 1).min(ascending.len() - 1);
    ascending[low] + part * (ascending[high] - ascending[low])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_conformal_bounds() {
        let errors = [0.5, -1.0, 2.0, -3.0, 4.0, -5.0, 6.0, -7.0, 8.0];
        assert_eq!(half_width(&errors, 0.5), Some(4.0));
        // The tenth of nine does not exist.
        assert_eq!(half_width(&errors, 0.95), Some(8.0));
        assert!(few(9, 0.95).is_some() && few(9, 0.9).is_none());
        assert_eq!(half_width(&errors[..4], 0.5), None);
    }

    #[test]
    fn quantiles_are_linear_between_numbers() {
        let numbers = [0.0, 1.0, 2.0, 10.0];
        assert_eq!(quantile(&numbers, 0.0), 0.0);
        assert_eq!(quantile(&numbers, 0.5), 1.5);
        assert_eq!(quantile(&numbers, 1.0), 10.0);
    }
}
