//! The least value of a function of one number.

/// Finds where a function is least between two numbers.
///
/// It may have several valleys: `scan` evenly spaced points find the deepest, a golden section
/// then finds its floor to a width of `close`.
///
/// # Errors
/// The first error of the function.
pub fn least<E>(
    (low, high): (f64, f64),
    scan: usize,
    close: f64,
    mut f: impl FnMut(f64) -> Result<f64, E>,
) -> Result<f64, E> {
    let step = (high - low) / scan.saturating_sub(1).max(1) as f64;
    let at = |k: usize| low + k as f64 * step;
    let (mut best, mut deepest) = (0, f64::INFINITY);
    for k in 0..scan {
        let value = f(at(k))?;
        if value < deepest {
            (best, deepest) = (k, value);
        }
    }
    let (mut a, mut b) = (at(best.saturating_sub(1)), at((best + 1).min(scan - 1)));
    // Each step keeps one of the two inner points.
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut c, mut d) = (b - golden * (b - a), a + golden * (b - a));
    let (mut fc, mut fd) = (f(c)?, f(d)?);
    while b - a > close {
        if fc <= fd {
            (b, d, fd) = (d, c, fc);
            c = b - golden * (b - a);
            fc = f(c)?;
        } else {
            (a, c, fc) = (c, d, fd);
            d = a + golden * (b - a);
            fd = f(d)?;
        }
    }
    Ok(f64::midpoint(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn the_deeper_valley_is_found() {
        let f = |x: f64| Ok::<_, Infallible>((x * x - 1.0).powi(2) + 0.1 * x);
        let Ok(found) = least((-2.0, 2.0), 20, 1e-9, f);
        assert!((found + 1.012).abs() < 1e-3, "{found}");
    }

    #[test]
    fn an_end_may_be_the_least() {
        let Ok(found) = least((1.0, 3.0), 5, 1e-9, Ok::<_, Infallible>);
        assert!((found - 1.0).abs() < 1e-8);
    }
}
