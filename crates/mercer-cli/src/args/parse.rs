//! Values of flags: sizes, shares, characters, pairs.

use std::time::Duration;

use mercer::data::recognise::{Decimal, check_date_format};
use mercer::data::series::Lags;
use mercer::data::{Kind, Sample, TextEncoding};
use mercer::judge::Metric;
use mercer::learn::AnyEstimator;
use mercer::select::automatic::METRICS_OF_TRIALS;
use mercer::select::grid::FoldRule;

/// One `--class-weight`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ClassWeight {
    /// Every class weighs the same in sum.
    Balanced,
    /// A factor for one label.
    Label(String, f64),
}

/// Reads a projection with its number of coordinates.
pub(crate) fn project(text: &str) -> Result<AnyEstimator, String> {
    mercer::learn::project::projection_named(text).map_err(|error| error.to_string())
}

/// Reads a number of rows, or `all`.
pub(crate) fn sample(text: &str) -> Result<Sample, String> {
    text.parse()
        .map_err(|_| "it must be a number of rows such as 20000, or `all`".to_owned())
}

/// Reads `balanced` or `LABEL=W`; the label may contain `=`.
pub(crate) fn class_weight(text: &str) -> Result<ClassWeight, String> {
    if text == "balanced" {
        return Ok(ClassWeight::Balanced);
    }
    let (label, weight) = text
        .rsplit_once('=')
        .ok_or("it must be `balanced` or LABEL=WEIGHT, such as `rare=5`")?;
    let weight: f64 = weight
        .trim()
        .parse()
        .map_err(|_| format!("`{weight}` is not a number"))?;
    if !(weight.is_finite() && weight >= 0.0) {
        return Err("the weight must be finite and not negative".to_owned());
    }
    Ok(ClassWeight::Label(label.to_owned(), weight))
}

/// Reads a metric that the trials of `auto` can be compared by.
pub(crate) fn metric_of_trials(text: &str) -> Result<Metric, String> {
    let metric = Metric::called(text).ok();
    let known = |m: &Metric| *m == Metric::Mse || METRICS_OF_TRIALS.contains(m);
    metric.filter(known).ok_or_else(|| {
        let names = METRICS_OF_TRIALS.iter().map(|m| m.name());
        format!("it must be one of {}", names.collect::<Vec<_>>().join(", "))
    })
}

/// Reads any metric by one of its names.
pub(crate) fn metric(text: &str) -> Result<Metric, String> {
    Metric::called(text).map_err(|e| {
        let hints = crate::failure::worded(&e.hints()).join("; ");
        format!("{e}; {hints}")
    })
}

/// What `--metric` is for.
pub(crate) fn metric_of_trials_help() -> String {
    let names: Vec<&str> = METRICS_OF_TRIALS.iter().map(|m| m.name()).collect();
    format!(
        "What the trials of `auto` are compared by: {}; `auc` is roc_auc. balanced_accuracy balances the class weights, f1 and macro_f1 try both [default: accuracy or mean squared error]",
        names.join(", ")
    )
}

/// Reads `NAME=VALUE`.
pub(crate) fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("it must be NAME=VALUE, such as `tolerance=1e-6`")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Reads `COL=KIND`; the column may contain `=`.
pub(crate) fn kind(text: &str) -> Result<(String, Kind), String> {
    let (column, kind) = text
        .rsplit_once('=')
        .ok_or("it must be COLUMN=KIND, such as `zip=categorical`")?;
    let found = Kind::NAMED.iter().find(|(name, _)| *name == kind);
    let Some((_, kind)) = found else {
        let names: Vec<&str> = Kind::NAMED.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "`{kind}` is no kind; use one of {}",
            names.join(", ")
        ));
    };
    Ok((column.to_owned(), *kind))
}

/// Reads `COL=EXPR`; the column may contain `=`.
pub(crate) fn encode(text: &str) -> Result<(String, TextEncoding), String> {
    // Settings in parentheses have a sign of their own.
    let head = text.find('(').map_or(text, |at| &text[..at]);
    let (column, _) = head
        .rsplit_once('=')
        .ok_or("it must be COLUMN=EXPRESSION, such as `notes=tfidf`")?;
    let how = text[column.len() + 1..].parse();
    let how = how.map_err(|error: mercer::Error| error.to_string())?;
    Ok((column.to_owned(), how))
}

/// Reads `point` or `comma`.
pub(crate) fn decimal(text: &str) -> Result<Decimal, String> {
    let mut named = Decimal::NAMED.iter();
    let found = named.find(|(name, _)| *name == text);
    found
        .map(|(_, decimal)| *decimal)
        .ok_or_else(|| "it must be `point` or `comma`".to_owned())
}

/// Reads `FORMAT` or `COL=FORMAT`; the column may contain `=`.
pub(crate) fn date_format(text: &str) -> Result<(Option<String>, String), String> {
    let (column, format) = match text.rsplit_once('=') {
        Some((column, format)) => (Some(column.to_owned()), format),
        None => (None, text),
    };
    match check_date_format(format) {
        None => Ok((column, format.to_owned())),
        Some(problem) => Err(format!(
            "`{format}` is no format of dates such as `%d/%m/%Y`: {problem}"
        )),
    }
}

/// Reads one ASCII character, or its name.
pub(crate) fn character(text: &str) -> Result<u8, String> {
    let byte = match text {
        "tab" | "\\t" => b'\t',
        "space" => b' ',
        "comma" => b',',
        "semicolon" => b';',
        "pipe" => b'|',
        _ => match text.as_bytes() {
            [byte] if byte.is_ascii() => *byte,
            _ => return Err("it must be one ASCII character, or `tab`".to_owned()),
        },
    };
    Ok(byte)
}

/// Reads a limit on memory.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    /// What the working set of a solver and a block of rows take.
    const LEAST: u64 = 16_000_000;
    let bytes = size(text)?;
    if bytes < LEAST {
        return Err(
            "it must be at least `16MB`: less does not hold a solver's working set".to_owned(),
        );
    }
    Ok(bytes)
}

/// Reads the size of the longest field.
pub(crate) fn field(text: &str) -> Result<usize, String> {
    let bytes = size(text)?;
    // Cells are numbered by 31 bits.
    let most = i32::try_from(bytes).ok();
    let fits = most.and_then(|bytes| usize::try_from(bytes).ok());
    fits.ok_or_else(|| "it must be below `2GiB`".to_owned())
}

/// Reads a number of bytes: `2GB` is 2·10⁹, `2GiB` and `2G` are 2·2³⁰.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number
        .parse()
        .map_err(|_| "it must be a size such as `2GB` or `512MiB`".to_owned())?;
    let unit = unit.trim().to_ascii_lowercase();
    let factor: f64 = match unit.as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => {
            return Err(format!(
                "`{unit}` is no unit; use B, kB, MB, GB, KiB, MiB or GiB"
            ));
        }
    };
    let bytes = (number * factor).floor();
    if (1.0..9e18).contains(&bytes) {
        Ok(bytes as u64)
    } else {
        Err("it must be at least one byte".to_owned())
    }
}

/// Reads a share between 0 and 1, both excluded; `30%` is 0.3.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let (number, factor) = match text.strip_suffix('%') {
        Some(number) => (number, 0.01),
        None => (text, 1.0),
    };
    let share = number.trim().parse::<f64>().unwrap_or(f64::NAN) * factor;
    if share > 0.0 && share < 1.0 {
        Ok(share)
    } else {
        Err("it must be between 0 and 1, both excluded, such as `0.3`".to_owned())
    }
}

/// Reads lags of columns.
pub(crate) fn lags(text: &str) -> Result<Lags, String> {
    let rule = "it must be a number of lags, such as `12`, or columns with theirs, such as `y=1..12,price=1,2`";
    text.parse().map_err(|_| rule.to_owned())
}

/// Reads a number of folds, or `loo`.
pub(crate) fn folds(text: &str) -> Result<FoldRule, String> {
    if text == "loo" {
        return Ok(FoldRule::LeaveOneOut);
    }
    match text.parse::<usize>() {
        Ok(k) if k >= 2 => Ok(FoldRule::Count(k)),
        _ => Err("it must be a whole number from 2, or `loo`".to_owned()),
    }
}

/// Reads a positive number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.trim().parse::<f64>().unwrap_or(f64::NAN);
    if seconds > 0.0 {
        // A limit of ages is no limit; the cap keeps the conversion in range.
        return Ok(Duration::from_secs_f64(seconds.min(1e9)));
    }
    Err("it must be a positive number of seconds".to_owned())
}

/// Parses a number of clusters; a range and `auto` stay texts, which `mercer cluster` chooses from.
pub(super) fn clusters(text: &str) -> Result<serde_json::Value, String> {
    if let Ok(count) = text.parse::<u64>() {
        return Ok(count.into());
    }
    match count_range(text) {
        Some(_) => Ok(text.into()),
        None => Err("give a number, a range such as `2..10`, or `auto`".to_owned()),
    }
}

/// The numbers that `2..10` and `auto` stand for.
pub(crate) fn count_range(text: &str) -> Option<std::ops::RangeInclusive<usize>> {
    if text == "auto" {
        return Some(1..=10);
    }
    let (first, last) = text.split_once("..")?;
    let last = last.strip_prefix('=').unwrap_or(last);
    let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (1 <= first && first <= last).then_some(first..=last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("2GB"), Ok(2_000_000_000));
        assert_eq!(size("512 MiB"), Ok(512 << 20));
        assert_eq!(size("1.5k"), Ok(1536));
        assert_eq!(size("77"), Ok(77));
        assert!(size("GB").is_err() && size("2XB").is_err() && size("0").is_err());
        assert_eq!(field("64MiB"), Ok(64 << 20));
        assert!(field("2GiB").is_err() && field("0").is_err());
    }

    #[test]
    fn shares_and_seconds() {
        assert_eq!(share("0.25"), Ok(0.25));
        assert!((share("30%").unwrap() - 0.3).abs() < 1e-15);
        assert!(share("1").is_err() && share("x").is_err() && share("-0.1").is_err());
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        assert!(seconds("0").is_err() && seconds("nan").is_err() && seconds("1e300").is_ok());
    }

    #[test]
    fn pairs_split_at_the_last_equals_sign() {
        assert_eq!(
            class_weight("a=b=2"),
            Ok(ClassWeight::Label("a=b".into(), 2.0))
        );
        assert_eq!(
            class_weight("-1=2"),
            Ok(ClassWeight::Label("-1".into(), 2.0))
        );
        assert!(class_weight("a").is_err() && class_weight("a=-1").is_err());
        assert_eq!(
            kind("zip=categorical"),
            Ok(("zip".into(), Kind::Categorical))
        );
        assert_eq!(kind("m=molecule"), Ok(("m".to_owned(), Kind::Molecule)));
        assert!(kind("zip=catgorical").is_err());
    }

    #[test]
    fn characters() {
        assert_eq!(character("tab"), Ok(b'\t'));
        assert_eq!(character(";"), Ok(b';'));
        assert!(character("ab").is_err() && character("é").is_err());
    }
}
