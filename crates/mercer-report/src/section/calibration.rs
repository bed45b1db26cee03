//! Whether probabilities come true.

use mercer_plot::page::{Section, emphasis};
use mercer_plot::{Bin, Figure, Markup, Reliability, ReliabilitySeries, markup};

use super::super::input::Evidence;

/// Bins of equal width.
const BINS: usize = 10;
/// Rows below which bins say nothing.
const FEWEST: usize = 20;

/// Draws predicted probabilities beside what happened.
pub(in super::super) fn calibration(evidence: &Evidence) -> Option<Section> {
    let (what, predicted, came): (Markup, &[f64], &[bool]) = match evidence {
        Evidence::Binary {
            labels,
            positive,
            probabilities: Some(probabilities),
            ..
        } => (
            markup!["of ", emphasis(&labels[1])],
            probabilities,
            positive,
        ),
        Evidence::Several { sure, right, .. } => {
            ("of the class that was predicted".into(), sure, right)
        }
        _ => return None,
    };
    if predicted.len() < FEWEST {
        return None;
    }
    let bins = bins(predicted, came);
    let rows = predicted.len() as f64;
    let off: f64 = bins
        .iter()
        .filter(|bin| bin.rows > 0)
        .map(|bin| bin.rows as f64 / rows * (bin.predicted - bin.observed).abs())
        .sum();
    let figure = Reliability {
        title: "Calibration".to_owned(),
        note: String::new(),
        series: vec![ReliabilitySeries {
            name: "held-out rows".to_owned(),
            remark: format!("calibration error {off:.3}"),
            bins,
        }],
    };
    let section = Section::new("calibration", "Whether probabilities come true")
        .lead(markup![
            "The probability ",
            what,
            " beside the share of rows for which it came true: on the dashed line both are the \
             same. Bars are what chance explains."
        ])
        .body(figure.to_markup());
    Some(section)
}

fn bins(predicted: &[f64], came: &[bool]) -> Vec<Bin> {
    (0..BINS)
        .map(|bin| {
            let mine = |p: f64| ((p * BINS as f64) as usize).min(BINS - 1) == bin;
            let rows = || predicted.iter().zip(came).filter(|(p, _)| mine(**p));
            let n = rows().count() as f64;
            let observed = rows().filter(|(_, c)| **c).count() as f64 / n;
            let mean = rows().map(|(p, _)| *p).sum::<f64>() / n;
            Bin {
                rows: n as u64,
                predicted: mean,
                observed,
                // Two standard errors of the share that the probabilities expect.
                error: 2.0 * (mean * (1.0 - mean) / n).sqrt(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_bin() {
        let predicted = [0.0, 0.05, 0.95, 1.0, 0.5];
        let found = bins(&predicted, &[false, true, true, true, false]);
        assert_eq!(found.iter().map(|b| b.rows).sum::<u64>(), 5);
        assert_eq!((found[0].observed, found[9].observed), (0.5, 1.0));
        assert!((found[9].predicted - 0.975).abs() < 1e-12);
    }
}
