//! Places on paper as vectors.

pub(super) type Point = [f64; 2];

pub(super) fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn times(a: Point, factor: f64) -> Point {
    [a[0] * factor, a[1] * factor]
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// A vector of length one; rightwards where there is no direction.
pub(super) fn unit(a: Point) -> Point {
    let length = a[0].hypot(a[1]);
    if length > 0.0 {
        times(a, length.recip())
    } else {
        [1.0, 0.0]
    }
}
