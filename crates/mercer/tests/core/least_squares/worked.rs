//! Worked numbers of the squared loss and its three levels.

use mercer::fit::FitContext;
use mercer::kernel::KernelSpec;
use mercer::learn::Estimator;
use mercer::learn::least_squares::{KernelRidge, LsSvc, Strength};
use mercer::learn::margin::Svc;
use mercer::model::Form;
use mercer::model::expansion::KernelExpansion;
use mercer::solver::least_squares::{Problem, Spectrum};
use mercer_linalg::{Matrix, Par, SymmetricEigen};

use super::machines::{classes, real, values};
use super::plain::gram;

fn near(found: f64, expected: f64, bound: f64) {
    assert!(
        (found - expected).abs() <= bound,
        "{found} is not {expected}"
    );
}

fn problem<'a>(gram: &'a Matrix<f64>, targets: &'a Matrix<f64>) -> Problem<'a> {
    Problem {
        gram: gram.as_ref(),
        targets,
        weights: None,
        intercept: true,
    }
}

/// x = −1, 0, 1, 2 and y = −1, −1, 1, 1 under the linear kernel: one eigenvalue, 5.
fn four_rows() -> (Matrix<f64>, Matrix<f64>) {
    let x = Matrix::from_vec(4, 1, vec![-1.0, 0.0, 1.0, 2.0]);
    let y = Matrix::from_vec(1, 4, vec![-1.0, -1.0, 1.0, 1.0]);
    (gram("linear", &x), y)
}

#[test]
fn three_levels_by_hand() {
    let (k, y) = four_rows();
    let problem = problem(&k, &y);
    let spectrum = Spectrum::new(&problem).expect("finite");
    near(spectrum.values()[3], 5.0, 1e-12);
    near(spectrum.best_ratio().expect("not zero"), 1.4, 1e-5);
    let solved = problem.solve(1.4, Par::Sequential).expect("positive");
    let levels = solved.levels()[0];
    near(levels.prior, 25.0 / 14.0, 1e-12);
    near(levels.noise, 2.5, 1e-12);
    let effective = solved.diagonal(Par::Sequential).effective_parameters();
    near(effective, 15.0 / 8.0, 1e-12);
    near(
        spectrum.log_evidence().expect("not zero"),
        -1.302_896_92,
        1e-6,
    );
}

/// ∂J/∂μ = E_W + ½Σ 1/(μ+ζλ) − N_eff/(2μ) and its partner, with the halves (erratum E6).
#[test]
fn slopes_in_both_precisions_by_hand() {
    let (k, y) = four_rows();
    let problem = problem(&k, &y);
    let spectrum = Spectrum::new(&problem).expect("finite");
    // μ = ζ = 1.
    let solved = problem.solve(1.0, Par::Sequential).expect("positive");
    let alpha = solved.coefficients().row(0);
    let norm: f64 = (0..4)
        .flat_map(|i| (0..4).map(move |j| (i, j)))
        .map(|(i, j)| alpha[i] * k[(i, j)] * alpha[j])
        .sum();
    let errors: f64 = solved.residuals().row(0).iter().map(|e| e * e).sum();
    let (weight_energy, error_energy) = (norm / 2.0, errors / 2.0);
    let lambda = spectrum.values()[3];
    let cost = weight_energy + error_energy + 0.5 * (1.0 + lambda).ln();
    near(cost, 1.562_546_401, 5e-10);
    let prior = weight_energy + 0.5 / (1.0 + lambda) - 0.5;
    let noise = error_energy + 0.5 * lambda / (1.0 + lambda) - 1.5;
    near(prior, -0.194_444_44, 5e-9);
    near(noise, -0.638_888_89, 5e-9);
}

/// det H = n μ^{n_f − N_eff} ξ Π(μ + ξλ) with eigenvalues of the matrix centred by I − 11ᵀ/n
/// (erratum E1): 204; the printed sign would give 348.
#[test]
fn the_determinant_of_the_second_derivatives() {
    let (k, y) = four_rows();
    let spectrum = Spectrum::new(&problem(&k, &y)).expect("finite");
    let (mu, xi, n) = (2.0, 3.0, 4.0);
    // J = μ/2 w² + ξ/2 Σ(y − wx − b)²: Σx² = 6, Σx = 2.
    let direct: f64 = (mu + xi * 6.0) * (xi * n) - (xi * 2.0) * (xi * 2.0);
    near(direct, 204.0, 1e-12);
    near(n * xi * (mu + xi * spectrum.values()[3]), direct, 1e-9);
    // With the plus sign that the notes print for M = I − 11ᵀ/n the eigenvalue of MKM is another (E1).
    let printed = [-1.0_f64, 0.0, 1.0, 2.0].map(|x| (x + 0.5).powi(2));
    near(
        n * xi * (mu + xi * printed.iter().sum::<f64>()),
        348.0,
        1e-12,
    );
}

/// A spectrum that ends early: discarded eigenvalues count as 0, their part of y stays.
#[test]
fn a_truncated_spectrum_by_hand() {
    let rows = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, 3.0]];
    let x = Matrix::from_fn(5, 2, |i, j| rows[i][j]);
    let k = gram("rbf(gamma=0.25)", &x);
    let y = [1.0, -1.0, 1.0, -1.0, 1.0];
    let means: Vec<f64> = (0..5).map(|i| k.row(i).iter().sum::<f64>() / 5.0).collect();
    let mean = means.iter().sum::<f64>() / 5.0;
    let centred = Matrix::from_fn(5, 5, |i, j| k[(i, j)] - means[i] - means[j] + mean);
    let eigen = SymmetricEigen::new(centred.as_ref()).expect("finite");
    let z: Vec<f64> = (0..5)
        .map(|h| (0..5).map(|i| eigen.vectors[(i, h)] * (y[i] - 0.2)).sum())
        .collect();
    let kept = |first: usize| {
        let values = eigen.values[first..].to_vec();
        let projections = Matrix::from_vec(1, 5 - first, z[first..].to_vec());
        let rest = z[..first].iter().map(|z| z * z).sum();
        Spectrum::from_parts(values, projections, vec![rest], 5.0, true)
    };
    near(kept(0).cost(2.0), 0.915_459_333, 5e-10);
    near(kept(3).cost(2.0), 0.605_656_529, 5e-10);
    let left_out: f64 = eigen.values[..3].iter().sum();
    near(left_out, 0.396_896_50, 5e-9);
    let y = Matrix::from_vec(1, 5, y.to_vec());
    let whole = Spectrum::new(&problem(&k, &y)).expect("finite");
    near(whole.cost(2.0), 0.915_459_333, 5e-10);
}

/// Where f crosses the line x = 0, and f(0, 1).
fn border(model: KernelExpansion) -> (f64, f64) {
    let line = Matrix::from_vec(2, 2, vec![0.0, 0.0, 0.0, 1.0]);
    let f = values(&Form::Expansion(model), &line);
    (f[(0, 0)] / (f[(0, 0)] - f[(1, 0)]), f[(1, 0)])
}

/// Two rows of one class below, one of the other above: a further row far above moves the border
/// of least squares beyond (0, 1) and leaves that of the margin where it is.
#[test]
fn a_far_row_misclassifies_a_near_one() {
    let points = [[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 10.0]];
    let labels = ["below", "below", "above", "above"];
    let fits = |rows: usize| {
        let x = Matrix::from_fn(rows, 2, |i, j| points[i][j]);
        let data = classes(&x, &labels[..rows]);
        let squares = LsSvc::default()
            .kernel(KernelSpec::linear())
            .strength(Strength::Gamma(1000.0));
        let margin = Svc::default()
            .kernel(KernelSpec::linear())
            .hard()
            .tolerance(1e-7);
        let context = FitContext::default();
        (
            border(squares.fit(&data, &context).expect("fits").model),
            border(margin.fit(&data, &context).expect("separable").model),
        )
    };
    let ((squares, right), (margin, _)) = fits(3);
    near(squares, 0.500_250, 5e-7);
    near(margin, 0.5, 1e-6);
    assert!(right > 0.0, "`above` is the positive class: {right}");
    let ((squares, wrong), (margin, _)) = fits(4);
    near(squares, 2.75, 5e-6);
    near(wrong, -0.272_081, 5e-7);
    near(margin, 0.5, 1e-6);
}

/// λ_i = γ e_i: every row that is not met exactly has a coefficient.
#[test]
fn coefficients_are_errors_times_the_ratio() {
    let x = Matrix::from_vec(3, 2, vec![-1.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let (k, y) = (gram("linear", &x), [-1.0, -1.0, 1.0]);
    let targets = Matrix::from_vec(1, 3, y.to_vec());
    let solved = problem(&k, &targets)
        .solve(1000.0, Par::Sequential)
        .expect("positive");
    let alpha = solved.coefficients().row(0);
    for (i, expected) in [0.998_502_247, 0.998_502_247, 1.997_004_493]
        .into_iter()
        .enumerate()
    {
        // α_i = λ_i y_i, and e_i = 1 − y_i f(x_i).
        near(y[i] * alpha[i], expected, 5e-9);
        let f: f64 = (0..3).map(|j| alpha[j] * k[(i, j)]).sum::<f64>() + solved.biases()[0];
        near(1000.0 * (1.0 - y[i] * f), expected, 1e-8);
    }
}

#[test]
fn one_training_row_has_one_kernel() {
    let ridge = KernelRidge::default()
        .kernel(KernelSpec::rbf(0.5))
        .strength(Strength::Lambda(0.5));
    let data = real(&Matrix::from_vec(1, 1, vec![0.0]), vec![2.0]);
    let model = ridge
        .fit(&data, &FitContext::default())
        .expect("fits")
        .model;
    near(model.coefficients[(0, 0)], 4.0 / 3.0, 1e-12);
    let at = Matrix::from_vec(2, 1, vec![0.0, 1.0]);
    let f = values(&Form::Expansion(model), &at);
    near(f[(0, 0)], 4.0 / 3.0, 1e-12);
    near(f[(1, 0)], 0.808_707_55, 5e-9);
}

/// Eigenvalues 1.5 and 0.5: the penalty on coefficients damps the larger one less and the smaller
/// one more than the penalty on the norm (erratum E11).
#[test]
fn basis_functions_smooth_below_one_only() {
    // exp(−ln 2) = ½ between the two rows.
    let x = Matrix::from_vec(2, 1, vec![0.0, 1.0]);
    let fits = |y: [f64; 2], basis: bool| {
        let ridge = KernelRidge::default()
            .kernel(KernelSpec::rbf(std::f64::consts::LN_2))
            .strength(Strength::Lambda(1.0))
            .basis(basis);
        let fitted = ridge.fit(&real(&x, y.to_vec()), &FitContext::default());
        values(&Form::Expansion(fitted.expect("fits").model), &x)
    };
    let (rough, smooth) = ([1.0, -1.0], [1.0, 1.0]);
    for (i, sign) in rough.into_iter().enumerate() {
        near(fits(rough, false)[(i, 0)], sign / 3.0, 1e-9);
        near(fits(rough, true)[(i, 0)], sign * 0.2, 1e-9);
        near(fits(smooth, false)[(i, 0)], 0.6, 1e-9);
        near(fits(smooth, true)[(i, 0)], 9.0 / 13.0, 1e-9);
    }
}
