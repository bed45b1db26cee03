//! The account: results.json, results.md and ratios.svg.

mod compare;
mod markdown;
mod picture;
pub(crate) mod table;

use std::path::Path;

use mercer_plot::Figure;

use crate::error::{Error, Result};
use crate::paths;
use crate::record::Results;

/// Writes all three files.
pub(crate) fn write(results: &Results, folder: &Path) -> Result<()> {
    let json = serde_json::to_string_pretty(results).map_err(|source| Error::Json {
        place: "results.json".to_owned(),
        source,
    })?;
    save(&folder.join("results.json"), &(json + "\n"))?;
    draw(results, folder)
}

/// Writes the text and the picture again from the numbers.
pub(crate) fn render(out: &Path) -> Result<()> {
    let folder = paths::root().join(out);
    let file = folder.join("results.json");
    match Results::read(&file)? {
        Some(results) => draw(&results, &folder),
        None => Err(Error::File {
            path: file,
            source: std::io::ErrorKind::NotFound.into(),
        }),
    }
}

fn draw(results: &Results, folder: &Path) -> Result<()> {
    save(&folder.join("results.md"), &markdown::page(results))?;
    save(
        &folder.join("ratios.svg"),
        &picture::picture(results).to_svg(),
    )
}

/// Writes a file.
pub(crate) fn save(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(|source| Error::File {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_files_are_written() {
        let folder = std::env::temp_dir().join(format!("mercer-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        write(&crate::record::tests::example(), &folder).unwrap();
        for name in ["results.json", "results.md", "ratios.svg"] {
            assert!(folder.join(name).metadata().unwrap().len() > 100, "{name}");
        }
        render(&folder).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(render(&folder).is_err());
    }
}
