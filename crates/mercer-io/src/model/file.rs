//! Saves and loads models.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use mercer::fit::FitReport;
use mercer::model::{Parts, Tensors, Trained};

use super::container::{Block, Header, Kind, MODEL, PREFIX, assemble, header_length};
use super::outline::Outline;
use super::tensors::{decode, encode};
use crate::{Error, Result, write_atomically};

/// Writes a model file; an old file of that name survives any failure.
///
/// # Errors
/// The operating system's refusal, and a model that no file can hold.
pub fn save(model: &Trained, path: &Path) -> Result<()> {
    let bytes = to_bytes(model)?;
    write_atomically(path, |writer| {
        writer
            .write_all(&bytes)
            .map_err(|e| Error::from_io(path, e))
    })
}

/// Returns the contents of a model file; the same model gives the same bytes.
///
/// # Errors
/// A model that no file can hold, such as one whose report has infinite numbers.
pub fn to_bytes(model: &Trained) -> Result<Vec<u8>> {
    let parts = model.to_parts();
    // What cannot be read back must not be written.
    let metadata = Trained::read_metadata(&parts.metadata)?;
    if let Some(outline) = Outline::of(&metadata) {
        outline.check_claims(stored_numbers(&parts.tensors))?;
    }
    let told = |report: &FitReport| {
        let parts = (&report.solver, &report.kernel, &report.selection);
        (parts.0.is_some(), parts.1.is_some(), parts.2.is_some())
    };
    if told(&metadata.report) != told(&model.report) {
        return Err(mercer::Error::model("a number of the report is not finite").into());
    }
    lay_out(&MODEL, parts)
}

/// Lays parts out as the contents of a file.
pub(crate) fn lay_out(kind: &Kind, parts: Parts) -> Result<Vec<u8>> {
    let blocks = parts
        .tensors
        .0
        .into_iter()
        .map(|(name, tensor)| {
            let (dtype, bytes) = encode(&tensor);
            Block {
                name,
                dtype,
                shape: tensor.shape().to_vec(),
                bytes,
            }
        })
        .collect();
    assemble(kind, &parts.metadata, blocks)
}

/// Loads a model file.
///
/// # Errors
/// A missing file, a file of another kind, a newer format, a file that is cut off or was
/// changed, and contents that contradict each other.
pub fn load(path: &Path) -> Result<Trained> {
    let raw = RawFile::read(path, &MODEL)?;
    raw.header.to_trained(&raw.data, &raw.name)
}

/// Loads a model from the contents of a file.
///
/// # Errors
/// As [`load`].
pub fn from_bytes(bytes: &[u8]) -> Result<Trained> {
    // Messages read "the model file: ...".
    const NAME: &str = "the model file";
    let (header, data) = split(bytes, NAME, &MODEL)?;
    header.to_trained(data, NAME)
}

/// Takes the contents of a file apart; checksum and contents are not yet looked at.
pub(crate) fn split<'a>(bytes: &'a [u8], name: &str, kind: &Kind) -> Result<(Header, &'a [u8])> {
    let start = &bytes[..bytes.len().min(PREFIX + 1)];
    let length = header_length(start, name, kind)?;
    let rest = &bytes[PREFIX..];
    let json = usize::try_from(length).ok().and_then(|n| rest.get(..n));
    let json = json.ok_or_else(|| cut_header(name, bytes.len() as u64, length))?;
    let header = Header::parse(json, name, kind)?;
    let data = &rest[json.len()..];
    header.check_length(data.len() as u64, json.len() as u64, name)?;
    Ok((header, data))
}

/// A file whose lengths agree; checksum and contents are not yet looked at.
pub(crate) struct RawFile {
    pub(crate) name: String,
    pub(crate) header: Header,
    pub(crate) data: Vec<u8>,
    /// Length of the whole file.
    pub(super) length: u64,
}

impl RawFile {
    /// Reads no more than the header announces.
    pub(crate) fn read(path: &Path, kind: &Kind) -> Result<Self> {
        let name = path.display().to_string();
        let fail = |e| Error::from_io(path, e);
        let mut file = File::open(path).map_err(fail)?;
        if file.metadata().map_err(fail)?.is_dir() {
            return Err(Error::Unsupported {
                file: name,
                problem: "this is a folder".to_owned(),
                cure: format!("name a {} file in it", kind.noun).into(),
            });
        }
        let mut json = Vec::new();
        let mut take = |limit: u64, into: &mut Vec<u8>| {
            // `read_to_end` grows with what arrives, not with what was announced.
            Read::by_ref(&mut file)
                .take(limit)
                .read_to_end(into)
                .map_err(fail)
        };
        take(PREFIX as u64 + 1, &mut json)?;
        let length = header_length(&json, &name, kind)?;
        json.drain(..PREFIX);
        take(length - 1, &mut json)?;
        if (json.len() as u64) < length {
            return Err(cut_header(&name, (PREFIX + json.len()) as u64, length));
        }
        let header = Header::parse(&json, &name, kind)?;
        let mut data = Vec::new();
        take((header.data_length as u64).saturating_add(1), &mut data)?;
        header.check_length(data.len() as u64, length, &name)?;
        Ok(Self {
            name,
            length: PREFIX as u64 + length + data.len() as u64,
            header,
            data,
        })
    }
}

fn cut_header(file: &str, found: u64, header: u64) -> Error {
    Error::Damaged {
        file: file.to_owned(),
        problem: format!(
            "it is cut off after {found} bytes; the header alone takes {}",
            header + PREFIX as u64
        ),
    }
}

impl Header {
    fn check_length(&self, found: u64, header: u64, file: &str) -> Result<()> {
        let expected = self.data_length as u64;
        if found == expected {
            return Ok(());
        }
        let before = PREFIX as u64 + header;
        let whole = before.saturating_add(expected);
        let problem = if found < expected {
            format!(
                "it is cut off after {} bytes; {whole} expected",
                before + found
            )
        } else {
            format!("it goes on after its last tensor, which ends at byte {whole}")
        };
        Err(Error::Damaged {
            file: file.to_owned(),
            problem,
        })
    }

    /// Checks the contents and gives them as parts.
    pub(crate) fn to_parts(&self, data: &[u8], file: &str) -> Result<Parts> {
        let damaged = |problem: String| Error::Damaged {
            file: file.to_owned(),
            problem,
        };
        if !self.matches(data) {
            return Err(damaged(
                "its checksum does not match: the contents were changed after writing".to_owned(),
            ));
        }
        let mut tensors = Tensors::default();
        for (name, info) in &self.tensors {
            let tensor = decode(info.dtype, &info.shape, Self::bytes(info, data))
                .ok_or_else(|| damaged(format!("tensor `{name}` is of an unknown type")))?;
            tensors.0.insert(name.clone(), tensor);
        }
        Ok(Parts {
            metadata: self.document.clone(),
            tensors,
        })
    }

    pub(super) fn to_trained(&self, data: &[u8], file: &str) -> Result<Trained> {
        let damaged = |problem: String| Error::Damaged {
            file: file.to_owned(),
            problem,
        };
        let parts = self.to_parts(data, file)?;
        let metadata = Trained::read_metadata(&self.document).map_err(|e| named(e, file))?;
        if metadata.format_version != self.version {
            return Err(damaged(format!(
                "its header has format version {}, its document {}",
                self.version, metadata.format_version
            )));
        }
        if let Some(outline) = Outline::of(&metadata) {
            let checked = outline.check_claims(stored_numbers(&parts.tensors));
            checked.map_err(|e| named(e, file))?;
        }
        let trained = Trained::from_parts(parts).map_err(|e| named(e, file))?;
        if trained.encoder.groups() != trained.form.features() {
            let problem = "the encoder makes other features than the model reads";
            return Err(damaged(problem.to_owned()));
        }
        Ok(trained)
    }
}

/// How many numbers the support vectors store.
fn stored_numbers(tensors: &Tensors) -> usize {
    let parts = ["support.dense", "support.values"];
    let found = parts.iter().filter_map(|name| tensors.0.get(*name));
    let count = |shape: &[usize]| shape.iter().copied().fold(1, usize::saturating_mul);
    found.map(|t| count(t.shape())).sum()
}

/// Adds the file's name to what the library says about its contents.
pub(crate) fn named(error: mercer::Error, file: &str) -> Error {
    let file = file.to_owned();
    match error {
        mercer::Error::Model { problem } => Error::Damaged { file, problem },
        mercer::Error::Unsupported { what, cure } => Error::Unsupported {
            file,
            problem: what,
            cure,
        },
        other => other.into(),
    }
}
