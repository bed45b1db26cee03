//! Words as files hold them.
//!
//! ```text
//! "words": "call free free+entry …", "counts": [579, 228, 33, …], "documents": 5572
//! ```
//!
//! Words are letters, digits and underscores, so that spaces part them and a plus joins those of a
//! run. Weights follow from the counts. There is no width to claim: a feature is a count.

use serde::{Deserialize, Serialize, Serializer};

use super::{BUCKETS, TextEncoding, Weighting, Words};
use crate::data::terms::Terms;
use crate::{Error, Result};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Stored {
    weighting: Weighting,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    binary: bool,
    ngrams: usize,
    least: u64,
    documents: f64,
    /// The words; absent where they are hashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    #[serde(serialize_with = "whole_numbers")]
    counts: Vec<f64>,
}

/// Writes whole numbers without a fraction: nearly all counts are, and short.
fn whole_numbers<S: Serializer>(counts: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Number {
        Whole(u64),
        Any(f64),
    }
    serializer.collect_seq(counts.iter().map(|count| {
        // Whole numbers below 2⁵³ are exact.
        if count.fract() == 0.0 && (0.0..9e15).contains(count) {
            Number::Whole(*count as u64)
        } else {
            Number::Any(*count)
        }
    }))
}

impl From<Words> for Stored {
    fn from(words: Words) -> Self {
        let inner = &words.0;
        let joined = |terms: &Terms| {
            let list: Vec<String> = terms.words().map(|term| term.replace(' ', "+")).collect();
            list.join(" ")
        };
        Self {
            weighting: inner.how.weighting,
            binary: inner.how.binary,
            ngrams: inner.how.ngrams,
            least: inner.how.least,
            documents: inner.documents,
            words: words.terms().map(joined),
            counts: inner.counts.clone(),
        }
    }
}

impl TryFrom<Stored> for Words {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self> {
        let how = TextEncoding {
            weighting: stored.weighting,
            binary: stored.binary,
            ngrams: stored.ngrams,
            least: stored.least,
        };
        how.check().map_err(|e| Error::model(e.to_string()))?;
        let documents = stored.documents;
        if !(documents.is_finite() && documents >= 0.0) {
            return Err(Error::model("the number of texts is no number"));
        }
        // Sums of fractions may be above their total by rounding.
        let most = documents * (1.0 + 1e-9);
        if stored.counts.iter().any(|c| !(0.0..=most).contains(c)) {
            return Err(Error::model("a word occurs in more texts than there are"));
        }
        let width = stored.counts.len();
        let terms = match &stored.words {
            None if width == BUCKETS => None,
            None => {
                return Err(Error::model(format!(
                    "there are {width} counts of hashed words; {BUCKETS} expected"
                )));
            }
            Some(words) => Some(read(words, how.ngrams, width)?),
        };
        Ok(Self::new(how, documents, terms, stored.counts))
    }
}

/// Reads words in ascending order.
fn read(words: &str, ngrams: usize, width: usize) -> Result<Terms> {
    let mut terms = Terms::default();
    let mut last = String::new();
    let list = words.split(' ').filter(|_| !words.is_empty());
    for (number, word) in list.enumerate() {
        if number >= width || word.split('+').count() > ngrams || word.split('+').any(str::is_empty)
        {
            return Err(Error::model(format!(
                "`{word}` is no word of {width}, or a run of more than {ngrams}"
            )));
        }
        let word = word.replace('+', " ");
        if number > 0 && word <= last {
            return Err(Error::model(format!(
                "the words `{last}` and `{word}` are not in order"
            )));
        }
        terms.intern(&word);
        last = word;
    }
    if terms.len() != width {
        return Err(Error::model(format!(
            "there are {} words and {width} counts of them",
            terms.len()
        )));
    }
    Ok(terms)
}
