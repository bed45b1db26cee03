//! A kernel expansion as a form: files, features, decisions.

use std::collections::HashSet;

use mercer_linalg::{Matrix, Par, Precision};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::columns_read::columns_read;
use super::components::{ComponentsShape, KernelComponents};
use super::{Copies, ExpansionPredictor, KeptFactor, KernelExpansion, Posterior};
use crate::data::{Encoder, FeatureGroup, Records};
use crate::fit::Cancel;
use crate::kernel::{BoundKernel, ResolvedKernel};
use crate::model::Tensors;
use crate::model::form::{Decide, Function, read_shape};
use crate::model::readout::{LeftOut, Readout, ReadoutShape};
use crate::model::records_parts::{RecordsShape, from_tensors, to_tensors};
use crate::{Error, Result};

/// Tensor with the nonconformity scores of held-out rows.
const LEFT_OUT: &str = "left_out";
const LEFT_OUT_CLASSES: &str = "left_out_classes";
/// Tensor with those scores in standard deviations of the model.
const RELATIVE: &str = "left_out_relative";
/// Tensor with the weights of features that carry no penalty.
const SLOPES: &str = "slopes";

#[derive(Serialize, Deserialize)]
struct Shape {
    kernel: String,
    support: RecordsShape,
    class_sizes: Vec<usize>,
    /// Absent where rows are seen from zero. It is no tensor, so that readers that do not know it skip it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<Vec<f64>>,
    readout: ReadoutShape,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    posterior: Option<Posterior>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    copies: Option<Copies>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    components: Option<ComponentsShape>,
}

impl Function for KernelExpansion {
    const KIND: &'static str = "expansion";

    fn readout(&self) -> &Readout {
        &self.readout
    }

    fn width(&self) -> usize {
        self.decisions()
    }

    fn decider(&self, precision: Precision) -> Result<Box<dyn Decide>> {
        Ok(Box::new(self.predictor(precision)?))
    }

    fn features(&self) -> &[FeatureGroup] {
        &self.support.features.groups
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        let mut read = columns_read(self.kernel.spec(), encoder);
        if self.slopes.is_some() {
            let numeric = encoder.columns().iter().filter(|c| c.group().is_some());
            read.extend(numeric.map(|c| c.name.as_str()));
        }
        read
    }

    fn check(&self) -> Result<()> {
        self.check()
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        let support = to_tensors(&self.support, "support", tensors);
        tensors.add_matrix("coefficients", &self.coefficients);
        tensors.add_f64("biases", self.biases.clone());
        if let Some(slopes) = &self.slopes {
            tensors.add_matrix(SLOPES, slopes);
        }
        if let Some(left_out) = &self.left_out {
            tensors.add_f64(LEFT_OUT, left_out.scores().to_vec());
            if let Some(relative) = left_out.relative() {
                tensors.add_f64(RELATIVE, relative.to_vec());
            }
            if let Some(classes) = left_out.classes() {
                let codes = classes.iter().map(|code| f64::from(*code));
                tensors.add_f64(LEFT_OUT_CLASSES, codes.collect());
            }
        }
        let shape = Shape {
            kernel: self.kernel.to_string(),
            support,
            class_sizes: self.class_sizes.clone(),
            origin: self.origin.clone(),
            readout: self.readout.store(tensors),
            posterior: self.posterior.clone(),
            copies: self.copies.clone(),
            components: self.components.as_ref().map(|c| c.store(tensors)),
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let support = from_tensors(&shape.support, encoder, "support", tensors)?;
        let coefficients = tensors.take_matrix("coefficients")?;
        let biases = tensors.take_f64("biases")?;
        let slopes = tensors.0.contains_key(SLOPES);
        let slopes = slopes.then(|| tensors.take_matrix(SLOPES)).transpose()?;
        let readout = Readout::load(shape.readout, tensors)?;
        let left_out = if tensors.0.contains_key(LEFT_OUT) {
            let scores = tensors.take_f64(LEFT_OUT)?;
            let relative = tensors.0.contains_key(RELATIVE);
            let relative = relative.then(|| tensors.take_f64(RELATIVE)).transpose()?;
            let classes = tensors.0.contains_key(LEFT_OUT_CLASSES);
            let classes = classes.then(|| tensors.take_f64(LEFT_OUT_CLASSES));
            let width = readout.classes().map_or(0, |c| c.labels.len());
            let classes = classes.transpose()?.map(|codes| codes_of(&codes, width));
            Some(read_left_out(scores, relative, classes.transpose()?)?)
        } else {
            None
        };
        let kernel = shape
            .kernel
            .parse::<ResolvedKernel>()
            .map_err(|e| Error::model(format!("kernel: {e}")))?;
        let model = Self {
            kernel,
            support,
            coefficients,
            biases,
            origin: shape.origin,
            slopes,
            class_sizes: shape.class_sizes,
            readout,
            posterior: shape.posterior,
            left_out,
            copies: shape.copies,
            components: shape
                .components
                .map(|shape| KernelComponents::load(&shape, tensors))
                .transpose()?,
            kept: KeptFactor::default(),
        };
        model.check()?;
        model.check_decisions()?;
        Ok(model)
    }
}

impl KernelExpansion {
    /// Checks that the kernel reads the support vectors, and that decisions stay within f64.
    pub(in crate::model) fn check_decisions(&self) -> Result<()> {
        if self.support.is_empty() {
            return Ok(());
        }
        let bound = self
            .kernel
            .bind(&self.support)
            .map_err(|e| Error::model(format!("kernel: {e}")))?;
        check_range(self, bound.as_ref())
    }
}

impl Decide for ExpansionPredictor {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        self.decisions(records, par, cancel)
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        self.is_worth_threads(rows)
    }

    fn precision(&self) -> Precision {
        self.precision()
    }
}

/// Refuses scores that are no number: leaving them out would narrow every interval.
fn read_left_out(
    scores: Vec<f64>,
    relative: Option<Vec<f64>>,
    classes: Option<Vec<u32>>,
) -> Result<LeftOut> {
    if scores.iter().any(|s| !s.is_finite()) {
        return Err(Error::model("a score of a held-out row is not finite"));
    }
    let found =
        LeftOut::new(scores).ok_or_else(|| Error::model("there are no scores of held-out rows"))?;
    Ok(match (&relative, &classes) {
        (None, None) => found,
        _ => LeftOut::from_parts(found.scores().to_vec(), relative, classes),
    })
}

/// Codes of classes below a number.
fn codes_of(codes: &[f64], below: usize) -> Result<Vec<u32>> {
    let code = |value: &f64| {
        let is_code = *value >= 0.0 && value.fract() == 0.0 && *value < below as f64;
        is_code.then_some(*value as u32)
    };
    let codes: Option<Vec<u32>> = codes.iter().map(code).collect();
    codes.ok_or_else(|| Error::model("a class of a held-out row is none of the model's"))
}

/// Refuses coefficients whose decisions are beyond f64 already on the support vectors:
/// |Σ c k(s, x)| ≤ Σ |c|·√(k(s, s)·k(x, x)) for every kernel.
fn check_range(model: &KernelExpansion, bound: &dyn BoundKernel) -> Result<()> {
    let mut diagonal = vec![0.0; bound.len()];
    bound.diagonal(Precision::F64, &mut diagonal);
    let roots: Vec<f64> = diagonal.iter().map(|d| d.abs().sqrt()).collect();
    let top = roots.iter().copied().fold(0.0, f64::max);
    let sum = |row: usize| -> f64 {
        let terms = model.coefficients.row(row).iter().zip(&roots);
        terms.map(|(c, root)| c.abs() * root * top).sum()
    };
    // A decision between two classes adds up two rows.
    if (0..model.coefficients.rows()).all(|row| (2.0 * sum(row)).is_finite()) {
        return Ok(());
    }
    Err(Error::model(
        "coefficients are so large that decisions are beyond f64",
    ))
}
