//! Splits a kernel expression into tokens.

use crate::{Error, Result};

/// One piece of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A bare name: `[A-Za-z_]\w*`.
    Name(String),
    /// A name in double quotes.
    Quoted(String),
    /// A number, with its text so that whole numbers can be told apart.
    Number(f64, String),
    /// One of `( ) [ ] , = @ ^ * +`.
    Mark(char),
    /// The end of the text.
    End,
}

impl Token {
    /// Describes the token for an error message.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Name(name) => format!("`{name}`"),
            Self::Quoted(name) => format!("`\"{name}\"`"),
            Self::Number(_, text) => format!("`{text}`"),
            Self::Mark(mark) => format!("`{mark}`"),
            Self::End => "the end".to_owned(),
        }
    }
}

/// A token and the one-based character position at which it starts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) position: usize,
}

/// Returns whether a character may continue a bare name.
fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns whether a name needs no quotes.
pub(super) fn is_bare_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(continues_name)
}

/// Builds a syntax error.
pub(super) fn syntax(text: &str, position: usize, problem: impl Into<String>) -> Error {
    Error::KernelSyntax {
        text: text.to_owned(),
        position,
        problem: problem.into(),
    }
}

/// Splits the whole text; the last token is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>> {
    let characters: Vec<char> = text.chars().collect();
    let mut lexer = Lexer {
        text,
        characters: &characters,
        at: 0,
    };
    let mut found = Vec::new();
    loop {
        let placed = lexer.next()?;
        let end = placed.token == Token::End;
        found.push(placed);
        if end {
            return Ok(found);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    characters: &'a [char],
    at: usize,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Result<Placed> {
        while self.peek(0).is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        let position = self.at + 1;
        let Some(c) = self.peek(0) else {
            return Ok(Placed {
                token: Token::End,
                position,
            });
        };
        let token = if c.is_ascii_alphabetic() || c == '_' {
            self.name()
        } else if self.starts_number() {
            self.number()?
        } else if c == '"' {
            self.quoted()?
        } else if "()[],=@^*+".contains(c) {
            self.at += 1;
            Token::Mark(c)
        } else {
            let problem = if c == '-' {
                "`-` does not join kernels; a difference of kernels is not a kernel".to_owned()
            } else if continues_name(c) {
                format!("a name that starts with `{c}` must be in double quotes")
            } else {
                format!("`{c}` has no meaning here")
            };
            return Err(syntax(self.text, position, problem));
        };
        Ok(Placed { token, position })
    }

    fn name(&mut self) -> Token {
        let start = self.at;
        while self.peek(0).is_some_and(continues_name) {
            self.at += 1;
        }
        Token::Name(self.characters[start..self.at].iter().collect())
    }

    fn starts_number(&self) -> bool {
        let digit = |ahead| self.peek(ahead).is_some_and(|c| c.is_ascii_digit());
        let sign = usize::from(self.peek(0) == Some('-'));
        digit(sign) || (self.peek(sign) == Some('.') && digit(sign + 1))
    }

    fn digits(&mut self) {
        while self.peek(0).is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn number(&mut self) -> Result<Token> {
        let start = self.at;
        if self.peek(0) == Some('-') {
            self.at += 1;
        }
        self.digits();
        if self.peek(0) == Some('.') {
            self.at += 1;
            self.digits();
        }
        if matches!(self.peek(0), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.peek(1), Some('+' | '-')));
            if self.peek(1 + sign).is_some_and(|c| c.is_ascii_digit()) {
                self.at += 1 + sign;
                self.digits();
            }
        }
        let written: String = self.characters[start..self.at].iter().collect();
        match written.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Token::Number(number, written)),
            _ => Err(syntax(
                self.text,
                start + 1,
                format!("`{written}` is beyond the largest number, 1.8e308"),
            )),
        }
    }

    fn quoted(&mut self) -> Result<Token> {
        let start = self.at;
        self.at += 1;
        let mut name = String::new();
        loop {
            let position = self.at + 1;
            let Some(c) = self.peek(0) else {
                return Err(syntax(self.text, start + 1, "the quoted name has no end"));
            };
            self.at += 1;
            match c {
                '"' => return Ok(Token::Quoted(name)),
                '\\' => {
                    let escape = self.escape();
                    name.push(escape.ok_or_else(|| {
                        syntax(
                            self.text,
                            position,
                            r#"after `\` one of `"`, `\`, `n`, `r`, `t`, `u{hex}` is expected"#,
                        )
                    })?);
                }
                _ => name.push(c),
            }
        }
    }

    /// Reads what follows a backslash.
    fn escape(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        self.at += 1;
        match c {
            '"' | '\\' => Some(c),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            'u' => {
                if self.peek(0) != Some('{') {
                    return None;
                }
                self.at += 1;
                let start = self.at;
                while self.peek(0).is_some_and(|c| c.is_ascii_hexdigit()) && self.at < start + 6 {
                    self.at += 1;
                }
                let hex: String = self.characters[start..self.at].iter().collect();
                if self.peek(0) != Some('}') {
                    return None;
                }
                self.at += 1;
                char::from_u32(u32::from_str_radix(&hex, 16).ok()?)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token> {
        let all = tokens(text).expect("readable");
        all.into_iter().map(|p| p.token).collect()
    }

    #[test]
    fn reads_every_kind_of_token() {
        assert_eq!(
            kinds(r#"a_1 @ "b \"c\"\u{e9}"^2"#),
            [
                Token::Name("a_1".into()),
                Token::Mark('@'),
                Token::Quoted("b \"c\"é".into()),
                Token::Mark('^'),
                Token::Number(2.0, "2".into()),
                Token::End,
            ]
        );
    }

    #[test]
    fn reads_numbers_in_all_forms() {
        for (text, value) in [
            ("1", 1.0),
            (".5", 0.5),
            ("-2.5e-3", -0.0025),
            ("3.", 3.0),
            ("1E+4", 1e4),
            ("5e-324", 5e-324),
        ] {
            assert_eq!(kinds(text)[0], Token::Number(value, text.into()));
        }
    }

    #[test]
    fn counts_positions_in_characters() {
        let error = tokens("\"é\" ?").expect_err("question mark");
        assert!(matches!(error, Error::KernelSyntax { position: 5, .. }));
    }

    #[test]
    fn refuses_bad_text() {
        for text in [
            "\"open",
            r#""\x""#,
            r#""\u{110000}""#,
            "1e999",
            "-",
            "ä",
            "a-b",
        ] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }
}
