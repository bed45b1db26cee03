//! The words of a text.

use unicode_normalization::char::is_combining_mark;

/// Letters in circles and squares: symbols to Unicode, which calls them alphabetic all the same.
const CIRCLED: [(char, char); 4] = [
    ('\u{24b6}', '\u{24e9}'),
    ('\u{1f130}', '\u{1f149}'),
    ('\u{1f150}', '\u{1f169}'),
    ('\u{1f170}', '\u{1f189}'),
];

/// Whether a character is part of words: a letter (categories L), a number (N) or an underscore.
///
/// Marks that combine with letters are not, as in Python's `\w`.
pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphanumeric()
        && !is_combining_mark(c)
        && !CIRCLED
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&c))
}

/// Takes texts apart into runs of up to so many words.
#[derive(Debug)]
pub(super) struct Grams {
    most: usize,
    lower: String,
    /// Where words start and end.
    words: Vec<(usize, usize)>,
    run: String,
}

impl Grams {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            lower: String::new(),
            words: Vec::new(),
            run: String::new(),
        }
    }

    /// Hands out every word of a text, then every run of two and more, joined by a space.
    pub(super) fn each(&mut self, text: &str, mut out: impl FnMut(&str)) {
        self.lower.clear();
        if text.is_ascii() {
            self.lower.push_str(text);
            self.lower.make_ascii_lowercase();
        } else {
            self.lower.push_str(&text.to_lowercase());
        }
        self.words.clear();
        let mut start = None;
        for (at, c) in self.lower.char_indices() {
            match (is_word(c), start) {
                (true, None) => start = Some(at),
                (false, Some(from)) => {
                    self.words.push((from, at));
                    start = None;
                }
                _ => {}
            }
        }
        if let Some(from) = start {
            self.words.push((from, self.lower.len()));
        }
        let lower = &self.lower;
        self.words
            .retain(|(from, to)| lower[*from..*to].chars().nth(1).is_some());
        for &(from, to) in &self.words {
            out(&lower[from..to]);
        }
        for length in 2..=self.most {
            for run in self.words.windows(length) {
                self.run.clear();
                for (place, &(from, to)) in run.iter().enumerate() {
                    if place > 0 {
                        self.run.push(' ');
                    }
                    self.run.push_str(&lower[from..to]);
                }
                out(&self.run);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grams(text: &str, most: usize) -> Vec<String> {
        let mut found = Vec::new();
        Grams::new(most).each(text, |gram| found.push(gram.to_owned()));
        found
    }

    #[test]
    fn words_have_two_letters_or_more() {
        assert_eq!(
            grams("Don't PANIC, it's a_b 4U 7!", 1),
            ["don", "panic", "it", "a_b", "4u"]
        );
        assert_eq!(grams("", 2), [""; 0]);
        assert_eq!(grams("x", 2), [""; 0]);
        assert_eq!(grams("to be or", 2), ["to", "be", "or", "to be", "be or"]);
        assert_eq!(grams("to be or", 3).last().unwrap(), "to be or");
    }

    #[test]
    fn capitals_of_all_scripts_are_lowered() {
        assert_eq!(
            grams("ÉCOLE ΟΔΟΣ ПРИВЕТ ǅungla", 1),
            ["école", "οδος", "привет", "ǆungla"]
        );
    }

    #[test]
    fn combining_marks_end_words() {
        // A letter with its mark apart, and vowel signs of Devanagari.
        assert_eq!(grams("cafe\u{301}s", 1), ["cafe"]);
        assert_eq!(grams("हिन्दी", 1), [""; 0]);
        assert_eq!(grams("Ⓐⓑ ½¾ 一二", 1), ["½¾", "一二"]);
    }
}
