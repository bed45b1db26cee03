//! A model of a series as a part of a document, and back.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SeriesModel;
use crate::data::Encoder;
use crate::data::series::Windows;
use crate::model::{Form, Outputs, Tensors};
use crate::{Error, Result};

/// What the document of a model says of its series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::model) struct SeriesDocument {
    /// How rows become windows.
    pub(in crate::model) windows: Windows,
    /// The functions of the steps beyond the first; large arrays are tensors.
    later: Vec<Value>,
}

/// The name of what belongs to a step, counted from 1.
fn prefix(step: usize) -> String {
    format!("step{step}.")
}

impl SeriesModel {
    /// Puts large arrays among the tensors and returns the rest.
    pub(in crate::model) fn store(&self, tensors: &mut Tensors) -> SeriesDocument {
        for (step, residuals) in self.residuals.iter().enumerate() {
            let name = format!("{}residuals", prefix(step + 1));
            tensors.add_f64(&name, residuals.clone());
        }
        let mut later = Vec::new();
        for (place, form) in self.later.iter().enumerate() {
            let mut own = Tensors::default();
            later.push(form.store(&mut own));
            let named = own.0.into_iter();
            let named = named.map(|(name, tensor)| (prefix(place + 2) + &name, tensor));
            tensors.0.extend(named);
        }
        SeriesDocument {
            windows: self.windows.clone(),
            later,
        }
    }
}

impl SeriesDocument {
    /// Takes the tensors back.
    ///
    /// # Errors
    /// [`Error::Model`] naming the first rule that is broken.
    pub(in crate::model) fn load(
        self,
        encoder: &Encoder,
        tensors: &mut Tensors,
    ) -> Result<SeriesModel> {
        let windows = self.windows;
        let horizon = self.later.len() + 1;
        if windows.horizon != horizon {
            return Err(Error::model(format!(
                "a horizon of {} steps has {horizon} functions",
                windows.horizon
            )));
        }
        let mut names = windows.names().into_iter();
        let mut known = encoder.columns().iter();
        if windows.longest() == 0 || !names.all(|name| known.any(|column| column.name == name)) {
            return Err(Error::model(
                "the windows of the series are not the columns of the encoder",
            ));
        }
        let mut residuals = Vec::new();
        for step in 1..=horizon {
            let name = format!("{}residuals", prefix(step));
            let own = tensors.take_f64(&name)?;
            if !own.iter().all(|r| r.is_finite()) {
                return Err(Error::model(format!("tensor `{name}` is not finite")));
            }
            residuals.push(own);
        }
        let mut later = Vec::new();
        for (place, shape) in self.later.iter().enumerate() {
            let prefix = prefix(place + 2);
            let mut own = Tensors::default();
            let names: Vec<String> = tensors.0.keys().cloned().collect();
            for name in names {
                if let Some(short) = name.strip_prefix(&prefix) {
                    own.0.insert(short.to_owned(), tensors.take(&name)?);
                }
            }
            // What the first step claims is held against its tensors before it is loaded; dense
            // rows prove their width themselves.
            if shape["support"]["sparse"] == Value::Bool(true) {
                return Err(Error::model(
                    "the rows of a series are stored without zeros",
                ));
            }
            let form = Form::load(shape, encoder, &mut own)?;
            if let Some(name) = own.0.keys().next() {
                return Err(Error::model(format!(
                    "tensor `{prefix}{name}` belongs to nothing"
                )));
            }
            if !matches!(form.outputs(), Outputs::Values { count: 1 }) {
                return Err(Error::model("a step of a series does not predict a number"));
            }
            later.push(form);
        }
        Ok(SeriesModel {
            windows,
            later,
            residuals,
        })
    }
}
