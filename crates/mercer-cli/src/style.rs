//! Colours and numbers for human eyes.

use std::io::IsTerminal;

pub(crate) use mercer_plot::text::count;

/// Adds colours where the reader is a terminal that wants them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paint(bool);

impl Paint {
    /// For standard output.
    pub(crate) fn stdout() -> Self {
        Self(wanted(std::io::stdout().is_terminal()))
    }

    /// For standard error.
    pub(crate) fn stderr() -> Self {
        Self(wanted(std::io::stderr().is_terminal()))
    }

    fn code(self, code: &str, text: &str) -> String {
        if self.0 && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.code("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.code("2", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.code("1;31", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.code("1;32", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.code("1;33", text)
    }

    pub(crate) fn cyan(self, text: &str) -> String {
        self.code("36", text)
    }
}

/// `NO_COLOR` and a dumb terminal say no; `CLICOLOR_FORCE` says yes to pipes too.
fn wanted(terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    if set("NO_COLOR") {
        return false;
    }
    let forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| !v.is_empty() && v != "0");
    forced || (terminal && std::env::var_os("TERM").is_none_or(|t| t != "dumb"))
}

/// Prints a number with up to four significant digits.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return if value.is_nan() {
            "-".to_owned()
        } else {
            value.to_string()
        };
    }
    let magnitude = value.abs();
    if !(1e-4..1e7).contains(&magnitude) {
        return format!("{value:.2e}");
    }
    let decimals = (3 - magnitude.log10().floor() as i32).clamp(0, 7) as usize;
    format!("{value:.decimals$}")
}

/// Shortens the numbers of an expression to six significant digits, for reading.
pub(crate) fn short_numbers(expression: &str) -> String {
    let mut out = String::new();
    let mut rest = expression;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, tail) = rest.split_at(start);
        out.push_str(before);
        let end = tail
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(tail.len());
        let (digits, after) = tail.split_at(end);
        let named = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        match digits.parse::<f64>() {
            Ok(value) if !named && digits.len() > 8 && value >= 1e-5 => {
                let decimals = (5 - value.log10().floor() as i32).max(0) as usize;
                let text = format!("{value:.decimals$}");
                let short = if text.contains('.') {
                    text.trim_end_matches('0').trim_end_matches('.')
                } else {
                    &text
                };
                out.push_str(short);
            }
            _ => out.push_str(digits),
        }
        rest = after;
    }
    out + rest
}

/// Prints a count with its noun: `1 row`, `2 rows`.
pub(crate) fn plural(value: usize, noun: &str) -> String {
    let s = if value == 1 { "" } else { "s" };
    format!("{} {noun}{s}", count(value as u64))
}

/// Prints a number of bytes: `1.4 MB`.
pub(crate) fn bytes(value: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut size = value as f64;
    let mut unit = 0;
    while size >= 999.95 && unit + 1 < units.len() {
        size /= 1000.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{value} B")
    } else {
        format!("{size:.1} {}", units[unit])
    }
}

/// Prints a duration: `0.4 ms`, `31 ms`, `2.53 s`, `3 min 5 s`.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 0.01 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1e3)
    } else if seconds < 120.0 {
        format!("{seconds:.2} s")
    } else {
        let whole = seconds.round() as u64;
        format!("{} min {} s", whole / 60, whole % 60)
    }
}

/// Breaks a text into lines of at most `width` characters, at spaces.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// Quotes a name for a shell where it needs it.
pub(crate) fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/+=:,@%".contains(c);
    if !name.is_empty() && name.chars().all(plain) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_in_a_shell() {
        assert_eq!(quoted("a/b.mercer"), "a/b.mercer");
        assert_eq!(quoted("my model"), "'my model'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }

    #[test]
    fn numbers_have_four_digits() {
        let printed = [0.0, 1.0, 33.523_91, 0.001_234_5, 123_456.7, 1e9, -2.5e-7].map(number);
        assert_eq!(
            printed,
            [
                "0", "1.000", "33.52", "0.001234", "123457", "1.00e9", "-2.50e-7"
            ]
        );
        assert_eq!(number(f64::INFINITY), "inf");
        assert_eq!(number(f64::NAN), "-");
    }

    #[test]
    fn counts_sizes_and_times() {
        assert_eq!(
            [count(7), count(1234), count(1_234_567)],
            ["7", "1,234", "1,234,567"]
        );
        assert_eq!(
            [bytes(12), bytes(1_400_000), bytes(999_960)],
            ["12 B", "1.4 MB", "1.0 MB"]
        );
        assert_eq!(
            [duration(0.0004), duration(0.031), duration(185.0)],
            ["0.4 ms", "31 ms", "3 min 5 s"]
        );
        assert_eq!([plural(1, "row"), plural(2, "row")], ["1 row", "2 rows"]);
    }

    #[test]
    fn expressions_are_shortened() {
        assert_eq!(
            short_numbers("rbf(gamma=0.03333333333333351)"),
            "rbf(gamma=0.0333333)"
        );
        assert_eq!(
            short_numbers("0.5*rbf@x123456789 + poly(degree=3)"),
            "0.5*rbf@x123456789 + poly(degree=3)"
        );
        assert_eq!(
            short_numbers("laplace(scale=1.2345678901e-9)"),
            "laplace(scale=1.23457e-9)"
        );
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("unbreakable", 4), ["unbreakable"]);
    }

    #[test]
    fn paint_can_be_off() {
        assert_eq!(Paint(false).red("x"), "x");
        assert_eq!(Paint(true).bold("x"), "\x1b[1mx\x1b[0m");
    }
}
