//! Kernels ranked by evidence.

use mercer::data::{ClassTargets, Dataset, Records, Targets};
use mercer::fit::FitContext;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{LsSvr, Strength};
use mercer::model::{Form, Predictor};
use mercer::select::kernels::{Candidate, default_candidates, select, select_grouped};
use mercer_linalg::{Matrix, Precision};

use crate::least_squares::plain::{generator, normal, rows};

fn candidates(texts: &[&str], records: &Records) -> Vec<Candidate> {
    let parse = |text: &&str| Candidate::parse(text, records).expect("a kernel");
    texts.iter().map(parse).collect()
}

#[test]
fn columns_of_noise_lose_to_columns_that_matter() {
    let simulations = 60;
    let mut right = 0;
    for seed in 0..simulations {
        let mut rng = generator(1000 + seed);
        let x = rows(40, 2, &mut rng);
        let y = (0..40)
            .map(|i| x[(i, 0)].sin() + 0.3 * normal(&mut rng))
            .collect();
        let records = Records::from_points(x);
        let data = Dataset::try_new(records.clone(), Targets::Real(y)).expect("lengths agree");
        let kernels = candidates(&["rbf@1", "rbf@2"], &records);
        let ranked = select(&kernels, &data, &FitContext::default().threads(1));
        let ranked = ranked.expect("ranked").ranked;
        right += u64::from(ranked[0].name == "rbf@1");
    }
    assert!(right + 1 >= simulations, "{right} of {simulations}");
}

#[test]
fn straight_lines_ask_for_a_linear_kernel_and_waves_do_not() {
    let mut rng = generator(60);
    let x = rows(80, 1, &mut rng);
    let records = Records::from_points(x.clone());
    let kernels = candidates(&["linear", "rbf"], &records);
    let best = |y: Vec<f64>| {
        let data = Dataset::try_new(records.clone(), Targets::Real(y)).expect("lengths agree");
        let selection = select(&kernels, &data, &FitContext::default()).expect("ranked");
        let total: f64 = selection.ranked.iter().map(|r| r.posterior).sum();
        assert!((total - 1.0).abs() < 1e-9);
        selection.ranked[0].name.clone()
    };
    let noise: Vec<f64> = (0..80).map(|_| 0.3 * normal(&mut rng)).collect();
    let line = (0..80).map(|i| 2.0 * x[(i, 0)] + noise[i]).collect();
    assert_eq!(best(line), "linear");
    let wave = (0..80)
        .map(|i| (3.0 * x[(i, 0)]).sin() + noise[i])
        .collect();
    assert_eq!(best(wave), "rbf");
}

#[test]
fn a_width_per_column_finds_the_column_that_matters() {
    let mut rng = generator(61);
    let x = rows(120, 4, &mut rng);
    let y = (0..120)
        .map(|i| (2.0 * x[(i, 2)]).sin() + 0.2 * normal(&mut rng))
        .collect();
    let records = Records::from_points(x);
    let data = Dataset::try_new(records.clone(), Targets::Real(y)).expect("lengths agree");
    let kernels = default_candidates(&records).expect("kernels");
    let selection = select(&kernels, &data, &FitContext::default()).expect("ranked");
    let best = &selection.ranked[0];
    assert_eq!(best.name, "rbf(columns)", "{selection:?}");
    let hyperparameters = best.kernel.hyperparameters();
    let widths: Vec<f64> = hyperparameters
        .iter()
        .map(|d| best.kernel.hyperparameter_value(d))
        .collect();
    for other in [0, 1, 3] {
        assert!(widths[2] > 20.0 * widths[other], "{widths:?}");
    }
}

#[test]
fn classes_are_ranked_too_and_threads_change_nothing() {
    let mut rng = generator(62);
    let x = Matrix::from_fn(90, 2, |_, _| 2.0 * normal(&mut rng));
    let labels: Vec<&str> = (0..90)
        .map(|i| match x[(i, 0)].hypot(x[(i, 1)]) {
            r if r < 1.5 => "near",
            r if r < 3.0 => "middle",
            _ => "far",
        })
        .collect();
    let records = Records::from_points(x);
    let targets = Targets::Classes(ClassTargets::from_labels(&labels));
    let data = Dataset::try_new(records.clone(), targets).expect("lengths agree");
    let kernels = candidates(&["linear", "rbf"], &records);
    let run = |threads| {
        let context = FitContext::default().threads(threads);
        let mut selection = select(&kernels, &data, &context).expect("ranked");
        for ranked in &mut selection.ranked {
            ranked.seconds = 0.0;
        }
        selection
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one.ranked[0].name, "rbf");
    assert!(one.ranked[0].leave_one_out < 0.3);
    assert!(one.ranked[0].leave_one_out < one.ranked[1].leave_one_out);
}

#[test]
fn what_cannot_take_part_is_named() {
    let x = Matrix::from_fn(12, 1, |i, _| i as f64);
    let records = Records::from_points(x);
    let y = (0..12).map(f64::from).collect();
    let data = Dataset::try_new(records.clone(), Targets::Real(y)).expect("lengths agree");
    let kernels = candidates(&["rbf", "rbf@missing"], &records);
    let selection = select(&kernels, &data, &FitContext::default()).expect("ranked");
    assert_eq!(selection.ranked.len(), 1);
    assert!(
        selection
            .notes
            .iter()
            .any(|n| n.text().contains("rbf@missing"))
    );
    let constant = Dataset::try_new(records, Targets::Real(vec![1.0; 12])).expect("lengths");
    let refused = select(&kernels, &constant, &FitContext::default());
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("same for all rows")
    );
}

#[test]
fn a_dozen_factors_tell_the_integral_and_the_best_ratio() {
    use mercer::solver::least_squares::{Problem, Reduced};
    // Strong, weak and no signal; smooth, rough and useless kernels; guesses that are far off.
    for (strength, seed) in [(1.0, 70), (0.15, 71), (0.0, 72)] {
        let mut rng = generator(seed);
        let n = 150;
        let x = rows(n, 2, &mut rng);
        let wave = |i: usize| strength * (1.5 * x[(i, 0)]).sin();
        let targets = Matrix::from_vec(1, n, (0..n).map(|i| wave(i) + normal(&mut rng)).collect());
        for kernel in ["rbf(gamma=0.02)", "rbf(gamma=50)", "linear", "rbf(gamma=5)"] {
            let gram = crate::least_squares::plain::gram(kernel, &x);
            let problem = Problem {
                gram: gram.as_ref(),
                targets: &targets,
                weights: None,
                intercept: true,
            };
            let reduced = Reduced::new(&problem).expect("reduced");
            let ratio = reduced.best_ratio().expect("a ratio");
            let log_evidence = reduced.log_evidence().expect("an integral");
            for guess in [ratio, 0.1 * ratio, 30.0 * ratio] {
                let found = problem.sampled(guess, mercer_linalg::Par::Sequential, &|| true);
                let found = found.expect("sampled");
                assert!(
                    (found.log_evidence - log_evidence).abs() < 0.02,
                    "{kernel} at {strength} from {guess}: {found:?} is not {log_evidence}"
                );
                // Where the data say nothing, any small ratio is as good.
                assert!(
                    (reduced.cost(found.ratio) - reduced.cost(ratio)).abs() < 1e-3,
                    "{kernel} at {strength} from {guess}: {found:?} is not at {ratio}"
                );
                assert!(found.evaluations <= 60, "{found:?}");
            }
        }
    }
}

#[test]
fn more_rows_than_a_tridiagonal_form_takes_are_integrated_too() {
    let mut rng = generator(76);
    let n = 720;
    let x = rows(n, 2, &mut rng);
    let y = (0..n).map(|i| (1.5 * x[(i, 0)]).sin() + normal(&mut rng));
    let records = Records::from_points(x.clone());
    let data = Dataset::try_new(records.clone(), Targets::Real(y.collect())).expect("lengths");
    let kernels = candidates(&["rbf(gamma=0.5)"], &records);
    let selection = select(&kernels, &data, &FitContext::default()).expect("ranked");
    let best = &selection.ranked[0];
    assert!(
        best.is_integral && selection.notes.is_empty(),
        "{selection:?}"
    );
    // The closed form is an approximation of the same integral.
    let closed = best.closed_form.expect("an interior optimum");
    assert!((closed - best.log_evidence).abs() < 0.2, "{selection:?}");
}

#[test]
fn the_closed_form_is_near_the_integral_where_it_is_told() {
    let mut rng = generator(73);
    let x = rows(200, 2, &mut rng);
    let wave = (0..200).map(|i| (1.5 * x[(i, 0)]).sin() + 0.3 * normal(&mut rng));
    let wave: Vec<f64> = wave.collect();
    let noise: Vec<f64> = (0..200).map(|_| normal(&mut rng)).collect();
    let records = Records::from_points(x);
    let kernels = candidates(&["rbf(gamma=0.5)"], &records);
    let told = |y: Vec<f64>| {
        let data = Dataset::try_new(records.clone(), Targets::Real(y)).expect("lengths");
        let selection = select(&kernels, &data, &FitContext::default()).expect("ranked");
        let best = &selection.ranked[0];
        best.closed_form.map(|closed| closed - best.log_evidence)
    };
    let difference = told(wave).expect("an interior optimum");
    assert!(difference.abs() < 0.2, "{difference}");
    assert_eq!(told(noise), None, "γ_eff − 1 is below 1");
}

#[test]
fn what_fitted_numbers_cost_does_not_hang_on_the_sample() {
    // All rows are few enough: the Occam factor is measured, not extrapolated.
    let mut rng = generator(74);
    let x = rows(320, 3, &mut rng);
    let y = (0..320).map(|i| (1.5 * x[(i, 0)]).sin() + normal(&mut rng));
    let records = Records::from_points(x.clone());
    let data = Dataset::try_new(records.clone(), Targets::Real(y.collect())).expect("lengths");
    let kernels = candidates(&["rbf", "rbf(columns)"], &records);
    let selection = select(&kernels, &data, &FitContext::default()).expect("ranked");
    assert!(selection.ranked.iter().all(|r| r.occam_error.is_none()));
    assert!(
        selection
            .notes
            .iter()
            .all(|n| !n.text().contains("extrapolated"))
    );
}

#[test]
fn prior_weights_move_the_posterior_by_their_ratio() {
    let mut rng = generator(75);
    let x = rows(30, 1, &mut rng);
    let y = (0..30).map(|i| x[(i, 0)] + normal(&mut rng)).collect();
    let records = Records::from_points(x);
    let data = Dataset::try_new(records.clone(), Targets::Real(y)).expect("lengths");
    let mut kernels = candidates(&["linear", "rbf(gamma=1)"], &records);
    let share = |kernels: &[Candidate]| {
        let ranked = select(kernels, &data, &FitContext::default())
            .expect("ranked")
            .ranked;
        let of = |name: &str| {
            ranked
                .iter()
                .find(|r| r.name == name)
                .expect("named")
                .posterior
        };
        of("linear") / of("rbf(gamma=1)")
    };
    let before = share(&kernels);
    mercer::select::kernels::set_priors(&mut kernels, &[("linear".to_owned(), 0.2)]).expect("set");
    assert!((share(&kernels) / before - 0.25).abs() < 1e-9);
}

/// Measurements of things: a slope that all share in the first column, and in the second what things are known
/// again by, which tells of a thing that was measured before and of no other.
fn measurements(things: usize, each: usize) -> (Dataset, Vec<u32>) {
    let mut rng = generator(77);
    let n = things * each;
    let own: Vec<[f64; 2]> = (0..things)
        .map(|_| [normal(&mut rng), 3.0 * normal(&mut rng)])
        .collect();
    let slope: Vec<f64> = (0..n).map(|_| 2.0 * normal(&mut rng)).collect();
    let y = (0..n)
        .map(|i| slope[i] + own[i / each][1] + 0.3 * normal(&mut rng))
        .collect();
    let x = Matrix::from_fn(n, 2, |i, j| match j {
        0 => slope[i],
        _ => own[i / each][0],
    });
    let data = Dataset::try_new(Records::from_points(x), Targets::Real(y)).expect("alike");
    (data, (0..n).map(|i| 1000 - (i / each) as u32).collect())
}

#[test]
fn groups_that_are_left_out_decide_otherwise_than_evidence() {
    let (data, groups) = measurements(30, 5);
    let kernels = candidates(&["linear@1", "rbf@2"], &data.records);
    let context = FitContext::default();
    let by_rows = select(&kernels, &data, &context).expect("ranked");
    assert_eq!(
        (by_rows.ranked[0].name.as_str(), by_rows.groups),
        ("rbf@2", None)
    );
    let found = select_grouped(&kernels, &data, Some(&groups), &context).expect("ranked");
    assert_eq!(
        (found.ranked[0].name.as_str(), found.groups),
        ("linear@1", Some(30))
    );
    let total: f64 = found.ranked.iter().map(|r| r.posterior).sum();
    assert!((total - 1.0).abs() < 1e-9);
    // Every group is predicted by a model that was learnt without it.
    let Targets::Real(y) = &data.targets else {
        panic!("numbers");
    };
    for ranked in &found.ranked {
        let mut squares = 0.0;
        for group in 971..=1000 {
            let of = |wanted: bool| -> Vec<usize> {
                let rows = 0..data.len();
                rows.filter(|&row| (groups[row] == group) == wanted)
                    .collect()
            };
            let (rest, own) = (of(false), of(true));
            let machine = LsSvr::default().kernel(ranked.kernel.spec().clone());
            let machine = machine.strength(Strength::Gamma(ranked.ratio));
            let fitted = machine.fit(&data.select(&rest), &context).expect("fits");
            let form = Form::Expansion(fitted.model);
            let predictor = Predictor::of_form(&form, Precision::F64).expect("bound");
            let records = data.records.select(&own);
            let found = predictor.decisions(&records, &context).expect("decides");
            for (place, &row) in own.iter().enumerate() {
                squares += (y[row] - found[(place, 0)]).powi(2);
            }
        }
        let brute = (squares / data.len() as f64).sqrt();
        let apart = (ranked.leave_one_out - brute).abs();
        assert!(
            apart < 1e-6 * brute,
            "{}: {} {brute}",
            ranked.name,
            ranked.leave_one_out
        );
    }
}

#[test]
fn groups_that_tell_nothing_are_refused() {
    let (data, groups) = measurements(6, 4);
    let kernels = candidates(&["linear"], &data.records);
    let refused = |groups: &[u32]| {
        let found = select_grouped(&kernels, &data, Some(groups), &FitContext::default());
        found.expect_err("refused").to_string()
    };
    assert!(refused(&groups[1..]).contains("23 rows; 24 expected"));
    assert!(refused(&[5; 24]).contains("one group"));
}

#[test]
fn the_closed_form_is_not_told_where_the_rows_determine_nothing() {
    // γ_eff − 1 is 0.875 at γ = 7/5: Theorem 18 would give 0.0246 where the integral is below −1.
    let x = Matrix::from_vec(4, 1, vec![-1.0, 0.0, 1.0, 2.0]);
    let y = Targets::Real(vec![-1.0, -1.0, 1.0, 1.0]);
    let data = Dataset::try_new(Records::from_points(x), y).expect("alike");
    let kernels = candidates(&["linear"], &data.records);
    let found = select(&kernels, &data, &FitContext::default()).expect("ranked");
    let best = &found.ranked[0];
    assert!(
        (best.effective_parameters - 1.875).abs() < 1e-6,
        "{}",
        best.effective_parameters
    );
    assert!((best.ratio - 1.4).abs() < 1e-6, "{}", best.ratio);
    assert_eq!(best.closed_form, None);
}
