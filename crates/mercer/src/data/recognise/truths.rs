//! Booleans, and the words that a column has for them.

use crate::data::Truths;

/// Words for false and true, in any case; a column keeps to one pair. Single letters and digits are
/// no words: both of them have to occur, or the user has to say so.
const PAIRS: [[&str; 2]; 10] = [
    ["false", "true"],
    ["no", "yes"],
    ["off", "on"],
    ["nein", "ja"],
    ["aus", "ein"],
    ["non", "oui"],
    ["нет", "да"],
    ["f", "t"],
    ["n", "y"],
    DIGITS,
];
const DIGITS: [&str; 2] = ["0", "1"];

/// Reads cells as booleans, or gives the first row that is none; digits only where the user says
/// so.
pub(super) fn read<'c, I>(cells: &I, told: bool) -> Result<Truths, usize>
where
    I: Iterator<Item = Option<&'c [u8]>> + Clone,
{
    let mut values = Vec::new();
    let mut pair = None;
    let mut seen: [Option<&[u8]>; 2] = [None; 2];
    for (row, cell) in cells.clone().enumerate() {
        let Some(cell) = cell else {
            values.push(None);
            continue;
        };
        let cell = cell.trim_ascii();
        let Some((this, value)) = truth(cell, told) else {
            return Err(row);
        };
        if !told && *pair.get_or_insert(this) != this {
            return Err(row);
        }
        seen[usize::from(value)].get_or_insert(cell);
        values.push(Some(value));
    }
    // A single letter may be the code of anything; two that make a pair are one.
    let letters = pair.is_some_and(|pair: [&str; 2]| pair.iter().all(|word| word.len() == 1));
    let sure = told || !letters || seen.iter().all(Option::is_some);
    let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
    let words = words(seen.map(|cell| cell.map(text)));
    if sure {
        Ok(Truths { values, words })
    } else {
        Err(0)
    }
}

/// The pair that a cell belongs to, and which of both it is.
fn truth(cell: &[u8], told: bool) -> Option<([&'static str; 2], bool)> {
    let pairs = PAIRS.into_iter().filter(|pair| told || *pair != DIGITS);
    let mut both = pairs.flat_map(|pair| [(pair, false), (pair, true)]);
    both.find(|(pair, value)| is_word(cell, pair[usize::from(*value)]))
}

/// Reads a boolean by the words of any pair, digits included.
pub(in crate::data) fn truth_value(text: &str) -> Option<bool> {
    truth(text.as_bytes(), true).map(|(_, value)| value)
}

/// Whether a cell is a word, in any case.
fn is_word(cell: &[u8], word: &str) -> bool {
    cell.eq_ignore_ascii_case(word.as_bytes())
        || (!word.is_ascii()
            && std::str::from_utf8(cell).is_ok_and(|cell| cell.to_lowercase() == word))
}

/// The words of a column for false and true, as it spells them first; one that does not occur is
/// spelt like the other.
fn words(seen: [Option<String>; 2]) -> [String; 2] {
    let other = |word: &str, value: usize| {
        let pair = PAIRS
            .iter()
            .find(|p| is_word(word.as_bytes(), p[1 - value]));
        let plain = pair.map_or(Truths::WORDS[value], |p| p[value]);
        let mut letters = word.chars();
        let first = letters.next().is_some_and(char::is_uppercase);
        match (first, letters.all(char::is_uppercase)) {
            (true, true) => plain.to_uppercase(),
            (true, false) => {
                let mut letters = plain.chars();
                let first = letters.next().into_iter().flat_map(char::to_uppercase);
                first.chain(letters).collect()
            }
            (false, _) => plain.to_owned(),
        }
    };
    match seen {
        [Some(no), Some(yes)] => [no, yes],
        [Some(no), None] => [no.clone(), other(&no, 1)],
        [None, Some(yes)] => [other(&yes, 0), yes],
        [None, None] => Truths::WORDS.map(str::to_owned),
    }
}
