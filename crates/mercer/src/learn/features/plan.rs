//! What has to be settled before rows can be added up.

use std::collections::HashMap;
use std::sync::Arc;

use mercer_linalg::{Matrix, Par, Precision, axpy, dot};

use crate::data::{ClassTargets, Dataset, FeatureGroup, Targets};
use crate::features::{BoundMap, FeatureMap, WELL_CONDITIONED};
use crate::model::FeatureModel;
use crate::model::readout::{Readout, Scheme};
use crate::solver::moments::{Moments, Origin};
use crate::{Error, Result};

/// Folds whose sums are kept apart.
const FOLDS: usize = 5;
/// Bytes of the features of a block: what leaves the caches of usual processors as it is made.
const BLOCK_BYTES: usize = 24 << 20;
/// Rows of a block at least and at most.
const BLOCK_ROWS: (usize, usize) = (1024, 6144);
/// Rows from which means are guessed.
const ORIGIN_ROWS: usize = 1024;
/// Steps of the power method that finds it, to some per cent.
const POWER_STEPS: usize = 30;

/// What rows are learnt to tell.
#[derive(Debug, Clone, PartialEq)]
pub enum FeatureTarget {
    /// A class: decisions are ±1, one for two classes, one against the rest for more.
    Classes(Vec<String>),
    /// So many numbers.
    Values(usize),
}

/// A feature map, what is learnt, and how rows are dealt out: sums over rows can be added up where they were made by the
/// same one.
#[derive(Debug, Clone, PartialEq)]
pub struct FeaturePlan {
    /// The map, its kernel resolved.
    pub map: FeatureMap,
    /// The features of the rows that the map reads.
    pub groups: Vec<FeatureGroup>,
    /// What is learnt.
    pub target: FeatureTarget,
    /// Where features and targets are measured from.
    pub origin: Arc<Origin>,
    /// Precision in which features are computed and multiplied.
    pub precision: Precision,
    /// Whether a constant without penalty is part of the function.
    pub intercept: bool,
    /// Folds whose sums are kept apart.
    pub folds: usize,
    /// What folds and samples are drawn by.
    pub seed: u64,
    /// Rows of a block; blocks end at multiples of it.
    pub block: usize,
}

impl FeaturePlan {
    /// Makes a plan for a map, from rows that stand for all.
    ///
    /// # Errors
    /// Rows without targets, or of a single class; rows that the map does not read.
    pub fn new(map: FeatureMap, sample: &Dataset, intercept: bool, seed: u64) -> Result<Self> {
        let target = match &sample.targets {
            Targets::Classes(classes) => {
                if classes.labels.len() < 2 {
                    return Err(one_class());
                }
                FeatureTarget::Classes(classes.labels.clone())
            }
            Targets::Real(_) => FeatureTarget::Values(1),
            Targets::Several(values) => FeatureTarget::Values(values.rows()),
            Targets::None => {
                return Err(Error::rows(
                    "features need a class or a number for every row",
                    "give a target column",
                ));
            }
        };
        let width = map.width();
        let precision = enough(&map)?;
        let mut plan = Self {
            map,
            groups: sample.records.features.groups.clone(),
            target,
            origin: Arc::new(Origin::zero(width, 0)),
            precision,
            intercept,
            folds: FOLDS,
            seed,
            block: Self::block_rows(width),
        };
        plan.origin = Arc::new(plan.origin_near(sample)?);
        Ok(plan)
    }

    /// Returns the rows of a block of so many features.
    pub fn block_rows(width: usize) -> usize {
        let rows = (BLOCK_BYTES / (4 * width.max(1))).clamp(BLOCK_ROWS.0, BLOCK_ROWS.1);
        rows - rows % BLOCK_ROWS.0
    }

    /// The means of some rows: any origin is right, a near one is precise.
    fn origin_near(&self, sample: &Dataset) -> Result<Origin> {
        let width = self.map.width();
        let mut origin = Origin::zero(width, self.outputs());
        let rows: Vec<usize> = if sample.len() <= ORIGIN_ROWS {
            (0..sample.len()).collect()
        } else {
            (0..ORIGIN_ROWS)
                .map(|k| k * sample.len() / ORIGIN_ROWS)
                .collect()
        };
        if rows.is_empty() {
            return Ok(origin);
        }
        let few = sample.records.select(&rows);
        let mut features = vec![0.0; rows.len() * width];
        self.bind()?
            .fill(&few, 0..rows.len(), &mut features, Par::Sequential)?;
        let mut means = vec![0.0_f64; width];
        for row in features.chunks_exact(width.max(1)) {
            for (mean, value) in means.iter_mut().zip(row) {
                *mean += f64::from(*value) / rows.len() as f64;
            }
        }
        let finite = |m: &f64| if m.is_finite() { *m as f32 } else { 0.0 };
        origin = origin.of_features(means.iter().map(finite).collect());
        if let FeatureTarget::Values(_) = self.target {
            let sides = self.sides(&sample.targets)?;
            for k in 0..sides.rows() {
                origin = origin.of_target(k, sides.row(k));
            }
        }
        Ok(origin)
    }

    /// Checks every rule that ties the fields together.
    ///
    /// # Errors
    /// [`Error::Model`] naming the broken rule.
    pub fn check(&self) -> Result<()> {
        let Origin {
            features,
            targets,
            units,
        } = &*self.origin;
        let usable = |unit: &f64| unit.is_finite() && *unit > 0.0;
        if features.len() != self.map.width()
            || targets.len() != self.outputs()
            || units.len() != targets.len()
            || features.iter().any(|o| !o.is_finite())
            || targets.iter().any(|t| !t.is_finite())
            || !units.iter().all(usable)
        {
            return Err(Error::model("the origin of the sums does not fit the plan"));
        }
        if self.folds == 0 || self.folds > 1000 || self.block == 0 || self.block > 1 << 24 {
            return Err(Error::model(
                "the folds or blocks of the plan make no sense",
            ));
        }
        match &self.target {
            FeatureTarget::Classes(labels) if labels.len() < 2 => {
                Err(Error::model("the plan has fewer than two classes"))
            }
            FeatureTarget::Values(0) => Err(Error::model("the plan has no target")),
            _ => Ok(()),
        }
    }

    /// Returns the number of outputs.
    pub fn outputs(&self) -> usize {
        match &self.target {
            FeatureTarget::Classes(labels) => {
                Scheme::one_or_rest(labels.len()).decisions(labels.len())
            }
            FeatureTarget::Values(count) => *count,
        }
    }

    /// Returns the labels of the classes, where rows have them.
    pub fn labels(&self) -> Option<&[String]> {
        match &self.target {
            FeatureTarget::Classes(labels) => Some(labels),
            FeatureTarget::Values(_) => None,
        }
    }

    /// What decisions stand for.
    pub(super) fn readout(&self) -> Readout {
        match &self.target {
            FeatureTarget::Classes(labels) => {
                Readout::of_classes(labels, Scheme::one_or_rest(labels.len()))
            }
            FeatureTarget::Values(_) => Readout::Values,
        }
    }

    /// The map as a form.
    pub(crate) fn mapped(&self) -> FeatureModel {
        FeatureModel {
            map: self.map.clone(),
            features: self.groups.clone(),
            readout: Readout::Coordinates,
        }
    }

    /// Prepares the map for rows.
    pub(super) fn bind(&self) -> Result<BoundMap> {
        self.map.bind(self.precision)
    }

    /// Returns the outputs of rows, a row for each.
    pub(super) fn sides(&self, targets: &Targets) -> Result<Matrix<f64>> {
        match (&self.target, targets) {
            (FeatureTarget::Classes(_), Targets::Classes(classes)) => {
                let codes = self.codes(classes)?;
                Ok(Matrix::from_fn(self.outputs(), codes.len(), |k, i| {
                    if codes[i] as usize == k { 1.0 } else { -1.0 }
                }))
            }
            (FeatureTarget::Values(1), Targets::Real(values)) => {
                Ok(Matrix::from_vec(1, values.len(), values.clone()))
            }
            (FeatureTarget::Values(count), Targets::Several(values)) if values.rows() == *count => {
                Ok(values.clone())
            }
            _ => Err(Error::Conflict {
                what: "the targets of these rows are of another kind than the plan's".to_owned(),
                cure: "give rows of the table that the plan was made for".into(),
            }),
        }
    }

    /// Returns class codes in terms of the plan's labels.
    pub(super) fn codes(&self, classes: &ClassTargets) -> Result<Vec<u32>> {
        let labels = self.labels().unwrap_or_default();
        if classes.labels == labels {
            return Ok(classes.codes.clone());
        }
        let known: HashMap<&str, u32> = labels.iter().map(String::as_str).zip(0..).collect();
        let code = |label: &String| known.get(label.as_str()).copied();
        let of: Vec<Option<u32>> = classes.labels.iter().map(code).collect();
        let row = |(row, &own): (usize, &u32)| {
            of[own as usize].ok_or_else(|| {
                let label = &classes.labels[own as usize];
                Error::rows(
                    format!(
                        "row {} is of the class `{label}`, which the plan does not know",
                        row + 1
                    ),
                    "make the plan from rows of every class",
                )
            })
        };
        classes.codes.iter().enumerate().map(row).collect()
    }

    /// Returns the bytes that the sums take, and their solution.
    pub fn bytes(&self) -> u64 {
        /// The total, a complement, the map, and two products with it.
        const SOLVING: u64 = 5;
        let one = Moments::bytes(self.map.width(), self.outputs());
        let block = (self.block * self.map.width() * self.precision.bytes()) as u64;
        (self.folds as u64 + SOLVING).saturating_mul(one) + block
    }
}

/// The precision that a map asks for. T multiplies the rounding of kernel values by the root of the inverse of the least
/// eigenvalue, so that smooth kernels need double precision.
fn enough(map: &FeatureMap) -> Result<Precision> {
    let (FeatureMap::Landmarks(own), Some(whitening)) = (map, map.finish()) else {
        return Ok(Precision::F32);
    };
    let root = &whitening.transform;
    let m = root.rows();
    if whitening.rank < m {
        return Ok(Precision::F64);
    }
    let diagonal = map.bind(Precision::F64)?.diagonal(&own.landmarks)?;
    let mean = diagonal.iter().sum::<f64>() / m as f64;
    // The largest singular value of the root is that of the least eigenvalue of K_mm.
    let mut vector = vec![1.0 / (m as f64).sqrt(); m];
    for (k, v) in vector.iter_mut().enumerate() {
        // Alternating signs are no smooth function, and so not orthogonal to the least eigenvector.
        *v *= if k % 2 == 0 { 1.0 } else { -0.5 };
    }
    let mut largest = 0.0;
    for _ in 0..POWER_STEPS {
        let mut along = vec![0.0; m];
        for (i, v) in vector.iter().enumerate() {
            axpy(*v, root.row(i), &mut along);
        }
        let next: Vec<f64> = (0..m).map(|i| dot(root.row(i), &along)).collect();
        largest = dot(&next, &next).sqrt() / dot(&vector, &vector).sqrt();
        vector = next.iter().map(|v| v / largest).collect();
    }
    let least = largest.recip();
    Ok(if least >= WELL_CONDITIONED * mean {
        Precision::F32
    } else {
        Precision::F64
    })
}

/// The error of rows that are all of one class.
pub(super) fn one_class() -> Error {
    Error::rows(
        "all rows are of one class",
        "classification needs rows of at least two classes",
    )
}
