//! String kernels: values of kernlab, properties on random texts, texts of any length.

use mercer::data::{Records, Targets};
use mercer::kernel::{KernelSpec, TileMut, check_gram};
use mercer_linalg::{Matrix, Par, Rows};
use proptest::prelude::*;
use serde_json::Value;

use super::oracle::{assert_near, entry, gram, read};

/// One expression of every family, with settings other than the defaults among them.
const KERNELS: [&str; 11] = [
    "subsequence",
    "substring",
    "substring(decay=0.5, min=2, max=4)",
    "gap",
    "gap(length=2, decay=0.9)",
    "spectrum",
    "spectrum(length=1, over=words, lower=true)",
    "mismatch(length=3, alphabet=20)",
    "weighted_degree(length=4)",
    "normalise(subsequence)",
    "normalise(spectrum(length=2, over=bytes))",
];

/// The kernel as mercer writes it; `None` where it has no such kernel.
fn expression(case: &Value) -> Option<String> {
    let kernel = &case["mercer"];
    let number = |name: &str| kernel[name].as_f64();
    Some(match kernel["kernel"].as_str().expect("a name") {
        // Words that weigh more the longer they are have no place in mercer.
        _ if number("decay").is_some_and(|decay| decay > 1.0) => return None,
        "gap" => format!(
            "gap(length={}, decay={})",
            number("length")?,
            number("decay")?
        ),
        "spectrum" => format!("spectrum(length={})", number("length")?),
        _ => {
            let most = number("max").map_or(String::new(), |max| format!(", max={max}"));
            format!(
                "substring(decay={}, min={}{most})",
                number("decay")?,
                number("min")?
            )
        }
    })
}

#[test]
fn values_are_those_of_kernlab() {
    let answers = read("strings_kernlab.json");
    let strings: Vec<&str> = answers["strings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|s| s.as_str().expect("a text"))
        .collect();
    let mut compared = 0;
    for case in answers["cases"].as_array().expect("a list") {
        let Some(kernel) = expression(case) else {
            continue;
        };
        let end = if case["line_break"] == true { "\n" } else { "" };
        let records = Records::from_texts(strings.iter().map(|s| format!("{s}{end}")));
        let found = gram(&kernel, &records);
        let (add, factor) = (case["add"].as_f64(), case["factor"].as_f64());
        for i in 0..strings.len() {
            for j in i..strings.len() {
                let expected =
                    (entry(&case["value"], i, j) + add.unwrap_or(0.0)) / factor.unwrap_or(1.0);
                // kernlab prints 15 digits of long sums.
                assert_near(found[(i, j)], expected, 1e-11, &format!("{kernel} {i} {j}"));
                compared += 1;
            }
        }
    }
    assert!(compared > 5000, "{compared} values");
    let both = gram("subsequence", &Records::from_texts(["BEERE", "BERT"]));
    assert_eq!(both.as_slice(), [64.0, 14.0, 14.0, 16.0]);
    let both = gram("substring", &Records::from_texts(["BEERE", "BERT"]));
    assert_eq!(both[(0, 1)], 8.0);
}

/// The matrix of new rows against bound ones.
fn against(kernel: &str, new: &Records, bound: &Records) -> Matrix<f64> {
    let spec: KernelSpec = kernel.parse().expect("a kernel");
    let (resolved, _) = spec.resolve(bound, None).expect("texts");
    let bound = resolved.bind(bound).expect("texts");
    let query = bound.query(new).expect("texts");
    let mut out = Matrix::zeros(new.len(), bound.len());
    let (rows, columns) = (Rows::Range(0..new.len()), Rows::Range(0..bound.len()));
    query.tile(rows, columns, TileMut::F64(out.as_mut()), Par::Sequential);
    out
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab]{0,8}",
        "[a-d ]{0,12}",
        "[aé\u{301}Z ☃]{0,6}",
        Just(String::new()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn matrices_are_symmetric_and_semidefinite(texts in prop::collection::vec(word(), 2..9)) {
        let records = Records::from_texts(texts.iter().map(String::as_str));
        for kernel in KERNELS {
            let matrix = gram(kernel, &records);
            for i in 0..records.len() {
                for j in 0..i {
                    prop_assert_eq!(matrix[(i, j)].to_bits(), matrix[(j, i)].to_bits(), "{}", kernel);
                }
            }
            let check = check_gram(&matrix, &Targets::None).expect("finite values");
            prop_assert!(check.verdict.is_kernel(), "{}: {:?} {:?}", kernel, check, texts);
        }
    }

    #[test]
    fn new_rows_are_compared_like_bound_ones(
        texts in prop::collection::vec(word(), 1..6),
        new in prop::collection::vec(word(), 1..5),
    ) {
        let all: Vec<&str> = texts.iter().chain(&new).map(String::as_str).collect();
        let all = Records::from_texts(all);
        let bound = all.select(&(0..texts.len()).collect::<Vec<_>>());
        let others = all.select(&(texts.len()..all.len()).collect::<Vec<_>>());
        for kernel in KERNELS {
            let whole = gram(kernel, &all);
            let part = against(kernel, &others, &bound);
            for i in 0..new.len() {
                for j in 0..texts.len() {
                    let expected = whole[(texts.len() + i, j)];
                    prop_assert!(
                        (part[(i, j)] - expected).abs() <= 1e-12 * expected.abs(),
                        "{}: {} instead of {}", kernel, part[(i, j)], expected
                    );
                }
            }
        }
    }
}

#[test]
fn normalised_subsequences_are_right_at_any_length() {
    let long: String = (0..3000)
        .map(|i| if i % 7 < 3 { 'a' } else { 'b' })
        .collect();
    let other: String = long.chars().rev().collect();
    let records = Records::from_texts([long.as_str(), &other, "", "a"]);
    let matrix = gram("normalise(subsequence)", &records);
    for i in 0..4 {
        assert_eq!(matrix[(i, i)], 1.0);
        for j in 0..4 {
            let value = matrix[(i, j)];
            assert!((0.0..=1.0).contains(&value), "{i} {j}: {value}");
        }
    }
    assert!(matrix[(0, 1)] > 0.0);
    // Of n and m equal letters there are C(n + m, n) pairs of equal subsequences.
    let (n, m) = (3000, 2500);
    let letters = [n, m].map(|count| "a".repeat(count));
    let log_choose =
        |n: usize, k: usize| -> f64 { (1..=k).map(|i| ((n - k + i) as f64 / i as f64).ln()).sum() };
    let expected = log_choose(n + m, n) - 0.5 * (log_choose(2 * n, n) + log_choose(2 * m, m));
    let found = gram("normalise(subsequence)", &Records::from_texts(letters))[(0, 1)];
    // Sums of thousands of logarithms.
    assert!((found.ln() - expected).abs() < 1e-8, "{found} {expected}");
    // Counts of so long texts are beyond f64; the refusal says what to do.
    let spec: KernelSpec = "subsequence".parse().expect("a kernel");
    let error = spec.gram(&records, Par::Sequential).expect_err("too large");
    assert!(
        error.hints()[0].to_string().contains("normalise"),
        "{error}"
    );
}

#[test]
fn unseen_symbols_and_words_match_nothing() {
    let bound = Records::from_texts(["acgt", "ccgg"]);
    let new = Records::from_texts(["nnnn", "acgn", "acgt"]);
    for kernel in [
        "spectrum(length=2)",
        "mismatch(length=3)",
        "substring",
        "gap(length=2)",
    ] {
        let values = against(kernel, &new, &bound);
        assert!(
            values[(1, 0)] > 0.0 && values[(2, 0)] > values[(1, 0)],
            "{kernel}"
        );
    }
    let values = against("spectrum(length=1, over=words)", &new, &bound);
    assert_eq!(values.row(0), [0.0, 0.0]);
    assert_eq!(values.row(2), [1.0, 0.0]);
}

#[test]
fn kernels_without_texts_say_what_to_do() {
    let numbers = Records::from_points(Matrix::<f64>::zeros(2, 1));
    for kernel in ["spectrum", "subsequence", "weighted_degree"] {
        let spec: KernelSpec = kernel.parse().expect("a kernel");
        let error = spec.resolve(&numbers, None).expect_err("no text");
        assert!(error.to_string().contains("no text column"), "{error}");
    }
    let mut two = Records::from_texts(["a", "b"]);
    let again = two.texts[0].clone();
    two.texts.push(mercer::data::TextColumn {
        source: "title".to_owned(),
        ..again
    });
    let spec: KernelSpec = "spectrum".parse().expect("a kernel");
    let error = spec.resolve(&two, None).expect_err("two texts");
    assert_eq!(error.hints(), ["name one, as in `spectrum@text`"]);
    assert_eq!(gram("spectrum(length=1)@title", &two)[(0, 1)], 0.0);
}
