//! `mercer bounds`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{LimitArgs, ReadingArgs};

/// Flags of `mercer bounds`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_value_name = "shatter|description",
    after_help = "What is computed follows from what is given:\n  --epsilon E                        rows a test set needs for an error rate to ±E\n  --errors M --rows N                intervals for the error rate behind M errors\n  --rate P --rows N                  how many errors to expect\n  --vc V --epsilon E                 rows after which no function of the class deceives\n  --vc V --rows N                    how far training and true error may differ\n  --vc V --points M                  labellings of M points (growth function)\n  --functions N                      VC dimension of a finite class, in place of --vc\n  --margin G --rows N                error of a plane that separates N rows\n  --norm B --rows N, --lambda L --rows N   the soft margin\n  --diameter D --columns C --epsilon E     pairs of random Fourier features\n\nExamples:\n  mercer bounds --epsilon 0.1 --delta 0.05\n  mercer bounds --errors 20 --rows 200\n  mercer bounds --vc 3 --epsilon 0.1\n  mercer bounds --margin 0.5 --radius 1 --rows 1000 --json\n  mercer bounds --functions 1000 --epsilon 0.1\n  mercer bounds shatter points.csv\n  mercer bounds description --prior 0.25,0.75 --likelihood '0.9^9*0.1,0.5^10'\n\nA bound of 1 or more is printed and called vacuous: it says nothing.\nWith --json: the keys test_sizes, intervals, errors, finite_class, uniform_convergence, growth, margin, soft_margin and\nrandom_features, each where it was asked for."
)]
pub(crate) struct BoundsArgs {
    #[command(subcommand)]
    pub(crate) what: Option<BoundsCommand>,

    /// Probability with which a bound may fail
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.05,
        allow_negative_numbers = true
    )]
    pub(crate) delta: f64,

    /// Largest difference between what is seen and what is true
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) epsilon: Option<f64>,

    /// Errors that were seen
    #[arg(long, value_name = "N")]
    pub(crate) errors: Option<usize>,

    /// Rows: of the test set, or those that were learnt from
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=9_000_000_000_000_000))]
    pub(crate) rows: Option<u64>,

    /// Error rate to expect [default for sizes: 0.5, the worst]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(crate) rate: Option<f64>,

    /// VC dimension of a class of functions
    #[arg(long, value_name = "N", help_heading = "Classes of functions")]
    pub(crate) vc: Option<u64>,

    /// Columns: half-spaces have VC dimension columns + 1; also for random features
    #[arg(long, value_name = "N", help_heading = "Classes of functions")]
    pub(crate) columns: Option<u64>,

    /// Functions of a finite class: its VC dimension is log₂ of their number at most
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "vc",
        help_heading = "Classes of functions"
    )]
    pub(crate) functions: Option<u64>,

    /// Points to be labelled
    #[arg(long, value_name = "N", help_heading = "Classes of functions")]
    pub(crate) points: Option<u64>,

    /// Distance of the nearest row from the plane
    #[arg(
        long,
        value_name = "NUMBER",
        allow_negative_numbers = true,
        help_heading = "Margins"
    )]
    pub(crate) margin: Option<f64>,

    /// Length of the longest row, in a feature space the root of the largest k(x,x)
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1.0,
        allow_negative_numbers = true,
        help_heading = "Margins"
    )]
    pub(crate) radius: f64,

    /// The plane's constant: none, free or regularised
    #[arg(
        long,
        value_name = "BIAS",
        default_value = "none",
        help_heading = "Margins"
    )]
    pub(crate) bias: String,

    /// Length of the weights that the soft margin is compared with
    #[arg(
        long,
        value_name = "NUMBER",
        allow_negative_numbers = true,
        help_heading = "Margins"
    )]
    pub(crate) norm: Option<f64>,

    /// Weight of ‖w‖² beside the mean hinge loss
    #[arg(
        long,
        value_name = "NUMBER",
        allow_negative_numbers = true,
        help_heading = "Margins"
    )]
    pub(crate) lambda: Option<f64>,

    /// Mean hinge loss of the training rows, added to what --lambda gives
    #[arg(
        long,
        value_name = "NUMBER",
        allow_negative_numbers = true,
        help_heading = "Margins"
    )]
    pub(crate) hinge: Option<f64>,

    /// Largest distance between two rows
    #[arg(
        long,
        value_name = "NUMBER",
        allow_negative_numbers = true,
        help_heading = "Random features"
    )]
    pub(crate) diameter: Option<f64>,

    /// Width of the Gaussian kernel
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1.0,
        allow_negative_numbers = true,
        help_heading = "Random features"
    )]
    pub(crate) sigma: f64,

    /// Pairs of features: the probability that they are off by epsilon
    #[arg(long, value_name = "N", help_heading = "Random features")]
    pub(crate) features: Option<u64>,
}

/// What is asked of points, or of hypotheses.
#[derive(Debug, Subcommand)]
pub(crate) enum BoundsCommand {
    /// Tell which labellings of a few points half-spaces can make
    Shatter(Box<ShatterArgs>),
    /// Tell how many bits hypotheses take to describe labels, and which is most probable (MDL = MAP)
    Description(Box<DescriptionArgs>),
}

/// Flags of `mercer bounds shatter`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer bounds shatter corners.csv\n  mercer bounds shatter corners.csv --homogeneous --json\n\nRows are points, 20 at most. Decimals are taken at their word and computed with exactly.\nWith --json: {\"shattered\",\"reached\",\"all\",\"witness\",\"exact\",\"points\",\"columns\"}."
)]
pub(crate) struct ShatterArgs {
    /// Table of points; `-` is standard input
    pub(crate) data: PathBuf,

    /// Columns to leave out
    #[arg(long, value_name = "COL,…", value_delimiter = ',')]
    pub(crate) drop: Vec<String>,

    /// Planes go through the origin
    #[arg(long)]
    pub(crate) homogeneous: bool,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Flags of `mercer bounds description`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer bounds description --prior 0.25,0.75 --likelihood '0.9^9*0.1,0.5^10'\n  mercer bounds description --prior 1,1 --log-likelihood=-1204.3,-1198.7 --json\n\nA hypothesis H that was given the probability p(H) takes -log2 p(H) bits, and the labels L take -log2 p(L given H)\nafter it. The shortest message belongs to the most probable hypothesis. A likelihood is a probability or a product of\npowers, such as 0.9^9*0.1 for nine right rows and a wrong one; it may be smaller than any number of a computer.\nPriors that do not sum to 1 are weights: they are divided by their sum.\nWith --json: {\"hypotheses\":[{\"prior\",\"hypothesis_bits\",\"label_bits\",\"bits\",\"posterior\"}],\"shortest\",\"entropy\"}; hypotheses\ncount from 1, and bits are null where labels are impossible."
)]
pub(crate) struct DescriptionArgs {
    /// Probability of every hypothesis before labels were seen
    #[arg(
        long,
        value_name = "P,…",
        value_delimiter = ',',
        required = true,
        allow_hyphen_values = true
    )]
    pub(crate) prior: Vec<f64>,

    /// Probability of the labels under every hypothesis: a number, or a product of powers
    #[arg(
        long,
        value_name = "P,…",
        value_delimiter = ',',
        required_unless_present = "log_likelihood"
    )]
    pub(crate) likelihood: Vec<String>,

    /// The same as natural logarithms
    #[arg(
        long,
        value_name = "LN,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        conflicts_with = "likelihood"
    )]
    pub(crate) log_likelihood: Vec<f64>,
}
