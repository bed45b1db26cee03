//! Counts of features, `(feature, count)` with ascending features.

/// What one graph has of each feature, features in ascending order.
pub(super) type Row = Vec<(u32, f64)>;

/// Sorts codes and returns each with the number of times it occurs.
pub(super) fn runs(codes: &mut [u32]) -> impl Iterator<Item = (u32, usize)> + '_ {
    codes.sort_unstable();
    codes
        .chunk_by(|left, right| left == right)
        .map(|run| (run[0], run.len()))
}
