//! What a column of strings holds: molecules, texts or names.

use std::collections::HashSet;

use super::{Kind, molecule};

/// Tells molecules, free texts and names of categories apart; missing values are passed over.
///
/// Molecules are valid SMILES that look like it ([`molecule::looks_like_molecules`]). Texts are
/// mostly different and long: over 40 characters on average, or three words, or over 12
/// characters in more than 50 rows. All else are names.
///
/// # Examples
/// ```
/// use mercer::data::{Kind, kind_of_strings};
///
/// let texts = ["the cat sat", "a dog ran away", "birds fly south"];
/// assert_eq!(kind_of_strings(texts.map(Some)), Kind::Text);
/// let names = ["red", "green", "red"];
/// assert_eq!(kind_of_strings(names.map(Some)), Kind::Categorical);
/// ```
pub fn kind_of_strings<'a, I>(values: I) -> Kind
where
    I: IntoIterator<Item = Option<&'a str>, IntoIter: Clone>,
{
    let values = values.into_iter();
    if molecule::looks_like_molecules(values.clone()) {
        Kind::Molecule
    } else if are_texts(values.flatten()) {
        Kind::Text
    } else {
        Kind::Categorical
    }
}

fn are_texts<'a>(values: impl Iterator<Item = &'a str>) -> bool {
    let (mut rows, mut words, mut length) = (0_usize, 0_usize, 0_usize);
    let mut different = HashSet::new();
    for value in values {
        rows += 1;
        length += value.chars().count();
        words += value.split_ascii_whitespace().count();
        different.insert(value);
    }
    let is_long = length > 40 * rows || words >= 3 * rows || (rows > 50 && length > 12 * rows);
    is_long && 2 * different.len() > rows
}
