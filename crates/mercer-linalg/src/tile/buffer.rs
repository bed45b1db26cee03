//! Cache-line aligned memory, and scratch that a thread reuses.

#![expect(unsafe_code, reason = "views lines of bytes as numbers")]

use std::cell::Cell;
use std::marker::PhantomData;

use crate::real::Real;

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Numbers that start on a cache line.
#[derive(Clone, Debug)]
pub(crate) struct Buffer<T> {
    lines: Vec<Line>,
    length: usize,
    numbers: PhantomData<T>,
}

impl<T: Real> Buffer<T> {
    pub(crate) fn zeros(length: usize) -> Self {
        Self::reuse(Vec::new(), length)
    }

    fn reuse(mut lines: Vec<Line>, length: usize) -> Self {
        let needed = (length * size_of::<T>()).div_ceil(size_of::<Line>());
        if lines.len() < needed {
            lines.resize(needed, Line([0; 64]));
        }
        Self {
            lines,
            length,
            numbers: PhantomData,
        }
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: the lines hold at least `length` numbers of plain data and are aligned to 64 bytes.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as above, exclusively borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}

thread_local! {
    // A small stack: a thread may start a tile while it waits inside another one.
    static SPARE: Cell<Vec<Vec<Line>>> = const { Cell::new(Vec::new()) };
}

/// Calls `work` with scratch of unspecified content that is kept for the next call on this thread.
pub(crate) fn with_scratch<T: Real, R>(length: usize, work: impl FnOnce(&mut Buffer<T>) -> R) -> R {
    let mut spare = SPARE.take();
    let lines = spare.pop().unwrap_or_default();
    SPARE.set(spare);
    let mut buffer = Buffer::reuse(lines, length);
    let result = work(&mut buffer);
    let mut spare = SPARE.take();
    // Large buffers go back to the system: 64 MiB is more than any tile needs at usual widths.
    if buffer.lines.len() <= 1 << 20 && spare.len() < 8 {
        spare.push(buffer.lines);
    }
    SPARE.set(spare);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_nests_and_is_aligned() {
        with_scratch::<f64, _>(10, |outer| {
            outer.as_mut_slice().fill(1.0);
            with_scratch::<f32, _>(100, |inner| {
                inner.as_mut_slice().fill(2.0);
                assert_eq!(inner.as_slice().as_ptr() as usize % 64, 0);
            });
            assert_eq!(outer.as_slice(), &[1.0; 10]);
        });
        assert_eq!(Buffer::<f32>::zeros(3).as_slice(), &[0.0; 3]);
    }
}
