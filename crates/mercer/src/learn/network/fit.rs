//! From data sets to networks.

use mercer_linalg::Matrix;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::choices::NetworkSolver;
use super::mlp::Mlp;
use super::outputs::Outputs;
use super::train::{Trained, draw};
use crate::data::{Block, Dataset, Targets, holdout};
use crate::fit::{FitContext, FitReport, Fitted, NetworkReport, Note, SolverReport, StopReason};
use crate::learn::Estimator;
use crate::learn::centre::FarRows;
use crate::model::{Layer, Layers};
use crate::solver::network::{
    Architecture, Ending, Judge, Loss, Problem, Rows, answers, levenberg_bytes,
};
use crate::{Error, Result};

/// Numbers that are kept for every weight: itself, its gradient, two moments, the best so far.
const KEPT: u64 = 6;

impl Estimator for Mlp {
    type Model = Layers;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Layers>> {
        self.fit_from(data, None, context)
    }
}

/// Rows that count, with what a network is to predict for them.
struct Prepared {
    rows: Block<f64>,
    weights: Option<Vec<f64>>,
    outputs: Outputs,
    architecture: Architecture,
    /// Rows to learn from and rows to judge by, where some are held out.
    held_out: Option<(Vec<usize>, Vec<usize>)>,
}

impl Mlp {
    /// Learns from data, from the weights of an earlier network on where there is one.
    ///
    /// # Errors
    /// Every bad setting at once; rows, targets and weights that cannot be learnt from; layers
    /// beyond the memory limit; an earlier network of another shape; cancellation.
    pub fn fit_from(
        &self,
        data: &Dataset,
        earlier: Option<&Layers>,
        context: &FitContext,
    ) -> Result<Fitted<Layers>> {
        self.check_all()?;
        let context = &context.restarted();
        let prepared = self.prepare(data, earlier.is_some(), context)?;
        let start = earlier
            .map(|earlier| given(earlier, &prepared))
            .transpose()?;
        let mut runs = context.install(|| self.runs(&prepared, start.as_deref(), context))?;
        if context.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let losses: Vec<f64> = runs.iter().map(|run| run.loss).collect();
        let best = (0..runs.len()).fold(0, |best, k| {
            if runs[k].rank() < runs[best].rank() {
                k
            } else {
                best
            }
        });
        let best = runs.swap_remove(best);
        let layers = prepared.layers(&best.parameters);
        let model = Layers {
            layers,
            features: data.records.features.groups.clone(),
            readout: prepared.outputs.readout.clone(),
        };
        model.check_finite()?;
        let report = self.report(data, &prepared, &model, &best, losses, context);
        Ok(Fitted { model, report })
    }

    fn prepare(&self, data: &Dataset, again: bool, context: &FitContext) -> Result<Prepared> {
        let points = &data.records.features.points;
        if let Some((row, column)) = points.first_not_finite() {
            return Err(Error::Cell {
                place: format!("row {}", row + 1),
                column: data.records.features.name(column),
                problem: "the value is not a finite number".to_owned(),
                cure: "replace or remove it before fitting".into(),
            });
        }
        let kept: Vec<usize> = match &data.weights {
            Some(weights) => (0..data.len()).filter(|&r| weights[r] > 0.0).collect(),
            None => (0..data.len()).collect(),
        };
        if kept.is_empty() {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give at least one row with a positive weight",
            ));
        }
        let outputs = Outputs::try_new(data, &kept, self.loss, self.scale_targets, again)?;
        let mut sizes = vec![points.columns()];
        sizes.extend(&self.hidden);
        sizes.push(outputs.targets.columns());
        self.check_room(&sizes, context)?;
        let mut activations = vec![self.activation; self.hidden.len()];
        activations.push(outputs.activation);
        let architecture = Architecture {
            sizes,
            activations,
            loss: outputs.loss,
        };
        let all = kept.len() == data.len();
        let rows = if all {
            points.widened()
        } else {
            points.select(&kept).widened()
        };
        let weights = data.weights.as_ref();
        let weights = weights.map(|w| kept.iter().map(|&r| w[r]).collect::<Vec<f64>>());
        let held_out = if self.early_stopping {
            Some(self.hold_out(&data.targets.select(&kept), kept.len(), context)?)
        } else {
            None
        };
        Ok(Prepared {
            rows,
            weights: weights.filter(|w| w.iter().any(|w| *w != 1.0)),
            outputs,
            architecture,
            held_out,
        })
    }

    /// Refuses layers that no memory holds.
    fn check_room(&self, sizes: &[usize], context: &FitContext) -> Result<()> {
        let pairs = sizes.windows(2);
        let weights = pairs.fold(0_u64, |sum, pair| {
            let inputs = pair[0] as u64 + 1;
            sum.saturating_add(inputs.saturating_mul(pair[1] as u64))
        });
        let outputs = sizes[sizes.len() - 1];
        let mut needed = weights.saturating_mul(8 * KEPT);
        let limit = context.most_memory();
        if self.solver == NetworkSolver::Lm && needed <= limit {
            let parameters = usize::try_from(weights).unwrap_or(usize::MAX);
            let squares = (parameters as u64).saturating_mul(parameters as u64);
            needed = if squares > limit {
                squares
            } else {
                needed + levenberg_bytes(parameters, outputs)
            };
        }
        if needed > limit {
            return Err(Error::Memory {
                what: format!("training {weights} weights by `{}`", self.solver.name()),
                needed,
                limit,
            });
        }
        Ok(())
    }

    fn hold_out(
        &self,
        targets: &Targets,
        rows: usize,
        context: &FitContext,
    ) -> Result<(Vec<usize>, Vec<usize>)> {
        // Several numbers have no one order to be dealt by.
        let none = Targets::None;
        let by = match targets {
            Targets::Several(_) => &none,
            other => other,
        };
        let split = holdout(rows, by, self.validation, context.seed, None)?;
        if split.test.len() < 2 {
            return Err(Error::rows(
                format!(
                    "early stopping would hold out {} of {rows} rows",
                    split.test.len()
                ),
                "hold out a larger share, or learn without early stopping",
            ));
        }
        Ok((split.train, split.test))
    }

    /// All beginnings, one after the other; those without time are left out.
    fn runs(
        &self,
        prepared: &Prepared,
        start: Option<&[f64]>,
        context: &FitContext,
    ) -> Vec<Trained> {
        let part = |rows: &[usize]| Part::of(prepared, rows);
        let parts = prepared.held_out.as_ref().map(|(t, v)| (part(t), part(v)));
        let (rows, targets, weights) = match &parts {
            None => (
                view(&prepared.rows),
                prepared.outputs.targets.as_slice(),
                prepared.weights.as_deref(),
            ),
            Some((train, _)) => (
                view(&train.rows),
                train.targets.as_slice(),
                train.weights.as_deref(),
            ),
        };
        let problem = Problem {
            architecture: &prepared.architecture,
            rows,
            targets,
            weights,
            decay: self.alpha,
            par: context.par(),
        };
        let mut rng = ChaCha8Rng::seed_from_u64(context.seed);
        let mut runs: Vec<Trained> = Vec::new();
        for number in 0..self.starts {
            if number > 0 && !context.goes_on() {
                break;
            }
            let first = match start {
                Some(start) if number == 0 => start.to_vec(),
                _ => draw(&prepared.architecture, self.activation, &mut rng),
            };
            let mut evaluated;
            let judge: Option<Judge<'_>> = match &parts {
                Some((_, held)) => {
                    evaluated = |at: &[f64]| held.score(&prepared.architecture, at);
                    Some(&mut evaluated)
                }
                None => None,
            };
            runs.push(self.train(&problem, first, number, judge, context));
        }
        runs
    }

    fn report(
        &self,
        data: &Dataset,
        prepared: &Prepared,
        model: &Layers,
        best: &Trained,
        losses: Vec<f64>,
        context: &FitContext,
    ) -> FitReport {
        let course = &best.course;
        let mut stop_reason = match course.ending {
            Ending::Converged => StopReason::Converged,
            Ending::StepLimit => StopReason::IterationLimit,
            Ending::Told => StopReason::TimeLimit,
            Ending::Stalled | Ending::Diverged => StopReason::Stalled,
        };
        let mut notes = Vec::new();
        let (parameters, gates) = (model.parameters(), model.gates());
        notes.push(Note::Choice(format!(
            "{parameters} weights and constants, {gates} gates in {} layers",
            model.layers.len()
        )));
        if (data.total_weight()) < parameters as f64 {
            notes.push(Note::Alert(format!(
                "fewer rows ({}) than weights ({parameters}): what is learnt may be the sample \
                 alone",
                data.len()
            )));
        }
        let far = FarRows::of(&data.records, None);
        notes.extend(far.map(|far| far.alert("gates hardly tell rows apart", None)));
        if losses.len() < self.starts {
            stop_reason = stop_reason.worse(StopReason::TimeLimit);
            notes.push(Note::Alert(format!(
                "the time limit came after {} of {} starts",
                losses.len(),
                self.starts
            )));
        }
        if losses.len() > 1 {
            let mut sorted = losses.clone();
            sorted.sort_by(f64::total_cmp);
            notes.push(Note::Choice(format!(
                "{} starts ended at losses from {:.4e} to {:.4e}, median {:.4e}",
                sorted.len(),
                sorted[0],
                sorted[sorted.len() - 1],
                sorted[sorted.len() / 2]
            )));
        }
        if course.halvings > 0 {
            let times = if course.halvings == 1 {
                "once"
            } else {
                "times"
            };
            let count = if course.halvings == 1 {
                times.to_owned()
            } else {
                format!("{} {times}", course.halvings)
            };
            notes.push(Note::Alert(format!(
                "the loss diverged: epochs were undone and steps halved {count}"
            )));
        }
        if course.ending == Ending::Diverged {
            notes.push(Note::Alert(
                "no step leads down: scale the features, or begin with shorter steps".to_owned(),
            ));
        } else {
            notes.extend(stop_reason.alerts("the loss may still fall"));
        }
        let nonzero = model.layers.iter().flat_map(|l| l.weights.as_slice());
        let network = NetworkReport {
            layers: prepared.architecture.sizes.clone(),
            parameters,
            nonzero_weights: nonzero.filter(|w| **w != 0.0).count(),
            gates,
            loss_curve: course.losses.clone(),
            validation_scores: course.scores.clone(),
            start_losses: losses,
            halvings: course.halvings,
        };
        FitReport {
            stop_reason,
            solver: Some(SolverReport {
                objective: best.loss,
                dual_gap: f64::NAN,
                kkt_violation: f64::NAN,
                iterations: course.steps,
                problems: Vec::new(),
            }),
            network: Some(network),
            ..FitReport::of_rows(data.len(), notes, context)
        }
    }
}

fn view(rows: &Block<f64>) -> Rows<'_> {
    match rows {
        Block::Dense(rows) => Rows::Dense(rows.as_ref()),
        Block::Sparse(rows) => Rows::Sparse(rows),
    }
}

/// The weights of an earlier network, in the units of this one's targets.
fn given(earlier: &Layers, prepared: &Prepared) -> Result<Vec<f64>> {
    let architecture = &prepared.architecture;
    let mut sizes = vec![earlier.layers[0].weights.rows()];
    sizes.extend(earlier.layers.iter().map(|layer| layer.biases.len()));
    let activations = earlier.layers.iter().map(|layer| layer.activation);
    let same = sizes == architecture.sizes && activations.eq(architecture.activations.clone());
    if !same || earlier.readout.labels() != prepared.outputs.readout.labels() {
        return Err(Error::Unsupported {
            what: format!(
                "the earlier network has the layers {sizes:?}; {:?} with the same gates and \
                 classes expected",
                architecture.sizes
            ),
            cure: "give an earlier network of the same shape, or leave it out".into(),
        });
    }
    let mut parameters = Vec::with_capacity(architecture.parameters());
    let last = earlier.layers.len() - 1;
    for (l, layer) in earlier.layers.iter().enumerate() {
        let unit = |k: usize| {
            if l == last {
                prepared.outputs.units[k]
            } else {
                (0.0, 1.0)
            }
        };
        for i in 0..layer.weights.rows() {
            let row = layer.weights.row(i).iter().enumerate();
            parameters.extend(row.map(|(k, w)| w / unit(k).1));
        }
        let biases = layer.biases.iter().enumerate();
        parameters.extend(biases.map(|(k, b)| (b - unit(k).0) / unit(k).1));
    }
    Ok(parameters)
}

impl Prepared {
    /// The layers with these weights, in the units of the targets as they were given.
    fn layers(&self, parameters: &[f64]) -> Vec<Layer> {
        let places = self.architecture.places();
        let last = places.len() - 1;
        let layer = |(l, place): (usize, &crate::solver::network::Place)| {
            let unit = |k: usize| {
                if l == last {
                    self.outputs.units[k]
                } else {
                    (0.0, 1.0)
                }
            };
            let weights = &parameters[place.weights.clone()];
            let biases = &parameters[place.biases.clone()];
            Layer {
                weights: Matrix::from_fn(place.inputs, place.gates, |i, k| {
                    weights[i * place.gates + k] * unit(k).1
                }),
                biases: (0..place.gates)
                    .map(|k| biases[k] * unit(k).1 + unit(k).0)
                    .collect(),
                activation: self.architecture.activations[l],
            }
        };
        places.iter().enumerate().map(layer).collect()
    }
}

impl Layers {
    /// Refuses weights that are no numbers, which only targets beyond the range of f64 can cause.
    fn check_finite(&self) -> Result<()> {
        let numbers = |l: &Layer| {
            l.weights
                .as_slice()
                .iter()
                .chain(&l.biases)
                .all(|w| w.is_finite())
        };
        if self.layers.iter().all(numbers) {
            return Ok(());
        }
        Err(Error::rows(
            "the network's weights are not finite",
            "scale features and targets to moderate numbers",
        ))
    }
}

/// Some of the rows, apart.
struct Part {
    rows: Block<f64>,
    targets: Vec<f64>,
    weights: Option<Vec<f64>>,
}

impl Part {
    fn of(prepared: &Prepared, rows: &[usize]) -> Self {
        let targets = &prepared.outputs.targets;
        Self {
            rows: prepared.rows.select(rows),
            targets: targets.select_rows(rows).into_vec(),
            weights: prepared
                .weights
                .as_ref()
                .map(|w| rows.iter().map(|&r| w[r]).collect()),
        }
    }

    /// The share of right classes, or the mean share of variance explained, rows weighted.
    fn score(&self, architecture: &Architecture, parameters: &[f64]) -> f64 {
        let width = architecture.outputs();
        let found = answers(architecture, parameters, view(&self.rows));
        let weight = |row: usize| self.weights.as_ref().map_or(1.0, |w| w[row]);
        let pairs = || {
            found
                .chunks(width)
                .zip(self.targets.chunks(width))
                .enumerate()
        };
        let total: f64 = pairs().map(|(r, _)| weight(r)).sum();
        let classes = matches!(architecture.loss, Loss::CrossEntropy)
            || architecture.activations[architecture.layers() - 1]
                == crate::model::Activation::Sigmoid;
        if classes {
            let class = |row: &[f64]| match row {
                [p] => usize::from(*p > 0.5),
                row => (0..width).fold(0, |best, k| if row[k] > row[best] { k } else { best }),
            };
            let right = pairs().filter(|(_, (a, y))| class(a) == class(y));
            return right.map(|(r, _)| weight(r)).sum::<f64>() / total;
        }
        let explained = |k: usize| {
            let mean = pairs().map(|(r, (_, y))| weight(r) * y[k]).sum::<f64>() / total;
            let left: f64 = pairs()
                .map(|(r, (a, y))| weight(r) * (a[k] - y[k]).powi(2))
                .sum();
            let all: f64 = pairs()
                .map(|(r, (_, y))| weight(r) * (y[k] - mean).powi(2))
                .sum();
            match (left == 0.0, all == 0.0) {
                (true, _) => 1.0,
                (false, true) => 0.0,
                (false, false) => 1.0 - left / all,
            }
        };
        let mean = (0..width).map(explained).sum::<f64>() / width as f64;
        // Predictions beyond all bounds explain nothing; reports hold numbers only.
        mean.max(-f64::MAX)
    }
}
