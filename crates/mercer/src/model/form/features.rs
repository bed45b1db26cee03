//! Explicit features of a kernel as coordinates.

use std::collections::HashSet;

use mercer_linalg::{Matrix, Par, Precision};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decide, Function, read_shape};
use crate::data::{Encoder, FeatureGroup, Records};
use crate::features::{BoundMap, FeatureMap};
use crate::fit::Cancel;
use crate::model::Tensors;
use crate::model::expansion::columns_read;
use crate::model::map_parts::{MapShape, from_tensors, to_tensors};
use crate::model::readout::{Readout, ReadoutShape};
use crate::{Error, Result};

/// Operations below which threads cost more than they save.
const WORTH_THREADS: f64 = 1e7;
/// What the tensors of the map begin with.
const MAP: &str = "map";

/// A feature map whose features are the coordinates of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureModel {
    /// The map.
    pub map: FeatureMap,
    /// The features of the rows that it reads.
    pub features: Vec<FeatureGroup>,
    /// What the coordinates stand for.
    pub readout: Readout,
}

#[derive(Serialize, Deserialize)]
struct Shape {
    map: MapShape,
    features: Vec<FeatureGroup>,
    readout: ReadoutShape,
}

impl Function for FeatureModel {
    const KIND: &'static str = "features";

    fn readout(&self) -> &Readout {
        &self.readout
    }

    fn width(&self) -> usize {
        self.map.width()
    }

    fn decider(&self, precision: Precision) -> Result<Box<dyn Decide>> {
        let columns: usize = self.features.iter().map(FeatureGroup::width).sum();
        Ok(Box::new(Features {
            map: self.map.bind(precision)?,
            precision,
            cost: self.map.width() as f64 * (2 * columns + 32) as f64,
        }))
    }

    fn features(&self) -> &[FeatureGroup] {
        &self.features
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        columns_read(self.map.kernel().spec(), encoder)
    }

    fn check(&self) -> Result<()> {
        self.map.check()?;
        let width: usize = self.features.iter().map(FeatureGroup::width).sum();
        let read = match &self.map {
            FeatureMap::Fourier(map) => map.shift.len(),
            FeatureMap::Sketch(map) => map.units.len(),
            FeatureMap::Landmarks(map) => map.landmarks.features.points.columns(),
        };
        if read != width {
            return Err(Error::model(format!(
                "the map reads {read} features of rows that have {width}"
            )));
        }
        self.readout.check(self.map.width())
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        let shape = Shape {
            map: to_tensors(&self.map, MAP, tensors),
            features: self.features.clone(),
            readout: self.readout.store(tensors),
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let model = Self {
            map: from_tensors(&shape.map, encoder, MAP, tensors)?,
            features: encoder.with_words(shape.features),
            readout: Readout::load(shape.readout, tensors)?,
        };
        model.check()?;
        Ok(model)
    }
}

/// Computes the features.
#[derive(Debug)]
struct Features {
    map: BoundMap,
    precision: Precision,
    /// Operations per row.
    cost: f64,
}

impl Decide for Features {
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>> {
        self.map.features_while(records, self.precision, par, &|| {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            Ok(())
        })
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        rows as f64 * self.cost >= WORTH_THREADS
    }

    fn precision(&self) -> Precision {
        self.precision
    }
}
