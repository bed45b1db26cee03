//! Integrals of e^{g} over an interval, in logarithms.

/// Panels the interval is cut into at first.
const PANELS: usize = 48;
/// Share of the integral that a panel may be wrong by.
const TOLERANCE: f64 = 1e-7;
/// Halvings of a panel at most.
const DEPTH: u32 = 24;

/// Returns log[(b − a)⁻¹ ∫ e^{g(t)} dt] from a to b.
///
/// Adaptive Simpson rule. `peak` is where g is largest, as far as is known: the interval is
/// cut there, and g is measured from there so that nothing overflows.
pub fn log_mean_exp(g: impl Fn(f64) -> f64, a: f64, b: f64, peak: f64) -> f64 {
    let peak = peak.clamp(a, b);
    let top = g(peak);
    if !top.is_finite() {
        return top;
    }
    let f = |t: f64| (g(t) - top).exp();
    let mut edges: Vec<f64> = (0..=PANELS)
        .map(|k| a + (b - a) * k as f64 / PANELS as f64)
        .collect();
    edges.push(peak);
    edges.sort_by(f64::total_cmp);
    let mut total = 0.0;
    for edge in edges.windows(2) {
        if edge[1] > edge[0] {
            let panel = Panel::new(&f, edge[0], edge[1]);
            // The peak alone is worth at least its own width; a first guess at the whole.
            total += panel.refined(&f, TOLERANCE * (b - a) / PANELS as f64 * 1e-3, DEPTH);
        }
    }
    top + (total / (b - a)).ln()
}

/// A panel of Simpson's rule with its three values.
struct Panel {
    edges: (f64, f64),
    values: [f64; 3],
    area: f64,
}

impl Panel {
    fn new(f: &impl Fn(f64) -> f64, a: f64, b: f64) -> Self {
        Self::with(a, b, [f(a), f(f64::midpoint(a, b)), f(b)])
    }

    fn with(a: f64, b: f64, values: [f64; 3]) -> Self {
        let area = (b - a) / 6.0 * (values[0] + 4.0 * values[1] + values[2]);
        Self {
            edges: (a, b),
            values,
            area,
        }
    }

    /// Returns the area, halving where the halves disagree with the whole.
    fn refined(&self, f: &impl Fn(f64) -> f64, tolerance: f64, depth: u32) -> f64 {
        let (a, b) = self.edges;
        let middle = f64::midpoint(a, b);
        let [fa, fm, fb] = self.values;
        let left = Self::with(a, middle, [fa, f(f64::midpoint(a, middle)), fm]);
        let right = Self::with(middle, b, [fm, f(f64::midpoint(middle, b)), fb]);
        let halves = left.area + right.area;
        let difference = halves - self.area;
        if depth == 0 || difference.abs() <= 15.0 * tolerance.max(TOLERANCE * halves) {
            return halves + difference / 15.0;
        }
        left.refined(f, tolerance / 2.0, depth - 1) + right.refined(f, tolerance / 2.0, depth - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_peak_is_not_missed() {
        for width in [1.0, 1e-2, 1e-4] {
            let g = |t: f64| -0.5 * ((t - 0.3) / width).powi(2) - 1e4;
            let expected = (width * (2.0 * std::f64::consts::PI).sqrt() / 40.0).ln() - 1e4;
            let found = log_mean_exp(g, -20.0, 20.0, 0.3);
            assert!(
                (found - expected).abs() < 1e-5,
                "{width}: {found} {expected}"
            );
        }
    }

    #[test]
    fn a_flat_function_is_its_own_mean() {
        let found = log_mean_exp(|_| -3.0, -5.0, 2.0, 0.0);
        assert!((found + 3.0).abs() < 1e-12);
    }
}
