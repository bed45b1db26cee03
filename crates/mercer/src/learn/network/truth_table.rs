//! A network of thresholds for any Boolean function.

use mercer_linalg::Matrix;

use crate::data::Records;
use crate::model::readout::Readout;
use crate::model::{Activation, Layer, Layers};
use crate::{Error, Result};

/// Most bits: a million lines of a table.
pub(super) const MOST_BITS: usize = 20;

/// Returns the network of thresholds that computes a truth table.
///
/// Line i of the table is the value at the bits of i, the first bit being the highest. There is one
/// hidden gate for every line that is true: with weight 1 for bits that are set, −1 for others
/// and ½ − (bits set) as constant it is on for this line alone. The output is on where any
/// hidden gate is. A table that is nowhere true needs no hidden gate.
///
/// So one hidden layer of at most 2ⁿ gates computes every function of n bits; parity needs
/// half of them in this form.
///
/// # Errors
/// No bits or more than 20, a table that has not 2ⁿ lines.
///
/// # Examples
/// ```
/// use mercer::learn::network::truth_table;
/// use mercer_linalg::Matrix;
///
/// let either = truth_table(2, &[false, true, true, false])?;
/// let x = Matrix::from_vec(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
/// assert_eq!(either.outputs(x.as_ref())?.as_slice(), [0.0, 1.0, 1.0, 0.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn truth_table(bits: usize, values: &[bool]) -> Result<Layers> {
    if bits == 0 || bits > MOST_BITS {
        let rule = format!("between 1 and {MOST_BITS}");
        return Err(Error::setting("bits", bits, &rule));
    }
    if values.len() != 1 << bits {
        return Err(Error::Length {
            what: "the truth table".to_owned(),
            found: values.len(),
            expected: 1 << bits,
            unit: "lines",
        });
    }
    let lines: Vec<usize> = (0..values.len()).filter(|&line| values[line]).collect();
    let is_set = |line: usize, bit: usize| (line >> (bits - 1 - bit)) & 1 == 1;
    let threshold = |weights: Matrix<f64>, biases: Vec<f64>| Layer {
        weights,
        biases,
        activation: Activation::Threshold,
    };
    let layers = if lines.is_empty() {
        vec![threshold(Matrix::zeros(bits, 1), vec![-0.5])]
    } else {
        let weights = Matrix::from_fn(bits, lines.len(), |bit, gate| {
            if is_set(lines[gate], bit) { 1.0 } else { -1.0 }
        });
        let biases = lines.iter().map(|line| 0.5 - f64::from(line.count_ones()));
        let any = Matrix::from_fn(lines.len(), 1, |_, _| 1.0);
        vec![
            threshold(weights, biases.collect()),
            threshold(any, vec![-0.5]),
        ]
    };
    Ok(Layers {
        layers,
        features: Records::from_points(Matrix::<f64>::zeros(0, bits))
            .features
            .groups,
        readout: Readout::Values,
    })
}
