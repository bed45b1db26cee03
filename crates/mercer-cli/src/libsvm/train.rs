//! `mercer svm-train`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mercer::data::{Dataset, Encoder, Storage};
use mercer::fit::{FitContext, StopReason};
use mercer::learn::AnyEstimator;
use mercer::model::Trained;
use mercer_io::libsvm::{LibsvmModel, Support, SvmType, write_model};

use crate::failure::{Failure, Result};
use crate::output::warn;
use crate::outputs::Files;
use crate::session::Session;

use super::command::{self, blame_data};
use super::flags::Flags;
use super::folds::{cross_validate, noise};
use super::number::six_digits;
use super::predict::Summary;
use super::rows::Rows;
use super::settings::{TrainSettings, USAGE};
use super::{account, density, learn};

/// Runs the command with LIBSVM's arguments.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    command::run(USAGE, args, work)
}

fn work(flags: Flags, session: &Session) -> Result<()> {
    let settings = TrainSettings::parse(flags)?;
    let file = model_file(&settings)?;
    if settings.folds.is_none() {
        Files::default()
            .read("the data", [settings.data.as_path()])
            .write([file.as_path()])
            .check()?;
    }
    let rows = Rows::read(&settings.data, session)?;
    let data = learn::dataset(&settings, &rows)?;
    let estimator = learn::estimator(&settings, rows.max_index(), &data.targets)?;
    let context = context(&settings, session);
    if let Some(folds) = settings.folds {
        let answers = cross_validate(&estimator, &data, folds, session, &context)?;
        let summary = Summary::of(&rows.labels, &answers);
        return session.output.text(&validated(&settings, &summary));
    }
    let (model, text) = fit(&settings, &estimator, &data, session, &context)?;
    session.guard(|| {
        mercer_io::write_atomically(&file, |out| {
            write_model(&model, out, &file.display().to_string())
        })
    })?;
    session.meter.finish();
    if settings.quiet {
        return Ok(());
    }
    session.output.text(&text)
}

/// The model file: as named, or after the data in the present folder.
fn model_file(settings: &TrainSettings) -> Result<PathBuf> {
    if let Some(file) = &settings.model {
        return Ok(file.clone());
    }
    let name = settings.data.file_name();
    match name {
        Some(name) if settings.data != Path::new("-") => {
            let mut name = name.to_owned();
            name.push(".model");
            Ok(PathBuf::from(name))
        }
        _ if settings.folds.is_some() => Ok(PathBuf::new()),
        _ => Err(Failure::usage(
            "the model has no name",
            "name the model file after the training file",
        )),
    }
}

/// The cache size is a hint: it can raise the budget, never lower it.
fn context(settings: &TrainSettings, session: &Session) -> FitContext {
    let mut context = FitContext::default().cancel(session.cancel.clone());
    let asked = (settings.cache_megabytes * f64::from(1 << 20)) as u64;
    context.memory_limit = context.memory_limit.max(asked);
    match session.meter.sink() {
        Some(sink) if !settings.quiet => context.progress(sink),
        _ => context,
    }
}

fn fit(
    settings: &TrainSettings,
    estimator: &AnyEstimator,
    data: &Dataset,
    session: &Session,
    context: &FitContext,
) -> Result<(LibsvmModel, String)> {
    let fitted = blame_data(estimator.fit(data, context, None))?;
    session.check()?;
    let margin = fitted.model.need_expansion("LIBSVM's files hold")?;
    let text = account::describe(settings, estimator, data, margin, &fitted.report);
    for note in &fitted.report.notes {
        if note.is_alert() {
            let alert = note.text();
            warn(&format!("warning: {alert}"));
        }
    }
    if fitted.report.stop_reason == StopReason::Cancelled {
        return Err(Failure::interrupted());
    }
    let trained = Trained::new(
        estimator.task(),
        estimator.name(),
        Encoder::identity(data.records.features.points.columns(), Storage::Sparse),
        fitted.model,
        fitted.report,
    );
    let mut model = LibsvmModel::from_trained(&trained)?;
    if let Support::Vectors { zero_based, .. } = &mut model.support {
        *zero_based = true;
    }
    if settings.probability {
        match settings.svm_type {
            SvmType::EpsilonSvr | SvmType::NuSvr => {
                model.prob_a = Some(vec![noise(estimator, data, session, context)?]);
            }
            SvmType::OneClass => {
                let answers = blame_data(trained.predict_records(&data.records, context))?;
                model.density_marks = density::marks(answers.decisions.into_vec());
            }
            SvmType::CSvc | SvmType::NuSvc => {}
        }
    }
    Ok((model, text))
}

fn validated(settings: &TrainSettings, summary: &Summary) -> String {
    if settings.svm_type.is_regressor() {
        format!(
            "Cross Validation Mean squared error = {}\nCross Validation Squared correlation coefficient = {}\n",
            six_digits(summary.squared_error),
            six_digits(summary.squared_correlation)
        )
    } else {
        let accuracy = six_digits(summary.accuracy());
        format!("Cross Validation Accuracy = {accuracy}%\n")
    }
}
