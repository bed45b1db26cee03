//! Rows that are kept, the nearest of which vote.

use mercer::model::{
    ABSTAINED, DistanceMetric, Frame, NeighbourDistance, NeighbourModel, NeighbourRule,
    NeighbourTargets, Votes,
};
use mercer_linalg::Matrix;

use super::columns::Encoded;
use super::graph::{Builder, Wire};
use super::kernel;
use super::log_odds::log_odds;
use super::message::{Entries, Setting};
use super::near::{Sum, column, gaps, squares};
use super::product::product;
use super::refusal::refuse;
use super::sides::{Side, Sides, refuse_large};
use crate::Result;

/// A category that is missing equals nothing: no new row has this code.
const NO_CODE: i64 = i64::MIN;

/// Returns the decisions of neighbours, \[N, decisions\].
pub(super) fn decide(
    graph: &mut Builder,
    encoded: Encoded,
    model: &NeighbourModel,
) -> Result<Wire> {
    if model.rule == NeighbourRule::Equal {
        return Err(refuse(
            &format!("rows that are looked up as they are, and `{ABSTAINED}`"),
            "let the nearest row vote instead of an equal one",
        ));
    }
    refuse_large(&model.rows.features.points, "rows")?;
    let Found {
        distances,
        places,
        refused,
    } = match &model.distance {
        NeighbourDistance::Columns(frame) => by_columns(graph, &encoded, frame, model)?,
        NeighbourDistance::Kernel(kernel) => {
            let sides = Sides::new(encoded, &model.rows)?;
            let view = sides.whole();
            let value = kernel::values(graph, &sides, kernel.spec(), &view)?;
            let own = kernel::diagonal(graph, &sides, kernel.spec(), &view, Side::New)?;
            let others = kernel::diagonal(graph, &sides, kernel.spec(), &view, Side::Support)?;
            let flat = graph.integers(vec![1, -1]);
            let others = graph.step("Reshape", [&others, &flat]);
            // k(x,x) − 2k(x,z) + k(z,z).
            let left = graph.step("Sub", [&own, &value]);
            let right = graph.step("Sub", [&others, &value]);
            let squares = graph.step("Add", [&left, &right]);
            let zero = graph.number(0.0);
            let squares = graph.step("Max", [&squares, &zero]);
            nearest(graph, &squares, DistanceMetric::Euclidean, model)
        }
    };
    let mut weights = weights(graph, &distances, model.votes);
    if let Some(copies) = &model.weights {
        let counts = counts(graph, &places, copies, model.neighbours);
        weights = Some(match weights {
            Some(weights) => graph.step("Mul", [&weights, &counts]),
            None => counts,
        });
    }
    let decisions = vote(graph, &places, weights.as_ref(), model);
    Ok(match refused {
        Some(refused) => {
            let nothing = graph.number(f64::NAN);
            graph.step("Where", [&refused, &nothing, &decisions])
        }
        None => decisions,
    })
}

/// The neighbours of new rows.
struct Found {
    /// How far away they are, \[N, k\].
    distances: Wire,
    /// Which rows they are, \[N, k\].
    places: Wire,
    /// Whether a row has gaps that the model refuses, \[N, 1\], where it does.
    refused: Option<Wire>,
}

/// Finds the rows of the least sums, of equal ones the first.
fn nearest(
    graph: &mut Builder,
    sums: &Wire,
    metric: DistanceMetric,
    model: &NeighbourModel,
) -> Found {
    let count = model.rows_asked().min(model.rows.len());
    let count = graph.integers(vec![count as i64]);
    let settings = vec![
        ("axis", Setting::Int(1)),
        ("largest", Setting::Int(0)),
        ("sorted", Setting::Int(1)),
    ];
    let found = graph.node("", "TopK", &[sums, &count], settings, 2);
    let distances = match metric {
        DistanceMetric::Euclidean => graph.step("Sqrt", [&found[0]]),
        DistanceMetric::Minkowski(p) => {
            let root = graph.number(1.0 / p);
            graph.step("Pow", [&found[0], &root])
        }
        DistanceMetric::Manhattan | DistanceMetric::Chebyshev | DistanceMetric::Cosine => {
            found[0].clone()
        }
    };
    Found {
        distances,
        places: found[1].clone(),
        refused: None,
    }
}

/// Compares rows column by column, as the frame scales and weighs them.
fn by_columns(
    graph: &mut Builder,
    encoded: &Encoded,
    frame: &Frame,
    model: &NeighbourModel,
) -> Result<Found> {
    let kept = frame.points(&model.rows.features.points)?;
    let needs_all = frame.whitening.is_some() || frame.metric == DistanceMetric::Cosine;
    let mut refused = None;
    let mut rows = None;
    if let Some(features) = &encoded.features {
        if needs_all || !encoded.keeps {
            let sum = graph.sum(features, 1, true);
            refused = Some(graph.step("IsNaN", [&sum]));
        }
        rows = Some(coordinates(graph, features, frame));
    }
    let sums = match (&rows, frame.metric) {
        (Some(rows), DistanceMetric::Cosine) => angles(graph, rows, &kept),
        (Some(rows), DistanceMetric::Euclidean) if !encoded.keeps && frame.codes.is_empty() => {
            squares(graph, rows, &kept)
        }
        _ => {
            let mut sum = Sum::new(frame.metric);
            if let Some(rows) = &rows {
                numbers(graph, &mut sum, rows, &kept, frame, encoded.keeps);
            }
            categories(graph, &mut sum, encoded, frame, model)?;
            sum.finish(graph, &encoded.rows, model.rows.len())
        }
    };
    Ok(Found {
        refused,
        ..nearest(graph, &sums, frame.metric, model)
    })
}

/// Features as points: (x − shift)·scale·w^(1/p), whitened where the frame is.
fn coordinates(graph: &mut Builder, features: &Wire, frame: &Frame) -> Wire {
    let roots: Vec<f64> = frame.weights.iter().map(|w| frame.root(*w)).collect();
    let mut rows = features.clone();
    for (operator, numbers, nothing) in [
        ("Sub", frame.shift.clone(), 0.0),
        ("Mul", frame.scale.clone(), 1.0),
        ("Mul", roots, 1.0),
    ] {
        if numbers.iter().any(|n| *n != nothing) {
            let numbers = graph.row(numbers);
            rows = graph.step(operator, [&rows, &numbers]);
        }
    }
    match &frame.whitening {
        Some(whitening) => product(graph, &rows, whitening),
        None => rows,
    }
}

/// 1 − cos of the angle between rows; the points of the model have length 1 or 0.
fn angles(graph: &mut Builder, rows: &Wire, kept: &Matrix<f64>) -> Wire {
    let sizes = graph.step("Abs", [rows]);
    let largest = graph.reduce("ReduceMax", &sizes, 1, true);
    let (zero, one, two) = (graph.number(0.0), graph.number(1.0), graph.number(2.0));
    let some = graph.step("Greater", [&largest, &zero]);
    let unit = graph.step("Where", [&some, &largest, &one]);
    // A row of large numbers has a length, too.
    let rows = graph.step("Div", [rows, &unit]);
    let squares = graph.reduce("ReduceSumSquare", &rows, 1, true);
    let length = graph.step("Sqrt", [&squares]);
    let length = graph.step("Where", [&some, &length, &one]);
    let rows = graph.step("Div", [&rows, &length]);
    let dots = product(graph, &rows, &kept.transposed());
    let gap = graph.step("Sub", [&one, &dots]);
    let gap = graph.step("Max", [&gap, &zero]);
    graph.step("Min", [&gap, &two])
}

/// Adds the differences of numbers; one that is missing is as far away as training rows allow.
fn numbers(
    graph: &mut Builder,
    sum: &mut Sum,
    rows: &Wire,
    kept: &Matrix<f64>,
    frame: &Frame,
    keeps: bool,
) {
    let whitened = frame.whitening.is_some();
    for at in 0..kept.columns() {
        if !whitened && frame.root(frame.weights[at]) == 0.0 {
            continue;
        }
        let gaps = gaps(graph, rows, kept, at);
        let mut sizes = graph.step("Abs", [&gaps]);
        if !whitened {
            let (low, high) = frame.ends(at);
            let far = |x: f64| (x - low).max(high - x);
            let own = column(graph, rows, at);
            let others: Vec<f64> = (0..kept.rows()).map(|row| kept[(row, at)]).collect();
            if others.iter().any(|z| z.is_nan()) {
                let (low, high) = (graph.number(low), graph.number(high));
                let below = graph.step("Sub", [&own, &low]);
                let above = graph.step("Sub", [&high, &own]);
                let most = graph.step("Max", [&below, &above]);
                let gone = others.iter().map(|z| z.is_nan()).collect();
                let gone = graph.constant(&[1, others.len()], Entries::Bool(gone));
                sizes = graph.step("Where", [&gone, &most, &sizes]);
            }
            if keeps {
                let instead = |z: &f64| if z.is_nan() { high - low } else { far(*z) };
                let instead = graph.row(others.iter().map(instead).collect());
                let gone = graph.step("IsNaN", [&own]);
                sizes = graph.step("Where", [&gone, &instead, &sizes]);
            }
        }
        sum.add(graph, &sizes);
    }
}

/// Adds what categories that differ count.
fn categories(
    graph: &mut Builder,
    sum: &mut Sum,
    encoded: &Encoded,
    frame: &Frame,
    model: &NeighbourModel,
) -> Result<()> {
    for (source, weight) in frame.codes.iter().zip(&frame.code_weights) {
        let lacks = || {
            let text = format!("the distance reads column `{source}`, which is not there");
            crate::Error::from(mercer::Error::model(text))
        };
        let own = encoded.codes.iter().find(|(name, _)| name == source);
        let own = &own.ok_or_else(lacks)?.1;
        let others = model.rows.codes.iter().find(|c| c.source == *source);
        let code = |code: &u32| {
            if *code == mercer::data::MISSING_CODE {
                NO_CODE
            } else {
                i64::from(*code)
            }
        };
        let others: Vec<i64> = others.ok_or_else(lacks)?.codes.iter().map(code).collect();
        let others = graph.constant(&[1, others.len()], Entries::Int64(others));
        let same = graph.step("Equal", [own, &others]);
        let (nothing, size) = (graph.number(0.0), graph.number(frame.root(*weight)));
        let sizes = graph.step("Where", [&same, &nothing, &size]);
        sum.add(graph, &sizes);
    }
    Ok(())
}

/// How many copies of rows are asked, the nearest first, \[N, k\].
fn counts(graph: &mut Builder, places: &Wire, copies: &[f64], asked: usize) -> Wire {
    let copies = graph.constant(&[copies.len()], Entries::Double(copies.to_vec()));
    let own = graph.gather(&copies, places, 0);
    let axis = graph.integer(1);
    let upto = graph.step("CumSum", [&own, &axis]);
    let before = graph.step("Sub", [&upto, &own]);
    let (asked, zero) = (graph.number(asked as f64), graph.number(0.0));
    let left = graph.step("Sub", [&asked, &before]);
    let counts = graph.step("Min", [&own, &left]);
    graph.step("Max", [&counts, &zero])
}

/// Weights of votes at some distances, \[N, k\]; `None` where all are alike.
fn weights(graph: &mut Builder, distances: &Wire, votes: Votes) -> Option<Wire> {
    if votes == Votes::Uniform {
        return None;
    }
    let (zero, one) = (graph.number(0.0), graph.number(1.0));
    let inverse = graph.step("Div", [&one, distances]);
    // Rows at distance 0 vote alone.
    let at_zero = graph.step("IsInf", [&inverse]);
    let at_zero = graph.indicator(&at_zero);
    let any = graph.reduce("ReduceMax", &at_zero, 1, true);
    let any = graph.step("Greater", [&any, &zero]);
    let weights = graph.step("Where", [&any, &at_zero, &inverse]);
    // All at an infinite distance vote alike.
    let whole = graph.sum(&weights, 1, true);
    let none = graph.step("Equal", [&whole, &zero]);
    Some(graph.step("Where", [&none, &one, &weights]))
}

/// Returns the log-odds of the classes' shares of the votes, or means, \[N, decisions\].
fn vote(
    graph: &mut Builder,
    places: &Wire,
    weights: Option<&Wire>,
    model: &NeighbourModel,
) -> Wire {
    match &model.targets {
        NeighbourTargets::Classes(codes) => {
            let classes = model.readout.labels().map_or(0, <[String]>::len);
            let codes = graph.integers(codes.iter().map(|c| i64::from(*c)).collect());
            let own = graph.gather(&codes, places, 0);
            let own = graph.unsqueeze(&own, 2);
            let all = graph.integers((0..classes as i64).collect());
            let votes = graph.step("Equal", [&own, &all]);
            let mut votes = graph.indicator(&votes);
            if let Some(weights) = weights {
                let weights = graph.unsqueeze(weights, 2);
                votes = graph.step("Mul", [&votes, &weights]);
            }
            let shares = graph.sum(&votes, 1, false);
            // The sum of shares, not of weights: a class that has them all has exactly 1.
            let whole = graph.sum(&shares, 1, true);
            let mut shares = graph.step("Div", [&shares, &whole]);
            if classes == 2 {
                shares = column(graph, &shares, 0);
            }
            log_odds(graph, &shares)
        }
        NeighbourTargets::Values(values) => {
            let whole = weights.map(|weights| graph.sum(weights, 1, true));
            let lines: Vec<Wire> = (0..values.rows())
                .map(|line| {
                    let line = values.row(line).to_vec();
                    let line = graph.constant(&[line.len()], Entries::Double(line));
                    let asked = graph.gather(&line, places, 0);
                    match (weights, &whole) {
                        (Some(weights), Some(whole)) => {
                            let terms = graph.step("Mul", [&asked, weights]);
                            let sum = graph.sum(&terms, 1, true);
                            graph.step("Div", [&sum, whole])
                        }
                        _ => graph.reduce("ReduceMean", &asked, 1, true),
                    }
                })
                .collect();
            graph.beside(&lines)
        }
    }
}
