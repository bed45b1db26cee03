//! Writes files so that a failure leaves the old one as it was.

use std::fs::{File, Permissions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::{Error, Result};

/// Writes a file through a temporary one in the same folder, which takes its place at the end.
///
/// The data reach the disk before the name changes. When `work` fails, or the process dies, the
/// old file stays; a failure also removes the temporary file. `-` is standard output, and
/// pipes and devices are written to directly.
///
/// # Errors
/// The error of `work`, or the operating system's refusal.
pub fn write_atomically<T>(
    path: &Path,
    work: impl FnOnce(&mut dyn Write) -> Result<T>,
) -> Result<T> {
    let fail = |e: std::io::Error| Error::from_io(path, e);
    if path == Path::new("-") {
        return stream(std::io::stdout().lock(), path, work);
    }
    // A link keeps pointing to the file it names.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = std::fs::metadata(&target).ok();
    if let Some(old) = &old
        && !old.is_file()
    {
        if old.is_dir() {
            return Err(fail(std::io::ErrorKind::IsADirectory.into()));
        }
        let file = File::options().write(true).open(&target).map_err(fail)?;
        return stream(file, path, work);
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mercer-").suffix(".tmp");
    if let Some(permissions) = new_file_permissions() {
        builder.permissions(permissions);
    }
    let (temporary, _listed) = Listed::create(|| builder.tempfile_in(&folder).map_err(fail))?;
    let mut writer = BufWriter::with_capacity(1 << 16, temporary);
    let done = work(&mut writer)?;
    let temporary = writer.into_inner().map_err(|e| fail(e.into_error()))?;
    if let Some(old) = old {
        temporary
            .as_file()
            .set_permissions(old.permissions())
            .map_err(fail)?;
    }
    temporary.as_file().sync_all().map_err(fail)?;
    temporary.persist(&target).map_err(|e| fail(e.error))?;
    // The new name must survive a power cut too; not every system can open a folder.
    if let Ok(folder) = File::open(&folder) {
        let _ = folder.sync_all();
    }
    Ok(done)
}

/// Temporary files that are being written; `None` once [`abandon`] was called.
static WRITING: Mutex<Option<Vec<PathBuf>>> = Mutex::new(Some(Vec::new()));

fn writing() -> MutexGuard<'static, Option<Vec<PathBuf>>> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether a file is being written.
pub fn is_writing() -> bool {
    writing().as_ref().is_some_and(|paths| !paths.is_empty())
}

/// Removes all temporary files and writes no other ones: the last thing a process does that
/// ends in the middle of its work.
pub fn abandon() {
    for path in writing().take().into_iter().flatten() {
        // It may have got its name in this moment; then it is whole.
        let _ = std::fs::remove_file(path);
    }
}

/// A temporary file's entry in the list.
struct Listed(PathBuf);

impl Listed {
    /// Makes a temporary file and lists it, with nothing in between.
    fn create(make: impl FnOnce() -> Result<NamedTempFile>) -> Result<(NamedTempFile, Self)> {
        let mut writing = writing();
        let Some(paths) = writing.as_mut() else {
            return Err(mercer::Error::Cancelled.into());
        };
        let file = make()?;
        paths.push(file.path().to_owned());
        let listed = Self(file.path().to_owned());
        Ok((file, listed))
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        if let Some(paths) = writing().as_mut() {
            paths.retain(|path| *path != self.0);
        }
    }
}

fn stream<T>(
    to: impl Write,
    path: &Path,
    work: impl FnOnce(&mut dyn Write) -> Result<T>,
) -> Result<T> {
    let mut writer = BufWriter::with_capacity(1 << 16, to);
    let done = work(&mut writer)?;
    writer.flush().map_err(|e| Error::from_io(path, e))?;
    Ok(done)
}

/// What the process's mask leaves of read and write for all, as for any new file.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such value")]
fn new_file_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file_permissions() -> Option<Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("folder").flatten();
        let mut names: Vec<String> = entries
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn put(path: &Path, text: &str) -> Result<()> {
        write_atomically(path, |w| {
            w.write_all(text.as_bytes()).map_err(|e| Error::io("x", e))
        })
    }

    #[test]
    fn files_are_written_and_replaced() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("out.csv");
        put(&path, "one").expect("new");
        put(&path, "two").expect("replaced");
        assert_eq!(std::fs::read_to_string(&path).expect("readable"), "two");
        assert_eq!(names(folder.path()), ["out.csv"]);
    }

    #[test]
    fn failure_leaves_the_old_file_alone() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("out.csv");
        put(&path, "old").expect("new");
        let failed = write_atomically(&path, |w| -> Result<()> {
            w.write_all(&vec![b'x'; 100_000]).expect("buffered");
            Err(mercer::Error::Cancelled.into())
        });
        assert!(failed.expect_err("failed").is_cancelled());
        assert_eq!(std::fs::read_to_string(&path).expect("readable"), "old");
        assert_eq!(names(folder.path()), ["out.csv"]);
    }

    #[test]
    fn missing_folders_are_named() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("no/out.csv");
        assert!(matches!(put(&path, "x"), Err(Error::NotFound { .. })));
        assert!(put(folder.path(), "x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_links_and_devices() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        put(&path, "x").expect("new");
        std::fs::set_permissions(&path, Permissions::from_mode(0o640)).expect("mode");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).expect("link");
        put(&link, "y").expect("through the link");
        assert_eq!(std::fs::read_to_string(&path).expect("readable"), "y");
        let mode = std::fs::metadata(&path)
            .expect("exists")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o640);
        put(Path::new("/dev/null"), "z").expect("a device");
    }
}
