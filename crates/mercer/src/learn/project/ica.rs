//! Independent component analysis: parameters and fit.

use mercer_linalg::{Matrix, Op, Par, SymmetricEigen, gemm};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::axes::{AxesSolver, axes};
use super::contrast::{Algorithm, Contrast, Search, deflation, symmetric};
use super::design::Rows;
use super::pca::tell_of;
use crate::data::Dataset;
use crate::data::random::normal;
use crate::fit::{FitContext, FitReport, Fitted, Note, SolverReport, StopReason};
use crate::learn::{Estimator, Settings};
use crate::model::Projection;
use crate::model::readout::Readout;
use crate::{Error, Result};

/// Independent component analysis by FastICA: finds directions w of white rows x̃ whose coordinates ⟨w, x̃⟩ are as far from
/// normal as can be, by the fixed point w ← E[x̃ g(⟨w, x̃⟩)] − E[g′(⟨w, x̃⟩)] w.
///
/// If rows are mixtures x = A s of independent sources s, not more than one of them normal, it finds s, up to order, sign and
/// size. Use it to take signals apart that several sensors have recorded: voices, electrodes. Rows are made
/// white first by their principal axes.
///
/// A step takes time n·k² for n rows and k components. Weights mean copies.
///
/// # Examples
/// ```
/// use mercer::data::{Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::project::Ica;
/// use mercer_linalg::Matrix;
///
/// // Two signals, mixed twice.
/// let sources = |t: usize| [(t % 61) as f64 / 30.5 - 1.0, ((t / 48) % 2) as f64];
/// let x = Matrix::from_fn(2000, 2, |t, j| {
///     let [a, b] = sources(t);
///     if j == 0 { a + b } else { 0.5 * a + 2.0 * b }
/// });
/// let data = Dataset::try_new(Records::from_points(x), Targets::None)?;
/// let fitted = Ica::default().fit(&data, &FitContext::default())?;
/// assert_eq!(fitted.model.components.rows(), 2);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Hyvärinen, Fast and robust fixed-point algorithms for independent component analysis, 1999; Hyvärinen and Oja, Independent
/// component analysis: algorithms and applications, 2000.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Ica {
    /// Number of components; as many as columns where it is left open.
    #[serde(default)]
    #[setting(count, python = "n_components")]
    pub components: Option<usize>,
    /// Whether all components are found together, or one after the other.
    #[serde(default)]
    #[setting(words("symmetric", "deflation"))]
    pub algorithm: Algorithm,
    /// The function that tells how far from normal a coordinate is.
    #[serde(default)]
    #[setting(words("logcosh", "exp", "cube"), python = "fun")]
    pub contrast: Contrast,
    /// Factor α in log cosh(αu)/α, from 1 to 2.
    #[serde(default = "one")]
    #[setting(positive, unlisted)]
    pub steepness: f64,
    /// Whether sources are brought to variance 1, or left as the white rows give them.
    #[serde(default)]
    #[setting(words("unit", "arbitrary"))]
    pub variance: SourceVariance,
    /// Whether rows are white already.
    #[serde(default)]
    #[setting(switch, unlisted)]
    pub white: bool,
    /// Most steps.
    #[setting(count, python = "max_iter")]
    pub max_iterations: u64,
    /// Change of the directions, 1 − |⟨w, w′⟩|, below which they have settled.
    #[setting(not_negative, python = "tol")]
    pub tolerance: f64,
}

/// How large sources are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceVariance {
    /// Of variance 1.
    #[default]
    Unit,
    /// Of length 1 over all rows.
    Arbitrary,
}

fn one() -> f64 {
    1.0
}

impl Default for Ica {
    fn default() -> Self {
        Self {
            components: None,
            algorithm: Algorithm::Symmetric,
            contrast: Contrast::LogCosh,
            steepness: 1.0,
            variance: SourceVariance::Unit,
            white: false,
            max_iterations: 200,
            tolerance: 1e-4,
        }
    }
}

impl Estimator for Ica {
    type Model = Projection;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Projection>> {
        self.fit_from(data, None, context)
    }
}

impl Ica {
    /// Learns from data, from given first directions on where there are some.
    ///
    /// # Errors
    /// As [`Estimator::fit`]; directions of another number than the components.
    pub fn fit_from(
        &self,
        data: &Dataset,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<Fitted<Projection>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        if !(1.0..=2.0).contains(&self.steepness) {
            errors.push(Error::setting("steepness", self.steepness, "from 1 to 2"));
        }
        Error::collect(errors)?;
        let context = context.restarted();
        context.install(|| self.run(data, start, &context))?
    }

    fn run(
        &self,
        data: &Dataset,
        start: Option<&Matrix<f64>>,
        context: &FitContext,
    ) -> Result<Fitted<Projection>> {
        let mut notes = Vec::new();
        let mut rows = Rows::try_new(data, !self.white, context)?;
        if rows.len() < 2 {
            return Err(Error::rows(
                "independent components need at least two rows",
                "give more rows",
            ));
        }
        let (n, d) = (rows.len(), rows.columns());
        let most = n.min(d);
        let asked = if self.white { None } else { self.components };
        let mut count = asked.unwrap_or(most).min(most);
        if self.white && self.components.is_some() {
            notes.push(Note::Alert(
                "the number of components is that of the columns: the rows are white already"
                    .to_owned(),
            ));
        }
        if let Some(asked) = asked.filter(|asked| *asked > most) {
            notes.push(Note::Alert(format!(
                "there are {most} components instead of {asked}: as many as rows or columns"
            )));
        }
        rows.settle(context);
        let x = rows.dense(context);
        let (whitening, white) = if self.white {
            // Units of the rows and weights come back into what is multiplied by.
            (None, scaled(x, rows.length(1.0)))
        } else {
            let found = axes(&mut rows, count, AxesSolver::Auto, context)?;
            tell_of(&found, &mut notes);
            let spread = found.values.iter().filter(|v| **v > 0.0).count();
            if spread == 0 {
                return Err(Error::rows(
                    "all rows are equal: there is nothing to take apart",
                    "give rows that differ",
                ));
            }
            if spread < count {
                notes.push(Note::Alert(format!(
                    "there are {spread} components instead of {count}: the rows lie in fewer dimensions"
                )));
                count = spread;
            }
            let whitening = Matrix::from_fn(count, d, |k, j| {
                let sign = if found.vectors[(k, 0)] < 0.0 {
                    -1.0
                } else {
                    1.0
                };
                sign * found.vectors[(k, j)] / found.values[k].sqrt()
            });
            let mut white = Matrix::zeros(n, count);
            let (a, b) = (x.as_ref(), whitening.as_ref());
            let factor = rows.total.sqrt();
            gemm(
                factor,
                a,
                Op::None,
                b,
                Op::Transpose,
                0.0,
                white.as_mut(),
                context.par(),
            );
            drop(x);
            (Some(whitening), white)
        };
        // Directions were given for as many components as could be; the rows may have fewer dimensions.
        let most = asked.unwrap_or(most).min(most);
        if start.is_some_and(|start| (start.rows(), start.columns()) != (most, most)) {
            return Err(Error::Length {
                what: "the table of first directions".to_owned(),
                found: start.map_or(0, Matrix::rows),
                expected: most,
                unit: "rows and columns",
            });
        }
        let first = if let Some(start) = start {
            Matrix::from_fn(count, count, |k, l| start[(k, l)])
        } else {
            let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
            Matrix::from_fn(count, count, |_, _| normal(&mut rng))
        };
        let search = Search {
            rows: &white,
            // Rows of white coordinates carry √w, which is taken out where g is computed.
            roots: rows.roots(),
            total: rows.total,
            contrast: self.contrast,
            steepness: self.steepness,
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
            context,
        };
        let found = match self.algorithm {
            Algorithm::Symmetric => symmetric(&search, &first)?,
            Algorithm::Deflation => deflation(&search, &first)?,
        };
        if found.stop_reason != StopReason::Converged {
            notes.push(Note::Alert(format!(
                "not converged ({}): another step would turn the components",
                found.stop_reason
            )));
        }
        let mut turns = found.directions;
        let (components, whitening) = match whitening {
            None => (turns, None),
            Some(whitening) => {
                if self.variance == SourceVariance::Unit {
                    // White coordinates have variance 1, and so have turned ones, up to rounding and
                    // what the search left of orthogonality; in the units of `whitening` that is 1/Σw.
                    let deviations = spreads(&white, &turns, &rows);
                    for (k, deviation) in deviations.iter().enumerate() {
                        turns.row_mut(k).iter_mut().for_each(|v| *v /= deviation);
                    }
                }
                let unit = rows.length(1.0).recip();
                let whitening = scaled(whitening, unit);
                let mut components = Matrix::zeros(count, d);
                let (a, b) = (turns.as_ref(), whitening.as_ref());
                gemm(
                    1.0,
                    a,
                    Op::None,
                    b,
                    Op::None,
                    0.0,
                    components.as_mut(),
                    Par::Sequential,
                );
                (components, Some(whitening))
            }
        };
        let back = inverse(&components)?;
        let report = FitReport {
            stop_reason: found.stop_reason,
            distinct_rows: n,
            solver: Some(SolverReport::of_objective(found.change, found.iterations)),
            ..FitReport::of_rows(data.len(), notes, context)
        };
        let model = Projection {
            mean: rows.means.clone(),
            scales: vec![1.0; components.rows()],
            components,
            back: Some(back),
            whitening,
            features: data.records.features.groups.clone(),
            readout: Readout::Coordinates,
        };
        Ok(Fitted { model, report })
    }
}

fn scaled(mut matrix: Matrix<f64>, factor: f64) -> Matrix<f64> {
    matrix.as_mut_slice().iter_mut().for_each(|v| *v *= factor);
    matrix
}

/// Standard deviations of turned white coordinates, in the units of the whitening: those of X times it, so that Σ w s² = 1
/// where the search left them orthonormal.
fn spreads(white: &Matrix<f64>, turns: &Matrix<f64>, rows: &Rows) -> Vec<f64> {
    let mut squares = vec![0.0; turns.rows()];
    for row in 0..white.rows() {
        for (k, square) in squares.iter_mut().enumerate() {
            *square += mercer_linalg::dot(white.row(row), turns.row(k)).powi(2);
        }
    }
    // √w and √Σw are in the white rows; the mean of squares is over Σw, and so is their unit.
    let factor = rows.total * rows.total;
    squares.iter().map(|s| (s / factor).sqrt()).collect()
}

/// The way back: the pseudoinverse of components, transposed, C⁺ᵀ = (C Cᵀ)⁺ C.
fn inverse(components: &Matrix<f64>) -> Result<Matrix<f64>> {
    let (count, width) = (components.rows(), components.columns());
    // Components of very different lengths are brought to length 1 first, which the inverse undoes.
    let lengths: Vec<f64> = (0..count)
        .map(|k| {
            let square: f64 = components.row(k).iter().map(|v| v * v).sum();
            square.sqrt().max(f64::MIN_POSITIVE)
        })
        .collect();
    let unit = Matrix::from_fn(count, width, |k, j| components[(k, j)] / lengths[k]);
    let mut gram = Matrix::zeros(count, count);
    let view = unit.as_ref();
    gemm(
        1.0,
        view,
        Op::None,
        view,
        Op::Transpose,
        0.0,
        gram.as_mut(),
        Par::Sequential,
    );
    let eigen = SymmetricEigen::new(gram.as_ref()).map_err(|_| {
        Error::rows(
            "components are beyond what numbers can hold",
            "scale the columns",
        )
    })?;
    let largest = eigen.values.last().copied().unwrap_or(0.0);
    let turned = Matrix::from_fn(count, count, |k, i| {
        let value = eigen.values[k];
        if value > 1e-15 * count as f64 * largest {
            eigen.vectors[(i, k)] / value
        } else {
            0.0
        }
    });
    let mut small = Matrix::zeros(count, count);
    let (a, b) = (eigen.vectors.as_ref(), turned.as_ref());
    gemm(
        1.0,
        a,
        Op::None,
        b,
        Op::None,
        0.0,
        small.as_mut(),
        Par::Sequential,
    );
    let mut out = Matrix::zeros(count, width);
    let (a, b) = (small.as_ref(), unit.as_ref());
    gemm(
        1.0,
        a,
        Op::None,
        b,
        Op::None,
        0.0,
        out.as_mut(),
        Par::Sequential,
    );
    for (k, length) in lengths.iter().enumerate() {
        out.row_mut(k).iter_mut().for_each(|v| *v /= length);
    }
    Ok(out)
}
