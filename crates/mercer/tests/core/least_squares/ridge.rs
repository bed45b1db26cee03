//! What `krr` means: its defaults, its constant, its objective, and classes by its sign.

use mercer::data::{Dataset, Task};
use mercer::fit::{FitContext, Fitted};
use mercer::kernel::KernelSpec;
use mercer::learn::AnyEstimator;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{KernelRidge, LsSvc, LsSvr, Strength};
use mercer::learn::loss::KernelRisk;
use mercer::learn::margin::Bias;
use mercer::model::expansion::KernelExpansion;
use mercer::model::readout::Scheme;
use mercer::model::{Answers, Form, Predictor};
use mercer_linalg::{Matrix, Precision};

use super::machines::{classes, real, values};
use super::plain::{eliminate, generator, gram, normal, rows};

fn fit<E: Estimator<Model = KernelExpansion>>(
    machine: &E,
    data: &Dataset,
) -> Fitted<KernelExpansion> {
    machine.fit(data, &FitContext::default()).expect("fits")
}

fn spec(kernel: &str) -> KernelSpec {
    kernel.parse().expect("a kernel")
}

fn answers(model: KernelExpansion, x: &Matrix<f64>) -> Matrix<f64> {
    values(&Form::Expansion(model), x)
}

fn close(a: &Matrix<f64>, b: &Matrix<f64>, tolerance: f64) {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    for (a, b) in a.as_slice().iter().zip(b.as_slice()) {
        assert!((a - b).abs() < tolerance, "{a} and {b}");
    }
}

/// Two rows, x = y = 1, 2, whose three functions can be found by hand.
fn two_rows() -> Dataset {
    real(&Matrix::from_vec(2, 1, vec![1.0, 2.0]), vec![1.0, 2.0])
}

#[test]
fn krr_is_linear_with_lambda_one_and_no_constant() {
    let machine = KernelRidge::default();
    assert_eq!(machine.kernel, KernelSpec::linear());
    assert_eq!(machine.strength, Strength::Lambda(1.0));
    assert_eq!(machine.bias, Bias::None);
    let named = AnyEstimator::named("krr").expect("known");
    assert_eq!(named, AnyEstimator::KernelRidge(machine.clone()));
    // w = Σxy/(Σx² + λ) = 5/6.
    let at = Matrix::from_vec(2, 1, vec![0.0, 1.0]);
    let found = answers(fit(&machine, &two_rows()).model, &at);
    close(&found, &Matrix::from_vec(2, 1, vec![0.0, 5.0 / 6.0]), 1e-12);
}

#[test]
fn the_constant_is_absent_free_or_penalised() {
    let at = Matrix::from_vec(2, 1, vec![0.0, 1.0]);
    for (bias, expected) in [
        (Bias::None, [0.0, 5.0 / 6.0]),
        (Bias::Free, [1.0, 4.0 / 3.0]),
        (Bias::Regularised, [1.0 / 3.0, 1.0]),
    ] {
        let expected = Matrix::from_vec(2, 1, expected.to_vec());
        let found = fit(&KernelRidge::default().bias(bias), &two_rows());
        close(&answers(found.model, &at), &expected, 1e-12);
        let machine = LsSvr::default()
            .kernel(KernelSpec::linear())
            .strength(Strength::Gamma(1.0))
            .bias(bias);
        close(
            &answers(fit(&machine, &two_rows()).model, &at),
            &expected,
            1e-12,
        );
    }
}

/// A penalised constant is one more feature, whose value is 1 everywhere: ⟨x, z⟩ + 1.
#[test]
fn a_regularised_constant_is_a_feature_of_ones() {
    let mut rng = generator(61);
    let x = rows(60, 2, &mut rng);
    let y: Vec<f64> = (0..60)
        .map(|i| 4.0 + x[(i, 0)] + 0.3 * normal(&mut rng))
        .collect();
    let labels: Vec<&str> = (0..60)
        .map(|i| {
            if x[(i, 0)] + 0.7 * normal(&mut rng) > 0.4 {
                "in"
            } else {
                "out"
            }
        })
        .collect();
    let several: Vec<&str> = (0..60)
        .map(|i| match x[(i, 0)] {
            v if v > 0.5 => "right",
            v if v < -0.5 => "left",
            _ => "middle",
        })
        .collect();
    let (numbers, two, three) = (real(&x, y), classes(&x, &labels), classes(&x, &several));
    let new = rows(7, 2, &mut rng);
    let [plain, ones] = [spec("linear"), spec("poly(degree=1, offset=1, scale=1)")];
    let forms = [(&plain, Bias::Regularised), (&ones, Bias::None)];
    let both = |learn: &dyn Fn(&KernelSpec, Bias) -> Fitted<KernelExpansion>| {
        let [a, b] = forms.map(|(kernel, bias)| learn(kernel, bias));
        assert!(
            (a.report.solver().objective - b.report.solver().objective).abs()
                <= 1e-9 * b.report.solver().objective
        );
        close(&answers(a.model, &new), &answers(b.model, &new), 1e-6);
    };
    for strength in [
        Strength::Lambda(0.7),
        Strength::Evidence,
        Strength::LeaveOneOut,
    ] {
        both(&|kernel, bias| {
            let machine = KernelRidge::default()
                .kernel(kernel.clone())
                .strength(strength);
            fit(&machine.bias(bias), &numbers)
        });
        for data in [&two, &three] {
            both(&|kernel, bias| {
                let machine = KernelRidge::default()
                    .kernel(kernel.clone())
                    .strength(strength);
                fit(&machine.bias(bias), data)
            });
            for scheme in [Scheme::OneVsRest, Scheme::OneVsOne] {
                both(&|kernel, bias| {
                    let machine = LsSvc::default().kernel(kernel.clone()).strength(strength);
                    fit(&machine.scheme(scheme).bias(bias), data)
                });
            }
        }
        both(&|kernel, bias| {
            let machine = LsSvr::default().kernel(kernel.clone()).strength(strength);
            fit(&machine.bias(bias).keep(Some(0.5)), &numbers)
        });
    }
    for data in [&two, &three] {
        both(&|kernel, bias| {
            fit(
                &KernelRisk::default().kernel(kernel.clone()).bias(bias),
                data,
            )
        });
    }
    let path = |kernel: &KernelSpec, bias| {
        let machine = KernelRidge::default().kernel(kernel.clone()).bias(bias);
        let points = machine.path(&numbers, &[0.1, 3.0], &FitContext::default());
        points.expect("a path").pop().expect("two points")
    };
    let [a, b] = forms.map(|(kernel, bias)| path(kernel, bias));
    assert!((a.leave_one_out - b.leave_one_out).abs() < 1e-9);
    close(&answers(a.model, &new), &answers(b.model, &new), 1e-9);
}

#[test]
fn norms_do_not_count_the_constant() {
    for fitted in [
        fit(&KernelRidge::default().bias(Bias::Regularised), &two_rows()),
        fit(&KernelRidge::default().bias(Bias::Free), &two_rows()),
    ] {
        let at = Matrix::from_vec(2, 1, vec![0.0, 1.0]);
        let (norm, bias) = (
            fitted.report.solver().problems[0].norm,
            fitted.report.solver().problems[0].bias,
        );
        let found = answers(fitted.model, &at);
        assert!((norm - (found[(1, 0)] - found[(0, 0)])).abs() < 1e-12);
        assert!((bias - found[(0, 0)]).abs() < 1e-12);
    }
}

/// The objective is the cost Σ w (y − f)² + λ‖f‖², whichever form the solution took.
#[test]
fn the_objective_is_the_cost() {
    let mut rng = generator(62);
    let x = rows(30, 2, &mut rng);
    let y: Vec<f64> = (0..30)
        .map(|i| 1.0 + x[(i, 0)] + 0.3 * normal(&mut rng))
        .collect();
    let data = real(&x, y.clone());
    for kernel in ["linear", "rbf(gamma=0.5)"] {
        for bias in [Bias::None, Bias::Free, Bias::Regularised] {
            for strength in [Strength::Lambda(2.5), Strength::Evidence] {
                let machine = KernelRidge::default().kernel(spec(kernel)).bias(bias);
                let fitted = fit(&machine.strength(strength), &data);
                let report = &fitted.report;
                let ratio = report.evidence.as_ref().map_or(1.0 / 2.5, |e| e.ratio);
                let problem = &report.solver().problems[0];
                let constant = if bias == Bias::Regularised {
                    problem.bias
                } else {
                    0.0
                };
                let penalty = (problem.norm.powi(2) + constant.powi(2)) / ratio;
                let f = answers(fitted.model.clone(), &x);
                let errors: f64 = (0..30).map(|i| (y[i] - f[(i, 0)]).powi(2)).sum();
                assert!(
                    (report.solver().objective - errors - penalty).abs()
                        < 1e-8 * report.solver().objective,
                    "{kernel} {bias:?}: {} is not {errors} + {penalty}",
                    report.solver().objective
                );
            }
        }
    }
    // With the penalty on coefficients, that one.
    let machine = KernelRidge::default()
        .kernel(spec("rbf(gamma=0.5)"))
        .basis(true);
    let fitted = fit(&machine, &data);
    let coefficients = &fitted.model.coefficients;
    let penalty: f64 = coefficients.row(0).iter().map(|c| c * c).sum();
    let f = answers(fitted.model.clone(), &x);
    let errors: f64 = (0..30).map(|i| (y[i] - f[(i, 0)]).powi(2)).sum();
    assert!((fitted.report.solver().objective - errors - penalty).abs() < 1e-9);
}

#[test]
fn xor_by_the_sign_of_kernel_ridge() {
    let x = Matrix::from_vec(4, 2, vec![0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    let machine = KernelRidge::default()
        .kernel(spec("rbf(gamma=1)"))
        .strength(Strength::Lambda(0.1));
    let fitted = fit(&machine, &classes(&x, &["a", "a", "b", "b"]));
    assert_eq!(fitted.report.solver().problems[0].name, "a against b");
    for v in fitted.model.coefficients.as_slice() {
        assert!((v.abs() - 2.001_695_83).abs() < 1e-8, "{v}");
    }
    let f = answers(fitted.model.clone(), &x);
    let expected = [1.0, 1.0, -1.0, -1.0].map(|sign| sign * 0.799_830_42);
    close(&f, &Matrix::from_vec(4, 1, expected.to_vec()), 1e-8);
    assert_eq!(codes(fitted.model, &x), [0, 0, 1, 1]);
}

fn codes(model: KernelExpansion, x: &Matrix<f64>) -> Vec<u32> {
    let model = Form::Expansion(model);
    let predictor = Predictor::of_form(&model, Precision::F64).expect("bound");
    let records = mercer::data::Records::from_points(x.clone());
    let found = predictor.predict_records(&records, &FitContext::default());
    match found.expect("answers").answers {
        Answers::Classes { codes, .. } => codes,
        other => panic!("{other:?}"),
    }
}

/// Each class against the rest is (K + λI)⁻¹ y with y = ±1; the largest f decides.
#[test]
fn several_classes_by_the_largest_value() {
    let mut rng = generator(63);
    let x = rows(40, 2, &mut rng);
    let labels: Vec<&str> = (0..40)
        .map(|i| match (x[(i, 0)] > 0.3, x[(i, 1)] > 0.0) {
            (true, _) => "east",
            (_, true) => "north",
            _ => "south",
        })
        .collect();
    for kernel in ["linear", "rbf(gamma=0.8)"] {
        let machine = KernelRidge::default()
            .kernel(spec(kernel))
            .strength(Strength::Lambda(0.3));
        let fitted = fit(&machine, &classes(&x, &labels));
        let mut system = gram(kernel, &x);
        for i in 0..40 {
            system[(i, i)] += 0.3;
        }
        let gram = gram(kernel, &x);
        let columns = ["east", "north", "south"].map(|class| {
            let sign = |label: &&str| if *label == class { 1.0 } else { -1.0 };
            let y: Vec<f64> = labels.iter().map(sign).collect();
            eliminate(&system, &y).0
        });
        let expected = Matrix::from_fn(40, 3, |i, k| {
            (0..40).map(|j| gram[(i, j)] * columns[k][j]).sum()
        });
        close(&answers(fitted.model.clone(), &x), &expected, 1e-9);
        let largest = |i: usize| {
            (0..3).max_by(|&a: &usize, &b| expected[(i, a)].total_cmp(&expected[(i, b)]))
        };
        let found = codes(fitted.model, &x);
        for (i, code) in found.iter().enumerate() {
            assert_eq!(Some(*code as usize), largest(i));
        }
    }
}

#[test]
fn krr_suits_numbers_and_classes() {
    let machine = AnyEstimator::named("krr").expect("known");
    assert!(machine.suits(Task::Regress) && machine.suits(Task::Classify));
    assert!(!machine.suits(Task::Novelty));
    let x = Matrix::from_vec(2, 1, vec![1.0, 2.0]);
    assert_eq!(
        machine.task_on(&classes(&x, &["a", "b"]).targets),
        Task::Classify
    );
    assert_eq!(machine.task_on(&two_rows().targets), Task::Regress);
}

/// The worked example of kernels as products of basis functions.
#[test]
fn kernel_values_of_basis_functions() {
    let phi = Matrix::from_vec(
        4,
        3,
        vec![
            0.25, 1.0, 0.25, 0.1, 0.9, 0.5, 0.02, 0.6, 0.9, 0.0, 0.01, 0.3,
        ],
    );
    let gram = gram("linear", &phi);
    for (j, expected) in [1.125, 1.05, 0.83, 0.085].into_iter().enumerate() {
        assert!((gram[(0, j)] - expected).abs() < 1e-15, "{j}");
    }
}
