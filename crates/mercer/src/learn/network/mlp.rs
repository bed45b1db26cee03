//! The multilayer perceptron: parameters and their rules.

use serde::{Deserialize, Serialize};

use super::choices::{NetworkLoss, NetworkSchedule, NetworkSolver};
use crate::learn::Settings;
use crate::model::Activation;
use crate::{Error, Result};

/// A multilayer perceptron: minimises (Σ w_i loss(y_i, f(x_i)) + alpha ‖W‖²/2)/Σ w_i over all weights W
/// and free constants of its layers.
///
/// Use it for smooth functions of many rows, on columns of one scale. Losses are the squared one,
/// half a sum over outputs, and the cross-entropy of classes; several numbers are learnt by one
/// network. The loss has many minima: `starts` tries several beginnings, keeps the best and tells
/// how far apart they end. An epoch takes time n·W for n rows and W weights, a step of `lm` n·W²,
/// which pays for small networks.
///
/// Steps that make the loss grow beyond all bounds are undone and halved; a network that cannot
/// be led down at all is returned as it was, and the report says so. Batches, sums and draws
/// do not depend on the number of threads.
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::network::{Mlp, NetworkSolver};
/// use mercer::model::Activation;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
/// let y = ClassTargets::from_labels(&["no", "yes", "yes", "no"]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y))?;
/// let fitted = Mlp::default()
///     .hidden(vec![4])
///     .activation(Activation::Tanh)
///     .solver(NetworkSolver::Lbfgs)
///     .starts(5)
///     .fit(&data, &FitContext::default())?;
/// assert!(fitted.report.solver().objective < 0.01);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Rumelhart, Hinton and Williams, Learning representations by back-propagating errors, 1986;
/// Hagan and Menhaj, Training feedforward networks with the Marquardt algorithm, 1994; Glorot
/// and Bengio, Understanding the difficulty of training deep feedforward neural networks, 2010.
#[expect(
    clippy::struct_excessive_bools,
    reason = "every switch is one of its own"
)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct Mlp {
    /// Gates of every hidden layer, from the inputs on; none makes a linear model.
    #[setting(counts, python = "hidden_layer_sizes")]
    pub hidden: Vec<usize>,
    /// What hidden gates make of their net inputs; thresholds have no slope to learn by.
    #[setting(words("linear", "sigmoid", "tanh", "relu", "threshold"))]
    pub activation: Activation,
    /// What is minimised; cross-entropy for classes and squares for numbers where it is left open.
    #[serde(default)]
    #[setting(words("auto", "squared", "cross_entropy", "poisson"), unlisted)]
    pub loss: NetworkLoss,
    /// How the loss is minimised: in batches (adam, sgd) or on all rows (lbfgs, cg, lm).
    #[serde(default)]
    #[setting(words("adam", "sgd", "lbfgs", "cg", "lm"))]
    pub solver: NetworkSolver,
    /// Weight of the penalty on squared weights.
    #[setting(not_negative, search(larger, Log(1e-6, 1e-1, 6)))]
    pub alpha: f64,
    /// Rows of a batch; 200, or all where there are fewer, unless given.
    #[serde(default)]
    #[setting(count, python = "batch_size")]
    pub batch: Option<usize>,
    /// How the step of sgd changes.
    #[serde(default)]
    #[setting(words("constant", "invscaling", "adaptive"), python = "learning_rate")]
    pub schedule: NetworkSchedule,
    /// Length of the first steps of adam and sgd.
    #[setting(positive, python = "learning_rate_init")]
    pub step: f64,
    /// Power of the schedule invscaling.
    #[setting(not_negative, unlisted, python = "power_t")]
    pub power: f64,
    /// Most epochs, or steps on all rows.
    #[setting(count, python = "max_iter")]
    pub max_iterations: u64,
    /// Whether rows are put into another order in every epoch.
    #[setting(switch, off = "no-shuffle")]
    pub shuffle: bool,
    /// Improvement of the loss or score that counts as one; on all rows, the slope that counts as
    /// none.
    #[setting(not_negative, python = "tol")]
    pub tolerance: f64,
    /// Share of the last step that counts on in sgd.
    #[setting(not_negative)]
    pub momentum: f64,
    /// Whether momentum looks ahead (Nesterov).
    #[setting(switch, off = "no-nesterov", python = "nesterovs_momentum")]
    pub nesterov: bool,
    /// Hold rows out, end when they are predicted no better, and keep the best weights.
    #[setting(switch)]
    pub early_stopping: bool,
    /// Share of the rows that early stopping holds out.
    #[setting(share, python = "validation_fraction")]
    pub validation: f64,
    /// Share of the first moment that adam keeps.
    #[setting(not_negative, unlisted)]
    pub beta_1: f64,
    /// Share of the second moment that adam keeps.
    #[setting(not_negative, unlisted)]
    pub beta_2: f64,
    /// Added to the root of adam's second moment.
    #[setting(positive, unlisted)]
    pub epsilon: f64,
    /// Epochs without improvement after which it ends.
    #[setting(count, python = "n_iter_no_change")]
    pub patience: u64,
    /// Most evaluations of the loss by lbfgs, cg and lm.
    #[setting(count, unlisted, python = "max_fun")]
    pub max_evaluations: u64,
    /// Beginnings that are tried; the best end counts.
    #[setting(count, python = "n_init")]
    pub starts: usize,
    /// Whether numbers are learnt in units of their standard deviation, around their mean; the loss is told
    /// in these units.
    #[setting(switch, off = "no-scale-targets")]
    pub scale_targets: bool,
}

impl Default for Mlp {
    fn default() -> Self {
        Self {
            hidden: vec![100],
            activation: Activation::Relu,
            loss: NetworkLoss::Auto,
            solver: NetworkSolver::Adam,
            alpha: 1e-4,
            batch: None,
            schedule: NetworkSchedule::Constant,
            step: 1e-3,
            power: 0.5,
            max_iterations: 200,
            shuffle: true,
            tolerance: 1e-4,
            momentum: 0.9,
            nesterov: true,
            early_stopping: false,
            validation: 0.1,
            beta_1: 0.9,
            beta_2: 0.999,
            epsilon: 1e-8,
            patience: 10,
            max_evaluations: 15_000,
            starts: 1,
            scale_targets: true,
        }
    }
}

impl Mlp {
    /// Checks every setting.
    pub(super) fn check_all(&self) -> Result<()> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        if self.momentum > 1.0 {
            errors.push(Error::setting("momentum", self.momentum, "at most 1"));
        }
        for (name, value) in [("beta_1", self.beta_1), ("beta_2", self.beta_2)] {
            if value >= 1.0 {
                errors.push(Error::setting(name, value, "below 1"));
            }
        }
        if self.validation >= 1.0 {
            errors.push(Error::setting("validation", self.validation, "below 1"));
        }
        match self.activation {
            Activation::Threshold => errors.push(Error::setting(
                "activation",
                "threshold",
                "a gate with a slope: a threshold is flat wherever it does not jump, so that no \
                 error reaches the weights before it",
            )),
            Activation::Softmax | Activation::Exponential => errors.push(Error::setting(
                "activation",
                self.activation.name(),
                "one of linear, sigmoid, tanh, relu",
            )),
            _ => {}
        }
        if self.early_stopping && !self.solver.is_stochastic() {
            errors.push(Error::Conflict {
                what: format!(
                    "early stopping looks at held-out rows after every epoch, which `{}` does not \
                     have",
                    self.solver.name()
                ),
                cure: "use `adam` or `sgd`, or learn from all rows".into(),
            });
        }
        Error::collect(errors)
    }
}
