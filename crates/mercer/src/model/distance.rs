//! How far rows are from the border: |f(x)|/‖w‖.

use super::Trained;
use super::form::PlaneNorms;
use super::readout::{Readout, Scheme};
use crate::data::Task;
use crate::fit::FitContext;
use crate::hint::{Hint, Word};
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
        let norms = match self.form.plane_norms(context)? {
            PlaneNorms::Known(norms) => norms,
            PlaneNorms::Given => self.reported_norms()?,
            PlaneNorms::Slopes => {
                return Err(no_border(
                    "part of this function has no norm: its slopes are without a penalty"
                        .to_owned(),
                ));
            }
            PlaneNorms::None => {
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
