//! The lines of the table of methods.

use super::{ElasticNet, Lasso, python};
use crate::Result;
use crate::data::{Dataset, EncodeOptions, Task};
use crate::fit::{FitContext, Fitted};
use crate::learn::{Able, Learner, Method, Settings};
use crate::model::Form;

const ABLE: Able = Able {
    several_targets: true,
    warm_start: true,
    ..Able::NUMBERS
};

static LASSO: Method = Method {
    name: "lasso",
    title: "LASSO",
    summary: "A weight per column with a penalty on their absolute values, which makes many of them zero.",
    objective: "Σ(y − f)² + λ‖w‖₁",
    aliases: &[],
    tasks: &[Task::Regress],
    able: ABLE,
    encoding: EncodeOptions::default,
    settings: Lasso::list,
    default: |name| Lasso::default().get(name),
    python: python::LASSO,
};

impl Learner for Lasso {
    const METHOD: &'static Method = &LASSO;

    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        Ok(self.job().fit(data, earlier, context)?.into_form())
    }
}

static ELASTIC_NET: Method = Method {
    name: "elastic_net",
    title: "elastic net",
    summary: "A weight per column with a penalty on their absolute values and on their squares.",
    objective: "Σ(y − f)² + λ(ρ‖w‖₁ + ½(1 − ρ)‖w‖²)",
    aliases: &[],
    tasks: &[Task::Regress],
    able: ABLE,
    encoding: EncodeOptions::default,
    settings: ElasticNet::list,
    default: |name| ElasticNet::default().get(name),
    python: python::ELASTIC_NET,
};

impl Learner for ElasticNet {
    const METHOD: &'static Method = &ELASTIC_NET;

    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        Ok(self.job().fit(data, earlier, context)?.into_form())
    }
}
