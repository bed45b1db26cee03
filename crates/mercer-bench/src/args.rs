//! The command line.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

/// Measures mercer beside other programs.
#[derive(Debug, Parser)]
#[command(name = "mercer-bench", version)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Installs the peers, measures, and writes results.json, results.md and ratios.svg.
    Run(RunOptions),
    /// Compares mercer without settings with tuned peers, and writes zero-settings.json,
    /// zero-settings.md and calibration.svg.
    Zero(ZeroOptions),
    /// Measures kernels of texts, graphs and networks, and writes structured.json and
    /// structured.md.
    Structured(StructuredOptions),
    /// Says within three minutes whether a new `mercer` is slower than an old one, and whether
    /// it predicts the same.
    Quick(QuickOptions),
    /// Writes results.md and ratios.svg again from results.json.
    Report {
        /// Folder of the results.
        #[arg(long, default_value = "docs/bench")]
        out: PathBuf,
    },
    /// Lists cases and peers.
    List,
}

/// What to measure, and how patiently.
#[derive(Debug, ClapArgs)]
pub(crate) struct RunOptions {
    /// Cases or groups of cases; all when left out.
    #[arg(long, value_delimiter = ',')]
    pub(crate) cases: Vec<String>,
    /// Peers beside mercer; all that can be installed when left out.
    #[arg(long, value_delimiter = ',')]
    pub(crate) peers: Vec<String>,
    /// Numbers of threads for the programs that let one choose.
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    pub(crate) threads: Vec<usize>,
    /// Rounds over all programs.
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
    /// Seconds after which a fit is given up. A peer is also given up at 50 times mercer's
    /// time, but not before a minute.
    #[arg(long, default_value_t = 1800.0)]
    pub(crate) limit: f64,
    /// A fit that takes longer than this many seconds is measured once.
    #[arg(long, default_value_t = 300.0)]
    pub(crate) once_beyond: f64,
    /// Share of the machine's memory that one program may take.
    #[arg(long, default_value_t = 0.6)]
    pub(crate) memory: f64,
    /// Folder of the data sets.
    #[arg(long, env = "MERCER_DATA", default_value = "../shared/data")]
    pub(crate) data: PathBuf,
    /// Folder of the results; cases measured earlier stay in them.
    #[arg(long, default_value = "docs/bench")]
    pub(crate) out: PathBuf,
    /// Forget the cases measured earlier.
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Use the environment as it is, without building or installing anything.
    #[arg(long)]
    pub(crate) skip_install: bool,
}

/// What to fit without settings.
#[derive(Debug, ClapArgs)]
pub(crate) struct ZeroOptions {
    /// Sets; all when left out.
    #[arg(long, value_delimiter = ',')]
    pub(crate) sets: Vec<String>,
    /// Programs: mercer, grid_svc, grid_svr, gpr; all when left out. Peers are measured only
    /// on splits nobody measured before.
    #[arg(long = "who", value_delimiter = ',')]
    pub(crate) programs: Vec<String>,
    /// Splits of every set; dear peers have fewer on large sets.
    #[arg(long, default_value_t = 20)]
    pub(crate) splits: usize,
    /// Folder of the data sets.
    #[arg(long, env = "MERCER_DATA", default_value = "../shared/data")]
    pub(crate) data: PathBuf,
    /// Folder of the results; splits measured earlier stay in them.
    #[arg(long, default_value = "docs/bench")]
    pub(crate) out: PathBuf,
    /// Keep mercer's earlier splits too, as after an interruption.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Measure nothing: merge what there is and write the account again.
    #[arg(long)]
    pub(crate) merge: bool,
    /// Use the environment as it is, without building or installing anything.
    #[arg(long)]
    pub(crate) skip_install: bool,
}

/// What to measure of kernels between structures.
#[derive(Debug, ClapArgs)]
pub(crate) struct StructuredOptions {
    /// Folder of the data sets.
    #[arg(long, env = "MERCER_DATA", default_value = "../shared/data")]
    pub(crate) data: PathBuf,
    /// Run kernlab and GraKeL too; otherwise what they took earlier stays.
    #[arg(long)]
    pub(crate) peers: bool,
    /// Texts for kernlab's gap kernel, whose cost is cubic in their length: 150 or 500.
    #[arg(long, default_value_t = 150)]
    pub(crate) gap_texts: usize,
    /// Measurements, or `timings`, or `accuracy`; all when left out.
    #[arg(long, value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Rounds of a timing; the best counts.
    #[arg(long, default_value_t = 3)]
    pub(crate) rounds: usize,
    /// Seconds to wait at most, before each timing, for other programs to be quiet.
    #[arg(long, default_value_t = 60.0)]
    pub(crate) patience: f64,
    /// The program that runs kernlab.
    #[arg(long, env = "MERCER_BENCH_RSCRIPT", default_value = "Rscript")]
    pub(crate) rscript: PathBuf,
    /// The interpreter that has GraKeL; that of the other peers when left out.
    #[arg(long, env = "MERCER_BENCH_GRAKEL_PYTHON")]
    pub(crate) grakel_python: Option<PathBuf>,
    /// Folder of the results; what was measured earlier stays in them.
    #[arg(long, default_value = "docs/bench")]
    pub(crate) out: PathBuf,
}

/// Which programs to compare, and how strictly.
///
/// Both do the same work by turns (old, new, new, old; then the other way round) in rounds over
/// all cases: support vector machines on large and small sets, searches, models without
/// settings, kernel ridge, least-squares support vector machines, Gaussian processes, predictions, texts and
/// graphs. The whole process is timed. The shortest run counts, because whatever disturbs a run
/// makes it longer; cases in which more runs could change the verdict get the time that is
/// left. `answers differ` marks cases in which the programs chose another kernel or reached
/// another objective, score or prediction.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  cp target/release/mercer /tmp/old-mercer   # before the change\n  cargo build --release --bin mercer\n  mercer-bench quick --old /tmp/old-mercer\n  mercer-bench quick --old /tmp/old-mercer --cases a9a,iris --seconds 30 --json quick.json\n\nA program compared with a copy of itself shows the noise of the machine.\n\nExit codes: 0 as fast, 1 slower (or a case that only the old program gets through), 2 nothing compared."
)]
pub(crate) struct QuickOptions {
    /// The program as it was.
    #[arg(long, value_name = "PATH", required_unless_present = "list")]
    pub(crate) old: Option<PathBuf>,
    /// The program as it is now [default: target/release/mercer].
    #[arg(long, value_name = "PATH")]
    pub(crate) new: Option<PathBuf>,
    /// Cases; all when left out.
    #[arg(long, value_delimiter = ',')]
    pub(crate) cases: Vec<String>,
    /// By how much the geometric mean of all cases may be slower.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    pub(crate) mean: f64,
    /// By how much the worst case may be slower.
    #[arg(long, value_name = "SHARE", default_value_t = 0.10)]
    pub(crate) worst: f64,
    /// Seconds in all, kept even when a program hangs.
    #[arg(long, default_value_t = 170.0)]
    pub(crate) seconds: f64,
    /// Folder of the larger data sets; their cases are left out without it.
    #[arg(long, env = "MERCER_DATA", default_value = "../shared/data")]
    pub(crate) data: PathBuf,
    /// File for the time of every run and all results.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// List the cases and run nothing.
    #[arg(long)]
    pub(crate) list: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory as _;
        Args::command().debug_assert();
    }

    #[test]
    fn lists_are_separated_by_commas() {
        let args = Args::parse_from(["mercer-bench", "run", "--cases", "iris,small"]);
        let Command::Run(options) = args.command else {
            panic!("not a run");
        };
        assert_eq!(options.cases, ["iris", "small"]);
        assert_eq!(options.threads, [1, 2]);
    }

    #[test]
    fn a_comparison_needs_something_to_compare_with() {
        let parse = |words: &[&str]| {
            let words = ["mercer-bench", "quick"].iter().chain(words);
            Args::try_parse_from(words.copied())
        };
        assert!(parse(&[]).is_err());
        assert!(parse(&["--list"]).is_ok());
        let Ok(Args {
            command: Command::Quick(options),
        }) = parse(&["--old", "mercer-old", "--worst", "0.2"])
        else {
            panic!("not a comparison");
        };
        assert_eq!(
            (options.mean, options.worst, options.seconds),
            (0.05, 0.2, 170.0)
        );
    }
}
