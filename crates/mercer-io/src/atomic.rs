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
/// pipes and devices are written to directly. Links are followed, also to a file that is not
/// there yet; a write-protected file is refused.
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
    let target = output_target(path)?;
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
    let folder = folder_of(&target);
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

/// Returns the file that writing to a path makes or replaces.
///
/// A link keeps pointing to the file it names, whether that exists or not.
///
/// # Errors
/// A file that is write-protected, and links that lead round in a circle.
pub fn output_target(path: &Path) -> Result<PathBuf> {
    // As many as the operating system follows.
    const LINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(whole) = std::fs::canonicalize(&target) {
            refuse_protected(path, &whole)?;
            return Ok(whole);
        }
        let Ok(next) = std::fs::read_link(&target) else {
            return Ok(target);
        };
        target = folder_of(&target).join(next);
    }
    Err(Error::Unsupported {
        file: path.display().to_string(),
        problem: "the link leads round in a circle".to_owned(),
        cure: "remove the link, or name another file".into(),
    })
}

/// A name can be replaced where the file itself must not be written to; that is not asked for.
fn refuse_protected(path: &Path, target: &Path) -> Result<()> {
    let Ok(about) = std::fs::metadata(target) else {
        return Ok(());
    };
    if !about.is_file() {
        return Ok(());
    }
    let denied = || {
        let opened = File::options().write(true).open(target);
        opened.is_err_and(|e| e.kind() == std::io::ErrorKind::PermissionDenied)
    };
    if about.permissions().readonly() || denied() {
        return Err(Error::Unsupported {
            file: path.display().to_string(),
            problem: "the file is write-protected".to_owned(),
            cure: "make it writable with `chmod u+w`, or name another file".into(),
        });
    }
    Ok(())
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
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
    #[cfg(unix)]
    #[test]
    fn links_to_files_that_are_not_there_stay_links() {
        let folder = tempfile::tempdir().expect("folder");
        let (link, file) = (folder.path().join("link"), folder.path().join("file"));
        std::os::unix::fs::symlink("file", &link).expect("link");
        put(&link, "x").expect("through the link");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(&file).expect("readable"), "x");
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        std::os::unix::fs::symlink(&one, &two).expect("link");
        std::os::unix::fs::symlink(&two, &one).expect("link");
        let text = put(&one, "x").expect_err("a circle").to_string();
        assert!(text.ends_with("the link leads round in a circle"), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn protected_files_are_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        put(&path, "old").expect("new");
        std::fs::set_permissions(&path, Permissions::from_mode(0o444)).expect("mode");
        let error = put(&path, "new").expect_err("protected");
        assert!(error.to_string().ends_with("the file is write-protected"));
        assert_eq!(std::fs::read_to_string(&path).expect("readable"), "old");
        assert_eq!(names(folder.path()), ["a"]);
    }
}
