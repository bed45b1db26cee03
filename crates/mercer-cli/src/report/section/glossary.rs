//! The words of the page in one sentence each.

use super::wrap;

const TERMS: [(&str, &str, &str); 12] = [
    (
        "Kernel",
        "",
        "A measure of likeness of two rows that equals a dot product in some feature space.",
    ),
    (
        "Support vector",
        "",
        "A training row with a weight in the answer; all others have weight zero.",
    ),
    (
        "Margin",
        "",
        "The distance from the separating surface to the nearest rows, in feature space.",
    ),
    (
        "Free and bounded",
        "",
        "A free multiplier lies strictly between zero and its upper bound; a bounded one has reached it.",
    ),
    (
        "Primal and dual",
        "",
        "Two views of one problem: every primal value lies above the optimum, every dual value below.",
    ),
    (
        "Duality gap",
        "",
        "Primal minus dual value, and so a bound on how far the answer is from the best one.",
    ),
    (
        "KKT violation",
        "",
        "How far the rows miss the conditions that hold exactly at the optimum.",
    ),
    (
        "Interval",
        "scores",
        "A range that holds the true value of a score with the stated probability over all samples.",
    ),
    (
        "Recall",
        "confusion",
        "The share of the rows of a class that were answered with it.",
    ),
    (
        "Precision",
        "confusion",
        "The share of the rows answered with a class that are of it.",
    ),
    (
        "Decision value",
        "decisions",
        "The signed distance measure whose sign is the answer.",
    ),
    (
        "ROC curve",
        "roc",
        "Detections against false alarms at every threshold; the area below is 1 for a perfect order.",
    ),
];

/// Explains the terms of the sections that `page` holds.
pub(in super::super) fn glossary(page: &str) -> String {
    let present =
        |section: &str| section.is_empty() || page.contains(&format!("<section id=\"{section}\">"));
    let items: Vec<String> = TERMS
        .iter()
        .filter(|(_, section, _)| present(section))
        .map(|(term, _, words)| format!("<div><dt>{term}</dt><dd>{words}</dd></div>\n"))
        .collect();
    wrap(
        "glossary",
        "Words",
        "",
        &format!("<dl class=\"glossary\">\n{}</dl>\n", items.concat()),
    )
}
