//! How much the targets are trusted.

use std::time::{Duration, Instant};

use mercer_linalg::LinalgError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fit::{FitContext, Note, StopReason};
use crate::hint::{Hint, Word};
use crate::learn::{Flag, Grid, Kind, Range, Search, Setting, Settings, read_value, write_value};
use crate::solver::least_squares::{Problem, RATIO_RANGE, Reduced, Spectrum};
use crate::solver::line::least;
use crate::{Error, Result};

/// Rows up to which one form of the matrix serves all ratios: a tridiagonal one takes as long as
/// some ten factorisations, which a search needs as well.
const SPECTRAL_ROWS: usize = 1500;
/// Width of log γ at which a search by factorisations ends.
const CLOSE: f64 = 0.02;
/// Points of its first scan.
const SCAN: usize = 9;
/// Evaluations for which time is kept when there is a limit: the solution itself takes two, with
/// the leave-one-out residuals.
const KEPT: u32 = 3;

/// The ratio γ of noise to prior precision, or how it is found.
///
/// Minimised is ½‖f‖² + (γ/2) Σ w_i (y_i − f(x_i))².
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// γ itself.
    Gamma(f64),
    /// λ = 1/γ, as ridge regression names it.
    Lambda(f64),
    /// The γ of largest evidence.
    #[default]
    Evidence,
    /// The γ of least squared leave-one-out error.
    LeaveOneOut,
    /// The γ of least generalised cross-validation score.
    Gcv,
}

/// A γ that was found.
pub(super) struct Found {
    pub(super) ratio: f64,
    pub(super) how: &'static str,
    pub(super) stop_reason: StopReason,
}

impl Found {
    /// Says how it was found, and that another one is used where that is so.
    pub(super) fn notes(&self, used: f64) -> Vec<Note> {
        let Self { ratio, how, .. } = self;
        let mut notes = vec![Note::Choice(if used == *ratio {
            format!(
                "γ = {used:.4} by the {how} (λ = 1/γ = {:.4e})",
                used.recip()
            )
        } else {
            format!(
                "γ = {used:.4e} in place of {ratio:.4e} by the {how}: the classes show hardly any signal, and a smaller γ orders rows no better"
            )
        })];
        if self.stop_reason == StopReason::TimeLimit {
            notes.push(Note::Alert(
                "the time limit ended the search for γ: the best value so far is used".to_owned(),
            ));
        }
        notes
    }
}

/// C, λ and the rule that finds them say the same thing: at most one of them is given.
const RIVALS: &[&str] = &["c", "lambda", "gamma", "by"];
/// From where kernels of size 1 follow every row to where they are smoothed to nothing.
const LAMBDA_SEARCH: Search = Search {
    larger_is_smoother: true,
    grid: Grid::Log(1e-5, 1e2, 8),
};
/// The same in C = 1/λ.
const C_SEARCH: Search = Search {
    larger_is_smoother: false,
    grid: Grid::Log(1e-2, 1e5, 8),
};

impl Settings for Strength {
    fn list() -> Vec<Setting> {
        let number = |name, doc| Setting {
            optional: true,
            rivals: RIVALS,
            ..Setting::new(name, Kind::Number(Range::Positive), doc)
        };
        vec![
            Setting {
                python: "C",
                search: Some(C_SEARCH),
                ..number(
                    "c",
                    "Regularisation parameter C = 1/λ, the weight of errors",
                )
            },
            Setting {
                python: "alpha",
                search: Some(LAMBDA_SEARCH),
                ..number("lambda", "Weight λ of the penalty")
            },
            Setting {
                flag: Flag::Hidden("gamma"),
                ..number("gamma", "Another name of `c`")
            },
            Setting {
                flag: Flag::None,
                optional: true,
                rivals: RIVALS,
                ..Setting::new(
                    "by",
                    Kind::Word(&["evidence", "leave_one_out", "gcv"]),
                    "How the regularisation is found, where it is not given",
                )
            },
        ]
    }

    fn set(&mut self, name: &str, value: &Value) -> Option<Result<()>> {
        let number = |make: fn(f64) -> Self| {
            let read: f64 = read_value(name, value)?;
            let mut errors = Vec::new();
            Range::Positive.check(name, read, &mut errors);
            Error::collect(errors).map(|()| make(read))
        };
        let read = match name {
            "c" | "gamma" => number(Self::Gamma),
            "lambda" => number(Self::Lambda),
            "by" => read_value(name, value),
            _ => return None,
        };
        Some(read.map(|read| *self = read))
    }

    fn get(&self, name: &str) -> Option<Value> {
        let found = match (name, *self) {
            ("c" | "gamma", Self::Gamma(c)) => write_value(&c),
            ("lambda", Self::Lambda(lambda)) => write_value(&lambda),
            ("by", Self::Evidence | Self::LeaveOneOut | Self::Gcv) => write_value(self),
            ("c" | "gamma" | "lambda" | "by", _) => Value::Null,
            _ => return None,
        };
        Some(found)
    }

    fn check(&self, errors: &mut Vec<Error>) {
        match *self {
            Self::Gamma(c) => Range::Positive.check("c", c, errors),
            Self::Lambda(lambda) => Range::Positive.check("lambda", lambda, errors),
            Self::Evidence | Self::LeaveOneOut | Self::Gcv => {}
        }
    }
}

impl Strength {
    /// Returns whether γ or λ is given.
    pub fn is_given(self) -> bool {
        self.given().is_some()
    }

    /// Returns γ where it or λ is given.
    pub fn given(self) -> Option<f64> {
        match self {
            Self::Gamma(gamma) => Some(gamma),
            Self::Lambda(lambda) => Some(lambda.recip()),
            Self::Evidence | Self::LeaveOneOut | Self::Gcv => None,
        }
    }

    /// Finds γ for a problem, unless it is given; `factors` are what a copy of each row weighs, 1
    /// where there are none.
    ///
    /// # Errors
    /// A kernel matrix that is zero or holds values that are no numbers; cancellation and the
    /// time limit.
    pub(super) fn ratio(
        self,
        problem: &Problem<'_>,
        factors: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<Option<Found>> {
        let how = match self {
            Self::Gamma(_) | Self::Lambda(_) => return Ok(None),
            Self::Evidence => "largest evidence",
            Self::LeaveOneOut => "least leave-one-out error",
            Self::Gcv => "least generalised cross-validation score",
        };
        if problem.freedom() <= 0.0 {
            return Err(too_few(problem.rows(), problem.copies(), "c"));
        }
        context.check()?;
        let (found, stop_reason) = if problem.is_constant() {
            (None, StopReason::Converged)
        } else if problem.rows() <= SPECTRAL_ROWS {
            let found = self.by_one_form(problem, factors)?;
            (found, StopReason::Converged)
        } else {
            self.by_factors(problem, factors, context)?
        };
        let ratio = found.ok_or_else(|| {
            Error::rows(
                "the kernel is the same for all pairs of rows: they tell nothing about the target",
                "give columns that vary, or choose another kernel",
            )
        })?;
        Ok(Some(Found {
            ratio,
            how,
            stop_reason,
        }))
    }

    /// One form of the matrix that serves all ratios: rows left out need eigenvectors.
    fn by_one_form(self, problem: &Problem<'_>, factors: Option<&[f64]>) -> Result<Option<f64>> {
        let cannot = |e: LinalgError| {
            Error::rows(
                format!("the kernel matrix cannot be decomposed: {e}"),
                "check the rows for values that are not finite",
            )
        };
        if self == Self::LeaveOneOut {
            let spectrum = Spectrum::new(problem).map_err(cannot)?;
            semidefinite(spectrum.is_semidefinite())?;
            return Ok(spectrum.least(|ratio| spectrum.leave_copies_out(ratio, factors)));
        }
        let reduced = Reduced::new(problem).map_err(cannot)?;
        semidefinite(reduced.is_semidefinite())?;
        Ok(if self == Self::Gcv {
            reduced.least_gcv()
        } else {
            reduced.best_ratio()
        })
    }

    /// A scan and a golden section, a factorisation a point; the best point so far when the time
    /// is up.
    fn by_factors(
        self,
        problem: &Problem<'_>,
        factors: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<(Option<f64>, StopReason)> {
        let mean = problem.mean_eigenvalue();
        if !(mean.is_finite() && mean > 0.0) {
            return Ok((None, StopReason::Converged));
        }
        let (par, proceed) = (context.par(), || context.goes_on());
        let value = |log: f64| -> Result<f64> {
            context.check()?;
            // Beyond what rounding allows there is no solution, and no better one.
            let Ok(solved) = problem.solve_while(log.exp(), par, &proceed) else {
                context.check()?;
                return Ok(f64::INFINITY);
            };
            if self == Self::Evidence {
                return Ok(solved.cost());
            }
            let Ok(diagonal) = solved.diagonal_while(par, &proceed) else {
                context.check()?;
                return Ok(f64::INFINITY);
            };
            let weight = |i: usize| 1.0 / problem.noise(i);
            let n = problem.rows();
            let residuals = if self == Self::LeaveOneOut {
                diagonal.leave_copies_out(factors)
            } else {
                solved.residuals()
            };
            let mut total = 0.0;
            for k in 0..residuals.rows() {
                let row = residuals.row(k);
                total += (0..n).map(|i| weight(i) * row[i] * row[i]).sum::<f64>();
            }
            if self == Self::Gcv {
                let share = 1.0 - diagonal.effective_parameters() / n as f64;
                total /= n as f64 * share * share;
            }
            Ok(total)
        };
        let (low, high) = ((RATIO_RANGE.0 / mean).ln(), (RATIO_RANGE.1 / mean).ln());
        // Noise beyond 10⁴ times or below 10⁻⁶ of the signal is rare: the scan starts inside.
        let (low, high) = (low + 9.0, high - 4.0);
        let mut best: Option<(f64, f64)> = None;
        let mut longest = Duration::ZERO;
        let watched = |log: f64| -> Result<f64> {
            let left = context.time_left();
            if best.is_some() && left.is_some_and(|left| left < KEPT * longest) {
                return Err(Error::OutOfTime);
            }
            let started = Instant::now();
            let found = value(log)?;
            longest = longest.max(started.elapsed());
            if found.is_finite() && best.is_none_or(|(least, _)| found < least) {
                best = Some((found, log));
            }
            Ok(found)
        };
        match (least((low, high), SCAN, CLOSE, watched), best) {
            (Ok(log), _) => Ok((Some(log.exp()), StopReason::Converged)),
            (Err(Error::OutOfTime), Some((_, log))) => Ok((Some(log.exp()), StopReason::TimeLimit)),
            (Err(error), _) => Err(error),
        }
    }
}

/// Nothing can be found out from one row, or from rows that weigh no more than one; `setting` is
/// what is looked for.
pub(crate) fn too_few(rows: usize, copies: f64, setting: &'static str) -> Error {
    let (problem, cure) = if rows == 1 && copies == 1.0 {
        (
            "there is one row: how far rows can be trusted is found from two or more".to_owned(),
            "give at least two rows",
        )
    } else {
        (
            format!("the row weights sum to {copies}, no more than one row"),
            "weights mean copies: give weights that sum to more than one",
        )
    };
    let cure = Hint::from(cure).then(", or the regularisation itself with ");
    Error::rows(problem, cure.word(Word::Setting(setting)))
}

fn semidefinite(is_so: bool) -> Result<()> {
    if is_so {
        return Ok(());
    }
    Err(Error::Conflict {
        what: "the kernel matrix is not positive semidefinite: it has no evidence".to_owned(),
        cure: "choose a positive semidefinite kernel, or give γ".into(),
    })
}
