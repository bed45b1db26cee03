//! Least-squares support vector classification.

use std::ops::Range;

use mercer_linalg::{Matrix, dot};
use serde::{Deserialize, Serialize};

use super::Strength;
use super::iterate::{Large, Solution, fits, is_large};
use super::job::{Asked, Objective, Outcome, Wanted, check_memory, solve};
use super::leading::{LeadingPart, SpectrumPart};
use super::prune::prune;
use crate::data::{ClassTargets, Dataset, Task};
use crate::fit::{
    BayesReport, EvidenceReport, FitContext, Fitted, IterativeReport, Note, ProblemReport,
};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::learn::canonical::{Canonical, Found, no_classes};
use crate::learn::margin::{Bias, ClassWeights};
use crate::learn::{Estimator, Settings};
use crate::model::expansion::{KernelExpansion, Posterior};
use crate::model::readout::{ClassReadout, Origin, Readout, Scheme, Sigmoid, pairs};
use crate::solver::least_squares::Problem;
use crate::{Error, Result};

/// Least-squares support vector classification: regression on labels ±1, with a free constant
/// unless another is named.
///
/// Unlike in a support vector machine every row counts, those far on the right side as well; it has
/// a solution in closed form: γ by evidence, leave-one-out errors and probabilities come with it.
/// Two classes are one system; with more, one-vs-rest shares one factor among all classes.
///
/// # References
/// Suykens and Vandewalle, Neural Processing Letters 9, 1999; Van Gestel et al., Neural
/// Computation 14, 2002.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct LsSvc {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// C = γ, or how it is found.
    #[setting(group)]
    pub strength: Strength,
    /// How several classes are told apart.
    #[setting(
        words("one_vs_one", "one_vs_rest"),
        flag = "multiclass",
        python = "multi_class"
    )]
    pub scheme: Scheme,
    /// Factors on C by class: `balanced`, or a factor for a class, repeatable.
    #[setting(class_weights, flag = "class-weight", python = "class_weight")]
    pub class_weights: ClassWeights,
    /// Also learn probabilities.
    ///
    /// They are sigmoids of leave-one-out decisions. Labels are then those of largest class factor
    /// times probability; otherwise those of the decisions.
    #[setting(switch, flag = "proba")]
    pub probability: bool,
    /// Share of the rows to keep as support vectors.
    #[setting(share)]
    pub keep: Option<f64>,
    /// The constant term of the decision.
    #[serde(default)]
    #[setting(words("free", "none", "regularised"), python = "fit_intercept")]
    pub bias: Bias,
    /// Eigenvalues of the kernel matrix that find C: all, the leading ones, or the leading ones by the EM method.
    #[serde(default)]
    #[setting(words("full", "truncated", "em"), unlisted)]
    pub spectrum: SpectrumPart,
    /// How many leading eigenvalues, where not all are used; 100 by default.
    #[serde(default)]
    #[setting(count, unlisted)]
    pub eigenvalues: Option<usize>,
}

impl Default for LsSvc {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            strength: Strength::Evidence,
            scheme: Scheme::OneVsRest,
            class_weights: ClassWeights::default(),
            probability: true,
            keep: None,
            bias: Bias::Free,
            spectrum: SpectrumPart::Full,
            eigenvalues: None,
        }
    }
}

impl Estimator for LsSvc {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        self.spectrum
            .check(self.eigenvalues, self.strength, &mut errors);
        Error::collect(errors)?;
        let context = context.restarted();
        context.install(|| self.fit_installed(data, &context))?
    }
}

impl LsSvc {
    fn leading(&self) -> Option<LeadingPart> {
        self.spectrum.leading(self.eigenvalues)
    }

    /// Whether the kernel matrix of so many rows is only multiplied by: where it does not fit, and where it is large and nothing
    /// is asked for that takes its factor, as probabilities do.
    fn is_iterated(&self, rows: usize, context: &FitContext) -> bool {
        let left_out = self.probability && fits(rows, context);
        let needs_factor = self.keep.is_some() || self.strength == Strength::LeaveOneOut;
        !needs_factor && !left_out && is_large(rows, context)
    }

    fn fit_installed(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        if data.targets.classes().is_none() {
            return Err(no_classes());
        }
        let mut rows = Canonical::try_new(data, &self.kernel)?;
        let (kernel, notes) = rows.resolve(&self.kernel, self.bias)?;
        let classes = rows.classes()?;
        let factors = self.class_weights.factors(classes, &rows.span_weights())?;
        let weights: Vec<f64> = rows
            .weights
            .iter()
            .zip(&classes.codes)
            .map(|(w, &code)| w * factors[code as usize])
            .collect();
        let mut bytes = 0;
        let gram = if self.is_iterated(rows.len(), context) {
            None
        } else {
            bytes = check_memory(rows.len(), context)?;
            let mut gram = kernel.gram_within(rows.seen(), context.par(), context)?;
            self.bias.append_feature(&mut gram);
            Some(gram)
        };
        let of_rows = |code: &u32| factors[*code as usize];
        let unequal = factors.iter().any(|f| *f != 1.0);
        let set = Set {
            machine: self,
            classes,
            rows: &rows,
            weights: weights.iter().any(|w| *w != 1.0).then_some(weights),
            factors: unequal.then(|| classes.codes.iter().map(of_rows).collect()),
            gram: gram.as_ref(),
            kernel: &kernel,
        };
        let solved = match self.scheme {
            Scheme::OneVsOne if rows.spans.len() > 2 => set.one_vs_one(context)?,
            _ => set.one_vs_rest(context)?,
        };
        let (support, kept) = set.support(&solved);
        let known = solved.sigmoids.is_some() && gram.is_some();
        let decisions = known.then(|| set.decisions(&solved));
        let mut model = rows.expansion(Found {
            kernel: kernel.clone(),
            support,
            coefficients: kept,
            biases: solved.biases,
            readout: Readout::Classes(ClassReadout {
                labels: classes.labels.clone(),
                scheme: solved.scheme,
                sigmoids: solved.sigmoids,
                factors: unequal.then_some(factors),
            }),
            prices: Vec::new(),
        });
        model.posterior = solved.posterior;
        let mut notes = [notes, solved.notes].concat();
        let copies = Some(&rows.weights[..]);
        let differing = decisions
            .as_ref()
            .and_then(|d| model.readout.differing(d, copies));
        let all = rows.weights.iter().sum();
        notes.extend(differing.and_then(|d| Note::of_differing(d, all, "training rows")));
        let bytes = bytes.max(solved.bytes);
        let mut fitted = rows.finish(model, solved.problems, notes, bytes, context);
        fitted.report.differing = differing;
        fitted.report.evidence = solved.evidence;
        fitted.report.iterative = solved.iterative;
        fitted.report.bayes = solved.bayes;
        Ok(fitted)
    }
}

/// Everything the decisions of one model share.
struct Set<'a> {
    machine: &'a LsSvc,
    classes: &'a ClassTargets,
    rows: &'a Canonical,
    /// Row weights with class factors.
    weights: Option<Vec<f64>>,
    /// The class factor of every row; `None` means 1 each.
    factors: Option<Vec<f64>>,
    /// `None` where it is only multiplied by.
    gram: Option<&'a Matrix<f64>>,
    kernel: &'a ResolvedKernel,
}

/// All decisions of a model.
struct Decisions {
    scheme: Scheme,
    /// As [`KernelExpansion`] lays them out, over all canonical rows.
    coefficients: Matrix<f64>,
    biases: Vec<f64>,
    sigmoids: Option<Vec<Sigmoid>>,
    problems: Vec<ProblemReport>,
    posterior: Option<Posterior>,
    evidence: Option<EvidenceReport>,
    bayes: Option<BayesReport>,
    /// Of the first problem that was solved without a factor.
    iterative: Option<IterativeReport>,
    /// Bytes held by such a problem.
    bytes: u64,
    notes: Vec<Note>,
}

impl Set<'_> {
    fn asked<'a>(&self, factors: Option<&'a [f64]>) -> Asked<'a> {
        let strength = self.machine.strength;
        Asked {
            strength,
            wanted: if self.machine.probability || !strength.is_given() {
                Wanted::LeaveOneOut
            } else {
                Wanted::Answers
            },
            factors,
            classes: true,
            leading: self.machine.leading(),
        }
    }

    fn problem<'a>(
        &self,
        gram: &'a Matrix<f64>,
        targets: &'a Matrix<f64>,
        weights: Option<&'a [f64]>,
    ) -> Problem<'a> {
        Problem {
            gram: gram.as_ref(),
            targets,
            weights,
            intercept: self.machine.bias.is_free(),
        }
    }

    /// The kernel matrix of some rows; `None` where they are too many.
    fn gram_of(&self, ids: &[usize], context: &FitContext) -> Result<Option<Matrix<f64>>> {
        if let Some(gram) = self.gram {
            let part = Matrix::from_fn(ids.len(), ids.len(), |i, j| gram[(ids[i], ids[j])]);
            return Ok(Some(part));
        }
        if self.machine.is_iterated(ids.len(), context) {
            return Ok(None);
        }
        let part = self.rows.seen().select(ids);
        let mut gram = self.kernel.gram_within(&part, context.par(), context)?;
        self.machine.bias.append_feature(&mut gram);
        Ok(Some(gram))
    }

    /// Solves the system of some runs of rows by products with their kernel matrix.
    fn iterated(
        &self,
        spans: Vec<Range<usize>>,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
        bytes: &mut u64,
        context: &FitContext,
    ) -> Result<Outcome> {
        let large = Large {
            kernel: self.kernel,
            records: self.rows.seen(),
            spans,
            targets,
            weights,
            bias: self.machine.bias,
            strength: self.machine.strength,
            classes: true,
            leading: self.machine.leading(),
        };
        let Solution {
            mut outcome,
            bytes: held,
        } = large.solve(context)?;
        *bytes = held.max(*bytes);
        if self.machine.probability {
            outcome.notes.push(Note::Alert(
                "there are no probabilities: they follow from rows left out one by one, for which the kernel matrix and its factor would have to fit in memory".to_owned(),
            ));
        }
        Ok(outcome)
    }

    /// One system with an output per class, or a single one for two classes.
    fn one_vs_rest(&self, context: &FitContext) -> Result<Decisions> {
        let (n, k) = (self.rows.len(), self.classes.labels.len());
        let two = k == 2;
        let targets = self.rows.signs(self.classes);
        let weights = self.weights.as_deref();
        let problem = self.gram.map(|gram| self.problem(gram, &targets, weights));
        let mut bytes = 0;
        let mut outcome = match &problem {
            Some(problem) => {
                let asked = self.asked(self.factors.as_deref());
                solve(problem, asked, self.kernel, context)?
            }
            None => self.iterated(
                std::iter::once(0..n).collect(),
                &targets,
                weights,
                &mut bytes,
                context,
            )?,
        };
        self.set_constants(&outcome.coefficients, &mut outcome.biases);
        let mut notes = std::mem::take(&mut outcome.notes);
        let labels = &self.classes.labels;
        let name = |o: usize| {
            if two {
                format!("{} against {}", labels[0], labels[1])
            } else {
                format!("{} against the rest", labels[o])
            }
        };
        let problems = (0..targets.rows()).map(|o| {
            outcome.report(
                o,
                name(o),
                Objective::Halves,
                &targets,
                self.weights.as_deref(),
            )
        });
        let problems = problems.collect();
        let copies = &self.rows.weights;
        let evidence = outcome.evidence(&targets, Some(copies), Task::Classify);
        let bayes = outcome.bayes().filter(|_| self.machine.keep.is_none());
        let factors = self.factors.as_deref();
        let sigmoids = self.sigmoids(&outcome, &targets, copies, factors, context);
        // What is stored of a posterior speaks of the kernel without an appended feature.
        let known = outcome.iterative.is_none() && !self.machine.bias.is_regularised();
        let posterior = known.then(|| Posterior {
            ratio: outcome.ratio,
            levels: outcome.levels.clone(),
            weights: self.weights.clone(),
            intercept: self.machine.bias.is_free(),
        });
        let iterative = outcome.iterative.as_ref().map(|i| i.report.clone());
        let pruned = self.machine.keep.zip(problem.as_ref());
        let (coefficients, biases, posterior) = if let Some((share, problem)) = pruned {
            let mut pruned = prune(problem, &outcome, share, context)?;
            self.set_constants(&pruned.coefficients, &mut pruned.biases);
            notes.push(pruned.note);
            let mut all = Matrix::zeros(targets.rows(), n);
            for (place, &row) in pruned.rows.iter().enumerate() {
                for o in 0..targets.rows() {
                    all[(o, row)] = pruned.coefficients[(o, place)];
                }
            }
            (all, pruned.biases, None)
        } else {
            (outcome.coefficients, outcome.biases, posterior)
        };
        Ok(Decisions {
            scheme: Scheme::one_or_rest(k),
            coefficients,
            biases,
            sigmoids,
            problems,
            posterior,
            evidence,
            bayes,
            iterative,
            bytes,
            notes,
        })
    }

    /// One system per pair of classes, each on its own rows and with its own γ.
    fn one_vs_one(&self, context: &FitContext) -> Result<Decisions> {
        let (n, k) = (self.rows.len(), self.classes.labels.len());
        let mut all = Decisions {
            scheme: Scheme::OneVsOne,
            coefficients: Matrix::zeros(k - 1, n),
            biases: Vec::new(),
            sigmoids: self.machine.probability.then(Vec::new),
            problems: Vec::new(),
            posterior: None,
            evidence: None,
            bayes: None,
            iterative: None,
            bytes: 0,
            notes: Vec::new(),
        };
        for (a, b) in pairs(k) {
            let spans = [self.rows.spans[a].clone(), self.rows.spans[b].clone()];
            let ids: Vec<usize> = spans.iter().cloned().flatten().collect();
            let gram = self.gram_of(&ids, context)?;
            let code = |i: usize| self.classes.codes[ids[i]] as usize;
            let targets = Matrix::from_fn(1, ids.len(), |_, i| sign(code(i) == a));
            let weights: Option<Vec<f64>> = self
                .weights
                .as_ref()
                .map(|w| ids.iter().map(|&r| w[r]).collect());
            let problem = gram
                .as_ref()
                .map(|gram| self.problem(gram, &targets, weights.as_deref()));
            let factors: Option<Vec<f64>> = self
                .factors
                .as_ref()
                .map(|f| ids.iter().map(|&r| f[r]).collect());
            let mut outcome = if let Some(problem) = &problem {
                let asked = self.asked(factors.as_deref());
                solve(problem, asked, self.kernel, context)?
            } else {
                let (spans, weights) = (spans.to_vec(), weights.as_deref());
                self.iterated(spans, &targets, weights, &mut all.bytes, context)?
            };
            if all.iterative.is_none() {
                all.iterative = outcome.iterative.as_ref().map(|i| i.report.clone());
            }
            self.set_constants(&outcome.coefficients, &mut outcome.biases);
            let labels = &self.classes.labels;
            let name = format!("{} against {}", labels[a], labels[b]);
            all.problems.push(outcome.report(
                0,
                name.clone(),
                Objective::Halves,
                &targets,
                weights.as_deref(),
            ));
            for note in &outcome.notes {
                all.notes
                    .push(Note::Choice(format!("{name}: {}", note.text())));
            }
            let copies: Vec<f64> = ids.iter().map(|&r| self.rows.weights[r]).collect();
            if let (Some(all), Some(mut one)) = (
                &mut all.sigmoids,
                self.sigmoids(&outcome, &targets, &copies, factors.as_deref(), context),
            ) {
                all.append(&mut one);
            }
            let pruned = self.machine.keep.zip(problem.as_ref());
            let kept: Vec<(usize, f64)> = if let Some((share, problem)) = pruned {
                let mut pruned = prune(problem, &outcome, share, context)?;
                self.set_constants(&pruned.coefficients, &mut pruned.biases);
                all.biases.push(pruned.biases[0]);
                let values = pruned.coefficients.row(0).iter();
                pruned.rows.iter().copied().zip(values.copied()).collect()
            } else {
                all.biases.push(outcome.biases[0]);
                outcome
                    .coefficients
                    .row(0)
                    .iter()
                    .copied()
                    .enumerate()
                    .collect()
            };
            for (place, value) in kept {
                let line = if code(place) == a { b - 1 } else { a };
                all.coefficients[(line, ids[place])] = value;
            }
        }
        // The time limit or the number of rows may have left a pair without rows left out.
        let complete = |sigmoids: &Vec<Sigmoid>| sigmoids.len() == all.biases.len();
        all.sigmoids = all.sigmoids.take().filter(complete);
        Ok(all)
    }

    /// Sigmoids of the leave-one-out decisions; copies count, class factors only say where the
    /// model drew its border.
    fn sigmoids(
        &self,
        outcome: &Outcome,
        targets: &Matrix<f64>,
        copies: &[f64],
        factors: Option<&[f64]>,
        context: &FitContext,
    ) -> Option<Vec<Sigmoid>> {
        let left_out = outcome.left_out.as_ref()?;
        if !self.machine.probability {
            return None;
        }
        let one = |o: usize| {
            let positive: Vec<bool> = targets.row(o).iter().map(|t| *t > 0.0).collect();
            let decisions = left_out.decisions.row(o);
            let origin = Origin {
                fitted: context.fitted_numbers,
                factors: factors.unwrap_or_default(),
            };
            Sigmoid::fit(decisions, &positive, copies, &origin)
        };
        Some((0..targets.rows()).map(one).collect())
    }

    /// The decisions about the training rows, a row for each.
    fn decisions(&self, solved: &Decisions) -> Matrix<f64> {
        let (n, k) = (self.rows.len(), self.classes.labels.len());
        let all = &solved.coefficients;
        // A pair has its coefficients in two lines; one-vs-rest and two classes have one.
        let pairs: Vec<_> = pairs(k).collect();
        let Some(gram) = self.gram else {
            return Matrix::zeros(n, 0);
        };
        Matrix::from_fn(n, solved.biases.len(), |i, d| {
            let row = gram.row(i);
            let sum = if k == 2 || solved.scheme == Scheme::OneVsRest {
                dot(row, all.row(d))
            } else {
                let (a, b) = pairs[d];
                let part = |line: usize, class: usize| {
                    let span = self.rows.spans[class].clone();
                    dot(&row[span.clone()], &all.row(line)[span])
                };
                part(b - 1, a) + part(a, b)
            };
            // An appended feature is part of the kernel matrix already.
            let appended = self.machine.bias.is_regularised();
            sum + if appended { 0.0 } else { solved.biases[d] }
        })
    }

    /// Takes regularised constants out of the coefficients.
    fn set_constants(&self, coefficients: &Matrix<f64>, biases: &mut [f64]) {
        for (d, constant) in biases.iter_mut().enumerate() {
            *constant = self.machine.bias.constant(coefficients.row(d), *constant);
        }
    }

    /// Rows with a coefficient that is not zero, and those coefficients.
    fn support(&self, solved: &Decisions) -> (Vec<usize>, Matrix<f64>) {
        let all = &solved.coefficients;
        let used = |r: &usize| (0..all.rows()).any(|k| all[(k, *r)] != 0.0);
        // A posterior speaks of every row.
        let support: Vec<usize> = (0..self.rows.len())
            .filter(|r| solved.posterior.is_some() || used(r))
            .collect();
        let kept = Matrix::from_fn(all.rows(), support.len(), |k, s| all[(k, support[s])]);
        (support, kept)
    }
}

fn sign(positive: bool) -> f64 {
    if positive { 1.0 } else { -1.0 }
}
