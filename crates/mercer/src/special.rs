//! Special functions behind intervals: binomial density, incomplete beta and its inverse,
//! normal quantile.

use std::f64::consts::PI;

/// Error of Stirling's formula: ln x! − ln(√(2πx)·(x/e)ˣ).
///
/// The series 1/(12x) − 1/(360x³) + 1/(1260x⁵) − 1/(1680x⁷) + 1/(1188x⁹) is exact to 1e-16
/// from 16 on; below, the recurrence ln (x+1)! = ln x! + ln(x+1) carries the argument up.
fn stirling_error(x: f64) -> f64 {
    let mut x = x;
    let mut carried = 0.0;
    while x < 16.0 {
        // δ(x) − δ(x+1) = (x + 1/2)·ln((x+1)/x) − 1, and δ(0) = ∞: the caller never asks for it.
        carried += (x + 0.5) * (1.0 / x).ln_1p() - 1.0;
        x += 1.0;
    }
    let square = x * x;
    let series = (1.0 / 12.0
        - (1.0 / 360.0
            - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / (1188.0 * square)) / square) / square)
            / square)
        / x;
    series + carried
}

/// ln x! = ln Γ(x + 1) for real x ≥ 0.
pub(crate) fn ln_factorial(x: f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    0.5 * (2.0 * PI * x).ln() + x * x.ln() - x + stirling_error(x)
}

/// Deviance part x·ln(x/m) + m − x, accurate where x is close to m (Loader 2000, eq. 5).
fn deviance_part(x: f64, m: f64) -> f64 {
    if x == 0.0 {
        return m;
    }
    if (x - m).abs() < 0.1 * (x + m) {
        let v = (x - m) / (x + m);
        let mut sum = (x - m) * v;
        let mut term = 2.0 * x * v;
        for j in 1..1000 {
            term *= v * v;
            let next = sum + term / f64::from(2 * j + 1);
            if next == sum {
                break;
            }
            sum = next;
        }
        return sum;
    }
    x * (x / m).ln() + m - x
}

/// Γ(n+1)/(Γ(x+1)Γ(n−x+1)) · pˣ qⁿ⁻ˣ for real x in [0, n], with q = 1 − p.
///
/// C. Loader, "Fast and accurate computation of binomial probabilities" (2000): no
/// cancellation between large logarithms, so that a million rows lose no digits.
pub(crate) fn binomial_density(x: f64, n: f64, p: f64, q: f64) -> f64 {
    if p <= 0.0 {
        return if x == 0.0 { 1.0 } else { 0.0 };
    }
    if q <= 0.0 {
        return if x == n { 1.0 } else { 0.0 };
    }
    if x == 0.0 {
        return (n * if p < 0.1 { (-p).ln_1p() } else { q.ln() }).exp();
    }
    if x == n {
        return (n * if q < 0.1 { (-q).ln_1p() } else { p.ln() }).exp();
    }
    let exponent = stirling_error(n)
        - stirling_error(x)
        - stirling_error(n - x)
        - deviance_part(x, n * p)
        - deviance_part(n - x, n * q);
    exponent.exp() * (n / (2.0 * PI * x * (n - x))).sqrt()
}

/// Regularised incomplete beta function `I_x(a, b)` for positive a, b.
///
/// `I_x(a,b) = xᵃ(1−x)ᵇ/(a·B(a,b)) · 1/(1 + d₁/(1 + d₂/(1 + …)))`, the continued fraction of
/// DLMF 8.17.22 by Lentz's method; x beyond (a+1)/(a+b+2) goes through `1 − I_{1−x}(b, a)`.
pub(crate) fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        1.0 - beta_lower(1.0 - x, b, a)
    } else {
        beta_lower(x, a, b)
    }
}

fn beta_lower(x: f64, a: f64, b: f64) -> f64 {
    // Keeps denominators away from zero; any value far below 1 does.
    const TINY: f64 = 1e-300;
    // The fraction needs O(√max(a, b)) steps: 1e12 rows stay below this.
    const STEPS: u32 = 5_000_000;
    let guard = |v: f64| if v.abs() < TINY { TINY } else { v };
    // xᵃ(1−x)ᵇ/(a·B(a,b)) = density(a; a+b, x) · b/(a+b).
    let front = binomial_density(a, a + b, x, 1.0 - x) * b / (a + b);
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        let change = d * c;
        fraction *= change;
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (front * fraction).clamp(0.0, 1.0)
}

/// The x with `I_x(a, b) = p`: Newton's method kept inside a shrinking bracket.
pub(crate) fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    if p <= 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    let mut x = a / (a + b);
    for _ in 0..400 {
        let excess = beta_cdf(x, a, b) - p;
        if excess == 0.0 {
            return x;
        }
        if excess > 0.0 {
            high = x;
        } else {
            low = x;
        }
        // d/dx I_x(a,b) = density(a; a+b, x)·ab/((a+b)·x(1−x)).
        let slope = binomial_density(a, a + b, x, 1.0 - x) * a * b / ((a + b) * x * (1.0 - x));
        let newton = x - excess / slope;
        let next = if newton > low && newton < high {
            newton
        } else if low > 0.0 && high / low > 4.0 {
            (low * high).sqrt()
        } else {
            f64::midpoint(low, high)
        };
        if (next - x).abs() <= 1e-15 * x || high - low <= 1e-16 * high {
            return next;
        }
        x = next;
    }
    x
}

/// The t with P(|T| > t) = level under ν degrees of freedom: ν/(ν + T²) has the law B(ν/2, 1/2).
pub(crate) fn student_quantile(freedom: f64, level: f64) -> f64 {
    let x = beta_quantile(level, freedom / 2.0, 0.5);
    (freedom * (1.0 - x) / x).sqrt()
}

/// Distribution function of the standard normal law.
///
/// Below zero, Φ(−x) = φ(x)·(1/(x + 1/(x + 2/(x + 3/(x + …))))) for x > 3 and the series
/// Φ(x) = 1/2 + φ(x)·Σ x^{2k+1}/(1·3·…·(2k+1)) otherwise.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
    if x.abs() > 3.0 {
        let y = x.abs();
        let mut fraction = y;
        for k in (1..=200).rev() {
            fraction = y + f64::from(k) / fraction;
        }
        let tail = density / fraction;
        return if x > 0.0 { 1.0 - tail } else { tail };
    }
    let (mut term, mut sum) = (x, x);
    for k in 1..200 {
        term *= x * x / f64::from(2 * k + 1);
        if sum + term == sum {
            break;
        }
        sum += term;
    }
    0.5 + density * sum
}

/// The x with Φ(x) = p, by Newton's method from the logistic approximation.
pub fn normal_quantile(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    let (mut low, mut high) = (-40.0_f64, 0.0_f64);
    let mut x = (p / (1.0 - p)).ln() / 1.702;
    for _ in 0..200 {
        let excess = normal_cdf(x) - p;
        if excess > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let density = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
        let newton = x - excess / density;
        let next = if newton > low && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        if (next - x).abs() <= 1e-15 * (1.0 + x.abs()) {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!(
            (a - b).abs() <= tolerance * b.abs().max(1e-300),
            "{a} against {b}"
        );
    }

    #[test]
    fn quantiles_of_student_are_those_of_the_tables() {
        for (freedom, expected) in [(1.0, 12.706), (4.0, 2.776), (30.0, 2.042), (1000.0, 1.962)] {
            let found = student_quantile(freedom, 0.05);
            assert!((found - expected).abs() < 5e-4, "{freedom}: {found}");
        }
    }

    #[test]
    fn binomial_density_of_small_cases() {
        close(binomial_density(3.0, 10.0, 0.5, 0.5), 120.0 / 1024.0, 1e-14);
        close(binomial_density(0.0, 5.0, 0.2, 0.8), 0.8_f64.powi(5), 1e-14);
        close(binomial_density(5.0, 5.0, 0.2, 0.8), 0.2_f64.powi(5), 1e-13);
        let sum: f64 = (0..=40)
            .map(|k| binomial_density(f64::from(k), 40.0, 0.3, 0.7))
            .sum();
        close(sum, 1.0, 1e-13);
    }

    #[test]
    fn incomplete_beta_has_closed_forms() {
        // I_x(1,b) = 1 − (1−x)ᵇ, I_x(a,1) = xᵃ, I_x(2,3) = x²(6 − 8x + 3x²),
        // I_x(1/2,1/2) = (2/π)·arcsin √x.
        for x in [1e-6, 0.1, 0.37, 0.5, 0.9, 0.999] {
            close(beta_cdf(x, 1.0, 7.0), -(7.0 * (-x).ln_1p()).exp_m1(), 1e-12);
            close(beta_cdf(x, 5.0, 1.0), x.powi(5), 1e-12);
            close(
                beta_cdf(x, 2.0, 3.0),
                x * x * (6.0 - 8.0 * x + 3.0 * x * x),
                1e-12,
            );
            close(beta_cdf(x, 0.5, 0.5), 2.0 / PI * x.sqrt().asin(), 1e-12);
        }
        close(beta_cdf(0.5, 1e6, 1e6), 0.5, 1e-10);
    }

    #[test]
    fn normal_quantiles_of_the_tables() {
        close(normal_quantile(0.975), 1.959_963_984_540_054, 1e-13);
        close(normal_quantile(0.995), 2.575_829_303_548_901, 1e-13);
        close(normal_quantile(1e-10), -6.361_340_902_404_056, 1e-12);
        assert_eq!(normal_quantile(0.5), 0.0);
    }

    proptest! {
        #[test]
        fn beta_quantile_inverts(p in 1e-6..0.999_999f64, a in 0.5..5e4f64, b in 0.5..5e4f64) {
            let x = beta_quantile(p, a, b);
            prop_assert!((0.0..=1.0).contains(&x));
            prop_assert!((beta_cdf(x, a, b) - p).abs() < 1e-8 * p.max(1e-3), "{} {}", x, beta_cdf(x, a, b));
        }

        #[test]
        fn normal_quantile_inverts(p in 1e-12..0.999_999f64) {
            prop_assert!((normal_cdf(normal_quantile(p)) - p).abs() < 1e-12 * p.max(1e-3));
        }
    }
}
