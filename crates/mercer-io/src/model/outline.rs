//! The parts of a model's document that matter before and beside loading it.

use mercer::kernel::KernelSpec;
use serde::Deserialize;

/// Numbers that a file may ask for whatever it holds (32 MiB of them).
const FREE_CELLS: usize = 1 << 22;

/// Numbers that may be asked for with every number that a file holds. Rows of one category in a
/// thousand are the sparsest that kernels with zeros are of use for.
const CELLS_PER_NUMBER: usize = 1024;

/// Features that vectors may claim without a number of each.
const FREE_FEATURES: usize = 1 << 20;

/// Rows that are answered at a time.
const BLOCK: usize = 96;

/// The kernels that store every zero of sparse rows when they bind to them.
const STORES_ZEROS: [&str; 3] = ["overlap", "precomputed", "spline"];

/// What a document says about encoder, machine and support vectors.
#[derive(Debug, Deserialize)]
pub(super) struct Outline {
    kernel: String,
    encoder: EncoderOutline,
    pub(super) machine: MachineOutline,
    pub(super) support: SupportOutline,
}

/// The encoder's storage.
#[derive(Debug, Deserialize)]
struct EncoderOutline {
    storage: String,
}

/// The machine, whatever its kind.
#[derive(Debug, Deserialize)]
pub(super) struct MachineOutline {
    pub(super) labels: Option<Vec<String>>,
    pub(super) scheme: Option<String>,
    #[serde(default)]
    pub(super) probabilities: bool,
}

/// The support vectors.
#[derive(Debug, Deserialize)]
pub(super) struct SupportOutline {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) sparse: bool,
}

impl Outline {
    pub(super) fn read(document: &str) -> Result<Self, mercer::Error> {
        serde_json::from_str(document).map_err(|e| mercer::Error::model(format!("metadata: {e}")))
    }

    /// Holds what the document claims against what the tensors hold, before anything is
    /// allocated. A width is a bare number: it must not make rows of any size.
    ///
    /// `numbers` is how many the support vectors store.
    pub(super) fn check_claims(&self, numbers: usize) -> Result<(), mercer::Error> {
        let (rows, columns) = (self.support.rows, self.support.columns);
        let sparse = self.support.sparse;
        if columns > 0 && (self.encoder.storage == "sparse") != sparse {
            let name = |sparse| if sparse { "sparse" } else { "dense" };
            return Err(mercer::Error::model(format!(
                "the encoder makes {} rows, the support vectors are {}",
                self.encoder.storage,
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
        let Ok(kernel) = KernelSpec::parse(&self.kernel) else {
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
