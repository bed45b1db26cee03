//! Bugs that were found once, so that they stay found.

use crate::harness::{Folder, clouds};

/// Flags after positional numbers are flags, not numbers.
#[test]
fn flags_may_follow_negative_numbers() {
    let folder = Folder::new();
    let object = folder.run("kernel linear -1,-2 -3,-4 --json").json();
    assert_eq!(object["value"], 11.0);
    let object = folder.run("kernel --json linear -1,-2 -3,-4").json();
    assert_eq!(object["value"], 11.0);
}

/// The results of a model do not depend on how its input is cut into chunks.
#[test]
fn one_row_is_answered_as_among_many() {
    let folder = Folder::new();
    folder
        .put("d.csv", clouds(60))
        .run("fit d.csv --target kind --model svc -o m.mercer")
        .ok();
    let all = folder.run("predict m.mercer d.csv --decision");
    let text = clouds(60);
    let rows: Vec<&str> = text.lines().collect();
    folder.put("one.csv", format!("{}\n{}\n", rows[0], rows[31]));
    let one = folder.run("predict m.mercer one.csv --decision");
    let answer = one.ok().lines().nth(1).expect("a result");
    assert_eq!(Some(answer), all.ok().lines().nth(31));
}
