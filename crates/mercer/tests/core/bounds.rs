//! Bounds against SciPy and against whole numbers: `tests/data/oracle/bounds.py`.

use std::path::PathBuf;

use mercer::judge::bounds::{
    Sides, binomial_interval, binomial_sample_size, growth_function, shatter, vc_sample_size,
};
use mercer_linalg::Matrix;
use serde_json::Value;

fn cases(of: &str) -> Vec<Value> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("tests/data/oracle/bounds.json");
    let text = std::fs::read_to_string(path).expect("the results are bundled");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    document[of].as_array().expect("cases").clone()
}

fn number(case: &Value, key: &str) -> f64 {
    case[key].as_f64().expect(key)
}

fn sides(case: &Value) -> Sides {
    Sides::of(number(case, "sided") as usize).expect("one or two")
}

#[test]
fn exact_intervals_are_scipys() {
    for case in cases("intervals") {
        let (errors, n) = (
            number(&case, "errors") as usize,
            number(&case, "n") as usize,
        );
        let found = binomial_interval(errors, n, number(&case, "delta"), sides(&case)).unwrap();
        // Both solve the same equation to the last digits.
        assert!((found.low - number(&case, "low")).abs() < 1e-11, "{case}");
        assert!((found.high - number(&case, "high")).abs() < 1e-11, "{case}");
    }
}

#[test]
fn exact_sizes_are_the_first_that_suffice() {
    for case in cases("sizes") {
        let [epsilon, delta, rate] = ["epsilon", "delta", "rate"].map(|key| number(&case, key));
        let found = binomial_sample_size(epsilon, delta, rate, sides(&case)).unwrap();
        assert_eq!(found as f64, number(&case, "size"), "{case}");
    }
}

#[test]
fn guaranteed_sizes_are_those_of_whole_numbers() {
    for case in cases("classes") {
        let vc = number(&case, "vc") as u64;
        let found = vc_sample_size(vc, number(&case, "epsilon"), number(&case, "delta")).unwrap();
        assert_eq!(found as f64, number(&case, "size"), "{case}");
    }
}

#[test]
fn logarithms_of_the_growth_function_are_scipys() {
    for case in cases("growth") {
        let found = growth_function(number(&case, "m") as u64, number(&case, "vc") as u64).unwrap();
        let expected = number(&case, "ln");
        assert!(
            (found.ln - expected).abs() < 1e-9 * expected,
            "{case} {found:?}"
        );
    }
}

#[test]
fn labellings_are_those_of_linear_programmes() {
    for case in cases("labellings") {
        let rows = case["points"].as_array().expect("rows");
        let values: Vec<f64> = rows
            .iter()
            .flat_map(|row| row.as_array().expect("a row"))
            .map(|value| value.as_f64().expect("a number"))
            .collect();
        let points = Matrix::from_vec(rows.len(), values.len() / rows.len(), values);
        let constant = case["constant"].as_bool().expect("a boolean");
        let found = shatter(&points, constant).unwrap();
        assert_eq!(found.reached as f64, number(&case, "reached"), "{case}");
        assert_eq!(found.shattered, found.reached == found.all, "{case}");
        assert!(found.exact);
    }
}
