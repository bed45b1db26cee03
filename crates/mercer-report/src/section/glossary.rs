//! The words of the page in one sentence each.

use mercer_plot::page::{Document, Section};
use mercer_plot::{element, markup};

const TERMS: [(&str, &str, &str); 14] = [
    (
        "Baseline",
        "scores",
        "The prediction that looks at no column: the most frequent class with the shares of all classes, or the mean (for absolute errors the median).",
    ),
    (
        "Importance",
        "importance",
        "What a score loses when the values of one column are shuffled among the rows.",
    ),
    (
        "Kernel",
        "",
        "A measure of likeness of two rows that equals a dot product in some feature space.",
    ),
    (
        "Support vector",
        "support",
        "A training row with a weight in the solution; all others have weight zero.",
    ),
    (
        "Margin",
        "support",
        "The distance from the separating surface to the nearest rows, in feature space.",
    ),
    (
        "Free and bounded",
        "support",
        "A free multiplier lies strictly between zero and its upper bound; a bounded one has reached it.",
    ),
    (
        "Primal and dual",
        "solver",
        "Two views of one problem: every primal value lies above the optimum, every dual value below.",
    ),
    (
        "Duality gap",
        "solver",
        "Primal minus dual value, and so a bound on how far the solution is from the best one.",
    ),
    (
        "KKT violation",
        "solver",
        "How far the rows miss the conditions that hold exactly at the optimum.",
    ),
    (
        "Confidence interval",
        "scores",
        "A range that holds the true value of a score with the stated probability over all samples.",
    ),
    (
        "Recall",
        "confusion",
        "The share of the rows of a class that were predicted to be of it.",
    ),
    (
        "Precision",
        "confusion",
        "The share of the rows predicted to be of a class that are of it.",
    ),
    (
        "Decision value",
        "decisions",
        "The signed distance measure whose sign is the prediction.",
    ),
    (
        "ROC curve",
        "roc",
        "Detections against false alarms at every threshold; the area below is 1 for a perfect order.",
    ),
];

/// Explains the terms of the sections that a page has.
pub(in super::super) fn glossary(page: &Document) -> Section {
    let items = TERMS
        .iter()
        .filter(|(_, section, _)| section.is_empty() || page.has(section))
        .map(|(term, _, words)| {
            element("div").child(markup![element("dt").text(term), element("dd").text(words)])
        });
    Section::new("glossary", "Glossary").body(element("dl").class("glossary").children(items))
}
