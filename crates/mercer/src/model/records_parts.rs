//! Records as tensors and back.

use mercer_linalg::Csr;
use serde::{Deserialize, Serialize};

use super::Tensors;
use crate::data::{CodeColumn, FeatureGroup, Features, Points, Records, TextColumn};
use crate::{Error, Result};

/// What records need to be told beside their tensors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RecordsShape {
    rows: usize,
    columns: usize,
    sparse: bool,
    groups: Vec<FeatureGroup>,
    codes: Vec<String>,
    texts: Vec<String>,
}

pub(super) fn to_tensors(records: &Records, prefix: &str, out: &mut Tensors) -> RecordsShape {
    let name = |part: &str| format!("{prefix}.{part}");
    let points = &records.features.points;
    match points {
        Points::Dense(matrix) => out.add_matrix(&name("dense"), matrix),
        Points::Sparse(csr) => {
            let mut starts = vec![0_u64];
            let (mut indices, mut values) = (Vec::new(), Vec::new());
            for row in 0..csr.rows() {
                let (i, v) = csr.row(row);
                indices.extend_from_slice(i);
                values.extend_from_slice(v);
                starts.push(indices.len() as u64);
            }
            out.add_u64(&name("starts"), starts);
            out.add_u32(&name("indices"), indices);
            out.add_f64(&name("values"), values);
        }
    }
    out.add_u32(&name("ids"), records.ids.clone());
    for (k, column) in records.codes.iter().enumerate() {
        out.add_u32(&name(&format!("codes.{k}")), column.codes.clone());
    }
    for (k, column) in records.texts.iter().enumerate() {
        let mut bytes = Vec::new();
        let mut ends = Vec::with_capacity(column.texts.len());
        for text in &column.texts {
            bytes.extend_from_slice(text.as_bytes());
            ends.push(bytes.len() as u64);
        }
        out.add_u8(&name(&format!("texts.{k}")), bytes);
        out.add_u64(&name(&format!("texts.{k}.ends")), ends);
    }
    RecordsShape {
        rows: records.len(),
        columns: points.columns(),
        sparse: matches!(points, Points::Sparse(_)),
        groups: records.features.groups.clone(),
        codes: records.codes.iter().map(|c| c.source.clone()).collect(),
        texts: records.texts.iter().map(|t| t.source.clone()).collect(),
    }
}

pub(super) fn from_tensors(
    shape: &RecordsShape,
    prefix: &str,
    tensors: &mut Tensors,
) -> Result<Records> {
    let name = |part: &str| format!("{prefix}.{part}");
    let points = if shape.sparse {
        let starts: Vec<usize> = tensors
            .take_u64(&name("starts"))?
            .into_iter()
            .map(|s| usize::try_from(s).map_err(|_| Error::model("a row start is too large")))
            .collect::<Result<_>>()?;
        let indices = tensors.take_u32(&name("indices"))?;
        let values = tensors.take_f64(&name("values"))?;
        let csr = Csr::try_new(shape.columns, starts, indices, values)
            .map_err(|e| Error::model(format!("`{prefix}`: {e}")))?;
        Points::Sparse(csr)
    } else {
        Points::Dense(tensors.take_matrix(&name("dense"))?)
    };
    let same = |what: &str, found: usize, expected: usize| {
        if found == expected {
            Ok(())
        } else {
            Err(Error::model(format!(
                "`{prefix}` has {found} {what}; {expected} expected"
            )))
        }
    };
    same("rows", points.rows(), shape.rows)?;
    same("columns", points.columns(), shape.columns)?;
    let grouped = shape
        .groups
        .iter()
        .try_fold(0_usize, |sum, g| sum.checked_add(g.width()));
    same(
        "grouped columns",
        grouped.unwrap_or(usize::MAX),
        shape.columns,
    )?;
    let ids = tensors.take_u32(&name("ids"))?;
    same("row numbers", ids.len(), shape.rows)?;
    let mut codes = Vec::new();
    for (k, source) in shape.codes.iter().enumerate() {
        let column = tensors.take_u32(&name(&format!("codes.{k}")))?;
        same("codes", column.len(), shape.rows)?;
        codes.push(CodeColumn {
            source: source.clone(),
            codes: column,
        });
    }
    let mut texts = Vec::new();
    for (k, source) in shape.texts.iter().enumerate() {
        let bytes = tensors.take_u8(&name(&format!("texts.{k}")))?;
        let ends = tensors.take_u64(&name(&format!("texts.{k}.ends")))?;
        same("texts", ends.len(), shape.rows)?;
        texts.push(TextColumn {
            source: source.clone(),
            texts: split_texts(&bytes, &ends)?,
        });
    }
    Ok(Records {
        features: Features {
            points,
            groups: shape.groups.clone(),
        },
        codes,
        texts,
        ids,
    })
}

fn split_texts(bytes: &[u8], ends: &[u64]) -> Result<Vec<String>> {
    let mut start = 0;
    ends.iter()
        .map(|&end| {
            let end = usize::try_from(end).unwrap_or(usize::MAX);
            let text = bytes
                .get(start..end)
                .ok_or_else(|| Error::model("a text ends outside its bytes"))?;
            start = end;
            String::from_utf8(text.to_vec()).map_err(|_| Error::model("a text is not UTF-8"))
        })
        .collect()
}
