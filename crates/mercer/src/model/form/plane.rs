//! The plane that a form decides by, if it does: f(x) = ⟨w, φ(x)⟩ + b, and ‖w‖.

use super::Form;
use crate::Result;
use crate::fit::FitContext;
use crate::kernel::Input;

/// What is known of the planes of a form.
pub(in crate::model) enum PlaneNorms {
    /// ‖w‖ of every decision.
    Known(Vec<f64>),
    /// There are planes, whose norms need kernel values that the form does not have.
    Given,
    /// Part of the function has no norm: its slopes are without a penalty.
    Slopes,
    /// Decisions are not made by a plane.
    None,
}

impl Form {
    /// Measures the planes: among the features of a linear function, in the space of the kernel
    /// otherwise.
    pub(in crate::model) fn plane_norms(&self, context: &FitContext) -> Result<PlaneNorms> {
        let norm = |weights: &[f64]| weights.iter().map(|w| w * w).sum::<f64>().sqrt();
        match self {
            Self::Linear(model) => {
                let norms = (0..model.weights.rows()).map(|d| norm(model.weights.row(d)));
                Ok(PlaneNorms::Known(norms.collect()))
            }
            Self::Expansion(model) if model.slopes.is_some() => Ok(PlaneNorms::Slopes),
            Self::Expansion(model) => {
                let families = model.kernel.spec().families();
                if families.iter().any(|family| family.input == Input::Matrix) {
                    // Values between support vectors are in the matrix, which the model has not.
                    Ok(PlaneNorms::Given)
                } else {
                    model.norms(context).map(PlaneNorms::Known)
                }
            }
            _ => Ok(PlaneNorms::None),
        }
    }
}
