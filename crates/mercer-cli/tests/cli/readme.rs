//! The commands of the README, run as they are printed.

use crate::harness::{Folder, clouds};

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
    let commands: Vec<&str> = readme
        .split("```")
        .filter_map(|block| block.strip_prefix("sh\n"))
        .flat_map(str::lines)
        .filter_map(|line| line.split('#').next())
        .filter_map(|line| line.trim().strip_prefix("mercer "))
        .collect();
    assert!(commands.len() >= 13, "{commands:?}");
    let folder = Folder::new();
    let table = clouds(40).replace("kind", "y");
    let molecules: Vec<String> = (0..24)
        .map(|i| {
            let chain = "C".repeat(i / 2 + 1);
            let (head, active) = if i % 2 == 0 {
                ("c1ccccc1", "yes")
            } else {
                ("O=C(N)", "no")
            };
            format!("{head}{chain},{}.{i},{active}\n", i % 3)
        })
        .collect();
    let ring: Vec<String> = (0..5)
        .map(|i| format!("a{i},a{}\nb{i},b{}\n", (i + 1) % 5, (i + 1) % 5))
        .collect();
    let houses: Vec<String> = (0..30)
        .map(|i| format!("{},{},{}.5\n", 50 + 3 * i, i % 7, 100 + 8 * i - i % 7))
        .collect();
    let people: Vec<String> = (0..5)
        .map(|i| {
            let known = |club: &'static str| if i < 2 { club } else { "" };
            format!("a{i},{}\nb{i},{}\n", known("red"), known("blue"))
        })
        .collect();
    folder
        .put("table.csv", &table)
        .put("new.csv", &table)
        .put("houses.csv", format!("size,age,price\n{}", houses.concat()))
        .put("test.csv", &table)
        .put(
            "molecules.csv",
            format!("smiles,logp,active\n{}", molecules.concat()),
        )
        .put("edges.csv", format!("from,to\n{}a0,b0\n", ring.concat()))
        .put("people.csv", format!("name,club\n{}", people.concat()));
    for command in commands {
        let done = folder.run_args(words(command));
        assert_eq!(done.code, 0, "mercer {command}\n{}", done.err);
    }
}
