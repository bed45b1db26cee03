//! How likely kernels are before the data are seen.

use super::Candidate;
use crate::{Error, Result};

/// Reads `rbf=0.5,linear=0.25`: the weight follows the last `=`, names may have commas inside
/// parentheses and brackets.
///
/// # Errors
/// Parts without a weight, weights that are not positive.
pub fn parse_priors(text: &str) -> Result<Vec<(String, f64)>> {
    let mut depth = 0_i32;
    let parts = text.split(|c: char| {
        depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        c == ',' && depth == 0
    });
    parts
        .map(|part| {
            let (name, weight) = part.rsplit_once('=').unwrap_or((part, ""));
            let weight: f64 = weight.trim().parse().unwrap_or(f64::NAN);
            Ok((name.trim().to_owned(), checked(name, weight)?))
        })
        .collect()
}

fn checked(name: &str, weight: f64) -> Result<f64> {
    if weight.is_finite() && weight > 0.0 {
        return Ok(weight);
    }
    Err(Error::Conflict {
        what: format!("the prior of `{}` is no positive number", name.trim()),
        cure: "write priors as name=weight, such as rbf=0.5,linear=0.25".into(),
    })
}

/// Gives candidates their prior probabilities: those named their own, the others equal shares of
/// what is left of 1. Where all are named, only proportions count.
///
/// # Errors
/// Names that no candidate has, weights that leave nothing for the others.
pub fn set_priors(candidates: &mut [Candidate], priors: &[(String, f64)]) -> Result<()> {
    let plain = |text: &str| text.replace(' ', "");
    let mut given: Vec<Option<f64>> = vec![None; candidates.len()];
    for (name, weight) in priors {
        let found = candidates
            .iter()
            .position(|c| plain(&c.name) == plain(name));
        let Some(place) = found else {
            return Err(Error::Unknown {
                kind: "kernel among the candidates",
                name: name.clone(),
                known: candidates.iter().map(|c| c.name.clone()).collect(),
            });
        };
        given[place] = Some(checked(name, *weight)?);
    }
    let sum: f64 = given.iter().flatten().sum();
    let others = given.iter().filter(|g| g.is_none()).count();
    if others > 0 && sum >= 1.0 {
        return Err(Error::Conflict {
            what: format!("the priors sum to {sum} and leave nothing for {others} other kernels"),
            cure: "give weights below 1 in all, or one for every kernel".into(),
        });
    }
    for (candidate, given) in candidates.iter_mut().zip(given) {
        candidate.prior = match given {
            Some(weight) if others == 0 => weight / sum,
            Some(weight) => weight,
            None => (1.0 - sum) / others as f64,
        };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Records;
    use mercer_linalg::Matrix;

    #[test]
    fn names_may_have_equals_and_commas() {
        let read = parse_priors("rbf(gamma=[1,2]) = 0.5, linear=0.25").expect("priors");
        assert_eq!(
            read,
            [
                ("rbf(gamma=[1,2])".to_owned(), 0.5),
                ("linear".to_owned(), 0.25)
            ]
        );
        for wrong in ["rbf", "rbf=", "rbf=-1", "rbf=0", "rbf=x", ""] {
            assert!(parse_priors(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_rest_is_shared() {
        let records = Records::from_points(Matrix::<f64>::zeros(3, 2));
        let parse = |t: &str| Candidate::parse(t, &records).expect("a kernel");
        let mut all: Vec<Candidate> = ["rbf", "linear", "rbf + linear"].map(parse).to_vec();
        set_priors(&mut all, &[("rbf".to_owned(), 0.5)]).expect("set");
        assert_eq!(
            all.iter().map(|c| c.prior).collect::<Vec<_>>(),
            [0.5, 0.25, 0.25]
        );
        let every = [("rbf", 2.0), ("linear", 1.0), ("rbf+linear", 1.0)];
        let every = every.map(|(n, w)| (n.to_owned(), w));
        set_priors(&mut all, &every).expect("set");
        assert_eq!(all[0].prior, 0.5);
        assert!(set_priors(&mut all, &[("rbg".to_owned(), 0.5)]).is_err());
        assert!(set_priors(&mut all, &[("rbf".to_owned(), 1.0)]).is_err());
    }
}
