//! Kernel matrices that other programs computed.

use std::path::PathBuf;

use mercer::data::Records;
use mercer::kernel::KernelSpec;
use mercer_linalg::{Matrix, Par};
use serde_json::Value;

pub(crate) fn read(name: &str) -> Value {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle").join(name);
    let text = std::fs::read_to_string(path).expect("the results are bundled");
    serde_json::from_str(&text).expect("JSON")
}

/// The entry of an upper triangle that is stored row by row.
pub(crate) fn entry(triangle: &Value, i: usize, j: usize) -> f64 {
    triangle[i.min(j)][i.abs_diff(j)]
        .as_f64()
        .expect("a number")
}

pub(crate) fn gram(kernel: &str, records: &Records) -> Matrix<f64> {
    let kernel: KernelSpec = kernel.parse().expect("a kernel");
    kernel
        .gram(records, Par::Rayon)
        .expect("rows it can compare")
}

/// Requires two numbers to agree to a share of their size.
pub(crate) fn assert_near(found: f64, expected: f64, share: f64, what: &str) {
    let error = (found - expected).abs();
    assert!(
        error <= share * expected.abs().max(1e-300),
        "{what}: {found} instead of {expected}"
    );
}
