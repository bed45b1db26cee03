//! Feed-forward networks: the loss, its gradient, and ways down it.
//!
//! Layer l computes a_l = A_l(a_{l−1} W_l + b_l) for every row, a_0 the row itself. With the loss E
//! and d_l = ∂E/∂net_l of every row, backpropagation is
//!
//! ```text
//! d_{l−1} = d_l W_lᵀ ∘ A'_{l−1},   ∂E/∂W_l = a_{l−1}ᵀ d_l,   ∂E/∂b_l = Σ d_l
//! ```
//!
//! (Rumelhart, Hinton and Williams, Learning representations by back-propagating errors, 1986.)
//!
//! `activation` has the gates, `architecture` how layers lie in one list of numbers, `rows` the
//! products with dense and sparse rows, `pass` the loss and its gradient. `stochastic` goes
//! down in small batches, `conjugate` and `limited_memory` along searched lines (`line_search`),
//! `levenberg` by damped Gauss–Newton steps. Batches are cut into pieces by their size alone and
//! sums are ordered, so that threads change no bit.

mod activation;
mod architecture;
mod conjugate;
mod course;
mod levenberg;
mod limited_memory;
mod line_search;
mod pass;
mod rows;
mod stochastic;
#[cfg(test)]
mod tests;

pub use activation::Activation;
pub use architecture::{Architecture, Loss, Place};
pub use conjugate::conjugate_gradient;
pub use course::{Course, Descent, Ending};
pub use levenberg::{levenberg_bytes, levenberg_marquardt};
pub use limited_memory::limited_memory;
pub use pass::{Batch, Problem, Room, answers};
pub use rows::{Rows, layer};
pub use stochastic::{Judge, Rule, Schedule, Stochastic, stochastic};
