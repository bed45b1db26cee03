//! Models as ONNX files, which other runtimes run without mercer.
//!
//! [`to_bytes`] and [`save`] write one file that takes raw columns and gives mercer's predictions:
//! encoders, kernel, decisions, votes and probabilities are all part of the graph.
//!
//! **Forms.** Kernel expansions, linear functions, networks, projections, trees, nearest neighbours,
//! prototypes, novelty by neighbours, explicit features of kernels, and chains of a projection and a model.
//!
//! **Styles.** [`Style::Operators`] lets `SVMClassifier` or `SVMRegressor` of `ai.onnx.ml`
//! compute the decisions, in single precision. [`Style::Plain`] writes the same sums as matrix
//! products and elementary functions in double precision. [`Style::Auto`] takes the operators
//! where they give mercer's predictions: `linear`, `poly`, `rbf` with one width or `sigmoid`, one
//! decision per pair of classes, no probabilities, and coefficients for which single
//! precision is enough.
//!
//! Trees have both, too. The plain form follows all branches at once, in memory of rows times nodes, and
//! gives rows with missing values the predictions of all branches that they go to in parts.
//! `TreeEnsembleRegressor` takes one path, and a row without a value the branch of most training rows: it
//! differs there, and is taken by choice only where the tree has a branch of its own for what is missing.
//!
//! **Inputs.** A model of bare vectors has one input `X` of shape \[N, features\], double in
//! the plain form and float with operators. A model of named columns has an input of shape
//! \[N, 1\] for each column that it reads, called like the column; an underscore is added where
//! an output has that name.
//!
//! | column | input | missing |
//! |---|---|---|
//! | numeric | double | NaN |
//! | boolean | double: 0, anything else is true | NaN |
//! | categorical | string, spelt like the level | empty string |
//! | date | double: seconds since 1970-01-01 UTC | NaN |
//! | vectors | double, \[N, features\] | NaN |
//! | text whose words are features | string | empty string |
//!
//! Missing values are filled in as the model does, or taken as they are by trees and neighbours. Where the
//! model refuses them, and a graph cannot refuse, decision values are NaN; trees take missing entries of
//! vectors as they take others.
//!
//! **Outputs.**
//!
//! | model | output |
//! |---|---|
//! | classifier | `label` \[N\]: int64 where all labels are whole numbers, else string |
//! | | `decision` \[N, decisions\]: pairs (0,1), (0,2), … or one per class; a positive value speaks for the first |
//! | | `probabilities` \[N, classes\], in the order of the labels, where the model has them |
//! | regression | `prediction` \[N, numbers\] |
//! | projection | `prediction` \[N, coordinates\] |
//! | clusters | `label` \[N\]: the nearest, counted from 0; `decision` \[N, clusters\]: distances |
//! | novelty | `label` \[N\]: 1 for familiar rows, −1 for new ones; `decision` \[N, 1\] |
//!
//! Files use version 17 of `ai.onnx` and version 3 of `ai.onnx.ml`; where words of texts are
//! features, also version 1 of `com.microsoft`, which onnxruntime has. Their metadata have
//! `mercer_version`, `mercer_method`, `mercer_kernel`, `mercer_form`, and, where there are
//! such, `mercer_target` and `mercer_labels`, a JSON list.

mod answers;
mod bytes;
mod columns;
mod coupling;
mod dates;
mod decisions;
mod distance;
mod export;
mod family;
mod features;
mod graph;
mod kernel;
mod layers;
mod log_odds;
mod message;
mod near;
mod neighbours;
mod novelty;
mod operators;
mod precision;
mod product;
mod prototypes;
mod refusal;
mod residual;
mod sides;
mod tree;
mod tree_operators;
mod words;

pub use export::{Style, save, to_bytes, to_bytes_as};
