//! Which words training texts have.

use super::tokens::Grams;
use super::{BUCKETS, Row, TextEncoding, Words, text_at};
use crate::Result;
use crate::data::terms::Terms;
use crate::data::{Values, room};

/// Different words above which they are hashed.
const MOST_WORDS: usize = 1_000_000;
/// Different words, in units of that, above which rare ones are not waited for.
const MOST_COUNTED: usize = 16;
/// New words after which memory is asked for.
const EVERY: usize = 1 << 16;

/// What texts taught.
pub(in crate::data::encode) struct Learnt {
    /// The words.
    pub(in crate::data::encode) words: Words,
    /// Features that a row has in the mean.
    pub(in crate::data::encode) filled: f64,
    /// Different words where there are too many for a feature each.
    pub(in crate::data::encode) hashed: Option<usize>,
}

/// Learns the words of a column. `copies` are the weights of rows, `beside` the bytes that are taken
/// already.
pub(in crate::data::encode) fn learn(
    values: &Values,
    how: TextEncoding,
    copies: Option<&[f64]>,
    beside: u64,
) -> Result<Learnt> {
    learn_up_to(values, how, copies, beside, MOST_WORDS)
}

pub(super) fn learn_up_to(
    values: &Values,
    how: TextEncoding,
    copies: Option<&[f64]>,
    beside: u64,
    most: usize,
) -> Result<Learnt> {
    how.check()?;
    let weight = |row: usize| copies.map_or(1.0, |copies| copies[row]);
    let documents: f64 = (0..values.len()).map(weight).sum();
    let mut grams = Grams::new(how.ngrams);
    let mut terms = Terms::default();
    let mut counts: Vec<f64> = Vec::new();
    let mut last: Vec<u32> = Vec::new();
    let (mut distinct, mut checked) = (0_usize, 0);
    for row in 0..values.len() {
        grams.each(&text_at(values, row), |gram| {
            let number = terms.intern(gram) as usize;
            if number == counts.len() {
                counts.push(0.0);
                last.push(u32::MAX);
            }
            if last[number] != row as u32 {
                last[number] = row as u32;
                counts[number] += weight(row);
                distinct += 1;
            }
        });
        if terms.len() >= checked + EVERY {
            checked = terms.len();
            let needed = beside + terms.bytes() + 12 * counts.capacity() as u64;
            room::check(needed, || {
                format!("{checked} different words and the table they come from")
            })?;
        }
        let waits = if how.least > 1 { MOST_COUNTED } else { 1 };
        if terms.len() > waits * most {
            break;
        }
    }
    let mut kept: Vec<usize> = (0..terms.len())
        .filter(|&word| counts[word] >= how.least as f64)
        .collect();
    let filled = distinct as f64 / values.len().max(1) as f64;
    if kept.len() > most || terms.len() > MOST_COUNTED * most {
        return Ok(Learnt {
            words: hashed(values, how, documents, weight),
            filled,
            hashed: Some(terms.len()),
        });
    }
    kept.sort_unstable_by(|a, b| terms.get(*a).cmp(terms.get(*b)));
    let counts = kept.iter().map(|&word| counts[word]).collect();
    let kept: Terms = kept.iter().map(|&word| terms.get(word)).collect();
    Ok(Learnt {
        words: Words::new(how, documents, Some(kept), counts),
        filled,
        hashed: None,
    })
}

/// Counts the texts that have each hashed feature.
fn hashed(
    values: &Values,
    how: TextEncoding,
    documents: f64,
    weight: impl Fn(usize) -> f64,
) -> Words {
    // A first run in which every feature counts, however rare it is.
    let every = TextEncoding {
        ngrams: how.ngrams,
        ..TextEncoding::BAG
    };
    let all = Words::new(every, documents, None, vec![1.0; BUCKETS]);
    let mut counts = vec![0.0; BUCKETS];
    let mut row = Row::of(&all);
    for at in 0..values.len() {
        row.read(&text_at(values, at));
        for (feature, _) in &row.entries {
            counts[*feature as usize] += weight(at);
        }
    }
    Words::new(how, documents, None, counts)
}
