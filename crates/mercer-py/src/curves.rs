//! Learning curves, validation curves and permutation tests: verdicts and pictures.

use mercer::judge::{
    Better, Chance, Scoring, interval_coverage, more_rows, read_validation, set_coverage,
};
use mercer_plot::{Figure, Group, Histogram, Scale, Trace, TracePoint, Traces};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Deserialize;

use crate::failure::raise;

/// A curve as Python hands it over.
#[derive(Deserialize)]
struct Given {
    /// The score's name.
    name: String,
    /// Whether less is better.
    is_loss: bool,
    /// The best value there is.
    best: f64,
    /// Numbers of rows.
    #[serde(default)]
    sizes: Vec<usize>,
    /// The setting.
    #[serde(default)]
    setting: String,
    /// Its values as texts.
    #[serde(default)]
    values: Vec<String>,
    /// Its values as numbers, where they are.
    #[serde(default)]
    numbers: Vec<f64>,
    /// Scores of training rows, one list per point; `null` where there is none.
    training: Vec<Vec<Option<f64>>>,
    /// Scores of held-out rows.
    held_out: Vec<Vec<Option<f64>>>,
    /// Test rows to one training row.
    ratio: f64,
    /// A mark in the picture.
    #[serde(default)]
    mark: Option<[f64; 2]>,
}

impl Given {
    fn read(text: &str) -> PyResult<Self> {
        serde_json::from_str(text)
            .map_err(|error| PyValueError::new_err(format!("this is no curve: {error}")))
    }

    fn scoring(&self) -> Scoring<'_> {
        Scoring {
            name: &self.name,
            better: if self.is_loss {
                Better::Lower
            } else {
                Better::Higher
            },
            best: self.best,
            margin: None,
        }
    }

    fn scores(list: &[Vec<Option<f64>>]) -> Vec<Vec<f64>> {
        let known = |scores: &Vec<Option<f64>>| {
            let each = scores.iter().map(|score| score.unwrap_or(f64::NAN));
            each.collect()
        };
        list.iter().map(known).collect()
    }

    /// Where the points of the picture are.
    fn places(&self) -> Vec<f64> {
        if !self.sizes.is_empty() {
            return self.sizes.iter().map(|size| *size as f64).collect();
        }
        if self.numbers.len() == self.values.len() {
            return self.numbers.clone();
        }
        (0..self.values.len()).map(|k| k as f64).collect()
    }

    fn trace(&self, name: &str, list: &[Vec<Option<f64>>]) -> Trace {
        let scores = Self::scores(list);
        let places = self.places();
        let point = |(x, scores): (&f64, &Vec<f64>)| {
            let known: Vec<f64> = scores.iter().copied().filter(|s| s.is_finite()).collect();
            let n = known.len() as f64;
            let mean = known.iter().sum::<f64>() / n;
            let squares: f64 = known.iter().map(|s| (s - mean).powi(2)).sum();
            TracePoint {
                x: *x,
                y: mean,
                deviation: (squares / (n - 1.0)).sqrt(),
            }
        };
        Trace {
            name: name.to_owned(),
            points: places.iter().zip(&scores).map(point).collect(),
        }
    }
}

/// Whether more rows would help, as JSON.
#[pyfunction]
pub(crate) fn learning_verdict(curve: &str) -> PyResult<String> {
    let given = Given::read(curve)?;
    let found = more_rows(
        &given.scoring(),
        &given.sizes,
        &Given::scores(&given.training),
        &Given::scores(&given.held_out),
        given.ratio,
    );
    text(&found.map_err(|e| raise(&e))?)
}

/// Which values underfit and which overfit, as JSON.
#[pyfunction]
pub(crate) fn validation_verdict(curve: &str) -> PyResult<String> {
    let given = Given::read(curve)?;
    let found = read_validation(
        &given.scoring(),
        (&given.setting, &given.values),
        given.numbers.len() == given.values.len(),
        &Given::scores(&given.training),
        &Given::scores(&given.held_out),
        given.ratio,
    );
    text(&found.map_err(|e| raise(&e))?)
}

/// The picture of a curve as an SVG file.
#[pyfunction]
pub(crate) fn curve_svg(curve: &str) -> PyResult<String> {
    let given = Given::read(curve)?;
    let learning = !given.sizes.is_empty();
    let places = given.places();
    let (low, high) = places
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), p| {
            (low.min(*p), high.max(*p))
        });
    let is_number = learning || given.numbers.len() == given.values.len();
    let x_name = if learning {
        "rows that are learnt from".to_owned()
    } else {
        given.setting.clone()
    };
    let figure = Traces {
        title: format!(
            "{} over {}",
            given.name,
            if learning { "rows" } else { &given.setting }
        ),
        note: "Bands are the standard deviation over the folds.".to_owned(),
        x_name,
        y_name: given.name.clone(),
        // Values a factor of ten apart are spaced by ratio, as those of a search are.
        scale: if is_number && low > 0.0 && (learning || high / low >= 10.0) {
            Scale::Log
        } else {
            Scale::Linear
        },
        names: if is_number {
            Vec::new()
        } else {
            given.values.clone()
        },
        lines: vec![
            given.trace("training rows", &given.training),
            given.trace("held-out rows", &given.held_out),
        ],
        best: given.mark.filter(|_| !learning),
        expected: given.mark.filter(|_| learning),
    };
    Ok(figure.to_svg())
}

/// How often intervals held the truth, as JSON.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn coverage_of_intervals(
    truth: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    level: f64,
) -> PyResult<String> {
    let ends: Vec<[f64; 2]> = low.into_iter().zip(high).map(|(l, h)| [l, h]).collect();
    text(&interval_coverage(&truth, &ends, level).map_err(|e| raise(&e))?)
}

/// How often prediction sets held the truth, as JSON.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments of Python functions are owned"
)]
pub(crate) fn coverage_of_sets(
    truth: Vec<u32>,
    sets: Vec<Vec<u32>>,
    labels: Vec<String>,
    level: f64,
) -> PyResult<String> {
    text(&set_coverage(&truth, &sets, &labels, level).map_err(|e| raise(&e))?)
}

/// The p-value of a permutation test.
#[pyfunction]
pub(crate) fn chance(score: f64, shuffled: Vec<f64>) -> PyResult<f64> {
    let found = Chance::of(score, shuffled, Better::Higher);
    Ok(found.map_err(|e| raise(&e))?.p_value)
}

/// The scores of shuffled targets as an SVG file.
#[pyfunction]
pub(crate) fn chance_svg(name: &str, score: f64, shuffled: Vec<f64>, p: f64) -> String {
    let figure = Histogram {
        title: format!(
            "{name} of {} shuffled targets; the dashed line is that of the true ones (p = {p:.3})",
            shuffled.len()
        ),
        name: name.to_owned(),
        groups: vec![Group {
            name: "shuffled".to_owned(),
            values: shuffled,
        }],
        threshold: Some(score),
        ..Histogram::default()
    };
    figure.to_svg()
}

fn text(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}
