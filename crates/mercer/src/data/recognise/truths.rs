//! Booleans, and the words that a column has for them.

use crate::data::Truths;

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
    let letters = matches!(pair, Some(Pair::Letter | Pair::Initial));
    let sure = told || !letters || seen.iter().all(Option::is_some);
    let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
    let words = words(seen.map(|cell| cell.map(text)));
    if sure {
        Ok(Truths { values, words })
    } else {
        Err(0)
    }
}

/// Families of booleans; a column keeps to one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pair {
    Word,
    Answer,
    Letter,
    Initial,
    Switch,
    Told,
}

fn truth(cell: &[u8], told: bool) -> Option<(Pair, bool)> {
    const PAIRS: [(&[u8], Pair, bool); 10] = [
        (b"true", Pair::Word, true),
        (b"false", Pair::Word, false),
        (b"yes", Pair::Answer, true),
        (b"no", Pair::Answer, false),
        (b"t", Pair::Letter, true),
        (b"f", Pair::Letter, false),
        (b"y", Pair::Initial, true),
        (b"n", Pair::Initial, false),
        (b"on", Pair::Switch, true),
        (b"off", Pair::Switch, false),
    ];
    const TOLD: [(&[u8], Pair, bool); 2] = [(b"1", Pair::Told, true), (b"0", Pair::Told, false)];
    let more = if told { &TOLD[..] } else { &[] };
    PAIRS
        .iter()
        .chain(more)
        .find(|(text, _, _)| cell.eq_ignore_ascii_case(text))
        .map(|&(_, pair, value)| (pair, value))
}

/// The words of a column for false and true, as it spells them first; one that does not occur is
/// spelt like the other.
fn words(seen: [Option<String>; 2]) -> [String; 2] {
    const PAIRS: [[&str; 2]; 6] = [
        ["false", "true"],
        ["no", "yes"],
        ["f", "t"],
        ["n", "y"],
        ["off", "on"],
        ["0", "1"],
    ];
    let other = |word: &str, value: usize| {
        let pair = PAIRS
            .iter()
            .find(|p| p[1 - value].eq_ignore_ascii_case(word));
        let plain = pair.map_or(Truths::WORDS[value], |p| p[value]);
        let mut letters = word.chars();
        let first = letters.next().is_some_and(char::is_uppercase);
        match (first, letters.all(char::is_uppercase)) {
            (true, true) => plain.to_uppercase(),
            (true, false) => plain[..1].to_uppercase() + &plain[1..],
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
