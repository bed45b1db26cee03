//! Kernel tiles: blocks of a kernel matrix with the kernel applied while dot products are hot.
//!
//! An entry depends on its two rows alone: not on the shape of the tile, its position in it, the way the rows are named or
//! the number of threads. `k(x, z)` and `k(z, x)` are the same bits, and distances on the diagonal are exactly zero.

mod buffer;
mod dense;
mod dense_tile;
mod epilogue;
mod micro;
mod mirror;
mod pack;
mod pairwise;
mod rows;
mod sparse;
mod sparse_tile;
mod transpose;

pub(crate) use buffer::{Buffer, with_scratch};
pub(crate) use transpose::{Transpose, interleave};

pub use dense::DenseRows;
pub use dense_tile::{gram, tile};
pub use epilogue::Epilogue;
pub use pairwise::pairwise_tile;
pub use rows::Rows;
pub use sparse::SparseRows;
pub use sparse_tile::{sparse_gram, sparse_tile};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;
    use crate::par::Par;
    use crate::real::Real;
    use crate::simd::tests::on_every_isa;

    fn check<T: Real>(set: impl std::fmt::Debug) {
        let mut state = 3u64;
        let x = Matrix::from_fn(71, 301, |_, _| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let value = ((state >> 40) as f64 / 16_777_216.0 - 0.5) as f32;
            if state >> 62 == 0 {
                0.0
            } else {
                f64::from(value)
            }
        });
        let dense = DenseRows::<T>::new(x.as_ref(), None, None);
        let sparse = SparseRows::<T>::from_dense(x.as_ref(), None);
        let rbf = Epilogue::Rbf { gamma: 0.05 };
        let mut a = Matrix::<T>::zeros(71, 71);
        let mut b = Matrix::<T>::zeros(71, 71);
        gram(&dense, &rbf, a.as_mut(), Par::Sequential);
        sparse_gram(&sparse, &rbf, b.as_mut(), Par::Sequential);
        for i in 0..71 {
            assert_eq!((a[(i, i)], b[(i, i)]), (T::ONE, T::ONE), "{set:?}");
            for j in 0..71 {
                let d2: f64 = x
                    .row(i)
                    .iter()
                    .zip(x.row(j))
                    .map(|(a, b)| (a - b) * (a - b))
                    .sum();
                let wanted = (-0.05 * d2).exp();
                let bound = 300.0 * T::EPSILON.to_f64();
                assert!((a[(i, j)].to_f64() - wanted).abs() < bound, "{set:?}");
                assert!((b[(i, j)].to_f64() - wanted).abs() < bound, "{set:?}");
            }
            // One row alone gives the same bits as the whole matrix.
            let mut one = Matrix::<T>::zeros(1, 71);
            tile(
                &dense,
                Rows::Range(i..i + 1),
                &dense,
                Rows::Range(0..71),
                &rbf,
                one.as_mut(),
                Par::Sequential,
            );
            assert_eq!(one.row(0), a.row(i), "{set:?}");
            sparse_tile(
                &sparse,
                Rows::Range(i..i + 1),
                &sparse,
                Rows::Range(0..71),
                &rbf,
                one.as_mut(),
                Par::Sequential,
            );
            assert_eq!(one.row(0), b.row(i), "{set:?}");
        }
    }

    #[test]
    fn every_instruction_set_keeps_the_promises() {
        on_every_isa(|set| {
            check::<f32>(set);
            check::<f64>(set);
        });
    }
}
