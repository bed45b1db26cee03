//! Which class was taken for which.

use mercer::judge::ConfusionMatrix;

use crate::style::{Paint, count};

/// Classes of which a table still fits on a screen.
pub(super) const MOST_CLASSES: usize = 16;
/// Confusions listed when there are more classes.
const MOST_PAIRS: usize = 8;

/// A confusion matrix with right predictions in green and wrong ones in red.
pub(super) fn confusion_table(confusion: &ConfusionMatrix, paint: Paint) -> String {
    let labels = confusion.labels();
    let cell = |value: f64| {
        if value.fract() == 0.0 {
            count(value as u64)
        } else {
            format!("{value:.2}")
        }
    };
    let share = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{:.1}%", 100.0 * v));
    let corner = "true \\ predicted";
    let first = labels
        .iter()
        .map(|l| l.chars().count())
        .chain([corner.len()])
        .max()
        .unwrap_or(0);
    let widths: Vec<usize> = (0..labels.len())
        .map(|p| {
            let cells = (0..labels.len()).map(|t| cell(confusion.count(t, p)).len());
            cells.chain([labels[p].chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let mut header = vec![paint.dim(&format!("{corner:<first$}"))];
    let names = labels.iter().zip(&widths);
    header.extend(names.map(|(label, width)| format!("{label:>width$}")));
    header.push(paint.dim(&format!("{:>7}  {:>9}", "recall", "precision")));
    let mut lines = vec![header.join("  ")];
    for (t, label) in labels.iter().enumerate() {
        let mut line = vec![format!("{label:<first$}")];
        for (p, width) in widths.iter().enumerate() {
            let value = confusion.count(t, p);
            let padded = format!("{:>width$}", cell(value));
            line.push(match (t == p, value > 0.0) {
                (true, true) => paint.green(&padded),
                (false, true) => paint.red(&padded),
                _ => paint.dim(&padded),
            });
        }
        let shares = (share(confusion.recall(t)), share(confusion.precision(t)));
        line.push(paint.dim(&format!("{:>7}  {:>9}", shares.0, shares.1)));
        lines.push(line.join("  "));
    }
    lines.join("\n")
}

/// The most frequent confusions, for more classes than a table can show.
pub(super) fn confusion_list(confusion: &ConfusionMatrix) -> String {
    let labels = confusion.labels();
    let mut pairs: Vec<(f64, usize, usize)> = (0..labels.len())
        .flat_map(|t| (0..labels.len()).map(move |p| (t, p)))
        .filter(|(t, p)| t != p)
        .map(|(t, p)| (confusion.count(t, p), t, p))
        .filter(|(count, _, _)| *count > 0.0)
        .collect();
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let shown = pairs.iter().take(MOST_PAIRS);
    let lines = shown.map(|(n, t, p)| format!("{n} × {} taken for {}", labels[*t], labels[*p]));
    lines.collect::<Vec<_>>().join("\n")
}
