//! Where bytes come from: a path, standard input or memory, decompressed as they are read.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use mercer::data::Layout;
use mercer::fit::Cancel;

use super::limit::{Watch, metered};
use super::{Format, foreign, utf16};
use crate::error::{is_stop, limited};
use crate::{Error, Result};

/// Bytes read at a time: large enough to hide system calls, small enough to stop soon.
pub(super) const BLOCK: usize = 64 << 10;

/// The most by which deflate can shrink data, by its format (258 bytes in two bits).
pub(super) const DEFLATE_RATIO: u64 = 1032;

/// Where to read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// Bytes in memory, such as an upload.
    Bytes {
        /// The name to use in messages and to recognise the format by.
        name: String,
        /// The contents.
        data: Arc<[u8]>,
    },
}

impl Source {
    /// Returns the source that a command-line argument stands for; `-` is standard input.
    pub fn from_argument(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        if path == Path::new("-") {
            Self::Stdin
        } else {
            Self::Path(path)
        }
    }

    /// Wraps bytes in memory.
    pub fn bytes(name: impl Into<String>, data: impl Into<Arc<[u8]>>) -> Self {
        Self::Bytes {
            name: name.into(),
            data: data.into(),
        }
    }

    /// Returns the name used in messages.
    pub fn name(&self) -> String {
        match self {
            Self::Path(path) => path.display().to_string(),
            Self::Stdin => "standard input".to_owned(),
            Self::Bytes { name, .. } => name.clone(),
        }
    }

    /// Returns the format that the name stands for.
    pub fn format(&self) -> Option<Format> {
        match self {
            Self::Path(path) => Format::from_path(path),
            Self::Stdin => None,
            Self::Bytes { name, .. } => Format::from_path(Path::new(name)),
        }
    }

    /// Opens the source and decompresses it as it is read.
    ///
    /// Gzip (several members too) and Zstandard are recognised by their first bytes. Every
    /// block read looks at `cancel` first.
    ///
    /// # Errors
    /// A file that is missing or may not be read, and contents no reader understands, such as
    /// a picture.
    pub fn open(&self, cancel: Option<&Cancel>) -> Result<Opened> {
        let watch = Watch {
            cancel: cancel.cloned(),
            deadline: None,
        };
        self.open_within(&watch, u64::MAX)
    }

    /// Opens the source to read up to `limit` bytes of its contents.
    pub(crate) fn open_within(&self, watch: &Watch, limit: u64) -> Result<Opened> {
        let (raw, size): (Box<dyn Read + Send>, Option<u64>) = match self {
            Self::Path(path) => {
                let file = File::open(path).map_err(|e| Error::from_io(path, e))?;
                let about = file.metadata().map_err(|e| Error::from_io(path, e))?;
                if about.is_dir() {
                    return Err(Error::Unsupported {
                        file: self.name(),
                        problem: "this is a folder".to_owned(),
                        cure: "name a file in it".into(),
                    });
                }
                (Box::new(file), about.is_file().then_some(about.len()))
            }
            Self::Stdin => (
                Box::new(Piped::start(std::io::stdin(), watch.clone())),
                None,
            ),
            Self::Bytes { data, .. } => (
                Box::new(Cursor::new(Arc::clone(data))),
                Some(data.len() as u64),
            ),
        };
        let passed = Passed {
            bytes: Arc::default(),
            of: size,
        };
        let watched = Watched {
            inner: Box::new(Counted {
                inner: raw,
                bytes: Arc::clone(&passed.bytes),
            }),
            watch: watch.clone(),
        };
        let opened = Opened::new(self.name(), watched, size, limit)?;
        Ok(Opened { passed, ..opened })
    }
}

/// Returns whether a file begins as models of mercer do; the rest may be damaged.
pub fn is_model(path: &Path) -> bool {
    let head = File::open(path).and_then(|mut file| peek(&mut file, BLOCK));
    head.is_ok_and(|head| foreign::is_model(&head))
}

/// An open, decompressed source.
pub struct Opened {
    /// The name used in messages.
    pub name: String,
    /// The first bytes, up to 64 KiB; the reader gives them again.
    pub head: Vec<u8>,
    /// The contents from the start.
    pub reader: Box<dyn BufRead + Send>,
    /// A bound on the number of bytes the reader can give, where one is known.
    pub bound: Option<u64>,
    /// How the file is packed.
    pub packing: Option<&'static str>,
    /// How its text is encoded.
    pub encoding: &'static str,
    /// How far reading has come.
    pub passed: Passed,
}

/// How far reading of a file has come, in bytes of the file.
#[derive(Debug, Clone, Default)]
pub struct Passed {
    bytes: Arc<AtomicU64>,
    of: Option<u64>,
}

impl Passed {
    /// Returns the share of the file that was read, where its size is known.
    pub fn share(&self) -> Option<f64> {
        let of = self.of.filter(|of| *of > 0)?;
        Some((self.bytes.load(Ordering::Relaxed) as f64 / of as f64).min(1.0))
    }
}

/// Counts the bytes that were read.
struct Counted {
    inner: Box<dyn Read + Send>,
    bytes: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.bytes.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened")
            .field("name", &self.name)
            .field("bound", &self.bound)
            .finish_non_exhaustive()
    }
}

impl Opened {
    pub(super) fn new(name: String, raw: Watched, size: Option<u64>, limit: u64) -> Result<Self> {
        let watch = raw.watch.clone();
        let mut raw = BufReader::with_capacity(BLOCK, raw);
        let magic = peek(&mut raw, 8).map_err(|e| Error::io(&name, e))?;
        let raw = Cursor::new(magic.clone()).chain(raw);
        let mut packing = None;
        let (mut reader, mut bound): (Box<dyn BufRead + Send>, _) = match &magic[..] {
            [0x1f, 0x8b, ..] => {
                let decoder = Decoder {
                    inner: flate2::bufread::MultiGzDecoder::new(raw),
                    kind: "gzip",
                };
                packing = Some("gzip");
                let bound = size.map(|s| s.saturating_mul(DEFLATE_RATIO));
                (metered(decoder, watch.clone(), limit), bound)
            }
            [0x28, 0xb5, 0x2f, 0xfd, ..] => {
                let decoder = zstd::stream::read::Decoder::with_buffer(raw)
                    .map_err(|e| Error::io(&name, e))?;
                let decoder = Decoder {
                    inner: decoder,
                    kind: "zstd",
                };
                packing = Some("zstd");
                (metered(decoder, watch.clone(), limit), None)
            }
            _ => (metered(raw, watch.clone(), limit), size),
        };
        let mut head = peek(&mut reader, BLOCK).map_err(|e| Error::io(&name, e))?;
        let mut encoding = "UTF-8";
        if let Some(order) = utf16::Order::of(&head) {
            encoding = "UTF-16";
            let whole = Cursor::new(head).chain(reader);
            reader = metered(utf16::Decoder::new(whole, order), watch, limit);
            // Two bytes become three at most.
            bound = bound.map(|b| b.saturating_mul(2));
            head = peek(&mut reader, BLOCK).map_err(|e| Error::io(&name, e))?;
        }
        foreign::refuse(&name, &head)?;
        Ok(Self {
            reader: Box::new(Cursor::new(head.clone()).chain(reader)),
            name,
            head,
            bound,
            packing,
            encoding,
            passed: Passed::default(),
        })
    }

    /// Text in memory without a name.
    pub(crate) fn of_text(text: Vec<u8>) -> Self {
        Self {
            name: String::new(),
            head: Vec::new(),
            reader: Box::new(Cursor::new(text)),
            bound: None,
            packing: None,
            encoding: "UTF-8",
            passed: Passed::default(),
        }
    }

    /// What is known of a text file before it is read.
    pub(crate) fn layout(&self) -> Layout {
        Layout {
            packing: self.packing,
            encoding: Some(self.encoding),
            ..Layout::default()
        }
    }

    /// Returns how many items to reserve room for when a header claims `claimed` items of
    /// `item` bytes each: never more than the source can hold.
    pub(crate) fn reserve(&self, claimed: usize, item: usize) -> usize {
        // Without a bound, 1 MiB to start with; growth follows the bytes that arrive.
        let bound = self.bound.unwrap_or(1 << 20) / item.max(1) as u64;
        claimed.min(usize::try_from(bound).unwrap_or(usize::MAX))
    }
}

/// Reads up to `n` bytes from the start.
fn peek(reader: &mut dyn Read, n: usize) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    reader.take(n as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Looks whether to stop before every read.
pub(super) struct Watched {
    pub(super) inner: Box<dyn Read + Send>,
    pub(super) watch: Watch,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.watch.check()?;
        self.inner.read(buffer)
    }
}

/// Says which compression a damaged stream has.
struct Decoder<R> {
    inner: R,
    kind: &'static str,
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.inner.read(buffer).map_err(|e| {
            let stopped = is_stop(&e) || limited(&e).is_some();
            if e.kind() == std::io::ErrorKind::Interrupted || stopped {
                return e;
            }
            let text = format!("the {} data are damaged or cut off ({e})", self.kind);
            std::io::Error::new(e.kind(), text)
        })
    }
}

/// Reads a pipe from a thread of its own, so that waiting for it can be stopped.
struct Piped {
    blocks: Receiver<std::io::Result<Vec<u8>>>,
    block: Cursor<Vec<u8>>,
    watch: Watch,
}

impl Piped {
    fn start(mut pipe: impl Read + Send + 'static, watch: Watch) -> Self {
        // Four blocks in flight keep both sides busy.
        let (sender, blocks) = sync_channel(4);
        std::thread::spawn(move || {
            loop {
                let mut block = vec![0; BLOCK];
                let result = match pipe.read(&mut block) {
                    Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
                    Err(e) => Err(e),
                    Ok(n) => {
                        block.truncate(n);
                        Ok(block)
                    }
                };
                let last = result.as_ref().map_or(true, Vec::is_empty);
                if sender.send(result).is_err() || last {
                    return;
                }
            }
        });
        Self {
            blocks,
            block: Cursor::default(),
            watch,
        }
    }
}

impl Read for Piped {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.block.position() as usize >= self.block.get_ref().len() {
            self.watch.check()?;
            // 50 ms keep the promise to stop within 100.
            match self.blocks.recv_timeout(Duration::from_millis(50)) {
                Ok(block) => {
                    let block = block?;
                    if block.is_empty() {
                        return Ok(0);
                    }
                    self.block = Cursor::new(block);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
        self.block.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    pub(crate) fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(data).expect("memory");
        encoder.finish().expect("memory")
    }

    fn text(data: Vec<u8>) -> Result<String> {
        let mut opened = Source::bytes("x", data).open(None)?;
        let mut text = String::new();
        opened
            .reader
            .read_to_string(&mut text)
            .map_err(|e| Error::io("x", e))?;
        Ok(text)
    }

    #[test]
    fn compressed_bytes_are_read_as_they_are() {
        let mut twice = gzip(b"one\n");
        twice.extend(gzip(b"two\n"));
        assert_eq!(text(twice).expect("gzip"), "one\ntwo\n");
        let zst = zstd::encode_all(&b"three\n"[..], 1).expect("zstd");
        assert_eq!(text(zst).expect("zstd"), "three\n");
        assert_eq!(text(b"four".to_vec()).expect("plain"), "four");
        assert_eq!(text(Vec::new()).expect("empty"), "");
    }

    #[test]
    fn cut_compression_is_an_error() {
        let data: Vec<u8> = (0..100_000u32)
            .flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes())
            .collect();
        let mut gz = gzip(&data);
        gz.truncate(gz.len() / 2);
        let error = Source::bytes("x.gz", gz)
            .open(None)
            .and_then(|mut o| {
                let mut all = Vec::new();
                o.reader
                    .read_to_end(&mut all)
                    .map_err(|e| Error::io("x.gz", e))
            })
            .expect_err("cut");
        assert!(
            error
                .to_string()
                .starts_with("x.gz: the gzip data are damaged or cut off"),
            "{error}"
        );
    }

    #[test]
    fn folder_is_refused() {
        let folder = tempfile::tempdir().expect("folder");
        let error = Source::Path(folder.path().to_owned())
            .open(None)
            .expect_err("folder");
        assert!(error.to_string().ends_with("this is a folder"));
    }

    #[test]
    fn waiting_for_a_pipe_can_be_stopped() {
        struct Never;
        impl Read for Never {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                std::thread::sleep(Duration::from_mins(1));
                Ok(0)
            }
        }
        let cancel = Cancel::default();
        let watch = Watch {
            cancel: Some(cancel.clone()),
            deadline: None,
        };
        let mut pipe = Piped::start(Never, watch);
        let started = std::time::Instant::now();
        cancel.cancel();
        let error = pipe.read(&mut [0; 8]).expect_err("stopped");
        assert!(Error::io("-", error).is_cancelled());
        assert!(started.elapsed() < Duration::from_millis(100));
    }

    #[test]
    fn pipes_are_read_to_the_end() {
        let data: Vec<u8> = (0..200_000u32).map(|i| i as u8).collect();
        let mut pipe = Piped::start(Cursor::new(data.clone()), Watch::default());
        let mut all = Vec::new();
        pipe.read_to_end(&mut all).expect("pipe");
        assert_eq!(all, data);
    }

    #[test]
    fn argument_dash_is_standard_input() {
        assert_eq!(Source::from_argument("-"), Source::Stdin);
        assert_eq!(Source::from_argument("a"), Source::Path("a".into()));
    }
}
