//! Scores over two settings, as a map of cells.

use std::fmt::Write as _;

use super::super::text::escape;

/// One cell of the map.
pub(in super::super) struct Cell {
    /// Place on the horizontal axis.
    pub(in super::super) column: usize,
    /// Place on the vertical axis, from below.
    pub(in super::super) row: usize,
    /// How good the score is, from 0 to 1.
    pub(in super::super) depth: f64,
    /// The score in a few characters.
    pub(in super::super) text: String,
    /// What the pointer reads.
    pub(in super::super) title: String,
    /// Whether the point was given up early.
    pub(in super::super) pale: bool,
    /// Whether it is the best point.
    pub(in super::super) best: bool,
}

const LEFT: f64 = 76.0;
const BOTTOM: f64 = 50.0;
const TOP: f64 = 8.0;
const WIDTH: f64 = 760.0;

/// Draws the map; names and ticks of the axes come as text.
pub(in super::super) fn heat_map(
    names: [&str; 2],
    ticks: [&[String]; 2],
    cells: &[Cell],
) -> String {
    let (columns, rows) = (ticks[0].len().max(1), ticks[1].len().max(1));
    let wide = (WIDTH - LEFT - 8.0) / columns as f64;
    let high = (wide * 0.62).clamp(22.0, 44.0);
    let bottom = TOP + high * rows as f64;
    let height = bottom + BOTTOM;
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"Scores over {0} and {1}\"><title>Scores over {0} and {1}</title>",
        escape(names[0]),
        escape(names[1])
    );
    let mut front = String::new();
    for cell in cells {
        let x = LEFT + wide * cell.column as f64;
        let y = bottom - high * (cell.row + 1) as f64;
        let deep = if cell.depth > 0.55 { " deep" } else { "" };
        let pale = if cell.pale { " faint" } else { "" };
        let _ = write!(
            svg,
            "<g><title>{}</title><rect class=\"heat\" style=\"--depth:{:.3}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\"/>",
            escape(&cell.title),
            cell.depth.clamp(0.0, 1.0),
            x + 1.0,
            y + 1.0,
            wide - 2.0,
            high - 2.0
        );
        if columns <= 14 {
            let _ = write!(
                svg,
                "<text class=\"tick middle value{deep}{pale}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + wide / 2.0,
                y + high / 2.0 + 3.5,
                escape(&cell.text)
            );
        }
        svg += "</g>";
        if cell.best {
            let _ = write!(
                front,
                "<rect class=\"ring c1\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" rx=\"4\"/>"
            );
        }
    }
    svg += &front;
    // Ticks that would touch each other are thinned out.
    let every = columns.div_ceil(14);
    for (k, tick) in ticks[0].iter().enumerate().step_by(every) {
        let _ = write!(
            svg,
            "<text class=\"tick middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            LEFT + wide * (k as f64 + 0.5),
            bottom + 16.0,
            escape(tick)
        );
    }
    for (k, tick) in ticks[1].iter().enumerate() {
        let _ = write!(
            svg,
            "<text class=\"tick end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            LEFT - 8.0,
            bottom - high * (k as f64 + 0.5) + 3.5,
            escape(tick)
        );
    }
    let _ = writeln!(
        svg,
        "<text class=\"name middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\
         <text class=\"name middle\" transform=\"translate(12 {:.1}) rotate(-90)\">{}</text></svg>",
        f64::midpoint(LEFT, WIDTH),
        height - 8.0,
        escape(names[0]),
        f64::midpoint(TOP, bottom),
        escape(names[1])
    );
    svg
}
