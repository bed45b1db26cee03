//! `mercer forecast`.

use std::path::PathBuf;

use clap::Args;
use mercer::model::ForecastWay;

use super::{ReadingArgs, RunningArgs};

/// Flags of `mercer forecast`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer fit visitors.csv --target visitors --time month --lags 12 --horizon 6\n  mercer forecast visitors.mercer visitors.csv -o next.csv --plot next.svg\n  mercer forecast visitors.mercer visitors.csv --steps 24 --way recursive --level 0.8\n\nA direct forecast has a function for every step, learnt with `--horizon`; its intervals are as wide as the\nerrors of that step on later windows that were held out. A recursive one feeds its own values back; its\nintervals hold the paths that come of adding such errors step by step. Rows after the last known target\nmay give other columns in advance.\n\nWith --json: {\"way\",\"level\",\"forecast\":[{\"step\",\"time\",\"value\",\"lower\",\"upper\"}],\"plot\",\"output\"}."
)]
pub(crate) struct ForecastArgs {
    /// Model file that was learnt with `--lags`
    pub(crate) model: PathBuf,

    /// The series up to now; `-` is standard input
    pub(crate) data: PathBuf,

    /// Steps to forecast [default: the horizon of the model]
    #[arg(long, value_name = "STEPS")]
    pub(crate) steps: Option<usize>,

    /// recursive or direct [default: direct where every step has a function]
    #[arg(long, value_name = "WAY")]
    pub(crate) way: Option<ForecastWay>,

    /// Probability that intervals are to keep
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.9,
        allow_negative_numbers = true
    )]
    pub(crate) level: f64,

    /// CSV file to write [default: standard output]
    #[arg(short, long, value_name = "FILE.csv")]
    pub(crate) output: Option<PathBuf>,

    /// Picture of the series, the forecast and earlier errors to write
    #[arg(long, value_name = "FILE.svg|png")]
    pub(crate) plot: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
