//! Texts as columns: how often each word occurs in a text.
//!
//! A text is lower-cased, and its words are runs of two or more letters, digits and underscores
//! (Unicode's categories L and N), as scikit-learn's vectorisers have them. With `c(t, w)` the number of
//! times that word w occurs in text t, a bag of words has the feature c, or 1 where it is binary.
//! Weighted by inverse document frequency,
//!
//! ```text
//! x(t, w) = c(t, w)·idf(w) / ‖…‖₂,   idf(w) = ln((1 + n)/(1 + d(w))) + 1,
//! ```
//!
//! n being the number of training texts and d(w) that of those with the word (Salton and Buckley
//! 1988, in the smoothed form of scikit-learn). Rows of weights are copies in both. Words that no training text
//! had match nothing. Above a million different words, features are those of hashes with a sign
//! (Weinberger et al. 2009).

mod how;
mod learn;
mod stored;
mod tokens;

pub use how::{TextEncoding, Weighting};
pub(super) use learn::learn;

use std::borrow::Cow;
use std::sync::Arc;

use mercer_linalg::{Csr, CsrBuilder};
use serde::{Deserialize, Serialize};

use crate::data::terms::{TermList, Terms, stable_hash};
use crate::data::{Parts, Values};
use stored::Stored;
use tokens::Grams;

/// Features of hashed words: of a million words, half share theirs with another.
const BUCKETS: usize = 1 << 20;

/// Words with their weights, as training texts had them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Words(Arc<Vocabulary>);

#[derive(Debug, PartialEq)]
struct Vocabulary {
    how: TextEncoding,
    /// Training texts, copies counted.
    documents: f64,
    /// The words in ascending order; `None` where they are hashed.
    terms: Option<Arc<Terms>>,
    /// Of every feature: the texts that have it, copies counted.
    counts: Vec<f64>,
    /// Of every feature: the factor on its count.
    factors: Vec<f64>,
}

impl Words {
    fn new(how: TextEncoding, documents: f64, terms: Option<Terms>, counts: Vec<f64>) -> Self {
        let factor = |count: &f64| match how.weighting {
            _ if *count <= 0.0 || *count < how.least as f64 => 0.0,
            Weighting::Count => 1.0,
            Weighting::Tfidf => ((1.0 + documents) / (1.0 + count)).ln() + 1.0,
        };
        Self(Arc::new(Vocabulary {
            how,
            documents,
            terms: terms.map(Arc::new),
            factors: counts.iter().map(factor).collect(),
            counts,
        }))
    }

    /// Returns what was asked for.
    pub fn how(&self) -> TextEncoding {
        self.0.how
    }

    /// Returns the number of features.
    pub fn width(&self) -> usize {
        self.0.counts.len()
    }

    /// Returns the words in the order of their features; `None` where they are hashed.
    pub fn terms(&self) -> Option<&Terms> {
        self.0.terms.as_deref()
    }

    /// Returns of every feature in how many training texts it occurs, copies counted.
    pub fn counts(&self) -> &[f64] {
        &self.0.counts
    }

    /// Returns of every feature the factor on its count, before a row is brought to length 1.
    pub fn factors(&self) -> &[f64] {
        &self.0.factors
    }

    /// Returns the features' names.
    pub(super) fn parts(&self) -> Parts {
        match &self.0.terms {
            Some(terms) => Parts::Words(TermList::from(terms.clone())),
            None => Parts::Numbered(self.width()),
        }
    }

    /// Encodes a column; also counts the rows that have words, but none of training.
    pub(super) fn rows(&self, values: &Values) -> (Csr<f64>, usize) {
        let mut row = Row::of(self);
        let mut builder = CsrBuilder::new(self.width());
        let mut strange = 0;
        for at in 0..values.len() {
            let words = row.read(&text_at(values, at));
            strange += usize::from(words > 0 && row.entries.is_empty());
            builder
                .push_row(&row.entries)
                .expect("features of a row ascend");
        }
        (builder.finish(), strange)
    }

    /// Returns the bytes that features of texts of so many bytes take at most.
    pub(super) fn entries(&self, values: Option<&Values>) -> u64 {
        // A word has two letters at least, and a sign before the next one.
        let most = |bytes: usize| (bytes as u64).div_ceil(3) * self.0.how.ngrams as u64;
        match values {
            Some(Values::Text(texts)) => texts.iter().flatten().map(|t| most(t.len())).sum(),
            Some(Values::Categorical(c)) => {
                let level = |code: &u32| c.levels.get(*code as usize);
                let texts = c.codes.iter().filter_map(level);
                texts.map(|t| most(t.len())).sum()
            }
            // Numbers and booleans: a word or two.
            Some(values) => 2 * values.len() as u64 * self.0.how.ngrams as u64,
            None => 0,
        }
    }
}

/// The text of a row; a missing one is empty.
fn text_at(values: &Values, row: usize) -> Cow<'_, str> {
    match values {
        Values::Text(texts) => Cow::Borrowed(texts[row].as_deref().unwrap_or_default()),
        Values::Categorical(c) => {
            let level = c.levels.get(c.codes[row] as usize);
            Cow::Borrowed(level.map_or("", String::as_str))
        }
        other => Cow::Owned(other.text(row).unwrap_or_default()),
    }
}

/// Reads one text after the other.
struct Row<'w> {
    words: &'w Vocabulary,
    grams: Grams,
    /// Feature and sign of every word of the text.
    found: Vec<(u32, f64)>,
    /// Features that are not zero, in ascending order.
    entries: Vec<(u32, f64)>,
}

impl<'w> Row<'w> {
    fn of(words: &'w Words) -> Self {
        Self {
            words: &words.0,
            grams: Grams::new(words.0.how.ngrams),
            found: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Makes the entries of a text; returns how many words it has.
    fn read(&mut self, text: &str) -> usize {
        let Vocabulary {
            how,
            terms,
            factors,
            ..
        } = self.words;
        self.found.clear();
        self.entries.clear();
        let mut count = 0;
        let found = &mut self.found;
        self.grams.each(text, |gram| {
            count += 1;
            match terms {
                Some(terms) => found.extend(terms.find(gram).map(|feature| (feature, 1.0))),
                None => found.push(bucket(gram)),
            }
        });
        // Equal features have equal entries or add up to whole numbers: their order is no matter.
        found.sort_unstable_by_key(|(feature, _)| *feature);
        for &(feature, sign) in found.iter() {
            match self.entries.last_mut() {
                Some((last, sum)) if *last == feature => *sum += sign,
                _ => self.entries.push((feature, sign)),
            }
        }
        for (feature, value) in &mut self.entries {
            if how.binary && *value != 0.0 {
                *value = value.signum();
            }
            *value *= factors[*feature as usize];
        }
        self.entries.retain(|(_, value)| *value != 0.0);
        if how.weighting == Weighting::Tfidf {
            let norm = self.entries.iter().map(|(_, v)| v * v).sum::<f64>().sqrt();
            for (_, value) in &mut self.entries {
                *value /= norm;
            }
        }
        count
    }
}

/// The feature of a hashed word, and its sign.
fn bucket(gram: &str) -> (u32, f64) {
    let hash = stable_hash(gram);
    let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
    ((hash % BUCKETS as u64) as u32, sign)
}

#[cfg(test)]
mod tests;
