//! Pictures as files.

use std::path::Path;

use mercer_plot::Figure;

use crate::failure::{Failure, Result};
use crate::session::Session;

/// Pixels of a picture: sharp on paper and on screens of two pixels a point.
#[cfg(feature = "png")]
const WIDTH: u32 = 1520;

/// Refuses endings that no picture has, before anything is computed.
pub(crate) fn check(path: Option<&Path>) -> Result<()> {
    let Some(path) = path else {
        return Ok(());
    };
    match ending(path).as_str() {
        "svg" => Ok(()),
        "png" if cfg!(feature = "png") => Ok(()),
        "png" => Err(Failure::unavailable(
            "this build draws no PNG",
            "write an SVG, or build with the feature `png`",
        )),
        _ => Err(Failure::usage(
            format!("`{}` does not end in `.svg` or `.png`", path.display()),
            "name the picture FILE.svg or FILE.png",
        )),
    }
}

/// Writes a figure, as its file's name ends.
pub(crate) fn write(path: &Path, figure: &dyn Figure, session: &Session) -> Result<()> {
    #[cfg(feature = "png")]
    if ending(path) == "png" {
        let bytes = figure
            .to_png(WIDTH)
            .map_err(|error| Failure::unavailable(error.to_string(), "write an SVG instead"))?;
        return session.write(path, &bytes);
    }
    session.write(path, figure.to_svg().as_bytes())
}

fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    ending.to_lowercase()
}
