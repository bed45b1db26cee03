//! The checksum of a model file.

/// One tensor as the checksum sees it.
pub(super) struct Item<'a> {
    pub(super) name: &'a str,
    pub(super) dtype: &'a str,
    pub(super) shape: &'a [usize],
    pub(super) bytes: &'a [u8],
}

/// Returns the BLAKE3 hash, in hexadecimal, of version, document and tensors.
///
/// Every text and list is preceded by its length, so that no two models hash the same bytes;
/// tensors come in the order given, which is the order of their names. Layout of the file
/// (padding, order of tensors) does not matter.
pub(super) fn checksum<'a>(
    version: u32,
    document: &str,
    tensors: impl IntoIterator<Item = Item<'a>>,
) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"mercer model\0");
    hasher.update(&version.to_le_bytes());
    sized(&mut hasher, document.as_bytes());
    for tensor in tensors {
        sized(&mut hasher, tensor.name.as_bytes());
        sized(&mut hasher, tensor.dtype.as_bytes());
        hasher.update(&(tensor.shape.len() as u64).to_le_bytes());
        for &extent in tensor.shape {
            hasher.update(&(extent as u64).to_le_bytes());
        }
        sized(&mut hasher, tensor.bytes);
    }
    hasher.finalize().to_hex().to_string()
}

/// Returns the BLAKE3 hash, in hexadecimal, of a file's bytes.
///
/// # Errors
/// A file that cannot be read.
pub fn file_hash(path: &std::path::Path) -> crate::Result<String> {
    let failed = |source: std::io::Error| crate::Error::Io {
        file: path.display().to_string(),
        source,
    };
    let mut file = std::fs::File::open(path).map_err(failed)?;
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut file, &mut hasher).map_err(failed)?;
    Ok(hasher.finalize().to_hex().to_string())
}

fn sized(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}
