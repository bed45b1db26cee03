//! Components in the space of a kernel that new rows are near to or not: a decision is how much nearer than a
//! threshold a row is.

use std::collections::HashSet;

use mercer_linalg::{Matrix, Par, Precision};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decide, Function, read_shape};
use crate::data::{Encoder, FeatureGroup, Records};
use crate::fit::Cancel;
use crate::model::Tensors;
use crate::model::expansion::{KernelExpansion, ResidualPredictor};
use crate::model::readout::Readout;
use crate::{Error, Result};

/// Novelty by what kernel principal components leave of a row: f(x) = t − r(x), negative for novel rows.
#[derive(Debug, Clone, PartialEq)]
pub struct ResidualNovelty {
    /// The components.
    pub components: KernelExpansion,
    /// t, a squared distance in the space of the kernel.
    pub threshold: f64,
}

#[derive(Serialize, Deserialize)]
struct Shape {
    components: Value,
    threshold: f64,
}

impl Function for ResidualNovelty {
    const KIND: &'static str = "residual_novelty";

    fn readout(&self) -> &Readout {
        &Readout::Novelty
    }

    fn width(&self) -> usize {
        1
    }

    fn decider(&self, _precision: Precision) -> Result<Box<dyn Decide>> {
        Ok(Box::new(Residuals {
            predictor: self.components.residual_predictor()?,
            threshold: self.threshold,
        }))
    }

    fn features(&self) -> &[FeatureGroup] {
        self.components.features()
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        self.components.columns_read(encoder)
    }

    fn check(&self) -> Result<()> {
        self.components.check()?;
        let known = self.components.components.is_some();
        if !known || self.components.readout != Readout::Coordinates {
            return Err(Error::model("a residual is left by no components"));
        }
        if !self.threshold.is_finite() {
            return Err(Error::model("the threshold is not finite"));
        }
        Ok(())
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        let shape = Shape {
            components: Function::store(&self.components, tensors),
            threshold: self.threshold,
        };
        serde_json::to_value(shape).expect("a shape holds numbers and what was a value")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let model = Self {
            components: Function::load(&shape.components, encoder, tensors)?,
            threshold: shape.threshold,
        };
        model.check()?;
        Ok(model)
    }
}

/// Components and the threshold, ready.
#[derive(Debug)]
struct Residuals {
    predictor: ResidualPredictor,
    threshold: f64,
}

impl Decide for Residuals {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let mut found = self.predictor.residuals(records, par, cancel)?;
        found.iter_mut().for_each(|r| *r = self.threshold - *r);
        Ok(Matrix::from_vec(records.len(), 1, found))
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        self.predictor.is_worth_threads(rows)
    }
}
