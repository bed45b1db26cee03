//! The result of a program, and whether that of another one is the same.

use serde::Serialize;
use serde_json::Value;

/// Objectives further apart than this share differ; the same share as in the report on peers.
const OBJECTIVE: f64 = 1e-4;

/// Scores further apart than this share differ. Results within the solver's tolerance move a
/// few rows in ten thousand across a boundary.
const SCORE: f64 = 1e-3;

/// Numbers of a fitted kernel further apart than this share differ. The evidence is flat at
/// its maximum: an error of e in its value is one of about √e in the place.
const KERNEL: f64 = 1e-2;

/// Predictions of one model further apart than this share differ; only rounding is left.
const PREDICTION: f64 = 1e-6;

/// A result in the parts that are compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Answer {
    /// Names: method, kernel, reason for stopping.
    pub(crate) words: Vec<(String, String)>,
    /// Objective and scores.
    pub(crate) numbers: Vec<(String, f64)>,
    /// Predicted rows; the record has enough with the rest.
    #[serde(skip)]
    pub(crate) rows: Vec<String>,
}

impl Answer {
    /// Reads the object that `--json` prints.
    pub(crate) fn from_object(text: &[u8]) -> Option<Self> {
        let object: Value = serde_json::from_slice(text).ok()?;
        let mut answer = Self::default();
        let words = [
            ("model", &object["model"]),
            ("kernel", &object["kernel"]),
            ("stop reason", &object["report"]["stop_reason"]),
        ];
        for (name, value) in words {
            if let Some(text) = value.as_str() {
                answer.words.push((name.to_owned(), text.to_owned()));
            }
        }
        let mut number = |name: &str, value: &Value| {
            if let Some(value) = value.as_f64() {
                answer.numbers.push((name.to_owned(), value));
            }
        };
        number("value", &object["value"]);
        number("objective", &object["report"]["objective"]);
        number("best score", &object["best"]["score"]);
        let settings = object["best"]["params"].as_object();
        for (name, value) in settings.into_iter().flatten() {
            number(name, value);
        }
        for metrics in [&object["metrics"], &object["scores"]["metrics"]] {
            for (name, metric) in metrics.as_object().into_iter().flatten() {
                number(name, &metric["value"]);
            }
        }
        Some(answer)
    }

    /// Reads a table of predictions.
    pub(crate) fn from_table(text: &str) -> Self {
        Self {
            rows: text.lines().map(str::to_owned).collect(),
            ..Self::default()
        }
    }

    /// Adds scores on rows that were not learnt from.
    pub(crate) fn held_out(&mut self, scores: Self) {
        let named = |(name, value)| (format!("held-out {name}"), value);
        self.numbers.extend(scores.numbers.into_iter().map(named));
    }

    /// The first difference, and how many more there are.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let mut found = Vec::new();
        compare(&self.words, &other.words, &mut found, |_, a, b| {
            same_text(a, b, KERNEL)
        });
        compare(&self.numbers, &other.numbers, &mut found, |name, a, b| {
            let share = if name == "objective" {
                OBJECTIVE
            } else {
                SCORE
            };
            close(*a, *b, share)
        });
        let rows = self.rows.len();
        let pairs = self.rows.iter().zip(&other.rows);
        let moved = pairs.filter(|(a, b)| !same_text(a, b, PREDICTION)).count();
        if rows != other.rows.len() {
            found.push(format!("rows {rows} → {}", other.rows.len()));
        } else if moved > 0 {
            found.push(format!("{moved} of {rows} rows"));
        }
        let first = found.first()?;
        Some(match found.len() {
            1 => first.clone(),
            more => format!("{first}, and {} more", more - 1),
        })
    }
}

/// Notes what is not the same under the same name, and names that only one list has.
fn compare<T: std::fmt::Display>(
    old: &[(String, T)],
    new: &[(String, T)],
    found: &mut Vec<String>,
    same: impl Fn(&str, &T, &T) -> bool,
) {
    for (name, value) in old {
        match new.iter().find(|(other, _)| other == name) {
            Some((_, other)) if same(name, value, other) => {}
            Some((_, other)) => found.push(format!("{name} {value} → {other}")),
            None => found.push(format!("{name} {value} → none")),
        }
    }
    for (name, value) in new {
        if !old.iter().any(|(other, _)| other == name) {
            found.push(format!("{name} none → {value}"));
        }
    }
}

fn close(a: f64, b: f64, share: f64) -> bool {
    a == b || (a - b).abs() <= share * a.abs().max(b.abs())
}

/// Whether texts are equal but for numbers that are close.
fn same_text(a: &str, b: &str, share: f64) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (pieces(a), pieces(b));
    let same = |(a, b): (&&str, &&str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => close(a, b, share),
        _ => a == b,
    };
    a.len() == b.len() && a.iter().zip(&b).all(same)
}

/// Cuts a text into numbers and what stands between them. Digits within a name (`x1`) are part
/// of the name.
fn pieces(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        let named = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if named || !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() {
            let signed = matches!(bytes[at], b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E');
            let part = bytes[at].is_ascii_digit() || matches!(bytes[at], b'.' | b'e' | b'E');
            if !(part || at > start && signed) {
                break;
            }
            at += 1;
        }
        pieces.push(&text[from..start]);
        pieces.push(&text[start..at]);
        from = at;
    }
    pieces.push(&text[from..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(kernel: &str, objective: f64, accuracy: f64) -> Answer {
        let text = format!(
            r#"{{"model": "svc", "kernel": "{kernel}", "file": "a.mercer",
            "report": {{"objective": {objective}, "stop_reason": "converged", "seconds": 1.5}},
            "scores": {{"metrics": {{"accuracy": {{"value": {accuracy}, "low": 0}}}}}}}}"#
        );
        Answer::from_object(text.as_bytes()).unwrap()
    }

    #[test]
    fn an_object_is_taken_apart() {
        let answer = fit("rbf(gamma=0.5)", -12.5, 0.9);
        let names: Vec<&str> = answer.words.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["model", "kernel", "stop reason"]);
        let numbers = [
            ("objective".to_owned(), -12.5),
            ("accuracy".to_owned(), 0.9),
        ];
        assert_eq!(answer.numbers, numbers);
        let tuned = br#"{"best": {"params": {"C": 10, "gamma": 0.1}, "score": 0.8}}"#;
        assert_eq!(Answer::from_object(tuned).unwrap().numbers.len(), 3);
        assert_eq!(Answer::from_object(b"no object"), None);
    }

    #[test]
    fn rounding_is_no_difference() {
        let answer = fit("rbf(gamma=0.5)", -12.5, 0.9);
        let near = fit("rbf(gamma=0.5000001)", -12.5001, 0.9003);
        assert_eq!(answer.difference(&near), None);
        let worse = fit("rbf(gamma=0.5)", -12.5, 0.88);
        let text = answer.difference(&worse).unwrap();
        assert_eq!(text, "accuracy 0.9 → 0.88");
        let other = fit("laplace(gamma=0.5)", -12.4, 0.9);
        let text = answer.difference(&other).unwrap();
        assert!(text.starts_with("kernel rbf(gamma=0.5) → laplace") && text.ends_with("1 more"));
        let silent = Answer::default();
        assert!(answer.difference(&silent).unwrap().contains("→ none"));
        assert!(silent.difference(&answer).unwrap().contains("none →"));
    }

    #[test]
    fn held_out_scores_have_their_own_names() {
        let mut answer = fit("linear", 1.0, 0.9);
        let scores = br#"{"metrics": {"accuracy": {"value": 0.85}}}"#;
        answer.held_out(Answer::from_object(scores).unwrap());
        let last = answer.numbers.last().unwrap();
        assert_eq!(*last, ("held-out accuracy".to_owned(), 0.85));
    }

    #[test]
    fn predicted_rows_are_counted() {
        let old = Answer::from_table("prediction,lower\na,0.25\nb,0.5\n");
        let near = Answer::from_table("prediction,lower\na,0.2500000001\nb,0.5\n");
        assert_eq!(old.difference(&near), None);
        let moved = Answer::from_table("prediction,lower\na,0.25\na,0.5\n");
        assert_eq!(old.difference(&moved).as_deref(), Some("1 of 3 rows"));
        let short = Answer::from_table("prediction,lower\n");
        assert_eq!(old.difference(&short).as_deref(), Some("rows 3 → 1"));
    }

    #[test]
    fn numbers_are_told_from_names() {
        assert_eq!(
            pieces("2*rbf(gamma=1.5e-3)@x1"),
            ["", "2", "*rbf(gamma=", "1.5e-3", ")@x1"]
        );
        assert!(same_text("-1.0,ä", "-1.0000000001,ä", 1e-6));
        assert!(!same_text("1.0", "-1.0", 1e-6));
        assert!(!same_text("x1", "x2", 1.0));
        assert!(!same_text("yes", "no", 1.0));
    }
}
