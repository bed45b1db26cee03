//! Folds whose training part lacks a class: one treatment, whoever asks.

use std::collections::BTreeMap;

use mercer::data::{ClassTargets, Dataset, Records, Targets, folds};
use mercer::fit::FitContext;
use mercer::judge::{CONFIDENCE, Metric, Truth, score};
use mercer::learn::margin::{ClassWeights, Svc};
use mercer::learn::{AnyEstimator, Estimator};
use mercer::model::{Answers, Form, Predictions};
use mercer::select::folds::predictions;
use mercer::select::grid::{Axis, Engine, FoldRule, Tuned, Tuning};
use mercer_linalg::Matrix;

/// Three clusters on a line; so many rows of each.
fn clusters(counts: [usize; 3]) -> Dataset {
    let mut labels = Vec::new();
    let mut places = Vec::new();
    for (class, count) in counts.into_iter().enumerate() {
        for row in 0..count {
            labels.push(["a", "b", "c"][class]);
            places.push(4.0 * class as f64 + 0.1 * row as f64);
        }
    }
    let x = Matrix::from_vec(places.len(), 1, places);
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    Dataset::try_new(Records::from_points(x), targets).expect("equal lengths")
}

fn cross_validated(estimator: &AnyEstimator, data: &Dataset, k: usize) -> Predictions {
    let context = FitContext::default();
    let split = folds(data.len(), &data.targets, k, 0, None).expect("enough rows");
    let pooled = predictions(data, &split, |fold| {
        let fitted = fold.suited(estimator).fit(&fold.train, &context, None)?;
        let records = data.records.select(fold.rows);
        fitted.model.predict(&records, &context)
    });
    pooled.expect("every fold is predicted")
}

fn codes(predictions: &Predictions) -> &[u32] {
    match &predictions.answers {
        Answers::Classes { codes, .. } => codes,
        _ => panic!("classes"),
    }
}

#[test]
fn a_class_of_one_row_is_learnt_without() {
    let data = clusters([6, 6, 1]);
    let factors = BTreeMap::from([("a".to_owned(), 2.0), ("c".to_owned(), 3.0)]);
    let svc = AnyEstimator::Svc(Svc {
        class_weights: ClassWeights::Given(factors),
        ..Svc::default().c(10.0)
    });
    let pooled = cross_validated(&svc, &data, data.len());
    let found = codes(&pooled);
    // The one row of `c` is taken for its neighbour; everything else is right.
    assert_eq!(found[..12], [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
    assert_eq!(found[12], 1);
    let truth = Truth::Targets(data.targets.clone());
    let scores = score(
        &pooled,
        &truth,
        &[],
        None,
        CONFIDENCE,
        &FitContext::default(),
    );
    let scores = scores.expect("scores");
    let accuracy = scores.metrics.of(Metric::Accuracy).expect("defined").value;
    assert!((accuracy - 12.0 / 13.0).abs() < 1e-12);
}

fn tuned(data: &Dataset, svc: Svc, engine: Engine) -> Tuned {
    let tuning = Tuning {
        axes: vec!["C=1,10".parse::<Axis>().expect("an axis")],
        folds: FoldRule::LeaveOneOut,
        engine,
        ..Tuning::default()
    };
    let tuned = tuning.run(&AnyEstimator::Svc(svc), data, &FitContext::default());
    tuned.expect("a search")
}

#[test]
fn searches_answer_like_cross_validation() {
    for counts in [[6, 6, 1], [7, 1, 0], [1, 6, 0]] {
        let mut data = clusters(counts);
        if counts[2] == 0 {
            let Targets::Classes(classes) = &mut data.targets else {
                unreachable!("made of classes")
            };
            classes.labels.truncate(2);
        }
        let factors = BTreeMap::from([("a".to_owned(), 2.0), ("b".to_owned(), 3.0)]);
        let svc = Svc::default().class_weights(ClassWeights::Given(factors));
        let pooled = cross_validated(&AnyEstimator::Svc(svc.clone().c(10.0)), &data, data.len());
        let classes = data.targets.classes().expect("classes");
        let pairs = codes(&pooled).iter().zip(&classes.codes);
        let right = pairs.filter(|(found, truth)| found == truth).count();
        let expected = right as f64 / data.len() as f64;
        assert!(expected < 1.0, "the row that is alone is never known");
        for engine in [Engine::Auto, Engine::Direct] {
            let found = tuned(&data, svc.clone(), engine).points[1].mean;
            assert!((found - expected).abs() < 1e-12, "{counts:?} {engine:?}");
        }
    }
}

#[test]
fn rows_of_one_class_are_no_search() {
    let mut data = clusters([6, 0, 0]);
    let Targets::Classes(classes) = &mut data.targets else {
        unreachable!("made of classes")
    };
    classes.labels.push("b".to_owned());
    for engine in [Engine::Auto, Engine::Direct] {
        let tuning = Tuning::default().engine(engine);
        let refused = tuning.run(
            &AnyEstimator::Svc(Svc::default()),
            &data,
            &FitContext::default(),
        );
        let error = refused.expect_err("refused");
        assert!(error.to_string().contains("class `a`"), "{error}");
    }
}

#[test]
fn a_model_that_lacks_a_class_is_scored_by_all() {
    let data = clusters([5, 5, 5]);
    let known: Vec<usize> = (5..15).collect();
    let mut part = data.select(&known);
    let Targets::Classes(classes) = &mut part.targets else {
        unreachable!("made of classes")
    };
    classes.labels.remove(0);
    classes.codes.iter_mut().for_each(|code| *code -= 1);
    let context = FitContext::default();
    let fitted = Svc::default().probability(true).fit(&part, &context);
    let model = Form::from(fitted.expect("fitted").model);
    let answers = model.predict(&data.records, &context).expect("answers");
    let truth = Truth::Targets(data.targets.clone());
    let scores = score(&answers, &truth, &[], None, CONFIDENCE, &context).expect("scores");
    let value = |metric: Metric| scores.metrics.of(metric).expect("defined").value;
    assert!((value(Metric::Accuracy) - 10.0 / 15.0).abs() < 1e-12);
    // Probability 0 for the truth of every third row.
    assert!(value(Metric::LogLoss) > 5.0);
    let numbers = Truth::Targets(Targets::Real(vec![0.0; 15]));
    let error = score(&answers, &numbers, &[], None, CONFIDENCE, &context);
    let error = error.expect_err("other kinds");
    assert!(error.to_string().contains("different kinds"), "{error}");
}
