//! The automatic model on noise, and its class factors.

use mercer::automatic::Automatic;
use mercer::data::Task;
use mercer::fit::FitContext;
use mercer::learn::expansion::Machine;
use mercer::model::{AnyEstimator, AnyModel};

use super::points::{close, dataset, even, factor, least, mean, most, noise, probabilities};

#[test]
fn noise_gets_the_share() {
    let (x, positive) = noise(120);
    let auto = Automatic::new(Task::Classify);
    let fitted = auto
        .fit(&dataset(&x, &positive), &FitContext::default())
        .expect("fits");
    let AnyModel::Expansion(model) = &fitted.model;
    let p = probabilities(model, &even(121, 420));
    close(mean(&p), 0.3, 0.02);
    assert!(
        least(&p) > 0.2 && most(&p) < 0.4,
        "{} {}",
        least(&p),
        most(&p)
    );
}

#[test]
fn class_factors_reach_the_label_and_not_the_probabilities() {
    let (x, positive) = noise(120);
    let mut auto = Automatic::new(Task::Classify);
    auto.class_weights = factor(10.0);
    let fitted = auto
        .fit(&dataset(&x, &positive), &FitContext::default())
        .expect("fits");
    let AnyModel::Expansion(model) = &fitted.model;
    let Machine::Classifier { factors, .. } = &model.machine else {
        panic!("no classes");
    };
    assert_eq!(factors.as_deref(), Some(&[10.0, 1.0][..]));
    let p = probabilities(model, &even(121, 420));
    close(mean(&p), 0.3, 0.03);
    let chosen = fitted.report.chosen.as_deref().expect("a choice");
    let own = match chosen {
        AnyEstimator::LsSvc(m) => &m.class_weights,
        AnyEstimator::Svc(m) => &m.class_weights,
        other => panic!("{other:?}"),
    };
    assert_eq!(own, &factor(10.0));
}
