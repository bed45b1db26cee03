//! Which file was read, so that a file that has changed is noticed.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// Bytes of a file's beginning and of its end that its identity knows.
const KNOWN: u64 = 64 << 10;

/// What tells a file from another, and from itself after a change: size, time of its last change,
/// and a hash of its first and last 64 KiB.
///
/// The name is not part of it: a file that was moved is the same file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since 1970 at which it was changed; 0 where the system does not tell.
    pub modified: u64,
    /// BLAKE3 of its beginning and its end, in hexadecimal.
    pub hash: String,
}

impl Identity {
    /// Looks at a file; `None` for what is no plain file, such as a pipe or a folder.
    ///
    /// # Errors
    /// A file that is missing or may not be read.
    pub fn of(path: &Path) -> Result<Option<Self>> {
        use std::io::{Seek, SeekFrom};
        let fail = |e| Error::from_io(path, e);
        let mut file = File::open(path).map_err(fail)?;
        let about = file.metadata().map_err(fail)?;
        if !about.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        Read::by_ref(&mut file)
            .take(KNOWN)
            .read_to_end(&mut bytes)
            .map_err(fail)?;
        let end = about.len().saturating_sub(KNOWN);
        file.seek(SeekFrom::Start(end)).map_err(fail)?;
        file.take(KNOWN).read_to_end(&mut bytes).map_err(fail)?;
        let modified = about.modified().ok();
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Ok(Some(Self {
            size: about.len(),
            modified: modified.map_or(0, |d| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX)),
            hash: blake3::hash(&bytes).to_hex().to_string(),
        }))
    }

    /// Says what tells two files apart, in words; `None` where they are the same.
    pub fn difference(&self, now: &Self) -> Option<String> {
        if self.size != now.size {
            return Some(format!("it had {} bytes and has {}", self.size, now.size));
        }
        if self.hash != now.hash {
            return Some("its contents are others".to_owned());
        }
        (self.modified != now.modified).then(|| "it was written again".to_owned())
    }

    /// Fails where a file is no longer the one that was looked at.
    ///
    /// # Errors
    /// A file that has changed, or is gone.
    pub fn check(&self, path: &Path) -> Result<()> {
        let problem = match Self::of(path)? {
            None => Some("it is no plain file any more".to_owned()),
            Some(now) => self.difference(&now),
        };
        match problem {
            None => Ok(()),
            Some(problem) => Err(Error::Unsupported {
                file: path.display().to_string(),
                problem: format!("the file changed while it was read: {problem}"),
                cure: "start again once nothing writes to the file, or read a copy of it".into(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_noticed_wherever_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        let text = "a,b\n1,2\n".repeat(50_000);
        std::fs::write(&path, &text).expect("written");
        let before = Identity::of(&path).expect("readable").expect("a file");
        before.check(&path).expect("the same");
        std::fs::write(&path, format!("{text}3,4\n")).expect("written");
        let error = before.check(&path).expect_err("longer").to_string();
        assert!(
            error.contains("changed while it was read: it had 400000 bytes and has 400004"),
            "{error}"
        );
        let mut other = text.clone().into_bytes();
        let last = other.len() - 2;
        other[last] = b'9';
        std::fs::write(&path, other).expect("written");
        let error = before.check(&path).expect_err("another end").to_string();
        assert!(error.ends_with("its contents are others"), "{error}");
        assert!(
            Identity::of(folder.path()).is_err()
                || Identity::of(folder.path()).is_ok_and(|i| i.is_none())
        );
    }
}
