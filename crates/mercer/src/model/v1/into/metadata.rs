//! Documents of version 1 as what is told about a model without its tensors.

use crate::Result;
use crate::model::Metadata;
use crate::model::v1::document::Document;
use crate::model::v1::machine::Machine;

impl Document {
    pub(in crate::model::v1) fn into_metadata(self) -> Result<Metadata> {
        let (labels, scheme, probabilities) = match self.machine {
            Machine::Classifier {
                labels,
                scheme,
                probabilities,
                ..
            } => (Some(labels), Some(scheme.into_scheme()), probabilities),
            Machine::Regressor | Machine::Novelty => (None, None, false),
        };
        Ok(Metadata {
            format_version: self.format_version,
            written_by: self.written_by,
            task: self.task.into_task(),
            method: self.method,
            targets: self.target.into_iter().collect(),
            id: self.id,
            encoder: self.encoder.into_encoder()?,
            form: "expansion".to_owned(),
            kernel: Some(self.kernel),
            attributes: self.attributes,
            windows: None,
            labels,
            scheme,
            probabilities,
            rows_kept: self.support.rows,
            features: self.support.columns,
            sparse: Some(self.support.sparse),
            report: self.report.into_report()?,
        })
    }
}
