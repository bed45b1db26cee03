//! From texts to sequences of symbols.

use std::collections::HashMap;
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::Result;
use crate::data::Records;
use crate::hint::Act;
use crate::kernel::only::only;
use crate::kernel::{Allowed, Fallback, Parameter, Settings};

/// What a symbol is.
pub(super) const OVER: Parameter = Parameter {
    name: "over",
    meaning: "what a symbol is: bytes, chars (Unicode, composed) or words",
    allowed: Allowed::Word(&["bytes", "chars", "words"]),
    fallback: Fallback::Word("chars"),
    default: "chars",
    instead_of: None,
};

/// Whether case counts.
pub(super) const LOWER: Parameter = Parameter {
    name: "lower",
    meaning: "`true` reads capitals as small letters",
    allowed: Allowed::Flag,
    fallback: Fallback::Flag(false),
    default: "false",
    instead_of: None,
};

/// The one text column of records.
///
/// # Errors
/// No text column, or several of them.
pub(super) fn texts<'a>(kernel: &str, records: &'a Records) -> Result<&'a [Arc<str>]> {
    let cure = Act::GiveTexts;
    let column = only(kernel, "text", &records.texts, |t| &t.source, cure)?;
    Ok(&column.texts)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Over {
    Bytes,
    Chars,
    Words,
}

/// How texts are read, with the words of the rows that were learnt from.
///
/// Equal symbols have equal numbers in all texts read by the same reading; words that were not
/// learnt get numbers of their own within one call.
pub(super) struct Reading {
    over: Over,
    lower: bool,
    words: HashMap<String, u32>,
}

impl Reading {
    /// Reads as `over` and `lower` say, which stand at these places of the settings, and learns
    /// the words of texts.
    pub(super) fn learn(
        settings: &Settings,
        (over, lower): (usize, usize),
        texts: &[Arc<str>],
    ) -> Self {
        let mut reading = Self {
            over: if settings.is_word(over, "bytes") {
                Over::Bytes
            } else if settings.is_word(over, "words") {
                Over::Words
            } else {
                Over::Chars
            },
            lower: settings.flag(lower),
            words: HashMap::new(),
        };
        if reading.over == Over::Words {
            let mut words = HashMap::new();
            for text in texts {
                reading.each_word(text, |word| {
                    let next = words.len() as u32;
                    words.entry(word.to_owned()).or_insert(next);
                });
            }
            reading.words = words;
        }
        reading
    }

    /// Turns texts into sequences.
    pub(super) fn read(&self, texts: &[Arc<str>]) -> Sequences {
        let mut sequences = Sequences::default();
        let mut new_words: HashMap<String, u32> = HashMap::new();
        for text in texts {
            let symbols = &mut sequences.symbols;
            match self.over {
                Over::Bytes if self.lower => {
                    symbols.extend(text.to_lowercase().bytes().map(u32::from));
                }
                Over::Bytes => symbols.extend(text.bytes().map(u32::from)),
                // Letters with marks are one symbol, however they were typed.
                Over::Chars if text.is_ascii() && !self.lower => {
                    symbols.extend(text.bytes().map(u32::from));
                }
                Over::Chars if self.lower => {
                    symbols.extend(text.to_lowercase().nfc().map(u32::from));
                }
                Over::Chars => symbols.extend(text.nfc().map(u32::from)),
                Over::Words => self.each_word(text, |word| {
                    let known = self.words.get(word).copied();
                    symbols.push(known.unwrap_or_else(|| {
                        let next = (self.words.len() + new_words.len()) as u32;
                        *new_words.entry(word.to_owned()).or_insert(next)
                    }));
                }),
            }
            sequences.ends.push(sequences.symbols.len());
        }
        sequences
    }

    /// Writes a symbol that was read.
    pub(super) fn written(&self, symbol: u32) -> String {
        match self.over {
            Over::Words => {
                let mut words = self.words.iter();
                let word = words.find(|(_, code)| **code == symbol);
                word.map_or_else(String::new, |(word, _)| word.clone())
            }
            Over::Bytes if symbol >= 128 => format!("\\x{symbol:02x}"),
            _ => char::from_u32(symbol).map_or_else(String::new, String::from),
        }
    }

    fn each_word(&self, text: &str, mut see: impl FnMut(&str)) {
        let composed: String = text.nfc().collect();
        let composed = if self.lower {
            composed.to_lowercase()
        } else {
            composed
        };
        composed.unicode_words().for_each(&mut see);
    }
}

/// Sequences of symbols, one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sequences {
    symbols: Vec<u32>,
    ends: Vec<usize>,
}

impl Sequences {
    pub(super) fn get(&self, row: usize) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.symbols[start..self.ends[row]]
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the cells of a table of two sequences of mean length.
    pub(super) fn typical_table(&self) -> usize {
        let mean = self.symbols.len() / self.len().max(1);
        (mean * mean).max(1)
    }

    pub(super) fn slices(&self) -> Vec<&[u32]> {
        (0..self.len()).map(|row| self.get(row)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::string::spectrum::FAMILY;

    fn reading(over: &str, lower: bool, texts: &[&str]) -> (Reading, Vec<Arc<str>>) {
        let mut settings = Settings::open(&FAMILY);
        let [at_over, at_lower] =
            ["over", "lower"].map(|n| FAMILY.parameter(n).expect("a parameter"));
        settings.set(at_over, over);
        settings.set(at_lower, lower);
        let texts: Vec<Arc<str>> = texts.iter().map(|t| Arc::from(*t)).collect();
        let reading = Reading::learn(&settings, (at_over, at_lower), &texts);
        (reading, texts)
    }

    #[test]
    fn marks_are_composed_and_capitals_lowered() {
        let (chars, texts) = reading("chars", true, &["e\u{301}A", "\u{e9}a", ""]);
        let read = chars.read(&texts);
        assert_eq!(read.get(0), read.get(1));
        assert_eq!(read.get(0).len(), 2);
        assert!(read.get(2).is_empty());
        let (bytes, texts) = reading("bytes", false, &["\u{e9}"]);
        assert_eq!(bytes.read(&texts).get(0), [0xc3, 0xa9]);
    }

    #[test]
    fn words_keep_their_numbers_and_new_ones_get_others() {
        let (words, texts) = reading("words", true, &["To be, or not to be."]);
        assert_eq!(words.read(&texts).get(0), [0, 1, 2, 3, 0, 1]);
        let new: Vec<Arc<str>> = vec!["be new".into(), "new too".into()];
        let read = words.read(&new);
        assert_eq!((read.get(0), read.get(1)), (&[1, 4][..], &[4, 5][..]));
    }
}
