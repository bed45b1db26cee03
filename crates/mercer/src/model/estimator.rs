//! Every learning method behind one type.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::AnyModel;
use crate::automatic::Automatic;
use crate::data::{Column, Dataset, Targets, Task, Values, infer_task};
use crate::fit::{FitContext, Fitted};
use crate::kernel::KernelSpec;
use crate::learn::Estimator;
use crate::learn::margin::{ClassWeights, NuSvc, NuSvr, OneClass, Svc, Svr};
use crate::learn::risk::{KernelRisk, Loss};
use crate::learn::squared::{KernelRidge, LsSvc, LsSvr, matrix_bytes};
use crate::{Error, Result};

/// The methods that can be named, with the task each is for; `krr` also tells classes apart.
pub const ESTIMATORS: [(&str, Task); 9] = [
    ("svc", Task::Classify),
    ("svr", Task::Regress),
    ("nu_svc", Task::Classify),
    ("nu_svr", Task::Regress),
    ("one_class", Task::Novelty),
    ("krr", Task::Regress),
    ("ls_svc", Task::Classify),
    ("ls_svr", Task::Regress),
    ("klr", Task::Classify),
];

/// A learning method with its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "snake_case")]
pub enum AnyEstimator {
    /// Soft- or hard-margin classification.
    Svc(Svc),
    /// ε-insensitive regression.
    Svr(Svr),
    /// Classification with a share ν.
    NuSvc(NuSvc),
    /// Regression with a share ν.
    NuSvr(NuSvr),
    /// Novelty detection.
    OneClass(OneClass),
    /// Kernel ridge: numbers, or classes by its sign.
    #[serde(rename = "krr")]
    KernelRidge(KernelRidge),
    /// Least-squares classification.
    LsSvc(LsSvc),
    /// Least-squares regression.
    LsSvr(LsSvr),
    /// Any loss; kernel logistic regression by default.
    #[serde(rename = "risk")]
    KernelRisk(KernelRisk),
    /// Whatever suits the rows best.
    Auto(Automatic),
}

/// The kernel of methods that have none yet.
static OPEN: LazyLock<KernelSpec> = LazyLock::new(KernelSpec::rbf_auto);

impl AnyEstimator {
    /// Returns a method by name, with its default settings.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the known names.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "svc" => Ok(Self::Svc(Svc::default())),
            "svr" => Ok(Self::Svr(Svr::default())),
            "nu_svc" => Ok(Self::NuSvc(NuSvc::default())),
            "nu_svr" => Ok(Self::NuSvr(NuSvr::default())),
            "one_class" => Ok(Self::OneClass(OneClass::default())),
            "krr" => Ok(Self::KernelRidge(KernelRidge::default())),
            "ls_svc" => Ok(Self::LsSvc(LsSvc::default())),
            "ls_svr" => Ok(Self::LsSvr(LsSvr::default())),
            "klr" => Ok(Self::KernelRisk(KernelRisk::default())),
            _ => Err(Error::Unknown {
                kind: "model",
                name: name.to_owned(),
                known: ESTIMATORS.iter().map(|(n, _)| (*n).to_owned()).collect(),
            }),
        }
    }

    /// Returns the name of the method.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Svc(_) => "svc",
            Self::Svr(_) => "svr",
            Self::NuSvc(_) => "nu_svc",
            Self::NuSvr(_) => "nu_svr",
            Self::OneClass(_) => "one_class",
            Self::KernelRidge(_) => "krr",
            Self::LsSvc(_) => "ls_svc",
            Self::LsSvr(_) => "ls_svr",
            Self::KernelRisk(m) if m.loss == Loss::Logistic => "klr",
            Self::KernelRisk(_) => "risk",
            Self::Auto(_) => "auto",
        }
    }

    /// Returns whether the method is for a task.
    pub fn suits(&self, task: Task) -> bool {
        let ridge = matches!(self, Self::KernelRidge(_));
        task == self.task() || (ridge && task == Task::Classify)
    }

    /// Returns the task with a target column: kernel ridge takes numbers as numbers, and
    /// everything else as the target itself suggests.
    pub fn task_with(&self, target: Option<&Column>) -> Task {
        match (self, target) {
            (Self::KernelRidge(_), Some(column))
                if !matches!(column.values, Values::Numeric(_)) =>
            {
                infer_task(column).0
            }
            _ => self.task(),
        }
    }

    /// Returns the task with targets: kernel ridge tells classes apart where it meets them.
    pub fn task_on(&self, targets: &Targets) -> Task {
        match (self, targets) {
            (Self::KernelRidge(_), Targets::Classes(_)) => Task::Classify,
            _ => self.task(),
        }
    }

    /// Returns the task the method is for in the first place.
    pub fn task(&self) -> Task {
        match self {
            Self::Svc(_) | Self::NuSvc(_) | Self::LsSvc(_) => Task::Classify,
            Self::Svr(_) | Self::NuSvr(_) | Self::KernelRidge(_) | Self::LsSvr(_) => Task::Regress,
            Self::OneClass(_) => Task::Novelty,
            Self::KernelRisk(m) => m.task(),
            Self::Auto(m) => m.task,
        }
    }

    /// Returns the kernel.
    pub fn kernel(&self) -> &KernelSpec {
        match self {
            Self::Svc(m) => &m.kernel,
            Self::Svr(m) => &m.kernel,
            Self::NuSvc(m) => &m.kernel,
            Self::NuSvr(m) => &m.kernel,
            Self::OneClass(m) => &m.kernel,
            Self::KernelRidge(m) => &m.kernel,
            Self::LsSvc(m) => &m.kernel,
            Self::LsSvr(m) => &m.kernel,
            Self::KernelRisk(m) => &m.kernel,
            Self::Auto(m) => m.kernel.as_ref().unwrap_or(&OPEN),
        }
    }

    /// Returns the kernel, to be changed.
    pub fn kernel_mut(&mut self) -> &mut KernelSpec {
        match self {
            Self::Svc(m) => &mut m.kernel,
            Self::Svr(m) => &mut m.kernel,
            Self::NuSvc(m) => &mut m.kernel,
            Self::NuSvr(m) => &mut m.kernel,
            Self::OneClass(m) => &mut m.kernel,
            Self::KernelRidge(m) => &mut m.kernel,
            Self::LsSvc(m) => &mut m.kernel,
            Self::LsSvr(m) => &mut m.kernel,
            Self::KernelRisk(m) => &mut m.kernel,
            Self::Auto(m) => m.kernel.get_or_insert_with(KernelSpec::rbf_auto),
        }
    }

    /// Sets factors on the weights of classes, where the method tells classes apart.
    pub fn weigh_classes(&mut self, class_weights: &ClassWeights) {
        let own = match self {
            Self::Svc(m) => &mut m.class_weights,
            Self::NuSvc(m) => &mut m.class_weights,
            Self::LsSvc(m) => &mut m.class_weights,
            Self::KernelRisk(m) => &mut m.class_weights,
            Self::Auto(m) => &mut m.class_weights,
            Self::Svr(_)
            | Self::NuSvr(_)
            | Self::OneClass(_)
            | Self::KernelRidge(_)
            | Self::LsSvr(_) => return,
        };
        own.clone_from(class_weights);
    }

    /// Returns the bytes without which the method cannot learn from so many rows.
    pub(crate) fn least_bytes(&self, rows: usize) -> u64 {
        /// Working sets of margin machines.
        const WORKING: u64 = 16 << 20;
        match self {
            Self::KernelRidge(_) | Self::LsSvc(_) | Self::LsSvr(_) | Self::KernelRisk(_) => {
                matrix_bytes(rows)
            }
            Self::Svc(_)
            | Self::Svr(_)
            | Self::NuSvc(_)
            | Self::NuSvr(_)
            | Self::OneClass(_)
            | Self::Auto(_) => WORKING,
        }
    }

    /// Learns from data, starting from an earlier model where the method can.
    ///
    /// # Errors
    /// As [`Estimator::fit`]; an earlier model given to a method that cannot use one.
    pub fn fit(
        &self,
        data: &Dataset,
        context: &FitContext,
        earlier: Option<&AnyModel>,
    ) -> Result<Fitted<AnyModel>> {
        let margin = earlier.map(|AnyModel::Expansion(model)| model);
        let fitted = match self {
            Self::Svc(m) => m.fit_from(data, context, margin)?,
            Self::Svr(m) => m.fit_from(data, context, margin)?,
            _ if margin.is_some() => {
                return Err(Error::Unsupported {
                    what: format!("`{}` cannot start from an earlier model", self.name()),
                    cure: "leave out the earlier model, or use `svc` or `svr`".to_owned(),
                });
            }
            Self::NuSvc(m) => m.fit(data, context)?,
            Self::NuSvr(m) => m.fit(data, context)?,
            Self::OneClass(m) => m.fit(data, context)?,
            Self::KernelRidge(m) => m.fit(data, context)?,
            Self::LsSvc(m) => m.fit(data, context)?,
            Self::LsSvr(m) => m.fit(data, context)?,
            Self::KernelRisk(m) => m.fit(data, context)?,
            Self::Auto(m) => return m.fit(data, context),
        };
        Ok(Fitted {
            model: AnyModel::Expansion(fitted.model),
            report: fitted.report,
        })
    }
}
