//! Small random problems.

use mercer::data::{ClassTargets, Dataset, Points, Records, Targets};
use mercer_linalg::{Csr, Matrix};
use proptest::prelude::*;

/// Rows of numbers in a box, rounded so that ties and duplicates occur.
pub(crate) fn rows(n: std::ops::Range<usize>, d: usize) -> impl Strategy<Value = Vec<Vec<f64>>> {
    let cell = (-20i32..20).prop_map(|v| f64::from(v) / 8.0);
    prop::collection::vec(prop::collection::vec(cell, d), n)
}

/// A two-class problem whose classes overlap; both classes occur.
pub(crate) fn two_classes() -> impl Strategy<Value = (Vec<Vec<f64>>, Vec<bool>)> {
    rows(4..40, 3).prop_flat_map(|rows| {
        let n = rows.len();
        (Just(rows), prop::collection::vec(any::<bool>(), n)).prop_map(|(rows, mut labels)| {
            labels[0] = true;
            labels[1] = false;
            (rows, labels)
        })
    })
}

pub(crate) fn dense(rows: &[Vec<f64>]) -> Records {
    let width = rows.first().map_or(0, Vec::len);
    let values = rows.iter().flatten().copied().collect();
    Records::from_points(Points::from(Matrix::from_vec(rows.len(), width, values)))
}

pub(crate) fn sparse(rows: &[Vec<f64>]) -> Records {
    let width = rows.first().map_or(0, Vec::len);
    let values = rows.iter().flatten().copied().collect();
    let matrix = Matrix::from_vec(rows.len(), width, values);
    Records::from_points(Points::from(Csr::from_dense(matrix.as_ref())))
}

pub(crate) fn classes(labels: &[bool]) -> Targets {
    let names: Vec<&str> = labels.iter().map(|l| if *l { "a" } else { "b" }).collect();
    Targets::Classes(ClassTargets::from_labels(&names))
}

pub(crate) fn classification(rows: &[Vec<f64>], labels: &[bool]) -> Dataset {
    Dataset::try_new(dense(rows), classes(labels)).expect("lengths agree")
}

pub(crate) fn regression(rows: &[Vec<f64>], y: &[f64]) -> Dataset {
    Dataset::try_new(dense(rows), Targets::Real(y.to_vec())).expect("lengths agree")
}
