//! How a shape is painted.

use crate::palette::{Base, Tone};

/// Fill and stroke of a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Paint {
    pub(crate) fill: Option<Tone>,
    /// How much of what lies behind the fill it hides.
    pub(crate) fill_opacity: f64,
    pub(crate) stroke: Option<Tone>,
    pub(crate) stroke_width: f64,
    pub(crate) dash: Dash,
    pub(crate) opacity: f64,
}

/// How a line is broken. Series differ in it, so that they can be told apart without colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Dash {
    #[default]
    Solid,
    /// Reference lines.
    Rule,
    /// A line of a series or of a weight below zero.
    Long,
    Short,
    Mixed,
}

impl Dash {
    /// The pattern of a series.
    pub(crate) fn of_series(number: usize) -> Self {
        match number % 4 {
            0 => Self::Solid,
            1 => Self::Long,
            2 => Self::Short,
            _ => Self::Mixed,
        }
    }

    /// Lengths of strokes and gaps.
    pub(crate) fn pattern(self) -> Option<&'static str> {
        match self {
            Self::Solid => None,
            Self::Rule => Some("4 4"),
            Self::Long => Some("7 3"),
            Self::Short => Some("2.5 2.5"),
            Self::Mixed => Some("8 3 2 3"),
        }
    }
}

const NONE: Paint = Paint {
    fill: None,
    fill_opacity: 1.0,
    stroke: None,
    stroke_width: 1.0,
    dash: Dash::Solid,
    opacity: 1.0,
};

impl Paint {
    /// A plain surface.
    pub(crate) fn fill(tone: impl Into<Tone>) -> Self {
        Self {
            fill: Some(tone.into()),
            ..NONE
        }
    }

    /// A line.
    pub(crate) fn stroke(tone: impl Into<Tone>, width: f64) -> Self {
        Self {
            stroke: Some(tone.into()),
            stroke_width: width,
            ..NONE
        }
    }

    /// Adds an outline.
    pub(crate) fn outlined(self, tone: impl Into<Tone>, width: f64) -> Self {
        Self {
            stroke: Some(tone.into()),
            stroke_width: width,
            ..self
        }
    }

    pub(crate) fn dashed(self, dash: Dash) -> Self {
        Self { dash, ..self }
    }

    /// Lets what lies behind the fill shine through.
    pub(crate) fn translucent(self, fill_opacity: f64) -> Self {
        Self {
            fill_opacity,
            ..self
        }
    }

    /// Lets what lies behind fill and stroke shine through.
    pub(crate) fn faint(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }

    /// A line of the grid.
    pub(crate) fn grid() -> Self {
        Self::stroke(Base::Line, 1.0)
    }

    /// A line with ticks.
    pub(crate) fn axis() -> Self {
        Self::stroke(Base::Soft, 1.0)
    }

    /// A thin line behind those that count.
    pub(crate) fn behind() -> Self {
        Self::stroke(Base::Soft, 1.0).faint(0.6)
    }

    /// A line between regions; dashed where it runs beside the border.
    pub(crate) fn border(dashed: bool) -> Self {
        if dashed {
            Self::stroke(Base::Ink, 1.3).dashed(Dash::Rule)
        } else {
            Self::stroke(Base::Ink, 1.9)
        }
    }

    /// A line to compare with.
    pub(crate) fn rule() -> Self {
        Self::stroke(Base::Soft, 1.3).dashed(Dash::Rule)
    }
}
