//! How good answers are, and how far that can be trusted.
//!
//! [`metrics`] are plain functions of truth and answer. [`score_classification`],
//! [`score_regression`] and [`score_novelty`] put them together with confidence intervals.
//! [`intervals`] hold the laws behind an error rate: exact binomial, Chernoff, Chebyshev.
//!
//! | metric | interval |
//! |---|---|
//! | accuracy, error, detection and false-alarm rate | exact binomial |
//! | balanced accuracy | exact binomial per class, joined by the square-and-add rule |
//! | ROC AUC | Newcombe's score form of the variance by Hanley and `McNeil` |
//! | macro F1, MCC | posterior of the confusion matrix |
//! | log loss, Brier, MSE, RMSE, MAE, R² | bootstrap |
//!
//! Weighted rows are not independent trials: with weights every interval is a bootstrap.

mod classification;
mod confusion;
pub mod intervals;
pub mod metrics;
mod novelty;
mod rates;
mod regression;
mod resample;
mod scores;
mod special;

pub use classification::{ClassAnswers, score_classification};
pub use confusion::ConfusionMatrix;
pub use intervals::Interval;
pub use novelty::score_novelty;
pub use regression::score_regression;
pub use scores::{Metric, Metrics, Scores};
pub use special::normal_quantile;
