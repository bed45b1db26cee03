//! Is it a kernel? Tests and repairs of a Gram matrix.
//!
//! On a finite set a function is a kernel exactly when its matrix is symmetric and positive
//! semidefinite.

use mercer_linalg::{LinalgError, Matrix, SymmetricEigen};

use crate::data::Targets;
use crate::{Error, Result};

/// What a Gram matrix turns out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Every eigenvalue is above the tolerance.
    Definite,
    /// No eigenvalue is below minus the tolerance; some are 0 within it.
    Semidefinite,
    /// Some eigenvalue is below minus the tolerance.
    Indefinite,
    /// The two triangles differ by more than the tolerance.
    NotSymmetric,
    /// Some entry is infinite or NaN.
    NotFinite,
}

impl Verdict {
    /// Returns whether the matrix is that of a kernel.
    pub fn is_kernel(self) -> bool {
        matches!(self, Self::Definite | Self::Semidefinite)
    }

    /// Returns the verdict in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Definite => "positive definite",
            Self::Semidefinite => "positive semidefinite",
            Self::Indefinite => "indefinite",
            Self::NotSymmetric => "not symmetric",
            Self::NotFinite => "not finite",
        }
    }
}

/// A vector that shows a matrix to be no kernel's.
#[derive(Debug, Clone, PartialEq)]
pub struct Witness {
    /// The vector u, of length 1.
    pub vector: Vec<f64>,
    /// uᵀKu, below 0.
    pub value: f64,
}

/// The outcome of testing a Gram matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct GramCheck {
    /// The largest `|K_ij − K_ji|`.
    pub symmetric_error: f64,
    /// The smallest eigenvalue of (K + Kᵀ)/2.
    pub smallest_eigenvalue: f64,
    /// The largest eigenvalue of (K + Kᵀ)/2.
    pub largest_eigenvalue: f64,
    /// What counts as 0: n·ε·‖K‖, the rounding error of the eigenvalues.
    pub tolerance: f64,
    /// What the matrix is.
    pub verdict: Verdict,
    /// The number of eigenvalues further from 0 than the tolerance.
    pub rank: usize,
    /// A vector u with uᵀKu < 0, where the matrix is indefinite.
    pub witness: Option<Witness>,
    /// ⟨K, T⟩/(‖K‖·‖T‖), where T is yyᵀ of numbers less their mean, or 1 for equal classes
    /// and −1/(classes − 1) for different ones.
    pub alignment: Option<f64>,
}

/// Tests whether a matrix is symmetric and positive semidefinite; O(n³).
///
/// # Errors
/// A matrix that is not square, and targets of another length.
pub fn check_gram(matrix: &Matrix<f64>, targets: &Targets) -> Result<GramCheck> {
    let n = square(matrix)?;
    if let Some(found) = targets.len()
        && found != n
    {
        return Err(Error::Length {
            what: "the target".to_owned(),
            found,
            expected: n,
            unit: "rows",
        });
    }
    if matrix.as_slice().iter().any(|v| !v.is_finite()) {
        return Ok(GramCheck {
            symmetric_error: f64::NAN,
            smallest_eigenvalue: f64::NAN,
            largest_eigenvalue: f64::NAN,
            tolerance: f64::NAN,
            verdict: Verdict::NotFinite,
            rank: 0,
            witness: None,
            alignment: None,
        });
    }
    let mut symmetric_error = 0.0_f64;
    for i in 0..n {
        for j in 0..i {
            symmetric_error = symmetric_error.max((matrix[(i, j)] - matrix[(j, i)]).abs());
        }
    }
    let eigen = SymmetricEigen::new(symmetric_part(matrix).as_ref()).map_err(no_eigenvalues)?;
    let smallest = eigen.values.first().copied().unwrap_or(0.0);
    let largest = eigen.values.last().copied().unwrap_or(0.0);
    let norm = smallest.abs().max(largest.abs());
    let tolerance = n as f64 * f64::EPSILON * norm;
    let verdict = if symmetric_error > tolerance {
        Verdict::NotSymmetric
    } else if smallest < -tolerance {
        Verdict::Indefinite
    } else if smallest > tolerance {
        Verdict::Definite
    } else {
        Verdict::Semidefinite
    };
    let witness = (smallest < -tolerance).then(|| {
        let vector: Vec<f64> = (0..n).map(|i| eigen.vectors[(i, 0)]).collect();
        let value = quadratic(matrix, &vector);
        Witness { vector, value }
    });
    Ok(GramCheck {
        symmetric_error,
        smallest_eigenvalue: smallest,
        largest_eigenvalue: largest,
        tolerance,
        verdict,
        rank: eigen.values.iter().filter(|v| v.abs() > tolerance).count(),
        witness: witness.filter(|w| w.value < 0.0),
        alignment: alignment(matrix, targets),
    })
}

fn square(matrix: &Matrix<f64>) -> Result<usize> {
    if matrix.rows() == matrix.columns() {
        return Ok(matrix.rows());
    }
    Err(Error::Length {
        what: "a kernel matrix".to_owned(),
        found: matrix.columns(),
        expected: matrix.rows(),
        unit: "columns",
    })
}

fn symmetric_part(matrix: &Matrix<f64>) -> Matrix<f64> {
    let n = matrix.rows();
    Matrix::from_fn(n, n, |i, j| 0.5 * matrix[(i, j)] + 0.5 * matrix[(j, i)])
}

fn no_eigenvalues(error: LinalgError) -> Error {
    Error::rows(
        format!("the eigenvalues of the kernel matrix cannot be computed: {error}"),
        "scale the matrix so that its entries are near 1",
    )
}

fn quadratic(matrix: &Matrix<f64>, u: &[f64]) -> f64 {
    let rows = (0..matrix.rows()).map(|i| {
        let row: f64 = matrix.row(i).iter().zip(u).map(|(k, u)| k * u).sum();
        u[i] * row
    });
    rows.sum()
}

/// Returns the cosine between a matrix and the ideal one of the targets (Cristianini 2002).
fn alignment(matrix: &Matrix<f64>, targets: &Targets) -> Option<f64> {
    let ideal: Box<dyn Fn(usize, usize) -> f64> = match targets {
        Targets::None | Targets::Several(_) => return None,
        Targets::Classes(classes) => {
            let others = -1.0 / (classes.labels.len().max(2) as f64 - 1.0);
            let codes = &classes.codes;
            Box::new(move |i, j| if codes[i] == codes[j] { 1.0 } else { others })
        }
        Targets::Real(values) => {
            let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
            Box::new(move |i, j| (values[i] - mean) * (values[j] - mean))
        }
    };
    let (mut both, mut own, mut other) = (0.0, 0.0, 0.0);
    for i in 0..matrix.rows() {
        for (j, k) in matrix.row(i).iter().enumerate() {
            let t = ideal(i, j);
            both += k * t;
            own += k * k;
            other += t * t;
        }
    }
    let norm = f64::sqrt(own) * f64::sqrt(other);
    (norm > 0.0).then(|| both / norm)
}

/// Ways to make a symmetric matrix positive semidefinite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// Negative eigenvalues become 0: the nearest kernel matrix.
    Clip,
    /// Negative eigenvalues change sign.
    Flip,
    /// The size of the smallest eigenvalue is added to the diagonal.
    Shift,
}

impl Repair {
    /// The repairs by name.
    pub const NAMED: [(&'static str, Self); 3] = [
        ("clip", Self::Clip),
        ("flip", Self::Flip),
        ("shift", Self::Shift),
    ];
}

impl std::str::FromStr for Repair {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let found = Self::NAMED.iter().find(|(known, _)| *known == name);
        found
            .map(|(_, repair)| *repair)
            .ok_or_else(|| Error::Unknown {
                kind: "repair",
                name: name.to_owned(),
                known: Self::NAMED.iter().map(|(n, _)| (*n).to_owned()).collect(),
            })
    }
}

/// Makes a matrix symmetric and positive semidefinite.
///
/// # Errors
/// A matrix that is not square or not finite.
pub fn repair(matrix: &Matrix<f64>, repair: Repair) -> Result<Matrix<f64>> {
    let n = square(matrix)?;
    let mut symmetric = symmetric_part(matrix);
    let eigen = SymmetricEigen::new(symmetric.as_ref()).map_err(no_eigenvalues)?;
    let smallest = eigen.values.first().copied().unwrap_or(0.0);
    if smallest >= 0.0 {
        return Ok(symmetric);
    }
    if repair == Repair::Shift {
        for i in 0..n {
            symmetric[(i, i)] -= smallest;
        }
        return Ok(symmetric);
    }
    let negative = eigen.values.partition_point(|v| *v < 0.0);
    let factor = if repair == Repair::Flip { 2.0 } else { 1.0 };
    // Only the negative part changes, so that entries it does not touch keep their digits.
    let vectors = &eigen.vectors;
    for i in 0..n {
        for j in 0..=i {
            let change: f64 = (0..negative)
                .map(|h| eigen.values[h] * vectors[(i, h)] * vectors[(j, h)])
                .sum();
            let entry = symmetric[(i, j)] - factor * change;
            symmetric[(i, j)] = entry;
            symmetric[(j, i)] = entry;
        }
    }
    Ok(symmetric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ClassTargets;

    fn matrix(n: usize, values: &[f64]) -> Matrix<f64> {
        Matrix::from_vec(n, n, values.to_vec())
    }

    fn check(m: &Matrix<f64>) -> GramCheck {
        check_gram(m, &Targets::None).expect("square")
    }

    #[test]
    fn tells_the_kinds_apart() {
        let definite = check(&matrix(2, &[2.0, 1.0, 1.0, 2.0]));
        assert_eq!((definite.verdict, definite.rank), (Verdict::Definite, 2));
        let semi = check(&matrix(2, &[1.0, 1.0, 1.0, 1.0]));
        assert_eq!((semi.verdict, semi.rank), (Verdict::Semidefinite, 1));
        let skew = check(&matrix(2, &[1.0, 0.5, -0.5, 1.0]));
        assert_eq!(skew.verdict, Verdict::NotSymmetric);
        assert_eq!(skew.symmetric_error, 1.0);
        let nan = check(&matrix(1, &[f64::NAN]));
        assert_eq!(nan.verdict, Verdict::NotFinite);
        assert!(check(&matrix(0, &[])).verdict.is_kernel());
        assert!(check_gram(&Matrix::zeros(2, 3), &Targets::None).is_err());
    }

    #[test]
    fn an_indefinite_matrix_has_a_witness() {
        let m = matrix(2, &[1.0, 2.0, 2.0, 1.0]);
        let found = check(&m);
        assert_eq!(found.verdict, Verdict::Indefinite);
        assert!((found.smallest_eigenvalue + 1.0).abs() < 1e-12);
        let witness = found.witness.expect("a vector");
        assert!((witness.value + 1.0).abs() < 1e-12);
        assert!((quadratic(&m, &witness.vector) - witness.value).abs() < 1e-15);
    }

    #[test]
    fn repairs_give_kernels() {
        let m = matrix(3, &[1.0, 2.0, 0.0, 2.0, 1.0, 0.3, 0.0, 0.3, -0.5]);
        for (name, _) in Repair::NAMED {
            let mended = repair(&m, name.parse().expect("a name")).expect("finite");
            let found = check(&mended);
            assert_eq!(found.symmetric_error, 0.0);
            assert!(found.smallest_eigenvalue > -1e-12, "{name}");
        }
        let clipped = repair(&matrix(2, &[1.0, 2.0, 2.0, 1.0]), Repair::Clip).expect("finite");
        assert!(clipped.as_slice().iter().all(|v| (v - 1.5).abs() < 1e-12));
        let flipped = repair(&matrix(2, &[1.0, 2.0, 2.0, 1.0]), Repair::Flip).expect("finite");
        assert!((flipped[(0, 0)] - 2.0).abs() < 1e-12);
        let good = matrix(2, &[2.0, 1.0, 1.0, 2.0]);
        assert_eq!(repair(&good, Repair::Flip).expect("finite"), good);
    }

    #[test]
    fn the_ideal_matrix_is_aligned() {
        let targets = Targets::Classes(ClassTargets::from_labels(&["a", "b", "a"]));
        let ideal = matrix(3, &[1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]);
        let found = check_gram(&ideal, &targets).expect("square");
        assert!((found.alignment.expect("targets") - 1.0).abs() < 1e-12);
        let real = Targets::Real(vec![1.0, -1.0, 1.0]);
        let found = check_gram(&ideal, &real).expect("square").alignment;
        assert!((found.expect("targets") - 8.0 / 9.0).abs() < 1e-12);
        assert!(check_gram(&ideal, &Targets::Real(vec![1.0])).is_err());
    }
}
