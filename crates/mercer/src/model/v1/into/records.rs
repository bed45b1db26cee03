//! Support vectors of version 1, with their tensors, as present records.
//!
//! Tensors of rows are laid out as today; a layout that changes needs a reader of its own here.

use crate::Result;
use crate::data::{Encoder, FeatureGroup, Parts, Records};
use crate::model::Tensors;
use crate::model::records_parts::{RecordsShape, from_tensors};
use crate::model::v1::records::{Group, GroupParts, Support};

impl Support {
    /// Takes the values out of the tensors; networks are those of the encoder.
    pub(in crate::model::v1) fn into_records(
        self,
        encoder: &Encoder,
        tensors: &mut Tensors,
    ) -> Result<Records> {
        let shape = RecordsShape {
            rows: self.rows,
            columns: self.columns,
            sparse: self.sparse,
            groups: self.groups.into_iter().map(Group::into_group).collect(),
            codes: self.codes,
            texts: self.texts,
            graphs: self.graphs,
            nodes: self.nodes,
        };
        from_tensors(&shape, encoder, "support", tensors)
    }
}

impl Group {
    fn into_group(self) -> FeatureGroup {
        FeatureGroup {
            source: self.source,
            parts: match self.parts {
                GroupParts::Whole => Parts::Whole,
                GroupParts::Named(names) => Parts::Named(names),
                GroupParts::Numbered(count) => Parts::Numbered(count),
            },
        }
    }
}
