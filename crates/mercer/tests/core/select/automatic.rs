//! The model without settings.

use mercer::data::{Dataset, Records, Targets, Task};
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::least_squares::LsSvr;
use mercer::learn::margin::ClassWeights;
use mercer::model::Form;
use mercer::select::automatic::Automatic;
use mercer_linalg::{Matrix, Par};

use crate::least_squares::machines::{classes, real, values};
use crate::least_squares::plain::{generator, normal, rows, uniform};

/// A ring around a disc, with some noise in the labels.
fn rings(n: usize, seed: u64) -> (Matrix<f64>, Vec<&'static str>) {
    let mut rng = generator(seed);
    let x = Matrix::from_fn(n, 2, |_, _| 2.0 * uniform(&mut rng));
    let labels = (0..n)
        .map(|i| {
            let inside = x[(i, 0)].hypot(x[(i, 1)]) < 1.2;
            let flipped = uniform(&mut rng) > 0.9;
            if inside == flipped { "out" } else { "in" }
        })
        .collect();
    (x, labels)
}

fn fit(data: &Dataset, task: Task) -> mercer::fit::Fitted<Form> {
    Automatic::new(task)
        .fit(data, &FitContext::default())
        .expect("fits")
}

#[test]
fn a_curved_border_is_found_without_settings() {
    let (x, labels) = rings(240, 1);
    let fitted = fit(&classes(&x, &labels), Task::Classify);
    let best = &fitted.report.trials()[0];
    assert!(best.loss < 0.12, "{best:?}");
    assert!(fitted.report.trials().len() >= 2);
    let selection = fitted.report.selection.as_ref().expect("the method");
    assert_eq!(selection.chosen.model, best.method);
    let model = fitted.model.expansion().expect("an expansion");
    assert!(model.readout.has_probabilities());
}

#[test]
fn equal_rows_give_equal_bytes_for_any_number_of_threads() {
    let (x, labels) = rings(150, 2);
    let data = classes(&x, &labels);
    let with = |threads: usize| {
        Automatic::new(Task::Classify)
            .fit(&data, &FitContext::default().threads(threads))
            .expect("fits")
            .model
    };
    assert_eq!(with(1), with(2));
}

#[test]
fn rows_of_a_group_are_held_out_together() {
    // Four rows of each group are nearly the same, and the label of a group is a coin: who has seen
    // its other rows knows it, and nobody else does.
    let mut rng = generator(9);
    let centres = Matrix::from_fn(60, 2, |_, _| 10.0 * uniform(&mut rng));
    let coins: Vec<bool> = (0..60).map(|_| uniform(&mut rng) > 0.0).collect();
    let x = Matrix::from_fn(240, 2, |i, j| {
        centres[(i / 4, j)] + 0.01 * uniform(&mut rng)
    });
    let labels: Vec<&str> = (0..240)
        .map(|i| if coins[i / 4] { "heads" } else { "tails" })
        .collect();
    let data = classes(&x, &labels);
    let groups: Vec<u32> = (0..240).map(|i| i / 4).collect();
    let auto = Automatic::new(Task::Classify);
    let loss = |groups: Option<&[u32]>| {
        let fitted = auto.fit_grouped(&data, groups, &FitContext::default());
        fitted.expect("fits").report.trials()[0].loss
    };
    assert!(loss(None) < 0.05, "{}", loss(None));
    assert!(loss(Some(&groups)) > 0.2, "{}", loss(Some(&groups)));
    let wrong = |groups: &[u32]| {
        let fitted = auto.fit_grouped(&data, Some(groups), &FitContext::default());
        fitted.expect_err("refused").to_string()
    };
    assert!(wrong(&groups[1..]).contains("239 rows; 240 expected"));
    assert!(wrong(&vec![3; 240]).contains("one group"));
}

#[test]
fn intervals_hold_new_targets_as_often_as_they_promise() {
    let mut rng = generator(3);
    let make = |n: usize, rng: &mut rand_chacha::ChaCha8Rng| {
        let x = rows(n, 1, rng);
        let y: Vec<f64> = (0..n)
            .map(|i| (2.0 * x[(i, 0)]).sin() + 0.3 * normal(rng))
            .collect();
        (x, y)
    };
    let (x, y) = make(200, &mut rng);
    let fitted = fit(&real(&x, y), Task::Regress);
    let model = fitted.model.expansion().expect("an expansion");
    let half = model.half_width(0.9).expect("scores of held-out rows");
    let (new, truth) = make(1000, &mut rng);
    let answers = values(&fitted.model, &new);
    let held = (0..1000)
        .filter(|&i| (answers[(i, 0)] - truth[i]).abs() <= half)
        .count();
    // The noise is 0.3: nine of ten lie within 0.49.
    // Two hundred scores know their own quantile to about two in a hundred.
    assert!((840..960).contains(&held), "{held}");
    assert!((0.4..0.65).contains(&half), "{half}");
}

/// How often intervals of a width that follows the row hold new targets, and how wide they are near
/// the training rows and far from them.
fn coverage(learn: impl Fn(&Dataset) -> Form, sets: u64, rows_each: usize) -> (f64, f64, f64) {
    const NEW: usize = 200;
    let (mut held, mut near, mut far) = (0, 0.0, 0.0);
    for seed in 0..sets {
        let mut rng = generator(100 + seed);
        let mut make = |n: usize| {
            let x = rows(n, 2, &mut rng);
            let y: Vec<f64> = (0..n)
                .map(|i| (1.5 * x[(i, 0)]).sin() + x[(i, 1)].abs() + 0.2 * normal(&mut rng))
                .collect();
            (x, y)
        };
        let (x, y) = make(rows_each);
        let form = learn(&real(&x, y));
        let model = form.expansion().expect("an expansion");
        let (new, truth) = make(NEW);
        let scores = model.left_out.as_ref().expect("held-out rows");
        let answers = values(&form, &new);
        let holds = |i: usize, half: f64| (answers[(i, 0)] - truth[i]).abs() <= half;
        let Some(certainty) = model.certainty(Par::Sequential).expect("a factor") else {
            // A support vector machine won: one width for all.
            let half = model.half_width(0.9).expect("scores");
            held += (0..NEW).filter(|&i| holds(i, half)).count();
            continue;
        };
        let half = scores.deviations(0.9).expect("relative scores");
        let deviations = |points: &Matrix<f64>| -> Vec<f64> {
            let records = Records::from_points(points.clone());
            let noise = certainty.noise_variances()[0];
            let variances = certainty
                .variances(&records, Par::Sequential)
                .expect("variances");
            (0..points.rows())
                .map(|r| (variances[(r, 0)] + noise).sqrt())
                .collect()
        };
        let spread = deviations(&new);
        held += (0..NEW).filter(|&i| holds(i, half * spread[i])).count();
        near += half * spread.iter().sum::<f64>() / NEW as f64;
        far += half * deviations(&Matrix::from_vec(1, 2, vec![30.0, -30.0]))[0];
    }
    let sets = sets as f64;
    (held as f64 / (sets * NEW as f64), near / sets, far / sets)
}

#[test]
fn intervals_that_follow_the_row_hold_as_often_as_they_promise() {
    // Sixty sets of 200 new rows: the standard error of the share is about 0.5 %.
    let (held, near, far) = coverage(
        |data| {
            let machine = LsSvr::default().kernel(KernelSpec::rbf_auto());
            machine
                .fit(data, &FitContext::default())
                .expect("fits")
                .model
                .into()
        },
        60,
        80,
    );
    assert!((held - 0.9).abs() < 0.015, "{held}");
    assert!(far > 1.5 * near, "{near}, {far}");
}

#[test]
fn intervals_of_automatic_models_follow_the_row() {
    let (held, near, far) = coverage(|data| fit(data, Task::Regress).model, 40, 80);
    // Three standard errors of forty sets. The hyperparameters have seen the rows that judge them, and are charged for it.
    assert!((held - 0.9).abs() < 0.0186, "{held}");
    assert!(far > 1.5 * near, "{near}, {far}");
}

#[test]
fn class_sets_hold_the_truth_and_are_small_where_it_is_clear() {
    let (x, labels) = rings(300, 4);
    let fitted = fit(&classes(&x, &labels), Task::Classify);
    let model = fitted.model.expansion().expect("an expansion");
    let (new, truth) = rings(600, 5);
    let decisions = values(&fitted.model, &new);
    let names = ["in", "out"];
    let labels = model.readout.labels().expect("classes").to_vec();
    assert!(names.iter().all(|n| labels.iter().any(|l| l == n)));
    let sets: Vec<Vec<u32>> = (0..600)
        .map(|i| model.class_set(decisions.row(i), 0.9).expect("sets"))
        .collect();
    let holds = |i: &usize| sets[*i].iter().any(|c| labels[*c as usize] == truth[*i]);
    let held = (0..600).filter(holds).count();
    assert!(held >= 510, "{held}");
    assert!(sets.iter().filter(|s| s.len() == 1).count() > 300);
}

#[test]
fn a_given_kernel_is_kept() {
    let (x, labels) = rings(120, 6);
    let auto = Automatic::new(Task::Classify).kernel("rbf(gamma=0.7)".parse().expect("a kernel"));
    let data = classes(&x, &labels);
    let fitted = auto.fit(&data, &FitContext::default()).expect("fits");
    let model = fitted.model.expansion().expect("an expansion");
    assert_eq!(model.kernel.to_string(), "rbf(gamma=0.7)");
}

#[test]
fn rare_classes_count_where_weights_say_so() {
    let mut rng = generator(7);
    let n = 300;
    let x = rows(n, 2, &mut rng);
    let labels: Vec<&str> = (0..n)
        .map(|i| {
            let score = x[(i, 0)] + 0.8 * normal(&mut rng);
            if score > 1.6 { "rare" } else { "usual" }
        })
        .collect();
    let data = classes(&x, &labels);
    let found = |weights: ClassWeights| {
        let mut auto = Automatic::new(Task::Classify);
        auto.class_weights = weights;
        let fitted = auto.fit(&data, &FitContext::default()).expect("fits");
        let model = fitted.model.expansion().expect("an expansion");
        let decisions = values(&fitted.model, &x);
        let rare = data_code(&data, "rare");
        (0..n)
            .filter(|&i| model.readout.class(decisions.row(i)) == Some(rare))
            .count()
    };
    assert!(found(ClassWeights::Balanced) > 2 * found(ClassWeights::Equal).max(1));
}

fn data_code(data: &Dataset, label: &str) -> u32 {
    let Targets::Classes(classes) = &data.targets else {
        panic!("no classes")
    };
    let place = classes.labels.iter().position(|l| l == label);
    place.expect("a label") as u32
}

#[test]
fn hardly_any_rows_get_an_answer_or_a_reason() {
    for n in [2, 3, 4, 9, 12] {
        let x = Matrix::from_fn(n, 2, |i, j| (i * 3 + j) as f64);
        let labels: Vec<&str> = (0..n).map(|i| if i % 2 == 0 { "a" } else { "b" }).collect();
        let fitted = fit(&classes(&x, &labels), Task::Classify);
        assert!(!fitted.report.notes.is_empty());
        assert_eq!(values(&fitted.model, &x).rows(), n);
        let y = (0..n).map(|i| i as f64).collect();
        let fitted = fit(&real(&x, y), Task::Regress);
        let answers = values(&fitted.model, &x);
        assert!(answers.as_slice().iter().all(|v| v.is_finite()), "{n}");
    }
}

#[test]
fn hopeless_rows_are_refused_with_a_cure() {
    let mut rng = generator(8);
    let x = rows(40, 2, &mut rng);
    let refused = |data: &Dataset, task: Task| {
        let answer = Automatic::new(task).fit(data, &FitContext::default());
        let error = answer.expect_err("refused");
        assert!(!error.hints().is_empty(), "{error}");
        error.to_string()
    };
    let single = refused(&classes(&x, &["only"; 40]), Task::Classify);
    assert!(single.contains("one class"), "{single}");
    let mut budget = Automatic::new(Task::Regress);
    budget.budget = Some(-1.0);
    let data = real(&x, (0..40).map(|i| i as f64).collect());
    let wrong = budget
        .fit(&data, &FitContext::default())
        .expect_err("refused");
    assert!(wrong.to_string().contains("budget"), "{wrong}");
}

#[test]
fn a_constant_target_is_answered_and_told() {
    let mut rng = generator(12);
    let x = rows(40, 2, &mut rng);
    let fitted = fit(&real(&x, vec![0.5; 40]), Task::Regress);
    let told = |n: &mercer::fit::Note| n.text().contains("same for all rows");
    assert!(fitted.report.notes.iter().any(told));
    assert!((values(&fitted.model, &x)[(7, 0)] - 0.5).abs() < 1e-12);
}

#[test]
fn rows_that_repeat_and_columns_without_number_do_no_harm() {
    let mut rng = generator(9);
    // Every row four times, more columns than distinct rows, two of them constant.
    let x = Matrix::from_fn(48, 20, |i, j| {
        let distinct = generator((1000 + i / 4 * 50 + j) as u64);
        if j < 2 {
            1.0
        } else {
            normal(&mut { distinct })
        }
    });
    let y: Vec<f64> = (0..48)
        .map(|i| x[(i, 5)] + 0.1 * normal(&mut rng))
        .collect();
    let fitted = fit(&real(&x, y.clone()), Task::Regress);
    assert!(fitted.report.trials()[0].loss.is_finite());
    // Copies of a row share their result; the noise is 0.1 and the column's deviation about 1.
    let answers = values(&fitted.model, &x);
    let error: f64 = (0..48).map(|i| (answers[(i, 0)] - y[i]).powi(2)).sum();
    assert!((error / 48.0).sqrt() < 0.3, "{error}");
}

#[test]
fn rows_of_weight_zero_do_not_count() {
    let (x, labels) = rings(120, 10);
    let data = classes(&x, &labels);
    let mut weights = vec![1.0; 120];
    weights[100..].fill(0.0);
    let some = data.clone().with_weights(weights).expect("weights");
    let kept: Vec<usize> = (0..100).collect();
    let few = data.select(&kept);
    let few = few.with_weights(vec![1.0; 100]).expect("weights");
    assert_eq!(
        fit(&some, Task::Classify).model,
        fit(&few, Task::Classify).model
    );
}

#[test]
fn novelty_has_nothing_to_compare() {
    let mut rng = generator(11);
    let records = Records::from_points(rows(50, 2, &mut rng));
    let data = Dataset::try_new(records, Targets::None).expect("rows");
    let fitted = fit(&data, Task::Novelty);
    let selection = fitted.report.selection.expect("a choice");
    assert_eq!(selection.chosen.model, "one_class");
}

#[test]
fn the_unit_of_the_targets_changes_no_answer() {
    let mut rng = generator(3);
    let x = Matrix::from_fn(40, 3, |_, _| normal(&mut rng));
    let y: Vec<f64> = (0..40)
        .map(|i| x[(i, 0)] + 0.3 * normal(&mut rng))
        .collect();
    let answered = |unit: f64| {
        let fitted = fit(
            &real(&x, y.iter().map(|v| v * unit).collect()),
            Task::Regress,
        );
        let name = fitted.report.trials()[0].name.clone();
        assert!(fitted.report.trials().iter().all(|t| t.loss.is_finite()));
        let found = values(&fitted.model, &x);
        let found: Vec<f64> = found.as_slice().iter().map(|v| v / unit).collect();
        (name, found)
    };
    let (name, plain) = answered(1.0);
    for unit in [3.0, 1e-200, 1e12, 1e14, 1e150, 1e300] {
        let (own, found) = answered(unit);
        assert_eq!(own, name, "{unit:e}");
        for (a, b) in found.iter().zip(&plain) {
            // The tolerance of a support vector machine is a thousandth of the spread.
            assert!((a - b).abs() < 1e-2, "{unit:e}: {a} against {b}");
        }
    }
}
