//! Whether prediction intervals and sets keep their promise, overall and where it is hard.
//!
//! An interval that holds the truth in 90 % of all rows may do so by being too wide for most and too narrow for
//! the rest. Coverage is therefore measured in every tenth of the rows by width too, and of sets in every class.

use serde::Serialize;

use super::bounds::intervals::exact;
use super::scores::same_length;
use super::{Interval, metrics};
use crate::model::readout::check_level;
use crate::{Error, Result};

/// Parts by width.
const PARTS: usize = 10;
/// Rows that a part has at least.
const FEWEST: usize = 5;

/// How often intervals or sets held the truth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coverage {
    /// The probability that they are to keep.
    pub level: f64,
    /// Rows that were looked at.
    pub rows: usize,
    /// The share of them whose truth was inside.
    pub covered: f64,
    /// Exact binomial interval of that share, 95 %.
    pub interval: Interval,
    /// Mean width of intervals, or mean number of classes in a set.
    pub size: f64,
    /// Mean interval score of numbers: the width, and 2/(1 − level) for every unit that the truth is
    /// outside; less is better (Gneiting and Raftery, 2007).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_score: Option<f64>,
    /// The same by tenths of the rows, the narrowest intervals first, or by class.
    pub parts: Vec<CoveragePart>,
}

/// How often the intervals or sets of some rows held the truth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoveragePart {
    /// What the rows have in common: a range of widths, or a class.
    pub name: String,
    /// How many they are.
    pub rows: usize,
    /// The share whose truth was inside.
    pub covered: f64,
    /// Exact binomial interval of that share, 95 %.
    pub interval: Interval,
    /// Mean width, or mean number of classes.
    pub size: f64,
}

/// Shares by rows, with their interval.
fn share(covered: usize, rows: usize) -> (f64, Interval) {
    const DELTA: f64 = 0.05;
    (covered as f64 / rows as f64, exact(covered, rows, DELTA))
}

impl CoveragePart {
    fn of(name: String, rows: &[usize], inside: &[bool], sizes: &[f64]) -> Self {
        let covered = rows.iter().filter(|&&row| inside[row]).count();
        let (covered, interval) = share(covered, rows.len());
        Self {
            name,
            rows: rows.len(),
            covered,
            interval,
            size: rows.iter().map(|&row| sizes[row]).sum::<f64>() / rows.len() as f64,
        }
    }
}

impl Coverage {
    /// Returns the parts whose interval does not reach the level: where the promise is broken, or kept at the
    /// cost of too much width.
    pub fn off(&self) -> Vec<&CoveragePart> {
        let parts = self.parts.iter();
        let is_off =
            |p: &&CoveragePart| p.interval.high < self.level || p.interval.low > self.level;
        parts.filter(is_off).collect()
    }

    /// Returns whether fewer rows were covered than promised, by more than chance.
    pub fn is_short(&self) -> bool {
        self.interval.high < self.level
    }
}

/// Measures intervals of numbers, one pair of ends per row.
///
/// # Errors
/// Lengths that differ, no rows, a level outside (0, 1), ends that are NaN or in the wrong order.
pub fn interval_coverage(truth: &[f64], ends: &[[f64; 2]], level: f64) -> Result<Coverage> {
    check_level(level)?;
    same_length("the list of intervals", ends.len(), truth.len())?;
    none_is_empty(truth.len())?;
    if let Some(row) = ends.iter().position(|[low, high]| !(low <= high)) {
        return Err(Error::rows(
            format!(
                "the interval of row {} has the ends `{}` and `{}`",
                row + 1,
                ends[row][0],
                ends[row][1]
            ),
            "give a lower end that is no larger than the upper one",
        ));
    }
    let inside: Vec<bool> = (0..truth.len())
        .map(|r| (ends[r][0]..=ends[r][1]).contains(&truth[r]))
        .collect();
    let widths: Vec<f64> = ends.iter().map(|[low, high]| high - low).collect();
    let mut order: Vec<usize> = (0..truth.len()).collect();
    order.sort_by(|&a, &b| widths[a].total_cmp(&widths[b]).then(a.cmp(&b)));
    // Intervals of one width tell nothing by their width.
    let varies = widths[order[0]] < widths[order[order.len() - 1]];
    let count = if varies {
        PARTS.min(truth.len() / FEWEST)
    } else {
        0
    };
    let parts = (0..count).map(|part| {
        let rows = &order[part * order.len() / count..(part + 1) * order.len() / count];
        let ends = [rows[0], rows[rows.len() - 1]].map(|row| super::learning::shown(widths[row]));
        CoveragePart::of(
            format!("{} to {}", ends[0], ends[1]),
            rows,
            &inside,
            &widths,
        )
    });
    let parts = parts.collect();
    let covered = inside.iter().filter(|inside| **inside).count();
    let (covered, interval) = share(covered, truth.len());
    Ok(Coverage {
        level,
        rows: truth.len(),
        covered,
        interval,
        size: widths.iter().sum::<f64>() / truth.len() as f64,
        interval_score: Some(metrics::interval_score(truth, ends, level, None)),
        parts,
    })
}

/// Measures prediction sets, one list of codes per row; parts are the classes that have rows.
///
/// # Errors
/// Lengths that differ, no rows, a level outside (0, 1), a code without a label.
pub fn set_coverage(
    truth: &[u32],
    sets: &[Vec<u32>],
    labels: &[String],
    level: f64,
) -> Result<Coverage> {
    check_level(level)?;
    same_length("the list of sets", sets.len(), truth.len())?;
    none_is_empty(truth.len())?;
    if let Some(code) = truth.iter().find(|code| **code as usize >= labels.len()) {
        return Err(Error::rows(
            format!("class {code} has no label"),
            "give a label for every class",
        ));
    }
    let inside: Vec<bool> = truth.iter().zip(sets).map(|(t, s)| s.contains(t)).collect();
    let sizes: Vec<f64> = sets.iter().map(|set| set.len() as f64).collect();
    let mut by_class: Vec<Vec<usize>> = vec![Vec::new(); labels.len()];
    for (row, code) in truth.iter().enumerate() {
        by_class[*code as usize].push(row);
    }
    let parts = labels.iter().zip(&by_class);
    let parts = parts
        .filter(|(_, rows)| !rows.is_empty())
        .map(|(label, rows)| CoveragePart::of(label.clone(), rows, &inside, &sizes))
        .collect();
    let covered = inside.iter().filter(|inside| **inside).count();
    let (covered, interval) = share(covered, truth.len());
    Ok(Coverage {
        level,
        rows: truth.len(),
        covered,
        interval,
        size: sizes.iter().sum::<f64>() / truth.len() as f64,
        interval_score: None,
        parts,
    })
}

fn none_is_empty(rows: usize) -> Result<()> {
    if rows > 0 {
        return Ok(());
    }
    Err(Error::rows(
        "there are no rows to measure coverage on",
        "give rows whose target is known",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_by_hand() {
        let truth: Vec<f64> = (0..100).map(f64::from).collect();
        // Rows below 50 have narrow intervals, of which every second misses by 1.
        let ends: Vec<[f64; 2]> = (0..100)
            .map(|i| {
                let y = f64::from(i);
                match i {
                    _ if i >= 50 => [y - 5.0, y + 5.0],
                    _ if i % 2 == 0 => [y - 1.0 - f64::from(i) / 1000.0, y],
                    _ => [y + 1.0, y + 2.0 + f64::from(i) / 1000.0],
                }
            })
            .collect();
        let found = interval_coverage(&truth, &ends, 0.9).unwrap();
        assert_eq!((found.rows, found.covered), (100, 0.75));
        assert_eq!(found.parts.len(), 10);
        assert_eq!(found.parts[0].covered, 0.5);
        assert_eq!(found.parts[9].covered, 1.0);
        assert!(found.is_short() && found.off().len() >= 3);
        // Twenty-five rows outside by 1 cost 20 each.
        let expected = found.size + 0.25 * 20.0;
        assert!((found.interval_score.unwrap() - expected).abs() < 1e-9);
    }

    #[test]
    fn equal_widths_have_no_deciles() {
        let found = interval_coverage(&[1.0, 2.0], &[[0.0, 2.0], [1.0, 3.0]], 0.5).unwrap();
        assert!(found.parts.is_empty() && found.covered == 1.0);
    }

    #[test]
    fn sets_are_measured_by_class() {
        let labels = ["a", "b", "c"].map(str::to_owned);
        let sets = [vec![0], vec![0, 1], vec![0], vec![1, 0]];
        let found = set_coverage(&[0, 0, 1, 1], &sets, &labels, 0.9).unwrap();
        assert_eq!((found.covered, found.size), (0.75, 1.5));
        let parts: Vec<(&str, f64)> = found
            .parts
            .iter()
            .map(|p| (p.name.as_str(), p.covered))
            .collect();
        assert_eq!(parts, [("a", 1.0), ("b", 0.5)]);
        assert!(set_coverage(&[9], &[vec![0]], &labels, 0.9).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(interval_coverage(&[], &[], 0.9).is_err());
        assert!(interval_coverage(&[1.0], &[[0.0, 1.0]], 1.0).is_err());
        assert!(interval_coverage(&[1.0], &[[2.0, 1.0]], 0.9).is_err());
        assert!(interval_coverage(&[1.0], &[[f64::NAN, 1.0]], 0.9).is_err());
        assert!(interval_coverage(&[1.0, 2.0], &[[0.0, 1.0]], 0.9).is_err());
        let infinite = interval_coverage(&[1.0], &[[f64::NEG_INFINITY, f64::INFINITY]], 0.9);
        assert_eq!(infinite.unwrap().covered, 1.0);
    }
}
