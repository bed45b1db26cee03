//! Short texts of two kinds.

use mercer::data::Kind;
use mercer_io::Format;

use crate::case::Set;
use crate::stream::Stream;

const OFFERS: [&str; 8] = [
    "Win", "cheap", "prize", "now", "offer", "free", "money", "click",
];
const LETTERS: [&str; 8] = [
    "Dear", "meeting", "noon", "report", "please", "thanks", "draft", "lunch",
];
const BETWEEN: [&str; 4] = ["the", "a", "with", "and"];

/// Letters beyond ASCII, one word, nothing.
const ODD: &str = "Café ½ naïve offer — now,0\nmeeting,0\n,0\n";

fn text(rows: usize, seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = "note,kind\n".to_owned();
    for row in 0..rows {
        let (own, kind) = if stream.next() < 0.5 {
            (OFFERS, "offer")
        } else {
            (LETTERS, "letter")
        };
        let mut words = Vec::new();
        for _ in 0..4 + stream.below(3) {
            let list = if stream.next() < 0.6 {
                &own[..]
            } else {
                &BETWEEN
            };
            words.push(stream.pick(list));
        }
        let words = if row % 11 == 10 {
            String::new()
        } else {
            words.join(" ")
        };
        text.extend([format!("{words},{kind}\n")]);
    }
    text
}

/// Offers and letters.
pub(crate) fn notes() -> Set {
    let set = Set::new(Format::Csv, text(30, 51), text(8, 52) + ODD);
    set.target("kind").kind("note", Kind::Text)
}
