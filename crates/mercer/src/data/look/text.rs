//! The account as text for a terminal of 80 columns.

use std::fmt::Write;

use super::{ColumnLook, NumberLook, Standing, TableLook};
use crate::data::{Kind, date, number_text};
use crate::hint::{Word, Wording};

/// The widest line.
const WIDTH: usize = 80;
/// Columns that are shown one by one.
const SHOWN: usize = 40;
/// Remarks that are shown.
const REMARKS: usize = 20;
/// Names in one remark.
const NAMED: usize = 8;
/// Associations that are shown.
const STRONGEST: usize = 10;
/// The widest name.
const NAME: usize = 20;
/// Heights of a bar.
const BARS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

impl TableLook {
    /// Writes the account, with settings named as a front end names them.
    pub fn text(&self, wording: &dyn Wording) -> String {
        let mut out = String::new();
        let source = if self.source.is_empty() {
            "Table"
        } else {
            &self.source
        };
        let head = format!(
            "{}: {} × {}",
            ends(source, 44),
            counted(self.rows, "row"),
            counted(self.columns.len(), "column")
        );
        line(&mut out, &head);
        let layout = self.layout_words();
        if !layout.is_empty() {
            wrapped(&mut out, "  ", &layout);
        }
        out.push('\n');
        self.list(&mut out);
        self.associations(&mut out);
        self.remarks(&mut out, wording);
        let kind = wording.word(&Word::Setting("kind"));
        let missing = wording.word(&Word::Setting("missing"));
        let drop = wording.word(&Word::Role("drop"));
        out.push('\n');
        let text = format!(
            "To have it otherwise: {kind} says how a column is read, {missing} which texts are \
             missing values, {drop} what is left out."
        );
        wrapped(&mut out, "", &text);
        out
    }

    fn layout_words(&self) -> String {
        let layout = &self.layout;
        let mut words = Vec::new();
        if !layout.format.is_empty() {
            words.push(layout.format.clone());
        }
        if let Some(packing) = layout.packing {
            words.push(format!("in {packing}"));
        }
        if let Some(part) = &layout.part {
            words.push(format!("`{part}`"));
        }
        if !layout.files.is_empty() {
            words.push(counted(layout.files.len(), "file"));
        }
        if let Some(delimiter) = &layout.delimiter {
            words.push(format!("delimiter {delimiter}"));
        }
        words.extend(layout.encoding.map(str::to_owned));
        match layout.header {
            Some(true) => words.push("with names".to_owned()),
            Some(false) => words.push("without names".to_owned()),
            None => {}
        }
        if layout.skipped > 0 {
            words.push(format!(
                "{} above the table",
                counted(layout.skipped, "line")
            ));
        }
        if let Some(mark) = layout.comment {
            words.push(format!("comments after `{mark}`"));
        }
        words.join(", ")
    }

    fn list(&self, out: &mut String) {
        let shown = &self.columns[..self.columns.len().min(SHOWN)];
        let name = shown.iter().map(|c| c.name.chars().count()).max();
        let name = name.unwrap_or(0).clamp(6, NAME);
        let head = format!("  {:<name$} {:<11} {:>7}  ", "column", "kind", "missing");
        line(out, head.trim_end());
        for column in shown {
            let missing = match column.missing {
                0 => String::new(),
                count => percent(count, self.rows),
            };
            let lead = format!(
                "  {:<name$} {:<11} {missing:>7}  ",
                fitted(&column.name, name),
                column.kind.name()
            );
            let bars = column.bars();
            let mut text = format!("{lead}{bars}");
            if !bars.is_empty() {
                text.push(' ');
            }
            let room = WIDTH.saturating_sub(text.chars().count());
            text.push_str(&fitted(&column.words(self.rows), room));
            line(out, text.trim_end());
        }
        let rest = &self.columns[shown.len()..];
        if !rest.is_empty() {
            let mut kinds: Vec<(Kind, usize)> = Vec::new();
            for column in rest {
                match kinds.iter_mut().find(|(kind, _)| *kind == column.kind) {
                    Some((_, count)) => *count += 1,
                    None => kinds.push((column.kind, 1)),
                }
            }
            let kinds: Vec<String> = kinds
                .iter()
                .map(|(kind, count)| format!("{} {kind}", digits(*count)))
                .collect();
            let text = format!("and {} more: {}", digits(rest.len()), kinds.join(", "));
            wrapped(out, "  ", &text);
        }
    }

    fn associations(&self, out: &mut String) {
        let Some(target) = &self.target else {
            return;
        };
        out.push('\n');
        line(
            out,
            &format!("What single columns tell of `{}`", fitted(&target.name, 40)),
        );
        if target.associations.is_empty() {
            line(out, "  no column can be compared with it");
        }
        for (name, share) in target.associations.iter().take(STRONGEST) {
            let full = (share * 20.0).round() as usize;
            let bar = "█".repeat(full);
            line(
                out,
                &format!("  {:<NAME$} {share:>6.3}  {bar}", fitted(name, NAME)),
            );
        }
        wrapped(
            out,
            "  ",
            "(share of its variance between the categories of a column, or ten groups of its numbers)",
        );
    }

    fn remarks(&self, out: &mut String, wording: &dyn Wording) {
        let mut remarks: Vec<String> = Vec::new();
        let notes = self.layout.notes.iter().map(|n| n.text().to_owned());
        remarks.extend(notes);
        for standing in [Standing::Identifier, Standing::Constant, Standing::Empty] {
            let alike: Vec<&ColumnLook> = self
                .columns
                .iter()
                .filter(|c| c.standing == standing)
                .collect();
            remarks.extend(together(&alike, wording));
        }
        for column in &self.columns {
            // What all of a standing share was said at once.
            let said = usize::from(column.standing != Standing::Feature);
            let hints = column.hints.iter().skip(said).map(|h| h.text(wording));
            let hints: Vec<String> = hints.collect();
            let notes = column.notes.get(said..).unwrap_or_default();
            for (at, note) in notes.iter().enumerate() {
                let cure = if at + 1 == notes.len() && !hints.is_empty() {
                    format!(" ({})", hints.join("; "))
                } else {
                    String::new()
                };
                remarks.push(format!("{}{cure}", note.text()));
            }
        }
        if remarks.is_empty() {
            return;
        }
        out.push('\n');
        line(out, "Remarks");
        for remark in remarks.iter().take(REMARKS) {
            wrapped(out, "  - ", remark);
        }
        if remarks.len() > REMARKS {
            line(
                out,
                &format!("  and {} more", digits(remarks.len() - REMARKS)),
            );
        }
    }
}

/// Says what columns of one standing share.
fn together(alike: &[&ColumnLook], wording: &dyn Wording) -> Option<String> {
    let first = alike.first()?;
    let hint = first.hints.first().map(|h| h.text(wording));
    let hint = hint.map(|h| format!(" ({h})")).unwrap_or_default();
    if alike.len() == 1 {
        return Some(format!("{}{hint}", first.notes.first()?.text()));
    }
    let names: Vec<String> = alike
        .iter()
        .take(NAMED)
        .map(|c| format!("`{}`", fitted(&c.name, NAME)))
        .collect();
    let more = match alike.len().saturating_sub(NAMED) {
        0 => String::new(),
        count => format!(" and {} more", digits(count)),
    };
    let what = match first.standing {
        Standing::Identifier => "number or name the rows",
        Standing::Constant => "have one value in all rows",
        Standing::Empty | Standing::Feature => "have no values",
    };
    Some(format!("columns {}{more} {what}{hint}", names.join(", ")))
}

impl ColumnLook {
    /// A small histogram.
    fn bars(&self) -> String {
        let counts: Vec<usize> = match &self.numbers {
            Some(numbers) => numbers.histogram.clone(),
            None => self.levels.iter().map(|l| l.rows).collect(),
        };
        let most = counts.iter().copied().max().unwrap_or(0);
        if most == 0 || self.standing == Standing::Identifier {
            return String::new();
        }
        let bar = |count: usize| match count {
            0 => BARS[0],
            // What is there is seen.
            count => BARS[(8 * count).div_ceil(most).clamp(1, 8)],
        };
        let bars: String = counts.into_iter().map(bar).collect();
        format!("{bars:<12}")
    }

    /// What the values are, in a line.
    fn words(&self, rows: usize) -> String {
        match self.standing {
            Standing::Empty => return "no values".to_owned(),
            Standing::Constant => return format!("always {}", self.first()),
            Standing::Identifier => {
                return format!("numbers or names rows, first {}", self.first());
            }
            Standing::Feature => {}
        }
        if let Some(numbers) = &self.numbers {
            return numbers.words(self.kind);
        }
        if !self.levels.is_empty() {
            let known = rows - self.missing;
            let names: Vec<String> = self
                .levels
                .iter()
                .take(6)
                .map(|l| format!("{} {}", fitted(&l.name, 14), percent(l.rows, known)))
                .collect();
            return format!("{}: {}", digits(self.distinct), names.join(", "));
        }
        if let Some(texts) = &self.texts {
            let example: String = texts
                .example
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            return format!("{} different: {example}", digits(self.distinct));
        }
        match self.width {
            Some(width) => format!("{} each", counted(width, "number")),
            None => String::new(),
        }
    }

    fn first(&self) -> String {
        let number = |n: &NumberLook| match self.kind {
            Kind::Date => moment(n.min),
            _ => short(n.min),
        };
        let level = self.levels.first().map(|l| l.name.clone());
        let text = self.texts.as_ref().map(|t| t.example.clone());
        let first = self.numbers.as_ref().map(number).or(level).or(text);
        fitted(&first.unwrap_or_default(), 20)
    }
}

impl NumberLook {
    fn words(&self, kind: Kind) -> String {
        if kind == Kind::Date {
            return format!("{} to {}", moment(self.min), moment(self.max));
        }
        format!(
            "{} to {}, median {}",
            short(self.min),
            short(self.max),
            short(self.median)
        )
    }
}

fn moment(seconds: f64) -> String {
    let text = date::format(seconds).unwrap_or_else(|| number_text(seconds));
    // The day is enough.
    text.get(..10).map_or(text.clone(), str::to_owned)
}

/// Four significant digits; whole numbers up to a million in full.
fn short(value: f64) -> String {
    let magnitude = value.abs();
    if value.fract() == 0.0 && magnitude < 1e7 {
        return number_text(value);
    }
    if !(1e-4..1e7).contains(&magnitude) {
        return format!("{value:.2e}");
    }
    let decimals = (3 - magnitude.log10().floor() as i32).clamp(0, 7) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn percent(part: usize, whole: usize) -> String {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    if part > 0 && share < 0.1 {
        return "<0.1 %".to_owned();
    }
    if share < 10.0 && share.fract() != 0.0 {
        format!("{share:.1} %")
    } else {
        format!("{share:.0} %")
    }
}

/// A count in groups of three digits.
fn digits(count: usize) -> String {
    let text = count.to_string();
    let mut out = String::new();
    for (at, digit) in text.chars().enumerate() {
        if at > 0 && (text.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn counted(count: usize, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {noun}{s}", digits(count))
}

/// A text on one line that fits.
fn fitted(text: &str, width: usize) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if clean.chars().count() <= width {
        return clean;
    }
    let mut cut: String = clean.chars().take(width.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

/// The end of a path that fits.
fn ends(path: &str, width: usize) -> String {
    let length = path.chars().count();
    if length <= width {
        return fitted(path, width);
    }
    let tail: String = path.chars().skip(length - width + 1).collect();
    format!("…{}", fitted(&tail, width))
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "{text}");
}

/// Breaks a text into lines; those that follow are indented as far as the first.
fn wrapped(out: &mut String, lead: &str, text: &str) {
    let indent = " ".repeat(lead.chars().count());
    let mut current = lead.to_owned();
    let mut is_empty = true;
    for word in text.split_whitespace() {
        if !is_empty && current.chars().count() + 1 + word.chars().count() > WIDTH {
            line(out, &current);
            current.clone_from(&indent);
            is_empty = true;
        }
        if !is_empty {
            current.push(' ');
        }
        current.push_str(word);
        is_empty = false;
    }
    line(out, &current);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Categories, Column, Origin, Table, Values};
    use crate::hint::Plain;

    #[test]
    fn lines_fit_a_terminal() {
        let long = "x".repeat(300);
        let names: Vec<String> = (0..40).map(|i| format!("{long}{}", i % 3)).collect();
        let names = Values::Categorical(Categories::from_names(names.iter().map(Some)));
        let texts = Values::Text((0..40).map(|i| Some(format!("{i} a\nb {long}"))).collect());
        let numbers = Values::Numeric((0..40).map(|i| f64::from(i).exp() - 1e17).collect());
        let mut columns = vec![
            Column::new(long.clone(), numbers),
            Column::new("b", names),
            Column::new("c", texts),
        ];
        for i in 0..100 {
            columns.push(Column::new(format!("n{i}"), Values::Numeric(vec![1.0; 40])));
        }
        let origin = Origin {
            name: format!("/{long}/d.csv"),
            lines: Vec::new(),
        };
        let table = Table::try_new(columns, origin).expect("a table");
        let text = TableLook::of(&table, Some("b"))
            .expect("a look")
            .text(&Plain);
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
        assert!(text.contains("d.csv: 40 rows × 103 columns"), "{text}");
        assert!(text.contains("and 63 more: 63 numeric"), "{text}");
        assert!(text.contains("and 92 more"), "{text}");
    }

    #[test]
    fn numbers_are_short() {
        let words = [0.0, 1.0, -2.5, 1234.567, 1e300, 1e-9, 123_456.0].map(short);
        assert_eq!(
            words,
            ["0", "1", "-2.5", "1235", "1.00e300", "1.00e-9", "123456"]
        );
        assert_eq!(percent(1, 100_000), "<0.1 %");
        assert_eq!(
            (percent(1, 3), percent(1, 20), percent(1, 30)),
            ("33 %".into(), "5 %".into(), "3.3 %".into())
        );
        assert_eq!(digits(1_234_567), "1,234,567");
    }
}
