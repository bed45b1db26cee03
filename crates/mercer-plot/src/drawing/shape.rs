//! What drawings are made of.

use super::paint::Paint;
use super::path::Path;
use crate::palette::Tone;

/// A shape at its place, in pixels from the upper left corner.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    Rectangle {
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        /// Radius of the corners.
        round: f64,
    },
    Circle {
        x: f64,
        y: f64,
        radius: f64,
    },
    Line {
        from: [f64; 2],
        to: [f64; 2],
    },
    Path(Path),
}

/// Which part of a text its place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Anchor {
    #[default]
    Start,
    Middle,
    End,
}

/// Words at a place on their base line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Words {
    pub(crate) text: String,
    pub(crate) at: [f64; 2],
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    pub(crate) tone: Tone,
    pub(crate) bold: bool,
    /// Whether they run upwards.
    pub(crate) upwards: bool,
    pub(crate) opacity: f64,
    /// What a pointer reads, such as the whole of a name that was cut.
    pub(crate) tip: Option<String>,
    /// Smaller and softer words behind these, wherever these end.
    pub(crate) remark: String,
}

impl Words {
    pub(crate) fn new(
        text: impl Into<String>,
        at: [f64; 2],
        size: f64,
        tone: impl Into<Tone>,
    ) -> Self {
        Self {
            text: text.into(),
            at,
            size,
            anchor: Anchor::Start,
            tone: tone.into(),
            bold: false,
            upwards: false,
            opacity: 1.0,
            tip: None,
            remark: String::new(),
        }
    }

    pub(crate) fn middle(self) -> Self {
        self.anchored(Anchor::Middle)
    }

    pub(crate) fn end(self) -> Self {
        self.anchored(Anchor::End)
    }

    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(crate) fn bold(self) -> Self {
        self.weight(true)
    }

    pub(crate) fn weight(self, bold: bool) -> Self {
        Self { bold, ..self }
    }

    pub(crate) fn upwards(self) -> Self {
        Self {
            upwards: true,
            ..self
        }
    }

    pub(crate) fn faint(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    pub(crate) fn remark(self, remark: impl Into<String>) -> Self {
        Self {
            remark: remark.into(),
            ..self
        }
    }

    pub(crate) fn tip(self, tip: impl Into<String>) -> Self {
        Self {
            tip: Some(tip.into()),
            ..self
        }
    }
}

/// One thing of a drawing, in front of those before it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Item {
    Painted {
        shape: Shape,
        paint: Paint,
        tip: Option<String>,
    },
    /// Many shapes of one paint.
    Alike {
        shapes: Vec<Shape>,
        paint: Paint,
    },
    Words(Words),
    /// A drawing inside a drawing.
    Moved {
        by: [f64; 2],
        items: Vec<Item>,
    },
    /// What belongs together under one tip.
    Group {
        tip: String,
        items: Vec<Item>,
    },
}
