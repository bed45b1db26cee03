//! Texts that stand for a missing value.

use crate::data::MISSING;

/// Texts that are missing among numbers and dates, and may be names elsewhere.
pub const MISSING_VALUES: [&str; 21] = [
    "-",
    "--",
    "---",
    "\u{2013}",
    "\u{2014}",
    ".",
    "..",
    "*",
    "na",
    "Na",
    "none",
    "NONE",
    "Null",
    "nil",
    "missing",
    "Missing",
    "MISSING",
    "n/d",
    "ND",
    "0000-00-00",
    "00/00/0000",
];

/// Stands for the usual texts in a list of a user's own.
const DEFAULT: &str = "default";

/// The texts that stand for a missing value.
#[derive(Debug, Clone)]
pub struct MissingTexts {
    everywhere: Texts,
    among_values: Texts,
}

impl Default for MissingTexts {
    fn default() -> Self {
        Self {
            everywhere: Texts::new(&MISSING),
            among_values: Texts::new(&MISSING_VALUES),
        }
    }
}

impl MissingTexts {
    /// The given texts instead of the usual ones; `default` among them stands for those.
    pub fn of<S: AsRef<str>>(texts: &[S]) -> Self {
        let mut own: Vec<&str> = texts.iter().map(|t| t.as_ref().trim()).collect();
        let usual = own.contains(&DEFAULT);
        if usual {
            own.retain(|text| *text != DEFAULT);
            own.extend(MISSING);
        }
        let weak: &[&str] = if usual { &MISSING_VALUES } else { &[] };
        Self {
            everywhere: Texts::new(&own),
            among_values: Texts::new(weak),
        }
    }

    /// Returns whether a cell is missing, whatever its column holds.
    #[inline]
    pub fn is(&self, cell: &[u8]) -> bool {
        self.everywhere.has(cell)
    }

    /// Returns whether a cell that is no value is missing where the others are numbers or dates.
    pub(super) fn is_among_values(&self, cell: &[u8]) -> bool {
        self.among_values.has(cell)
    }
}

#[derive(Debug, Clone)]
struct Texts {
    all: Vec<Vec<u8>>,
    /// Which first bytes occur, so that most values are told apart by one look.
    first: [bool; 256],
    empty: bool,
}

impl Texts {
    fn new(texts: &[&str]) -> Self {
        let mut first = [false; 256];
        for byte in texts.iter().filter_map(|t| t.as_bytes().first()) {
            first[usize::from(*byte)] = true;
        }
        Self {
            all: texts.iter().map(|t| t.as_bytes().to_vec()).collect(),
            first,
            empty: texts.contains(&""),
        }
    }

    #[inline]
    fn has(&self, cell: &[u8]) -> bool {
        match cell.first() {
            None => self.empty,
            Some(&byte) => self.first[usize::from(byte)] && self.all.iter().any(|t| t == cell),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_texts_replace_or_join_the_usual_ones() {
        let usual = MissingTexts::default();
        assert!(usual.is(b"") && usual.is(b"NA") && !usual.is(b"-") && !usual.is(b"unknown"));
        assert!(usual.is_among_values(b"-") && usual.is_among_values(b"none"));
        let own = MissingTexts::of(&["unknown"]);
        assert!(own.is(b"unknown") && !own.is(b"NA") && !own.is_among_values(b"-"));
        let joined = MissingTexts::of(&["default", "unknown"]);
        assert!(joined.is(b"unknown") && joined.is(b"NA") && joined.is_among_values(b"-"));
        assert!(!joined.is(b"default"));
    }
}
