//! A smooth curve through a few points.

/// A cubic spline with no curvature at its ends.
pub(super) struct Spline {
    points: Vec<(f64, f64)>,
    /// Second derivatives at the points.
    curvatures: Vec<f64>,
}

impl Spline {
    /// The spline through points of ascending place.
    pub(super) fn new(points: &[(f64, f64)]) -> Self {
        let n = points.len();
        let mut curvatures = vec![0.0; n];
        // Second derivatives M solve h₀M₀ + 2(h₀ + h₁)M₁ + h₁M₂ = 6(slope₁ − slope₀): forward
        // elimination, then backward.
        let mut ratio = vec![0.0; n];
        for i in 1..n.saturating_sub(1) {
            let (before, here, after) = (points[i - 1], points[i], points[i + 1]);
            let (left, right) = (here.0 - before.0, after.0 - here.0);
            let bend = (after.1 - here.1) / right - (here.1 - before.1) / left;
            let pivot = 2.0 * (left + right) - left * ratio[i - 1];
            ratio[i] = right / pivot;
            curvatures[i] = (6.0 * bend - left * curvatures[i - 1]) / pivot;
        }
        for i in (1..n.saturating_sub(1)).rev() {
            curvatures[i] -= ratio[i] * curvatures[i + 1];
        }
        Self {
            points: points.to_vec(),
            curvatures,
        }
    }

    /// The value at a place between the ends.
    pub(super) fn value(&self, t: f64) -> f64 {
        if self.points.len() == 1 {
            return self.points[0].1;
        }
        let right = self.points.partition_point(|(p, _)| *p < t);
        let right = right.clamp(1, self.points.len() - 1);
        let ((a, ya), (b, yb)) = (self.points[right - 1], self.points[right]);
        let (ma, mb) = (self.curvatures[right - 1], self.curvatures[right]);
        let h = b - a;
        let (u, v) = ((b - t) / h, (t - a) / h);
        u * ya + v * yb + h * h / 6.0 * ((u * u * u - u) * ma + (v * v * v - v) * mb)
    }

    /// The place of the least value between the neighbours of a point, by golden section.
    pub(super) fn least_near(&self, place: f64) -> f64 {
        const SHARE: f64 = 0.381_966_011_250_105;
        let at = self.points.partition_point(|(p, _)| *p < place);
        let mut low = self.points[at.saturating_sub(1)].0;
        let mut high = self.points[(at + 1).min(self.points.len() - 1)].0;
        for _ in 0..60 {
            let (a, b) = (low + SHARE * (high - low), high - SHARE * (high - low));
            if self.value(a) <= self.value(b) {
                high = b;
            } else {
                low = a;
            }
        }
        f64::midpoint(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_met_inside() {
        let f = |t: f64| (t - 0.37).powi(2);
        let points: Vec<(f64, f64)> = [-3.0, -1.8, -1.0, -0.4, 0.1, 0.6, 1.2, 2.0, 3.1]
            .map(|t| (t, f(t)))
            .to_vec();
        let spline = Spline::new(&points);
        for (t, value) in &points {
            assert!((spline.value(*t) - value).abs() < 1e-12);
        }
        for t in [-0.2, 0.3, 0.5, 0.9] {
            assert!(
                (spline.value(t) - f(t)).abs() < 1e-2,
                "{t}: {}",
                spline.value(t)
            );
        }
        assert!((spline.least_near(0.6) - 0.37).abs() < 1e-2);
    }

    #[test]
    fn few_points_are_no_trouble() {
        assert_eq!(Spline::new(&[(1.0, 5.0)]).value(1.0), 5.0);
        let two = Spline::new(&[(0.0, 0.0), (2.0, 4.0)]);
        assert!((two.value(0.5) - 1.0).abs() < 1e-12);
    }
}
