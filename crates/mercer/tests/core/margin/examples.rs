//! Worked numbers of the course notes.

use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::Svc;
use mercer::model::{Answers, Form};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::generate::{classification, dense};

/// Example 16.1: |x| > 2 is linear in (x, x²); the weights ((0, 1), −b) separate.
#[test]
fn an_interval_becomes_a_half_plane() {
    let xs = [-5.0, -3.5, -3.0, -1.0, 0.0, 1.0, 1.5, 3.0, 4.0];
    let labels: Vec<bool> = xs.iter().map(|x: &f64| x.abs() > 2.0).collect();
    let mapped: Vec<Vec<f64>> = xs.iter().map(|x| vec![*x, x * x]).collect();
    let context = FitContext::default();
    let hard = |rows: &[Vec<f64>]| {
        Svc::default()
            .kernel(KernelSpec::linear())
            .hard()
            .fit(&classification(rows, &labels), &context)
    };
    assert!(hard(&mapped).is_ok());
    let plain: Vec<Vec<f64>> = xs.iter().map(|x| vec![*x]).collect();
    assert!(hard(&plain).is_err(), "not linear in x alone");
    // The same without the explicit map: a polynomial kernel of degree 2.
    let fitted = Svc::default()
        .kernel(KernelSpec::poly(2, 1.0, 1.0))
        .hard()
        .fit(&classification(&plain, &labels), &context)
        .expect("separable in feature space");
    let predictions = Form::Expansion(fitted.model)
        .predict(&dense(&plain), &context)
        .expect("the rows fit");
    let Answers::Classes {
        codes,
        labels: names,
        ..
    } = predictions.answers
    else {
        panic!("classes");
    };
    for (code, label) in codes.iter().zip(&labels) {
        assert_eq!(names[*code as usize] == "a", *label);
    }
}

/// An added far-away point of the right class does not move the soft-margin plane.
#[test]
fn a_far_point_on_the_right_side_changes_nothing() {
    let mut rows = vec![
        vec![0.0, 0.0],
        vec![0.0, 1.0],
        vec![2.0, 0.0],
        vec![2.0, 1.0],
    ];
    let mut labels = vec![false, false, true, true];
    let norm = |rows: &[Vec<f64>], labels: &[bool]| {
        Svc::default()
            .kernel(KernelSpec::linear())
            .c(100.0)
            .tolerance(1e-7)
            .fit(&classification(rows, labels), &FitContext::default())
            .expect("sound")
            .report
            .solver()
            .problems[0]
            .norm
    };
    let before = norm(&rows, &labels);
    rows.push(vec![100.0, 50.0]);
    labels.push(true);
    assert!((norm(&rows, &labels) - before).abs() < 1e-5);
}

/// Half-planes shatter three points in general position and never four.
#[test]
fn half_planes_shatter_three_points_but_not_four() {
    let separable = |points: &[Vec<f64>], pattern: usize| {
        let labels: Vec<bool> = (0..points.len()).map(|i| pattern >> i & 1 == 1).collect();
        if labels.iter().all(|l| *l == labels[0]) {
            return true;
        }
        Svc::default()
            .kernel(KernelSpec::linear())
            .hard()
            .fit(&classification(points, &labels), &FitContext::default())
            .is_ok()
    };
    let three = vec![vec![0.0, 0.0], vec![1.0, 0.0], vec![0.0, 1.0]];
    assert!((0..8).all(|pattern| separable(&three, pattern)));
    for fourth in [[1.0, 1.0], [0.3, 0.3], [-1.0, 2.0], [0.5, 0.0]] {
        let mut four = three.clone();
        four.push(fourth.to_vec());
        assert!(
            !(0..16).all(|pattern| separable(&four, pattern)),
            "{fourth:?}"
        );
    }
    // Any four points of the plane, on a coarse grid every other time: equal ones, three on a line.
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for round in 0..1000 {
        let four: Vec<Vec<f64>> = (0..4)
            .map(|_| {
                let mut number = || f64::from(rng.next_u32()) / f64::from(u32::MAX);
                let point = [number(), number()];
                point
                    .map(|v| if round % 2 == 0 { v } else { (4.0 * v).round() })
                    .to_vec()
            })
            .collect();
        // A pattern and its mirror image need the same line.
        assert!(!(0..8).all(|pattern| separable(&four, pattern)), "{four:?}");
    }
}
