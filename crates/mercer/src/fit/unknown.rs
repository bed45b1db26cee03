//! Numbers that may be unknown: absent in files, NaN here.

pub(super) fn nan() -> f64 {
    f64::NAN
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(super) fn is_nan(value: &f64) -> bool {
    value.is_nan()
}
