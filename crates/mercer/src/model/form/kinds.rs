//! Every kind of form by itself: made into a [`Form`], and taken out of one that is of its kind.

use super::{
    Chain, FeatureModel, Form, KernelExpansion, Layers, LinearModel, Memory, NearestNovelty,
    NeighbourModel, Projection, Prototypes, ResidualNovelty, TreeModel,
};

macro_rules! kinds {
    ($($(#[$about:meta])* $name:ident: $kind:ident($model:ty),)*) => {
        impl Form {
            $(
                $(#[$about])*
                pub fn $name(&self) -> Option<&$model> {
                    if let Self::$kind(model) = self { Some(model) } else { None }
                }
            )*
        }
        $(
            impl From<$model> for Form {
                fn from(model: $model) -> Self {
                    Self::$kind(model)
                }
            }
        )*
    };
}

kinds! {
    /// Returns the kernel expansion, where it is one.
    expansion: Expansion(KernelExpansion),
    /// Returns the linear function, where it is one.
    linear: Linear(LinearModel),
    /// Returns the prototypes, where it has some.
    prototypes: Prototypes(Prototypes),
    /// Returns the layers, where it has some.
    layers: Layers(Layers),
    /// Returns the tree, where it is one.
    tree: Tree(TreeModel),
    /// Returns the axes, where it has some.
    projection: Projection(Projection),
    /// Returns the projection and the model of its coordinates, where it is a chain.
    chain: Chain(Chain),
    /// Returns the rows that are kept as neighbours, where there are some.
    neighbours: Neighbours(NeighbourModel),
    /// Returns the associative memory, where it is one.
    memory: Memory(Memory),
    /// Returns novelty by neighbours, where it is that.
    nearest: Nearest(NearestNovelty),
    /// Returns novelty by what components leave, where it is that.
    residual: Residual(ResidualNovelty),
    /// Returns explicit features of a kernel, where it is that.
    mapped: Features(FeatureModel),
}

impl Form {
    /// Returns the kernel expansion, to be changed.
    pub fn expansion_mut(&mut self) -> Option<&mut KernelExpansion> {
        if let Self::Expansion(model) = self {
            Some(model)
        } else {
            None
        }
    }

    /// Returns the rows that are kept as neighbours, to be changed.
    pub fn neighbours_mut(&mut self) -> Option<&mut NeighbourModel> {
        if let Self::Neighbours(model) = self {
            Some(model)
        } else {
            None
        }
    }
}
