//! The automatic model on noise, and its class factors.

use mercer::data::Task;
use mercer::fit::FitContext;
use mercer::select::automatic::Automatic;

use super::points::{close, dataset, even, factor, least, mean, most, noise, probabilities};

#[test]
fn noise_gets_the_share() {
    let (x, positive) = noise(120);
    let auto = Automatic::new(Task::Classify);
    let fitted = auto
        .fit(&dataset(&x, &positive), &FitContext::default())
        .expect("fits");
    let model = fitted.model.expansion().expect("an expansion");
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
    let model = fitted.model.expansion().expect("an expansion");
    let classes = model.readout.classes().expect("classes");
    assert_eq!(classes.factors.as_deref(), Some(&[10.0, 1.0][..]));
    let p = probabilities(model, &even(121, 420));
    close(mean(&p), 0.3, 0.03);
    let selection = fitted.report.selection.as_ref().expect("a choice");
    let own = &selection.chosen.settings["class_weights"];
    assert_eq!(*own, serde_json::to_value(factor(10.0)).expect("JSON"));
}
