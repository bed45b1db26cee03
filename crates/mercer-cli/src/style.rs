//! Colours, sizes and lines for human eyes; numbers are written as reports write them.

use std::io::IsTerminal;

pub(crate) use mercer_report::words::{count, duration, number, plural, short_numbers};

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
    fn sizes_have_units() {
        assert_eq!(
            [bytes(12), bytes(1_400_000), bytes(999_960)],
            ["12 B", "1.4 MB", "1.0 MB"]
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
