//! `mercer plot`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::fit::ScaleArg;
use super::{LimitArgs, ReadingArgs, RunningArgs};

/// Flags of `mercer plot`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer plot boundary iris.mercer iris.csv -o boundary.svg\n  mercer plot kernel iris.mercer iris.csv -o kernel.png\n  mercer plot spectrum houses.mercer houses.csv -o spectrum.svg\n  mercer plot path houses.csv --target price --model lasso -o path.svg\n  mercer plot draws 'matern(nu=1.5, length=1)' -o draws.svg\n  mercer plot eigenfunctions 'rbf(sigma=0.5)' -o functions.svg\n\nOther pictures: `mercer curve --plot` (learning and validation curves), `mercer embed --plot`, `mercer cluster --plot`,\n`mercer forecast --plot`, `mercer cv --permutations --plot`; `--report` of `fit` and `tune` has those of a model."
)]
pub(crate) struct PlotArgs {
    #[command(subcommand)]
    pub(crate) figure: PlotFigure,
}

/// What is drawn.
#[derive(Debug, Subcommand)]
pub(crate) enum PlotFigure {
    /// Draw where a model decides: regions, border, margin and support vectors
    Boundary(Box<BoundaryArgs>),
    /// Draw the kernel matrix of a model's kernel, rows sorted by class or target
    Kernel(Box<KernelPlotArgs>),
    /// Draw the eigenvalues of the kernel matrix, with the effective dimension
    Spectrum(Box<SpectrumArgs>),
    /// Draw the coefficients of a linear model over its penalty
    Path(Box<PathArgs>),
    /// Draw functions of a Gaussian process with a kernel as covariance, before or after values are known
    Draws(Box<DrawsArgs>),
    /// Draw the eigenfunctions of a kernel over an interval (Mercer's expansion)
    Eigenfunctions(Box<EigenfunctionsArgs>),
}

impl PlotFigure {
    /// Returns the limits of the command.
    pub(crate) fn limits(&self) -> LimitArgs {
        match self {
            Self::Boundary(args) => args.rows.running.limits,
            Self::Kernel(args) => args.rows.running.limits,
            Self::Spectrum(args) => args.rows.running.limits,
            Self::Path(args) => args.running.limits,
            Self::Draws(args) => args.over.running.limits,
            Self::Eigenfunctions(args) => args.over.running.limits,
        }
    }
}

/// A model, rows, and a picture of them.
#[derive(Debug, Args)]
pub(crate) struct PlotRows {
    /// Model file
    pub(crate) model: PathBuf,

    /// Rows; `-` is standard input
    pub(crate) data: PathBuf,

    /// Picture to write
    #[arg(short, long, value_name = "FILE.svg|png")]
    pub(crate) output: PathBuf,

    /// Column with the rows' own classes or values [default: the one the model learnt, where it is there]
    #[arg(short, long, value_name = "COL")]
    pub(crate) target: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Flags of `mercer plot boundary`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer plot boundary iris.mercer iris.csv -o boundary.svg\n  mercer plot boundary iris.mercer iris.csv --columns petal_length,petal_width -o petals.png\n  mercer plot boundary digits.mercer digits.csv --projections -o digits.svg\n\nOther columns are held at their median or most frequent value, so that rows whose other columns are far from it\nneed not lie in the region of their class. Where predictions change is found by halving, for any model that predicts\nclasses, novelty or clusters. Dashed lines are f = ±1 of two classes; rings are support vectors among the rows, crosses rows that\nare predicted wrongly.\n\nWith --json: {\"figure\",\"plot\",\"title\",\"note\",\"axes\",\"rows\",\"wrong\",\"support_vectors\"}."
)]
pub(crate) struct BoundaryArgs {
    #[command(flatten)]
    pub(crate) rows: PlotRows,

    /// Two numeric columns for the axes [default: the two most important ones]
    #[arg(
        long,
        value_name = "COL,COL",
        value_delimiter = ',',
        conflicts_with = "projections"
    )]
    pub(crate) columns: Vec<String>,

    /// Take the two directions of largest variance as axes
    #[arg(long)]
    pub(crate) projections: bool,
}

/// Flags of `mercer plot kernel`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer plot kernel iris.mercer iris.csv -o kernel.svg\n  mercer plot kernel tox.mercer molecules.csv --target toxic -o kernel.png\n\nOf more than 240 rows some are drawn at random, classes in proportion; `--seed` draws others.\n\nWith --json: {\"figure\",\"plot\",\"title\",\"note\",\"rows\"}."
)]
pub(crate) struct KernelPlotArgs {
    #[command(flatten)]
    pub(crate) rows: PlotRows,
}

/// Flags of `mercer plot spectrum`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer plot spectrum houses.mercer houses.csv -o spectrum.svg\n  mercer plot spectrum iris.mercer iris.csv --lambda 0.1 -o spectrum.png\n\nThe effective dimension is Σ s/(s + λ) over the eigenvalues s where λ is known, and (Σ s)²/Σ s² elsewhere. Of more than\n1000 rows some are drawn at random.\n\nWith --json: {\"figure\",\"plot\",\"title\",\"note\",\"eigenvalues\",\"lambda\",\"effective_dimension\"}."
)]
pub(crate) struct SpectrumArgs {
    #[command(flatten)]
    pub(crate) rows: PlotRows,

    /// Penalty that the eigenvalues are compared with [default: that of models with a squared loss]
    #[arg(long, value_name = "λ")]
    pub(crate) lambda: Option<f64>,
}

/// Flags of `mercer plot path`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer plot path houses.csv --target price -o path.svg\n  mercer plot path houses.csv --target price --model ridge -o ridge.png\n  mercer plot path houses.csv --target price --model elastic_net --l1-ratio 0.3 --lambda 2 -o net.svg\n\nColumns are standardised, so that coefficients can be compared. The eight largest have names.\n\nWith --json: {\"figure\",\"plot\",\"title\",\"note\",\"lambdas\",\"coefficients\":{NAME:[…]},\"lambda\"}."
)]
pub(crate) struct PathArgs {
    /// Table to learn from; `-` is standard input
    pub(crate) data: PathBuf,

    /// Numeric column to predict
    #[arg(short, long, value_name = "COL")]
    pub(crate) target: String,

    /// Picture to write
    #[arg(short, long, value_name = "FILE.svg|png")]
    pub(crate) output: PathBuf,

    /// Linear model
    #[arg(short, long, value_name = "MODEL", default_value = "lasso")]
    pub(crate) model: PathModelArg,

    /// Share of the absolute values in the penalty of `elastic_net` [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    pub(crate) l1_ratio: Option<f64>,

    /// Penalty to mark [default: that of the least leave-one-out error, for `ridge`]
    #[arg(long, value_name = "λ")]
    pub(crate) lambda: Option<f64>,

    /// Columns to leave out
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,

    /// Scaling of numeric columns; `auto` standardises
    #[arg(long, value_name = "SCALING", default_value = "auto")]
    pub(crate) scale: ScaleArg,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// A kernel over an interval.
#[derive(Debug, Args)]
pub(crate) struct OverInterval {
    /// Kernel expression on one number, such as `rbf(sigma=0.5)`
    #[arg(value_name = "EXPR")]
    pub(crate) kernel: String,

    /// Picture to write
    #[arg(short, long, value_name = "FILE.svg|png")]
    pub(crate) output: PathBuf,

    /// Where the interval begins
    #[arg(
        long,
        value_name = "X",
        default_value_t = 0.0,
        allow_hyphen_values = true
    )]
    pub(crate) from: f64,

    /// Where it ends
    #[arg(
        long,
        value_name = "X",
        default_value_t = 1.0,
        allow_hyphen_values = true
    )]
    pub(crate) to: f64,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Flags of `mercer plot draws`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer plot draws 'rbf(sigma=0.2)' -o prior.svg\n  mercer plot draws 'matern(nu=1.5, length=1)' --from -3 --to 3 --given -1=0.5,2=-1 --noise 0.01 -o posterior.svg\n\nWith --given the functions are those of the posterior: they go near the known values, as near as the noise allows.\n`--seed` draws others.\n\nWith --json: {\"figure\",\"plot\",\"title\",\"note\",\"at\",\"functions\"}."
)]
pub(crate) struct DrawsArgs {
    #[command(flatten)]
    pub(crate) over: OverInterval,

    /// Functions to draw
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) count: usize,

    /// Known values, as place=value
    #[arg(long, value_name = "X=Y,…", value_delimiter = ',', allow_hyphen_values = true, value_parser = known_value)]
    pub(crate) given: Vec<[f64; 2]>,

    /// Variance of known values around the function
    #[arg(
        long,
        value_name = "VARIANCE",
        default_value_t = 0.0,
        requires = "given"
    )]
    pub(crate) noise: f64,
}

/// Flags of `mercer plot eigenfunctions`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer plot eigenfunctions 'rbf(sigma=0.3)' -o functions.svg\n  mercer plot eigenfunctions 'laplace(scale=1)' --from -2 --to 2 --terms 6 -o laplace.png\n\nAll places of the interval are equally likely: k(x, z) = Σ λ φ(x) φ(z), and the mean of every φ² is 1.\n\nWith --json: {\"figure\",\"plot\",\"title\",\"note\",\"at\",\"functions\",\"eigenvalues\"}."
)]
pub(crate) struct EigenfunctionsArgs {
    #[command(flatten)]
    pub(crate) over: OverInterval,

    /// Functions to show, those of the largest eigenvalues
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) terms: usize,
}

/// Reads `place=value`.
fn known_value(text: &str) -> Result<[f64; 2], String> {
    let number = |part: &str| part.trim().parse::<f64>().ok().filter(|v| v.is_finite());
    let parts = text.split_once('=').map(|(x, y)| [number(x), number(y)]);
    match parts {
        Some([Some(x), Some(y)]) => Ok([x, y]),
        _ => Err("write a place and the value there as two numbers, such as 0.5=2".to_owned()),
    }
}

/// `--model` of `mercer plot path`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum PathModelArg {
    /// A penalty on absolute values
    Lasso,
    /// A penalty on squares
    Ridge,
    /// Both
    ElasticNet,
}
