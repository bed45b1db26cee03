//! What theory says of an error that nobody has measured, and of one that somebody has.
//!
//! | question | answer |
//! |---|---|
//! | a model made m errors on n test rows: how many will it make? | [`intervals`] |
//! | how many test rows tell an error rate to ±ε? | [`chernoff_sample_size`] and its like |
//! | how many training rows until no function of a class deceives? | [`vc_sample_size`] |
//! | which labellings of some points can half-spaces tell apart? | [`shatter`] |
//! | what does a margin promise? | [`margin_bound`], [`soft_margin_bound`], [`fit_bounds`] |
//! | how far is a kernel of random features or landmarks off? | [`features`] |
//!
//! A bound above 1 says nothing about an error rate. It is computed all the same, and called vacuous.

mod arguments;
pub mod features;
mod fitted;
pub mod intervals;
mod margin;
mod shatter;
#[cfg(test)]
mod simulated;
mod vc;

pub use fitted::{FitBound, fit_bounds};
pub use intervals::{
    ErrorCount, Interval, Sides, binomial_interval, binomial_probability, binomial_sample_size,
    chebyshev_interval, chebyshev_sample_size, chernoff_interval, chernoff_sample_size,
    error_count,
};
pub use margin::{
    MarginSetting, SoftMarginBound, constant_called, is_vacuous, margin_bound,
    measured_margin_bound, soft_margin_bound, stability_bound,
};
pub use shatter::{MOST_POINTS, Shattering, shatter};
pub use vc::{
    Growth, finite_class_dimension, growth_function, half_space_dimension, uniform_deviation,
    vc_heuristic_sample_size, vc_sample_size,
};
