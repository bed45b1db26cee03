//! Every learning method behind one type.

use serde::{Deserialize, Serialize};

use super::AnyModel;
use crate::data::{Dataset, Task};
use crate::fit::{FitContext, Fitted};
use crate::kernel::KernelSpec;
use crate::learn::Estimator;
use crate::learn::margin::{NuSvc, NuSvr, OneClass, Svc, Svr};
use crate::{Error, Result};

/// The methods that can be named, with the task each is for.
pub const ESTIMATORS: [(&str, Task); 5] = [
    ("svc", Task::Classify),
    ("svr", Task::Regress),
    ("nu_svc", Task::Classify),
    ("nu_svr", Task::Regress),
    ("one_class", Task::Novelty),
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
}

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
        }
    }

    /// Returns the task the method is for.
    pub fn task(&self) -> Task {
        match self {
            Self::Svc(_) | Self::NuSvc(_) => Task::Classify,
            Self::Svr(_) | Self::NuSvr(_) => Task::Regress,
            Self::OneClass(_) => Task::Novelty,
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
        let margin = earlier.map(|AnyModel::Margin(model)| model);
        let fitted = match self {
            Self::Svc(m) => m.fit_from(data, context, margin)?,
            Self::Svr(m) => m.fit_from(data, context, margin)?,
            Self::NuSvc(_) | Self::NuSvr(_) | Self::OneClass(_) if margin.is_some() => {
                return Err(Error::Unsupported {
                    what: format!("`{}` cannot start from an earlier model", self.name()),
                    cure: "leave out the earlier model, or use `svc` or `svr`".to_owned(),
                });
            }
            Self::NuSvc(m) => m.fit(data, context)?,
            Self::NuSvr(m) => m.fit(data, context)?,
            Self::OneClass(m) => m.fit(data, context)?,
        };
        Ok(Fitted {
            model: AnyModel::Margin(fitted.model),
            report: fitted.report,
        })
    }
}
