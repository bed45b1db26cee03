//! The words of a text, as the encoder counts them.
//!
//! ai.onnx has no operator that takes texts apart by a pattern; `Tokenizer` of onnxruntime's own
//! domain does, as graphs made from scikit-learn's vectorisers have it. The others are
//! `StringNormalizer`, which lowers letters one by one (so that İ and a Σ at the end of a word become other
//! letters than in mercer), and `TfIdfVectorizer`, which counts in single precision: whole numbers are
//! exact. Weights and norms are in double precision.

use mercer::data::{Weighting, Words};

use super::graph::{Builder, RUNTIME, Wire};
use super::message::{Element, Entries, Setting};

/// Two letters or numbers at least: categories L and N, and the underscore.
const PATTERN: &str = "[\\p{L}\\p{N}_]{2,}";
/// A locale that knows the capitals of all scripts and that systems have without being asked.
const LOCALE: &str = "C.UTF-8";
/// What fills rows of fewer words; no word is it.
const PAD: &str = "#";

/// Returns the features of texts, \[N, width\]; `None` where there are none.
///
/// Words that are hashed have no graph: their list is `None`.
pub(super) fn features(graph: &mut Builder, texts: &Wire, words: &Words) -> Option<Wire> {
    let counted = counts(graph, texts, words)?;
    let mut value = graph.cast(&counted, Element::Double);
    if words.how().binary {
        let zero = graph.number(0.0);
        let any = graph.step("Greater", [&value, &zero]);
        value = graph.indicator(&any);
    }
    if words.how().weighting == Weighting::Count {
        return Some(value);
    }
    let factors = graph.row(words.factors().to_vec());
    let weighted = graph.step("Mul", [&value, &factors]);
    let squares = graph.step("Mul", [&weighted, &weighted]);
    let sum = graph.sum(&squares, 1, true);
    let norm = graph.step("Sqrt", [&sum]);
    // A text without words stays zero.
    let (zero, one) = (graph.number(0.0), graph.number(1.0));
    let empty = graph.step("Equal", [&norm, &zero]);
    let norm = graph.step("Where", [&empty, &one, &norm]);
    Some(graph.step("Div", [&weighted, &norm]))
}

/// How often every word occurs in every text.
fn counts(graph: &mut Builder, texts: &Wire, words: &Words) -> Option<Wire> {
    let terms = words.terms().filter(|terms| !terms.is_empty())?;
    let shape = graph.integers(vec![-1]);
    let flat = graph.step("Reshape", [texts, &shape]);
    // The operators need one text at least: an empty one goes ahead, and its row is cut off.
    let nothing = graph.constant(&[1], Entries::Text(vec![String::new()]));
    let flat = graph.step_with(
        "Concat",
        &[&nothing, &flat],
        vec![("axis", Setting::Int(0))],
    );
    let lower = graph.step_with(
        "StringNormalizer",
        &[&flat],
        vec![
            ("case_change_action", Setting::Text("LOWER".to_owned())),
            ("is_case_sensitive", Setting::Int(1)),
            ("locale", Setting::Text(LOCALE.to_owned())),
        ],
    );
    let parts = graph.node(
        RUNTIME,
        "Tokenizer",
        &[&lower],
        vec![
            ("mark", Setting::Int(0)),
            ("mincharnum", Setting::Int(1)),
            ("pad_value", Setting::Text(PAD.to_owned())),
            ("tokenexp", Setting::Text(PATTERN.to_owned())),
        ],
        1,
    );
    // Single words first, then pairs, then runs of three, each with the number of its feature.
    let length = |word: &str| word.split(' ').count();
    let longest = terms.words().map(length).max().unwrap_or(1);
    let (mut starts, mut pool, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for own in 1..=longest {
        starts.push(pool.len() as i64);
        for (feature, word) in terms.words().enumerate() {
            if length(word) == own {
                pool.extend(word.split(' ').map(str::to_owned));
                places.push(feature as i64);
            }
        }
    }
    let counted = graph.step_with(
        "TfIdfVectorizer",
        &[&parts[0]],
        vec![
            ("max_gram_length", Setting::Int(longest as i64)),
            ("max_skip_count", Setting::Int(0)),
            ("min_gram_length", Setting::Int(1)),
            ("mode", Setting::Text("TF".to_owned())),
            ("ngram_counts", Setting::Ints(starts)),
            ("ngram_indexes", Setting::Ints(places)),
            ("pool_strings", Setting::Texts(pool)),
        ],
    );
    let (first, end) = (graph.integers(vec![1]), graph.integers(vec![i64::MAX]));
    let axis = graph.integers(vec![0]);
    Some(graph.step("Slice", [&counted, &first, &end, &axis]))
}
