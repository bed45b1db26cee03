//! `mercer select`.

use std::path::PathBuf;

use clap::Args;

use super::fit::ColumnArgs;
use super::{ReadingArgs, RunningArgs, ScaleArg};

/// Flags of `mercer select`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer select table.csv --target y\n  mercer select houses.csv --target price --candidate linear --candidate 'rbf + linear' --candidate 'rbf(columns)'\n  mercer select houses.csv --target price --plot evidence.svg\n\nEvidence (log marginal likelihood) is log p(data | kernel), noise level and free hyperparameters\nintegrated out; a difference of 3 makes a kernel twenty times as probable. `closed form` is Theorem 18's approximation of it, where\nthat holds. `rbf(columns)` is the Gaussian (RBF) kernel with a width per column.\n\nWith --groups kernels are ranked by the error on groups that are left out as a whole (LGO): the evidence takes rows of\na group for independent.\n\nWith --json: {\"task\",\"rows\",\"groups\",\"kernels\":[{\"name\",\"kernel\",\"log_evidence\",\"posterior\",\"gamma\",\"effective_parameters\",\"leave_one_out\",\"fitted_numbers\",\"is_integral\",\"occam_error\",\"closed_form\",\"seconds\"}],\"notes\"}."
)]
pub(crate) struct SelectArgs {
    /// Table to learn from; `-` is standard input
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    /// Kernel expression that takes part; repeatable [default: linear, poly 2 and 3, rbf, rbf(columns),
    /// laplace, matern 3/2 and 5/2, rbf + linear]
    #[arg(long, value_name = "EXPR", help_heading = "Kernels")]
    pub(crate) candidate: Vec<String>,

    /// Prior probabilities of kernels, such as 'rbf=0.5,linear=0.25'; the others share what is left
    #[arg(long, value_name = "NAME=P,...", help_heading = "Kernels")]
    pub(crate) prior: Option<String>,

    /// Page with the table and pictures of the evidence
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Picture of the evidence over the hyperparameters of the best kernel and γ
    #[arg(long, value_name = "FILE.svg|png", help_heading = "Output")]
    pub(crate) plot: Option<PathBuf>,

    /// Scaling of numeric columns
    #[arg(
        long,
        value_name = "SCALING",
        default_value = "standard",
        help_heading = "Kernels"
    )]
    pub(crate) scale: ScaleArg,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}
