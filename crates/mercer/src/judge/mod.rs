//! How good predictions are, and how far that can be trusted.
//!
//! [`METRICS`] lists every metric once, with its names, its meaning and which way is better;
//! [`metrics`] are plain functions of truth and prediction. [`score_classification`],
//! [`score_regression`] and [`score_novelty`] put them together with confidence intervals, and
//! [`score`] holds the predictions of a model against the [`Truth`].
//! [`compare`] sets them beside a [`Constant`], the prediction that looks at no feature.
//! [`Paired`] tells whether two models on the same folds differ by more than chance.
//! [`bounds`] say what theory knows of an error: intervals and test sizes (exact binomial, Chernoff,
//! Chebyshev), VC dimension, margins. [`plane_margins`] measures a given plane, [`reject_curve`] what it
//! costs to predict only where a model is sure, [`description_lengths`] hypotheses in bits, and
//! [`over_and_underfit`] reads a validation curve, [`read_validation`] one with the scores of its folds,
//! [`more_rows`] a learning curve. [`Chance`] is the permutation test. [`Coverage`] tells how often intervals and
//! sets held the truth.
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

mod banded;
mod baseline;
pub mod bounds;
mod chance;
mod classification;
mod confusion;
mod constant;
mod coverage;
mod curve;
mod description;
mod drift;
mod groups;
mod learning;
mod measure;
mod metric;
pub mod metrics;
mod novelty;
mod paired;
mod plane;
mod rates;
mod regression;
mod reject;
mod resample;
mod scores;
mod searched;
mod threshold;
mod truth;
mod unheard;
mod units;

pub use banded::Banded;
pub use baseline::{Baseline, Verdict, asked, compare};
pub use bounds::intervals::{self, Interval};
pub use chance::Chance;
pub use classification::{ClassAnswers, score_classification};
pub use confusion::ConfusionMatrix;
pub use constant::Constant;
pub use coverage::{Coverage, CoveragePart, interval_coverage, set_coverage};
pub use curve::{
    CurveVerdict, SizeVerdict, ValidationVerdict, ValueVerdict, over_and_underfit, read_validation,
};
pub use description::{Description, description_lengths, prior_entropy};
pub use drift::{ColumnDrift, drift};
pub use groups::{GroupScores, score_groups};
pub use learning::{LearningVerdict, MoreRows, Scoring, more_rows};
pub use measure::{measure, more_metrics, pinball_loss};
pub use metric::{Better, METRICS, Metric, MetricEntry};
pub use novelty::score_novelty;
pub use paired::{FoldMean, Paired, fold_mean, holm};
pub use plane::{PlaneMargins, plane_margins};
pub use regression::{score_regression, score_several};
pub use reject::{RejectPoint, reject_curve, reject_curve_of};
pub use scores::{Metrics, OutputScores, Score, Scores};
pub use searched::of_search;
pub use threshold::{ChosenThreshold, ThresholdRule, choose_threshold};
pub use truth::{CONFIDENCE, Truth, score};
pub use unheard::unheard;
pub(crate) use units::mean_and_deviation;

pub use crate::special::normal_quantile;
