//! Neighbours in files.

use std::collections::HashSet;

use mercer_linalg::Precision;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::decide::NeighbourDecider;
use super::{NeighbourDistance, NeighbourModel, NeighbourRule, NeighbourTargets, Votes};
use crate::data::{Encoder, FeatureGroup};
use crate::kernel::ResolvedKernel;
use crate::model::Tensors;
use crate::model::expansion::columns_read;
use crate::model::form::{Decide, Function, read_shape};
use crate::model::readout::{Readout, ReadoutShape};
use crate::model::records_parts::{RecordsShape, from_tensors, to_tensors};
use crate::solver::neighbours::{DistanceMetric, Frame, IndexChoice, Scaling};
use crate::{Error, Result};

#[derive(Serialize, Deserialize)]
struct Shape {
    rows: RecordsShape,
    neighbours: usize,
    votes: Votes,
    rule: NeighbourRule,
    distance: DistanceShape,
    index: IndexChoice,
    readout: ReadoutShape,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum DistanceShape {
    Columns {
        metric: DistanceMetric,
        scaling: Scaling,
        codes: Vec<String>,
    },
    Kernel {
        kernel: String,
    },
}

impl Function for NeighbourModel {
    const KIND: &'static str = "neighbours";

    fn readout(&self) -> &Readout {
        &self.readout
    }

    fn width(&self) -> usize {
        match (&self.targets, self.class_count()) {
            (NeighbourTargets::Values(values), _) => values.rows(),
            (_, 2) => 1,
            (_, classes) => classes,
        }
    }

    fn decider(&self, _precision: Precision) -> Result<Box<dyn Decide>> {
        Ok(Box::new(NeighbourDecider::new(self)?))
    }

    fn features(&self) -> &[FeatureGroup] {
        &self.rows.features.groups
    }

    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        match (&self.distance, self.rule) {
            (NeighbourDistance::Kernel(kernel), NeighbourRule::Nearest) => {
                columns_read(kernel.spec(), encoder)
            }
            (NeighbourDistance::Columns(frame), NeighbourRule::Nearest) => {
                // A column of weight 0 has no say.
                let mut silent = HashSet::new();
                let mut start = 0;
                for group in &self.rows.features.groups {
                    let end = start + group.width();
                    let weights = frame.weights.get(start..end).unwrap_or_default();
                    if weights.iter().all(|w| *w == 0.0) && !frame.codes.contains(&group.source) {
                        silent.insert(group.source.as_str());
                    }
                    start = end;
                }
                for (source, weight) in frame.codes.iter().zip(&frame.code_weights) {
                    if *weight == 0.0 {
                        silent.insert(source.as_str());
                    }
                }
                let names = encoder.columns().iter().map(|column| column.name.as_str());
                names.filter(|name| !silent.contains(name)).collect()
            }
            (_, NeighbourRule::Equal) => {
                let names = encoder.columns().iter().map(|column| column.name.as_str());
                names.collect()
            }
        }
    }

    fn check(&self) -> Result<()> {
        let n = self.rows.len();
        if n == 0 {
            return Err(Error::model("there is no row to be a neighbour"));
        }
        if self.neighbours == 0 {
            return Err(Error::model("no neighbour is asked"));
        }
        let width = Function::width(self);
        self.readout.check(width)?;
        let fits = match (&self.targets, &self.readout) {
            (NeighbourTargets::Classes(codes), Readout::Classes(classes)) => {
                let count = classes.labels.len();
                codes.len() == n && codes.iter().all(|code| (*code as usize) < count)
            }
            (NeighbourTargets::Values(values), Readout::Values) => {
                let finite = values.as_slice().iter().all(|value| value.is_finite());
                values.columns() == n && values.rows() > 0 && finite
            }
            _ => false,
        };
        if !fits {
            return Err(Error::model(
                "the rows and their targets do not fit together",
            ));
        }
        let positive = |weight: &f64| weight.is_finite() && *weight > 0.0;
        if let Some(weights) = &self.weights
            && !(weights.len() == n && weights.iter().all(positive))
        {
            return Err(Error::model("the rows have no positive weight each"));
        }
        let points = &self.rows.features.points;
        if points.first_infinite().is_some() {
            return Err(Error::model("a row is infinite"));
        }
        match (&self.distance, self.rule) {
            (NeighbourDistance::Columns(frame), NeighbourRule::Nearest) => {
                frame.check()?;
                let present = |source: &String| self.rows.codes.iter().any(|c| c.source == *source);
                if frame.width() != points.columns() || !frame.codes.iter().all(present) {
                    return Err(Error::model("scales and columns do not fit together"));
                }
                let gaps = points.first_not_finite().is_some();
                let needs_all = frame.whitening.is_some() || frame.metric == DistanceMetric::Cosine;
                if gaps && needs_all {
                    return Err(Error::model(
                        "a row has gaps, which its distance cannot have",
                    ));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn store(&self, tensors: &mut Tensors) -> Value {
        let rows = to_tensors(&self.rows, "rows", tensors);
        match &self.targets {
            NeighbourTargets::Classes(codes) => tensors.add_u32("classes", codes.clone()),
            NeighbourTargets::Values(values) => tensors.add_matrix("values", values),
        }
        if let Some(weights) = &self.weights {
            tensors.add_f64("weights", weights.clone());
        }
        let distance = match &self.distance {
            NeighbourDistance::Columns(frame) => {
                for (name, list) in lists(frame) {
                    tensors.add_f64(name, list.clone());
                }
                if let Some(whitening) = &frame.whitening {
                    tensors.add_matrix("frame.whitening", whitening);
                }
                DistanceShape::Columns {
                    metric: frame.metric,
                    scaling: frame.scaling,
                    codes: frame.codes.clone(),
                }
            }
            NeighbourDistance::Kernel(kernel) => DistanceShape::Kernel {
                kernel: kernel.to_string(),
            },
        };
        let shape = Shape {
            rows,
            neighbours: self.neighbours,
            votes: self.votes,
            rule: self.rule,
            distance,
            index: self.index,
            readout: self.readout.store(tensors),
        };
        serde_json::to_value(shape).expect("a shape holds strings, numbers and lists")
    }

    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let shape: Shape = read_shape(shape)?;
        let rows = from_tensors(&shape.rows, encoder, "rows", tensors)?;
        let targets = if tensors.0.contains_key("values") {
            NeighbourTargets::Values(tensors.take_matrix("values")?)
        } else {
            NeighbourTargets::Classes(tensors.take_u32("classes")?)
        };
        let weighted = tensors.0.contains_key("weights");
        let weights = weighted.then(|| tensors.take_f64("weights")).transpose()?;
        let distance = match shape.distance {
            DistanceShape::Kernel { kernel } => {
                let kernel = kernel.parse::<ResolvedKernel>();
                let kernel = kernel.map_err(|e| Error::model(format!("kernel: {e}")))?;
                NeighbourDistance::Kernel(kernel)
            }
            DistanceShape::Columns {
                metric,
                scaling,
                codes,
            } => {
                let whitening = (scaling == Scaling::Whiten)
                    .then(|| tensors.take_matrix("frame.whitening"))
                    .transpose()?;
                NeighbourDistance::Columns(Frame {
                    metric,
                    scaling,
                    shift: tensors.take_f64("frame.shift")?,
                    scale: tensors.take_f64("frame.scale")?,
                    low: tensors.take_f64("frame.low")?,
                    high: tensors.take_f64("frame.high")?,
                    weights: tensors.take_f64("frame.weights")?,
                    codes,
                    code_weights: tensors.take_f64("frame.code_weights")?,
                    whitening,
                })
            }
        };
        let model = Self {
            rows,
            targets,
            weights,
            neighbours: shape.neighbours,
            votes: shape.votes,
            rule: shape.rule,
            distance,
            index: shape.index,
            readout: Readout::load(shape.readout, tensors)?,
        };
        model.check()?;
        Ok(model)
    }
}

/// The lists of a frame, by the names of their tensors.
fn lists(frame: &Frame) -> [(&'static str, &Vec<f64>); 6] {
    [
        ("frame.shift", &frame.shift),
        ("frame.scale", &frame.scale),
        ("frame.low", &frame.low),
        ("frame.high", &frame.high),
        ("frame.weights", &frame.weights),
        ("frame.code_weights", &frame.code_weights),
    ]
}
