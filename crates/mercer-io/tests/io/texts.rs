//! Models whose features are words, through files and graphs.

use mercer::data::{Encoding, Roles, Table, TextEncoding};
use mercer::fit::FitContext;
use mercer::learn::AnyEstimator;
use mercer::model::Trained;
use mercer::recipe::{Recipe, Wish};
use mercer_io::model::{from_bytes, to_bytes};
use mercer_io::{ReadOptions, Source, onnx, read};

const WORDS: [&str; 6] = ["free", "prize", "naïve", "home", "tonight", "straße"];

fn table(rows: usize) -> Table {
    let mut text = "notes,size,score\n".to_owned();
    for row in 0..rows {
        let words = [row, row * 7 + 1, row * row].map(|k| WORDS[k % WORDS.len()]);
        let unique = if row % 5 == 0 {
            String::new()
        } else {
            format!(" word{row}")
        };
        let score = (row % 6) as f64 + 0.1 * (row % 4) as f64;
        text.extend([format!(
            "{}{unique} and more,{},{score}\n",
            words.join(" "),
            row % 3
        )]);
    }
    let source = Source::bytes("notes.csv", text.into_bytes());
    read(&source, &ReadOptions::default()).expect("CSV")
}

fn trained(method: &str, encode: Option<&str>) -> Trained {
    let estimator = AnyEstimator::named(method).expect("a method");
    let score = vec!["score".to_owned()];
    let mut recipe = Recipe::new(if estimator.task().needs_target() {
        Roles {
            targets: score,
            ..Roles::default()
        }
    } else {
        Roles {
            drop: score,
            ..Roles::default()
        }
    });
    recipe.task = Some(estimator.task());
    recipe.wish = Wish::Given(estimator);
    if let Some(how) = encode {
        let how: TextEncoding = how.parse().expect("an encoding");
        recipe.encode.insert("notes".to_owned(), how);
    }
    let fitted = recipe.fit(table(60), &FitContext::default());
    fitted.expect("learnt").model
}

#[test]
fn answers_are_the_same_before_and_after_a_file() {
    for (method, encode) in [
        ("ridge", None),
        ("ols", Some("bag(min=2)")),
        ("ridge", Some("tfidf(ngrams=2)")),
        ("svr", Some("tfidf")),
        ("kmeans", Some("bag(binary)")),
    ] {
        let model = trained(method, encode);
        let bytes = to_bytes(&model).expect("a file");
        let read = from_bytes(&bytes).expect("a model");
        let context = FitContext::default();
        let new = table(25);
        let (before, after) = (model.predict(&new, &context), read.predict(&new, &context));
        assert_eq!(
            before.expect("answers").decisions,
            after.expect("answers").decisions,
            "{method}"
        );
        assert_eq!(to_bytes(&read).expect("a file"), bytes, "{method}");
        // Features have their names again.
        let names: Vec<String> = read
            .form
            .features()
            .iter()
            .flat_map(mercer::data::FeatureGroup::names)
            .collect();
        assert!(
            names.iter().any(|n| n == "notes=straße"),
            "{method}: {names:?}"
        );
        assert_eq!(names, model.encoder.feature_names());
    }
}

#[test]
fn words_are_in_a_file_once() {
    let model = trained("linear_svr", None);
    let bytes = to_bytes(&model).expect("a file");
    let text = String::from_utf8_lossy(&bytes);
    assert_eq!(text.matches("word37").count(), 1);
    let Encoding::Words(words) = &model.encoder.columns()[0].encoding else {
        panic!("a linear model counts words");
    };
    assert!(words.width() > 50);
}

#[test]
fn graphs_carry_words() {
    let bytes = onnx::to_bytes(&trained("ridge", None)).expect("a graph");
    let text = String::from_utf8_lossy(&bytes);
    for part in ["TfIdfVectorizer", "Tokenizer", "com.microsoft", "straße"] {
        assert!(text.contains(part), "{part}");
    }
}
