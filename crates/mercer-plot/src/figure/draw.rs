//! What all figures can do.

use crate::drawing::Drawing;
use crate::markup::Markup;
use crate::svg::{self, Look};

/// Something that can be drawn.
pub trait Figure {
    /// Lays the figure out.
    fn drawing(&self) -> Drawing;

    /// Returns the figure for a page of this crate, which gives it its colours. Its title is for
    /// readers that cannot see it; what stands above it is the page's business.
    fn to_markup(&self) -> Markup {
        svg::embedded(&self.drawing())
    }

    /// Returns the figure for somebody else's page: with its title and its own colours, for light
    /// and dark screens.
    fn to_inline(&self) -> Markup {
        svg::stand_alone(&self.drawing(), Look::Adaptive)
    }

    /// Returns the figure as an SVG file, with colours for light and dark screens.
    fn to_svg(&self) -> String {
        format!("{}\n", self.to_inline())
    }

    /// Returns the figure as an SVG file with the colours of one theme.
    fn to_svg_in(&self, theme: crate::Theme) -> String {
        format!(
            "{}\n",
            svg::stand_alone(&self.drawing(), Look::Fixed(theme))
        )
    }

    /// Returns the figure as a PNG file of this width in pixels, on a light ground.
    #[cfg(feature = "png")]
    fn to_png(&self, width: u32) -> crate::Result<Vec<u8>> {
        self.to_png_in(width, crate::Theme::Light)
    }

    /// Returns the figure as a PNG file in the colours of one theme.
    #[cfg(feature = "png")]
    fn to_png_in(&self, width: u32, theme: crate::Theme) -> crate::Result<Vec<u8>> {
        crate::png::render(&self.to_svg_in(theme), width)
    }
}
