//! Class probabilities from pairwise ones.
//!
//! Given r_ab ≈ P(a | a or b), find p ≥ 0, Σp = 1 minimising Σ_a Σ_{b≠a} (r_ba p_a − r_ab p_b)²
//! (Wu, Lin, Weng, JMLR 5, 2004, second method) by its fixed-point iteration.

use mercer_linalg::Matrix;

/// Couples the pairwise probabilities `r[(a, b)]`.
pub(super) fn couple(r: &Matrix<f64>) -> Vec<f64> {
    let k = r.rows();
    let mut q = Matrix::<f64>::zeros(k, k);
    for a in 0..k {
        for b in (0..k).filter(|&b| b != a) {
            q[(a, a)] += r[(b, a)] * r[(b, a)];
            q[(a, b)] = -r[(b, a)] * r[(a, b)];
        }
    }
    let mut p = vec![1.0 / k as f64; k];
    // The reference's stopping rule: 100 sweeps or all conditions within 0.005/k.
    let tolerance = 0.005 / k as f64;
    for _ in 0..k.max(100) {
        let qp: Vec<f64> = (0..k)
            .map(|a| q.row(a).iter().zip(&p).map(|(q, p)| q * p).sum())
            .collect();
        let mut pqp: f64 = p.iter().zip(&qp).map(|(p, q)| p * q).sum();
        if qp.iter().all(|v| (v - pqp).abs() < tolerance) {
            break;
        }
        let mut qp = qp;
        for a in 0..k {
            let step = (pqp - qp[a]) / q[(a, a)];
            p[a] += step;
            let norm = 1.0 + step;
            pqp = (pqp + step * (step * q[(a, a)] + 2.0 * qp[a])) / (norm * norm);
            for b in 0..k {
                qp[b] = (qp[b] + step * q[(a, b)]) / norm;
                p[b] /= norm;
            }
        }
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consistent_pairs_give_back_the_probabilities() {
        let truth = [0.5, 0.3, 0.2];
        let r = Matrix::from_fn(3, 3, |a, b| truth[a] / (truth[a] + truth[b]));
        for (p, t) in couple(&r).iter().zip(truth) {
            assert!((p - t).abs() < 5e-3, "{p} {t}");
        }
    }
}
