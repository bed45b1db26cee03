//! Learning methods, one folder per family.
//!
//! A method is a parameter struct ([`Estimator`], [`Settings`]) and a line of the table
//! ([`Method`], [`METHODS`]). [`AnyEstimator`] holds any of them.

mod canonical;
mod centre;
pub mod cluster;
mod extreme;
pub mod features;
pub mod least_squares;
pub mod linear;
pub mod linear_loss;
pub mod loss;
pub mod margin;
pub mod memory;
mod method;
mod methods;
pub mod neighbours;
pub mod network;
pub mod novelty;
pub mod perceptron;
pub mod project;
mod setting;
pub mod tree;
mod usual;
pub(crate) mod work;

pub(crate) use canonical::first_equals;
pub use margin::ClassWeights;
pub use method::{Able, Estimator, Learner, Method, Parameter, PythonClass};
pub use methods::{AnyEstimator, METHODS, method_names, methods_named};
pub use setting::{Flag, Grid, Kind, Range, Search, Setting, Settings, plain};
pub(crate) use setting::{read_value, write_value};
