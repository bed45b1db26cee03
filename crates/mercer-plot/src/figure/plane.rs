//! Two axes with layers of marks between them.

use super::Figure;
use super::frame::Frame;
use super::layer;
use crate::axis::Scale;
use crate::drawing::{Drawing, Entry, below, legend};

/// A figure with two axes.
///
/// ```
/// use mercer_plot::{Axis, Figure, Layer, Mark, Plane};
///
/// let line = Layer::new("x²", 0, Mark::Line((0..9).map(|x| [x.into(), (x * x).into()]).collect()));
/// let figure = Plane::new("A parabola").x(Axis::named("x")).layer(line);
/// assert!(figure.to_svg().contains("A parabola"));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plane {
    /// What it shows.
    pub title: String,
    /// How to read it; stands below the title.
    pub note: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, from back to front.
    pub layers: Vec<Layer>,
    /// How much room it takes.
    pub size: Size,
}

/// How much room a figure takes in a page.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Size {
    /// The width of a page, less high than wide.
    #[default]
    Wide,
    /// Half of it, nearly square.
    Half,
    /// Width and height in pixels.
    Pixels(f64, f64),
}

impl Size {
    /// Width and height in pixels.
    pub(crate) fn pixels(self) -> [f64; 2] {
        match self {
            Self::Wide => [760.0, 300.0],
            Self::Half => [370.0, 340.0],
            // Axes and names take this much at least.
            Self::Pixels(width, height) => [width, height].map(|length| {
                if length.is_finite() {
                    length.clamp(160.0, 4000.0)
                } else {
                    160.0
                }
            }),
        }
    }
}

/// One axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// What is measured along it.
    pub name: String,
    /// How values are spread over it.
    pub scale: Scale,
    /// Where it ends; round numbers around the data where it is not said.
    pub ends: Option<[f64; 2]>,
    /// A value that it reaches whatever the data are, such as 0 for counts.
    pub from: Option<f64>,
    /// Whether it has no ticks: places matter, not numbers.
    pub bare: bool,
    /// Names in the place of numbers: the first stands at 0, the next at 1. Empty where numbers matter.
    pub names: Vec<String>,
}

impl Axis {
    /// An axis around the data.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Sets the scale.
    #[must_use]
    pub fn scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// Sets the ends.
    #[must_use]
    pub fn between(mut self, low: f64, high: f64) -> Self {
        self.ends = Some([low, high]);
        self
    }

    /// Sets a value that the axis reaches.
    #[must_use]
    pub fn reaching(mut self, value: f64) -> Self {
        self.from = Some(value);
        self
    }

    /// Sets names in the place of numbers, from 0 on.
    #[must_use]
    pub fn listing(mut self, names: Vec<String>) -> Self {
        self.names = names;
        self
    }

    /// Leaves out the ticks.
    #[must_use]
    pub fn bare(mut self) -> Self {
        self.bare = true;
        self
    }
}

/// Marks of one series.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// Its name in the legend; without one it is not in it.
    pub name: String,
    /// A remark beside the name, such as a count.
    pub remark: String,
    /// Which series it is: colour, shape of marks and dashes follow from it.
    pub series: usize,
    /// What is drawn.
    pub mark: Mark,
}

impl Layer {
    /// Marks with a name.
    pub fn new(name: impl Into<String>, series: usize, mark: Mark) -> Self {
        Self {
            name: name.into(),
            remark: String::new(),
            series,
            mark,
        }
    }

    /// Marks that the legend does not name.
    pub fn unnamed(series: usize, mark: Mark) -> Self {
        Self::new("", series, mark)
    }

    /// Sets the remark beside the name.
    #[must_use]
    pub fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remark = remark.into();
        self
    }
}

/// What a layer draws. Places that are not finite are left out.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line(Vec<[f64; 2]>),
    /// The area between a line and the lower axis.
    Area(Vec<[f64; 2]>),
    /// The area between two lines: a place, and the ends there.
    Band(Vec<[f64; 3]>),
    /// Many small spots that may cover each other.
    Spots(Vec<[f64; 2]>),
    /// Points that are looked at one by one.
    Points {
        /// Their places.
        at: Vec<[f64; 2]>,
        /// How far they may be off, up and down; may be empty.
        errors: Vec<f64>,
        /// Whether a line joins them.
        joined: bool,
    },
    /// One point that stands out.
    Best([f64; 2]),
    /// The outline of a histogram.
    Steps {
        /// Where the first step begins.
        left: f64,
        /// How wide each is.
        width: f64,
        /// How high each is.
        heights: Vec<f64>,
    },
    /// Columns of a histogram, beside those of other series.
    Columns {
        /// Where the first bin begins.
        left: f64,
        /// How wide each bin is.
        width: f64,
        /// How high each column is.
        heights: Vec<f64>,
        /// What stands on each column; may be empty.
        labels: Vec<String>,
        /// Which of how many columns of a bin it is.
        place: [usize; 2],
    },
    /// A dashed line to compare with.
    Rule([[f64; 2]; 2]),
    /// Lines that are many and thin, of no series.
    Faint(Vec<Vec<[f64; 2]>>),
    /// Pale surfaces, each by its corners.
    Regions(Vec<Vec<[f64; 2]>>),
    /// Lines between regions, of no series.
    Border {
        /// The lines.
        lines: Vec<Vec<[f64; 2]>>,
        /// Whether they are dashed.
        dashed: bool,
    },
    /// Rings around points.
    Rings(Vec<[f64; 2]>),
    /// Crosses over points.
    Crosses(Vec<[f64; 2]>),
    /// Short ticks above the lower axis, where rows are.
    Rug(Vec<f64>),
}

impl Plane {
    /// An empty figure.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    /// Sets how to read it.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// Sets the horizontal axis.
    #[must_use]
    pub fn x(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// Sets the vertical axis.
    #[must_use]
    pub fn y(mut self, axis: Axis) -> Self {
        self.y = axis;
        self
    }

    /// Sets how much room it takes.
    #[must_use]
    pub fn size(mut self, size: Size) -> Self {
        self.size = size;
        self
    }

    /// Adds marks in front of the others.
    #[must_use]
    pub fn layer(mut self, layer: Layer) -> Self {
        self.layers.push(layer);
        self
    }

    /// Lays out axes and marks, without the legend.
    pub(crate) fn body(&self) -> Drawing {
        let frame = Frame::new(self);
        let [width, height] = self.size.pixels();
        let mut drawing = Drawing::new(width, height, "");
        frame.grid(&mut drawing);
        for layer in &self.layers {
            layer::draw(&mut drawing, layer, &frame);
        }
        frame.labels(&mut drawing);
        drawing
    }
}

impl Figure for Plane {
    fn drawing(&self) -> Drawing {
        let entries: Vec<Entry> = self
            .layers
            .iter()
            .filter(|layer| !layer.name.is_empty())
            .map(|layer| Entry {
                name: layer.name.clone(),
                remark: layer.remark.clone(),
                series: layer.series,
                key: layer::key(&layer.mark),
            })
            .collect();
        let key = legend(&entries, self.size.pixels()[0]);
        let mut whole = below(vec![self.body(), key]);
        whole.title.clone_from(&self.title);
        whole.noted(&self.note)
    }
}
