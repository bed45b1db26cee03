//! The cubic spline kernel on [0, 1], multiplied over the columns.
//!
//! `k(x, z) = Π_c (1 + x_c z_c + min²·(3·max − min)/6)` with min and max of `x_c` and `z_c`. Its
//! norm penalises the second derivative.

use mercer_linalg::SharedMatrix;

use crate::data::{Block, Points, Records};
use crate::kernel::additive::same_width;
use crate::kernel::pairwise::{Compare, Pairwise};
use crate::kernel::resolve::{admit_vectors, cell};
use crate::kernel::{Definiteness, Family, Input};
use crate::{Error, Result};

/// The spline family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "spline",
    summary: "cubic splines on [0, 1]: the smoothest curve through the points",
    formula: "Π (1 + xz + min²·(3·max − min)/6)",
    parameters: &[],
    parameter_kind: "parameter of `spline`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| admit(records),
    bind: |_, records| {
        Ok(Box::new(Pairwise::try_new(
            Spline { bent: false },
            records,
        )?))
    },
};

/// Splines without the part that bends nowhere: what is left of a smoothing spline's kernel when
/// constant and slope carry no penalty.
pub(in crate::kernel) static BENT: Family = Family {
    name: "bent_spline",
    summary: "cubic splines on [0, 1] without constant and slope, which are left free elsewhere",
    formula: "Π min²·(3·max − min)/6",
    parameters: &[],
    parameter_kind: "parameter of `bent_spline`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| admit(records),
    bind: |_, records| Ok(Box::new(Pairwise::try_new(Spline { bent: true }, records)?)),
};

fn admit(records: &Records) -> Result<()> {
    admit_vectors("spline", records)?;
    let block = records.features.points.widened();
    let Some((row, column)) = block.first(|v| !(0.0..=1.0).contains(&v)) else {
        return Ok(());
    };
    let value = match &block {
        Block::Dense(m) => m[(row, column)],
        Block::Sparse(m) => {
            let (indices, values) = m.row(row);
            let at = indices.partition_point(|&index| (index as usize) < column);
            values[at]
        }
    };
    Err(cell(
        records,
        row,
        column,
        format!("`{value}` is outside [0, 1], where `spline` lives"),
        "bring the column to [0, 1], or name other columns with `@`",
    ))
}

/// Bytes up to which sparse rows are filled up with their zeros.
const DENSE_LIMIT: usize = 1 << 30;

/// Returns rows with every zero stored.
pub(super) fn dense(name: &str, points: &Points) -> Result<SharedMatrix<f64>> {
    match points.widened() {
        Block::Dense(m) => Ok(m),
        Block::Sparse(m) if m.rows().saturating_mul(m.columns()) <= DENSE_LIMIT / 8 => {
            Ok(m.to_dense().into())
        }
        Block::Sparse(m) => Err(Error::Kernel {
            kernel: name.to_owned(),
            problem: format!(
                "{} sparse rows of {} columns are too many to store their zeros",
                m.rows(),
                m.columns()
            ),
            cure: "name fewer columns with `@`, or use `rbf` or `linear`".into(),
        }),
    }
}

struct Spline {
    /// Whether 1 + xz is left out.
    bent: bool,
}

impl Compare for Spline {
    type Rows = SharedMatrix<f64>;

    fn take(&self, records: &Records) -> Result<SharedMatrix<f64>> {
        admit(records)?;
        dense("spline", &records.features.points)
    }

    fn matches(&self, bound: &SharedMatrix<f64>, new: &SharedMatrix<f64>) -> Result<()> {
        same_width(bound.columns(), new.columns())
    }

    fn value(
        &self,
        left: &SharedMatrix<f64>,
        i: usize,
        right: &SharedMatrix<f64>,
        j: usize,
    ) -> f64 {
        let pairs = left.row(i).iter().zip(right.row(j));
        let straight = |x: f64, z: f64| if self.bent { 0.0 } else { 1.0 + x * z };
        pairs
            .map(|(x, z)| straight(*x, *z) + bend(*x, *z))
            .product()
    }
}

fn bend(x: f64, z: f64) -> f64 {
    let (low, high) = (x.min(z), x.max(z));
    low * low * (3.0 * high - low) / 6.0
}

#[cfg(test)]
mod tests {
    use crate::kernel::KernelSpec;
    use crate::kernel::testing::{check_unit_interval, records};

    #[test]
    fn agrees_with_the_integral() {
        // min²(3max − min)/6 is ∫₀^min (x − t)(z − t) dt; the midpoint rule stands for it.
        check_unit_interval("spline", 1e-5, |x, z| {
            let one = |x: f64, z: f64| {
                let low = x.min(z);
                let steps = 1000;
                let h = low / f64::from(steps);
                let sum: f64 = (0..steps)
                    .map(|k| (f64::from(k) + 0.5) * h)
                    .map(|t| (x - t) * (z - t) * h)
                    .sum();
                1.0 + x * z + sum
            };
            x.iter().zip(z).map(|(x, z)| one(*x, *z)).product()
        });
    }

    #[test]
    fn the_bent_part_is_the_rest() {
        check_unit_interval("bent_spline", 1e-12, |x, z| {
            let one = |x: f64, z: f64| {
                let (low, high) = (x.min(z), x.max(z));
                low * low * high / 2.0 - low.powi(3) / 6.0
            };
            x.iter().zip(z).map(|(x, z)| one(*x, *z)).product()
        });
    }

    #[test]
    fn refuses_values_outside_the_interval() {
        let rows = records(&[&[0.5, 1.0], &[0.2, 1.5]]);
        let error = KernelSpec::spline()
            .resolve(&rows, None)
            .expect_err("1.5 is outside");
        assert!(
            error.to_string().contains("row 2, column `x[2]`: `1.5`"),
            "{error}"
        );
        assert_eq!(error.hints().len(), 1);
    }
}
