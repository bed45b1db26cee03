//! What a plan wants to know of rows: sums by fold, a sample, counts.

use std::ops::Range;

use mercer_linalg::{Matrix, MatrixRef, Par, Precision, Real};

use super::place::Place;
use super::plan::FeaturePlan;
use super::witnesses::{StoredWitnesses, Witness, Witnesses};
use crate::data::{Records, Targets};
use crate::fit::{FitContext, Progress};
use crate::solver::moments::{Addition, Moments};
use crate::{Error, Result};

/// Rows to be added up.
#[derive(Debug, Clone, Copy)]
pub struct FeatureRows<'a> {
    /// What is known of them.
    pub records: &'a Records,
    /// What is to be predicted.
    pub targets: &'a Targets,
    /// How many copies each stands for; `None` means one each.
    pub weights: Option<&'a [f64]>,
    /// Where the first row of the table stands that they come from.
    pub place: Place,
    /// The number of every row in that table, ascending; `None` where they are all of it.
    pub rows: Option<&'a [usize]>,
}

impl FeatureRows<'_> {
    fn offset(&self, row: usize) -> usize {
        self.rows.map_or(row, |rows| rows[row])
    }

    fn place(&self, row: usize) -> Place {
        self.place.after(self.offset(row))
    }

    /// The end of the block that starts with a row: blocks end at multiples of a number of rows.
    fn block_end(&self, start: usize, block: usize) -> usize {
        let first = self.place(start).row;
        let end = (first / block as u64 + 1) * block as u64;
        let last = |row: &usize| self.place(*row).row < end;
        match self.rows {
            None => self.records.len().min(start + (end - first) as usize),
            Some(_) => (start..self.records.len()).take_while(last).count() + start,
        }
    }
}

/// Sums of some rows under a plan; those of a union are the sums of both.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureSums {
    /// Sums of every fold.
    pub(super) folds: Vec<Moments>,
    /// Some of the rows.
    pub(super) witnesses: Witnesses,
    /// Copies of every class; empty without classes.
    pub(super) class_copies: Vec<f64>,
    /// Rows that were given, those of weight 0 as well.
    pub(super) rows: u64,
}

impl FeatureSums {
    /// The sums of no rows.
    pub fn new(plan: &FeaturePlan) -> Self {
        let (width, outputs) = (plan.map.width(), plan.outputs());
        Self {
            folds: (0..plan.folds)
                .map(|_| Moments::new(std::sync::Arc::clone(&plan.origin)))
                .collect(),
            witnesses: Witnesses::new(width, outputs),
            class_copies: vec![0.0; plan.labels().map_or(0, <[String]>::len)],
            rows: 0,
        }
    }

    /// Puts sums together again.
    pub(crate) fn from_parts(
        plan: &FeaturePlan,
        folds: Vec<Moments>,
        sample: StoredWitnesses,
        class_copies: Vec<f64>,
        rows: u64,
    ) -> Result<Self> {
        let classes = plan.labels().map_or(0, <[String]>::len);
        let counted = |c: &f64| c.is_finite() && *c >= 0.0;
        let added: u64 = folds.iter().map(Moments::rows).fold(0, u64::saturating_add);
        if class_copies.len() != classes || !class_copies.iter().all(counted) || added > rows {
            return Err(Error::model("the counts of the state do not fit its sums"));
        }
        let shape = (plan.map.width(), plan.outputs());
        Ok(Self {
            witnesses: Witnesses::load(sample, shape, plan.folds)?,
            folds,
            class_copies,
            rows,
        })
    }

    /// Returns how many rows were given.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns how many copies they stand for.
    pub fn copies(&self) -> f64 {
        self.folds.iter().map(Moments::copies).sum()
    }

    /// Returns the copies of every class; empty without classes.
    pub fn class_copies(&self) -> &[f64] {
        &self.class_copies
    }

    /// Returns the sums of every fold.
    pub fn folds(&self) -> &[Moments] {
        &self.folds
    }

    /// Returns the sample of rows.
    pub fn witnesses(&self) -> &Witnesses {
        &self.witnesses
    }

    /// Adds rows, block by block; runs in the caller's thread pool.
    ///
    /// Blocks end where the number of a row is a multiple of the plan's, so that rows that come in such pieces have the
    /// same sums bit for bit as when they come at once.
    ///
    /// # Errors
    /// Rows of another shape, targets of another kind, values that are not finite; cancellation and the time limit.
    pub fn add(
        &mut self,
        plan: &FeaturePlan,
        rows: &FeatureRows<'_>,
        context: &FitContext,
    ) -> Result<()> {
        let count = rows.records.len();
        let sides = plan.sides(rows.targets)?;
        for (what, found) in [
            ("the target", sides.columns()),
            (
                "the weight column",
                rows.weights.map_or(count, <[f64]>::len),
            ),
            (
                "the list of row numbers",
                rows.rows.map_or(count, <[usize]>::len),
            ),
        ] {
            if found != count {
                return Err(Error::Length {
                    what: what.to_owned(),
                    found,
                    expected: count,
                    unit: "rows",
                });
            }
        }
        let bound = plan.bind()?;
        let par = context.par();
        match plan.precision {
            Precision::F32 => {
                let fill = |range: Range<usize>, out: &mut [f32]| {
                    bound.fill(rows.records, range, out, par)
                };
                self.add_blocks(plan, rows, &sides, fill, context)?;
            }
            Precision::F64 => {
                let fill = |range: Range<usize>, out: &mut [f64]| {
                    bound.fill_double(rows.records, range, out, par)
                };
                self.add_blocks(plan, rows, &sides, fill, context)?;
            }
        }
        if let Targets::Classes(classes) = rows.targets {
            let codes = plan.codes(classes)?;
            for (row, &code) in codes.iter().enumerate() {
                self.class_copies[code as usize] += rows.weights.map_or(1.0, |w| w[row]);
            }
        }
        self.rows += count as u64;
        Ok(())
    }

    /// Walks over the rows; `fill` writes the features of a run of them.
    fn add_blocks<T: Real>(
        &mut self,
        plan: &FeaturePlan,
        rows: &FeatureRows<'_>,
        sides: &Matrix<f64>,
        fill: impl Fn(Range<usize>, &mut [T]) -> Result<()>,
        context: &FitContext,
    ) -> Result<()> {
        let count = rows.records.len();
        let width = plan.map.width();
        let mut features = vec![T::ZERO; plan.block.min(count) * width];
        let mut start = 0;
        while start < count {
            context.check()?;
            let end = rows.block_end(start, plan.block);
            let block = &mut features[..(end - start) * width];
            fill(start..end, block)?;
            let block = MatrixRef::from_slice(end - start, width, block);
            let sides = Matrix::from_fn(sides.rows(), end - start, |k, r| sides[(k, start + r)]);
            let weights = rows.weights.map(|weights| &weights[start..end]);
            let place = |row: usize| rows.place(start + row);
            self.add_block(plan, block, &sides, weights, place, context.par());
            // The sums tell whether it is worth looking.
            if !self.folds.iter().all(Moments::is_finite) {
                return Err(not_finite(&block, &sides, place));
            }
            start = end;
            context.tell(|| Progress {
                stage: "adding rows up".to_owned(),
                share: Some(start as f64 / count as f64),
                ..Progress::default()
            });
        }
        Ok(())
    }

    fn add_block<T: Real>(
        &mut self,
        plan: &FeaturePlan,
        features: MatrixRef<'_, T>,
        sides: &Matrix<f64>,
        weights: Option<&[f64]>,
        place: impl Fn(usize) -> Place,
        par: Par,
    ) {
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); plan.folds];
        let mut chosen = Vec::new();
        for row in 0..features.rows() {
            let weight = weights.map_or(1.0, |w| w[row]);
            if weight <= 0.0 {
                continue;
            }
            let here = place(row);
            let fold = here.fold(plan.seed, plan.folds);
            members[fold].push(row);
            let key = here.key(plan.seed);
            if self.witnesses.takes(key) {
                chosen.push(Witness {
                    key,
                    fold: fold as u32,
                    weight,
                    targets: (0..sides.rows()).map(|k| sides[(k, row)]).collect(),
                    features: features.row(row).iter().map(|v| v.to_f64()).collect(),
                });
            }
        }
        self.witnesses.add(chosen);
        for (fold, rows) in self.folds.iter_mut().zip(&members) {
            let addition = Addition {
                features,
                targets: sides.as_ref(),
                weights,
                rows,
            };
            fold.add(&addition, par);
        }
    }

    /// Adds the sums of other rows.
    ///
    /// # Errors
    /// Sums by another plan.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.folds.len() != other.folds.len()
            || self.class_copies.len() != other.class_copies.len()
        {
            return Err(Error::Conflict {
                what: "sums over rows have different folds or classes".to_owned(),
                cure: "make all of them by the same plan".into(),
            });
        }
        for (fold, more) in self.folds.iter_mut().zip(&other.folds) {
            fold.merge(more)?;
        }
        self.witnesses.merge(&other.witnesses);
        for (count, more) in self.class_copies.iter_mut().zip(&other.class_copies) {
            *count += more;
        }
        self.rows += other.rows;
        Ok(())
    }

    /// The sums of all folds, added in their order.
    pub(super) fn total(&self) -> Result<Moments> {
        let mut total = self.folds[0].clone();
        for fold in &self.folds[1..] {
            total.merge(fold)?;
        }
        Ok(total)
    }
}

/// The error of a row that cannot be added up.
fn not_finite<T: Real>(
    block: &MatrixRef<'_, T>,
    sides: &Matrix<f64>,
    place: impl Fn(usize) -> Place,
) -> Error {
    let odd = |row: &usize| {
        let target = (0..sides.rows()).any(|k| !sides[(k, *row)].is_finite());
        target || block.row(*row).iter().any(|v| !v.is_finite())
    };
    match (0..block.rows()).find(odd) {
        Some(row) => Error::rows(
            format!(
                "row {} has a value that is not a finite number",
                place(row).row + 1
            ),
            "check the row for values that are missing or very large",
        ),
        None => Error::rows(
            "the features of the rows are too large to be added up",
            "scale the columns, or choose another kernel",
        ),
    }
}
