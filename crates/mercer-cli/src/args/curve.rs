//! `mercer curve`.

use std::path::PathBuf;

use clap::Args;
use mercer::judge::Metric;
use mercer::recipe::Part;
use mercer::select::grid::Varied;

use super::{ColumnArgs, ModelArgs, ReadingArgs, RunningArgs, parse};

/// Flags of `mercer curve`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mercer curve iris.csv --target species --model svc\n  mercer curve houses.csv --target price --model krr --kernel rbf --over lambda=0.001..1000:7 --plot curve.svg\n  mercer curve spam.csv --target kind --model svc --over 'kernel=linear,rbf,poly(degree=2)' --repeats 3\n\nWithout --over it is a learning curve: the score of held-out rows and of training rows over the number of\nrows that are learnt from, and whether more rows would help. With --over it is a validation curve over any\nsetting of the model (`mercer models`) or parameter of its kernel: which values underfit, which overfit,\nwhich are as good as the best. Values are those of `mercer tune --grid`, or words.\nA difference counts where folds show it (Nadeau and Bengio's test); `--repeats` makes the test sharper.\n\nWith --json: {\"metric\",\"folds\",\"folds_done\",\"points\":[{\"rows\" or \"value\",\"number\",\"training\":{\"mean\",\"deviation\",\"scores\"},\n\"held_out\":{…},\"fit_seconds\"}],\"verdict\":{\"more_rows\":help|do_not_help|unclear,\"expected\",\"gap\",\"gain\",\"reason\"} or {\"best\",\n\"values\":[underfits|best|as_good|overfits],\"at_edge\",\"reason\"}}."
)]
pub(crate) struct CurveArgs {
    /// Table to learn from; `-` is standard input
    pub(crate) data: PathBuf,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    /// Trace the score over the values of a setting, such as `C=0.01..100:9` or `kernel=linear,rbf`
    #[arg(long, value_name = "SETTING=VALUES", help_heading = "Curve", value_parser = over)]
    pub(crate) over: Option<Varied>,

    /// Points of a learning curve: shares of the training rows, or numbers of rows
    /// [default: 1/16, 1/8, 1/4, 1/2 and all]
    #[arg(long, value_name = "SIZE,…", value_delimiter = ',', help_heading = "Curve", value_parser = part, conflicts_with = "over")]
    pub(crate) sizes: Vec<Part>,

    /// Parts that the rows are dealt into
    #[arg(long, value_name = "K", default_value_t = 5, help_heading = "Curve")]
    pub(crate) folds: usize,

    /// How often the rows are dealt into parts
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Curve")]
    pub(crate) repeats: usize,

    /// What is scored: any metric of the task [default: accuracy or rmse]
    #[arg(long, value_name = "METRIC", help_heading = "Curve", value_parser = parse::metric)]
    pub(crate) metric: Option<Metric>,

    /// Picture of the curve to write
    #[arg(long, value_name = "FILE.svg|png", help_heading = "Curve")]
    pub(crate) plot: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

fn over(text: &str) -> Result<Varied, String> {
    text.parse().map_err(|e: mercer::Error| e.to_string())
}

fn part(text: &str) -> Result<Part, String> {
    let value: f64 = text.trim().parse().map_err(|_| {
        "it must be a share such as 0.5, or a number of rows such as 200".to_owned()
    })?;
    Part::of(value).map_err(|e| e.to_string())
}
