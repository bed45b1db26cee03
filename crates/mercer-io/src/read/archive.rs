//! Zip archives: the one table in them, or the member that is named.
//!
//! Nothing is unpacked to disk. Members whose name leaves the archive, folders and what systems
//! add of their own are passed over.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use mercer::hint::{Hint, Word};
use zip::{CompressionMethod, ZipArchive};

use super::limit::metered;
use super::source::{BLOCK, DEFLATE_RATIO, Opened, Watched};
use super::{Format, ReadOptions};
use crate::error::shorten;
use crate::{Error, Result};

/// How zip archives, and what is made of them, begin.
pub(crate) const MAGIC: &[u8] = b"PK\x03\x04";

/// Members named in a message.
const SHOWN: usize = 12;

/// What an archive turned out to be.
pub(crate) enum Found {
    /// A workbook, unopened.
    Workbook(Arc<[u8]>),
    /// A table.
    Table(Format, Opened),
}

/// A member of an archive.
struct Member {
    name: String,
    start: u64,
    packed: u64,
    size: u64,
    crc: u32,
    method: CompressionMethod,
    encrypted: bool,
}

/// The members of an archive that are files; fails where the archive is damaged.
fn members(data: &Arc<[u8]>, file: &str) -> Result<Vec<Member>> {
    let damaged = |e: &dyn std::fmt::Display| Error::Damaged {
        file: file.to_owned(),
        problem: format!("the zip archive cannot be read ({e})"),
    };
    let mut archive = ZipArchive::new(Cursor::new(Arc::clone(data))).map_err(|e| damaged(&e))?;
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|e| damaged(&e))?;
        let inside = entry.enclosed_name().is_some();
        let (Ok(name), Some(start)) = (entry.name(), entry.data_start()) else {
            continue;
        };
        if entry.is_file() && inside {
            members.push(Member {
                name: name.into_owned(),
                start,
                packed: entry.compressed_size(),
                size: entry.size(),
                crc: entry.crc32(),
                method: entry.compression(),
                encrypted: entry.encrypted(),
            });
        }
    }
    Ok(members)
}

/// Whether the names are those of a workbook of Excel or of `OpenDocument`.
fn is_workbook(members: &[Member]) -> bool {
    let has = |name: &str| members.iter().any(|m| m.name == name);
    has("xl/workbook.xml") || has("xl/workbook.bin") || (has("mimetype") && has("content.xml"))
}

/// Returns whether an archive has a member of some name.
pub(crate) fn has_member(data: &Arc<[u8]>, file: &str, name: &str) -> Result<bool> {
    Ok(members(data, file)?.iter().any(|m| m.name == name))
}

/// Returns the contents of a member, if there is one of that name.
pub(crate) fn member(
    data: &Arc<[u8]>,
    file: &str,
    name: &str,
    options: &ReadOptions,
) -> Result<Option<Vec<u8>>> {
    let members = members(data, file)?;
    let Some(member) = members.iter().find(|m| m.name == name) else {
        return Ok(None);
    };
    let mut contents = Vec::new();
    metered(member.unpacked(data, file)?, options.watch(), options.limit)
        .read_to_end(&mut contents)
        .map_err(|e| Error::io(file, e))?;
    Ok(Some(contents))
}

/// Counts how many bytes a workbook takes unpacked, whatever its directory says.
///
/// # Errors
/// The limit is passed, or the archive is damaged.
pub(crate) fn check_size(data: &Arc<[u8]>, file: &str, options: &ReadOptions) -> Result<()> {
    let members = members(data, file)?;
    let packed: u64 = members.iter().map(|m| m.packed).sum();
    if packed.saturating_mul(DEFLATE_RATIO) <= options.limit {
        return Ok(());
    }
    let mut left = options.limit;
    let mut block = vec![0; BLOCK];
    for member in &members {
        // The size a directory claims stops honest archives early; others are counted.
        let mut reader = metered(member.unpacked(data, file)?, options.watch(), left);
        if member.size > left {
            return Err(Error::limit(
                file,
                &crate::error::Limited::memory(options.limit),
            ));
        }
        loop {
            let read = reader.read(&mut block).map_err(|e| Error::io(file, e))?;
            if read == 0 {
                break;
            }
            left = left.saturating_sub(read as u64);
        }
    }
    Ok(())
}

/// Reads all of a file whose directory stands at its end.
pub(crate) fn whole(opened: Opened, options: &ReadOptions) -> Result<Arc<[u8]>> {
    let mut data = Vec::new();
    let mut all = metered(opened.reader, options.watch(), options.limit);
    all.read_to_end(&mut data)
        .map_err(|e| Error::io(&opened.name, e))?;
    Ok(data.into())
}

/// Finds the table of an archive that was opened.
pub(crate) fn look(
    opened: Opened,
    member: Option<&str>,
    options: &ReadOptions,
    limit: u64,
) -> Result<Found> {
    let file = opened.name.clone();
    let data = whole(opened, options)?;
    let members = members(&data, &file)?;
    if is_workbook(&members) {
        return Ok(Found::Workbook(data));
    }
    let chosen = choose(members, member, &file)?;
    let name = format!("{file}/{}", chosen.name);
    let bound = chosen.size.min(chosen.packed.saturating_mul(DEFLATE_RATIO));
    let watched = Watched {
        inner: chosen.unpacked(&data, &name)?,
        watch: options.watch(),
    };
    let mut opened = Opened::new(name, watched, Some(bound), limit)?;
    opened.packing = Some("zip");
    let format = options
        .format
        .or_else(|| Format::from_path(Path::new(&chosen.name)))
        .unwrap_or_else(|| Format::sniff(&opened.head, options));
    Ok(Found::Table(format, opened))
}

fn choose(mut members: Vec<Member>, named: Option<&str>, file: &str) -> Result<Member> {
    let names =
        |members: &[Member]| -> Vec<String> { members.iter().map(|m| m.name.clone()).collect() };
    if let Some(name) = named {
        let at = members.iter().position(|m| m.name == name);
        let Some(at) = at else {
            return Err(mercer::Error::Unknown {
                kind: "member of the archive",
                name: name.to_owned(),
                known: names(&members),
            }
            .into());
        };
        return Ok(members.swap_remove(at));
    }
    members.retain(|m| {
        let hidden = |part: &str| part.starts_with('.') || part == "__MACOSX";
        !m.name.split('/').any(hidden)
    });
    if members
        .iter()
        .any(|m| Format::from_path(Path::new(&m.name)).is_some())
    {
        members.retain(|m| Format::from_path(Path::new(&m.name)).is_some());
    }
    match members.len() {
        0 => Err(Error::Unsupported {
            file: file.to_owned(),
            problem: "the archive holds no table".to_owned(),
            cure: "put a table into it, or unpack it".into(),
        }),
        1 => Ok(members.swap_remove(0)),
        count => {
            let mut all = names(&members);
            all.sort_unstable();
            let shown: Vec<String> = all
                .iter()
                .take(SHOWN)
                .map(|n| format!("`{}`", shorten(n)))
                .collect();
            let more = if count > SHOWN {
                format!(" and {} more", count - SHOWN)
            } else {
                String::new()
            };
            Err(Error::Unsupported {
                file: file.to_owned(),
                problem: format!(
                    "the archive holds {count} tables: {}{more}",
                    shown.join(", ")
                ),
                cure: Hint::from(format!("name one of them: `{file}/{}`, or with ", all[0]))
                    .word(Word::Setting("member")),
            })
        }
    }
}

impl Member {
    fn unpacked(&self, data: &Arc<[u8]>, file: &str) -> Result<Box<dyn Read + Send>> {
        let refused = |problem: &str| Error::Unsupported {
            file: file.to_owned(),
            problem: problem.to_owned(),
            cure: "unpack it with a program of the system".into(),
        };
        if self.encrypted {
            return Err(refused("the archive is encrypted"));
        }
        let mut raw = Cursor::new(Arc::clone(data));
        raw.set_position(self.start);
        let raw = raw.take(self.packed);
        let inner: Box<dyn Read + Send> = match self.method {
            CompressionMethod::Stored => Box::new(raw),
            CompressionMethod::Deflated => Box::new(DeflateDecoder::new(raw)),
            _ => return Err(refused("the archive is packed in a way that is not read")),
        };
        Ok(Box::new(Checked {
            inner,
            crc: Crc::new(),
            expected: self.crc,
        }))
    }
}

/// Compares what was unpacked with its checksum.
struct Checked {
    inner: Box<dyn Read + Send>,
    crc: Crc,
    expected: u32,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let damaged = |e: &dyn std::fmt::Display| {
            let text = format!("the zip data are damaged or cut off ({e})");
            std::io::Error::new(std::io::ErrorKind::InvalidData, text)
        };
        let read = self.inner.read(buffer).map_err(|e| damaged(&e))?;
        self.crc.update(&buffer[..read]);
        if read == 0 && !buffer.is_empty() && self.crc.sum() != self.expected {
            return Err(damaged(&"the checksum differs"));
        }
        Ok(read)
    }
}

/// Takes a path apart that leads into an archive: `data.zip/inner.csv`.
pub(crate) fn path_into(path: &Path) -> Option<(PathBuf, String)> {
    if path.exists() {
        return None;
    }
    let archive = path.ancestors().skip(1).find(|a| a.is_file())?;
    let inner = path.strip_prefix(archive).ok()?;
    let parts: Vec<String> = inner
        .components()
        .map(|c| c.as_os_str().to_string_lossy().into_owned())
        .collect();
    Some((archive.to_owned(), parts.join("/")))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::read::{Source, read};

    /// An archive of named contents.
    pub(crate) fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        for (name, contents) in members {
            writer.start_file(*name, options).expect("memory");
            writer.write_all(contents).expect("memory");
        }
        writer.finish().expect("memory").into_inner()
    }

    fn message(data: Vec<u8>, options: &ReadOptions) -> String {
        let error = read(&Source::bytes("a.zip", data), options).expect_err("refused");
        format!(
            "{error}; {}",
            error
                .hints()
                .iter()
                .map(ToString::to_string)
                .collect::<String>()
        )
    }

    #[test]
    fn one_table_is_read() {
        let data = archive(&[
            ("readme.txt", b"hi"),
            ("__MACOSX/._t.csv", b"\0\0"),
            ("in/t.csv", b"a,b\n1,x\n2,y\n"),
        ]);
        let table = read(&Source::bytes("a.zip", data), &ReadOptions::default()).expect("a table");
        assert_eq!(
            (table.names(), table.rows()),
            (vec!["a".into(), "b".into()], 2)
        );
        assert_eq!(table.origin().name, "a.zip/in/t.csv");
        assert_eq!(table.layout().packing, Some("zip"));
    }

    #[test]
    fn several_tables_are_listed() {
        let data = archive(&[("t.csv", b"a\n1\n"), ("u.csv", b"b\n2\n")]);
        assert_eq!(
            message(data.clone(), &ReadOptions::default()),
            "a.zip: the archive holds 2 tables: `t.csv`, `u.csv`; \
             name one of them: `a.zip/t.csv`, or with `member`"
        );
        let options = ReadOptions::default().member("u.csv");
        let table = read(&Source::bytes("a.zip", data.clone()), &options).expect("named");
        assert_eq!(table.names(), ["b"]);
        let options = ReadOptions::default().member("v.csv");
        assert!(message(data, &options).starts_with("there is no member of the archive `v.csv`"));
    }

    #[test]
    fn hostile_archives_are_refused() {
        let outside = archive(&[("../t.csv", b"a\n1\n")]);
        assert!(message(outside, &ReadOptions::default()).contains("holds no table"));
        let whole = archive(&[("t.csv", &b"a,b\n".repeat(1 << 20))]);
        let small = ReadOptions::default().limit(1 << 20);
        assert!(message(whole.clone(), &small).contains("as much as may be read"));
        for end in [5, 60, whole.len() / 2, whole.len() - 4] {
            let text = message(whole[..end].to_vec(), &ReadOptions::default());
            assert!(text.starts_with("a.zip"), "{text}");
        }
        let mut changed = whole.clone();
        changed[60] ^= 0x55;
        assert!(message(changed, &ReadOptions::default()).contains("a.zip"));
    }
}
