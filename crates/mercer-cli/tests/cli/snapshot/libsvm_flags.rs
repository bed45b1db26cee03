//! The flags of `svm-train`, `svm-predict` and `svm-scale`, found by trying every letter.

use super::record::{Names, compare};
use crate::harness::Folder;

const PROGRAMS: [&str; 3] = ["svm-train", "svm-predict", "svm-scale"];
/// No flag of LIBSVM takes more values.
const MOST_VALUES: usize = 2;

#[test]
fn the_programs_of_libsvm_keep_their_flags() {
    let folder = Folder::new();
    let mut names = Names::default();
    for program in PROGRAMS {
        let letters = ('a'..='z').chain('A'..='Z').map(|l| format!("-{l}"));
        // A weight has its label in the flag.
        for flag in letters.chain(["-w1".to_owned(), "--help".to_owned()]) {
            if let Some(kind) = kind(&folder, program, &flag) {
                let shown = flag.replace('1', "LABEL");
                names.add(format!("mercer {program} {shown}"), kind);
            }
        }
    }
    compare("libsvm_flags.txt", &names);
}

/// How many values a flag takes; `None` where there is no such flag.
fn kind(folder: &Folder, program: &str, flag: &str) -> Option<&'static str> {
    let mut words = vec![program, flag];
    for _ in 0..=MOST_VALUES {
        let done = folder.run_args(&words);
        if done.err.contains("there is no option") {
            return None;
        }
        if !done.err.contains("needs a value") {
            break;
        }
        words.push("1");
    }
    Some(["switch", "value", "two_values"][words.len() - 2])
}
