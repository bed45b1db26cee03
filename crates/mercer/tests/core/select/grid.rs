//! Searches: both engines agree, threads change nothing, budgets and nonsense are handled.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use std::time::{Duration, Instant};

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::{Cancel, FitContext, Note, StopReason};
use mercer::judge::Metric;
use mercer::learn::AnyEstimator;
use mercer::learn::margin::{NuSvc, OneClass, Svc, Svr};
use mercer::select::grid::{Axis, Engine, FoldRule, Status, Tuned, Tuning};
use mercer_linalg::Matrix;

/// A bundled set; the last column is the target, numbers are standardised.
fn bundled(name: &str, real: bool) -> Dataset {
    let path = format!(
        "{}/../../tests/data/sets/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|l| l.split(',').collect())
        .collect();
    let d = rows[0].len() - 1;
    let n = rows.len();
    let mut x = Matrix::from_fn(n, d, |r, c| rows[r][c].parse::<f64>().unwrap_or(0.0));
    for c in 0..d {
        let mean = (0..n).map(|r| x[(r, c)]).sum::<f64>() / n as f64;
        let spread = ((0..n).map(|r| (x[(r, c)] - mean).powi(2)).sum::<f64>() / n as f64).sqrt();
        for r in 0..n {
            x[(r, c)] = (x[(r, c)] - mean) / spread.max(1e-9);
        }
    }
    let targets = if real {
        let y: Vec<f64> = rows.iter().map(|r| r[d].parse().unwrap()).collect();
        Targets::Real(y.iter().map(|v| v / 100.0).collect())
    } else {
        let labels: Vec<&str> = rows.iter().map(|r| r[d].trim()).collect();
        Targets::Classes(ClassTargets::from_labels(&labels))
    };
    Dataset::try_new(Records::from_points(x), targets).unwrap()
}

fn axes(texts: &[&str]) -> Tuning {
    let axes = texts.iter().map(|t| t.parse::<Axis>().unwrap());
    axes.fold(Tuning::default(), Tuning::axis)
}

fn svc() -> AnyEstimator {
    AnyEstimator::Svc(Svc::default())
}

/// Largest difference of fold scores between the two engines.
fn disagreement(tuning: &Tuning, machine: &AnyEstimator, data: &Dataset) -> f64 {
    let tuning = tuning.clone().race(false);
    let context = FitContext::default().threads(2);
    let fast = tuning.run(machine, data, &context).unwrap();
    let slow = tuning
        .clone()
        .engine(Engine::Direct)
        .run(machine, data, &context)
        .unwrap();
    assert_eq!(fast.points.len(), slow.points.len());
    let mut worst = 0.0_f64;
    for (f, s) in fast.points.iter().zip(&slow.points) {
        assert_eq!(f.values, s.values);
        assert_eq!(f.status, Status::Complete);
        assert_eq!((f.folds.len(), s.folds.len()), (fast.folds, slow.folds));
        assert!(f.folds.len() > 1);
        for (a, b) in f.folds.iter().zip(&s.folds) {
            worst = worst.max((a - b).abs());
        }
    }
    worst
}

#[test]
fn engines_agree_on_two_classes() {
    let data = bundled("sonar.csv", false);
    let tuning = axes(&["C=0.1..1000:4", "gamma=0.001..0.1:3"]);
    // A decision within the tolerance of zero may fall either way: one row of 42.
    assert!(disagreement(&tuning, &svc(), &data) < 1.5 / 41.0);
}

#[test]
fn engines_agree_on_several_classes_and_kernels() {
    let data = bundled("wine.csv", false);
    for kernel in [
        "rbf",
        "matern(nu=1.5)",
        "laplace",
        "poly(degree=2)",
        "rbf + linear",
    ] {
        let machine = AnyEstimator::Svc(Svc::default().kernel(kernel.parse().unwrap()));
        let tuning = axes(&["C=0.1,10"]);
        assert!(
            disagreement(&tuning, &machine, &data) < 1.5 / 35.0,
            "{kernel}"
        );
    }
}

#[test]
fn engines_agree_on_regression_and_one_class() {
    let data = bundled("diabetes_efron.csv", true);
    let svr = AnyEstimator::Svr(Svr::default());
    let tuning = axes(&["C=0.1,1,10", "epsilon=0.1,0.5", "gamma=0.01,0.1"]);
    assert!(disagreement(&tuning, &svr, &data) < 5e-3);
    let data = bundled("wine.csv", false);
    let one = AnyEstimator::OneClass(OneClass::default().nu(0.2));
    // Rows on the edge of the region are many: they are its support vectors.
    assert!(disagreement(&axes(&["gamma=0.01,0.1"]), &one, &data) < 0.1);
}

fn table(tuned: &Tuned) -> Vec<(Vec<f64>, Vec<u64>, Status)> {
    let row = |p: &mercer::select::grid::Point| {
        let bits = p.folds.iter().map(|f| f.to_bits()).collect();
        (p.values.clone(), bits, p.status)
    };
    tuned.points.iter().map(row).collect()
}

#[test]
fn threads_change_nothing() {
    let data = bundled("ionosphere.csv", false);
    let tuning = axes(&["C=0.1..1000:5", "gamma=0.001..1:4"]).refine(1);
    let run = |threads| {
        let context = FitContext::default().threads(threads);
        tuning.run(&svc(), &data, &context).unwrap()
    };
    let (one, three) = (run(1), run(3));
    assert_eq!(table(&one), table(&three));
    assert_eq!(one.best, three.best);
    assert!(one.points.iter().any(|p| p.status == Status::Dropped));
    assert!(one.points.iter().any(|p| p.round == 1));
}

#[test]
fn the_race_keeps_the_winner() {
    let data = bundled("pima_diabetes.csv", false);
    let tuning = axes(&["C=0.01..100:5", "gamma=0.001..1:4"]);
    let context = FitContext::default();
    let raced = tuning.run(&svc(), &data, &context).unwrap();
    let full = tuning
        .clone()
        .race(false)
        .run(&svc(), &data, &context)
        .unwrap();
    assert_eq!(raced.best_point().values, full.best_point().values);
    assert!((raced.best_point().mean - full.best_point().mean).abs() < 1e-9);
}

#[test]
fn leave_one_out_scores_all_answers_together() {
    let data = bundled("iris.csv", false);
    let tuning = axes(&["C=1,10"]).folds(FoldRule::LeaveOneOut).race(false);
    let tuned = tuning.run(&svc(), &data, &FitContext::default()).unwrap();
    assert_eq!(tuned.folds, 150);
    assert!(tuned.best_point().mean > 0.94 && tuned.best_point().folds.is_empty());
    assert!(tuned.best_point().standard_error > 0.0);
}

#[test]
fn ties_go_to_the_smaller_price_and_the_smoother_kernel() {
    let x = Matrix::from_fn(
        40,
        1,
        |i, _| if i % 2 == 0 { -3.0 } else { 3.0 } + i as f64 * 0.01,
    );
    let labels: Vec<&str> = (0..40)
        .map(|i| if i % 2 == 0 { "a" } else { "b" })
        .collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    let data = Dataset::try_new(Records::from_points(x), targets).unwrap();
    let tuning = axes(&["gamma=0.1,1,10", "C=1,10,100"]);
    let tuned = tuning.run(&svc(), &data, &FitContext::default()).unwrap();
    assert_eq!(tuned.best_point().values, [0.1, 1.0]);
}

#[test]
fn a_grid_is_found_where_none_is_given() {
    let data = bundled("iris.csv", false);
    let tuned = Tuning::default()
        .run(&svc(), &data, &FitContext::default())
        .unwrap();
    let names: Vec<&str> = tuned.axes.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["C", "rbf.gamma"]);
    assert!(tuned.best_point().mean > 0.95);
    let fitted = tuned.refit(&data, &FitContext::default()).unwrap();
    assert!(fitted.report.kernel().support_vectors > 0);
    let nu = AnyEstimator::NuSvc(NuSvc::default().lower(true));
    let tuned = Tuning::default()
        .run(&nu, &data, &FitContext::default())
        .unwrap();
    assert_eq!(tuned.axes[0].name, "nu");
}

#[test]
fn the_time_limit_ends_the_search_cleanly() {
    let data = bundled("digits.csv", false);
    let tuning = axes(&["C=0.01..1000:9", "gamma=0.0001..1:20"]);
    let context = FitContext::default().time_limit(Some(Duration::from_millis(300)));
    let started = Instant::now();
    let result = tuning.run(&svc(), &data, &context);
    // The whole grid takes minutes; a busy machine gets its share.
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
    match result {
        Ok(tuned) => {
            assert!(tuned.points.iter().any(|p| p.status == Status::NotRun));
            let told = |n: &Note| matches!(n, Note::Alert(t) if t.contains("time limit"));
            assert!(tuned.notes.iter().any(told));
        }
        Err(error) => assert_eq!(error, mercer::Error::OutOfTime),
    }
}

#[test]
fn a_fold_without_a_score_is_not_a_matter_of_time() {
    // The rows of the first group are of one class: no ROC curve there.
    let group = |row: usize| (row / 20) as u32;
    let class = |row: usize| usize::from(row >= 20 && row % 2 == 1);
    let x = Matrix::from_fn(60, 2, |r, c| {
        let wave = ((r * (c + 3)) as f64).sin();
        wave + 0.7 * class(r) as f64
    });
    let labels: Vec<&str> = (0..60).map(|r| ["no", "yes"][class(r)]).collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    let data = Dataset::try_new(Records::from_points(x), targets).unwrap();
    let tuning = Tuning {
        metric: Some(Metric::RocAuc),
        groups: Some((0..60).map(group).collect()),
        folds: FoldRule::Count(3),
        ..axes(&["C=0.1,1"])
    };
    for engine in [Engine::Auto, Engine::Direct] {
        let tuned = tuning.clone().engine(engine);
        let tuned = tuned.run(&svc(), &data, &FitContext::default()).unwrap();
        assert_eq!(tuned.stop_reason, StopReason::Converged);
        for point in &tuned.points {
            assert_eq!(point.status, Status::Complete, "{point:?}");
            assert_eq!(point.folds.iter().filter(|s| s.is_nan()).count(), 1);
        }
        let told: Vec<&str> = tuned.notes.iter().map(Note::text).collect();
        let about = |words: &str| told.iter().any(|note| note.contains(words));
        assert!(!about("time limit"), "{told:?}");
        assert!(about("`roc_auc` has no value on 1 of 3 folds"), "{told:?}");
    }
}

#[test]
fn cancelling_stops_the_search() {
    let data = bundled("digits.csv", false);
    let cancel = Cancel::default();
    let context = FitContext::default().cancel(cancel.clone());
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        cancel.cancel();
    });
    let tuning = axes(&["C=0.01..1000:9", "gamma=0.0001..1:20"]);
    assert_eq!(
        tuning.run(&svc(), &data, &context).unwrap_err(),
        mercer::Error::Cancelled
    );
    stopper.join().unwrap();
}

#[test]
fn nonsense_is_refused() {
    let data = bundled("iris.csv", false);
    let context = FitContext::default();
    let refused = |tuning: Tuning| tuning.run(&svc(), &data, &context).unwrap_err();
    let error = refused(axes(&["gama=1"]));
    assert_eq!(error.hints(), ["did you mean `gamma`?"]);
    assert!(
        refused(axes(&["epsilon=1"]))
            .to_string()
            .contains("epsilon")
    );
    assert!(refused(axes(&["C=-1,1"])).to_string().contains("positive"));
    assert!(refused(axes(&["C=1", "c=2"])).to_string().contains("twice"));
    assert!(
        refused(axes(&["C=1"]).metric(Metric::R2))
            .to_string()
            .contains("r2")
    );
    assert!(
        refused(axes(&["C=1"]).metric(Metric::RocAuc))
            .to_string()
            .contains("two classes")
    );
    refused(axes(&["C=1"]).folds(FoldRule::Count(1)));
    refused(axes(&["C=1"]).folds(FoldRule::Count(1000)));
}

/// What a kernel group gives back between folds is its buffers, not what it may still do.
#[test]
fn little_memory_leaves_points_in_the_race() {
    let x = Matrix::from_fn(300, 2, |i, j| ((i * (7 + 4 * j)) % 61) as f64 / 20.0);
    let labels: Vec<&str> = (0..300)
        .map(|i| {
            if (x[(i, 0)] - 1.5).hypot(x[(i, 1)] - 1.5) < 1.0 {
                "in"
            } else {
                "out"
            }
        })
        .collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    let data = Dataset::try_new(Records::from_points(x), targets).unwrap();
    let tuning = axes(&["C=1,10", "gamma=0.1,1,3"]).race(false);
    for limit in [None, Some(1e12)] {
        let tuning = tuning.clone().work_limit(limit);
        let means = |context: &FitContext| -> Vec<f64> {
            let tuned = tuning.run(&svc(), &data, context).unwrap();
            assert!(tuned.points.iter().all(|p| p.status == Status::Complete));
            tuned.points.iter().map(|p| p.mean).collect()
        };
        let rich = means(&FitContext::default().threads(2));
        // Room for distances and two kernels, and not for all of them.
        let poor = means(&FitContext::default().threads(2).memory_limit(3_000_000));
        assert_eq!(rich, poor);
    }
}
