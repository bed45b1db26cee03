//! `mercer cv` and `mercer tune`.

use std::path::PathBuf;

use clap::Args;
use mercer::hint::either;
use mercer::judge::{METRICS, Metric};
use mercer::select::grid::{Axis, FoldRule, read_metric};

use super::fit::ColumnArgs;
use super::{ModelArgs, ReadingArgs, RunningArgs, parse};
use crate::failure::worded;

/// Flags of `mercer cv`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer cv iris.csv --target species\n  mercer cv houses.csv --target price --model krr --kernel rbf --folds loo --json\n  mercer cv spam.csv --target kind --model svc --search --repeats 3\n  mercer cv trial.csv --target cured --model logistic --permutations 200 --plot chance.svg\n\nRows are left out one by one in closed form where the method has one (ols, ridge, krr, lssvm, gp of numbers), and by\none fit each elsewhere. `auto` chooses anew in every training part; `--search` lets a named model do so.\n\nWith --json: {\"model\",\"task\",\"folds\",\"metrics\":{NAME:{\"value\",\"low\",\"high\"}},\"fold_metrics\":[{…}],\"repeated\":{NAME:{\"mean\",\"deviation\",\n\"low\",\"high\"}},\"chance\":{\"metric\",\"score\",\"shuffled\",\"p_value\"}}."
)]
pub(crate) struct CvArgs {
    /// Table to learn from; `-` is standard input
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[arg(long, value_name = "METRIC", help_heading = "Model", value_parser = parse::metric_of_trials, help = parse::metric_of_trials_help())]
    pub(crate) metric: Option<Metric>,

    /// Number of folds, or `loo` for leave-one-out
    #[arg(long, value_name = "K", default_value = "5", value_parser = parse::folds, help_heading = "Evaluation")]
    pub(crate) folds: FoldRule,

    /// How often the rows are dealt into folds
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        help_heading = "Evaluation"
    )]
    pub(crate) repeats: usize,

    /// Search the settings of a named model inside every training part (nested cross-validation)
    #[arg(long, help_heading = "Evaluation")]
    pub(crate) search: bool,

    /// Shuffle the targets so often, and tell how likely shuffled ones score as well (permutation test)
    #[arg(long, value_name = "N", help_heading = "Evaluation")]
    pub(crate) permutations: Option<usize>,

    /// Picture of the scores of shuffled targets to write
    #[arg(
        long,
        value_name = "FILE.svg|png",
        requires = "permutations",
        help_heading = "Evaluation"
    )]
    pub(crate) plot: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Flags of `mercer tune`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer tune table.csv --target y\n  mercer tune spam.csv --target kind --scale standard --kernel rbf --grid C=0.01..10000:10 --grid gamma=1e-4..1:10 --refine 1 --report search.html\n  mercer tune houses.csv --target price --model svr --kernel 'poly + rbf' --grid degree=2,3 --grid rbf.gamma=0.01..1:3 --metric rmse\n\nA grid is SETTING=VALUES: `C=0.01..10000:10` is ten values (spaced by ratio when both ends are\npositive and a factor of 10 apart, else evenly; `:log` or `:linear` decide otherwise),\n`degree=2,3,4` lists them. Settings: those of the model that a search may vary (`mercer models` marks\nthem: C, lambda, nu, epsilon, …), any kernel parameter (`gamma`,\n`poly.degree`, `rbf2.gamma` for the second rbf of the expression) and the factors of a sum\n(`weight1`, `weight2`). Without --grid, what the model leaves open is searched.\n\nWith --json: {\"model\",\"task\",\"kernel\",\"metric\",\"folds\",\"best\":POINT,\"points\":[POINT],\"seconds\",\"report\",\"file\"},\nPOINT = {\"params\":{NAME:VALUE},\"score\",\"standard_error\",\"fold_scores\",\"status\":complete|dropped|not_run,\"round\"}."
)]
pub(crate) struct TuneArgs {
    /// Table to learn from; `-` is standard input
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Values of a setting, such as `C=0.1..1000:5` or `degree=2,3`; repeatable
    #[arg(long, value_name = "SETTING=VALUES", help_heading = "Search", value_parser = axis)]
    pub(crate) grid: Vec<Axis>,

    /// Number of folds, or `loo` for leave-one-out
    #[arg(long, value_name = "K", default_value = "5", value_parser = parse::folds, help_heading = "Search")]
    pub(crate) folds: FoldRule,

    #[arg(long, value_name = "METRIC", help_heading = "Search", value_parser = metric, help = metric_help())]
    pub(crate) metric: Option<Metric>,

    /// Rounds of a finer grid around the best point
    #[arg(
        long,
        value_name = "ROUNDS",
        default_value_t = 0,
        help_heading = "Search"
    )]
    pub(crate) refine: usize,

    /// Score every point on every fold, also those that cannot win any more
    #[arg(long, help_heading = "Search")]
    pub(crate) no_race: bool,

    /// Model file to write [default: DATA with `.mercer`, in the current folder]
    #[arg(short, long, value_name = "FILE.mercer", help_heading = "Files")]
    pub(crate) output: Option<PathBuf>,

    /// Overwrite a model of another table that has the default name
    #[arg(long, help_heading = "Files")]
    pub(crate) force: bool,

    /// HTML report to write
    #[arg(long, value_name = "FILE.html", help_heading = "Files")]
    pub(crate) report: Option<PathBuf>,

    /// Table of all points to write
    #[arg(long, value_name = "FILE.csv", help_heading = "Files")]
    pub(crate) table: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

fn axis(text: &str) -> Result<Axis, String> {
    text.parse().map_err(|e: mercer::Error| e.to_string())
}

fn metric_help() -> String {
    let entries = METRICS.iter().filter(|entry| !entry.searches.is_empty());
    let names: Vec<&str> = entries.map(|entry| entry.name).collect();
    format!(
        "What decides: {} [default: accuracy, r2 or acceptance, by task]",
        either(names.iter().map(|name| (*name).to_owned()))
    )
}

fn metric(text: &str) -> Result<Metric, String> {
    read_metric(text).map_err(|e| {
        let hints = worded(&e.hints()).join("; ");
        format!("{e}; {hints}")
    })
}
