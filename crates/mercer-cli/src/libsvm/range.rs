//! Ranges of features, and the files that keep them.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

use mercer_io::Source;
use mercer_io::libsvm::format_g17;

use crate::failure::{Failure, Result};
use crate::session::Session;

/// The ends of an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Span {
    /// The span of nothing.
    pub(super) const EMPTY: Self = Self {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };

    /// Widens the span to hold a value.
    pub(super) fn include(&mut self, value: f64) {
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }

    /// Maps a value of this span to the same place in another; the ends are met exactly.
    pub(super) fn map(self, value: f64, to: Self) -> f64 {
        if value == self.low {
            to.low
        } else if value == self.high {
            to.high
        } else {
            to.low + (to.high - to.low) * (value - self.low) / (self.high - self.low)
        }
    }
}

/// How labels are scaled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LabelScale {
    pub(super) to: Span,
    pub(super) from: Span,
}

/// What a range file holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranges {
    pub(super) labels: Option<LabelScale>,
    /// Where features go.
    pub(super) to: Span,
    /// Where each feature that varies comes from, by index.
    pub(super) features: BTreeMap<u32, Span>,
}

impl Ranges {
    /// Writes the ranges as LIBSVM does.
    pub(super) fn to_text(&self) -> String {
        let pair = |span: Span| format!("{} {}", format_g17(span.low), format_g17(span.high));
        let mut lines = Vec::new();
        if let Some(labels) = self.labels {
            lines.extend(["y".to_owned(), pair(labels.to), pair(labels.from)]);
        }
        lines.extend(["x".to_owned(), pair(self.to)]);
        lines.extend(
            self.features
                .iter()
                .map(|(index, span)| format!("{index} {}", pair(*span))),
        );
        lines.join("\n") + "\n"
    }

    /// Reads a range file, mercer's or LIBSVM's.
    pub(super) fn read(path: &Path, session: &Session) -> Result<Self> {
        let source = Source::from_argument(path);
        let opened = source.open(Some(&session.cancel))?;
        let file = opened.name;
        let mut lines = Vec::new();
        for line in opened.reader.lines() {
            lines.push(line.map_err(|source| mercer_io::Error::Io {
                file: file.clone(),
                source,
            })?);
        }
        Self::parse(&lines, &file)
    }

    fn parse(lines: &[String], file: &str) -> Result<Self> {
        let mut text = RangeText { lines, file, at: 0 };
        let labels = if text.peek() == Some("y") {
            text.at += 1;
            let [low, high] = text.numbers("the limits of the scaled labels")?;
            let to = Span { low, high };
            let [low, high] = text.numbers("the range of the labels")?;
            let from = Span { low, high };
            Some(LabelScale { to, from })
        } else {
            None
        };
        if text.peek() != Some("x") {
            return Err(text.refuse("`x` is expected on a line of its own"));
        }
        text.at += 1;
        let [low, high] = text.numbers("the limits of the scaled features")?;
        let mut ranges = Self {
            labels,
            to: Span { low, high },
            features: BTreeMap::new(),
        };
        while text.peek().is_some() {
            let [index, low, high] = text.numbers("index, least and largest value of a feature")?;
            if index.fract() != 0.0 || !(0.0..=f64::from(i32::MAX)).contains(&index) {
                text.at -= 1;
                return Err(text.refuse("the index is not a whole number from 0"));
            }
            ranges.features.insert(index as u32, Span { low, high });
        }
        Ok(ranges)
    }
}

/// A range file, read line by line.
struct RangeText<'a> {
    lines: &'a [String],
    file: &'a str,
    at: usize,
}

impl RangeText<'_> {
    /// The present line; empty ones are passed over.
    fn peek(&mut self) -> Option<&str> {
        while self.lines.get(self.at).is_some_and(|l| l.trim().is_empty()) {
            self.at += 1;
        }
        self.lines.get(self.at).map(|l| l.trim())
    }

    /// Takes a line of N finite numbers.
    fn numbers<const N: usize>(&mut self, what: &str) -> Result<[f64; N]> {
        let words: Option<Vec<f64>> = self.peek().and_then(|line| {
            let words = line.split_ascii_whitespace();
            words
                .map(|w| w.parse().ok().filter(|v: &f64| v.is_finite()))
                .collect()
        });
        match words.map(<[f64; N]>::try_from) {
            Some(Ok(numbers)) => {
                self.at += 1;
                Ok(numbers)
            }
            _ => Err(self.refuse(&format!("{what} should stand here: {N} numbers"))),
        }
    }

    fn refuse(&self, problem: &str) -> Failure {
        mercer_io::Error::Syntax {
            file: self.file.to_owned(),
            line: self.at.min(self.lines.len().saturating_sub(1)) + 1,
            column: 1,
            problem: problem.to_owned(),
            cure: "write the range file again with `svm-scale -s`".into(),
        }
        .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Ranges> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        Ranges::parse(&lines, "range")
    }

    #[test]
    fn text_reads_back() {
        let span = |low, high| Span { low, high };
        let ranges = Ranges {
            labels: Some(LabelScale {
                to: span(0.0, 1.0),
                from: span(-3.0, 0.1),
            }),
            to: span(-1.0, 1.0),
            features: [(1, span(0.1, 2.0)), (7, span(-1e-9, 5e20))].into(),
        };
        let text = ranges.to_text();
        assert!(text.starts_with("y\n0 1\n-3 0.10000000000000001\nx\n-1 1\n1 "));
        assert_eq!(parse(&text), Ok(ranges));
        assert_eq!(
            parse("x\n-1.0 1.0\n").expect("no features").features.len(),
            0
        );
    }

    #[test]
    fn damage_is_placed() {
        for (text, place) in [
            ("", "line 1"),
            ("x\n-1\n", "line 2"),
            ("x\n-1 1\n1 2\n", "line 3"),
            ("x\n-1 1\n1.5 2 3\n", "line 3"),
            ("x\n-1 1\n1 nan 3\n", "line 3"),
            ("y\n0 1\nx\n", "line 3"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(
                error.message.starts_with(&format!("range, {place}, ")),
                "{}",
                error.message
            );
            assert_eq!(error.exit_number(), 1);
        }
    }

    #[test]
    fn ends_are_met_exactly() {
        let from = Span {
            low: 0.1,
            high: 0.7,
        };
        let to = Span {
            low: -1.0,
            high: 1.0,
        };
        assert_eq!(from.map(0.1, to), -1.0);
        assert_eq!(from.map(0.7, to), 1.0);
        assert!((from.map(0.4, to)).abs() < 1e-15);
    }
}
