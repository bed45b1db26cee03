//! Sparse vectors in LIBSVM's format.

use mercer_io::Format;

use crate::case::Set;
use crate::stream::Stream;

pub(crate) fn text(rows: usize, seed: u64) -> String {
    let mut stream = Stream(seed);
    let mut text = String::new();
    for _ in 0..rows {
        let mut line = String::new();
        let mut sum = 0.0;
        for index in 1..=12 {
            if stream.next() < 0.3 {
                let value = stream.rounded(-1.0, 1.0);
                sum += value * f64::from(index - 6);
                line.extend([format!(" {index}:{value}")]);
            }
        }
        let label = if sum > 0.5 {
            1
        } else if sum < -0.5 {
            -1
        } else {
            0
        };
        text.extend([format!("{label}{line}\n")]);
    }
    text
}

/// The rows of the first model files.
pub(crate) fn first() -> Set {
    Set::new(Format::Libsvm, text(40, 1), text(15, 2)).target("y")
}

/// Three classes; one row asked about has no value, one a feature that training has not.
pub(crate) fn labels() -> Set {
    let asked = text(9, 22) + "1\n0 2:0.5 12:-1 15:3\n";
    Set::new(Format::Libsvm, text(36, 21), asked).target("y")
}

/// The same vectors without labels.
pub(crate) fn vectors() -> Set {
    labels().unlabelled().without(&["y"])
}
