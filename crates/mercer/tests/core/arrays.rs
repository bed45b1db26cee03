//! Arrays of the crate `ndarray` in, and predictions as such out.

use mercer::data::{ClassTargets, Dataset, Points, Records, Targets};
use mercer::fit::FitContext;
use mercer::learn::Estimator;
use mercer::learn::linear::Ols;
use mercer::learn::margin::Svc;
use mercer::model::{Answers, Form};
use mercer_linalg::{Matrix, Precision};
use ndarray::{Array1, Array2, array, s};

#[test]
fn arrays_are_points_of_their_precision() {
    let double = Array2::from_shape_fn((3, 2), |(i, j)| (2 * i + j) as f64);
    let single = double.mapv(|v| v as f32);
    let expected = Points::from(Matrix::from_fn(3, 2, |i, j| (2 * i + j) as f64));
    assert_eq!(Points::from(double.view()), expected);
    assert_eq!(Points::from(double.clone()), expected);
    let turned = Array2::from_shape_fn((2, 3), |(j, i)| (2 * i + j) as f64);
    assert_eq!(Points::from(turned.t()), expected);
    assert_eq!(Points::from(turned.reversed_axes()), expected);
    let single = Points::from(single);
    assert_eq!(single.precision(), Precision::F32);
    assert_eq!(Points::from(single.widened()), expected);
}

#[test]
fn several_targets_are_columns() {
    let x = array![[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 5.0]];
    let y = array![[1.0, -1.0], [3.0, -2.0], [5.0, 0.0], [7.0, 3.0]];
    let data = Dataset::try_new(Records::from_points(x.view()), y.view().into()).unwrap();
    let context = FitContext::default();
    let model = Form::from(Ols::default().fit(&data, &context).unwrap().model);
    let answers = model.predict(&data.records, &context).unwrap().answers;
    let values = answers.to_values().expect("numbers");
    assert_eq!(values.dim(), (4, 2));
    for ((row, target), value) in values.indexed_iter() {
        assert!((value - y[[row, target]]).abs() < 1e-9, "{row} {target}");
    }

    let first = Targets::from(y.slice(s![.., 0]));
    assert_eq!(first, Targets::from(Array1::from(vec![1.0, 3.0, 5.0, 7.0])));
    let data = Dataset::try_new(Records::from_points(x), first).unwrap();
    let model = Form::from(Ols::default().fit(&data, &context).unwrap().model);
    let answers = model.predict(&data.records, &context).unwrap().answers;
    assert_eq!(answers.to_values().expect("numbers").dim(), (4, 1));
    assert!(answers.to_probabilities().is_none() && answers.to_codes().is_none());
}

#[test]
fn classes_have_codes_probabilities_and_decisions() {
    let x = Array2::from_shape_fn((40, 1), |(i, _)| (i as f64 - 19.5) / 10.0);
    let labels: Vec<&str> = (0..40)
        .map(|i| if i < 20 { "low" } else { "high" })
        .collect();
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    let data = Dataset::try_new(Records::from_points(x), targets).unwrap();
    let context = FitContext::default();
    let machine = Svc::default().c(1.0).probability(true);
    let model = Form::from(machine.fit(&data, &context).unwrap().model);
    let predictions = model.predict(&data.records, &context).unwrap();
    let Answers::Classes {
        codes,
        probabilities,
        ..
    } = &predictions.answers
    else {
        panic!("classes");
    };
    assert_eq!(predictions.answers.to_codes().unwrap().to_vec(), *codes);
    let table = predictions.answers.to_probabilities().expect("asked for");
    assert_eq!(table.dim(), (40, 2));
    for (row, given) in table
        .rows()
        .into_iter()
        .zip(probabilities.as_ref().unwrap())
    {
        assert_eq!(row.to_vec(), *given);
        assert!((row.sum() - 1.0).abs() < 1e-12);
    }
    assert!(predictions.answers.to_values().is_none());
    let decisions = Array2::from(predictions.decisions);
    assert_eq!(decisions.dim(), (40, 1));
    // "high" comes first in the alphabet, and a positive decision speaks for it.
    assert!(decisions[[0, 0]] < 0.0 && decisions[[39, 0]] > 0.0);
}
