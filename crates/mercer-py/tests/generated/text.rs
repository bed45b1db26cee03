//! Lines of a given width.

/// Columns of documentation.
const WIDTH: usize = 92;

/// Breaks a paragraph into lines that are indented by so many blanks.
pub(crate) fn wrap(paragraph: &str, indent: usize) -> String {
    let blanks = " ".repeat(indent);
    let mut lines: Vec<String> = Vec::new();
    for word in words(paragraph) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(format!("{blanks}{word}")),
        }
    }
    lines.join("\n")
}

/// Words, where quoted code is one: a line break inside it would be read as part of it.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for word in text.split_whitespace() {
        match words.last_mut() {
            Some(last) if open => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
        if word.matches("``").count() % 2 == 1 {
            open = !open;
        }
    }
    words
}

/// Indents every line that has something on it.
pub(crate) fn indent(text: &str, blanks: usize) -> String {
    let blanks = " ".repeat(blanks);
    let lines = text.lines().map(|line| {
        if line.is_empty() {
            String::new()
        } else {
            format!("{blanks}{line}")
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A list in brackets: on one line where it fits, otherwise an item a line.
pub(crate) fn bracketed(start: &str, items: &[String], end: &str, indent: usize) -> String {
    let blanks = " ".repeat(indent);
    let one = format!("{blanks}{start}{}{end}", items.join(", "));
    // One column is left for a comma behind it.
    if one.trim_end().chars().count() < super::COLUMNS {
        return one;
    }
    let comma = if items.len() == 1 { "" } else { "," };
    let items: String = items
        .iter()
        .map(|item| format!("{blanks}    {item}{comma}\n"))
        .collect();
    format!("{blanks}{start}\n{items}{blanks}{end}")
}

#[test]
fn quoted_code_is_not_broken() {
    let text = "word ".repeat(17) + "``a + b``";
    assert!(wrap(&text, 4).ends_with("\n    ``a + b``"));
}
