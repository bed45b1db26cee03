//! A model from its document and tensors, with every rule checked.

use super::document::Document;
use super::into::take_left_out;
use super::machine::{BIASES, COEFFICIENTS, Copies, Posterior};
use super::upright::set_upright;
use crate::kernel::ResolvedKernel;
use crate::model::expansion::{KeptFactor, KernelExpansion};
use crate::model::{Metadata, Parts, Trained};
use crate::{Error, Result};

/// What such documents have as `format_version`.
pub(in crate::model) const VERSION: u32 = 1;

fn parse(text: &str) -> Result<Document> {
    serde_json::from_str(text).map_err(|e| Error::model(format!("metadata: {e}")))
}

/// Reads a document alone.
pub(in crate::model) fn metadata(text: &str) -> Result<Metadata> {
    parse(text)?.into_metadata()
}

/// Puts a model together.
pub(in crate::model) fn read(parts: Parts) -> Result<Trained> {
    let document = parse(&parts.metadata)?;
    let mut tensors = parts.tensors;
    let encoder = document.encoder.into_encoder()?;
    let mut report = document.report.into_report()?;
    let support = document.support.into_records(&encoder, &mut tensors)?;
    let coefficients = tensors.take_matrix(COEFFICIENTS)?;
    let biases = tensors.take_f64(BIASES)?;
    let (readout, class_sizes) = document.machine.into_readout(&mut tensors)?;
    let left_out = take_left_out(&mut tensors)?;
    if let Some(name) = tensors.0.keys().next() {
        return Err(Error::model(format!("tensor `{name}` belongs to nothing")));
    }
    let task = document.task.into_task();
    let fits = readout.task();
    if task != fits {
        return Err(Error::model(format!(
            "the task is {task}, the machine is for {fits}"
        )));
    }
    let mut model = KernelExpansion {
        kernel: document
            .kernel
            .parse::<ResolvedKernel>()
            .map_err(|e| Error::model(format!("kernel: {e}")))?,
        class_sizes: class_sizes.unwrap_or_else(|| vec![support.len()]),
        support,
        coefficients,
        biases,
        origin: None,
        slopes: None,
        readout,
        posterior: document.posterior.map(Posterior::into_posterior),
        left_out,
        copies: document.copies.map(Copies::into_copies),
        components: None,
        kept: KeptFactor::default(),
    };
    model.check()?;
    // Sigmoids of other programs are theirs, and are read as they are.
    if report.rows > 0 {
        report
            .notes
            .extend(set_upright(&mut model, &document.method));
    }
    model.check_decisions()?;
    Ok(Trained {
        task,
        method: document.method,
        targets: document.target.into_iter().collect(),
        id: document.id,
        encoder,
        form: model.into(),
        attributes: document.attributes,
        series: None,
        seen: None,
        report,
    })
}
