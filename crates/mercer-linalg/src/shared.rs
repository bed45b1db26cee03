//! Values that several holders read and nobody copies.

#![expect(
    unsafe_code,
    reason = "a slice is kept beside the owner that keeps it alive"
)]

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// An owner of values that lives elsewhere: an array of another language, a mapped file.
pub type Owner<T> = Arc<dyn AsRef<[T]> + Send + Sync>;

/// A read-only list whose clones share one memory.
///
/// The memory is a vector of our own or belongs to an [`Owner`]. Reading costs what reading a
/// slice costs; cloning costs one counter.
pub struct Shared<T> {
    start: *const T,
    length: usize,
    /// Keeps the slice alive.
    owner: Arc<dyn Send + Sync>,
}

// SAFETY: a holder only reads, as through a shared slice, and the owner may be dropped anywhere.
unsafe impl<T: Sync> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Shared<T> {}

impl<T: Send + Sync + 'static> Shared<T> {
    /// Borrows the values of an owner for as long as a clone lives.
    ///
    /// The owner is asked for its slice once.
    pub fn from_owner(owner: Owner<T>) -> Self {
        let values = (*owner).as_ref();
        let (start, length) = (values.as_ptr(), values.len());
        // The slice is borrowed from the content of the counter. That content stays where it is,
        // alive and without a mutable borrow, while this clone of the counter exists.
        Self {
            start,
            length,
            owner: Arc::new(owner),
        }
    }
}

impl<T> Shared<T> {
    /// A part of the list that shares its memory.
    ///
    /// # Panics
    ///
    /// When the range leaves the list.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let part = &self[range];
        Self {
            start: part.as_ptr(),
            length: part.len(),
            owner: Arc::clone(&self.owner),
        }
    }
}

impl Shared<i32> {
    /// Reads the same memory as unsigned numbers; negative ones become 2³¹ and more.
    pub(crate) fn into_unsigned(self) -> Shared<u32> {
        // `i32` and `u32` have one layout, and every pattern of bits is a number of both.
        Shared {
            start: self.start.cast(),
            length: self.length,
            owner: self.owner,
        }
    }
}

impl<T> Deref for Shared<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the slice was valid when it was taken, and the owner that lent it is still held.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

impl<T: Send + Sync + 'static> From<Vec<T>> for Shared<T> {
    fn from(values: Vec<T>) -> Self {
        Self {
            start: values.as_ptr(),
            length: values.len(),
            // Moving a vector does not move what it points to.
            owner: Arc::new(values),
        }
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self {
            start: self.start,
            length: self.length,
            owner: Arc::clone(&self.owner),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Shared<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(formatter)
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_memory_that_outlives_its_giver() {
        let given: Owner<f32> = Arc::new(vec![1.0, 2.0]);
        let address = (*given).as_ref().as_ptr();
        let shared = Shared::from_owner(given);
        let clone = shared.clone();
        drop(shared);
        assert_eq!(clone.as_ptr(), address);
        assert_eq!(clone[..], [1.0, 2.0]);
        assert_eq!(clone, Shared::from(vec![1.0, 2.0]));
        assert_eq!(clone.slice(1..2)[..], [2.0]);
        assert!(Shared::<f64>::from(Vec::new()).is_empty());
    }

    #[test]
    fn the_owner_goes_with_the_last_clone() {
        let owner = Arc::new(vec![1_i32, -1]);
        let shared = Shared::from_owner(owner.clone()).into_unsigned();
        assert_eq!(shared[..], [1, u32::MAX]);
        assert_eq!(Arc::strong_count(&owner), 2);
        drop(shared);
        assert_eq!(Arc::strong_count(&owner), 1);
    }
}
