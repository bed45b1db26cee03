//! Flowers with numbers, gaps, categories and truth values.

use mercer_io::Format;

use crate::case::Set;
use crate::stream::Stream;

/// Rows that training does not prepare for: an unseen colour, gaps where there were none, a size
/// far from all others.
const ODD: &str = "5.5,,violet,,iris,9\n,0.5,,true,rose,1\n40,0.2,red,false,rose,99\n";

pub(crate) fn text(rows: usize, seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = "size,weight,colour,wild,kind,price\n".to_owned();
    for row in 0..rows {
        let size = stream.rounded(1.0, 9.0);
        let weight = if row % 7 == 3 {
            String::new()
        } else {
            stream.rounded(0.1, 0.9).to_string()
        };
        let colour = stream.pick(&["red", "green", "dark blue"]);
        let wild = stream.pick(&["true", "false"]);
        let kind = match (size, colour) {
            (..4.0, _) => "lily",
            (_, "red") => "rose",
            _ => "iris",
        };
        let price = (size * size / 3.0 + stream.rounded(0.0, 1.0)).round() / 2.0;
        text.extend([format!("{size},{weight},{colour},{wild},{kind},{price}\n")]);
    }
    text
}

/// The rows of the first model files.
pub(crate) fn first() -> Set {
    Set::new(Format::Csv, text(40, 1), text(15, 2))
}

/// Three kinds of flowers.
pub(crate) fn kinds() -> Set {
    flowers().target("kind").without(&["price"])
}

/// Their prices.
pub(crate) fn prices() -> Set {
    flowers().target("price").without(&["kind"])
}

fn flowers() -> Set {
    Set::new(Format::Csv, text(36, 11), text(9, 12) + ODD)
}
