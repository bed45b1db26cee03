//! What was learnt, as a whole: raw rows in, predictions out.
//!
//! A [`Trained`] model is an encoder, a [`Form`] and the account of the fit; [`Trained::predict`]
//! predicts raw rows. [`Parts`] is a trained model as named tensors and one JSON document, which
//! is what model files hold.

#[cfg(feature = "ndarray")]
mod arrays;
mod bands;
mod distance;
mod document;
pub mod expansion;
mod form;
mod graph_parts;
mod map_parts;
mod metadata;
mod parts;
mod predictions;
mod predictor;
pub mod readout;
mod records_parts;
mod series;
mod trained;
mod v1;

pub use crate::solver::neighbours::{DistanceMetric, Found, Frame, IndexChoice, Searcher, Wanted};
pub use crate::solver::network::Activation;
pub use crate::solver::som::{Lattice, MapGrid};
pub use bands::Bands;
pub use document::FORMAT_VERSION;
pub(crate) use form::MOST_TREE_DEPTH;
pub use form::{
    ABSTAINED, CERTAIN_LOG_ODDS, Chain, Decide, FeatureModel, Form, Layer, Layers, LinearModel,
    Memory, NearestNovelty, NeighbourDistance, NeighbourModel, NeighbourRule, NeighbourTargets,
    Outputs, Projection, Prototypes, ResidualNovelty, RuleCondition, RuleTest, TreeBox, TreeColumn,
    TreeModel, TreeNodes, TreeRule, TreeShares, Votes, WeightSpread,
};
pub use metadata::Metadata;
pub use parts::{Parts, Tensor, Tensors};
pub use predictions::{Answers, Predictions};
pub use predictor::Predictor;
pub use series::{Forecast, ForecastWay, Forecasting, SeriesModel};
pub use trained::Trained;
