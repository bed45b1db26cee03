//! The libraries name no flag and no command: what they say is read in all front ends.

use std::fs;
use std::path::{Path, PathBuf};

/// The text between the quotes of every string, with the line on which it starts.
///
/// Comments and characters are passed over; escapes stay as they are written.
fn strings(source: &str) -> Vec<(usize, String)> {
    let text: Vec<char> = source.chars().collect();
    let starts = |at: usize, what: &str| {
        let mut rest = text[at..].iter();
        what.chars().all(|c| rest.next() == Some(&c))
    };
    let find = |from: usize, what: &str| (from..text.len()).find(|&at| starts(at, what));
    let line = |at: usize| text[..at].iter().filter(|c| **c == '\n').count() + 1;
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if starts(at, "//") {
            at = find(at, "\n").unwrap_or(text.len());
        } else if starts(at, "/*") {
            at = find(at, "*/").map_or(text.len(), |end| end + 2);
        } else if text[at] == '\'' && text.get(at + 1) == Some(&'\\') {
            // An escaped character; its quote may be the character itself.
            at = find(at + 3, "'").map_or(text.len(), |end| end + 1);
        } else if text[at] == '\'' && text.get(at + 2) == Some(&'\'') {
            at += 3;
        } else if text[at] == '"' {
            // `r`, `br` and hashes in front make it raw.
            let hashes = text[..at].iter().rev().take_while(|c| **c == '#').count();
            let is_raw = at > hashes && text[at - hashes - 1] == 'r';
            let start = at + 1;
            let end = if is_raw {
                find(start, &format!("\"{}", "#".repeat(hashes)))
            } else {
                let mut end = start;
                while end < text.len() && text[end] != '"' {
                    end += if text[end] == '\\' { 2 } else { 1 };
                }
                Some(end)
            }
            .unwrap_or(text.len())
            .min(text.len());
            found.push((line(at), text[start..end].iter().collect()));
            at = end + 1;
        } else {
            at += 1;
        }
    }
    found
}

/// Whether a string names a flag such as `--target` or a subcommand such as `mercer fit`.
fn names_a_flag(string: &str) -> bool {
    let before = |at: usize| string[..at].chars().next_back();
    let follows = |at: usize| string[at..].starts_with(|c: char| c.is_ascii_lowercase());
    let flag = string.match_indices("--").any(|(at, _)| {
        matches!(before(at), None | Some(' ' | '`' | '(')) && follows(at + "--".len())
    });
    let command = "`mercer ";
    let mut commands = string.match_indices(command);
    flag || commands.any(|(at, _)| follows(at + command.len()))
}

/// The part of a file that is not a test.
fn shipped(source: &str) -> &str {
    let end = source.find("#[cfg(test)]\nmod tests {");
    &source[..end.unwrap_or(source.len())]
}

/// Files and folders that are modules of tests, by what their parents say.
fn test_modules(folder: &Path, source: &str) -> Vec<PathBuf> {
    let lines: Vec<&str> = source.lines().collect();
    let modules = lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]");
    modules
        .filter_map(|pair| pair[1].strip_prefix("mod ")?.strip_suffix(';'))
        .flat_map(|name| [folder.join(format!("{name}.rs")), folder.join(name)])
        .collect()
}

fn visit(folder: &Path, files: &mut usize, wrong: &mut Vec<String>) {
    let entries = fs::read_dir(folder).expect("a folder of sources");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let mut sources = Vec::new();
    let mut tests = Vec::new();
    for path in paths
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
    {
        let source = fs::read_to_string(path).expect("a source file");
        tests.extend(test_modules(folder, &source));
        sources.push((path, source));
    }
    for (path, source) in sources {
        let name = path.file_name().expect("a file").to_string_lossy();
        if tests.contains(path) || name.ends_with("tests.rs") {
            continue;
        }
        *files += 1;
        for (line, string) in strings(shipped(&source)) {
            if names_a_flag(&string) {
                wrong.push(format!("{}:{line}: {string}", path.display()));
            }
        }
    }
    for path in paths.iter().filter(|p| p.is_dir() && !tests.contains(p)) {
        visit(path, files, wrong);
    }
}

/// `mercer::hint::Word` is how a library names what front ends call differently.
#[test]
fn the_libraries_name_no_flags() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut files, mut wrong) = (0, Vec::new());
    for folder in ["src", "../mercer-molecule/src", "../mercer-io/src"] {
        visit(&here.join(folder), &mut files, &mut wrong);
    }
    assert!(files > 200, "only {files} files were looked at");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn strings_are_told_from_all_else() {
    let source = "
// \"a comment\"
let a = \"one \\\" two\"; /* \"three\" */ let q = '\"'; let e = '\\''; let s: &'static str = \"four\";
let r = r#\"five \"six\"\"#;
";
    let found: Vec<String> = strings(source).into_iter().map(|(_, s)| s).collect();
    assert_eq!(found, ["one \\\" two", "four", "five \"six\""]);
    assert_eq!(strings(source)[1].0, 3);
}

#[test]
fn flags_are_seen_and_dashes_are_not() {
    for flag in [
        "--target",
        "raise `--memory`",
        "use --c",
        "`mercer gram` helps",
    ] {
        assert!(names_a_flag(flag), "{flag}");
    }
    for text in ["a--b", "---", "1 -- 2", "mercer model `x`", "-- SQL"] {
        assert!(!names_a_flag(text), "{text}");
    }
}
