//! Decisions by the operators for support vector machines.
//!
//! `SVMClassifier` and `SVMRegressor` of `ai.onnx.ml` compute in single precision. Their
//! `rho` is added, so it is mercer's constant with its own sign, and a classifier's
//! coefficients have mercer's layout: classes − 1 rows, support vectors sorted by class.

use mercer::kernel::{KernelSpec, ResolvedKernel};
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Scheme;
use mercer_linalg::Matrix;

use super::answers::{Decided, label_entries};
use super::graph::{Builder, MACHINES, Wire};
use super::message::{Element, Entries, Setting};
use super::refusal::refuse;
use crate::Result;

/// A kernel that the operators know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Known {
    Linear,
    Polynomial {
        degree: f64,
        gamma: f64,
        offset: f64,
    },
    Rbf {
        gamma: f64,
    },
    Sigmoid {
        gamma: f64,
        offset: f64,
    },
}

impl Known {
    fn name(self) -> &'static str {
        match self {
            Self::Linear => "LINEAR",
            Self::Polynomial { .. } => "POLY",
            Self::Rbf { .. } => "RBF",
            Self::Sigmoid { .. } => "SIGMOID",
        }
    }

    /// Gamma, constant and degree.
    fn parameters(self) -> [f64; 3] {
        match self {
            Self::Linear => [0.0; 3],
            Self::Polynomial {
                degree,
                gamma,
                offset,
            } => [gamma, offset, degree],
            Self::Rbf { gamma } => [gamma, 0.0, 0.0],
            Self::Sigmoid { gamma, offset } => [gamma, offset, 0.0],
        }
    }

    /// Reads a kernel; `None` where the operators do not know it.
    pub(super) fn of(kernel: &ResolvedKernel) -> Option<Self> {
        let KernelSpec::Base { family, settings } = kernel.spec() else {
            return None;
        };
        let number = |name: &str| settings.number(family.parameter(name).ok()?);
        match family.name {
            "linear" => Some(Self::Linear),
            "poly" => Some(Self::Polynomial {
                degree: number("degree")?,
                gamma: number("scale")?,
                offset: number("offset")?,
            }),
            "rbf" => {
                let from_sigma = || number("sigma").map(|sigma| 0.5 / (sigma * sigma));
                Some(Self::Rbf {
                    gamma: number("gamma").or_else(from_sigma)?,
                })
            }
            "sigmoid" if !settings.is_word(family.parameter("form").ok()?, "logistic") => {
                Some(Self::Sigmoid {
                    gamma: number("scale")?,
                    offset: number("offset")?,
                })
            }
            _ => None,
        }
    }
}

/// Returns the kernel where the operators can compute the model's decisions.
///
/// # Errors
/// What stands against it, with a cure.
pub(super) fn expressible(model: &KernelExpansion) -> Result<Known> {
    let cure = "write the plain form";
    let known = Known::of(&model.kernel).ok_or_else(|| {
        let what = format!("the kernel `{}` by its operators", model.kernel);
        refuse(&what, cure)
    })?;
    let scheme = model.readout.classes().map(|classes| classes.scheme);
    if scheme == Some(Scheme::OneVsRest) {
        let what = "one decision per class against the rest by its operators";
        return Err(refuse(what, cure));
    }
    if scheme.is_none() && model.decisions() > 1 {
        let what = "several numbers by its operators";
        return Err(refuse(what, cure));
    }
    if model.slopes.is_some() {
        let what = "columns without a penalty by its operators";
        return Err(refuse(what, cure));
    }
    if model.support.is_empty() {
        let what = "a model without support vectors by its operators";
        return Err(refuse(what, cure));
    }
    let points = model.support.features.points.widened();
    let numbers = points
        .values()
        .iter()
        .chain(model.coefficients.as_slice())
        .chain(&model.biases);
    if numbers
        .copied()
        .chain(known.parameters())
        .any(|v| !(v as f32).is_finite())
    {
        let what = "a number of this model by its operators, which use single precision";
        return Err(refuse(what, cure));
    }
    Ok(known)
}

fn single(numbers: &[f64]) -> Setting {
    Setting::Floats(numbers.iter().map(|n| *n as f32).collect())
}

/// Adds the operator that computes the decisions; `features` are in single precision.
pub(super) fn decide(
    graph: &mut Builder,
    features: &Wire,
    support: &Matrix<f64>,
    model: &KernelExpansion,
    kernel: Known,
) -> Decided {
    let mut settings = vec![
        ("kernel_type", Setting::Text(kernel.name().to_owned())),
        ("kernel_params", single(&kernel.parameters())),
        ("support_vectors", single(support.as_slice())),
        ("coefficients", single(model.coefficients.as_slice())),
        ("rho", single(&model.biases)),
    ];
    let Some(labels) = model.readout.labels() else {
        // `one_class` would give the label without the decision, and would call a row on
        // the border new.
        settings.push(("n_supports", Setting::Int(support.rows() as i64)));
        let values = graph.node(MACHINES, "SVMRegressor", &[features], settings, 1);
        return Decided {
            decisions: values[0].clone(),
            element: Element::Float,
            label: None,
        };
    };
    let sizes = model.class_sizes.iter().map(|n| *n as i64).collect();
    settings.push(("vectors_per_class", Setting::Ints(sizes)));
    settings.push(match label_entries(labels) {
        Entries::Int64(numbers) => ("classlabels_ints", Setting::Ints(numbers)),
        _ => ("classlabels_strings", Setting::Texts(labels.to_vec())),
    });
    let results = graph.node(MACHINES, "SVMClassifier", &[features], settings, 2);
    let decisions = if labels.len() == 2 {
        // Two scores that differ in sign; the second is the decision itself.
        let second = graph.integers(vec![1]);
        graph.gather(&results[1], &second, 1)
    } else {
        results[1].clone()
    };
    Decided {
        decisions,
        element: Element::Float,
        label: Some(results[0].clone()),
    }
}
