//! How a text column is recognised as molecules.
//!
//! Short words made of `C`, `N`, `O`, `S`, `P`, `I` are SMILES by chance: `NO`, `CC`, `SO`, `COIN`.
//! A column holds molecules where
//!
//! 1. every value that is not missing is one word and a valid SMILES;
//! 2. at least half of the values show structure that words do not: a branch, a bracket atom, a
//!    double or triple bond, or a ring;
//! 3. the values are six characters long on average; a column of fewer than five values, eight;
//! 4. they are more than a handful of codes: at least 20 different values, or more than half of
//!    the values differ.
//!
//! A column of alkanes (`CCO`, `CCCO`) is not recognised and must be declared.

use std::collections::HashSet;

use crate::check;

/// Looks at values one by one and gives up at the first that is no molecule.
#[derive(Debug, Clone, Default)]
pub struct Recogniser {
    refused: bool,
    values: usize,
    structured: usize,
    characters: usize,
    different: HashSet<String>,
}

/// Different values beyond this are not stored.
const ENOUGH: usize = 20;

impl Recogniser {
    /// Looks at one value that is not missing; returns whether molecules are still possible.
    pub fn add(&mut self, value: &str) -> bool {
        let value = value.trim();
        if self.refused || value.chars().any(char::is_whitespace) || check(value).is_err() {
            self.refused = true;
            return false;
        }
        self.values += 1;
        // `check` makes sure that digits outside brackets close a ring.
        let marks = |c: char| matches!(c, '(' | '[' | '=' | '#' | '0'..='9');
        self.structured += usize::from(value.contains(marks));
        self.characters += value.len();
        if self.different.len() < ENOUGH || 2 * self.different.len() <= self.values {
            self.different.insert(value.to_owned());
        }
        true
    }

    /// Returns whether the values seen so far are molecules.
    pub fn finish(&self) -> bool {
        let length = if self.values < 5 { 8 } else { 6 };
        let different = self.different.len();
        !self.refused
            && self.values > 0
            && 2 * self.structured >= self.values
            && self.characters >= length * self.values
            && (different >= ENOUGH || 2 * different > self.values)
    }
}

/// Returns whether a column's values are molecules; missing ones are passed over.
pub fn looks_like_molecules<'a>(values: impl IntoIterator<Item = Option<&'a str>>) -> bool {
    let mut recogniser = Recogniser::default();
    for value in values.into_iter().flatten() {
        if !recogniser.add(value) {
            return false;
        }
    }
    recogniser.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn molecules(values: &[&str]) -> bool {
        looks_like_molecules(values.iter().map(|v| Some(*v)))
    }

    #[test]
    fn molecules_are_recognised() {
        assert!(molecules(&["CC(=O)Oc1ccccc1C(=O)O"]));
        assert!(molecules(&[
            "CC(=O)Oc1ccccc1C(=O)O",
            "CCO",
            "C1CCCCC1",
            "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
            "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
        ]));
        let mixed = [Some("CC(=O)Nc1ccc(O)cc1"), None, Some(" NC(=O)c1cccnc1 ")];
        assert!(looks_like_molecules(mixed));
        let many: Vec<String> = (0..100)
            .map(|i| format!("{}C(=O)O", "C".repeat(i % 25 + 1)))
            .collect();
        assert!(looks_like_molecules(many.iter().map(|v| Some(v.as_str()))));
    }

    #[test]
    fn words_and_codes_are_not() {
        assert!(!molecules(&[]));
        assert!(!looks_like_molecules([None, None]));
        assert!(!molecules(&["C", "N", "O", "CC", "NO", "I"]));
        assert!(!molecules(&["COIN", "SNOB", "POSSICON"]));
        assert!(!molecules(&["ACGTACGT", "CCGTTGCA"]));
        assert!(!molecules(&["CCCCCCCCCC", "CCNCCOCCOC"]));
        assert!(!molecules(&["C(N)", "C(O)", "C(S)", "C(P)", "C(I)"]));
        assert!(!molecules(&["CC(=O)Oc1ccccc1C(=O)O is aspirin"]));
        assert!(!molecules(&["yes", "no"]));
        assert!(!molecules(&["", "CC(=O)Oc1ccccc1C(=O)O"]));
        assert!(!molecules(&["Smith", "Jones", "c1ccccc1O"]));
        let codes: Vec<&str> = ["C1=CC=CC=C1", "O=C(O)CCC"].repeat(10);
        assert!(!molecules(&codes));
    }
}
