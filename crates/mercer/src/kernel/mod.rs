//! Kernels: expressions, parameters chosen from data, and block evaluation.
//!
//! A [`KernelSpec`] is data: an expression whose parameters may be open. Rows fix them
//! ([`KernelSpec::resolve`]) and give a [`ResolvedKernel`], which model files store. Bound
//! to rows ([`ResolvedKernel::bind`]) it becomes a [`BoundKernel`], which writes blocks of
//! the kernel matrix in either precision.
//!
//! Each family is one file under `vector/`, `string/`, `graph/` or `node/` that declares a [`Family`]: name, equation,
//! parameters with their ranges and defaults, and how it binds. Parser, help and checks
//! follow from the declaration, and [`families`] lists them.
//!
//! A kernel of your own is a family, too: a function of two rows ([`Compare`]), bound by [`Pairwise`], and a
//! declaration that [`register`] makes known. Values that come from elsewhere are a matrix
//! ([`KernelSpec::precomputed`]), a column for every row that was learnt from.

mod additive;
mod bind;
mod bound;
mod check;
mod columns;
mod combine;
mod counted;
mod distance;
mod families;
mod family;
mod fill;
mod graph;
mod hyperparameters;
mod lex;
mod node;
mod normalise;
mod only;
mod pairwise;
mod parse;
#[cfg(test)]
mod precision_tests;
mod print;
mod product;
mod resolve;
mod spec;
mod statistics;
mod string;
#[cfg(test)]
mod testing;
mod tiled;
mod value;
mod vector;

pub use bound::{BoundKernel, QuerySide, TileMut};
pub use check::{GramCheck, Repair, Verdict, Witness, check_gram, repair};
pub use families::{families, register};
pub use family::{
    Allowed, Bind, Chosen, Definiteness, Fallback, Family, Input, Parameter, Rule, Sample,
};
pub use hyperparameters::Hyperparameter;
pub use pairwise::{Compare, Pairwise};
pub use resolve::ResolvedKernel;
pub use spec::KernelSpec;
pub use string::{IndexPair, PrefixTable};
pub use value::{Settings, Value};
