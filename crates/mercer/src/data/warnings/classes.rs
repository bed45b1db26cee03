//! Classes that hardly have rows, and one that has nearly all.

use super::{FEWEST_OF_CLASS, percent};
use crate::data::Targets;
use crate::fit::{Warning, WarningCode};

/// Rows below which every class is small.
const FEWEST_ROWS: usize = 10;
/// Share of the most frequent class from which on accuracy says little.
const NEARLY_ALL: f64 = 0.95;
/// Classes beyond which the target is no class anyway.
const MOST_NAMED: usize = 8;

pub(super) fn find(targets: &Targets, target: &str) -> Vec<Warning> {
    let Targets::Classes(classes) = targets else {
        return Vec::new();
    };
    let (counts, rows) = (classes.counts(), classes.codes.len());
    if rows < FEWEST_ROWS {
        return Vec::new();
    }
    let named = || classes.labels.iter().zip(&counts);
    let mut found = Vec::new();
    let rare: Vec<(&String, usize)> = named()
        .filter(|(_, count)| (1..FEWEST_OF_CLASS).contains(*count))
        .map(|(label, count)| (label, *count))
        .collect();
    let of = |count: usize| if count == 1 { "row" } else { "rows" };
    let rare_rows = rare.iter().map(|r| r.1).sum();
    let text = match &rare[..] {
        [] => None,
        [(label, count)] => Some(format!(
            "class `{label}` of `{target}` has {count} {}: too few to learn it and to evaluate it",
            of(*count)
        )),
        several => {
            let shown = several.iter().take(MOST_NAMED);
            let shown: Vec<String> = shown
                .map(|(label, count)| format!("`{label}` ({count})"))
                .collect();
            let more = match several.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            Some(format!(
                "{} classes of `{target}` have fewer than {FEWEST_OF_CLASS} rows, too few to learn them and to evaluate them: {}{more}",
                several.len(),
                shown.join(", ")
            ))
        }
    };
    found.extend(text.map(|text| {
        Warning::new(WarningCode::RareClass, text)
            .columns([target])
            .rows(rare_rows)
    }));
    let most = named().max_by_key(|(_, count)| **count);
    let present = counts.iter().filter(|c| **c > 0).count();
    if let Some((label, count)) = most.filter(|_| present > 1)
        && *count as f64 >= NEARLY_ALL * rows as f64
    {
        let text = format!(
            "{} of the rows have class `{label}` of `{target}`: accuracy says little about the others",
            percent(*count as f64 / rows as f64)
        );
        let warning = Warning::new(WarningCode::Imbalance, text).columns([target]);
        found.push(warning.rows(rows - count));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ClassTargets;

    fn texts(counts: &[(&str, usize)]) -> Vec<String> {
        let labels: Vec<&str> = counts
            .iter()
            .flat_map(|(label, count)| std::iter::repeat_n(*label, *count))
            .collect();
        let targets = Targets::Classes(ClassTargets::from_labels(&labels));
        find(&targets, "y").into_iter().map(|w| w.text).collect()
    }

    #[test]
    fn rare_classes_are_named_in_one_line() {
        assert!(texts(&[("a", 50), ("b", 5)]).is_empty());
        assert!(texts(&[("a", 3), ("b", 3)]).is_empty());
        let one = texts(&[("a", 10), ("b", 12), ("maybe", 1)]);
        assert_eq!(one.len(), 1);
        assert!(one[0].starts_with("class `maybe` of `y` has 1 row:"));
        let two = texts(&[("a", 10), ("b", 2), ("c", 4)]);
        assert!(two[0].starts_with("2 classes of `y` have fewer than 5 rows"));
        assert!(two[0].ends_with("`b` (2), `c` (4)"), "{}", two[0]);
    }

    #[test]
    fn a_class_with_nearly_all_rows_is_told() {
        let found = texts(&[("no", 383), ("yes", 8)]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("98 % of the rows have class `no` of `y`"));
        assert!(texts(&[("no", 94), ("yes", 6)]).is_empty());
        assert!(texts(&[("no", 100)]).is_empty());
    }
}
