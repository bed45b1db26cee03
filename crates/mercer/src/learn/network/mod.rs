//! Networks of gates: multilayer perceptrons, radial basis functions, and two that are constructed.
//!
//! [`Mlp`] learns layers of sigmoids, hyperbolic tangents, rectifiers or linear gates by
//! backpropagation; [`RbfNet`] puts Gaussians around the centres of k-means and weighs them by
//! least squares. [`truth_table`] builds a network of thresholds for any Boolean function,
//! [`staircase`] one of sigmoids for any continuous function of one variable: nothing is learnt there,
//! they show what a single hidden layer is able to. [`of_truth_table`] and [`of_function`] do so for the rows of a table,
//! and [`constructed`] makes a model of the network.

mod choices;
mod construct;
mod fit;
mod mlp;
mod outputs;
mod python;
mod rbf_net;
mod staircase;
mod table;
#[cfg(test)]
mod tests;
mod train;
mod truth_table;

pub use choices::{NetworkLoss, NetworkSchedule, NetworkSolver};
pub use construct::{Approximation, Fineness, constructed, of_function, of_truth_table};
pub use mlp::Mlp;
pub use rbf_net::RbfNet;
pub use staircase::staircase;
pub use truth_table::truth_table;
