//! `mercer fit`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use mercer::data::series::Lags;
use mercer::data::{Sample, Task, TextEncoding};
use mercer::judge::Metric;
use mercer::learn::AnyEstimator;

use super::settings::SettingArgs;
use super::{ReadingArgs, RunningArgs, parse};

/// Flags of `mercer fit`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer fit iris.csv --target species --holdout 0.3\n  mercer fit houses.parquet --target price --model svr --kernel 'rbf(sigma=2)' --c 10\n  mercer fit molecules.csv --target active --kernel 'wl@smiles + rbf@logp'\n  mercer fit edges.csv --nodes people.csv --target club\n  mercer fit visitors.csv --target visitors --time month --lags 12 --horizon 6\n  mercer fit flights.csv.gz --target delay --model nystroem --components 1000 --stream --checkpoint flights.state\n  zcat a9a.gz | mercer fit - --format libsvm --target y -o a9a.mercer --json"
)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command"
)]
pub(crate) struct FitArgs {
    /// Table to learn from; `-` is standard input
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    /// Score on a held-out share of the rows, such as 0.3; the model itself then learns from all
    #[arg(long, value_name = "SHARE", value_parser = parse::share, help_heading = "Evaluation")]
    pub(crate) holdout: Option<f64>,

    /// Keep the model that was scored, which has not seen the held-out rows
    #[arg(long, requires = "holdout", help_heading = "Evaluation")]
    pub(crate) no_refit: bool,

    /// Score by cross-validation with this many folds
    #[arg(
        long,
        value_name = "K",
        conflicts_with = "holdout",
        help_heading = "Evaluation"
    )]
    pub(crate) folds: Option<usize>,

    /// Also print solver numbers, all scores and all notes
    #[arg(short, long, help_heading = "Evaluation")]
    pub(crate) verbose: bool,

    /// Model file to write [default: DATA with `.mercer`, in the current folder]
    #[arg(short, long, value_name = "FILE.mercer", help_heading = "Files")]
    pub(crate) output: Option<PathBuf>,

    /// Overwrite a model of another table that has the default name
    #[arg(long, help_heading = "Files")]
    pub(crate) force: bool,

    /// HTML report to write
    #[arg(long, value_name = "FILE.html", help_heading = "Files")]
    pub(crate) report: Option<PathBuf>,

    /// Read the rows block by block instead of all into memory: nystroem (which auto takes) and rff,
    /// CSV, Parquet and LIBSVM; without it tables too large for memory are read so
    #[arg(long, help_heading = "Files")]
    pub(crate) stream: bool,

    /// File to go on from when a fit with `--stream`, which this implies, was ended early; the same
    /// command finds it, and removes it when it is done
    #[arg(long, value_name = "FILE.state", help_heading = "Files")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Seconds between two writings of the checkpoint
    #[arg(long, value_name = "SECONDS", value_parser = parse::seconds, default_value = "60", requires = "checkpoint", help_heading = "Files")]
    pub(crate) checkpoint_every: Duration,

    /// Model card to write: what the model is, how good it is and what to take care of, as Markdown
    #[arg(long, value_name = "FILE.md", help_heading = "Files")]
    pub(crate) card: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[arg(long, value_name = "METRIC", help_heading = "Model", value_parser = parse::metric_of_trials, help = parse::metric_of_trials_help())]
    pub(crate) metric: Option<Metric>,

    /// Model to start from; svc and svr
    #[arg(long, value_name = "FILE.mercer", help_heading = "Files")]
    pub(crate) warm_start: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Which column plays which part.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Columns")]
pub(crate) struct ColumnArgs {
    /// Column to predict; `a,b` where the model predicts several numbers
    #[arg(short, long, value_name = "COL")]
    pub(crate) target: Option<String>,

    /// Column that says how many copies a row stands for
    #[arg(long, value_name = "COL")]
    pub(crate) weights: Option<String>,

    /// Column whose equal values never stand on both sides of a split
    #[arg(long, value_name = "COL")]
    pub(crate) groups: Option<String>,

    /// Column that names rows; not learnt from
    #[arg(long, value_name = "COL")]
    pub(crate) id: Option<String>,

    /// Columns to leave out
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,

    /// Columns to learn from even where they seem to number or name rows, which `auto` leaves out
    #[arg(long = "use", value_name = "COL,…", value_delimiter = ',')]
    pub(crate) used: Vec<String>,

    /// How texts become numbers: `tfidf`, `bag`, `tfidf(ngrams=2,min=3)`, `bag(binary)`; repeatable
    /// [default: tfidf where the model has no kernels, else string kernels read them]
    #[arg(long, value_name = "COL=EXPR", value_parser = parse::encode)]
    pub(crate) encode: Vec<(String, TextEncoding)>,

    /// Leave out rows whose target is missing
    #[arg(long)]
    pub(crate) drop_unlabelled: bool,

    /// The label that counts as positive, in a problem of two classes
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) positive: Option<String>,

    /// Learn a series: earlier values that the next one is predicted from, such as `12` for the last
    /// twelve, or `y=1..12,price=1,2`; folds then learn from earlier rows only
    #[arg(long, value_name = "LAGS", value_parser = parse::lags, help_heading = "Series")]
    pub(crate) lags: Option<Lags>,

    /// Steps ahead that get a function of their own, for direct forecasts
    #[arg(long, value_name = "STEPS", requires = "lags", help_heading = "Series")]
    pub(crate) horizon: Option<usize>,

    /// Column of times, dates or numbers, by which rows are sorted [default: rows are in order]
    #[arg(long, value_name = "COL", requires = "lags", help_heading = "Series")]
    pub(crate) time: Option<String>,
}

/// What learns, and with which settings.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArgs {
    /// classify, regress, novelty, cluster or embed [default: told from the target]
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<Task>,

    /// auto, or a method of `mercer models`
    #[arg(short, long, value_name = "MODEL", default_value = "auto")]
    pub(crate) model: String,

    /// Kernel expression; see `mercer kernel --list`
    #[arg(short, long, value_name = "EXPR")]
    pub(crate) kernel: Option<String>,

    /// Any setting of the model by name, repeatable; see `mercer models`
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse::setting)]
    pub(crate) set: Vec<(String, String)>,

    /// Seconds of work for the trials of `auto`, counted on a typical computer [default: 1, and 1
    /// more per 10,000 rows]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) budget: Option<f64>,

    /// Rows to learn from, drawn at random with classes in proportion, or `all`; the others score
    /// the model [default: all, unless `auto` meets a table too large for that]
    #[arg(long, value_name = "ROWS", value_parser = parse::sample)]
    pub(crate) sample: Option<Sample>,

    /// Learn from coordinates in the place of columns: `pca=10`, `whiten`, `kpca=20` (with `rbf`), `ica=3`, `nystroem=200`
    #[arg(long, value_name = "NAME[=N]", value_parser = parse::project)]
    pub(crate) project: Option<AnyEstimator>,

    /// Scaling of numeric columns; `auto` standardises them where `--model` and `--kernel` are left to
    /// mercer, and leaves them as they are where either is named
    #[arg(long, value_name = "SCALING", default_value = "auto")]
    pub(crate) scale: ScaleArg,

    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

/// `--scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ScaleArg {
    /// Standardise where neither model nor kernel is named
    #[default]
    Auto,
    /// Mean 0, variance 1
    Standard,
    /// As they are
    None,
}
