//! Words of an ARFF line: bare, or in single or double quotes with backslash escapes.

/// A word and where it starts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) quoted: bool,
    /// Byte offset in the line.
    pub(super) at: usize,
}

/// What cannot be read, with its byte offset.
#[derive(Debug, PartialEq)]
pub(super) struct OpenQuote {
    pub(super) at: usize,
}

/// Walks over one line.
pub(super) struct Words<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self { line, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    /// Passes spaces; returns the next character without taking it.
    pub(super) fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    /// Takes one character when it is the next after spaces.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Takes a quoted word, or a bare one up to a character of `stops`, without outer spaces.
    pub(super) fn word(&mut self, stops: &[char]) -> Result<Word, OpenQuote> {
        let first = self.peek();
        let start = self.at;
        if let Some(quote @ ('\'' | '"')) = first {
            return self.quoted(quote);
        }
        let rest = self.rest();
        let end = rest.find(stops).unwrap_or(rest.len());
        self.at += end;
        Ok(Word {
            text: rest[..end].trim_end().to_owned(),
            quoted: false,
            at: start,
        })
    }

    fn quoted(&mut self, quote: char) -> Result<Word, OpenQuote> {
        let start = self.at;
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((offset, c)) = characters.next() {
            if c == quote {
                self.at = start + offset + c.len_utf8();
                return Ok(Word {
                    text,
                    quoted: true,
                    at: start,
                });
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            match characters.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 't')) => text.push('\t'),
                Some((_, 'r')) => text.push('\r'),
                Some((_, other)) => text.push(other),
                None => break,
            }
        }
        Err(OpenQuote { at: start })
    }
}

/// A line without its comment: `%` outside quotes, at the start or after a space or comma.
pub(super) fn without_comment(line: &str) -> &str {
    if !line.contains('%') {
        return line;
    }
    let mut quote = None;
    let mut before = ' ';
    let mut escaped = false;
    for (offset, c) in line.char_indices() {
        if escaped {
            escaped = false;
        } else if c == '\\' && quote.is_some() {
            escaped = true;
        } else if let Some(open) = quote {
            if c == open {
                quote = None;
            }
        } else if (c == '\'' || c == '"')
            && (before.is_whitespace() || before == ',' || before == '{')
        {
            quote = Some(c);
        } else if c == '%' && (before.is_whitespace() || before == ',') {
            return &line[..offset];
        }
        before = c;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut() {
        let mut words = Words::new(r#"  big dog , 'it\'s, \\n' ,"a""#);
        assert_eq!(words.word(&[',']).expect("bare").text, "big dog");
        assert!(words.take(','));
        let quoted = words.word(&[',']).expect("quoted");
        assert_eq!(
            (quoted.text.as_str(), quoted.at, quoted.quoted),
            ("it's, \\n", 12, true)
        );
        assert!(words.take(','));
        assert_eq!(words.word(&[',']).expect("quoted").text, "a");
        assert_eq!(words.peek(), None);
        assert_eq!(Words::new(" 'x").word(&[',']), Err(OpenQuote { at: 1 }));
    }

    #[test]
    fn comments_are_cut() {
        assert_eq!(without_comment("% all"), "");
        assert_eq!(without_comment("1,2 % rest"), "1,2 ");
        assert_eq!(without_comment("'50 % x',2"), "'50 % x',2");
        assert_eq!(without_comment("50%,2"), "50%,2");
    }
}
