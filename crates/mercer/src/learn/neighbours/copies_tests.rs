//! Weights of rows mean copies of them.

use mercer_linalg::Matrix;

use super::{Knn, Scaling, Votes};
use crate::data::{ClassTargets, Dataset, Records, Targets};
use crate::fit::FitContext;
use crate::learn::Estimator;
use crate::model::{Form, NeighbourModel};

/// Rows that no two distances tie among, in no order.
fn points(rows: usize, seed: f64) -> Matrix<f64> {
    Matrix::from_fn(rows, 2, |i, j| {
        ((i * 2 + j) as f64 * 12.9898 + seed).sin() * 43.0
    })
}

fn data(of: &[usize], regression: bool) -> Dataset {
    let all = points(20, 0.3);
    let rows = Matrix::from_fn(of.len(), 2, |i, j| all[(of[i], j)]);
    let targets = if regression {
        Targets::Real(of.iter().map(|&i| (i * i % 7) as f64).collect())
    } else {
        let labels: Vec<&str> = of.iter().map(|&i| ["a", "b", "c"][i * 5 % 3]).collect();
        Targets::Classes(ClassTargets::from_labels(&labels))
    };
    Dataset::try_new(Records::from_points(rows), targets).unwrap()
}

fn decisions(model: &NeighbourModel) -> Matrix<f64> {
    let form = Form::from(model.clone());
    form.check().unwrap();
    let new = Records::from_points(points(15, 1.7));
    let found = form.predict(&new, &FitContext::default()).unwrap();
    found.decisions
}

#[test]
fn a_weight_of_two_is_the_row_twice() {
    let weights: Vec<f64> = (0..20).map(|i| (i * 3 % 4) as f64).collect();
    let copies: Vec<usize> = (0..20)
        .flat_map(|i| std::iter::repeat_n(i, weights[i] as usize))
        .collect();
    let all: Vec<usize> = (0..20).collect();
    for (scaling, votes, regression) in [
        (Scaling::None, Votes::Uniform, false),
        (Scaling::Standard, Votes::Distance, false),
        (Scaling::Whiten, Votes::Uniform, true),
        (Scaling::Range, Votes::Distance, true),
    ] {
        let knn = Knn::default().neighbours(5).scaling(scaling).votes(votes);
        let context = FitContext::default();
        let weighed = data(&all, regression)
            .with_weights(weights.clone())
            .unwrap();
        let one = knn.fit(&weighed, &context).unwrap().model;
        let other = knn.fit(&data(&copies, regression), &context).unwrap().model;
        assert_eq!(one.rows.len(), 15, "rows of weight 0 are left out");
        let (one, other) = (decisions(&one), decisions(&other));
        for (a, b) in one.as_slice().iter().zip(other.as_slice()) {
            assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{a} {b}");
        }
    }
}

#[test]
fn halves_of_rows_are_asked_for_twice_as_many() {
    let all: Vec<usize> = (0..20).collect();
    let context = FitContext::default();
    let halves = data(&all, true).with_weights(vec![0.5; 20]).unwrap();
    let knn = |k: usize| Knn::default().neighbours(k);
    let one = knn(3).fit(&halves, &context).unwrap().model;
    let other = knn(6).fit(&data(&all, true), &context).unwrap().model;
    assert_eq!(one.rows_asked(), 6);
    let (one, other) = (decisions(&one), decisions(&other));
    for (a, b) in one.as_slice().iter().zip(other.as_slice()) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
}

#[test]
fn rows_come_and_go_with_their_weights() {
    let all: Vec<usize> = (0..20).collect();
    let weights: Vec<f64> = (0..20).map(|i| 1.0 + (i % 3) as f64).collect();
    let context = FitContext::default();
    let knn = Knn::default().neighbours(4).scaling(Scaling::None);
    let weighed = data(&all, true).with_weights(weights.clone()).unwrap();
    let mut model = knn.fit(&weighed, &context).unwrap().model;
    let again = data(&[3], true);
    model.remove(&[3]).unwrap();
    model.add(&again.records, &again.targets).unwrap();
    let kept = model.weights.clone().unwrap();
    assert_eq!(kept.len(), 20);
    assert_eq!((kept[2], kept[3], kept[19]), (weights[2], weights[4], 1.0));
    let mut single = weights;
    single[3] = 1.0;
    let expected = data(&all, true).with_weights(single).unwrap();
    let expected = knn.fit(&expected, &context).unwrap().model;
    assert_eq!(decisions(&model), decisions(&expected));
}
