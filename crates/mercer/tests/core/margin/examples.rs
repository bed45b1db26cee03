//! Worked numbers of the course notes.

use mercer::fit::FitContext;
use mercer::judge::plane_margins;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::margin::Svc;
use mercer::model::{Answers, Form, Predictor};
use mercer_linalg::{Matrix, Precision};
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

/// Example 16.1 to the end: the printed plane is right for all whole numbers, and the widest margin lies
/// between 4 and 9, at x² = 6.5.
#[test]
fn the_widest_margin_of_whole_numbers() {
    let rows = |most: i32| -> Vec<Vec<f64>> {
        let pair = |x: i32| vec![f64::from(x), f64::from(x).powi(2)];
        (-most..=most).map(pair).collect()
    };
    let positive = |rows: &[Vec<f64>]| -> Vec<bool> { rows.iter().map(|r| r[1] > 4.0).collect() };
    let all = rows(1000);
    let points = Matrix::from_fn(all.len(), 2, |i, j| all[i][j]);
    let printed = plane_margins(&points, &positive(&all), &[0.0, 1.0], -6.0).expect("a plane");
    assert_eq!((printed.error, printed.functional), (0.0, 2.0));
    let few = rows(5);
    let fitted = Svc::default()
        .kernel(KernelSpec::linear())
        .hard()
        .tolerance(1e-7)
        .fit(
            &classification(&few, &positive(&few)),
            &FitContext::default(),
        )
        .expect("separable");
    let told = &fitted.report.solver().problems[0];
    let margin = told.margin.expect("a margin");
    assert!((margin - 2.5).abs() < 1e-6, "{margin}");
    // −3, −2, 2 and 3 lie on the margin, whether they carry it or not.
    assert_eq!(told.bounded_support_vectors, 0);
    assert_eq!(told.free_support_vectors + told.on_margin_without_weight, 4);
    let line = dense(&[vec![0.0, 0.0], vec![0.0, 10.0]]);
    let model = Form::Expansion(fitted.model);
    let predictor = Predictor::of_form(&model, Precision::F64).expect("bound");
    let f = predictor
        .decisions(&line, &FitContext::default())
        .expect("answers");
    let border = 10.0 * f[(0, 0)] / (f[(0, 0)] - f[(1, 0)]);
    assert!((border - 6.5).abs() < 1e-6, "{border}");
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
