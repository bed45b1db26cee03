//! Stalls of a market: rows that come twice, words for truth values, one year.

use mercer_io::Format;

use crate::case::Set;
use crate::stream::Stream;

/// A truth value that is missing, words in other letters, and no year.
const ODD: &str = "2.5,3,,2000,1,full\n7,1,YES,2000,2,calm\n4,4,no,,1,calm\n";

fn text(rows: usize, seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = "stands,guests,open,year,copies,mood\n".to_owned();
    for row in 0..rows {
        let stands = stream.rounded(0.0, 9.0);
        let guests = stream.rounded(0.0, 9.0);
        let open = stream.pick(&["yes", "no"]);
        let copies = 1 + row % 3;
        let mood = if guests > stands { "full" } else { "calm" };
        let line = format!("{stands},{guests},{open},2000,{copies},{mood}\n");
        // Every third row comes twice.
        let times = if row % 3 == 0 { 2 } else { 1 };
        text.push_str(&line.repeat(times));
    }
    text
}

/// The mood at each stall.
pub(crate) fn moods() -> Set {
    let set = Set::new(Format::Csv, text(30, 41), text(6, 42) + ODD);
    set.target("mood").without(&["copies"])
}

/// The same, each row as often as its copies say.
pub(crate) fn weighted() -> Set {
    let mut set = moods().without(&[]);
    set.roles.weights = Some("copies".to_owned());
    set
}
