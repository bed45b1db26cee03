//! From data sets to models.

use mercer_linalg::Matrix;

use super::bound::account;
use super::dual::Dual;
use super::passes::{Space, run};
use super::primal::Primal;
use super::settings::{Perceptron, Variant};
use super::visits::Visits;
use crate::data::Dataset;
use crate::fit::{
    FitContext, FitReport, Fitted, KernelReport, MarginSource, MistakeReport, Note, SolverReport,
    StopReason,
};
use crate::gram::{Gram, KernelSource, StoredGram, StreamedGram};
use crate::learn::Estimator;
use crate::learn::canonical::{Canonical, Found};
use crate::learn::centre::FarRows;
use crate::learn::margin::Bias;
use crate::model::readout::{Readout, Scheme};
use crate::model::{Form, LinearModel};
use crate::{Error, Result};

impl Estimator for Perceptron {
    type Model = Form;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<Form>> {
        self.fit_from(data, None, context)
    }
}

/// Refuses a model whose weights are not those of these rows and classes.
fn refuse(plan: &Plan, columns: usize, earlier: &LinearModel) -> Result<()> {
    let shape = (plan.decisions(), columns);
    let found = (earlier.weights.rows(), earlier.weights.columns());
    let labels = earlier.readout.labels();
    if found == shape && labels == Some(plan.labels.as_slice()) {
        return Ok(());
    }
    Err(Error::Unsupported {
        what: format!(
            "the earlier model has {} decisions over {} features; these rows need {} over {columns}, \
             between the same classes",
            found.0, found.1, shape.0
        ),
        cure: "give an earlier model of the same classes and columns, or leave it out".into(),
    })
}

/// What all decisions came to.
struct Learnt {
    accounts: Vec<MistakeReport>,
    /// Σ step · max(0, −y f) over all rows and decisions.
    objective: f64,
}

/// The decisions to learn.
struct Plan {
    visits: Visits,
    labels: Vec<String>,
}

impl Plan {
    /// One for two classes, otherwise one for each.
    fn decisions(&self) -> usize {
        match self.labels.len() {
            2 => 1,
            more => more,
        }
    }

    /// Of two classes the first is positive in models, and the second is here.
    fn turn(&self) -> f64 {
        if self.decisions() == 1 { -1.0 } else { 1.0 }
    }

    fn name(&self, decision: usize) -> String {
        if self.decisions() == 1 {
            format!("{} against {}", self.labels[0], self.labels[1])
        } else {
            format!("{} against the rest", self.labels[decision])
        }
    }

    fn readout(&self) -> Readout {
        Readout::of_classes(&self.labels, Scheme::one_or_rest(self.labels.len()))
    }
}

impl Perceptron {
    /// Learns from data, from the weights of an earlier model on where there is one.
    ///
    /// An earlier model has all classes, so that rows need not. (R/γ)² bounds mistakes from w = 0 on, and is
    /// not told then.
    ///
    /// # Errors
    /// As [`Estimator::fit`]; an earlier model of other classes or columns, or with a kernel.
    pub fn fit_from(
        &self,
        data: &Dataset,
        earlier: Option<&LinearModel>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        self.check_all()?;
        let context = context.restarted();
        context.install(|| self.fit_installed(data, earlier, &context))?
    }

    fn fit_installed(
        &self,
        data: &Dataset,
        earlier: Option<&LinearModel>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let rows = Canonical::try_new(data, &self.kernel)?;
        let classes = match earlier {
            None => rows.classes()?,
            Some(_) => rows.classes_or_none()?,
        };
        let plan = Plan {
            visits: Visits::try_new(self, data, &rows, classes, context.seed)?,
            labels: classes.labels.clone(),
        };
        let columns = rows.records.features.points.columns();
        if self.is_linear() && columns > 0 {
            earlier.map_or(Ok(()), |earlier| refuse(&plan, columns, earlier))?;
            return self.fit_weights(&plan, &rows, earlier, context);
        }
        match earlier {
            None => self.fit_coefficients(&plan, rows, context),
            Some(_) => Err(no_weights()),
        }
    }

    /// A weight per feature.
    fn fit_weights(
        &self,
        plan: &Plan,
        rows: &Canonical,
        earlier: Option<&LinearModel>,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let points = rows.records.features.points.widened();
        let (decisions, turn) = (plan.decisions(), plan.turn());
        let mut weights = Matrix::zeros(decisions, points.columns());
        let mut biases = Vec::with_capacity(decisions);
        let mut learnt = Learnt::new();
        for k in 0..decisions {
            let mut space = Primal::new(&points, self);
            if let Some(earlier) = earlier {
                let weights = earlier.weights.row(k).iter().map(|w| turn * w);
                space.start(weights, turn * earlier.biases[k]);
            }
            self.decide(&mut space, plan, k, rows, context, &mut learnt)?;
            let (found, bias) = space.into_weights();
            for (w, found) in weights.row_mut(k).iter_mut().zip(found) {
                *w = turn * found;
            }
            biases.push(turn * bias);
        }
        let model = LinearModel {
            weights,
            biases,
            features: rows.records.features.groups.clone(),
            readout: plan.readout(),
            spread: None,
        };
        let far = FarRows::of(&rows.records, None);
        let far = far.map(|far| far.alert("mistakes hardly move the constant", None));
        let notes = far.into_iter().collect();
        let report = learnt.report(self, rows, notes, None, context);
        Ok(Fitted {
            model: model.into(),
            report,
        })
    }

    /// A coefficient per row.
    fn fit_coefficients(
        &self,
        plan: &Plan,
        mut rows: Canonical,
        context: &FitContext,
    ) -> Result<Fitted<Form>> {
        let (kernel, notes) = rows.resolve(&self.kernel, Bias::None)?;
        let bound = kernel.bind(&rows.records)?;
        let offset = f64::from(u8::from(self.has_constant()));
        let source = || KernelSource::whole(bound.as_ref(), offset);
        let stored = StoredGram::<f64>::try_new(source(), context.memory_limit, context.par());
        let streamed;
        let gram: &dyn Gram<f64> = if let Some(gram) = &stored {
            gram
        } else {
            streamed = StreamedGram::<f64>::new(source(), context.par());
            &streamed
        };
        let (decisions, turn) = (plan.decisions(), plan.turn());
        let mut alphas: Vec<Vec<f64>> = Vec::with_capacity(decisions);
        let mut learnt = Learnt::new();
        for k in 0..decisions {
            let mut space = Dual::new(gram);
            self.decide(&mut space, plan, k, &rows, context, &mut learnt)?;
            alphas.push(space.into_coefficients());
        }
        let used = |&row: &usize| alphas.iter().any(|alpha| alpha[row] != 0.0);
        let support: Vec<usize> = (0..rows.len()).filter(used).collect();
        let coefficients = Matrix::from_fn(decisions, support.len(), |k, s| {
            turn * alphas[k][support[s]]
        });
        let constant = |alpha: &Vec<f64>| turn * offset * alpha.iter().sum::<f64>();
        let cost = KernelReport {
            support_vectors: support.len(),
            kernel_evaluations: gram.evaluations(),
            kernel_bytes: gram.peak_bytes(),
        };
        let model = rows.expansion(Found {
            kernel,
            support,
            coefficients,
            biases: alphas.iter().map(constant).collect(),
            readout: plan.readout(),
            prices: Vec::new(),
        });
        let report = learnt.report(self, &rows, notes, Some(cost), context);
        Ok(Fitted {
            model: model.into(),
            report,
        })
    }

    /// Learns one decision, in its share of the time that is left.
    fn decide(
        &self,
        space: &mut dyn Space,
        plan: &Plan,
        decision: usize,
        rows: &Canonical,
        context: &FitContext,
        learnt: &mut Learnt,
    ) -> Result<()> {
        let decisions = plan.decisions();
        let context = context.share(1.0 / (decisions - decision) as f64);
        let (visits, held) = plan.visits.decision(decision, decisions);
        if visits.is_empty() {
            return Err(Error::rows(
                "no row can move the weights: all class factors are 0",
                "give a class a factor above 0",
            ));
        }
        let run = run(space, &visits, &held, self, decision as u64, &context)?;
        let losses = visits.iter().map(|visit| {
            let f = space.value(visit.row as usize);
            visit.step * (-visit.sign * f).max(0.0)
        });
        learnt.objective += losses.sum::<f64>() + space.penalty();
        let name = plan.name(decision);
        let told = account(name, &run, &visits, &rows.records, self, &context);
        learnt.accounts.push(told);
        Ok(())
    }

    /// What a decision tells in words.
    fn note(&self, told: &MistakeReport) -> Note {
        let count = |n: u64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        // Passes have an irregular plural.
        let passes = if told.passes == 1 {
            "1 pass".to_owned()
        } else {
            format!("{} passes", told.passes)
        };
        let made = format!(
            "{}: {} in {passes}",
            told.name,
            count(told.mistakes, "mistake")
        );
        if told.stop_reason != StopReason::Converged {
            let kept = match self.variant {
                Variant::Plain => "the last weights are kept, which need not be the best",
                Variant::Pocket => "the weights with the fewest errors are kept",
                Variant::Averaged => "the mean of all weights is kept",
            };
            let text = format!("{made}, none of them without mistakes: {kept}");
            return if told.stop_reason == StopReason::Stalled {
                Note::Choice(text)
            } else {
                Note::Alert(format!(
                    "{text}; stopped by the {}",
                    limit(told.stop_reason)
                ))
            };
        }
        let Some((bound, margin)) = told.bound.zip(told.margin) else {
            return Note::Choice(format!("{made}, the last one without"));
        };
        let source = match told.margin_source {
            Some(MarginSource::HardMargin) => "of the hard margin",
            _ => "of the found weights, at most the largest",
        };
        // Steps of rows with weights differ, by this factor at most.
        let ratio = bound * (margin / told.radius).powi(2);
        let factor = if ratio > 1.0 + 1e-9 {
            format!("{} · ", brief(ratio))
        } else {
            String::new()
        };
        Note::Choice(format!(
            "{made}, the last one without; the bound is {factor}(R/γ)² = {} with R = {} and γ = {} {source}",
            brief(bound),
            brief(told.radius),
            brief(margin)
        ))
    }
}

/// The error of an earlier model without weights of features.
pub(super) fn no_weights() -> Error {
    Error::Unsupported {
        what: "passes go on from weights of features only".to_owned(),
        cure: "give a model of `perceptron` with the kernel `linear`, and keep that kernel".into(),
    }
}

fn limit(reason: StopReason) -> &'static str {
    match reason {
        StopReason::TimeLimit => "time limit",
        _ => "limit of passes",
    }
}

/// A number with four digits.
fn brief(value: f64) -> String {
    if value != 0.0 && (value.abs() >= 1e6 || value.abs() < 1e-3) {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Learnt {
    fn new() -> Self {
        Self {
            accounts: Vec::new(),
            objective: 0.0,
        }
    }

    fn report(
        self,
        settings: &Perceptron,
        rows: &Canonical,
        mut notes: Vec<Note>,
        kernel: Option<KernelReport>,
        context: &FitContext,
    ) -> FitReport {
        let reasons = self.accounts.iter().map(|told| told.stop_reason);
        let stop_reason = reasons.fold(StopReason::Converged, StopReason::worse);
        notes.extend(self.accounts.iter().map(|told| settings.note(told)));
        FitReport {
            stop_reason,
            distinct_rows: rows.len(),
            solver: Some(SolverReport {
                objective: self.objective,
                dual_gap: f64::NAN,
                kkt_violation: f64::NAN,
                iterations: self.accounts.iter().map(|told| told.mistakes).sum(),
                problems: Vec::new(),
            }),
            kernel,
            mistakes: Some(self.accounts),
            ..FitReport::of_rows(rows.rows_given, notes, context)
        }
    }
}
