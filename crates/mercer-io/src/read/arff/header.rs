//! The declarations of an ARFF file.

use std::collections::HashMap;

use mercer::data::Kind;
use mercer::data::recognise::{Spelling, date_format_of_java};

use super::words::{OpenQuote, Words, without_comment};
use crate::error::shorten;
use crate::read::lines::{Lines, column_of};
use crate::{Error, Result};

/// One declared attribute.
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// How dates are written, where not as in ISO 8601.
    pub(super) date_format: Option<String>,
    /// The declared names of a nominal attribute.
    pub(super) levels: Vec<String>,
    /// The code of each declared name.
    pub(super) codes: HashMap<String, u32>,
}

impl Attribute {
    /// Reads a date.
    pub(super) fn date(&self, text: &str) -> Option<f64> {
        let spelling = Spelling {
            date: self.date_format.clone(),
            ..Spelling::default()
        };
        spelling.date(text)
    }
}

/// Reads up to and including `@data`.
pub(super) fn read(lines: &mut Lines) -> Result<Vec<Attribute>> {
    let mut attributes: Vec<Attribute> = Vec::new();
    let mut declared: HashMap<String, usize> = HashMap::new();
    let mut buffer = Vec::new();
    while lines.next(&mut buffer)? {
        let line = String::from_utf8_lossy(&buffer);
        let text = without_comment(&line);
        let mut words = Words::new(text);
        match words.peek() {
            None => continue,
            Some('@') => {}
            Some(_) => {
                let problem = format!(
                    "`{}` stands before `@data`",
                    shorten(words.rest().trim_end())
                );
                let cure = "put `@data` on a line of its own before the first row";
                return Err(lines.syntax(column_of(&buffer, words.at()), problem, cure));
            }
        }
        let at = words.at();
        let keyword = words
            .word(&[' ', '\t', '{'])
            .map_err(|q| open_quote(lines, text, &q))?;
        match keyword.text.to_ascii_lowercase().as_str() {
            "@relation" => {}
            "@attribute" => {
                let attribute = attribute(lines, text, &mut words)?;
                if let Some(line) = declared.insert(attribute.name.clone(), lines.number) {
                    let problem = format!(
                        "the attribute `{}` is declared on line {line} already",
                        shorten(&attribute.name)
                    );
                    return Err(lines.syntax(
                        column_of(&buffer, at),
                        problem,
                        "give every attribute its own name",
                    ));
                }
                attributes.push(attribute);
            }
            "@data" => {
                if attributes.is_empty() {
                    let problem = "`@data` comes before any `@attribute`".to_owned();
                    return Err(lines.syntax(
                        column_of(&buffer, at),
                        problem,
                        "declare the columns first",
                    ));
                }
                return Ok(attributes);
            }
            _ => {
                let problem = format!("`{}` is not a declaration", shorten(&keyword.text));
                let cure = "use `@relation`, `@attribute` and `@data`";
                return Err(lines.syntax(column_of(&buffer, at), problem, cure));
            }
        }
    }
    Err(Error::Empty {
        file: lines.file.clone(),
        problem: "there is no `@data` line".to_owned(),
    })
}

pub(super) fn open_quote(lines: &Lines, text: &str, quote: &OpenQuote) -> Error {
    lines.syntax(
        column_of(text.as_bytes(), quote.at),
        "the quote that opens here is never closed".to_owned(),
        "close the quote on the same line, and write `\\'` for a quote inside",
    )
}

fn attribute(lines: &Lines, text: &str, words: &mut Words<'_>) -> Result<Attribute> {
    let place = |at: usize| column_of(text.as_bytes(), at);
    let name = words
        .word(&[' ', '\t', '{'])
        .map_err(|q| open_quote(lines, text, &q))?;
    if name.text.is_empty() {
        let problem = "the attribute has no name".to_owned();
        return Err(lines.syntax(place(name.at), problem, "write `@attribute name type`"));
    }
    let mut attribute = Attribute {
        name: name.text,
        kind: Kind::Categorical,
        date_format: None,
        levels: Vec::new(),
        codes: HashMap::new(),
    };
    if words.take('{') {
        loop {
            let level = words
                .word(&[',', '}'])
                .map_err(|q| open_quote(lines, text, &q))?;
            let first = attribute.levels.is_empty();
            if !level.text.is_empty() || level.quoted {
                let code = attribute.levels.len() as u32;
                if attribute.codes.insert(level.text.clone(), code).is_some() {
                    let problem = format!("`{}` is declared twice", shorten(&level.text));
                    return Err(lines.syntax(place(level.at), problem, "list every value once"));
                }
                attribute.levels.push(level.text);
            }
            if words.take('}') {
                if attribute.levels.is_empty() && first {
                    let problem =
                        format!("the attribute `{}` has no values", shorten(&attribute.name));
                    return Err(lines.syntax(
                        place(level.at),
                        problem,
                        "list its values between the braces",
                    ));
                }
                return Ok(attribute);
            }
            if !words.take(',') {
                let problem = "the list of values is not closed".to_owned();
                words.peek();
                return Err(lines.syntax(
                    place(words.at()),
                    problem,
                    "end it with `}` on the same line",
                ));
            }
        }
    }
    let kind = words
        .word(&[' ', '\t', '['])
        .map_err(|q| open_quote(lines, text, &q))?;
    attribute.kind = match kind.text.to_ascii_lowercase().as_str() {
        "numeric" | "real" | "integer" => Kind::Numeric,
        "string" => Kind::Text,
        "date" => {
            attribute.date_format = date_format(lines, text, words)?;
            Kind::Date
        }
        _ => {
            let problem = format!("`{}` is not a type", shorten(&kind.text));
            let cure = "use numeric, real, integer, string, date or a list `{a, b}`";
            return Err(lines.syntax(place(kind.at), problem, cure));
        }
    };
    Ok(attribute)
}

/// The declared format of dates; `None` for those that ISO 8601 has.
fn date_format(lines: &Lines, text: &str, words: &mut Words<'_>) -> Result<Option<String>> {
    const KNOWN: [&str; 6] = [
        "yyyy-MM-dd",
        "yyyy-MM-ddTHH:mm",
        "yyyy-MM-ddTHH:mm:ss",
        "yyyy-MM-dd HH:mm",
        "yyyy-MM-dd HH:mm:ss",
        "yyyy-MM-dd HH:mm:ss.SSS",
    ];
    if words.peek().is_none() {
        return Ok(None);
    }
    let format = words.word(&[]).map_err(|q| open_quote(lines, text, &q))?;
    let plain = format.text.replace('\'', "");
    if KNOWN.contains(&plain.as_str()) {
        return Ok(None);
    }
    if let Some(format) = date_format_of_java(&format.text) {
        return Ok(Some(format));
    }
    let problem = format!("the date format `{}` is not read", shorten(&format.text));
    let cure = "use year, month and day such as `dd.MM.yyyy`, or `yyyy-MM-dd'T'HH:mm:ss`";
    Err(lines.syntax(column_of(text.as_bytes(), format.at), problem, cure))
}
