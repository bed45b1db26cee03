//! The commands of the README, run as they are printed.

use crate::harness::{Folder, finish};

/// The words of a line as a shell would give them; quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let (mut all, mut word, mut quote, mut any) = (Vec::new(), String::new(), None, false);
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => (quote, any) = (Some(c), true),
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => {
                if any {
                    all.push(std::mem::take(&mut word));
                }
                any = false;
            }
            (c, _) => {
                word.push(c);
                any = true;
            }
        }
    }
    if any {
        all.push(word);
    }
    all
}

#[test]
fn every_command_of_the_readme_works() {
    let readme = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).expect("the README");
    let lines: Vec<&str> = readme
        .split("```")
        .filter_map(|block| block.strip_prefix("sh\n"))
        .flat_map(str::lines)
        .filter_map(|line| line.split('#').next())
        .map(str::trim)
        .collect();
    let commands = lines.iter().filter(|line| line.starts_with("mercer "));
    assert!(commands.count() >= 18, "{lines:?}");
    // A new user types one line after the other, and has no other files than those they make.
    let folder = Folder::new();
    let mut place = folder.path("");
    for line in lines {
        if let Some(name) = line.strip_prefix("cd ") {
            place.push(name);
        } else if let Some(command) = line.strip_prefix("mercer ") {
            let mut started = folder.command(words(command));
            let started = started.current_dir(&place).spawn().expect("started");
            let done = finish(started, None);
            assert_eq!(done.code, 0, "mercer {command}\n{}", done.err);
        }
    }
}
