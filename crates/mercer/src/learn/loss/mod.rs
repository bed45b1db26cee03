//! Regularised risk with any convex loss.
//!
//! Minimised is ½‖f‖² + C Σ w_i L(y_i, f(x_i)). By the representer theorem f = Σ α_i k(·, x_i) + b,
//! whatever the loss: [`Loss`] names those there are, [`KernelRisk`] minimises over α and b by
//! Newton's method (`newton`). With the logistic loss it is kernel logistic regression,
//! which has a name of its own ([`Klr`]); its probabilities rest on decisions about rows left out (`held_out`). A joint loss of all rows is `ranking`, and
//! `power` has other penalties g(‖f‖).

mod held_out;
mod logistic;
mod losses;
mod machine;
mod newton;
mod power;
mod python;
mod ranking;
mod table;

pub use logistic::Klr;
pub use losses::Loss;
pub use machine::KernelRisk;
