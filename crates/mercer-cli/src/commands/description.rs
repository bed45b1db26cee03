//! `mercer bounds description`.

use mercer::judge::{description_lengths, prior_entropy};
use serde_json::{Value, json};

use crate::args::DescriptionArgs;
use crate::display::Page;
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::style::{number, plural};

pub(super) fn run(args: &DescriptionArgs, session: &Session) -> Result<()> {
    let likelihoods = if args.likelihood.is_empty() {
        args.log_likelihood.clone()
    } else {
        let read = args.likelihood.iter().map(|text| logarithm(text));
        read.collect::<Result<Vec<f64>>>()?
    };
    if likelihoods.len() != args.prior.len() {
        return Err(Failure::usage(
            format!(
                "there {} and {}",
                are(args.prior.len(), "prior"),
                plural(likelihoods.len(), "likelihood")
            ),
            "give one of each for every hypothesis",
        ));
    }
    let priors = normalised(&args.prior)?;
    let pairs = priors.iter().map(|p| p.ln()).zip(likelihoods);
    let found = description_lengths(&pairs.collect::<Vec<_>>())?;
    let entropy = prior_entropy(&priors)?;
    let shortest = (1..found.len()).fold(0, |best, k| {
        if found[k].bits < found[best].bits {
            k
        } else {
            best
        }
    });
    if session.output.json {
        let of = |(prior, d): (&f64, &mercer::judge::Description)| -> Value {
            let bits = |value: f64| value.is_finite().then_some(value);
            json!({"prior": prior, "hypothesis_bits": bits(d.hypothesis_bits),
                "label_bits": bits(d.label_bits), "bits": bits(d.bits), "posterior": d.posterior})
        };
        let hypotheses: Vec<Value> = priors.iter().zip(&found).map(of).collect();
        return session.output.object(&json!({
            "hypotheses": hypotheses, "shortest": shortest + 1, "entropy": entropy,
        }));
    }
    let paint = session.output.paint;
    let mut page = Page::new(paint);
    page.heading(
        "Description length",
        "bits of the hypothesis and of the labels given it",
    );
    for (k, own) in found.iter().enumerate() {
        let aside = format!(
            "{} + {}, posterior {}",
            number(own.hypothesis_bits),
            number(own.label_bits),
            number(own.posterior)
        );
        let bits = format!("{} bits", number(own.bits));
        let bits = format!("{bits:<15}");
        let bits = if k == shortest {
            paint.green(&bits)
        } else {
            bits
        };
        page.item(
            &format!("hypothesis {}", k + 1),
            &format!("{bits}  {}", paint.dim(&aside)),
        );
    }
    let mean = format!("{} bits", number(entropy));
    let aside = paint.dim("to state a hypothesis, in the mean over the prior");
    page.item("entropy", &format!("{mean:<15}  {aside}"));
    session.output.text(&page.finish())
}

fn are(count: usize, what: &str) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!("{verb} {}", plural(count, what))
}

/// Priors that sum to 1; others are weights.
fn normalised(priors: &[f64]) -> Result<Vec<f64>> {
    let sum: f64 = priors.iter().sum();
    let sound = priors.iter().all(|p| *p >= 0.0 && p.is_finite());
    if !(sound && sum > 0.0 && sum.is_finite()) {
        return Err(Failure::usage(
            "priors must be probabilities, or weights that are not negative and not all 0",
            "such as `--prior 0.25,0.75`",
        ));
    }
    // Decimals such as 0.1 sum to 1 up to rounding, and are taken at their word.
    if (sum - 1.0).abs() <= 1e-9 {
        return Ok(priors.to_vec());
    }
    Ok(priors.iter().map(|p| p / sum).collect())
}

/// The logarithm of a probability that is written as a product of powers: `0.9^9*0.1`.
fn logarithm(text: &str) -> Result<f64> {
    let factor = |part: &str| -> Option<f64> {
        let (base, power) = part.split_once('^').unwrap_or((part, "1"));
        let base: f64 = base.trim().parse().ok()?;
        let power: f64 = power.trim().parse().ok()?;
        let sound = (0.0..=1.0).contains(&base) && power >= 0.0 && power.is_finite();
        // What never happens has no part in it.
        let ln = if power == 0.0 { 0.0 } else { power * base.ln() };
        sound.then_some(ln)
    };
    let all: Option<Vec<f64>> = text.split('*').map(factor).collect();
    all.map(|logs| logs.into_iter().sum()).ok_or_else(|| {
        Failure::usage(
            format!("`{text}` is no probability"),
            "write a number between 0 and 1, or a product of powers such as `0.9^9*0.1`",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_powers_are_read() {
        let of = |text: &str| logarithm(text).ok();
        assert_eq!(of("1"), Some(0.0));
        assert_eq!(of("0"), Some(f64::NEG_INFINITY));
        assert_eq!(of("0^0*0.5"), Some(0.5_f64.ln()));
        let expected = 9.0 * 0.9_f64.ln() + 0.1_f64.ln();
        assert!((of("0.9^9 * 0.1").unwrap() - expected).abs() < 1e-15);
        for bad in ["", "1.5", "-0.5", "0.5^-1", "0.5^", "0.5**2", "nan"] {
            assert!(of(bad).is_none(), "{bad}");
        }
    }
}
