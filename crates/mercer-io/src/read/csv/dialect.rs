//! Recognises delimiter, header and what stands above the table, from the first rows.

use std::collections::{BTreeMap, HashSet};

use mercer::fit::Note;

use super::records::{Cut, Record, Records};
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

/// What begins a line above a table that is a comment, unless the user names another mark.
const COMMENT: u8 = b'#';

/// How a file is laid out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dialect {
    pub(super) cut: Cut,
    /// Whether the first record holds names.
    pub(super) header: bool,
    /// Names from the last comment above the table.
    pub(super) names: Option<Record>,
    /// Lines above the table.
    pub(super) skip: usize,
    /// What was recognised that a user may not expect.
    pub(super) notes: Vec<Note>,
}

/// The first records of a text after some lines; reading stops at the first error.
pub(super) fn sample(head: &[u8], complete: bool, cut: Cut, skip: usize) -> Vec<Record> {
    let mut text = head;
    if !complete {
        // A field that is cut may look like another: `c109` of `c1090`.
        let last = |byte: u8| head.iter().rposition(|&b| b == byte);
        text = match (last(b'\n'), last(cut.delimiter)) {
            (Some(end), _) => &head[..=end],
            (None, Some(end)) => &head[..end],
            (None, None) => head,
        };
    }
    let opened = Opened::of_text(text.to_vec());
    let mut lines = Lines::new(opened, head.len());
    if lines.skip(skip).is_err() {
        return Vec::new();
    }
    let mut records = Records::new(lines, cut, head.len());
    let mut all = Vec::new();
    let mut record = Record::default();
    while all.len() < SAMPLE && records.next(&mut record).unwrap_or(false) {
        all.push(record.clone());
    }
    all
}

/// The first records cut at one delimiter, and how evenly.
struct Trial {
    delimiter: u8,
    records: Vec<Record>,
    /// The number of fields most rows have, if more than one.
    width: usize,
    /// Records above the table.
    lead: usize,
    /// Rows below that have as many fields as most.
    even: usize,
    /// Rows below, comments left out.
    rows: usize,
}

impl Trial {
    fn new(records: Vec<Record>, delimiter: u8, free: bool) -> Self {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for record in records.iter().filter(|r| r.len() > 1) {
            *counts.entry(record.len()).or_default() += 1;
        }
        let most = counts
            .into_iter()
            .max_by_key(|&(width, rows)| (rows, width));
        let mut trial = Self {
            delimiter,
            records,
            width: most.map_or(0, |(width, _)| width),
            lead: 0,
            even: 0,
            rows: 0,
        };
        if free && trial.width > 1 {
            trial.lead = trial.above();
        }
        let below = trial.records[trial.lead..].iter();
        let below = below.filter(|r| !free || r.len() == trial.width || !is_comment(r));
        let counted = below.fold((0, 0), |(even, rows), r| {
            (even + usize::from(r.len() == trial.width), rows + 1)
        });
        (trial.even, trial.rows) = counted;
        trial
    }

    /// Counts the records above the table: comments, and titles of one field.
    ///
    /// A word alone may be the name of the only column of a file with delimiters in it, so a
    /// title has a space in it, an empty line below it, or company.
    fn above(&self) -> usize {
        let padded = |r: &Record| {
            r.len() == self.width
                && self.width > 2
                && r.fields().filter(|f| !f.is_empty()).count() < 2
        };
        let stands_above = |r: &&Record| is_comment(r) || r.len() == 1 || padded(r);
        let lead = self.records.iter().take_while(stands_above).count();
        let (above, below) = self.records.split_at(lead);
        let Some(first) = below.first() else {
            return 0;
        };
        // A row with one value may be data; a line of names below it says that it is none.
        let is_name = |f: &[u8]| !f.is_empty() && !is_value(f);
        if above.iter().any(|r| !is_comment(r) && padded(r)) && !first.fields().all(is_name) {
            return 0;
        }
        match above {
            // `#id,size` are names, too.
            [only] if is_comment(only) && only.len() == self.width && self.delimiter != b' ' => 0,
            [only] if !is_comment(only) => {
                let spaced = only.fields().any(|f| f.contains(&b' ')) || self.delimiter == b' ';
                let apart = first.line > only.line + 1;
                usize::from(spaced || apart || only.len() > 1)
            }
            _ => lead,
        }
    }

    fn is_even(&self) -> bool {
        self.even > 0 && self.even == self.rows
    }

    fn below(&self) -> &[Record] {
        &self.records[self.lead..]
    }
}

fn is_comment(record: &Record) -> bool {
    record.len() > 0 && record.field(0).starts_with(&[COMMENT])
}

fn is_value(cell: &[u8]) -> bool {
    number::parse(cell).is_some() || date::parse(cell).is_some()
}

/// Tries one delimiter after the other.
struct Trials<'a> {
    head: &'a [u8],
    complete: bool,
    quote: u8,
    options: &'a ReadOptions,
}

impl Trials<'_> {
    fn cut(&self, delimiter: u8) -> Cut {
        Cut {
            delimiter,
            quote: self.quote,
            comment: self.options.comment,
        }
    }

    fn of(&self, delimiter: u8) -> Trial {
        let skip = self.options.skip_rows;
        let records = sample(
            self.head,
            self.complete,
            self.cut(delimiter),
            skip.unwrap_or(0),
        );
        Trial::new(records, delimiter, skip.is_none())
    }

    /// Returns the delimiter that cuts the first rows most evenly; comma when none does.
    fn best(&self, name: &str) -> Trial {
        let mut best: Option<Trial> = None;
        let mut trials: Vec<Trial> = DELIMITERS.iter().map(|d| self.of(*d)).collect();
        // A delimiter that cuts every row evenly goes before one that does so below a title.
        let whole = trials.iter().position(|t| t.is_even() && t.lead == 0);
        if let Some(place) = whole.or_else(|| trials.iter().position(Trial::is_even)) {
            return trials.swap_remove(place);
        }
        for trial in trials {
            // Uneven rows: the delimiter that fits most of them lets the error name the others.
            let even = best.as_ref().map_or(0, |b| b.even);
            if 2 * trial.even > trial.rows && trial.even > even {
                best = Some(trial);
            }
        }
        best.unwrap_or_else(|| {
            let blanks = self.of(b' ');
            if blanks.is_even() && self.are_columns(&blanks, name) {
                blanks
            } else {
                self.of(b',')
            }
        })
    }

    /// Whether words between blanks are columns and not a text.
    ///
    /// The names of two people in every line are one column of a file called `.csv`, and a date
    /// with its time is one value.
    fn are_columns(&self, blanks: &Trial, name: &str) -> bool {
        let below = blanks.below();
        let rest = below.get(1..).filter(|r| !r.is_empty()).unwrap_or(below);
        let has_values = (0..blanks.width).any(|column| {
            let mut cells = rest
                .iter()
                .filter(|r| r.len() == blanks.width)
                .map(|r| r.field(column));
            cells.all(is_value)
        });
        let whole = self.of(b',').records;
        let one_value =
            !whole.is_empty() && whole.iter().all(|r| r.len() == 1 && is_value(r.field(0)));
        let is_csv = std::path::Path::new(name)
            .file_name()
            .is_some_and(|n| n.to_string_lossy().to_lowercase().contains(".csv"));
        !one_value && (has_values || !is_csv)
    }
}

/// The names in the last comment above a table: `# a b` or `#a,b`.
fn names_in_comment(trial: &Trial) -> Option<Record> {
    let last = trial.records[..trial.lead]
        .last()
        .filter(|r| is_comment(r))?;
    let first = last.field(0).trim_ascii_start();
    let marks = first.iter().take_while(|&&b| b == COMMENT).count();
    let first = first[marks..].trim_ascii();
    let mut fields: Vec<&[u8]> = last.fields().collect();
    fields[0] = first;
    if first.is_empty() {
        fields.remove(0);
    }
    let names = fields.len() == trial.width && fields.iter().all(|f| !f.is_empty() && !is_value(f));
    names.then(|| Record::of(&fields, last.line))
}

/// Returns whether the first row holds names.
///
/// It does when a column has a name on top of numbers or dates, and when the whole row is
/// distinct names none of which comes again below.
pub(crate) fn has_header(rows: &[Record], options: &ReadOptions) -> bool {
    let missing = options.missing_texts();
    let Some((first, rest)) = rows.split_first() else {
        return false;
    };
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

/// Returns how a file is laid out, as set or as recognised.
pub(super) fn recognise(opened: &Opened, tabs: bool, options: &ReadOptions) -> Dialect {
    let trials = Trials {
        head: &opened.head,
        // A head shorter than a block is the whole file.
        complete: opened.head.len() < BLOCK,
        quote: options.quote.unwrap_or(b'"'),
        options,
    };
    let trial = match options.delimiter {
        Some(delimiter) => trials.of(delimiter),
        None if tabs => trials.of(b'\t'),
        None => trials.best(&opened.name),
    };
    let mut dialect = Dialect {
        cut: trials.cut(trial.delimiter),
        header: false,
        names: None,
        skip: options.skip_rows.unwrap_or(0),
        notes: Vec::new(),
    };
    if let Some(first) = trial.below().first().filter(|_| trial.lead > 0) {
        dialect.above(&trial, first.line);
    }
    let recognised = || has_header(trial.below(), options);
    dialect.header = options.header.unwrap_or_else(recognised);
    if !dialect.header && options.header.is_none() {
        dialect.names = names_in_comment(&trial);
        if let Some(names) = &dialect.names {
            dialect.notes.push(Note::Choice(format!(
                "the names of the columns are those of the comment in line {}",
                names.line
            )));
        }
    }
    dialect
}

impl Dialect {
    /// Passes over what stands above a table that begins in some line.
    fn above(&mut self, trial: &Trial, line: usize) {
        self.skip = line - 1;
        let (above, below) = trial.records.split_at(trial.lead);
        let marked = |r: &Record| is_comment(r) && r.len() == trial.width;
        if above.iter().all(is_comment) && !below.iter().any(marked) {
            self.cut.comment = Some(COMMENT);
            self.notes.push(Note::Choice(
                "lines that begin with `#` are passed over".to_owned(),
            ));
            return;
        }
        if above.iter().any(is_comment) && !below.iter().any(marked) {
            self.cut.comment = Some(COMMENT);
        }
        self.notes.push(Note::Choice(format!(
            "the table begins in line {line}; what stands above it is passed over"
        )));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect_of(name: &str, text: &str, options: &ReadOptions) -> Dialect {
        let opened = Opened {
            name: name.to_owned(),
            head: text.as_bytes().to_vec(),
            ..Opened::of_text(Vec::new())
        };
        recognise(&opened, false, options)
    }

    fn dialect(text: &str) -> Dialect {
        dialect_of("a.csv", text, &ReadOptions::default())
    }

    fn found(text: &str) -> u8 {
        dialect(text).cut.delimiter
    }

    fn comma() -> Cut {
        Cut {
            delimiter: b',',
            quote: b'"',
            comment: None,
        }
    }

    fn header(text: &str) -> bool {
        let rows = sample(text.as_bytes(), true, comma(), 0);
        has_header(&rows, &ReadOptions::default())
    }

    #[test]
    fn blanks_are_recognised() {
        assert_eq!(found("x  y\n1   2.5\n10 3\n"), b' ');
        assert_eq!(found("  1 2\n 10 3\n"), b' ');
        assert_eq!(found("ann smith\nbob jones\n"), b',');
        assert_eq!(found("2024-01-01 10:00\n2024-01-02 11:00\n"), b',');
        assert_eq!(found("text\none two\nthree four\n"), b',');
        assert_eq!(found("x y\n1 2\n1 2 3\n"), b',');
        let edges = dialect_of("friends.txt", "ann bob\nbob cid\n", &ReadOptions::default());
        assert_eq!(edges.cut.delimiter, b' ');
    }

    #[test]
    fn titles_and_comments_are_recognised() {
        let skip = |text: &str| {
            let found = dialect(text);
            (found.skip, found.cut.comment, found.header)
        };
        assert_eq!(skip("# made by x\na,b\n1,2\n"), (1, Some(b'#'), true));
        assert_eq!(
            skip("# a, b\n# c\n\na,b,c\n1,2,3\n#4\n"),
            (3, Some(b'#'), true)
        );
        assert_eq!(skip("Sales of 2024\n\na,b\n1,2\n"), (2, None, true));
        assert_eq!(skip("Sales\n\na,b\n1,2\n"), (2, None, true));
        assert_eq!(skip("# x\nSales\na,b\n1,2\n"), (2, Some(b'#'), true));
        assert_eq!(skip("Sales,,\n,,\na,b,c\n1,2,3\n"), (2, None, true));
        // Names of one column with delimiters below, rows with gaps, and `#` as a name stay.
        assert_eq!(skip("text\nx, y\nu, v\n"), (0, None, true));
        assert_eq!(skip("1,,\n2,3,4\n"), (0, None, false));
        assert_eq!(skip("#id,size\n1,2\n"), (0, None, true));
        assert_eq!(skip("#,size\n1,2\n"), (0, None, true));
        let told = ReadOptions::default().skip_rows(0);
        assert_eq!(dialect_of("a.csv", "# made\na,b\n1,2\n", &told).skip, 0);
    }

    #[test]
    fn comments_may_hold_the_names() {
        let names = |text: &str| {
            let names = dialect(text).names?;
            Some(
                names
                    .fields()
                    .map(|f| String::from_utf8_lossy(f).into_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            names("# x y\n1 2\n3 4\n"),
            Some(vec!["x".into(), "y".into()])
        );
        assert_eq!(
            names("# made\n# x,y\n1,2\n3,4\n"),
            Some(vec!["x".into(), "y".into()])
        );
        assert_eq!(names("# made\n# x,y\nu,v\n3,4\n"), None);
        assert_eq!(names("# made on 4\n1 2\n3 4\n"), None);
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
        assert_eq!(sample(b"a,b\n1,2\n3", false, comma(), 0).len(), 2);
        assert_eq!(sample(b"a,b", false, comma(), 0).len(), 1);
        let cut = &sample(b"c1,c10,c1", false, comma(), 0)[0];
        assert_eq!(cut.fields().collect::<Vec<_>>(), [&b"c1"[..], b"c10"]);
        assert_eq!(sample(b"t\na,b\n1,2\n", true, comma(), 1).len(), 2);
    }
}
