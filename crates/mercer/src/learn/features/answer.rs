//! From sums to a model.
//!
//! Landmarks: with TTᵀ = K_mm⁺ and weights w of φ = Tᵀk_m the function is f(x) = Σ_j c_j k(x, z_j) + b, c = Tw: an
//! expansion over the landmarks, so that a prediction takes m kernel values. Random features stay a map with a linear
//! function behind it.

use mercer_linalg::{Matrix, Op, Par, Precision, SymmetricEigen, add_square, dot};

use super::penalty::{FeaturePenalty, FeatureRule};
use super::plan::{FeaturePlan, FeatureTarget, one_class};
use super::sums::FeatureSums;
use crate::features::{FeatureMap, Whitening};
use crate::fit::{
    FeatureReport, FitContext, FitReport, Fitted, KernelReport, Note, Progress, SolverReport,
};
use crate::learn::least_squares::too_few;
use crate::model::expansion::KernelExpansion;
use crate::model::readout::{LeftOut, Origin, Readout, Sigmoid};
use crate::model::{Chain, Form, LinearModel};
use crate::solver::line::least;
use crate::solver::moments::{self, Moments, Normal, NormalSolution};
use crate::{Error, Result};

/// Least γ·λ̄ of a classifier whose γ was found, as in `solver::least_squares`: slopes of sigmoids stay below some 1e3.
const LEAST_TRUST: f64 = 1e-3;
/// γ·λ̄ between which folds look for λ, and how closely.
const SEARCHED: (f64, f64) = (1e-4, 1e6);
const SCAN: usize = 8;
const CLOSE: f64 = 0.1;

/// A λ and how it came about.
pub(super) struct Chosen {
    pub(super) lambda: f64,
    pub(super) rule: Option<FeatureRule>,
    log_evidence: Option<f64>,
}

/// Decisions of a row's features by what was learnt without a fold; `None` where nothing was left.
type Decide<'a> = dyn Fn(usize, &[f64]) -> Option<Vec<f64>> + 'a;

impl FeaturePlan {
    /// Learns from sums; `method` is the name in reports.
    ///
    /// Sums of all folds give the function, those of the complement of every fold what is known of its errors: the squared
    /// error of all rows, and decisions about the rows of the sample, from which probabilities and intervals follow.
    /// Runs in the caller's thread pool.
    ///
    /// # Errors
    /// No rows, or rows of one class only; equations that cannot be solved; cancellation and the time limit.
    pub fn solve(
        &self,
        sums: &FeatureSums,
        penalty: FeaturePenalty,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let par = context.par();
        let total = sums.total()?;
        self.check_rows(sums, &total)?;
        let tell = |stage: &str, share: f64| {
            context.tell(|| Progress {
                stage: stage.to_owned(),
                share: Some(share),
                ..Progress::default()
            });
        };
        tell("solving", 0.0);
        let (axes, normal) = self.equations(&total, par)?;
        context.check()?;
        let folds = moments::LeftOut::new(&total, &sums.folds, axes.as_ref(), self.intercept, par);
        context.check()?;
        let mut notes = Vec::new();
        let chosen = self.chosen(&normal, &folds, penalty, context, &mut notes)?;
        tell("solving", 0.5);
        let proceed = || context.goes_on();
        let solution = normal
            .solve_while(chosen.lambda, par, &proceed)
            .map_err(|error| {
                context
                    .check()
                    .err()
                    .unwrap_or_else(|| moments::cannot(error))
            })?;
        if solution.lambda > chosen.lambda {
            notes.push(Note::Alert(format!(
                "λ = {:.4e} in place of {:.4e}: the features are singular to rounding",
                solution.lambda, chosen.lambda
            )));
        }
        let without = folds.solutions(solution.lambda, par, &proceed);
        let without = without.map_err(|error| context.check().err().unwrap_or(error))?;
        let errors = folds.squared_errors_of(&without)?;
        tell("solving", 0.9);
        let mut readout = self.readout();
        let decide = |fold: usize, features: &[f64]| -> Option<Vec<f64>> {
            let solution = &without[folds.place(fold)?];
            let decision = |k: usize| dot(solution.coefficients.row(k), features);
            let outputs = 0..self.outputs();
            Some(outputs.map(|k| decision(k) + solution.biases[k]).collect())
        };
        let (left_out, wrong) = self.look_back(sums, &decide, &mut readout, context);
        let report = self.report(
            sums, &total, &normal, &solution, &chosen, &errors, wrong, notes, context,
        );
        let weights = solution.coefficients.clone();
        let form = self.form((weights, solution.biases.clone()), readout, left_out);
        Ok(Fitted {
            model: form,
            report,
        })
    }

    pub(super) fn check_rows(&self, sums: &FeatureSums, total: &Moments) -> Result<()> {
        if total.rows() == 0 {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give at least one row with a positive weight",
            ));
        }
        let seen = sums.class_copies.iter().filter(|c| **c > 0.0).count();
        if matches!(self.target, FeatureTarget::Classes(_)) && seen < 2 {
            return Err(one_class());
        }
        Ok(())
    }

    /// The normal equations of the features after T, with the T that was used: the root itself where rows vary by more than
    /// rounding in every direction, so that none is to be left out and any root gives the same function.
    fn equations(&self, total: &Moments, par: Par) -> Result<(Option<Matrix<f64>>, Normal)> {
        if self.is_well_conditioned()
            && let Some(whitening) = self.map.finish()
        {
            let root = &whitening.transform;
            let normal = total.normal(Some(root), self.intercept, par);
            if normal.is_certain(par) {
                return Ok((Some(root.clone()), normal));
            }
        }
        let axes = self.axes()?;
        let normal = total.normal(axes.as_ref(), self.intercept, par);
        Ok((axes, normal))
    }

    /// Whether all eigenvalues of K_mm are near their mean, so that the root may be any.
    fn is_well_conditioned(&self) -> bool {
        let whole = |w: &Whitening| w.rank == w.transform.rows();
        self.precision == Precision::F32 && self.map.finish().is_some_and(whole)
    }

    /// T as U S^−½: its columns are directions of the landmarks, so that those in which rows vary by no more than
    /// rounding can be left out one by one.
    pub(super) fn axes(&self) -> Result<Option<Matrix<f64>>> {
        let Some(whitening) = self.map.finish() else {
            return Ok(None);
        };
        let m = whitening.transform.rows();
        if self.is_well_conditioned() {
            // T need not be symmetric here, TTᵀ = U S⁻¹ Uᵀ is; its eigenvalues are no farther apart than numbers can tell.
            let mut square = Matrix::zeros(m, m);
            let root = whitening.transform.as_ref();
            add_square(root, Op::None, square.as_mut(), Par::Sequential);
            let eigen = SymmetricEigen::new(square.as_ref()).map_err(moments::cannot)?;
            return Ok(Some(Matrix::from_fn(m, m, |i, j| {
                eigen.vectors[(i, j)] * eigen.values[j].max(0.0).sqrt()
            })));
        }
        let eigen = SymmetricEigen::new(whitening.transform.as_ref()).map_err(moments::cannot)?;
        // Of the roots of the pseudoinverse those of the rank are not zero, and they are the largest.
        let first = m - whitening.rank.min(m);
        Ok(Some(Matrix::from_fn(m, m - first, |i, j| {
            eigen.vectors[(i, first + j)] * eigen.values[first + j]
        })))
    }

    /// Finds λ, unless it is given.
    pub(super) fn chosen(
        &self,
        normal: &Normal,
        folds: &moments::LeftOut<'_>,
        penalty: FeaturePenalty,
        context: &FitContext,
        notes: &mut Vec<Note>,
    ) -> Result<Chosen> {
        let rule = match penalty {
            FeaturePenalty::Lambda(lambda) => {
                return Ok(Chosen {
                    lambda,
                    rule: None,
                    log_evidence: None,
                });
            }
            FeaturePenalty::By(rule) => rule,
        };
        if normal.freedom() <= 0.0 {
            let rows = normal.copies() as usize;
            return Err(too_few(rows, normal.copies(), "lambda"));
        }
        let mean = normal.mean_eigenvalue();
        if normal.width() == 0 || mean <= 0.0 {
            notes.push(Note::Alert(
                "the features are the same for all rows: the prediction is a constant".to_owned(),
            ));
            return Ok(Chosen {
                lambda: 1.0,
                rule: None,
                log_evidence: None,
            });
        }
        let (ratio, log_evidence) = if rule == FeatureRule::Folds {
            if folds.is_empty() {
                return Err(Error::rows(
                    "all rows are in one fold: nothing can be left out",
                    "give more rows, or the regularisation itself",
                ));
            }
            let value = |log: f64| -> Result<f64> {
                context.check()?;
                let lambda = (-log).exp();
                let errors = folds.squared_errors(lambda, context.par(), &|| context.goes_on())?;
                let varied = |k: usize| normal.variation(k).max(f64::MIN_POSITIVE);
                Ok(errors.iter().enumerate().map(|(k, e)| e / varied(k)).sum())
            };
            let range = ((SEARCHED.0 / mean).ln(), (SEARCHED.1 / mean).ln());
            (least(range, SCAN, CLOSE, value)?.exp(), None)
        } else {
            let reduced = normal.reduced().map_err(moments::cannot)?;
            let found = if rule == FeatureRule::Gcv {
                reduced.least_gcv()
            } else {
                reduced.best_ratio()
            };
            let evidence = (rule == FeatureRule::Evidence).then(|| reduced.log_evidence());
            let evidence = evidence.flatten().map(|e| e - normal.unit_cost());
            (found.unwrap_or(mean.recip()), evidence)
        };
        let used = match self.target {
            FeatureTarget::Classes(_) => ratio.max(LEAST_TRUST / mean),
            FeatureTarget::Values(_) => ratio,
        };
        notes.push(Note::Choice(format!(
            "λ = {:.4e} by the {}",
            used.recip(),
            rule.words()
        )));
        Ok(Chosen {
            lambda: used.recip(),
            rule: Some(rule),
            log_evidence,
        })
    }

    /// Asks what was learnt without the fold of each row of the sample: probabilities into the readout, scores for
    /// intervals and sets, and the share of wrong classes. `decide` has the decisions of what was learnt without a fold.
    pub(super) fn look_back(
        &self,
        sums: &FeatureSums,
        decide: &Decide<'_>,
        readout: &mut Readout,
        context: &FitContext,
    ) -> (Option<LeftOut>, Option<f64>) {
        let witnesses = &sums.witnesses;
        // A row whose fold is all there is was never left out.
        let (asked, decisions): (Vec<usize>, Vec<Vec<f64>>) = (0..witnesses.len())
            .filter_map(|r| {
                let row = &witnesses.rows[r];
                Some((r, decide(row.fold as usize, &row.features)?))
            })
            .unzip();
        if asked.is_empty() {
            return (None, None);
        }
        let outputs = self.outputs();
        let target = |place: usize, k: usize| witnesses.rows[asked[place]].targets[k];
        let places = 0..asked.len();
        let Readout::Classes(classes) = readout else {
            if outputs > 1 {
                return (None, None);
            }
            let scores = places.map(|p| (target(p, 0) - decisions[p][0]).abs());
            return (LeftOut::new(scores.collect()), None);
        };
        let copies: Vec<f64> = asked.iter().map(|&r| witnesses.rows[r].weight).collect();
        let one = |k: usize| {
            let own: Vec<f64> = decisions.iter().map(|d| d[k]).collect();
            let positive: Vec<bool> = (0..asked.len()).map(|p| target(p, k) > 0.0).collect();
            let origin = Origin {
                fitted: context.fitted_numbers,
                factors: &[],
            };
            Sigmoid::fit(&own, &positive, &copies, &origin)
        };
        classes.sigmoids = Some((0..outputs).map(one).collect());
        let class = |p: usize| {
            if outputs == 1 {
                usize::from(target(p, 0) < 0.0)
            } else {
                (0..outputs).find(|&k| target(p, k) > 0.0).unwrap_or(0)
            }
        };
        let scores = places
            .clone()
            .map(|p| classes.nonconformity(&decisions[p], class(p)));
        let scores = LeftOut::new(scores.collect());
        let wrong: f64 = places
            .filter(|&p| classes.class(&decisions[p]) as usize != class(p))
            .map(|p| copies[p])
            .sum();
        (scores, Some(wrong / copies.iter().sum::<f64>()))
    }

    #[expect(clippy::too_many_arguments, reason = "everything that is told")]
    fn report(
        &self,
        sums: &FeatureSums,
        total: &Moments,
        normal: &Normal,
        solution: &NormalSolution,
        chosen: &Chosen,
        errors: &[f64],
        wrong: Option<f64>,
        notes: Vec<Note>,
        context: &FitContext,
    ) -> FitReport {
        let rows = usize::try_from(sums.rows).unwrap_or(usize::MAX);
        let left_out = errors.iter().sum::<f64>() / total.copies().max(f64::MIN_POSITIVE);
        FitReport {
            distinct_rows: usize::try_from(total.rows()).unwrap_or(usize::MAX),
            solver: Some(SolverReport {
                // JSON has no infinity.
                objective: solution.objectives.iter().sum::<f64>().min(f64::MAX),
                dual_gap: f64::NAN,
                kkt_violation: f64::NAN,
                iterations: 1,
                problems: Vec::new(),
            }),
            kernel: Some(KernelReport {
                support_vectors: self.map.width(),
                kernel_evaluations: sums.rows.saturating_mul(self.map.width() as u64),
                kernel_bytes: self.bytes(),
            }),
            features: Some(FeatureReport {
                components: self.map.width(),
                directions: normal.width(),
                lambda: solution.lambda,
                found_by: chosen.rule.map(|rule| rule.words().to_owned()),
                effective_parameters: solution.effective_parameters(context.par()),
                noise_variance: solution.levels().iter().map(|l| l.noise.recip()).collect(),
                log_evidence: chosen.log_evidence.filter(|e| e.is_finite()),
                folds: errors_counted(errors, self.folds),
                held_out_error: (!errors.is_empty())
                    .then(|| left_out.sqrt())
                    .filter(|e| e.is_finite()),
                held_out_wrong: wrong,
            }),
            ..FitReport::of_rows(rows, notes, context)
        }
    }

    /// The function as a model.
    pub(super) fn form(
        &self,
        (weights, biases): (Matrix<f64>, Vec<f64>),
        readout: Readout,
        left_out: Option<LeftOut>,
    ) -> Form {
        if let FeatureMap::Landmarks(map) = &self.map {
            let count = map.landmarks.len();
            let mut sizes = vec![0; readout.labels().map_or(1, <[String]>::len)];
            sizes[0] = count;
            let (kernel, landmarks) = (map.kernel.clone(), map.landmarks.clone());
            let model = KernelExpansion::new(kernel, landmarks, weights, biases, readout);
            let model = model.sorted_by_class(sizes);
            return KernelExpansion { left_out, ..model }.into();
        }
        let features = Chain::records(Matrix::zeros(0, self.map.width()))
            .features
            .groups;
        Chain {
            projection: Box::new(self.mapped().into()),
            model: Box::new(Form::Linear(LinearModel {
                weights,
                biases,
                features,
                readout,
                spread: None,
            })),
            left_out,
        }
        .into()
    }
}

/// How many folds errors were counted on.
fn errors_counted(errors: &[f64], folds: usize) -> usize {
    if errors.is_empty() { 0 } else { folds }
}
