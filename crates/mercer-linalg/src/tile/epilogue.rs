//! What a tile makes of dot products while they are hot.

use crate::real::Real;
use crate::simd::{Kernel, Simd, dispatch};

/// The function of two rows that a tile writes.
///
/// `⟨x,z⟩` is the dot product, `d² = max(0, ‖x‖² + ‖z‖² - 2⟨x,z⟩)` the squared distance. Every variant is symmetric bit for
/// bit, and those of a distance are exact on the diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Epilogue {
    /// `⟨x,z⟩`.
    Dot,
    /// `d²`.
    SquaredDistance,
    /// `d`.
    Distance,
    /// `exp(-gamma d²)`.
    Rbf {
        /// Inverse squared width.
        gamma: f64,
    },
    /// `(scale ⟨x,z⟩ + offset)^degree`; integer degrees up to 64 by repeated multiplication.
    Poly {
        /// Factor of the dot product.
        scale: f64,
        /// Added constant.
        offset: f64,
        /// Exponent.
        degree: f64,
    },
    /// `tanh(scale ⟨x,z⟩ + offset)`.
    Sigmoid {
        /// Factor of the dot product.
        scale: f64,
        /// Added constant.
        offset: f64,
    },
    /// Matérn kernel of smoothness `nu = nu_twice / 2`, for `nu_twice` 1, 3 or 5.
    Matern {
        /// Twice the smoothness.
        nu_twice: u8,
        /// Length scale.
        length: f64,
    },
    /// `(1 + d² / (2 alpha length²))^-alpha`.
    RationalQuadratic {
        /// Mixture of length scales.
        alpha: f64,
        /// Length scale.
        length: f64,
    },
    /// `⟨x,z⟩ / (‖x‖ ‖z‖)`, zero when a norm is zero.
    Cosine,
    /// `Σ |xᵢ - zᵢ|`.
    L1Distance,
    /// `exp(-gamma Σ |xᵢ - zᵢ|)`.
    Laplace {
        /// Inverse width.
        gamma: f64,
    },
}

/// An epilogue with its constants in the precision of the tile.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prepared<T> {
    Dot,
    SquaredDistance,
    Distance,
    /// `exp(factor d²)`.
    ExpSquared {
        factor: T,
    },
    PolyInteger {
        scale: T,
        offset: T,
        degree: u32,
    },
    PolyReal {
        scale: T,
        offset: T,
        degree: T,
    },
    Sigmoid {
        scale: T,
        offset: T,
    },
    /// With `s = rate d`: `(1 + first s + second s²) exp(-s)`.
    Matern {
        rate: T,
        first: T,
        second: T,
    },
    /// `(1 + factor d²)^exponent`.
    Rational {
        factor: T,
        exponent: T,
    },
    Cosine,
    /// The accumulated value itself: a sum of absolute differences.
    L1,
    /// `exp(factor sum)`.
    ExpL1 {
        factor: T,
    },
}

impl Epilogue {
    /// Whether the tile accumulates absolute differences instead of products.
    pub(crate) fn is_l1(&self) -> bool {
        matches!(self, Self::L1Distance | Self::Laplace { .. })
    }

    pub(crate) fn prepare<T: Real>(&self) -> Prepared<T> {
        let real = T::from_f64;
        match *self {
            Self::Dot => Prepared::Dot,
            Self::SquaredDistance => Prepared::SquaredDistance,
            Self::Distance => Prepared::Distance,
            Self::Rbf { gamma } => Prepared::ExpSquared {
                factor: real(-gamma),
            },
            Self::Poly {
                scale,
                offset,
                degree,
            } => {
                if degree.fract() == 0.0 && (0.0..=64.0).contains(&degree) {
                    Prepared::PolyInteger {
                        scale: real(scale),
                        offset: real(offset),
                        degree: degree as u32,
                    }
                } else {
                    Prepared::PolyReal {
                        scale: real(scale),
                        offset: real(offset),
                        degree: real(degree),
                    }
                }
            }
            Self::Sigmoid { scale, offset } => Prepared::Sigmoid {
                scale: real(scale),
                offset: real(offset),
            },
            Self::Matern { nu_twice, length } => {
                let (rate, first, second) = match nu_twice {
                    1 => (1.0, 0.0, 0.0),
                    3 => (3f64.sqrt(), 1.0, 0.0),
                    5 => (5f64.sqrt(), 1.0, 1.0 / 3.0),
                    other => panic!("`nu_twice` is `{other}`; it must be 1, 3 or 5"),
                };
                Prepared::Matern {
                    rate: real(rate / length),
                    first: real(first),
                    second: real(second),
                }
            }
            Self::RationalQuadratic { alpha, length } => Prepared::Rational {
                factor: real(1.0 / (2.0 * alpha * length * length)),
                exponent: real(-alpha),
            },
            Self::Cosine => Prepared::Cosine,
            Self::L1Distance => Prepared::L1,
            Self::Laplace { gamma } => Prepared::ExpL1 {
                factor: real(-gamma),
            },
        }
    }

    /// Turns squared distances into values of this kernel, bit for bit as a tile does.
    ///
    /// Serves grids over widths, which compute distances once. `Laplace` takes sums of absolute differences instead.
    ///
    /// # Panics
    ///
    /// When the kernel is not a function of the distance (`Dot`, `Poly`, `Sigmoid`, `Cosine`).
    pub fn apply_to_distances<T: Real>(&self, squared_distances: &mut [T]) {
        assert!(
            !matches!(
                self,
                Self::Dot | Self::Poly { .. } | Self::Sigmoid { .. } | Self::Cosine
            ),
            "{self:?} is not a function of the distance"
        );
        dispatch(Distances {
            prepared: self.prepare(),
            values: squared_distances,
        });
    }

    /// The values on the diagonal, from squared norms, bit for bit as a tile writes them.
    pub(crate) fn diagonal<T: Real>(
        &self,
        norms: &[T],
        finite: impl Fn(usize) -> bool,
        out: &mut [T],
    ) {
        if self.is_l1() {
            for (row, out) in out.iter_mut().enumerate() {
                *out = if finite(row) { T::ZERO } else { T::NAN };
            }
        } else {
            out.copy_from_slice(norms);
        }
        dispatch(Diagonal {
            prepared: self.prepare(),
            norms,
            out,
        });
    }
}

struct Distances<'a, T> {
    prepared: Prepared<T>,
    values: &'a mut [T],
}

impl<T: Real> Kernel for Distances<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        from_distances::<S, T>(&self.prepared, self.values);
    }
}

struct Diagonal<'a, T> {
    prepared: Prepared<T>,
    norms: &'a [T],
    out: &'a mut [T],
}

impl<T: Real> Kernel for Diagonal<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for (out, norm) in self.out.iter_mut().zip(self.norms) {
            apply::<S, T>(
                &self.prepared,
                std::slice::from_mut(out),
                *norm,
                std::slice::from_ref(norm),
            );
        }
    }
}

/// Squared distance; the comparison keeps NaN.
#[inline(always)]
fn squared<T: Real>(dot: T, left: T, right: T) -> T {
    let distance = (left + right) - (dot + dot);
    if distance < T::ZERO {
        T::ZERO
    } else {
        distance
    }
}

#[inline(always)]
fn from_distances<S: Simd, T: Real>(prepared: &Prepared<T>, values: &mut [T]) {
    match *prepared {
        Prepared::Distance => {
            for value in values {
                *value = value.sqrt();
            }
        }
        Prepared::ExpSquared { factor } | Prepared::ExpL1 { factor } => {
            for value in values {
                *value = S::exp(factor * *value);
            }
        }
        Prepared::Matern {
            rate,
            first,
            second,
        } => {
            for value in values {
                let s = rate * value.sqrt();
                let polynomial = S::mul_add(S::mul_add(second, s, first), s, T::ONE);
                *value = polynomial * S::exp(-s);
            }
        }
        Prepared::Rational { factor, exponent } => {
            for value in values {
                *value = S::mul_add(factor, *value, T::ONE).powf(exponent);
            }
        }
        _ => {}
    }
}

/// Applies an epilogue to accumulated values of one left row against several right rows.
#[inline(always)]
pub(crate) fn apply<S: Simd, T: Real>(
    prepared: &Prepared<T>,
    values: &mut [T],
    left: T,
    right: &[T],
) {
    match *prepared {
        Prepared::Dot | Prepared::L1 => {}
        Prepared::ExpL1 { .. } => from_distances::<S, T>(prepared, values),
        Prepared::PolyInteger {
            scale,
            offset,
            degree,
        } => {
            for value in values.iter_mut() {
                *value = S::mul_add(scale, *value, offset);
            }
            power(values, degree);
        }
        Prepared::PolyReal {
            scale,
            offset,
            degree,
        } => {
            for value in values {
                *value = S::mul_add(scale, *value, offset).powf(degree);
            }
        }
        Prepared::Sigmoid { scale, offset } => {
            for value in values {
                *value = S::tanh(S::mul_add(scale, *value, offset));
            }
        }
        Prepared::Cosine => {
            for (value, &right) in values.iter_mut().zip(right) {
                let norm = (left * right).sqrt();
                let cosine = *value / norm;
                *value = if norm == T::ZERO { T::ZERO } else { cosine };
            }
        }
        Prepared::ExpSquared { factor } => {
            // Places instead of a zip: the hottest loop must not depend on what gets inlined.
            let n = values.len().min(right.len());
            let (values, right) = (&mut values[..n], &right[..n]);
            for k in 0..n {
                values[k] = S::exp(factor * squared(values[k], left, right[k]));
            }
        }
        Prepared::SquaredDistance
        | Prepared::Distance
        | Prepared::Matern { .. }
        | Prepared::Rational { .. } => {
            for (value, &right) in values.iter_mut().zip(right) {
                *value = squared(*value, left, right);
            }
            from_distances::<S, T>(prepared, values);
        }
    }
}

/// Integer powers by squaring, from the lowest bit: the order of products depends on the degree alone.
#[inline(always)]
fn power<T: Real>(values: &mut [T], degree: u32) {
    match degree {
        1 => {}
        2 => {
            for value in values {
                *value *= *value;
            }
        }
        3 => {
            for value in values {
                *value = *value * (*value * *value);
            }
        }
        _ => {
            for value in values {
                let (mut base, mut rest, mut result) = (*value, degree, T::ONE);
                while rest > 0 {
                    if rest & 1 == 1 {
                        result *= base;
                    }
                    base *= base;
                    rest >>= 1;
                }
                *value = result;
            }
        }
    }
}
