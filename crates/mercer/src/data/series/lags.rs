//! Which earlier values a value is predicted from.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The largest lag.
const LARGEST: usize = 10_000;

/// The lags of one column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lagged {
    /// The column; `None` is the target.
    pub column: Option<String>,
    /// How many steps back, ascending.
    pub lags: Vec<usize>,
}

/// Which earlier values a value is predicted from, column by column.
///
/// `12` stands for the last twelve values of the target, `1,2,12` for three of them, and
/// `y=1..12,price=1,2` names columns.
///
/// ```
/// use mercer::data::series::Lags;
///
/// let lags: Lags = "y=1..3,price=1,7".parse()?;
/// assert_eq!(lags.columns[1].lags, [1, 7]);
/// assert_eq!(lags.to_string(), "y=1..3,price=1,7");
/// assert_eq!("3".parse::<Lags>()?.columns[0].lags, [1, 2, 3]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lags {
    /// The columns, each once.
    pub columns: Vec<Lagged>,
}

impl Lags {
    /// The last values of the target.
    pub fn last(count: usize) -> Self {
        Self {
            columns: vec![Lagged {
                column: None,
                lags: (1..=count).collect(),
            }],
        }
    }
}

fn refused(text: &str) -> Error {
    Error::setting(
        "lags",
        text,
        "a number of lags, such as 12, or columns with theirs, such as y=1..12,price=1,2",
    )
}

/// Reads `7` or `1..12`.
fn range(text: &str) -> Option<std::ops::RangeInclusive<usize>> {
    let number = |text: &str| -> Option<usize> {
        let value = text.trim().parse().ok()?;
        (1..=LARGEST).contains(&value).then_some(value)
    };
    match text.split_once("..") {
        None => number(text).map(|lag| lag..=lag),
        Some((from, to)) => {
            let (from, to) = (number(from)?, number(to)?);
            (from <= to).then_some(from..=to)
        }
    }
}

impl FromStr for Lags {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Ok(count) = text.trim().parse::<usize>() {
            return if (1..=LARGEST).contains(&count) {
                Ok(Self::last(count))
            } else {
                Err(refused(text))
            };
        }
        let mut columns: Vec<Lagged> = Vec::new();
        for part in text.split(',') {
            // A name may hold an equals sign itself: lags do not.
            let lags = match part.rsplit_once('=') {
                Some((name, lags)) => {
                    let column = Some(name.trim().to_owned());
                    if columns
                        .iter()
                        .any(|c| c.column == column || c.column.is_none())
                    {
                        return Err(refused(text));
                    }
                    columns.push(Lagged {
                        column,
                        lags: Vec::new(),
                    });
                    lags
                }
                None => part,
            };
            if columns.is_empty() {
                columns.push(Lagged {
                    column: None,
                    lags: Vec::new(),
                });
            }
            let own = columns.last_mut().ok_or_else(|| refused(text))?;
            own.lags.extend(range(lags).ok_or_else(|| refused(text))?);
        }
        for column in &mut columns {
            column.lags.sort_unstable();
            column.lags.dedup();
        }
        Ok(Self { columns })
    }
}

impl fmt::Display for Lags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, column) in self.columns.iter().enumerate() {
            if place > 0 {
                f.write_str(",")?;
            }
            if let Some(name) = &column.column {
                write!(f, "{name}=")?;
            }
            f.write_str(&runs(&column.lags))?;
        }
        Ok(())
    }
}

/// Lags with runs of three or more as ranges.
fn runs(lags: &[usize]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = lags;
    while let Some(&first) = rest.first() {
        let length = (first..).zip(rest).take_while(|(a, b)| a == *b).count();
        let (run, later) = rest.split_at(length.max(1));
        match run {
            [from, .., to] if run.len() > 2 => parts.push(format!("{from}..{to}")),
            run => parts.extend(run.iter().map(usize::to_string)),
        }
        rest = later;
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_and_printed_again() {
        for (text, printed) in [
            ("3", "1..3"),
            ("1", "1"),
            ("1,2,12", "1,2,12"),
            ("1..3,24", "1..3,24"),
            ("y=1..12,price=1,2", "y=1..12,price=1,2"),
            (" y = 2 , 1 ", "y=1,2"),
            ("a=b=1", "a=b=1"),
        ] {
            let read: Lags = text.parse().unwrap();
            assert_eq!(read.to_string(), printed);
            if text != "3" && text != "1" {
                assert_eq!(printed.parse::<Lags>().unwrap(), read);
            }
        }
        let both: Lags = "y=1..2,price=7".parse().unwrap();
        assert_eq!(both.columns[1].column.as_deref(), Some("price"));
        assert_eq!(both.columns[1].lags, [7]);
    }

    #[test]
    fn what_is_no_lag_is_refused() {
        for text in [
            "", "0", "-1", "y=0", "y=", "y=5..2", "1.5", "y=1,y=2", "1,y=2", "20000", "y=1..",
        ] {
            assert!(text.parse::<Lags>().is_err(), "{text}");
        }
    }
}
