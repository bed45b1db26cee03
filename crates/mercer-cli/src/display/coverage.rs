//! How often intervals and sets held the truth.

use mercer::judge::Coverage;
use mercer_plot::text::shorten;
use mercer_report::verdict::percent;

use super::Page;
use crate::style::number;

/// Classes shown one by one.
const MOST: usize = 20;
/// Longest name of a class.
const NAME: usize = 24;

/// Coverage in a line.
pub(crate) fn coverage_text(found: &Coverage) -> String {
    format!(
        "{} hold the truth in {} of {} rows",
        called(found),
        percent(found.covered),
        found.rows
    )
}

fn called(found: &Coverage) -> String {
    let level = number(100.0 * found.level);
    let level = level.trim_end_matches('0').trim_end_matches('.');
    match found.interval_score {
        Some(_) => format!("{level} % intervals"),
        None => format!("{level} % sets"),
    }
}

impl Page {
    /// Adds measured coverage, overall and part by part.
    pub(crate) fn coverage(&mut self, found: &Coverage) -> &mut Self {
        let range = format!(
            "{} to {} by the law of chance",
            percent(found.interval.low).trim_end_matches(" %"),
            percent(found.interval.high)
        );
        self.heading(&capital(&coverage_text(found)), &range);
        let size = if let Some(score) = found.interval_score {
            self.item("mean width", &number(found.size));
            self.item("interval score", &number(score));
            "width"
        } else {
            self.item(
                "classes in a set",
                &format!("{:.2} in the mean", found.size),
            );
            "class"
        };
        if found.parts.is_empty() {
            return self;
        }
        self.gap();
        let names: Vec<String> = found.parts.iter().map(|p| shorten(&p.name, NAME)).collect();
        let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
        let width = width.max(size.len());
        let head = format!(
            "{size:<width$}  {:>7}  {:>9}  {:>15}",
            "rows", "covered", "by chance"
        );
        let head = self.paint.dim(&head);
        self.block(&head);
        for (name, part) in names.iter().zip(&found.parts).take(MOST) {
            let ends = [part.interval.low, part.interval.high].map(|end| 100.0 * end);
            let line = format!(
                "{name:<width$}  {:>7}  {:>9}  {:>6.1} to {:>5.1}",
                part.rows,
                percent(part.covered),
                ends[0],
                ends[1]
            );
            let line = if part.interval.high < found.level {
                self.paint.yellow(&line)
            } else {
                line
            };
            self.block(&line);
        }
        if found.parts.len() > MOST {
            self.block(&format!("and {} more", found.parts.len() - MOST));
        }
        self
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().collect::<String>() + letters.as_str(),
        None => String::new(),
    }
}
