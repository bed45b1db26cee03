//! Margin machines against answers recorded from LIBSVM and scikit-learn.
//!
//! `tests/data/README.md` describes the answers and `tests/data/oracle/make_oracle.py` makes
//! them. Objectives and decision values are compared, not multipliers: optima are not unique.

#![expect(clippy::print_stdout, reason = "says which cases were skipped")]

mod case;
mod check;
mod sets;

use case::Case;
use check::Tightness;

/// Runs every case of one machine at two tolerances.
fn run(machine: &str) {
    let cases = Case::load(machine);
    let mut skipped = 0;
    let mut failures = Vec::new();
    let mut labels = check::LabelCount::default();
    for case in &cases {
        let Some(problem) = case.problem() else {
            skipped += 1;
            continue;
        };
        for tightness in [Tightness::Loose, Tightness::Tight] {
            if let Err(failure) = check::run(case, &problem, tightness, &mut labels) {
                failures.push(format!("{} ({tightness:?}): {failure}", case.id()));
            }
        }
    }
    if skipped > 0 {
        println!("{machine}: {skipped} cases skipped, their data are not at MERCER_DATA");
    }
    assert!(skipped < cases.len(), "no case of {machine} could run");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(
        labels.agreement() >= 0.999,
        "labels agree on {:.3} % only",
        100.0 * labels.agreement()
    );
}

#[test]
fn c_svc() {
    run("c_svc");
}

#[test]
fn nu_svc() {
    run("nu_svc");
}

#[test]
fn one_class() {
    run("one_class");
}

#[test]
fn epsilon_svr() {
    run("epsilon_svr");
}

#[test]
fn nu_svr() {
    run("nu_svr");
}

#[test]
fn one_vs_rest() {
    run("one_vs_rest");
}

#[test]
fn probabilities_are_as_good_as_libsvms() {
    for case in Case::load("probability") {
        let Some(problem) = case.problem() else {
            continue;
        };
        check::probability(&case, &problem);
    }
}

#[test]
fn svmguide1_with_libsvm_defaults() {
    let cases = Case::load("c_svc");
    let case = cases
        .iter()
        .find(|c| c.id() == "c_svc/svmguide1/default")
        .expect("the case is recorded");
    let Some(problem) = case.problem() else {
        println!("skipped: svmguide1 is not at MERCER_DATA");
        return;
    };
    let accuracy = check::accuracy(case, &problem);
    assert!((accuracy - 0.66925).abs() < 1e-9, "{accuracy}");
}
