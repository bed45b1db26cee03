//! The lines of the table of methods.

use super::{Mlp, RbfNet, python};
use crate::data::{Dataset, EncodeOptions, Task};
use crate::fit::{FitContext, Fitted};
use crate::learn::{Able, Learner, Method, Settings};
use crate::model::Form;
use crate::{Error, Result};

static MLP: Method = Method {
    name: "mlp",
    title: "multilayer perceptron",
    summary: "Layers of gates, learnt by backpropagation.",
    objective: "(Σ loss(y, f) + α‖W‖²/2)/n",
    aliases: &[],
    tasks: &[Task::Regress, Task::Classify],
    able: Able {
        probabilities: true,
        several_targets: true,
        warm_start: true,
        ..Able::NUMBERS
    },
    encoding: EncodeOptions::default,
    settings: Mlp::list,
    default: |name| Mlp::default().get(name),
    python: python::MLP,
};

impl Learner for Mlp {
    const METHOD: &'static Method = &MLP;

    fn learn(
        &self,
        data: &Dataset,
        earlier: Option<&Form>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let earlier = match earlier.map(Form::layers) {
            Some(None) => {
                return Err(Error::Unsupported {
                    what: "the earlier model has no layers to start from".to_owned(),
                    cure: "give a model of `mlp`".into(),
                });
            }
            Some(layers) => layers,
            None => None,
        };
        Ok(self.fit_from(data, earlier, context)?.into_form())
    }

    fn work(&self, data: &Dataset) -> f64 {
        let columns = data.records.features.points.columns();
        let sizes = std::iter::once(columns).chain(self.hidden.iter().copied());
        let next = self.hidden.iter().copied().chain([1]);
        let weights: f64 = sizes.zip(next).map(|(a, b)| a as f64 * b as f64).sum();
        // Forward, back, and the gradient, in every epoch.
        3.0 * data.len() as f64 * weights * self.max_iterations as f64 * self.starts as f64
    }
}

static RBF_NET: Method = Method {
    name: "rbf_net",
    title: "radial basis function network",
    summary: "Gaussians around the centres of k-means, weighed by least squares.",
    objective: "Σ(y − f)² + λ‖v‖²",
    aliases: &[],
    tasks: &[Task::Regress, Task::Classify],
    able: Able {
        several_targets: true,
        ..Able::NUMBERS
    },
    encoding: EncodeOptions::default,
    settings: RbfNet::list,
    default: |name| RbfNet::default().get(name),
    python: python::RBF_NET,
};

impl Learner for RbfNet {
    const METHOD: &'static Method = &RBF_NET;

    fn work(&self, data: &Dataset) -> f64 {
        let columns = data.records.features.points.columns();
        (data.len() * self.centres) as f64 * (columns + self.centres) as f64
    }
}
