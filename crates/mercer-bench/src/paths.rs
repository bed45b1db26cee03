//! Where things are.

use std::path::{Path, PathBuf};

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// A path below the build folder.
pub(crate) fn target(name: &str) -> PathBuf {
    root().join("target").join(name)
}

/// A script of this crate.
pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("python")
        .join(name)
}

/// The interpreter of the environment for the peers.
pub(crate) fn python() -> PathBuf {
    target("bench-env").join("bin/python")
}

/// The folder of the Rust peers' sources.
pub(crate) fn rust_peers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rust-peers")
}
