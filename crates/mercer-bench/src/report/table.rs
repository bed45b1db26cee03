//! Tables in Markdown.

/// A table whose first column is text and whose others are numbers.
#[derive(Debug, Default)]
pub(crate) struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with the given headings.
    pub(crate) fn new(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            head: head.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; missing cells stay empty.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = impl Into<String>>) {
        let mut row: Vec<String> = row.into_iter().map(Into::into).collect();
        row.resize(self.head.len(), String::new());
        self.rows.push(row);
    }

    /// Whether there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as text.
    pub(crate) fn text(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut out = line(&self.head);
        out.push_str("|---|");
        out.push_str(&"---:|".repeat(self.head.len().saturating_sub(1)));
        out.push('\n');
        for row in &self.rows {
            out.push_str(&line(row));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_complete() {
        let mut table = Table::new(["case", "a", "b"]);
        assert!(table.is_empty());
        table.push(["x|y", "1"]);
        let wanted = "| case | a | b |\n|---|---:|---:|\n| x\\|y | 1 |  |\n";
        assert_eq!(table.text(), wanted);
    }
}
