//! A trained model as parts, and back with every rule checked.

use std::collections::BTreeMap;

use mercer_linalg::{Matrix, Precision};
use serde::{Deserialize, Serialize};

use super::records_parts::{RecordsShape, from_tensors, to_tensors};
use super::upright::set_upright;
use super::{AnyModel, Parts, Tensors, Trained};
use crate::data::{Encoder, Task};
use crate::fit::FitReport;
use crate::kernel::{BoundKernel, ResolvedKernel};
use crate::learn::expansion::{
    Copies, KernelExpansion, LeftOut, Machine, Posterior, Scheme, Sigmoid,
};
use crate::{Error, Result};

/// Version of the metadata and tensor layout that this library writes.
///
/// It grows by one with every change that older readers would misread; all smaller versions
/// stay readable.
pub const FORMAT_VERSION: u32 = 1;

/// Tensor with the scores of left-out rows.
const LEFT_OUT: &str = "left_out";

/// The JSON document of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// Layout version.
    pub format_version: u32,
    /// Program and version that wrote the model.
    pub written_by: String,
    /// What the model is for.
    pub task: Task,
    /// Name of the method.
    pub method: String,
    /// Name of the predicted column.
    pub target: Option<String>,
    /// Name of the column that names rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Turns raw columns into records.
    pub encoder: Encoder,
    /// The kernel as an expression.
    pub kernel: String,
    /// What the program that made the model wants to find again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
    machine: MachineShape,
    support: RecordsShape,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    posterior: Option<Posterior>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    copies: Option<Copies>,
    /// How the fit went; what only one run can measure is 0.
    pub report: FitReport,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum MachineShape {
    Classifier {
        labels: Vec<String>,
        scheme: Scheme,
        class_sizes: Vec<usize>,
        probabilities: bool,
        /// Factors of the classes; models written before there were any have none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        class_factors: Option<Vec<f64>>,
    },
    Regressor,
    Novelty,
}

impl Trained {
    /// Splits the model into a JSON document and tensors.
    pub fn to_parts(&self) -> Parts {
        let AnyModel::Expansion(model) = &self.model;
        let mut tensors = Tensors::default();
        let support = to_tensors(&model.support, "support", &mut tensors);
        tensors.add_matrix("coefficients", model.machine.coefficients());
        let machine = match &model.machine {
            Machine::Classifier {
                labels,
                scheme,
                class_sizes,
                biases,
                sigmoids,
                factors,
                ..
            } => {
                tensors.add_f64("biases", biases.clone());
                if let Some(sigmoids) = sigmoids {
                    let values = sigmoids.iter().flat_map(|s| [s.a, s.b]).collect();
                    let matrix = Matrix::from_vec(sigmoids.len(), 2, values);
                    tensors.add_matrix("sigmoids", &matrix);
                }
                MachineShape::Classifier {
                    labels: labels.clone(),
                    scheme: *scheme,
                    class_sizes: class_sizes.clone(),
                    probabilities: sigmoids.is_some(),
                    class_factors: factors.clone(),
                }
            }
            Machine::Regressor { biases, .. } => {
                tensors.add_f64("biases", biases.clone());
                MachineShape::Regressor
            }
            Machine::Novelty { bias, .. } => {
                tensors.add_f64("biases", vec![*bias]);
                MachineShape::Novelty
            }
        };
        if let Some(left_out) = &model.left_out {
            tensors.add_f64(LEFT_OUT, left_out.scores().to_vec());
        }
        let metadata = Metadata {
            format_version: FORMAT_VERSION,
            written_by: concat!("mercer ", env!("CARGO_PKG_VERSION")).to_owned(),
            task: self.task,
            method: self.method.clone(),
            target: self.target.clone(),
            id: self.id.clone(),
            encoder: self.encoder.clone(),
            kernel: model.kernel.to_string(),
            attributes: self.attributes.clone(),
            machine,
            support,
            posterior: model.posterior.clone(),
            copies: model.copies.clone(),
            // Equal fits give equal files: no clock, no cache statistics.
            report: self.report.reproducible(),
        };
        Parts {
            metadata: serde_json::to_string(&metadata)
                .expect("metadata holds only strings, numbers and lists"),
            tensors,
        }
    }

    /// Reads the JSON document of a model.
    ///
    /// # Errors
    /// [`Error::Model`] for text that is not such a document, or a version from the future.
    pub fn read_metadata(text: &str) -> Result<Metadata> {
        #[derive(Deserialize)]
        struct Version {
            format_version: u32,
        }
        let damaged = |e: serde_json::Error| Error::model(format!("metadata: {e}"));
        let version: Version = serde_json::from_str(text).map_err(damaged)?;
        if version.format_version > FORMAT_VERSION || version.format_version == 0 {
            return Err(Error::Unsupported {
                what: format!(
                    "the model has format version {}; this program reads versions 1 to {FORMAT_VERSION}",
                    version.format_version
                ),
                cure: "install a newer mercer".to_owned(),
            });
        }
        serde_json::from_str(text).map_err(damaged)
    }

    /// Puts a model together again.
    ///
    /// # Errors
    /// [`Error::Model`] naming the first rule that the parts break.
    pub fn from_parts(parts: Parts) -> Result<Self> {
        let metadata = Self::read_metadata(&parts.metadata)?;
        let mut tensors = parts.tensors;
        let support = from_tensors(
            &metadata.support,
            &metadata.encoder,
            "support",
            &mut tensors,
        )?;
        let coefficients = tensors.take_matrix("coefficients")?;
        let biases = tensors.take_f64("biases")?;
        let machine = match metadata.machine {
            MachineShape::Classifier {
                labels,
                scheme,
                class_sizes,
                probabilities,
                class_factors,
            } => Machine::Classifier {
                labels,
                scheme,
                class_sizes,
                coefficients,
                biases,
                sigmoids: if probabilities {
                    Some(read_sigmoids(&mut tensors)?)
                } else {
                    None
                },
                factors: class_factors,
            },
            MachineShape::Regressor => Machine::Regressor {
                coefficients,
                biases,
            },
            MachineShape::Novelty => Machine::Novelty {
                coefficients,
                bias: only(&biases)?,
            },
        };
        let left_out = if tensors.0.contains_key(LEFT_OUT) {
            Some(read_left_out(tensors.take_f64(LEFT_OUT)?)?)
        } else {
            None
        };
        if let Some(name) = tensors.0.keys().next() {
            return Err(Error::model(format!("tensor `{name}` belongs to nothing")));
        }
        let fits = match machine {
            Machine::Classifier { .. } => Task::Classify,
            Machine::Regressor { .. } => Task::Regress,
            Machine::Novelty { .. } => Task::Novelty,
        };
        if metadata.task != fits {
            return Err(Error::model(format!(
                "the task is {}, the machine is for {fits}",
                metadata.task
            )));
        }
        let mut report = metadata.report;
        let mut model = KernelExpansion {
            kernel: metadata
                .kernel
                .parse::<ResolvedKernel>()
                .map_err(|e| Error::model(format!("kernel: {e}")))?,
            support,
            machine,
            posterior: metadata.posterior,
            left_out,
            copies: metadata.copies,
        };
        model.check()?;
        // Sigmoids of other programs are theirs, and are read as they are.
        if report.rows > 0 {
            let posterior = model.posterior.as_ref();
            let note = set_upright(&mut model.machine, posterior, &metadata.method);
            report.notes.extend(note);
        }
        if !model.support.is_empty() {
            // Binding checks that the kernel can read the stored support vectors.
            let bound = model
                .kernel
                .bind(&model.support)
                .map_err(|e| Error::model(format!("kernel: {e}")))?;
            check_range(&model, bound.as_ref())?;
        }
        Ok(Self {
            task: metadata.task,
            method: metadata.method,
            target: metadata.target,
            id: metadata.id,
            encoder: metadata.encoder,
            model: AnyModel::Expansion(model),
            attributes: metadata.attributes,
            report,
        })
    }
}

/// Refuses scores that are no number: leaving them out would narrow every interval.
fn read_left_out(scores: Vec<f64>) -> Result<LeftOut> {
    if scores.iter().any(|s| !s.is_finite()) {
        return Err(Error::model("a score of a left-out row is not finite"));
    }
    LeftOut::new(scores).ok_or_else(|| Error::model("there are no scores of left-out rows"))
}

/// Refuses coefficients whose decisions are beyond f64 already on the support vectors:
/// |Σ c k(s, x)| ≤ Σ |c|·√(k(s, s)·k(x, x)) for every kernel.
fn check_range(model: &KernelExpansion, bound: &dyn BoundKernel) -> Result<()> {
    let mut diagonal = vec![0.0; bound.len()];
    bound.diagonal(Precision::F64, &mut diagonal);
    let roots: Vec<f64> = diagonal.iter().map(|d| d.abs().sqrt()).collect();
    let top = roots.iter().copied().fold(0.0, f64::max);
    let coefficients = model.machine.coefficients();
    let sum = |row: usize| -> f64 {
        let terms = coefficients.row(row).iter().zip(&roots);
        terms.map(|(c, root)| c.abs() * root * top).sum()
    };
    // A decision between two classes adds up two rows.
    if (0..coefficients.rows()).all(|row| (2.0 * sum(row)).is_finite()) {
        return Ok(());
    }
    Err(Error::model(
        "coefficients are so large that decisions are beyond f64",
    ))
}

fn read_sigmoids(tensors: &mut Tensors) -> Result<Vec<Sigmoid>> {
    let matrix = tensors.take_matrix("sigmoids")?;
    if matrix.columns() != 2 {
        return Err(Error::model("sigmoids need two columns"));
    }
    Ok((0..matrix.rows())
        .map(|r| Sigmoid {
            a: matrix[(r, 0)],
            b: matrix[(r, 1)],
        })
        .collect())
}

fn only(biases: &[f64]) -> Result<f64> {
    match biases {
        [bias] => Ok(*bias),
        _ => Err(Error::model(format!(
            "{} constants for one decision",
            biases.len()
        ))),
    }
}
