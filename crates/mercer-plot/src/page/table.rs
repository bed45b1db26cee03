//! Tables, aligned by column.

use crate::markup::{Element, Markup, element};
use crate::palette::{Base, Tone};
use crate::sheet;

/// One column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    title: Markup,
    class: &'static str,
    names: bool,
    tip: Option<String>,
}

impl Column {
    fn of(title: impl Into<Markup>, class: &'static str, names: bool) -> Self {
        Self {
            title: title.into(),
            class,
            names,
            tip: None,
        }
    }

    /// Words.
    pub fn text(title: impl Into<Markup>) -> Self {
        Self::of(title, "", false)
    }

    /// Numbers, aligned at the right.
    pub fn number(title: impl Into<Markup>) -> Self {
        Self::of(title, "num", false)
    }

    /// Small figures.
    pub fn figure() -> Self {
        Self::of("", "bar", false)
    }

    /// The name of each row.
    pub fn names(title: impl Into<Markup>) -> Self {
        Self::of(title, "", true)
    }

    /// Sets the classes of the title and of every cell.
    #[must_use]
    pub fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// Sets what a pointer reads at the title.
    #[must_use]
    pub fn tip(mut self, tip: impl Into<String>) -> Self {
        self.tip = Some(tip.into());
        self
    }
}

/// What stands in one place of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableCell {
    content: Markup,
    class: &'static str,
    tip: Option<String>,
    shade: Option<Tone>,
}

/// Returns a cell with text or markup.
pub fn cell(content: impl Into<Markup>) -> TableCell {
    TableCell {
        content: content.into(),
        class: "",
        tip: None,
        shade: None,
    }
}

impl TableCell {
    /// Adds classes to those of the column.
    #[must_use]
    pub fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// Sets what a pointer reads.
    #[must_use]
    pub fn tip(mut self, tip: impl Into<String>) -> Self {
        self.tip = Some(tip.into());
        self
    }

    /// Colours the cell like a series, by a depth from 0 to 1; its letters stay readable.
    #[must_use]
    pub fn shaded(mut self, series: usize, depth: f64) -> Self {
        self.shade = Some(Tone::mix(Base::series(series), Base::Back, depth));
        self
    }

    fn element(self, column: Option<&Column>) -> Element {
        let mut made = match column {
            Some(column) if column.names => element("th").attribute("scope", "row"),
            _ => element("td"),
        };
        made = made.class(column.map_or("", |c| c.class)).class(self.class);
        if let Some(tip) = &self.tip {
            made = made.tip(tip);
        }
        if let Some(tone) = self.shade {
            made = made.style(&sheet::ground(tone));
        }
        made.child(self.content)
    }
}

/// A table under construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    class: &'static str,
    columns: Vec<Column>,
    rows: Markup,
    scrolls: bool,
    styled: bool,
}

impl Table {
    /// A table without rows. Without any title there is no line for titles.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self {
            class: "",
            columns: columns.into_iter().collect(),
            rows: Markup::new(),
            scrolls: false,
            styled: true,
        }
    }

    /// Sets the classes of the table.
    #[must_use]
    pub fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// Lets the table be wider than the page.
    #[must_use]
    pub fn scrolling(mut self) -> Self {
        self.scrolls = true;
        self
    }

    /// Aligns cells without a style sheet, for somebody else's page.
    #[must_use]
    pub fn unstyled(mut self) -> Self {
        self.styled = false;
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = TableCell>) {
        let cells = cells.into_iter().enumerate();
        let cells = cells.map(|(k, cell)| {
            let column = self.columns.get(k);
            self.aligned(cell.element(column), column)
        });
        let row = element("tr").children(cells);
        self.rows.push(row);
    }

    fn aligned(&self, place: Element, column: Option<&Column>) -> Element {
        match column {
            _ if self.styled => place,
            Some(column) if column.class == "num" => place.style("text-align:right"),
            _ => place.style("text-align:left"),
        }
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl From<Table> for Markup {
    fn from(table: Table) -> Self {
        let titles = table.columns.iter().map(|column| {
            let title = element("th").class(column.class);
            let title = match &column.tip {
                Some(tip) => title.tip(tip),
                None => title,
            };
            table
                .aligned(title, Some(column))
                .child(column.title.clone())
        });
        let titled = table.columns.iter().any(|column| !column.title.is_empty());
        let head = titled.then(|| element("thead").child(element("tr").children(titles)));
        let made = element("table")
            .class(table.class)
            .child(head)
            .child(element("tbody").child(table.rows.clone()));
        if table.scrolls {
            element("div").class("scroll").child(made).into()
        } else {
            made.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_aligned_by_column() {
        let mut table = Table::new([Column::names(""), Column::number("n").tip("a <count>")]);
        assert!(table.is_empty());
        table.row([
            cell("<a>").tip("\"a\""),
            cell("1").class("strong").shaded(1, 0.5),
        ]);
        assert_eq!(
            Markup::from(table).as_str(),
            "<table><thead><tr><th></th><th title=\"a &lt;count&gt;\" class=\"num\">n</th></tr>\n</thead>\
             <tbody><tr><th scope=\"row\" title=\"&quot;a&quot;\">&lt;a&gt;</th>\
             <td style=\"background:color-mix(in srgb,var(--c1) 50%,var(--back));color:var(--letters-dl)\" class=\"num strong\">1</td></tr>\n</tbody></table>\n"
        );
    }

    #[test]
    fn tables_without_titles_have_no_head() {
        let mut table = Table::new([Column::text("")]).class("plain").scrolling();
        table.row([cell("a"), cell("beyond the columns")]);
        let text = Markup::from(table).into_string();
        assert!(text.starts_with("<div class=\"scroll\"><table class=\"plain\"><tbody>"));
    }

    #[test]
    fn cells_can_be_aligned_without_a_style_sheet() {
        let mut table = Table::new([Column::names("a"), Column::number("b")]).unstyled();
        table.row([cell("c"), cell("1")]);
        let text = Markup::from(table).into_string();
        assert_eq!(text.matches("text-align:left").count(), 2);
        assert_eq!(text.matches("text-align:right").count(), 2);
    }
}
