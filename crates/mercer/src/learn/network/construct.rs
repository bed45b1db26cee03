//! Constructed networks as models: nothing is learnt, and what they compute is known.
//!
//! [`of_truth_table`] takes the rows of a table as lines of a Boolean function, [`of_function`] as points of a
//! continuous one, and [`constructed`] makes a model of the network.

use super::{staircase, truth_table};
use crate::data::{ClassTargets, Encoder, Records, Task};
use crate::fit::{FitContext, FitReport, NetworkReport, Note, SolverReport};
use crate::model::readout::{ClassReadout, Readout, Scheme, Sigmoid};
use crate::model::{Layers, Trained};
use crate::{Error, Result};

/// Most steps of a staircase; measuring them takes the square of their number.
const MOST_STEPS: usize = 4096;
/// Slope of the sigmoids times the width of a step: they are flat again after a twentieth of it.
const STEEPNESS: f64 = 100.0;
/// What of a tolerance steps may use up; the rest is for the width of the sigmoids.
const OF_STEPS: f64 = 0.98;
/// Slope of the probabilities of a network of thresholds: a net input of ±½ is certain.
const CERTAIN: f64 = 2000.0;

/// Returns the network of thresholds for a truth table whose lines are rows of bits with one of two classes; the
/// second class is what is true.
///
/// Lines may stand in any order, and more than once.
///
/// # Errors
/// Numbers other than 0 and 1, other than two classes, lines that contradict each other or are missing, more than 20
/// columns.
pub fn of_truth_table(rows: &Records, classes: &ClassTargets) -> Result<Layers> {
    let points = rows.features.points.widened();
    let bits = points.columns();
    let [_, _] = classes.labels.as_slice() else {
        return Err(Error::rows(
            format!(
                "a truth table has two classes, not {}",
                classes.labels.len()
            ),
            "give a target with two values",
        ));
    };
    if bits == 0 || bits > truth_table::MOST_BITS {
        // Refused by its own rule, before a table is laid out.
        return truth_table(bits, &[]);
    }
    let mut lines: Vec<Option<(usize, bool)>> = vec![None; 1 << bits];
    for (row, code) in classes.codes.iter().enumerate() {
        let mut line = 0;
        for (column, value) in points.row_values(row).iter().enumerate() {
            let is_set = match *value {
                1.0 => 1,
                0.0 => 0,
                other => {
                    return Err(Error::Cell {
                        place: format!("row {}", row + 1),
                        column: rows.features.name(column),
                        problem: format!("{other} is no bit"),
                        cure: "write 0 or 1, or booleans".into(),
                    });
                }
            };
            line = 2 * line + is_set;
        }
        let value = *code == 1;
        match lines[line] {
            Some((first, other)) if other != value => {
                return Err(Error::rows(
                    format!(
                        "rows {} and {} have the same bits and different classes",
                        first + 1,
                        row + 1
                    ),
                    "leave one of them out",
                ));
            }
            Some(_) => {}
            None => lines[line] = Some((row, value)),
        }
    }
    if let Some(first) = lines.iter().position(Option::is_none) {
        let missing = lines.iter().filter(|line| line.is_none()).count();
        return Err(Error::rows(
            format!(
                "the truth table lacks {missing} of its {} lines, such as {first:0bits$b}",
                lines.len()
            ),
            "give a row for every combination of bits",
        ));
    }
    let values: Vec<bool> = lines.iter().flatten().map(|(_, value)| *value).collect();
    Ok(Layers {
        features: rows.features.groups.clone(),
        readout: Readout::Classes(ClassReadout {
            labels: classes.labels.clone(),
            scheme: Scheme::one_or_rest(2),
            sigmoids: Some(vec![Sigmoid {
                a: -CERTAIN,
                b: 0.0,
            }]),
            factors: None,
        }),
        ..truth_table(bits, &values)?
    })
}

/// How fine a staircase is to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fineness {
    /// That many steps.
    Steps(usize),
    /// So many that it stays that near.
    Within(f64),
}

/// A network that follows a function, with what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Approximation {
    /// The network.
    pub layers: Layers,
    /// Hidden gates: one for every step.
    pub steps: usize,
    /// Slope of the sigmoids.
    pub slope: f64,
    /// The largest distance from the function, as measured at its points and around every step.
    pub deviation: f64,
}

/// Returns the staircase of sigmoids for the function whose graph joins some points by straight lines.
///
/// Within half a step h/2 of a knot the staircase has the knot's value, so that with steep sigmoids it is off by no
/// more than the function changes over h/2. That tells how many steps a tolerance takes; the deviation of the
/// network itself is measured afterwards.
///
/// # Errors
/// Fewer than two points, numbers that are not finite, two values at one place, a tolerance that takes more than
/// 4,096 steps, a slope that is not positive.
pub fn of_function(
    points: &[(f64, f64)],
    fineness: Fineness,
    slope: Option<f64>,
) -> Result<Approximation> {
    let points = sorted(points)?;
    let (low, high) = (points[0].0, points[points.len() - 1].0);
    let f = |x: f64| between(&points, x);
    let build = |steps: usize| -> Result<Approximation> {
        let slope = slope.unwrap_or(STEEPNESS * steps as f64 / (high - low));
        let layers = staircase(f, (low, high), steps, slope)?;
        let deviation = deviation(&layers, &points, steps, slope)?;
        Ok(Approximation {
            layers,
            steps,
            slope,
            deviation,
        })
    };
    let tolerance = match fineness {
        Fineness::Steps(steps) if steps > MOST_STEPS => {
            let rule = format!("at most {MOST_STEPS}");
            return Err(Error::setting("steps", steps, &rule));
        }
        Fineness::Steps(steps) => return build(steps),
        Fineness::Within(tolerance) if tolerance > 0.0 && tolerance.is_finite() => tolerance,
        Fineness::Within(tolerance) => {
            return Err(Error::setting(
                "tolerance",
                tolerance,
                "positive and finite",
            ));
        }
    };
    let mut steps = 1;
    while steps <= MOST_STEPS && change(&points, steps) > OF_STEPS * tolerance {
        steps *= 2;
    }
    // Between a number that was too small and one that is enough.
    let (mut few, mut enough) = (steps / 2, steps);
    while enough - few > 1 {
        let middle = usize::midpoint(few, enough);
        if change(&points, middle) > OF_STEPS * tolerance {
            few = middle;
        } else {
            enough = middle;
        }
    }
    let mut steps = enough;
    while steps <= MOST_STEPS {
        let found = build(steps)?;
        if found.deviation <= tolerance {
            return Ok(found);
        }
        steps += steps / 8 + 1;
    }
    Err(Error::rows(
        format!("a tolerance of {tolerance} takes more than {MOST_STEPS} steps"),
        "allow a larger tolerance, or name a number of steps",
    ))
}

/// Points by their place, each place once.
fn sorted(points: &[(f64, f64)]) -> Result<Vec<(f64, f64)>> {
    let mut points = points.to_vec();
    if points
        .iter()
        .any(|(x, y)| !(x.is_finite() && y.is_finite()))
    {
        return Err(Error::rows(
            "a point of the function is not finite",
            "give finite numbers",
        ));
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.dedup();
    if let Some(pair) = points.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
        return Err(Error::rows(
            format!("there are two values at {}", pair[0].0),
            "a function has one value at every place",
        ));
    }
    if points.len() < 2 {
        return Err(Error::rows(
            "one point is no function on an interval",
            "give at least two points",
        ));
    }
    Ok(points)
}

/// The value on the line between two points.
fn between(points: &[(f64, f64)], x: f64) -> f64 {
    let next = points.partition_point(|(place, _)| *place <= x);
    if next == 0 {
        return points[0].1;
    }
    let (x0, y0) = points[next - 1];
    match points.get(next) {
        Some((x1, y1)) => y0 + (y1 - y0) * ((x - x0) / (x1 - x0)),
        None => y0,
    }
}

/// How far the function gets from its value at a knot within half a step: its extremes there are at the ends or at
/// points.
fn change(points: &[(f64, f64)], steps: usize) -> f64 {
    let (low, high) = (points[0].0, points[points.len() - 1].0);
    let width = (high - low) / steps as f64;
    let mut most = 0.0_f64;
    for j in 0..=steps {
        let knot = low + j as f64 * width;
        let ends = [
            (knot - width / 2.0).max(low),
            (knot + width / 2.0).min(high),
        ];
        let value = between(points, knot);
        let first = points.partition_point(|(x, _)| *x < ends[0]);
        let inside = points[first..].iter().take_while(|(x, _)| *x <= ends[1]);
        let values = ends.iter().map(|x| between(points, *x));
        let values = values.chain(inside.map(|(_, y)| *y));
        most = values.fold(most, |most, y| most.max((y - value).abs()));
    }
    most
}

/// The largest distance of network and function, at the points and about every step.
fn deviation(layers: &Layers, points: &[(f64, f64)], steps: usize, slope: f64) -> Result<f64> {
    /// Places on either side of a step, in units of the sigmoid's width.
    const ABOUT: [f64; 7] = [-10.0, -4.0, -1.5, 0.0, 1.5, 4.0, 10.0];
    let (low, high) = (points[0].0, points[points.len() - 1].0);
    let width = (high - low) / steps as f64;
    let mut places: Vec<f64> = points.iter().map(|(x, _)| *x).collect();
    for j in 1..=steps {
        let step = low + (j as f64 - 0.5) * width;
        places.extend(ABOUT.iter().map(|k| step + k / slope));
        places.extend([step - width / 4.0, step + width / 4.0]);
    }
    places.retain(|x| (low..=high).contains(x));
    let rows = mercer_linalg::Matrix::from_vec(places.len(), 1, places.clone());
    let outputs = layers.outputs(rows.as_ref())?;
    let pairs = places.iter().zip(outputs.as_slice());
    Ok(pairs.fold(0.0, |most, (x, y)| {
        (between(points, *x) - y).abs().max(most)
    }))
}

/// Makes a model of a constructed network: what encodes its inputs, and an account that claims no fit.
///
/// # Errors
/// A network of other inputs than the encoder gives.
pub fn constructed(
    mut layers: Layers,
    encoder: Encoder,
    rows: usize,
    notes: Vec<Note>,
) -> Result<Trained> {
    layers.features = encoder.groups();
    let task = match layers.readout {
        Readout::Classes(_) => Task::Classify,
        _ => Task::Regress,
    };
    let inputs = layers.layers[0].weights.rows();
    let sizes = layers.layers.iter().map(|layer| layer.biases.len());
    let weights = layers.layers.iter().flat_map(|l| l.weights.as_slice());
    let network = NetworkReport {
        layers: std::iter::once(inputs).chain(sizes).collect(),
        parameters: layers.parameters(),
        nonzero_weights: weights.filter(|w| **w != 0.0).count(),
        gates: layers.gates(),
        ..NetworkReport::default()
    };
    let report = FitReport {
        solver: Some(SolverReport::of_objective(0.0, 0)),
        network: Some(network),
        ..FitReport::of_rows(rows, notes, &FitContext::default())
    };
    let form: crate::model::Form = layers.into();
    form.check()?;
    Ok(Trained::new(task, "mlp", encoder, form, report))
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Matrix;

    use super::*;

    fn classes(codes: &[u32]) -> ClassTargets {
        ClassTargets {
            codes: codes.to_vec(),
            labels: vec!["no".to_owned(), "yes".to_owned()],
        }
    }

    fn bits(rows: usize, columns: usize, values: &[u8]) -> Records {
        let values = values.iter().map(|v| f64::from(*v)).collect();
        Records::from_points(Matrix::from_vec(rows, columns, values))
    }

    #[test]
    fn lines_in_any_order_make_the_same_network() {
        let rows = bits(5, 2, &[1, 1, 0, 1, 0, 0, 1, 0, 0, 1]);
        let found = of_truth_table(&rows, &classes(&[0, 1, 0, 1, 1])).unwrap();
        let plain = truth_table(2, &[false, true, true, false]).unwrap();
        assert_eq!(found.layers, plain.layers);
        let encoder = Encoder::identity(2, crate::data::Storage::Dense);
        let model = constructed(found, encoder, 5, Vec::new()).unwrap();
        let answers = model
            .predict_records(&rows, &FitContext::default())
            .unwrap()
            .answers;
        let crate::model::Answers::Classes {
            codes,
            probabilities: Some(p),
            ..
        } = answers
        else {
            panic!("classes");
        };
        assert_eq!(codes, [0, 1, 0, 1, 1]);
        assert_eq!(p[0], [1.0, 0.0]);
        assert_eq!(p[1], [0.0, 1.0]);
    }

    #[test]
    fn tables_that_are_none_are_refused() {
        let message = |rows: &Records, codes: &[u32]| {
            of_truth_table(rows, &classes(codes))
                .unwrap_err()
                .to_string()
        };
        let three = message(&bits(3, 2, &[0, 0, 0, 1, 1, 0]), &[0, 1, 0]);
        assert!(
            three.contains("lacks 1 of its 4 lines, such as 11"),
            "{three}"
        );
        let twice = message(&bits(3, 1, &[0, 1, 0]), &[0, 1, 1]);
        assert!(twice.contains("rows 1 and 3"), "{twice}");
        let two = message(&bits(2, 1, &[0, 2]), &[0, 1]);
        assert!(two.contains("2 is no bit"), "{two}");
        assert!(of_truth_table(&bits(1, 21, &[0; 21]), &classes(&[0])).is_err());
    }

    #[test]
    fn a_tolerance_is_kept_with_few_steps() {
        let points: Vec<(f64, f64)> = (0..=60)
            .map(|i| (f64::from(i) / 10.0, (f64::from(i) / 10.0).sin()))
            .collect();
        for tolerance in [0.5, 0.1, 0.01] {
            let found = of_function(&points, Fineness::Within(tolerance), None).unwrap();
            assert!(found.deviation <= tolerance, "{found:?}");
            // The sine changes by h/2 at most over half a step: 3/tolerance steps are enough.
            let enough = 3.0 / tolerance;
            assert!((found.steps as f64) < 1.1 * enough + 2.0, "{}", found.steps);
            // Half as many are not.
            let half = of_function(&points, Fineness::Steps(found.steps / 2 + 1), None).unwrap();
            assert!(half.deviation > tolerance || found.steps < 4, "{tolerance}");
        }
        let fine = of_function(&points, Fineness::Within(1e-6), None).unwrap_err();
        assert!(fine.to_string().contains("4096 steps"), "{fine}");
        assert!(of_function(&points[..1], Fineness::Steps(3), None).is_err());
        let twice = [(0.0, 1.0), (1.0, 0.0), (0.0, 2.0)];
        assert!(of_function(&twice, Fineness::Steps(3), None).is_err());
        assert!(of_function(&points, Fineness::Steps(0), None).is_err());
        assert!(of_function(&points, Fineness::Within(0.0), None).is_err());
    }
}
