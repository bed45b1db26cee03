//! Shops by day and hour: dates with gaps beside names, truth values and numbers, and a column
//! that is always empty.

use mercer_io::Format;

use crate::case::Set;
use crate::stream::Stream;

/// Rows that training does not prepare for: a far year, midnight, an unseen shop, nothing at all.
const ODD: &str = "2031-06-01T12:00:00Z,east,yes,20,,0,quiet\n\
    2024-02-29,west,no,5,,0,quiet\n\
    2024-05-05T08:15:30.5+02:00,harbour,,,,0,quiet\n\
    ,,,,,0,quiet\n";

fn text(rows: usize, seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = "when,shop,sale,degrees,spare,visitors,mood\n".to_owned();
    for row in 0..rows {
        let (year, month, day) = (
            2023 + stream.below(2),
            1 + stream.below(12),
            1 + stream.below(28),
        );
        let (hour, minute) = (stream.below(24), stream.below(60));
        let when = if row % 9 == 4 {
            String::new()
        } else {
            format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}")
        };
        let shop = stream.pick(&["east", "west", "centre", ""]);
        let sale = stream.pick(&["yes", "no", "no", ""]);
        let degrees = stream.rounded(-5.0, 30.0);
        let by_hour = if (9..19).contains(&hour) { 40.0 } else { 5.0 };
        let visitors = (by_hour + degrees + 10.0 * stream.next()).round();
        let mood = if visitors > 40.0 { "busy" } else { "quiet" };
        text.extend([format!(
            "{when},{shop},{sale},{degrees},,{visitors},{mood}\n"
        )]);
    }
    text
}

fn shops() -> Set {
    Set::new(Format::Csv, text(40, 41), text(8, 42) + ODD)
}

/// Busy or quiet.
pub(crate) fn moods() -> Set {
    shops().target("mood").without(&["visitors"])
}

/// How many people come.
pub(crate) fn visitors() -> Set {
    shops().target("visitors").without(&["mood"])
}
