//! How a column of texts becomes numbers, as users write it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// Most words of a run: longer ones hardly ever occur twice.
const LONGEST: usize = 3;

/// What a word counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weighting {
    /// The number of times it occurs.
    Count,
    /// That times its inverse document frequency, rows brought to length 1.
    Tfidf,
}

/// How a column of texts becomes numbers: `bag`, `tfidf`, `tfidf(ngrams=2, min=3)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TextEncoding {
    /// What a word counts.
    pub weighting: Weighting,
    /// Whether a word counts once, however often it occurs.
    pub binary: bool,
    /// Words of the longest run that is a feature; 1 means single words.
    pub ngrams: usize,
    /// Training texts that a feature must occur in.
    pub least: u64,
}

impl TextEncoding {
    /// Numbers of words.
    pub const BAG: Self = Self {
        weighting: Weighting::Count,
        binary: false,
        ngrams: 1,
        least: 1,
    };

    /// Weights of words by inverse document frequency.
    pub const TFIDF: Self = Self {
        weighting: Weighting::Tfidf,
        ..Self::BAG
    };

    /// Returns the name without its settings.
    pub fn name(self) -> &'static str {
        match self.weighting {
            Weighting::Count => "bag",
            Weighting::Tfidf => "tfidf",
        }
    }

    /// Checks ranges.
    ///
    /// # Errors
    /// [`Error::Setting`] naming the first number that cannot be.
    pub fn check(self) -> Result<()> {
        if !(1..=LONGEST).contains(&self.ngrams) {
            return Err(Error::setting("ngrams", self.ngrams, "1, 2 or 3"));
        }
        if !(1..=1 << 53).contains(&self.least) {
            return Err(Error::setting("min", self.least, "1 or more"));
        }
        Ok(())
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings = Vec::new();
        if self.binary {
            settings.push("binary".to_owned());
        }
        if self.ngrams != 1 {
            settings.push(format!("ngrams={}", self.ngrams));
        }
        if self.least != 1 {
            settings.push(format!("min={}", self.least));
        }
        f.write_str(self.name())?;
        if settings.is_empty() {
            return Ok(());
        }
        write!(f, "({})", settings.join(","))
    }
}

impl From<TextEncoding> for String {
    fn from(how: TextEncoding) -> Self {
        how.to_string()
    }
}

impl TryFrom<String> for TextEncoding {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl FromStr for TextEncoding {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            let allowed = "`bag` or `tfidf`, with settings as in `tfidf(ngrams=2, min=3, binary)`";
            Error::setting("encode", text, allowed)
        };
        let trimmed = text.trim();
        let (name, settings) = match trimmed.split_once('(') {
            Some((name, rest)) => (name.trim(), rest.strip_suffix(')').ok_or_else(wrong)?),
            None => (trimmed, ""),
        };
        let mut how = match name {
            "bag" => Self::BAG,
            "tfidf" => Self::TFIDF,
            _ => return Err(wrong()),
        };
        let mut seen: Vec<&str> = Vec::new();
        let settings = settings.split(',').map(str::trim);
        for setting in settings.filter(|s| !s.is_empty()) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, "true"));
            let (name, value) = (name.trim(), value.trim());
            if seen.contains(&name) {
                return Err(wrong());
            }
            seen.push(name);
            match name {
                "ngrams" => how.ngrams = value.parse().map_err(|_| wrong())?,
                "min" => how.least = value.parse().map_err(|_| wrong())?,
                "binary" => how.binary = value.parse().map_err(|_| wrong())?,
                _ => return Err(wrong()),
            }
        }
        how.check()?;
        Ok(how)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_printed() {
        for text in ["bag", "tfidf", "bag(binary)", "tfidf(ngrams=2,min=3)"] {
            assert_eq!(text.parse::<TextEncoding>().unwrap().to_string(), text);
        }
        let spaced: TextEncoding = " tfidf( min = 2 , binary = true ) ".parse().unwrap();
        assert_eq!(spaced.to_string(), "tfidf(binary,min=2)");
        assert_eq!(
            "tfidf()".parse::<TextEncoding>().unwrap(),
            TextEncoding::TFIDF
        );
    }

    #[test]
    fn wrong_ones_say_what_is_allowed() {
        for text in [
            "",
            "words",
            "tfidf(",
            "tfidf(min=x)",
            "bag(top=3)",
            "bag(min=1,min=2)",
        ] {
            let error = text.parse::<TextEncoding>().unwrap_err().to_string();
            assert!(error.contains("`tfidf`"), "{text}: {error}");
        }
        for text in ["bag(ngrams=0)", "bag(ngrams=4)", "bag(min=0)"] {
            let error = text.parse::<TextEncoding>().unwrap_err().to_string();
            assert!(error.contains('1'), "{text}: {error}");
        }
    }
}
