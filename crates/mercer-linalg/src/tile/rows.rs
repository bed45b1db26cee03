//! Which rows take part in a tile.

use std::ops::Range;

/// A choice of rows: a range or a list of ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rows<'a> {
    /// Consecutive rows.
    Range(Range<usize>),
    /// Any rows, in any order, possibly repeated.
    Ids(&'a [u32]),
}

impl Rows<'_> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Range(range) => range.len(),
            Self::Ids(ids) => ids.len(),
        }
    }

    /// Whether no row is chosen.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row at place `k`.
    ///
    /// # Panics
    ///
    /// When `k` is not below the length.
    #[inline]
    pub fn get(&self, k: usize) -> usize {
        match self {
            Self::Range(range) => {
                assert!(k < range.len(), "place {k} of {}", range.len());
                range.start + k
            }
            Self::Ids(ids) => ids[k] as usize,
        }
    }

    /// The rows in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|k| self.get(k))
    }

    /// The places `range` of this choice.
    ///
    /// # Panics
    ///
    /// When the range leaves the choice.
    pub fn slice(&self, range: Range<usize>) -> Self {
        match self {
            Self::Range(all) => {
                assert!(range.end <= all.len(), "places {range:?} of {}", all.len());
                Self::Range(all.start + range.start..all.start + range.end)
            }
            Self::Ids(ids) => Self::Ids(&ids[range]),
        }
    }

    /// The range, also when the ids of a list follow each other.
    pub(crate) fn as_range(&self) -> Option<Range<usize>> {
        match self {
            Self::Range(range) => Some(range.clone()),
            Self::Ids(ids) => {
                let first = *ids.first()? as usize;
                ids.iter()
                    .enumerate()
                    .all(|(k, &id)| id as usize == first + k)
                    .then(|| first..first + ids.len())
            }
        }
    }

    /// Panics when a row is not below `rows`.
    pub(crate) fn check(&self, rows: usize) {
        match self {
            Self::Range(range) => {
                assert!(
                    range.is_empty() || range.end <= rows,
                    "rows {range:?} of {rows}"
                );
            }
            Self::Ids(ids) => {
                let largest = ids.iter().copied().max();
                assert!(
                    largest.is_none_or(|id| (id as usize) < rows),
                    "row {largest:?} of {rows}"
                );
            }
        }
    }
}

impl From<Range<usize>> for Rows<'_> {
    fn from(range: Range<usize>) -> Self {
        Self::Range(range)
    }
}

impl<'a> From<&'a [u32]> for Rows<'a> {
    fn from(ids: &'a [u32]) -> Self {
        Self::Ids(ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_and_places() {
        let range = Rows::Range(3..8);
        let ids = Rows::Ids(&[3, 4, 5, 6, 7]);
        assert!(range.iter().eq(ids.iter()));
        assert_eq!(range.slice(1..3), Rows::Range(4..6));
        assert_eq!(ids.slice(1..3).get(0), 4);
        assert!(Rows::Range(2..2).is_empty());
    }

    #[test]
    #[should_panic(expected = "rows 0..5 of 4")]
    fn rows_outside_are_refused() {
        Rows::Range(0..5).check(4);
    }
}
