//! The safetensors container: a length, a JSON header, the bytes of the tensors.

use std::collections::BTreeMap;

use mercer::hint::{Act, Hint};
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::checksum::{Item, checksum};
use crate::{Error, Result};

/// Bytes before the header: its length.
pub(crate) const PREFIX: usize = 8;

/// The longest header, as safetensors limits it.
pub(crate) const MAX_HEADER: u64 = 100_000_000;

/// What a file of this container is said to be.
#[derive(Debug)]
pub(crate) struct Kind {
    /// The entry of the header that holds the document.
    pub(crate) key: &'static str,
    /// The thing in words, as in "this is not a mercer model".
    pub(crate) noun: &'static str,
    /// The newest version of its layout.
    pub(crate) newest: u32,
    /// What to give in the place of another file.
    pub(crate) give: fn() -> Hint,
}

/// A trained model.
pub(crate) static MODEL: Kind = Kind {
    key: "mercer",
    noun: "model",
    newest: mercer::model::FORMAT_VERSION,
    give: || Act::GiveModel.into(),
};

/// What a header says.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) document: String,
    pub(crate) version: u32,
    pub(crate) checksum: String,
    /// The tensors by name.
    pub(crate) tensors: BTreeMap<String, TensorInfo>,
    /// Bytes of all tensors together.
    pub(crate) data_length: usize,
}

/// Reads the length of the header from the first bytes of a file.
///
/// `start` holds the first nine bytes, or all there are.
pub(crate) fn header_length(start: &[u8], file: &str, kind: &Kind) -> Result<u64> {
    let noun = kind.noun;
    if start.starts_with(b"svm_type") {
        return Err(Error::Unsupported {
            file: file.to_owned(),
            problem: format!("this is a LIBSVM model, not a mercer {noun}"),
            cure: Act::ImportModel.into(),
        });
    }
    let (length, brace) = match start {
        [length @ .., brace] if length.len() == PREFIX => (length, *brace),
        _ => {
            let problem = format!(
                "this is not a mercer {noun}: it has only {} bytes",
                start.len()
            );
            return Err(unsupported(file, problem, (kind.give)()));
        }
    };
    let length = length
        .iter()
        .rev()
        .fold(0, |sum, b| sum << 8 | u64::from(*b));
    if brace != b'{' || !(2..=MAX_HEADER).contains(&length) {
        let problem =
            format!("this is not a mercer {noun}: it does not start like a safetensors file");
        return Err(unsupported(file, problem, (kind.give)()));
    }
    Ok(length)
}

impl Header {
    /// Reads a header and checks the extents of its tensors.
    pub(crate) fn parse(json: &[u8], file: &str, kind: &Kind) -> Result<Self> {
        let noun = kind.noun;
        let damaged = |problem: String| Error::Damaged {
            file: file.to_owned(),
            problem,
        };
        let metadata: Metadata = serde_json::from_slice(json)
            .map_err(|e| damaged(format!("its header cannot be read: {e}")))?;
        let Some(document) = metadata.metadata().as_ref().and_then(|m| m.get(kind.key)) else {
            let problem = format!("this is a safetensors file, but not a mercer {noun}");
            return Err(unsupported(file, problem, (kind.give)()));
        };
        let entry = |key: &str| {
            let found = metadata.metadata().as_ref().and_then(|m| m.get(key));
            found.ok_or_else(|| damaged(format!("its header has no `{key}`")))
        };
        let version = entry("format_version")?;
        let version: u32 = version
            .parse()
            .map_err(|_| damaged(format!("its format version is `{version}`")))?;
        let newest = kind.newest;
        if version == 0 || version > newest {
            return Err(unsupported(
                file,
                format!(
                    "the {noun} has format version {version}; this program reads versions 1 to {newest}"
                ),
                "install a newer mercer",
            ));
        }
        let mut tensors = BTreeMap::new();
        for (name, info) in metadata.tensors() {
            let known = [Dtype::F64, Dtype::F32, Dtype::U64, Dtype::U32, Dtype::U8];
            if !known.contains(&info.dtype) {
                return Err(damaged(format!(
                    "tensor `{name}` is of the unknown type {}",
                    info.dtype
                )));
            }
            tensors.insert(name, info.clone());
        }
        Ok(Self {
            document: document.clone(),
            version,
            checksum: entry("checksum")?.clone(),
            tensors,
            data_length: metadata.data_len(),
        })
    }

    /// Returns the bytes of a tensor; `data` was checked to have the announced length.
    pub(crate) fn bytes<'a>(info: &TensorInfo, data: &'a [u8]) -> &'a [u8] {
        data.get(info.data_offsets.0..info.data_offsets.1)
            .unwrap_or_default()
    }

    /// Returns whether the contents are those that were written.
    pub(crate) fn matches(&self, data: &[u8]) -> bool {
        let names: Vec<String> = self.tensors.values().map(|i| i.dtype.to_string()).collect();
        let items = self
            .tensors
            .iter()
            .zip(&names)
            .map(|((name, info), dtype)| Item {
                name,
                dtype,
                shape: &info.shape,
                bytes: Self::bytes(info, data),
            });
        checksum(self.version, &self.document, items) == self.checksum
    }
}

fn unsupported(file: &str, problem: String, cure: impl Into<Hint>) -> Error {
    Error::Unsupported {
        file: file.to_owned(),
        problem,
        cure: cure.into(),
    }
}

/// One tensor to write.
pub(crate) struct Block {
    pub(crate) name: String,
    pub(crate) dtype: Dtype,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: Vec<u8>,
}

/// Lays out a file; `blocks` come in the order of their names.
pub(crate) fn assemble(kind: &Kind, document: &str, mut blocks: Vec<Block>) -> Result<Vec<u8>> {
    let version = kind.newest;
    let names: Vec<String> = blocks.iter().map(|b| b.dtype.to_string()).collect();
    let items = blocks.iter().zip(&names).map(|(block, dtype)| Item {
        name: &block.name,
        dtype,
        shape: &block.shape,
        bytes: &block.bytes,
    });
    let checksum = checksum(version, document, items);
    // Wide types first: every tensor then starts at a multiple of its width.
    blocks.sort_by_key(|b| std::cmp::Reverse(b.dtype.bitsize()));
    let header = HeaderText {
        entries: [
            ("checksum", &checksum),
            ("format_version", &version.to_string()),
            (kind.key, document),
        ],
        blocks: &blocks,
    };
    let mut json = serde_json::to_vec(&header).expect("a header holds only texts and numbers");
    json.resize(json.len().next_multiple_of(PREFIX), b' ');
    if json.len() as u64 > MAX_HEADER {
        return Err(mercer::Error::Unsupported {
            what: format!(
                "the description of the {} takes {} bytes; a file holds {MAX_HEADER} at most",
                kind.noun,
                json.len()
            ),
            cure: "drop columns with very many categories".into(),
        }
        .into());
    }
    let data: usize = blocks.iter().map(|b| b.bytes.len()).sum();
    let mut file = Vec::with_capacity(PREFIX + json.len() + data);
    file.extend_from_slice(&(json.len() as u64).to_le_bytes());
    file.extend_from_slice(&json);
    for block in &blocks {
        file.extend_from_slice(&block.bytes);
    }
    Ok(file)
}

/// A header in a fixed order, which the writer of the safetensors crate does not keep.
struct HeaderText<'a> {
    entries: [(&'static str, &'a str); 3],
    blocks: &'a [Block],
}

impl Serialize for HeaderText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.blocks.len() + 1))?;
        let entries: BTreeMap<&str, &str> = self.entries.into_iter().collect();
        map.serialize_entry("__metadata__", &entries)?;
        let mut start = 0;
        for block in self.blocks {
            let end = start + block.bytes.len();
            let info = TensorInfo {
                dtype: block.dtype,
                shape: block.shape.clone(),
                data_offsets: (start, end),
            };
            map.serialize_entry(&block.name, &info)?;
            start = end;
        }
        map.end()
    }
}
