//! Files that people take for data and that no reader here understands, by their first bytes.

use crate::{Error, Result};

/// First bytes, what such a file is, and what to do with it.
const FOREIGN: [(&[u8], &str, &str); 26] = [
    (b"BZh", "a bzip2 file", "unpack it with `bunzip2`"),
    (b"\xfd7zXZ", "an xz file", "unpack it with `unxz`"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", UNPACK),
    (b"\x89HDF", "an HDF5 file", EXPORT),
    (b"ARROW1", "an Arrow file", "save the table as Parquet"),
    (b"FEA1", "a Feather file", "save the table as Parquet"),
    (b"ORC", "an ORC file", "save the table as Parquet"),
    (b"Obj\x01", "an Avro file", "save the table as Parquet"),
    (b"SQLite format 3\0", "an SQLite database", QUERY),
    (
        b"%PDF-",
        "a PDF document",
        "get the table behind it, as CSV",
    ),
    (b"\x89PNG\r\n", "a picture", PICTURE),
    (b"\xff\xd8\xff", "a picture", PICTURE),
    (b"GIF8", "a picture", PICTURE),
    (b"MATLAB 5.0 MAT-file", "a MATLAB file", EXPORT),
    (b"RDX2\n", "data of R", FROM_R),
    (b"RDX3\n", "data of R", FROM_R),
    (b"X\n\0\0\0\x02", "data of R", FROM_R),
    (b"X\n\0\0\0\x03", "data of R", FROM_R),
    (b"<stata_dta>", "a Stata file", EXPORT),
    (b"$FL2@(#)", "an SPSS file", EXPORT),
    (b"$FL3@(#)", "an SPSS file", EXPORT),
    (b"\x80\x02", "a Python pickle", PICKLE),
    (b"\x80\x03", "a Python pickle", PICKLE),
    (b"\x80\x04\x95", "a Python pickle", PICKLE),
    (b"\x80\x05\x95", "a Python pickle", PICKLE),
];

const UNPACK: &str = "unpack it and name the table in it";
const EXPORT: &str = "export the table as CSV or Parquet";
const QUERY: &str =
    "export a table, such as with `sqlite3 -header -csv FILE 'SELECT * FROM TABLE'`";
const PICTURE: &str = "give a table of numbers that describe pictures";
const FROM_R: &str = "save it in R with `write.csv(data, \"data.csv\", row.names = FALSE)`";
const PICKLE: &str =
    "save the table from Python, such as with `DataFrame.to_parquet` or `numpy.save`";

/// Refuses a file whose first bytes are those of something else.
pub(super) fn refuse(name: &str, head: &[u8]) -> Result<()> {
    let Some((what, cure)) = describe(head) else {
        return Ok(());
    };
    Err(Error::Unsupported {
        file: name.to_owned(),
        problem: format!("this is {what}"),
        cure: cure.into(),
    })
}

fn describe(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let known = FOREIGN.iter().find(|(magic, ..)| {
        // `BZh` and `ORC` could start a text; the block mark of one and the zeros of the other
        // could not.
        let sure = match *magic {
            b"BZh" => head.get(4..10) == Some(b"1AY&SY"),
            b"ORC" => head.get(3..64).is_some_and(|rest| rest.contains(&0)),
            b"FEA1" => head.get(4..8) == Some(&[0; 4]),
            b"GIF8" => matches!(head.get(4..6), Some(b"7a" | b"9a")),
            _ => true,
        };
        head.starts_with(magic) && sure
    });
    if let Some((_, what, cure)) = known {
        return Some((what, cure));
    }
    if is_model(head) {
        return Some((
            "a model of mercer, not a table",
            "give a table; the model is named before it",
        ));
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = text.trim_ascii_start();
    let begins = |word: &str| {
        let start = text.get(..word.len());
        start.is_some_and(|s| s.eq_ignore_ascii_case(word.as_bytes()))
    };
    if begins("<!doctype html") || begins("<html") || begins("<table") {
        return Some((
            "an HTML page",
            "save the table in it as CSV; the address may lead to a page about it",
        ));
    }
    if begins("<?xml") {
        return Some((
            "an XML file",
            "save the table as CSV, JSON or Excel workbook",
        ));
    }
    if begins("version https://git-lfs") {
        return Some((
            "a pointer of Git LFS, not the file itself",
            "fetch the file with `git lfs pull`",
        ));
    }
    None
}

/// Whether a file begins as models of mercer do: a length, then a header with their name.
pub(crate) fn is_model(head: &[u8]) -> bool {
    const NAME: &[u8] = b"\"mercer\":";
    let Some((length, header)) = head.split_first_chunk::<8>() else {
        return false;
    };
    let length = u64::from_le_bytes(*length);
    header.starts_with(b"{\"__metadata__\":{")
        && length < 1 << 40
        && header.windows(NAME.len()).any(|w| w == NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(head: &[u8]) -> String {
        refuse("x", head).expect_err("refused").to_string()
    }

    #[test]
    fn foreign_files_are_named() {
        assert_eq!(
            message(b"\x80\x04\x95\x10\0\0"),
            "x: this is a Python pickle"
        );
        assert_eq!(message(b"%PDF-1.7"), "x: this is a PDF document");
        assert_eq!(message(b"\n <!DOCTYPE HTML>"), "x: this is an HTML page");
        assert_eq!(message(b"<table border=\"1\">"), "x: this is an HTML page");
        assert_eq!(message(b"\x89PNG\r\n\x1a\n"), "x: this is a picture");
        assert_eq!(message(b"BZh91AY&SY.."), "x: this is a bzip2 file");
        let mut model = 40_u64.to_le_bytes().to_vec();
        model.extend_from_slice(b"{\"__metadata__\":{\"mercer\":\"{}\"}}");
        assert_eq!(message(&model), "x: this is a model of mercer, not a table");
    }

    #[test]
    fn texts_that_begin_alike_are_data() {
        let texts = [
            "BZh is a name",
            "ORCA,1\n",
            "GIF8\n",
            "FEA1,b\n",
            "<5,3\n",
            "",
        ];
        for text in texts {
            assert!(refuse("x", text.as_bytes()).is_ok(), "{text}");
        }
    }
}
