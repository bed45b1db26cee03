//! Support vector machines against results recorded from LIBSVM and scikit-learn.
//!
//! `tests/data/README.md` describes the results and `tests/data/oracle/make_oracle.py` makes
//! them. Objectives and decision values are compared, not multipliers: optima are not unique.
//! Cases on bundled sets always run; those on larger sets need the folder `MERCER_DATA`.

mod case;
mod check;
mod sets;

use case::{Case, Needs};
use check::Tightness;

/// Runs the cases of one method at two tolerances.
fn run(machine: &str, needs: Needs) {
    let cases = Case::load(machine, needs);
    assert!(!cases.is_empty(), "{machine} has no such case");
    let mut failures = Vec::new();
    let mut labels = check::LabelCount::default();
    for case in &cases {
        let problem = case.problem();
        for tightness in [Tightness::Loose, Tightness::Tight] {
            if let Err(failure) = check::run(case, &problem, tightness, &mut labels) {
                failures.push(format!("{} ({tightness:?}): {failure}", case.id()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    if machine.ends_with("svc") || machine == "one_vs_rest" {
        let agreement = labels.agreement().expect("labels were compared");
        assert!(
            agreement >= 0.999,
            "labels agree on {:.3} % only",
            100.0 * agreement
        );
    }
}

#[test]
fn c_svc() {
    run("c_svc", Needs::Nothing);
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn c_svc_on_larger_sets() {
    run("c_svc", Needs::Data);
}

#[test]
fn nu_svc() {
    run("nu_svc", Needs::Nothing);
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn nu_svc_on_larger_sets() {
    run("nu_svc", Needs::Data);
}

#[test]
fn one_class() {
    run("one_class", Needs::Nothing);
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn one_class_on_larger_sets() {
    run("one_class", Needs::Data);
}

#[test]
fn epsilon_svr() {
    run("epsilon_svr", Needs::Nothing);
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn epsilon_svr_on_larger_sets() {
    run("epsilon_svr", Needs::Data);
}

#[test]
fn nu_svr() {
    run("nu_svr", Needs::Nothing);
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn nu_svr_on_larger_sets() {
    run("nu_svr", Needs::Data);
}

#[test]
fn one_vs_rest() {
    run("one_vs_rest", Needs::Nothing);
}

#[test]
fn probabilities_are_as_good_as_libsvms() {
    let cases = Case::load("probability", Needs::Nothing);
    assert!(!cases.is_empty());
    for case in cases {
        check::probability(&case, &case.problem());
    }
}

/// Every recorded case is run by one of the tests above.
#[test]
fn only_these_machines_have_cases_on_larger_sets() {
    for machine in ["one_vs_rest", "probability"] {
        assert_eq!(Case::load(machine, Needs::Data).len(), 0, "{machine}");
    }
}

#[test]
#[ignore = "needs MERCER_DATA"]
fn svmguide1_with_libsvm_defaults() {
    let cases = Case::load("c_svc", Needs::Data);
    let case = cases
        .iter()
        .find(|c| c.id() == "c_svc/svmguide1/default")
        .expect("the case is recorded");
    let accuracy = check::accuracy(case, &case.problem());
    assert!((accuracy - 0.66925).abs() < 1e-9, "{accuracy}");
}
