//! A kernel matrix in the place of rows: k(x, z) = 1 + min(x, z) of points on a line.

use mercer_io::Format;

use crate::case::Set;
use crate::stream::{Stream, hundredths};

/// Rows to learn from.
const ROWS: usize = 16;

fn places(count: usize, seed: u64) -> Vec<f64> {
    let mut stream = Stream(seed);
    (0..count).map(|_| stream.rounded(0.1, 5.0)).collect()
}

/// One column for each row that was learnt from, whichever rows are written.
fn text(rows: &[f64]) -> String {
    let columns = places(ROWS, 101);
    let names: Vec<String> = (1..=ROWS).map(|k| format!("k{k}")).collect();
    let mut text = format!("{},part\n", names.join(","));
    for x in rows {
        let value = |z: &f64| hundredths(1.0 + x.min(*z)).to_string();
        let values: Vec<String> = columns.iter().map(value).collect();
        let part = if (1.5..3.5).contains(x) { "in" } else { "out" };
        text.extend([format!("{},{part}\n", values.join(","))]);
    }
    text
}

/// Inside and outside an interval.
pub(crate) fn parts() -> Set {
    let (train, asked) = (text(&places(ROWS, 101)), text(&places(9, 102)));
    Set::new(Format::Csv, train, asked).target("part")
}
