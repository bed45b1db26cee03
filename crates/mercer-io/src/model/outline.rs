//! The claims of a model's document that matter before it is loaded.

use mercer::data::Storage;
use mercer::kernel::KernelSpec;
use mercer::model::Metadata;

/// Numbers that a file may ask for whatever it holds (32 MiB of them).
const FREE_CELLS: usize = 1 << 22;

/// Numbers that may be asked for with every number that a file holds. Rows of one category in a
/// thousand are the sparsest that kernels with zeros are of use for.
const CELLS_PER_NUMBER: usize = 1024;

/// Features that vectors may claim without a number of each.
const FREE_FEATURES: usize = 1 << 20;

/// Rows that are predicted at a time.
const BLOCK: usize = 96;

/// The kernels that store every zero of sparse rows when they bind to them.
const STORES_ZEROS: [&str; 4] = ["overlap", "precomputed", "spline", "bent_spline"];

/// What a document claims about its support vectors, before their tensors are looked at.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    kernel: &'a str,
    /// How the encoder stores rows.
    storage: Storage,
    rows: usize,
    columns: usize,
    sparse: bool,
}

impl<'a> Outline<'a> {
    /// The claims of a kernel expansion; other forms store every number of theirs.
    pub(super) fn of(metadata: &'a Metadata) -> Option<Self> {
        Some(Self {
            kernel: metadata.kernel.as_deref()?,
            storage: metadata.encoder.storage(),
            rows: metadata.rows_kept,
            columns: metadata.features,
            sparse: metadata.sparse?,
        })
    }

    /// Holds what the document claims against what the tensors hold, before anything is
    /// allocated. A width is a bare number: it must not make rows of any size.
    ///
    /// `numbers` is how many the support vectors store.
    pub(super) fn check_claims(&self, numbers: usize) -> Result<(), mercer::Error> {
        let (rows, columns, sparse) = (self.rows, self.columns, self.sparse);
        let makes_sparse = self.storage == Storage::Sparse;
        if columns > 0 && makes_sparse != sparse {
            let name = |sparse| if sparse { "sparse" } else { "dense" };
            return Err(mercer::Error::model(format!(
                "the encoder makes {} rows, the support vectors are {}",
                name(makes_sparse),
                name(sparse)
            )));
        }
        let claimed = |what: String| {
            mercer::Error::model(format!(
                "{what}; the support vectors hold {numbers} numbers"
            ))
        };
        if !sparse {
            // Dense rows prove their width, unless there is none of them.
            if rows == 0 && columns > FREE_FEATURES {
                return Err(claimed(format!("it claims {columns} features")));
            }
            return Ok(());
        }
        let Ok(kernel) = KernelSpec::parse(self.kernel) else {
            // Loading tells what is wrong with it.
            return Ok(());
        };
        let held = numbers.saturating_mul(CELLS_PER_NUMBER);
        let stores_zeros = kernel
            .families()
            .iter()
            .any(|f| STORES_ZEROS.contains(&f.name));
        let cells = rows.max(BLOCK).saturating_mul(columns);
        if stores_zeros && cells > held.max(FREE_CELLS) {
            return Err(claimed(format!(
                "the kernel `{kernel}` would store {rows} by {columns} zeros"
            )));
        }
        if self.kernel.contains('@') && columns > held.max(FREE_FEATURES) {
            return Err(claimed(format!(
                "the kernel `{kernel}` selects among {columns} features"
            )));
        }
        Ok(())
    }
}
