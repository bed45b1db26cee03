//! How far rows are from the border: |f(x)|/‖w‖.

use super::readout::{Readout, Scheme};
use super::{Form, Trained};
use crate::data::Task;
use crate::fit::FitContext;
use crate::hint::{Hint, Word};
use crate::kernel::Input;
use crate::{Error, Result};

impl Trained {
    /// Returns ‖w‖ of every decision, so that |f(x)|/‖w‖ is the distance of a row from the border:
    /// among the features of a linear model, in the space of the kernel otherwise.
    ///
    /// # Errors
    /// Models that have no such border, each by its reason; cancellation.
    pub fn border_norms(&self, context: &FitContext) -> Result<Vec<f64>> {
        if !matches!(self.task, Task::Classify | Task::Novelty) {
            return Err(no_border(format!(
                "a model for the task `{}` has no border to be distant from",
                self.task
            )));
        }
        if let Readout::Classes(classes) = self.form.readout()
            && classes.scheme == Scheme::Softmax
        {
            return Err(no_border(format!(
                "`{}` weighs all classes against each other: none has a border of its own",
                self.method
            )));
        }
        let norms = match &self.form {
            Form::Linear(model) => (0..model.weights.rows())
                .map(|d| {
                    model
                        .weights
                        .row(d)
                        .iter()
                        .map(|w| w * w)
                        .sum::<f64>()
                        .sqrt()
                })
                .collect(),
            Form::Expansion(model) if model.slopes.is_some() => {
                return Err(no_border(
                    "part of this function has no norm: its slopes are without a penalty"
                        .to_owned(),
                ));
            }
            Form::Expansion(model) => {
                let families = model.kernel.spec().families();
                if families.iter().any(|family| family.input == Input::Matrix) {
                    // Values between support vectors are in the matrix, which the model has not.
                    self.reported_norms()?
                } else {
                    model.norms(context)?
                }
            }
            _ => {
                return Err(no_border(format!(
                    "`{}` (a model of the form `{}`) has no plane, and no distance from one",
                    self.method,
                    self.form.kind()
                )));
            }
        };
        match norms
            .iter()
            .position(|norm| !(*norm > 0.0 && norm.is_finite()))
        {
            None => Ok(norms),
            Some(d) => Err(no_border(format!(
                "decision {} is the same everywhere: there is no border",
                d + 1
            ))),
        }
    }

    fn reported_norms(&self) -> Result<Vec<f64>> {
        let problems = &self.report.solver().problems;
        if problems.len() == self.form.width() {
            return Ok(problems.iter().map(|problem| problem.norm).collect());
        }
        Err(no_border(
            "the kernel matrix is not part of this model, and so the norm is not known".to_owned(),
        ))
    }
}

fn no_border(what: String) -> Error {
    Error::Unsupported {
        what,
        cure: Hint::from("decision values tell more from less all the same; distances have classifiers with one weight per column or a kernel, such as ")
            .word(Word::Models(&["linear_svc", "svc"])),
    }
}
