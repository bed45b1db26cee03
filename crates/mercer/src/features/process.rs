//! Functions drawn from a Gaussian process, before and after values of it are known.
//!
//! With K the kernel matrix, known values y = f(x_r) + noise of variance s² and A = K_rr + s²I, the others are normal
//! with mean K_gr A⁺ y and covariance K_gg − K_gr A⁺ K_rg. Without known values that is N(0, K_gg).

use mercer_linalg::{Matrix, Op, Par, SymmetricEigen, gemm};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::data::Records;
use crate::data::random::normal;
use crate::kernel::ResolvedKernel;
use crate::{Error, Result};

/// Functions at some rows, and their mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// The mean at every row: 0 where nothing is known.
    pub mean: Vec<f64>,
    /// A function per row, a place per column.
    pub functions: Matrix<f64>,
}

/// Draws functions at the rows behind the first ones, whose values are `known` up to noise of a variance.
///
/// # Errors
/// More known values than rows, a variance below 0, rows that the kernel cannot compare, values that are not finite.
pub fn draw_functions(
    kernel: &ResolvedKernel,
    rows: &Records,
    known: &[f64],
    noise: f64,
    draws: usize,
    seed: u64,
    par: Par,
) -> Result<Drawn> {
    if !(noise >= 0.0 && noise.is_finite()) {
        return Err(Error::setting("noise", noise, "finite and not negative"));
    }
    let (n, r) = (rows.len(), known.len());
    if r > n {
        return Err(Error::Length {
            what: "the known values".to_owned(),
            found: r,
            expected: n,
            unit: "rows",
        });
    }
    let gram = kernel.gram(rows, par)?;
    let eigen = |matrix: &Matrix<f64>| {
        SymmetricEigen::new(matrix.as_ref()).map_err(|error| Error::Kernel {
            kernel: kernel.to_string(),
            problem: error.to_string(),
            cure: "choose a kernel whose values on these rows are finite".into(),
        })
    };
    let g = n - r;
    let mut mean = vec![0.0; g];
    let mut covariance = Matrix::from_fn(g, g, |i, j| gram[(r + i, r + j)]);
    if r > 0 {
        let inner = Matrix::from_fn(r, r, |i, j| gram[(i, j)] + if i == j { noise } else { 0.0 });
        let inner = eigen(&inner)?;
        let largest = inner
            .values
            .iter()
            .fold(0.0_f64, |most, v| most.max(v.abs()));
        let floor = r as f64 * f64::EPSILON * largest;
        // Row h is vₕᵀ K_rg/√ℓₕ: its products are what known values take from the covariance. Directions that
        // rounding cannot tell from zero say nothing.
        let root = |h: usize| (inner.values[h] > floor).then(|| inner.values[h].sqrt());
        let seen = Matrix::from_fn(r, g, |h, j| {
            root(h).map_or(0.0, |root| {
                let column = (0..r).map(|i| inner.vectors[(i, h)] * gram[(i, r + j)]);
                column.sum::<f64>() / root
            })
        });
        let told = |h: usize| {
            root(h).map_or(0.0, |root| {
                let values = (0..r).map(|i| inner.vectors[(i, h)] * known[i]);
                values.sum::<f64>() / root
            })
        };
        let told: Vec<f64> = (0..r).map(told).collect();
        for (j, mean) in mean.iter_mut().enumerate() {
            *mean = (0..r).map(|h| seen[(h, j)] * told[h]).sum();
        }
        gemm(
            -1.0,
            seen.as_ref(),
            Op::Transpose,
            seen.as_ref(),
            Op::None,
            1.0,
            covariance.as_mut(),
            par,
        );
    }
    let own = eigen(&covariance)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let factors = Matrix::from_fn(draws, g, |_, h| {
        own.values[h].max(0.0).sqrt() * normal(&mut rng)
    });
    let mut functions = Matrix::from_fn(draws, g, |_, j| mean[j]);
    gemm(
        1.0,
        factors.as_ref(),
        Op::None,
        own.vectors.as_ref(),
        Op::Transpose,
        1.0,
        functions.as_mut(),
        par,
    );
    Ok(Drawn { mean, functions })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(places: &[f64]) -> Records {
        Records::from_points(Matrix::from_vec(places.len(), 1, places.to_vec()))
    }

    fn drawn(known: &[f64], noise: f64, draws: usize) -> Drawn {
        let kernel: ResolvedKernel = "rbf(gamma=0.5)".parse().unwrap();
        let rows = line(&[0.0, 3.0, 0.0, 1.0, 8.0]);
        let rows = if known.is_empty() {
            line(&[0.0, 1.0])
        } else {
            rows
        };
        draw_functions(&kernel, &rows, known, noise, draws, 1, Par::Sequential).unwrap()
    }

    #[test]
    fn draws_before_anything_is_known_have_the_kernel_as_covariance() {
        let found = drawn(&[], 0.0, 20_000).functions;
        let mean = |f: &dyn Fn(usize) -> f64| (0..20_000).map(f).sum::<f64>() / 20_000.0;
        let both = mean(&|k| found[(k, 0)] * found[(k, 1)]);
        // The standard error of such a mean is √(1 + k²)/√20000 < 0.009.
        assert!((both - (-0.5_f64).exp()).abs() < 0.03, "{both}");
        assert!((mean(&|k| found[(k, 0)].powi(2)) - 1.0).abs() < 0.04);
    }

    #[test]
    fn draws_go_through_what_is_known_and_forget_it_far_away() {
        let found = drawn(&[2.0, -1.0], 0.0, 4000);
        for k in 0..4000 {
            assert!((found.functions[(k, 0)] - 2.0).abs() < 1e-6);
        }
        // By hand: A = [[1, c], [c, 1]] with c = e^(−4.5), k(1) = (e^(−1/2), e^(−2)).
        let c = (-4.5_f64).exp();
        let (a, b) = ((-0.5_f64).exp(), (-2.0_f64).exp());
        let weights = [(a - c * b) / (1.0 - c * c), (b - c * a) / (1.0 - c * c)];
        assert!((found.mean[1] - (2.0 * weights[0] - weights[1])).abs() < 1e-12);
        let variance = 1.0 - a * weights[0] - b * weights[1];
        let spread = |place: usize| {
            let square = |k: usize| (found.functions[(k, place)] - found.mean[place]).powi(2);
            (0..4000).map(square).sum::<f64>() / 4000.0
        };
        assert!((spread(1) / variance - 1.0).abs() < 0.1, "{}", spread(1));
        assert!((spread(2) - 1.0).abs() < 0.1 && found.mean[2].abs() < 1e-4);
    }

    #[test]
    fn equal_places_with_noise_have_their_mean() {
        let kernel: ResolvedKernel = "rbf(gamma=0.5)".parse().unwrap();
        let rows = line(&[0.0, 0.0, 0.0]);
        let of = |noise: f64| {
            let known = [1.0, 3.0];
            draw_functions(&kernel, &rows, &known, noise, 1, 1, Par::Sequential)
        };
        // k/(k + s²/2) of their mean.
        assert!((of(0.5).unwrap().mean[0] - 2.0 / 1.25).abs() < 1e-12);
        assert!((of(0.0).unwrap().mean[0] - 2.0).abs() < 1e-9);
        assert!(of(-1.0).is_err() && of(f64::NAN).is_err());
    }
}
