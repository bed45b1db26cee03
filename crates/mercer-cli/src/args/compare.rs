//! `mercer compare`.

use std::path::PathBuf;

use clap::Args;
use mercer::data::Task;
use mercer::judge::Metric;

use super::{ColumnArgs, ReadingArgs, RunningArgs, ScaleArg, parse};

/// Flags of `mercer compare`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer compare iris.csv --target species --models svc,klr,lssvm\n  mercer compare houses.csv --target price --models auto,ridge,svr --repeats 5 --metric mae\n\nAll models learn from the same parts of the rows and predict the same others. Settings of a named model are\nsearched inside each training part (`mercer models` marks what a search varies); `--as-is` takes the defaults.\nThe others are held against the best one by Student's test with Nadeau and Bengio's variance for\noverlapping training parts, p-values raised for their number (Holm), and by the probability that the\ndifference is smaller than what matters. One dealing of folds makes the test careful; `--repeats 10`\ngives it its level.\n\nWith --json: {\"metric\",\"rows\",\"folds\",\"repeats\",\"folds_done\",\"cut\",\"searched\",\"margin\",\"models\":[{\"model\",\"scores\",\"mean\",\"deviation\",\n\"fit_seconds\",\"predict_seconds\",\"size\",\"against_best\":{\"difference\",\"standard_error\",\"p_value\",\"better\",\"equal\",\"worse\"},\"p_adjusted\"}],\"verdict\"}."
)]
pub(crate) struct CompareArgs {
    /// Table to learn from; `-` is standard input
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    /// Models to compare: auto, or methods of `mercer models`
    #[arg(
        short,
        long,
        value_name = "MODEL,…",
        value_delimiter = ',',
        required = true
    )]
    pub(crate) models: Vec<String>,

    /// classify or regress [default: told from the target]
    #[arg(long, value_name = "TASK", help_heading = "Comparison")]
    pub(crate) task: Option<Task>,

    #[arg(long, value_name = "METRIC", help_heading = "Comparison", value_parser = parse::metric_of_trials, help = parse::metric_of_trials_help())]
    pub(crate) metric: Option<Metric>,

    /// Parts that the rows are dealt into
    #[arg(
        long,
        value_name = "K",
        default_value_t = 10,
        help_heading = "Comparison"
    )]
    pub(crate) folds: usize,

    /// How often the rows are dealt into parts
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        help_heading = "Comparison"
    )]
    pub(crate) repeats: usize,

    /// Take the default settings of named models instead of searching them in each training part
    #[arg(long, help_heading = "Comparison")]
    pub(crate) as_is: bool,

    /// Difference of scores from which on it matters [default: 0.01 of scores that end at 1, else
    /// a hundredth of the best]
    #[arg(long, value_name = "SCORE", help_heading = "Comparison")]
    pub(crate) margin: Option<f64>,

    /// Scaling of numeric columns; `auto` standardises them for every model
    #[arg(
        long,
        value_name = "SCALING",
        default_value = "auto",
        help_heading = "Comparison"
    )]
    pub(crate) scale: ScaleArg,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
