//! Comparing results with recorded ones.

use serde_json::{Map, Value};

/// How much found numbers may differ from recorded ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Closeness {
    /// In no bit.
    Bits,
    /// By a share of 1 + |x|.
    Within(f64),
}

impl Closeness {
    fn holds(self, found: f64, expected: f64) -> bool {
        match self {
            Self::Bits => found.to_bits() == expected.to_bits(),
            Self::Within(share) => (found - expected).abs() <= share * (1.0 + expected.abs()),
        }
    }
}

/// Describes how results differ: at most one difference for each of `parts`, with its row.
///
/// A part that is absent is the same as one that is `null`.
pub(super) fn differences(
    found: &Map<String, Value>,
    expected: &Value,
    parts: &[&str],
    closeness: Closeness,
) -> Vec<String> {
    let differs = |part: &&str| {
        let found = found.get(*part).unwrap_or(&Value::Null);
        let mut place = Vec::new();
        let what = first_difference(found, &expected[*part], closeness, &mut place)?;
        let Some((row, rest)) = place.split_first() else {
            return Some(format!("{part}: {what}"));
        };
        let mut within = (*part).to_owned();
        within.extend(rest.iter().map(|k| format!("[{k}]")));
        Some(format!("row {}, {within}: {what}", row + 1))
    };
    parts.iter().filter_map(differs).collect()
}

/// Finds the first number, text or length that differs, and where: `place` has an index for
/// every list around it.
fn first_difference(
    found: &Value,
    expected: &Value,
    closeness: Closeness,
    place: &mut Vec<usize>,
) -> Option<String> {
    match (found, expected) {
        (Value::Array(f), Value::Array(e)) if f.len() == e.len() => {
            for (k, (f, e)) in f.iter().zip(e).enumerate() {
                place.push(k);
                let difference = first_difference(f, e, closeness, place);
                if difference.is_some() {
                    return difference;
                }
                place.pop();
            }
            None
        }
        (Value::Array(f), Value::Array(e)) => Some(format!(
            "found a list of {}, expected one of {}",
            f.len(),
            e.len()
        )),
        (Value::Number(f), Value::Number(e)) => {
            let (f, e) = (f.as_f64().expect("a double"), e.as_f64().expect("a double"));
            let told = || format!("found {f:?}, expected {e:?} ({closeness:?})");
            (!closeness.holds(f, e)).then(told)
        }
        _ => (found != expected).then(|| format!("found {found}, expected {expected}")),
    }
}

#[test]
fn one_bit_is_a_difference() {
    let expected = serde_json::json!({ "decisions": [[1.0, 0.1], [0.5, -0.0]], "answers": ["a"] });
    let parts = ["decisions", "answers", "std"];
    let with = |value: f64| {
        let mut found = expected.clone();
        found["decisions"][1][0] = value.into();
        found.as_object().expect("an object").clone()
    };
    let compare = |value, closeness| differences(&with(value), &expected, &parts, closeness);
    assert!(compare(0.5, Closeness::Bits).is_empty());
    let next = 0.5_f64.next_up();
    assert_eq!(
        compare(next, Closeness::Bits),
        ["row 2, decisions[0]: found 0.5000000000000001, expected 0.5 (Bits)"]
    );
    assert!(compare(next, Closeness::Within(1e-12)).is_empty());
    assert_eq!(compare(0.5 + 1e-11, Closeness::Within(1e-12)).len(), 1);

    let mut found = with(0.5);
    found.insert("answers".to_owned(), serde_json::json!(["b"]));
    found.insert("std".to_owned(), serde_json::json!([0.1]));
    assert_eq!(
        differences(&found, &expected, &parts, Closeness::Bits),
        [
            r#"row 1, answers: found "b", expected "a""#,
            "std: found [0.1], expected null"
        ]
    );
}
