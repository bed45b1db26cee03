//! What can go wrong when figures become pixels.

/// An error of this crate. Only pictures have any: figures and pages are made of anything.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A picture without width, or one too large.
    #[error("the width of the picture is `{width}`; it must be from 1 to {most}")]
    Width {
        /// What was asked for.
        width: u32,
        /// What the figure allows.
        most: u32,
    },
    /// The rasteriser does not read the figure.
    #[error("the figure could not be read by the rasteriser: {source}")]
    Svg {
        /// Its reason.
        source: resvg::usvg::Error,
    },
    /// The pixels could not be packed.
    #[error("the picture could not be packed: {source}")]
    Encode {
        /// The reason.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// The result of making a picture.
pub type Result<T> = std::result::Result<T, Error>;
