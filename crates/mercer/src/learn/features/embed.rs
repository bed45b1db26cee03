//! Features as coordinates: what the methods learn from rows without targets.

use mercer_linalg::{Matrix, Precision, Real};

use super::{MadeMap, Nystroem, RandomFeatures};
use crate::data::{Block, Dataset, Points, Targets, each};
use crate::features::{FeatureMap, FrequencyDraw, Landmarks, SpectralLaw};
use crate::fit::{FitContext, FitReport, Fitted, KernelReport, Note};
use crate::judge::bounds::features::{FeatureSetting, feature_count, feature_failure};
use crate::learn::Estimator;
use crate::model::expansion::KernelExpansion;
use crate::model::readout::Readout;
use crate::model::{FeatureModel, Form};
use crate::{Error, Result};

/// Error of a kernel value that the bound is told for, and the probability that is asked of it.
const EPSILON: f64 = 0.1;
const DELTA: f64 = 0.05;

impl Estimator for Nystroem {
    type Model = Form;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Form>> {
        let context = &context.restarted();
        if data.targets != Targets::None {
            return self.learn_targets(data, context);
        }
        check(data)?;
        context.install(|| {
            let weights = data.weights.as_deref();
            let made = self.map(&data.records, weights, Precision::F64, context)?;
            Ok(coordinates(told(made, data, context)?, data, context))
        })?
    }
}

impl Nystroem {
    /// Takes landmarks that are given.
    ///
    /// # Errors
    /// Every bad setting at once; rows that the kernel cannot compare; cancellation and the time limit.
    pub fn fit_at(
        &self,
        data: &Dataset,
        landmarks: Landmarks,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let context = &context.restarted();
        if data.targets != Targets::None {
            return self.learn_targets(data, context);
        }
        check(data)?;
        context.install(|| {
            let weights = data.weights.as_deref();
            let made = self.map_at(&data.records, weights, landmarks, Precision::F64, context)?;
            Ok(coordinates(told(made, data, context)?, data, context))
        })?
    }
}

/// Coordinates as functions of the kernel, with landmarks as support vectors.
fn coordinates(made: MadeMap, data: &Dataset, context: &FitContext) -> Fitted<Form> {
    let FeatureMap::Landmarks(map) = made.map else {
        unreachable!("landmarks were asked for");
    };
    let m = map.width();
    let root = map
        .whitening
        .map_or_else(|| Matrix::identity(m), |w| w.transform);
    let biases = vec![0.0; m];
    let model = KernelExpansion::new(
        map.kernel,
        map.landmarks,
        root,
        biases,
        Readout::Coordinates,
    );
    let report = FitReport {
        stop_reason: made.stop_reason,
        kernel: Some(KernelReport {
            support_vectors: m,
            kernel_evaluations: made.evaluations,
            kernel_bytes: (m * m * size_of::<f64>()) as u64,
        }),
        ..FitReport::of_rows(data.len(), made.notes, context)
    };
    Fitted {
        model: model.into(),
        report,
    }
}

impl Estimator for RandomFeatures {
    type Model = Form;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Form>> {
        let context = &context.restarted();
        if data.targets != Targets::None {
            return self.learn_targets(data, context);
        }
        check(data)?;
        context.install(|| {
            let made = self.map(&data.records, data.weights.as_deref(), context)?;
            let mut made = told(made, data, context)?;
            if self.frequencies == FrequencyDraw::Independent
                && let FeatureMap::Fourier(map) = &made.map
            {
                let law = SpectralLaw::of(map.kernel.spec(), &data.records.features)?;
                let note = bound(&law, map.count(), &data.records.features.points);
                made.notes.push(note);
            }
            let model = FeatureModel {
                map: made.map,
                features: data.records.features.groups.clone(),
                readout: Readout::Coordinates,
            };
            Ok(Fitted {
                model: model.into(),
                report: FitReport::of_rows(data.len(), made.notes, context),
            })
        })?
    }
}

fn check(data: &Dataset) -> Result<()> {
    if data.is_empty() {
        return Err(Error::rows(
            "there are no rows to learn from",
            "give at least one row",
        ));
    }
    Ok(())
}

/// Adds how far features are from their kernel, as measured on some rows.
fn told(mut made: MadeMap, data: &Dataset, context: &FitContext) -> Result<MadeMap> {
    let found = match made.map.measured_error(&data.records, context) {
        Err(Error::OutOfTime) => return Ok(made),
        found => found?,
    };
    made.notes.push(Note::Choice(format!(
        "inner products of features are off the kernel by {:.2e} (root mean square) and {:.2e} at most, on pairs of {} rows",
        found.root_mean_square, found.largest, found.rows
    )));
    Ok(made)
}

/// What theory says of independent frequencies.
fn bound(law: &SpectralLaw, pairs: usize, points: &Points) -> Note {
    let Some(spread) = law.spread() else {
        return Note::Choice(
            "there is no bound on the error of this kernel's features: its frequencies have no variance".to_owned(),
        );
    };
    let read = |c: usize| law.parts.iter().any(|part| part.rates[c] > 0.0);
    let diameter = each!(points, block => diagonal(block, read));
    let setting = FeatureSetting {
        columns: (0..points.columns()).filter(|&c| read(c)).count(),
        spread,
        diameter,
        epsilon: EPSILON,
    };
    let told = feature_failure(&setting, pairs as u64)
        .and_then(|failure| Ok((failure, feature_count(&setting, DELTA)?)));
    Note::Choice(match told {
        Ok((failure, enough)) => {
            let says = if failure > 1.0 {
                ", which says nothing"
            } else {
                ""
            };
            format!(
                "for all rows within {diameter:.3} of each other, a kernel value is off by {EPSILON} or more with probability {failure:.2e} \
                 at most{says}; {enough} pairs of features bring that to {DELTA}"
            )
        }
        Err(_) => format!(
            "all rows are within {diameter:.1e} of each other: no kernel value is off by {EPSILON}"
        ),
    })
}

/// The diagonal of the box around all rows, at least their diameter.
fn diagonal<T: Real>(block: &Block<T>, read: impl Fn(usize) -> bool) -> f64 {
    let columns = block.columns();
    let mut least = vec![f64::INFINITY; columns];
    let mut most = vec![f64::NEG_INFINITY; columns];
    let mut meet = |column: usize, x: f64| {
        least[column] = least[column].min(x);
        most[column] = most[column].max(x);
    };
    match block {
        Block::Dense(rows) => {
            for row in 0..rows.rows() {
                let values = rows.row(row).iter().enumerate();
                values.for_each(|(column, x)| meet(column, x.to_f64()));
            }
        }
        Block::Sparse(rows) => {
            (0..columns).for_each(|column| meet(column, 0.0));
            for (column, x) in rows.indices().iter().zip(rows.values()) {
                meet(*column as usize, x.to_f64());
            }
        }
    }
    let widths = least.iter().zip(&most).enumerate();
    let widths = widths.filter(|(column, _)| read(*column));
    widths
        .map(|(_, (least, most))| most - least)
        .fold(0.0, f64::hypot)
}
