//! The distance in the space of a kernel: √(k(x,x) − 2k(x,z) + k(z,z)).

use mercer_linalg::{MatrixMut, Par, Precision, Rows};
use rayon::prelude::*;

use super::best::{Best, Found, Wanted};
use crate::data::Records;
use crate::fit::Cancel;
use crate::kernel::{BoundKernel, ResolvedKernel, TileMut};
use crate::{Error, Result};

/// New rows of one task, and rows they are compared with at a time.
const BLOCK: usize = 32;
const WIDTH: usize = 512;

pub(super) struct ByKernel {
    bound: Box<dyn BoundKernel>,
    diagonal: Vec<f64>,
    columns: usize,
}

impl std::fmt::Debug for ByKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ByKernel")
            .field("rows", &self.diagonal.len())
            .finish_non_exhaustive()
    }
}

impl ByKernel {
    pub(super) fn new(kernel: &ResolvedKernel, records: &Records) -> Result<Self> {
        let bound = kernel.bind(records)?;
        let mut diagonal = vec![0.0; bound.len()];
        bound.diagonal(Precision::F64, &mut diagonal);
        Ok(Self {
            bound,
            diagonal,
            columns: records.features.points.columns(),
        })
    }

    pub(super) fn work(&self) -> f64 {
        (self.diagonal.len() * (2 * self.columns + 16)) as f64
    }

    pub(super) fn search(
        &self,
        records: &Records,
        wanted: Wanted,
        par: Par,
        cancel: &Cancel,
    ) -> Result<Found> {
        let n = self.diagonal.len();
        let wanted = match wanted {
            Wanted::Nearest(k) => Wanted::Nearest(k.min(n)),
            Wanted::Within(radius) => Wanted::Within(radius * radius),
        };
        let block = |start: usize| {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let end = (start + BLOCK).min(records.len());
            self.block(&records.slice(start..end), wanted)
                // A block counts its rows from 0; the whole finds the fault by its own number.
                .or_else(|error| self.bound.query(records).map(drop).and(Err(error)))
        };
        let starts = (0..records.len()).step_by(BLOCK);
        let parts: Vec<Found> = if par == Par::Sequential {
            starts.map(block).collect::<Result<_>>()?
        } else {
            let starts: Vec<usize> = starts.collect();
            let parts = starts.into_par_iter().with_max_len(1).map(block);
            parts.collect::<Result<_>>()?
        };
        Ok(Found::joined(parts))
    }

    fn block(&self, records: &Records, wanted: Wanted) -> Result<Found> {
        let (n, m) = (self.diagonal.len(), records.len());
        let query = self.bound.query(records)?;
        let mut own = vec![0.0; m];
        query.diagonal(Precision::F64, &mut own);
        if own.iter().any(|value| value.is_nan()) {
            return Err(Error::Unsupported {
                what: "a given matrix does not hold k(x, x) of new rows, which distances need"
                    .to_owned(),
                cure: "give a kernel expression, or distances".into(),
            });
        }
        let mut bests: Vec<Best> = (0..m).map(|_| Best::new(wanted)).collect();
        let mut values = vec![0.0; m * WIDTH.min(n)];
        for start in (0..n).step_by(WIDTH) {
            let width = WIDTH.min(n - start);
            let values = &mut values[..m * width];
            query.tile(
                Rows::Range(0..m),
                Rows::Range(start..start + width),
                TileMut::F64(MatrixMut::from_slice(m, width, &mut *values)),
                Par::Sequential,
            );
            for ((line, own), best) in values.chunks_exact(width).zip(&own).zip(&mut bests) {
                for (k, value) in line.iter().enumerate() {
                    let row = start + k;
                    let squared = ((own - value) + (self.diagonal[row] - value)).max(0.0);
                    best.offer(squared, row as u32);
                }
            }
        }
        let mut found = Found {
            starts: vec![0],
            ..Found::default()
        };
        for best in bests {
            best.finish(f64::sqrt, &mut found);
        }
        Ok(found)
    }
}
