//! Forms of kernel ridge: several outputs, weights of columns, kernels as basis functions.

use mercer::data::Records;
use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{KernelRidge, LsSvr, Strength};
use mercer::model::Form;
use mercer_linalg::{Matrix, Par, SymmetricEigen};

use super::machines::{real, values};
use super::plain::{generator, gram, normal, rows};

fn ridge(kernel: &str, lambda: f64) -> KernelRidge {
    let kernel: KernelSpec = kernel.parse().expect("a kernel");
    KernelRidge::default()
        .kernel(kernel)
        .strength(Strength::Lambda(lambda))
}

#[test]
fn several_outputs_are_single_ones_side_by_side() {
    let mut rng = generator(60);
    let x = rows(40, 3, &mut rng);
    let y = Matrix::from_fn(3, 40, |_, _| normal(&mut rng));
    let weights: Vec<f64> = (0..40).map(|i| 0.5 + (i % 3) as f64).collect();
    let new = rows(6, 3, &mut rng);
    let context = FitContext::default();
    for intercept in [false, true] {
        let method = ridge("rbf(gamma=0.4)", 0.2).intercept(intercept);
        let records = Records::from_points(x.clone());
        let together = method
            .fit_several(&records, &y, Some(&weights), &context)
            .expect("fits");
        assert_eq!(together.report.solver().problems.len(), 3);
        let all = values(&Form::Expansion(together.model), &new);
        for k in 0..3 {
            let data = real(&x, y.row(k).to_vec())
                .with_weights(weights.clone())
                .expect("weights");
            let alone = method.fit(&data, &context).expect("fits");
            let one = values(&Form::Expansion(alone.model), &new);
            for r in 0..6 {
                assert!((all[(r, k)] - one[(r, 0)]).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn several_outputs_need_rows_that_fit() {
    let records = Records::from_points(Matrix::from_vec(2, 1, vec![0.0, 1.0]));
    let method = ridge("rbf(gamma=1)", 1.0);
    let refused = |y: Matrix<f64>, weights: Option<&[f64]>| {
        let answer = method.fit_several(&records, &y, weights, &FitContext::default());
        answer.expect_err("refused").to_string()
    };
    assert!(refused(Matrix::zeros(1, 3), None).contains("3 rows"));
    assert!(refused(Matrix::zeros(0, 2), None).contains("nothing to learn"));
    assert!(refused(Matrix::zeros(1, 2), Some(&[1.0, 0.0])).contains("weight"));
    let holes = Matrix::from_vec(1, 2, vec![0.0, f64::NAN]);
    assert!(refused(holes, None).contains("row 2"));
}

#[test]
fn weights_of_columns_are_the_same_function() {
    let mut rng = generator(61);
    // Columns of very different size and a large mean make the normal equations hard.
    let x = Matrix::from_fn(200, 4, |_, j| {
        1000.0 * (j as f64) + normal(&mut rng) * 10.0_f64.powi(j as i32 - 1)
    });
    let y: Vec<f64> = (0..200)
        .map(|i| 0.3 * x[(i, 1)] - 0.01 * x[(i, 3)] + normal(&mut rng))
        .collect();
    let weights: Vec<f64> = (0..200).map(|i| 1.0 + (i % 4) as f64).collect();
    let data = real(&x, y).with_weights(weights).expect("weights");
    for intercept in [false, true] {
        let primal = ridge("linear", 0.5).intercept(intercept);
        let primal = primal.fit(&data, &FitContext::default()).expect("fits");
        let told = primal
            .report
            .notes
            .iter()
            .any(|n| n.text().contains("4 weights"));
        assert!(told, "{:?}", primal.report.notes);
        assert!(
            primal.report.solver().kkt_violation < 1e-9,
            "{}",
            primal.report.solver().kkt_violation
        );
        // A factor of 1 leaves the kernel as it is, but not its name.
        let dual = ridge("linear * poly(degree=1, offset=1, scale=1e-300)", 0.5)
            .intercept(intercept)
            .fit(&data, &FitContext::default())
            .expect("fits");
        let (a, b) = (
            values(&Form::Expansion(primal.model), &x),
            values(&Form::Expansion(dual.model), &x),
        );
        for i in 0..200 {
            let scale = b[(i, 0)].abs().max(1.0);
            assert!(
                (a[(i, 0)] - b[(i, 0)]).abs() < 1e-6 * scale,
                "{} {}",
                a[(i, 0)],
                b[(i, 0)]
            );
        }
    }
}

#[test]
fn a_path_is_a_fit_at_every_lambda() {
    let mut rng = generator(64);
    let x = rows(50, 2, &mut rng);
    let y: Vec<f64> = (0..50)
        .map(|i| x[(i, 0)].sin() + 0.2 * normal(&mut rng))
        .collect();
    let weights: Vec<f64> = (0..50).map(|i| 1.0 + (i % 2) as f64).collect();
    let data = real(&x, y).with_weights(weights).expect("weights");
    let lambdas = [1e-3, 0.1, 10.0];
    let context = FitContext::default();
    for intercept in [false, true] {
        let method = ridge("rbf(gamma=0.5)", 1.0).intercept(intercept);
        let path = method.path(&data, &lambdas, &context).expect("a path");
        assert_eq!(path.len(), 3);
        for (point, lambda) in path.iter().zip(lambdas) {
            let alone = ridge("rbf(gamma=0.5)", lambda).intercept(intercept);
            let alone = alone.fit(&data, &context).expect("fits").model;
            let (a, b) = (
                values(&Form::Expansion(point.model.clone()), &x),
                values(&Form::Expansion(alone), &x),
            );
            for i in 0..50 {
                assert!((a[(i, 0)] - b[(i, 0)]).abs() < 1e-8, "{lambda} {i}");
            }
        }
        // Less trust, fewer parameters.
        let counts: Vec<f64> = path.iter().map(|p| p.effective_parameters).collect();
        assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
    }
    let refused = ridge("rbf", 1.0).path(&data, &[0.0], &context);
    assert!(refused.expect_err("refused").to_string().contains("lambda"));
}

#[test]
fn basis_functions_damp_by_squared_eigenvalues() {
    let mut rng = generator(62);
    let x = rows(25, 2, &mut rng);
    let y: Vec<f64> = (0..25)
        .map(|i| x[(i, 0)] + 0.3 * normal(&mut rng))
        .collect();
    let lambda = 0.7;
    let data = real(&x, y.clone());
    let method = ridge("rbf(gamma=0.5)", lambda).basis(true);
    let fitted = method.fit(&data, &FitContext::default()).expect("fits");
    let answers = values(&Form::Expansion(fitted.model), &x);
    let eigen = SymmetricEigen::new(gram("rbf(gamma=0.5)", &x).as_ref()).expect("finite");
    for i in 0..25 {
        let mut expected = 0.0;
        for (k, l) in eigen.values.iter().enumerate() {
            let z: f64 = (0..25).map(|j| eigen.vectors[(j, k)] * y[j]).sum();
            expected += eigen.vectors[(i, k)] * z * l * l / (l * l + lambda);
        }
        assert!((answers[(i, 0)] - expected).abs() < 1e-8);
    }
    let open = KernelRidge::default()
        .strength(Strength::Evidence)
        .basis(true);
    let refused = open
        .fit(&data, &FitContext::default())
        .expect_err("no evidence");
    assert!(refused.to_string().contains("evidence"), "{refused}");
}

#[test]
fn a_linear_machine_that_is_asked_for_its_certainty_keeps_it() {
    let mut rng = generator(63);
    let x = rows(60, 2, &mut rng);
    let y: Vec<f64> = (0..60)
        .map(|i| x[(i, 0)] + 0.1 * normal(&mut rng))
        .collect();
    let fitted = LsSvr::default()
        .kernel(KernelSpec::linear())
        .strength(Strength::Gamma(10.0))
        .fit(&real(&x, y), &FitContext::default())
        .expect("fits");
    let certainty = fitted.model.certainty(Par::Sequential).expect("a factor");
    assert!(certainty.is_some());
}
