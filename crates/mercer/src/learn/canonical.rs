//! A canonical form of the training rows, so that weights mean copies exactly.
//!
//! Rows of weight 0 are dropped, equal rows with equal targets become one row whose weight
//! is the sum, and the rest is sorted by target class and content. Any permutation of the
//! input and any splitting of weights into copies therefore leads to the same problem.

use std::cmp::Ordering;
use std::ops::Range;

use mercer_linalg::Real;

use crate::data::{Block, Dataset, Points, Records, Targets};
use crate::fit::Note;
use crate::kernel::{Input, KernelSpec, ResolvedKernel};
use crate::learn::expansion::Copies;
use crate::{Error, Result};

/// Distinct rows in canonical order.
pub(super) struct Canonical {
    /// The records, sorted.
    pub(super) records: Records,
    /// The targets of those records.
    pub(super) targets: Targets,
    /// How many copies each record stands for.
    pub(super) weights: Vec<f64>,
    /// For every record, the first input row it was made from.
    pub(super) sources: Vec<usize>,
    /// Number and weight of every row that was merged, record by record; empty where none was.
    given: Vec<(u32, f64)>,
    /// Where the rows of every record start in that list, and where the last ones end.
    starts: Vec<usize>,
    /// The run of records of every class; one run for everything without classes.
    pub(super) spans: Vec<Range<usize>>,
}

impl Canonical {
    /// Sorts and merges the rows as far as the kernel allows.
    pub(super) fn try_new(data: &Dataset, kernel: &KernelSpec) -> Result<Self> {
        let merge = may_merge(kernel);
        let reads = Reads::of(kernel);
        check_finite(&data.records)?;
        let weight = |row: usize| data.weights.as_ref().map_or(1.0, |w| w[row]);
        let mut rows: Vec<usize> = (0..data.len()).filter(|&r| weight(r) > 0.0).collect();
        if rows.is_empty() {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give at least one row with a positive weight",
            ));
        }
        let order = |&a: &usize, &b: &usize| {
            compare_classes(&data.targets, a, b)
                .then_with(|| compare_records(&data.records, a, &data.records, b, reads))
                .then_with(|| compare_reals(&data.targets, a, b))
        };
        if merge {
            rows.sort_by(order);
        } else {
            rows.sort_by(|a, b| {
                compare_classes(&data.targets, *a, *b)
                    .then_with(|| data.records.ids[*a].cmp(&data.records.ids[*b]))
            });
        }
        let mut sources: Vec<usize> = Vec::with_capacity(rows.len());
        let mut weights: Vec<f64> = Vec::with_capacity(rows.len());
        let mut starts: Vec<usize> = Vec::with_capacity(rows.len() + 1);
        for (place, &row) in rows.iter().enumerate() {
            match sources.last() {
                Some(last) if merge && order(last, &row) == Ordering::Equal => {
                    *weights.last_mut().expect("weights keep pace with sources") += weight(row);
                }
                _ => {
                    sources.push(row);
                    weights.push(weight(row));
                    starts.push(place);
                }
            }
        }
        starts.push(rows.len());
        let given = if sources.len() < rows.len() {
            let row = |&row: &usize| (data.records.ids[row], weight(row));
            rows.iter().map(row).collect()
        } else {
            Vec::new()
        };
        let in_place = sources.iter().copied().eq(0..data.len());
        let (records, targets) = if in_place {
            (data.records.clone(), data.targets.clone())
        } else {
            (data.records.select(&sources), data.targets.select(&sources))
        };
        Ok(Self {
            records,
            spans: class_spans(&targets, sources.len()),
            targets,
            weights,
            sources,
            given,
            starts,
        })
    }

    /// Fixes the open parameters of a kernel on these rows, and forgets what it does not read:
    /// that has no place in a model.
    pub(super) fn resolve(&mut self, kernel: &KernelSpec) -> Result<(ResolvedKernel, Vec<Note>)> {
        let reads = Reads::of(kernel);
        let (kernel, mut notes) = kernel.resolve(&self.records, Some(&self.weights))?;
        if !reads.codes {
            self.records.codes.clear();
        }
        if !reads.texts {
            self.records.texts.clear();
        }
        if !reads.graphs {
            self.records.graphs.clear();
        }
        if !reads.nodes {
            self.records.nodes.clear();
        }
        if !kernel.is_definite() {
            notes.push(Note::Alert(format!(
                "`{kernel}` is not positive semidefinite in general: the solver stops at a point where no step improves, which need not be the best one"
            )));
        }
        Ok((kernel, notes))
    }

    /// The rows that some of the records stand for, with the bounds of their coefficients as
    /// [`Copies`] lists them; `None` where each stands for itself.
    pub(super) fn copies(&self, support: &[usize], prices: &[f64]) -> Option<Copies> {
        if self.given.is_empty() {
            return None;
        }
        let group = |&r: &usize| &self.given[self.starts[r]..self.starts[r + 1]];
        Copies::of(support.iter().map(group), prices)
    }

    pub(super) fn len(&self) -> usize {
        self.sources.len()
    }

    /// Weights, where any differs from 1.
    pub(super) fn unequal_weights(&self) -> Option<&[f64]> {
        let any = self.weights.iter().any(|w| *w != 1.0);
        any.then_some(self.weights.as_slice())
    }

    /// Sum of the weights of every span.
    pub(super) fn span_weights(&self) -> Vec<f64> {
        self.spans
            .iter()
            .map(|span| self.weights[span.clone()].iter().sum())
            .collect()
    }
}

/// For every row, the first one that is equal to it in all that a kernel reads and in its target.
pub(crate) fn first_equals(data: &Dataset, kernel: &KernelSpec) -> Vec<u32> {
    let mut first: Vec<u32> = (0..data.len() as u32).collect();
    if !may_merge(kernel) {
        return first;
    }
    let reads = Reads::of(kernel);
    let order = |a: usize, b: usize| {
        compare_classes(&data.targets, a, b)
            .then_with(|| compare_records(&data.records, a, &data.records, b, reads))
            .then_with(|| compare_reals(&data.targets, a, b))
    };
    let mut rows: Vec<usize> = (0..data.len()).collect();
    rows.sort_by(|&a, &b| order(a, b).then(a.cmp(&b)));
    for pair in rows.windows(2) {
        if order(pair[0], pair[1]) == Ordering::Equal {
            first[pair[1]] = first[pair[0]];
        }
    }
    first
}

/// Which parts of a row, beside the numeric block, a kernel reads.
#[expect(clippy::struct_excessive_bools, reason = "one for every part of a row")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reads {
    codes: bool,
    texts: bool,
    graphs: bool,
    nodes: bool,
}

impl Reads {
    /// Everything that is there.
    pub(super) const ALL: Self = Self {
        codes: true,
        texts: true,
        graphs: true,
        nodes: true,
    };

    fn of(kernel: &KernelSpec) -> Self {
        let families = kernel.families();
        let any = |input: Input| families.iter().any(|f| f.input == input);
        Self {
            codes: any(Input::Codes),
            texts: any(Input::Texts),
            graphs: any(Input::Graphs),
            nodes: any(Input::Nodes),
        }
    }
}

/// Returns whether equal rows may become one.
///
/// Rows of a given kernel matrix are known by their number, not by their content.
fn may_merge(kernel: &KernelSpec) -> bool {
    let families = kernel.families();
    !families.iter().any(|f| f.input == Input::Matrix)
}

fn check_finite(records: &Records) -> Result<()> {
    if let Some((row, column)) = records.features.points.first_not_finite() {
        return Err(Error::Cell {
            place: format!("row {}", row + 1),
            column: records.features.name(column),
            problem: "the value is not a finite number".to_owned(),
            cure: "replace or remove it before fitting".to_owned(),
        });
    }
    Ok(())
}

fn class_spans(targets: &Targets, rows: usize) -> Vec<Range<usize>> {
    let Targets::Classes(classes) = targets else {
        return vec![Range {
            start: 0,
            end: rows,
        }];
    };
    let mut start = 0;
    classes
        .counts()
        .into_iter()
        .map(|count| {
            let span = start..start + count;
            start += count;
            span
        })
        .collect()
}

fn compare_classes(targets: &Targets, a: usize, b: usize) -> Ordering {
    match targets {
        Targets::Classes(c) => c.codes[a].cmp(&c.codes[b]),
        Targets::None | Targets::Real(_) => Ordering::Equal,
    }
}

fn compare_reals(targets: &Targets, a: usize, b: usize) -> Ordering {
    match targets {
        Targets::Real(values) => compare_numbers(values[a], values[b]),
        Targets::None | Targets::Classes(_) => Ordering::Equal,
    }
}

/// Orders finite numbers; 0 and −0 are equal.
fn compare_numbers(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Orders two rows by everything a kernel reads of them.
pub(super) fn compare_records(
    left: &Records,
    a: usize,
    right: &Records,
    b: usize,
    reads: Reads,
) -> Ordering {
    compare_points(&left.features.points, a, &right.features.points, b)
        .then_with(|| {
            let codes = left.codes.iter().zip(&right.codes).filter(|_| reads.codes);
            first_difference(codes.map(|(l, r)| l.codes[a].cmp(&r.codes[b])))
        })
        .then_with(|| {
            let texts = left.texts.iter().zip(&right.texts).filter(|_| reads.texts);
            first_difference(texts.map(|(l, r)| l.texts[a].cmp(&r.texts[b])))
        })
        .then_with(|| {
            let graphs = left.graphs.iter().zip(&right.graphs);
            let graphs = graphs.filter(|_| reads.graphs);
            first_difference(graphs.map(|(l, r)| l.graphs[a].cmp(&r.graphs[b])))
        })
        .then_with(|| {
            let nodes = left.nodes.iter().zip(&right.nodes).filter(|_| reads.nodes);
            first_difference(nodes.map(|(l, r)| l.nodes[a].cmp(&r.nodes[b])))
        })
}

fn compare_points(left: &Points, a: usize, right: &Points, b: usize) -> Ordering {
    match (left, right) {
        (Points::Double(l), Points::Double(r)) => compare_rows(l, a, r, b),
        (Points::Double(l), Points::Single(r)) => compare_rows(l, a, r, b),
        (Points::Single(l), Points::Double(r)) => compare_rows(l, a, r, b),
        (Points::Single(l), Points::Single(r)) => compare_rows(l, a, r, b),
    }
}

/// Orders two rows by their values, which mean the same in either precision.
fn compare_rows<L: Real, R: Real>(
    left: &Block<L>,
    a: usize,
    right: &Block<R>,
    b: usize,
) -> Ordering {
    let compare = |(x, y): (&L, &R)| compare_numbers(x.to_f64(), y.to_f64());
    match (left, right) {
        (Block::Dense(l), Block::Dense(r)) => {
            first_difference(l.row(a).iter().zip(r.row(b)).map(compare))
        }
        (Block::Sparse(l), Block::Sparse(r)) => {
            let (li, lv) = l.row(a);
            let (ri, rv) = r.row(b);
            first_difference(li.iter().zip(ri).map(|(x, y)| x.cmp(y)))
                .then_with(|| li.len().cmp(&ri.len()))
                .then_with(|| first_difference(lv.iter().zip(rv).map(compare)))
        }
        (Block::Dense(_), Block::Sparse(_)) => Ordering::Less,
        (Block::Sparse(_), Block::Dense(_)) => Ordering::Greater,
    }
}

fn first_difference(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    orders
        .find(|o| *o != Ordering::Equal)
        .unwrap_or(Ordering::Equal)
}
