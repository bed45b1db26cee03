//! Writes one figure of each kind into a folder: SVG, and with the feature `png` light and dark
//! pictures.
//!
//! ```sh
//! cargo run -p mercer-plot --example gallery --features png -- DIR
//! ```

#![expect(clippy::print_stderr, reason = "a program for people")]

mod samples;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: gallery DIR");
        return ExitCode::from(2);
    };
    match write(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder)?;
    for (name, figure) in samples::all(&str::to_owned) {
        std::fs::write(folder.join(format!("{name}.svg")), figure.to_svg())?;
        #[cfg(feature = "png")]
        for (theme, word) in [
            (mercer_plot::Theme::Light, "light"),
            (mercer_plot::Theme::Dark, "dark"),
        ] {
            let picture = figure.to_png_in(1000, theme)?;
            std::fs::write(folder.join(format!("{name}-{word}.png")), picture)?;
        }
    }
    Ok(())
}
