//! Threads, budgets and the seed.

use std::time::Duration;

use clap::Args;

use super::parse;

/// How much memory and time a command may take: whatever reads data has both.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct LimitArgs {
    /// Memory beside the program and the rows, such as `2GB` or `512MiB`; a limit that is named
    /// may change what is tried, which is then reported [default: a quarter of what the process
    /// may take; never changes the result]
    #[arg(long, value_name = "SIZE", value_parser = parse::memory)]
    pub(crate) memory: Option<u64>,

    /// End after this time, reading and writing included, with the best result so far; may change
    /// the result, which is then reported
    #[arg(long, value_name = "SECONDS", value_parser = parse::seconds)]
    pub(crate) max_seconds: Option<Duration>,
}

/// Circumstances of a computation.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunningArgs {
    /// Threads [default: all cores, or MERCER_NUM_THREADS]; never changes the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Seed of splits and calibration
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}
