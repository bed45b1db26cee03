//! The line of the table of methods.

use super::{KMeans, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::fit::{FitContext, Fitted};
use crate::learn::{Able, Learner, Method, Settings};
use crate::model::Form;
use crate::{Error, Result};

static KMEANS: Method = Method {
    name: "kmeans",
    title: "k-means",
    summary: "Centres and clusters around them, by Lloyd's iteration from k-means++ starts.",
    objective: "Σ ‖x − c‖²",
    aliases: &[],
    tasks: &[Task::Cluster],
    able: Able {
        warm_start: true,
        ..Able::NUMBERS
    },
    encoding: EncodeOptions::default,
    settings: KMeans::list,
    default: |name| KMeans::default().get(name),
    python: python::KMEANS,
};

impl Learner for KMeans {
    const METHOD: &'static Method = &KMEANS;

    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let start = match earlier.map(Form::prototypes) {
            Some(None) => {
                return Err(Error::Unsupported {
                    what: "the earlier model has no centres to start from".to_owned(),
                    cure: "give a model of `kmeans`".into(),
                });
            }
            Some(Some(model)) => Some(model.centres()),
            None => None,
        };
        let fitted = self.fit_from(data, start.as_ref(), context)?;
        Ok(fitted.into_form())
    }
}
