//! One training after the other, from weights that are drawn or given.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::choices::{NetworkSchedule, NetworkSolver};
use super::mlp::Mlp;
use crate::data::random::unit;
use crate::fit::{FitContext, Progress};
use crate::model::Activation;
use crate::solver::network::{
    Architecture, Batch, Course, Descent, Judge, Problem, Room, Rule, Schedule, Stochastic,
    conjugate_gradient, levenberg_marquardt, limited_memory, stochastic,
};

/// A network after its training.
pub(super) struct Trained {
    pub(super) parameters: Vec<f64>,
    pub(super) course: Course,
    /// The loss of all rows with the weights that are kept.
    pub(super) loss: f64,
}

impl Trained {
    /// What beginnings are compared by, less is better: the held-out score where there is one.
    pub(super) fn rank(&self) -> f64 {
        let best = self.course.scores.iter().copied().fold(f64::NAN, f64::max);
        if best.is_nan() { self.loss } else { -best }
    }
}

/// Draws first weights: uniform, within √(6/(inputs + gates)), or √(2/…) for sigmoids, which leave
/// the sizes of values nearly the same from layer to layer (Glorot and Bengio 2010).
pub(super) fn draw(
    architecture: &Architecture,
    gates: Activation,
    rng: &mut ChaCha8Rng,
) -> Vec<f64> {
    let factor = match gates {
        Activation::Sigmoid => 2.0,
        _ => 6.0,
    };
    let mut weights = vec![0.0; architecture.parameters()];
    for place in architecture.places() {
        let bound = (factor / (place.inputs + place.gates) as f64).sqrt();
        for weight in &mut weights[place.weights.start..place.biases.end] {
            *weight = bound * (2.0 * unit(rng) - 1.0);
        }
    }
    weights
}

impl Mlp {
    /// Trains once.
    pub(super) fn train(
        &self,
        problem: &Problem<'_>,
        mut parameters: Vec<f64>,
        number: usize,
        judge: Option<Judge<'_>>,
        context: &FitContext,
    ) -> Trained {
        // Each beginning has an order of rows of its own.
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
        rng.set_stream(number as u64 + 1);
        let mut told = None;
        let mut goes_on = |step: u64, loss: f64| {
            if told != Some(step) {
                told = Some(step);
                let share =
                    (number as f64 + step as f64 / self.max_iterations as f64) / self.starts as f64;
                context.tell(|| Progress {
                    stage: format!("start {} of {}, loss {loss:.3e}", number + 1, self.starts),
                    share: Some(share.min(1.0)),
                    iterations: step,
                    ..Progress::default()
                });
            }
            context.goes_on()
        };
        let mut room = Room::default();
        let descent = Descent {
            steps: self.max_iterations,
            evaluations: self.max_evaluations,
            tolerance: self.tolerance,
        };
        let mut whole = |at: &[f64], gradient: &mut [f64]| {
            problem.evaluate(Batch::All, at, gradient, &mut room)
        };
        let at = &mut parameters;
        let course = match self.solver {
            NetworkSolver::Adam | NetworkSolver::Sgd => {
                let settings = self.stochastic(problem.rows.count());
                stochastic(problem, at, &settings, &mut rng, judge, &mut goes_on)
            }
            NetworkSolver::Lbfgs => limited_memory(&mut whole, at, descent, &mut goes_on),
            NetworkSolver::Cg => conjugate_gradient(&mut whole, at, descent, &mut goes_on),
            NetworkSolver::Lm => levenberg_marquardt(problem, at, descent, &mut goes_on),
        };
        let loss = problem.value(&parameters, &mut room);
        Trained {
            parameters,
            course,
            loss,
        }
    }

    fn stochastic(&self, rows: usize) -> Stochastic {
        Stochastic {
            rule: if self.solver == NetworkSolver::Adam {
                Rule::Adam {
                    first: self.beta_1,
                    second: self.beta_2,
                    epsilon: self.epsilon,
                }
            } else {
                Rule::Momentum {
                    momentum: self.momentum,
                    ahead: self.nesterov,
                }
            },
            schedule: match self.schedule {
                NetworkSchedule::Constant => Schedule::Constant,
                NetworkSchedule::Invscaling => Schedule::Inverse { power: self.power },
                NetworkSchedule::Adaptive => Schedule::Adaptive,
            },
            step: self.step,
            batch: self.batch.unwrap_or(200).min(rows),
            shuffle: self.shuffle,
            epochs: self.max_iterations,
            tolerance: self.tolerance,
            patience: self.patience,
        }
    }
}
