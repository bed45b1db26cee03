//! Normal equations from sums, and their solutions.

use mercer_linalg::{
    Cholesky, LinalgError, Matrix, Op, Par, Proceed, SymmetricEigen, axpy, dot, gemm,
};

use super::Moments;
use crate::solver::least_squares::{Levels, Reduced, Spectrum};

/// Factor by which λ is raised where A + λI is not positive definite to rounding, and how often at most.
const RAISED: f64 = 10.0;
const RAISES: i32 = 16;
/// Share of ‖y_c‖² that is the least noise: sums of squares are known no better.
const LEAST_REST: f64 = 1e-12;
/// How many times its rounding a direction of the features must vary by to count.
const OVER_ROUNDING: f64 = 4.0;
/// Norm of the error of G over ε g √(nm), at most: 28 to 46 were measured for Gaussian kernels of all widths, 2 to 20 columns,
/// 40 to 300 landmarks and 3,000 to 30,000 rows. Values are rounded in proportion to their size, not to their spread.
const ERROR_NORM: f64 = 48.0;

/// The normal equations of some rows after a linear map of their features: A = Σ w φφᵀ and b = Σ w φy, around the means
/// where a constant is free.
#[derive(Debug, Clone, PartialEq)]
pub struct Normal {
    /// A, both triangles.
    gram: Matrix<f64>,
    /// b in units of the targets, a row per output.
    sides: Matrix<f64>,
    /// Σ w y² of every output in its unit.
    squares: Vec<f64>,
    copies: f64,
    intercept: bool,
    /// Means of the features before the map; 0 without a free constant.
    feature_means: Vec<f64>,
    /// Means of the targets; 0 without a free constant.
    target_means: Vec<f64>,
    units: Vec<f64>,
    /// Columns of the map in which rows vary by more than rounding.
    kept: Vec<usize>,
    /// The map T itself, those columns only; `None` for features as they are.
    map: Option<Matrix<f64>>,
    /// How far an eigenvalue of A may be off.
    rounding: f64,
}

impl Moments {
    /// Makes the normal equations for features Tᵀφ; `None` means φ itself. Time m²r + mr² for r columns of T.
    ///
    /// Columns of T along which rows vary by no more than the rounding of single features are left out: they would
    /// carry noise, since T makes them as large as the others.
    pub fn normal(&self, map: Option<&Matrix<f64>>, intercept: bool, par: Par) -> Normal {
        let m = self.features();
        let mass = self.mass();
        let centre = intercept && mass > 0.0;
        // What is left of the sums around the means, or around zero.
        let (from, by) = (&self.origin.features, self.feature_sums());
        let offset = |i: usize| f64::from(from[i]);
        let mut gram = Matrix::zeros(m, m);
        for i in 0..m {
            let sums = &self.sums.row(i)[..=i];
            let row = &mut gram.row_mut(i)[..=i];
            for (j, (to, sum)) in row.iter_mut().zip(sums).enumerate() {
                *to = if centre {
                    sum - by[i] * by[j] / mass
                } else {
                    sum + offset(i) * by[j] + by[i] * offset(j) + mass * offset(i) * offset(j)
                };
            }
        }
        mirror(&mut gram);
        let outputs = self.outputs();
        let totals = self.target_sums();
        let start = |k: usize| self.origin.targets[k] / self.origin.units[k];
        let sides = Matrix::from_fn(outputs, m, |k, i| {
            let product = self.products(k)[i];
            if centre {
                product - by[i] * totals[k] / mass
            } else {
                product + offset(i) * totals[k] + start(k) * by[i] + mass * offset(i) * start(k)
            }
        });
        let squares = (0..outputs).map(|k| {
            let square = self.target_square(k);
            let square = if centre {
                square - totals[k] * totals[k] / mass
            } else {
                square + 2.0 * start(k) * totals[k] + mass * start(k) * start(k)
            };
            square.max(0.0)
        });
        let normal = Normal {
            rounding: self.rounding(&gram),
            gram,
            sides,
            squares: squares.collect(),
            copies: self.copies,
            intercept,
            feature_means: (0..m)
                .map(|i| {
                    if centre {
                        offset(i) + by[i] / mass
                    } else {
                        0.0
                    }
                })
                .collect(),
            target_means: (0..outputs)
                .map(|k| {
                    if centre {
                        self.origin.target(k, totals[k] / mass)
                    } else {
                        0.0
                    }
                })
                .collect(),
            units: self.origin.units.clone(),
            kept: (0..m).collect(),
            map: None,
        };
        match map {
            Some(map) => normal.mapped(map, par),
            None => normal,
        }
    }

    /// How far the eigenvalues of G may be off: sums of n products of mean size g, each off by ε, in m columns.
    fn rounding(&self, gram: &Matrix<f64>) -> f64 {
        let m = gram.rows();
        if m == 0 || self.copies <= 0.0 {
            return 0.0;
        }
        let trace: f64 = (0..m).map(|i| gram[(i, i)]).sum();
        let mean = trace.max(0.0) / m as f64 / self.copies;
        ERROR_NORM * self.epsilon * mean * (self.copies * m as f64).sqrt()
    }
}

impl Normal {
    /// The same for features Tᵀφ.
    fn mapped(self, map: &Matrix<f64>, par: Par) -> Self {
        let (m, all) = (map.rows(), map.columns());
        assert_eq!(m, self.gram.rows(), "a row of the map for every feature");
        let product = |left: &Matrix<f64>, op: Op, right: &Matrix<f64>| {
            let rows = if op == Op::None {
                left.rows()
            } else {
                left.columns()
            };
            let mut out = Matrix::zeros(rows, right.columns());
            let (left, right) = (left.as_ref(), right.as_ref());
            gemm(1.0, left, op, right, Op::None, 0.0, out.as_mut(), par);
            out
        };
        let half = product(&self.gram, Op::None, map);
        // How far rows vary along each column, and how much rounding the column lifts.
        let mut varies = vec![0.0; all];
        let mut lengths = vec![0.0; all];
        for i in 0..m {
            for (j, t) in map.row(i).iter().enumerate() {
                varies[j] += t * half[(i, j)];
                lengths[j] += t * t;
            }
        }
        let kept: Vec<usize> = (0..all)
            .filter(|&j| varies[j] > OVER_ROUNDING * self.rounding * lengths[j])
            .collect();
        let pick = |matrix: &Matrix<f64>| {
            Matrix::from_fn(matrix.rows(), kept.len(), |i, j| matrix[(i, kept[j])])
        };
        let (map, half) = if kept.len() == all {
            (map.clone(), half)
        } else {
            (pick(map), pick(&half))
        };
        let mut gram = product(&map, Op::Transpose, &half);
        mirror(&mut gram);
        let longest = kept.iter().map(|&j| lengths[j]).fold(0.0, f64::max);
        Self {
            sides: product(&self.sides, Op::None, &map),
            gram,
            kept,
            map: Some(map),
            rounding: self.rounding * longest,
            ..self
        }
    }

    /// Returns whether rows vary along every combination of the features by more than rounding: nothing would be left out,
    /// whatever columns the map had. Time r³/6.
    pub(crate) fn is_certain(&self, par: Par) -> bool {
        let all = self.map.as_ref().map_or(self.width(), Matrix::rows);
        let mut less = self.gram.clone();
        for i in 0..less.rows() {
            less[(i, i)] -= OVER_ROUNDING * self.rounding;
        }
        self.width() == all && Cholesky::factor(less, par).is_ok()
    }

    /// Returns A.
    pub fn gram(&self) -> &Matrix<f64> {
        &self.gram
    }

    /// Returns how many features there are after the map, those left out not counted.
    pub fn width(&self) -> usize {
        self.gram.rows()
    }

    /// Returns the columns of the map that count.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Returns the copies, less one where a constant is free.
    pub fn freedom(&self) -> f64 {
        self.copies - f64::from(u8::from(self.intercept))
    }

    /// Returns how many copies all rows stand for.
    pub fn copies(&self) -> f64 {
        self.copies
    }

    /// Returns Σ w (y − ȳ)² of an output: what a constant leaves.
    pub fn variation(&self, output: usize) -> f64 {
        self.squares[output] * self.units[output].powi(2)
    }

    /// Returns the average eigenvalue of the kernel matrix of the features; 0 where it is rounding.
    pub fn mean_eigenvalue(&self) -> f64 {
        let trace: f64 = (0..self.width()).map(|i| self.gram[(i, i)]).sum();
        let mean = trace / self.freedom();
        let rounding = self.rounding * self.width() as f64 / self.freedom();
        if mean > rounding { mean } else { 0.0 }
    }

    /// Returns what is to be added to costs of targets in their units: costs of the targets themselves.
    pub fn unit_cost(&self) -> f64 {
        self.freedom() * self.units.iter().map(|u| u.abs().ln()).sum::<f64>()
    }

    /// Returns the tridiagonal form, which has the evidence of every ratio, for targets in their units. Time 2r³/3.
    ///
    /// # Errors
    /// Sums that are no numbers.
    pub fn reduced(&self) -> Result<Reduced, LinalgError> {
        // Eigenvalues that rounding has made negative would make logarithms of determinants small without end.
        let mut gram = self.gram.clone();
        for i in 0..gram.rows() {
            gram[(i, i)] += self.rounding;
        }
        Reduced::of_features(
            gram,
            self.sides.clone(),
            self.squares.clone(),
            (self.copies, self.mean_eigenvalue()),
            self.intercept,
        )
    }

    /// Returns the eigendecomposition, which has weights, errors and evidence of every λ.
    ///
    /// # Errors
    /// Sums that are no numbers.
    pub fn spectrum(&self) -> Result<NormalSpectrum, LinalgError> {
        let eigen = SymmetricEigen::new(self.gram.as_ref())?;
        let (r, outputs) = (self.width(), self.sides.rows());
        let mut along = Matrix::zeros(outputs, r);
        for k in 0..outputs {
            for (i, b) in self.sides.row(k).iter().enumerate() {
                axpy(*b, eigen.vectors.row(i), along.row_mut(k));
            }
        }
        Ok(NormalSpectrum {
            normal: self.clone(),
            eigen,
            along,
        })
    }

    /// Solves at λ, or at the first of 10λ, 100λ, … at which A + λI is positive definite to rounding. Time r³/6.
    ///
    /// # Errors
    /// A matrix that is so at none of them, or holds what is no number.
    pub fn solve(&self, lambda: f64, par: Par) -> crate::Result<NormalSolution> {
        self.solve_while(lambda, par, &|| true).map_err(cannot)
    }

    /// The same as long as it may.
    ///
    /// # Errors
    /// As [`Normal::solve`], and [`LinalgError::Stopped`].
    pub fn solve_while(
        &self,
        lambda: f64,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<NormalSolution, LinalgError> {
        for raise in 0..=RAISES {
            let used = lambda * RAISED.powi(raise);
            let mut matrix = self.gram.clone();
            for i in 0..matrix.rows() {
                matrix[(i, i)] += used;
            }
            match Cholesky::factor_while(matrix, par, proceed) {
                Ok(factor) => return Ok(self.finish(used, factor, par)),
                Err(LinalgError::NotPositiveDefinite { .. }) => {}
                Err(other) => return Err(other),
            }
        }
        Err(LinalgError::NotPositiveDefinite { pivot: 0 })
    }

    fn finish(&self, lambda: f64, factor: Cholesky<f64>, par: Par) -> NormalSolution {
        let mut right = self.sides.transposed();
        factor.solve_in_place(&mut right, par);
        self.solution(lambda, right.transposed(), Some(factor))
    }

    /// Puts weights in units into words of the rows.
    fn solution(
        &self,
        lambda: f64,
        own: Matrix<f64>,
        factor: Option<Cholesky<f64>>,
    ) -> NormalSolution {
        let outputs = own.rows();
        let mut objectives = Vec::with_capacity(outputs);
        let mut residuals = Vec::with_capacity(outputs);
        for k in 0..outputs {
            let explained = dot(self.sides.row(k), own.row(k));
            let penalty = lambda * dot(own.row(k), own.row(k));
            let least = LEAST_REST * self.squares[k];
            let square = self.units[k].powi(2);
            objectives.push((self.squares[k] - explained).max(least) * square);
            residuals.push((self.squares[k] - explained - penalty).max(least) * square);
        }
        let mut weights = own;
        for k in 0..outputs {
            for w in weights.row_mut(k) {
                *w *= self.units[k];
            }
        }
        // Back through the map: cᵀφ = wᵀTᵀφ.
        let coefficients = match &self.map {
            None => weights.clone(),
            Some(map) => {
                Matrix::from_fn(outputs, map.rows(), |k, i| dot(map.row(i), weights.row(k)))
            }
        };
        let biases = (0..outputs)
            .map(|k| self.target_means[k] - dot(coefficients.row(k), &self.feature_means))
            .collect();
        NormalSolution {
            lambda,
            weights,
            coefficients,
            biases,
            objectives,
            residuals,
            freedom: self.freedom(),
            constant: f64::from(u8::from(self.intercept)),
            factor,
        }
    }
}

/// Weights at one λ, with what follows from them.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalSolution {
    /// λ as it was used: raised where rounding asked for it.
    pub lambda: f64,
    /// Weights of the features after the map, a row per output.
    pub weights: Matrix<f64>,
    /// Weights of the features before it.
    pub coefficients: Matrix<f64>,
    /// Constant of every output.
    pub biases: Vec<f64>,
    /// Σ w (y − f)² + λ‖w‖² of every output.
    pub objectives: Vec<f64>,
    /// Σ w (y − f)² of every output.
    pub residuals: Vec<f64>,
    freedom: f64,
    constant: f64,
    factor: Option<Cholesky<f64>>,
}

impl NormalSolution {
    /// Returns μ and ζ of every output at the largest evidence: ζ = 1/σ².
    pub fn levels(&self) -> Vec<Levels> {
        let ratio = self.lambda.recip();
        let one = |objective: &f64| Levels::at(ratio, objective * ratio, self.freedom);
        self.objectives.iter().map(one).collect()
    }

    /// Returns the effective number of parameters, the constant counted. Time r³/6.
    ///
    /// # Panics
    /// A solution of a path, which has no factor.
    pub fn effective_parameters(&self, par: Par) -> f64 {
        let factor = self.factor();
        let trace: f64 = factor.inverse_diagonal(par).iter().sum();
        self.constant + factor.order() as f64 - self.lambda * trace
    }

    /// Returns (A + λI)⁻¹: times σ², the covariance of the weights after the map. Time 2r³/3.
    ///
    /// # Panics
    /// A solution of a path, which has no factor.
    pub fn covariance(&self, par: Par) -> Matrix<f64> {
        self.factor().inverse(par)
    }

    fn factor(&self) -> &Cholesky<f64> {
        self.factor.as_ref().expect("a solution by a factor")
    }
}

/// Eigenvalues and eigenvectors of the normal equations.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalSpectrum {
    normal: Normal,
    eigen: SymmetricEigen<f64>,
    /// uᵀb in units, a row per output.
    along: Matrix<f64>,
}

impl NormalSpectrum {
    /// Returns the eigenvalues of A, ascending.
    pub fn values(&self) -> &[f64] {
        &self.eigen.values
    }

    /// Returns the eigenvectors, one per column.
    pub fn vectors(&self) -> &Matrix<f64> {
        &self.eigen.vectors
    }

    /// Returns what least squares knows of every ratio: costs, evidence, effective parameters; targets in their units.
    ///
    /// Eigenvalues within rounding of zero count as zero; the part of y along them is left to the noise.
    pub fn least_squares(&self) -> Spectrum {
        let normal = &self.normal;
        let largest = self.eigen.values.last().copied().unwrap_or(0.0);
        let floor = normal
            .rounding
            .max(largest * f64::EPSILON * normal.width() as f64);
        let values = self
            .eigen
            .values
            .iter()
            .map(|l| if *l > floor { *l } else { 0.0 });
        let values: Vec<f64> = values.collect();
        let z = Matrix::from_fn(self.along.rows(), values.len(), |k, i| {
            if values[i] > 0.0 {
                self.along[(k, i)] / values[i].sqrt()
            } else {
                0.0
            }
        });
        let rest = (0..z.rows()).map(|k| {
            let inside = dot(z.row(k), z.row(k));
            let all = normal.squares[k];
            (all - inside).max(LEAST_REST * all)
        });
        let rest: Vec<f64> = rest.collect();
        Spectrum::from_parts(values, z, rest, normal.copies, normal.intercept)
    }

    /// Returns the weights at λ. Time r² an output.
    pub fn solve(&self, lambda: f64) -> NormalSolution {
        let r = self.normal.width();
        let mut own = Matrix::zeros(self.along.rows(), r);
        for k in 0..own.rows() {
            let pairs = self.along.row(k).iter().zip(&self.eigen.values);
            let scaled: Vec<f64> = pairs.map(|(b, l)| b / (l.max(0.0) + lambda)).collect();
            for (i, w) in own.row_mut(k).iter_mut().enumerate() {
                *w = dot(self.eigen.vectors.row(i), &scaled);
            }
        }
        self.normal.solution(lambda, own, None)
    }
}

/// Fills the upper triangle from the lower one.
fn mirror(matrix: &mut Matrix<f64>) {
    for i in 0..matrix.rows() {
        for j in 0..i {
            let value = matrix[(i, j)];
            matrix[(j, i)] = value;
        }
    }
}

/// The error of equations that cannot be solved.
pub(crate) fn cannot(error: LinalgError) -> crate::Error {
    match error {
        LinalgError::Stopped => crate::Error::Cancelled,
        error => crate::Error::rows(
            format!("the normal equations of the features cannot be solved: {error}"),
            "check the rows for values that are not finite",
        ),
    }
}
