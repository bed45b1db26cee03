//! The lines of the table of methods.

use super::{NuSvc, NuSvr, OneClass, Svc, Svr, python};
use crate::Result;
use crate::data::{Dataset, EncodeOptions, Task};
use crate::fit::{FitContext, Fitted};
use crate::learn::work::margin_work;
use crate::learn::{Able, Learner, Method, Settings};
use crate::model::Form;

static SVC: Method = Method {
    name: "svc",
    title: "support vector classification",
    summary: "The widest margin between classes, with errors weighted by C: ½‖w‖² + C Σ ξ.",
    objective: "½‖w‖² + C Σ ξ",
    aliases: &[],
    tasks: &[Task::Classify],
    able: Able {
        probabilities: true,
        warm_start: true,
        ..Able::KERNEL
    },
    encoding: EncodeOptions::default,
    settings: Svc::list,
    default: |name| Svc::default().get(name),
    python: python::SVC,
};

impl Learner for Svc {
    const METHOD: &'static Method = &SVC;

    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let earlier = earlier.map(Form::to_start_from).transpose()?;
        Ok(self.fit_from(data, context, earlier)?.into_form())
    }

    fn work(&self, data: &Dataset) -> f64 {
        margin_work(data)
    }
}

static SVR: Method = Method {
    name: "svr",
    title: "support vector regression",
    summary: "A function with errors inside a tube of half-width ε for free: \
              ½‖w‖² + C Σ max(0, |y − f(x)| − ε).",
    objective: "½‖w‖² + C Σ max(0, |y − f| − ε)",
    aliases: &[],
    tasks: &[Task::Regress],
    able: Able {
        warm_start: true,
        ..Able::KERNEL
    },
    encoding: EncodeOptions::default,
    settings: Svr::list,
    default: |name| Svr::default().get(name),
    python: python::SVR,
};

impl Learner for Svr {
    const METHOD: &'static Method = &SVR;

    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let earlier = earlier.map(Form::to_start_from).transpose()?;
        Ok(self.fit_from(data, context, earlier)?.into_form())
    }

    fn work(&self, data: &Dataset) -> f64 {
        margin_work(data)
    }
}

static NU_SVC: Method = Method {
    name: "nu_svc",
    title: "ν-support vector classification",
    summary: "Support vector classification with a share ν of margin errors in place of C.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Classify],
    able: Able {
        probabilities: true,
        ..Able::KERNEL
    },
    encoding: EncodeOptions::default,
    settings: NuSvc::list,
    default: |name| NuSvc::default().get(name),
    python: python::NU_SVC,
};

impl Learner for NuSvc {
    const METHOD: &'static Method = &NU_SVC;

    fn work(&self, data: &Dataset) -> f64 {
        margin_work(data)
    }
}

static NU_SVR: Method = Method {
    name: "nu_svr",
    title: "ν-support vector regression",
    summary: "Support vector regression whose tube is as narrow as a share ν of errors allows.",
    objective: "",
    aliases: &[],
    tasks: &[Task::Regress],
    able: Able::KERNEL,
    encoding: EncodeOptions::default,
    settings: NuSvr::list,
    default: |name| NuSvr::default().get(name),
    python: python::NU_SVR,
};

impl Learner for NuSvr {
    const METHOD: &'static Method = &NU_SVR;

    fn work(&self, data: &Dataset) -> f64 {
        margin_work(data)
    }
}

static ONE_CLASS: Method = Method {
    name: "one_class",
    title: "one-class support vector machine",
    summary: "Separates the rows from the origin of feature space; what falls short is novel.",
    objective: "½‖w‖² − ρνn + Σ max(0, ρ − ⟨w, φ⟩)",
    aliases: &[],
    tasks: &[Task::Novelty],
    able: Able::KERNEL,
    encoding: EncodeOptions::default,
    settings: OneClass::list,
    default: |name| OneClass::default().get(name),
    python: python::ONE_CLASS,
};

impl Learner for OneClass {
    const METHOD: &'static Method = &ONE_CLASS;

    fn work(&self, data: &Dataset) -> f64 {
        margin_work(data)
    }
}
