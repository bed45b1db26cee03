//! Kernel values beyond the range of doubles, by their logarithm.

use mercer::data::Records;
use mercer::fit::Note;
use mercer::kernel::{KernelSpec, TileMut};
use mercer_linalg::{Matrix, Par, Rows};

use crate::failure::Result;

/// A kernel value, and its logarithm where the value is positive.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KernelValue {
    /// The kernel with all parameters fixed, as an expression.
    pub(super) kernel: String,
    /// The value; infinite beyond the range of doubles.
    pub(super) plain: f64,
    pub(super) log: Option<f64>,
    /// Parameters that were chosen from the two rows.
    pub(super) notes: Vec<Note>,
}

/// Evaluates a kernel on the two rows of `records`.
///
/// Sums, products, powers, exponentials and norms go by their logarithms, so that a product
/// of large or small factors keeps its size.
pub(super) fn evaluate(spec: &KernelSpec, records: &Records) -> Result<KernelValue> {
    let log = logarithm(spec, records, 0, 1);
    let whole = || -> mercer::Result<(String, Vec<Note>, f64)> {
        let (kernel, notes) = spec.resolve(records, None)?;
        Ok((
            kernel.to_string(),
            notes,
            entry(kernel.spec(), records, 0, 1)?,
        ))
    };
    match whole() {
        Ok((kernel, notes, plain)) => Ok(KernelValue {
            kernel,
            plain,
            log: log?.or_else(|| (plain > 0.0).then(|| plain.ln())),
            notes,
        }),
        // Refused because values overflow: the logarithm may still exist.
        Err(error @ mercer::Error::Kernel { .. }) => match log {
            Ok(Some(log)) if log > f64::MAX.ln() => Ok(KernelValue {
                kernel: spec.to_string(),
                plain: f64::INFINITY,
                log: Some(log),
                notes: Vec::new(),
            }),
            _ => Err(error.into()),
        },
        Err(error) => Err(error.into()),
    }
}

/// One entry of the kernel matrix, in double precision.
fn entry(spec: &KernelSpec, records: &Records, i: usize, j: usize) -> mercer::Result<f64> {
    let bound = spec.resolve(records, None)?.0.bind(records)?;
    let mut out = Matrix::<f64>::zeros(1, 1);
    let (rows, columns) = (Rows::Range(i..i + 1), Rows::Range(j..j + 1));
    bound.tile(rows, columns, TileMut::F64(out.as_mut()), Par::Sequential);
    Ok(out[(0, 0)])
}

/// The logarithm of an entry, or `None` where the entry is not positive or not known so.
fn logarithm(spec: &KernelSpec, records: &Records, i: usize, j: usize) -> Result<Option<f64>> {
    let log = |s: &KernelSpec, i, j| logarithm(s, records, i, j);
    Ok(match spec {
        KernelSpec::Scaled { factor, kernel } => log(kernel, i, j)?.map(|l| l + factor.ln()),
        KernelSpec::Product(kernels) => {
            let mut sum = Some(0.0);
            for kernel in kernels {
                sum = sum.zip(log(kernel, i, j)?).map(|(a, b)| a + b);
            }
            sum
        }
        KernelSpec::Sum(kernels) => {
            let mut logs = Vec::new();
            for kernel in kernels {
                match log(kernel, i, j)? {
                    Some(l) => logs.push(l),
                    None => return plain_logarithm(spec, records, i, j),
                }
            }
            let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = logs.iter().map(|l| (l - largest).exp()).sum();
            Some(largest + sum.ln())
        }
        KernelSpec::Power { kernel, exponent } => {
            log(kernel, i, j)?.map(|l| l * f64::from(*exponent))
        }
        KernelSpec::Exp(kernel) => Some(entry(kernel, records, i, j)?),
        // log(1), where there is something to divide by; one branch a level, not three.
        KernelSpec::Normalise(kernel) if i == j => log(kernel, i, i)?.map(|_| 0.0),
        KernelSpec::Normalise(kernel) => {
            let parts = (log(kernel, i, j)?, log(kernel, i, i)?, log(kernel, j, j)?);
            match parts {
                (Some(both), Some(first), Some(second)) => Some(both - 0.5 * (first + second)),
                _ => None,
            }
        }
        KernelSpec::On { columns, kernel } => match kernel.as_ref() {
            // Columns bind tightest: what holds for the whole holds for its parts.
            KernelSpec::Exp(inner) => {
                let inner = (**inner).clone().on(columns.clone());
                Some(entry(&inner, records, i, j)?)
            }
            _ => plain_logarithm(spec, records, i, j)?,
        },
        KernelSpec::Base { family, settings } => {
            let gamma = (family.name == "rbf").then(|| settings.number(0)).flatten();
            let sigma = (family.name == "rbf").then(|| settings.number(1)).flatten();
            let rate = gamma.or(sigma.map(|s| 0.5 / (s * s)));
            match rate {
                Some(rate) => Some(-rate * squared_distance(records, i, j)?),
                None => match spec.log_of_subsequences(records, i, j)? {
                    Some(log) => Some(log),
                    None => plain_logarithm(spec, records, i, j)?,
                },
            }
        }
    })
}

fn plain_logarithm(
    spec: &KernelSpec,
    records: &Records,
    i: usize,
    j: usize,
) -> Result<Option<f64>> {
    let value = entry(spec, records, i, j)?;
    Ok((value > 0.0 && value.is_finite()).then(|| value.ln()))
}

fn squared_distance(records: &Records, i: usize, j: usize) -> Result<f64> {
    let linear = KernelSpec::linear();
    let value = |a, b| entry(&linear, records, a, b);
    if let mercer::data::Block::Dense(matrix) = records.features.points.select(&[i, j]).widened() {
        let pairs = matrix.row(0).iter().zip(matrix.row(1));
        return Ok(pairs.map(|(x, z)| (x - z) * (x - z)).sum());
    }
    Ok(value(i, i)? - 2.0 * value(i, j)? + value(j, j)?)
}
