//! The command line: one file per command, each flag declared once.

mod bounds;
mod cluster;
mod compare;
mod construct;
mod curve;
mod deferred;
mod demo;
mod dependence;
mod embed;
mod exchange;
mod explain;
mod fit;
mod forecast;
mod gram;
mod help;
mod inspect;
mod kernel;
mod look;
mod margin;
mod models;
pub(crate) mod parse;
mod plot;
mod predict;
mod rank;
mod reading;
mod running;
mod score;
mod select;
pub(crate) mod settings;
#[cfg(test)]
mod snapshot;
mod state;
mod tune;
mod unlabelled;
mod update;

use std::ffi::OsString;

use clap::{Args, Parser, Subcommand};

use deferred::Deferred;

pub(crate) use bounds::{BoundsArgs, BoundsCommand, DescriptionArgs, ShatterArgs};
pub(crate) use cluster::ClusterArgs;
pub(crate) use compare::CompareArgs;
pub(crate) use construct::{
    ConstructArgs, ConstructCommand, ConstructionArgs, StaircaseArgs, TruthTableArgs,
};
pub(crate) use curve::CurveArgs;
pub(crate) use demo::DemoArgs;
pub(crate) use dependence::DependenceArgs;
pub(crate) use embed::EmbedArgs;
pub(crate) use exchange::{CompletionsArgs, ExportArgs, ImportArgs};
pub(crate) use explain::ExplainArgs;
pub(crate) use fit::{ColumnArgs, FitArgs, ModelArgs, ScaleArg};
pub(crate) use forecast::ForecastArgs;
pub(crate) use gram::GramArgs;
pub(crate) use help::whole_line;
pub(crate) use inspect::InspectArgs;
pub(crate) use kernel::KernelArgs;
pub(crate) use look::LookArgs;
pub(crate) use margin::MarginArgs;
pub(crate) use models::ModelsArgs;
pub(crate) use plot::{
    BoundaryArgs, DrawsArgs, EigenfunctionsArgs, KernelPlotArgs, OverInterval, PathArgs,
    PathModelArg, PlotArgs, PlotFigure, PlotRows, SpectrumArgs,
};
pub(crate) use predict::{OnError, PredictArgs};
pub(crate) use rank::RankArgs;
pub(crate) use reading::ReadingArgs;
pub(crate) use running::{LimitArgs, RunningArgs};
pub(crate) use score::{KnownArgs, ReportArgs, ScoreArgs};
pub(crate) use select::SelectArgs;
pub(crate) use state::{AddArgs, MergeArgs, PlanArgs, StateArgs, StateCommand};
pub(crate) use tune::{CvArgs, TuneArgs};
pub(crate) use unlabelled::UnlabelledArgs;
pub(crate) use update::UpdateArgs;

/// Kernel methods that say how far their predictions can be trusted.
#[derive(Debug, Parser)]
#[command(
    name = "mercer",
    version,
    arg_required_else_help = true,
    after_help = "Examples:\n  mercer demo\n  mercer look table.csv\n  mercer fit table.csv --target y --holdout 0.3\n  mercer predict table.mercer new.csv -o predictions.csv\n  mercer tune table.csv --target y --report search.html\n\nExit codes: 0 done, 1 the data or model is at fault, 2 wrong usage, 130 interrupted (143 by SIGTERM, 129 by SIGHUP)."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print one JSON object on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Train on a bundled data set: a first look in a second
    Demo(Deferred<DemoArgs>),
    /// Show what is in a table: kinds, gaps, ranges, suspicious cells
    Look(Deferred<LookArgs>),
    /// Learn a model from a table
    Fit(Deferred<FitArgs>),
    /// Predict new rows
    Predict(Deferred<PredictArgs>),
    /// Forecast what comes next in a series
    Forecast(Deferred<ForecastArgs>),
    /// Tell which words, atoms or columns carry a prediction
    Explain(Deferred<ExplainArgs>),
    /// Draw where a model decides, its kernel matrix and spectrum, or coefficients over a penalty
    Plot(Deferred<PlotArgs>),
    /// Measure a model on rows whose targets are known
    Score(Deferred<ScoreArgs>),
    /// Write a page on how good a model is on rows whose targets are known
    Report(Deferred<ReportArgs>),
    /// Evaluate settings by cross-validation
    Cv(Deferred<CvArgs>),
    /// Compare models on the same folds
    Compare(Deferred<CompareArgs>),
    /// Trace the score over the number of rows, or over the values of a setting
    Curve(Deferred<CurveArgs>),
    /// Search settings by cross-validation and learn with the best
    Tune(Deferred<TuneArgs>),
    /// Rank kernels by their evidence (log marginal likelihood)
    Select(Deferred<SelectArgs>),
    /// Learn from parts of a table: plan, sums over rows, and the model of their union
    State(Deferred<StateArgs>),
    /// Add rows to a model of nearest neighbours, or take rows away, without another fit
    Update(Deferred<UpdateArgs>),
    /// Write down a network that computes a given function: a truth table or a curve
    Construct(Deferred<ConstructArgs>),
    /// Sort rows into clusters
    Cluster(Deferred<ClusterArgs>),
    /// Give rows coordinates in fewer dimensions
    Embed(Deferred<EmbedArgs>),
    /// Tell how far an error rate can be trusted, and how many rows that takes
    Bounds(Deferred<BoundsArgs>),
    /// Measure how rows lie about a given plane
    Margin(Deferred<MarginArgs>),
    /// Rank the nodes of a network by the links that lead to them (PageRank)
    Rank(Deferred<RankArgs>),
    /// List the models that can be learnt, with their settings
    Models(Deferred<ModelsArgs>),
    /// Show what is in a model file
    Inspect(Deferred<InspectArgs>),
    /// Compute one kernel value, or list all kernels
    Kernel(Deferred<KernelArgs>),
    /// Write the kernel matrix of a table and test it
    Gram(Deferred<GramArgs>),
    /// Turn a LIBSVM model into a model file
    Import(Deferred<ImportArgs>),
    /// Write a model in another format
    Export(Deferred<ExportArgs>),
    /// Train with LIBSVM's flags and files
    #[command(name = "svm-train", disable_help_flag = true)]
    SvmTrain(RawArgs),
    /// Predict with LIBSVM's flags and files
    #[command(name = "svm-predict", disable_help_flag = true)]
    SvmPredict(RawArgs),
    /// Scale with LIBSVM's flags and files
    #[command(name = "svm-scale", disable_help_flag = true)]
    SvmScale(RawArgs),
    /// Print a completion script for a shell
    Completions(Deferred<CompletionsArgs>),
}

impl Command {
    /// Returns the limits that a command was given; none where it reads no data.
    pub(crate) fn limits(&self) -> LimitArgs {
        match self {
            Self::Look(args) => args.limits,
            Self::Margin(args) => args.limits,
            Self::Bounds(args) => match &args.what {
                Some(BoundsCommand::Shatter(args)) => args.limits,
                Some(BoundsCommand::Description(_)) | None => LimitArgs::default(),
            },
            Self::Construct(args) => match &args.what {
                ConstructCommand::TruthTable(args) => args.from.limits,
                ConstructCommand::Staircase(args) => args.from.limits,
            },
            Self::Update(args) => args.limits,
            Self::Fit(args) => args.running.limits,
            Self::Predict(args) => args.running.limits,
            Self::Forecast(args) => args.running.limits,
            Self::Explain(args) => args.running.limits,
            Self::Plot(args) => args.figure.limits(),
            Self::Score(args) => args.known.running.limits,
            Self::Report(args) => args.known.running.limits,
            Self::Cv(args) => args.running.limits,
            Self::Compare(args) => args.running.limits,
            Self::Curve(args) => args.running.limits,
            Self::Tune(args) => args.running.limits,
            Self::Select(args) => args.running.limits,
            Self::Cluster(args) => args.running.limits,
            Self::Embed(args) => args.running.limits,
            Self::Rank(args) => args.running.limits,
            Self::Gram(args) => args.running.limits,
            Self::State(args) => match &args.command {
                StateCommand::Plan(args) => args.running.limits,
                StateCommand::Add(args) => args.running.limits,
                StateCommand::Merge(args) => args.running.limits,
            },
            Self::Demo(_)
            | Self::Inspect(_)
            | Self::Models(_)
            | Self::Kernel(_)
            | Self::Import(_)
            | Self::Export(_)
            | Self::SvmTrain(_)
            | Self::SvmPredict(_)
            | Self::SvmScale(_)
            | Self::Completions(_) => LimitArgs::default(),
        }
    }
}

/// Arguments that another command line reads.
#[derive(Debug, Args)]
pub(crate) struct RawArgs {
    /// LIBSVM's arguments
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    pub(crate) args: Vec<OsString>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn declarations_are_consistent() {
        // It looks at every command with all its flags.
        super::Cli::command().debug_assert();
    }
}
