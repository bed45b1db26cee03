//! From settings and rows to a data set and an estimator.

use std::collections::BTreeMap;

use mercer::data::{ClassTargets, Dataset, Targets};
use mercer::learn::AnyEstimator;
use mercer::learn::margin::{ClassWeights, NuSvc, NuSvr, OneClass, SolverSettings, Svc, Svr};
use mercer_io::libsvm::SvmType;

use crate::failure::Result;
use crate::output::warn;

use super::rows::Rows;
use super::settings::{KernelKind, TrainSettings};

/// Returns the rows with their targets.
pub(super) fn dataset(settings: &TrainSettings, rows: &Rows) -> Result<Dataset> {
    let records = if settings.kernel == KernelKind::Precomputed {
        rows.given_matrix()?
    } else {
        rows.vectors(0)
    };
    let targets = match settings.svm_type {
        SvmType::CSvc | SvmType::NuSvc => Targets::Classes(classes(rows)?),
        SvmType::EpsilonSvr | SvmType::NuSvr => Targets::Real(rows.labels.clone()),
        SvmType::OneClass => Targets::None,
    };
    Ok(Dataset::try_new(records, targets)?)
}

/// Numbers the classes by first appearance; +1 comes before −1 where there are no others.
fn classes(rows: &Rows) -> Result<ClassTargets> {
    let mut numbers: Vec<i32> = Vec::new();
    let mut codes = Vec::with_capacity(rows.labels.len());
    for (row, &label) in rows.labels.iter().enumerate() {
        let whole = label.fract() == 0.0 && label.abs() <= f64::from(i32::MAX);
        if !whole {
            return Err(rows.refuse(
                row,
                format!("the label `{label}` is not a whole number"),
                "number the classes, or learn a regression with `-s 3`",
            ));
        }
        let number = label as i32;
        let code = numbers
            .iter()
            .position(|n| *n == number)
            .unwrap_or_else(|| {
                numbers.push(number);
                numbers.len() - 1
            });
        codes.push(code as u32);
    }
    if numbers == [-1, 1] {
        numbers.swap(0, 1);
        for code in &mut codes {
            *code = 1 - *code;
        }
    }
    Ok(ClassTargets {
        codes,
        labels: numbers.iter().map(i32::to_string).collect(),
    })
}

/// Returns the estimator that the settings describe.
pub(super) fn estimator(
    settings: &TrainSettings,
    max_index: usize,
    targets: &Targets,
) -> Result<AnyEstimator> {
    let kernel = settings.kernel(max_index)?;
    let solver = SolverSettings {
        tolerance: settings.tolerance,
        shrinking: settings.shrinking,
        ..SolverSettings::default()
    };
    Ok(match settings.svm_type {
        SvmType::CSvc => {
            let mut machine = Svc::default()
                .kernel(kernel)
                .c(settings.cost)
                .class_weights(class_weights(settings, targets))
                .probability(settings.probability);
            machine.solver = solver;
            AnyEstimator::Svc(machine)
        }
        SvmType::NuSvc => {
            let mut machine = NuSvc::default()
                .kernel(kernel)
                .nu(settings.nu)
                .probability(settings.probability);
            machine.solver = solver;
            AnyEstimator::NuSvc(machine)
        }
        SvmType::OneClass => {
            let mut machine = OneClass::default().kernel(kernel).nu(settings.nu);
            machine.solver = solver;
            AnyEstimator::OneClass(machine)
        }
        SvmType::EpsilonSvr => {
            let mut machine = Svr::default()
                .kernel(kernel)
                .c(settings.cost)
                .epsilon(settings.tube);
            machine.solver = solver;
            AnyEstimator::Svr(machine)
        }
        SvmType::NuSvr => {
            let mut machine = NuSvr::default()
                .kernel(kernel)
                .c(settings.cost)
                .nu(settings.nu);
            machine.solver = solver;
            AnyEstimator::NuSvr(machine)
        }
    })
}

/// Factors for classes that occur; others are told and left out.
fn class_weights(settings: &TrainSettings, targets: &Targets) -> ClassWeights {
    let Targets::Classes(classes) = targets else {
        return ClassWeights::Equal;
    };
    let mut given = BTreeMap::new();
    for (label, weight) in &settings.weights {
        let name = label.to_string();
        if classes.labels.contains(&name) {
            given.insert(name, *weight);
        } else {
            warn(&format!(
                "warning: no row has the label {label} of `-w{label}`"
            ));
        }
    }
    if given.is_empty() {
        ClassWeights::Equal
    } else {
        ClassWeights::Given(given)
    }
}

#[cfg(test)]
mod tests {
    use mercer_linalg::Csr;

    use super::*;

    fn labels_of(labels: &[f64]) -> Result<ClassTargets> {
        classes(&Rows {
            file: "a".to_owned(),
            labels: labels.to_vec(),
            x: Csr::try_new(1, vec![0; labels.len() + 1], Vec::new(), Vec::new()).expect("empty"),
            lines: (1..=labels.len() as u32).collect(),
        })
    }

    #[test]
    fn classes_come_by_first_appearance() {
        let found = labels_of(&[3.0, -1.0, 3.0, 0.0]).expect("whole numbers");
        assert_eq!(found.labels, ["3", "-1", "0"]);
        assert_eq!(found.codes, [0, 1, 0, 2]);
    }

    #[test]
    fn plus_one_comes_first() {
        let found = labels_of(&[-1.0, 1.0, -1.0]).expect("whole numbers");
        assert_eq!(found.labels, ["1", "-1"]);
        assert_eq!(found.codes, [1, 0, 1]);
        assert_eq!(
            labels_of(&[-1.0, 2.0]).expect("whole numbers").labels,
            ["-1", "2"]
        );
    }

    #[test]
    fn broken_labels_are_placed() {
        let error = labels_of(&[1.0, 1.5]).expect_err("not whole");
        assert_eq!(
            error.message,
            "a, line 2, column 1: the label `1.5` is not a whole number"
        );
        assert_eq!(error.exit_number(), 1);
    }
}
