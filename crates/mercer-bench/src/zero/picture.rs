//! The picture of calibration: what was predicted beside what happened, and how often.

use mercer_plot::{Reliability, ReliabilitySeries};

use super::record::Account;
use super::reliability::{Bin, calibration_error, pooled};
use crate::numbers::three_digits;

/// The whole picture.
pub(crate) fn picture(records: &Account) -> Reliability {
    let (own, theirs) = pooled(records, "grid_svc");
    Reliability {
        title: "Do probabilities come true?".to_owned(),
        note: "On the diagonal: as often as predicted; bars are two standard errors.".to_owned(),
        series: vec![series("mercer", &own), series("SVC, grid, Platt", &theirs)],
    }
}

fn series(name: &str, bins: &[Bin]) -> ReliabilitySeries {
    let bin = |bin: &Bin| mercer_plot::Bin {
        rows: bin.rows,
        predicted: bin.predicted().unwrap_or(f64::NAN),
        observed: bin.observed().unwrap_or(f64::NAN),
        error: 2.0 * bin.error(),
    };
    let remark = calibration_error(bins)
        .map(|error| format!("calibration error {} %", three_digits(100.0 * error)));
    ReliabilitySeries {
        name: name.to_owned(),
        remark: remark.unwrap_or_default(),
        bins: bins.iter().map(bin).collect(),
    }
}

#[cfg(test)]
mod tests {
    use mercer_plot::Figure;

    use super::super::record::tests::example;
    use super::*;

    #[test]
    fn every_bin_is_a_point_and_a_column() {
        let made = picture(&example());
        // 15 of 60 rows twice: a quarter, of a mean of 0.2.
        let first = made.series[1].bins[0];
        assert_eq!((first.rows, first.observed), (120, 0.25));
        assert!((first.predicted - 0.2).abs() < 1e-12);
        assert!(
            (first.error - 2.0 * (31.0 / 122.0 * 91.0 / 122.0 / 122.0_f64).sqrt()).abs() < 1e-12
        );
        let svg = made.to_svg();
        for part in [">120<", ">80<", "calibration error 5.00 %"] {
            assert!(svg.contains(part), "{part}");
        }
    }

    #[test]
    fn nothing_measured_is_an_empty_picture() {
        let mut records = example();
        records.records.clear();
        let svg = picture(&records).to_svg();
        assert!(svg.ends_with("</svg>\n") && !svg.contains("calibration error"));
    }
}
