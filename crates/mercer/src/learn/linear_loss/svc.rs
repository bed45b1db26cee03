//! Linear support vector classification.

use std::ops::Range;

use mercer_linalg::Real;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Units, fitted};
use super::input::{Input, classes, limits, on_worthwhile_threads};
use super::told::Kept;
use crate::data::{Block, Dataset, Points};
use crate::fit::{FitContext, Fitted, Radius, SlackReport, Slacks, StopReason};
use crate::learn::margin::Bias;
use crate::learn::{ClassWeights, Estimator, Settings};
use crate::model::LinearModel;
use crate::model::readout::{Readout, Scheme};
use crate::solver::linear_loss::{
    Codes, Edges, Limits, Smooth, Solution, Space, SquaredHinge, absolute, descend, interior_point,
    joint, newton,
};
use crate::{Error, Result};

/// What rows inside the margin cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HingeLoss {
    /// max(0, 1 − y f)².
    #[default]
    SquaredHinge,
    /// max(0, 1 − y f).
    Hinge,
}

/// What weights cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarginPenalty {
    /// ½‖w‖².
    #[default]
    L2,
    /// ‖w‖₁, which makes weights exactly zero.
    L1,
}

/// How several classes are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MultiClass {
    /// Each against the rest.
    #[default]
    Ovr,
    /// All at once, with one margin between a class and all others (Crammer and Singer).
    CrammerSinger,
}

/// Linear support vector machine: minimises ½‖w‖² + C Σ w_i L(y_i f(x_i)) for classes y = ±1.
///
/// L is the hinge loss or its square; several classes are told apart one against the rest, or all at once
/// ([`MultiClass::CrammerSinger`]). With [`MarginPenalty::L1`] ‖w‖₁ takes the place of ½‖w‖². The constant
/// is penalised like a weight unless it is [`Bias::Free`], as in LIBLINEAR and scikit-learn. Use it for
/// many rows or many sparse columns, such as texts; [`crate::learn::margin::Svc`] has kernels. Where columns are
/// few (some hundreds) a step takes time n d² and there are ten to thirty of them, whatever C is;
/// otherwise a pass takes the time of reading the rows.
///
/// # Examples
/// ```
/// use mercer::data::{ClassTargets, Dataset, Records, Targets};
/// use mercer::fit::FitContext;
/// use mercer::learn::Estimator;
/// use mercer::learn::linear_loss::LinearSvc;
/// use mercer_linalg::Matrix;
///
/// let x = Matrix::from_vec(4, 1, vec![0.0, 1.0, 4.0, 5.0]);
/// let y = ClassTargets::from_labels(&["low", "low", "high", "high"]);
/// let data = Dataset::try_new(Records::from_points(x), Targets::Classes(y))?;
/// let fitted = LinearSvc::default().c(10.0).fit(&data, &FitContext::default())?;
/// assert_eq!(fitted.model.weights.rows(), 1);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Fan, Chang, Hsieh, Wang and Lin, LIBLINEAR: a library for large linear classification, 2008.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct LinearSvc {
    /// What rows inside the margin cost.
    #[setting(words("squared_hinge", "hinge"))]
    pub loss: HingeLoss,
    /// What weights cost: `l2` or, for few weights other than zero, `l1`.
    #[setting(words("l2", "l1"))]
    #[serde(default)]
    pub penalty: MarginPenalty,
    /// How several classes are told apart: each against the rest, or all at once.
    #[setting(words("ovr", "crammer_singer"))]
    #[serde(default)]
    pub multi_class: MultiClass,
    /// Regularisation parameter C, the weight of errors.
    #[setting(positive, python = "C", search(smaller, Regularisation))]
    pub c: f64,
    /// The constant term of the decision.
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// Value of the feature that stands for a regularised constant: the larger, the less the
    /// penalty counts.
    #[setting(positive, python = "intercept_scaling")]
    pub bias_scale: f64,
    /// Factors on C by class: `balanced`, or a factor for a class, repeatable.
    #[setting(class_weights, flag = "class-weight", python = "class_weight")]
    pub class_weights: ClassWeights,
    /// Largest duality gap of a converged solution, relative to the objective.
    #[setting(positive, python = "tol")]
    pub tolerance: f64,
    /// Largest number of steps, or of passes over the rows; a generous one where it is left open.
    #[setting(count, python = "max_iter")]
    pub max_iterations: Option<u64>,
}

impl Default for LinearSvc {
    fn default() -> Self {
        Self {
            loss: HingeLoss::default(),
            penalty: MarginPenalty::default(),
            multi_class: MultiClass::default(),
            c: 1.0,
            bias: Bias::Regularised,
            bias_scale: 1.0,
            class_weights: ClassWeights::default(),
            tolerance: 1e-6,
            max_iterations: None,
        }
    }
}

impl Estimator for LinearSvc {
    type Model = LinearModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<LinearModel>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        self.check_together(&mut errors);
        Error::collect(errors)?;
        let context = on_worthwhile_threads(context.restarted(), data);
        context.install(|| self.fit_installed(data, &context))?
    }
}

impl LinearSvc {
    /// Settings that do not go together; Crammer and Singer's machine reads neither loss nor penalty.
    fn check_together(&self, errors: &mut Vec<Error>) {
        if self.multi_class == MultiClass::CrammerSinger {
            if self.bias == Bias::Free {
                let rule = "regularised or none where all classes are learnt at once";
                errors.push(Error::setting("bias", "free", rule));
            }
        } else if self.penalty == MarginPenalty::L1 && self.loss == HingeLoss::Hinge {
            let rule = "squared_hinge where the penalty is l1";
            errors.push(Error::setting("loss", "hinge", rule));
        }
    }

    fn fit_installed(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<LinearModel>> {
        let (classes, factors) = classes(data, &self.class_weights)?;
        let code = |row: usize| classes.codes[row] as usize;
        let factor = |row: usize| factors[code(row)];
        let input = Input::try_new(data, self.bias, |row| code(row) as u64, factor)?;
        let (space, unit) = input.space(Some(self.c), self.bias, self.bias_scale);
        let prices = input.prices(Some(self.c));
        let labels = &classes.labels;
        let two = labels.len() == 2;
        if self.multi_class == MultiClass::CrammerSinger {
            let codes: Vec<u32> = input
                .sources
                .iter()
                .map(|&row| classes.codes[row as usize])
                .collect();
            let all = Codes {
                of_rows: &codes,
                prices: &prices,
                classes: labels.len(),
            };
            let limits = limits(self.tolerance, self.max_iterations, PASSES, context.seed);
            let mut solution = joint(&space, &all, limits, context);
            if two {
                solution.weights = differences(&solution.weights);
            }
            let answer = Answer {
                name: "all classes".to_owned(),
                solution,
                outputs: if two { 1 } else { labels.len() },
            };
            let readout = Readout::of_classes(labels, Scheme::one_or_rest(labels.len()));
            let units = Units {
                objective: unit,
                constant: space.constant,
                has_margin: false,
                kept: Kept::Squares,
            };
            return Ok(fitted(&[answer], readout, &units, data, &input, context));
        }
        let decisions = if two { 1 } else { labels.len() };
        let solve = |positive: usize| {
            let sign = |row: &u32| {
                if code(*row as usize) == positive {
                    1.0
                } else {
                    -1.0
                }
            };
            let signs: Vec<f64> = input.sources.iter().map(sign).collect();
            Answer {
                name: if two {
                    format!("{} against {}", labels[0], labels[1])
                } else {
                    format!("{} against the rest", labels[positive])
                },
                solution: self.solve(&space, signs, &prices, context),
                outputs: 1,
            }
        };
        let answers = context.map((0..decisions).collect::<Vec<usize>>(), solve);
        let readout = Readout::of_classes(labels, Scheme::one_or_rest(labels.len()));
        let units = Units {
            objective: unit,
            constant: space.constant,
            has_margin: true,
            kept: match self.penalty {
                MarginPenalty::L2 => Kept::Squares,
                MarginPenalty::L1 => Kept::AbsoluteValues,
            },
        };
        let mut found = fitted(&answers, readout, &units, data, &input, context);
        let each = answers.iter().map(|answer| &answer.solution.weights);
        let decisions: Vec<Vec<f64>> = each
            .map(|weights| decided(&space, weights, context))
            .collect();
        let radius = radius(&data.records.features.points);
        self.add_slack(
            &mut found,
            &decisions,
            radius,
            &input,
            &classes.codes,
            &factors,
        );
        Ok(found)
    }

    /// Adds how the rows lie about the margins.
    fn add_slack(
        &self,
        found: &mut Fitted<LinearModel>,
        decisions: &[Vec<f64>],
        radius: Radius,
        input: &Input,
        codes: &[u32],
        factors: &[f64],
    ) {
        let Some(solver) = &mut found.report.solver else {
            return;
        };
        for (d, (problem, decisions)) in solver.problems.iter_mut().zip(decisions).enumerate() {
            let mut slacks = Slacks::default();
            let rows = input.sources.iter().zip(&input.copies);
            for ((&row, copies), decision) in rows.zip(decisions) {
                let class = codes[row as usize] as usize;
                let sign = if class == d { 1.0 } else { -1.0 };
                let copies = copies / factors[class];
                slacks.add(sign * decision, copies, self.tolerance);
            }
            let report = slacks.report(radius, self.bias.into());
            let plain = factors.iter().all(|factor| *factor == 1.0);
            let is_hinge = self.loss == HingeLoss::Hinge && plain;
            // A constant feature other than 1 makes rows of another length.
            let usual = self.bias != Bias::Regularised || self.bias_scale == 1.0;
            problem.slack = Some(SlackReport {
                lambda: (is_hinge && usual).then(|| 1.0 / (2.0 * self.c * report.weight)),
                ..report
            });
        }
    }

    fn solve(
        &self,
        space: &Space<'_>,
        signs: Vec<f64>,
        prices: &[f64],
        context: &FitContext,
    ) -> Solution {
        match self.loss {
            HingeLoss::SquaredHinge => {
                let loss = SquaredHinge {
                    signs: &signs,
                    prices,
                };
                if self.penalty == MarginPenalty::L1 {
                    let given = self.max_iterations;
                    let limits = limits(self.tolerance, given, NEWTON_STEPS, context.seed);
                    return absolute(space, 1.0, &loss, limits, context);
                }
                let edges = || edges(signs.clone(), prices, true);
                at_squares(
                    space,
                    &loss,
                    edges,
                    self.tolerance,
                    self.max_iterations,
                    context,
                )
            }
            HingeLoss::Hinge => {
                let edges = edges(signs, prices, false);
                at_edges(space, &edges, self.tolerance, self.max_iterations, context)
            }
        }
    }
}

/// What weights, that of the constant last, decide about the rows they were learnt from.
fn decided(space: &Space<'_>, weights: &[f64], context: &FitContext) -> Vec<f64> {
    /// Rows that are worth a thread.
    const BLOCK: usize = 4096;
    let rows = space.rows.rows();
    let runs: Vec<Range<usize>> = (0..rows)
        .step_by(BLOCK)
        .map(|start| start..(start + BLOCK).min(rows))
        .collect();
    let (columns, last) = weights.split_at(space.rows.width());
    let parts = context.map(runs, |run| {
        let mut part = vec![0.0; run.len()];
        space.rows.products(run, 1, columns, &mut part);
        part.iter_mut().for_each(|f| *f += space.constant * last[0]);
        part
    });
    parts.concat()
}

/// How long rows are.
fn radius(points: &Points) -> Radius {
    let rows = 0..points.rows();
    let squares: Vec<f64> = match points {
        Points::Double(block) => rows.map(|row| square(block, row)).collect(),
        Points::Single(block) => rows.map(|row| square(block, row)).collect(),
    };
    Radius::of_squares(&squares)
}

fn square<T: Real>(block: &Block<T>, row: usize) -> f64 {
    let values = match block {
        Block::Dense(matrix) => matrix.row(row),
        Block::Sparse(csr) => csr.row(row).1,
    };
    values.iter().map(|v| v.to_f64() * v.to_f64()).sum()
}

/// The first of two classes less the second, for every column.
fn differences(weights: &[f64]) -> Vec<f64> {
    weights
        .chunks_exact(2)
        .map(|pair| pair[0] - pair[1])
        .collect()
}

fn edges(signs: Vec<f64>, prices: &[f64], squared: bool) -> Edges {
    Edges {
        targets: vec![1.0; signs.len()],
        signs,
        prices: prices.to_vec(),
        squared,
    }
}

/// Newton steps where none are given: a hundred are many.
pub(super) const NEWTON_STEPS: u64 = 1000;
/// Passes over the rows where none are given.
const PASSES: u64 = 20_000;

/// Passes after which Newton's method goes on: where they are not enough, many more would be needed.
const FEW_PASSES: u64 = 100;

/// Minimises a squared loss, by the way that suits the rows: coordinate descent is fast on texts
/// unless errors are dear.
pub(super) fn at_squares(
    space: &Space<'_>,
    loss: &impl Smooth,
    edges: impl FnOnce() -> Edges,
    tolerance: f64,
    given: Option<u64>,
    context: &FitContext,
) -> Solution {
    let steps = limits(tolerance, given, NEWTON_STEPS, context.seed);
    if space.suits_interior_point() || space.is_free() {
        return newton(space, loss, steps, None, context);
    }
    let passes = given.unwrap_or(FEW_PASSES).min(FEW_PASSES);
    let passes = limits(tolerance, Some(passes), passes, context.seed);
    let first = descend(space, &edges(), passes, context);
    let more = given.is_none_or(|given| given > FEW_PASSES);
    if first.stop_reason != StopReason::IterationLimit || !more {
        return first;
    }
    let mut second = newton(space, loss, steps, Some(first.weights), context);
    second.iterations += first.iterations;
    second
}

/// Minimises losses with an edge, by the way that suits the rows.
pub(super) fn at_edges(
    space: &Space<'_>,
    edges: &Edges,
    tolerance: f64,
    given: Option<u64>,
    context: &FitContext,
) -> Solution {
    let limits = |usual: u64| -> Limits { limits(tolerance, given, usual, context.seed) };
    if space.suits_interior_point() {
        interior_point(space, edges, limits(NEWTON_STEPS), context)
    } else {
        descend(space, edges, limits(PASSES), context)
    }
}
