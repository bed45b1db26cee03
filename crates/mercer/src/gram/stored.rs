//! Kernel rows computed on demand and kept within a byte budget.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mercer_linalg::descent::add_rows;
use mercer_linalg::{Matrix, MatrixMut, Par};
use rayon::prelude::*;

use super::lru::UseOrder;
use super::source::{TALL, TileElement, WIDE, with_tile};
use super::{Gram, KernelSource, Proceed};

/// A kernel matrix whose rows are kept as long as a budget has room, the last used ones first.
pub struct StoredGram<'a, T> {
    source: KernelSource<'a>,
    diagonal: Vec<f64>,
    /// Rows kept.
    capacity: usize,
    par: Par,
    store: Mutex<Store<T>>,
}

struct Store<T> {
    rows: Vec<Option<Arc<Vec<T>>>>,
    order: UseOrder,
    held: usize,
    peak: usize,
    /// Rows being computed.
    fresh: Vec<T>,
}

impl<'a, T: TileElement> StoredGram<'a, T> {
    /// Keeps rows in at most `bytes` bytes; `None` where that is less than a few blocks of them.
    pub fn try_new(source: KernelSource<'a>, bytes: u64, par: Par) -> Option<Self> {
        let n = source.len();
        let row_bytes = (n * size_of::<T>()).max(1) as u64;
        let affordable = usize::try_from(bytes / row_bytes).unwrap_or(usize::MAX);
        if affordable < 4 * TALL && affordable < n + TALL {
            return None;
        }
        Some(Self {
            diagonal: source.diagonal::<T>(),
            source,
            // One block of rows is being computed, two share its room with summing tasks.
            capacity: (affordable - TALL.min(affordable / 4)).min(n),
            par,
            store: Mutex::new(Store {
                rows: (0..n).map(|_| None).collect(),
                order: UseOrder::new(n),
                held: 0,
                peak: 0,
                fresh: Vec::new(),
            }),
        })
    }

    fn store(&self) -> MutexGuard<'_, Store<T>> {
        // A panic elsewhere leaves the list of rows usable: it is updated last.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Computes and keeps those of some rows that are absent, as many as the store holds.
    fn admit(&self, rows: &[u32], proceed: Proceed<'_>) {
        let n = self.len();
        let mut store = self.store();
        for &row in rows {
            if store.rows[row as usize].is_some() {
                store.order.touch(row as usize);
            }
        }
        let mut absent: Vec<u32> = rows.to_vec();
        absent.retain(|&r| store.rows[r as usize].is_none());
        absent.truncate(self.capacity);
        let mut fresh = std::mem::take(&mut store.fresh);
        for batch in absent.chunks(TALL) {
            if !proceed() {
                break;
            }
            let bound = self.source.bound_rows(batch);
            fresh.resize(TALL * n, T::ZERO);
            self.source
                .rows(&bound, &mut fresh[..batch.len() * n], self.par);
            for (&row, values) in batch.iter().zip(fresh.chunks(n)) {
                store.keep(row as usize, values, self.capacity);
            }
        }
        store.fresh = fresh;
    }

    fn held(&self, rows: &[u32]) -> Vec<Option<Arc<Vec<T>>>> {
        let store = self.store();
        rows.iter()
            .map(|&r| store.rows[r as usize].clone())
            .collect()
    }
}

impl<T: TileElement> Store<T> {
    fn keep(&mut self, row: usize, values: &[T], capacity: usize) {
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
        let kept = match reused {
            Some(mut buffer) => {
                buffer.copy_from_slice(values);
                buffer
            }
            None => values.to_vec(),
        };
        if self.rows[row].replace(Arc::new(kept)).is_none() {
            self.held += 1;
            self.peak = self.peak.max(self.held);
        }
        self.order.touch(row);
    }
}

impl<T: TileElement> Gram<T> for StoredGram<'_, T> {
    fn len(&self) -> usize {
        self.source.len()
    }

    fn block(&self, rows: &[u32], columns: &[u32], mut out: MatrixMut<'_, T>) {
        let held = self.held(rows);
        let absent: Vec<u32> = rows
            .iter()
            .zip(&held)
            .filter_map(|(&r, row)| row.is_none().then_some(r))
            .collect();
        let mut fresh = Matrix::zeros(absent.len(), columns.len());
        self.source
            .block(&absent, columns, fresh.as_mut(), self.par);
        let mut next = 0;
        for (k, row) in held.iter().enumerate() {
            let to = out.row_mut(k);
            if let Some(row) = row {
                for (value, &column) in to.iter_mut().zip(columns) {
                    *value = row[column as usize];
                }
            } else {
                to.copy_from_slice(fresh.row(next));
                next += 1;
            }
        }
    }

    fn add_rows(
        &self,
        rows: &[u32],
        coefficients: &[f64],
        columns: Option<&[u32]>,
        out: &mut [f64],
        proceed: Proceed<'_>,
    ) -> bool {
        // Whole rows are worth more than the few columns asked for while there is room.
        let worth = columns.is_none_or(|c| 2 * c.len() > self.len())
            || self.store().held + rows.len() <= self.capacity;
        if worth {
            self.admit(rows, proceed);
        }
        let held = self.held(rows);
        let bound = self.source.bound_rows(rows);
        let add = |(task, out): (usize, &mut [f64])| {
            let width = out.len();
            let span = task * WIDE..task * WIDE + width;
            let ids = columns.map(|c| self.source.bound_rows(&c[span.clone()]));
            with_tile(TALL * width, |values: &mut [T]| {
                for first in (0..rows.len()).step_by(TALL) {
                    if !proceed() {
                        return;
                    }
                    let batch = first..(first + TALL).min(rows.len());
                    let absent: Vec<u32> = batch
                        .clone()
                        .filter(|&k| held[k].is_none())
                        .map(|k| bound[k])
                        .collect();
                    let (fresh, gathered) = values.split_at_mut(absent.len() * width);
                    let tile = MatrixMut::from_slice(absent.len(), width, fresh);
                    match &ids {
                        _ if absent.is_empty() => {}
                        Some(ids) => self.source.scattered(&absent, ids, tile),
                        None => self.source.run(&absent, span.clone(), tile),
                    }
                    if let Some(columns) = columns {
                        let rows = batch.clone().filter_map(|k| held[k].as_ref());
                        for (row, to) in rows.zip(gathered.chunks_mut(width)) {
                            for (value, &c) in to.iter_mut().zip(&columns[span.clone()]) {
                                *value = row[c as usize];
                            }
                        }
                    }
                    let mut fresh = fresh.chunks(width);
                    let mut gathered = gathered.chunks(width);
                    let slices: Vec<&[T]> = batch
                        .clone()
                        .map(|k| match (&held[k], columns) {
                            (Some(row), None) => &row[span.clone()],
                            (Some(_), Some(_)) => gathered.next().expect("one part per held row"),
                            (None, _) => fresh.next().expect("one part per absent row"),
                        })
                        .collect();
                    add_rows(&coefficients[batch], |k| slices[k], out);
                }
            });
        };
        match self.par {
            Par::Sequential => out.chunks_mut(WIDE).enumerate().for_each(add),
            Par::Rayon => out.par_chunks_mut(WIDE).enumerate().for_each(add),
        }
        proceed()
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn evaluations(&self) -> u64 {
        self.source.evaluations()
    }

    fn peak_bytes(&self) -> u64 {
        let store = self.store();
        let rows = store.peak * self.len() + store.fresh.len();
        (rows * size_of::<T>()) as u64 + KernelSource::summing_bytes::<T>(self.len(), self.par)
    }
}
