//! Recognises delimiter and header from the first rows.

use std::collections::{HashMap, HashSet};
use std::io::Cursor;

use mercer::data::recognise::MissingTexts;

use super::records::{Record, Records};
use crate::read::lines::Lines;
use crate::read::source::{BLOCK, Opened};
use crate::read::{ReadOptions, date, number};

/// The delimiters that are recognised, the rarest inside ordinary text first.
///
/// When several cut every row into the same number of fields the first wins: `1,5;2,5` has
/// decimal commas.
const DELIMITERS: [u8; 4] = [b'\t', b';', b'|', b','];

/// Rows looked at.
const SAMPLE: usize = 100;

/// The first records of a text, cut at one delimiter; reading stops at the first error.
pub(super) fn sample(head: &[u8], complete: bool, delimiter: u8, quote: u8) -> Vec<Record> {
    let mut text = head;
    if !complete && let Some(end) = head.iter().rposition(|&b| b == b'\n') {
        text = &head[..=end];
    }
    let opened = Opened {
        name: String::new(),
        head: Vec::new(),
        reader: Box::new(Cursor::new(text.to_vec())),
        bound: None,
    };
    let mut records = Records::new(Lines::new(opened, head.len()), delimiter, quote, head.len());
    let mut all = Vec::new();
    let mut record = Record::default();
    while all.len() < SAMPLE && records.next(&mut record).unwrap_or(false) {
        all.push(record.clone());
    }
    all
}

/// Returns the delimiter that cuts the first rows most evenly; comma when none does.
pub(super) fn delimiter(head: &[u8], complete: bool, quote: u8) -> u8 {
    let mut best = (0, b',');
    for delimiter in DELIMITERS {
        let records = sample(head, complete, delimiter, quote);
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for record in &records {
            *counts.entry(record.len()).or_default() += 1;
        }
        let common = counts
            .into_iter()
            .filter(|(fields, _)| *fields > 1)
            .map(|(_, rows)| rows)
            .max()
            .unwrap_or(0);
        if common > 0 && common == records.len() {
            return delimiter;
        }
        // Uneven rows: the delimiter that fits most of them lets the error name the others.
        if 2 * common > records.len() && common > best.0 {
            best = (common, delimiter);
        }
    }
    best.1
}

/// Returns whether the first row holds names.
///
/// It does when a column has a name on top of numbers or dates, and when the whole row is
/// distinct names none of which comes again below.
pub(super) fn has_header(rows: &[Record], missing: &MissingTexts) -> bool {
    let Some((first, rest)) = rows.split_first() else {
        return false;
    };
    let is_value = |cell: &[u8]| number::parse(cell).is_some() || date::parse(cell).is_some();
    let mut distinct = HashSet::new();
    let mut all_names = true;
    let mut name_on_values = false;
    let mut whole_numbers = true;
    for (column, cell) in first.fields().enumerate() {
        let is_name = !missing.is(cell) && !is_value(cell);
        let mut below = rest
            .iter()
            .filter(|r| column < r.len())
            .map(|r| r.field(column))
            .filter(|c| !missing.is(c))
            .peekable();
        if is_name {
            let some = below.peek().is_some();
            let mut repeated = false;
            let mut values = true;
            for other in below {
                repeated |= other == cell;
                values &= is_value(other);
            }
            name_on_values |= some && values;
            all_names &= !repeated;
        } else if !cell.is_empty() {
            all_names = false;
            // Years and plain positions are the numbers that occur as names.
            whole_numbers &= cell.iter().all(u8::is_ascii_digit);
        }
        if !cell.is_empty() && !distinct.insert(cell) {
            all_names = false;
            whole_numbers &= is_name;
        }
    }
    if name_on_values {
        return whole_numbers;
    }
    all_names && !distinct.is_empty()
}

/// Returns the delimiter and whether there is a header, as set or as recognised.
pub(super) fn recognise(opened: &Opened, tabs: bool, options: &ReadOptions) -> (u8, bool) {
    // A head shorter than a block is the whole file.
    let complete = opened.head.len() < BLOCK;
    let quote = options.quote.unwrap_or(b'"');
    let delimiter = options.delimiter.unwrap_or_else(|| {
        if tabs {
            b'\t'
        } else {
            delimiter(&opened.head, complete, quote)
        }
    });
    let header = options.header.unwrap_or_else(|| {
        let rows = sample(&opened.head, complete, delimiter, quote);
        has_header(&rows, &options.missing_texts())
    });
    (delimiter, header)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> u8 {
        delimiter(text.as_bytes(), true, b'"')
    }

    fn header(text: &str) -> bool {
        let rows = sample(text.as_bytes(), true, b',', b'"');
        has_header(&rows, &MissingTexts::default())
    }

    #[test]
    fn delimiters_are_recognised() {
        assert_eq!(found("a,b\n1,2\n"), b',');
        assert_eq!(found("a;b\n1,5;2,5\n"), b';');
        assert_eq!(found("1,5;2,5\n3,5;4,5\n"), b';');
        assert_eq!(found("a\tb\nx, y\tz\n"), b'\t');
        assert_eq!(found("a|b\n1|2\n"), b'|');
        assert_eq!(found("a,b\n\"x;y\",\"1;2\"\n"), b',');
        assert_eq!(found("a,b\n1,2\n3,4,5\n"), b',');
        assert_eq!(found("name,legal\na,x|y\nb,u|v\n"), b',');
        assert_eq!(found("a\n1\n2\n"), b',');
        assert_eq!(found(""), b',');
    }

    #[test]
    fn headers_are_recognised() {
        assert!(header("a,b\n1,2\n"));
        assert!(header("a,b\nx,y\n"));
        assert!(header(",b\nx,1\n"));
        assert!(header("id,1990,1991\n7,2.5,3.5\n"));
        assert!(header("a,b,a\n1,2,3\n"));
        assert!(header("day,v\n2024-01-01,x\n"));
        assert!(header("only\n"));
        assert!(!header("1,2\n3,4\n"));
        assert!(!header("1,a\n3,b\n"));
        assert!(!header("yes,a\nno,b\nyes,c\n"));
        assert!(!header("2024-01-01,x\n2024-01-02,y\n"));
        assert!(!header("?,2.5\n1,2.5\n"));
        assert!(!header(""));
    }

    #[test]
    fn cut_samples_end_at_a_line() {
        assert_eq!(sample(b"a,b\n1,2\n3", false, b',', b'"').len(), 2);
        assert_eq!(sample(b"a,b", false, b',', b'"').len(), 1);
    }
}
