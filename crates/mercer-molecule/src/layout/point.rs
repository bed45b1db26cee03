//! Points of the plane.

use std::ops::{Add, Mul, Sub};

/// A point, or the step from one to another.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards; pictures turn it over.
    pub y: f64,
}

impl Point {
    /// Creates a point.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Returns the step of length one at an angle.
    pub fn at_angle(angle: f64) -> Self {
        Self::new(angle.cos(), angle.sin())
    }

    /// Returns the angle of the step.
    pub fn angle(self) -> f64 {
        self.y.atan2(self.x)
    }

    /// Returns the length of the step.
    pub fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// Returns the area that two steps span, positive where `other` lies to the left.
    pub fn cross(self, other: Self) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// Returns the inner product.
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Returns the step turned to the left by an angle.
    #[must_use]
    pub fn turned(self, angle: f64) -> Self {
        let (sine, cosine) = angle.sin_cos();
        Self::new(
            cosine * self.x - sine * self.y,
            sine * self.x + cosine * self.y,
        )
    }

    /// Returns the step with length one; to the right where it has no length.
    #[must_use]
    pub fn unit(self) -> Self {
        let length = self.length();
        if length > 1e-12 {
            self * (1.0 / length)
        } else {
            Self::new(1.0, 0.0)
        }
    }

    /// Returns the mirror image in the line through two points.
    #[must_use]
    pub fn mirrored(self, from: Self, to: Self) -> Self {
        let axis = (to - from).unit();
        let step = self - from;
        from + axis * (2.0 * step.dot(axis)) - step
    }
}

impl Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

/// Returns the middle of some points; the origin where there are none.
pub(super) fn centre(points: impl IntoIterator<Item = Point>) -> Point {
    let (mut sum, mut count) = (Point::default(), 0.0);
    for point in points {
        sum = sum + point;
        count += 1.0;
    }
    if count > 0.0 {
        sum * (1.0 / count)
    } else {
        sum
    }
}
