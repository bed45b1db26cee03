//! How many cells the sheets of an `OpenDocument` workbook have, before they are laid out.
//!
//! A file of a few bytes may repeat a cell and a row a million times each; the decoder lays all of
//! them out. Counting needs only the tags of rows and cells and how often they are repeated.

/// The cells that all sheets take together, gaps included.
pub(super) fn cells(content: &[u8]) -> u64 {
    let mut all = 0_u64;
    let mut sheet = Sheet::default();
    let mut row: Option<Row> = None;
    let mut rest = content;
    while let Some(start) = rest.iter().position(|&b| b == b'<') {
        rest = &rest[start + 1..];
        let end = rest.iter().position(|&b| b == b'>').unwrap_or(rest.len());
        let tag = &rest[..end];
        if tag.starts_with(b"table:table-row") && !tag.starts_with(b"table:table-rows") {
            row = Some(Row {
                repeats: repeats(tag, b"table:number-rows-repeated"),
                ..Row::default()
            });
        } else if tag.starts_with(b"table:table-cell")
            || tag.starts_with(b"table:covered-table-cell")
        {
            if let Some(row) = &mut row {
                row.width += repeats(tag, b"table:number-columns-repeated");
                let attributes = tag.windows(7).any(|w| w == b"office:" || w == b"table:f");
                if attributes || !tag.ends_with(b"/") {
                    row.filled = row.width;
                }
            }
        } else if tag.starts_with(b"/table:table-row") {
            if let Some(row) = row.take() {
                sheet.add(&row);
            }
        } else if tag == b"/table:table" {
            all = all.saturating_add(std::mem::take(&mut sheet).cells());
        }
        rest = &rest[end..];
    }
    all.saturating_add(sheet.cells())
}

#[derive(Default)]
struct Row {
    repeats: u64,
    width: u64,
    /// The width up to the last cell that holds something.
    filled: u64,
}

#[derive(Default)]
struct Sheet {
    rows: u64,
    /// The rows up to the last that holds something.
    filled: u64,
    width: u64,
}

impl Sheet {
    fn add(&mut self, row: &Row) {
        self.rows = self.rows.saturating_add(row.repeats);
        if row.filled > 0 {
            self.filled = self.rows;
            self.width = self.width.max(row.filled);
        }
    }

    fn cells(&self) -> u64 {
        self.filled.saturating_mul(self.width)
    }
}

/// The number in an attribute, 1 without it.
fn repeats(tag: &[u8], name: &[u8]) -> u64 {
    let Some(at) = tag.windows(name.len()).position(|w| w == name) else {
        return 1;
    };
    let digits = tag[at + name.len()..]
        .iter()
        .skip_while(|b| !b.is_ascii_digit())
        .take_while(|b| b.is_ascii_digit());
    digits.fold(0_u64, |sum, b| {
        sum.saturating_mul(10).saturating_add(u64::from(b - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_cells_count() {
        let sheet = |rows: &str| format!("<table:table table:name=\"a\">{rows}</table:table>");
        let cell = "<table:table-cell office:value=\"1\" table:number-columns-repeated=\"1000\"/>";
        let gap = "<table:table-cell table:number-columns-repeated=\"16000\"/>";
        let row = |repeats: u32, cells: &str| {
            format!(
                "<table:table-row table:number-rows-repeated=\"{repeats}\">{cells}</table:table-row>"
            )
        };
        // What is empty at the end takes nothing, as programs leave it.
        let honest = sheet(&format!(
            "{}{}",
            row(2, &format!("{cell}{gap}")),
            row(1_000_000, gap)
        ));
        assert_eq!(cells(honest.as_bytes()), 2000);
        let hostile = sheet(&format!("{}{}", row(1_000_000, cell), row(1, cell)));
        assert_eq!(cells(hostile.as_bytes()), 1_000_001_000);
        assert_eq!(cells(b"<table:table-row"), 0);
    }
}
