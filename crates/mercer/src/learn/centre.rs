//! Rows that are far from zero, and kernels of dot products.
//!
//! Kernel values of rows around 10⁸ hold no digit of their differences; those of rows around their
//! mean hold all of them. With a linear kernel and a constant without penalty the coefficients sum to
//! zero, and shifting all rows by m changes nothing but the constant:
//!
//! ```text
//! Σ β_i ⟨x_i − m, x − m⟩ + b = Σ β_i ⟨x_i, x⟩ + b − ⟨w, m⟩,   w = Σ β_i (x_i − m).
//! ```
//!
//! So problems are solved around the mean, and the model sees rows from there, too
//! ([`KernelExpansion::seen_from`](crate::model::expansion::KernelExpansion)). Functions with a weight per column are
//! shifted alike ([`FarRows`]). Other kernels, and functions without such a constant, are different functions after a
//! shift: there the user is told that digits are lost, or that nothing useful can be expected.

use mercer_linalg::Real;

use super::margin::Bias;
use crate::Error;
use crate::data::{Block, Points, Records};
use crate::fit::{Note, listed};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::model::expansion::{around, factor_of_products};

/// Rows are shifted when a column's mean is this many times its spread: single
/// precision loses seven digits of sixteen there, and common rows are left as they are.
const FAR: f64 = 1e3;

/// The same from which on a dot product keeps at most six of sixteen digits for what tells rows apart,
/// and its powers none.
const LOST: f64 = 1e5;

/// What to do about it.
const CURE: &str = "centre or standardise the columns";

/// Families that look at dot products: their values change when all rows are shifted.
const OF_PRODUCTS: [&str; 3] = ["linear", "poly", "sigmoid"];

/// Rows around their mean.
pub(super) struct Centred {
    pub(super) records: Records,
    pub(super) means: Vec<f64>,
}

impl Centred {
    /// Shifts the rows, where the kernel allows it and the rows need it.
    pub(super) fn of(kernel: &ResolvedKernel, records: &Records, bias: Bias) -> Option<Self> {
        if bias != Bias::Free || factor_of_products(kernel).is_none() {
            return None;
        }
        let columns = Columns::of(records)?;
        if columns.beyond(FAR).is_empty() {
            return None;
        }
        Some(Self {
            records: around(records, &columns.means),
            means: columns.means,
        })
    }
}

/// Rows of a function with a weight per column, far from zero.
///
/// With a constant without penalty they are shifted. Otherwise the far columns and the constant say nearly the
/// same, the solution pays for it, and steps along the slope creep: the solution is true to its objective and of
/// little use.
pub(super) struct FarRows {
    columns: Columns,
    told: String,
}

impl FarRows {
    /// Looks at the columns of all rows, or of some of them; `None` where they are near enough, and for sparse rows,
    /// whose zeros are near. Sums go in the order of the rows.
    pub(super) fn of(records: &Records, rows: Option<&[u32]>) -> Option<Self> {
        let columns = Columns::of_rows(records, rows)?;
        let told = columns.told(&columns.beyond(FAR), records)?;
        Some(Self { columns, told })
    }

    /// The rows around their mean, and the mean.
    pub(super) fn centred(self, records: &Records) -> Centred {
        Centred {
            records: around(records, &self.columns.means),
            means: self.columns.means,
        }
    }

    /// What the user is told where rows stay as they are: why that matters, and what else would help.
    pub(super) fn alert(&self, why: &str, instead: Option<&str>) -> Note {
        let cure = match instead {
            Some(other) => format!("{other}, or {CURE}"),
            None => CURE.to_owned(),
        };
        Note::Alert(format!("{}: {why}; {cure}", self.told))
    }
}

/// What the user is told where kernel values hold too few digits of what tells rows apart.
pub(super) fn lost_digits(kernel: &ResolvedKernel, records: &Records) -> Option<Note> {
    let lost = lost(kernel.spec(), records)?;
    Some(Note::Alert(format!(
        "{lost}, and predictions may be wrong by as much; {CURE}"
    )))
}

/// Names the columns where a kernel matrix that should have been positive definite is not, because its values
/// have lost their digits.
pub(super) fn blame(kernel: Option<&KernelSpec>, records: &Records, error: Error) -> Error {
    let text = error.to_string();
    if !(text.contains("not positive semidefinite") || text.contains("not positive definite")) {
        return error;
    }
    let lost = kernel.and_then(|kernel| Some((kernel, lost(kernel, records)?)));
    match lost {
        Some((kernel, problem)) => Error::Kernel {
            kernel: kernel.to_string(),
            problem: format!("its matrix is not positive semidefinite: {problem}"),
            cure: CURE.into(),
        },
        None => error,
    }
}

/// Which columns make a kernel of dot products lose its digits.
fn lost(kernel: &KernelSpec, records: &Records) -> Option<String> {
    let families = kernel.families();
    if !families.iter().any(|f| OF_PRODUCTS.contains(&f.name)) {
        return None;
    }
    let columns = Columns::of(records)?;
    let told = columns.told(&columns.beyond(LOST), records)?;
    Some(format!(
        "{told}, where values of the kernel lose the digits that tell rows apart"
    ))
}

/// Where the columns lie.
struct Columns {
    means: Vec<f64>,
    /// The largest distance of a value from the mean; of a constant column, that of all others.
    spreads: Vec<f64>,
}

impl Columns {
    /// Measures the columns of dense rows.
    fn of(records: &Records) -> Option<Self> {
        Self::of_rows(records, None)
    }

    /// Measures the columns of dense rows, or of some of them.
    fn of_rows(records: &Records, rows: Option<&[u32]>) -> Option<Self> {
        let n = rows.map_or(records.len(), <[u32]>::len);
        if n == 0 {
            return None;
        }
        let d = records.features.points.columns();
        let (means, spreads) = match &records.features.points {
            Points::Double(block) => means_and_spreads(block, rows)?,
            Points::Single(block) => means_and_spreads(block, rows)?,
        };
        // The mean of equal numbers may be off by a rounding each.
        let rounding = n as f64 * f64::EPSILON;
        let varies = |j: usize| spreads[j] > rounding * means[j].abs();
        let largest = (0..d).filter(|&j| varies(j)).map(|j| spreads[j]);
        let largest = largest.fold(0.0, f64::max);
        let spreads = (0..d).map(|j| if varies(j) { spreads[j] } else { largest });
        let spreads = spreads.collect();
        Some(Self { means, spreads })
    }

    /// The columns whose mean is more than so many times their spread; none where all are constant.
    fn beyond(&self, times: f64) -> Vec<usize> {
        let far = |j: &usize| {
            let spread = self.spreads[*j];
            spread > 0.0 && self.means[*j].abs() > times * spread
        };
        (0..self.means.len()).filter(far).collect()
    }

    /// Names such columns, with where the farthest lies.
    fn told(&self, far: &[usize], records: &Records) -> Option<String> {
        let worst = *far.iter().max_by(|&&a, &&b| {
            let [a, b] = [a, b].map(|j| self.means[j].abs() / self.spreads[j]);
            a.total_cmp(&b)
        })?;
        let names: Vec<String> = far.iter().map(|&j| records.features.name(j)).collect();
        let (column, lies) = match far.len() {
            1 => ("column", "lies"),
            _ => ("columns", "lie"),
        };
        Some(format!(
            "{column} {} {lies} up to {:.1e} from zero, with values within {:.1e} of their mean",
            listed(&names),
            self.means[worst].abs(),
            self.spreads[worst],
        ))
    }
}

/// Means of the columns of dense rows, and the largest distances of values from them.
fn means_and_spreads<T: Real>(
    block: &Block<T>,
    rows: Option<&[u32]>,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let Block::Dense(points) = block else {
        return None;
    };
    let n = rows.map_or(points.rows(), <[u32]>::len);
    let row = |i: usize| points.row(rows.map_or(i, |rows| rows[i] as usize));
    let d = points.columns();
    let mut means = vec![0.0; d];
    for i in 0..n {
        for (mean, value) in means.iter_mut().zip(row(i)) {
            *mean += value.to_f64() / n as f64;
        }
    }
    let mut spreads = vec![0.0_f64; d];
    for i in 0..n {
        for ((spread, value), mean) in spreads.iter_mut().zip(row(i)).zip(&means) {
            *spread = spread.max((value.to_f64() - mean).abs());
        }
    }
    Some((means, spreads))
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;

    fn rows(value: impl Fn(usize, usize) -> f64) -> Records {
        Records::from_points(Matrix::from_fn(20, 2, value))
    }

    fn kernel(text: &str) -> ResolvedKernel {
        text.parse().expect("a kernel")
    }

    #[test]
    fn only_far_rows_of_a_free_constant_are_shifted() {
        let far = rows(|i, j| 1e8 + (i * (j + 1)) as f64);
        let near = rows(|i, j| 50.0 + (i * (j + 1)) as f64);
        let linear = kernel("linear");
        let centred = Centred::of(&linear, &far, Bias::Free).expect("shifted");
        let Block::Dense(points) = centred.records.features.points.widened() else {
            panic!("dense rows stay dense");
        };
        assert!(points.as_slice().iter().all(|v| v.abs() < 40.0));
        assert!(Centred::of(&linear, &near, Bias::Free).is_none());
        assert!(Centred::of(&linear, &far, Bias::None).is_none());
        assert!(Centred::of(&linear, &far, Bias::Regularised).is_none());
        let poly = kernel("poly(degree=2, scale=1, offset=1)");
        assert!(Centred::of(&poly, &far, Bias::Free).is_none());
    }

    #[test]
    fn a_constant_column_is_held_against_the_others() {
        let ones = rows(|i, j| if j == 0 { 1.0 } else { i as f64 });
        assert!(Centred::of(&kernel("linear"), &ones, Bias::Free).is_none());
        let far = rows(|i, j| if j == 0 { 1e8 } else { i as f64 });
        assert!(Centred::of(&kernel("linear"), &far, Bias::Free).is_some());
        let all = rows(|_, _| 0.1);
        assert!(Centred::of(&kernel("linear"), &all, Bias::Free).is_none());
    }

    #[test]
    fn far_rows_are_shifted_or_told_of() {
        let far = rows(|i, j| if j == 0 { 1e8 } else { 0.0 } + i as f64);
        let found = FarRows::of(&far, None).expect("far rows");
        let Note::Alert(text) = found.alert("steps creep", None) else {
            panic!("an alert");
        };
        assert!(text.starts_with("column `"), "{text}");
        assert!(
            text.contains("1.0e8") && text.contains("steps creep"),
            "{text}"
        );
        let centred = found.centred(&far);
        assert_eq!(centred.means[0], 1e8 + 9.5);
        assert!(
            (centred.means[1] - 9.5).abs() < 1e-12,
            "{:?}",
            centred.means
        );
        let some = FarRows::of(&far, Some(&[4, 6])).expect("far rows");
        assert_eq!(some.centred(&far).means, [1e8 + 5.0, 5.0]);
        assert!(FarRows::of(&rows(|i, j| 50.0 + (i * (j + 1)) as f64), None).is_none());
        assert!(FarRows::of(&rows(|_, _| 1e8), None).is_none());
    }

    #[test]
    fn lost_digits_are_told_of_by_column() {
        let far = rows(|i, j| if j == 0 { 1e8 } else { 0.0 } + i as f64);
        let poly = kernel("poly(degree=2, scale=1, offset=1)");
        let Some(Note::Alert(text)) = lost_digits(&poly, &far) else {
            panic!("an alert");
        };
        assert!(text.starts_with("column `"), "{text}");
        assert!(text.contains("1.0e8"), "{text}");
        assert!(lost_digits(&kernel("rbf(gamma=1)"), &far).is_none());
        assert!(lost_digits(&poly, &rows(|i, j| (i * (j + 1)) as f64)).is_none());
    }
}
