//! Principal component analysis: parameters and fit.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::axes::{Axes, AxesSolver, axes};
use super::design::Rows;
use super::dimension::likeliest;
use crate::data::Dataset;
use crate::fit::{FitContext, FitReport, Fitted, Note, ProjectionReport, SolverReport, StopReason};
use crate::learn::{Estimator, Settings};
use crate::model::Projection;
use crate::model::readout::Readout;
use crate::{Error, Result};

/// Principal component analysis: the axes c of largest variance λ = Σ w ⟨c, x − m⟩² / (Σw − 1), m the mean of the rows.
///
/// A row becomes its coordinates ⟨c, x − m⟩ along the first axes; what is lost is the sum of the
/// variances left out. With `whiten` coordinates are divided by √λ, so that all have variance 1. Use it for
/// fewer columns, for pictures, and for columns without correlation. Columns of large units
/// have large variances: standardise those that have nothing to do with each other.
///
/// Time grows with n·d·min(n, d) for n rows and d columns; a few axes of many rows and columns take
/// some products of n·d each. Weights mean copies.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::project::{Divisor, Pca};
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 2, vec![2.0, 1.0, 1.0, 2.0, -2.0, -1.0, -1.0, -2.0]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::None)?;
/// let pca = Pca::default().components(Some(1)).divisor(Divisor::Rows);
/// let fitted = pca.fit(&data, &FitContext::default())?;
/// let told = fitted.report.projection.expect("axes have variances");
/// assert!((told.eigenvalues[0] - 4.5).abs() < 1e-12);
/// assert!((told.total - told.eigenvalues[0] - 0.5).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Jolliffe, Principal Component Analysis, 2nd edition, 2002; Halko, Martinsson and Tropp, Finding
/// structure with randomness, 2011.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Pca {
    /// Number of axes; all where it is left open.
    #[serde(default)]
    #[setting(count, python = "n_components")]
    pub components: Option<usize>,
    /// Share of the variance that is to be explained, by as few axes as can.
    #[serde(default)]
    #[setting(share)]
    pub explained: Option<f64>,
    /// Whether the number of axes is that of largest evidence (Minka).
    #[serde(default)]
    #[setting(switch, unlisted)]
    pub likeliest: bool,
    /// Whether all coordinates are brought to variance 1.
    #[serde(default)]
    #[setting(switch)]
    pub whiten: bool,
    /// How axes are found: `exact` all at once, `randomised` a few by products with blocks of columns.
    #[serde(default)]
    #[setting(
        words("auto", "exact", "randomised"),
        flag = "axes",
        python = "svd_solver"
    )]
    pub axes: AxesSolver,
    /// What sums of squares are divided by for variances: `freedom`, rows less one, or `rows`.
    #[serde(default)]
    #[setting(words("freedom", "rows"))]
    pub divisor: Divisor,
}

/// What sums of squares are divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Divisor {
    /// Rows less one, weights counted as copies: variances of the population without bias.
    #[default]
    Freedom,
    /// Rows, weights counted as copies.
    Rows,
}

impl Default for Pca {
    fn default() -> Self {
        Self {
            components: None,
            explained: None,
            likeliest: false,
            whiten: false,
            axes: AxesSolver::Auto,
            divisor: Divisor::Freedom,
        }
    }
}

impl Divisor {
    /// The number that sums over so many copies are divided by.
    fn of(self, total: f64) -> f64 {
        match self {
            // One row has no spread, whatever it is divided by.
            Self::Freedom if total > 1.0 => total - 1.0,
            Self::Freedom => 1.0,
            Self::Rows => total,
        }
    }
}

impl Estimator for Pca {
    type Model = Projection;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Projection>> {
        self.check_all()?;
        let context = context.restarted();
        context.install(|| self.run(data, &context))?
    }
}

impl Pca {
    fn check_all(&self) -> Result<()> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        let chosen = [
            self.components.is_some(),
            self.explained.is_some(),
            self.likeliest,
        ];
        if chosen.iter().filter(|is| **is).count() > 1 {
            errors.push(Error::Conflict {
                what: "the number of axes is given in more than one way".to_owned(),
                cure: "give `components`, or the share of the variance that is to be explained"
                    .into(),
            });
        }
        Error::collect(errors)
    }

    fn run(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Projection>> {
        let mut rows = Rows::try_new(data, true, context)?;
        let (n, d) = (rows.len(), rows.columns());
        let most = n.min(d);
        if let Some(asked) = self.components.filter(|asked| *asked > most) {
            let rule = format!("at most {most}, the lesser of {n} rows and {d} columns");
            return Err(Error::setting("components", asked, &rule));
        }
        if self.likeliest && n < d {
            return Err(Error::Unsupported {
                what: format!(
                    "evidence tells the number of axes of {d} columns from at least as many rows; there are {n}"
                ),
                cure: "give the number of components".into(),
            });
        }
        let found = axes(
            &mut rows,
            self.components.unwrap_or(most),
            self.axes,
            context,
        )?;
        let divisor = self.divisor.of(rows.total);
        let variance = |value: f64| rows.square(value) / divisor;
        let variances: Vec<f64> = found.values.iter().map(|v| variance(*v)).collect();
        let total = variance(found.total);
        let mut notes = Vec::new();
        let count = self.count(&variances, total, n, &mut notes);
        let kept = &variances[..count];
        if total == 0.0 {
            notes.push(Note::Alert(
                "all rows are equal: there is no variance to explain".to_owned(),
            ));
        } else if kept.contains(&0.0) {
            let empty = kept.iter().filter(|v| **v == 0.0).count();
            notes.push(Note::Choice(format!(
                "{empty} of {count} axes have no variance: the rows lie in fewer dimensions"
            )));
        }
        tell_of(&found, &mut notes);
        let scale = |v: &f64| {
            if self.whiten {
                v.sqrt().max(f64::EPSILON).recip()
            } else {
                1.0
            }
        };
        let model = Projection {
            mean: rows.means.clone(),
            components: Matrix::from_fn(count, d, |k, j| found.vectors[(k, j)]),
            scales: kept.iter().map(scale).collect(),
            back: None,
            whitening: None,
            features: data.records.features.groups.clone(),
            readout: Readout::Coordinates,
        };
        let rest = (total - kept.iter().sum::<f64>()).max(0.0);
        let noise = if count < most {
            rest / (most - count) as f64
        } else {
            0.0
        };
        let report = FitReport {
            stop_reason: found.stop_reason,
            distinct_rows: n,
            solver: Some(SolverReport::of_objective(rest, found.iterations)),
            projection: Some(ProjectionReport {
                eigenvalues: kept.to_vec(),
                total,
                noise: Some(noise),
                residual: found.residual,
                singular_values: found.values[..count]
                    .iter()
                    .map(|v| rows.length(v.sqrt()))
                    .collect(),
            }),
            ..FitReport::of_rows(data.len(), notes, context)
        };
        Ok(Fitted { model, report })
    }

    /// The number of axes that are kept, of all that were found.
    fn count(&self, variances: &[f64], total: f64, rows: usize, notes: &mut Vec<Note>) -> usize {
        if self.likeliest {
            let count = likeliest(variances, rows);
            notes.push(Note::Choice(format!(
                "{count} axes have the largest evidence (Minka)"
            )));
            return count.min(variances.len());
        }
        let Some(share) = self.explained else {
            return variances.len();
        };
        let mut sum = 0.0;
        let mut count = 0;
        for variance in variances {
            count += 1;
            sum += variance;
            if sum > share * total {
                break;
            }
        }
        notes.push(Note::Choice(format!(
            "{count} of {} axes explain {:.4} of the variance",
            variances.len(),
            if total > 0.0 { sum / total } else { 1.0 }
        )));
        count
    }
}

/// Says where axes were not found to the end.
pub(super) fn tell_of(found: &Axes, notes: &mut Vec<Note>) {
    if found.stop_reason != StopReason::Converged {
        notes.push(Note::Alert(format!(
            "not converged ({}): residuals of the axes are {:.1e} of the largest variance",
            found.stop_reason, found.residual
        )));
    }
}
