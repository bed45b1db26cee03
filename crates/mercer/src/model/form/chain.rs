//! A projection, and a model of its coordinates.

use std::collections::HashSet;

use mercer_linalg::{Matrix, Par, Precision};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decide, Form, Function, read_shape};
use crate::data::{Encoder, FeatureGroup, Features, Parts, Records};
use crate::fit::Cancel;
use crate::model::Tensors;
use crate::model::readout::{LeftOut, Readout};
use crate::{Error, Result};

/// What the tensors of both parts begin with.
const FIRST: &str = "projection.";
const THEN: &str = "model.";
/// Tensor with the scores of held-out rows.
const LEFT_OUT: &str = "left_out";

/// Two forms, the second of which reads the coordinates of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// Gives coordinates.
    pub projection: Box<Form>,
    /// Predicts from them.
    pub model: Box<Form>,
    /// How wrong both were on rows they had not seen, where that was measured.
    pub left_out: Option<LeftOut>,
}

impl Chain {
    /// Returns coordinates as rows that a method learns from.
    pub fn records(coordinates: Matrix<f64>) -> Records {
        Records::from_features(Features {
            groups: vec![FeatureGroup {
                source: "component".to_owned(),
                parts: Parts::Numbered(coordinates.columns()),
            }],
            points: coordinates.into(),
        })
    }
}

#[derive(Serialize, Deserialize)]
struct Shape {
    projection: Value,
    model: Value,
}

impl Function for Chain {
    const KIND: &'static str = "chain";

    fn readout(&self) -> &Readout {
        self.model.readout()
    }

    fn width(&self) -> usize {
        self.model.width()
    }

    fn decider(&self, precision: Precision) -> Result<Box<dyn Decide>> {
        Ok(Box::new(Steps {
            // Coordinates in single precision would make another model of the second.
            first: self.projection.decider(Precision::F64)?,
            then: self.model.decider(precision)?,
        }))
    }

    fn features(&self) -> &[FeatureGroup] {
        self.projection.features()
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        self.projection.columns_read(encoder)
    }

    fn check(&self) -> Result<()> {
        self.projection.check()?;
        self.model.check()?;
        let nested = |form: &Form| matches!(form, Form::Chain(_));
        if nested(&self.projection) || nested(&self.model) {
            return Err(Error::model(
                "a chain has two parts, neither of them a chain",
            ));
        }
        if *self.projection.readout() != Readout::Coordinates {
            return Err(Error::model(
                "the first part of a chain gives no coordinates",
            ));
        }
        if let Some(left_out) = &self.left_out {
            left_out.check()?;
        }
        let read: usize = self.model.features().iter().map(FeatureGroup::width).sum();
        let given = self.projection.width();
        if read != given {
            return Err(Error::model(format!(
                "the model reads {read} features; the projection gives {given} coordinates"
            )));
        }
        Ok(())
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        if let Some(left_out) = &self.left_out {
            tensors.add_f64(LEFT_OUT, left_out.scores().to_vec());
        }
        let mut part = |form: &Form, prefix: &str| {
            let mut own = Tensors::default();
            let shape = form.store(&mut own);
            for (name, tensor) in own.0 {
                tensors.0.insert(format!("{prefix}{name}"), tensor);
            }
            shape
        };
        let shape = Shape {
            projection: part(&self.projection, FIRST),
            model: part(&self.model, THEN),
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        for part in [&shape.projection, &shape.model] {
            // A chain of chains would be read as deep as a file says.
            if part["kind"].as_str() == Some(Self::KIND) {
                return Err(Error::model(
                    "a chain has two parts, neither of them a chain",
                ));
            }
        }
        let mut part = |shape: &Value, prefix: &str| {
            let mut own = Tensors::default();
            let names: Vec<String> = tensors.0.keys().cloned().collect();
            for name in names {
                if let Some(short) = name.strip_prefix(prefix)
                    && let Some(tensor) = tensors.0.remove(&name)
                {
                    own.0.insert(short.to_owned(), tensor);
                }
            }
            Form::load(shape, encoder, &mut own)
        };
        let (projection, then) = (part(&shape.projection, FIRST)?, part(&shape.model, THEN)?);
        let scores = tensors.0.contains_key(LEFT_OUT);
        let scores = scores.then(|| tensors.take_f64(LEFT_OUT)).transpose()?;
        let model = Self {
            projection: Box::new(projection),
            model: Box::new(then),
            left_out: scores.map(|scores| LeftOut::from_parts(scores, None, None)),
        };
        Function::check(&model)?;
        Ok(model)
    }
}

/// Both parts, ready.
#[derive(Debug)]
struct Steps {
    first: Box<dyn Decide>,
    then: Box<dyn Decide>,
}

impl Decide for Steps {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        let coordinates = self.first.decisions(records, par, cancel)?;
        self.then
            .decisions(&Chain::records(coordinates), par, cancel)
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        self.first.is_worth_threads(rows) || self.then.is_worth_threads(rows)
    }

    fn precision(&self) -> Precision {
        self.then.precision()
    }
}
