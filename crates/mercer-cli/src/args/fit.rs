//! `mercer fit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mercer::data::Task;

use super::{ReadingArgs, RunningArgs, parse};

/// Flags of `mercer fit`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer fit iris.csv --target species --holdout 0.3\n  mercer fit houses.parquet --target price --model svr --kernel 'rbf(sigma=2)' --c 10\n  mercer fit molecules.csv --target active --kernel 'wl@smiles + rbf@logp'\n  mercer fit ties.csv --nodes people.csv --target club\n  zcat a9a.gz | mercer fit - --format libsvm --target y -o a9a.mercer --json"
)]
pub(crate) struct FitArgs {
    /// Table to learn from; `-` is standard input
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    #[command(flatten)]
    pub(crate) machine: MachineArgs,

    /// Score on a share of the rows that is kept out of learning, such as 0.3
    #[arg(long, value_name = "SHARE", value_parser = parse::share, help_heading = "Judging")]
    pub(crate) holdout: Option<f64>,

    /// Score by cross-validation with this many folds
    #[arg(
        long,
        value_name = "K",
        conflicts_with = "holdout",
        help_heading = "Judging"
    )]
    pub(crate) folds: Option<usize>,

    /// Model file to write [default: DATA with `.mercer`, in the current folder]
    #[arg(short, long, value_name = "FILE.mercer", help_heading = "Files")]
    pub(crate) output: Option<PathBuf>,

    /// HTML report to write
    #[arg(long, value_name = "FILE.html", help_heading = "Files")]
    pub(crate) report: Option<PathBuf>,

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
    /// Column to predict
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

    /// Leave out rows whose target is missing
    #[arg(long)]
    pub(crate) drop_unlabelled: bool,

    /// The label that counts as positive, in a problem of two classes
    #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
    pub(crate) positive: Option<String>,
}

/// What is learnt, and with which settings.
#[expect(
    clippy::struct_excessive_bools,
    reason = "every switch is a flag of its own"
)]
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Machine")]
pub(crate) struct MachineArgs {
    /// classify, regress or novelty [default: told from the target]
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<Task>,

    /// auto, svc, svr, nu_svc, nu_svr, one_class, lssvm, gp, krr (kernel linear, lambda 1, no
    /// constant; classes by its sign) or klr
    #[arg(short, long, value_name = "MODEL", default_value = "auto")]
    pub(crate) model: String,

    /// Kernel expression; see `mercer kernel --list`
    #[arg(short, long, value_name = "EXPR")]
    pub(crate) kernel: Option<String>,

    /// Price of errors; svc, svr, nu_svr and klr
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub(crate) c: Option<f64>,

    /// Weight of the penalty: C = 1/(2λn) for n rows of svc and svr; krr minimises
    /// Σ(y − f)² + λ‖f‖², with λ = 1 unless another is given
    #[arg(long, value_name = "LAMBDA", allow_negative_numbers = true)]
    pub(crate) lambda: Option<f64>,

    /// Trust in the targets against smoothness; lssvm and gp [default: by evidence]
    #[arg(long, value_name = "GAMMA", allow_negative_numbers = true)]
    pub(crate) gamma: Option<f64>,

    /// Seconds of work for the trials of `auto`, counted on a usual machine [default: 1, and 1 more per 10,000 rows]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) budget: Option<f64>,

    /// Share of the rows to keep as support vectors; lssvm
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(crate) keep: Option<f64>,

    /// Allow no margin error; svc
    #[arg(long)]
    pub(crate) hard: bool,

    /// Share of errors and support vectors; nu_svc, nu_svr and one_class
    #[arg(long, value_name = "NU", allow_negative_numbers = true)]
    pub(crate) nu: Option<f64>,

    /// Half-width of the tube in which errors cost nothing; svr
    #[arg(long, value_name = "EPSILON", allow_negative_numbers = true)]
    pub(crate) epsilon: Option<f64>,

    /// The constant term; svc, svr, lssvm, gp, klr [default: free] and krr [default: none]
    #[arg(long, value_name = "BIAS")]
    pub(crate) bias: Option<BiasArg>,

    /// How several classes are told apart; svc and lssvm
    #[arg(long, value_name = "SCHEME")]
    pub(crate) multiclass: Option<SchemeArg>,

    /// `balanced`, or a factor on C for a class, repeatable; svc, nu_svc, lssvm and klr
    #[arg(
        long = "class-weight",
        value_name = "LABEL=W",
        value_parser = parse::class_weight,
        allow_hyphen_values = true
    )]
    pub(crate) class_weights: Vec<parse::ClassWeight>,

    /// Also learn probabilities; svc and nu_svc (lssvm and klr have them always)
    #[arg(long)]
    pub(crate) proba: bool,

    /// Largest KKT violation of a converged answer [default: 0.001]
    #[arg(long, value_name = "TOLERANCE", allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,

    /// Keep settled variables in the working set
    #[arg(long)]
    pub(crate) no_shrinking: bool,

    /// Largest number of solver steps per problem
    #[arg(long, value_name = "N")]
    pub(crate) max_iterations: Option<u64>,

    /// Compute all kernel values in double precision
    #[arg(long)]
    pub(crate) verify: bool,

    /// Scaling of numeric columns; `auto` standardises when model and kernel are chosen
    #[arg(long, value_name = "SCALING", default_value = "auto")]
    pub(crate) scale: ScaleArg,
}

/// `--bias`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BiasArg {
    /// Not penalised
    Free,
    /// Absent
    None,
    /// Penalised like a weight
    Regularised,
}

/// `--multiclass`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum SchemeArg {
    /// A decision per pair of classes
    OneVsOne,
    /// A decision per class
    OneVsRest,
}

/// `--scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ScaleArg {
    /// Standardise when model and kernel are chosen
    #[default]
    Auto,
    /// Mean 0, variance 1
    Standard,
    /// As they are
    None,
}
