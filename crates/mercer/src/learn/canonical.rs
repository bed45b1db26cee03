//! A canonical form of the training rows, so that weights mean copies exactly.
//!
//! Rows of weight 0 are dropped, equal rows with equal targets become one row whose weight
//! is the sum, and the rest is sorted by target class and content. Any permutation of the
//! input and any splitting of weights into copies therefore leads to the same problem.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use mercer_linalg::{Matrix, Real};

use super::centre::{Centred, lost_digits};
use super::margin::Bias;
use crate::data::{Block, ClassTargets, Dataset, Points, Records, Targets};
use crate::fit::{FitContext, FitReport, Fitted, Note, ProblemReport};
use crate::kernel::{Input, KernelSpec, ResolvedKernel};
use crate::model::expansion::{Copies, KernelExpansion};
use crate::model::readout::Readout;
use crate::{Error, Result};

/// What is wrong with a cell that holds no number.
pub(super) const NOT_FINITE: &str = "the value is not a finite number";

/// Distinct rows in canonical order.
pub(super) struct Canonical {
    /// The records, sorted.
    pub(super) records: Records,
    /// The same around their mean, where they are far from zero and the function does not mind.
    centred: Option<Centred>,
    /// The targets of those records.
    pub(super) targets: Targets,
    /// How many copies each record stands for.
    pub(super) weights: Arc<[f64]>,
    /// Rows that were given.
    pub(super) rows_given: usize,
    /// For every record, the first input row it was made from.
    pub(super) sources: Vec<u32>,
    /// Number of every row, record by record; empty where none was merged.
    given: Vec<u32>,
    /// Their weights, where rows have any.
    given_weights: Vec<f64>,
    /// Where the rows of every record start in that list, and where the last ones end; empty
    /// where none was merged.
    starts: Vec<u32>,
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
        // Lists of the length of the data are kept short: half the width of an address is enough.
        let mut rows: Vec<u32> = (0..data.len() as u32)
            .filter(|&r| weight(r as usize) > 0.0)
            .collect();
        if rows.is_empty() {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give at least one row with a positive weight",
            ));
        }
        let order = |&a: &u32, &b: &u32| {
            let (a, b) = (a as usize, b as usize);
            compare_classes(&data.targets, a, b)
                .then_with(|| compare_records(&data.records, a, &data.records, b, reads))
                .then_with(|| compare_reals(&data.targets, a, b))
        };
        if merge {
            rows.sort_by(order);
        } else {
            rows.sort_by(|&a, &b| {
                let (a, b) = (a as usize, b as usize);
                compare_classes(&data.targets, a, b)
                    .then_with(|| data.records.ids[a].cmp(&data.records.ids[b]))
            });
        }
        let same = |last: &u32, row: &u32| merge && order(last, row) == Ordering::Equal;
        let merged = rows.windows(2).any(|pair| same(&pair[0], &pair[1]));
        let (mut given, mut given_weights) = (Vec::new(), Vec::new());
        let mut starts = Vec::new();
        let (sources, weights) = if merged {
            let (mut sources, mut weights) = (Vec::new(), Vec::new());
            for (place, row) in (0..).zip(&rows) {
                let own = weight(*row as usize);
                match (sources.last(), weights.last_mut()) {
                    (Some(last), Some(sum)) if same(last, row) => *sum += own,
                    _ => {
                        sources.push(*row);
                        weights.push(own);
                        starts.push(place);
                    }
                }
            }
            starts.push(rows.len() as u32);
            if data.weights.is_some() {
                given_weights = rows.iter().map(|&row| weight(row as usize)).collect();
            }
            given = rows;
            for row in &mut given {
                *row = data.records.ids[*row as usize];
            }
            (sources, weights)
        } else {
            let weights = rows.iter().map(|&row| weight(row as usize)).collect();
            (rows, weights)
        };
        let in_place = sources.iter().copied().eq(0..data.len() as u32);
        let (records, targets) = if in_place {
            (data.records.clone(), data.targets.clone())
        } else {
            let chosen: Vec<usize> = sources.iter().map(|&row| row as usize).collect();
            (data.records.select(&chosen), data.targets.select(&chosen))
        };
        Ok(Self {
            records,
            centred: None,
            spans: class_spans(&targets, sources.len()),
            targets,
            weights: weights.into(),
            rows_given: data.len(),
            sources,
            given,
            given_weights,
            starts,
        })
    }

    /// Fixes the open parameters of a kernel on these rows, and forgets what it does not read:
    /// that has no place in a model. Rows far from zero are centred where the constant allows it.
    pub(super) fn resolve(
        &mut self,
        kernel: &KernelSpec,
        constant: Bias,
    ) -> Result<(ResolvedKernel, Vec<Note>)> {
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
        self.centred = Centred::of(&kernel, &self.records, constant);
        if self.centred.is_none() {
            notes.extend(lost_digits(&kernel, &self.records));
        }
        Ok((kernel, notes))
    }

    /// The rows that kernel values are computed of.
    pub(super) fn seen(&self) -> &Records {
        self.centred.as_ref().map_or(&self.records, |c| &c.records)
    }

    /// The rows around their mean, where they are seen from there.
    pub(super) fn centred(&self) -> Option<&Centred> {
        self.centred.as_ref()
    }

    /// The rows that some of the records stand for, with the bounds of their coefficients as
    /// [`Copies`] lists them; `None` where each stands for itself.
    pub(super) fn copies(&self, support: &[usize], prices: &[f64]) -> Option<Copies> {
        if self.given.is_empty() {
            return None;
        }
        let group = |&r: &usize| -> Vec<(u32, f64)> {
            let range = self.starts[r] as usize..self.starts[r + 1] as usize;
            let weight = |place: usize| self.given_weights.get(place).copied().unwrap_or(1.0);
            range
                .map(|place| (self.given[place], weight(place)))
                .collect()
        };
        Copies::of(support.iter().map(group), prices)
    }

    pub(super) fn len(&self) -> usize {
        self.sources.len()
    }

    /// The classes of the rows, each of which has one at least.
    ///
    /// # Errors
    /// Targets that are no classes, labels without a row.
    pub(super) fn classes(&self) -> Result<&ClassTargets> {
        let classes = self.targets.classes().ok_or_else(no_classes)?;
        if self.spans.len() < 2 || self.spans.iter().any(Range::is_empty) {
            return Err(Error::rows(
                "every class needs at least one row",
                "remove labels without rows; at least two classes are needed",
            ));
        }
        Ok(classes)
    }

    /// The classes, of which some may have no row.
    ///
    /// # Errors
    /// Targets that are no classes.
    pub(super) fn classes_or_none(&self) -> Result<&ClassTargets> {
        self.targets.classes().ok_or_else(no_classes)
    }

    /// The numbers to predict.
    ///
    /// # Errors
    /// Targets that are no numbers, or none that can be learnt.
    pub(super) fn values(&self) -> Result<&[f64]> {
        let values = self.targets.values().ok_or_else(|| {
            Error::rows(
                "regression needs a number for every row",
                "give a numeric target column, or use classification",
            )
        })?;
        match values.iter().position(|v| !v.is_finite()) {
            None => Ok(values),
            Some(place) => Err(target_not_finite(self.sources[place] as usize)),
        }
    }

    /// Targets ±1: one row of them for two classes, one for each of several.
    pub(super) fn signs(&self, classes: &ClassTargets) -> Matrix<f64> {
        let k = classes.labels.len();
        Matrix::from_fn(if k == 2 { 1 } else { k }, self.len(), |o, i| {
            if classes.codes[i] as usize == o {
                1.0
            } else {
                -1.0
            }
        })
    }

    /// How many of some rows belong to each class.
    pub(super) fn class_sizes(&self, rows: &[usize]) -> Vec<usize> {
        let inside = |span: &Range<usize>| rows.iter().filter(|r| span.contains(r)).count();
        self.spans.iter().map(inside).collect()
    }

    /// The function that was found on these rows.
    pub(super) fn expansion(&self, found: Found) -> KernelExpansion {
        let support = self.records.select(&found.support);
        let copies = self.copies(&found.support, &found.prices);
        let Found {
            kernel,
            coefficients,
            biases,
            readout,
            ..
        } = found;
        let sizes = self.class_sizes(&found.support);
        let model = KernelExpansion::new(kernel, support, coefficients, biases, readout)
            .sorted_by_class(sizes)
            .with_copies(copies);
        match &self.centred {
            Some(centred) => model.seen_from(centred.means.clone()),
            None => model,
        }
    }

    /// Ends a fit: the function with the account of its problems.
    pub(super) fn finish(
        &self,
        model: KernelExpansion,
        mut problems: Vec<ProblemReport>,
        notes: Vec<Note>,
        bytes: u64,
        context: &FitContext,
    ) -> Fitted<KernelExpansion> {
        model.tell_constants(&mut problems);
        let rows = (self.rows_given, self.len());
        let kernel = (model.support.len(), bytes);
        let report = FitReport::gather(problems, notes, rows, kernel, context);
        Fitted { model, report }
    }

    /// Weights, where any differs from 1.
    pub(super) fn unequal_weights(&self) -> Option<&[f64]> {
        let any = self.weights.iter().any(|w| *w != 1.0);
        any.then_some(&self.weights[..])
    }

    /// Sum of the weights of every span.
    pub(super) fn span_weights(&self) -> Vec<f64> {
        self.spans
            .iter()
            .map(|span| self.weights[span.clone()].iter().sum())
            .collect()
    }
}

/// What a solver found, in terms of canonical rows.
pub(super) struct Found {
    pub(super) kernel: ResolvedKernel,
    /// The rows that are support vectors.
    pub(super) support: Vec<usize>,
    /// A column for each of them.
    pub(super) coefficients: Matrix<f64>,
    pub(super) biases: Vec<f64>,
    pub(super) readout: Readout,
    /// The largest coefficient of a row of weight 1, for every class and line of coefficients;
    /// empty where nothing bounds them.
    pub(super) prices: Vec<f64>,
}

/// The error of a row whose target cannot be learnt.
pub(super) fn target_not_finite(row: usize) -> Error {
    Error::rows(
        format!("the target of row {} is not a finite number", row + 1),
        "replace or remove it before fitting",
    )
}

/// The error of rows that have no classes.
pub(super) fn no_classes() -> Error {
    Error::rows(
        "classification needs a class for every row",
        "give a target column with classes, or use regression",
    )
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
            problem: NOT_FINITE.to_owned(),
            cure: "replace or remove it before fitting".into(),
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
        Targets::None | Targets::Real(_) | Targets::Several(_) => Ordering::Equal,
    }
}

fn compare_reals(targets: &Targets, a: usize, b: usize) -> Ordering {
    match targets {
        Targets::Real(values) => compare_numbers(values[a], values[b]),
        Targets::Several(values) => (0..values.rows())
            .map(|k| compare_numbers(values[(k, a)], values[(k, b)]))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal),
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
