//! Learning vector quantisation.

use mercer::data::{ClassTargets, Dataset, Targets};
use mercer::fit::FitContext;
use mercer::learn::Estimator;
use mercer::learn::cluster::{Lvq, LvqVariant};
use mercer::model::{Answers, Form, Prototypes};
use mercer_linalg::Matrix;

use super::{groups, records};

fn data(x: &Matrix<f64>, codes: Vec<u32>, classes: u32) -> Dataset {
    let labels = (0..classes).map(|k| format!("c{k}")).collect();
    Dataset::try_new(records(x), Targets::Classes(ClassTargets { codes, labels })).expect("rows")
}

fn codes(model: &Prototypes, x: &Matrix<f64>) -> Vec<u32> {
    let form = Form::from(model.clone());
    let found = form.predict(&records(x), &FitContext::default());
    match found.expect("answers").answers {
        Answers::Classes { codes, .. } => codes,
        _ => panic!("classes"),
    }
}

#[test]
fn classes_of_several_groups_are_told_apart() {
    let x = groups(360, 3, 6, 4);
    for classes in [2, 3] {
        let truth: Vec<u32> = (0..360).map(|i| (i % 6) as u32 % classes).collect();
        let rows = data(&x, truth.clone(), classes);
        for variant in [LvqVariant::One, LvqVariant::TwoOne, LvqVariant::Three] {
            let fitted = Lvq::default()
                .variant(variant)
                .fit(&rows, &FitContext::default())
                .expect("prototypes");
            let found = codes(&fitted.model, &x);
            let wrong = found.iter().zip(&truth).filter(|(a, b)| a != b).count();
            assert!(wrong <= 45, "{variant:?}: {wrong}");
            let told = fitted.report.solver.expect("an account").objective;
            assert!((told - wrong as f64 / 360.0).abs() < 1e-12);
        }
    }
}

#[test]
fn threads_order_and_copies_do_not_matter() {
    let x = groups(120, 2, 4, 8);
    let truth: Vec<u32> = (0..120).map(|i| (i % 4) as u32 / 2).collect();
    let plain = data(&x, truth, 2);
    let fit = |rows: &Dataset, threads| {
        let context = FitContext::default().threads(threads);
        Lvq::default()
            .fit(rows, &context)
            .expect("prototypes")
            .model
    };
    let order: Vec<usize> = (0..120).map(|i| (i * 7 + 3) % 120).collect();
    assert_eq!(
        fit(&plain, 1).centres(),
        fit(&plain.select(&order), 3).centres()
    );
    let weights: Vec<f64> = (0..120).map(|i| (i % 3) as f64).collect();
    let copied: Vec<usize> = (0..120)
        .flat_map(|i| std::iter::repeat_n(i, i % 3))
        .collect();
    let weighted = plain.clone().with_weights(weights).expect("weights");
    assert_eq!(
        fit(&weighted, 2).centres(),
        fit(&plain.select(&copied), 2).centres()
    );
}

#[test]
fn small_and_contradictory_tables() {
    let context = FitContext::default();
    // XOR has two prototypes for each class.
    let xor = Matrix::from_vec(4, 2, vec![0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    let fitted = Lvq::default()
        .fit(&data(&xor, vec![0, 0, 1, 1], 2), &context)
        .expect("prototypes");
    assert_eq!(codes(&fitted.model, &xor), [0, 0, 1, 1]);
    assert!(
        fitted
            .report
            .notes
            .iter()
            .any(|n| n.text().contains("distinct rows"))
    );
    let two = Matrix::from_vec(2, 1, vec![0.0, 1.0]);
    let fitted = Lvq::default().fit(&data(&two, vec![1, 0], 2), &context);
    assert_eq!(codes(&fitted.expect("prototypes").model, &two), [1, 0]);
    // Equal rows of both classes, and a constant column.
    let equal = Matrix::from_fn(6, 2, |i, j| if j == 0 { (i / 3) as f64 } else { 5.0 });
    let fitted = Lvq::default()
        .fit(&data(&equal, vec![0, 0, 1, 1, 1, 0], 2), &context)
        .expect("prototypes");
    let share = fitted.report.solver.expect("an account").objective;
    assert!((share - 1.0 / 3.0).abs() < 1e-12, "{share}");
    let one = Lvq::default().fit(&data(&two, vec![0, 0], 1), &context);
    assert!(one.expect_err("one class").to_string().contains("class"));
    let bad = Lvq::default()
        .prototypes(0)
        .rate(2.0)
        .fit(&data(&two, vec![0, 1], 2), &context);
    let text = bad.expect_err("settings").to_string();
    assert!(
        text.contains("prototypes") && text.contains("rate"),
        "{text}"
    );
    let holes = Matrix::from_vec(2, 1, vec![0.0, f64::NAN]);
    assert!(
        Lvq::default()
            .fit(&data(&holes, vec![0, 1], 2), &context)
            .is_err()
    );
}
