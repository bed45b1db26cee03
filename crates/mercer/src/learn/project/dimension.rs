//! How many axes there are beside noise.
//!
//! Minka, Automatic choice of dimensionality for PCA, 2000: the evidence of probabilistic PCA with k axes, by
//! Laplace's method,
//!
//! ```text
//! log p(D | k) ≈ log p(U) − n/2 Σ_{i≤k} log λ_i − n(d − k)/2 log σ² + (m + k)/2 log 2π − ½ log |A| − k/2 log n
//! ```
//!
//! with σ² the mean of the eigenvalues left out and m = dk − k(k + 1)/2.

use crate::special::ln_factorial;

/// Returns the number of axes of largest evidence, from the variances along all of them.
pub(super) fn likeliest(variances: &[f64], rows: usize) -> usize {
    let floor = 1e-15;
    let mut best = (f64::NEG_INFINITY, 1);
    for count in 1..variances.len() {
        let evidence = evidence(variances, count, rows, floor);
        if evidence > best.0 {
            best = (evidence, count);
        }
    }
    best.1
}

/// The logarithm of the evidence of so many axes, but for a constant.
fn evidence(variances: &[f64], count: usize, rows: usize, floor: f64) -> f64 {
    let (d, k, n) = (variances.len() as f64, count as f64, rows as f64);
    if variances[count - 1] < floor {
        // An axis of no spread has evidence against it without end.
        return f64::NEG_INFINITY;
    }
    let of_axes: f64 = -k * 2.0_f64.ln()
        + (1..=count)
            .map(|i| {
                let half = 0.5 * (d - i as f64 + 1.0);
                ln_factorial(half - 1.0) - half * std::f64::consts::PI.ln()
            })
            .sum::<f64>();
    let of_spread = -0.5 * n * variances[..count].iter().map(|v| v.ln()).sum::<f64>();
    let noise = (variances[count..].iter().sum::<f64>() / (d - k)).max(floor);
    let of_noise = -0.5 * n * (d - k) * noise.ln();
    let m = d * k - k * (k + 1.0) / 2.0;
    let of_units = 0.5 * (m + k) * std::f64::consts::TAU.ln();
    let mut curvature = 0.0;
    for i in 0..count {
        for j in i + 1..variances.len() {
            let shrunk = |at: usize| if at < count { variances[at] } else { noise };
            // Equal variances have no gap that a curvature could be told from.
            let gap = (variances[i] - variances[j]).max(f64::EPSILON * variances[0]);
            let bend = gap * (shrunk(j).recip() - shrunk(i).recip());
            curvature += bend.max(f64::MIN_POSITIVE).ln() + n.ln();
        }
    }
    of_axes + of_spread + of_noise + of_units - 0.5 * curvature - 0.5 * k * n.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_where_the_noise_begins() {
        assert_eq!(likeliest(&[10.0, 8.0, 0.11, 0.103, 0.1, 0.09], 500), 2);
        assert_eq!(likeliest(&[5.0, 0.12, 0.1, 0.09], 200), 1);
    }
}
