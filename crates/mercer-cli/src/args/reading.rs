//! What the user may say about a data file instead of having it recognised.

use std::path::PathBuf;

use clap::Args;
use mercer::data::Kind;
use mercer::data::recognise::Decimal;
use mercer_io::Format;

use super::parse;

/// Reader overrides, shared by all commands that read data.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadingArgs {
    /// csv, tsv, json, excel, libsvm, arff, npy, parquet, idx, fasta, sdf or tu [default:
    /// recognised]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Character between CSV fields, or `tab`, `comma`, `semicolon`, `pipe`, `space` (any run
    /// of blanks)
    #[arg(long, value_name = "CHAR", value_parser = parse::character)]
    pub(crate) delimiter: Option<u8>,

    /// Character around CSV fields
    #[arg(long, value_name = "CHAR", value_parser = parse::character)]
    pub(crate) quote: Option<u8>,

    /// The first CSV row holds names
    #[arg(long, conflicts_with = "no_header")]
    pub(crate) header: bool,

    /// The first CSV row holds values
    #[arg(long)]
    pub(crate) no_header: bool,

    /// Lines above the names of a CSV file; 0 keeps all [default: titles are recognised]
    #[arg(long, value_name = "N")]
    pub(crate) skip_rows: Option<usize>,

    /// Character that begins CSV lines to pass over [default: # where the file starts with it]
    #[arg(long, value_name = "CHAR", value_parser = parse::character)]
    pub(crate) comment: Option<u8>,

    /// Sheet of a workbook [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet: Option<String>,

    /// Table in a zip archive; FILE.zip/NAME says the same [default: the only one]
    #[arg(long, value_name = "NAME")]
    pub(crate) member: Option<String>,

    /// LIBSVM indices start at 0, as scikit-learn writes them
    #[arg(long)]
    pub(crate) zero_based: bool,

    /// Texts that stand for a missing value, separated by commas, instead of the usual ones;
    /// `default` in the list stands for those: empty, ?, NA, N/A, n/a, n.a., NaN, NaT, null, NULL,
    /// None, <NA>, #N/A, #DIV/0!, #VALUE!, #REF!, #NUM!, and among numbers and dates also -, --, ., *,
    /// na, none, nil, missing
    #[arg(long, value_name = "TEXT,…", value_delimiter = ',')]
    pub(crate) missing: Option<Vec<String>>,

    /// Kind of a column: numeric, boolean, categorical, text, molecule or date; repeatable
    #[arg(long = "kind", value_name = "COL=KIND", value_parser = parse::kind)]
    pub(crate) kinds: Vec<(String, Kind)>,

    /// Decimal sign of numbers in text: `point` or `comma` [default: recognised]
    #[arg(long, value_name = "SIGN", value_parser = parse::decimal)]
    pub(crate) decimal: Option<Decimal>,

    /// Format of dates, as in `%d/%m/%Y`, of a column or of all; repeatable [default: recognised]
    #[arg(long = "date-format", value_name = "[COL=]FORMAT", value_parser = parse::date_format)]
    pub(crate) date_formats: Vec<(Option<String>, String)>,

    /// Longest line and field that is read, such as `200MB` [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse::field)]
    pub(crate) max_field: Option<usize>,

    /// DATA lists the edges of a network, and this file its nodes; rows are nodes
    #[arg(long, value_name = "FILE", conflicts_with = "labels")]
    pub(crate) nodes: Option<PathBuf>,

    /// Character between the fields of the nodes' file [default: recognised]
    #[arg(long, value_name = "CHAR", value_parser = parse::character, requires = "nodes")]
    pub(crate) nodes_delimiter: Option<u8>,

    /// File with one label per row, as IDX images have
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
}
