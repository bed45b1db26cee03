//! A figure that is laid out.

use super::paint::Paint;
use super::shape::{Item, Shape, Words};

/// A figure with all its shapes at their places; what remains is to choose colours and write it.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// What it shows; stands above it where the figure stands alone.
    pub(crate) title: String,
    /// How to read it; stands below the title.
    pub(crate) note: String,
    pub(crate) kind: Kind,
    pub(crate) items: Vec<Item>,
}

/// How a drawing stands in a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A figure of its own.
    Figure,
    /// A bar in a table cell, beside the number it shows.
    Strip,
    /// The same, as wide as its room.
    Stretched,
    /// A sign beside words.
    Sign,
}

impl Drawing {
    pub(crate) fn new(width: f64, height: f64, title: impl Into<String>) -> Self {
        Self {
            width: width.max(1.0),
            height: height.max(1.0),
            title: title.into(),
            note: String::new(),
            kind: Kind::Figure,
            items: Vec::new(),
        }
    }

    pub(crate) fn noted(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    pub(crate) fn of_kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Adds a shape; a line without points leaves no trace.
    pub(crate) fn paint(&mut self, shape: Shape, paint: Paint) {
        if matches!(&shape, Shape::Path(path) if path.is_empty()) {
            return;
        }
        self.items.push(Item::Painted {
            shape,
            paint,
            tip: None,
        });
    }

    pub(crate) fn paint_told(&mut self, shape: Shape, paint: Paint, tip: impl Into<String>) {
        self.items.push(Item::Painted {
            shape,
            paint,
            tip: Some(tip.into()),
        });
    }

    pub(crate) fn line(&mut self, from: [f64; 2], to: [f64; 2], paint: Paint) {
        self.paint(Shape::Line { from, to }, paint);
    }

    pub(crate) fn alike(&mut self, shapes: Vec<Shape>, paint: Paint) {
        if !shapes.is_empty() {
            self.items.push(Item::Alike { shapes, paint });
        }
    }

    pub(crate) fn words(&mut self, words: Words) {
        if !words.text.is_empty() {
            self.items.push(Item::Words(words));
        }
    }

    /// Puts another drawing into this one.
    pub(crate) fn insert(&mut self, drawing: Self, at: [f64; 2]) {
        self.items.push(Item::Moved {
            by: at,
            items: drawing.items,
        });
    }
}
