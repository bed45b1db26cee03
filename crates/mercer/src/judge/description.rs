//! Description length: the hypothesis that is probable is the one with a short message.
//!
//! A code spends −log₂ p bits on what has probability p. Stating a hypothesis H and then the labels
//! L, given H, takes −log₂ p(H) − log₂ p(L | H) bits; the shortest message belongs to the largest
//! p(H)·p(L | H), which is the most probable hypothesis a posteriori (MDL = MAP).

use serde::Serialize;

use crate::{Error, Result};

/// A hypothesis with what it takes to state it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Description {
    /// −log₂ p(H).
    pub hypothesis_bits: f64,
    /// −log₂ p(L | H).
    pub label_bits: f64,
    /// The whole message.
    pub bits: f64,
    /// p(H | L) among the hypotheses given.
    pub posterior: f64,
}

/// Describes labels by each of some hypotheses, given as pairs of ln p(H) and ln p(L | H).
///
/// Logarithms reach likelihoods of many rows, which no double holds.
///
/// # Errors
/// No hypothesis, logarithms of no probability, and labels that are impossible under all of them.
pub fn description_lengths(hypotheses: &[(f64, f64)]) -> Result<Vec<Description>> {
    if hypotheses.is_empty() {
        return Err(Error::rows("there is no hypothesis", "give at least one"));
    }
    for (prior, likelihood) in hypotheses {
        for value in [prior, likelihood] {
            if !(*value <= 0.0) {
                return Err(Error::rows(
                    format!("{value} is the logarithm of no probability"),
                    "give logarithms of numbers between 0 and 1",
                ));
            }
        }
    }
    let joint = |(prior, likelihood): &(f64, f64)| prior + likelihood;
    let best = hypotheses
        .iter()
        .map(joint)
        .fold(f64::NEG_INFINITY, f64::max);
    if best == f64::NEG_INFINITY {
        return Err(Error::rows(
            "no hypothesis gives these labels a probability",
            "add one that does",
        ));
    }
    let sum: f64 = hypotheses.iter().map(|h| (joint(h) - best).exp()).sum();
    let bits = |ln: f64| -ln / std::f64::consts::LN_2;
    let describe = |h: &(f64, f64)| Description {
        hypothesis_bits: bits(h.0),
        label_bits: bits(h.1),
        bits: bits(joint(h)),
        posterior: (joint(h) - best).exp() / sum,
    };
    Ok(hypotheses.iter().map(describe).collect())
}

/// Mean number of bits that state a hypothesis drawn from a prior: its entropy −Σ p log₂ p.
///
/// # Errors
/// Numbers that are no probabilities, or do not sum to 1.
pub fn prior_entropy(prior: &[f64]) -> Result<f64> {
    // Decimals such as 0.1 sum to 1 up to rounding.
    const ROUNDING: f64 = 1e-9;
    if let Some(p) = prior.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        return Err(Error::setting("prior", p, "between 0 and 1"));
    }
    let sum: f64 = prior.iter().sum();
    if (sum - 1.0).abs() > ROUNDING {
        return Err(Error::setting("prior", sum, "1 in sum"));
    }
    let known = prior.iter().filter(|p| **p > 0.0);
    Ok(-known.map(|p| p * p.log2()).sum::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hypotheses_of_the_course() {
        let first = (0.25_f64.ln(), 9.0 * 0.9_f64.ln() + 0.1_f64.ln());
        let second = (0.75_f64.ln(), 10.0 * 0.5_f64.ln());
        let found = description_lengths(&[first, second]).unwrap();
        assert!((found[0].bits - 6.689_955_94).abs() < 5e-9, "{found:?}");
        assert!((found[1].bits - 10.415_037_50).abs() < 5e-9, "{found:?}");
        assert!((found[0].posterior - 0.929_696_054).abs() < 5e-10);
        assert!((found[0].posterior + found[1].posterior - 1.0).abs() < 1e-15);
        assert_eq!(found[0].hypothesis_bits, 2.0);
        assert!((prior_entropy(&[0.25, 0.75]).unwrap() - 0.811_278).abs() < 5e-7);
    }

    #[test]
    fn likelihoods_below_doubles_are_told_apart() {
        let found = description_lengths(&[(-1.0, -1e6), (-1.0, -1e6 + 2.0_f64.ln())]).unwrap();
        assert!((found[1].posterior - 2.0 / 3.0).abs() < 1e-9);
        assert!((found[0].bits - found[1].bits - 1.0).abs() < 1e-9);
    }

    #[test]
    fn impossible_hypotheses() {
        let found = description_lengths(&[(0.0, f64::NEG_INFINITY), (-1.0, -2.0)]).unwrap();
        assert_eq!((found[0].posterior, found[1].posterior), (0.0, 1.0));
        assert!(description_lengths(&[(0.0, f64::NEG_INFINITY)]).is_err());
        assert!(description_lengths(&[]).is_err());
        assert!(description_lengths(&[(0.1, -1.0)]).is_err());
        assert!(description_lengths(&[(f64::NAN, -1.0)]).is_err());
        assert!(prior_entropy(&[0.5, 0.6]).is_err() && prior_entropy(&[-0.5, 1.5]).is_err());
        assert_eq!(prior_entropy(&[0.0, 1.0]).unwrap(), 0.0);
    }
}
