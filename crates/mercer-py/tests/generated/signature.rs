//! Signatures as Python writes them.

/// A parameter with its default.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) default: String,
    /// Whether it can be given by name alone.
    pub(crate) by_name: bool,
}

/// Takes a signature apart: `alpha=1, *, tol=1e-3`.
pub(crate) fn parse(signature: &str) -> Vec<Listed> {
    let mut by_name = false;
    let mut listed = Vec::new();
    for part in parts(signature) {
        if part == "*" {
            by_name = true;
            continue;
        }
        let (name, default) = part
            .split_once('=')
            .unwrap_or_else(|| panic!("`{part}` has no default"));
        listed.push(Listed {
            name: name.to_owned(),
            default: default.to_owned(),
            by_name,
        });
    }
    listed
}

/// Splits at commas outside brackets and quotes.
fn parts(text: &str) -> Vec<String> {
    let (mut depth, mut quoted) = (0, false);
    let mut parts = vec![String::new()];
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            ',' if depth == 0 && !quoted => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

#[test]
fn signatures_are_taken_apart() {
    let listed = parse("alpha=1, *, grid=(1, 2), word=\"a, b\"");
    let names: Vec<&str> = listed.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["alpha", "grid", "word"]);
    assert_eq!(listed[1].default, "(1, 2)");
    assert_eq!(listed[2].default, "\"a, b\"");
    assert!(!listed[0].by_name && listed[1].by_name);
}
