//! Titles of figures that stand alone.

use super::picture::Drawing;
use super::shape::Words;
use crate::measure;
use crate::palette::Base;

/// Space around a figure that stands alone.
const MARGIN: f64 = 14.0;
const TITLE: f64 = 16.0;
const NOTE: f64 = 12.0;
/// Titles are not broken for less than this.
const LEAST: f64 = 240.0;

impl Drawing {
    /// Returns the figure with its title and note above it, and a margin around it.
    pub(crate) fn headed(&self) -> Self {
        // A small figure stands in the middle below its title.
        let inner = if self.title.is_empty() {
            self.width
        } else {
            self.width.max(LEAST)
        };
        let width = inner + 2.0 * MARGIN;
        let mut whole = Self::new(width, 0.0, &self.title);
        let mut y = MARGIN;
        for line in measure::lines(&self.title, TITLE * measure::BOLD, inner) {
            let line = measure::fitted(&line, TITLE * measure::BOLD, inner);
            let at = [MARGIN, y + TITLE];
            whole.words(Words::new(line, at, TITLE, Base::Ink).bold());
            y += TITLE + 6.0;
        }
        for line in measure::lines(&self.note, NOTE, inner) {
            let line = measure::fitted(&line, NOTE, inner);
            whole.words(Words::new(line, [MARGIN, y + NOTE], NOTE, Base::Soft));
            y += NOTE + 5.0;
        }
        if y > MARGIN {
            y += 6.0;
        }
        whole.insert(self.clone(), [MARGIN + (inner - self.width) / 2.0, y]);
        whole.height = y + self.height + MARGIN;
        whole
    }
}
