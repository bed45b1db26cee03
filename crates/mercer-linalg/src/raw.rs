//! The output of one call, shared by its tasks.

#![expect(unsafe_code, reason = "tasks share the output of one call")]

use std::marker::PhantomData;

/// The pointer of a mutable view, shared by tasks that write disjoint rectangles.
#[derive(Debug)]
pub(crate) struct RawMatrix<'a, T> {
    pointer: *mut T,
    stride: usize,
    borrow: PhantomData<&'a mut T>,
}

impl<T> Clone for RawMatrix<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RawMatrix<'_, T> {}

impl<'a, T> RawMatrix<'a, T> {
    pub(crate) fn new(values: &'a mut [T], stride: usize) -> Self {
        Self {
            pointer: values.as_mut_ptr(),
            stride,
            borrow: PhantomData,
        }
    }

    /// The address of an entry; it is valid when the entry is inside the matrix.
    #[inline(always)]
    pub(crate) fn at(self, row: usize, column: usize) -> *mut T {
        self.pointer.wrapping_add(row * self.stride + column)
    }

    /// The part from an entry on.
    pub(crate) fn from(self, row: usize, column: usize) -> Self {
        Self {
            pointer: self.at(row, column),
            ..self
        }
    }

    /// Elements from one row to the next.
    #[inline(always)]
    pub(crate) fn stride(self) -> usize {
        self.stride
    }
}

// SAFETY: the pointer comes from an exclusive borrow that outlives the value; every user writes a rectangle that no
// other task touches, as stated at each use.
unsafe impl<T: Send> Send for RawMatrix<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for RawMatrix<'_, T> {}
