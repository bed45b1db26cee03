//! What carries a prediction.
//!
//! A part of a row (a column, a word, a letter, an atom) is made to match nothing, and the
//! decision is taken anew: the influence of the part is f(x) − f(x without it). Nothing is
//! assumed of the kernel. Parts are hidden rather than cut out, so that what stands around them
//! does not move together: a hidden letter is a letter that no text has, a hidden atom one whose
//! label no graph has.
//!
//! Over many rows [`importance`] shuffles a column among them and asks what the score loses, and [`dependence`] says
//! how predictions go with the values of a column. [`SupportRow`]s are the support vectors of most influence.

mod decision;
mod dependence;
mod explanation;
mod hide;
mod importance;
mod parts;
mod shuffle;
mod support;
mod together;
mod words;

pub use dependence::{
    Dependence, DependenceCurves, DependenceOptions, DependenceSurface, Grid, Response, Shape,
    SurfaceMeans, dependence, dependence_surface,
};
pub use explanation::{Explanation, Influence};
pub use importance::{ColumnImportance, Importance, Permutation, importance, prediction_work};
pub use parts::Part;
pub use support::SupportRow;
pub use together::Together;
