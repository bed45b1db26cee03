//! Plans and states as a JSON document and tensors.

use std::sync::Arc;

use mercer_linalg::{Matrix, Precision};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::parts::State;
use super::plan::Plan;
use super::spans::Spans;
use crate::data::{Encoder, Roles, Task};
use crate::fit::{Note, StopReason};
use crate::learn::features::{
    FeaturePenalty, FeaturePlan, FeatureSums, FeatureTarget, StoredWitnesses,
};
use crate::model::{Form, Parts, Tensor, Tensors};
use crate::solver::moments::{Moments, Origin};
use crate::{Error, Result};

/// Version of the layout of plans and states that this library writes; all smaller ones stay readable.
pub const STATE_VERSION: u32 = 1;

/// Features and outputs beyond which a file is not believed: their sums would take a terabyte.
const MOST_WIDTH: usize = 1 << 18;

#[derive(Serialize, Deserialize)]
struct Document {
    state_version: u32,
    written_by: String,
    fingerprint: String,
    task: Task,
    method: String,
    roles: Roles,
    encoder: Encoder,
    map: Value,
    target: TargetShape,
    intercept: bool,
    folds: usize,
    seed: u64,
    block: usize,
    /// `f32` or `f64`.
    precision: String,
    penalty: FeaturePenalty,
    notes: Vec<Note>,
    stop_reason: StopReason,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sums: Option<SumsShape>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TargetShape {
    Classes(Vec<String>),
    Values(usize),
}

#[derive(Serialize, Deserialize)]
struct SumsShape {
    folds: Vec<FoldShape>,
    class_copies: Vec<f64>,
    rows: u64,
    spans: Spans,
    unlabelled: u64,
}

#[derive(Serialize, Deserialize)]
struct FoldShape {
    rows: u64,
    copies: f64,
    epsilon: f64,
}

impl Plan {
    /// Splits the plan into a JSON document and tensors.
    pub fn to_parts(&self) -> Parts {
        let mut tensors = Tensors::default();
        let document = self.document(&mut tensors);
        write(&document, tensors)
    }

    /// Puts a plan together again; the document of a state has its plan.
    ///
    /// # Errors
    /// [`Error::Model`] naming the first rule that the parts break; a version from the future.
    pub fn from_parts(parts: Parts) -> Result<Self> {
        let mut tensors = parts.tensors;
        read(&parts.metadata)?
            .into_plan(&mut tensors)
            .map(|(plan, _)| plan)
    }

    fn document(&self, tensors: &mut Tensors) -> Document {
        let features = &self.features;
        let origin = &features.origin;
        add_f32(
            tensors,
            "origin.features",
            vec![origin.features.len()],
            origin.features.clone(),
        );
        tensors.add_f64("origin.targets", origin.targets.clone());
        tensors.add_f64("origin.units", origin.units.clone());
        Document {
            state_version: STATE_VERSION,
            written_by: concat!("mercer ", env!("CARGO_PKG_VERSION")).to_owned(),
            fingerprint: self.fingerprint().to_owned(),
            task: self.task,
            method: self.method.clone(),
            roles: self.roles.clone(),
            encoder: self.encoder.clone(),
            map: Form::from(features.mapped()).store(tensors),
            target: match &features.target {
                FeatureTarget::Classes(labels) => TargetShape::Classes(labels.clone()),
                FeatureTarget::Values(count) => TargetShape::Values(*count),
            },
            intercept: features.intercept,
            folds: features.folds,
            seed: features.seed,
            block: features.block,
            precision: features.precision.to_string(),
            penalty: self.penalty,
            notes: self.notes.clone(),
            stop_reason: self.stop_reason,
            sums: None,
        }
    }
}

impl State {
    /// Splits the state and its plan into a JSON document and tensors.
    pub fn to_parts(&self) -> Parts {
        let mut tensors = Tensors::default();
        let mut document = self.plan.document(&mut tensors);
        let mut folds = Vec::new();
        for (k, fold) in self.sums.folds().iter().enumerate() {
            tensors.add_f64(&format!("sums.{k}"), fold.lower());
            folds.push(FoldShape {
                rows: fold.rows(),
                copies: fold.copies(),
                epsilon: fold.epsilon(),
            });
        }
        let stored = self.sums.witnesses().store();
        tensors.add_u64("sample.keys", stored.keys);
        tensors.add_u32("sample.folds", stored.folds);
        tensors.add_f64("sample.weights", stored.weights);
        tensors.add_matrix("sample.targets", &stored.targets);
        tensors.add_matrix("sample.features", &stored.features);
        document.sums = Some(SumsShape {
            folds,
            class_copies: self.sums.class_copies().to_vec(),
            rows: self.sums.rows(),
            spans: self.spans.clone(),
            unlabelled: self.unlabelled,
        });
        write(&document, tensors)
    }

    /// Puts a state together again.
    ///
    /// # Errors
    /// [`Error::Model`] naming the first rule that the parts break; a plan without sums; a version from the future.
    pub fn from_parts(parts: Parts) -> Result<Self> {
        let mut tensors = parts.tensors;
        let (plan, sums) = read(&parts.metadata)?.into_plan(&mut tensors)?;
        let Some(shape) = sums else {
            return Err(Error::Unsupported {
                what: "this is a plan, to which no rows were added".to_owned(),
                cure: "add rows to it first".into(),
            });
        };
        let features = &plan.features;
        if shape.folds.len() != features.folds {
            return Err(Error::model(
                "the state has another number of folds than its plan",
            ));
        }
        let mut folds = Vec::new();
        for (k, fold) in shape.folds.iter().enumerate() {
            let lower = tensors.take_f64(&format!("sums.{k}"))?;
            let origin = Arc::clone(&features.origin);
            folds.push(Moments::from_parts(
                origin,
                fold.rows,
                fold.copies,
                fold.epsilon,
                &lower,
            )?);
        }
        let stored = StoredWitnesses {
            keys: tensors.take_u64("sample.keys")?,
            folds: tensors.take_u32("sample.folds")?,
            weights: tensors.take_f64("sample.weights")?,
            targets: tensors.take_matrix("sample.targets")?,
            features: tensors.take_matrix("sample.features")?,
        };
        if let Some(name) = tensors.0.keys().next() {
            return Err(Error::model(format!("tensor `{name}` belongs to nothing")));
        }
        let sums =
            FeatureSums::from_parts(features, folds, stored, shape.class_copies, shape.rows)?;
        if shape.rows.checked_add(shape.unlabelled) != Some(shape.spans.rows()) {
            return Err(Error::model("the rows of the state do not add up"));
        }
        Ok(Self {
            plan: Arc::new(plan),
            sums,
            spans: shape.spans,
            unlabelled: shape.unlabelled,
        })
    }
}

impl Document {
    fn into_plan(self, tensors: &mut Tensors) -> Result<(Plan, Option<SumsShape>)> {
        let Form::Features(mapped) = Form::load(&self.map, &self.encoder, tensors)? else {
            return Err(Error::model("the plan has no feature map"));
        };
        let target = match self.target {
            TargetShape::Classes(labels) => FeatureTarget::Classes(labels),
            TargetShape::Values(count) => FeatureTarget::Values(count),
        };
        let origin = Origin {
            features: take_f32(tensors, "origin.features")?.into_vec(),
            targets: tensors.take_f64("origin.targets")?,
            units: tensors.take_f64("origin.units")?,
        };
        let features = FeaturePlan {
            map: mapped.map,
            groups: mapped.features,
            target,
            origin: Arc::new(origin),
            precision: match self.precision.as_str() {
                "f32" => Precision::F32,
                "f64" => Precision::F64,
                _ => return Err(Error::model("the precision of the plan is unknown")),
            },
            intercept: self.intercept,
            folds: self.folds,
            seed: self.seed,
            block: self.block,
        };
        features.check()?;
        if features.map.width().saturating_add(features.outputs()) > MOST_WIDTH {
            return Err(Error::model(
                "the plan has more features than sums can be kept of",
            ));
        }
        let plan = Plan::new(
            (self.task, self.method),
            self.roles,
            self.encoder,
            features,
            self.penalty,
            (self.notes, self.stop_reason),
        );
        if plan.fingerprint() != self.fingerprint {
            return Err(Error::model("the plan is not the one that was written"));
        }
        Ok((plan, self.sums))
    }
}

fn write(document: &Document, tensors: Tensors) -> Parts {
    Parts {
        metadata: serde_json::to_string(document)
            .expect("metadata holds only strings, numbers and lists"),
        tensors,
    }
}

fn read(text: &str) -> Result<Document> {
    #[derive(Deserialize)]
    struct Version {
        state_version: u32,
    }
    let damaged = |e: serde_json::Error| Error::model(format!("metadata: {e}"));
    let Version { state_version } = serde_json::from_str(text).map_err(damaged)?;
    if !(1..=STATE_VERSION).contains(&state_version) {
        return Err(Error::Unsupported {
            what: format!(
                "the state has version {state_version}; this program reads versions 1 to {STATE_VERSION}"
            ),
            cure: "install a newer mercer".into(),
        });
    }
    serde_json::from_str(text).map_err(damaged)
}

fn add_f32(tensors: &mut Tensors, name: &str, shape: Vec<usize>, values: Vec<f32>) {
    tensors
        .0
        .insert(name.to_owned(), Tensor::F32 { shape, values });
}

/// A list or a matrix of f32; a list is a matrix of one row.
fn take_f32(tensors: &mut Tensors, name: &str) -> Result<Matrix<f32>> {
    match tensors.0.remove(name) {
        Some(Tensor::F32 { shape, values }) if shape.len() <= 2 => {
            let (rows, columns) = match shape[..] {
                [columns] => (1, columns),
                [rows, columns] => (rows, columns),
                _ => (1, 1),
            };
            Matrix::try_from_vec(rows, columns, values)
                .map_err(|_| Error::model(format!("tensor `{name}` does not fill its shape")))
        }
        Some(_) => Err(Error::model(format!("tensor `{name}` is no list of f32"))),
        None => Err(Error::model(format!("tensor `{name}` is missing"))),
    }
}
