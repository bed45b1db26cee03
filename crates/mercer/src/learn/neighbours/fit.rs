//! From data sets to rows that are kept.

use mercer_linalg::Matrix;

use super::column_weights::weigh;
use super::condense::condense;
use super::settings::{Ib1, Ib2, Knn, Memorise};
use crate::data::{Dataset, Records, Targets};
use crate::fit::{FitContext, FitReport, Fitted, NeighbourReport, Note, StopReason};
use crate::learn::{Estimator, Settings};
use crate::model::readout::Readout;
use crate::model::{ABSTAINED, NeighbourDistance, NeighbourModel, NeighbourRule, NeighbourTargets};
use crate::solver::neighbours::Frame;
use crate::{Error, Result};

/// Rows that count, with their targets.
struct Given {
    records: Records,
    targets: NeighbourTargets,
    /// The labels of classes; empty for numbers.
    labels: Vec<String>,
    /// How many copies each row stands for, where that differs from one.
    weights: Option<Vec<f64>>,
}

impl Given {
    fn try_new(data: &Dataset) -> Result<Self> {
        Self::of(&counted(data)?)
    }

    /// Rows that may stand for several; those of weight 0 are left out.
    fn weighed(data: &Dataset) -> Result<Self> {
        let Some(weights) = &data.weights else {
            return Self::of(data);
        };
        let kept: Vec<usize> = (0..data.len()).filter(|&row| weights[row] > 0.0).collect();
        let weights: Vec<f64> = kept.iter().map(|&row| weights[row]).collect();
        let alike = weights.iter().all(|weight| *weight == 1.0);
        Ok(Self {
            weights: (!alike).then_some(weights),
            ..Self::of(&data.select(&kept))?
        })
    }

    fn of(data: &Dataset) -> Result<Self> {
        if data.is_empty() {
            return Err(Error::rows(
                "there are no rows to learn from",
                "give at least one row",
            ));
        }
        let (targets, labels) = match &data.targets {
            Targets::Classes(classes) => {
                if classes.labels.len() < 2 {
                    return Err(Error::rows(
                        "all rows belong to one class",
                        "give rows of at least two classes",
                    ));
                }
                let codes = NeighbourTargets::Classes(classes.codes.clone());
                (codes, classes.labels.clone())
            }
            Targets::Real(values) => {
                let values = Matrix::from_vec(1, values.len(), values.clone());
                (NeighbourTargets::Values(values), Vec::new())
            }
            Targets::Several(values) => (NeighbourTargets::Values(values.clone()), Vec::new()),
            Targets::None => {
                return Err(Error::rows(
                    "neighbours vote with their targets, and there are none",
                    "name a target column",
                ));
            }
        };
        if let NeighbourTargets::Values(values) = &targets
            && let Some(at) = values.as_slice().iter().position(|v| !v.is_finite())
        {
            return Err(Error::rows(
                format!(
                    "the target of row {} is missing or infinite",
                    at % values.columns() + 1
                ),
                "replace it or leave its row out",
            ));
        }
        Ok(Self {
            // Rows may be lent by a caller, who may write to them later.
            records: data.records.clone(),
            targets,
            labels,
            weights: None,
        })
    }

    fn readout(&self) -> Readout {
        match &self.targets {
            NeighbourTargets::Classes(_) => NeighbourModel::read_shares(self.labels.clone()),
            NeighbourTargets::Values(_) => Readout::Values,
        }
    }

    /// The classes, for methods that need them.
    fn classes(&self) -> Result<&[u32]> {
        match &self.targets {
            NeighbourTargets::Classes(codes) => Ok(codes),
            NeighbourTargets::Values(_) => Err(Error::rows(
                "this method tells classes apart, and the target is a number",
                "give a target column of classes, or use `knn`",
            )),
        }
    }
}

/// The rows of positive weight; weights that differ are refused.
fn counted(data: &Dataset) -> Result<Dataset> {
    let Some(weights) = &data.weights else {
        return Ok(data.clone());
    };
    let kept: Vec<usize> = (0..data.len()).filter(|&row| weights[row] > 0.0).collect();
    let first = kept.first().map_or(1.0, |&row| weights[row]);
    if kept.iter().any(|&row| weights[row] != first) {
        return Err(Error::Unsupported {
            what: "this method asks one row, and so rows cannot have different weights".to_owned(),
            cure: "leave the weights out, or use `knn`".into(),
        });
    }
    let mut counted = data.select(&kept);
    counted.weights = None;
    Ok(counted)
}

/// What all neighbours tell of themselves.
fn report(data: &Dataset, kept: usize, model: &NeighbourModel) -> NeighbourReport {
    NeighbourReport {
        rows_kept: kept,
        rows_given: data.len(),
        neighbours: model.neighbours,
        distance: match &model.distance {
            NeighbourDistance::Columns(frame) => frame.metric.text(),
            NeighbourDistance::Kernel(kernel) => kernel.to_string(),
        },
        scaling: model.frame().map(|frame| frame.scaling.name().to_owned()),
        column_weights: Vec::new(),
        left_out_losses: None,
    }
}

impl Estimator for Knn {
    type Model = NeighbourModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<NeighbourModel>> {
        self.check_all()?;
        let context = context.restarted();
        context.install(|| self.fit_installed(data, &context))?
    }
}

impl Knn {
    fn fit_installed(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<NeighbourModel>> {
        let given = Given::weighed(data)?;
        let n = given.records.len();
        if self.column_weights && given.weights.is_some() {
            return Err(Error::Unsupported {
                what: "weights of columns are learnt from rows that count alike, and these have weights"
                    .to_owned(),
                cure: "leave the weights of rows out, or those of columns".into(),
            });
        }
        let mut notes = Vec::new();
        let mut stop_reason = StopReason::Converged;
        let mut losses = None;
        let copies = match &given.weights {
            Some(weights) => (weights.iter().sum::<f64>() as usize).max(1),
            None => n,
        };
        let neighbours = self.neighbours.min(copies);
        if neighbours < self.neighbours {
            let asked = self.neighbours;
            let rows = if neighbours == 1 {
                "there is one row, which decides for all".to_owned()
            } else {
                format!("there are {neighbours} rows: all of them are asked about every row")
            };
            notes.push(Note::Alert(format!(
                "{asked} neighbours are wanted, and {rows}"
            )));
        }
        if given.labels.len() == 2 && neighbours % 2 == 0 {
            notes.push(Note::Alert(format!(
                "an even number of neighbours ({neighbours}) may vote {0} to {0}, and ties go to `{1}`; choose an odd one",
                neighbours / 2,
                given.labels[0]
            )));
        }
        let distance = if self.has_kernel() {
            let (kernel, chosen) = self
                .kernel
                .resolve(&given.records, given.weights.as_deref())?;
            notes.extend(chosen);
            NeighbourDistance::Kernel(kernel)
        } else {
            let metric = self.distance.metric(self.exponent);
            let weights = given.weights.as_deref();
            let (mut frame, told) = Frame::fit(&given.records, self.scaling, metric, weights)?;
            notes.extend(told);
            nothing_to_compare(&frame)?;
            if self.column_weights {
                let classes = given.labels.len();
                let asked = (neighbours, self.votes);
                let found = weigh(
                    &given.records,
                    &given.targets,
                    classes,
                    &frame,
                    asked,
                    context,
                )?;
                let features = frame.width();
                frame.weights.copy_from_slice(&found.weights[..features]);
                frame
                    .code_weights
                    .copy_from_slice(&found.weights[features..]);
                losses = Some(found.losses);
                if found.rows < n {
                    notes.push(Note::Choice(format!(
                        "weights of columns are learnt from {} of {n} rows, evenly spaced",
                        found.rows
                    )));
                }
                if !found.finished {
                    stop_reason = StopReason::TimeLimit;
                    notes.push(Note::Alert(
                        "the time limit came before all weights of columns were tried".to_owned(),
                    ));
                }
            }
            NeighbourDistance::Columns(frame)
        };
        let model = NeighbourModel {
            readout: given.readout(),
            rows: given.records,
            targets: given.targets,
            weights: given.weights,
            neighbours,
            votes: self.votes,
            rule: NeighbourRule::Nearest,
            distance,
            index: self.index,
        };
        // A kernel that does not read the rows is refused now.
        if model.kernel().is_some() {
            model.searcher()?;
        }
        let mut told = report(data, n, &model);
        if self.column_weights {
            told.column_weights = model.column_weights();
            told.left_out_losses = losses;
        }
        let report = FitReport {
            stop_reason,
            neighbours: Some(told),
            ..FitReport::of_rows(data.len(), notes, context)
        };
        Ok(Fitted { model, report })
    }
}

/// Refuses rows in which nothing can be compared.
fn nothing_to_compare(frame: &Frame) -> Result<()> {
    let weights = frame.weights.iter().chain(&frame.code_weights);
    if weights.clone().count() > 0 && weights.clone().any(|w| *w > 0.0) {
        return Ok(());
    }
    Err(Error::rows(
        "there are no numbers or categories to compare",
        "give a column with values, or a kernel that reads the columns there are",
    ))
}

impl Estimator for Ib1 {
    type Model = NeighbourModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<NeighbourModel>> {
        let knn = Knn::default().neighbours(1).scaling(self.scaling);
        knn.distance(self.distance).fit(&counted(data)?, context)
    }
}

impl Estimator for Ib2 {
    type Model = NeighbourModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<NeighbourModel>> {
        let mut errors = Vec::new();
        self.check(&mut errors);
        Error::collect(errors)?;
        let context = context.restarted();
        context.install(|| self.fit_installed(data, &context))?
    }
}

impl Ib2 {
    fn fit_installed(
        &self,
        data: &Dataset,
        context: &FitContext,
    ) -> Result<Fitted<NeighbourModel>> {
        let given = Given::try_new(data)?;
        let classes = given.classes()?.to_vec();
        let metric = self.distance.metric(2.0);
        let (frame, mut notes) = Frame::fit(&given.records, self.scaling, metric, None)?;
        nothing_to_compare(&frame)?;
        let kept = condense(&given.records, &classes, &frame, context)?;
        let mut stop_reason = StopReason::Converged;
        if !kept.finished {
            stop_reason = StopReason::TimeLimit;
            notes.push(Note::Alert(
                "the time limit came before all rows were visited".to_owned(),
            ));
        }
        let model = NeighbourModel {
            readout: given.readout(),
            rows: given.records.select(&kept.rows),
            targets: NeighbourTargets::Classes(kept.rows.iter().map(|&row| classes[row]).collect()),
            weights: None,
            neighbours: 1,
            votes: crate::model::Votes::Uniform,
            rule: NeighbourRule::Nearest,
            distance: NeighbourDistance::Columns(frame),
            index: crate::solver::neighbours::IndexChoice::Auto,
        };
        let report = FitReport {
            stop_reason,
            neighbours: Some(report(data, kept.rows.len(), &model)),
            ..FitReport::of_rows(data.len(), notes, context)
        };
        Ok(Fitted { model, report })
    }
}

impl Estimator for Memorise {
    type Model = NeighbourModel;

    fn fit(&self, data: &Dataset, context: &FitContext) -> Result<Fitted<NeighbourModel>> {
        let context = context.restarted();
        let given = Given::try_new(data)?;
        given.classes()?;
        if let Some((row, column)) = given.records.features.points.first_infinite() {
            return Err(Error::Cell {
                place: format!("row {}", row + 1),
                column: given.records.features.name(column),
                problem: "the value is infinite".to_owned(),
                cure: "replace or remove it before fitting".into(),
            });
        }
        let mut labels = given.labels.clone();
        if self.abstain && !labels.iter().any(|label| label == ABSTAINED) {
            labels.push(ABSTAINED.to_owned());
        }
        let n = given.records.len();
        let width = given.records.features.points.columns();
        let model = NeighbourModel {
            readout: NeighbourModel::read_shares(labels),
            targets: given.targets,
            weights: None,
            neighbours: 1,
            votes: crate::model::Votes::Uniform,
            rule: NeighbourRule::Equal,
            distance: NeighbourDistance::Columns(Frame::unscaled(width)),
            index: crate::solver::neighbours::IndexChoice::Auto,
            rows: given.records,
        };
        let mut told = report(data, n, &model);
        "equal rows".clone_into(&mut told.distance);
        told.scaling = None;
        let report = FitReport {
            neighbours: Some(told),
            ..FitReport::of_rows(data.len(), Vec::new(), &context)
        };
        Ok(Fitted { model, report })
    }
}
