//! Records as tensors and back.

use std::sync::Arc;

use mercer_linalg::{Csr, Matrix, Real};
use serde::{Deserialize, Serialize};

use super::parts::wrong;
use super::{Tensor, Tensors, graph_parts};
use crate::data::{
    Block, CodeColumn, Encoder, FeatureGroup, Features, GraphColumn, NodeColumn, Points, Records,
    TextColumn,
};
use crate::{Error, Result};

/// What records need to be told beside their tensors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RecordsShape {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) sparse: bool,
    pub(super) groups: Vec<FeatureGroup>,
    pub(super) codes: Vec<String>,
    pub(super) texts: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) graphs: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<String>,
}

pub(super) fn to_tensors(records: &Records, prefix: &str, out: &mut Tensors) -> RecordsShape {
    let name = |part: &str| format!("{prefix}.{part}");
    let points = &records.features.points;
    match points {
        Points::Double(block) => {
            let tensor = |shape, values| Tensor::F64 { shape, values };
            block_to_tensors(block, prefix, tensor, out);
        }
        Points::Single(block) => {
            let tensor = |shape, values| Tensor::F32 { shape, values };
            block_to_tensors(block, prefix, tensor, out);
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
    for (k, column) in records.graphs.iter().enumerate() {
        graph_parts::to_tensors(&column.graphs, &name(&format!("graphs.{k}")), out);
    }
    for (k, column) in records.nodes.iter().enumerate() {
        out.add_u32(&name(&format!("nodes.{k}")), column.nodes.clone());
    }
    RecordsShape {
        rows: records.len(),
        columns: points.columns(),
        sparse: points.is_sparse(),
        groups: records.features.groups.clone(),
        codes: records.codes.iter().map(|c| c.source.clone()).collect(),
        texts: records.texts.iter().map(|t| t.source.clone()).collect(),
        graphs: records.graphs.iter().map(|g| g.source.clone()).collect(),
        nodes: records.nodes.iter().map(|n| n.source.clone()).collect(),
    }
}

fn block_to_tensors<T: Real>(
    block: &Block<T>,
    prefix: &str,
    tensor: impl Fn(Vec<usize>, Vec<T>) -> Tensor,
    out: &mut Tensors,
) {
    let name = |part: &str| format!("{prefix}.{part}");
    let values = block.values().to_vec();
    match block {
        Block::Dense(matrix) => {
            let shape = vec![matrix.rows(), matrix.columns()];
            out.0.insert(name("dense"), tensor(shape, values));
        }
        Block::Sparse(csr) => {
            let starts = csr.row_starts().iter().map(|&start| start as u64);
            out.add_u64(&name("starts"), starts.collect());
            out.add_u32(&name("indices"), csr.indices().to_vec());
            out.0
                .insert(name("values"), tensor(vec![values.len()], values));
        }
    }
}

fn points_from_tensors(
    shape: &RecordsShape,
    prefix: &str,
    tensors: &mut Tensors,
) -> Result<Points> {
    let (part, axes, expected) = if shape.sparse {
        ("values", 1, "a list of f64 or f32")
    } else {
        ("dense", 2, "a matrix of f64 or f32")
    };
    let name = format!("{prefix}.{part}");
    match tensors.take(&name)? {
        Tensor::F64 {
            shape: extent,
            values,
        } if extent.len() == axes => {
            block_from_tensors(shape, prefix, &extent, values, tensors).map(Points::Double)
        }
        Tensor::F32 {
            shape: extent,
            values,
        } if extent.len() == axes => {
            block_from_tensors(shape, prefix, &extent, values, tensors).map(Points::Single)
        }
        other => Err(wrong(&name, &other, expected)),
    }
}

fn block_from_tensors<T: Real>(
    shape: &RecordsShape,
    prefix: &str,
    extent: &[usize],
    values: Vec<T>,
    tensors: &mut Tensors,
) -> Result<Block<T>> {
    let name = |part: &str| format!("{prefix}.{part}");
    if !shape.sparse {
        let matrix = Matrix::try_from_vec(extent[0], extent[1], values).map_err(|_| {
            Error::model(format!(
                "tensor `{}` does not fill its shape",
                name("dense")
            ))
        })?;
        return Ok(Block::Dense(matrix.into()));
    }
    let starts: Vec<usize> = tensors
        .take_u64(&name("starts"))?
        .into_iter()
        .map(|s| usize::try_from(s).map_err(|_| Error::model("a row start is too large")))
        .collect::<Result<_>>()?;
    let indices = tensors.take_u32(&name("indices"))?;
    Csr::try_new(shape.columns, starts, indices, values)
        .map(Block::Sparse)
        .map_err(|e| Error::model(format!("`{prefix}`: {e}")))
}

pub(super) fn from_tensors(
    shape: &RecordsShape,
    encoder: &Encoder,
    prefix: &str,
    tensors: &mut Tensors,
) -> Result<Records> {
    let name = |part: &str| format!("{prefix}.{part}");
    let points = points_from_tensors(shape, prefix, tensors)?;
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
    let mut graphs = Vec::new();
    for (k, source) in shape.graphs.iter().enumerate() {
        let found = graph_parts::from_tensors(&name(&format!("graphs.{k}")), tensors)?;
        same("graphs", found.len(), shape.rows)?;
        graphs.push(GraphColumn {
            source: source.clone(),
            graphs: found,
        });
    }
    let mut nodes = Vec::new();
    for (k, source) in shape.nodes.iter().enumerate() {
        let network = encoder
            .network(source)
            .ok_or_else(|| Error::model(format!("there is no network for `{source}`")))?;
        let found = tensors.take_u32(&name(&format!("nodes.{k}")))?;
        same("members", found.len(), shape.rows)?;
        if found.iter().any(|&node| node as usize >= network.len()) {
            return Err(Error::model("a node is not in its network"));
        }
        nodes.push(NodeColumn {
            source: source.clone(),
            network: network.clone(),
            nodes: found,
        });
    }
    Ok(Records {
        features: Features {
            points,
            groups: encoder.with_words(shape.groups.clone()),
        },
        codes,
        texts,
        graphs,
        nodes,
        ids,
    })
}

fn split_texts(bytes: &[u8], ends: &[u64]) -> Result<Vec<Arc<str>>> {
    let mut start = 0;
    ends.iter()
        .map(|&end| {
            let end = usize::try_from(end).unwrap_or(usize::MAX);
            let text = bytes
                .get(start..end)
                .ok_or_else(|| Error::model("a text ends outside its bytes"))?;
            start = end;
            let text = std::str::from_utf8(text);
            text.map(Arc::from)
                .map_err(|_| Error::model("a text is not UTF-8"))
        })
        .collect()
}
