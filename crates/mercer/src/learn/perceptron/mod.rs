//! The perceptron: a weight vector that learns from its mistakes.
//!
//! Rows are visited one after the other, in passes. A row whose value f(x) = ⟨w, x⟩ + b has the
//! wrong sign is a mistake and is added to the weights:
//!
//! ```text
//! w ← w − η (A(f(x)) − t) x,   A(f) = 1 for f > 0 and 0 for f < 0,   t = 1 or 0 the class
//! ```
//!
//! which is w ← w + η y x with y = ±1. Where some weights separate the classes with margin γ and
//! ‖(1, x)‖ ≤ R, there are at most (R/γ)² mistakes from w = 0 on, whatever the order of the rows.
//!
//! `settings` has the parameters, `passes` the loop over rows. It works on a `Space`: `primal` keeps
//! one weight per feature, `dual` one coefficient per row under any kernel. `visits` says which row
//! comes when and how far it moves the weights, `bound` computes (R/γ)², `fit` makes models of it.

mod bound;
mod dual;
mod fit;
mod passes;
mod primal;
mod python;
mod settings;
mod table;
#[cfg(test)]
mod tests;
mod visits;

pub use settings::{AtZero, Penalty, Perceptron, Variant};
