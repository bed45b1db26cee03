//! Labels, probabilities and values from decisions.

use mercer::model::readout::{ClassReadout, Readout, Scheme, Sigmoid};

use super::coupling::couple;
use super::decisions::pairs;
use super::graph::{Builder, Wire};
use super::message::{Element, Entries, Setting};

/// The decisions of a model, and what their operator says besides.
pub(super) struct Decided {
    /// \[N, decisions\].
    pub(super) decisions: Wire,
    /// The kind of their entries.
    pub(super) element: Element,
    /// Labels the operator has chosen by votes.
    pub(super) label: Option<Wire>,
}

/// Returns the names of a model's outputs.
pub(super) fn outputs(readout: &Readout) -> &'static [&'static str] {
    match readout {
        Readout::Classes(_) if readout.has_probabilities() => {
            &["label", "probabilities", "decision"]
        }
        Readout::Classes(_) | Readout::Novelty | Readout::Clusters => &["label", "decision"],
        Readout::Values | Readout::Coordinates => &["prediction"],
    }
}

/// The labels as files hold them: numbers where every one is a whole number as it prints.
pub(super) fn label_entries(labels: &[String]) -> Entries {
    let numbers: Option<Vec<i64>> = labels
        .iter()
        .map(|l| l.parse::<i64>().ok().filter(|n| n.to_string() == *l))
        .collect();
    match numbers {
        Some(numbers) => Entries::Int64(numbers),
        None => Entries::Text(labels.to_vec()),
    }
}

/// Adds the outputs of a model.
pub(super) fn answer(graph: &mut Builder, readout: &Readout, width: usize, decided: &Decided) {
    let Decided {
        decisions, element, ..
    } = decided;
    match readout {
        Readout::Values | Readout::Coordinates => {
            graph.output("prediction", decisions, *element, Some(width));
        }
        Readout::Clusters => {
            let settings = vec![("axis", Setting::Int(1)), ("keepdims", Setting::Int(0))];
            let nearest = graph.step_with("ArgMin", &[decisions], settings);
            graph.output("label", &nearest, Element::Int64, None);
            graph.output("decision", decisions, *element, Some(width));
        }
        Readout::Novelty => {
            let wide = in_double(graph, decided);
            let zero = graph.number(0.0);
            let new = graph.step("Less", [&wide, &zero]);
            let (familiar, unknown) = (graph.integer(1), graph.integer(-1));
            let label = graph.step("Where", [&new, &unknown, &familiar]);
            let label = graph.squeeze(&label, 1);
            graph.output("label", &label, Element::Int64, None);
            graph.output("decision", decisions, *element, Some(1));
        }
        Readout::Classes(classes) => {
            let ClassReadout {
                labels,
                scheme,
                sigmoids,
                factors,
            } = classes;
            let entries = label_entries(labels);
            let kind = match entries {
                Entries::Int64(_) => Element::Int64,
                _ => Element::Text,
            };
            let probabilities = if *scheme == Scheme::Softmax {
                let decisions = in_double(graph, decided);
                let settings = vec![("axis", Setting::Int(1))];
                Some(graph.step_with("Softmax", &[&decisions], settings))
            } else {
                sigmoids.as_ref().map(|sigmoids| {
                    let decisions = in_double(graph, decided);
                    probabilities(graph, &decisions, *scheme, sigmoids, labels.len())
                })
            };
            let label = match (&probabilities, &decided.label) {
                (None, Some(label)) => label.clone(),
                (probabilities, _) => {
                    let strengths = match scheme {
                        Scheme::OneVsOne if labels.len() == 2 && probabilities.is_some() => {
                            let first = in_double(graph, decided);
                            let second = graph.step("Neg", [&first]);
                            graph.beside(&[first, second])
                        }
                        Scheme::OneVsOne => votes(graph, decided, labels.len()),
                        Scheme::OneVsRest | Scheme::Softmax => in_double(graph, decided),
                    };
                    let scores = match probabilities {
                        // A label never contradicts the probabilities.
                        Some(all) => most_probable(graph, all, factors.as_deref(), &strengths),
                        None => strengths,
                    };
                    // The first of equal ones, as mercer does it.
                    let settings = vec![("axis", Setting::Int(1)), ("keepdims", Setting::Int(0))];
                    let best = graph.step_with("ArgMax", &[&scores], settings);
                    let labels = graph.constant(&[labels.len()], entries);
                    graph.gather(&labels, &best, 0)
                }
            };
            graph.output("label", &label, kind, None);
            if let Some(probabilities) = &probabilities {
                graph.output(
                    "probabilities",
                    probabilities,
                    Element::Double,
                    Some(labels.len()),
                );
            }
            graph.output("decision", decisions, *element, Some(width));
        }
    }
}

/// Scores whose largest one is the class of largest factor times probability; of classes that tie
/// the stronger one by decisions.
fn most_probable(
    graph: &mut Builder,
    probabilities: &Wire,
    factors: Option<&[f64]>,
    strengths: &Wire,
) -> Wire {
    let scores = match factors {
        Some(factors) => {
            let factors = graph.row(factors.to_vec());
            graph.step("Mul", [probabilities, &factors])
        }
        None => probabilities.clone(),
    };
    let best = graph.reduce("ReduceMax", &scores, 1, true);
    let tied = graph.step("GreaterOrEqual", [&scores, &best]);
    let nothing = graph.number(f64::MIN);
    graph.step("Where", [&tied, strengths, &nothing])
}

fn in_double(graph: &mut Builder, decided: &Decided) -> Wire {
    match decided.element {
        Element::Double => decided.decisions.clone(),
        _ => graph.cast(&decided.decisions, Element::Double),
    }
}

/// Counts the pairs each class wins, \[N, classes\].
fn votes(graph: &mut Builder, decided: &Decided, classes: usize) -> Wire {
    let decisions = in_double(graph, decided);
    let zero = graph.number(0.0);
    let first = graph.step("Greater", [&decisions, &zero]);
    let first = graph.indicator(&first);
    // A pair's vote is the second class's own, moved to the first where that one wins.
    let count = classes * (classes - 1) / 2;
    let mut moves = vec![0.0; count * classes];
    let mut seconds = vec![0.0; classes];
    for (d, (a, b)) in pairs(classes).enumerate() {
        moves[d * classes + a] = 1.0;
        moves[d * classes + b] = -1.0;
        seconds[b] += 1.0;
    }
    let moves = graph.constant(&[count, classes], Entries::Double(moves));
    let moved = graph.step("MatMul", [&first, &moves]);
    let seconds = graph.row(seconds);
    graph.step("Add", [&moved, &seconds])
}

fn probabilities(
    graph: &mut Builder,
    decisions: &Wire,
    scheme: Scheme,
    sigmoids: &[Sigmoid],
    classes: usize,
) -> Wire {
    let raw = platt(graph, decisions, sigmoids);
    match scheme {
        Scheme::OneVsOne if classes == 2 => {
            let one = graph.number(1.0);
            let other = graph.step("Sub", [&one, &raw]);
            graph.beside(&[raw, other])
        }
        Scheme::OneVsOne => couple(graph, &raw, classes),
        Scheme::OneVsRest | Scheme::Softmax => {
            let sum = graph.sum(&raw, 1, true);
            let (zero, one) = (graph.number(0.0), graph.number(1.0));
            let some = graph.step("Greater", [&sum, &zero]);
            let sum = graph.step("Where", [&some, &sum, &one]);
            let share = graph.step("Div", [&raw, &sum]);
            let alike = graph.number(1.0 / classes as f64);
            graph.step("Where", [&some, &share, &alike])
        }
    }
}

/// 1/(1 + exp(a·f + b)), without overflow and exact where it is tiny.
fn platt(graph: &mut Builder, decisions: &Wire, sigmoids: &[Sigmoid]) -> Wire {
    let a = graph.row(sigmoids.iter().map(|s| s.a).collect());
    let b = graph.row(sigmoids.iter().map(|s| s.b).collect());
    let x = graph.step("Mul", [decisions, &a]);
    let x = graph.step("Add", [&x, &b]);
    let size = graph.step("Abs", [&x]);
    let size = graph.step("Neg", [&size]);
    let small = graph.step("Exp", [&size]);
    let (zero, one) = (graph.number(0.0), graph.number(1.0));
    let unlikely = graph.step("GreaterOrEqual", [&x, &zero]);
    let above = graph.step("Where", [&unlikely, &small, &one]);
    let below = graph.step("Add", [&small, &one]);
    graph.step("Div", [&above, &below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_become_numbers() {
        let list = |labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|l| (*l).to_owned()).collect();
            label_entries(&labels)
        };
        assert_eq!(list(&["1", "-1"]), Entries::Int64(vec![1, -1]));
        for other in [["1", "2.5"], ["01", "2"], ["+1", "-1"], ["a", "1"]] {
            assert!(matches!(list(&other), Entries::Text(_)), "{other:?}");
        }
    }
}
