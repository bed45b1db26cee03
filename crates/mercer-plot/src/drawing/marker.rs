//! Marks of single points; series differ in their shape as well as in their colour.

use super::path::Path;
use super::shape::Shape;

/// Returns the mark of a series at a place: a disc, a square, a diamond, a triangle.
///
/// All have about the area of a disc of this radius.
pub(crate) fn marker(series: usize, [x, y]: [f64; 2], radius: f64) -> Shape {
    match series % 4 {
        0 => Shape::Circle { x, y, radius },
        1 => {
            let half = 0.89 * radius;
            Shape::Rectangle {
                x: x - half,
                y: y - half,
                width: 2.0 * half,
                height: 2.0 * half,
                round: 0.0,
            }
        }
        2 => {
            let r = 1.25 * radius;
            Shape::Path(Path::around([
                [x, y - r],
                [x + r, y],
                [x, y + r],
                [x - r, y],
            ]))
        }
        _ => {
            let r = 1.35 * radius;
            let (side, foot) = (0.866 * r, 0.5 * r);
            Shape::Path(Path::around([
                [x, y - r],
                [x + side, y + foot],
                [x - side, y + foot],
            ]))
        }
    }
}

/// Returns a ring around the mark of a point.
pub(crate) fn ring([x, y]: [f64; 2]) -> Shape {
    Shape::Circle { x, y, radius: 6.8 }
}

/// Returns crosses over the marks of points.
pub(crate) fn cross(points: impl IntoIterator<Item = [f64; 2]>) -> Shape {
    const ARM: f64 = 4.2;
    let mut path = Path::default();
    for [x, y] in points {
        path.add([[x - ARM, y - ARM], [x + ARM, y + ARM]]);
        path.add([[x - ARM, y + ARM], [x + ARM, y - ARM]]);
    }
    Shape::Path(path)
}
