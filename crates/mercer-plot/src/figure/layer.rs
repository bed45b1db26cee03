//! Drawing the marks of a layer.

use super::frame::Frame;
use super::plane::{Layer, Mark};
use crate::drawing::{Dash, Drawing, Key, Paint, Path, Shape, Words, cross, marker, ring};
use crate::palette::{Base, Tone};

/// The points that the axes have to reach.
pub(super) fn reach(mark: &Mark) -> Vec<[f64; 2]> {
    match mark {
        Mark::Line(points)
        | Mark::Area(points)
        | Mark::Spots(points)
        | Mark::Rings(points)
        | Mark::Crosses(points) => points.clone(),
        Mark::Faint(lines) | Mark::Regions(lines) | Mark::Border { lines, .. } => lines.concat(),
        Mark::Band(ends) => {
            let each = ends.iter().map(|&[x, low, high]| [[x, low], [x, high]]);
            each.flatten().collect()
        }
        Mark::Points { at, errors, .. } => {
            let mut all = at.clone();
            for (&[x, y], &error) in at.iter().zip(errors) {
                if error.is_finite() {
                    all.extend([[x, y - error], [x, y + error]]);
                }
            }
            all
        }
        Mark::Best(point) => vec![*point],
        Mark::Steps {
            left,
            width,
            heights,
        }
        | Mark::Columns {
            left,
            width,
            heights,
            ..
        } => {
            let right = left + width * heights.len() as f64;
            let tallest = heights.iter().copied().filter(|h| h.is_finite());
            let tallest = tallest.fold(0.0, f64::max);
            vec![[*left, 0.0], [right, tallest]]
        }
        // What is compared with does not stretch the axes, unless it is a threshold: a line
        // straight up, which has to be seen.
        Mark::Rule([from, to]) if from[0] == to[0] => vec![[from[0], f64::NAN]],
        Mark::Rug(places) => places.iter().map(|x| [*x, f64::NAN]).collect(),
        Mark::Rule(_) => Vec::new(),
    }
}

/// What stands for a mark in the legend.
pub(super) fn key(mark: &Mark) -> Key {
    match mark {
        Mark::Line(_) | Mark::Rule(_) | Mark::Rug(_) => Key::Line,
        Mark::Points { joined: true, .. } => Key::Points,
        Mark::Steps { .. } | Mark::Area(_) | Mark::Band(_) => Key::Outline,
        Mark::Spots(_) | Mark::Points { .. } | Mark::Best(_) => Key::Mark,
        Mark::Columns { .. } | Mark::Regions(_) => Key::Box,
        Mark::Faint(_) => Key::Faint,
        Mark::Border { dashed, .. } => Key::Border { dashed: *dashed },
        Mark::Rings(_) => Key::Ring,
        Mark::Crosses(_) => Key::Cross,
    }
}

/// Draws a layer.
pub(super) fn draw(drawing: &mut Drawing, layer: &Layer, frame: &Frame<'_>) {
    let tone = Base::series(layer.series);
    let dash = Dash::of_series(layer.series);
    match &layer.mark {
        Mark::Line(points) => {
            let path = Path::through(frame.places(points));
            drawing.paint(Shape::Path(path), Paint::stroke(tone, 2.0).dashed(dash));
        }
        Mark::Area(points) => {
            let mut around = frame.places(points);
            if let (Some(&[first, _]), Some(&[last, _])) = (around.first(), around.last()) {
                around.extend([[last, frame.bottom], [first, frame.bottom]]);
                let path = Path::around(around);
                drawing.paint(Shape::Path(path), Paint::fill(tone).translucent(0.14));
            }
        }
        Mark::Band(ends) => {
            let finite = ends
                .iter()
                .filter(|ends| ends.iter().all(|v| v.is_finite()));
            let sides: [Vec<[f64; 2]>; 2] =
                [1, 2].map(|side| finite.clone().map(|ends| [ends[0], ends[side]]).collect());
            let mut around = frame.places(&sides[1]);
            around.extend(frame.places(&sides[0]).into_iter().rev());
            if around.len() > 2 {
                let path = Path::around(around);
                drawing.paint(Shape::Path(path), Paint::fill(tone).translucent(0.2));
            }
        }
        Mark::Spots(points) => {
            let spots = frame.places(points).into_iter();
            let spots = spots.map(|at| marker(layer.series, at, 2.6)).collect();
            drawing.alike(spots, Paint::fill(tone).translucent(0.55));
        }
        Mark::Points { at, errors, joined } => {
            if *joined {
                let path = Path::through(frame.places(at));
                drawing.paint(Shape::Path(path), Paint::stroke(tone, 1.8).dashed(dash));
            }
            let bars = at.iter().zip(errors).filter_map(|(&[x, y], &error)| {
                let error = error.is_finite().then_some(error)?;
                Some(Shape::Line {
                    from: frame.place([x, y - error])?,
                    to: frame.place([x, y + error])?,
                })
            });
            drawing.alike(bars.collect(), Paint::stroke(tone, 1.2));
            let marks = frame.places(at).into_iter();
            let marks = marks.map(|at| marker(layer.series, at, 4.0)).collect();
            drawing.alike(marks, Paint::fill(tone).outlined(Base::Card, 1.2));
        }
        Mark::Best(point) => {
            if let Some(at) = frame.place(*point) {
                let paint = Paint::fill(tone).outlined(Base::Card, 1.5);
                drawing.paint(marker(layer.series, at, 6.0), paint);
            }
        }
        Mark::Steps {
            left,
            width,
            heights,
        } => steps(drawing, [*left, *width], heights, layer.series, frame),
        Mark::Columns {
            left,
            width,
            heights,
            labels,
            place,
        } => columns(
            drawing,
            [*left, *width],
            heights,
            labels,
            *place,
            tone,
            frame,
        ),
        Mark::Rule([from, to]) => rule(drawing, *from, *to, frame),
        Mark::Faint(lines) => {
            drawing.paint(paths(lines, frame), Paint::behind());
        }
        Mark::Regions(outlines) => {
            // A line of the same colour closes the seams between pieces.
            let pale = Tone::mix(tone, Base::Card, 0.16);
            drawing.paint(
                paths(outlines, frame),
                Paint::fill(pale).outlined(pale, 0.7),
            );
        }
        Mark::Border { lines, dashed } => {
            drawing.paint(paths(lines, frame), Paint::border(*dashed));
        }
        Mark::Rug(places) => {
            const HIGH: f64 = 7.0;
            let ticks = places.iter().filter_map(|x| {
                let x = frame.left + frame.x.place(*x)? * (frame.right - frame.left);
                Some(Shape::Line {
                    from: [x, frame.bottom],
                    to: [x, frame.bottom - HIGH],
                })
            });
            drawing.alike(ticks.collect(), Paint::stroke(Base::Soft, 1.2));
        }
        Mark::Rings(points) => {
            let rings = frame.places(points).into_iter().map(ring).collect();
            drawing.alike(rings, Paint::stroke(Base::Ink, 1.3));
        }
        Mark::Crosses(points) => {
            // Light below dark, so that a cross is seen on any mark.
            let crosses = cross(frame.places(points));
            drawing.paint(crosses.clone(), Paint::stroke(Base::Card, 3.6));
            drawing.paint(crosses, Paint::stroke(Base::Ink, 1.7));
        }
    }
}

/// Several lines as one shape.
fn paths(lines: &[Vec<[f64; 2]>], frame: &Frame<'_>) -> Shape {
    let mut path = Path::default();
    for line in lines {
        path.add(frame.places(line));
    }
    Shape::Path(path)
}

fn steps(
    drawing: &mut Drawing,
    [left, width]: [f64; 2],
    heights: &[f64],
    series: usize,
    frame: &Frame<'_>,
) {
    let mut around = Vec::new();
    for (bin, &height) in heights.iter().enumerate() {
        let start = left + width * bin as f64;
        for x in [start, start + width] {
            around.extend(frame.place([x, height]));
        }
    }
    if let (Some(&[first, _]), Some(&[last, _])) = (around.first(), around.last()) {
        around.insert(0, [first, frame.bottom]);
        around.push([last, frame.bottom]);
        let tone = Base::series(series);
        let paint = Paint::fill(tone).translucent(frame.area_opacity());
        let paint = paint.outlined(tone, 1.6).dashed(Dash::of_series(series));
        drawing.paint(Shape::Path(Path::around(around)), paint);
    }
}

fn columns(
    drawing: &mut Drawing,
    [left, width]: [f64; 2],
    heights: &[f64],
    labels: &[String],
    [which, of]: [usize; 2],
    tone: Base,
    frame: &Frame<'_>,
) {
    const SMALL: f64 = 9.0;
    // Columns of a bin share nine tenths of it.
    let column = 0.9 * width / of.max(1) as f64;
    for (bin, &height) in heights.iter().enumerate() {
        let start = left + width * (bin as f64 + 0.05) + column * which as f64;
        let corners = (
            frame.place([start, height]),
            frame.place([start + column, height]),
        );
        let (Some([x, top]), Some([right, _])) = corners else {
            continue;
        };
        let bar = Shape::Rectangle {
            x,
            y: top,
            width: (right - x - 0.5).max(0.5),
            height: frame.bottom - top,
            round: 0.0,
        };
        drawing.paint(bar, Paint::fill(tone));
        if let Some(label) = labels.get(bin) {
            let at = [f64::midpoint(x, right) + 0.36 * SMALL, top - 4.0];
            drawing.words(Words::new(label, at, SMALL, Base::Soft).upwards());
        }
    }
}

/// A line straight up or across goes from end to end of the plot.
fn rule(drawing: &mut Drawing, from: [f64; 2], to: [f64; 2], frame: &Frame<'_>) {
    let ends = if from[0] == to[0] {
        let x = frame.x.place(from[0]);
        x.map(|share| {
            let x = frame.left + share * (frame.right - frame.left);
            ([x, frame.bottom], [x, frame.top])
        })
    } else {
        frame.place(from).zip(frame.place(to))
    };
    if let Some((from, to)) = ends {
        drawing.line(from, to, Paint::rule());
    }
}
