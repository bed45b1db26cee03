//! Points in space: two sides that a plane divides, three zones, two functions.

use mercer_io::Format;

use crate::case::Set;
use crate::stream::{Stream, hundredths};

/// Half the width of the gap between the sides: enough for a hard margin.
const GAP: f64 = 0.4;

pub(crate) fn text(rows: usize, seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = "a,b,c,copies,name,side,zone,height,depth\n".to_owned();
    let mut row = 0;
    while row < rows {
        let (a, b, c) = (
            stream.rounded(-3.0, 3.0),
            stream.rounded(-3.0, 3.0),
            stream.rounded(0.0, 2.0),
        );
        let across = a + 0.5 * b;
        if across.abs() < GAP {
            continue;
        }
        let side = if across > 0.0 { "right" } else { "left" };
        let zone = match a * a + b * b {
            ..3.0 => "near",
            3.0..7.0 => "middle",
            _ => "far",
        };
        let height = hundredths(a * b + c / 2.0 + stream.rounded(-0.3, 0.3));
        let depth = hundredths(c * c - a + stream.rounded(-0.2, 0.2));
        let copies = [1.0, 1.0, 2.0, 0.5, 0.0, 3.0][row % 6];
        text.extend([format!(
            "{a},{b},{c},{copies},p{row},{side},{zone},{height},{depth}\n"
        )]);
        row += 1;
    }
    text
}

/// Columns that are not features of a target.
const OTHERS: [&str; 6] = ["copies", "name", "side", "zone", "height", "depth"];

/// Points with one of their columns as target.
pub(crate) fn points(target: &str) -> Set {
    of(target, 10)
}

/// The same, asked about more rows than one block of a prediction has.
pub(crate) fn many_points(target: &str) -> Set {
    of(target, 110)
}

fn of(target: &str, asked: usize) -> Set {
    let others: Vec<&str> = OTHERS.into_iter().filter(|n| *n != target).collect();
    let set = Set::new(Format::Csv, text(36, 31), text(asked, 32));
    set.target(target).without(&others)
}

/// Points without a target.
pub(crate) fn unlabelled() -> Set {
    points("side").unlabelled().without(&OTHERS)
}

/// Rows that count as several, or as half a one, or not at all.
pub(crate) fn weighted(target: &str) -> Set {
    let mut set = points(target);
    set.roles.drop.retain(|n| n != "copies" && n != "name");
    set.roles.weights = Some("copies".to_owned());
    set.roles.id = Some("name".to_owned());
    set
}
