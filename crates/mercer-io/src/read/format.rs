//! The formats, and how a file's format is recognised.

use std::path::Path;

use super::source::BLOCK;
use super::{ReadOptions, json, number};

/// Makes the type of a list: what a format is, its name as users write it, how names of its files end.
macro_rules! formats {
    ($($(#[$about:meta])* $format:ident = $name:literal [$($ending:literal),*],)*) => {
        /// A file format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$about])* $format,)*
        }

        impl Format {
            /// All formats.
            pub const ALL: &'static [Self] = &[$(Self::$format),*];

            /// Returns the format's name as the user writes it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$format => $name,)*
                }
            }

            /// Returns how names of its files end.
            fn endings(self) -> &'static [&'static str] {
                match self {
                    $(Self::$format => &[$($ending),*],)*
                }
            }
        }
    };
}

formats! {
    /// Fields between delimiters, which are recognised.
    Csv = "csv" ["csv"],
    /// Fields between tabs.
    Tsv = "tsv" ["tsv", "tab"],
    /// `label index:value ...` lines.
    Libsvm = "libsvm" ["libsvm", "svm", "svmlight"],
    /// Attribute declarations, then rows.
    Arff = "arff" ["arff"],
    /// One `NumPy` array.
    Npy = "npy" ["npy"],
    /// Apache Parquet.
    Parquet = "parquet" ["parquet", "pq"],
    /// Arrays like those of the digits data set MNIST.
    Idx = "idx" ["idx"],
    /// Named sequences.
    Fasta = "fasta" ["fasta", "fa", "fas", "faa", "fna"],
    /// Rows as objects or lists, one after the other or a line each; also columns.
    Json = "json" ["json", "jsonl", "ndjson"],
    /// A sheet of a workbook of Excel or `OpenDocument`.
    Excel = "excel" ["xlsx", "xlsm", "xlsb", "xls", "ods"],
    /// Molecules with named fields.
    Sdf = "sdf" ["sdf", "sd", "mol"],
    /// A folder of graphs, as the TU collection has them.
    Tu = "tu" [],
}

impl Format {
    /// Returns the format that a file's name stands for, without `.gz` or `.zst`.
    pub fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let name = [".gz", ".zst"]
            .iter()
            .find_map(|suffix| name.strip_suffix(suffix))
            .unwrap_or(&name);
        if name.ends_with("-ubyte") {
            return Some(Self::Idx);
        }
        let (_, extension) = name.rsplit_once('.')?;
        let is_its = |format: &&Self| format.endings().contains(&extension);
        Self::ALL.iter().find(is_its).copied()
    }

    /// Returns the format that the first bytes of a file look like.
    ///
    /// Magic bytes decide first, then the first words of the text; what is left is CSV.
    pub(crate) fn sniff(head: &[u8], options: &ReadOptions) -> Self {
        if head.starts_with(b"PAR1") {
            return Self::Parquet;
        }
        if head.starts_with(b"\x93NUMPY") {
            return Self::Npy;
        }
        if let [0, 0, 0x08 | 0x09 | 0x0b..=0x0e, 1..=8, ..] = head {
            return Self::Idx;
        }
        if json::is_json(head) {
            return Self::Json;
        }
        let mut text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        // The last line of a full sample may be cut in the middle of a word.
        if head.len() >= BLOCK
            && let Some(end) = text.iter().rposition(|&b| b == b'\n')
        {
            text = &text[..end];
        }
        let mut lines = text
            .split(|&b| b == b'\n')
            .map(<[u8]>::trim_ascii)
            .filter(|l| !l.is_empty());
        let first = lines.clone().find(|l| !l.starts_with(b"%"));
        if let Some(first) = first {
            let keyword = first[..first.len().min(10)].to_ascii_lowercase();
            if keyword.starts_with(b"@relation") || keyword.starts_with(b"@attribute") {
                return Self::Arff;
            }
        }
        if lines
            .clone()
            .find(|l| !l.starts_with(b";"))
            .is_some_and(|l| l.starts_with(b">"))
        {
            return Self::Fasta;
        }
        if looks_like_libsvm(&mut lines, options) {
            return Self::Libsvm;
        }
        Self::Csv
    }
}

/// Whether the first lines are a number followed by `index:value` pairs.
fn looks_like_libsvm(lines: &mut dyn Iterator<Item = &[u8]>, options: &ReadOptions) -> bool {
    // Five lines are enough to tell.
    let mut pairs = 0;
    for line in lines.filter(|l| !l.starts_with(b"#")).take(5) {
        let line = line.split(|&b| b == b'#').next().unwrap_or(line);
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|w| !w.is_empty());
        if !options.unlabelled {
            match words.next() {
                Some(label) if number::parse(label).is_some() => {}
                _ => return false,
            }
        }
        // Ten words are enough, and the first of a line longer than the sample are whole.
        for word in words.take(10) {
            let mut parts = word.splitn(2, |&b| b == b':');
            let index = parts.next().unwrap_or_default();
            let named =
                index == b"qid" || (!index.is_empty() && index.iter().all(u8::is_ascii_digit));
            if !named || parts.next().is_none() {
                return false;
            }
            pairs += 1;
        }
    }
    pairs > 0
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Format {
    type Err = mercer::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|f| f.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| mercer::Error::Unknown {
                kind: "format",
                name: text.to_owned(),
                known: Self::ALL.iter().map(ToString::to_string).collect(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniff(text: &[u8]) -> Format {
        Format::sniff(text, &ReadOptions::default())
    }

    #[test]
    fn names_round_trip() {
        for &format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "libsmv".parse::<Format>().expect_err("unknown");
        assert_eq!(error.hints(), ["did you mean `libsvm`?"]);
    }

    #[test]
    fn paths_tell_the_format() {
        let of = |name: &str| Format::from_path(Path::new(name));
        assert_eq!(of("a/b.csv.gz"), Some(Format::Csv));
        assert_eq!(of("B.ARFF"), Some(Format::Arff));
        assert_eq!(of("x.tsv.zst"), Some(Format::Tsv));
        assert_eq!(of("t10k-images-idx3-ubyte.gz"), Some(Format::Idx));
        assert_eq!(of("a9a.gz"), None);
        assert_eq!(of("a9a"), None);
    }

    #[test]
    fn content_tells_the_format() {
        assert_eq!(sniff(b"PAR1\x15"), Format::Parquet);
        assert_eq!(sniff(b"\x93NUMPY\x01\x00"), Format::Npy);
        assert_eq!(sniff(&[0, 0, 8, 3, 0, 0]), Format::Idx);
        assert_eq!(sniff(b"% hi\n@RELATION x\n"), Format::Arff);
        assert_eq!(sniff(b"\n>sp|P1 x\nACGT\n"), Format::Fasta);
        assert_eq!(sniff(b"+1 1:0.5 3:1\n-1 2:1\n"), Format::Libsvm);
        assert_eq!(sniff(b"# c\n1\n2 1:1 # c\n"), Format::Libsvm);
        assert_eq!(sniff(b"1 qid:3 1:1\n"), Format::Libsvm);
        assert_eq!(sniff(b"[ {\"a\": 1}]"), Format::Json);
        assert_eq!(sniff(b"{\"a\": 1}\n"), Format::Json);
        assert_eq!(sniff(b"[[1, 2]]"), Format::Json);
        assert_eq!(sniff(b"[unit],b\n1,2\n"), Format::Csv);
        assert_eq!(sniff(b"1,2\n3,4\n"), Format::Csv);
        assert_eq!(sniff(b"12:30\n"), Format::Csv);
        assert_eq!(sniff(b"1\n2\n"), Format::Csv);
        assert_eq!(sniff(b""), Format::Csv);
        let unlabelled = ReadOptions::default().unlabelled(true);
        assert_eq!(Format::sniff(b"1:2 3:4\n", &unlabelled), Format::Libsvm);
    }
}
