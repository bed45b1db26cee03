//! Figures as pixels.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

use crate::error::{Error, Result};

/// The most pixels of a picture: 256 MiB of memory.
const MOST: u64 = 1 << 26;

/// The font of all pictures. It does not depend on the machine, so that a figure has the same
/// pixels everywhere.
const FAMILY: &str = "DejaVu Sans";

fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let made = FONTS.get_or_init(|| {
        let mut fonts = Database::new();
        fonts.load_font_data(dejavu::sans_condensed::regular().to_vec());
        fonts.load_font_data(dejavu::sans_condensed::bold().to_vec());
        fonts.set_sans_serif_family(FAMILY);
        Arc::new(fonts)
    });
    Arc::clone(made)
}

/// Renders a figure with fixed colours.
pub(crate) fn render(svg: &str, width: u32) -> Result<Vec<u8>> {
    let options = Options {
        fontdb: fonts(),
        font_family: FAMILY.to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|source| Error::Svg { source })?;
    let size = tree.size();
    let scale = f64::from(width) / f64::from(size.width());
    let height = (f64::from(size.height()) * scale).ceil().max(1.0);
    let refused = Error::Width {
        width,
        most: most_width(f64::from(size.height()) / f64::from(size.width())),
    };
    if width == 0 || f64::from(width) * height > MOST as f64 {
        return Err(refused);
    }
    let mut pixels = Pixmap::new(width, height as u32).ok_or(refused)?;
    let scale = scale as f32;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels.encode_png().map_err(|source| Error::Encode {
        source: Box::new(source),
    })
}

/// The largest width of a picture of this height over width.
fn most_width(ratio: f64) -> u32 {
    (MOST as f64 / ratio).sqrt().floor() as u32
}
