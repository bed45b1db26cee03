//! The χ² kernel `k(x, z) = exp(−gamma·Σ (x_c − z_c)²/(x_c + z_c))`, for counts and histograms.

use crate::Result;
use crate::data::{Block, Records, each};
use crate::kernel::additive::{Additive, same_width};
use crate::kernel::pairwise::{Compare, Pairwise};
use crate::kernel::resolve::{admit_vectors, cell};
use crate::kernel::statistics::median_distance;
use crate::kernel::{Allowed, Chosen, Definiteness, Fallback, Family, Input, Parameter, Rule};

const GAMMA: usize = 0;

/// The χ² family.
pub(in crate::kernel) static FAMILY: Family = Family {
    name: "chi2",
    summary: "for counts and histograms: values must not be negative",
    formula: "exp(−gamma·Σ (x−z)²/(x+z))",
    parameters: &[Parameter {
        name: "gamma",
        meaning: "the inverse width",
        allowed: Allowed::Number(Rule::Positive),
        fallback: Fallback::Data(|_, sample| {
            let median = median_distance(sample.records, "χ²", term, |d| d);
            Ok(Chosen {
                number: median.number.recip().clamp(f64::MIN_POSITIVE, f64::MAX),
                why: format!("1 divided by {}", median.why),
            })
        }),
        default: "1/(the median χ² distance of rows)",
        instead_of: None,
    }],
    parameter_kind: "parameter of `chi2`",
    input: Input::Vectors,
    definiteness: Definiteness::Always,
    normalised: None,
    admit: |_, records| admit(records),
    bind: |settings, records| {
        let gamma = settings.number(GAMMA).unwrap_or(1.0);
        let compare = Chi2(Additive {
            name: "chi2",
            term: |_, x, z| term(x, z),
            finish: move |sum: f64| (-gamma * sum).exp(),
        });
        Ok(Box::new(Pairwise::try_new(compare, records)?))
    },
};

fn term(x: f64, z: f64) -> f64 {
    let sum = x + z;
    if sum > 0.0 {
        // Divided before multiplied, so that 1e200 stays finite.
        (x - z) * ((x - z) / sum)
    } else {
        0.0
    }
}

fn admit(records: &Records) -> Result<()> {
    admit_vectors("chi2", records)?;
    let points = &records.features.points;
    match each!(points, block => block.first(|v| v < 0.0)) {
        None => Ok(()),
        Some((row, column)) => Err(cell(
            records,
            row,
            column,
            "the value is negative, and `chi2` compares counts",
            "use `rbf` or `laplace`, or name other columns with `@`",
        )),
    }
}

/// The additive comparison with its own check of the values.
struct Chi2<A>(A);

impl<A: Compare<Rows = Block<f64>>> Compare for Chi2<A> {
    type Rows = Block<f64>;

    fn take(&self, records: &Records) -> Result<Block<f64>> {
        admit(records)?;
        self.0.take(records)
    }

    fn matches(&self, bound: &Block<f64>, new: &Block<f64>) -> Result<()> {
        same_width(bound.columns(), new.columns())
    }

    fn value(&self, left: &Block<f64>, i: usize, right: &Block<f64>, j: usize) -> f64 {
        self.0.value(left, i, right, j)
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::testing::{check_non_negative, gram, records};

    fn naive(x: &[f64], z: &[f64]) -> f64 {
        let pairs = x.iter().zip(z).filter(|(x, z)| *x + *z > 0.0);
        pairs.map(|(x, z)| (x - z).powi(2) / (x + z)).sum()
    }

    #[test]
    fn agrees_with_the_formula() {
        check_non_negative("chi2(gamma=0.4)", |x, z| (-0.4 * naive(x, z)).exp());
    }

    #[test]
    fn refuses_negative_values_by_row_and_column() {
        let rows = records(&[&[1.0, 2.0], &[1.0, -2.0]]);
        let kernel: crate::kernel::KernelSpec = "chi2".parse().expect("known");
        let error = kernel.resolve(&rows, None).expect_err("negative");
        assert!(
            error.to_string().starts_with("row 2, column `x[2]`"),
            "{error}"
        );
    }

    #[test]
    fn extreme_widths_stay_finite() {
        let rows = records(&[&[0.0, 1.0], &[1e200, 0.0], &[0.0, 0.0]]);
        for text in ["chi2(1e300)", "chi2(1e-300)"] {
            let k = gram(text, &rows);
            assert!(
                k.as_slice().iter().all(|v| (0.0..=1.0).contains(v)),
                "{text}"
            );
            assert!((0..3).all(|i| k[(i, i)] == 1.0), "{text}");
        }
    }
}
