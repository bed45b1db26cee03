//! Class probabilities from pairwise ones.
//!
//! The fixed-point iteration of Wu, Lin and Weng (JMLR 5, 2004, second method) with the
//! stopping rule of mercer's own predictions: rows that meet it keep their values while others
//! go on, so that both stop after the same sweep.

use super::decisions::pairs;
use super::family::affine;
use super::graph::{Builder, Wire};
use super::message::{Element, Entries, Setting};

/// Pairs are kept this far away from certainty, as in mercer's own predictions.
const CERTAIN: f64 = 1e-7;

/// Couples the probabilities of the pairs, \[N, pairs\], to those of the classes, \[N, classes\].
pub(super) fn couple(graph: &mut Builder, pairwise: &Wire, classes: usize) -> Wire {
    let k = classes;
    let (low, high) = (graph.number(CERTAIN), graph.number(1.0 - CERTAIN));
    let first = graph.step("Clip", [pairwise, &low, &high]);
    let minus = affine(graph, &first, -1.0, 1.0);
    let (zero, column) = (graph.number(0.0), graph.integers(vec![0]));
    let nothing = graph.gather(&first, &column, 1);
    let nothing = graph.step("Mul", [&nothing, &zero]);
    let all = graph.beside(&[first, minus, nothing]);
    // r[a][b] is the probability of a when it is a or b, and 0 on the diagonal.
    let count = k * (k - 1) / 2;
    let mut places = vec![2 * count as i64; k * k];
    for (d, (a, b)) in pairs(k).enumerate() {
        places[a * k + b] = d as i64;
        places[b * k + a] = (count + d) as i64;
    }
    let places = graph.integers(places);
    let flat = graph.gather(&all, &places, 1);
    let shape = graph.integers(vec![0, k as i64, k as i64]);
    let r = graph.step("Reshape", [&flat, &shape]);
    let turned = graph.step_with(
        "Transpose",
        &[&r],
        vec![("perm", Setting::Ints(vec![0, 2, 1]))],
    );
    // q[a][a] = Σ r[b][a]², q[a][b] = −r[b][a]·r[a][b].
    let own = graph.reduce("ReduceSumSquare", &turned, 2, false);
    let diagonal: Vec<f64> = (0..k * k)
        .map(|at| f64::from(u8::from(at / k == at % k)))
        .collect();
    let diagonal = graph.constant(&[1, k, k], Entries::Double(diagonal));
    let spread = graph.unsqueeze(&own, 2);
    let spread = graph.step("Mul", [&spread, &diagonal]);
    let product = graph.step("Mul", [&turned, &r]);
    let q = graph.step("Sub", [&spread, &product]);
    let classes = (0..k)
        .map(|a| {
            let one = graph.integers(vec![a as i64]);
            let at = graph.integer(a as i64);
            Class {
                own: graph.gather(&own, &one, 1),
                row: graph.gather(&q, &at, 1),
                unit: graph.row((0..k).map(|b| f64::from(u8::from(a == b))).collect()),
                place: one,
            }
        })
        .collect::<Vec<_>>();
    let start = affine(graph, &own, 0.0, 1.0 / k as f64);
    // The reference's stopping rule: 100 sweeps or all conditions within 0.005/k.
    graph.repeat(k.max(100) as i64, &start, Element::Double, |graph, p| {
        sweep(graph, &q, &classes, p)
    })
}

/// What a sweep needs of one class.
struct Class {
    /// q\[a\]\[a\], \[N, 1\].
    own: Wire,
    /// q\[a\], \[N, classes\].
    row: Wire,
    /// 1 for this class and 0 for the others.
    unit: Wire,
    /// The number of the class, as a list.
    place: Wire,
}

/// Returns whether rows go on, and the probabilities after one sweep of those that do.
fn sweep(graph: &mut Builder, q: &Wire, classes: &[Class], p: &Wire) -> (Wire, Wire) {
    let upright = graph.unsqueeze(p, 2);
    let product = graph.step("MatMul", [q, &upright]);
    let mut qp = graph.squeeze(&product, 2);
    let both = graph.step("Mul", [p, &qp]);
    let mut pqp = graph.sum(&both, 1, true);
    let gap = graph.step("Sub", [&qp, &pqp]);
    let gap = graph.step("Abs", [&gap]);
    let worst = graph.reduce("ReduceMax", &gap, 1, true);
    let tolerance = graph.number(0.005 / classes.len() as f64);
    let active = graph.step("GreaterOrEqual", [&worst, &tolerance]);
    let mut next = p.clone();
    for class in classes {
        let here = graph.gather(&qp, &class.place, 1);
        let step = graph.step("Sub", [&pqp, &here]);
        let step = graph.step("Div", [&step, &class.own]);
        let norm = affine(graph, &step, 1.0, 1.0);
        let square = graph.step("Mul", [&norm, &norm]);
        // pᵀQp after the step: (pᵀQp + s·(s·q + 2·(Qp)_a))/(1 + s)².
        let change = graph.step("Mul", [&step, &class.own]);
        let twice = affine(graph, &here, 2.0, 0.0);
        let change = graph.step("Add", [&change, &twice]);
        let change = graph.step("Mul", [&step, &change]);
        pqp = graph.step("Add", [&pqp, &change]);
        pqp = graph.step("Div", [&pqp, &square]);
        let moved = graph.step("Mul", [&step, &class.row]);
        qp = graph.step("Add", [&qp, &moved]);
        qp = graph.step("Div", [&qp, &norm]);
        let moved = graph.step("Mul", [&step, &class.unit]);
        next = graph.step("Add", [&next, &moved]);
        next = graph.step("Div", [&next, &norm]);
    }
    let next = graph.step("Where", [&active, &next, p]);
    let count = graph.indicator(&active);
    let count = graph.sum(&count, 1, false);
    let count = graph.sum(&count, 0, false);
    let zero = graph.number(0.0);
    (graph.step("Greater", [&count, &zero]), next)
}
