//! `mercer kernel`.

use clap::Args;

/// Flags of `mercer kernel`.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "every switch is one of its own"
)]
#[command(
    after_help = "Examples:\n  mercer kernel 'rbf(gamma=0.5)' 1,2 2,4\n  mercer kernel subsequence BEERE BERT --table\n  mercer kernel subsequence BERT BEERE --pairs\n  mercer kernel 'normalise(wl)' 'CCO' 'CCN'\n  mercer kernel 'poly(degree=2) + linear' @a.csv @b.csv --json\n  mercer kernel 'poly(degree=2, offset=0)' 1,2 -1,-2 --distance\n  mercer kernel 'poly(degree=2)' 1,2 3,4 --features\n  mercer kernel 'rbf(gamma=0.5)' @points.csv --coefficients f,g\n  mercer kernel --list\n\nWith --coefficients the rows of a table are points x_i, and a column is a function f = Σ f_i k(x_i, ·) in the kernel's\nspace: ⟨f, g⟩ = Σ f_i g_j k(x_i, x_j), the norms, and the distance ‖f − g‖ are printed. A point that only one of them\nuses has the coefficient 0 in the other.\nWith --json: {\"kernel\",\"rows\",\"functions\":[{\"name\",\"norm\"}],\"inner\",\"distance\"}."
)]
pub(crate) struct KernelArgs {
    /// Kernel expression, such as `rbf(sigma=1.5)` or `0.5*linear + poly(degree=2)`
    #[arg(value_name = "EXPR", required_unless_present = "list")]
    pub(crate) kernel: Option<String>,

    /// First object: numbers `1,2`, names `red,round`, a text, a molecule as SMILES, or `@FILE`
    #[arg(
        value_name = "A",
        allow_hyphen_values = true,
        required_unless_present = "list"
    )]
    pub(crate) a: Option<String>,

    /// Second object
    #[arg(
        value_name = "B",
        allow_hyphen_values = true,
        required_unless_present_any = ["list", "coefficients"]
    )]
    pub(crate) b: Option<String>,

    /// Print the dynamic-programming table of a string kernel
    #[arg(long)]
    pub(crate) table: bool,

    /// Print the distance of the two in the kernel's space, √(k(a, a) − 2k(a, b) + k(b, b)), instead
    #[arg(long)]
    pub(crate) distance: bool,

    /// List the pairs of places that `subsequence` or `substring` counts in two short words
    #[arg(long, conflicts_with = "distance")]
    pub(crate) pairs: bool,

    /// Print the features of both under `linear`, `poly`, `rbf` or sums of them: their product is the value
    #[arg(long, conflicts_with_all = ["distance", "pairs", "table"])]
    pub(crate) features: bool,

    /// Total degree after which the features of `rbf` end [default: 8]
    #[arg(long, value_name = "N", requires = "features")]
    pub(crate) degree: Option<u32>,

    /// Take the rows of the table A as points and these one or two columns as functions: their inner product,
    /// norms and distance
    #[arg(
        long,
        value_name = "COL[,COL]",
        value_delimiter = ',',
        conflicts_with_all = ["b", "distance", "pairs", "table", "features", "list"]
    )]
    pub(crate) coefficients: Vec<String>,

    /// Columns of that table to leave out
    #[arg(
        long,
        value_name = "COL,…",
        value_delimiter = ',',
        requires = "coefficients"
    )]
    pub(crate) drop: Vec<String>,

    /// List all kernels with their formulas and parameters
    #[arg(long, conflicts_with_all = ["kernel", "a", "b", "table", "distance", "pairs", "features"])]
    pub(crate) list: bool,
}
