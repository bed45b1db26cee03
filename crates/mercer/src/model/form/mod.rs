//! What a method learns, by its form: one file each.
//!
//! A form computes decision values for records and knows what they stand for ([`Readout`]). It
//! stores itself as tensors and a JSON object, and checks every rule between its fields when it is
//! read again.

mod chain;
mod features;
mod in_blocks;
mod kinds;
mod layers;
mod linear;
mod memory;
mod nearest;
mod neighbours;
mod plane;
mod projection;
mod prototypes;
mod residual;
mod spread;
mod tree;

pub use chain::Chain;
pub use features::FeatureModel;
pub use layers::{Layer, Layers};
pub use linear::LinearModel;
pub use memory::Memory;
pub use nearest::NearestNovelty;
pub use neighbours::{
    ABSTAINED, NeighbourDistance, NeighbourModel, NeighbourRule, NeighbourTargets, Votes,
};
pub(super) use plane::PlaneNorms;
pub use projection::Projection;
pub use prototypes::Prototypes;
pub use residual::ResidualNovelty;
pub use spread::WeightSpread;
pub(crate) use tree::MOST_DEPTH as MOST_TREE_DEPTH;
pub use tree::{
    RuleCondition, RuleTest, TreeBox, TreeColumn, TreeModel, TreeNodes, TreeRule, TreeShares,
};

use std::collections::HashSet;

use mercer_linalg::{Matrix, Par, Precision};
use serde_json::Value;

use super::Tensors;
use super::expansion::KernelExpansion;
use super::readout::Readout;
use crate::data::{Encoder, FeatureGroup, Records, Task};
use crate::features::FeatureMap;
use crate::fit::{Cancel, Fitted};
use crate::{Error, Result};

/// Log-odds of what is certain: 1 − 1/(1 + e⁻⁴⁰) is below the rounding of 1.
pub const CERTAIN_LOG_ODDS: f64 = 40.0;

/// ln(p / (1 − p)), within what is certain.
fn log_odds(p: f64) -> f64 {
    // Shares of parts may add up to a rounding above 1.
    let p = p.clamp(0.0, 1.0);
    (p / (1.0 - p))
        .ln()
        .clamp(-CERTAIN_LOG_ODDS, CERTAIN_LOG_ODDS)
}

/// What was learnt.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A function in the space of a kernel.
    Expansion(KernelExpansion),
    /// A weight per feature.
    Linear(LinearModel),
    /// Rows that stand for others.
    Prototypes(Prototypes),
    /// Layers of gates.
    Layers(Layers),
    /// Tests of single columns, one after another.
    Tree(TreeModel),
    /// Coordinates along axes.
    Projection(Projection),
    /// A projection, and a model of its coordinates.
    Chain(Chain),
    /// Rows that are kept, the nearest of which vote.
    Neighbours(NeighbourModel),
    /// Patterns that rows fall into.
    Memory(Memory),
    /// Rows that new ones are near to or not.
    Nearest(NearestNovelty),
    /// Components in the space of a kernel that rows are near to or not.
    Residual(ResidualNovelty),
    /// Explicit features of a kernel.
    Features(FeatureModel),
}

/// What every form can do.
pub(crate) trait Function: Sized {
    /// The name in files.
    const KIND: &'static str;

    /// What the decisions stand for.
    fn readout(&self) -> &Readout;

    /// How many decision values a row gets.
    fn width(&self) -> usize;

    /// Prepares the computation of decisions.
    fn decider(&self, precision: Precision) -> Result<Box<dyn Decide>>;

    /// The features that records must have.
    fn features(&self) -> &[FeatureGroup];

    /// The encoded columns that have a say.
    fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str>;

    /// Checks every rule that ties the fields together.
    fn check(&self) -> Result<()>;

    /// Puts large arrays into tensors and returns the rest.
    fn store(&self, tensors: &mut Tensors) -> Value;

    /// Takes the tensors back; checks that fields and features fit together.
    fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self>;
}

/// A form prepared to compute decisions, from many threads at once.
pub trait Decide: Send + Sync + std::fmt::Debug {
    /// Returns one row of decision values per record.
    ///
    /// # Errors
    /// Records of another shape; cancellation.
    fn decisions(&self, records: &Records, par: Par, cancel: &Cancel) -> Result<Matrix<f64>>;

    /// Returns whether that many rows are worth starting threads for.
    fn is_worth_threads(&self, rows: usize) -> bool;

    /// Returns the precision in which most of the work is done.
    fn precision(&self) -> Precision {
        Precision::F64
    }
}

/// What a model tells of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outputs {
    /// A class.
    Classes {
        /// The labels; their order is the class code.
        labels: Vec<String>,
        /// Whether each comes with a probability.
        probabilities: bool,
    },
    /// Numbers.
    Values {
        /// How many.
        count: usize,
    },
    /// Whether it is unlike the training rows.
    Novelty,
    /// The cluster it belongs to.
    Clusters {
        /// How many there are.
        count: usize,
    },
    /// Where it lies in fewer dimensions.
    Coordinates {
        /// How many there are.
        width: usize,
    },
}

/// Does the same with whatever form it is.
macro_rules! each {
    ($form:expr, $bound:ident => $what:expr) => {
        match $form {
            Form::Expansion($bound) => $what,
            Form::Linear($bound) => $what,
            Form::Prototypes($bound) => $what,
            Form::Layers($bound) => $what,
            Form::Tree($bound) => $what,
            Form::Projection($bound) => $what,
            Form::Chain($bound) => $what,
            Form::Neighbours($bound) => $what,
            Form::Memory($bound) => $what,
            Form::Nearest($bound) => $what,
            Form::Residual($bound) => $what,
            Form::Features($bound) => $what,
        }
    };
}

impl Form {
    /// Returns what the decisions stand for.
    pub fn readout(&self) -> &Readout {
        each!(self, m => m.readout())
    }

    /// Returns the task that predictions are for.
    pub fn task(&self) -> Task {
        match self {
            // The recalled row is no target that was learnt from.
            Self::Memory(_) => Task::Embed,
            _ => self.readout().task(),
        }
    }

    /// Returns how many decision values a row gets.
    pub fn width(&self) -> usize {
        each!(self, m => m.width())
    }

    /// Returns what the model tells of a row.
    pub fn outputs(&self) -> Outputs {
        match self.readout() {
            Readout::Classes(classes) => Outputs::Classes {
                labels: classes.labels.clone(),
                probabilities: self.readout().has_probabilities(),
            },
            Readout::Values => Outputs::Values {
                count: self.width(),
            },
            Readout::Novelty => Outputs::Novelty,
            Readout::Clusters => Outputs::Clusters {
                count: self.width(),
            },
            Readout::Coordinates => Outputs::Coordinates {
                width: self.width(),
            },
        }
    }

    /// Returns the constants of the decisions; `None` for forms without any.
    pub fn biases(&self) -> Option<&[f64]> {
        match self {
            Self::Expansion(model) => Some(&model.biases),
            Self::Linear(model) => Some(&model.biases),
            Self::Layers(model) => model.layers.last().map(|layer| layer.biases.as_slice()),
            Self::Chain(model) => model.model.biases(),
            Self::Prototypes(_)
            | Self::Tree(_)
            | Self::Projection(_)
            | Self::Neighbours(_)
            | Self::Memory(_)
            | Self::Nearest(_)
            | Self::Residual(_)
            | Self::Features(_) => None,
        }
    }

    /// Returns the feature map, where it is one.
    pub fn feature_map(&self) -> Option<&FeatureMap> {
        self.mapped().map(|model| &model.map)
    }

    /// Moves the threshold of a novelty detector: decisions are this much smaller afterwards.
    ///
    /// # Errors
    /// A model that detects no novelty.
    pub fn shift_novelty(&mut self, by: f64) -> Result<()> {
        match self {
            Self::Expansion(model) if model.readout == Readout::Novelty => {
                for bias in &mut model.biases {
                    *bias -= by;
                }
            }
            Self::Nearest(model) => model.threshold -= by,
            Self::Residual(model) => model.threshold -= by,
            _ => {
                return Err(Error::Unsupported {
                    what: "the model has no threshold of novelty".to_owned(),
                    cure: "give a model for the task `novelty`".into(),
                });
            }
        }
        Ok(())
    }

    /// Returns the kernel as an expression; `None` for forms without one.
    pub fn kernel_text(&self) -> Option<String> {
        match self {
            Self::Expansion(model) => Some(model.kernel.to_string()),
            Self::Residual(model) => Some(model.components.kernel.to_string()),
            Self::Chain(model) => model.model.kernel_text(),
            Self::Neighbours(model) => model.kernel().map(ToString::to_string),
            Self::Features(model) => Some(model.map.kernel().to_string()),
            _ => None,
        }
    }

    /// Returns the rows that the form keeps, such as support vectors.
    pub fn rows_kept(&self) -> Option<&Records> {
        match self {
            Self::Expansion(model) => Some(&model.support),
            Self::Prototypes(model) => Some(&model.rows),
            Self::Neighbours(model) => Some(&model.rows),
            Self::Nearest(model) => Some(&model.rows),
            Self::Residual(model) => Some(&model.components.support),
            Self::Features(model) => match &model.map {
                FeatureMap::Landmarks(map) => Some(&map.landmarks),
                FeatureMap::Fourier(_) | FeatureMap::Sketch(_) => None,
            },
            Self::Linear(_)
            | Self::Layers(_)
            | Self::Tree(_)
            | Self::Projection(_)
            | Self::Chain(_)
            | Self::Memory(_) => None,
        }
    }

    /// Returns how many parts the form is made of, and what they are.
    pub fn size(&self) -> (usize, &'static str) {
        match self {
            Self::Expansion(model) => (model.support.len(), "support vectors"),
            Self::Linear(model) => {
                let weights = model.weights.as_slice().iter();
                (weights.filter(|w| **w != 0.0).count(), "weights")
            }
            Self::Prototypes(model) => (model.rows.len(), "rows"),
            Self::Layers(model) => (model.parameters(), "weights"),
            Self::Tree(model) => (model.nodes.leaves(), "leaves"),
            Self::Projection(model) => (model.scales.len(), "components"),
            Self::Chain(model) => model.model.size(),
            Self::Neighbours(model) => (model.rows.len(), "rows"),
            Self::Memory(model) => (model.weights.as_slice().len(), "weights"),
            Self::Nearest(model) => (model.rows.len(), "rows"),
            Self::Residual(model) => (model.components.decisions(), "components"),
            Self::Features(model) => (model.map.width(), "features"),
        }
    }

    /// Returns the kernel expansion for what only one can be used for.
    ///
    /// # Errors
    /// A form of another kind; `what` begins the sentence, such as "LIBSVM's format holds".
    pub fn need_expansion(&self, what: &str) -> Result<&KernelExpansion> {
        self.expansion().ok_or_else(|| Error::Unsupported {
            what: format!(
                "{what} functions of a kernel; this model is of the form `{}`",
                self.kind()
            ),
            cure: "use a method with a kernel, such as `svc` or `krr`".into(),
        })
    }

    /// The kernel expansion that a fit starts from.
    pub(crate) fn to_start_from(&self) -> Result<&KernelExpansion> {
        self.need_expansion("a fit starts from")
    }

    /// Returns the name of the form in files.
    pub fn kind(&self) -> &'static str {
        fn of<F: Function>(_: &F) -> &'static str {
            F::KIND
        }
        each!(self, m => of(m))
    }

    /// Prepares the computation of decisions.
    ///
    /// # Errors
    /// Fields that cannot be used, such as a kernel that does not read the support vectors.
    pub fn decider(&self, precision: Precision) -> Result<Box<dyn Decide>> {
        each!(self, m => m.decider(precision))
    }

    /// Returns the features that records must have.
    pub fn features(&self) -> &[FeatureGroup] {
        each!(self, m => m.features())
    }

    /// Says where the features of a model come from, where other columns take their place.
    pub fn name_features(&mut self, groups: Vec<FeatureGroup>) {
        match self {
            Self::Expansion(model) => model.support.features.groups = groups,
            Self::Linear(model) => model.features = groups,
            Self::Layers(model) => model.features = groups,
            Self::Prototypes(model) => model.rows.features.groups = groups,
            Self::Nearest(model) => model.rows.features.groups = groups,
            Self::Residual(model) => model.components.support.features.groups = groups,
            Self::Tree(model) => model.features = groups,
            Self::Projection(model) => model.features = groups,
            Self::Chain(model) => model.projection.name_features(groups),
            Self::Neighbours(model) => model.rows.features.groups = groups,
            Self::Memory(model) => model.features = groups,
            Self::Features(model) => {
                if let FeatureMap::Landmarks(map) = &mut model.map {
                    map.landmarks.features.groups.clone_from(&groups);
                }
                model.features = groups;
            }
        }
    }

    /// Returns the encoded columns that have a say.
    pub(super) fn columns_read<'a>(&self, encoder: &'a Encoder) -> HashSet<&'a str> {
        each!(self, m => m.columns_read(encoder))
    }

    /// Checks every rule that ties the fields together.
    ///
    /// # Errors
    /// [`Error::Model`] naming the broken rule.
    pub fn check(&self) -> Result<()> {
        each!(self, m => m.check())
    }

    /// Puts large arrays into tensors and returns the rest, tagged by the form's name.
    pub(crate) fn store(&self, tensors: &mut Tensors) -> Value {
        let mut shape = each!(self, m => m.store(tensors));
        shape["kind"] = self.kind().into();
        shape
    }

    /// Puts a form together again.
    pub(crate) fn load(shape: &Value, encoder: &Encoder, tensors: &mut Tensors) -> Result<Self> {
        let kind = shape["kind"].as_str().unwrap_or_default();
        match kind {
            KernelExpansion::KIND => Function::load(shape, encoder, tensors).map(Self::Expansion),
            LinearModel::KIND => Function::load(shape, encoder, tensors).map(Self::Linear),
            Prototypes::KIND => Function::load(shape, encoder, tensors).map(Self::Prototypes),
            Layers::KIND => Function::load(shape, encoder, tensors).map(Self::Layers),
            TreeModel::KIND => Function::load(shape, encoder, tensors).map(Self::Tree),
            Projection::KIND => Function::load(shape, encoder, tensors).map(Self::Projection),
            Chain::KIND => Function::load(shape, encoder, tensors).map(Self::Chain),
            NeighbourModel::KIND => Function::load(shape, encoder, tensors).map(Self::Neighbours),
            Memory::KIND => Function::load(shape, encoder, tensors).map(Self::Memory),
            NearestNovelty::KIND => Function::load(shape, encoder, tensors).map(Self::Nearest),
            ResidualNovelty::KIND => Function::load(shape, encoder, tensors).map(Self::Residual),
            FeatureModel::KIND => Function::load(shape, encoder, tensors).map(Self::Features),
            _ => Err(Error::Unsupported {
                what: format!(
                    "the model is of the form `{kind}`, which this program does not know"
                ),
                cure: "install a newer mercer".into(),
            }),
        }
    }
}

/// Reads a JSON object of a stored form.
pub(super) fn read_shape<T: serde::de::DeserializeOwned>(shape: &Value) -> Result<T> {
    serde_json::from_value(shape.clone()).map_err(|e| Error::model(format!("metadata: {e}")))
}

impl<M: Into<Form>> Fitted<M> {
    /// The same with the model as a form.
    pub fn into_form(self) -> Fitted<Form> {
        Fitted {
            model: self.model.into(),
            report: self.report,
        }
    }
}
