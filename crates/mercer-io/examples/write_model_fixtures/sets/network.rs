//! Two teams whose members know each other; some have not said which is theirs.

use mercer_io::Format;

use crate::case::{Set, file};
use crate::stream::Stream;

/// Members of both teams.
const MEMBERS: usize = 20;

fn name(member: usize) -> String {
    format!("member-{}", member + 1)
}

fn ties(seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = "from,to,weight\n".to_owned();
    for a in 0..MEMBERS {
        for b in a + 1..MEMBERS {
            let likely = if a % 2 == b % 2 { 0.4 } else { 0.06 };
            if stream.next() < likely {
                let weight = stream.rounded(0.5, 2.0);
                text.extend([format!("{},{},{weight}\n", name(a), name(b))]);
            }
        }
    }
    text
}

fn members(seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = "who,team,age\n".to_owned();
    for member in 0..MEMBERS {
        let team = match (member % 5, member % 2) {
            (4, _) => "",
            (_, 0) => "even",
            _ => "odd",
        };
        let age = 20.0 + 15.0 * (member % 2) as f64 + stream.rounded(0.0, 5.0);
        text.extend([format!("{},{team},{age}\n", name(member))]);
    }
    text
}

fn network(target: &str, other: &str) -> Set {
    // Asked in another order than they were learnt, and one of them twice.
    let asked = (0..MEMBERS).rev().chain([3]);
    let asked: String = asked.map(|m| format!("{}\n", name(m))).collect();
    let mut set = Set::new(Format::Csv, members(91), format!("who\n{asked}"));
    set.ties = Some(file(Format::Csv, ties(92)));
    set.roles.drop_unlabelled = true;
    set.target(target).without(&[other])
}

/// Whose side they are on.
pub(crate) fn teams() -> Set {
    network("team", "age")
}

/// How old they are.
pub(crate) fn ages() -> Set {
    network("age", "team")
}
