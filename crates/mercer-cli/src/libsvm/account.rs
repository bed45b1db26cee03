//! The lines about each solved problem that scripts read.

use std::fmt::Write as _;

use mercer::data::{Dataset, Targets};
use mercer::fit::FitReport;
use mercer::learn::AnyEstimator;
use mercer::learn::margin::ClassWeights;
use mercer::model::expansion::{Counted, KernelExpansion, Unmerged};
use mercer_io::libsvm::SvmType;

use super::settings::TrainSettings;

/// Describes every problem of a fit.
pub(super) fn describe(
    settings: &TrainSettings,
    estimator: &AnyEstimator,
    data: &Dataset,
    model: &KernelExpansion,
    report: &FitReport,
) -> String {
    let mut text = String::new();
    let sums = multiplier_sums(model);
    let apart = model.unmerged();
    let counts = apart
        .as_ref()
        .map_or_else(Vec::new, |a| copy_counts(model, a));
    let sizes = sizes(data);
    let even = has_even_weights(estimator);
    for (k, problem) in report.solver().problems.iter().enumerate() {
        let rows = sizes.get(k).copied().unwrap_or(data.len()) as f64;
        let sum = sums.get(k).copied().unwrap_or(0.0);
        let share = sum / (settings.cost * rows);
        // The ν forms minimise ½‖w‖² alone; the others the negative of the dual.
        let (first, objective) = match settings.svm_type {
            SvmType::CSvc if !even => (None, -problem.dual),
            SvmType::CSvc | SvmType::EpsilonSvr => {
                (Some(format!("nu = {share:.6}")), -problem.dual)
            }
            SvmType::NuSvc => {
                let price = sum / (settings.nu * rows);
                (
                    Some(format!("C = {price:.6}")),
                    0.5 * problem.norm * problem.norm,
                )
            }
            SvmType::OneClass => (None, 0.5 * problem.norm * problem.norm),
            SvmType::NuSvr => (None, -problem.dual),
        };
        let mut line = |line: String| {
            text.push_str(&line);
            text.push('\n');
        };
        line(format!(
            "optimization finished, #iter = {}",
            problem.iterations
        ));
        first.into_iter().for_each(&mut line);
        line(format!(
            "obj = {objective:.6}, rho = {:.6}",
            0.0 - problem.bias
        ));
        let bounded = problem.bounded_support_vectors;
        let merged = Counted {
            support: problem.free_support_vectors + bounded,
            bounded,
        };
        let counted = counts.get(k).unwrap_or(&merged);
        line(format!(
            "nSV = {}, nBSV = {}",
            counted.support, counted.bounded
        ));
    }
    if settings.svm_type.is_classifier() {
        let total = apart.map_or(report.kernel().support_vectors, |a| a.rows.len());
        let _ = writeln!(text, "Total nSV = {total}");
    }
    text
}

/// Sum of the multipliers of each problem.
fn multiplier_sums(model: &KernelExpansion) -> Vec<f64> {
    let coefficients = &model.coefficients;
    let sum = |row: usize, columns: std::ops::Range<usize>| -> f64 {
        columns.map(|j| coefficients[(row, j)].abs()).sum()
    };
    if model.readout.classes().is_none() {
        return vec![sum(0, 0..coefficients.columns())];
    }
    let class_sizes = &model.class_sizes;
    let mut start = 0;
    let spans: Vec<std::ops::Range<usize>> = class_sizes
        .iter()
        .map(|size| {
            let span = start..start + size;
            start += size;
            span
        })
        .collect();
    let k = class_sizes.len();
    let pairs = (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b)));
    pairs
        .map(|(a, b)| sum(b - 1, spans[a].clone()) + sum(a, spans[b].clone()))
        .collect()
}

/// Support vectors of each problem with copies of equal rows apart.
fn copy_counts(model: &KernelExpansion, apart: &Unmerged) -> Vec<Counted> {
    let counts = &apart.counts;
    if model.readout.classes().is_none() {
        return counts.concat();
    }
    let k = model.class_sizes.len();
    let pairs = (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b)));
    pairs
        .map(|(a, b)| {
            let (first, second) = (counts[a][b - 1], counts[b][a]);
            Counted {
                support: first.support + second.support,
                bounded: first.bounded + second.bounded,
            }
        })
        .collect()
}

/// Rows of each problem, copies counted.
fn sizes(data: &Dataset) -> Vec<usize> {
    let Targets::Classes(classes) = &data.targets else {
        return vec![data.len()];
    };
    let counts = classes.counts();
    let k = counts.len();
    let pairs = (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b)));
    pairs.map(|(a, b)| counts[a] + counts[b]).collect()
}

fn has_even_weights(estimator: &AnyEstimator) -> bool {
    !matches!(
        estimator,
        AnyEstimator::Svc(machine) if machine.class_weights != ClassWeights::Equal
    )
}
