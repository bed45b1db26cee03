//! Binds resolved kernels to rows.

use std::time::{Duration, Instant};

use mercer_linalg::{Matrix, Par, Precision, Proceed, Rows};

use super::combine::{Joined, Joint, Map, Mapped};
use super::normalise::Normalised;
use super::resolve::admit;
use super::{BoundKernel, Definiteness, Family, KernelSpec, ResolvedKernel, TileMut, columns};
use crate::data::{Points, Records};
use crate::fit::{FitContext, available_memory};
use crate::{Error, Result};

impl ResolvedKernel {
    /// Binds the kernel to rows; the result owns all it needs.
    ///
    /// # Errors
    /// Rows the kernel cannot compare, and kernel values beyond f64.
    pub fn bind(&self, records: &Records) -> Result<Box<dyn BoundKernel>> {
        let bound = bind(self.spec(), records)?;
        // f32 rows are made first, as they are what most solvers use; what they hold, f64 does.
        let overflow = first_overflow(bound.as_ref(), Precision::F32)
            .and_then(|_| first_overflow(bound.as_ref(), Precision::F64));
        match overflow {
            None => Ok(bound),
            Some(row) => Err(Error::Kernel {
                kernel: self.to_string(),
                problem: format!("the value of row {} with itself is beyond f64", row + 1),
                cure: "scale the columns, use smaller factors and powers, or `normalise(…)` the kernel"
                    .into(),
            }),
        }
    }

    /// Returns the whole kernel matrix of rows in double precision.
    ///
    /// # Errors
    /// Rows the kernel cannot compare.
    pub fn gram(&self, records: &Records, par: Par) -> Result<Matrix<f64>> {
        let all = self.gram_while(records, par, &|| true)?;
        Ok(all.expect("nobody asks to stop"))
    }

    /// Returns the whole kernel matrix, as long as the context goes on.
    ///
    /// # Errors
    /// Rows the kernel cannot compare; cancellation and the time limit.
    pub fn gram_within(
        &self,
        records: &Records,
        par: Par,
        context: &FitContext,
    ) -> Result<Matrix<f64>> {
        match self.gram_while(records, par, &|| context.goes_on())? {
            Some(gram) => Ok(gram),
            None => Err(context.check().err().unwrap_or(Error::OutOfTime)),
        }
    }

    fn gram_while(
        &self,
        records: &Records,
        par: Par,
        proceed: Proceed<'_>,
    ) -> Result<Option<Matrix<f64>>> {
        let bound = self.bind(records)?;
        let given = |family: &&Family| family.definiteness == Definiteness::AsGiven;
        let symmetric = !self.spec().families().iter().any(given);
        let n = bound.len();
        let out = Matrix::try_zeros(n, n).ok_or_else(|| Error::Memory {
            what: format!("the kernel matrix of {n} rows"),
            needed: (n as u64).saturating_mul(n as u64).saturating_mul(8),
            limit: available_memory(),
        })?;
        Ok(whole(bound.as_ref(), out, symmetric, par, proceed))
    }
}

impl KernelSpec {
    /// Returns the whole kernel matrix of rows; open parameters are chosen from them.
    ///
    /// # Errors
    /// Those of [`KernelSpec::resolve`] and [`ResolvedKernel::bind`].
    pub fn gram(&self, records: &Records, par: Par) -> Result<Matrix<f64>> {
        let (resolved, _) = self.resolve(records, None)?;
        resolved.gram(records, par)
    }

    /// Returns k(a, b) of two vectors; open parameters are chosen from these two.
    ///
    /// # Errors
    /// Vectors of different lengths or that the kernel cannot compare.
    pub fn evaluate(&self, a: &[f64], b: &[f64]) -> Result<f64> {
        Ok(self.pair(a, b)?[(0, 1)])
    }

    /// Returns the distance of two vectors in feature space, √(k(a,a) − 2k(a,b) + k(b,b)).
    ///
    /// # Errors
    /// Vectors of different lengths or that the kernel cannot compare.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> Result<f64> {
        let k = self.pair(a, b)?;
        let square = (k[(0, 0)] - k[(0, 1)]) + (k[(1, 1)] - k[(1, 0)]);
        Ok(square.max(0.0).sqrt())
    }

    fn pair(&self, a: &[f64], b: &[f64]) -> Result<Matrix<f64>> {
        if a.len() != b.len() {
            return Err(Error::Length {
                what: "the second vector".to_owned(),
                found: b.len(),
                expected: a.len(),
                unit: "numbers",
            });
        }
        let points = Matrix::from_vec(2, a.len(), [a, b].concat());
        let records = Records::from_points(Points::from(points));
        self.gram(&records, Par::Sequential)
    }
}

/// Fills the whole matrix, or returns `None` when it may not be finished; the upper triangle of
/// one of a moderate size is copied, not computed.
fn whole(
    bound: &dyn BoundKernel,
    mut out: Matrix<f64>,
    symmetric: bool,
    par: Par,
    proceed: Proceed<'_>,
) -> Option<Matrix<f64>> {
    /// Rows up to which copying on one thread costs less than it saves.
    const COPIED: usize = 4096;
    /// Rows of a block at most, and blocks: what the steps of the staircase waste is small.
    const BLOCK: usize = 64;
    const BLOCKS: usize = 16;
    /// Rows of the first block: some kernels take seconds for as many as others do in no time.
    const FIRST: usize = 8;
    /// Time between two looks at `proceed`.
    const GLANCE: Duration = Duration::from_millis(20);
    let n = bound.len();
    let copied = symmetric && n <= COPIED;
    let most = n.div_ceil(BLOCKS).max(BLOCK);
    let (mut first, mut step) = (0, FIRST);
    while first < n {
        if !proceed() {
            return None;
        }
        let started = Instant::now();
        let end = (first + step).min(n);
        let width = if copied { end } else { n };
        let block = out.as_mut().submatrix(first..end, 0..width);
        bound.tile(
            Rows::Range(first..end),
            Rows::Range(0..width),
            TileMut::F64(block),
            par,
        );
        if copied {
            for row in 0..first {
                for column in first..end {
                    out[(row, column)] = out[(column, row)];
                }
            }
        }
        first = end;
        // Blocks have no say in their values.
        step = if started.elapsed() > GLANCE {
            (step / 2).max(1)
        } else {
            (2 * step).min(most)
        };
    }
    Some(out)
}

/// Returns the first row whose value with itself is not finite.
fn first_overflow(kernel: &dyn BoundKernel, precision: Precision) -> Option<usize> {
    let mut diagonal = vec![0.0; kernel.len()];
    kernel.diagonal(precision, &mut diagonal);
    diagonal.iter().position(|value| !value.is_finite())
}

fn bind(kernel: &KernelSpec, records: &Records) -> Result<Box<dyn BoundKernel>> {
    let mapped = |map, kernel: &KernelSpec| -> Result<Box<dyn BoundKernel>> {
        Ok(Box::new(Mapped::new(map, bind(kernel, records)?)))
    };
    let joined = |joint, parts: &[KernelSpec]| -> Result<Box<dyn BoundKernel>> {
        let parts = parts.iter().map(|p| bind(p, records));
        Ok(Box::new(Joined::new(joint, parts.collect::<Result<_>>()?)))
    };
    match kernel {
        KernelSpec::Base { family, settings } => {
            admit(family, settings, records)?;
            (family.bind)(settings, records)
        }
        KernelSpec::Scaled { factor, kernel } => {
            let factor = *factor;
            mapped(
                Map::Affine {
                    factor,
                    offset: 0.0,
                },
                kernel,
            )
        }
        KernelSpec::Sum(parts) => joined(Joint::Sum, parts),
        KernelSpec::Product(parts) => joined(Joint::Product, parts),
        KernelSpec::Power { kernel, exponent } => mapped(Map::Power(*exponent), kernel),
        KernelSpec::Exp(kernel) => mapped(Map::Exp, kernel),
        KernelSpec::Normalise(kernel) => bind_normalised(kernel, records),
        KernelSpec::On { columns, kernel } => {
            let narrow = columns::select(records, columns)?;
            Ok(Box::new(Narrowed {
                columns: columns.clone(),
                kernel: bind(kernel, &narrow)?,
            }))
        }
    }
}

/// Binds k(x, z)/√(k(x, x)·k(z, z)).
fn bind_normalised(kernel: &KernelSpec, records: &Records) -> Result<Box<dyn BoundKernel>> {
    match kernel {
        // A factor cancels, and so does another division.
        KernelSpec::Scaled { kernel, .. } | KernelSpec::Normalise(kernel) => {
            bind_normalised(kernel, records)
        }
        KernelSpec::Base {
            family:
                family @ Family {
                    normalised: Some(normalised),
                    ..
                },
            settings,
        } => {
            admit(family, settings, records)?;
            normalised(settings, records)
        }
        KernelSpec::On { columns, kernel } => Ok(Box::new(Narrowed {
            columns: columns.clone(),
            kernel: bind_normalised(kernel, &columns::select(records, columns)?)?,
        })),
        other => Ok(Box::new(Normalised::new(bind(other, records)?))),
    }
}

/// A bound kernel whose new rows are narrowed to the same columns.
struct Narrowed {
    columns: Vec<crate::data::ColumnRef>,
    kernel: Box<dyn BoundKernel>,
}

impl BoundKernel for Narrowed {
    fn len(&self) -> usize {
        self.kernel.len()
    }

    fn tile(&self, rows: Rows<'_>, columns: Rows<'_>, out: TileMut<'_>, par: Par) {
        self.kernel.tile(rows, columns, out, par);
    }

    fn diagonal(&self, precision: Precision, out: &mut [f64]) {
        self.kernel.diagonal(precision, out);
    }

    fn query<'a>(&'a self, rows: &Records) -> Result<Box<dyn super::QuerySide + 'a>> {
        self.kernel.query(&columns::select(rows, &self.columns)?)
    }

    fn rounding_error(&self) -> f64 {
        self.kernel.rounding_error()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copied_triangles_are_the_computed_ones() {
        let x = Matrix::from_fn(200, 3, |i, c| ((i * (c + 2)) % 37) as f64 / 9.0);
        let records = Records::from_points(Points::from(x));
        for text in [
            "rbf(gamma=0.3)",
            "laplace(scale=2) + linear",
            "normalise(poly)",
        ] {
            let (kernel, _) = KernelSpec::parse(text)
                .and_then(|spec| spec.resolve(&records, None))
                .expect("a kernel");
            let bound = kernel.bind(&records).expect("rows");
            let whole = |symmetric, par| {
                let out = Matrix::zeros(bound.len(), bound.len());
                whole(bound.as_ref(), out, symmetric, par, &|| true)
            };
            let copied = whole(true, Par::Sequential);
            assert_eq!(copied, whole(false, Par::Sequential), "{text}");
            assert_eq!(copied, whole(true, Par::Rayon), "{text}");
        }
    }

    #[test]
    fn a_given_matrix_that_is_not_symmetric_stays_so() {
        let given = Matrix::from_fn(70, 70, |i, j| (i * 70 + j) as f64);
        let records = Records::from_points(Points::from(given.clone()));
        let kernel: KernelSpec = "precomputed".parse().expect("a kernel");
        let gram = kernel.gram(&records, Par::Sequential).expect("square");
        assert_eq!(gram, given);
    }
}
