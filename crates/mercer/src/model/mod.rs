//! What was learnt, as a whole: raw rows in, answers out.
//!
//! A [`Recipe`] turns a table into a [`Trained`] model; [`Trained::predict`] answers for
//! raw rows. [`Parts`] is a trained model as named tensors and one JSON document, which is
//! what model files hold.

mod bands;
mod columns_read;
mod estimator;
mod graph_parts;
mod parts;
mod predictions;
mod predictor;
mod recipe;
mod records_parts;
mod store;
mod trained;
mod upright;
mod usual;

pub use bands::Bands;
pub use estimator::{AnyEstimator, ESTIMATORS};
pub use parts::{Parts, Tensor, Tensors};
pub use predictions::{Answers, Predictions};
pub use predictor::Predictor;
pub use recipe::{Prepared, Recipe};
pub use store::{FORMAT_VERSION, Metadata};
pub use trained::{AnyModel, Trained};
