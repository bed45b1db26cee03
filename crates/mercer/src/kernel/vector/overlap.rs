//! The overlap kernel: the number, or weighted share, of equal categorical values.
//!
//! `k(x, z) = Σ_c w_c·[x_c = z_c]`, divided by `Σ w_c` with `share=true`. A missing value
//! equals nothing, not even another missing one. Rows without categorical columns are
//! compared by their numbers.

use mercer_linalg::SharedMatrix;

use super::spline::dense;
use crate::Result;
use crate::data::{MISSING_CODE, Records};
use crate::kernel::additive::same_width;
use crate::kernel::pairwise::{Compare, Pairwise};
use crate::kernel::resolve::admit_vectors;
use crate::kernel::{Allowed, Definiteness, Fallback, Family, Input, Parameter, Rule, Value};

const SHARE: usize = 0;
const WEIGHTS: usize = 1;

/// The overlap family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "overlap",
    summary: "the number of equal categorical values",
    formula: "Σ weight·[x = z]",
    parameters: &[
        Parameter {
            name: "share",
            meaning: "`true` divides by the sum of the weights",
            allowed: Allowed::Flag,
            fallback: Fallback::Flag(false),
            default: "false",
            instead_of: None,
        },
        Parameter {
            name: "weights",
            meaning: "how much each column counts",
            allowed: Allowed::List(Rule::Positive),
            fallback: Fallback::Absent,
            default: "1 each",
            instead_of: None,
        },
    ],
    parameter_kind: "parameter of `overlap`",
    input: Input::Codes,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| {
        if records.codes.is_empty() {
            admit_vectors("overlap", records)?;
        }
        Ok(())
    },
    bind: |settings, records| {
        let width = if records.codes.is_empty() {
            records.features.points.columns()
        } else {
            records.codes.len()
        };
        let mut weights = match settings.value(WEIGHTS) {
            Value::Numbers(weights) => weights.clone(),
            _ => vec![1.0; width],
        };
        if settings.flag(SHARE) {
            let sum: f64 = weights.iter().sum();
            for weight in &mut weights {
                *weight /= sum;
            }
        }
        Ok(Box::new(Pairwise::try_new(Overlap { weights }, records)?))
    },
};

struct Overlap {
    weights: Vec<f64>,
}

/// Values to compare for equality.
enum Values {
    /// One row after another.
    Codes(Vec<u32>),
    Numbers(SharedMatrix<f64>),
}

impl Compare for Overlap {
    type Rows = Values;

    fn take(&self, records: &Records) -> Result<Values> {
        if records.codes.is_empty() {
            admit_vectors("overlap", records)?;
            let numbers = dense("overlap", &records.features.points)?;
            same_width(self.weights.len(), numbers.columns())?;
            return Ok(Values::Numbers(numbers));
        }
        same_width(self.weights.len(), records.codes.len())?;
        let rows = 0..records.len();
        let codes = rows.flat_map(|row| records.codes.iter().map(move |c| c.codes[row]));
        Ok(Values::Codes(codes.collect()))
    }

    fn matches(&self, bound: &Values, new: &Values) -> Result<()> {
        // Widths were compared with the weights; the kinds differ only when one side
        // lost its categorical columns.
        match (bound, new) {
            (Values::Codes(_), Values::Numbers(_)) => same_width(self.weights.len(), 0),
            (Values::Numbers(_), Values::Codes(_)) => same_width(0, self.weights.len()),
            _ => Ok(()),
        }
    }

    fn value(&self, left: &Values, i: usize, right: &Values, j: usize) -> f64 {
        let weights = self.weights.iter();
        let width = self.weights.len();
        match (left, right) {
            (Values::Codes(a), Values::Codes(b)) => {
                let pairs = a[i * width..(i + 1) * width]
                    .iter()
                    .zip(&b[j * width..(j + 1) * width]);
                let equal = |(x, z): (&u32, &u32)| x == z && *x != MISSING_CODE;
                weights
                    .zip(pairs)
                    .map(|(w, p)| if equal(p) { *w } else { 0.0 })
                    .sum()
            }
            (Values::Numbers(a), Values::Numbers(b)) => {
                let pairs = a.row(i).iter().zip(b.row(j));
                weights
                    .zip(pairs)
                    .map(|(w, (x, z))| if x == z { *w } else { 0.0 })
                    .sum()
            }
            _ => unreachable!("`matches` lets only rows of one kind through"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::CodeColumn;
    use crate::kernel::testing::{check_values, gram, records};

    fn coded() -> Records {
        let mut rows = records(&[&[0.0], &[0.0], &[0.0]]);
        for (source, codes) in [("a", [0, 0, 1]), ("b", [2, MISSING_CODE, 2])] {
            rows.codes.push(CodeColumn {
                source: source.into(),
                codes: codes.into(),
            });
        }
        rows
    }

    #[test]
    fn counts_equal_codes() {
        let k = gram("overlap", &coded());
        assert_eq!(k.row(0), [2.0, 1.0, 1.0]);
        assert_eq!(k.row(1), [1.0, 1.0, 0.0]);
    }

    #[test]
    fn weighs_and_shares() {
        let k = gram("overlap(weights=[1,3], share=true)", &coded());
        assert_eq!(k.row(0), [1.0, 0.25, 0.75]);
        let k = gram("overlap@b", &coded());
        assert_eq!(k.row(0), [1.0, 0.0, 1.0]);
    }

    #[test]
    fn numbers_stand_in_for_codes() {
        check_values("overlap", |x, z| {
            x.iter().zip(z).filter(|(x, z)| x == z).count() as f64
        });
    }

    #[test]
    fn refuses_lists_of_another_length() {
        let kernel: crate::kernel::KernelSpec = "overlap(weights=[1])".parse().expect("text");
        let error = kernel.resolve(&coded(), None);
        assert!(matches!(
            error,
            Err(crate::Error::Length {
                found: 1,
                expected: 2,
                ..
            })
        ));
    }
}
