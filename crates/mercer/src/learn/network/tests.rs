//! Networks as estimators: what they learn, what they refuse, what they tell.

use mercer_linalg::{Csr, Matrix, Par, Precision};

use super::{Mlp, NetworkLoss, NetworkSchedule, NetworkSolver, RbfNet, staircase, truth_table};
use crate::Error;
use crate::data::{ClassTargets, Dataset, Records, Targets};
use crate::fit::{Cancel, FitContext, Fitted, Note, StopReason};
use crate::learn::Estimator;
use crate::model::{Activation, Form, Layers};

const SOLVERS: [NetworkSolver; 5] = [
    NetworkSolver::Adam,
    NetworkSolver::Sgd,
    NetworkSolver::Lbfgs,
    NetworkSolver::Cg,
    NetworkSolver::Lm,
];

fn classes(x: Matrix<f64>, labels: &[&str]) -> Dataset {
    let targets = Targets::Classes(ClassTargets::from_labels(labels));
    Dataset::try_new(Records::from_points(x), targets).expect("as many labels as rows")
}

fn numbers(x: Matrix<f64>, y: Vec<f64>) -> Dataset {
    Dataset::try_new(Records::from_points(x), Targets::Real(y)).expect("as many numbers as rows")
}

fn either() -> Dataset {
    let x = Matrix::from_vec(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
    classes(x, &["no", "yes", "yes", "no"])
}

fn decisions(model: &Layers, records: &Records) -> Matrix<f64> {
    let decider = Form::from(model.clone())
        .decider(Precision::F64)
        .expect("a network");
    decider
        .decisions(records, Par::Sequential, &Cancel::default())
        .expect("rows of its width")
}

fn codes(fitted: &Fitted<Layers>, records: &Records) -> Vec<u32> {
    let decisions = decisions(&fitted.model, records);
    let class = |row| {
        fitted
            .model
            .readout
            .class(decisions.row(row))
            .expect("classes")
    };
    (0..records.len()).map(class).collect()
}

fn alerts(fitted: &Fitted<Layers>) -> String {
    let notes = fitted.report.notes.iter().filter(|n| n.is_alert());
    notes.map(|n| n.text().to_owned() + "\n").collect()
}

fn small(solver: NetworkSolver) -> Mlp {
    Mlp::default()
        .hidden(vec![6])
        .activation(Activation::Tanh)
        .solver(solver)
        .step(0.05)
        .tolerance(1e-6)
        .max_iterations(1000)
        .starts(3)
}

#[test]
fn exclusive_or_is_learnt_by_every_solver() {
    let data = either();
    for solver in SOLVERS {
        for loss in [NetworkLoss::CrossEntropy, NetworkLoss::Squared] {
            let net = small(solver).loss(loss);
            let fitted = net.fit(&data, &FitContext::default()).expect("four rows");
            assert_eq!(
                codes(&fitted, &data.records),
                [0, 1, 1, 0],
                "{solver:?} {loss:?}"
            );
        }
    }
}

#[test]
fn starts_are_told_and_the_best_is_kept() {
    let data = either();
    let net = small(NetworkSolver::Lbfgs).starts(6).hidden(vec![2]);
    let fitted = net.fit(&data, &FitContext::default()).expect("four rows");
    let network = fitted.report.network.as_ref().expect("a network");
    assert_eq!(network.start_losses.len(), 6);
    let least = network
        .start_losses
        .iter()
        .copied()
        .fold(f64::INFINITY, f64::min);
    assert_eq!(fitted.report.solver().objective, least);
    assert_eq!((network.parameters, network.gates), (9, 3));
    assert_eq!(network.layers, [2, 2, 1]);
    let notes = fitted.report.notes.iter();
    assert!(
        notes
            .clone()
            .any(|n| n.text().contains("6 starts ended at losses from"))
    );
    assert!(alerts(&fitted).contains("fewer rows (4) than weights (9)"));
}

#[test]
fn three_classes_and_several_numbers() {
    let x = Matrix::from_fn(60, 2, |i, j| {
        let angle = i as f64 * 0.37;
        let radius = (i % 3 + 1) as f64;
        radius * if j == 0 { angle.cos() } else { angle.sin() }
    });
    let labels: Vec<&str> = (0..60).map(|i| ["a", "b", "c"][i % 3]).collect();
    let data = classes(x.clone(), &labels);
    for solver in [NetworkSolver::Lbfgs, NetworkSolver::Lm] {
        let net = small(solver).hidden(vec![12]);
        let fitted = net.fit(&data, &FitContext::default()).expect("rows");
        let expected: Vec<u32> = (0..60).map(|i| i % 3).collect();
        assert_eq!(codes(&fitted, &data.records), expected, "{solver:?}");
        let first = decisions(&fitted.model, &data.records);
        let p = fitted
            .model
            .readout
            .probabilities(first.row(0))
            .expect("probabilities");
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let targets = Matrix::from_fn(2, 60, |k, i| {
        let (a, b) = (x[(i, 0)], x[(i, 1)]);
        if k == 0 {
            1000.0 + 50.0 * a
        } else {
            1e-3 * (a * b)
        }
    });
    let data = Dataset::try_new(Records::from_points(x), Targets::Several(targets.clone()));
    let data = data.expect("as many numbers as rows");
    let net = small(NetworkSolver::Lm).hidden(vec![8]).alpha(0.0);
    let fitted = net.fit(&data, &FitContext::default()).expect("rows");
    let found = decisions(&fitted.model, &data.records);
    for i in 0..60 {
        assert!((found[(i, 0)] - targets[(0, i)]).abs() < 1.0, "{i}");
        assert!((found[(i, 1)] - targets[(1, i)]).abs() < 1e-4, "{i}");
    }
}

#[test]
fn the_smallest_cases() {
    let context = FitContext::default();
    for solver in SOLVERS {
        let one = numbers(Matrix::from_vec(1, 2, vec![1.0, 2.0]), vec![3.5]);
        let fitted = small(solver).fit(&one, &context).expect("one row");
        let found = decisions(&fitted.model, &one.records)[(0, 0)];
        assert!((found - 3.5).abs() < 0.1, "{solver:?} {found}");
        let same = numbers(
            Matrix::from_fn(20, 2, |i, j| (i * j) as f64),
            vec![-7.0; 20],
        );
        let fitted = small(solver).fit(&same, &context).expect("a constant");
        let found = decisions(&fitted.model, &same.records);
        assert!(
            (0..20).all(|i| (found[(i, 0)] + 7.0).abs() < 0.2),
            "{solver:?}"
        );
        // No column at all leaves the constant.
        let bare = numbers(Matrix::zeros(4, 0), vec![1.0, 2.0, 3.0, 4.0]);
        let fitted = small(solver).fit(&bare, &context).expect("no column");
        let found = decisions(&fitted.model, &bare.records)[(0, 0)];
        assert!((found - 2.5).abs() < 0.2, "{solver:?} {found}");
    }
}

#[test]
fn a_rare_class_is_found() {
    let x = Matrix::from_fn(200, 2, |i, j| {
        let far = if i % 50 == 0 { 4.0 } else { 0.0 };
        far + ((i * (j + 3)) % 17) as f64 / 17.0
    });
    let labels: Vec<&str> = (0..200)
        .map(|i| if i % 50 == 0 { "rare" } else { "usual" })
        .collect();
    let data = classes(x, &labels);
    let fitted = small(NetworkSolver::Adam)
        .fit(&data, &FitContext::default())
        .expect("rows");
    let found = codes(&fitted, &data.records);
    assert!((0..200).all(|i| found[i] == u32::from(i % 50 != 0)));
}

#[test]
fn weights_are_copies_where_all_rows_are_one_batch() {
    let x = [0.0, 1.0, 2.0, 3.0];
    let y = [1.0, 0.0, 2.0, 1.5];
    let weights = [2.0, 1.0, 0.0, 3.0];
    let weighted = numbers(Matrix::from_vec(4, 1, x.to_vec()), y.to_vec());
    let weighted = weighted.with_weights(weights.to_vec()).expect("weights");
    let copied: Vec<usize> = vec![0, 0, 1, 3, 3, 3];
    let repeated = numbers(
        Matrix::from_vec(6, 1, copied.iter().map(|&i| x[i]).collect()),
        copied.iter().map(|&i| y[i]).collect(),
    );
    for solver in SOLVERS {
        let net = small(solver).max_iterations(20).scale_targets(false);
        let [a, b] = [&weighted, &repeated].map(|data| {
            let fitted = net.fit(data, &FitContext::default()).expect("rows");
            decisions(&fitted.model, &repeated.records)
        });
        for (a, b) in a.as_slice().iter().zip(b.as_slice()) {
            assert!((a - b).abs() < 1e-6, "{solver:?} {a} {b}");
        }
    }
}

#[test]
fn early_stopping_keeps_the_best_weights() {
    let x = Matrix::from_fn(120, 1, |i, _| i as f64 / 60.0 - 1.0);
    let y: Vec<f64> = (0..120).map(|i| (4.0 * x[(i, 0)]).sin()).collect();
    let net = small(NetworkSolver::Adam)
        .early_stopping(true)
        .validation(0.25)
        .patience(300)
        .starts(1);
    let fitted = net
        .fit(&numbers(x, y), &FitContext::default())
        .expect("rows");
    let network = fitted.report.network.expect("a network");
    assert_eq!(network.validation_scores.len(), network.loss_curve.len());
    let best = network
        .validation_scores
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    assert!(best > 0.9, "{best}");
}

#[test]
fn divergence_is_told_and_undone() {
    let x = Matrix::from_fn(30, 2, |i, j| 100.0 * ((i * (j + 2)) % 7) as f64);
    let y: Vec<f64> = (0..30).map(|i| 1e3 * (i % 5) as f64).collect();
    let data = numbers(x, y);
    let net = Mlp::default()
        .hidden(vec![5])
        .activation(Activation::Linear)
        .solver(NetworkSolver::Sgd)
        .step(1.0)
        .max_iterations(30)
        .scale_targets(false);
    let fitted = net
        .fit(&data, &FitContext::default())
        .expect("finite weights");
    assert!(
        alerts(&fitted).contains("the loss diverged"),
        "{}",
        alerts(&fitted)
    );
    fitted.model.layers.iter().for_each(|layer| {
        assert!(layer.weights.as_slice().iter().all(|w| w.is_finite()));
    });
    // Rows whose squares leave the range of numbers lead nowhere, and that is told.
    let huge = numbers(
        Matrix::from_fn(4, 1, |i, _| 1e200 * (i + 1) as f64),
        vec![1.0; 4],
    );
    for solver in SOLVERS {
        let net = small(solver)
            .activation(Activation::Linear)
            .hidden(vec![3, 3]);
        let fitted = net
            .starts(1)
            .fit(&huge, &FitContext::default())
            .expect("finite weights");
        assert!(!alerts(&fitted).is_empty(), "{solver:?}");
    }
}

#[test]
fn steps_far_too_long_end_where_the_loss_was_sound() {
    // All rows are one batch, so that a loss is known only after the step that follows it.
    let x = Matrix::from_fn(6, 2, |i, j| (i + j) as f64);
    let y: Vec<f64> = (0..6).map(|i| i as f64 / 2.0).collect();
    let net = Mlp::default().solver(NetworkSolver::Sgd).step(1e6);
    let fitted = net
        .fit(&numbers(x, y), &FitContext::default())
        .expect("finite weights");
    assert!(alerts(&fitted).contains("the loss diverged"));
    let objective = fitted.report.solver.as_ref().expect("a solver").objective;
    assert!(objective < 100.0, "{objective}");
}

#[test]
fn what_cannot_be_is_refused() {
    let data = either();
    let fit = |net: Mlp| {
        net.fit(&data, &FitContext::default())
            .map(|_| ())
            .expect_err("refused")
    };
    let threshold = fit(Mlp::default().activation(Activation::Threshold));
    assert!(
        threshold
            .to_string()
            .contains("flat wherever it does not jump"),
        "{threshold}"
    );
    let several = fit(Mlp::default()
        .momentum(1.5)
        .hidden(vec![3, 0])
        .step(-1.0)
        .beta_1(1.0));
    assert!(matches!(several, Error::Settings { errors } if errors.len() == 4));
    let vast = fit(Mlp::default().hidden(vec![usize::MAX / 4, 10]));
    assert!(matches!(vast, Error::Memory { .. }), "{vast}");
    let vast = fit(Mlp::default()
        .hidden(vec![1 << 20])
        .solver(NetworkSolver::Lm));
    assert!(matches!(vast, Error::Memory { .. }), "{vast}");
    let late = fit(Mlp::default()
        .early_stopping(true)
        .solver(NetworkSolver::Cg));
    assert!(matches!(late, Error::Conflict { .. }), "{late}");
    fit(Mlp::default().loss(NetworkLoss::Poisson));
    let context = FitContext::default();
    let one = classes(Matrix::zeros(2, 1), &["a", "a"]);
    assert!(Mlp::default().fit(&one, &context).is_err());
    let odd = numbers(Matrix::from_vec(1, 1, vec![f64::NAN]), vec![1.0]);
    assert!(matches!(
        Mlp::default().fit(&odd, &context),
        Err(Error::Cell { .. })
    ));
    let below = numbers(Matrix::zeros(2, 1), vec![-1.0, 2.0]);
    assert!(
        Mlp::default()
            .loss(NetworkLoss::Poisson)
            .fit(&below, &context)
            .is_err()
    );
    assert!(
        Mlp::default()
            .loss(NetworkLoss::CrossEntropy)
            .fit(&below, &context)
            .is_err()
    );
}

#[test]
fn threads_and_sparse_rows_change_nothing() {
    let x = Matrix::from_fn(400, 60, |i, j| {
        if (i + j) % 4 == 0 {
            ((i * 7 + j * 5) % 13) as f64 / 13.0
        } else {
            0.0
        }
    });
    let y: Vec<f64> = (0..400).map(|i| x.row(i).iter().sum()).collect();
    let dense = numbers(x.clone(), y.clone());
    let sparse = Records::from_points(Csr::from_dense(x.as_ref()));
    let sparse = Dataset::try_new(sparse, Targets::Real(y)).expect("rows");
    let net = Mlp::default().hidden(vec![40]).max_iterations(3);
    let fit = |data: &Dataset, threads| {
        let context = FitContext::default().threads(threads).seed(3);
        net.fit(data, &context).expect("rows").model
    };
    let alone = fit(&dense, 1);
    assert_eq!(alone, fit(&dense, 2));
    assert_eq!(alone, fit(&dense, 3));
    let other = decisions(&fit(&sparse, 2), &sparse.records);
    for (a, b) in decisions(&alone, &dense.records)
        .as_slice()
        .iter()
        .zip(other.as_slice())
    {
        assert!((a - b).abs() < 1e-9);
    }
}

#[test]
fn a_fit_goes_on_from_an_earlier_one() {
    let data = numbers(Matrix::from_fn(50, 1, |i, _| i as f64 / 25.0 - 1.0), {
        (0..50)
            .map(|i| 300.0 + 20.0 * (i as f64 / 9.0).sin())
            .collect()
    });
    let context = FitContext::default();
    let short = small(NetworkSolver::Lbfgs).starts(1).max_iterations(5);
    let first = short.fit(&data, &context).expect("rows");
    let second = short
        .fit_from(&data, Some(&first.model), &context)
        .expect("the same shape");
    let (a, b) = (
        first.report.solver().objective,
        second.report.solver().objective,
    );
    assert!(b < a, "{b} {a}");
    assert_eq!(first.report.stop_reason, StopReason::IterationLimit);
    let wider = short.clone().hidden(vec![7]);
    assert!(wider.fit_from(&data, Some(&first.model), &context).is_err());
}

#[test]
fn rows_of_one_class_teach_a_network_that_knows_both() {
    let (data, context) = (either(), FitContext::default());
    let method = small(NetworkSolver::Adam).starts(1).max_iterations(20);
    let first = method.fit(&data, &context).expect("rows").model;
    // Of the four rows the second and the third are of class `yes`.
    let ones = data.select(&[1, 2]);
    let again = method.fit_from(&ones, Some(&first), &context);
    let again = again.expect("an earlier network").model;
    let of_no = |model: &Layers| decisions(model, &data.records)[(0, 0)];
    assert!(of_no(&again) < of_no(&first), "all speaks for `yes` now");
    assert!(method.fit_from(&ones, None, &context).is_err());
}

#[test]
fn schedules_shorten_steps() {
    let data = numbers(Matrix::from_fn(40, 1, |i, _| i as f64 / 20.0 - 1.0), {
        (0..40).map(|i| (i as f64 / 7.0).cos()).collect()
    });
    let net = small(NetworkSolver::Sgd).starts(1).max_iterations(200);
    let end = |schedule| {
        let fitted = net
            .clone()
            .schedule(schedule)
            .fit(&data, &FitContext::default());
        fitted.expect("rows").report.solver().objective
    };
    let constant = end(NetworkSchedule::Constant);
    assert!(end(NetworkSchedule::Invscaling) > constant);
    assert!(end(NetworkSchedule::Adaptive) <= constant * 1.5);
}

#[test]
fn every_truth_table_of_four_bits_has_a_network() {
    let lines = Matrix::from_fn(16, 4, |line, bit| f64::from((line as u32 >> (3 - bit)) & 1));
    for table in 0_u32..1 << 16 {
        let values: Vec<bool> = (0..16).map(|line| (table >> line) & 1 == 1).collect();
        let network = truth_table(4, &values).expect("16 lines");
        let found = network.outputs(lines.as_ref()).expect("four bits");
        for (line, wanted) in values.iter().enumerate() {
            assert_eq!(
                found[(line, 0)] == 1.0,
                *wanted,
                "table {table:#x}, line {line}"
            );
        }
    }
    assert!(truth_table(4, &[true; 15]).is_err());
    assert!(truth_table(0, &[true]).is_err());
}

#[test]
fn parity_of_three_bits_has_four_hidden_gates() {
    let values: Vec<bool> = (0..8_u32).map(|line| line.count_ones() % 2 == 1).collect();
    let network = truth_table(3, &values).expect("8 lines");
    assert_eq!(network.layers[0].biases.len(), 4);
    let lines = Matrix::from_fn(8, 3, |line, bit| f64::from((line as u32 >> (2 - bit)) & 1));
    let found = network.outputs(lines.as_ref()).expect("three bits");
    assert!((0..8).all(|line| (found[(line, 0)] == 1.0) == values[line]));
}

#[test]
fn a_staircase_stays_within_its_bound() {
    let network = staircase(|x| x * x, (0.0, 1.0), 20, 2000.0).expect("a function");
    let x = Matrix::from_fn(20_001, 1, |i, _| i as f64 / 20_000.0);
    let found = network.outputs(x.as_ref()).expect("one column");
    let error = |i: usize| (found[(i, 0)] - x[(i, 0)] * x[(i, 0)]).abs();
    let largest = (0..x.rows()).map(error).fold(0.0, f64::max);
    assert!(
        (largest - 0.0439).abs() < 5e-5 && largest <= 0.05,
        "{largest}"
    );
    // Any continuous function: what it changes by over half a step bounds the error.
    let f = |x: f64| (5.0 * x).sin() * x.abs().sqrt();
    let network = staircase(f, (-2.0, 3.0), 400, 1e5).expect("a function");
    let x = Matrix::from_fn(5001, 1, |i, _| i as f64 / 1000.0 - 2.0);
    let found = network.outputs(x.as_ref()).expect("one column");
    let half = 5.0 / 800.0;
    for i in 0..x.rows() {
        let at = x[(i, 0)];
        let near = (0..=40).map(|k| at + half * (k as f64 / 20.0 - 1.0));
        let change = near.map(|t| (f(t) - f(at)).abs()).fold(0.0, f64::max);
        assert!((found[(i, 0)] - f(at)).abs() <= change + 1e-2, "{at}");
    }
    assert!(staircase(|x| 1.0 / x, (0.0, 1.0), 3, 10.0).is_err());
    assert!(staircase(|x| x, (1.0, 0.0), 0, -1.0).is_err());
}

#[test]
fn gaussians_around_two_centres_by_hand() {
    let data = numbers(
        Matrix::from_vec(4, 1, vec![0.0, 1.0, 2.0, 3.0]),
        vec![0.0, 1.0, 0.0, 1.0],
    );
    let centres = Matrix::from_vec(2, 1, vec![0.0, 2.0]);
    let net = RbfNet::default().width(Some(1.0));
    let fitted = net
        .fit_at(&data, centres, &FitContext::default())
        .expect("four rows");
    let found = [
        fitted.model.biases[0],
        fitted.model.coefficients[(0, 0)],
        fitted.model.coefficients[(0, 1)],
    ];
    for (found, expected) in found
        .iter()
        .zip([1.448_613_58, -0.971_780_28, -0.890_372_54])
    {
        assert!((found - expected).abs() < 5e-9, "{found} {expected}");
    }
    fitted.model.check().expect("an expansion");
}

#[test]
fn gaussians_learn_numbers_and_classes() {
    let x = Matrix::from_fn(200, 1, |i, _| i as f64 / 20.0);
    let wave = |i: usize| x[(i, 0)].sin();
    let data = numbers(x.clone(), (0..200).map(wave).collect());
    let context = FitContext::default();
    let fitted = RbfNet::default()
        .centres(12)
        .fit(&data, &context)
        .expect("rows");
    fitted.model.check().expect("an expansion");
    assert!(
        fitted.report.solver().objective < 0.2,
        "{}",
        fitted.report.solver().objective
    );
    let third = |i: usize| ["a", "b", "c"][(x[(i, 0)] as usize / 2) % 3];
    let data = classes(x.clone(), &(0..200).map(third).collect::<Vec<_>>());
    let fitted = RbfNet::default()
        .centres(15)
        .lambda(1e-6)
        .fit(&data, &context)
        .expect("rows");
    fitted.model.check().expect("an expansion");
    let form = Form::from(fitted.model);
    let decider = form.decider(Precision::F64).expect("an expansion");
    let found = decider
        .decisions(&data.records, Par::Sequential, &Cancel::default())
        .expect("rows");
    let right = (0..200).filter(|&i| {
        form.readout().class(found.row(i))
            == Some(data.targets.classes().expect("classes").codes[i])
    });
    assert!(right.count() > 180);
    let few = numbers(Matrix::from_vec(2, 1, vec![1.0, 2.0]), vec![1.0, 3.0]);
    let fitted = RbfNet::default()
        .fit(&few, &context)
        .expect("fewer rows than centres");
    assert_eq!(fitted.model.support.len(), 2);
}

/// Gaussians are no columns of the table: what least squares says of its columns is said of them.
#[test]
fn warnings_speak_of_gaussians() {
    let x = Matrix::from_fn(20, 1, |i, _| i as f64 / 10.0);
    let data = numbers(x, (0..20).map(f64::from).collect());
    let twice = Matrix::from_vec(3, 1, vec![0.0, 0.0, 1.0]);
    let fitted = RbfNet::default()
        .width(Some(1.0))
        .fit_at(&data, twice, &FitContext::default())
        .expect("rows");
    let told: Vec<&str> = fitted.report.notes.iter().map(Note::text).collect();
    let told = told.join("\n");
    assert!(told.contains("1 of 3 Gaussians are combinations"), "{told}");
    assert!(!told.contains("x[") && !told.contains("column"), "{told}");
}

#[test]
fn rows_far_from_zero_are_told_of() {
    let about = |origin: f64| {
        let x = Matrix::from_fn(4, 1, |i, _| origin + i as f64);
        let mlp = Mlp::default().max_iterations(20);
        let fitted = mlp.fit(&classes(x, &["a", "a", "b", "b"]), &FitContext::default());
        alerts(&fitted.expect("a fit")).contains("from zero")
    };
    assert!(about(1e8) && !about(0.0));
}
