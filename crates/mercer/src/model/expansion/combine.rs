//! Sums of coefficients times kernel values, for all decisions at once.

use std::ops::Range;

use mercer_linalg::{Matrix, MatrixMut, MatrixRef, Par, Rows, WeightLists, dot};

use super::model::KernelExpansion;
use crate::gram::TileElement;
use crate::kernel::QuerySide;
use crate::model::readout::{Scheme, pairs};

/// Support vectors met at a time. Products are added up in the precision of the kernel values
/// within such a run and in double precision between runs; 96 rows of it take 384 KiB in f32.
const RUN: usize = 1024;

/// Rows of coefficients from which on all of them meet a value at once.
const SIDE_BY_SIDE: usize = 4;

/// Runs of support vectors whose coefficients mean the same decisions: the classes under
/// one-vs-one, everything otherwise.
pub(super) fn segments(model: &KernelExpansion) -> Vec<Range<usize>> {
    if pairwise_classes(model).is_some() {
        let ends = model.class_sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end - size..*end)
        });
        return ends.collect();
    }
    vec![Range {
        start: 0,
        end: model.coefficients.columns(),
    }]
}

/// The number of classes, where they are told apart one against one.
fn pairwise_classes(model: &KernelExpansion) -> Option<usize> {
    let classes = model.readout.classes()?;
    (classes.scheme == Scheme::OneVsOne).then_some(classes.labels.len())
}

/// Calls `sum` with decision, segment, row of the coefficients for every sum that is part of a
/// decision.
pub(super) fn terms(model: &KernelExpansion, mut sum: impl FnMut(usize, usize, usize)) {
    match pairwise_classes(model) {
        Some(classes) => {
            for (d, (a, b)) in pairs(classes).enumerate() {
                // Class a meets b as the (b−1)-th of the others, b meets a as the a-th.
                sum(d, a, b - 1);
                sum(d, b, a);
            }
        }
        None => (0..model.decisions()).for_each(|d| sum(d, 0, d)),
    }
}

/// Buffers of one thread.
#[derive(Default)]
pub(super) struct Scratch<T> {
    tile: Vec<T>,
    sums: Vec<f64>,
}

/// Coefficients in the precision of the kernel values they meet, and how their sums become
/// decisions.
pub(super) struct Combination<T> {
    coefficients: Matrix<T>,
    /// The same side by side, where there are enough to fill a register.
    lists: Option<WeightLists<T>>,
    segments: Vec<Range<usize>>,
    /// Decision, and the place of a sum that is part of it.
    terms: Vec<(usize, usize)>,
    constants: Vec<f64>,
}

impl<T: TileElement> Combination<T> {
    pub(super) fn new(model: &KernelExpansion) -> Self {
        let height = model.coefficients.rows();
        let mut places = Vec::new();
        terms(model, |d, segment, h| {
            places.push((d, segment * height + h));
        });
        let coefficients = model.coefficients.cast();
        Self {
            lists: (height >= SIDE_BY_SIDE).then(|| WeightLists::new(coefficients.as_ref())),
            coefficients,
            segments: segments(model),
            terms: places,
            constants: model.biases.clone(),
        }
    }

    /// Writes the decisions of new rows, one row below the other.
    ///
    /// A decision depends on its row alone: runs and the order of every addition are fixed.
    pub(super) fn decide(
        &self,
        query: &dyn QuerySide,
        rows: &Rows<'_>,
        scratch: &mut Scratch<T>,
        out: &mut [f64],
    ) {
        let width = self.segments.len() * self.coefficients.rows();
        let Scratch { tile, sums } = scratch;
        sums.clear();
        sums.resize(rows.len() * width, 0.0);
        let support = self.coefficients.columns();
        for start in (0..support).step_by(RUN) {
            let run = start..(start + RUN).min(support);
            tile.resize(rows.len() * run.len(), T::ZERO);
            let block = MatrixMut::from_slice(rows.len(), run.len(), tile);
            let columns = Rows::Range(run.clone());
            query.tile(rows.clone(), columns, T::tile(block), Par::Sequential);
            let values = MatrixRef::from_slice(rows.len(), run.len(), tile);
            self.add_run(&run, values, sums, width);
        }
        let count = self.constants.len();
        for (sums, out) in sums.chunks_exact(width).zip(out.chunks_exact_mut(count)) {
            out.copy_from_slice(&self.constants);
            for &(d, place) in &self.terms {
                out[d] += sums[place];
            }
        }
    }

    /// Adds the products with one run of support vectors.
    fn add_run(
        &self,
        run: &Range<usize>,
        values: MatrixRef<'_, T>,
        sums: &mut [f64],
        width: usize,
    ) {
        let height = self.coefficients.rows();
        for (s, segment) in self.segments.iter().enumerate() {
            let common = run.start.max(segment.start)..run.end.min(segment.end);
            if common.is_empty() {
                continue;
            }
            let columns = common.start - run.start..common.end - run.start;
            let values = values.submatrix(0..values.rows(), columns);
            if let Some(lists) = &self.lists {
                lists.add(common, values, sums, s * height, width);
                continue;
            }
            for (row, sums) in sums.chunks_exact_mut(width).enumerate() {
                for (h, sum) in sums[s * height..(s + 1) * height].iter_mut().enumerate() {
                    let coefficients = &self.coefficients.row(h)[common.clone()];
                    *sum += dot(coefficients, values.row(row)).to_f64();
                }
            }
        }
    }
}
