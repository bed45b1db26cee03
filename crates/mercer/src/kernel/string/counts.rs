//! `occ_i(f)`: how often each feature occurs in each string, stored by string.

/// Sparse rows of occurrences; features rise within a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Where each row starts, and behind the last one the number of entries.
    pub(super) starts: Vec<usize>,
    /// Feature of each entry.
    pub(super) features: Vec<u32>,
    /// Occurrences of each entry, at least 1.
    pub(super) occurrences: Vec<u32>,
}

impl Counts {
    /// No rows.
    pub(super) fn new() -> Self {
        Self {
            starts: vec![0],
            features: Vec::new(),
            occurrences: Vec::new(),
        }
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Features and occurrences of a row.
    pub(super) fn row(&self, row: usize) -> (&[u32], &[u32]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.features[range.clone()], &self.occurrences[range])
    }

    /// Appends a row with the features of `found`, one entry an occurrence; sorts them.
    pub(crate) fn push(&mut self, found: &mut [u32]) {
        found.sort_unstable();
        for same in found.chunk_by(|a, b| a == b) {
            self.features.push(same[0]);
            self.occurrences.push(same.len() as u32);
        }
        self.starts.push(self.features.len());
    }

    /// `Σ_f weight(f) · occ_row(f) · occ_other(f)`.
    #[cfg(test)]
    pub(super) fn product(
        &self,
        row: usize,
        other: &Self,
        other_row: usize,
        weight: impl Fn(u32) -> f64,
    ) -> f64 {
        let ((a, m), (b, n)) = (self.row(row), other.row(other_row));
        let (mut i, mut j, mut sum) = (0, 0, 0.0);
        while i < a.len() && j < b.len() {
            if a[i] == b[j] {
                sum += weight(a[i]) * (f64::from(m[i]) * f64::from(n[j]));
            }
            let (step, other_step) = (a[i] <= b[j], b[j] <= a[i]);
            i += usize::from(step);
            j += usize::from(other_step);
        }
        sum
    }
}
