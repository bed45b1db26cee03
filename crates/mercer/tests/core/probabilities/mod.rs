//! Class probabilities: never against the decisions, never worse than the shares on noise.

mod automatic;
mod held_out;
mod labels;
mod least_squares;
mod margin;
mod points;
