//! Distinct words, each with a number.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Marks a free place of the table.
const FREE: u32 = u32::MAX;

/// A hash that is the same on every machine and in every version.
///
/// FNV-1a over the bytes (Fowler, Noll, Vo 1991); its low bits depend little on the last letters,
/// so that the bits are mixed once more, by the constants of `MurmurHash3` (Appleby 2011).
pub(crate) fn stable_hash(text: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// Distinct words in the order in which they were added, found by their letters.
///
/// All letters are in one block of memory: a million words take some tens of megabytes.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    letters: String,
    /// Where each word ends.
    ends: Vec<usize>,
    /// Numbers of words by hash, open addressing; a power of two, at most half of it taken.
    table: Vec<u32>,
}

impl Terms {
    /// Returns how many words there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns a word by number.
    ///
    /// # Panics
    /// When there is no such word.
    pub fn get(&self, number: usize) -> &str {
        let start = if number == 0 {
            0
        } else {
            self.ends[number - 1]
        };
        &self.letters[start..self.ends[number]]
    }

    /// Returns the words in order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Returns the number of a word.
    pub fn find(&self, word: &str) -> Option<u32> {
        if self.table.is_empty() {
            return None;
        }
        let found = self.table[self.place(word)];
        (found != FREE).then_some(found)
    }

    /// Returns the number of a word, which is added where it is not there yet.
    ///
    /// # Panics
    /// When there are 2³² − 1 words already.
    pub fn intern(&mut self, word: &str) -> u32 {
        if 2 * (self.len() + 1) > self.table.len() {
            self.grow();
        }
        let place = self.place(word);
        if self.table[place] != FREE {
            return self.table[place];
        }
        let number = u32::try_from(self.len()).expect("fewer than 2³² words");
        assert!(number < FREE, "fewer than 2³² − 1 words");
        self.letters.push_str(word);
        self.ends.push(self.letters.len());
        self.table[place] = number;
        number
    }

    /// Returns the bytes that the words take.
    pub fn bytes(&self) -> u64 {
        (self.letters.capacity() + 8 * self.ends.capacity() + 4 * self.table.len()) as u64
    }

    /// The place of a word in the table, or the free one where it would be.
    fn place(&self, word: &str) -> usize {
        let mask = self.table.len() - 1;
        let mut place = stable_hash(word) as usize & mask;
        while self.table[place] != FREE && self.get(self.table[place] as usize) != word {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) {
        let length = (2 * self.table.len()).max(16);
        self.table = vec![FREE; length];
        let mask = length - 1;
        for number in 0..self.len() {
            let mut place = stable_hash(self.get(number)) as usize & mask;
            while self.table[place] != FREE {
                place = (place + 1) & mask;
            }
            self.table[place] = number as u32;
        }
    }
}

impl PartialEq for Terms {
    fn eq(&self, other: &Self) -> bool {
        self.letters == other.letters && self.ends == other.ends
    }
}

impl<'a> FromIterator<&'a str> for Terms {
    /// Takes words in order; one that is there twice is kept once.
    fn from_iter<T: IntoIterator<Item = &'a str>>(words: T) -> Self {
        let mut terms = Self::default();
        for word in words {
            terms.intern(word);
        }
        terms
    }
}

/// The words that features stand for, shared with the encoder that makes them.
///
/// Files hold words once, with the encoder; elsewhere they hold their number. A list that was
/// read from there knows no words until [`super::Encoder::with_words`] gives them back.
#[derive(Debug, Clone)]
pub struct TermList {
    count: usize,
    words: Option<Arc<Terms>>,
}

impl TermList {
    /// Returns how many words there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns a word by number, where words are known.
    pub fn get(&self, number: usize) -> Option<&str> {
        let words = self.words.as_ref()?;
        (number < self.count).then(|| words.get(number))
    }
}

impl From<Arc<Terms>> for TermList {
    fn from(words: Arc<Terms>) -> Self {
        Self {
            count: words.len(),
            words: Some(words),
        }
    }
}

impl PartialEq for TermList {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count
            && match (&self.words, &other.words) {
                (Some(own), Some(others)) => Arc::ptr_eq(own, others) || own == others,
                _ => true,
            }
    }
}

impl Serialize for TermList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.count.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TermList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self {
            count: usize::deserialize(deserializer)?,
            words: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_numbers() {
        let mut terms = Terms::default();
        assert_eq!(terms.find("a"), None);
        let words: Vec<String> = (0..5000).map(|i| format!("w{}", i * 7919 % 5000)).collect();
        for (number, word) in words.iter().enumerate() {
            assert_eq!(terms.intern(word), number as u32);
        }
        assert_eq!(terms.intern("w0"), 0);
        assert_eq!((terms.len(), terms.get(1)), (5000, words[1].as_str()));
        for (number, word) in words.iter().enumerate() {
            assert_eq!(terms.find(word), Some(number as u32));
        }
        assert_eq!(terms.find("w5000"), None);
        assert_eq!(terms.find(""), None);
        assert_eq!(terms.intern(""), 5000);
        assert_eq!(terms.get(5000), "");
        assert!(terms.words().zip(&words).all(|(a, b)| a == b));
    }

    #[test]
    fn hashes_never_change() {
        // Models of hashed words would no longer find their features.
        assert_eq!(stable_hash(""), 0xefd0_1f60_ba99_2926);
        assert_eq!(stable_hash("free"), 0x469b_fc5d_67aa_e2de);
        assert_eq!(stable_hash("naïve"), 0x1b21_a798_c5ab_1dcf);
    }

    #[test]
    fn lists_are_stored_by_their_length() {
        let terms: Terms = ["one", "two"].into_iter().collect();
        let list = TermList::from(Arc::new(terms));
        let text = serde_json::to_string(&list).unwrap();
        assert_eq!(text, "2");
        let back: TermList = serde_json::from_str(&text).unwrap();
        assert_eq!(back, list);
        assert_eq!(
            (list.get(1), list.get(2), back.get(1)),
            (Some("two"), None, None)
        );
        assert_ne!(TermList::from(Arc::new(Terms::default())), list);
    }
}
