//! Gradients against differences and scikit-learn, worked numbers, and ways down known functions.

use mercer_linalg::{Csr, Matrix, Par};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value;

use super::levenberg::Curvature;
use super::*;
use crate::data::random::unit;

fn drawn(count: usize, seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| 2.0 * unit(&mut rng) - 1.0).collect()
}

fn near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance, "{what}, {k}: {a} is not {b}");
    }
}

/// Targets that a last layer can be asked for.
fn targets(activation: Activation, rows: usize, outputs: usize) -> Vec<f64> {
    match activation {
        Activation::Softmax => (0..rows * outputs)
            .map(|k| f64::from(u8::from((k / outputs) % outputs == k % outputs)))
            .collect(),
        Activation::Exponential => (0..rows * outputs).map(|k| (k % 4) as f64).collect(),
        _ => (0..rows * outputs).map(|k| (k % 2) as f64).collect(),
    }
}

/// Every last layer with its losses.
const ENDS: [(Activation, Loss); 7] = [
    (Activation::Linear, Loss::Squared),
    (Activation::Sigmoid, Loss::Squared),
    (Activation::Tanh, Loss::Squared),
    (Activation::Exponential, Loss::Squared),
    (Activation::Sigmoid, Loss::CrossEntropy),
    (Activation::Softmax, Loss::CrossEntropy),
    (Activation::Exponential, Loss::Poisson),
];

#[test]
fn gradients_are_differences() {
    let (rows, columns, outputs) = (9, 4, 3);
    let x = Matrix::from_vec(rows, columns, drawn(rows * columns, 1));
    let weights: Vec<f64> = drawn(rows, 2).iter().map(|w| w + 1.5).collect();
    let gates = [
        Activation::Linear,
        Activation::Sigmoid,
        Activation::Tanh,
        Activation::Relu,
    ];
    for gate in gates {
        for (end, loss) in ENDS {
            let architecture = Architecture {
                sizes: vec![columns, 5, 4, outputs],
                activations: vec![gate, gate, end],
                loss,
            };
            let targets = targets(end, rows, outputs);
            let problem = Problem {
                architecture: &architecture,
                rows: Rows::Dense(x.as_ref()),
                targets: &targets,
                weights: Some(&weights),
                decay: 0.3,
                par: Par::Sequential,
            };
            let mut room = Room::default();
            let mut at = drawn(architecture.parameters(), 3);
            let mut gradient = vec![0.0; at.len()];
            let value = problem.evaluate(Batch::All, &at, &mut gradient, &mut room);
            let what = format!("{gate:?} {end:?} {loss:?}");
            near(&[problem.value(&at, &mut room)], &[value], 1e-15, &what);
            for k in 0..at.len() {
                let (old, step) = (at[k], 1e-5);
                at[k] = old + step;
                let above = problem.value(&at, &mut room);
                at[k] = old - step;
                let below = problem.value(&at, &mut room);
                at[k] = old;
                let difference = (above - below) / (2.0 * step);
                let tolerance = 2e-9 * (1.0 + gradient[k].abs());
                near(&[gradient[k]], &[difference], tolerance, &what);
            }
        }
    }
}

#[test]
fn sparse_rows_lists_and_threads_change_nothing() {
    let (rows, columns) = (2500, 150);
    let mut values = drawn(rows * columns, 1);
    values
        .iter_mut()
        .filter(|v| v.abs() < 0.7)
        .for_each(|v| *v = 0.0);
    let x = Matrix::from_vec(rows, columns, values);
    let sparse = Csr::from_dense(x.as_ref());
    let architecture = Architecture {
        sizes: vec![columns, 20, 3],
        activations: vec![Activation::Tanh, Activation::Softmax],
        loss: Loss::CrossEntropy,
    };
    let targets = targets(Activation::Softmax, rows, 3);
    let at = drawn(architecture.parameters(), 3);
    let order: Vec<usize> = (0..rows).collect();
    let mut found = Vec::new();
    for (input, par, batch) in [
        (Rows::Dense(x.as_ref()), Par::Sequential, Batch::All),
        (Rows::Dense(x.as_ref()), Par::Rayon, Batch::All),
        (Rows::Dense(x.as_ref()), Par::Rayon, Batch::Listed(&order)),
        (Rows::Sparse(&sparse), Par::Sequential, Batch::All),
        (Rows::Sparse(&sparse), Par::Rayon, Batch::Listed(&order)),
    ] {
        let problem = Problem {
            architecture: &architecture,
            rows: input,
            targets: &targets,
            weights: None,
            decay: 0.1,
            par,
        };
        let mut gradient = vec![0.0; at.len()];
        let value = problem.evaluate(batch, &at, &mut gradient, &mut Room::default());
        gradient.push(value);
        found.push(gradient);
    }
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0], found[2]);
    assert_eq!(found[3], found[4]);
    near(&found[0], &found[3], 1e-13, "sparse");
}

#[test]
fn one_step_of_backpropagation_by_hand() {
    // x = (1, 0.5, −1), the first entry the offset; W = [[0.1, 0.2, −0.3], [0, −0.4, 0.5]] sigmoid,
    // V = (0.2, 1, −1) linear, wanted 0.7, α = 0.1.
    let architecture = Architecture {
        sizes: vec![2, 2, 1],
        activations: vec![Activation::Sigmoid, Activation::Linear],
        loss: Loss::Squared,
    };
    let x = Matrix::from_vec(1, 2, vec![0.5, -1.0]);
    let problem = Problem {
        architecture: &architecture,
        rows: Rows::Dense(x.as_ref()),
        targets: &[0.7],
        weights: None,
        decay: 0.0,
        par: Par::Sequential,
    };
    let mut at = vec![0.2, -0.4, -0.3, 0.5, 0.1, 0.0, 1.0, -1.0, 0.2];
    let out = answers(&architecture, &at, problem.rows);
    near(&out, &[0.490_647_10], 5e-9, "output");
    let mut gradient = vec![0.0; 9];
    problem.evaluate(Batch::All, &at, &mut gradient, &mut Room::default());
    // The slopes of constants are the d of their gates, with the other sign.
    let d = [-gradient[8], -gradient[4], -gradient[5]];
    near(&d, &[0.209_352_90, 0.049_198_71, -0.046_416_23], 5e-9, "d");
    let settings = Stochastic {
        rule: Rule::Momentum {
            momentum: 0.0,
            ahead: false,
        },
        schedule: Schedule::Constant,
        step: 0.1,
        batch: 1,
        shuffle: false,
        epochs: 1,
        tolerance: 0.0,
        patience: 1,
    };
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let course = stochastic(&problem, &mut at, &settings, &mut rng, None, &mut |_, _| {
        true
    });
    assert_eq!((course.steps, course.ending), (1, Ending::StepLimit));
    let v = [at[8], at[6], at[7]];
    near(&v, &[0.220_935_29, 1.013_031_37, -0.993_053_41], 5e-9, "V");
    let out = answers(&architecture, &at, problem.rows);
    near(&out, &[0.526_925_93], 5e-9, "next output");
}

fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(flat).collect(),
        number => vec![number.as_f64().expect("a number")],
    }
}

/// Weights and constants, layer by layer.
fn parameters(record: &Value, weights: &str, constants: &str) -> Vec<f64> {
    let lists = |name: &str| record[name].as_array().expect("a list").clone();
    let layers = lists(weights).into_iter().zip(lists(constants));
    layers
        .flat_map(|(w, b)| [flat(&w), flat(&b)].concat())
        .collect()
}

#[test]
fn losses_gradients_and_steps_are_those_of_scikit_learn() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/oracle/network.json"
    );
    let text = std::fs::read_to_string(file).expect("results are recorded");
    let record: Value = serde_json::from_str(&text).expect("JSON");
    let x = flat(&record["rows"]);
    let x = Matrix::from_vec(x.len() / 3, 3, x);
    let gate = |name: &Value| match name.as_str().expect("a name") {
        "softmax" => Activation::Softmax,
        "exp" => Activation::Exponential,
        _ => serde_json::from_value(name.clone()).expect("an activation"),
    };
    for case in record["cases"].as_array().expect("cases") {
        let name = case["name"].as_str().expect("a name");
        let output = gate(&case["output"]);
        let targets = flat(&case["targets"]);
        let hidden: Vec<usize> = serde_json::from_value(case["hidden"].clone()).expect("sizes");
        let mut sizes = vec![3];
        sizes.extend(&hidden);
        sizes.push(targets.len() / x.rows());
        let mut activations = vec![gate(&case["activation"]); hidden.len()];
        activations.push(output);
        let architecture = Architecture {
            sizes,
            activations,
            loss: match output {
                Activation::Linear => Loss::Squared,
                Activation::Exponential => Loss::Poisson,
                _ => Loss::CrossEntropy,
            },
        };
        let weights: Option<Vec<f64>> =
            serde_json::from_value(case["row_weights"].clone()).expect("weights");
        let problem = Problem {
            architecture: &architecture,
            rows: Rows::Dense(x.as_ref()),
            targets: &targets,
            weights: weights.as_deref(),
            decay: case["alpha"].as_f64().expect("a number"),
            par: Par::Sequential,
        };
        let start = parameters(case, "coefs", "intercepts");
        let mut gradient = vec![0.0; start.len()];
        let loss = problem.evaluate(Batch::All, &start, &mut gradient, &mut Room::default());
        near(
            &[loss],
            &[case["loss"].as_f64().expect("a number")],
            1e-13,
            name,
        );
        let expected = parameters(case, "coef_grads", "intercept_grads");
        near(&gradient, &expected, 1e-13, name);
        let momentum = |ahead| Rule::Momentum {
            momentum: 0.9,
            ahead,
        };
        let adam = Rule::Adam {
            first: 0.9,
            second: 0.999,
            epsilon: 1e-8,
        };
        for (rule, step, word) in [
            (momentum(false), 0.1, "momentum"),
            (momentum(true), 0.1, "nesterov"),
            (adam, 0.05, "adam"),
        ] {
            let settings = Stochastic {
                rule,
                schedule: Schedule::Constant,
                step,
                batch: x.rows(),
                shuffle: false,
                epochs: 3,
                tolerance: 0.0,
                patience: 10,
            };
            let mut at = start.clone();
            let mut rng = ChaCha8Rng::seed_from_u64(0);
            let course = stochastic(&problem, &mut at, &settings, &mut rng, None, &mut |_, _| {
                true
            });
            let what = format!("{name}, {word}");
            near(&course.losses, &flat(&case[word]["losses"]), 1e-11, &what);
            // Adam divides by the root of squared gradients, which rounding changes more.
            let expected = parameters(&case[word], "coefs", "intercepts");
            near(&at, &expected, 1e-9, &what);
        }
    }
}

#[test]
fn the_curvature_of_a_layer_is_that_of_its_loss() {
    // Without hidden gates the net inputs are linear in the weights, and the Gauss–Newton
    // matrix is the matrix of second derivatives.
    let (rows, columns, outputs) = (11, 3, 3);
    let x = Matrix::from_vec(rows, columns, drawn(rows * columns, 1));
    let weights: Vec<f64> = drawn(rows, 2).iter().map(|w| w + 1.5).collect();
    let ends = [
        (Activation::Linear, Loss::Squared),
        (Activation::Sigmoid, Loss::CrossEntropy),
        (Activation::Softmax, Loss::CrossEntropy),
        (Activation::Exponential, Loss::Poisson),
    ];
    for (end, loss) in ends {
        let architecture = Architecture {
            sizes: vec![columns, outputs],
            activations: vec![end],
            loss,
        };
        let targets = targets(end, rows, outputs);
        let problem = Problem {
            architecture: &architecture,
            rows: Rows::Dense(x.as_ref()),
            targets: &targets,
            weights: Some(&weights),
            decay: 0.2,
            par: Par::Sequential,
        };
        let mut at = drawn(architecture.parameters(), 3);
        let found = Curvature::new(&problem, at.len()).at(&problem, &at);
        let mut room = Room::default();
        let (mut above, mut below) = (vec![0.0; at.len()], vec![0.0; at.len()]);
        for i in 0..at.len() {
            let (old, step) = (at[i], 1e-5);
            at[i] = old + step;
            problem.evaluate(Batch::All, &at, &mut above, &mut room);
            at[i] = old - step;
            problem.evaluate(Batch::All, &at, &mut below, &mut room);
            at[i] = old;
            for j in 0..=i {
                let expected = (above[j] - below[j]) / (2.0 * step);
                near(
                    &[found[(i, j)]],
                    &[expected],
                    1e-8,
                    &format!("{end:?} {i} {j}"),
                );
            }
        }
    }
}

fn rosenbrock(x: &[f64], gradient: &mut [f64]) -> f64 {
    let (a, b) = (1.0 - x[0], x[1] - x[0] * x[0]);
    gradient[0] = -2.0 * a - 400.0 * x[0] * b;
    gradient[1] = 200.0 * b;
    a * a + 100.0 * b * b
}

#[test]
fn searched_lines_follow_a_bent_valley() {
    let limits = Descent {
        steps: 1000,
        evaluations: 20_000,
        tolerance: 1e-8,
    };
    let mut at = vec![-1.2, 1.0];
    let course = limited_memory(rosenbrock, &mut at, limits, &mut |_, _| true);
    assert_eq!(course.ending, Ending::Converged);
    assert!(course.steps < 60, "{}", course.steps);
    near(&at, &[1.0, 1.0], 1e-4, "L-BFGS");
    let mut at = vec![-1.2, 1.0];
    let course = conjugate_gradient(rosenbrock, &mut at, limits, &mut |_, _| true);
    assert!(course.losses.windows(2).all(|pair| pair[1] <= pair[0]));
    near(&at, &[1.0, 1.0], 1e-3, "conjugate gradients");
}

#[test]
fn damped_steps_end_at_a_minimum() {
    let rows = 40;
    let x = Matrix::from_fn(rows, 1, |i, _| i as f64 / 20.0 - 1.0);
    let targets: Vec<f64> = (0..rows).map(|i| (3.0 * x[(i, 0)]).sin()).collect();
    let architecture = Architecture {
        sizes: vec![1, 6, 1],
        activations: vec![Activation::Tanh, Activation::Linear],
        loss: Loss::Squared,
    };
    let mut found = Vec::new();
    for par in [Par::Sequential, Par::Rayon] {
        let problem = Problem {
            architecture: &architecture,
            rows: Rows::Dense(x.as_ref()),
            targets: &targets,
            weights: None,
            decay: 0.0,
            par,
        };
        let mut at = drawn(architecture.parameters(), 5);
        let limits = Descent {
            steps: 200,
            evaluations: 2000,
            tolerance: 1e-9,
        };
        let course = levenberg_marquardt(&problem, &mut at, limits, &mut |_, _| true);
        assert!(course.losses.windows(2).all(|pair| pair[1] < pair[0]));
        let last = course.losses.last().expect("steps");
        assert!(*last < 1e-6, "{last}");
        found.push(at);
    }
    assert_eq!(found[0], found[1]);
}
