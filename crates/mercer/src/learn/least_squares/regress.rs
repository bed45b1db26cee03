//! Least-squares support vector regression.

use mercer_linalg::Matrix;
use serde::{Deserialize, Serialize};

use super::Strength;
use super::basis::solve_basis;
use super::free::solve_free;
use super::iterate::{Large, is_large};
use super::job::{Asked, Objective, Outcome, Wanted, check_memory, solve};
use super::leading::{LeadingPart, SpectrumPart};
use super::primal::Design;
use super::prune::prune;
use super::units::Units;
use crate::data::{ClassTargets, Dataset, Records, Task};
use crate::fit::{FitContext, FitReport, Fitted, Note};
use crate::kernel::{KernelSpec, ResolvedKernel};
use crate::learn::canonical::{Canonical, target_not_finite};
use crate::learn::centre::{Centred, lost_digits};
use crate::learn::margin::Bias;
use crate::learn::{Estimator, Range, Settings};
use crate::model::expansion::{KernelExpansion, Posterior};
use crate::model::readout::{Readout, Scheme};
use crate::solver::least_squares::Problem;
use crate::{Error, Result};

/// Least-squares support vector regression: ½‖f‖² + (γ/2) Σ w_i (y_i − f(x_i))², with a free
/// constant unless another is named; the same function as the mean of a Gaussian process with constant mean.
///
/// By default the evidence finds γ, and the model knows how sure it is
/// (`KernelExpansion::posterior`).
///
/// # References
/// Suykens et al., Least Squares Support Vector Machines, 2002.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, mercer_derive::Settings)]
pub struct LsSvr {
    /// Kernel expression.
    #[setting(kernel)]
    pub kernel: KernelSpec,
    /// C = γ, or how it is found.
    #[setting(group)]
    pub strength: Strength,
    /// Share of the rows to keep as support vectors.
    #[setting(share)]
    pub keep: Option<f64>,
    /// The constant term of the prediction.
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

impl Default for LsSvr {
    fn default() -> Self {
        Self {
            kernel: KernelSpec::rbf_auto(),
            strength: Strength::Evidence,
            keep: None,
            bias: Bias::Free,
            spectrum: SpectrumPart::Full,
            eigenvalues: None,
        }
    }
}

impl Estimator for LsSvr {
    type Model = KernelExpansion;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut errors = Vec::new();
        Settings::check(self, &mut errors);
        let (spectrum, count) = (self.spectrum, self.eigenvalues);
        spectrum.check(count, self.strength, &mut errors);
        Error::collect(errors)?;
        let job = Regression {
            kernel: &self.kernel,
            strength: self.strength,
            bias: self.bias,
            name: "least-squares regression",
            objective: Objective::Halves,
            keep: self.keep,
            basis: false,
            columns: false,
            primal: false,
            leading: spectrum.leading(count),
        };
        job.fit(data, context)
    }
}

/// What kernel ridge and least-squares regression have in common.
pub(super) struct Regression<'a> {
    pub(super) kernel: &'a KernelSpec,
    pub(super) strength: Strength,
    pub(super) bias: Bias,
    pub(super) name: &'static str,
    pub(super) objective: Objective,
    pub(super) keep: Option<f64>,
    /// Whether λ‖α‖² stands in the place of λ‖f‖².
    pub(super) basis: bool,
    /// Whether the columns themselves are part of f without a penalty.
    pub(super) columns: bool,
    /// Whether a linear kernel may be solved for its weights, which leaves no posterior.
    pub(super) primal: bool,
    /// The eigenvalues that find γ, where not all do.
    pub(super) leading: Option<LeadingPart>,
}

/// Rows with a row of targets per output.
struct Rows<'a> {
    records: &'a Records,
    /// The records around their mean, where they are seen from there.
    centred: Option<&'a Centred>,
    targets: &'a Matrix<f64>,
    weights: Option<&'a [f64]>,
    /// Rows before equal ones were merged.
    given: usize,
    /// The classes whose targets are ±1, where the rows have some.
    classes: Option<&'a ClassTargets>,
    /// What was merged, where rows are in canonical form.
    merged: Option<&'a Canonical>,
}

impl Regression<'_> {
    pub(super) fn fit(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        self.check()?;
        let context = context.restarted();
        context.install(|| self.fit_one(data, &context))?
    }

    /// Learns several outputs from one factor; rows stay as they are given.
    pub(super) fn fit_several(
        &self,
        records: &Records,
        targets: &Matrix<f64>,
        weights: Option<&[f64]>,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        self.check()?;
        check_several(records, targets, weights)?;
        let context = context.restarted();
        context.install(|| {
            let (kernel, mut notes) = self.kernel.resolve(records, weights)?;
            let centred = Centred::of(&kernel, records, self.constant());
            if centred.is_none() {
                notes.extend(lost_digits(&kernel, records));
            }
            let rows = Rows {
                records,
                centred: centred.as_ref(),
                targets,
                weights: weights.filter(|w| w.iter().any(|w| *w != 1.0)),
                given: records.len(),
                classes: None,
                merged: None,
            };
            self.learn(&rows, kernel, notes, &context)
        })?
    }

    /// The constant, where rows may be shifted and it alone makes up for that.
    fn constant(&self) -> Bias {
        if self.basis || self.columns {
            Bias::None
        } else {
            self.bias
        }
    }

    fn check(&self) -> Result<()> {
        let mut errors = Vec::new();
        self.strength.check(&mut errors);
        if let Some(keep) = self.keep {
            Range::Share.check("keep", keep, &mut errors);
        }
        if self.columns && !self.strength.is_given() {
            errors.push(Error::Unsupported {
                what: "with columns that carry no penalty λ is not found from the data".to_owned(),
                cure: "give λ".into(),
            });
        }
        if self.columns && (self.basis || !self.bias.is_free()) {
            errors.push(Error::Unsupported {
                what: "columns without a penalty need a constant without one, and the norm of the kernel"
                    .to_owned(),
                cure: "choose a free constant, and kernels that are no mere basis functions".into(),
            });
        }
        if self.basis && self.bias.is_regularised() {
            errors.push(Error::Unsupported {
                what: "kernels as basis functions have no constant with the penalty of a weight"
                    .to_owned(),
                cure: "choose a constant that is free or absent".into(),
            });
        }
        Error::collect(errors)
    }

    fn fit_one(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<KernelExpansion>> {
        let mut rows = Canonical::try_new(data, self.kernel)?;
        let (kernel, notes) = rows.resolve(self.kernel, self.constant())?;
        let y = rows.values()?;
        let rows = Rows {
            records: &rows.records,
            centred: rows.centred(),
            targets: &Matrix::from_vec(1, y.len(), y.to_vec()),
            weights: rows.unequal_weights(),
            given: data.len(),
            classes: None,
            merged: Some(&rows),
        };
        self.learn(&rows, kernel, notes, context)
    }

    /// Learns to tell classes apart by regression on targets ±1: one output for two classes, one
    /// for each of several.
    pub(super) fn fit_classes(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        self.check()?;
        let context = context.restarted();
        context.install(|| self.classes_installed(data, &context))?
    }

    fn classes_installed(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        let mut rows = Canonical::try_new(data, self.kernel)?;
        let (kernel, notes) = rows.resolve(self.kernel, self.constant())?;
        let classes = rows.classes()?;
        let targets = rows.signs(classes);
        let part = Rows {
            records: &rows.records,
            centred: rows.centred(),
            targets: &targets,
            weights: rows.unequal_weights(),
            given: data.len(),
            classes: Some(classes),
            // The bounds of copies are told by class and line of coefficients, not here.
            merged: None,
        };
        let mut fitted = self.learn(&part, kernel, notes, context)?;
        let scheme = Scheme::one_or_rest(classes.labels.len());
        fitted.model.readout = Readout::of_classes(&classes.labels, scheme);
        fitted.model.class_sizes = rows.spans.iter().map(ExactSizeIterator::len).collect();
        Ok(fitted)
    }

    fn learn(
        &self,
        rows: &Rows<'_>,
        kernel: ResolvedKernel,
        mut notes: Vec<Note>,
        context: &FitContext,
    ) -> Result<Fitted<KernelExpansion>> {
        let units = Units::of(rows.targets);
        let scaled = units.as_ref().map(|u| u.take_out(rows.targets));
        let given = rows.records;
        let rows = &Rows {
            records: rows.centred.map_or(given, |centred| &centred.records),
            targets: scaled.as_ref().unwrap_or(rows.targets),
            ..*rows
        };
        let mut learnt = self.solve(rows, &kernel, context)?;
        notes.append(&mut learnt.outcome.notes);
        let mut outcome = learnt.outcome;
        let name = |k: usize| match (rows.classes.map(|c| &c.labels[..]), rows.targets.rows()) {
            (Some([first, second]), _) => format!("{first} against {second}"),
            (Some(labels), _) => format!("{} against the rest", labels[k]),
            (None, 1) => self.name.to_owned(),
            (None, _) => format!("{}, output {}", self.name, k + 1),
        };
        let problem = |k: usize| {
            let form = self.objective;
            let report = outcome.report(k, name(k), form, rows.targets, rows.weights);
            match &units {
                Some(units) => units.of_report(k, report),
                None => report,
            }
        };
        let problems = (0..rows.targets.rows()).map(problem).collect();
        let task = match rows.classes {
            Some(_) => Task::Classify,
            None => Task::Regress,
        };
        let mut evidence = outcome.evidence(rows.targets, rows.weights, task);
        let mut has_levels = true;
        if let Some(units) = &units {
            evidence = evidence.as_ref().map(|e| units.of_evidence(e));
            units.put_back(&mut outcome)?;
            has_levels = Units::has_levels(&outcome);
            if !has_levels {
                notes.push(Units::note());
            }
        }
        let counts = (rows.given, rows.records.len());
        let kernel_cost = (learnt.support.len(), learnt.bytes);
        let mut report = FitReport::gather(problems, notes, counts, kernel_cost, context);
        report.evidence = evidence;
        report.iterative = outcome.iterative.as_ref().map(|i| i.report.clone());
        if has_levels && !self.basis && self.keep.is_none() {
            report.bayes = outcome.bayes();
        }
        let posterior = (learnt.posterior && has_levels).then(|| Posterior {
            ratio: outcome.ratio,
            levels: outcome.levels.clone(),
            weights: rows.weights.map(<[f64]>::to_vec),
            intercept: self.bias.is_free(),
        });
        let left_out = posterior
            .as_ref()
            .filter(|_| rows.classes.is_none())
            .and_then(|p| outcome.nonconformity(p.levels[0].prior, rows.weights));
        let copies = rows
            .merged
            .and_then(|merged| merged.copies(&learnt.kept, &[]));
        let mut slopes = learnt.slopes;
        if let (Some(units), Some(slopes)) = (&units, &mut slopes) {
            units.put_back_rows(slopes)?;
        }
        let support = match rows.centred {
            Some(_) => given.select(&learnt.kept),
            None => learnt.support,
        };
        let mut model = KernelExpansion {
            slopes,
            posterior,
            left_out,
            copies,
            kept: outcome.kept,
            ..KernelExpansion::new(
                kernel,
                support,
                outcome.coefficients,
                outcome.biases,
                Readout::Values,
            )
        };
        if let Some(centred) = rows.centred {
            model = model.seen_from(centred.means.clone());
            if let Some(solver) = &mut report.solver {
                model.tell_constants(&mut solver.problems);
            }
        }
        Ok(Fitted { model, report })
    }

    /// Solves, and takes a regularised constant out of the coefficients.
    fn solve(
        &self,
        rows: &Rows<'_>,
        kernel: &ResolvedKernel,
        context: &FitContext,
    ) -> Result<Learnt> {
        let mut learnt = self.solve_appended(rows, kernel, context)?;
        let outcome = &mut learnt.outcome;
        for (k, constant) in outcome.biases.iter_mut().enumerate() {
            *constant = self.bias.constant(outcome.coefficients.row(k), *constant);
        }
        // What is stored of a posterior speaks of the kernel without the appended feature.
        if learnt.posterior && self.bias.is_regularised() {
            learnt.posterior = false;
            outcome.notes.push(Note::Choice(
                "with a regularised constant the model does not tell how sure it is; with a free one or none it does"
                    .to_owned(),
            ));
        }
        Ok(learnt)
    }

    /// Rows as features, where one weight for each costs less than a coefficient per row.
    fn design(
        &self,
        records: &Records,
        kernel: &ResolvedKernel,
        large: bool,
        context: &FitContext,
    ) -> Option<Design> {
        // A model that tells how sure it is keeps its factor as long as it has one.
        if !self.primal && !large {
            return None;
        }
        Design::of(kernel, records, self.bias)
            .filter(Design::is_cheaper)
            .or_else(|| {
                let bytes = context.most_memory();
                large
                    .then(|| Design::of_monomials(kernel, records, self.bias, bytes))
                    .flatten()
            })
    }

    /// Whether something is asked for that takes the kernel matrix itself.
    fn needs_factor(&self) -> bool {
        let left_out = self.strength == Strength::LeaveOneOut;
        self.keep.is_some() || self.basis || self.columns || left_out
    }

    /// Solves by the form that costs least, a regularised constant being a feature of the kernel.
    fn solve_appended(
        &self,
        rows: &Rows<'_>,
        kernel: &ResolvedKernel,
        context: &FitContext,
    ) -> Result<Learnt> {
        let large = is_large(rows.records.len(), context);
        let plain = self.keep.is_none() && !self.basis && !self.columns;
        if let Some(ratio) = self.strength.given().filter(|_| plain)
            && let Some(design) = self.design(rows.records, kernel, large, context)
        {
            let outcome = design.solve(
                rows.targets,
                rows.weights,
                ratio,
                self.bias.is_free(),
                context.par(),
            )?;
            return Ok(Learnt {
                outcome,
                support: rows.records.clone(),
                kept: (0..rows.records.len()).collect(),
                slopes: None,
                posterior: false,
                bytes: 0,
            });
        }
        if large && !self.needs_factor() {
            let large = Large {
                kernel,
                records: rows.records,
                spans: std::iter::once(0..rows.records.len()).collect(),
                targets: rows.targets,
                weights: rows.weights,
                bias: self.bias,
                strength: self.strength,
                classes: rows.classes.is_some(),
                leading: self.leading,
            };
            let solution = large.solve(context)?;
            return Ok(Learnt {
                outcome: solution.outcome,
                support: rows.records.clone(),
                kept: (0..rows.records.len()).collect(),
                slopes: None,
                posterior: false,
                bytes: solution.bytes,
            });
        }
        let bytes = check_memory(rows.records.len(), context)?;
        let mut gram = kernel.gram_within(rows.records, context.par(), context)?;
        self.bias.append_feature(&mut gram);
        let problem = Problem {
            gram: gram.as_ref(),
            targets: rows.targets,
            weights: rows.weights,
            intercept: self.bias.is_free(),
        };
        if let Some(ratio) = self.strength.given().filter(|_| self.columns) {
            let (outcome, slopes) = solve_free(&problem, rows.records, ratio, kernel, context)?;
            return Ok(Learnt {
                outcome,
                support: rows.records.clone(),
                kept: (0..rows.records.len()).collect(),
                slopes: Some(slopes),
                posterior: false,
                bytes,
            });
        }
        if self.basis {
            return Ok(Learnt {
                outcome: solve_basis(&problem, self.strength, context)?,
                support: rows.records.clone(),
                kept: (0..rows.records.len()).collect(),
                slopes: None,
                posterior: false,
                bytes,
            });
        }
        let wanted = if self.strength.is_given() {
            Wanted::Answers
        } else {
            Wanted::LeaveOneOut
        };
        let asked = Asked {
            strength: self.strength,
            wanted,
            factors: None,
            classes: rows.classes.is_some(),
            leading: self.leading,
        };
        let mut outcome = solve(&problem, asked, kernel, context)?;
        let Some(share) = self.keep else {
            return Ok(Learnt {
                outcome,
                support: rows.records.clone(),
                kept: (0..rows.records.len()).collect(),
                slopes: None,
                posterior: true,
                bytes,
            });
        };
        let pruned = prune(&problem, &outcome, share, context)?;
        outcome.notes.push(pruned.note);
        outcome.coefficients = pruned.coefficients;
        outcome.biases = pruned.biases;
        Ok(Learnt {
            outcome,
            support: rows.records.select(&pruned.rows),
            kept: pruned.rows,
            slopes: None,
            posterior: false,
            bytes,
        })
    }
}

/// A solved regression.
struct Learnt {
    outcome: Outcome,
    support: Records,
    /// Which rows those are.
    kept: Vec<usize>,
    /// Weights of columns without a penalty.
    slopes: Option<Matrix<f64>>,
    /// Whether the function knows how sure it is: not after pruning, and not without the factor
    /// of a kernel matrix.
    posterior: bool,
    bytes: u64,
}

/// Refuses targets and weights of other lengths than the rows, and nothing to learn from.
pub(in crate::learn) fn check_lengths(
    records: &Records,
    targets: &Matrix<f64>,
    weights: Option<&[f64]>,
) -> Result<()> {
    let expected = records.len();
    let lengths = [
        ("the target", Some(targets.columns())),
        ("the weight column", weights.map(<[f64]>::len)),
    ];
    for (what, found) in lengths {
        if let Some(found) = found.filter(|f| *f != expected) {
            return Err(Error::Length {
                what: what.to_owned(),
                found,
                expected,
                unit: "rows",
            });
        }
    }
    if expected == 0 || targets.rows() == 0 {
        return Err(Error::rows(
            "there is nothing to learn",
            "give at least one row and one output",
        ));
    }
    Ok(())
}

fn check_several(records: &Records, targets: &Matrix<f64>, weights: Option<&[f64]>) -> Result<()> {
    check_lengths(records, targets, weights)?;
    if weights.is_some_and(|w| w.iter().any(|w| !(w.is_finite() && *w > 0.0))) {
        return Err(Error::rows(
            "a row weight is not positive and finite",
            "leave out rows of weight zero",
        ));
    }
    let not_finite = |k: usize| targets.row(k).iter().position(|v| !v.is_finite());
    match (0..targets.rows()).find_map(not_finite) {
        Some(row) => Err(target_not_finite(row)),
        None => Ok(()),
    }
}
