//! A folder for what is written and thrown away.

use std::path::{Path, PathBuf};

use super::Side;
use crate::error::{Error, Result};

/// A folder that is removed in the end, with one folder in it for each program.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes the folder, in memory where the system has a place for that: models are written
    /// through to the disk, and how long a disk takes says nothing about the program.
    pub(crate) fn try_new() -> Result<Self> {
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() {
            memory.to_owned()
        } else {
            std::env::temp_dir()
        };
        let folder = parent.join(format!("mercer-quick-{}", std::process::id()));
        for side in Side::BOTH {
            let path = folder.join(side.name());
            std::fs::create_dir_all(&path).map_err(|source| Error::File { path, source })?;
        }
        Ok(Self(folder))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays behind does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_stays_behind() {
        let scratch = Scratch::try_new().unwrap();
        let path = scratch.path().to_owned();
        assert!(path.join("old").is_dir() && path.join("new").is_dir());
        drop(scratch);
        assert!(!path.exists());
    }
}
