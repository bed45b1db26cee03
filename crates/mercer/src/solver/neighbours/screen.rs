//! All rows by matrix products: squared distances in f32 name the candidates, sums in f64 decide.
//!
//! A squared distance ‖x‖² + ‖z‖² − 2⟨x, z⟩ in f32 is wrong by at most δ(z). If v is the k-th
//! smallest of them, the k-th nearest row is no farther than v + δ, and so every one of the k
//! nearest has a value of at most v + 2δ: these are the candidates.

use mercer_linalg::{DenseRows, Epilogue, Matrix, MatrixMut, Par, Rows, places_within, tile};

use super::best::{Best, Wanted};
use super::metric::DistanceMetric;

/// New rows compared at a time: what a tile packs.
pub(super) const BLOCK: usize = 96;
/// Rows that they are compared with at a time: with 96 lines of values 384 KiB, which stay in the
/// second-level cache.
const WIDTH: usize = 1024;
/// Terms that a tile adds up in one chain.
const CHAIN: usize = 256;
/// Sizes of numbers whose squares f64 can tell apart; beyond them sums in f64 tie where f32 in
/// units of the size does not.
const SIZES: std::ops::Range<f64> = 1e-140..1e140;
/// Candidates beside twice k that may wait before the farther ones are dropped.
const WAITING: usize = 192;

#[derive(Debug)]
pub(super) struct Screen {
    rows: DenseRows<f32>,
    /// The mean, which is taken out: norms are small then, and so is what they round.
    shift: Vec<f64>,
    /// A power of two that brings the largest value near one.
    scale: f64,
    /// The largest squared norm.
    largest: f64,
}

/// What is known of the neighbours of one new row.
struct Candidates {
    bound: f32,
    slack: f32,
    near: Vec<(f32, u32)>,
    most: usize,
}

impl Candidates {
    /// Drops what cannot be among the k nearest.
    fn thin(&mut self, k: usize) {
        if self.near.len() <= k || k == 0 {
            return;
        }
        let by_value = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0);
        let (_, kth, _) = self.near.select_nth_unstable_by(k - 1, by_value);
        self.bound = self.bound.min(kth.0 + 2.0 * self.slack);
        let bound = self.bound;
        self.near.retain(|(value, _)| *value <= bound);
        // Where most rows are as near as the k-th, thinning would not pay.
        self.most = self.most.max(2 * self.near.len());
    }
}

impl Screen {
    /// `None` where there is nothing to multiply or numbers are too large for it.
    pub(super) fn new(points: &Matrix<f64>, par: Par) -> Option<Self> {
        let (n, d) = (points.rows(), points.columns());
        if n == 0 || d == 0 {
            return None;
        }
        let mut shift = vec![0.0; d];
        for row in 0..n {
            for (sum, value) in shift.iter_mut().zip(points.row(row)) {
                *sum += value / n as f64;
            }
        }
        let mut size = 0.0_f64;
        for row in 0..n {
            for (mean, value) in shift.iter().zip(points.row(row)) {
                size = size.max((value - mean).abs());
            }
        }
        if size > 0.0 && !SIZES.contains(&size) {
            return None;
        }
        // Exponents of f64 are whole numbers between ±1075.
        let exponent = if size > 0.0 { -size.log2().ceil() } else { 0.0 };
        let scale = exponent.clamp(-1000.0, 1000.0).exp2();
        let scales = vec![scale; d];
        let rows = DenseRows::<f32>::new(points.as_ref(), Some(&shift), Some(&scales));
        rows.prepare_right(par);
        let norms = rows.squared_norms().iter();
        let largest = norms.fold(0.0_f64, |most, norm| most.max(f64::from(*norm)));
        Some(Self {
            rows,
            shift,
            scale,
            largest,
        })
    }

    /// Finds the neighbours of up to [`BLOCK`] rows; `wanted` has its radius squared.
    pub(super) fn search(
        &self,
        points: &Matrix<f64>,
        queries: &[&[f64]],
        wanted: Wanted,
        bests: &mut [Best],
    ) {
        let (n, d) = (points.rows(), points.columns());
        let m = queries.len();
        let flat = Matrix::from_fn(m, d, |i, j| queries[i][j]);
        let scales = vec![self.scale; d];
        let left = DenseRows::<f32>::new(flat.as_ref(), Some(&self.shift), Some(&scales));
        let mut candidates: Vec<Option<Candidates>> = left
            .squared_norms()
            .iter()
            .map(|norm| self.candidates(f64::from(*norm), wanted))
            .collect();
        let mut values = vec![0.0_f32; m * WIDTH.min(n)];
        let mut places = Vec::new();
        for start in (0..n).step_by(WIDTH) {
            let width = WIDTH.min(n - start);
            let values = &mut values[..m * width];
            tile(
                &left,
                Rows::Range(0..m),
                &self.rows,
                Rows::Range(start..start + width),
                &Epilogue::SquaredDistance,
                MatrixMut::from_slice(m, width, &mut *values),
                Par::Sequential,
            );
            for (line, candidates) in values.chunks_exact(width).zip(&mut candidates) {
                let Some(candidates) = candidates else {
                    continue;
                };
                places.clear();
                places_within(line, candidates.bound, &mut places);
                let found = places.iter();
                let found = found.map(|&k| (line[k as usize], start as u32 + k));
                candidates.near.extend(found);
                if let Wanted::Nearest(k) = wanted
                    && candidates.near.len() > candidates.most
                {
                    candidates.thin(k);
                }
            }
        }
        for ((query, candidates), best) in queries.iter().zip(candidates).zip(bests) {
            match candidates {
                Some(mut candidates) => {
                    if let Wanted::Nearest(k) = wanted {
                        candidates.thin(k);
                    }
                    for (_, row) in candidates.near {
                        let reduced =
                            DistanceMetric::Euclidean.pair(query, points.row(row as usize));
                        best.offer(reduced, row);
                    }
                }
                None => {
                    for row in 0..n {
                        let reduced = DistanceMetric::Euclidean.pair(query, points.row(row));
                        best.offer(reduced, row as u32);
                    }
                }
            }
        }
    }

    /// `None` for a row so far away that f32 cannot tell distances apart.
    fn candidates(&self, norm: f64, wanted: Wanted) -> Option<Candidates> {
        let d = self.rows.columns();
        let chain = d.min(CHAIN) + d / CHAIN;
        // Sums of `chain` products are wrong by chain·ε, norms as well; values that are rounded to
        // f32 move a squared distance by 2ε(‖x‖² + ‖z‖²).
        let share = (2 * (chain + 4) + 4) as f64 * f64::from(f32::EPSILON);
        let slack = share * (norm + self.largest) + f64::from(f32::MIN_POSITIVE);
        if !(norm + self.largest + slack < f64::from(f32::MAX) / 8.0) {
            return None;
        }
        let (bound, most) = match wanted {
            Wanted::Nearest(k) => (f32::INFINITY, 2 * k + WAITING),
            Wanted::Within(squared) => {
                let squared = squared * self.scale * self.scale;
                let bound = (squared * (1.0 + 1e-6) + 2.0 * slack).min(f64::from(f32::MAX));
                (bound as f32, usize::MAX)
            }
        };
        Some(Candidates {
            bound,
            slack: (slack * 1.000_001) as f32,
            near: Vec::new(),
            most,
        })
    }
}
