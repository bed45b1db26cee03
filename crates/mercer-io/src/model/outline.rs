//! The parts of a model's document that matter before and beside loading it.

use mercer::kernel::KernelSpec;
use serde::Deserialize;

/// Kernel values or features that a small file may ask for (2 GiB of numbers).
const MAX_CELLS: usize = 1 << 28;

/// The kernels that store every zero of sparse rows when they bind to them.
const STORES_ZEROS: [&str; 3] = ["overlap", "precomputed", "spline"];

/// What a document says about machine and support vectors.
#[derive(Debug, Deserialize)]
pub(super) struct Outline {
    kernel: String,
    pub(super) machine: MachineOutline,
    pub(super) support: SupportOutline,
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

    /// Refuses sparse support vectors whose zeros would take far more room than the file.
    pub(super) fn check_memory(&self) -> Result<(), mercer::Error> {
        let (rows, columns) = (self.support.rows, self.support.columns);
        if !self.support.sparse || rows.max(1).saturating_mul(columns) <= MAX_CELLS {
            return Ok(());
        }
        let Ok(kernel) = KernelSpec::parse(&self.kernel) else {
            // Loading tells what is wrong with it.
            return Ok(());
        };
        let stored = kernel
            .families()
            .iter()
            .any(|f| STORES_ZEROS.contains(&f.name));
        let selected = self.kernel.contains('@') && columns > MAX_CELLS;
        if stored || selected {
            return Err(mercer::Error::Memory {
                what: format!(
                    "the kernel `{kernel}` on {rows} by {columns} sparse support vectors"
                ),
                needed: 8 * (rows.max(1) as u64).saturating_mul(columns as u64),
                limit: 8 * MAX_CELLS as u64,
            });
        }
        Ok(())
    }
}
