//! Kernel rows computed on demand and kept within a byte budget.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mercer_linalg::Par;

use super::lru::UseOrder;
use super::source::TileElement;
use super::{Gram, GramRow, KernelSource, accumulate};
use crate::fit::Cancel;
use crate::{Error, Result};

/// Most rows computed together; more would not make a row cheaper.
const LARGEST_BLOCK: usize = 16;
/// Share of the budget, one in this many, for rows being computed.
const BLOCK_SHARE: usize = 5;

/// Blocks of prefetched rows that must fit into the store.
const ROOMY: usize = 4;

/// A kernel matrix of which only recently used rows exist.
pub struct CachedGram<'a, T> {
    source: KernelSource<'a>,
    diagonal: Vec<f64>,
    /// Rows kept.
    capacity: usize,
    /// Rows computed together.
    block: usize,
    par: Par,
    cancel: Cancel,
    rows: Mutex<Store<T>>,
    scratch: Mutex<Vec<T>>,
}

struct Store<T> {
    rows: Vec<Option<Arc<Vec<T>>>>,
    order: UseOrder,
    held: usize,
    peak: usize,
}

impl<'a, T: TileElement> CachedGram<'a, T> {
    /// Creates a cache of at most `bytes` bytes.
    ///
    /// # Errors
    /// A budget too small for the two rows that one solver step needs and one being computed.
    pub fn try_new(source: KernelSource<'a>, bytes: u64, par: Par, cancel: Cancel) -> Result<Self> {
        let n = source.len();
        let row_bytes = (n * size_of::<T>()).max(1) as u64;
        let affordable = usize::try_from(bytes / row_bytes).unwrap_or(usize::MAX);
        if affordable < 3 {
            return Err(Error::Memory {
                what: format!("three kernel rows of {n} values"),
                needed: 3 * row_bytes,
                limit: bytes,
            });
        }
        let block = (affordable / BLOCK_SHARE).clamp(1, LARGEST_BLOCK);
        Ok(Self {
            diagonal: source.diagonal::<T>(),
            source,
            capacity: (affordable - block).min(n.max(2)),
            block,
            par,
            cancel,
            rows: Mutex::new(Store {
                rows: (0..n).map(|_| None).collect(),
                order: UseOrder::new(n),
                held: 0,
                peak: 0,
            }),
            scratch: Mutex::new(Vec::new()),
        })
    }

    fn scratch(&self) -> MutexGuard<'_, Vec<T>> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> MutexGuard<'_, Store<T>> {
        // A panic elsewhere leaves the list of rows usable: it is updated last.
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: TileElement> Store<T> {
    fn find(&mut self, i: usize) -> Option<Arc<Vec<T>>> {
        let row = self.rows[i].clone()?;
        self.order.touch(i);
        Some(row)
    }

    /// Makes room for one row and returns a buffer, reused where one was forgotten.
    fn buffer(&mut self, capacity: usize, n: usize) -> Vec<T> {
        let mut reused = None;
        while self.held >= capacity {
            let Some(oldest) = self.order.pop_oldest() else {
                break;
            };
            self.held -= 1;
            if let Some(row) = self.rows[oldest].take() {
                reused = Arc::try_unwrap(row).ok();
            }
        }
        reused.unwrap_or_else(|| vec![T::ZERO; n])
    }

    fn keep(&mut self, i: usize, row: Arc<Vec<T>>) {
        if self.rows[i].replace(row).is_none() {
            self.held += 1;
            self.peak = self.peak.max(self.held);
        }
        self.order.touch(i);
    }
}

impl<T: TileElement> Gram<T> for CachedGram<'_, T> {
    fn len(&self) -> usize {
        self.source.len()
    }

    fn row(&self, i: usize) -> GramRow<'_, T> {
        let mut buffer = {
            let mut store = self.store();
            if let Some(row) = store.find(i) {
                return GramRow::Shared(row);
            }
            store.buffer(self.capacity, self.len())
        };
        self.source.fill(&[i as u32], &mut buffer, self.par);
        let row = Arc::new(buffer);
        self.store().keep(i, Arc::clone(&row));
        GramRow::Shared(row)
    }

    fn is_held(&self, i: usize) -> bool {
        self.store().rows[i].is_some()
    }

    fn prefetch(&self, rows: &[u32]) {
        // A store with room for a few blocks only would forget rows it still needs.
        if rows.len() > self.block || self.capacity < ROOMY * rows.len() {
            return;
        }
        let n = self.len();
        let mut scratch = self.scratch();
        scratch.resize(rows.len() * n, T::ZERO);
        self.source.fill(rows, &mut scratch, self.par);
        for (&i, fresh) in rows.iter().zip(scratch.chunks(n)) {
            let mut store = self.store();
            if store.rows[i as usize].is_some() {
                continue;
            }
            let mut buffer = store.buffer(self.capacity, n);
            buffer.copy_from_slice(fresh);
            store.keep(i as usize, Arc::new(buffer));
        }
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn evaluations(&self) -> u64 {
        self.source.evaluations()
    }

    fn peak_bytes(&self) -> u64 {
        ((self.store().peak + self.block) * self.len() * size_of::<T>()) as u64
    }

    fn apply(&self, v: &[f64]) -> Result<Vec<f64>> {
        let n = self.len();
        let wanted: Vec<u32> = (0..n as u32).filter(|&i| v[i as usize] != 0.0).collect();
        let mut out = vec![0.0; n];
        let mut scratch = self.scratch();
        scratch.resize(self.block.min(wanted.len()) * n, T::ZERO);
        for batch in wanted.chunks(self.block) {
            if self.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let known: Vec<Option<Arc<Vec<T>>>> = {
                let store = self.store();
                batch
                    .iter()
                    .map(|&i| store.rows[i as usize].clone())
                    .collect()
            };
            let missing: Vec<u32> = batch
                .iter()
                .zip(&known)
                .filter_map(|(&i, row)| row.is_none().then_some(i))
                .collect();
            self.source
                .fill(&missing, &mut scratch[..missing.len() * n], self.par);
            let mut fresh = scratch.chunks(n);
            let rows: Vec<GramRow<'_, T>> = known
                .into_iter()
                .map(|row| match row {
                    Some(row) => GramRow::Shared(row),
                    None => GramRow::Borrowed(fresh.next().expect("one fresh row per gap")),
                })
                .collect();
            let coefficients: Vec<f64> = batch.iter().map(|&i| v[i as usize]).collect();
            accumulate(&coefficients, &rows, &mut out, self.par);
        }
        Ok(out)
    }
}
