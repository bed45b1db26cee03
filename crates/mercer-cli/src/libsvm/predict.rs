//! `mercer svm-predict`.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mercer::fit::FitContext;
use mercer::model::{Answers, Predictions, Trained};
use mercer_io::Source;
use mercer_io::libsvm::{LibsvmModel, Support, SvmType, format_g17, read_model};
use mercer_linalg::Csr;

use crate::failure::{Failure, Result};
use crate::outputs::Files;
use crate::session::Session;

use super::command::{self, blame_data};
use super::density;
use super::flags::{Flags, unknown};
use super::number::six_digits;
use super::rows::Rows;

const USAGE: &str = "\
Usage: mercer svm-predict [options] test_file model_file output_file

Predicts the rows of a test file with a model of `svm-train`, mercer's or LIBSVM's, and
writes one prediction per line. The labels of the test file only serve to measure accuracy.

  -b 0|1   write probabilities too; the model must have been trained with `-b 1` (0)
  -q       print nothing
";

/// Runs the command with LIBSVM's arguments.
pub(crate) fn run(args: Vec<OsString>) -> ExitCode {
    command::run(USAGE, args, work)
}

struct PredictSettings {
    probability: bool,
    quiet: bool,
    test: PathBuf,
    model: PathBuf,
    output: PathBuf,
}

impl PredictSettings {
    fn parse(mut flags: Flags) -> Result<Self> {
        let (mut probability, mut quiet) = (false, false);
        while let Some(flag) = flags.next_flag() {
            match flag.as_str() {
                "-b" => probability = flags.switch(&flag)?,
                "-q" => quiet = true,
                _ => return Err(unknown(&flag)),
            }
        }
        let names = ["test file", "model file", "output file"];
        let mut files = flags.files(&names, names.len())?.into_iter();
        let mut next = || files.next().unwrap_or_default();
        Ok(Self {
            probability,
            quiet,
            test: next(),
            model: next(),
            output: next(),
        })
    }
}

fn work(flags: Flags, session: &Session) -> Result<()> {
    let settings = PredictSettings::parse(flags)?;
    Files::default()
        .read("the data", [settings.test.as_path()])
        .read("the model", [settings.model.as_path()])
        .write([settings.output.as_path()])
        .check()?;
    let model = load(&settings.model, session)?;
    check_probability(&model, &settings)?;
    let mut remark = String::new();
    if settings.probability && model.svm_type.is_regressor() {
        let scale = model
            .prob_a
            .as_ref()
            .and_then(|p| p.first())
            .copied()
            .unwrap_or(f64::NAN);
        let scale = six_digits(scale);
        remark = format!(
            "Noise: target = answer + z, where z has a Laplace distribution with sigma = {scale}\n"
        );
    } else if !settings.probability && has_probabilities(&model) {
        "The model has probabilities; `-b 1` writes them.\n".clone_into(&mut remark);
    }
    let rows = Rows::read(&settings.test, session)?;
    let (svm_type, marks) = (model.svm_type, model.density_marks.clone());
    let predictions = predict(model, &rows, settings.probability, session)?;
    let (text, answers) = table(
        svm_type,
        &predictions,
        settings.probability,
        marks.as_deref(),
    );
    session.write_with(&settings.output, |out| {
        out.write_all(text.as_bytes()).map_err(|source| {
            let file = settings.output.display().to_string();
            Failure::from(mercer_io::Error::Io { file, source })
        })
    })?;
    session.meter.finish();
    if settings.quiet {
        return Ok(());
    }
    let summary = Summary::of(&rows.labels, &answers);
    session.output.text(&(remark + &summary.lines(svm_type)))
}

fn load(path: &Path, session: &Session) -> Result<LibsvmModel> {
    let opened = Source::from_argument(path).open(Some(&session.cancel))?;
    let model = read_model(opened.reader, &opened.name).map_err(|e| Failure::from(e).of_data())?;
    Ok(by_index(model))
}

/// Moves the support vectors so that column j is index j.
fn by_index(mut model: LibsvmModel) -> LibsvmModel {
    if let Support::Vectors { points, zero_based } = &mut model.support
        && !*zero_based
    {
        let indices = points.indices().iter().map(|i| i + 1).collect();
        let starts = points.row_starts().to_vec();
        let moved = Csr::try_new(
            points.columns() + 1,
            starts,
            indices,
            points.values().to_vec(),
        );
        *points = moved.expect("indices keep their order");
        *zero_based = true;
    }
    model
}

fn has_probabilities(model: &LibsvmModel) -> bool {
    model.prob_a.is_some() || model.density_marks.is_some()
}

fn check_probability(model: &LibsvmModel, settings: &PredictSettings) -> Result<()> {
    if settings.probability && !has_probabilities(model) {
        return Err(Failure::data(
            "unsupported",
            format!(
                "{}: the model has no probabilities",
                settings.model.display()
            ),
            "train with `-b 1`, or predict without it",
        ));
    }
    Ok(())
}

fn predict(
    model: LibsvmModel,
    rows: &Rows,
    probability: bool,
    session: &Session,
) -> Result<Predictions> {
    let given = matches!(model.support, Support::Serials(_));
    let width = if given {
        rows.max_index()
    } else {
        rows.x.columns()
    };
    let trained = model
        .into_trained(Some(width))
        .map_err(|e| Failure::from(e).of_data())?;
    let trained = if probability {
        trained
    } else {
        by_votes(trained)
    };
    let records = if given {
        rows.given_values()
    } else {
        rows.vectors(trained.encoder.width())
    };
    let mut context = FitContext::default().cancel(session.cancel.clone());
    if let Some(sink) = session.meter.sink() {
        context = context.progress(sink);
    }
    blame_data(trained.predict_records(&records, &context))
}

/// Leaves the probabilities out, so that votes decide.
fn by_votes(mut trained: Trained) -> Trained {
    let model = trained.form.expansion_mut();
    if let Some(classes) = model.and_then(|model| model.readout.classes_mut()) {
        classes.sigmoids = None;
    }
    trained
}

/// The lines of the output file, and the predictions in them.
fn table(
    svm_type: SvmType,
    predictions: &Predictions,
    probability: bool,
    marks: Option<&[f64]>,
) -> (String, Vec<f64>) {
    let mut text = String::new();
    let mut line = |words: &[String]| {
        text.push_str(&words.join(" "));
        text.push('\n');
    };
    let answers: Vec<f64> = match &predictions.answers {
        Answers::Classes {
            labels,
            codes,
            probabilities,
        } => {
            if probabilities.is_some() {
                let head = ["labels".to_owned()];
                line(&[&head[..], &labels[..]].concat());
            }
            for (row, &code) in codes.iter().enumerate() {
                let mut words = vec![labels[code as usize].clone()];
                if let Some(table) = probabilities {
                    words.extend(table[row].iter().map(|p| format_g17(*p)));
                }
                line(&words);
            }
            codes
                .iter()
                .map(|&c| labels[c as usize].parse().unwrap_or(f64::NAN))
                .collect()
        }
        Answers::Values(values) => {
            for value in values {
                line(&[format_g17(*value)]);
            }
            values.clone()
        }
        Answers::Several(_) | Answers::Clusters { .. } => {
            unreachable!("LIBSVM's methods predict a class, a number or novelty")
        }
        Answers::Novelty { .. } => {
            let marks = marks.filter(|_| probability && svm_type == SvmType::OneClass);
            if marks.is_some() {
                line(&["labels normal outlier".to_owned()]);
            }
            let decisions = predictions.decisions.as_slice();
            for decision in decisions {
                let mut words = vec![if *decision > 0.0 { "1" } else { "-1" }.to_owned()];
                if let Some(marks) = marks {
                    let p = density::probability(marks, *decision);
                    words.extend([format_g17(p), format_g17(1.0 - p)]);
                }
                line(&words);
            }
            decisions
                .iter()
                .map(|d| if *d > 0.0 { 1.0 } else { -1.0 })
                .collect()
        }
    };
    (text, answers)
}

/// How predictions compare with the truth.
pub(super) struct Summary {
    right: usize,
    rows: usize,
    /// Mean of the squared differences.
    pub(super) squared_error: f64,
    /// Square of the correlation of truth and prediction; NaN where one of them never varies.
    pub(super) squared_correlation: f64,
}

impl Summary {
    pub(super) fn of(truth: &[f64], answers: &[f64]) -> Self {
        let n = truth.len() as f64;
        let pairs = || truth.iter().zip(answers);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / n;
        let (centre_t, centre_a) = (mean(truth), mean(answers));
        let (mut tt, mut aa, mut ta) = (0.0, 0.0, 0.0);
        for (t, a) in pairs() {
            let (dt, da) = (t - centre_t, a - centre_a);
            tt += dt * dt;
            aa += da * da;
            ta += dt * da;
        }
        Self {
            right: pairs().filter(|(t, a)| t == a).count(),
            rows: truth.len(),
            squared_error: pairs().map(|(t, a)| (t - a) * (t - a)).sum::<f64>() / n,
            squared_correlation: if tt * aa > 0.0 {
                ta * ta / (tt * aa)
            } else {
                f64::NAN
            },
        }
    }

    /// Share of right predictions in per cent.
    pub(super) fn accuracy(&self) -> f64 {
        self.right as f64 / self.rows as f64 * 100.0
    }

    fn lines(&self, svm_type: SvmType) -> String {
        let mut text = String::new();
        if svm_type.is_regressor() {
            let error = six_digits(self.squared_error);
            let correlation = six_digits(self.squared_correlation);
            let _ = writeln!(text, "Mean squared error = {error} (regression)");
            let _ = writeln!(
                text,
                "Squared correlation coefficient = {correlation} (regression)"
            );
        } else {
            let accuracy = six_digits(self.accuracy());
            let (right, rows) = (self.right, self.rows);
            let _ = writeln!(
                text,
                "Accuracy = {accuracy}% ({right}/{rows}) (classification)"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_read_as_scripts_expect() {
        let summary = Summary::of(&[1.0, -1.0, 1.0], &[1.0, 1.0, 1.0]);
        let lines = summary.lines(SvmType::CSvc);
        assert_eq!(lines, "Accuracy = 66.6667% (2/3) (classification)\n");
        let summary = Summary::of(&[1.0, 2.0, 4.0], &[1.0, 2.0, 3.0]);
        let lines = summary.lines(SvmType::EpsilonSvr);
        assert_eq!(
            lines,
            "Mean squared error = 0.333333 (regression)\nSquared correlation coefficient = 0.964286 (regression)\n"
        );
        assert!(
            Summary::of(&[1.0, 1.0], &[1.0, 2.0])
                .squared_correlation
                .is_nan()
        );
    }
}
